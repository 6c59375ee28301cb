//! How this program counts: the settings that are printed, and that a baseline of a benchmark must have, too.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{CountMode, Provenance, SCHEMA_VERSION, number_of};

/// The name of each setting in messages, and its field.
const FIELDS: [(&str, &str); 6] = [
    ("generator", "generator"),
    ("CPU path", "cpu_path"),
    ("threads", "threads"),
    ("bytes of the table", "table_bytes"),
    ("bulk counting", "bulk"),
    ("mode", "mode"),
];

/// How a built-in generator or a build of this program counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    pub generator: String,
    /// The CPU features that it was compiled for.
    pub cpu_path: String,
    pub threads: usize,
    /// The size of the transposition table in bytes; 0 without a table.
    pub table_bytes: usize,
    /// Whether the moves of the last ply are counted and not made.
    pub bulk: bool,
    pub mode: CountMode,
}

impl Settings {
    pub fn new(head: &Provenance) -> Settings {
        let &Provenance { generator, cpu_path, threads, table_bytes, bulk, mode, .. } = head;
        let [generator, cpu_path] = [generator, cpu_path].map(str::to_owned);
        Settings { generator, cpu_path, threads, table_bytes, bulk, mode }
    }

    /// Reads the settings from the report of a count.
    pub fn read(json: &str) -> Option<Settings> {
        #[derive(Deserialize)]
        struct Report {
            schema_version: u32,
            #[serde(flatten)]
            settings: Settings,
        }
        let report: Report = serde_json::from_str(json).ok()?;
        (report.schema_version == SCHEMA_VERSION).then_some(report.settings)
    }

    /// Returns the name and the value of each setting. The values of unknown settings are `none`.
    pub fn values(settings: Option<&Settings>) -> [(&'static str, String); 6] {
        let fields = serde_json::to_value(settings).expect("settings can be written");
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Null => "none".to_owned(),
            value => value.to_string(),
        };
        FIELDS.map(|(name, field)| (name, text(&fields[field])))
    }

    /// Returns the field of the only setting in which these differ, with the value of each; `None` if there is none, or if
    /// there are several.
    pub fn only_difference(all: &[&Settings]) -> Option<(&'static str, Vec<String>)> {
        let values: Vec<_> = all.iter().map(|settings| Settings::values(Some(settings))).collect();
        let mut differing =
            (0..FIELDS.len()).filter(|&field| values.iter().any(|all| all[field] != values[0][field]));
        let only = differing.next().filter(|_| differing.next().is_none())?;
        Some((FIELDS[only].1, values.into_iter().map(|all| all[only].1.clone()).collect()))
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { generator, cpu_path, threads, table_bytes, bulk, mode } = self;
        let threads = number_of(*threads, "thread");
        let leaves = match mode {
            CountMode::Exact => "equal positions merged (--exact)",
            _ if *bulk => "bulk counting",
            _ => "every leaf made (--no-bulk)",
        };
        write!(f, "generator {generator}, CPU path {cpu_path}, {threads}, {leaves}, ")?;
        match *table_bytes {
            0 => write!(f, "no table"),
            bytes => write!(f, "a table of {}", number_of(bytes, "byte")),
        }
    }
}

//! A contender: a program whose speed is measured, or one of the ways in which this program counts.

use serde::Serialize;

use super::baseline::SavedReport;
use crate::output::settings::Settings;
use crate::system::command_line;
use crate::timing::{GateResult, Measure, Ratio, Task};

/// A program whose speed is measured, or one of the ways in which this program counts. The report adds the figures.
#[derive(Clone, Debug, Serialize)]
pub struct Contender {
    pub name: String,
    /// The command that counts in the same way, or that starts the engine.
    pub command: String,
    #[serde(flatten)]
    pub kind: ContenderKind,
    /// The geometric mean of its speeds in leaf nodes per second; `None` if the speed of a position is missing.
    pub nodes_per_second: Option<f64>,
    /// The geometric mean of the ratios to the reference; `None` without a reference, or if the contender has no ratio
    /// in a position of the reference.
    pub overall: Option<Ratio>,
    /// Whether it is slower than allowed; `None` if it is not judged.
    pub gate: Option<GateResult>,
    /// The peak memory of an engine in bytes. `None` if the system does not say, and for other contenders.
    pub peak_memory_bytes: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ContenderKind {
    /// A built-in generator.
    Generator(Settings),
    /// A build of this program, which counts in a process of its own.
    Build(Settings),
    /// An engine.
    Engine {
        /// The dialect of its questions and answers.
        dialect: &'static str,
        /// The name that it gives itself; `None` if it gives none, or never answered.
        own_name: Option<String>,
        /// Whether one process answers all questions.
        one_process: bool,
    },
    /// Saved runs, and the name that their program had.
    Baseline {
        /// The name of the program in the saved report.
        saved_name: String,
    },
}

impl Contender {
    pub fn new(name: &str, command: String, kind: ContenderKind) -> Contender {
        Contender {
            name: name.to_owned(),
            command,
            kind,
            nodes_per_second: None,
            overall: None,
            gate: None,
            peak_memory_bytes: None,
        }
    }

    pub fn description(&self) -> String {
        let described = match &self.kind {
            ContenderKind::Generator(settings) => settings.to_string(),
            ContenderKind::Build(settings) if self.command == self.name => {
                format!("a build of perft, {settings}")
            }
            ContenderKind::Build(settings) => format!("{}, a build of perft, {settings}", self.command),
            ContenderKind::Engine { dialect, own_name, .. } => {
                let said = own_name.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
                format!("{}{said}, asked as {dialect}", self.command)
            }
            ContenderKind::Baseline { saved_name } => format!("saved runs of {saved_name}"),
        };
        match self.settings() {
            Some(Settings { table_bytes: 1.., .. }) => described + ", empty before each run",
            _ => described,
        }
    }

    /// Returns how it counts; `None` for an engine and for a baseline.
    pub fn settings(&self) -> Option<&Settings> {
        match &self.kind {
            ContenderKind::Generator(settings) | ContenderKind::Build(settings) => Some(settings),
            _ => None,
        }
    }

    pub fn is_built_in(&self) -> bool {
        matches!(self.kind, ContenderKind::Generator(_))
    }

    /// Whether this measure of its runs is known. What a process has used is known exactly when it has ended.
    pub fn tells(&self, measure: Measure, baseline: Option<&SavedReport>) -> bool {
        match &self.kind {
            _ if measure == Measure::Time => true,
            ContenderKind::Generator(_) => measure == Measure::Cpu && cfg!(unix),
            ContenderKind::Build(_) => true,
            ContenderKind::Engine { one_process, .. } => !one_process,
            ContenderKind::Baseline { .. } => baseline.is_some_and(|saved| saved.tells(measure)),
        }
    }

    /// Returns the command that makes a count once. For an engine, it is the command with the question.
    pub fn command_line(&self, task: &Task) -> String {
        let (command, fen, depth) = (&self.command, &task.position.fen, task.depth);
        match &self.kind {
            ContenderKind::Engine { dialect, .. } => format!("{command} ({dialect}: {fen}, depth {depth})"),
            _ => format!("{command} --fen {} --depth {depth} --single", command_line::quoted(fen)),
        }
    }
}

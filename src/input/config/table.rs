//! The tables of `perft.toml`: the keys of an entry, and every fault in it.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf, is_separator};
use std::time::Duration;

use perft_diagnosis::lines::visible;
use perft_diagnosis::source::Patterns;
use regex_lite::Regex;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::profile::ProfileTable;
use crate::engine::{CUSTOM, Dialect, EngineSpec, Handshake, Launch, unknown_placeholder};
use crate::input::time_limit;
use crate::output::error::{CliError, FaultPlace, LineFaults};
use crate::system::files;

/// The name of the file.
pub const FILE: &str = "perft.toml";

/// The help for a faulty file.
const KEYS: &str = "[engine.NAME] needs command; dialect, ask, ask_state, handshake, options, launch, timeout, folder, chess960, total, move and profile are optional";

/// An engine of the file or of the command line.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The way to run the engine and to ask it.
    pub spec: EngineSpec,
    /// Whether the user has said how to ask the engine.
    pub has_words: bool,
}

/// Reads the entries of a file. A relative folder is relative to the folder of `path`.
///
/// # Errors
/// Every fault, with its line.
pub fn read(text: &str, path: &Path) -> Result<BTreeMap<String, Entry>, CliError> {
    let folder = files::folder_of(path);
    let refused = |faults: Vec<ConfigFault>| {
        CliError::Text(faults.into_iter().map(|fault| line_faults(text, path, fault)).collect())
    };
    let file: File = toml::from_str(text)
        .map_err(|error| refused(vec![ConfigFault::new(error.span().unwrap_or(0..0), error.message())]))?;
    let (mut entries, mut faults) = (BTreeMap::new(), Vec::new());
    for (name, table) in file.engine {
        if !is_line(name.get_ref()) {
            faults.push(ConfigFault::new(name.span(), "the name of an engine has no control characters"));
        }
        let entry = table.build(folder, &mut faults);
        entries.extend(entry.map(|entry| (name.into_inner(), entry)));
    }
    if faults.is_empty() { Ok(entries) } else { Err(refused(faults)) }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    engine: BTreeMap<Spanned<String>, EngineTable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineTable {
    command: Spanned<CommandText>,
    #[serde(default, deserialize_with = "dialect")]
    dialect: Option<Dialect>,
    #[serde(default)]
    ask: Vec<Spanned<String>>,
    ask_state: Option<Spanned<String>>,
    handshake: Option<Spanned<Handshake>>,
    chess960: Option<bool>,
    #[serde(default)]
    options: BTreeMap<Spanned<String>, Spanned<Value>>,
    launch: Option<Spanned<Launch>>,
    timeout: Option<Spanned<f64>>,
    folder: Option<PathBuf>,
    total: Option<Spanned<String>>,
    #[serde(rename = "move")]
    moves: Option<Spanned<String>>,
    profile: Option<ProfileTable>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a command is a string, or a list of words")]
enum CommandText {
    Line(String),
    Words(Vec<String>),
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "the value of an option is a string, an integer, true or false")]
enum Value {
    Bool(bool),
    Integer(i64),
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Integer(value) => write!(f, "{value}"),
            Value::Text(text) => f.write_str(text),
        }
    }
}

fn dialect<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Dialect>, D::Error> {
    String::deserialize(deserializer)?.parse().map(Some).map_err(D::Error::custom)
}

/// A fault, and the bytes of the file that it is about.
struct ConfigFault {
    span: Range<usize>,
    message: String,
}

impl ConfigFault {
    fn new(span: Range<usize>, message: impl Into<String>) -> ConfigFault {
        ConfigFault { span, message: message.into() }
    }
}

impl EngineTable {
    /// Returns the engine, or `None` if it has no command. Adds every fault of the table beyond those that the TOML
    /// parser finds.
    fn build(self, home: &Path, faults: &mut Vec<ConfigFault>) -> Option<Entry> {
        let limit = self.read_timeout(faults);
        self.check_ask(faults);
        let folder = self.folder.as_ref().map_or_else(|| home.to_owned(), |folder| home.join(folder));
        let dialect = self.dialect.unwrap_or_default();
        let spec = match self.command.get_ref() {
            CommandText::Line(line) => EngineSpec::parse_in(Some(&folder), line, dialect),
            CommandText::Words(words) => EngineSpec::of_words(words.clone(), dialect),
        };
        let Ok(mut spec) = spec else {
            let message = "the command is empty, or a quote in it is not closed";
            faults.push(ConfigFault::new(self.command.span(), message));
            return None;
        };
        if let Some(message) = unknown_part(&spec.command) {
            faults.push(ConfigFault::new(self.command.span(), message));
        }
        let folder_text = self.folder.as_ref().map(|folder| folder.to_string_lossy().into_owned());
        if spec.command.iter().chain(&folder_text).any(|text| visible(text) != *text) {
            let message = "the command and the folder have no control characters";
            faults.push(ConfigFault::new(self.command.span(), message));
        }
        let has_words = self.dialect.is_some() || !self.ask.is_empty() || spec.dialect == CUSTOM;
        if !self.ask.is_empty() {
            spec = spec.with_lines(self.ask.iter().map(|line| line.get_ref().clone()).collect());
        }
        if let Some(handshake) = &self.handshake {
            spec.asking.handshake = *handshake.get_ref();
        }
        if self.launch.as_ref().is_some_and(|launch| *launch.get_ref() == Launch::Each) {
            spec.asking.launch = Launch::Each;
        }
        let options = self.read_options(&spec, faults);
        self.check_launch(&spec, faults);
        let command = locate_program(spec.command, &folder);
        let (folder, is_chess960) = (Some(folder), self.chess960);
        let mut pattern = |text: Option<Spanned<String>>| compiled(&text?, faults);
        let patterns = Patterns { total: pattern(self.total), moves: pattern(self.moves) };
        let profile = self.profile.map(|profile| profile.with(patterns.clone()));
        let ask_state = self.ask_state.map(Spanned::into_inner);
        let spec = EngineSpec { command, folder, options, is_chess960, ask_state, patterns, profile, ..spec };
        Some(Entry { spec: spec.with_time_limit(limit), has_words })
    }

    fn check_ask(&self, faults: &mut Vec<ConfigFault>) {
        for line in self.ask.iter().chain(&self.ask_state) {
            if let Some(message) = unknown_part([line.get_ref()]) {
                let message =
                    format!("{message}; the parts are {{depth}}, {{fen}}, {{moves}}, {{fen_after}}");
                faults.push(ConfigFault::new(line.span(), message));
            } else if !is_line(line.get_ref()) {
                let message = "give one line of text for each line that is sent";
                faults.push(ConfigFault::new(line.span(), message));
            }
        }
        if let (Some(line), true) = (self.ask.first(), self.dialect.is_some()) {
            let message = "a dialect already says what is sent; give dialect or ask";
            faults.push(ConfigFault::new(line.span(), message));
        }
    }

    fn read_options(&self, spec: &EngineSpec, faults: &mut Vec<ConfigFault>) -> Vec<(String, String)> {
        let mut options = Vec::new();
        for (name, value) in &self.options {
            let (option, text) = (name.get_ref().clone(), value.get_ref().to_string());
            if spec.asking.handshake != Handshake::Uci {
                faults.push(ConfigFault::new(name.span(), "only a UCI engine has options"));
            } else if option.eq_ignore_ascii_case("UCI_Chess960") {
                let message = "perft sets this option itself, as each position needs it";
                faults.push(ConfigFault::new(name.span(), message));
            } else if ![&option, &text].into_iter().all(|text| is_line(text)) {
                faults.push(ConfigFault::new(value.span(), "an option must be one line of text"));
            }
            options.push((option, text));
        }
        options
    }

    fn check_launch(&self, spec: &EngineSpec, faults: &mut Vec<ConfigFault>) {
        if let Some(launch) = &self.launch
            && *launch.get_ref() == Launch::Once
            && spec.is_run_for_each_question()
        {
            let message =
                "only a program that is asked on its standard input can be started once for all questions";
            faults.push(ConfigFault::new(launch.span(), message));
        }
    }

    fn read_timeout(&self, faults: &mut Vec<ConfigFault>) -> Option<Duration> {
        let timeout = self.timeout.as_ref()?;
        time_limit(*timeout.get_ref())
            .map_err(|message| faults.push(ConfigFault::new(timeout.span(), message)))
            .ok()
    }
}

/// Returns a regular expression, or `None` if it is wrong.
fn compiled(text: &Spanned<String>, faults: &mut Vec<ConfigFault>) -> Option<Regex> {
    Regex::new(text.get_ref())
        .map_err(|error| faults.push(ConfigFault::new(text.span(), error.to_string())))
        .ok()
}

/// Returns the fault of the first template with an unknown word in braces.
pub fn unknown_part<'a>(templates: impl IntoIterator<Item = &'a String>) -> Option<String> {
    let word = templates.into_iter().find_map(|text| unknown_placeholder(text))?;
    Some(format!("'{word}' is not a part of a question"))
}

/// Whether a text is one line without hidden characters.
pub fn is_line(text: &str) -> bool {
    !text.contains(char::is_control) && visible(text) == text
}

/// Makes a relative path of the program relative to a folder.
fn locate_program(mut command: Vec<String>, folder: &Path) -> Vec<String> {
    let program = &mut command[0];
    // A name without a separator is looked up on the PATH.
    if program.contains(is_separator) {
        *program = folder.join(&*program).to_string_lossy().into_owned();
    }
    command
}

fn line_faults(text: &str, path: &Path, ConfigFault { span, message }: ConfigFault) -> LineFaults {
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let span = span.start - start..span.end.clamp(span.start, end) - start;
    LineFaults {
        title: format!("{} is not valid", FILE),
        origin: Some(path.display().to_string()),
        line: text[..start].matches('\n').count() + 1,
        text: text[start..end].to_owned(),
        places: vec![FaultPlace { span, message, help: KEYS.to_owned() }],
        same_in: Vec::new(),
    }
}

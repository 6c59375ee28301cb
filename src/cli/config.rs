//! `perft.toml`: a file that gives names to engines that are used often.
//!
//! ```toml
//! [engine.mine]
//! command = "./build/my-engine --uci"   # or a list of words
//! dialect = "uci"                       # a way to ask it; "perft engines" lists them
//! options = { Hash = 16, Threads = 1 }  # UCI options
//! launch = "each"                       # a new process for each question; the default is "once"
//! timeout = 10                          # time limit for each answer, in seconds
//! folder = "build"                      # the folder to run it in
//! chess960 = true                       # it knows Chess960; a UCI engine says so itself
//! ask_state = "d"                       # the line that makes it print its FEN or its key
//!
//! [engine.other]                        # one that no dialect fits
//! command = "./other"
//! handshake = "none"                    # or uci, cecp
//! ask = ["position fen {fen} moves {moves}", "count {depth}"]
//! ```
//!
//! The program searches the current folder, then each folder above it, and reads the first file that it finds. An engine
//! runs in the folder of that file, or in its own `folder`, which is relative to the file. A path in the command is
//! relative to the folder that the engine runs in. If `--engine` is given a text that is no name in the file, the text is
//! a command.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf, is_separator};
use std::time::Duration;

use perft_diagnosis::source::SourceError;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::error::{CliError, LineFaults, Place, note};
use super::input::most_similar;
use super::trust;
use crate::engine::{CUSTOM, Dialect, EngineSpec, Handshake, Launch, unknown_placeholder};

/// The name of the file.
const FILE: &str = "perft.toml";

/// The help for a faulty file.
const KEYS: &str = "[engine.NAME] needs command; dialect, ask, ask_state, handshake, options, launch, timeout, folder and chess960 are optional";

/// The engines that the file names.
#[derive(Clone, Debug, Default)]
pub struct Engines {
    path: PathBuf,
    /// Whether the user has named the file. Then it need not be allowed.
    was_named: bool,
    named: BTreeMap<String, NamedEngine>,
}

/// An engine of the file.
#[derive(Clone, Debug)]
struct NamedEngine {
    spec: EngineSpec,
    has_timeout: bool,
    /// Whether the entry says how to ask the engine.
    has_words: bool,
}

/// Settings of an engine that the command line gives.
#[derive(Clone, Debug, Default)]
pub struct EngineOverrides {
    /// How to ask the engine, if given.
    pub dialect: Option<Dialect>,
    /// The lines that ask a question, if given.
    pub ask: Vec<String>,
    /// The time limit for each answer, if given.
    pub timeout: Option<Duration>,
}

impl Engines {
    /// Reads this file, or else the nearest `perft.toml`, from the current folder upwards. Without a file there are no names.
    pub fn load(file: Option<&Path>) -> Result<Engines, CliError> {
        match file {
            Some(path) => Ok(Engines { was_named: true, ..Engines::of_file(path)? }),
            None => Engines::find(),
        }
    }

    fn find() -> Result<Engines, CliError> {
        let here = std::env::current_dir()
            .map_err(|error| CliError::usage(format!("cannot find the current folder: {error}")))?;
        let mut paths = here.ancestors().map(|folder| folder.join(FILE));
        paths
            .find(|path| path.is_file())
            .map_or_else(|| Ok(Engines::default()), |path| Engines::of_file(&path))
    }

    fn of_file(path: &Path) -> Result<Engines, CliError> {
        let text = fs::read_to_string(path)
            .map_err(|error| CliError::usage(format!("cannot read '{}': {error}", path.display())))?;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Engines::read(&text, &path)
    }

    /// Says which file an engine comes from, if it is one of the file.
    ///
    /// # Errors
    /// A usage error if the file must be allowed first.
    pub fn announce(&self, text: &str) -> Result<(), CliError> {
        if !self.contains(text) {
            return Ok(());
        }
        if !self.was_named {
            trust::check(&self.path, text)?;
        }
        note(format!("the engine '{text}' is the one of {}", self.path.display()));
        Ok(())
    }

    /// Reads the text of a file.
    fn read(text: &str, path: &Path) -> Result<Engines, CliError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let locate = |fault: Fault| line_faults(text, path, fault);
        let file: File = toml::from_str(text).map_err(|error| {
            let message = error.message().to_owned();
            CliError::Text(vec![locate(Fault { span: error.span().unwrap_or(0..0), message })])
        })?;
        let mut named = BTreeMap::new();
        let mut wrong = Vec::new();
        for (name, table) in file.engine {
            match table.build(folder) {
                Ok(engine) => drop(named.insert(name, engine)),
                Err(faults) => wrong.extend(faults.into_iter().map(locate)),
            }
        }
        if wrong.is_empty() {
            Ok(Engines { path: path.to_owned(), named, was_named: false })
        } else {
            Err(CliError::Text(wrong))
        }
    }

    /// Returns the engine with this name, or else the engine that this command runs.
    pub fn resolve(&self, text: &str, overrides: EngineOverrides) -> Result<EngineSpec, CliError> {
        let Some(NamedEngine { spec, has_timeout, .. }) = self.named.get(text) else {
            let spec = EngineSpec::parse(text, overrides.dialect.unwrap_or_default())?;
            check_placeholders(spec.command.iter().chain(&overrides.ask))?;
            let answer_limit = overrides.timeout.unwrap_or(spec.answer_limit);
            let spec = EngineSpec { answer_limit, ..spec };
            return Ok(if overrides.ask.is_empty() { spec } else { with_lines(spec, overrides.ask) });
        };
        if let Some(dialect) = overrides.dialect.filter(|dialect| dialect.name() != spec.dialect) {
            let message = format!("the dialect of '{text}' is {}, not {dialect}", spec.dialect);
            let help = format!("leave out --dialect, or change it in {}", self.path.display());
            return Err(CliError::usage(message).help(help));
        }
        if !overrides.ask.is_empty() {
            let help = format!("leave out --ask, or change the engine in {}", self.path.display());
            return Err(CliError::usage(format!("'{text}' already says how it is asked")).help(help));
        }
        let own = if *has_timeout { Some(spec.answer_limit) } else { None };
        let answer_limit = overrides.timeout.or(own).unwrap_or(spec.answer_limit);
        Ok(EngineSpec { answer_limit, ..spec.clone() })
    }

    /// Whether the file says how the engine of this name is asked.
    pub fn says_how_to_ask(&self, name: &str) -> bool {
        self.named.get(name).is_some_and(|engine| engine.has_words)
    }

    /// Returns the engines with their names.
    pub fn specs(&self) -> impl Iterator<Item = (&str, &EngineSpec)> {
        self.named.iter().map(|(name, engine)| (name.as_str(), &engine.spec))
    }

    /// Returns where a new entry is written: the file that was found, or else one in the current folder.
    pub fn path(&self) -> &Path {
        if self.path.as_os_str().is_empty() { Path::new(FILE) } else { &self.path }
    }

    /// Whether the file has an engine of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.named.contains_key(name)
    }

    /// Returns the error for an engine that does not start; `text` is what was given to `--engine`.
    pub fn start_error(&self, text: &str, error: SourceError) -> CliError {
        let is_bare = !text.contains(is_separator);
        match error {
            SourceError::NotStarted(..) | SourceError::NoOption(..) | SourceError::NoOptionValue(..)
                if self.contains(text) =>
            {
                CliError::usage(error).help(format!("change the engine '{text}' in {}", self.path.display()))
            }
            SourceError::NotStarted(..) if is_bare && !self.named.is_empty() => {
                let names = || self.named.keys().map(String::as_str);
                let similar = most_similar(text, names(), 1);
                let all = names().collect::<Vec<_>>().join(", ");
                let known = format!("{} names: {all}", self.path.display());
                let help = match similar.first() {
                    Some(name) => format!("did you mean '{name}'? {known}"),
                    None => format!("give a program on the PATH, a path, or a name; {known}"),
                };
                CliError::usage(error).help(help)
            }
            error => error.into(),
        }
    }
}

/// Returns the spec with lines of its own that ask a question.
fn with_lines(spec: EngineSpec, lines: Vec<String>) -> EngineSpec {
    let asking = spec.asking.with_lines(lines);
    EngineSpec { asking, dialect: CUSTOM, ..spec }
}

/// Refuses templates with unknown words in braces.
pub fn check_placeholders<'a>(mut texts: impl Iterator<Item = &'a String>) -> Result<(), CliError> {
    match texts.find_map(|text| unknown_placeholder(text)) {
        None => Ok(()),
        Some(word) => Err(CliError::usage(format!("'{word}' is not a part of a question"))
            .help("the parts are {depth}, {fen}, {moves} and {fen_after}")),
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    engine: BTreeMap<String, EngineTable>,
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
    handshake: Option<Spanned<HandshakeName>>,
    chess960: Option<bool>,
    #[serde(default)]
    options: BTreeMap<Spanned<String>, Spanned<Value>>,
    launch: Option<Spanned<LaunchName>>,
    timeout: Option<Spanned<f64>>,
    folder: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a command is a string, or a list of words")]
enum CommandText {
    Line(String),
    Words(Vec<String>),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum LaunchName {
    Once,
    Each,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum HandshakeName {
    Uci,
    Cecp,
    None,
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

impl HandshakeName {
    fn handshake(self) -> Handshake {
        match self {
            HandshakeName::Uci => Handshake::Uci,
            HandshakeName::Cecp => Handshake::Cecp,
            HandshakeName::None => Handshake::None,
        }
    }
}

/// A fault, and the bytes of the file that it is about.
struct Fault {
    span: Range<usize>,
    message: String,
}

impl Fault {
    fn new(span: Range<usize>, message: &str) -> Fault {
        Fault { span, message: message.to_owned() }
    }
}

impl EngineTable {
    /// Returns the engine, or every fault of the table beyond those that the TOML parser finds.
    fn build(self, home: &Path) -> Result<NamedEngine, Vec<Fault>> {
        let mut faults = Vec::new();
        let limit = self.read_timeout(&mut faults);
        self.check_ask(&mut faults);
        let spec = match self.command.get_ref() {
            CommandText::Line(line) => EngineSpec::parse(line, self.dialect.unwrap_or_default()),
            CommandText::Words(words) => {
                EngineSpec::of_words(words.clone(), self.dialect.unwrap_or_default())
            }
        };
        let Ok(mut spec) = spec else {
            let message = "the command is empty, or a quote in it is not closed";
            faults.push(Fault::new(self.command.span(), message));
            return Err(faults);
        };
        if let Some(word) = spec.command.iter().find_map(|text| unknown_placeholder(text)) {
            let message = format!("'{word}' is not a part of a question");
            faults.push(Fault { span: self.command.span(), message });
        }
        let has_words = self.dialect.is_some() || !self.ask.is_empty() || spec.dialect == CUSTOM;
        if !self.ask.is_empty() {
            spec = with_lines(spec, self.ask.iter().map(|line| line.get_ref().clone()).collect());
        }
        if let Some(handshake) = &self.handshake {
            spec.asking.handshake = handshake.get_ref().handshake();
        }
        if self.launch.as_ref().is_some_and(|launch| matches!(launch.get_ref(), LaunchName::Each)) {
            spec.asking.launch = Launch::Each;
        }
        let options = self.read_options(&spec, &mut faults);
        self.check_launch(&spec, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        let folder = self.folder.map_or_else(|| home.to_owned(), |folder| home.join(folder));
        let command = locate_program(spec.command, &folder);
        let answer_limit = limit.unwrap_or(spec.answer_limit);
        let (folder, is_chess960) = (Some(folder), self.chess960);
        let ask_state = self.ask_state.map(Spanned::into_inner);
        let spec = EngineSpec { command, folder, options, is_chess960, answer_limit, ask_state, ..spec };
        Ok(NamedEngine { spec, has_timeout: limit.is_some(), has_words })
    }

    /// Checks the lines that ask a question.
    fn check_ask(&self, faults: &mut Vec<Fault>) {
        let mut add = |span, message: String| faults.push(Fault { span, message });
        for line in self.ask.iter().chain(&self.ask_state) {
            if let Some(word) = unknown_placeholder(line.get_ref()) {
                add(
                    line.span(),
                    format!(
                        "'{word}' is not a part of a question; the parts are {{depth}}, {{fen}}, {{moves}}, {{fen_after}}"
                    ),
                );
            } else if line.get_ref().contains(char::is_control) {
                add(line.span(), "give one line of text for each line that is sent".to_owned());
            }
        }
        if let (Some(line), true) = (self.ask.first(), self.dialect.is_some()) {
            add(line.span(), "a dialect already says what is sent; give dialect or ask".to_owned());
        }
    }

    fn read_options(&self, spec: &EngineSpec, faults: &mut Vec<Fault>) -> Vec<(String, String)> {
        let mut options = Vec::new();
        for (name, value) in &self.options {
            let (option, text) = (name.get_ref().clone(), value.get_ref().to_string());
            if spec.asking.handshake != Handshake::Uci {
                faults.push(Fault::new(name.span(), "only a UCI engine has options"));
            } else if option.eq_ignore_ascii_case("UCI_Chess960") {
                let message = "perft sets this option itself, as each position needs it";
                faults.push(Fault::new(name.span(), message));
            } else if [&option, &text].iter().any(|text| text.contains(char::is_control)) {
                faults.push(Fault::new(value.span(), "an option must be one line of text"));
            }
            options.push((option, text));
        }
        options
    }

    fn check_launch(&self, spec: &EngineSpec, faults: &mut Vec<Fault>) {
        if let Some(launch) = &self.launch
            && matches!(launch.get_ref(), LaunchName::Once)
            && spec.is_run_for_each_question()
        {
            let message =
                "only a program that is asked on its standard input can be started once for all questions";
            faults.push(Fault::new(launch.span(), message));
        }
    }

    fn read_timeout(&self, faults: &mut Vec<Fault>) -> Option<Duration> {
        let timeout = self.timeout.as_ref()?;
        let limit = Duration::try_from_secs_f64(*timeout.get_ref()).ok().filter(|limit| !limit.is_zero());
        if limit.is_none() {
            faults.push(Fault::new(timeout.span(), "give a number of seconds above 0"));
        }
        limit
    }
}

/// Makes a relative path of the program relative to a folder.
fn locate_program(mut command: Vec<String>, folder: &Path) -> Vec<String> {
    let program = &mut command[0];
    // A name without a separator is searched on the PATH.
    if program.contains(is_separator) {
        *program = folder.join(&*program).to_string_lossy().into_owned();
    }
    command
}

/// Returns a fault with the line that it is in.
fn line_faults(text: &str, path: &Path, Fault { span, message }: Fault) -> LineFaults {
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let span = span.start - start..span.end.clamp(span.start, end) - start;
    LineFaults {
        title: format!("{FILE} is not valid"),
        origin: Some(path.display().to_string()),
        line: text[..start].matches('\n').count() + 1,
        text: text[start..end].to_owned(),
        places: vec![Place { span, message, help: KEYS.to_owned() }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Engines, CliError> {
        Engines::read(text, Path::new("/home/chess/perft.toml"))
    }

    #[test]
    fn an_engine_may_set_every_key() {
        let engines = read(
            "[engine.mine]\ncommand = './build/mine --uci'\noptions = { Threads = 2, Ponder = false, 'Book File' = 'x y' }\n\
             launch = 'each'\nask_state = 'show'\ntimeout = 1.5\nfolder = 'work'\n\n[engine.'the q']\ncommand = ['qperft', 'a b']\ndialect = 'qperft'\n",
        )
        .unwrap();
        let mine = engines.resolve("mine", EngineOverrides::default()).unwrap();
        assert_eq!(mine.command, ["/home/chess/work/./build/mine", "--uci"]);
        assert_eq!(mine.ask_state.as_deref(), Some("show"));
        assert_eq!(mine.folder.as_deref(), Some(Path::new("/home/chess/work")));
        let options: Vec<String> =
            mine.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(options, ["Book File=x y", "Ponder=false", "Threads=2"]);
        assert_eq!((mine.asking.launch, mine.answer_limit), (Launch::Each, Duration::from_millis(1500)));
        let q = engines.resolve("the q", EngineOverrides::default()).unwrap();
        assert_eq!((q.command, q.dialect), (vec!["qperft".to_owned(), "a b".to_owned()], "qperft"));
        assert_eq!(q.folder.as_deref(), Some(Path::new("/home/chess")));
    }

    #[test]
    fn the_command_line_overrides_the_timeout_but_not_the_dialect() {
        let engines = read("[engine.mine]\ncommand = 'mine'\ntimeout = 5\n").unwrap();
        let overrides = EngineOverrides {
            timeout: Some(Duration::from_secs(9)),
            dialect: Some(Dialect::UCI),
            ask: Vec::new(),
        };
        assert_eq!(engines.resolve("mine", overrides.clone()).unwrap().answer_limit, Duration::from_secs(9));
        let overrides = EngineOverrides { dialect: "qperft".parse().ok(), ..overrides };
        assert!(engines.resolve("mine", overrides.clone()).is_err());
        let command = engines.resolve("other --flag", overrides).unwrap();
        assert_eq!((command.dialect, command.command.len()), ("qperft", 2));
        assert_eq!((command.folder, command.answer_limit), (None, Duration::from_secs(9)));
    }

    #[test]
    fn every_fault_names_its_line() {
        for (text, line, said) in [
            ("[engines.x]\ncommand = 'x'", 1, "unknown field `engines`, expected `engine`"),
            ("[engine.x]\ncomand = 'x'", 2, "unknown field `comand`, expected one of `command`, `dialect`"),
            ("[engine.x]\ncommand = 'x'\ndialect = 'xboard'", 3, "'xboard' is not a dialect"),
            (
                "[engine.x]\ncommand = 'x'\nlaunch = 'twice'",
                3,
                "unknown variant `twice`, expected `once` or `each`",
            ),
            ("[engine.x]\ncommand = 7", 2, "a command is a string, or a list of words"),
            ("[engine.x]\ncommand = ''", 2, "the command is empty"),
            ("[engine.x]\ncommand = []", 2, "the command is empty"),
            ("[engine.x]\ncommand = 'x'\n\ntimeout = -1", 4, "above 0"),
            ("[engine.x]\ncommand = 'x'\ntimeout = inf", 3, "above 0"),
            ("[engine.x]\ncommand = 'x'\noptions = { Hash = [1] }", 3, "the value of an option is"),
            ("[engine.x]\ncommand = 'x'\noptions = { uci_chess960 = true }", 3, "perft sets this"),
            ("[engine.x]\ncommand = 'x'\noptions.Log = \"a\\nquit\"", 3, "one line of text"),
            ("[engine.x]\ncommand = 'x'\ndialect = 'qperft'\noptions = { Hash = 1 }", 4, "only a UCI engine"),
            (
                "[engine.x]\ncommand = 'x'\ndialect = 'qperft'\nlaunch = 'once'",
                4,
                "only a program that is asked",
            ),
            ("[engine.x]\ncommand = 'x'\nask = ['go {dept}']", 3, "'{dept}' is not a part of a question"),
            ("[engine.x]\ncommand = 'x {fenn}'", 2, "'{fenn}' is not a part of a question"),
            ("[engine.x]\ncommand = 'x'\ndialect = 'uci'\nask = ['perft {depth}']", 4, "give dialect or ask"),
            ("[engine.x]\ncommand = 'x'\nask = [\"perft\\nquit\"]", 3, "one line of text"),
            ("[engine.x]\ncommand = 'x'\nask_state = \"d\\nquit\"", 3, "one line of text"),
            ("[engine.x]\ncommand = 'x'\nhandshake = 'http'", 3, "unknown variant `http`"),
            ("[engine.x]\ndialect = 'uci'", 1, "missing field `command`"),
            ("[engine.x", 1, "table"),
        ] {
            let Err(CliError::Text(faults)) = read(text) else { panic!("{text}") };
            let place = &faults[0].places[0];
            assert!(place.message.contains(said), "{text}: {}", place.message);
            assert_eq!(faults[0].line, line, "{text}");
            assert!(place.span.end <= faults[0].text.len() && place.help.contains("timeout"), "{text}");
        }
        let two = "[engine.x]\ncommand = ''\ntimeout = 0\n[engine.y]\ncommand = \"'\"";
        let Err(CliError::Text(faults)) = read(two) else { panic!("{two}") };
        assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [3, 2, 5]);
    }
}

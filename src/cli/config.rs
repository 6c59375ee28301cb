//! `perft.toml`: a file that gives names to engines that are used often.
//!
//! ```toml
//! [engine.mine]
//! command = "./build/my-engine --uci"   # or a list of words
//! dialect = "uci"                       # or perftree, qperft
//! options = { Hash = 16, Threads = 1 }  # UCI options
//! launch = "each"                       # a new process for each question; the default is "once"
//! timeout = 10                          # time limit for each answer, in seconds
//! folder = "build"                      # the folder to run it in
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

use super::error::{CliError, LineFaults, Place};
use super::input::most_similar;
use crate::engine::{Dialect, EngineSpec, Launch};

/// The name of the file.
const FILE: &str = "perft.toml";

/// The help for a faulty file.
const KEYS: &str = "[engine.NAME] needs command; dialect, options, launch, timeout and folder are optional";

/// The engines that the file names.
#[derive(Debug, Default)]
pub struct Engines {
    path: PathBuf,
    named: BTreeMap<String, NamedEngine>,
}

/// An engine of the file.
#[derive(Debug)]
struct NamedEngine {
    spec: EngineSpec,
    has_timeout: bool,
}

/// Settings of an engine that the command line gives.
#[derive(Clone, Copy, Debug, Default)]
pub struct EngineOverrides {
    /// How to ask the engine, if given.
    pub dialect: Option<Dialect>,
    /// The time limit for each answer, if given.
    pub timeout: Option<Duration>,
}

impl Engines {
    /// Reads the nearest file, from the current folder upwards. Without a file there are no names.
    pub fn find() -> Result<Engines, CliError> {
        let here = std::env::current_dir()
            .map_err(|error| CliError::usage(format!("cannot find the current folder: {error}")))?;
        let mut paths = here.ancestors().map(|folder| folder.join(FILE));
        let Some(path) = paths.find(|path| path.is_file()) else { return Ok(Engines::default()) };
        let text = fs::read_to_string(&path)
            .map_err(|error| CliError::usage(format!("cannot read '{}': {error}", path.display())))?;
        Engines::read(&text, &path)
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
            Ok(Engines { path: path.to_owned(), named })
        } else {
            Err(CliError::Text(wrong))
        }
    }

    /// Returns the engine with this name, or else the engine that this command runs.
    pub fn resolve(&self, text: &str, overrides: EngineOverrides) -> Result<EngineSpec, CliError> {
        let Some(NamedEngine { spec, has_timeout }) = self.named.get(text) else {
            let spec = EngineSpec::parse(text, overrides.dialect.unwrap_or_default())?;
            return Ok(EngineSpec { answer_limit: overrides.timeout.unwrap_or(spec.answer_limit), ..spec });
        };
        if let Some(dialect) = overrides.dialect.filter(|&dialect| dialect != spec.dialect) {
            let message = format!("the dialect of '{text}' is {}, not {dialect}", spec.dialect);
            let help = format!("leave out --dialect, or change it in {}", self.path.display());
            return Err(CliError::usage(message).help(help));
        }
        let own = if *has_timeout { Some(spec.answer_limit) } else { None };
        let answer_limit = overrides.timeout.or(own).unwrap_or(spec.answer_limit);
        Ok(EngineSpec { answer_limit, ..spec.clone() })
    }

    /// Whether the file has an engine of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.named.contains_key(name)
    }

    /// Returns the error for an engine that does not start; `text` is what was given to `--engine`.
    pub fn start_error(&self, text: &str, error: SourceError) -> CliError {
        let is_bare = !text.contains(is_separator);
        match error {
            SourceError::NotStarted(..) | SourceError::NoOption(..) if self.contains(text) => {
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
    dialect: Dialect,
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

fn dialect<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Dialect, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
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
        let options = self.read_options(&mut faults);
        let launch = self.read_launch(&mut faults);
        let limit = self.read_timeout(&mut faults);
        let spec = match self.command.get_ref() {
            CommandText::Line(line) => EngineSpec::parse(line, self.dialect),
            CommandText::Words(words) => EngineSpec::of_words(words.clone(), self.dialect),
        };
        let spec = match spec {
            Ok(spec) if faults.is_empty() => spec,
            Ok(_) => return Err(faults),
            Err(_) => {
                let message = "the command is empty, or a quote in it is not closed";
                faults.push(Fault::new(self.command.span(), message));
                return Err(faults);
            }
        };
        let folder = self.folder.map_or_else(|| home.to_owned(), |folder| home.join(folder));
        let command = locate_program(spec.command, &folder);
        let answer_limit = limit.unwrap_or(spec.answer_limit);
        let spec = EngineSpec { command, folder: Some(folder), options, launch, answer_limit, ..spec };
        Ok(NamedEngine { spec, has_timeout: limit.is_some() })
    }

    fn read_options(&self, faults: &mut Vec<Fault>) -> Vec<(String, String)> {
        let mut options = Vec::new();
        for (name, value) in &self.options {
            let (option, text) = (name.get_ref().clone(), value.get_ref().to_string());
            if self.dialect != Dialect::Uci {
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

    fn read_launch(&self, faults: &mut Vec<Fault>) -> Launch {
        let Some(launch) = &self.launch else { return Launch::Once };
        match launch.get_ref() {
            LaunchName::Each => Launch::Each,
            LaunchName::Once => {
                if self.dialect != Dialect::Uci {
                    let message = "only a UCI engine can be started once for all questions";
                    faults.push(Fault::new(launch.span(), message));
                }
                Launch::Once
            }
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
             launch = 'each'\ntimeout = 1.5\nfolder = 'work'\n\n[engine.'the q']\ncommand = ['qperft', 'a b']\ndialect = 'qperft'\n",
        )
        .unwrap();
        let mine = engines.resolve("mine", EngineOverrides::default()).unwrap();
        assert_eq!(mine.command, ["/home/chess/work/./build/mine", "--uci"]);
        assert_eq!(mine.folder.as_deref(), Some(Path::new("/home/chess/work")));
        let options: Vec<String> =
            mine.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(options, ["Book File=x y", "Ponder=false", "Threads=2"]);
        assert_eq!((mine.launch, mine.answer_limit), (Launch::Each, Duration::from_millis(1500)));
        let q = engines.resolve("the q", EngineOverrides::default()).unwrap();
        assert_eq!((q.command, q.dialect), (vec!["qperft".to_owned(), "a b".to_owned()], Dialect::Qperft));
        assert_eq!(q.folder.as_deref(), Some(Path::new("/home/chess")));
    }

    #[test]
    fn the_command_line_overrides_the_timeout_but_not_the_dialect() {
        let engines = read("[engine.mine]\ncommand = 'mine'\ntimeout = 5\n").unwrap();
        let overrides =
            EngineOverrides { timeout: Some(Duration::from_secs(9)), dialect: Some(Dialect::Uci) };
        assert_eq!(engines.resolve("mine", overrides).unwrap().answer_limit, Duration::from_secs(9));
        let overrides = EngineOverrides { dialect: Some(Dialect::Qperft), ..overrides };
        assert!(engines.resolve("mine", overrides).is_err());
        let command = engines.resolve("other --flag", overrides).unwrap();
        assert_eq!((command.dialect, command.command.len()), (Dialect::Qperft, 2));
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
            ("[engine.x]\ncommand = 'x'\ndialect = 'qperft'\nlaunch = 'once'", 4, "only a UCI engine"),
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

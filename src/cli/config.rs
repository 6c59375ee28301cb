//! `perft.toml`: foreign programs by name, so that what is long to type is typed once.
//!
//! ```toml
//! [engine.mine]
//! command = "./build/my-engine --uci"   # or a list of words
//! dialect = "uci"                       # or perftree, qperft
//! options = { Hash = 16, Threads = 1 }  # UCI options
//! launch = "each"                       # a new process for each question; "once" is the default
//! timeout = 10                          # seconds that an answer may take
//! folder = "build"                      # where it runs
//! ```
//!
//! The file is looked for in the current folder and in those above it; the first one found is it. An entry runs in the folder
//! of the file, or in its own `folder`, which is relative to that; so are paths in its command. What `--engine` is given is
//! the name of an entry, or else a command.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf, is_separator};
use std::time::Duration;

use crate::engine::{Dialect, EngineSpec, Launch};
use perft_diagnosis::source::EngineError;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::error::{CliError, Faults, Place};
use super::input::nearest;

/// What the file is called.
const FILE: &str = "perft.toml";

/// What to type where an entry is wrong.
const KEYS: &str = "[engine.NAME] has command, and if wanted dialect, options, launch, timeout, folder";

/// The programs that have names.
#[derive(Debug, Default)]
pub struct Engines {
    path: PathBuf,
    specs: BTreeMap<String, Named>,
}

/// An entry.
#[derive(Debug)]
struct Named {
    spec: EngineSpec,
    has_timeout: bool,
}

/// What the command line says of a program besides its name or command.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// The language, if that is said.
    pub dialect: Option<Dialect>,
    /// How long an answer may take, if that is said.
    pub timeout: Option<Duration>,
}

impl Engines {
    /// What the nearest file says, from the current folder upwards; none is no entries.
    pub fn find() -> Result<Engines, CliError> {
        let here = std::env::current_dir()
            .map_err(|error| CliError::usage(format!("the current folder cannot be found: {error}")))?;
        let mut paths = here.ancestors().map(|folder| folder.join(FILE));
        let Some(path) = paths.find(|path| path.is_file()) else { return Ok(Engines::default()) };
        let text = fs::read_to_string(&path)
            .map_err(|error| CliError::usage(format!("cannot read '{}': {error}", path.display())))?;
        Engines::read(&text, &path)
    }

    /// What a file says.
    fn read(text: &str, path: &Path) -> Result<Engines, CliError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let fault = |Fault { span, message }: Fault| faults(text, path, span, message);
        let file: File = toml::from_str(text).map_err(|error| {
            let message = error.message().to_owned();
            CliError::Text(vec![fault(Fault { span: error.span().unwrap_or(0..0), message })])
        })?;
        let mut specs = BTreeMap::new();
        let mut wrong = Vec::new();
        for (name, entry) in file.engine {
            match entry.build(folder) {
                Ok(spec) => drop(specs.insert(name, spec)),
                Err(found) => wrong.extend(found.into_iter().map(fault)),
            }
        }
        if wrong.is_empty() {
            Ok(Engines { path: path.to_owned(), specs })
        } else {
            Err(CliError::Text(wrong))
        }
    }

    /// The program that is called so, or else whose command this is.
    pub fn resolve(&self, text: &str, asked: Asked) -> Result<EngineSpec, CliError> {
        let Some(Named { spec, has_timeout }) = self.specs.get(text) else {
            let spec = EngineSpec::parse(text, asked.dialect.unwrap_or_default())?;
            return Ok(EngineSpec { answer_limit: asked.timeout.unwrap_or(spec.answer_limit), ..spec });
        };
        if let Some(dialect) = asked.dialect.filter(|&dialect| dialect != spec.dialect) {
            let message = format!("'{text}' is asked as {}, not {dialect}", spec.dialect);
            return Err(CliError::usage(message).help(format!("so says {}", self.path.display())));
        }
        let own = if *has_timeout { Some(spec.answer_limit) } else { None };
        let answer_limit = asked.timeout.or(own).unwrap_or(spec.answer_limit);
        Ok(EngineSpec { answer_limit, ..spec.clone() })
    }

    /// True if an entry is called so.
    pub fn has(&self, name: &str) -> bool {
        self.specs.contains_key(name)
    }

    /// Why a program that was named so does not start.
    pub fn failure(&self, text: &str, error: EngineError) -> CliError {
        let is_bare = !text.contains(is_separator);
        match error {
            EngineError::NotStarted(..) | EngineError::NoOption(..) if self.has(text) => {
                CliError::usage(error).help(format!("'{text}' is an entry of {}", self.path.display()))
            }
            EngineError::NotStarted(..) if is_bare && !self.specs.is_empty() => {
                let names = || self.specs.keys().map(String::as_str);
                let near = nearest(text, names(), 1);
                let all = names().collect::<Vec<_>>().join(", ");
                let help = match near.first() {
                    Some(name) => format!("did you mean '{name}'? {} has: {all}", self.path.display()),
                    None => {
                        format!("a program on the PATH, a path, or what {} has: {all}", self.path.display())
                    }
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
    engine: BTreeMap<String, Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
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

/// Something wrong, and where in the text.
struct Fault {
    span: Range<usize>,
    message: String,
}

impl Entry {
    /// The program, or all that is wrong with it beyond what is wrong with its parts.
    fn build(self, home: &Path) -> Result<Named, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut wrong = |span, message: &str| faults.push(Fault { span, message: message.to_owned() });
        let is_uci = self.dialect == Dialect::Uci;
        let mut options = Vec::new();
        for (name, value) in &self.options {
            let (option, text) = (name.get_ref().clone(), value.get_ref().to_string());
            if !is_uci {
                wrong(name.span(), "only a UCI engine has options");
            } else if option.eq_ignore_ascii_case("UCI_Chess960") {
                wrong(name.span(), "perft sets this option itself, as each position needs it");
            } else if [&option, &text].iter().any(|text| text.contains(char::is_control)) {
                wrong(value.span(), "an option is one line of text");
            }
            options.push((option, text));
        }
        let launch = match &self.launch {
            Some(launch) if !is_uci && matches!(launch.get_ref(), LaunchName::Once) => {
                wrong(launch.span(), "only a UCI engine is started once for all questions");
                Launch::Once
            }
            Some(launch) if matches!(launch.get_ref(), LaunchName::Each) => Launch::Each,
            _ => Launch::Once,
        };
        let limit = self.timeout.as_ref().map(|timeout| {
            let seconds = Duration::try_from_secs_f64(*timeout.get_ref()).unwrap_or_default();
            if seconds.is_zero() {
                wrong(timeout.span(), "a timeout is a number of seconds above 0");
            }
            seconds
        });
        let spec = match self.command.get_ref() {
            CommandText::Line(line) => EngineSpec::parse(line, self.dialect),
            CommandText::Words(words) => EngineSpec::of_words(words.clone(), self.dialect),
        };
        if spec.is_err() {
            wrong(self.command.span(), "the command is empty, or a quote in it is not closed");
        }
        let Ok(spec) = spec else { return Err(faults) };
        if !faults.is_empty() {
            return Err(faults);
        }
        let folder = self.folder.map_or_else(|| home.to_owned(), |folder| home.join(folder));
        let command = located(spec.command, &folder);
        let answer_limit = limit.unwrap_or(spec.answer_limit);
        let spec = EngineSpec { command, folder: Some(folder), options, launch, answer_limit, ..spec };
        Ok(Named { spec, has_timeout: limit.is_some() })
    }
}

/// The command with a program that is found from anywhere.
fn located(mut command: Vec<String>, folder: &Path) -> Vec<String> {
    let program = &mut command[0];
    // Without a separator it is looked for on the PATH.
    if program.contains(is_separator) {
        *program = folder.join(&*program).to_string_lossy().into_owned();
    }
    command
}

/// A fault with its line.
fn faults(text: &str, path: &Path, span: Range<usize>, message: String) -> Faults {
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let span = span.start - start..span.end.clamp(span.start, end) - start;
    Faults {
        title: format!("{FILE} cannot be understood"),
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
    fn an_entry_says_all_about_a_program() {
        let engines = read(
            "[engine.mine]\ncommand = './build/mine --uci'\noptions = { Threads = 2, Ponder = false, 'Book File' = 'x y' }\n\
             launch = 'each'\ntimeout = 1.5\nfolder = 'work'\n\n[engine.'the q']\ncommand = ['qperft', 'a b']\ndialect = 'qperft'\n",
        )
        .unwrap();
        let mine = engines.resolve("mine", Asked::default()).unwrap();
        assert_eq!(mine.command, ["/home/chess/work/./build/mine", "--uci"]);
        assert_eq!(mine.folder.as_deref(), Some(Path::new("/home/chess/work")));
        let options: Vec<String> =
            mine.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(options, ["Book File=x y", "Ponder=false", "Threads=2"]);
        assert_eq!((mine.launch, mine.answer_limit), (Launch::Each, Duration::from_millis(1500)));
        let q = engines.resolve("the q", Asked::default()).unwrap();
        assert_eq!((q.command, q.dialect), (vec!["qperft".to_owned(), "a b".to_owned()], Dialect::Qperft));
        assert_eq!(q.folder.as_deref(), Some(Path::new("/home/chess")));
    }

    #[test]
    fn the_command_line_overrides_the_time_but_not_the_dialect() {
        let engines = read("[engine.mine]\ncommand = 'mine'\ntimeout = 5\n").unwrap();
        let asked = Asked { timeout: Some(Duration::from_secs(9)), dialect: Some(Dialect::Uci) };
        assert_eq!(engines.resolve("mine", asked).unwrap().answer_limit, Duration::from_secs(9));
        let asked = Asked { dialect: Some(Dialect::Qperft), ..asked };
        assert!(engines.resolve("mine", asked).is_err());
        let command = engines.resolve("other --flag", asked).unwrap();
        assert_eq!((command.dialect, command.command.len()), (Dialect::Qperft, 2));
        assert_eq!((command.folder, command.answer_limit), (None, Duration::from_secs(9)));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
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
            ("[engine.x]\ncommand = 'x'\noptions.Log = \"a\\nquit\"", 3, "one line"),
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

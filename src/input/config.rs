//! `perft.toml`: a file that gives names to engines that are used often.
//!
//! ```toml
//! [engine.mine]
//! command = "./build/my-engine --uci"   # or a list of words
//! dialect = "uci"                       # a way to ask it; "perft list engines" lists them
//! options = { Hash = 16, Threads = 1 }  # UCI options
//! launch = "each"                       # a new process for each question; the default is "once"
//! timeout = 10                          # time limit for the start and for each answer, in seconds
//! folder = "build"                      # the folder to run it in
//! chess960 = true                       # it knows Chess960; a UCI engine says so itself
//! ask_state = "d"                       # the line that makes it print its FEN or its key
//! profile = { ... }                     # how it prints its answers; "perft probe --save" writes this
//!
//! [engine.other]                        # one that no dialect fits
//! command = "./other"
//! handshake = "none"                    # or uci, cecp
//! ask = ["position fen {fen} moves {moves}", "count {depth}"]
//! total = 'Nodes: (\d+)'                # where the total stands, if the questions of the probe do not show it
//! move = '(\S+): (\d+)'                 # where the counts below moves stand
//! ```
//!
//! The program reads the file in the current folder, or the one after `--config`. An engine runs in the folder of that
//! file, or in its own `folder`, which is relative to the file. A path in the command is relative to the folder that
//! the engine runs in. If the text after `--engine` is not a name in the file, it is a command.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write};
use std::ops::Range;
use std::path::{Path, PathBuf, is_separator};
use std::sync::OnceLock;

use perft_diagnosis::source::SourceError;
use serde::Deserialize;
use toml::Spanned;

use super::how_to_ask::{HowToAsk, is_line};
use crate::engine::{CUSTOM, EngineSpec};
use crate::output::error::{FaultPlace, LineFaults};
use crate::output::{CliError, note};
use crate::system::command_line::{self, to_run};
use crate::system::files::{self, Kind};

/// The name of the file.
const FILE: &str = "perft.toml";

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The help for a faulty file.
const KEYS: &str = "[engine.NAME] needs command; dialect, ask, ask_state, handshake, options, launch, timeout, folder, chess960, total, move and profile are optional. Remove a profile that is not valid: perft probe --save writes a new one";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    engine: BTreeMap<Spanned<String>, HowToAsk>,
}

/// The engines that the file names.
#[derive(Clone, Debug)]
pub struct Engines {
    /// The file that was read, or the one in the current folder, to which a new entry is written.
    pub path: PathBuf,
    named: BTreeMap<String, EngineSpec>,
}

/// The text of a pipe, which can be read only once.
static PIPED: OnceLock<String> = OnceLock::new();

impl Engines {
    /// Returns this file, or without one the `perft.toml` in the current folder.
    pub fn file(file: Option<&Path>) -> &Path {
        file.unwrap_or(Path::new(FILE))
    }

    /// Reads this file. Without a file, reads the `perft.toml` in the current folder; if there is none, there are no
    /// named engines.
    pub fn load(file: Option<&Path>) -> Result<Engines, CliError> {
        let path = Engines::file(file);
        // The user has not named this file, so it is no pipe.
        let kind = if file.is_none() { Kind::Regular } else { Kind::Any };
        let is_pipe = file.is_some_and(|file| file.exists() && !file.is_file());
        let text = match PIPED.get().filter(|_| is_pipe).cloned() {
            None => files::read_text(path, kind, MAX_BYTES),
            Some(text) => Ok(text),
        };
        let text = match text {
            Err(error) if file.is_none() && error.kind() == ErrorKind::NotFound => {
                return Ok(Engines { path: path.to_owned(), named: BTreeMap::new() });
            }
            read => read.map_err(|error| {
                CliError::file("read", path)(error).help("--config FILE names another file")
            })?,
        };
        if is_pipe {
            PIPED.get_or_init(|| text.clone());
        }
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Engines::read(&text, &path)
    }

    /// Reads the entries of a file. A relative folder is relative to the folder of `path`.
    ///
    /// # Errors
    /// The first fault, with its line.
    pub fn read(text: &str, path: &Path) -> Result<Engines, CliError> {
        let refused = |span: Range<usize>, message: &str| {
            CliError::Text(vec![line_faults(text, path, span, message.to_owned())])
        };
        let file: File =
            toml::from_str(text).map_err(|error| refused(error.span().unwrap_or(0..0), error.message()))?;
        let mut named = BTreeMap::new();
        for (name, entry) in file.engine {
            let span = name.span();
            if !is_line(name.get_ref()) {
                return Err(refused(span, "the name of an engine has no control characters"));
            }
            let spec = entry.entry(files::folder_of(path)).map_err(|message| refused(span, &message))?;
            named.insert(name.into_inner(), spec);
        }
        Ok(Engines { path: path.to_owned(), named })
    }

    /// Returns the engine with this name, if there is one, and prints a note on it.
    ///
    /// # Errors
    /// The name is also that of a program on the PATH, or the command line says in another way how it is asked.
    pub fn get(&self, name: &str, how: &HowToAsk) -> Result<Option<&EngineSpec>, CliError> {
        let Some(spec) = self.named.get(name) else { return Ok(None) };
        let path = self.path.display();
        if which::which(name).is_ok() {
            let message = format!("'{name}' is a program on the PATH, and also an engine of {path}");
            return Err(CliError::usage(message).help("give the engine of the file another name"));
        }
        note(format!("the engine '{name}' is the one of {path}: {}", command_line::join(&spec.command)));
        if how.dialect.is_some_and(|dialect| dialect.name != spec.dialect) || !how.ask.is_empty() {
            let message = format!("'{name}' already says how it is asked, by the dialect {}", spec.dialect);
            let help = format!("leave out --dialect and --ask, or change the engine in {path}");
            return Err(CliError::usage(message).help(help));
        }
        Ok(Some(spec))
    }

    pub fn specs(&self) -> impl Iterator<Item = (&str, &EngineSpec)> {
        self.named.iter().map(|(name, spec)| (name.as_str(), spec))
    }

    /// Makes sure that an engine can be saved under a name.
    ///
    /// # Errors
    /// The name is taken, or has characters that a name cannot have.
    pub fn check_new(&self, name: &str) -> Result<(), CliError> {
        if name.trim().is_empty() || !is_line(name) {
            return Err(CliError::usage(format!("'{name}' cannot be the name of an engine"))
                .help("give it a name without control characters"));
        }
        if self.contains(name) {
            return Err(CliError::usage(format!("{} already has an engine '{name}'", self.path.display())));
        }
        Ok(())
    }

    /// Adds the entry of a new engine to the file. Another program that does the same waits meanwhile.
    ///
    /// # Errors
    /// The file cannot be written, is wrong, or has the name by now.
    pub fn save(&self, name: &str, entry: &str) -> Result<(), CliError> {
        let path = self.path.as_path();
        let failed = |error: io::Error| CliError::file("write to", path)(error);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        file.lock().map_err(failed)?;
        let before = files::read_from(&file, MAX_BYTES, |_| Ok(())).map_err(failed)?;
        let before = String::from_utf8_lossy(&before);
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Engines::read(&before, &absolute)?.check_new(name)?;
        let gap = if before.is_empty() || before.ends_with('\n') { "\n" } else { "\n\n" };
        file.write_all(format!("{gap}{entry}").as_bytes()).map_err(failed)
    }

    pub fn contains(&self, name: &str) -> bool {
        self.named.contains_key(name)
    }

    /// Returns the error for an engine that does not start; `text` is the value of `--engine`.
    pub fn start_error(&self, text: &str, error: SourceError) -> CliError {
        let is_bare = !text.contains(is_separator);
        match error {
            SourceError::NotStarted(..) | SourceError::NoOption(..) | SourceError::NoOptionValue(..)
                if self.contains(text) =>
            {
                CliError::usage(error).help(format!("change the engine '{text}' in {}", self.path.display()))
            }
            SourceError::NotStarted(..) if is_bare && !self.named.is_empty() && to_run(text).is_none() => {
                let names = self.named.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
                let path = self.path.display();
                CliError::usage(error)
                    .help(format!("give a program on the PATH, a path, or a name; {path} names: {names}"))
            }
            error => error.into(),
        }
    }
}

fn line_faults(text: &str, path: &Path, span: Range<usize>, message: String) -> LineFaults {
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

/// Returns the entry of an engine for `perft.toml`.
pub fn entry(name: &str, spec: &EngineSpec, ask_state: Option<&str>) -> String {
    // A JSON string without control characters is a basic string of TOML.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let words: Vec<String> = spec.command.iter().map(|word| quoted(word)).collect();
    let mut text = format!("[engine.{}]\ncommand = [{}]\n", quoted(name), words.join(", "));
    if spec.dialect != CUSTOM {
        text += &format!("dialect = {}\n", quoted(spec.dialect));
    } else if !spec.asking.lines.is_empty() {
        let lines: Vec<String> = spec.asking.lines.iter().map(|line| quoted(line)).collect();
        let handshake = serde_json::json!(spec.asking.handshake);
        text += &format!("handshake = {handshake}\nask = [{}]\n", lines.join(", "));
    }
    let patterns = [("total", &spec.patterns.total), ("move", &spec.patterns.moves)];
    for (key, pattern) in patterns.into_iter().filter_map(|(key, pattern)| Some((key, pattern.as_ref()?))) {
        text += &format!("{key} = {}\n", quoted(&pattern.to_string()));
    }
    if let Some(line) = ask_state {
        text += &format!("ask_state = {}\n", quoted(line));
    }
    if let Some(profile) = spec.profile.as_ref().and_then(|profile| toml::Value::try_from(profile).ok()) {
        text += &format!("profile = {profile}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::Launch;

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
        let mine = &engines.named["mine"];
        assert_eq!(mine.command, ["/home/chess/work/./build/mine", "--uci"]);
        assert_eq!(mine.ask_state.as_deref(), Some("show"));
        assert_eq!(mine.folder.as_deref(), Some(Path::new("/home/chess/work")));
        let options: Vec<String> =
            mine.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(options, ["Book File=x y", "Ponder=false", "Threads=2"]);
        assert_eq!((mine.asking.launch, mine.answer_limit), (Launch::Each, Duration::from_millis(1500)));
        let q = &engines.named["the q"];
        assert_eq!((q.command.clone(), q.dialect), (vec!["qperft".to_owned(), "a b".to_owned()], "qperft"));
        assert_eq!(q.folder.as_deref(), Some(Path::new("/home/chess")));
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
            ("[engine.x]\ncommand = ''", 1, "the command is empty"),
            ("[engine.x]\ncommand = []", 1, "the command is empty"),
            ("[engine.x]\ncommand = 'x'\n\ntimeout = -1", 4, "above 0"),
            ("[engine.x]\ncommand = 'x'\ntimeout = inf", 3, "above 0"),
            ("[engine.x]\ncommand = 'x'\noptions = { Hash = [1] }", 3, "the value of an option is"),
            ("[engine.x]\ncommand = 'x'\noptions = { uci_chess960 = true }", 3, "perft sets this"),
            ("[engine.x]\ncommand = 'x'\noptions.Log = \"a\\nquit\"", 3, "one line of text"),
            ("[engine.x]\ncommand = 'x'\ndialect = 'qperft'\noptions = { Hash = 1 }", 1, "only a UCI engine"),
            (
                "[engine.x]\ncommand = 'x'\ndialect = 'qperft'\nlaunch = 'once'",
                1,
                "only a program that is asked",
            ),
            ("[engine.x]\ncommand = 'x'\nask = ['go {dept}']", 3, "'{dept}' is not a part of a question"),
            ("[engine.x]\ncommand = 'x {fenn}'", 1, "'{fenn}' is not a part of a question"),
            ("[engine.x]\ncommand = 'x'\ndialect = 'uci'\nask = ['perft {depth}']", 1, "give dialect or ask"),
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
    }
}

//! The specification of an engine: its command, the way to ask it, its options and its time limits.

use std::path::{Path, PathBuf};
use std::time::Duration;

use perft_diagnosis::source::{Patterns, Profile, SourceError};

use super::ask_method::{AskMethod, is_template};
use super::dialect::Dialect;
use super::process;
use super::process::Transcript;
use crate::system::command_line;

/// The specification of an engine: how it is run and asked.
#[derive(Clone, Debug)]
pub struct EngineSpec {
    /// The program and its arguments, which may contain placeholders.
    pub command: Vec<String>,
    /// The folder in which it runs; `None` is the current one.
    pub folder: Option<PathBuf>,
    /// How the program is asked.
    pub asking: AskMethod,
    /// The line that makes it print its FEN or its key, if it is known.
    pub ask_state: Option<String>,
    /// The name of the way to ask it: that of a dialect, or `custom`.
    pub dialect: &'static str,
    /// Names and values of the UCI options that are set after the start. Other programs have no options.
    pub options: Vec<(String, String)>,
    /// Whether the engine knows Chess960. `None` if the engine says so itself, which only UCI engines can.
    pub is_chess960: Option<bool>,
    /// The time limit for an answer.
    pub answer_limit: Duration,
    /// The time limit for starting and getting ready. If the user gives a time limit, it replaces both limits.
    pub start_limit: Duration,
    /// The log of the conversation.
    pub transcript: Transcript,
    /// How it prints its answers. `None` until the program was examined.
    pub profile: Option<Profile>,
    /// What the user has said about the places of the counts.
    pub patterns: Patterns,
    /// Whether this way to ask is only a trial. Then the program is given up as soon as it is silent and idle.
    pub is_trial: bool,
}

/// The name of a way to ask that is not one of the dialects.
pub const CUSTOM: &str = "custom";

impl EngineSpec {
    /// Reads a command line. If the whole text is the path or the name of a program, it is that program. Otherwise the
    /// text is split into words. The limits are one minute for an answer and ten seconds for the start.
    ///
    /// # Errors
    /// The command line is empty, or a quote in it is not closed.
    pub fn parse(command: &str, dialect: Dialect) -> Result<EngineSpec, SourceError> {
        EngineSpec::parse_in(None, command, dialect)
    }

    /// Like [`EngineSpec::parse`], for a command that is run in a folder.
    ///
    /// # Errors
    /// As [`EngineSpec::parse`].
    pub fn parse_in(
        folder: Option<&Path>,
        command: &str,
        dialect: Dialect,
    ) -> Result<EngineSpec, SourceError> {
        let words = command_line::split(command);
        let is_one_word = words.as_ref().is_some_and(|words| *words == [command]);
        if !is_one_word && process::find(command, folder).is_ok() {
            return EngineSpec::of_words(vec![command.to_owned()], dialect);
        }
        EngineSpec::of_words(words.ok_or(SourceError::NoCommand)?, dialect)
    }

    /// Like [`EngineSpec::parse`], for a command that is already split into words.
    ///
    /// # Errors
    /// There is no word, or the first one is empty.
    pub fn of_words(words: Vec<String>, dialect: Dialect) -> Result<EngineSpec, SourceError> {
        if words.first().is_none_or(String::is_empty) {
            return Err(SourceError::NoCommand);
        }
        let is_asked_by_command = words.iter().any(|word| is_template(word));
        Ok(EngineSpec {
            command: words,
            folder: None,
            asking: if is_asked_by_command { AskMethod::without_words() } else { dialect.asking().clone() },
            ask_state: None,
            dialect: if is_asked_by_command { CUSTOM } else { dialect.name() },
            options: Vec::new(),
            is_chess960: None,
            answer_limit: Duration::from_secs(60),
            start_limit: super::probe::busy() * Duration::from_secs(10),
            transcript: Transcript::default(),
            profile: None,
            patterns: Patterns::default(),
            is_trial: false,
        })
    }

    /// Returns the spec with this time limit for the start and for each answer, if there is one.
    pub fn with_time_limit(self, limit: Option<Duration>) -> EngineSpec {
        match limit {
            Some(limit) => EngineSpec { answer_limit: limit, start_limit: limit, ..self },
            None => self,
        }
    }

    pub fn asked_in(self, dialect: Dialect) -> EngineSpec {
        EngineSpec { asking: dialect.asking().clone(), dialect: dialect.name(), ..self }
    }

    pub fn with_lines(self, lines: Vec<String>) -> EngineSpec {
        let asking = AskMethod { handshake: self.asking.handshake, lines, ..AskMethod::default() };
        EngineSpec { asking, dialect: CUSTOM, ..self }
    }

    /// Returns the spec of a program that runs in its own folder. Returns `None` if the command does not say where the
    /// program is, or if the program runs there already.
    pub fn in_own_folder(&self) -> Option<EngineSpec> {
        let here = std::env::current_dir().ok().filter(|_| self.folder.is_none())?;
        // A program without a separator is looked up on the PATH.
        let is_path = |index: usize, word: &str| index > 0 || word.contains(std::path::is_separator);
        let absolute = |(index, word): (usize, &String)| {
            let exists = is_path(index, word) && Path::new(word).exists();
            exists.then(|| here.join(word).components().collect::<PathBuf>())
        };
        let words = || self.command.iter().enumerate();
        let program = words().filter_map(absolute).find(|path| path.is_file())?;
        let folder = program.parent().filter(|folder| **folder != *here)?.to_owned();
        let text = |path: PathBuf| path.to_str().map(str::to_owned);
        let command = words()
            .map(|(index, word)| absolute((index, word)).and_then(text).unwrap_or_else(|| word.clone()));
        let command = command.collect();
        Some(EngineSpec { command, folder: Some(folder), ..self.clone() })
    }

    /// Returns the spec of a UCI engine that is asked for its states only.
    pub fn without_counts(self) -> EngineSpec {
        EngineSpec { asking: AskMethod::default(), dialect: Dialect::UCI.name(), ..self }
    }
}

/// An option that an engine lists.
#[derive(Debug)]
struct UciOption {
    name: String,
    /// The values that it can have. Empty if it can have any text.
    values: Vec<String>,
}

/// The options that an engine lists. Their names are case-insensitive.
#[derive(Debug, Default)]
pub(super) struct UciOptions(Vec<UciOption>);

impl UciOptions {
    /// Reads a line such as `option name UCI_Variant type combo default chess var chess var atomic`. Any other line is
    /// ignored.
    pub fn read(&mut self, line: &str) {
        let Some(option) = line.strip_prefix("option name ") else { return };
        let Some((name, rest)) = option.split_once(" type ") else { return };
        let values = rest.split(" var ").skip(1).map(|value| value.trim().to_owned()).collect();
        self.0.push(UciOption { name: name.trim().to_owned(), values });
    }

    pub fn has(&self, name: &str) -> bool {
        self.option(name).is_some()
    }

    fn option(&self, name: &str) -> Option<&UciOption> {
        self.0.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Returns the line that sets an option.
    ///
    /// # Errors
    /// The engine has no such option, or the option cannot have this value. Engines ignore unknown options, so the
    /// counts would silently be made with other settings.
    pub fn line(&self, name: &str, value: &str) -> Result<String, SourceError> {
        let Some(option) = self.option(name) else {
            let known = self.0.iter().map(|option| option.name.clone()).collect();
            return Err(SourceError::NoOption(name.to_owned(), known));
        };
        if !option.values.is_empty() && !option.values.iter().any(|known| known.eq_ignore_ascii_case(value)) {
            let (name, value) = (name.to_owned(), value.to_owned());
            return Err(SourceError::NoOptionValue(name, value, option.values.clone()));
        }
        Ok(format!("setoption name {name} value {value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_split_into_words() {
        let words = |command| EngineSpec::parse(command, Dialect::UCI).map(|spec| spec.command);
        assert_eq!(words("'my engine' --fast").unwrap(), ["my engine", "--fast"]);
        for wrong in ["'my engine", "", "''"] {
            assert_eq!(words(wrong), Err(SourceError::NoCommand), "{wrong}");
        }
    }

    #[test]
    fn a_program_with_spaces_in_its_path_needs_no_quotes() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("my engine.exe");
        std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        let path = program.to_str().unwrap();
        let words =
            |command: &str| EngineSpec::parse_in(Some(folder.path()), command, Dialect::UCI).unwrap().command;
        assert_eq!(words(path), [path]);
        assert_eq!(words("./my engine.exe"), ["./my engine.exe"]);
        assert_eq!(words("./my engine.exe --flag"), ["./my", "engine.exe", "--flag"]);
        assert_eq!(words(&format!("'{path}' --flag")), [path, "--flag"]);
        assert_eq!(words(&format!("\"{path}\" --flag")), [path, "--flag"]);
    }

    #[test]
    fn a_command_with_placeholders_asks_the_question_itself() {
        let spec = EngineSpec::parse("./mine split --depth {depth} --fen {fen}", Dialect::UCI).unwrap();
        assert!(spec.is_run_for_each_question() && !spec.plays_moves() && spec.dialect == CUSTOM);
        let spec = EngineSpec::parse("./mine", Dialect::UCI).unwrap();
        assert!(!spec.is_run_for_each_question() && spec.plays_moves() && spec.dialect == "uci");
    }
}

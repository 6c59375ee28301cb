//! The specification of an engine: its command, the way to ask it, its options and its time limits.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use perft_diagnosis::source::{Patterns, Profile, Question, SourceError};

use super::dialect::{
    AskMethod, DEPTH, Dialect, Handshake, LESS_DEPTH, Launch, PLACEHOLDERS, POSITION, fill, fill_line,
    has_depth, has_moves, is_template, parts,
};
use super::transcript::Transcript;
use crate::system::command_line::{self, join};

/// The specification of an engine: how it is run and asked.
#[derive(Clone, Debug, Default)]
pub struct EngineSpec {
    /// The program and its arguments, which may contain placeholders.
    pub command: Vec<String>,
    /// The folder in which it runs; `None` is the current one.
    pub folder: Option<PathBuf>,
    pub asking: AskMethod,
    /// The line that makes it print its FEN or its key, if it is known.
    pub ask_state: Option<String>,
    /// The name of the way to ask it: that of a dialect, or `custom`.
    pub dialect: &'static str,
    /// Whether the user has said how to ask it. Then no other dialects are tried.
    pub has_words: bool,
    /// Names and values of the UCI options that are set after the start. Other programs have no options.
    pub options: Vec<(String, String)>,
    /// Whether the engine knows Chess960. `None` if the engine says so itself, which only UCI engines can.
    pub is_chess960: Option<bool>,
    pub answer_limit: Duration,
    /// The time limit for starting and getting ready. If the user gives a time limit, it replaces both limits.
    pub start_limit: Duration,
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
    /// Reads a command line that is run in a folder, or in the current one. If the whole text is the path or the name
    /// of a program, it is that program. Otherwise the text is split into words. The limits are one minute for an
    /// answer and ten seconds for the start. The dialect is that of Stockfish.
    ///
    /// # Errors
    /// The command line is empty, or a quote in it is not closed.
    pub fn parse(command: &str, folder: Option<&Path>) -> Result<EngineSpec, SourceError> {
        let words = command_line::split(command);
        let is_one_word = words.as_ref().is_some_and(|words| *words == [command]);
        if !is_one_word && find(command, folder).is_ok() {
            return EngineSpec::of_words(vec![command.to_owned()]);
        }
        EngineSpec::of_words(words.ok_or(SourceError::NoCommand)?)
    }

    /// Like [`EngineSpec::parse`], for a command that is already split into words.
    ///
    /// # Errors
    /// There is no word, or the first one is empty.
    pub fn of_words(words: Vec<String>) -> Result<EngineSpec, SourceError> {
        if words.first().is_none_or(String::is_empty) {
            return Err(SourceError::NoCommand);
        }
        let spec = EngineSpec {
            command: words,
            answer_limit: Duration::from_secs(60),
            start_limit: busy() * Duration::from_secs(10),
            ..EngineSpec::default().asked_in(&Dialect::all()[0])
        };
        if !spec.is_in_arguments() {
            return Ok(spec);
        }
        let asking = AskMethod { handshake: Handshake::None, launch: Launch::Each, ..AskMethod::default() };
        Ok(EngineSpec { asking, dialect: CUSTOM, has_words: true, ..spec })
    }

    pub fn asked_in(self, dialect: &'static Dialect) -> EngineSpec {
        EngineSpec { asking: dialect.asking.clone(), dialect: dialect.name, ..self }
    }

    pub fn with_lines(self, lines: Vec<String>) -> EngineSpec {
        let asking = AskMethod { handshake: self.asking.handshake, lines, ..AskMethod::default() };
        EngineSpec { asking, dialect: CUSTOM, has_words: true, ..self }
    }

    /// Returns the spec of a UCI engine that is asked for its states only.
    pub fn without_counts(self) -> EngineSpec {
        EngineSpec { asking: AskMethod::default(), dialect: Dialect::all()[0].name, ..self }
    }

    /// Returns the spec of a program that ignores the moves of a question, so that it gets the position after them.
    pub fn without_moves(self) -> EngineSpec {
        let only_moves =
            |line: &&String| line.contains("{moves}") && !is_template(&line.replace("{moves}", ""));
        let mut spec = self.clone();
        spec.asking.lines.retain(|line| !only_moves(&line));
        let mut parts = PLACEHOLDERS.map(str::to_owned);
        parts[2].clear();
        spec.filled(&parts)
    }

    /// Returns the spec of a program that counts one ply deeper than it is asked.
    pub fn with_less_depth(self) -> EngineSpec {
        let parts = PLACEHOLDERS.map(|part| if part == DEPTH { LESS_DEPTH } else { part }.to_owned());
        self.filled(&parts)
    }

    /// The arguments become part of the command.
    fn filled(self, parts: &[String; 5]) -> EngineSpec {
        let lines = self.asking.lines.iter().map(|line| fill_line(line, parts)).collect();
        let command = fill(&self.words(), parts);
        let asking = AskMethod { lines, arguments: Vec::new(), ..self.asking };
        EngineSpec { command, asking, dialect: CUSTOM, ..self }
    }

    /// Whether the depth in the question can be made less.
    pub fn has_depth(&self) -> bool {
        self.words().iter().chain(&self.asking.lines).any(|text| text.contains(DEPTH))
    }

    fn words(&self) -> Vec<String> {
        self.command.iter().chain(&self.asking.arguments).cloned().collect()
    }

    pub fn plays_moves(&self) -> bool {
        has_moves(&self.words()) || has_moves(&self.asking.lines)
    }

    /// Whether the program is run once for each question, with the question in its arguments or on its standard input.
    pub fn is_run_for_each_question(&self) -> bool {
        self.is_in_arguments()
            || (self.asking.launch == Launch::Each && self.asking.handshake != Handshake::Uci)
    }

    fn is_in_arguments(&self) -> bool {
        self.words().iter().any(|word| is_template(word))
    }

    /// Returns the lines that ask a question.
    ///
    /// # Errors
    /// The moves of the question are not legal.
    pub fn lines_for(&self, question: &Question) -> Result<Vec<String>, SourceError> {
        filled_lines(&self.asking.lines, self.plays_moves(), question)
    }

    /// Returns the lines that make a program print its state after `ask_state`. Returns `None` if no lines set up a
    /// position without counting.
    ///
    /// # Errors
    /// The moves of the question are not legal.
    pub fn state_lines(&self, question: &Question) -> Result<Option<Vec<String>>, SourceError> {
        let Some(lines) = self.state_templates() else { return Ok(None) };
        filled_lines(&lines, has_moves(&lines), question).map(Some)
    }

    /// Whether the lines that make the program print its state contain the moves of a question.
    pub fn state_plays_moves(&self) -> bool {
        self.state_templates().is_some_and(|lines| has_moves(&lines))
    }

    /// Returns the lines that set up a position, and then `ask_state`, which can also set up the position itself.
    /// Returns `None` if no lines set up a position without counting.
    fn state_templates(&self) -> Option<Vec<String>> {
        let ask_state = self.ask_state.as_ref()?;
        let own = self.own_position_lines();
        let mut lines = if self.is_in_arguments() {
            return None;
        } else if is_template(ask_state) {
            Vec::new()
        } else if self.asking.handshake == Handshake::Uci
            && !own.iter().any(|line| line.starts_with("position "))
        {
            vec![POSITION.to_owned()]
        } else if own.is_empty() {
            return None;
        } else {
            own
        };
        lines.push(ask_state.clone());
        Some(lines)
    }

    fn own_position_lines(&self) -> Vec<String> {
        let is_position = |line: &&String| is_template(line) && !has_depth(line);
        self.asking.lines.iter().filter(is_position).cloned().collect()
    }

    /// Whether the program can print its state after a count: the count leaves it in the position of the question.
    pub fn prints_after_count(&self) -> bool {
        let is_count = |line: &&String| has_depth(line);
        let has_place = |line: &String| PLACEHOLDERS[1..4].iter().any(|part| line.contains(part));
        !self.is_run_for_each_question()
            && !self.asking.is_search
            && !self.own_position_lines().is_empty()
            && !self.asking.lines.iter().filter(is_count).any(has_place)
    }

    /// Returns what a user types to ask a question by hand: the command that runs the program, and the lines for it.
    ///
    /// # Errors
    /// The moves of the question are not legal.
    pub fn by_hand(&self, question: &Question) -> Result<Vec<String>, SourceError> {
        let is_uci = self.asking.handshake == Handshake::Uci;
        let chess960 =
            (is_uci && question.is_chess960).then(|| ("UCI_Chess960".to_owned(), "true".to_owned()));
        let options = self.options.iter().cloned().chain(chess960);
        let options = options.map(|(name, value)| format!("setoption name {name} value {value}"));
        let command = join(self.command_for(question)?);
        Ok([command].into_iter().chain(options).chain(self.lines_for(question)?).collect())
    }

    /// Returns the text of a question, for messages: the last line with a part of the question, or the arguments.
    pub fn question_text(&self, question: &Question) -> String {
        let asks = self.asking.lines.iter().rposition(|line| is_template(line));
        let line = self.lines_for(question).ok().and_then(|lines| lines.get(asks?).cloned());
        let arguments = || self.command_for(question).map(|command| command[1..].join(" "));
        line.or_else(|| arguments().ok()).unwrap_or_default()
    }

    /// Returns the command that asks a question.
    ///
    /// # Errors
    /// The moves of the question are not legal.
    pub fn command_for(&self, question: &Question) -> Result<Vec<String>, SourceError> {
        let words = self.words();
        Ok(fill(&words, &parts(question, self.plays_moves(), &words)?))
    }
}

fn filled_lines(
    templates: &[String],
    plays_moves: bool,
    question: &Question,
) -> Result<Vec<String>, SourceError> {
    let parts = parts(question, plays_moves, templates)?;
    Ok(templates.iter().map(|line| fill_line(line, &parts)).collect())
}

/// Returns the factor for time limits on a busy machine, from 1 to 8: the load per core.
pub(super) fn busy() -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = sysinfo::System::load_average().map_or(0.0, |load| load.one);
    (load / cores as f64).ceil().clamp(1.0, 8.0) as u32
}

/// Returns the file of a program. A name is looked up on the PATH. A path is relative to `folder`, or to the current
/// folder if there is none. On Windows, the name may lack its extension, such as `.exe`.
pub(super) fn find(program: &str, folder: Option<&Path>) -> Result<PathBuf, SourceError> {
    let here = || std::env::current_dir().unwrap_or_default();
    let folder = folder.map_or_else(here, Path::to_owned);
    which::which_in(program, std::env::var_os("PATH"), &folder).map_err(|_| {
        let is_there = program.contains(std::path::is_separator) && folder.join(program).exists();
        let kind = if is_there { io::ErrorKind::PermissionDenied } else { io::ErrorKind::NotFound };
        SourceError::NotStarted(program.to_owned(), kind, kind.to_string())
    })
}

#[cfg(test)]
mod tests {
    use perft_core::Position;

    use super::*;

    fn spec(lines: &[&str], arguments: &[&str]) -> EngineSpec {
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let (lines, arguments) = (owned(lines), owned(arguments));
        let asking = AskMethod { handshake: Handshake::None, lines, arguments, ..AskMethod::default() };
        EngineSpec { asking, ..EngineSpec::of_words(owned(&["./my engine"])).unwrap() }
    }

    fn of_uci(spec: EngineSpec) -> EngineSpec {
        EngineSpec { asking: AskMethod { handshake: Handshake::Uci, ..spec.asking }, ..spec }
    }

    fn question(moves: &[&str]) -> Question {
        let moves = moves.iter().map(|&text| text.to_owned()).collect();
        Question { moves, ..Question::new(&Position::start(), 3) }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const AFTER: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

    #[test]
    fn a_program_that_plays_no_moves_gets_the_position_after_them() {
        for template in ["setboard {fen}", "setboard {fen_after}"] {
            let simple = spec(&[template], &[]);
            assert_eq!(simple.lines_for(&question(&["e2e4"])).unwrap(), [format!("setboard {AFTER}")]);
            assert!(!simple.plays_moves());
        }
        assert!(spec(&["{fen}"], &[]).lines_for(&question(&["e2e5"])).is_err());
    }

    #[test]
    fn the_text_of_a_question_is_not_what_ends_a_program() {
        let quits = spec(&["setboard {fen}", "divide {depth}", "quit"], &[]);
        assert_eq!(quits.question_text(&question(&[])), "divide 3");
    }

    #[test]
    fn a_program_that_plays_moves_gets_those_of_any_rules() {
        let lines = |lines: &[&str]| spec(lines, &[]).lines_for(&question(&["e2e5"]));
        assert_eq!(lines(&["fen {fen}", "play {moves}"]).unwrap()[1], "play e2e5");
        assert!(lines(&["fen {fen_after}", "play {moves}"]).is_err());
    }

    #[test]
    fn a_state_is_asked_for_behind_the_position() {
        let with =
            |spec: &EngineSpec, line: &str| EngineSpec { ask_state: Some(line.to_owned()), ..spec.clone() };
        let state = |spec: &EngineSpec, line| with(spec, line).state_lines(&question(&["e2e4"])).unwrap();
        let own = spec(&["setboard {fen}", "perft {depth}"], &[]);
        assert_eq!(state(&own, "d"), Some(vec![format!("setboard {AFTER}"), "d".to_owned()]));
        assert!(own.prints_after_count() && !with(&own, "d").state_plays_moves());
        let one_line = spec(&["perft {depth} {fen_after}"], &[]);
        assert_eq!(state(&one_line, "d"), None);
        assert_eq!(state(&one_line, "show {fen} {moves}"), Some(vec![format!("show {START} e2e4")]));
        let one_line = of_uci(one_line);
        let position = format!("position fen {START} moves e2e4");
        assert_eq!(state(&one_line, "d"), Some(vec![position.clone(), "d".to_owned()]));
        assert!(!one_line.prints_after_count() && with(&one_line, "d").state_plays_moves());
        let full = of_uci(spec(&[POSITION, "go perft {depth}"], &[]));
        assert_eq!(state(&full, "d"), Some(vec![position, "d".to_owned()]));
        assert!(full.prints_after_count());
        assert_eq!(state(&spec(&[], &["{depth}", "{fen}"]), "d"), None);
    }
}

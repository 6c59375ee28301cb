//! How a program is asked: what is sent to it or what arguments it gets, and how its answer ends.
//!
//! Lines and arguments are templates: `{depth}`, `{fen}` and `{moves}` are replaced by the parts of a question.
//! `{fen_after}` is the FEN after the moves. A program whose templates do not have `{moves}` gets the FEN after the
//! moves in any case. So does a program that ignores them.

use clap::ValueEnum;
use perft_diagnosis::source::{Question, SourceError};
use serde::Deserialize;

use super::spec::{CUSTOM, EngineSpec};
use crate::system::command_line::join;

/// The handshake that opens a conversation. The names in `perft.toml` and on the command line are those of the variants
/// in lower case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Handshake {
    /// `uci` and `uciok`. `isready` is then sent behind each question.
    #[default]
    Uci,
    /// `xboard` and `protover 2`. `ping` is then sent behind each question, if the program has it.
    Cecp,
    /// No handshake.
    None,
}

impl Handshake {
    /// Returns the name in `perft.toml` and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Handshake::Uci => "uci",
            Handshake::Cecp => "cecp",
            Handshake::None => "none",
        }
    }
}

/// How often an engine is started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Launch {
    /// Once for all questions, and again only after it has failed.
    #[default]
    Once,
    /// Once for each question.
    Each,
}

/// How a program is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskMethod {
    /// The handshake that opens the conversation.
    pub handshake: Handshake,
    /// The lines that ask a question.
    pub lines: Vec<String>,
    /// More arguments of the program, for one process for each question.
    pub arguments: Vec<String>,
    /// How often the program is started.
    pub launch: Launch,
    /// Whether the question is a search, which lists the moves of the position.
    pub is_search: bool,
}

/// The line that sets up a position in UCI.
const POSITION: &str = "position fen {fen} moves {moves}";

/// The parts of a question that a template can have.
const PLACEHOLDERS: [&str; 4] = ["{depth}", "{fen}", "{moves}", "{fen_after}"];

pub fn is_template(text: &str) -> bool {
    PLACEHOLDERS.iter().any(|placeholder| text.contains(placeholder))
}

/// Returns the first word in braces that is not a placeholder.
pub fn unknown_placeholder(text: &str) -> Option<&str> {
    let start = text.find('{')?;
    let end = start + text[start..].find('}')? + 1;
    let word = &text[start..end];
    if PLACEHOLDERS.contains(&word) { unknown_placeholder(&text[end..]) } else { Some(word) }
}

impl AskMethod {
    /// Returns a way to ask that sends nothing, because the command contains the question.
    pub fn without_words() -> AskMethod {
        AskMethod { handshake: Handshake::None, launch: Launch::Each, ..AskMethod::default() }
    }
}

impl EngineSpec {
    /// Returns the spec of a program that ignores the moves of a question, so that it gets the position after them. The
    /// arguments become part of the command.
    pub fn without_moves(self) -> EngineSpec {
        let only_moves =
            |line: &&String| line.contains("{moves}") && !is_template(&line.replace("{moves}", ""));
        let lines = self.asking.lines.iter().filter(|line| !only_moves(line));
        let lines = lines.map(|line| Parts::without_moves().fill_line(line)).collect();
        let command = Parts::without_moves().fill(&self.words());
        let asking = AskMethod { lines, arguments: Vec::new(), ..self.asking };
        EngineSpec { command, asking, dialect: CUSTOM, ..self }
    }

    /// Returns the command with the arguments of the way to ask.
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
    pub fn state_lines(
        &self,
        ask_state: &str,
        question: &Question,
    ) -> Result<Option<Vec<String>>, SourceError> {
        let Some(lines) = self.state_templates(ask_state) else { return Ok(None) };
        filled_lines(&lines, has_moves(&lines), question).map(Some)
    }

    /// Whether the lines that make the program print its state contain the moves of a question.
    pub fn state_plays_moves(&self, ask_state: &str) -> bool {
        self.state_templates(ask_state).is_some_and(|lines| has_moves(&lines))
    }

    /// Returns the lines that set up a position, and then `ask_state`, which can also set up the position itself.
    /// Returns `None` if no lines set up a position without counting.
    fn state_templates(&self, ask_state: &str) -> Option<Vec<String>> {
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
        lines.push(ask_state.to_owned());
        Some(lines)
    }

    fn own_position_lines(&self) -> Vec<String> {
        let is_position = |line: &&String| is_template(line) && !line.contains("{depth}");
        self.asking.lines.iter().filter(is_position).cloned().collect()
    }

    /// Whether the program can print its state after a count: the count leaves it in the position of the question.
    pub fn prints_after_count(&self) -> bool {
        let is_count = |line: &&String| line.contains("{depth}");
        let has_place = |line: &String| PLACEHOLDERS[1..].iter().any(|part| line.contains(part));
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

    /// Returns the text of a question, for messages: the last line that asks it, or the arguments.
    pub fn question_text(&self, question: &Question) -> String {
        let line = self.lines_for(question).ok().and_then(|lines| lines.last().cloned());
        let arguments = || self.command_for(question).map(|command| command[1..].join(" "));
        line.or_else(|| arguments().ok()).unwrap_or_default()
    }

    /// Returns the command that asks a question.
    ///
    /// # Errors
    /// The moves of the question are not legal.
    pub fn command_for(&self, question: &Question) -> Result<Vec<String>, SourceError> {
        let words = self.words();
        Ok(Parts::of(question, self.plays_moves(), &words)?.fill(&words))
    }
}

fn has_moves(templates: &[String]) -> bool {
    templates.iter().any(|text| text.contains("{moves}"))
}

/// Fills in lines. A program that does not play moves gets the position after them.
fn filled_lines(
    templates: &[String],
    plays_moves: bool,
    question: &Question,
) -> Result<Vec<String>, SourceError> {
    let parts = Parts::of(question, plays_moves, templates)?;
    Ok(templates.iter().map(|line| parts.fill_line(line)).collect())
}

/// The values of the placeholders.
struct Parts {
    depth: String,
    fen: String,
    moves: String,
    fen_after: String,
}

impl Parts {
    /// Returns the values for a question. The moves are played only if a template has the position after them: a
    /// program that plays them itself may play another variant, in which they are legal.
    fn of(question: &Question, plays_moves: bool, templates: &[String]) -> Result<Parts, SourceError> {
        let has_position_after = templates.iter().any(|text| text.contains("{fen_after}"));
        let fen_after =
            if plays_moves && !has_position_after { String::new() } else { question.end_fen()? };
        let (fen, moves) = match plays_moves {
            true => (question.fen.clone(), question.moves.join(" ")),
            false => (fen_after.clone(), String::new()),
        };
        Ok(Parts { depth: question.depth.to_string(), fen, moves, fen_after })
    }

    /// Returns values that keep all placeholders except `{moves}`, which becomes empty.
    fn without_moves() -> Parts {
        let [depth, fen, _, fen_after] = PLACEHOLDERS.map(str::to_owned);
        Parts { depth, fen, moves: String::new(), fen_after }
    }

    fn fill_line(&self, line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        self.fill(&words).join(" ")
    }

    /// Fills in words. Without moves, a word `{moves}` disappears, and so does the word `moves` or the option before
    /// it.
    fn fill(&self, words: &[String]) -> Vec<String> {
        let mut filled: Vec<String> = Vec::new();
        for (index, word) in words.iter().enumerate() {
            if word == "{moves}" && self.moves.is_empty() {
                let is_name = |before: &String| before == "moves" || before.starts_with('-');
                if index > 0 && is_name(&words[index - 1]) {
                    filled.pop();
                }
                continue;
            }
            filled.push(
                word.replace("{depth}", &self.depth)
                    .replace("{fen_after}", &self.fen_after)
                    .replace("{fen}", &self.fen)
                    .replace("{moves}", &self.moves),
            );
        }
        filled
    }
}

#[cfg(test)]
mod tests {
    use perft_core::Position;

    use super::*;
    use crate::engine::Dialect;

    fn spec(lines: &[&str], arguments: &[&str]) -> EngineSpec {
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let (lines, arguments) = (owned(lines), owned(arguments));
        let asking = AskMethod { handshake: Handshake::None, lines, arguments, ..AskMethod::default() };
        EngineSpec { asking, ..EngineSpec::of_words(owned(&["./my engine"]), Dialect::UCI).unwrap() }
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
    fn placeholders_are_filled_in() {
        let uci = spec(&["position fen {fen} moves {moves}", "go perft {depth}"], &[]);
        let lines = |moves: &[&str]| uci.lines_for(&question(moves)).unwrap();
        assert_eq!(lines(&[]), [format!("position fen {START}"), "go perft 3".to_owned()]);
        assert_eq!(lines(&["e2e4", "e7e5"])[0], format!("position fen {START} moves e2e4 e7e5"));
        assert!(uci.plays_moves());
    }

    #[test]
    fn arguments_are_not_split() {
        let script = spec(&[], &["{depth}", "{fen}", "--moves", "{moves}"]);
        let filled = |moves: &[&str]| script.command_for(&question(moves)).unwrap();
        assert_eq!(filled(&[]), ["./my engine", "3", START]);
        assert_eq!(filled(&["e2e4", "e7e5"]), ["./my engine", "3", START, "--moves", "e2e4 e7e5"]);
        assert!(script.is_in_arguments() && !spec(&["perft {depth}"], &[]).is_in_arguments());
        let command = vec!["x".to_owned(), "--depth={depth}".to_owned()];
        assert!(EngineSpec { command, ..spec(&[], &[]) }.is_in_arguments());
    }

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
    fn a_program_that_plays_moves_gets_those_of_any_rules() {
        let lines = |lines: &[&str]| spec(lines, &[]).lines_for(&question(&["e2e5"]));
        assert_eq!(lines(&["fen {fen}", "play {moves}"]).unwrap()[1], "play e2e5");
        assert!(lines(&["fen {fen_after}", "play {moves}"]).is_err());
    }

    #[test]
    fn a_state_is_asked_for_behind_the_position() {
        let state = |spec: &EngineSpec, line| spec.state_lines(line, &question(&["e2e4"])).unwrap();
        let own = spec(&["setboard {fen}", "perft {depth}"], &[]);
        assert_eq!(state(&own, "d"), Some(vec![format!("setboard {AFTER}"), "d".to_owned()]));
        assert!(own.prints_after_count() && !own.state_plays_moves("d"));
        let one_line = spec(&["perft {depth} {fen_after}"], &[]);
        assert_eq!(state(&one_line, "d"), None);
        assert_eq!(state(&one_line, "show {fen} {moves}"), Some(vec![format!("show {START} e2e4")]));
        let one_line = of_uci(one_line);
        let position = format!("position fen {START} moves e2e4");
        assert_eq!(state(&one_line, "d"), Some(vec![position.clone(), "d".to_owned()]));
        assert!(!one_line.prints_after_count() && one_line.state_plays_moves("d"));
        let full = of_uci(spec(&[POSITION, "go perft {depth}"], &[]));
        assert_eq!(state(&full, "d"), Some(vec![position, "d".to_owned()]));
        assert!(full.prints_after_count());
        assert_eq!(state(&spec(&[], &["{depth}", "{fen}"]), "d"), None);
    }

    #[test]
    fn a_program_that_ignores_moves_gets_the_position_after_them() {
        let uci = spec(&[POSITION, "go perft {depth}"], &[]).without_moves();
        assert_eq!(uci.command, ["./my engine"]);
        assert_eq!(uci.asking.lines, ["position fen {fen}", "go perft {depth}"]);
        assert_eq!(uci.lines_for(&question(&["e2e4"])).unwrap()[0], format!("position fen {AFTER}"));
        assert!(!of_uci(uci).state_plays_moves("d"));
        let perftree = spec(&[], &["{depth}", "{fen}", "--moves", "{moves}"]).without_moves();
        assert_eq!(perftree.command, ["./my engine", "{depth}", "{fen}"]);
        assert!(perftree.asking.arguments.is_empty());
        let own = spec(&["fen {fen}", "play {moves}", "perft {depth} {fen_after}"], &[]).without_moves();
        assert_eq!(own.asking.lines, ["fen {fen}", "perft {depth} {fen_after}"]);
    }

    #[test]
    fn unknown_placeholders_are_found() {
        assert_eq!(unknown_placeholder("go {depth} {fenn} {moves}"), Some("{fenn}"));
        assert_eq!(unknown_placeholder("go {depth} {fen_after}"), None);
        assert_eq!(unknown_placeholder("{"), None);
    }
}

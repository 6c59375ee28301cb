//! How a program is asked: what is sent to it or what arguments it gets, and how its answer ends.
//!
//! Lines and arguments are templates: `{depth}`, `{fen}` and `{moves}` are replaced by the parts of a question.
//! `{fen_after}` is the FEN after the moves. A program whose templates do not have `{moves}` gets the FEN after the
//! moves in any case. So does a program that ignores them.

use clap::ValueEnum;
use perft_diagnosis::source::{Question, SourceError};
use serde::Deserialize;

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
pub(super) const POSITION: &str = "position fen {fen} moves {moves}";

/// The parts of a question that a template can have.
pub(super) const PLACEHOLDERS: [&str; 4] = ["{depth}", "{fen}", "{moves}", "{fen_after}"];

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

pub(super) fn has_moves(templates: &[String]) -> bool {
    templates.iter().any(|text| text.contains("{moves}"))
}

/// Fills in lines. A program that does not play moves gets the position after them.
pub(super) fn filled_lines(
    templates: &[String],
    plays_moves: bool,
    question: &Question,
) -> Result<Vec<String>, SourceError> {
    let parts = Parts::new(question, plays_moves, templates)?;
    Ok(templates.iter().map(|line| parts.fill_line(line)).collect())
}

/// The values of the placeholders.
pub(super) struct Parts {
    depth: String,
    fen: String,
    moves: String,
    fen_after: String,
}

impl Parts {
    /// Returns the values for a question. The moves are played only if a template has the position after them: a
    /// program that plays them itself may play another variant, in which they are legal.
    pub(super) fn new(
        question: &Question,
        plays_moves: bool,
        templates: &[String],
    ) -> Result<Parts, SourceError> {
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
    pub(super) fn without_moves() -> Parts {
        let [depth, fen, _, fen_after] = PLACEHOLDERS.map(str::to_owned);
        Parts { depth, fen, moves: String::new(), fen_after }
    }

    pub(super) fn fill_line(&self, line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        self.fill(&words).join(" ")
    }

    /// Fills in words. Without moves, a word `{moves}` disappears, and so does the word `moves` or the option before
    /// it.
    pub(super) fn fill(&self, words: &[String]) -> Vec<String> {
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

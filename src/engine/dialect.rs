//! How a program is asked: what is sent to it or what arguments it gets. The table of the dialects, from which
//! `--dialect` chooses, is the file `dialects.txt`, which describes its columns. `perft probe` tries them from top to
//! bottom.
//!
//! Lines and arguments are templates: `{depth}`, `{fen}` and `{moves}` are replaced by the parts of a question.
//! `{depth-1}` is one less than the depth, and `{fen_after}` is the FEN after the moves. If no template of a program has `{moves}`, or if the program ignores the
//! moves, `{fen}` is also the FEN after the moves.
//!
//! A UCI engine without perft lists the moves of a position in a search that has a variation for each move.

use std::str::FromStr;
use std::sync::LazyLock;

use clap::ValueEnum;
use perft_diagnosis::source::{Question, SourceError};
use serde::{Deserialize, Serialize};

/// The handshake that opens a conversation. The names in `perft.toml` and on the command line are those of the variants
/// in lower case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Handshake {
    /// `uci` and `uciok`. `isready` is then sent after each question.
    #[default]
    Uci,
    /// `xboard` and `protover 2`. `ping` is then sent after each question, if the program knows it.
    Cecp,
    None,
}

impl Handshake {
    /// Returns the text before and after `readyok` or `pong N`, with which a program says that it is ready.
    pub(super) fn split_at_sign(self, line: &str) -> Option<(&str, &str)> {
        let sign = match self {
            Handshake::Uci => "readyok",
            Handshake::Cecp => "pong ",
            Handshake::None => return None,
        };
        let (before, after) = line.split_once(sign)?;
        let number = if self == Handshake::Cecp { |digit: char| digit.is_ascii_digit() } else { |_| false };
        Some((before.trim(), after.trim_start_matches(number).trim()))
    }

    /// Whether a line repeats the question whether the program is ready. A program that is asked so again would
    /// otherwise seem to print more.
    pub(super) fn is_echo(self, line: &str) -> bool {
        let line = line.trim();
        match self {
            Handshake::Uci => line.ends_with("isready"),
            Handshake::Cecp => line.trim_end_matches(|digit: char| digit.is_ascii_digit()).ends_with("ping "),
            Handshake::None => false,
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

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskMethod {
    pub handshake: Handshake,
    pub lines: Vec<String>,
    /// Arguments that ask a question, after those of the command.
    pub arguments: Vec<String>,
    pub launch: Launch,
    /// Whether the question is a search, which lists the moves of the position.
    pub is_search: bool,
}

/// A named way to ask a program for a perft.
#[derive(Debug, PartialEq, Eq)]
pub struct Dialect {
    pub name: &'static str,
    /// A short description for `--help`.
    pub about: &'static str,
    pub asking: AskMethod,
}

static DIALECTS: LazyLock<Vec<Dialect>> = LazyLock::new(|| {
    include_str!("dialects.txt").lines().filter(|line| !line.starts_with('#')).map(Dialect::read).collect()
});

impl Dialect {
    fn read(line: &'static str) -> Dialect {
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let [kind, name, asked, about] = columns[..] else { panic!("{line} has another number of columns") };
        let parts = |separator| asked.split(separator).map(str::to_owned).collect();
        let uci = AskMethod { lines: parts("; "), ..AskMethod::default() };
        let console = AskMethod { handshake: Handshake::None, ..uci.clone() };
        let asking = match kind {
            "uci" => uci,
            "cecp" => AskMethod { handshake: Handshake::Cecp, ..uci },
            "console" => console,
            "buffered" => AskMethod { launch: Launch::Each, ..console },
            "arguments" => {
                AskMethod { arguments: parts(" "), launch: Launch::Each, lines: Vec::new(), ..console }
            }
            "search" => AskMethod { is_search: true, ..uci },
            _ => panic!("{kind} is not a kind of dialects"),
        };
        Dialect { name, about, asking }
    }

    /// Returns all dialects, in the order in which they are tried. The first one is that of Stockfish, and the default.
    pub fn all() -> &'static [Dialect] {
        &DIALECTS
    }
}

impl FromStr for &'static Dialect {
    type Err = String;

    fn from_str(text: &str) -> Result<&'static Dialect, String> {
        let found = DIALECTS.iter().find(|dialect| dialect.name == text);
        found.ok_or_else(|| format!("'{text}' is not a dialect; \"perft list engines\" lists them"))
    }
}

/// The line that sets up a position in UCI.
pub(super) const POSITION: &str = "position fen {fen} moves {moves}";

/// The parts of a question that a template can have.
pub(super) const PLACEHOLDERS: [&str; 5] = [DEPTH, "{fen}", "{moves}", "{fen_after}", LESS_DEPTH];

/// The depth, and one less, for programs that count one ply deeper than they are asked.
pub(super) const DEPTH: &str = "{depth}";
pub(super) const LESS_DEPTH: &str = "{depth-1}";

pub(super) fn has_depth(text: &str) -> bool {
    text.contains(DEPTH) || text.contains(LESS_DEPTH)
}

pub(super) fn is_template(text: &str) -> bool {
    PLACEHOLDERS.iter().any(|placeholder| text.contains(placeholder))
}

pub(super) fn has_moves(templates: &[String]) -> bool {
    templates.iter().any(|text| text.contains("{moves}"))
}

/// Returns the first word in braces that is not a placeholder.
pub fn unknown_placeholder(text: &str) -> Option<&str> {
    let start = text.find('{')?;
    let end = start + text[start..].find('}')? + 1;
    let word = &text[start..end];
    if PLACEHOLDERS.contains(&word) { unknown_placeholder(&text[end..]) } else { Some(word) }
}

/// Returns the parts of a question, in the order of the placeholders. A program that does not play moves gets the
/// position after them. Otherwise that position is computed only if a template needs it: the program may play a variant
/// with other legal moves.
///
/// # Errors
/// The moves are not legal.
pub(super) fn parts(
    question: &Question,
    plays_moves: bool,
    templates: &[String],
) -> Result<[String; 5], SourceError> {
    let has_position_after = templates.iter().any(|text| text.contains("{fen_after}"));
    let after = if plays_moves && !has_position_after { String::new() } else { question.end_fen()? };
    let (fen, moves) = match plays_moves {
        true => (question.fen.clone(), question.moves.join(" ")),
        false => (after.clone(), String::new()),
    };
    let less = question.depth.saturating_sub(1);
    Ok([question.depth.to_string(), fen, moves, after, less.to_string()])
}

/// Fills in words. Without moves, a word `{moves}` disappears, and so does the word `moves` or the option before it.
pub(super) fn fill(words: &[String], parts: &[String; 5]) -> Vec<String> {
    let mut filled: Vec<String> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if word == "{moves}" && parts[2].is_empty() {
            if index > 0 && (words[index - 1] == "moves" || words[index - 1].starts_with('-')) {
                filled.pop();
            }
            continue;
        }
        let replaced = |text: String, (name, part): (&&str, &String)| text.replace(name, part);
        filled.push(PLACEHOLDERS.iter().zip(parts).fold(word.clone(), replaced));
    }
    filled
}

pub(super) fn fill_line(line: &str, parts: &[String; 5]) -> String {
    fill(&line.split(' ').map(str::to_owned).collect::<Vec<_>>(), parts).join(" ")
}

/// The UCI option for the number of variations.
pub(super) const OPTION: &str = "MultiPV";

/// A number that is larger than the number of moves in any position.
pub(super) const MOST: &str = "256";

/// Returns the first moves of the variations in the output of a search, in the format of Stockfish's perft.
pub(super) fn moves(search: &[String]) -> Vec<String> {
    let mut moves: Vec<&str> = Vec::new();
    for line in search.iter().filter(|line| line.starts_with("info ")) {
        let first = line.split_whitespace().skip_while(|&word| word != "pv").nth(1);
        moves.extend(first.filter(|first| !moves.contains(first)));
    }
    let total = format!("Nodes searched: {}", moves.len());
    moves.into_iter().map(|played| format!("{played}: 1")).chain([total]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_templates_are_complete() {
        let names: Vec<&str> = Dialect::all().iter().map(|dialect| dialect.name).collect();
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].contains(name), "{name}");
            assert_eq!(name.parse::<&Dialect>().unwrap().name, *name);
        }
        for dialect in Dialect::all() {
            let (dialect, asking) = (dialect.name, &dialect.asking);
            let all = asking.lines.iter().chain(&asking.arguments);
            let text: String = all.map(|text| format!("{text} ")).collect();
            assert!(is_template(&text) && unknown_placeholder(&text).is_none(), "{dialect}");
            assert!(
                text.contains("{fen") && (text.contains("{depth}") || text.contains("depth 1")),
                "{dialect}"
            );
        }
        assert!("stockfish".parse::<&Dialect>().is_err());
    }
}

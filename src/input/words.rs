//! What a word of the command line is, and the words that name a position, moves and a depth: `kiwipete 5`,
//! `8/8/8/8/8/8/8/k1K5 w - - 3`, `position startpos moves e2e4 e7e5`.
//!
//! Only this file decides what a word is, and it does so before anything is read or started. A name of this program comes
//! before a name in `perft.toml`, and that before a file: `3` is a depth, and `./3` is a file. A word is started as a
//! program only if it has a path separator, is a name in `perft.toml`, or has arguments. A bare name on the PATH may be a
//! mistyped position, so it is started only behind a flag such as `--engine`.
//!
//! A FEN may be quoted or consist of several words. The words of UCI lines and of commands in other programs, as in `go
//! perft 5`, are left out. The word `moves` may be left out: after it, each word that is nothing else is a move.

use std::path::{Path, is_separator};

use perft_core::Position;
use perft_core::internals::{AlgebraicMove, find_fen, is_board};
use perft_core::suite::{Suite, builtin};

use super::config::Engines;
use super::parse_depth;
use crate::output::CliError;
use crate::system::command_line::{self, is_missing, is_program, to_run};
use crate::system::files::{self, Kind};

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// `-`: standard input.
    Input,
    /// A depth, or another whole number.
    Number,
    /// A word of UCI or of a command of another program, such as `go`.
    Keyword,
    /// The name of a position.
    Position,
    /// A FEN, perhaps with faults.
    Fen,
    /// The name of a built-in suite.
    Suite,
    /// A text in the form of a move.
    Move,
    /// A quoted text of several such words: `'kiwipete 3'`.
    Line,
    /// A name in `perft.toml`, the path of a program, or a command with arguments. Only this is started.
    Engine,
    /// A program that needs a flag or a path, or a script that needs its interpreter.
    Program,
    /// A file that is no program.
    File,
    /// A folder.
    Folder,
    /// A path at which there is nothing.
    Missing,
    /// Anything else.
    Unknown,
}

/// The words of UCI lines and of commands of other programs.
const KEYWORDS: [&str; 6] = ["go", "perft", "depth", "position", "fen", "moves"];

impl Word {
    /// Returns what a word is.
    ///
    /// # Errors
    /// `perft.toml` or the file of `--config` is wrong. It is not read for names of this program, and its faults do not
    /// matter for a file.
    pub fn of(text: &str, config: Option<&Path>) -> Result<Word, CliError> {
        if let Some(ours) = Word::of_ours(text) {
            return Ok(ours);
        }
        match Engines::load(config) {
            Ok(engines) if engines.contains(text) => Ok(Word::Engine),
            Err(error) if !Path::new(text).exists() => Err(error),
            _ => Ok(Word::of_system(text)),
        }
    }

    /// Returns what a word is if it has a meaning in this program.
    pub fn of_ours(text: &str) -> Option<Word> {
        let is_move =
            || !text.starts_with(|c: char| c.is_ascii_digit()) && AlgebraicMove::parse(text).is_some();
        Some(match text {
            "-" => Word::Input,
            _ if is_number(text) => Word::Number,
            _ if KEYWORDS.contains(&text) => Word::Keyword,
            _ if builtin::position(text).is_some() => Word::Position,
            _ if builtin::suite(text).is_some() => Word::Suite,
            _ if is_board(first_word(text)) || is_faulty_fen(text) => Word::Fen,
            _ if is_move() => Word::Move,
            _ if is_line(text) => Word::Line,
            _ => return None,
        })
    }

    /// Returns what the system has under a name.
    pub fn of_system(text: &str) -> Word {
        let (path, is_path) = (Path::new(text), text.contains(is_separator));
        let words = command_line::split(text).unwrap_or_default();
        let is_found = |program: &str| which::which(program).is_ok();
        if path.is_dir() {
            Word::Folder
        } else if path.exists() {
            match is_program(text) {
                true if is_path => Word::Engine,
                false if to_run(text).is_none() || is_list(path) => Word::File,
                _ => Word::Program,
            }
        } else if is_missing(text)
            || words.len() > 1 && (is_found(&words[0]) || Path::new(&words[0]).is_file())
        {
            // The error for a missing program comes when it is started.
            Word::Engine
        } else if is_path {
            Word::Missing
        } else if text.len() > 1 && is_found(text) {
            Word::Program
        } else {
            Word::Unknown
        }
    }
}

pub fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// Whether a text has the form of a depth. Negative numbers are included and refused later, with a better message.
pub fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is the address of a page with a FEN, or a FEN whose board has faults.
fn is_faulty_fen(text: &str) -> bool {
    let is_rank = |rank: &str| !rank.is_empty() && rank.chars().all(|c| "12345678pnbrqkPNBRQK".contains(c));
    let is_short = first_word(text).matches('/').count() > 1 && first_word(text).split('/').all(is_rank);
    let is_found = || find_fen(text).is_some_and(|found| found.span.start == 0 || text.starts_with("http"));
    is_short || text.contains('/') && is_found()
}

/// Whether a quoted text begins like a line that names a position. Commands may begin with `go` and `perft`.
fn is_line(text: &str) -> bool {
    let mut parts = text.split_whitespace();
    let is_ours = |part: &str| Word::of_ours(part).is_some();
    let begins = parts.next().is_some_and(|first| first != text && is_ours(first));
    begins && (!text.starts_with("go ") && !text.starts_with("perft ") || parts.all(is_ours))
}

/// The largest size of a script that may be a list of positions, in bytes.
const MAX_SCRIPT_BYTES: u64 = 1 << 20;

/// Whether a file is a list of positions, and not a program that has some in its text.
fn is_list(path: &Path) -> bool {
    let text = files::read_text(path, Kind::Regular, MAX_SCRIPT_BYTES);
    text.is_ok_and(|text| !text.starts_with("#!") && Suite::from_text("", &text).is_ok())
}

/// The largest number of digits in the counters of a FEN.
const COUNTER_DIGITS: usize = 4;

/// The words of a command line, by what they are.
#[derive(Clone, Debug, Default)]
pub struct Typed {
    /// FENs, names and `-`.
    pub positions: Vec<String>,
    /// The moves to play from there.
    pub moves: Vec<String>,
    pub depths: Vec<String>,
    /// Anything else.
    pub others: Vec<String>,
    /// Whether such a word stands before the position.
    pub begins_with_other: bool,
    /// Whether the word `moves` was typed.
    pub has_keyword: bool,
}

impl Typed {
    pub fn of(words: &[String]) -> Typed {
        let mut typed = Typed::default();
        for text in joined(&words.iter().flat_map(|word| unquoted(word)).collect::<Vec<_>>()) {
            match Word::of_ours(&text) {
                Some(Word::Number) => typed.depths.push(text),
                Some(Word::Keyword) => typed.has_keyword |= text == "moves",
                Some(Word::Position | Word::Fen | Word::Input) => typed.positions.push(text),
                word if typed.has_keyword || word == Some(Word::Move) => typed.moves.extend(
                    // A number may stand before a move, as in `1.e4`.
                    text.split(',')
                        .map(|text| text.rsplit_once('.').map_or(text, |(_, played)| played).to_owned())
                        .filter(|text| !text.is_empty()),
                ),
                _ => {
                    typed.begins_with_other |= typed.positions.is_empty();
                    typed.others.push(text);
                }
            }
        }
        typed
    }

    /// Returns the position and the moves as words: `kiwipete moves e1g1`.
    pub fn words(&self) -> Vec<String> {
        let keyword = (!self.moves.is_empty()).then(|| "moves".to_owned());
        self.positions.iter().cloned().chain(keyword).chain(self.moves.clone()).collect()
    }

    /// Whether this is at most one position, and the moves are legal there. Positions of standard input are not known
    /// yet.
    pub fn holds(&self) -> bool {
        let start = match self.positions.first().map_or("start", String::as_str) {
            "-" => return true,
            text => builtin::position(text)
                .map_or_else(|| Position::from_fen(text).ok(), |case| Some(case.position)),
        };
        let played =
            |position: Position, text: &String| Some(position.play_legal(position.find_move(text).ok()?));
        let end = start.and_then(|start| self.moves.iter().try_fold(start, played));
        end.is_some() && self.positions.len() < 2 && self.others.is_empty()
    }
}

pub fn given_twice(what: &str, one: &str, other: &str) -> CliError {
    CliError::usage(format!("the {what} was given twice: {one} and {other}")).help("leave out one of them")
}

/// Returns the words of a quoted argument. A quoted FEN stays whole, because a number after it is the depth.
fn unquoted(argument: &str) -> Vec<String> {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    if !argument.contains('/') {
        return words(argument);
    }
    let (whole, moves) = argument.split_at(argument.find(" moves ").unwrap_or(argument.len()));
    let whole = whole.strip_prefix("position ").unwrap_or(whole);
    let whole = whole.strip_prefix("fen ").unwrap_or(whole).trim().to_owned();
    [vec![whole], words(moves)].concat()
}

/// Returns the moves of a flag, which are separated by commas or blanks.
pub fn split_moves(values: &[String]) -> Vec<String> {
    let moves = values.iter().flat_map(|text| text.split(|sign: char| sign == ',' || sign.is_whitespace()));
    moves.filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

/// Returns the depth that was given as a word or with the flag.
///
/// # Errors
/// The depth is not valid, or was given twice.
pub fn one_depth(words: &[String], flag: Option<u32>) -> Result<Option<u32>, CliError> {
    match (words, flag) {
        ([], flag) => Ok(flag),
        ([first, .., last], _) => Err(given_twice("depth", first, last)),
        ([word], Some(flag)) => Err(given_twice("depth", word, &format!("--depth {flag}"))),
        ([word], None) => {
            let refused = |accepted| CliError::usage(format!("'{word}' is not a depth")).help(accepted);
            parse_depth(word).map(Some).map_err(refused)
        }
    }
}

/// Joins the words of each FEN that was given without quotes.
///
/// Two numbers after the fourth field are the halfmove clock and the move number. One number alone is a depth.
pub fn joined(words: &[String]) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut rest = words;
    while let [first, others @ ..] = rest {
        let is_fen = first.contains('/') && Word::of_ours(first) == Some(Word::Fen);
        let more = if is_fen { fen_fields(others) } else { 0 };
        let (item, after) = rest.split_at(1 + more);
        items.push(item.join(" "));
        rest = after;
    }
    items
}

/// Returns how many of these words are the fields of a FEN after its board.
fn fen_fields(words: &[String]) -> usize {
    // A dash may be typographic.
    let is_dash =
        |word: &str| word.chars().count() == 1 && !word.starts_with(|c: char| c.is_ascii_alphanumeric());
    let is_field = |(index, word): (usize, &String)| match index {
        0 => word.len() == 1 && !is_number(word),
        1 => is_dash(word) || word.len() <= 5 && word.bytes().all(|byte| byte.is_ascii_alphabetic()),
        _ => is_dash(word) || word.len() <= 2 && !is_number(word),
    };
    let fields = words.iter().enumerate().take(3).take_while(|field| is_field(*field)).count();
    let is_counter = |word: &String| is_number(word) && word.len() <= COUNTER_DIGITS;
    let has_counters = fields == 3 && words.len() >= 5 && words[3..5].iter().all(is_counter);
    fields + if has_counters { 2 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        shell_words::split(text).unwrap()
    }

    #[test]
    fn the_words_of_a_fen_are_joined() {
        for (text, items) in [
            (
                "8/8/8/8/8/8/8/k1K5 w - - 0 1 2:30 kiwipete 1:48",
                "8/8/8/8/8/8/8/k1K5 w - - 0 1|2:30|kiwipete|1:48",
            ),
            ("8/8/8/8/8/8/8/k1K5 b KQ e3 2:30", "8/8/8/8/8/8/8/k1K5 b KQ e3|2:30"),
            ("8/8/8/8/8/8/8/k1K5 b KQ e3 30", "8/8/8/8/8/8/8/k1K5 b KQ e3|30"),
            ("'8/8/8/8/8/8/8/k1K5 w - -' 30 31", "8/8/8/8/8/8/8/k1K5 w - -|30|31"),
            ("start 5:20", "start|5:20"),
            ("3 4", "3|4"),
        ] {
            assert_eq!(joined(&words(text)).join("|"), items, "{text}");
        }
    }
}

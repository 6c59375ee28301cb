//! The words of a command line that name a position, moves and a depth: `kiwipete 5`, `8/8/8/8/8/8/8/k1K5 w - - 3`,
//! `position startpos moves e2e4 e7e5`.
//!
//! `word` decides what each of them is, wherever it stands. A FEN may be quoted or consist of several words. The words of
//! UCI lines and of commands in other programs, as in `go perft 5`, are left out. The word `moves` may be left out: after
//! it, each word that is nothing else is a move.

use perft_core::Position;
use perft_core::suite::builtin;

use super::parse_depth;
use super::word::{Word, is_number};
use crate::output::{CliError, Context};
use crate::system::command_line::again;

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
    begins_with_other: bool,
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

    /// Refuses words that are no part of a position, and two positions.
    ///
    /// # Errors
    /// There are such words.
    pub fn refuse_others(&self, context: &Context) -> Result<(), CliError> {
        if let [first, second, ..] = self.positions.as_slice() {
            return Err(CliError::usage(format!("two positions were given: '{first}' and '{second}'"))
                .help("leave out one of them"));
        }
        let Some(first) = self.others.first() else { return Ok(()) };
        if self.begins_with_other {
            return Err(misplaced(first, context));
        }
        if self.depths.is_empty() {
            return Err(no_depth(first));
        }
        let edits: Vec<(&str, &[&str])> = self.others.iter().map(|word| (word.as_str(), &[][..])).collect();
        Err(CliError::usage(format!("'{}' is neither a move nor a depth", self.others.join(" ")))
            .suggest("leave it out", &again(&edits)))
    }
}

/// Returns the error for a word that is no depth. Depths may be written as in EPD: `D4`.
pub fn no_depth(text: &str) -> CliError {
    let depth = text.strip_prefix(['d', 'D']).filter(|depth| is_number(depth)).unwrap_or("5");
    CliError::usage(format!("'{text}' is not a depth"))
        .suggest("give a number of plies, as in", &again(&[(text, &[depth])]))
}

/// Returns the error for a word where a position is needed.
fn misplaced(text: &str, context: &Context) -> CliError {
    let name = text.trim_end_matches(|digit: char| digit.is_ascii_digit());
    if builtin::position(name).is_some() {
        let depth = &text[name.len()..];
        return CliError::usage(format!("there is no blank between '{name}' and '{depth}'"))
            .suggest("put it there", &again(&[(text, &[name, depth])]));
    }
    let word = Word::of(text, None).unwrap_or(Word::Unknown);
    word.refusal(text, "a position", context)
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

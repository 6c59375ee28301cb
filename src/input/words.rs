//! Reads a position, moves and a depth as people type them: `kiwipete 5`, `8/8/8/8/8/8/8/k1K5 w - - 3`,
//! `position startpos moves e2e4 e7e5`.
//!
//! A FEN may be quoted or consist of several words. The last number is the depth, wherever it is. This module does
//! not check that the texts are positions and moves. The words of commands in other programs, as in `go perft 5`, are
//! left out.

use perft_core::Position;
use perft_core::internals::is_board;
use perft_core::suite::{builtin, named};

/// The largest number of digits in the counters of a FEN.
const COUNTER_DIGITS: usize = 4;

/// Words of the commands of other programs that are skipped: `go perft 5`, `startpos depth 5`.
const FILLERS: [&str; 3] = ["go", "perft", "depth"];

/// The parts that the user typed. A missing part is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedPosition {
    /// A FEN, a name or `-`.
    pub position: String,
    /// The moves to play from there.
    pub moves: Vec<String>,
    /// The depth, in text form.
    pub depth: Option<String>,
}

impl TypedPosition {
    /// Reads the words of a command line. The last number is the depth, unless it is a counter of a FEN.
    pub fn of_words(words: &[String]) -> TypedPosition {
        let words = words.iter().flat_map(|word| unquoted(word));
        let mut items = joined(&words.filter(|word| !FILLERS.contains(&word.as_str())).collect::<Vec<_>>());
        let depth = take_number(&mut items);
        TypedPosition { depth, ..TypedPosition::of_text(&items.join(" ")) }
    }

    /// Returns the position and the moves as words: `kiwipete moves e1g1`.
    pub fn words(&self) -> Vec<String> {
        let keyword = (!self.moves.is_empty()).then(|| "moves".to_owned());
        [self.position.clone()].into_iter().chain(keyword).chain(self.moves.clone()).collect()
    }

    /// Whether the text is one position, and the moves are legal there. `flagged` are the moves of a flag. Positions
    /// of standard input are not known yet.
    pub fn holds(&self, flagged: &[String]) -> bool {
        let position = match self.position.as_str() {
            "-" => return self.moves.is_empty() || flagged.is_empty(),
            "" => Some(Position::start()),
            text => match builtin::position(text) {
                Some(case) => Some(case.position),
                None => Position::from_fen(text).ok(),
            },
        };
        let played =
            |position: Position, text: &String| Some(position.play_legal(position.find_move(text).ok()?));
        let end = position.and_then(|start| self.moves.iter().chain(flagged).try_fold(start, played));
        end.is_some() && (self.moves.is_empty() || flagged.is_empty())
    }

    /// Reads a position with its moves, without a depth: `FEN moves e2e4 e7e5`, `position startpos`, `kiwipete`.
    pub fn of_text(text: &str) -> TypedPosition {
        let words: Vec<&str> = text.split_whitespace().collect();
        let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let moves = words.iter().skip(end + 1).flat_map(|word| word.split(','));
        // A number may stand before a move, as in `1.e4`.
        let moves = moves.map(|text| text.rsplit_once('.').map_or(text, |(_, played)| played));
        let moves = moves.filter(|text| !text.is_empty()).map(str::to_owned).collect();
        let mut position = words[..end].join(" ");
        for keyword in ["position ", "fen "] {
            if let Some(rest) = position.strip_prefix(keyword) {
                position = rest.to_owned();
            }
        }
        TypedPosition { position, moves, depth: None }
    }
}

/// Returns the words of a quoted argument. A quoted FEN stays whole, because a number after it is the depth.
fn unquoted(argument: &str) -> Vec<String> {
    if argument.contains('/') {
        return vec![argument.to_owned()];
    }
    argument.split_whitespace().map(str::to_owned).collect()
}

pub fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// Removes the last number from a list and returns it.
pub fn take_number(items: &mut Vec<String>) -> Option<String> {
    let place = items.iter().rposition(|item| is_number(item))?;
    Some(items.remove(place))
}

/// Whether a text has the form of a depth. Negative numbers are included and refused later, with a better message.
pub fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Joins the words of each FEN that was given without quotes.
///
/// Two numbers after the fourth field are the halfmove clock and the move number. One number alone is a depth.
pub fn joined(words: &[String]) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut rest = words;
    while let [first, others @ ..] = rest {
        let more = if is_board(first) { fen_fields(others) } else { 0 };
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

/// Returns the names of these commands and of all positions and suites.
pub fn names_of_ours(commands: &[String]) -> impl Iterator<Item = &str> {
    let positions = named().cases.iter().map(|case| case.name());
    let suites = builtin::suites().iter().map(|suite| suite.name);
    commands.iter().map(String::as_str).chain(positions).chain(suites)
}

/// Returns the names that the user may have meant by `text`, the most similar first.
///
/// A name is included if it begins with the text, or if a few letters are wrong, missing, superfluous or exchanged: one
/// in a word of up to five letters, three in a long word. A name with another number of digits is not included, unless
/// it begins with the text.
pub fn most_similar<'a>(text: &str, names: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let text = text.to_lowercase();
    let digits = |word: &str| word.bytes().filter(u8::is_ascii_digit).count();
    let allowed = match text.len() {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    let distance = |name: &str| {
        let lower = name.to_lowercase();
        if text.len() > 2 && lower.starts_with(&text) {
            return Some(0);
        }
        let wrong = strsim::osa_distance(&text, &lower);
        (wrong <= allowed && digits(&text) == digits(&lower)).then_some(wrong)
    };
    let mut similar: Vec<(usize, &str)> = names.filter_map(|name| Some((distance(name)?, name))).collect();
    similar.sort_by_key(|(wrong, _)| *wrong);
    similar.into_iter().take(count).map(|(_, name)| name).collect()
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

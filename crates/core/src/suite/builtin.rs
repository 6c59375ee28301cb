//! The list of built-in suites: the files of `positions/`.

use std::sync::{LazyLock, OnceLock};

use super::{Case, KnownCount, Suite};
use crate::position::Position;

/// A built-in suite.
#[derive(Debug)]
pub struct BuiltIn {
    /// The name of the suite.
    pub name: &'static str,
    /// A short description of the suite.
    pub about: &'static str,
    /// The text of the file in `positions/`.
    pub text: &'static str,
    suite: OnceLock<Suite>,
}

macro_rules! built_in {
    ($name:literal, $about:literal) => {
        BuiltIn {
            name: $name,
            about: $about,
            text: include_str!(concat!("../../positions/", $name, ".epd")),
            suite: OnceLock::new(),
        }
    };
}

static SUITES: [BuiltIn; 3] = [
    built_in!("named", "well-known positions, with the deepest known counts"),
    built_in!("standard", "standard chess, one rule or typical bug per position"),
    built_in!("chess960", "Chess960, above all castling, one rule or typical bug per position"),
];

/// Reads a built-in suite: `FEN ;D1 20 ;id "name" ;c0 "comment"`. The reader of all lists is much larger, and the
/// WebAssembly module must stay small.
fn read(name: &str, text: &str) -> Suite {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let cases = lines.map(|(line, text)| {
        let mut operations = text.split(" ;");
        let fen = operations.next().unwrap_or_default().to_owned();
        let position = Position::from_fen(&fen).expect("the unit tests read all built-in suites");
        let mut case = Case { id: None, comment: None, fen, position, expected: Vec::new(), line };
        for (opcode, operand) in operations.filter_map(|operation| operation.split_once(' ')) {
            let text = || Some(operand.trim_matches('"').to_owned());
            match (opcode, opcode.trim_start_matches('D').parse(), operand.parse()) {
                ("id", ..) => case.id = text(),
                ("c0", ..) => case.comment = text(),
                (_, Ok(depth), Ok(nodes)) => case.expected.push(KnownCount { depth, nodes }),
                _ => {}
            }
        }
        case
    });
    Suite { name: name.to_owned(), cases: cases.collect(), notes: Vec::new() }
}

/// Lines that a FEN reader must refuse, with the reasons. They are the text of `positions/invalid.epd`.
pub const INVALID: &str = include_str!("../../positions/invalid.epd");

impl BuiltIn {
    /// Returns the suite. The first call reads it from the text.
    pub fn suite(&self) -> &Suite {
        self.suite.get_or_init(|| read(self.name, self.text))
    }
}

/// Returns all built-in suites.
pub fn suites() -> &'static [BuiltIn] {
    &SUITES
}

/// Returns the built-in suite with this name.
pub fn suite(name: &str) -> Option<&'static BuiltIn> {
    suites().iter().find(|built_in| built_in.name == name)
}

/// The names of positions 1 to 6 on the page "Perft Results" of the Chess Programming Wiki.
const WIKI: [&str; 6] = ["start", "kiwipete", "endgame", "mirrored", "talkchess", "alternative"];

/// Returns the case with this name in the suite [`named`](named()).
///
/// The name is case-insensitive. `startpos` is another name for `start`. The numbers of the Chess Programming Wiki are
/// names too: `position3` is `endgame`. `960:0` to `960:959` are the start positions of Chess960.
///
/// # Examples
/// ```
/// use perft_core::suite::builtin::position;
/// assert_eq!(position("Kiwipete").unwrap().expected[0].nodes, 48);
/// assert_eq!(position("startpos").unwrap().name(), "start");
/// assert_eq!(position("position3").unwrap().name(), "endgame");
/// assert_eq!(position("960:518").unwrap().position, position("start").unwrap().position);
/// assert!(position("960:0").unwrap().fen.starts_with("bbqnnrkr/"));
/// assert!(position("960:959").unwrap().fen.starts_with("rkrnnqbb/"));
/// assert!(position("nowhere").is_none() && position("960:960").is_none());
/// ```
pub fn position(name: &str) -> Option<&'static Case> {
    let name = name.to_lowercase();
    if let Some(number) = name.strip_prefix("960:") {
        static STARTS: LazyLock<Vec<Case>> = LazyLock::new(|| (0..960).map(chess960_start).collect());
        return STARTS.get(number.parse::<usize>().ok()?);
    }
    let number: Option<usize> = name.strip_prefix("position").and_then(|number| number.parse().ok());
    let name = match number {
        Some(number) => WIKI.get(number.checked_sub(1)?)?,
        None if name == "startpos" => "start",
        None => name.as_str(),
    };
    named().cases.iter().find(|case| case.name() == name)
}

/// Returns the start position of Chess960 with this number, from 0 to 959. The numbers are those of Reinhard Scharnagl: 518
/// is the start position of chess.
fn chess960_start(number: usize) -> Case {
    /// The places of the knights among the five squares that are free.
    const KNIGHTS: [[usize; 2]; 10] =
        [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];
    let mut rank = ['-'; 8];
    rank[number % 4 * 2 + 1] = 'b';
    rank[number / 4 % 4 * 2] = 'b';
    let mut place = |free: usize, piece: char| {
        let mut squares = (0..8).filter(|file| rank[*file] == '-');
        let file = squares.nth(free).expect("there are more free squares");
        rank[file] = piece;
    };
    place(number / 16 % 6, 'q');
    let [left, right] = KNIGHTS[number / 96];
    place(right, 'n');
    place(left, 'n');
    ['r', 'k', 'r'].into_iter().for_each(|piece| place(0, piece));
    let black: String = rank.into_iter().collect();
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", black.to_uppercase());
    let position = Position::from_fen(&fen).expect("it is a position of Chess960");
    Case { id: Some(format!("960:{number}")), comment: None, fen, position, expected: Vec::new(), line: 1 }
}

/// Returns the built-in suite of well-known positions, such as the start position and Kiwipete.
///
/// Its counts go up to the deepest ones that are known, so use [`Limits`](super::Limits).
pub fn named() -> &'static Suite {
    SUITES[0].suite()
}

/// Returns the built-in suite for standard chess. Each position tests one rule or one typical bug.
///
/// # Examples
/// ```
/// use perft_core::suite::{self, Limits};
/// # fn my_perft(fen: &str, depth: u32) -> u128 {
/// #     perft_core::Position::from_fen(fen).unwrap().perft(depth)
/// # }
/// let limits = Limits::max_nodes(10_000);
/// assert_eq!(suite::standard().first_difference(&limits, my_perft), None);
/// ```
pub fn standard() -> &'static Suite {
    SUITES[1].suite()
}

/// Returns the built-in suite for Chess960. Each position tests one rule or one typical bug. Most of them are about
/// castling.
pub fn chess960() -> &'static Suite {
    SUITES[2].suite()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_reader_of_lists_reads_them_the_same() {
        for built_in in suites() {
            let read = Suite::from_text(built_in.name, built_in.text).unwrap();
            assert_eq!(format!("{:?}", read.cases), format!("{:?}", built_in.suite().cases));
        }
    }

    #[test]
    fn every_case_has_a_unique_name_and_a_comment() {
        let mut names = HashSet::new();
        for built_in in suites() {
            for case in &built_in.suite().cases {
                assert!(case.id.is_some() && names.insert(case.name()), "{}", case.fen);
                assert!(case.comment.is_some(), "{}", case.name());
            }
        }
    }

    #[test]
    fn invalid_lines_are_refused_for_the_given_reasons() {
        let lines: Vec<&str> = INVALID.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.len() > 40);
        for line in lines {
            let (fen, reasons) = line.split_once(" ;c0 \"").expect("every line has its reasons");
            let error = Position::from_fen(fen).expect_err(fen);
            let found: Vec<String> = error.faults.iter().map(|fault| fault.kind.to_string()).collect();
            assert_eq!(found.join(" + "), reasons.trim_end_matches('"'), "{fen}");
        }
    }

    #[test]
    fn every_case_has_at_least_the_depths_1_to_4_without_gaps() {
        for built_in in suites() {
            for case in &built_in.suite().cases {
                let depths: Vec<u32> = case.expected.iter().map(|known| known.depth).collect();
                assert!(depths.len() >= 4, "{}", case.name());
                assert_eq!(depths, (1..=depths.len() as u32).collect::<Vec<_>>(), "{}", case.name());
            }
        }
    }
}

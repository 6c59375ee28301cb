//! One position of a list and the ways in which its numbers can be read.

use std::ops::Range;

use super::numbers::{Numbers, Reading};
use crate::position::{FenError, FenFault, START_FEN, SetupWarning, read_fen};
use crate::suite::{Case, KnownCount, LineFaultKind};
use crate::text::FoundFen;

/// A position and its numbers.
#[derive(Clone, Debug)]
pub struct Record {
    /// The case without counts, and without clocks in its FEN.
    pub case: Case,
    pub numbers: Numbers,
    pub warnings: Vec<SetupWarning>,
    /// The text of the line.
    pub text: String,
    /// Numbers that follow the FEN directly. The first two may be the clocks.
    tail: Vec<u128>,
}

/// The largest halfmove clock and fullmove number. Larger numbers after a FEN are counts.
const MAX_CLOCKS: [u128; 2] = [200, 9999];

type Faults = Vec<(Range<usize>, LineFaultKind)>;

impl Record {
    pub fn new(line: &str, found: &FoundFen<'_>, number: usize) -> Result<Record, Faults> {
        let fen = match &line[found.span.clone()] {
            "startpos" => START_FEN,
            fen => fen,
        };
        if let Some(variant) = variant(line, found) {
            return Err(vec![(found.span.clone(), LineFaultKind::Variant(variant))]);
        }
        let (setup, position, warnings) =
            read_fen(fen).map_err(|error| fen_faults(error, found.span.start))?;
        let is_plain = fen.is_ascii() && !fen.contains('_') && fen.split_whitespace().count() >= 4;
        Ok(Record {
            case: Case {
                id: None,
                comment: None,
                fen: if is_plain { fen.to_owned() } else { without_clocks(&setup.to_fen()) },
                position,
                expected: Vec::new(),
                line: number,
            },
            numbers: Numbers::default(),
            warnings,
            text: line.to_owned(),
            tail: found.tail.iter().map_while(|word| word.parse().ok()).collect(),
        })
    }

    /// Returns the number of legal moves, which is the count of depth 1.
    pub fn moves(&self) -> u128 {
        self.case.position.legal_moves().len() as u128
    }

    /// Returns the lists of numbers that can be counts: with and without two clocks before them.
    fn lists(&self) -> Vec<&[u128]> {
        match (self.numbers.plain.as_slice(), self.tail.as_slice()) {
            ([], [half, full, rest @ ..]) if *half <= MAX_CLOCKS[0] && *full <= MAX_CLOCKS[1] => {
                vec![&self.tail, rest]
            }
            ([], tail) => vec![tail],
            (plain, _) => vec![plain],
        }
    }

    /// Returns the counts in a reading, and how well they fit: -1 if the count of depth 1 is wrong or another one is
    /// too small, 1 if the count of depth 1 is right, and 0 if it is missing or about right.
    pub fn counts(&self, reading: Reading) -> Option<(Vec<KnownCount>, i8)> {
        let moves = self.moves();
        // Two numbers after a FEN that can be its clocks are counts only if one of them is the number of moves.
        let may_be_clocks = self.numbers.plain.is_empty() && self.tail.len() == 2 && self.lists().len() == 2;
        let readings = self.lists().into_iter().filter_map(|list| {
            let counts = reading.counts(list)?;
            let is_near = |nodes: u128| nodes > 12 && nodes.abs_diff(moves) * 2 <= moves;
            let is_small = counts.iter().any(|known| known.depth > 1 && known.nodes * 2 < moves);
            let fit = match counts.iter().find(|known| known.depth == 1) {
                _ if is_small => -1,
                Some(known) if known.nodes == moves => 1,
                Some(known) if !is_near(known.nodes) => -1,
                _ => 0,
            };
            (!may_be_clocks || fit == 1).then_some((counts, fit))
        });
        readings.max_by_key(|(_, fit)| *fit)
    }

    /// Whether numbers are the counts from depth 1 or 0 on, with the right count at depth 1.
    pub fn has_right_counts(&self, numbers: &[u128]) -> bool {
        let moves = self.moves();
        let is_right = matches!(numbers, [first, _, ..] if *first == moves)
            || matches!(numbers, [1, second, ..] if *second == moves);
        is_right && numbers.is_sorted_by(|a, b| a < b)
    }

    /// Returns the number of words of the tail that are clocks, if the counts are these.
    fn clocks(&self, counts: &[KnownCount]) -> usize {
        let is_of_tail = self.numbers.known.is_empty() && self.numbers.plain.is_empty();
        let is_whole_tail = is_of_tail
            && Reading::ALL.iter().any(|reading| reading.counts(&self.tail).as_deref() == Some(counts));
        if is_whole_tail { 0 } else { self.tail.len().min(2) }
    }

    /// Returns the position with these counts.
    pub fn into_case(self, mut expected: Vec<KnownCount>) -> Result<Case, Faults> {
        if expected.is_empty() {
            let has_numbers =
                !self.numbers.plain.is_empty() || self.lists().iter().any(|list| list.len() > 2);
            let moves = self.case.position.legal_moves().len();
            let kind = if has_numbers { LineFaultKind::UnclearDepths(moves) } else { LineFaultKind::NoCount };
            return Err(vec![(self.text.len()..self.text.len(), kind)]);
        }
        let clocks = self.tail[..self.clocks(&expected)].iter().map(|clock| format!(" {clock}"));
        let fen = self.case.fen.clone() + &clocks.collect::<String>();
        // The clocks may be too large.
        let in_line = |fault: FenFault| (0..self.text.len(), LineFaultKind::Fen(fault.kind));
        read_fen(&fen).map_err(|error| error.faults.into_iter().map(in_line).collect::<Faults>())?;
        expected.sort_by_key(|known| known.depth);
        Ok(Case { fen, expected, ..self.case })
    }
}

fn fen_faults(error: FenError, start: usize) -> Faults {
    let place = |span: Range<usize>| start + span.start..start + span.end;
    error.faults.into_iter().map(|fault| (place(fault.span), LineFaultKind::Fen(fault.kind))).collect()
}

fn without_clocks(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Returns what a position has that standard chess does not have.
fn variant(line: &str, found: &FoundFen<'_>) -> Option<String> {
    let fen = &line[found.span.clone()];
    let board = fen.split([' ', '_']).next().unwrap_or_default();
    let rest = &line[found.span.end..];
    let squares = |rank: &str| {
        let empty = rank
            .split(|letter: char| !letter.is_ascii_digit())
            .filter_map(|number| number.parse::<usize>().ok());
        rank.bytes().filter(u8::is_ascii_alphabetic).count() + empty.sum::<usize>()
    };
    let ranks: Vec<usize> = board.split('/').map(squares).collect();
    let (width, height) = (ranks.first().copied()?, ranks.len());
    let is_count_of_checks = |word: &str| {
        let word = word.trim_start_matches('+');
        word.len() == 3
            && word.contains('+')
            && word.bytes().all(|byte| byte == b'+' || byte.is_ascii_digit())
    };
    let white = board.bytes().filter(u8::is_ascii_uppercase).count();
    if board.contains('~')
        || line[found.span.start + board.len()..].starts_with('[')
        || (height == 9 && width == 8 && ranks[8] != 8)
    {
        Some("pieces in hand, as in Crazyhouse".to_owned())
    } else if ranks.iter().all(|&rank| rank == width) && width != 8 && width > 3 && height > 3 {
        Some(format!("a board of {width}x{height} squares"))
    } else if fen.split([' ', '_']).chain(rest.split_whitespace()).any(is_count_of_checks) {
        Some("a count of checks, as in Three-check".to_owned())
    } else if !board.contains('K') && white > 16 {
        Some(format!("{white} white pieces and no white king, as in Horde"))
    } else {
        None
    }
}

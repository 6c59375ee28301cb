//! One position of a list, and what the whole list says about the depths of its numbers.

use std::mem::discriminant;
use std::ops::Range;

use super::find_fen::FoundFen;
use super::numbers::{Numbers, Reading};
use crate::position::{FenError, FenFault, Position, START_FEN, SetupWarning, read_fen};
use crate::suite::{Case, KnownCount, LineFault, LineFaultKind, Suite, SuiteError};

/// A position and its numbers.
#[derive(Clone, Debug)]
pub struct Record {
    pub id: Option<String>,
    pub comment: Option<String>,
    pub position: Position,
    pub numbers: Numbers,
    warnings: Vec<SetupWarning>,
    /// The FEN as it is in the list, without clocks.
    fen: String,
    /// Numbers that follow the FEN directly. The first two may be the clocks.
    tail: Vec<u128>,
    /// The line and its number.
    text: String,
    line: usize,
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
        let read = read_fen(fen).map_err(|error| fen_faults(error, found.span.start))?;
        let is_plain = fen.is_ascii() && !fen.contains('_') && fen.split_whitespace().count() >= 4;
        Ok(Record {
            id: None,
            comment: None,
            position: read.position,
            numbers: Numbers::default(),
            warnings: read.warnings,
            fen: if is_plain { fen.to_owned() } else { without_clocks(&read.setup.to_fen()) },
            tail: found.tail.iter().map_while(|word| word.parse().ok()).collect(),
            text: line.to_owned(),
            line: number,
        })
    }

    /// Returns the lists of numbers that can be meant as counts: with and without two clocks before them.
    fn lists(&self) -> Vec<&[u128]> {
        match (self.numbers.plain.as_slice(), self.tail.as_slice()) {
            ([], [half, full, rest @ ..]) if *half <= MAX_CLOCKS[0] && *full <= MAX_CLOCKS[1] => {
                vec![&self.tail, rest]
            }
            ([], tail) => vec![tail],
            (plain, _) => vec![plain],
        }
    }

    /// Returns the counts in a reading, and whether the one of depth 1 is right, if there is one.
    fn counts(&self, reading: Reading) -> Option<(Vec<KnownCount>, Option<bool>)> {
        let moves = self.position.legal_moves().len() as u128;
        // Two numbers after a FEN that can be its clocks are counts only if one of them is the number of moves.
        let may_be_clocks = self.numbers.plain.is_empty() && self.tail.len() == 2 && self.lists().len() == 2;
        let readings = self.lists().into_iter().filter_map(|list| {
            let counts = reading.counts(list)?;
            // A list may be wrong, but then it is about right.
            let is_near = |nodes: u128| nodes > 12 && nodes.abs_diff(moves) * 2 <= moves;
            let at_one = counts.iter().find(|known| known.depth == 1).map(|known| known.nodes);
            let is_small = counts.iter().any(|known| known.depth > 1 && known.nodes * 2 < moves);
            let is_right = match at_one {
                _ if is_small => Some(false),
                Some(nodes) if is_near(nodes) && nodes != moves => None,
                at_one => at_one.map(|nodes| nodes == moves),
            };
            (!may_be_clocks || is_right == Some(true)).then_some((counts, is_right))
        });
        readings.max_by_key(|(_, is_right)| rank(*is_right))
    }

    /// Whether numbers are the counts from depth 1 or 0 on, and the one of depth 1 is right.
    pub fn has_right_counts(&self, numbers: &[u128]) -> bool {
        let moves = self.position.legal_moves().len() as u128;
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
    fn case(self, counts: Vec<KnownCount>) -> Result<Case, Faults> {
        if counts.is_empty() {
            let has_numbers =
                !self.numbers.plain.is_empty() || self.lists().iter().any(|list| list.len() > 2);
            let moves = self.position.legal_moves().len();
            let kind = if has_numbers { LineFaultKind::UnclearDepths(moves) } else { LineFaultKind::NoCount };
            return Err(vec![(self.text.len()..self.text.len(), kind)]);
        }
        let clocks: String =
            self.tail[..self.clocks(&counts)].iter().map(|clock| format!(" {clock}")).collect();
        let fen = self.fen + &clocks;
        // The clocks may be too large.
        let in_line = |fault: FenFault| (0..self.text.len(), LineFaultKind::Fen(fault.kind));
        read_fen(&fen).map_err(|error| error.faults.into_iter().map(in_line).collect::<Faults>())?;
        let mut expected = counts;
        expected.sort_by_key(|known| known.depth);
        Ok(Case {
            id: self.id,
            comment: self.comment,
            fen,
            position: self.position,
            expected,
            line: self.line,
        })
    }
}

/// Orders the answers to "is the count of depth 1 right?": right, there is none, wrong.
fn rank(is_right: Option<bool>) -> u8 {
    match is_right {
        Some(true) => 2,
        None => 1,
        Some(false) => 0,
    }
}

/// Returns the reading of the numbers without depths, for the whole list: the one that is wrong about the count of
/// depth 1 in the fewest positions, and right in the most. `None` if no reading fits any position.
fn reading(records: &[Record]) -> Option<Reading> {
    let open: Vec<&Record> = records.iter().filter(|record| record.numbers.known.is_empty()).collect();
    let score = |reading: Reading| {
        let ranks =
            open.iter().map(|record| record.counts(reading).map_or(0, |(_, is_right)| rank(is_right)));
        let (wrong, right) = ranks.fold((0, 0), |(wrong, right), rank| {
            (wrong + usize::from(rank == 0), right + usize::from(rank == 2))
        });
        (wrong, usize::MAX - right)
    };
    let best = Reading::ALL.into_iter().min_by_key(|&reading| score(reading))?;
    // Where most lines are wrong, the numbers mean something else.
    (score(best).0 * 2 < open.len()).then_some(best)
}

/// Whether the first named depth is 0 where 1 is meant: the count at depth 0 is the number of moves, and not 1.
fn begins_at_zero(records: &[Record]) -> bool {
    let zeros = records
        .iter()
        .filter_map(|record| Some((record.position.legal_moves().len(), record.numbers.at(0)?)));
    let (shifted, right) =
        zeros.filter(|(moves, _)| *moves != 1).fold((0, 0), |(shifted, right), (moves, nodes)| {
            (shifted + usize::from(nodes == moves as u128), right + usize::from(nodes == 1))
        });
    shifted > right
}

/// Makes the suite from what was read.
pub fn finish(
    name: &str,
    mut records: Vec<Record>,
    mut faults: Vec<LineFault>,
    unread: Vec<(usize, String)>,
) -> Result<Suite, SuiteError> {
    let is_shifted = begins_at_zero(&records);
    if is_shifted {
        records.iter_mut().for_each(|record| record.numbers.shift());
    }
    let reading = reading(&records);
    let mut notes: Vec<String> = variant_by_name(name).into_iter().collect();
    let mut cases = Vec::new();
    let mut is_read_so = false;
    let mut warnings: Vec<(usize, SetupWarning)> = Vec::new();
    for record in records.into_iter().filter(|record| !record.numbers.has_faults) {
        let known = record.numbers.known.clone();
        let read = reading.filter(|_| known.is_empty()).and_then(|reading| record.counts(reading));
        // A right count of depth 1 leaves no doubt.
        is_read_so |= read.as_ref().is_some_and(|(_, is_right)| *is_right != Some(true));
        let (line, text) = (record.line, record.text.clone());
        warnings.extend(record.warnings.iter().map(|warning| (line, *warning)));
        match record.case(read.map_or(known, |(counts, _)| counts)) {
            Ok(case) => cases.push(case),
            Err(of_line) => faults.extend(of_line.into_iter().map(|(span, kind)| LineFault {
                line,
                text: text.clone(),
                span,
                kind,
            })),
        }
    }
    if is_shifted {
        notes.push(
            "the depths are counted from 1, because the counts at depth 0 are numbers of moves".to_owned(),
        );
    }
    // Beside positions with counts, others do no harm.
    let (uncounted, others): (Vec<_>, Vec<_>) =
        faults.into_iter().partition(|fault| fault.kind == LineFaultKind::NoCount && !cases.is_empty());
    faults = others;
    if let Some(first) = uncounted.first() {
        let positions = match uncounted.len() {
            1 => "1 position has".to_owned(),
            many => format!("{many} positions have"),
        };
        notes.push(format!("{positions} no known count; the first is line {}", first.line));
    }
    if let Some(reading) = reading.filter(|_| is_read_so) {
        notes.push(format!("the numbers after each FEN are read as {reading}"));
    }
    notes.extend(joined_warnings(warnings));
    if cases.is_empty() && faults.is_empty() {
        let no_fen = |(line, text): &(usize, String)| LineFault {
            line: *line,
            text: text.clone(),
            span: 0..text.len(),
            kind: LineFaultKind::NoFen,
        };
        faults = unread.iter().map(no_fen).collect();
    } else if let Some((line, text)) = unread.first() {
        let lines = match unread.len() {
            1 => "1 line was".to_owned(),
            many => format!("{many} lines were"),
        };
        notes.push(format!("{lines} left out; the first is line {line}: '{text}'"));
    }
    faults.sort_by_key(|fault| fault.line);
    let name = name.to_owned();
    if faults.is_empty() { Ok(Suite { name, cases, notes }) } else { Err(SuiteError { name, faults, notes }) }
}

/// Returns a note for each kind of warning.
fn joined_warnings(mut warnings: Vec<(usize, SetupWarning)>) -> Vec<String> {
    let mut notes = Vec::new();
    while let Some(&(line, first)) = warnings.first() {
        let before = warnings.len();
        warnings.retain(|(_, warning)| discriminant(warning) != discriminant(&first));
        let more = match before - warnings.len() - 1 {
            0 => String::new(),
            more => format!(" ({more} more like this)"),
        };
        notes.push(format!("line {line}: {first}{more}"));
    }
    notes
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

/// Returns a note if the name of a suite has that of a variant in it.
fn variant_by_name(name: &str) -> Option<String> {
    let variants = [
        "atomic",
        "crazyhouse",
        "antichess",
        "giveaway",
        "suicide",
        "horde",
        "racing",
        "3check",
        "threecheck",
        "kingofthehill",
        "xiangqi",
        "shogi",
        "makruk",
        "capablanca",
    ];
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name).to_lowercase();
    let letters: String = file.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let word = variants.into_iter().find(|word| letters.contains(word))?;
    Some(format!(
        "the name of the file has '{word}' in it; perft counts by the rules of standard chess and Chess960"
    ))
}

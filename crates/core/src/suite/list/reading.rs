//! Chooses the reading of a list: the one of which most counts are right.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::form::{Counts, FORMS, Form, Trust};
use super::gap::Number;
use super::scan::{Scan, Spelling};
use crate::position::{Position, read_fen};
use crate::suite::KnownCount;
use crate::text::beginning;
use crate::text::label::Label;

/// The number of positions from which the reading is chosen.
const SAMPLE: usize = 1000;

/// More numbers of a position than this are left out.
const MAX_NUMBERS: usize = 10_000;

/// The number of bytes in which signs between digits are looked for.
const MAX_SAMPLE_BYTES: usize = 1 << 20;

/// The number of leaf nodes that are counted to choose the reading: in all positions, and in one.
const MAX_NODES: u128 = 100_000;
const NODES_OF_ONE: Range<u128> = 500..20_000;

/// No list is so deep, except where few moves are left.
const MAX_DEPTH: u32 = 30;

/// Where the numbers of a position are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Between it and the next position.
    Below,
    /// On both sides of it, up to the bracket or the blank line that ends its text.
    Around,
    /// In its line and below, up to the line of the next position.
    Lines,
    /// Between it and the position before.
    Above,
}

impl Side {
    const ALL: [Side; 4] = [Side::Below, Side::Around, Side::Lines, Side::Above];

    /// Returns which of the numbers of a list belong to a position.
    pub fn numbers(self, scan: &Scan, index: usize) -> Range<usize> {
        let (record, above, below) = (&scan.records[index], &scan.gaps[index], &scan.gaps[index + 1]);
        let next = scan.records.get(index + 1);
        let next_line = next.map_or(usize::MAX, |next| next.line_at);
        let fen = record.place.start;
        let (from, to) = match self {
            Side::Below => (fen, usize::MAX),
            Side::Around => {
                (above.border.unwrap_or(record.line_at), next.and(below.border).unwrap_or(next_line))
            }
            Side::Lines => (record.line_at, next_line),
            Side::Above => (0, fen),
        };
        let end = below.end.or(next.map(|next| next.place.start)).unwrap_or(usize::MAX);
        let before = index.checked_sub(1).map_or(0, |before| scan.records[before].place.start);
        let first = scan.numbers_before(from.clamp(before.max(above.start), fen));
        first..scan.numbers_before(to.clamp(fen, end)).min(first + MAX_NUMBERS)
    }

    /// Whether an end of a list has numbers that belong to no position.
    fn overlooks(self, scan: &Scan) -> bool {
        let Some(last) = scan.records.len().checked_sub(1) else { return false };
        let end = scan.gaps[last + 1].end.unwrap_or(usize::MAX);
        matches!(self, Side::Below | Side::Above)
            && (self.numbers(scan, 0).start > scan.numbers_before(scan.gaps[0].start)
                || self.numbers(scan, last).end < scan.numbers_before(end))
    }
}

/// How a list is read.
#[derive(Clone, Copy)]
pub struct Reading {
    pub spelling: Spelling,
    pub side: Side,
    /// The forms of positions with named depths and of the others; `None` if no form fits.
    pub forms: [Option<&'static Form>; 2],
    /// Whether right counts prove the forms.
    pub is_proven: [bool; 2],
}

impl Reading {
    /// Returns the index of the form of these numbers.
    pub fn kind(numbers: &[Number]) -> usize {
        usize::from(numbers.iter().all(|number| number.label != Label::Depth))
    }

    /// Returns the form of the numbers of a position. It is that of the list, unless all counts are wrong in that form and
    /// right in another one.
    pub fn form(&self, fen: &str, numbers: &[Number]) -> Option<&'static Form> {
        let kind = Reading::kind(numbers);
        let form = self.forms[kind]?;
        if kind == 0 {
            return Some(form);
        }
        let (sample, mut known) = ([(fen, numbers)], HashMap::new());
        let mut score = |form| score(form, &sample, NODES_OF_ONE.start, &mut known);
        let is_wrong = |score: &Score| score.right == 0 && score.wrong + score.refused > 0;
        let is_right = |score: &Score| score.right > 0 && score.wrong + score.refused == 0;
        let other = is_wrong(&score(form)).then(|| FORMS.iter().find(|form| is_right(&score(form))));
        Some(other.flatten().unwrap_or(form))
    }

    /// Chooses the reading of a text from its first positions.
    pub fn choose<'a>(text: &'a str, constants: &HashMap<&'a str, &'a str>) -> Reading {
        let mut known = HashMap::new();
        let mut best: Option<(_, usize, Reading)> = None;
        for spelling in spellings(text) {
            let scan = Scan::new(text, spelling, constants, SAMPLE);
            let node_limit = MAX_NODES / scan.records.len().max(1) as u128;
            let node_limit = node_limit.clamp(NODES_OF_ONE.start, NODES_OF_ONE.end);
            for side in Side::ALL {
                let mut samples = [Vec::new(), Vec::new()];
                let mut unread = scan.records.len();
                for (index, record) in scan.records.iter().enumerate() {
                    let numbers = &scan.numbers[side.numbers(&scan, index)];
                    if !numbers.is_empty() {
                        samples[Reading::kind(numbers)].push((record.fen, numbers));
                    }
                }
                let mut total = Score::default();
                let mut reading = Reading { spelling, side, forms: [None; 2], is_proven: [false; 2] };
                for (kind, sample) in samples.iter().enumerate() {
                    let scored =
                        FORMS.iter().rev().map(|form| (score(form, sample, node_limit, &mut known), form));
                    let accepted = scored.filter(|(score, form)| score.is_accepted(form, side));
                    let Some((score, form)) = accepted.max_by_key(|(score, _)| score.key()) else { continue };
                    reading.forms[kind] = Some(form);
                    reading.is_proven[kind] = score.right > 0;
                    total.add(&score);
                    unread -= sample.len();
                }
                let overlooks = side.overlooks(&scan);
                // In the better one of two readings, no position and no number is overlooked.
                let missed = Reverse(unread + usize::from(overlooks));
                let rank = (total.right > total.wrong && !overlooks, missed, total.key());
                // Clocks are read as counts only if that makes more of them right.
                let is_better = best.as_ref().is_none_or(|(other, right, _)| {
                    rank > *other && (!spelling.is_without_clocks || total.right > *right)
                });
                if is_better {
                    best = Some((rank, total.right, reading));
                }
            }
        }
        best.expect("there are several readings").2
    }
}

fn spellings(text: &str) -> impl Iterator<Item = Spelling> {
    let beginning = beginning(text, MAX_SAMPLE_BYTES);
    let digits = |part: &str| part.bytes().take_while(u8::is_ascii_digit).count();
    let is_between = |(at, _): (usize, &str)| {
        beginning[..at].ends_with(|c: char| c.is_ascii_digit()) && digits(&beginning[at + 1..]) == 3
    };
    let has_groups = |sign: char| beginning.match_indices(sign).any(is_between);
    let signs = [',', '.', ' '].into_iter().filter(move |sign| has_groups(*sign)).map(Some);
    let signs: Vec<Option<char>> = std::iter::once(None).chain(signs).collect();
    [false, true].into_iter().flat_map(move |is_without_clocks| {
        signs.clone().into_iter().map(move |sign| Spelling { sign, is_without_clocks })
    })
}

/// How well a form fits.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    right: usize,
    /// Those that are wrong, or much too large or small.
    wrong: usize,
    /// Those that are too large to be counted, but about as large as expected.
    plausible: usize,
    /// The positions that would be refused, and the depths without a count.
    refused: usize,
}

impl Score {
    /// The better one of two forms has more right counts without the bad ones. A number that is left over is worse than
    /// a wrong one.
    fn key(&self) -> (isize, usize) {
        (self.right as isize - (self.wrong + 2 * self.refused) as isize, self.plausible)
    }

    fn add(&mut self, other: &Score) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.plausible += other.plausible;
        self.refused += other.refused;
    }

    /// Named depths need no proof if no number is left over.
    fn is_accepted(&self, form: &Form, side: Side) -> bool {
        let is_proven = self.right > 0 && self.right >= self.wrong + self.refused;
        let is_plain = form.trust == Trust::Named && side != Side::Above && self.refused == 0;
        is_proven || is_plain || self.wrong + self.refused == 0 && self.plausible > 0
    }
}

/// What is known about a position: its counts from depth 0 on.
type Known<'a> = HashMap<&'a str, Option<(Position, Vec<u128>)>>;

fn score<'a>(form: &Form, sample: &[(&'a str, &[Number])], node_limit: u128, known: &mut Known<'a>) -> Score {
    let mut score = Score::default();
    for (fen, numbers) in sample {
        let Some((position, counts)) =
            known.entry(fen).or_insert_with(|| Some((read_fen(fen).ok()?.1, vec![1])))
        else {
            continue;
        };
        let Some(read) = (form.read)(numbers) else {
            score.refused += 1;
            continue;
        };
        score.refused += usize::from(read.unused.is_some()) + read.dangling;
        score.refused += read.known.iter().filter(|(_, number)| number.value.is_none()).count();
        for KnownCount { depth, nodes } in counted(&read) {
            match is_right(position, counts, depth, nodes, node_limit) {
                Some(true) if depth > 0 => score.right += 1,
                Some(true) => {}
                Some(false) => score.wrong += 1,
                None => score.plausible += 1,
            }
        }
    }
    score
}

/// Returns the counts that are known. A count of 0 is not known if another one is not 0.
pub fn counted(counts: &Counts) -> Vec<KnownCount> {
    let known = counts.known.iter().filter_map(|(depth, number)| {
        Some(KnownCount { depth: u32::try_from(*depth).unwrap_or(u32::MAX), nodes: number.value? })
    });
    let is_open = |count: &KnownCount| count.depth > 0 && count.nodes > 0;
    let has_other = known.clone().any(|count| is_open(&count));
    known.filter(|count| count.nodes > 0 || !has_other).collect()
}

/// Whether a count is right. `None` if it is too large to be counted and about as large as expected.
fn is_right(
    position: &Position,
    counts: &mut Vec<u128>,
    depth: u32,
    nodes: u128,
    node_limit: u128,
) -> Option<bool> {
    if depth > MAX_DEPTH && nodes > 0 {
        return Some(false);
    }
    while counts.len() <= depth as usize && counts.last().is_some_and(|last| *last <= node_limit) {
        let next = position.perft(counts.len() as u32);
        counts.push(next);
    }
    if let Some(count) = counts.get(depth as usize) {
        return Some(*count == nodes);
    }
    let last = counts.len() - 1;
    // The logarithm of a count grows about evenly.
    let expected = (counts[last] as f64).ln() * f64::from(depth) / last as f64;
    let found = (nodes.max(1) as f64).ln();
    if (expected * 0.5..expected * 2.0).contains(&found) { None } else { Some(false) }
}

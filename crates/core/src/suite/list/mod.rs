//! Reading suites: lists of positions with known counts, in the forms in which people keep them.
//!
//! A line is a FEN and the counts that belong to it. The FEN may be anywhere in the line. The depths of the counts are
//! named (`D3 8902`, `;3 8902`, `perft 3 = 8902`, `3: 8902`), given by a header of columns, or in order from depth 1.
//! EPD and the `.perft` files of python-chess and shakmaty have such lines. JSON has objects with a FEN and counts.
//!
//! ```text
//!   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D5 4865609
//!   8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - D1 14; D2 191; id "position 3"; c0 "a comment";
//!   Kiwipete, r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -, 48, 2039, 97862
//!   # a comment
//!
//!   id kings
//!   epd 8/8/8/8/8/8/8/k1K5 w - -
//!   perft 1 3
//!   perft 2 7
//! ```
//!
//! Numbers that can be read in several ways are read in the way in which the counts of depth 1 are right. The reader
//! finds every fault of a file, not only the first one.

mod header;
mod json;
mod lines;
mod numbers;
mod record;

use std::mem::discriminant;

use super::{LineFault, LineFaultKind, Suite, SuiteError};
use crate::position::SetupWarning;
use lines::List;
use numbers::Reading;
use record::Record;

impl Suite {
    /// Reads a list of positions with known counts: lines of EPD, of `.perft` files, of tables with commas,
    /// semicolons, tabs or the bars of Markdown, or JSON.
    ///
    /// `name` is the name of the suite or of its file, for messages. Empty lines and comments are left out.
    ///
    /// # Examples
    /// ```
    /// use perft_core::suite::Suite;
    /// let suite = Suite::from_text("mine", "4k3/8/8/8/8/8/8/4K2R w K - ;D1 15 ;D3 1197").unwrap();
    /// assert_eq!(suite.cases[0].expected[1].nodes, 1197);
    /// for text in [
    ///     "epd 4k3/8/8/8/8/8/8/4K2R w K -\nperft 1 15\nperft 3 1197",
    ///     "4k3/8/8/8/8/8/8/4K2R w K -; 1; 15; 3; 1197",
    ///     r#"{"fen": "4k3/8/8/8/8/8/8/4K2R w K -", "depths": {"1": 15, "3": 1197}}"#,
    /// ] {
    ///     assert_eq!(Suite::from_text("mine", text).unwrap().cases[0].expected, suite.cases[0].expected);
    /// }
    /// let error = Suite::from_text("mine", "4k3/8/8/8/8/8/8/4K2R w K - ;D1 x").unwrap_err();
    /// assert_eq!(error.to_string(), "mine:1:32: 'x' is not a number of nodes");
    /// ```
    ///
    /// # Errors
    /// Returns the faults of all lines, at most 100 for each line.
    pub fn from_text(name: &str, text: &str) -> Result<Suite, SuiteError> {
        let list = json::read(text).unwrap_or_else(|| {
            let text = text.strip_prefix('\u{feff}').unwrap_or(text);
            let mut list = List::default();
            (1..).zip(text.lines()).for_each(|(number, line)| list.line(line, number));
            list
        });
        finish(name, list)
    }
}

/// Returns the reading of the numbers without depths, for the whole list: the one that is wrong about the count of
/// depth 1 in the fewest positions, and right in the most. `None` if it is wrong in half of them.
fn reading(records: &[Record]) -> Option<Reading> {
    let open: Vec<&Record> = records.iter().filter(|record| record.numbers.known.is_empty()).collect();
    let score = |reading: Reading| {
        let fits = open.iter().map(|record| record.counts(reading).map_or(-1, |(_, fit)| fit));
        fits.fold((0, 0), |(wrong, not_right), fit| {
            (wrong + usize::from(fit < 0), not_right + usize::from(fit < 1))
        })
    };
    let best = Reading::ALL.into_iter().min_by_key(|&reading| score(reading))?;
    // If the reading is wrong in half of the positions, the numbers mean something else.
    (score(best).0 * 2 < open.len()).then_some(best)
}

/// Whether the named depths begin at 0 instead of 1: the count at depth 0 is the number of moves, and not 1.
fn begins_at_zero(records: &[Record]) -> bool {
    let at_zero = |record: &&Record| {
        record.numbers.known.iter().find(|known| known.depth == 0).map(|known| known.nodes)
    };
    let (mut shifted, mut right) = (0, 0);
    for record in records.iter().filter(|record| record.moves() != 1) {
        shifted += usize::from(at_zero(&record) == Some(record.moves()));
        right += usize::from(at_zero(&record) == Some(1));
    }
    shifted > right
}

/// Makes the suite from the list.
fn finish(name: &str, mut list: List) -> Result<Suite, SuiteError> {
    let mut records = std::mem::take(&mut list.records);
    let is_shifted = begins_at_zero(&records);
    if is_shifted {
        let known = records.iter_mut().flat_map(|record| &mut record.numbers.known);
        known.for_each(|known| known.depth += 1);
    }
    let reading = reading(&records);
    let mut notes: Vec<String> = variant_by_name(name).into_iter().collect();
    let mut cases = Vec::new();
    let mut is_read_so = false;
    let mut warnings: Vec<(usize, SetupWarning)> = Vec::new();
    for record in records.into_iter().filter(|record| !record.numbers.has_faults) {
        let known = record.numbers.known.clone();
        let read = reading.filter(|_| known.is_empty()).and_then(|reading| record.counts(reading));
        // With a right count of depth 1, no note is needed.
        is_read_so |= read.as_ref().is_some_and(|(_, fit)| *fit < 1);
        let (line, text) = (record.case.line, record.text.clone());
        warnings.extend(record.warnings.iter().map(|warning| (line, *warning)));
        match record.into_case(read.map_or(known, |(counts, _)| counts)) {
            Ok(case) => cases.push(case),
            Err(faults) => list.faults(&text, line, faults),
        }
    }
    if is_shifted {
        notes.push(
            "the depths are counted from 1, because the counts at depth 0 are numbers of moves".to_owned(),
        );
    }
    // Positions without counts are no faults if other positions have counts.
    let List { faults, unread, .. } = list;
    let (uncounted, mut faults): (Vec<_>, Vec<_>) =
        faults.into_iter().partition(|fault| fault.kind == LineFaultKind::NoCount && !cases.is_empty());
    if let Some(first) = uncounted.first() {
        let has = if uncounted.len() == 1 { "position has" } else { "positions have" };
        notes.push(format!("{} {has} no known count; the first is line {}", uncounted.len(), first.line));
    }
    if let Some(reading) = reading.filter(|_| is_read_so) {
        notes.push(format!("the numbers after each FEN are read as {}", reading.about()));
    }
    notes.extend(joined_warnings(warnings));
    if cases.is_empty() && faults.is_empty() {
        let kind = LineFaultKind::NoFen;
        let no_fen =
            |(line, text): (usize, String)| LineFault { line, span: 0..text.len(), text, kind: kind.clone() };
        faults = unread.into_iter().map(no_fen).collect();
    } else if let Some((line, text)) = unread.first() {
        let were = if unread.len() == 1 { "line was" } else { "lines were" };
        notes.push(format!("{} {were} left out; the first is line {line}: '{text}'", unread.len()));
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

/// Returns a note if the name of a suite contains the name of a variant.
fn variant_by_name(name: &str) -> Option<String> {
    let variants = "atomic crazyhouse antichess giveaway suicide horde racing 3check threecheck kingofthehill xiangqi \
                    shogi makruk capablanca";
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name).to_lowercase();
    let letters: String = file.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let word = variants.split(' ').find(|word| letters.contains(word))?;
    Some(format!(
        "the name of the file has '{word}' in it; perft counts by the rules of standard chess and Chess960"
    ))
}

#[cfg(test)]
mod tests;

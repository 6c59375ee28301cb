//! Reading suites: lists of positions with known counts, in whatever form people keep them.
//!
//! ```text
//!   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D5 4865609
//!   Kiwipete, r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -, 48, 2039, 97862
//!   {"fen": "8/8/8/8/8/8/8/k1K5 w - -", "depths": {"1": 3, "2": 7}}
//!   assert_eq!(perft(&board, 3), 8902);
//! ```
//!
//! There is one reader for all of them:
//!
//! 1. [`scan`] finds every FEN, also by the name of a constant, and the [`gap`] behind it: the numbers up to the next
//!    FEN or heading, each with the meaning of the words before it or of its column.
//! 2. A [`form`] says which of these numbers are depths and which are their counts: named depths, pairs, the counts from
//!    depth 1 on.
//! 3. A [`reading`] is the form of a whole list, with the sign between the digits and the side of the FEN on which the
//!    numbers are. All readings are tried on the first positions. The one of which most counts are right is the reading
//!    of the list.
//!
//! Only then is the list read. A number that the reading does not use is a fault, and so is a list that no reading fits:
//! nothing is guessed. The reader finds every fault of a list, not only the first one.

mod form;
mod gap;
mod reading;
mod scan;

use std::borrow::Cow;
use std::mem::discriminant;
use std::ops::Range;

use super::{Case, KnownCount, LineFault, LineFaultKind, Suite, SuiteError};
use crate::perft::MAX_DEPTH;
use crate::position::{FenFault, Position, SetupWarning, read_fen};
use crate::text::{beginning, place, variant_of_fen, variant_of_name};
use form::{Counts, Trust};
use gap::Number;
use reading::{Reading, counted};
use scan::{Record, Scan};

/// The largest number of faults of a line that are reported. Each of them has a copy of the text of the line.
const MAX_FAULTS: usize = 100;

/// A number up to this alone behind a FEN can be a depth whose count is not in the list.
const MAX_LONE_DEPTH: u128 = 30;

/// The number of bytes behind a FEN that can name a variant: a count of checks.
const MAX_VARIANT: usize = 40;

type Fault = (Range<usize>, LineFaultKind);

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
        let text = plain(text);
        let constants = scan::constants(&text);
        let reading = Reading::choose(&text, &constants);
        let scan = Scan::new(&text, reading.spelling, &constants, usize::MAX);
        let mut list =
            List { reading, scan: &scan, suite: Suite::default(), faults: Vec::new(), seen: Seen::default() };
        (0..scan.records.len()).for_each(|index| list.record(index));
        list.finish(name)
    }
}

/// Returns a text without the marks and escapes of files: a byte order mark, bytes of value 0, and `\\/` for `/`.
fn plain(text: &str) -> Cow<'_, str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match text.contains('\0') || text.contains("\\/") {
        true => text.replace('\0', "").replace("\\/", "/").into(),
        false => text.into(),
    }
}

/// The part of a list that was read so far.
struct List<'s, 'a> {
    scan: &'s Scan<'a, 's>,
    reading: Reading,
    suite: Suite,
    faults: Vec<Fault>,
    seen: Seen,
}

/// What the notes tell.
#[derive(Default)]
struct Seen {
    warnings: Vec<(usize, SetupWarning)>,
    /// The lines of positions without a known count.
    uncounted: Vec<usize>,
    /// The numbers that were read so far, and the lines of those that belong to no position.
    read: usize,
    homeless: Vec<usize>,
    /// The lines of positions with counts of 0 that stand for unknown counts.
    zeros: Vec<usize>,
    /// What the numbers are, if the form is unusual or no count proves it.
    form: Option<&'static str>,
}

impl List<'_, '_> {
    /// Reads a position.
    fn record(&mut self, index: usize) {
        let (scan, record) = (self.scan, &self.scan.records[index]);
        let numbers = self.reading.side.numbers(scan, index);
        self.seen.homeless.extend(
            scan.numbers[self.seen.read..numbers.start.max(self.seen.read)].iter().map(|number| number.line),
        );
        self.seen.read = numbers.end;
        if record.is_named && numbers.is_empty() {
            return;
        }
        match self.case(index, &scan.numbers[numbers]) {
            Ok(case) => self.add(case, record.is_row),
            Err(faults) => {
                let is_uncounted = faults.iter().all(is_uncounted);
                self.seen.uncounted.extend(is_uncounted.then_some(record.line));
                self.faults.extend(faults);
            }
        }
    }

    /// Adds a case. Lines of a table with one count each and the same FEN are one case.
    fn add(&mut self, case: Case, is_row: bool) {
        if let ([known], Some(last)) = (case.expected.as_slice(), self.suite.cases.last_mut())
            && is_row
            && last.position == case.position
            && last.expected.iter().all(|other| other.depth != known.depth)
        {
            last.expected.push(*known);
            last.expected.sort_by_key(|known| known.depth);
        } else {
            self.suite.cases.push(case);
        }
    }

    /// Returns the case of a position with these numbers.
    fn case(&mut self, index: usize, numbers: &[Number]) -> Result<Case, Vec<Fault>> {
        let (scan, record) = (self.scan, &self.scan.records[index]);
        let start = record.place.start;
        let after = beginning(&scan.text[record.place.end..], MAX_VARIANT).lines().next();
        if let Some(variant) = variant_of_fen(record.fen, after.unwrap_or_default()) {
            return Err(vec![(record.place.clone(), LineFaultKind::Variant(variant))]);
        }
        let fault = |fault: FenFault| match record.is_named {
            // The fault is shown at the name of the constant.
            true => (record.place.clone(), LineFaultKind::Fen(fault.kind)),
            false => (start + fault.span.start..start + fault.span.end, LineFaultKind::Fen(fault.kind)),
        };
        let (setup, position, warnings) = read_fen(record.fen)
            .map_err(|error| error.faults.into_iter().map(fault).collect::<Vec<Fault>>())?;
        let mut faults = scan.gaps[index + 1].faults.clone();
        let mut expected = self.expected(record, &position, numbers, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        expected.sort_by_key(|known| known.depth);
        self.seen.warnings.extend(warnings.into_iter().map(|warning| (record.line, warning)));
        let is_plain = record.fen.is_ascii() && !record.fen.contains('_');
        let mut fields = match is_plain && record.fen.split_whitespace().count() >= 4 {
            true => vec![record.fen.to_owned()],
            false => setup.to_fen().split(' ').take(4).map(str::to_owned).collect(),
        };
        fields.extend(record.clocks.iter().map(|clock| (*clock).to_owned()));
        let [id, comment] = scan.names(index).map(|name| name.map(str::to_owned));
        Ok(Case { id, comment, fen: fields.join(" "), position, expected, line: record.line })
    }

    /// Returns the known counts of a position, and adds the faults of its numbers.
    fn expected(
        &mut self,
        record: &Record,
        position: &Position,
        numbers: &[Number],
        faults: &mut Vec<Fault>,
    ) -> Vec<KnownCount> {
        let Some(first) = numbers.first() else {
            let end = record.clocks.last().map_or(record.place.end, |clock| place(self.scan.text, clock).end);
            faults.extend(faults.is_empty().then_some((end..end, LineFaultKind::NoCount)));
            return Vec::new();
        };
        let kind = Reading::kind(numbers);
        let form = self.reading.form(record.fen, numbers);
        let Some((form, counts)) = form.and_then(|form| Some((form, (form.read)(numbers)?))) else {
            let kind = match numbers {
                // `bench(FEN, 4)` has a depth and no count.
                [Number { value: Some(..=MAX_LONE_DEPTH), .. }] => LineFaultKind::NoCount,
                _ => LineFaultKind::UnclearDepths(position.legal_moves().len()),
            };
            faults.extend(faults.is_empty().then_some((first.place.clone(), kind)));
            return Vec::new();
        };
        if form.trust == Trust::Told || form.trust == Trust::Proven && !self.reading.is_proven[kind] {
            self.seen.form = Some(form.about);
        }
        if faults.is_empty() {
            *faults = self.number_faults(&counts);
        }
        let known = counted(&counts);
        if known.is_empty() && faults.is_empty() {
            faults.push((first.place.clone(), LineFaultKind::NoCount));
        }
        let numbers = counts.known.iter().filter(|(_, number)| number.value.is_some());
        self.seen.zeros.extend((known.len() < numbers.count()).then_some(record.line));
        known.into_iter().fold(Vec::new(), |mut known, count| {
            known.extend((!known.contains(&count)).then_some(count));
            known
        })
    }

    /// Returns the faults of the numbers of a position.
    fn number_faults(&self, counts: &Counts) -> Vec<Fault> {
        let text = |number: &Number| self.scan.text[number.place.clone()].to_owned();
        let mut faults: Vec<Fault> = Vec::new();
        for (index, (depth, number)) in counts.known.iter().enumerate() {
            let has_other = |(other, count): &(u128, &Number)| other == depth && count.value != number.value;
            let kind = match u32::try_from(*depth).ok().filter(|depth| *depth <= MAX_DEPTH) {
                _ if number.value.is_none() => LineFaultKind::BadCount(text(number)),
                None => LineFaultKind::BadDepth(depth.to_string()),
                Some(depth) if counts.known[..index].iter().any(has_other) => LineFaultKind::TwoCounts(depth),
                Some(_) => continue,
            };
            faults.push((number.place.clone(), kind));
        }
        faults
            .extend(counts.unused.map(|number| (number.place.clone(), LineFaultKind::NoDepth(text(number)))));
        faults
    }

    /// Makes the suite from the list.
    fn finish(mut self, name: &str) -> Result<Suite, SuiteError> {
        let scan = self.scan;
        self.seen.homeless.extend(scan.numbers[self.seen.read..].iter().map(|number| number.line));
        self.faults.extend(scan.gaps[0].faults.iter().cloned());
        // Positions without counts are no faults if other positions have counts or faults.
        if self.suite.cases.is_empty() && self.faults.iter().all(is_uncounted) {
            self.faults.truncate(MAX_FAULTS);
        } else {
            self.faults.retain(|fault| !is_uncounted(fault));
        }
        self.suite.name = name.to_owned();
        self.suite.notes = self.notes(name);
        if self.suite.cases.is_empty() && self.faults.is_empty() {
            self.suite.notes.clear();
            let number = scan.numbers.first().map(|number| number.place.clone());
            let unread = scan.unread.1.map(|(_, text)| place(scan.text, text));
            self.faults.extend(unread.or(number).map(|place| (place, LineFaultKind::NoFen)));
        }
        if self.faults.is_empty() {
            return Ok(self.suite);
        }
        // A position with a fault leaves the others readable. A number that was not understood does not.
        if self.faults.iter().any(|(_, kind)| !matches!(kind, LineFaultKind::Fen(_))) {
            self.suite.cases.clear();
        }
        Err(SuiteError { rest: self.suite, faults: faults_of_lines(scan.text, self.faults) })
    }

    /// Returns sentences about how the list was read.
    fn notes(&self, name: &str) -> Vec<String> {
        let scan = self.scan;
        let noted = |lines: &[usize], one: &str, many: &str| {
            let what = if lines.len() == 1 { one } else { many };
            lines.first().map(|first| format!("{} {what}; the first is line {first}", lines.len()))
        };
        let uncounted =
            noted(&self.seen.uncounted, "position has no known count", "positions have no known count");
        let unread = scan.unread.1.map(|(line, text)| {
            let were = if scan.unread.0 == 1 { "line was" } else { "lines were" };
            format!("{} {were} left out; the first is line {line}: '{text}'", scan.unread.0)
        });
        let notes = [
            variant_of_name(name),
            uncounted.filter(|_| !self.suite.cases.is_empty()),
            noted(
                &self.seen.zeros,
                "position has counts of 0, which are not checked",
                "positions have counts of 0, which are not checked",
            ),
            noted(
                &self.seen.homeless,
                "number belongs to no position and was left out",
                "numbers belong to no position and were left out",
            ),
            noted(
                &scan.commented,
                "position in a comment was left out",
                "positions in comments were left out",
            ),
            self.seen.form.map(|about| format!("the numbers of each FEN are read as {about}")),
        ];
        notes.into_iter().flatten().chain(joined_warnings(self.seen.warnings.clone())).chain(unread).collect()
    }
}

fn is_uncounted((_, kind): &Fault) -> bool {
    *kind == LineFaultKind::NoCount
}

/// Returns the faults with their lines, in the order of the lines.
fn faults_of_lines(text: &str, mut faults: Vec<Fault>) -> Vec<LineFault> {
    faults.sort_by_key(|(place, _)| place.start);
    let (mut number, mut start) = (1, 0);
    let mut of_lines: Vec<LineFault> = Vec::new();
    for (place, kind) in faults {
        let before = &text[start..place.start];
        number += before.matches('\n').count();
        start = before.rfind('\n').map_or(start, |end| start + end + 1);
        if of_lines.iter().rev().take_while(|fault| fault.line == number).count() < MAX_FAULTS {
            let line = text[start..].lines().next().unwrap_or_default().trim_end();
            let span = (place.start - start).min(line.len())..(place.end - start).min(line.len());
            of_lines.push(LineFault { line: number, text: line.to_owned(), span, kind });
        }
    }
    of_lines
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

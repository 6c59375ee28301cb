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
//! 1. [`scan`] finds every FEN, also by the name of a constant, and the [`gap`] behind it, up to the next FEN or heading.
//!    [`words`] reads its numbers, each with the meaning of the words before it or of its column.
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
mod words;

use std::borrow::Cow;
use std::mem::discriminant;
use std::ops::Range;

use super::{Case, KnownCount, LineFault, LineFaultKind, Suite, SuiteError};
use crate::perft::MAX_DEPTH;
use crate::position::{FenFault, Position, SetupWarning, read_fen};
use crate::text::lines::constants;
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
        let constants = constants(&text);
        let reading = Reading::choose(&text, &constants);
        let scan = Scan::new(&text, reading.spelling, &constants, usize::MAX);
        List { reading, scan: &scan, suite: Suite::default(), faults: Vec::new(), seen: Seen::default() }
            .read(name)
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
struct List<'a> {
    scan: &'a Scan<'a>,
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
    /// The lines of numbers that belong to no position.
    homeless: Vec<usize>,
    /// The lines of positions with counts of 0 that stand for unknown counts.
    zeros: Vec<usize>,
    /// What the numbers are, if the form is unusual or no count proves it.
    form: Option<&'static str>,
}

impl List<'_> {
    fn read(mut self, name: &str) -> Result<Suite, SuiteError> {
        let (scan, mut from) = (self.scan, 0);
        let lines = |from: usize, to| scan.numbers[from..to].iter().map(|number| number.line);
        for (index, record) in scan.records.iter().enumerate() {
            let numbers = self.reading.side.numbers(scan, index);
            self.seen.homeless.extend(lines(from, numbers.start.max(from)));
            from = numbers.end;
            // The name of a position is no position without counts.
            if record.is_named && numbers.is_empty() {
                continue;
            }
            match self.case(index, &scan.numbers[numbers]) {
                Ok(case) => self.add(case, record.is_row),
                Err(faults) => {
                    self.seen.uncounted.extend(faults.iter().all(is_uncounted).then_some(record.line));
                    self.faults.extend(faults);
                }
            }
        }
        self.seen.homeless.extend(lines(from, scan.numbers.len()));
        self.suite.name = name.to_owned();
        self.finish()
    }

    /// Lines of a table with one count each and the same FEN are one case.
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

    fn case(&mut self, index: usize, numbers: &[Number]) -> Result<Case, Vec<Fault>> {
        let (scan, record) = (self.scan, &self.scan.records[index]);
        let Record { fen, place, line, .. } = record;
        let after = beginning(&scan.text[place.end..], MAX_VARIANT).lines().next();
        if let Some(variant) = variant_of_fen(fen, after.unwrap_or_default()) {
            return Err(vec![(place.clone(), LineFaultKind::Variant(variant))]);
        }
        let fault = |FenFault { span, kind, .. }| match record.is_named {
            // The fault is shown at the name of the constant.
            true => (place.clone(), LineFaultKind::Fen(kind)),
            false => (place.start + span.start..place.start + span.end, LineFaultKind::Fen(kind)),
        };
        let (setup, position, warnings) =
            read_fen(fen).map_err(|error| error.faults.into_iter().map(fault).collect::<Vec<Fault>>())?;
        if let faults @ [_, ..] = &scan.gaps[index + 1].faults[..] {
            return Err(faults.to_vec());
        }
        let expected = self.expected(record, &position, numbers)?;
        self.seen.warnings.extend(warnings.into_iter().map(|warning| (*line, warning)));
        let is_plain = fen.is_ascii() && !fen.contains('_') && fen.split_whitespace().count() >= 4;
        let own = if is_plain { (*fen).to_owned() } else { setup.to_fen() };
        let fields = if is_plain { usize::MAX } else { 4 };
        let fen = own.split(' ').take(fields).chain(record.clocks.iter().copied());
        let fen = fen.collect::<Vec<_>>().join(" ");
        let [id, comment] = scan.names(index).map(|name| name.map(str::to_owned));
        Ok(Case { id, comment, fen, position, expected, line: *line })
    }

    fn expected(
        &mut self,
        record: &Record,
        position: &Position,
        numbers: &[Number],
    ) -> Result<Vec<KnownCount>, Vec<Fault>> {
        let fault = |place: Range<usize>, kind| Err(vec![(place, kind)]);
        let Some(first) = numbers.first() else {
            let end = record.clocks.last().map_or(record.place.end, |clock| place(self.scan.text, clock).end);
            return fault(end..end, LineFaultKind::NoCount);
        };
        let kind = Reading::kind(numbers);
        let form = self.reading.form(record.fen, numbers);
        let Some((form, counts)) = form.and_then(|form| Some((form, (form.read)(numbers)?))) else {
            let kind = match numbers {
                // `bench(FEN, 4)` has a depth and no count.
                [Number { value: Some(..=MAX_LONE_DEPTH), .. }] => LineFaultKind::NoCount,
                _ => LineFaultKind::UnclearDepths(position.legal_moves().len()),
            };
            return fault(first.place.clone(), kind);
        };
        if form.trust == Trust::Told || form.trust == Trust::Proven && !self.reading.is_proven[kind] {
            self.seen.form = Some(form.about);
        }
        let faults = self.number_faults(&counts);
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut known = counted(&counts);
        if known.is_empty() {
            return fault(first.place.clone(), LineFaultKind::NoCount);
        }
        self.seen.zeros.extend((known.len() < counts.known.len()).then_some(record.line));
        known.sort_by_key(|known| known.depth);
        known.dedup();
        Ok(known)
    }

    fn number_faults(&self, counts: &Counts) -> Vec<Fault> {
        let fault = |number: &Number, kind: fn(String) -> LineFaultKind| {
            (number.place.clone(), kind(self.scan.text[number.place.clone()].to_owned()))
        };
        let of_depth = |(index, (depth, number)): (usize, &(u128, &Number))| {
            let has_other = |(other, count): &(u128, &Number)| other == depth && count.value != number.value;
            match u32::try_from(*depth).ok().filter(|depth| *depth <= MAX_DEPTH) {
                _ if number.value.is_none() => Some(fault(number, LineFaultKind::BadCount)),
                None => Some((number.place.clone(), LineFaultKind::BadDepth(depth.to_string()))),
                Some(depth) if counts.known[..index].iter().any(has_other) => {
                    Some((number.place.clone(), LineFaultKind::TwoCounts(depth)))
                }
                Some(_) => None,
            }
        };
        let unused = counts.unused.map(|number| fault(number, LineFaultKind::NoDepth));
        counts.known.iter().enumerate().filter_map(of_depth).chain(unused).collect()
    }

    fn finish(mut self) -> Result<Suite, SuiteError> {
        if self.scan.records.is_empty() {
            self.faults.extend_from_slice(&self.scan.gaps[0].faults);
        }
        // Positions without counts are no faults if other positions have counts or faults.
        match self.suite.cases.is_empty() && self.faults.iter().all(is_uncounted) {
            true => self.faults.truncate(MAX_FAULTS),
            false => self.faults.retain(|fault| !is_uncounted(fault)),
        }
        if self.suite.cases.is_empty() && self.faults.is_empty() {
            let unread = self.scan.unread.first().map(|(_, text)| place(self.scan.text, text));
            let number = self.scan.numbers.first().map(|number| number.place.clone());
            self.faults.extend(unread.or(number).map(|place| (place, LineFaultKind::NoFen)));
        } else {
            self.suite.notes = self.notes();
        }
        if self.faults.is_empty() {
            return Ok(self.suite);
        }
        // A position with a fault leaves the others readable. A number that was not understood does not.
        if self.faults.iter().any(|(_, kind)| !matches!(kind, LineFaultKind::Fen(_))) {
            self.suite.cases.clear();
        }
        Err(SuiteError {
            rest: self.suite,
            faults: LineFault::of_text(self.scan.text, self.faults, MAX_FAULTS),
        })
    }

    /// Returns sentences about how the list was read.
    fn notes(&self) -> Vec<String> {
        let Seen { uncounted, homeless, zeros, .. } = &self.seen;
        let noted = |lines: &[usize], one: &str, many: &str| {
            let what = if lines.len() == 1 { one } else { many };
            lines.first().map(|first| format!("{} {what}; the first is line {first}", lines.len()))
        };
        let (lines, texts): (Vec<usize>, Vec<&str>) = self.scan.unread.iter().copied().unzip();
        let unread = noted(&lines, "line was left out", "lines were left out");
        let uncounted = noted(uncounted, "position has no known count", "positions have no known count");
        let notes = [
            variant_of_name(&self.suite.name),
            uncounted.filter(|_| !self.suite.cases.is_empty()),
            noted(
                zeros,
                "position has counts of 0, which are not checked",
                "positions have counts of 0, which are not checked",
            ),
            noted(
                homeless,
                "number belongs to no position and was left out",
                "numbers belong to no position and were left out",
            ),
            noted(
                &self.scan.commented,
                "position in a comment was left out",
                "positions in comments were left out",
            ),
            self.seen.form.map(|about| format!("the numbers of each FEN are read as {about}")),
        ];
        let unread = unread.map(|unread| format!("{unread}: '{}'", texts[0]));
        notes.into_iter().flatten().chain(joined_warnings(self.seen.warnings.clone())).chain(unread).collect()
    }
}

fn is_uncounted((_, kind): &Fault) -> bool {
    *kind == LineFaultKind::NoCount
}

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

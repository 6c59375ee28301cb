//! Reads a list line by line: which lines have a position, and to which position the counts of other lines belong.

use std::ops::Range;

use super::header::{Header, read_below, read_fields, title};
use super::record::Record;
use crate::suite::{LineFault, LineFaultKind};
use crate::text::{FoundFen, find_fen};

/// The largest number of faults of a line that are reported. Each of them has a copy of the text of the line.
const MAX_FAULTS: usize = 100;

/// After this number of unread lines, numbers no longer belong to the position above.
const MAX_GAP: usize = 4;

/// The part of a list that was read so far.
#[derive(Debug, Default)]
pub struct List {
    pub records: Vec<Record>,
    pub faults: Vec<LineFault>,
    header: Option<Header>,
    /// The name of the next position, from a line of its own.
    title: Option<String>,
    /// The lines without a FEN and without a count.
    pub unread: Vec<(usize, String)>,
    /// Whether the last line with a position was refused, so that the counts below it have no position.
    last_is_refused: bool,
    /// The number of unread lines since the last position or count.
    gap: usize,
}

impl List {
    pub fn line(&mut self, line: &str, number: usize) {
        let line = line.replace('\0', "");
        let line = line.trim_end();
        let text = line.trim_start();
        if !text.contains(char::is_alphanumeric) {
            return;
        }
        let comment = ["#", "//", "--", "%", "/*"].iter().find_map(|sign| text.strip_prefix(sign));
        if let Some(comment) = comment {
            if text.starts_with("##") {
                self.title = title(text);
            }
            self.header = Header::parse(comment.trim()).or(self.header.take());
            return;
        }
        let Some(mut found) = find_fen(line) else { return self.without_fen(line, number) };
        let mut rest = line;
        while let Some(next) = find_fen(&rest[found.end..]) {
            let (part, after) = rest.split_at(found.end + next.span.start);
            self.position(part, &found, number, |_| {});
            rest = after;
            let Some(next) = find_fen(rest) else { return };
            found = next;
        }
        self.position(rest, &found, number, |_| {});
    }

    /// Adds the faults of a line.
    pub fn faults(&mut self, line: &str, number: usize, faults: Vec<(Range<usize>, LineFaultKind)>) {
        let before = self.faults.iter().rev().take_while(|fault| fault.line == number).count();
        let new = faults.into_iter().take(MAX_FAULTS.saturating_sub(before));
        let text = || line.to_owned();
        self.faults.extend(new.map(|(span, kind)| LineFault { line: number, text: text(), span, kind }));
    }

    /// Reads a text with a FEN. `read` reads numbers that are not in the text.
    pub fn position(
        &mut self,
        line: &str,
        found: &FoundFen<'_>,
        number: usize,
        read: impl FnOnce(&mut Record),
    ) {
        let title = self.title.take();
        self.last_is_refused = true;
        self.gap = 0;
        let mut record = match Record::new(line, found, number) {
            Ok(record) => record,
            Err(faults) => return self.faults(line, number, faults),
        };
        if title.is_some() && self.unread.last().is_some_and(|(_, text)| self::title(text) == title) {
            self.unread.pop();
        }
        record.case.id = title;
        if let Some(header) = &self.header {
            header.read(line, found, &mut record);
        }
        read(&mut record);
        record.numbers.end_record();
        if record.numbers.is_empty() && record.numbers.faults.is_empty() {
            read_fields(line, found, &mut record);
        }
        self.faults(line, number, std::mem::take(&mut record.numbers.faults));
        if self.faults.last().is_none_or(|fault| fault.line != number) {
            self.last_is_refused = false;
            self.add(record);
        }
    }

    /// Adds a record. Lines with one count each and the same FEN are one position.
    fn add(&mut self, record: Record) {
        if let [known] = record.numbers.known.as_slice()
            && record.numbers.plain.is_empty()
            && self.header.is_some()
            && let Some(last) = self.records.last_mut()
            && last.case.position == record.case.position
            && last.numbers.known.iter().all(|other| other.depth != known.depth)
        {
            last.numbers.known.push(*known);
            return;
        }
        self.records.push(record);
    }

    /// Reads a line without a FEN: a name, a header, a count of the position above, or something else.
    fn without_fen(&mut self, line: &str, number: usize) {
        let text = line.trim_start();
        let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        if word == "id" {
            self.title = Some(rest.trim().to_owned());
            return;
        }
        if let Some(header) = Header::parse(text) {
            self.header = Some(header);
            return;
        }
        if word == "epd" {
            self.last_is_refused = true;
            let end = line.len();
            return self.faults(line, number, vec![(end..end, LineFaultKind::NoFen)]);
        }
        self.counts_of_line(line, text, number);
    }

    /// Reads the counts of a line without a FEN, which belong to the position above.
    fn counts_of_line(&mut self, line: &str, text: &str, number: usize) {
        let open = self.records.last().filter(|_| self.gap < MAX_GAP);
        let is_list = |counts: &[u128]| {
            open.is_some_and(|record| record.numbers.is_empty() && record.has_right_counts(counts))
        };
        let place = line.len() - text.len()..line.len();
        let mut numbers = open.map(|record| record.numbers.begun()).unwrap_or_default();
        let is_count = read_below(&mut numbers, line, text, is_list);
        if numbers.is_unread() || open.is_none() && !is_count {
            self.unread.push((number, text.to_owned()));
            self.title = title(text);
            self.gap += 1;
        } else if !self.last_is_refused {
            self.title = None;
            self.gap = 0;
            match self.records.last_mut() {
                Some(record) => record.numbers.join(&mut numbers, place),
                None => numbers.faults = vec![(place, LineFaultKind::NoPosition)],
            }
            self.faults(line, number, numbers.faults);
        }
    }
}

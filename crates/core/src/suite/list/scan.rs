//! Finds the positions of a list, and what stands between them.
//!
//! A list is read line by line. The text between two positions is a [`Gap`]: the one above a position ends there, and
//! the one below begins.

use std::collections::HashMap;
use std::ops::Range;

use super::gap::{Gap, Number};
use crate::position::START_FEN;
use crate::suite::LineFaultKind;
use crate::text::header::{Column, Header};
use crate::text::label::Label;
use crate::text::lines::{is_comment, is_heading, is_index, is_start, name_before, opens_function};
use crate::text::lines::{title, without_remark};
use crate::text::{find_fen, place, unquoted};

/// The largest halfmove clock and fullmove number. Larger numbers after a FEN are counts.
const MAX_CLOCKS: [u32; 2] = [200, 9999];

/// How numbers are told from others in a list.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spelling {
    /// The sign between the digits of a number, in addition to those that are never used between two numbers.
    pub sign: Option<char>,
    /// Whether the numbers directly behind the fields of a FEN are counts, and not clocks.
    pub is_without_clocks: bool,
}

/// A position in a list.
#[derive(Debug)]
pub struct Record<'a> {
    /// The FEN without its clocks.
    pub fen: &'a str,
    /// Its bytes in the list.
    pub place: Range<usize>,
    /// The clocks of the FEN, if it has any.
    pub clocks: Vec<&'a str>,
    /// The number of the line, and the place at which it begins.
    pub line: usize,
    pub line_at: usize,
    /// Whether a word stands for the position: `startpos`, or the name of a constant.
    pub is_named: bool,
    /// Whether it is a row of a table with a header.
    pub is_row: bool,
    /// The name before it.
    id: Option<&'a str>,
    /// The place from which on the names in the gap above are those of this position.
    names_from: usize,
}

/// The positions of a list, in their order, with the numbers and the names between them.
#[derive(Default)]
pub struct Scan<'a> {
    pub text: &'a str,
    pub spelling: Spelling,
    constants: HashMap<&'a str, &'a str>,
    /// The number of the line, and whether the line before is blank.
    pub number: usize,
    is_behind_blank: bool,
    header: Option<Header>,
    /// A line of its own that can be the name of the next position, with its number; 0 for a heading.
    title: Option<(usize, &'a str)>,
    pub records: Vec<Record<'a>>,
    /// The gaps above the positions, and the one below the last position.
    pub gaps: Vec<Gap<'a>>,
    /// The gap that is being read.
    pub gap: Gap<'a>,
    /// Whether a quote is open.
    pub is_quoted: bool,
    pub numbers: Vec<Number>,
    /// The lines from which nothing was read, with their numbers.
    pub unread: Vec<(usize, &'a str)>,
    /// The lines of the positions in comments.
    pub commented: Vec<usize>,
}

impl<'a> Scan<'a> {
    /// Reads at most this number of positions. `constants` are the FENs of names.
    pub fn new(
        text: &'a str,
        spelling: Spelling,
        constants: &HashMap<&'a str, &'a str>,
        most: usize,
    ) -> Scan<'a> {
        let constants = constants.clone();
        let mut scan = Scan { text, spelling, constants, is_behind_blank: true, ..Scan::default() };
        let mut lines = text.lines().peekable();
        while scan.records.len() <= most
            && let Some(line) = lines.next()
        {
            scan.line(line, lines.peek().is_none_or(|next| next.trim().is_empty()));
        }
        scan.leave_out(None);
        scan.gaps.push(std::mem::take(&mut scan.gap));
        scan.records.truncate(most);
        scan
    }

    /// Returns how many numbers are before a place.
    pub fn numbers_before(&self, at: usize) -> usize {
        self.numbers.partition_point(|number| number.place.start < at)
    }

    /// Returns the name and the comment of a position.
    pub fn names(&self, index: usize) -> [Option<&'a str>; 2] {
        let (record, below) = (&self.records[index], &self.gaps[index + 1]);
        let end = below.border.or(below.first_line).unwrap_or(usize::MAX);
        let above = self.gaps[index].names.iter().filter(|(.., at)| *at >= record.names_from);
        let below = below.names.iter().filter(|(.., at)| *at < end);
        let mut found = [record.id, None];
        for (label, name, _) in above.chain(below).filter(|(_, name, _)| !name.is_empty()) {
            match label {
                Label::Name => found[0] = Some(*name),
                Label::Comment => found[1] = Some(*name),
                _ => {}
            }
        }
        found
    }

    fn line(&mut self, line: &'a str, is_before_blank: bool) {
        self.number += 1;
        let text = line.trim();
        let at = place(self.text, line).start;
        let is_alone = self.is_behind_blank && is_before_blank;
        self.is_behind_blank = text.is_empty();
        self.is_quoted = false;
        self.gap.line(at, text.is_empty() || text.starts_with("- "));
        let is_comment = is_comment(text);
        if !text.contains(char::is_alphanumeric) {
            return;
        }
        if is_heading(text, is_alone) {
            self.gap.end(at);
            self.header = None;
            self.leave_out(Some((0, text)));
        }
        if is_start(text) {
            self.begin(line, 0, place(line, text), Some(START_FEN));
        } else if let Some(header) = Header::parse(text.trim_start_matches(['#', '/', ' '])) {
            self.header = Some(header);
        } else if is_comment {
            let has_position = text.contains('/') && find_fen(text).is_some();
            self.commented.extend(has_position.then_some(self.number));
        } else {
            self.positions(without_remark(line), text);
        }
    }

    /// Reads the positions and the numbers of a line.
    fn positions(&mut self, line: &'a str, text: &'a str) {
        let (mut from, found) = (0, self.numbers.len() + self.gap.names.len());
        while let Some((span, fen)) = self.next_position(line, from) {
            if !is_index(&line[..span.start]) {
                self.read(line, from..span.start, from > 0);
            }
            from = self.begin(line, from, span, fen);
        }
        if from == 0 {
            self.line_of_its_own(text);
        }
        self.read(line, from..line.len(), from > 0);
        if from == 0 {
            let is_unread = self.numbers.len() + self.gap.names.len() == found;
            self.leave_out(is_unread.then_some((self.number, text)));
        }
    }

    /// Reads what only a line without a position can have.
    fn line_of_its_own(&mut self, text: &'a str) {
        let at = place(self.text, text).start;
        let fault = |word: &str, kind: fn(String) -> LineFaultKind| {
            let word_at = at + place(text, word).start;
            (word_at..word_at + word.len(), kind(word.to_owned()))
        };
        let is_number = |word: &str| word.starts_with(|letter: char| letter.is_ascii_digit());
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            ["id", ..] => self.gap.names.push((Label::Name, text[2..].trim(), at)),
            ["epd", ..] => self.gap.faults.push((at + text.len()..at + text.len(), LineFaultKind::NoFen)),
            ["perft", depth, _] if !is_number(depth) => {
                self.gap.faults.push(fault(depth, LineFaultKind::BadDepth))
            }
            ["perft", _, nodes] if !is_number(nodes) => {
                self.gap.faults.push(fault(nodes, LineFaultKind::BadCount))
            }
            _ if opens_function(text) => self.gap.end(at),
            _ => {}
        }
    }

    /// Reads the numbers of a part of a line.
    fn read(&mut self, line: &'a str, range: Range<usize>, is_behind_fen: bool) {
        let at = place(self.text, line).start;
        let columns = self.header.as_ref().and_then(|header| header.columns(line));
        for (place, column) in columns.unwrap_or_else(|| vec![(range.clone(), Column::default())]) {
            let inner = at + place.start.max(range.start)..at + place.end.min(range.end);
            match column.0 {
                _ if inner.is_empty() => {}
                Label::Name | Label::Comment => {
                    self.gap.names.push((column.0, unquoted(&line[place]), inner.start));
                }
                _ => self.read_part(inner, column, is_behind_fen),
            }
        }
    }

    /// Returns the next position of a line: its place, and its FEN if it is a constant.
    fn next_position(&self, line: &'a str, from: usize) -> Option<(Range<usize>, Option<&'a str>)> {
        let rest = &line[from..];
        let found = (rest.contains('/') || rest.contains("startpos")).then(|| find_fen(rest)).flatten();
        let found = found.map(|found| (from + found.span.start..from + found.span.end, None));
        if self.constants.is_empty() {
            return found;
        }
        // The name of a constant also stands before its own FEN and where this FEN is the last position.
        let (end, own) =
            found.as_ref().map_or((line.len(), ""), |(span, _)| (span.start, &line[span.clone()]));
        let last = self.records.last().map_or("", |record| record.fen);
        let mut words = line[from..end].split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let named = words.find_map(|word| {
            let fen = self.constants.get(word).filter(|fen| ![last, own].contains(fen))?;
            Some((place(line, word), Some(*fen)))
        });
        named.or(found)
    }

    /// Returns the place in the line behind the position.
    fn begin(&mut self, line: &'a str, from: usize, span: Range<usize>, named: Option<&'a str>) -> usize {
        let line_at = place(self.text, line).start;
        let title = self.title.and_then(|(_, text)| title(text));
        self.title = self.title.filter(|_| title.is_none());
        self.leave_out(None);
        let first_line = self.gap.first_line.filter(|_| !self.records.is_empty());
        let names_from = self.gap.border.or(first_line).unwrap_or(0);
        self.gaps.push(std::mem::take(&mut self.gap));
        let named = named.or((&line[span.clone()] == "startpos").then_some(START_FEN));
        let tail = named
            .map_or_else(|| find_fen(&line[span.start..]), |_| None)
            .map_or_else(Vec::new, |fen| fen.tail);
        let is_clock = |(word, most): (&&str, u32)| word.parse::<u32>().is_ok_and(|clock| clock <= most);
        let has_clocks =
            !self.spelling.is_without_clocks && tail.len() > 1 && tail.iter().zip(MAX_CLOCKS).all(is_clock);
        let clocks = if has_clocks { tail[..2].to_vec() } else { Vec::new() };
        let end = clocks.last().map_or(span.end, |clock| place(line, clock).end);
        let own = names_from.saturating_sub(line_at).clamp(from, span.start);
        self.records.push(Record {
            fen: named.unwrap_or(&line[span.clone()]),
            place: line_at + span.start..line_at + span.end,
            clocks,
            line: self.number,
            line_at,
            is_named: named.is_some(),
            is_row: self.header.is_some(),
            id: title.or_else(|| name_before(&line[own..span.start])),
            names_from,
        });
        end
    }

    /// Notes a line from which nothing was read, unless it is the name of the next position.
    fn leave_out(&mut self, line: Option<(usize, &'a str)>) {
        self.unread.extend(self.title.filter(|(number, _)| *number > 0));
        self.title = line;
    }
}

//! Finds the positions of a list, and what stands between them.
//!
//! A list is read line by line. The text between two positions is a [`Gap`]. Each position has the gap above it and the
//! one below it.

use std::collections::{HashMap, VecDeque};
use std::iter::Peekable;
use std::ops::Range;
use std::rc::Rc;
use std::str::Lines;

use super::gap::{Gap, Part};
use crate::position::START_FEN;
use crate::suite::LineFaultKind;
use crate::text::header::Header;
use crate::text::label::{self, Label};
use crate::text::lines::{constant, is_comment, is_heading, is_index, is_start, name_before, opens_function};
use crate::text::lines::{title, without_remark};
use crate::text::{find_fen, place, unquoted};

/// The largest halfmove clock and fullmove number. Larger numbers after a FEN are counts.
const MAX_CLOCKS: [u32; 2] = [200, 9999];

/// How numbers are told from others in a list.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// The sign between the digits of a number, in addition to those that are never used between two numbers.
    pub sign: Option<char>,
    /// Whether the numbers directly behind the fields of a FEN are counts, and not clocks.
    pub is_without_clocks: bool,
}

/// A position in a list.
#[derive(Clone, Debug, Default)]
pub struct Record<'a> {
    /// The FEN without its clocks.
    pub fen: &'a str,
    /// Its bytes in the list.
    pub place: Range<usize>,
    /// The clocks of the FEN, if it has any.
    pub clocks: Vec<&'a str>,
    /// Whether more than two numbers follow the FEN directly.
    pub has_tail: bool,
    /// The number of the line, and the place at which it begins.
    pub line: usize,
    pub line_at: usize,
    /// Whether a word stands for the position: `startpos`, or the name of a constant.
    pub is_named: bool,
    /// Whether it is a row of a table with a header.
    pub is_row: bool,
    pub id: Option<&'a str>,
    pub comment: Option<&'a str>,
    pub above: Rc<Gap<'a>>,
    pub below: Rc<Gap<'a>>,
}

/// The positions of a list, in their order.
pub struct Scan<'a, 's> {
    text: &'a str,
    lines: Peekable<Lines<'a>>,
    /// The number of the line, and whether the line before is blank.
    number: usize,
    is_behind_blank: bool,
    spelling: Spelling,
    constants: &'s HashMap<&'a str, &'a str>,
    header: Option<Header>,
    /// The positions that were read to their end, the last position, and the gap below it.
    ready: VecDeque<Record<'a>>,
    last: Option<Record<'a>>,
    gap: Gap<'a>,
    /// A line of its own that can be the name of the next position, and its number; 0 for a heading.
    title: Option<(&'a str, usize)>,
    /// The lines from which nothing was read, and the positions in comments: their number, and the first one.
    pub unread: (usize, Option<(usize, &'a str)>),
    pub commented: Vec<usize>,
    /// The gap above the first position.
    pub top: Rc<Gap<'a>>,
}

impl<'a> Iterator for Scan<'a, '_> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        while self.ready.is_empty() {
            match self.lines.next() {
                Some(line) => self.line(line),
                None => {
                    self.finish();
                    return self.ready.pop_front();
                }
            }
        }
        self.ready.pop_front()
    }
}

impl<'a, 's> Scan<'a, 's> {
    pub fn new(text: &'a str, spelling: Spelling, constants: &'s HashMap<&'a str, &'a str>) -> Scan<'a, 's> {
        Scan {
            text,
            lines: text.lines().peekable(),
            number: 0,
            is_behind_blank: true,
            spelling,
            constants,
            header: None,
            ready: VecDeque::new(),
            last: None,
            gap: Gap::default(),
            title: None,
            unread: (0, None),
            commented: Vec::new(),
            top: Rc::default(),
        }
    }

    /// Ends the last position, and returns the gap below it.
    fn finish(&mut self) -> Rc<Gap<'a>> {
        self.leave_out(None);
        let gap = Rc::new(std::mem::take(&mut self.gap));
        match self.last.take() {
            None => self.top = Rc::clone(&gap),
            Some(mut record) => {
                let end = gap.border.or(gap.first_line).unwrap_or(usize::MAX);
                record.set_names(&gap, 0..end);
                record.below = Rc::clone(&gap);
                self.ready.push_back(record);
            }
        }
        gap
    }

    fn line(&mut self, line: &'a str) {
        self.number += 1;
        let text = line.trim();
        let at = place(self.text, line).start;
        let is_alone = self.is_behind_blank && self.lines.peek().is_none_or(|next| next.trim().is_empty());
        self.is_behind_blank = text.is_empty();
        self.gap.line(at, text.is_empty() || text.starts_with("- "));
        let is_comment = is_comment(text);
        if !text.contains(char::is_alphanumeric) {
            return;
        }
        if is_heading(text, is_alone) {
            self.gap.end();
            self.header = None;
            self.leave_out(Some((text, 0)));
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
        let (mut from, found) = (0, self.gap.numbers.len() + self.gap.names.len());
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
            let is_unread = self.gap.numbers.len() + self.gap.names.len() == found;
            self.leave_out(is_unread.then_some((text, self.number)));
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
            _ if opens_function(text) => self.gap.end(),
            _ => {}
        }
    }

    /// Reads the numbers of a part of a line.
    fn read(&mut self, line: &'a str, range: Range<usize>, is_behind_fen: bool) {
        let at = place(self.text, line).start;
        let columns = self.header.as_ref().and_then(|header| header.columns(line));
        for (column, label) in columns.unwrap_or_else(|| vec![(range.clone(), (Label::None, None))]) {
            let inner = at + column.start.max(range.start)..at + column.end.min(range.end);
            let name = unquoted(&line[column]);
            match label.0 {
                _ if inner.is_empty() => {}
                Label::Name | Label::Comment => self.gap.names.push((label.0, name, inner.start)),
                _ => self.gap.read(&Part {
                    text: self.text,
                    range: inner,
                    line: self.number,
                    sign: self.spelling.sign,
                    column: label,
                    is_behind_fen,
                }),
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
        let last = self.last.as_ref().map_or("", |record| record.fen);
        let mut words = line[from..end].split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let named = words.find_map(|word| {
            let fen = self.constants.get(word).filter(|fen| ![last, own].contains(fen))?;
            Some((place(line, word), Some(*fen)))
        });
        named.or(found)
    }

    /// Begins a position. Returns the place in the line behind it.
    fn begin(&mut self, line: &'a str, from: usize, span: Range<usize>, named: Option<&'a str>) -> usize {
        let line_at = place(self.text, line).start;
        let title = self.title.and_then(|(text, _)| title(text));
        self.title = self.title.filter(|_| title.is_none());
        let next = self.gap.behind();
        self.gap.next_line = Some(line_at);
        let is_first = self.last.is_none();
        let above = self.finish();
        self.gap = next;
        let named = named.or((&line[span.clone()] == "startpos").then_some(START_FEN));
        let tail = named
            .map_or_else(|| find_fen(&line[span.start..]), |_| None)
            .map_or_else(Vec::new, |fen| fen.tail);
        let is_clock = |(word, most): (&&str, u32)| word.parse::<u32>().is_ok_and(|clock| clock <= most);
        let has_clocks =
            !self.spelling.is_without_clocks && tail.len() > 1 && tail.iter().zip(MAX_CLOCKS).all(is_clock);
        let clocks = if has_clocks { tail[..2].to_vec() } else { Vec::new() };
        let end = clocks.last().map_or(span.end, |clock| place(line, clock).end);
        let border = above.border.or(above.first_line.filter(|_| !is_first)).unwrap_or(0);
        let own = border.saturating_sub(line_at).clamp(from, span.start);
        let mut record = Record {
            fen: named.unwrap_or(&line[span.clone()]),
            place: line_at + span.start..line_at + span.end,
            has_tail: tail.len() > 2,
            clocks,
            line: self.number,
            line_at,
            is_named: named.is_some(),
            is_row: self.header.is_some(),
            id: title.or_else(|| name_before(&line[own..span.start])),
            ..Record::default()
        };
        record.set_names(&above, border..usize::MAX);
        record.above = above;
        self.last = Some(record);
        end
    }

    /// Notes a line from which nothing was read, unless it is the name of the next position.
    fn leave_out(&mut self, line: Option<(&'a str, usize)>) {
        if let Some((text, number)) = self.title.filter(|(_, number)| *number > 0) {
            self.unread.0 += 1;
            self.unread.1.get_or_insert((number, text));
        }
        self.title = line;
    }
}

impl<'a> Record<'a> {
    /// Sets the names in a part of a gap.
    fn set_names(&mut self, gap: &Gap<'a>, part: Range<usize>) {
        for (label, name, _) in gap.names.iter().filter(|(_, name, at)| part.contains(at) && !name.is_empty())
        {
            match label {
                Label::Name => self.id = Some(name),
                Label::Comment => self.comment = Some(name),
                _ => {}
            }
        }
    }
}

/// Returns the constants that have a FEN: `START = "..."`. A name of several FENs is none.
pub fn constants(text: &str) -> HashMap<&str, &str> {
    let mut constants: HashMap<&str, Option<&str>> = HashMap::new();
    for line in text.lines().filter(|line| line.contains('/') && line.contains(['=', ':', '#'])) {
        let Some(found) = find_fen(line) else { continue };
        if let Some(name) =
            constant(&line[..found.span.start]).filter(|name| name.len() > 2 && !label::is_known(name))
        {
            let fen = &line[found.span];
            let known = constants.entry(name).or_insert(Some(fen));
            *known = known.filter(|known| *known == fen);
        }
    }
    constants.into_iter().filter_map(|(name, fen)| Some((name, fen?))).collect()
}

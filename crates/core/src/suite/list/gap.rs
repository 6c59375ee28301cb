//! The text between two positions of a list.

use std::ops::Range;

use crate::suite::LineFaultKind;
use crate::text::label::{Label, Phrase};

/// A number that may be a depth or a count.
#[derive(Clone, Debug)]
pub struct Number {
    /// `None` if it is not a whole number.
    pub value: Option<u128>,
    pub label: Label,
    /// Its bytes in the list.
    pub place: Range<usize>,
    pub line: usize,
}

/// The text between two positions. Its numbers are in one row with those of all gaps.
#[derive(Debug, Default)]
pub struct Gap<'a> {
    /// The names and comments, each with its place.
    pub names: Vec<(Label, &'a str, usize)>,
    pub faults: Vec<(Range<usize>, LineFaultKind)>,
    /// The numbers from this place on do not belong to the position above: a heading or a function begins there.
    pub end: Option<usize>,
    /// The numbers from this place on may belong to the position below.
    pub start: usize,
    /// The place at which the text of the position above ends and that of the position below begins, if brackets or
    /// blank lines show it.
    pub border: Option<usize>,
    /// The end of the line of the position above.
    pub first_line: Option<usize>,
    /// The open brackets, and the number of those that were opened before the gap and are closed.
    pub open: Vec<Bracket>,
    closed: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Bracket {
    /// Its numbers are something else: `"captures": [0, 0, 34]`.
    pub is_other: bool,
    /// Its first number is a depth: `perft(&board, 3)`.
    pub is_perft: bool,
}

impl Gap<'_> {
    /// Begins a line. An item of a list begins at a blank line or at a dash.
    pub fn line(&mut self, at: usize, is_item: bool) {
        self.first_line.get_or_insert(at);
        if is_item && self.closed == 0 {
            self.border = Some(at);
        }
    }

    /// Ends the text of the position above at a place.
    pub fn end(&mut self, at: usize) {
        self.end.get_or_insert(at);
        self.start = at;
    }

    pub fn open(&mut self, sign: char, phrase: &mut Phrase) {
        let is_call = sign == '(';
        self.open
            .push(Bracket { is_other: !is_call && phrase.is_other, is_perft: is_call && phrase.has_perft });
        if phrase.label() == Label::Other && (is_call || !phrase.is_other) {
            // The name of a function or of a list of counts.
            *phrase = Phrase::default();
        }
        phrase.end(false);
    }

    pub fn close(&mut self, at: usize) {
        if self.open.pop().is_none() {
            self.closed += 1;
        }
        if self.open.is_empty() && self.closed > 0 {
            self.border = Some(at);
        }
    }
}

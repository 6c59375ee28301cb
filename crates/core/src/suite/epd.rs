//! Reading suites from EPD and from the other formats that are in use.
//!
//! ```text
//!   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D5 4865609
//!   8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - D1 14; D2 191; id "position 3"; c0 "a comment";
//!   # a comment
//!
//!   id kings
//!   epd 8/8/8/8/8/8/8/k1K5 w - -
//!   perft 1 3
//!   perft 2 7
//! ```
//!
//! A line of EPD is a FEN with four to six fields, followed by operations. Semicolons may be before, between or after
//! the operations. `D` with a number is a known count at that depth, `id` is a name and `c0` a comment. Other
//! operations are ignored, as the EPD standard asks.
//!
//! Lines that begin with `id`, `epd` and `perft` are those of `.perft` files, as used by python-chess and shakmaty.
//! `id` names the next position, and `perft` has a depth and a count of the last position. Each line is recognised
//! separately.
//!
//! Depths may have gaps and any order. Extra blanks, a byte order mark and carriage returns are accepted. The reader
//! finds every fault of a file, not only the first one.

use std::fmt;
use std::ops::Range;

use super::{Case, KnownCount, Suite};
use crate::perft::MAX_DEPTH;
use crate::position::{FenError, FenFaultKind, joined, read_both};

/// The largest number of faults of a line that are reported. Each of them has a copy of the text of the line.
const MAX_FAULTS: usize = 100;

/// The error of reading a suite: all its faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteError {
    /// The name of the suite or of its file.
    pub name: String,
    /// The faults, in the order of the lines.
    pub faults: Vec<LineFault>,
}

/// A fault of a line and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFault {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The text of the line.
    pub text: String,
    /// The bytes of the line that are wrong. The range is empty where something is missing.
    pub span: Range<usize>,
    /// The kind of the fault.
    pub kind: LineFaultKind,
}

/// The kinds of faults of a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineFaultKind {
    /// The FEN has a fault.
    #[error(transparent)]
    Fen(FenFaultKind),
    /// The operand of a known count is not a number.
    #[error("'{0}' is not a number of nodes")]
    BadCount(String),
    /// The depth of a known count is out of range.
    #[error("'{0}' is not a depth from 0 to {MAX_DEPTH}")]
    BadDepth(String),
    /// A depth has two different counts.
    #[error("depth {0} has two different counts")]
    TwoCounts(u32),
    /// The position has no known count.
    #[error("the position has no known count")]
    NoCount,
    /// A `perft` line is before the first position.
    #[error("this count has no position")]
    NoPosition,
}

impl LineFault {
    /// Returns the column of the fault in characters, counted from 1.
    pub fn column(&self) -> usize {
        self.text[..self.span.start].chars().count() + 1
    }

    /// Returns a hint that says what to write instead.
    pub fn help(&self) -> &'static str {
        match &self.kind {
            LineFaultKind::Fen(kind) => kind.help(),
            LineFaultKind::BadCount(_) | LineFaultKind::BadDepth(_) => {
                "write known counts as in ';D3 8902', or as a line 'perft 3 8902'"
            }
            LineFaultKind::TwoCounts(_) => "give each depth only once",
            LineFaultKind::NoCount => {
                "add a known count after the FEN, as in ';D1 20', or as the next line, 'perft 1 20'"
            }
            LineFaultKind::NoPosition => {
                "write the position on a line before, as in 'epd 8/8/8/8/8/8/8/k1K5 w - -'"
            }
        }
    }
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(
            self.faults
                .iter()
                .map(|fault| format!("{}:{}:{}: {}", self.name, fault.line, fault.column(), fault.kind)),
        ))
    }
}

impl std::error::Error for SuiteError {}

impl Suite {
    /// Reads a suite from text with one position per line, followed by its known counts. It also reads the `.perft`
    /// files of python-chess and shakmaty, in which each known count has its own line.
    ///
    /// `name` is the name of the suite or of its file, for messages. Empty lines and lines that start with `#` are
    /// ignored.
    ///
    /// # Examples
    /// ```
    /// use perft_core::suite::Suite;
    /// let suite = Suite::from_epd("mine", "4k3/8/8/8/8/8/8/4K2R w K - ;D1 15 ;D3 1197").unwrap();
    /// assert_eq!(suite.cases[0].expected[1].nodes, 1197);
    /// let same = Suite::from_epd("mine", "epd 4k3/8/8/8/8/8/8/4K2R w K -\nperft 1 15\nperft 3 1197").unwrap();
    /// assert_eq!(same.cases[0].expected, suite.cases[0].expected);
    /// let error = Suite::from_epd("mine", "4k3/8/8/8/8/8/8/4K2R w K - ;D1 x").unwrap_err();
    /// assert_eq!(error.to_string(), "mine:1:32: 'x' is not a number of nodes");
    /// ```
    ///
    /// # Errors
    /// Returns the faults of all lines, at most 100 for each line.
    pub fn from_epd(name: &str, text: &str) -> Result<Suite, SuiteError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = SuiteLines::default();
        (1..).zip(text.lines()).for_each(|(number, line)| lines.read(line, number));
        lines.end();
        let (name, SuiteLines { cases, faults, .. }) = (name.to_owned(), lines);
        if faults.is_empty() { Ok(Suite { name, cases }) } else { Err(SuiteError { name, faults }) }
    }
}

/// The lines of a suite that have been read so far.
#[derive(Debug, Default)]
pub struct SuiteLines {
    /// The cases that are complete.
    pub cases: Vec<Case>,
    /// The faults so far, at most 100 for each line.
    pub faults: Vec<LineFault>,
    /// The name of the next position.
    id: Option<String>,
    /// The last position, while it is incomplete.
    open: Option<OpenCase>,
}

/// A position to which the following lines may add known counts.
#[derive(Debug)]
struct OpenCase {
    /// The case; `None` if its line has faults.
    case: Option<Case>,
    /// The line that has the position.
    line: String,
    /// Whether a line with a known count has faults.
    has_faults: bool,
}

impl SuiteLines {
    /// Reads the next line.
    pub fn read(&mut self, line: &str, number: usize) {
        let line = line.trim_end();
        let text = line.trim_start();
        if text.is_empty() || text.starts_with('#') {
            return;
        }
        let (word, rest) = split_word(text);
        let mut reader = LineReader { line, number, faults: Vec::new() };
        match word {
            "id" => self.id = Some(rest.to_owned()),
            "perft" => self.add_count(text, rest, &mut reader),
            "epd" => self.open(rest, &mut reader),
            _ => {
                self.open(text, &mut reader);
                self.end();
            }
        }
        self.faults.append(&mut reader.faults);
    }

    /// Begins a position. The line is a FEN and operations.
    fn open<'a>(&mut self, text: &'a str, reader: &mut LineReader<'a>) {
        self.end();
        let id = self.id.take();
        let case = reader.case(text).map(|case| Case { id: case.id.or(id), ..case });
        self.open = Some(OpenCase { case, line: reader.line.to_owned(), has_faults: false });
    }

    /// Adds a known count, such as `3 8902`, to the last position. `text` is the whole line.
    fn add_count<'a>(&mut self, text: &'a str, known: &'a str, reader: &mut LineReader<'a>) {
        let Some(open) = &mut self.open else {
            return reader.fault(reader.span_of(text), LineFaultKind::NoPosition);
        };
        let Some(case) = &mut open.case else { return };
        let (depth, nodes) = split_word(known);
        reader.count(depth, nodes, &mut case.expected);
        open.has_faults |= !reader.faults.is_empty();
    }

    /// Completes the last position. Call this after the last line.
    pub fn end(&mut self) {
        let Some(OpenCase { case: Some(mut case), line, has_faults: false }) = self.open.take() else {
            return;
        };
        if case.expected.is_empty() {
            let span = line.len()..line.len();
            self.faults.push(LineFault { line: case.line, text: line, span, kind: LineFaultKind::NoCount });
        } else {
            case.expected.sort_by_key(|expected| expected.depth);
            self.cases.push(case);
        }
    }
}

/// Returns the FEN of a line, without the operations that follow it.
///
/// # Examples
/// ```
/// use perft_core::internals::fen_of_epd;
/// assert_eq!(fen_of_epd(" 8/8/8/8/8/8/8/k1K5 w - - 0 1 ;D1 5"), "8/8/8/8/8/8/8/k1K5 w - - 0 1");
/// assert_eq!(fen_of_epd("8/8/8/8/8/8/8/k1K5 w - - D1 5; D2 9"), "8/8/8/8/8/8/8/k1K5 w - -");
/// ```
pub fn fen_of_epd(line: &str) -> &str {
    &line[fen_range(line)]
}

/// Returns the place of the FEN in a line. The FEN ends at the first semicolon or at the first operation, which can be
/// the fifth field.
fn fen_range(line: &str) -> Range<usize> {
    let start = line.len() - line.trim_start().len();
    let head = &line[start..start + line[start..].find(';').unwrap_or(line.len() - start)];
    let operation =
        head.split_ascii_whitespace().skip(4).find(|word| word.starts_with(|c: char| c.is_alphabetic()));
    let end = operation.map_or(head.len(), |word| word.as_ptr() as usize - head.as_ptr() as usize);
    start..start + head[..end].trim_end().len()
}

/// Reads one line and collects its faults.
struct LineReader<'a> {
    line: &'a str,
    number: usize,
    faults: Vec<LineFault>,
}

impl<'a> LineReader<'a> {
    fn fault(&mut self, span: Range<usize>, kind: LineFaultKind) {
        if self.faults.len() == MAX_FAULTS {
            return;
        }
        self.faults.push(LineFault { line: self.number, text: self.line.to_owned(), span, kind });
    }

    /// Returns the case in a part of the line, a FEN and operations, if the part has no faults. The case may have no
    /// known count.
    fn case(&mut self, text: &'a str) -> Option<Case> {
        let fen_range = fen_range(text);
        let fen = &text[fen_range.clone()];
        let read = read_both(fen).map_err(|error| self.fen_faults(error, self.span_of(fen).start));
        let (setup, position) = read.ok()?;
        let mut case = Case {
            id: None,
            comment: None,
            fen: fen.to_owned(),
            position,
            warnings: setup.warnings(),
            expected: Vec::new(),
            line: self.number,
        };
        for operation in operations(text, fen_range.end) {
            self.operation(operation, &mut case);
        }
        self.faults.is_empty().then_some(case)
    }

    fn fen_faults(&mut self, error: FenError, start: usize) {
        for fault in error.faults {
            let span = start + fault.span.start..start + fault.span.end;
            self.fault(span, LineFaultKind::Fen(fault.kind));
        }
    }

    fn operation(&mut self, operation: &'a str, case: &mut Case) {
        let (opcode, operand) = split_word(operation);
        match opcode {
            "id" => case.id = Some(unquoted(operand)),
            "c0" => case.comment = Some(unquoted(operand)),
            _ => {
                if let Some(depth) = opcode.strip_prefix(['D', 'd']).filter(|rest| starts_with_digit(rest)) {
                    self.count(depth, operand, &mut case.expected);
                }
            }
        }
    }

    fn count(&mut self, depth: &'a str, operand: &'a str, expected: &mut Vec<KnownCount>) {
        let depth_number = depth.parse().ok().filter(|&depth: &u32| depth <= MAX_DEPTH);
        let nodes = operand.parse().ok();
        if depth_number.is_none() {
            self.fault(self.span_of(depth), LineFaultKind::BadDepth(depth.to_owned()));
        }
        if nodes.is_none() {
            self.fault(self.span_of(operand), LineFaultKind::BadCount(operand.to_owned()));
        }
        let (Some(depth_number), Some(nodes)) = (depth_number, nodes) else { return };
        match expected.iter().find(|known| known.depth == depth_number) {
            Some(known) if known.nodes != nodes => {
                self.fault(self.span_of(operand), LineFaultKind::TwoCounts(depth_number));
            }
            Some(_) => {}
            None => expected.push(KnownCount { depth: depth_number, nodes }),
        }
    }

    /// Returns the place of a part of this line.
    fn span_of(&self, part: &str) -> Range<usize> {
        let start = (part.as_ptr() as usize).saturating_sub(self.line.as_ptr() as usize).min(self.line.len());
        start..start + part.len()
    }
}

/// Returns the first word of a text, and the rest without the blanks around it.
fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_at(text.find([' ', '\t']).unwrap_or(text.len()));
    (word, rest.trim())
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns the operations of a line from `start` on. Semicolons separate them, except in quotes.
fn operations(line: &str, start: usize) -> impl Iterator<Item = &str> {
    let mut in_quotes = false;
    let separator = move |c: char| {
        in_quotes ^= c == '"';
        c == ';' && !in_quotes
    };
    line[start..].split(separator).map(str::trim).filter(|operation| !operation.is_empty())
}

/// Returns an operand without its quotes.
fn unquoted(operand: &str) -> String {
    operand.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(operand).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINGS: &str = "8/8/8/8/8/8/8/k1K5 w - -";

    fn expected(text: &str) -> Vec<(u32, u128)> {
        let suite = Suite::from_epd("test", text).unwrap();
        assert_eq!(suite.cases.len(), 1);
        suite.cases[0].expected.iter().map(|known| (known.depth, known.nodes)).collect()
    }

    #[test]
    fn all_usual_formats_are_read() {
        for line in [
            format!("{KINGS} ;D1 3 ;D2 5"),
            format!("{KINGS} 0 1 ;D1 3 ;D2 5"),
            format!("{KINGS} 0 1;D1 3;D2 5"),
            format!("{KINGS}  ; D2  5 ; D1 3 ;"),
            format!("{KINGS} D1 3; D2 5;"),
            format!("  {KINGS} 0 1 ;D1 3 ;D2 5 ;D2 5  "),
            format!("\u{feff}# a comment\r\n\r\n{KINGS} ;D1 3 ;D2 5\r\n"),
            format!("{KINGS} ;hmvc 0 ;D1 3 ;bm \"a;D9 9\" ;D2 5 ;DX 7"),
        ] {
            assert_eq!(expected(&line), [(1, 3), (2, 5)], "{line}");
        }
    }

    /// The lines of `.perft` files may be mixed with those of EPD.
    #[test]
    fn known_counts_may_have_lines_of_their_own() {
        let text = format!(
            "# kings\nid  0\nepd {KINGS}\nperft 2 7\n\n  perft\t1  3\r\n{KINGS} 0 1 ;D1 3\nid other name\n\
             epd {KINGS} ;D1 3\nperft 1 3\nepd {KINGS}\nperft 3 35"
        );
        let suite = Suite::from_epd("test", &text).unwrap();
        let read = |case: &Case| {
            let counts: Vec<u32> = case.expected.iter().map(|known| known.depth).collect();
            (case.id.clone(), case.line, counts)
        };
        let found: Vec<_> = suite.cases.iter().map(read).collect();
        let id = |name: &str| Some(name.to_owned());
        assert_eq!(
            found,
            [
                (id("0"), 3, vec![1, 2]),
                (None, 7, vec![1]),
                (id("other name"), 9, vec![1]),
                (None, 11, vec![3])
            ]
        );
    }

    #[test]
    fn faults_of_lines_of_their_own_are_found() {
        let text = format!(
            "perft 1 3\nid a\nepd {KINGS}\nepd 8/8/8/8/8/8/8/k1K5 x - -\nperft 1 3\n  epd {KINGS}\nperft 1 x\nperft y 3\nperft\n\
             epd {KINGS}\nperft 1 3\nperft 1 4\n{KINGS} ;D1 3\nperft 1 3\nepd"
        );
        let error = Suite::from_epd("f", &text).unwrap_err().to_string();
        let lines: Vec<&str> = error.split("; ").collect();
        assert_eq!(
            lines,
            [
                "f:1:1: this count has no position",
                "f:3:29: the position has no known count",
                "f:4:24: 'x' is not a side to move",
                "f:7:9: 'x' is not a number of nodes",
                "f:8:7: 'y' is not a depth from 0 to 255",
                "f:9:6: '' is not a depth from 0 to 255",
                "f:9:6: '' is not a number of nodes",
                "f:12:9: depth 1 has two different counts",
                "f:14:1: this count has no position",
                "f:15:4: the board is missing",
                "f:15:4: the side to move is missing",
                "f:15:4: the castling field is missing",
                "f:15:4: the en passant field is missing",
            ]
        );
    }

    #[test]
    fn names_and_comments_are_read() {
        let suite =
            Suite::from_epd("test", &format!("{KINGS} ;D1 3 ;id \"a; b\" ;c0 \"pin: of a king\"")).unwrap();
        let case = &suite.cases[0];
        assert_eq!((case.name(), case.comment.as_deref()), ("a; b", Some("pin: of a king")));
        assert_eq!(case.line, 1);
    }

    #[test]
    fn the_faults_of_a_line_are_limited() {
        let line = format!("{KINGS}{}", " ;D1 x".repeat(10_000));
        assert_eq!(Suite::from_epd("test", &line).unwrap_err().faults.len(), MAX_FAULTS);
    }

    #[test]
    fn every_fault_of_every_line_is_found_with_its_place() {
        let text = format!(
            "{KINGS} ;D1 3\n{KINGS} ;D1 x ;D2\n 8/8/8/8/8/8/8/k1K4P x - - ;D1 1\n{KINGS}\n\
             {KINGS} ;D1 3 ;D1 4\n{KINGS} ;D999 1"
        );
        let error = Suite::from_epd("f.epd", &text).unwrap_err();
        let lines: Vec<String> = error.to_string().split("; ").map(str::to_owned).collect();
        assert_eq!(
            lines,
            [
                "f.epd:2:30: 'x' is not a number of nodes",
                "f.epd:2:35: '' is not a number of nodes",
                "f.epd:3:20: a pawn cannot stand on h1",
                "f.epd:3:22: 'x' is not a side to move",
                "f.epd:4:25: the position has no known count",
                "f.epd:5:36: depth 1 has two different counts",
                "f.epd:6:28: '999' is not a depth from 0 to 255",
            ]
        );
    }
}

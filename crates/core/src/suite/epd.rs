//! Reading suites from EPD and from the similar formats that are in use.
//!
//! ```text
//!   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D5 4865609
//!   8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - D1 14; D2 191; id "position 3"; c0 "a comment";
//!   # a comment
//! ```
//!
//! A line is a FEN with four to six fields, followed by operations. Semicolons may be before, between or after the
//! operations. `D` with a number is a known count at that depth, `id` is a name and `c0` a comment. Other operations
//! are ignored, as the EPD standard asks. Depths may have gaps and any order. Extra blanks, a byte order mark and
//! carriage returns are accepted. The reader finds every fault of a file, not only the first.

use std::fmt;
use std::ops::Range;

use super::{Case, KnownCount, Suite};
use crate::count::MAX_DEPTH;
use crate::position::{FenError, FenFaultKind, Position, Setup};

/// The most faults of a line that are reported. Each of them carries the text of the line.
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
    /// What is wrong.
    pub kind: LineFaultKind,
}

/// The kinds of faults of a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
            LineFaultKind::BadCount(_) | LineFaultKind::BadDepth(_) => "write known counts as in ';D3 8902'",
            LineFaultKind::TwoCounts(_) => "give each depth only once",
            LineFaultKind::NoCount => "add a known count after the FEN, as in ';D1 20'",
        }
    }
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{}:{}:{}: {}", self.name, fault.line, fault.column(), fault.kind)?;
        }
        Ok(())
    }
}

impl std::error::Error for SuiteError {}

impl Suite {
    /// Reads a suite from text with one position per line, followed by its known counts.
    ///
    /// `name` is the name of the suite or of its file, for messages. Empty lines and lines that start with `#` are
    /// ignored.
    ///
    /// # Examples
    /// ```
    /// use perft_core::suite::Suite;
    /// let suite = Suite::from_epd("mine", "4k3/8/8/8/8/8/8/4K2R w K - ;D1 15 ;D3 1197").unwrap();
    /// assert_eq!(suite.cases[0].expected[1].nodes, 1197);
    /// let error = Suite::from_epd("mine", "4k3/8/8/8/8/8/8/4K2R w K - ;D1 x").unwrap_err();
    /// assert_eq!(error.to_string(), "mine:1:32: 'x' is not a number of nodes");
    /// ```
    ///
    /// # Errors
    /// Returns the faults of all lines, at most 100 of each.
    pub fn from_epd(name: &str, text: &str) -> Result<Suite, SuiteError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut suite = Suite { name: name.to_owned(), cases: Vec::new() };
        let mut faults = Vec::new();
        for (index, line) in text.lines().enumerate() {
            match read_epd_line(line, index + 1) {
                Ok(case) => suite.cases.extend(case),
                Err(mut found) => faults.append(&mut found),
            }
        }
        if faults.is_empty() { Ok(suite) } else { Err(SuiteError { name: name.to_owned(), faults }) }
    }
}

/// Reads a line of a suite. An empty line and a comment have no case.
///
/// # Errors
/// Returns the faults of the line, at most 100.
pub fn read_epd_line(line: &str, number: usize) -> Result<Option<Case>, Vec<LineFault>> {
    let line = line.trim_end();
    if line.trim_start().is_empty() || line.trim_start().starts_with('#') {
        return Ok(None);
    }
    let mut reader = LineReader { line, number, faults: Vec::new() };
    let case = reader.case();
    if reader.faults.is_empty() { Ok(case) } else { Err(reader.faults) }
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

/// Returns the place of the FEN in a line. It ends at the first semicolon or at the first operation, which can be the
/// fifth field.
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

    /// Returns the case of the line if the line has no faults.
    fn case(&mut self) -> Option<Case> {
        let fen_range = fen_range(self.line);
        let fen = &self.line[fen_range.clone()];
        let position = Position::from_fen(fen);
        if let Err(error) = &position {
            self.fen_faults(error, fen_range.start);
        }
        let mut case = Case {
            id: None,
            comment: None,
            fen: fen.to_owned(),
            position: position.ok()?,
            warnings: Setup::from_fen(fen).map_or(Vec::new(), |setup| setup.warnings()),
            expected: Vec::new(),
            line: self.number,
        };
        for operation in operations(self.line, fen_range.end) {
            self.operation(operation, &mut case);
        }
        if case.expected.is_empty() && self.faults.is_empty() {
            self.fault(self.line.len()..self.line.len(), LineFaultKind::NoCount);
        }
        case.expected.sort_by_key(|expected| expected.depth);
        self.faults.is_empty().then_some(case)
    }

    fn fen_faults(&mut self, error: &FenError, start: usize) {
        for fault in &error.faults {
            let span = start + fault.span.start..start + fault.span.end;
            self.fault(span, LineFaultKind::Fen(fault.kind.clone()));
        }
    }

    fn operation(&mut self, operation: &'a str, case: &mut Case) {
        let (opcode, operand) = operation.split_at(operation.find([' ', '\t']).unwrap_or(operation.len()));
        let operand = operand.trim();
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

    #[test]
    fn names_and_comments_are_read() {
        let suite =
            Suite::from_epd("test", &format!("{KINGS} ;D1 3 ;id \"a; b\" ;c0 \"pin: of a king\"")).unwrap();
        let case = &suite.cases[0];
        assert_eq!((case.name(), case.family()), ("a; b", Some("pin")));
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

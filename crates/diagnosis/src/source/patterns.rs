//! What a user says about the places of counts, as regular expressions.

use std::fmt;
use std::str::FromStr;

use regex_lite::Regex;

use super::line::Spelling;
use super::notation;
use super::table::Line;
use crate::lines::visible;

/// The name of a total that a pattern finds.
pub(super) const GIVEN: &str = "given total";

/// The places of counts as regular expressions. They replace what a [`Profile`](super::Profile) has learned.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    /// The total is the first group, or the whole match.
    pub total: Option<Pattern>,
    /// The move and the count are the groups `move` and `nodes`, or the first two groups.
    pub moves: Option<Pattern>,
}

/// A regular expression.
///
/// # Examples
/// ```
/// use perft_diagnosis::source::Pattern;
///
/// assert!("Nodes: (\\d+)".parse::<Pattern>().is_ok());
/// assert!("Nodes: (".parse::<Pattern>().is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

impl FromStr for Pattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Pattern, String> {
        Regex::new(text).map(Pattern).map_err(|error| error.to_string())
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str())
    }
}

impl Patterns {
    /// Returns a line in which only the counts that the patterns find are counts. It is the same without patterns.
    pub(super) fn applied(&self, line: &str) -> String {
        if self.total.is_none() && self.moves.is_none() {
            return line.to_owned();
        }
        let text = visible(line.trim());
        let total = self.total.as_ref().and_then(|pattern| total_of(&text, &pattern.0));
        let row = || self.moves.as_ref().and_then(|pattern| row_of(&text, &pattern.0));
        let has_rows = || Line::new(&text, Spelling::default()).rows().next().is_some();
        match total.or_else(row) {
            Some(found) => found,
            None if self.moves.is_some() && has_rows() => String::new(),
            None => text,
        }
    }
}

/// Returns the row that a pattern finds in a line. What is not shaped like a move is none: a pattern for moves may match
/// the line of the total too.
fn row_of(line: &str, pattern: &Regex) -> Option<String> {
    let found = pattern.captures(line)?;
    let group = |name, index| found.name(name).or_else(|| found.get(index));
    let played = group("move", 1)?.as_str();
    let is_move = notation::coordinate_move(played, ' ').is_some()
        || notation::is_algebraic(played)
        || notation::may_be_meant(played);
    let nodes = group("nodes", 2)?;
    Some(format!("{played}: {}", number_at(line, nodes)?)).filter(|_| is_move)
}

fn total_of(line: &str, pattern: &Regex) -> Option<String> {
    let found = pattern.captures(line)?;
    Some(format!("{GIVEN}: {}", number_at(line, found.get(1).or(found.get(0))?)?))
}

/// Returns the digits of a part of a line. A minus sign may stand before them, in the part or before it.
fn number_at(line: &str, found: regex_lite::Match) -> Option<String> {
    let digits: String = found.as_str().chars().filter(char::is_ascii_digit).collect();
    let start = found.as_str().find(|sign: char| sign.is_ascii_digit())?;
    let before = line[..found.start() + start].strip_suffix('-');
    let is_negative = before.is_some_and(|before| !before.ends_with(|sign: char| sign.is_alphanumeric()));
    Some(if is_negative { format!("-{digits}") } else { digits })
}

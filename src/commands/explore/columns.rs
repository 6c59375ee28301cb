//! Formats the lines of the move list: which columns fit into the window, and their text.
//!
//! ```text
//!     move                perft           engine     difference
//!   > e2e4            4,085,603        4,085,603
//!   ! e1g1               86,975           86,974             -1
//!   - e1c1               79,803                -     only perft
//! ```
//!
//! A number is never cut off. In a narrow window the numbers first lose their commas, then the column of differences is
//! left out.

use super::level::{Level, Reply, Row, RowStatus};
use crate::output::Digits;

/// The longest text in the column of differences.
const ONLY_ENGINE: &str = "only engine";

/// The columns to show, and their widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    digits: Digits,
    has_engine: bool,
    has_difference: bool,
    count_width: usize,
}

impl Columns {
    /// Returns the best columns that fit into a width; `None` if none do.
    pub fn that_fit(level: &Level, has_engine: bool, width: u16) -> Option<Columns> {
        let choices = [(Digits::Grouped, true), (Digits::Plain, true), (Digits::Plain, false)];
        let of = |(digits, has_difference)| {
            let columns =
                Columns { digits, has_engine, has_difference: has_engine && has_difference, count_width: 0 };
            Columns { count_width: columns.widest_count(level), ..columns }
        };
        choices.into_iter().map(of).find(|columns| columns.width() <= width)
    }

    fn number(&self, number: u128) -> String {
        self.digits.count(number)
    }

    /// Returns the width of the longest count, with some extra space so that the columns do not move with every
    /// count.
    fn widest_count(&self, level: &Level) -> usize {
        let counts = level.rows.iter().flat_map(|row| [row.ours, row.theirs]).flatten();
        let totals = [level.our_total(), level.their_total().unwrap_or(0)];
        counts.chain(totals).map(|count| self.number(count).len()).max().unwrap_or(0).max(11)
    }

    /// Returns the width of a line, including the scroll bar.
    pub fn width(&self) -> u16 {
        let counts = if self.has_engine { 2 } else { 1 } * (self.count_width + 2);
        let difference = if self.has_difference { self.difference_width() + 2 } else { 0 };
        let width = "> ! e7e8q".len() + counts + difference + 2;
        u16::try_from(width).unwrap_or(u16::MAX)
    }

    /// Returns the width of a difference, which is a count with a sign, or a text.
    fn difference_width(&self) -> usize {
        ONLY_ENGINE.len().max(self.count_width + 1)
    }

    fn line(&self, mark: &str, label: &str, ours: &str, theirs: &str, difference: &str) -> String {
        let width = self.count_width;
        let mut line = format!("{mark:<3} {label:<5}  {ours:>width$}");
        if self.has_engine {
            line += &format!("  {theirs:>width$}");
        }
        if self.has_difference {
            let width = self.difference_width();
            line += &format!("  {difference:>width$}");
        }
        line
    }

    fn difference(&self, ours: u128, theirs: u128) -> String {
        let sign = if theirs < ours { '-' } else { '+' };
        format!("{sign}{}", self.number(theirs.abs_diff(ours)))
    }
}

pub fn header(columns: &Columns) -> String {
    columns.line("", "move", "perft", "engine", "difference")
}

pub fn row(level: &Level, row: &Row, is_selected: bool, columns: &Columns) -> String {
    let status = level.status(row);
    let mark = match status {
        RowStatus::Pending | RowStatus::Equal => ' ',
        RowStatus::Different => '!',
        RowStatus::OnlyOurs => '-',
        RowStatus::OnlyTheirs => '+',
    };
    let cursor = if is_selected { '>' } else { ' ' };
    let difference = match (status, row.ours, row.theirs) {
        (RowStatus::OnlyOurs, ..) => "only perft".to_owned(),
        (RowStatus::OnlyTheirs, ..) => ONLY_ENGINE.to_owned(),
        (RowStatus::Different, Some(ours), Some(theirs)) => columns.difference(ours, theirs),
        _ => String::new(),
    };
    let unknown_ours = if row.played.is_some() { "..." } else { "-" };
    let unknown_theirs = match (&level.reply, status) {
        (Reply::Failed(_), _) => "?",
        (_, RowStatus::OnlyOurs) => "-",
        (Reply::Awaited, _) => "...",
        (Reply::Given { .. }, _) => "",
    };
    let count = |count: Option<u128>, unknown: &str| {
        count.map_or_else(|| unknown.to_owned(), |count| columns.number(count))
    };
    let (ours, theirs) = (count(row.ours, unknown_ours), count(row.theirs, unknown_theirs));
    columns.line(&format!("{cursor} {mark}"), &row.text, &ours, &theirs, &difference)
}

pub fn total(level: &Level, columns: &Columns) -> String {
    let ours = level.our_total();
    let theirs = match (&level.reply, level.their_total()) {
        (_, Some(total)) => columns.number(total),
        (Reply::Failed(_), None) => "?".to_owned(),
        (_, None) => "...".to_owned(),
    };
    let differing = level.their_total().filter(|&theirs| level.is_counted() && theirs != ours);
    let difference = differing.map_or_else(String::new, |theirs| columns.difference(ours, theirs));
    let mark = if differing.is_some() { "  !" } else { "" };
    let label = if level.is_counted() { "total" } else { "part" };
    columns.line(mark, label, &columns.number(ours), &theirs, &difference)
}

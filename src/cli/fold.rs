//! Folds messages to the width of the terminal.

use console::Term;

pub use crate::report::folded;
use crate::report::folded_to;

/// Returns a message on standard error folded to the width of the terminal or to the variable `COLUMNS`, less the
/// `taken` columns before it. Without a terminal and the variable, the message is not folded, because a program may
/// read it.
pub fn folded_message(text: &str, taken: usize) -> String {
    let terminal = Term::stderr().size_checked().map(|(_, columns)| usize::from(columns));
    let variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    let columns: Option<usize> = terminal.or_else(variable);
    columns.map_or(text.to_owned(), |columns| folded_to(text, 0, columns.saturating_sub(taken)))
}

//! The headers of tables, which say what their columns are.

use std::ops::Range;

use super::label::{self, Label};
use super::place;

/// The characters that can separate columns. The first of these that a header contains separates its columns.
const SEPARATORS: [char; 4] = ['|', '\t', ';', ','];

/// What a header says about the numbers of a column, and their depth.
pub type Column = (Label, Option<u32>);

/// The first line of a table.
#[derive(Debug)]
pub struct Header {
    separator: char,
    columns: Vec<Column>,
    has_fen: bool,
}

impl Header {
    /// Reads a header: a few words in each column, and a column for the FEN or for depths and counts. Any other text is
    /// not a header.
    pub fn parse(text: &str) -> Option<Header> {
        // Blanks separate the words of a header, but not its columns: `Depth Nodes E. p.`.
        let separator = SEPARATORS.into_iter().find(|&separator| text.contains(separator)).unwrap_or(' ');
        let names: Vec<&str> = columns(text, separator).map(|place| &text[place]).collect();
        let is_name = |name: &&str| {
            let is_call = name.contains('(') && !name.contains(" (");
            name.split_whitespace().count() <= 3 && !is_call && !name.contains(['=', ':', '"', '{', '}', '['])
        };
        if names.len() < 2 || !names.iter().all(is_name) {
            return None;
        }
        // The last of several such columns, as in `position,fen,nodes`.
        let fen = names.iter().rposition(|name| is_fen(name));
        let mut columns: Vec<Column> = names.iter().map(|name| label::of_name(name)).collect();
        let has = |wanted: Label| columns.iter().any(|(label, depth)| *label == wanted && depth.is_none());
        let has_depths = columns.iter().any(|(_, depth)| depth.is_some());
        let is_table = match fen {
            Some(_) => {
                separator != ' ' && (has(Label::Count) || has(Label::Depth) || has_depths || has(Label::Name))
            }
            None => has(Label::Depth) && has(Label::Count) && !has_depths,
        };
        if !is_table {
            return None;
        }
        if let Some(fen) = fen {
            columns[fen] = (Label::None, None);
        }
        if names.last().is_some_and(|name| ["...", "…"].contains(&name.trim())) {
            // The columns go on, so their order says what they are.
            columns.clear();
        }
        Some(Header { separator, columns, has_fen: fen.is_some() })
    }

    /// Returns the columns of a line and what they are. `None` if it is not a line of the table.
    pub fn columns(&self, line: &str) -> Option<Vec<(Range<usize>, Column)>> {
        let places: Vec<Range<usize>> = columns(line, self.separator).collect();
        let is_row = self.separator != ' '
            && if self.has_fen { places.len() > 1 } else { places.len() == self.columns.len() };
        let labels = self.columns.iter().copied().chain(std::iter::repeat((Label::None, None)));
        is_row.then(|| places.into_iter().zip(labels).collect())
    }
}

fn is_fen(name: &str) -> bool {
    let name = name.to_lowercase();
    let mut words = name.split(|letter: char| !letter.is_alphabetic());
    words.any(|word| ["fen", "epd", "position", "board", "fenstring"].contains(&word))
}

/// Returns the columns of a line, without the bar at its start. Separators in quotes do not count, and neither do
/// commas in brackets.
fn columns(line: &str, separator: char) -> impl Iterator<Item = Range<usize>> {
    let (mut in_quotes, mut brackets) = (false, 0_usize);
    let inner = line.trim_start();
    let inner = if separator == '|' {
        inner.strip_prefix('|').unwrap_or(inner).trim_end().trim_end_matches('|')
    } else {
        inner
    };
    let columns = inner.split(move |letter: char| {
        in_quotes ^= letter == '"';
        match letter {
            '[' | '{' | '(' => brackets += 1,
            ']' | '}' | ')' => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        !in_quotes && letter == separator && (letter != ',' || brackets == 0)
    });
    columns.map(move |column| place(line, column))
}

//! Tables with a header that says which column has the counts.

use super::line::Line;
use super::token::{Token, tokens};
use super::total::{Certainty, Meaning};
use super::words::{DEPTH, LEAVES, NODES, OTHER, TOTAL};

/// The columns of a table.
#[derive(Clone, Debug)]
pub(super) struct TextTable {
    /// The sign between cells, or `None` if they are separated by spaces.
    separator: Option<char>,
    columns: usize,
    nodes: usize,
    depth: Option<usize>,
    moves: Option<usize>,
}

/// The content of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Column {
    Nodes(Meaning),
    Depth,
    Move,
    Other,
}

impl TextTable {
    /// Reads a header. It has only words, and a column for counts after the columns for depths or moves.
    pub fn of_header(line: &str) -> Option<TextTable> {
        if line.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let separator = ['|', '\t', ';', ','].into_iter().find(|sign| line.contains(*sign));
        let columns: Vec<Column> = match separator {
            None if line.contains("  ") => {
                line.split("  ").filter(|cell| !cell.trim().is_empty()).map(Column::of).collect()
            }
            _ => cells(line, separator).into_iter().map(Column::of).collect(),
        };
        let place = |column| columns.iter().position(|other| *other == column);
        let meanings = columns.iter().filter_map(|column| match column {
            Column::Nodes(meaning) => Some(*meaning),
            _ => None,
        });
        let nodes = place(Column::Nodes(meanings.max()?))?;
        let (depth, moves) = (place(Column::Depth), place(Column::Move));
        let table = TextTable { separator, columns: columns.len(), nodes, depth, moves };
        (depth.is_some() || moves.is_some()).then_some(table)
    }

    /// Reads a row. `asked` is the depth of the question, if it is known.
    pub fn read(&self, line: &str, asked: Option<u32>) -> Option<Line> {
        let cells = cells(line, self.separator);
        let value = |column: usize| match tokens(cells[column]).as_slice() {
            [Token::Number(number)] => Some(*number),
            _ => None,
        };
        if cells.len() != self.columns {
            return None;
        }
        let nodes = value(self.nodes)?;
        if let Some(column) = self.moves {
            let text = format!("{} {nodes}", cells[column]);
            return Some(Line::read(&text, asked)).filter(|line| matches!(line, Line::Move(..)));
        }
        let said = value(self.depth?)?;
        Some(Line::Total(nodes, Certainty::new(Meaning::Nodes, Some(said), asked)))
    }
}

impl Column {
    fn of(title: &str) -> Column {
        let tokens = tokens(title);
        let has = |words: &[&str]| {
            tokens.iter().any(|token| matches!(token, Token::Word(word) if words.contains(&word.as_str())))
        };
        match () {
            () if has(DEPTH) && !has(NODES) => Column::Depth,
            () if has(OTHER) => Column::Other,
            () if has(LEAVES) => Column::Nodes(Meaning::Leaves),
            () if has(NODES) => Column::Nodes(Meaning::Nodes),
            () if has(&["move", "moves"]) => Column::Move,
            () if has(TOTAL) => Column::Nodes(Meaning::Total),
            () => Column::Other,
        }
    }
}

/// Splits a line into cells. A frame around them is left out.
fn cells(line: &str, separator: Option<char>) -> Vec<&str> {
    match separator {
        None => line.split_whitespace().collect(),
        Some(separator) => line
            .trim_matches(|sign: char| sign == separator || sign.is_whitespace())
            .split(separator)
            .collect(),
    }
}

//! What text of any kind has: FENs, grouped numbers, words that say what a number is, headers of tables, and lines
//! of different kinds.
//!
//! This is the only finder of FENs and the only reader of grouped numbers of the project.

mod find_fen;
pub mod header;
pub mod label;
pub mod lines;
mod number;
mod variant;

pub use find_fen::{FoundFen, find_fen, is_board};
pub use number::{GROUPING_SIGNS, Number, grouped, is_fraction, is_minus, read_number, unit_behind};
pub use variant::{variant_of_fen, variant_of_name};

use std::ops::Range;

/// Returns a text without a list bullet before it, and without quotes or emphasis around it.
pub fn unquoted(text: &str) -> &str {
    let text = text.trim().trim_start_matches(['*', '-']).trim();
    text.trim_matches(['"', '\'', '`', '*']).trim()
}

/// Returns the beginning of a text, with at most this number of bytes.
pub fn beginning(text: &str, most: usize) -> &str {
    let ends = (0..=most.min(text.len())).rev();
    ends.into_iter().find_map(|end| text.get(..end)).unwrap_or_default()
}

/// Returns the place of a part of a text. For any other text, returns the place of the whole text.
pub fn place(text: &str, part: &str) -> Range<usize> {
    let (text_at, part_at) = (text.as_bytes().as_ptr_range(), part.as_bytes().as_ptr_range());
    if text_at.start <= part_at.start && part_at.end <= text_at.end {
        let start = part_at.start as usize - text_at.start as usize;
        start..start + part.len()
    } else {
        0..text.len()
    }
}

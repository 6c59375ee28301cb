//! FENs and numbers in text of any kind: the only finder of FENs and the only reader of grouped numbers of the project.

mod find_fen;
mod number;

pub use find_fen::{FoundFen, find_fen, is_board};
pub use number::{GROUPING_SIGNS, Number, read_number};

use std::ops::Range;

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

//! Chess terms as text: pieces, lines, sides and castling sides.

use perft_core::{Bitboard, CastlingSide, Color, Rank, Square};

use super::board::Board;

/// The predicate of a move that breaks a rule.
pub(super) const ILLEGAL: &str = "is illegal";

/// Returns the name of a side.
pub(crate) const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Returns `king-side` or `queen-side`.
pub(super) const fn castling_side(side: CastlingSide) -> &'static str {
    match side {
        CastlingSide::King => "king-side",
        CastlingSide::Queen => "queen-side",
    }
}

/// Returns the name of a rank, such as `fifth`.
pub(super) const fn rank(rank: Rank) -> &'static str {
    const NAMES: [&str; 8] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
    NAMES[rank.index()]
}

/// Returns a text such as `the knight on e4`, or only `e4` if the square is empty.
pub(super) fn piece_on(board: &Board, square: Square) -> String {
    match board.at(square) {
        Some(found) => format!("the {} on {square}", found.piece),
        None => square.to_string(),
    }
}

/// Returns a text such as `the knight on c3 and the rook on e8`.
pub(super) fn pieces_on(board: &Board, squares: Bitboard) -> String {
    joined(squares.into_iter().map(|square| piece_on(board, square)).collect())
}

/// Returns the verb for the pieces on some squares: `attacks` for one piece and `attack` for several.
pub(super) fn attack(squares: Bitboard) -> &'static str {
    if squares.has_many() { "attack" } else { "attacks" }
}

/// Returns a text such as `a, b and c`.
pub(super) fn joined(mut words: Vec<String>) -> String {
    match words.pop() {
        None => String::new(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} and {last}", words.join(", ")),
    }
}

/// Returns the line through two squares. For a diagonal, the text has both squares: `the e-file`, `the diagonal from e1
/// to h4`.
pub(super) fn line(from: Square, to: Square) -> String {
    let name = line_name(from, to);
    let is_orthogonal = from.file() == to.file() || from.rank() == to.rank();
    if is_orthogonal { name } else { format!("{name} from {from} to {to}") }
}

/// Returns the line through two squares: `the e-file`, `the fifth rank`, `the diagonal`.
pub(super) fn line_name(from: Square, to: Square) -> String {
    if from.file() == to.file() {
        format!("the {}-file", from.file().letter())
    } else if from.rank() == to.rank() {
        format!("the {} rank", rank(from.rank()))
    } else {
        "the diagonal".to_owned()
    }
}

//! Chess in words: men, lines, sides and castling_sides.

use super::board::Board;
use perft_core::{Bitboard, CastlingSide, Color, Piece, Rank, Square};

/// The name of a piece.
pub(crate) const fn piece(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

/// The name of a side.
pub(crate) const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The name of a castling_side.
pub(super) const fn castling_side(castling_side: CastlingSide) -> &'static str {
    match castling_side {
        CastlingSide::King => "king-side",
        CastlingSide::Queen => "queen-side",
    }
}

/// The name of a rank.
pub(super) const fn rank(rank: Rank) -> &'static str {
    const NAMES: [&str; 8] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
    NAMES[rank.index()]
}

/// `the knight on e4`; an empty square is its bare name.
pub(super) fn man(board: &Board, square: Square) -> String {
    match board.at(square) {
        Some(man) => format!("the {} on {square}", piece(man.piece)),
        None => square.to_string(),
    }
}

/// `the knight on c3 and the rook on e8`.
pub(super) fn men(board: &Board, squares: Bitboard) -> String {
    joined(squares.into_iter().map(|square| man(board, square)).collect())
}

/// `attacks` or `attack`, as there are one or more who do.
pub(super) fn attack(squares: Bitboard) -> &'static str {
    if squares.has_many() { "attack" } else { "attacks" }
}

/// `a, b and c`.
pub(super) fn joined(mut words: Vec<String>) -> String {
    match words.pop() {
        None => String::new(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} and {last}", words.join(", ")),
    }
}

/// A line and, if it is a diagonal, from where to where: `the e-file`, `the diagonal from e1 to h4`.
pub(super) fn line(from: Square, to: Square) -> String {
    let name = line_name(from, to);
    let is_straight = from.file() == to.file() || from.rank() == to.rank();
    if is_straight { name } else { format!("{name} from {from} to {to}") }
}

/// The line through two squares: `the e-file`, `the fifth rank`, `the diagonal`.
pub(super) fn line_name(from: Square, to: Square) -> String {
    if from.file() == to.file() {
        format!("the {}-file", from.file().letter())
    } else if from.rank() == to.rank() {
        format!("the {} rank", rank(from.rank()))
    } else {
        "the diagonal".to_owned()
    }
}

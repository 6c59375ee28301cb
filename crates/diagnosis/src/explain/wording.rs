//! The plain board on which a move is explained, and chess terms as text: pieces, lines, sides and castling sides.
//!
//! The board is slow and independent of the move generator, so it can check the moves of the generator.

use perft_core::internals::attacks::{king, knight, pawn};
use perft_core::internals::sliders::{Sliders, Walk};
use perft_core::{Bitboard, CastlingSide, Color, ColoredPiece, Piece, Position, Rank, Square};

/// The piece on each square.
#[derive(Clone, Debug)]
pub(super) struct Board([Option<ColoredPiece>; 64]);

impl Board {
    /// Returns the board of a position.
    pub fn new(position: &Position) -> Board {
        Board(Square::ALL.map(|square| position.piece_at(square)))
    }

    /// Returns the piece on a square.
    pub fn at(&self, square: Square) -> Option<ColoredPiece> {
        self.0[square.index()]
    }

    /// Whether a piece of this colour is on a square.
    pub fn has_color(&self, color: Color, square: Square) -> bool {
        self.at(square).is_some_and(|piece| piece.color == color)
    }

    /// Whether this piece of this colour is on a square.
    pub fn has_piece(&self, color: Color, piece: Piece, square: Square) -> bool {
        self.at(square) == Some(ColoredPiece { color, piece })
    }

    /// Returns the occupied squares.
    pub fn occupied(&self) -> Bitboard {
        Square::ALL.into_iter().filter(|&square| self.at(square).is_some()).collect()
    }

    /// Returns the board without the piece on a square.
    pub fn without(&self, square: Square) -> Board {
        let mut board = self.clone();
        board.0[square.index()] = None;
        board
    }

    /// Returns the board after the piece on `from` moved to `to`.
    pub fn moved(&self, from: Square, to: Square) -> Board {
        let mut board = self.without(from);
        board.0[to.index()] = self.at(from);
        board
    }

    /// Returns the board after castling. `king` and `rook` are pairs of a start and a target square. Both pieces leave
    /// their squares before either arrives, because in Chess960 one may move to the other's square.
    pub fn castled(&self, king: [Square; 2], rook: [Square; 2]) -> Board {
        let mut board = self.without(king[0]).without(rook[0]);
        board.0[king[1].index()] = self.at(king[0]);
        board.0[rook[1].index()] = self.at(rook[0]);
        board
    }

    /// Returns the squares of the pieces of a colour that attack a square.
    pub fn attackers(&self, square: Square, by: Color) -> Bitboard {
        let occupied = self.occupied();
        let attacks_it = |from: Square| {
            let piece = self.at(from).filter(|piece| piece.color == by);
            piece.is_some_and(|piece| attacks(piece, from, occupied).contains(square))
        };
        occupied.into_iter().filter(|&from| attacks_it(from)).collect()
    }
}

/// Returns the squares that a piece attacks.
pub(super) fn attacks(piece: ColoredPiece, from: Square, occupied: Bitboard) -> Bitboard {
    match piece.piece {
        Piece::Pawn => pawn(piece.color, from),
        Piece::Knight => knight(from),
        Piece::Bishop => Walk.bishop(from, occupied),
        Piece::Rook => Walk.rook(from, occupied),
        Piece::Queen => Walk.bishop(from, occupied) | Walk.rook(from, occupied),
        Piece::King => king(from),
    }
}

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

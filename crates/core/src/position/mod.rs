//! Positions: from doubtful text to something that a generator can trust, and on by a move.
//!
//! [`Setup`] is what a text says, right or wrong; validation turns it into a [`Position`], which is always playable:
//! one king a side, the side that has just moved not in check, no pawns on the last ranks. A `Position` holds what
//! decides which moves are legal and nothing else: the two clocks of a FEN stay in the `Setup`.
//!
//! Which moves are legal is not decided here but in [`crate::movegen`], from the checks, pins and attacked squares
//! that this module finds.

mod attackers;
mod fen;
mod keys;
mod packed;
mod play;
mod setup;

pub use attackers::ChecksAndPins;
pub use fen::{FenError, FenFault, FenFaultKind, START_FEN};
pub use keys::split_mix_64;
pub use keys::{Key, KeyMaker};
pub use packed::PackedPosition;
pub use setup::{Setup, SetupError, SetupFault, SetupWarning};

use std::fmt;

use super::types::{
    Bitboard, CastlingNotation, CastlingRights, CastlingSide, Color, ColoredPiece, File, Piece, Rank, Side,
    Square,
};

/// The pieces of one colour but its king, as sets of squares.
///
/// A queen is in two sets: she moves as a bishop and as a rook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Army {
    /// Pawns.
    pub pawns: Bitboard,
    /// Knights.
    pub knights: Bitboard,
    /// What slides diagonally: bishops and queens.
    pub diagonals: Bitboard,
    /// What slides along ranks and files: rooks and queens.
    pub orthogonals: Bitboard,
    /// Everything, the king included.
    pub all: Bitboard,
}

impl Army {
    /// Takes whatever stands on these squares off the board.
    #[inline(always)]
    fn remove(&mut self, squares: Bitboard) {
        self.pawns &= !squares;
        self.knights &= !squares;
        self.diagonals &= !squares;
        self.orthogonals &= !squares;
        self.all &= !squares;
    }
}

/// A legal position: what decides which moves can be played from it.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_core::{Color, Square};
/// let position = Position::start();
/// assert_eq!(position.turn(), Color::White);
/// assert_eq!(position.king(Color::Black), Square::E8);
/// assert_eq!(position.occupied().count(), 32);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    armies: [Army; 2],
    castling: CastlingRights,
    kings: [Square; 2],
    turn: Color,
    en_passant: Option<Square>,
}

// A position is copied for every move that is played: three 32-byte moves.
const _: () = assert!(size_of::<Position>() == 96);

impl Position {
    /// The position every game of standard chess starts from.
    ///
    /// # Panics
    /// Never: its FEN is part of the program.
    pub fn start() -> Position {
        Position::from_fen(START_FEN).expect("the start position is legal")
    }

    /// The side to move.
    #[inline(always)]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The pieces of a colour.
    #[inline(always)]
    pub const fn army(&self, color: Color) -> &Army {
        &self.armies[color.index()]
    }

    /// The square of a king.
    #[inline(always)]
    pub const fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    /// All pieces of both colours.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.armies[0].all | self.armies[1].all
    }

    /// Which rooks may still castle.
    #[inline(always)]
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square that a pawn has just passed, if an enemy pawn stands ready to take there. Whether the king allows it
    /// is another question: see [`Position::legal_en_passant`].
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// What stands on a square.
    pub fn piece_at(&self, square: Square) -> Option<ColoredPiece> {
        let color = Color::ALL.into_iter().find(|&color| self.army(color).all.contains(square))?;
        let army = self.army(color);
        let piece = match (army.diagonals.contains(square), army.orthogonals.contains(square)) {
            (true, true) => Piece::Queen,
            (true, false) => Piece::Bishop,
            (false, true) => Piece::Rook,
            (false, false) if army.pawns.contains(square) => Piece::Pawn,
            (false, false) if army.knights.contains(square) => Piece::Knight,
            (false, false) => Piece::King,
        };
        Some(ColoredPiece { color, piece })
    }

    /// The castling notation that this position needs: [`CastlingNotation::Chess960`] if a right belongs to a king
    /// or a rook that does not stand where standard chess starts.
    pub fn castling_notation(&self) -> CastlingNotation {
        let standard = Color::ALL.into_iter().all(|color| {
            let rooks = self.castling.rooks(color);
            let corners = Bitboard::file(File::A) | Bitboard::file(File::H);
            rooks.is_empty() || (self.king(color).file() == File::E && (rooks & !corners).is_empty())
        });
        if standard { CastlingNotation::Standard } else { CastlingNotation::Chess960 }
    }

    /// The sides on which a colour may castle, with the square of the rook.
    pub fn castling_sides(&self, color: Color) -> impl Iterator<Item = (CastlingSide, Square)> + use<> {
        let king = self.king(color);
        self.castling.rooks(color).into_iter().map(move |rook| (CastlingSide::of(king, rook), rook))
    }

    /// The army of a side and that of its opponent.
    #[inline(always)]
    pub(crate) fn armies_of<S: Side>(&self) -> (&Army, &Army) {
        (self.army(S::COLOR), self.army(S::Other::COLOR))
    }
}

/// The FEN, with clocks at their start.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Setup::from(self).to_fen())
    }
}

/// A board as text, white at the bottom, a piece or a dot a square.
pub fn diagram(piece_at: impl Fn(Square) -> Option<ColoredPiece>) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        text.push(rank.digit());
        for file in File::ALL {
            text.push(' ');
            text.push(piece_at(Square::new(file, rank)).map_or('.', ColoredPiece::letter));
        }
        text.push('\n');
    }
    text.push_str("  a b c d e f g h\n");
    text
}

impl Position {
    /// The board drawn with letters, white at the bottom.
    pub fn diagram(&self) -> String {
        diagram(|square| self.piece_at(square))
    }
}

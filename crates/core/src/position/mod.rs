//! Positions: reading, validating and writing them, and playing moves.
//!
//! A [`Setup`] is the content of a FEN, legal or not. Validation turns it into a [`Position`], which is always legal:
//! each side has one king, no pawn is on the first or last rank, and the side that has just moved is not in check. A
//! `Position` has only the data that decide which moves are legal. The two clocks of a FEN are only in the `Setup`.
//!
//! This module finds checks, pins and attacked squares. The legal moves are generated in [`crate::movegen`].

mod attackers;
mod fen;
mod impossible;
mod packed;
mod setup;

pub use attackers::ChecksAndPins;
pub(crate) use fen::read_fen;
pub use fen::{FenError, FenFault, FenFaultKind, START_FEN};
pub use impossible::{Impossibility, checkers, impossibilities, is_possible, too_much_material};
pub use packed::{ChildPacker, PackedPosition};
pub(crate) use setup::joined;
pub use setup::{Setup, SetupError, SetupFault, SetupWarning};

use crate::types::{
    Bitboard, CastlingNotation, CastlingRights, CastlingSide, Color, ColoredPiece, Direction, File, Move,
    MoveKind, Piece, Side, Square,
};
use crate::with_side;

/// The pieces of one side, as sets of squares.
///
/// A queen is in both sets of sliders, because it moves like a bishop and like a rook. The king is only in `all`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Army {
    /// The pawns.
    pub pawns: Bitboard,
    /// The knights.
    pub knights: Bitboard,
    /// The diagonal sliders: bishops and queens.
    pub diagonals: Bitboard,
    /// The orthogonal sliders: rooks and queens.
    pub orthogonals: Bitboard,
    /// All pieces, including the king.
    pub all: Bitboard,
}

impl Army {
    /// The king's square, which the position stores separately, does not change.
    #[inline(always)]
    fn remove(&mut self, squares: Bitboard) {
        *self = self.map(|set| set & !squares);
    }

    #[inline(always)]
    fn map(&self, change: impl Fn(Bitboard) -> Bitboard) -> Army {
        Army {
            pawns: change(self.pawns),
            knights: change(self.knights),
            diagonals: change(self.diagonals),
            orthogonals: change(self.orthogonals),
            all: change(self.all),
        }
    }
}

/// The pieces of both sides, as seen by one of them.
#[derive(Clone, Copy, Debug)]
pub struct Armies<'a> {
    /// Our pieces.
    pub us: &'a Army,
    /// The opponent's pieces.
    pub them: &'a Army,
    /// The square of our king.
    pub king: Square,
    /// The square of the opponent's king.
    pub their_king: Square,
}

impl Armies<'_> {
    /// Returns the squares of all pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.us.all | self.them.all
    }
}

/// A legal position: the pieces, the side to move, the castling rights and the en passant square.
///
/// Read a position from a FEN with [`str::parse`] or [`Position::from_fen`]; [`Display`](std::fmt::Display) writes the
/// FEN. Two positions are equal if these four parts are equal. A position does not store the halfmove clock and the
/// fullmove number, because they have no effect on the legal moves; a [`Setup`] does.
///
/// # Examples
/// ```
/// use perft_core::{Color, Position, Square};
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

// Playing a move copies the position, and 96 bytes are three vector registers of 32 bytes. Some 32-bit CPUs need less.
const _: () = assert!(size_of::<Position>() <= 96);

impl Position {
    /// Returns the start position of standard chess.
    pub fn start() -> Position {
        Position::from_fen(START_FEN).expect("the start position is legal")
    }

    /// Returns the side to move.
    #[inline(always)]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Returns the pieces of a colour.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn army(&self, color: Color) -> &Army {
        &self.armies[color.index()]
    }

    /// Returns the square of the king of a colour.
    #[inline(always)]
    pub const fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    /// Returns the squares of all pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.armies[0].all | self.armies[1].all
    }

    /// Returns the castling rights.
    #[inline(always)]
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// Returns the square that a pawn has just passed with a double push, if a pawn of the side to move attacks it.
    ///
    /// The capture may still be illegal because it exposes the king: see [`Position::legal_en_passant`].
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Returns the piece on a square, or `None` if the square is empty.
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

    /// Returns the squares of all pieces of a colour and a kind.
    ///
    /// # Examples
    /// ```
    /// use perft_core::{Bitboard, Color, Piece, Position, Rank};
    ///
    /// let pawns = Position::start().pieces(Color::White, Piece::Pawn);
    /// assert_eq!(pawns, Bitboard::rank(Rank::Second));
    /// ```
    pub fn pieces(&self, color: Color, piece: Piece) -> Bitboard {
        let army = self.army(color);
        match piece {
            Piece::Pawn => army.pawns,
            Piece::Knight => army.knights,
            Piece::Bishop => army.diagonals & !army.orthogonals,
            Piece::Rook => army.orthogonals & !army.diagonals,
            Piece::Queen => army.diagonals & army.orthogonals,
            Piece::King => self.king(color).into(),
        }
    }

    /// Returns the castling notation that the position needs.
    ///
    /// That is [`CastlingNotation::Chess960`] if a king or a rook with a castling right is not on its square of the
    /// standard start position.
    pub fn castling_notation(&self) -> CastlingNotation {
        let standard = Color::ALL.into_iter().all(|color| {
            let rooks = self.castling.rooks(color);
            let corners = Bitboard::file(File::A) | Bitboard::file(File::H);
            rooks.is_empty() || (self.king(color).file() == File::E && (rooks & !corners).is_empty())
        });
        if standard { CastlingNotation::Standard } else { CastlingNotation::Chess960 }
    }

    /// Returns the position with the colours exchanged and the order of the ranks reversed. It has the same counts.
    #[doc(hidden)]
    #[inline(always)]
    pub fn flipped(&self) -> Position {
        Position {
            armies: [self.armies[1].map(Bitboard::flipped), self.armies[0].map(Bitboard::flipped)],
            castling: self.castling.flipped(),
            kings: [self.kings[1].flip_rank(), self.kings[0].flip_rank()],
            turn: !self.turn,
            en_passant: self.en_passant.map(Square::flip_rank),
        }
    }

    /// Draws the board with letters for the pieces, with White at the bottom.
    pub fn diagram(&self) -> String {
        Setup::from(self).diagram()
    }

    /// Returns the pieces of both sides, as seen by side `S`.
    #[doc(hidden)]
    #[inline(always)]
    pub fn armies_of<S: Side>(&self) -> Armies<'_> {
        Armies {
            us: self.army(S::COLOR),
            them: self.army(S::Other::COLOR),
            king: self.king(S::COLOR),
            their_king: self.king(S::Other::COLOR),
        }
    }
}

impl Position {
    /// Returns the position after a legal move, without checking that the move is legal.
    ///
    /// The move must be one of [`Position::legal_moves`]. Any other move gives a meaningless position, but
    /// never undefined behaviour. Use [`Position::try_play`] for a move that may be illegal, and
    /// [`Position::find_move`] for a move in text form.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// let position = Position::start();
    /// let first = position.legal_moves()[0];
    /// assert_ne!(position.play_legal(first).turn(), position.turn());
    /// ```
    #[inline]
    #[must_use]
    pub fn play_legal(&self, played: Move) -> Position {
        with_side!(self.turn, S => self.play_as::<S>(played.kind(), played.from(), played.to()))
    }

    /// Returns the position after a legal move of side `S`, the side to move.
    ///
    /// If `kind` is a constant, the compiler removes the code for the other kinds.
    #[doc(hidden)]
    #[inline(always)]
    pub fn play_as<S: Side>(&self, kind: MoveKind, from: Square, to: Square) -> Position {
        debug_assert_eq!(self.turn, S::COLOR);
        let mut child = *self;
        child.turn = S::Other::COLOR;
        child.en_passant = None;
        if kind == MoveKind::Castling {
            child.castle::<S>(from, to);
            return child;
        }
        let moved = Bitboard::from(from) | to.into();
        child.castling.remove(moved);
        child.armies[S::Other::COLOR.index()].remove(to.into());
        child.move_piece::<S>(kind, from, to);
        child
    }

    /// Moves a piece of side `S`, and makes all other changes of this kind of move.
    #[inline(always)]
    fn move_piece<S: Side>(&mut self, kind: MoveKind, from: Square, to: Square) {
        let (start, end) = (Bitboard::from(from), Bitboard::from(to));
        let moved = start | end;
        let us = &mut self.armies[S::COLOR.index()];
        us.all ^= moved;
        match kind {
            MoveKind::Pawn => us.pawns ^= moved,
            MoveKind::DoublePush => {
                us.pawns ^= moved;
                self.en_passant = self.passed_by_double_push::<S>(to);
            }
            MoveKind::EnPassant => {
                us.pawns ^= moved;
                self.armies[S::Other::COLOR.index()].remove(end.step(S::Other::FORWARD));
            }
            MoveKind::Knight => us.knights ^= moved,
            MoveKind::Diagonal => {
                let queen = if us.orthogonals.contains(from) { moved } else { Bitboard::EMPTY };
                us.orthogonals ^= queen;
                us.diagonals ^= moved;
            }
            MoveKind::Orthogonal => {
                let queen = if us.diagonals.contains(from) { moved } else { Bitboard::EMPTY };
                us.diagonals ^= queen;
                us.orthogonals ^= moved;
            }
            MoveKind::King => {
                self.kings[S::COLOR.index()] = to;
                self.castling.remove(S::BACK_RANK);
            }
            MoveKind::Castling => unreachable!("castling moves two pieces"),
            MoveKind::PromoteKnight => {
                us.pawns ^= start;
                us.knights ^= end;
            }
            MoveKind::PromoteBishop => {
                us.pawns ^= start;
                us.diagonals ^= end;
            }
            MoveKind::PromoteRook => {
                us.pawns ^= start;
                us.orthogonals ^= end;
            }
            MoveKind::PromoteQueen => {
                us.pawns ^= start;
                us.diagonals ^= end;
                us.orthogonals ^= end;
            }
        }
    }

    /// Returns the square that a double push to `to` has passed, if an opposing pawn stands next to `to`.
    #[inline(always)]
    fn passed_by_double_push<S: Side>(&self, to: Square) -> Option<Square> {
        let stop = Bitboard::from(to);
        let beside = stop.step(Direction::West) | stop.step(Direction::East);
        let passed = stop.step(S::Other::FORWARD).first();
        if (beside & self.army(S::Other::COLOR).pawns).any() { passed } else { None }
    }

    /// King and rook may each end on the square of the other, so both are removed first.
    #[inline(always)]
    fn castle<S: Side>(&mut self, king: Square, rook: Square) {
        let side = CastlingSide::of(king, rook);
        let (king_target, rook_target) = (side.king_target(S::COLOR), side.rook_target(S::COLOR));
        let us = &mut self.armies[S::COLOR.index()];
        us.orthogonals = (us.orthogonals & !Bitboard::from(rook)) | rook_target.into();
        us.all = (us.all & !(Bitboard::from(king) | rook.into())) | king_target.into() | rook_target.into();
        self.kings[S::COLOR.index()] = king_target;
        self.castling.remove(S::BACK_RANK);
    }
}

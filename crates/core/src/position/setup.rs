//! A position as somebody describes it, and the check that it can be played.
//!
//! A [`Setup`] may be nonsense. Only what makes counting meaningless is a fault: no king, two kings, the side that has
//! just moved in check, pawns on the last ranks. Positions that no game can reach but everybody tests with (nine
//! queens, two bishops giving check at once) are fine. A castling right without its rook, or an en passant square
//! that no pawn can have passed, is left out, and said as a warning.

use super::{Army, Position};
use crate::attacks::sliders::Magic;
use crate::types::{Bitboard, CastlingRights, CastlingSide, Color, ColoredPiece, Piece, Rank, Square};

/// What a FEN says, whether it makes sense or not.
///
/// # Examples
/// ```
/// use perft_core::{Position, Setup, SetupFault};
/// use perft_core::Color;
/// let setup = Setup::from_fen("8/8/8/8/8/8/8/K7 w - - 0 1").unwrap();
/// assert_eq!(setup.faults(), [SetupFault::NoKing(Color::Black)]);
/// assert!(Position::try_from(&setup).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What stands on each square, by index.
    pub board: [Option<ColoredPiece>; 64],
    /// The side to move.
    pub turn: Color,
    /// The rooks that are said to have the right to castle, there or not.
    pub castling: CastlingRights,
    /// The square that a pawn is said to have just passed.
    pub en_passant: Option<Square>,
    /// Half moves since the last capture or pawn move; without meaning for counting.
    pub halfmove_clock: u32,
    /// The number of the move, counted from 1; without meaning for counting.
    pub fullmove_number: u32,
}

/// Why a setup cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupFault {
    /// A colour has no king.
    #[error("{0} has no king")]
    NoKing(Color),
    /// A colour has a second king, here.
    #[error("{0} has a second king on {1}")]
    SecondKing(Color, Square),
    /// A pawn stands on the first or the eighth rank.
    #[error("a pawn cannot stand on {0}")]
    PawnOnLastRank(Square),
    /// The side that has just moved stands in check.
    #[error("{0} is in check, but it is not {0}'s move")]
    OpponentInCheck(Color),
}

/// A setup cannot be played: every reason why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub Vec<SetupFault>);

impl std::fmt::Display for SetupError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let faults: Vec<String> = self.0.iter().map(SetupFault::to_string).collect();
        f.write_str(&faults.join("; "))
    }
}

impl std::error::Error for SetupError {}

/// What validation leaves out because it can have no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupWarning {
    /// A castling right without its rook, or with the king off its back rank.
    #[error(
        "castling with the rook on {rook} is left out: {color} has no rook there, or no king beside it on the rank"
    )]
    CastlingWithoutRook {
        /// Whose right it is.
        color: Color,
        /// Where the rook should be.
        rook: Square,
    },
    /// A second right on the same side; the outer rook keeps its own.
    #[error("castling with the rook on {rook} is left out: {color} has a right with a rook further out")]
    CastlingTwiceOnOneSide {
        /// Whose right it is.
        color: Color,
        /// The inner rook.
        rook: Square,
    },
    /// No pawn can have passed this square with the last move.
    #[error("the en passant square {0} is left out: no pawn can just have passed it")]
    EnPassantWithoutPawn(Square),
}

impl Setup {
    /// An empty board, White to move.
    pub const EMPTY: Setup = Setup {
        board: [None; 64],
        turn: Color::White,
        castling: CastlingRights::NONE,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// Every reason why this setup cannot be played; empty if it can.
    pub fn faults(&self) -> Vec<SetupFault> {
        self.playable().err().unwrap_or_default()
    }

    /// The position of this setup, or why it cannot be played.
    fn playable(&self) -> Result<Position, Vec<SetupFault>> {
        let mut faults = Vec::new();
        for color in Color::ALL {
            let mut kings = self.squares_of(color, Piece::King).into_iter();
            if kings.next().is_none() {
                faults.push(SetupFault::NoKing(color));
            }
            faults.extend(kings.map(|square| SetupFault::SecondKing(color, square)));
        }
        let last_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
        for color in Color::ALL {
            let pawns = self.squares_of(color, Piece::Pawn) & last_ranks;
            faults.extend(pawns.into_iter().map(SetupFault::PawnOnLastRank));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let position = self.place();
        let opponent = !self.turn;
        if position.attackers(position.king(opponent), self.turn, position.occupied(), Magic).any() {
            return Err(vec![SetupFault::OpponentInCheck(opponent)]);
        }
        Ok(position)
    }

    /// What becoming a [`Position`] leaves out of this setup.
    pub fn warnings(&self) -> Vec<SetupWarning> {
        let mut warnings = Vec::new();
        for rook in self.castling.all_rooks() {
            let color = castling_color(rook);
            if !self.has_castling_rook(rook) {
                warnings.push(SetupWarning::CastlingWithoutRook { color, rook });
            } else if !self.is_outermost_right(rook) {
                warnings.push(SetupWarning::CastlingTwiceOnOneSide { color, rook });
            }
        }
        let wrong = self.en_passant.filter(|&square| !self.can_have_been_passed(square));
        warnings.extend(wrong.map(SetupWarning::EnPassantWithoutPawn));
        warnings
    }

    /// The squares on which a colour has a kind of piece.
    pub fn squares_of(&self, color: Color, piece: Piece) -> Bitboard {
        let wanted = Some(ColoredPiece { color, piece });
        Square::ALL.into_iter().filter(|square| self.board[square.index()] == wanted).collect()
    }

    /// The board drawn with letters, white at the bottom.
    pub fn diagram(&self) -> String {
        super::diagram(|square| self.board[square.index()])
    }

    /// True if the right of this rook is real: rook and king of its colour stand on the back rank.
    fn has_castling_rook(&self, rook: Square) -> bool {
        let color = castling_color(rook);
        self.board[rook.index()] == Some(ColoredPiece { color, piece: Piece::Rook })
            && self.castling_king(color).is_some()
    }

    /// The king of a colour, if it stands on its back rank.
    fn castling_king(&self, color: Color) -> Option<Square> {
        let king = Some(ColoredPiece { color, piece: Piece::King });
        Bitboard::rank(color.back_rank()).into_iter().find(|square| self.board[square.index()] == king)
    }

    /// True if no real right of the same colour and side belongs to a rook further from the king.
    fn is_outermost_right(&self, rook: Square) -> bool {
        let color = castling_color(rook);
        let Some(king) = self.castling_king(color) else { return false };
        let distance = |square: Square| square.index().abs_diff(king.index());
        self.castling.rooks(color).into_iter().all(|other| {
            CastlingSide::of(king, other) != CastlingSide::of(king, rook)
                || distance(other) <= distance(rook)
                || !self.has_castling_rook(other)
        })
    }

    /// True if an enemy pawn can just have made a double step over this square.
    fn can_have_been_passed(&self, square: Square) -> bool {
        let forward = self.turn.forward();
        let (Some(start), Some(stop)) = (forward.step(square), (!self.turn).forward().step(square)) else {
            return false;
        };
        let enemy_pawn = Some(ColoredPiece { color: !self.turn, piece: Piece::Pawn });
        let start_rank = match self.turn {
            Color::White => Rank::Seventh,
            Color::Black => Rank::Second,
        };
        start.rank() == start_rank
            && self.board[stop.index()] == enemy_pawn
            && self.board[square.index()].is_none()
            && self.board[start.index()].is_none()
    }

    /// The position of this setup, which has a king a side; rights and en passant only where they are real.
    fn place(&self) -> Position {
        let mut position = Position {
            armies: [Army::default(); 2],
            castling: CastlingRights::NONE,
            kings: [Square::A1; 2],
            turn: self.turn,
            en_passant: None,
        };
        for square in Square::ALL {
            if let Some(piece) = self.board[square.index()] {
                position.put(square, piece);
            }
        }
        for rook in self.castling.all_rooks() {
            if self.has_castling_rook(rook) && self.is_outermost_right(rook) {
                position.castling.add(rook);
            }
        }
        position.en_passant = self
            .en_passant
            .filter(|&square| self.can_have_been_passed(square) && position.en_passant_captors(square).any());
        position
    }
}

/// The colour that a castling right belongs to, by the rank of its rook.
fn castling_color(rook: Square) -> Color {
    if rook.rank() == Rank::First { Color::White } else { Color::Black }
}

impl Position {
    fn put(&mut self, square: Square, ColoredPiece { color, piece }: ColoredPiece) {
        let bit = Bitboard::from(square);
        let army = &mut self.armies[color.index()];
        army.all |= bit;
        match piece {
            Piece::Pawn => army.pawns |= bit,
            Piece::Knight => army.knights |= bit,
            Piece::Bishop => army.diagonals |= bit,
            Piece::Rook => army.orthogonals |= bit,
            Piece::Queen => {
                army.diagonals |= bit;
                army.orthogonals |= bit;
            }
            Piece::King => self.kings[color.index()] = square,
        }
    }
}

impl TryFrom<&Setup> for Position {
    type Error = SetupError;

    fn try_from(setup: &Setup) -> Result<Position, SetupError> {
        setup.playable().map_err(SetupError)
    }
}

/// The en passant square is given only if it can legally be used.
impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        Setup {
            board: Square::ALL.map(|square| position.piece_at(square)),
            turn: position.turn(),
            castling: position.castling(),
            en_passant: position.legal_en_passant(),
            ..Setup::EMPTY
        }
    }
}

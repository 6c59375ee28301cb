//! A position that may be illegal, and its validation.
//!
//! A [`Setup`] can have any content. Validation refuses only positions in which counting has no meaning: a missing or
//! second king, a pawn on the first or last rank, or the side that has just moved in check. It accepts positions that
//! no game can reach but that are used as tests, such as nine queens or a check by two bishops. It ignores a castling
//! right without its rook, and an en passant square that no pawn can have passed, and gives a warning.

use super::{Army, Position};
use crate::attacks::sliders::Magic;
use crate::types::{Bitboard, CastlingRights, CastlingSide, Color, ColoredPiece, File, Piece, Rank, Square};

/// The contents of a FEN. Unlike a [`Position`], it may be illegal, and it has the two clocks.
///
/// Read a setup from a FEN with [`str::parse`] or [`Setup::from_fen`]; [`Display`](std::fmt::Display) writes the FEN.
/// Use `Position::try_from(&setup)` to validate it.
///
/// # Examples
/// ```
/// use perft_core::{Color, Position, Setup, SetupFault};
/// let setup: Setup = "8/8/8/8/8/8/8/K7 w - - 12 40".parse()?;
/// assert_eq!((setup.halfmove_clock, setup.fullmove_number), (12, 40));
/// assert_eq!(setup.faults(), [SetupFault::NoKing(Color::Black)]);
/// assert!(Position::try_from(&setup).is_err());
/// # Ok::<(), perft_core::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The piece on each square, by the index of the square.
    pub board: [Option<ColoredPiece>; 64],
    /// The side to move.
    pub turn: Color,
    /// The squares of the rooks that may castle. A rook may be missing there.
    pub castling: CastlingRights,
    /// The en passant square. The pawn that has passed it may be missing on the board.
    pub en_passant: Option<Square>,
    /// The number of plies since the last capture or pawn move. It has no effect on counts.
    pub halfmove_clock: u32,
    /// The number of the move, which starts at 1. It has no effect on counts.
    pub fullmove_number: u32,
}

/// A reason why a setup is not a legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupFault {
    /// A colour has no king.
    #[error("{0} has no king")]
    NoKing(Color),
    /// A colour has a second king on this square.
    #[error("{0} has a second king on {1}")]
    SecondKing(Color, Square),
    /// A pawn stands on this square of the first or the last rank.
    #[error("a pawn cannot stand on {0}")]
    PawnOnLastRank(Square),
    /// The side that has just moved is in check.
    #[error("{0} is in check, but it is not {0}'s move")]
    OpponentInCheck(Color),
}

/// The error of validating a setup: all reasons why it is not a legal position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", joined(.0))]
pub struct SetupError(pub Vec<SetupFault>);

pub(crate) fn joined(faults: impl IntoIterator<Item = impl ToString>) -> String {
    faults.into_iter().map(|fault| fault.to_string()).collect::<Vec<_>>().join("; ")
}

/// A warning about something that is assumed in a FEN, or ignored because it can have no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupWarning {
    /// The FEN ends after this field. The other fields have these defaults.
    #[error("the FEN ends after the {0}: {1}")]
    EndsAfter(&'static str, &'static str),
    /// A castling right is written with `K` or `Q`, but the king or the rook is not on its square of standard chess.
    #[error(
        "{color}'s castling rights are read as those of Chess960: the {piece} is on {found}, not on {expected}"
    )]
    Chess960Right {
        /// The colour that has the right.
        color: Color,
        /// The piece that is elsewhere: the king, or a rook.
        piece: Piece,
        /// The square of the piece.
        found: Square,
        /// The square of the piece in standard chess.
        expected: Square,
    },
    /// There is no rook for a castling right, or the king is not on its back rank.
    #[error(
        "the right to castle with the rook on {1} is ignored: {0} has no rook there, or no king on that rank"
    )]
    CastlingWithoutRook(Color, Square),
    /// There are two rights on one side of the king. Only the outermost rook keeps its right.
    #[error("the right to castle with the rook on {1} is ignored: {0} has a right with a rook further out")]
    CastlingTwiceOnOneSide(Color, Square),
    /// No pawn can have passed this square with the last move.
    #[error("the en passant square {0} is ignored: no pawn can have just passed it")]
    EnPassantWithoutPawn(Square),
}

impl Setup {
    /// An empty board with White to move.
    pub const EMPTY: Setup = Setup {
        board: [None; 64],
        turn: Color::White,
        castling: CastlingRights::NONE,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// Returns all reasons why the setup is not a legal position, or no reason if it is legal.
    pub fn faults(&self) -> Vec<SetupFault> {
        Position::try_from(self).map_or_else(|SetupError(faults)| faults, |_| Vec::new())
    }

    /// Returns the parts of this setup that validation ignores, such as a castling right without a rook.
    pub fn warnings(&self) -> Vec<SetupWarning> {
        let mut warnings = Vec::new();
        for rook in self.castling.all_rooks() {
            let color = castling_color(rook);
            if !self.has_castling_rook(rook) {
                warnings.push(SetupWarning::CastlingWithoutRook(color, rook));
            } else if !self.is_outermost_right(rook) {
                warnings.push(SetupWarning::CastlingTwiceOnOneSide(color, rook));
            }
        }
        let wrong = self.en_passant.filter(|&square| !self.can_have_been_passed(square));
        warnings.extend(wrong.map(SetupWarning::EnPassantWithoutPawn));
        warnings
    }

    /// Returns the squares of the pieces of one colour and kind.
    pub fn squares_of(&self, color: Color, piece: Piece) -> Bitboard {
        let wanted = Some(ColoredPiece { color, piece });
        Square::ALL.into_iter().filter(|square| self.board[square.index()] == wanted).collect()
    }

    /// Draws the board with letters for the pieces, with White at the bottom.
    pub fn diagram(&self) -> String {
        let mut text = String::new();
        for (rank, squares) in Rank::ALL.into_iter().zip(self.board.chunks(8)).rev() {
            text.push(rank.digit());
            for square in squares {
                text.push(' ');
                text.push(square.map_or('.', ColoredPiece::letter));
            }
            text.push('\n');
        }
        text + "  a b c d e f g h\n"
    }

    fn has_castling_rook(&self, rook: Square) -> bool {
        let color = castling_color(rook);
        self.castling.rooks(color).contains(rook)
            && self.board[rook.index()] == Some(ColoredPiece { color, piece: Piece::Rook })
            && self.castling_king(color).is_some()
    }

    fn castling_king(&self, color: Color) -> Option<Square> {
        let king = Some(ColoredPiece { color, piece: Piece::King });
        Bitboard::rank(color.back_rank()).into_iter().find(|square| self.board[square.index()] == king)
    }

    /// Returns a warning if a colour has a castling right that standard chess does not have.
    pub(super) fn chess960_warning(&self, color: Color) -> Option<SetupWarning> {
        let rooks = self.castling.rooks(color).into_iter().filter(|&rook| self.has_castling_rook(rook));
        let king = self.castling_king(color)?;
        let mut places = rooks.flat_map(|rook| {
            let corner = if CastlingSide::of(king, rook) == CastlingSide::King { File::H } else { File::A };
            [(Piece::King, king, File::E), (Piece::Rook, rook, corner)]
        });
        places.find_map(|(piece, found, file)| {
            let expected = Square::new(file, color.back_rank());
            (found != expected).then_some(SetupWarning::Chess960Right { color, piece, found, expected })
        })
    }

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

    /// Whether an opposing pawn can have passed this square with a double push as the last move.
    fn can_have_been_passed(&self, square: Square) -> bool {
        let forward = self.turn.forward();
        let (Some(start), Some(stop)) = (forward.step(square), (!self.turn).forward().step(square)) else {
            return false;
        };
        let enemy_pawn = Some(ColoredPiece { color: !self.turn, piece: Piece::Pawn });
        start.rank() == self.turn.rank(Rank::Seventh)
            && self.board[stop.index()] == enemy_pawn
            && self.board[square.index()].is_none()
            && self.board[start.index()].is_none()
    }

    /// Returns the position of a setup with one king of each colour. It has only the valid castling rights, and the en
    /// passant square only if it is valid.
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

fn castling_color(rook: Square) -> Color {
    if rook.rank() == Rank::First { Color::White } else { Color::Black }
}

impl Position {
    /// Places a piece on an empty square.
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
        let mut faults = Vec::new();
        for color in Color::ALL {
            let mut kings = setup.squares_of(color, Piece::King).into_iter();
            if kings.next().is_none() {
                faults.push(SetupFault::NoKing(color));
            }
            faults.extend(kings.map(|square| SetupFault::SecondKing(color, square)));
        }
        let last_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
        for color in Color::ALL {
            let pawns = setup.squares_of(color, Piece::Pawn) & last_ranks;
            faults.extend(pawns.into_iter().map(SetupFault::PawnOnLastRank));
        }
        if !faults.is_empty() {
            return Err(SetupError(faults));
        }
        let position = setup.place();
        let opponent = !setup.turn;
        if position.attackers(position.king(opponent), setup.turn, position.occupied(), Magic).any() {
            return Err(SetupError(vec![SetupFault::OpponentInCheck(opponent)]));
        }
        Ok(position)
    }
}

/// Sets the clocks to 0 and 1. Keeps the en passant square only if a capture on it is legal.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_castling_right_off_the_back_rank_is_ignored() {
        let mut setup: Setup = "4k3/8/8/7r/8/8/8/K7 b - - 0 1".parse().unwrap();
        setup.castling.add(Square::H5);
        let ignored = SetupWarning::CastlingWithoutRook(Color::Black, Square::H5);
        assert_eq!(setup.warnings(), [ignored]);
        assert_eq!(Position::try_from(&setup).unwrap().castling(), CastlingRights::NONE);
    }
}

//! Tests whether a game can lead to a position, with conditions that every position of a game meets.
//!
//! Authors need not handle a position that no game reaches, and some programs refuse such positions. A wrong count of
//! such a position shows no bug that a game could reveal. So hunts leave these positions out unless the user asks for
//! them.
//!
//! The conditions are necessary, not sufficient. A position without a fault here may still be unreachable, for example
//! because of its pawns. But a position of a game is never called impossible. The conditions are:
//!
//! - A side has at most 16 pieces and 8 pawns. Each piece beyond those of the start position was a pawn.
//! - A double check has a possible last move: taking it back leaves no check. A single check is not tested, because no
//!   program refuses it. The well-known position `mirrored` has a single check without a last move.
//! - With an en passant square, the last move was the double push. The side to move was not in check before that push.
//!
//! The two sides of a Chess960 position may have different start arrays.

use super::Position;
use super::setup::Setup;
use crate::attacks::sliders::{Magic, Sliders};
use crate::attacks::{king, knight, pawn};
use crate::types::{Bitboard, Color, ColoredPiece, Piece, Square};

/// The number of pieces of a side in the start position.
const PIECES: u32 = 16;

/// The number of pawns of a side in the start position.
const PAWNS: u32 = 8;

/// A reason why no game can lead to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Impossibility {
    /// A side has more than 16 pieces.
    #[error("{0} has {1} pieces, more than 16")]
    TooManyPieces(Color, u32),
    /// A side has more than 8 pawns.
    #[error("{0} has {1} pawns, more than 8")]
    TooManyPawns(Color, u32),
    /// A side has more promoted pieces than pawns that can have promoted.
    #[error("{0} has {1} promoted pieces, but only {2} of its pawns can have promoted")]
    TooManyPromotions(Color, u32, u32),
    /// This side was in check before the double push that passed this square, with the other side to move.
    #[error("{1} was in check before the double push that passed {0}")]
    CheckBeforeDoublePush(Square, Color),
    /// No single move of the other side can have given these checks to this side.
    #[error("no single move can have given these checks to {0}")]
    ChecksWithoutMove(Color),
}

/// Returns the reasons why no game can lead to a position. There are none if it meets all conditions that are checked.
///
/// The conditions are necessary, not sufficient. All positions of games meet them, in standard chess and in Chess960.
///
/// # Examples
/// ```
/// use perft_core::{Position, impossibilities};
///
/// assert!(impossibilities(&Position::start()).is_empty());
///
/// // Two rooks give check from both sides. No single move can have done that.
/// let checks = Position::from_fen("4k3/8/8/8/r3K2r/8/8/8 w - - 0 1").unwrap();
/// assert_eq!(impossibilities(&checks)[0].to_string(), "no single move can have given these checks to white");
/// ```
pub fn impossibilities(position: &Position) -> Vec<Impossibility> {
    let setup = Setup { en_passant: position.en_passant(), ..Setup::from(position) };
    let mut found: Vec<Impossibility> =
        Color::ALL.into_iter().flat_map(|color| too_much_material(&setup, color)).collect();
    let us = position.turn();
    if let Some(passed) = setup.en_passant {
        let before = before_double_push(&setup, passed);
        if checkers(&before, !us, us).any() {
            found.push(Impossibility::CheckBeforeDoublePush(passed, us));
        }
    } else if position.checkers().has_many() && !TakeBack::new(setup).explains_checks() {
        found.push(Impossibility::ChecksWithoutMove(us));
    }
    found
}

/// Whether a position meets all conditions of [`impossibilities`].
pub fn is_possible(position: &Position) -> bool {
    impossibilities(position).is_empty()
}

/// Returns a reason if a side has too many pieces, pawns or promoted pieces.
pub fn too_much_material(setup: &Setup, color: Color) -> Option<Impossibility> {
    let count = |piece| setup.squares_of(color, piece).count();
    let pieces: u32 = Piece::ALL.into_iter().map(count).sum();
    let pawns = count(Piece::Pawn);
    let promoted = promoted_pieces(setup, color);
    if pieces > PIECES {
        Some(Impossibility::TooManyPieces(color, pieces))
    } else if pawns > PAWNS {
        Some(Impossibility::TooManyPawns(color, pawns))
    } else if promoted > PAWNS - pawns {
        Some(Impossibility::TooManyPromotions(color, promoted, PAWNS - pawns))
    } else {
        None
    }
}

/// Returns the smallest possible number of promoted pieces. These are the pieces beyond one queen, two rooks, two
/// knights, and one bishop for each colour of squares.
fn promoted_pieces(setup: &Setup, color: Color) -> u32 {
    let bishops = setup.squares_of(color, Piece::Bishop);
    let is_dark = |at: &Square| (at.file() as usize + at.rank() as usize).is_multiple_of(2);
    let dark = bishops.into_iter().filter(is_dark).count() as u32;
    let beyond = |piece, first: u32| setup.squares_of(color, piece).count().saturating_sub(first);
    beyond(Piece::Queen, 1)
        + beyond(Piece::Rook, 2)
        + beyond(Piece::Knight, 2)
        + dark.saturating_sub(1)
        + (bishops.count() - dark).saturating_sub(1)
}

fn before_double_push(setup: &Setup, passed: Square) -> Setup {
    let towards_start = setup.turn.forward();
    let (start, stop) = (towards_start.step(passed), (!setup.turn).forward().step(passed));
    let mut before = setup.clone();
    if let (Some(start), Some(stop)) = (start, stop) {
        before.board[start.index()] = before.board[stop.index()].take();
    }
    before
}

/// Takes back moves of the side that has just moved.
struct TakeBack {
    setup: Setup,
    /// The side that is in check.
    us: Color,
    /// The side that has just moved.
    them: Color,
    occupied: Bitboard,
    can_uncapture: bool,
}

impl TakeBack {
    fn new(setup: Setup) -> TakeBack {
        let us = setup.turn;
        let ours = setup.board.iter().flatten().filter(|piece| piece.color == us).count();
        let occupied = occupied(&setup);
        TakeBack { setup, us, them: !us, occupied, can_uncapture: ours < PIECES as usize }
    }

    /// Whether some move can be taken back so that the king is not in check.
    fn explains_checks(&self) -> bool {
        Square::ALL.into_iter().any(|to| match self.setup.board[to.index()] {
            Some(moved) if moved.color == self.them => self.can_have_moved(to, moved.piece),
            _ => false,
        })
    }

    /// Whether the piece on a square can have given the checks by moving there.
    fn can_have_moved(&self, to: Square, piece: Piece) -> bool {
        let reach = match piece {
            Piece::Pawn => return self.pawn(to) || self.double_push(to) || self.en_passant(to),
            // A king that leaves a line discovers one check and gives none itself. Castling gives one check, by the
            // rook.
            Piece::King => return false,
            _ if self.setup.castling.all_rooks().contains(to) => return false,
            Piece::Knight => knight(to),
            Piece::Bishop => Magic.bishop(to, self.occupied),
            Piece::Rook => Magic.rook(to, self.occupied),
            Piece::Queen => Magic.bishop(to, self.occupied) | Magic.rook(to, self.occupied),
        };
        let pawns = self.setup.squares_of(self.them, Piece::Pawn).count();
        let can_be_promoted = to.rank() == self.us.back_rank() && pawns < PAWNS;
        self.moved(piece, reach, to, None)
            || self.moved(piece, reach, to, Some((to, Piece::Knight)))
            || (can_be_promoted && self.pawn(to))
    }

    /// Whether a move of `piece` from one of these squares, with this capture, can have given the checks. The king must
    /// not be in check before the move.
    fn moved(&self, piece: Piece, from: Bitboard, to: Square, captured: Option<(Square, Piece)>) -> bool {
        let is_quiet_before = |from: Square| {
            let mut before = self.setup.clone();
            before.board[to.index()] = None;
            if let Some((at, piece)) = captured {
                before.board[at.index()] = Some(ColoredPiece { color: self.us, piece });
            }
            before.board[from.index()] = Some(ColoredPiece { color: self.them, piece });
            checkers(&before, self.them, self.us).is_empty()
        };
        (captured.is_none() || self.can_uncapture) && (from & !self.occupied).into_iter().any(is_quiet_before)
    }

    /// Whether a pawn gave the checks with a single push or a capture to this square. It may have promoted there.
    fn pawn(&self, to: Square) -> bool {
        let home = Bitboard::rank(self.them.back_rank());
        let pushed = Bitboard::from(to).step(self.us.forward());
        self.moved(Piece::Pawn, pushed & !home, to, None)
            || self.moved(Piece::Pawn, pawn(self.us, to) & !home, to, Some((to, Piece::Knight)))
    }

    fn double_push(&self, to: Square) -> bool {
        let back = self.us.forward();
        let start_rank = Bitboard::rank(self.them.back_rank()).step(self.them.forward());
        let passed = Bitboard::from(to).step(back) & !self.occupied;
        self.moved(Piece::Pawn, passed.step(back) & start_rank, to, None)
    }

    fn en_passant(&self, to: Square) -> bool {
        let start_rank = Bitboard::rank(self.us.back_rank()).step(self.us.forward());
        let start = Bitboard::from(to).step(self.them.forward()) & start_rank & !self.occupied;
        let captured = Bitboard::from(to).step(self.us.forward()) & !self.occupied;
        start.any()
            && captured
                .into_iter()
                .any(|at| self.moved(Piece::Pawn, pawn(self.us, to), to, Some((at, Piece::Pawn))))
    }
}

fn occupied(setup: &Setup) -> Bitboard {
    Square::ALL.into_iter().filter(|square| setup.board[square.index()].is_some()).collect()
}

/// Returns the pieces of one colour that attack the king of the other. A setup without that king has none.
pub fn checkers(setup: &Setup, by: Color, of: Color) -> Bitboard {
    let Some(at) = setup.squares_of(of, Piece::King).first() else { return Bitboard::EMPTY };
    let occupied = occupied(setup);
    let pieces = |piece| setup.squares_of(by, piece);
    (pawn(of, at) & pieces(Piece::Pawn))
        | (knight(at) & pieces(Piece::Knight))
        | (king(at) & pieces(Piece::King))
        | (Magic.bishop(at, occupied) & (pieces(Piece::Bishop) | pieces(Piece::Queen)))
        | (Magic.rook(at, occupied) & (pieces(Piece::Rook) | pieces(Piece::Queen)))
}

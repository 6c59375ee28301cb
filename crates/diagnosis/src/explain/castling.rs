//! Castling: finds the castling move that a text means, and the condition of castling that fails.

use perft_core::internals::attacks::between;
use perft_core::{Bitboard, CastlingSide, File, Piece, Square};

use super::attempt::Attempt;
use super::board::Board;
use super::reason::Reason;
use super::theme::Theme;
use super::wording::{self, ILLEGAL};

/// A king move that can only mean castling.
#[derive(Clone, Copy, Debug)]
pub(super) enum CastlingAttempt {
    /// Castling with the rook on this square, which has a castling right.
    With(Square),
    /// Castling to a side on which no rook has a castling right. The rook is known if the text is "king takes rook".
    WithoutRight(CastlingSide, Option<Square>),
}

impl CastlingAttempt {
    /// Returns the castling move, written as "king takes rook" or as the king's own move. A king move to an adjacent
    /// square is castling only if it takes an own rook.
    pub fn of(attempt: &Attempt) -> Option<CastlingAttempt> {
        let &Attempt { from, to, .. } = attempt;
        let us = attempt.us();
        let home = us.back_rank();
        if attempt.mover.piece != Piece::King || from.rank() != home || to.rank() != home {
            return None;
        }
        if attempt.position.castling().rooks(us).contains(to) {
            return Some(CastlingAttempt::With(to));
        }
        let is_step = from.file().index().abs_diff(to.file().index()) == 1;
        let mut sides = attempt.position.castling_sides(us);
        if let Some((_, rook)) = sides.find(|(side, _)| !is_step && side.king_target(us) == to) {
            return Some(CastlingAttempt::With(rook));
        }
        if attempt.board.has_piece(us, Piece::Rook, to) {
            return Some(CastlingAttempt::WithoutRight(CastlingSide::of(from, to), Some(to)));
        }
        let mut sides = [CastlingSide::King, CastlingSide::Queen].into_iter();
        let side = sides.find(|side| side.king_target(us) == to)?;
        (!is_step && from != to).then_some(CastlingAttempt::WithoutRight(side, None))
    }

    /// Returns the condition that fails, or `None` if castling is legal.
    pub fn broken_rule(self, attempt: &Attempt) -> Option<Reason> {
        let (theme, because) = match self {
            CastlingAttempt::WithoutRight(side, rook) => {
                (Theme::CastlingRight, missing_right(attempt, side, rook))
            }
            CastlingAttempt::With(rook) => Castling::of(attempt, rook).failed_condition(attempt)?,
        };
        Some(Reason::new(theme, ILLEGAL, because))
    }
}

/// Explains why there is no castling right. The start squares of king and rook are known only in standard chess.
fn missing_right(attempt: &Attempt, side: CastlingSide, rook: Option<Square>) -> String {
    let us = attempt.us();
    let owner = wording::side(us);
    let file = if side == CastlingSide::King { File::H } else { File::A };
    let corner = Square::new(file, us.back_rank());
    let is_at_home = attempt.king.file() == File::E;
    match rook {
        Some(rook) if !is_at_home || rook != corner => {
            format!("the rook on {rook} is {owner}'s own piece and has no castling right")
        }
        _ if !is_at_home => format!("{owner} has no right to castle {}", wording::castling_side(side)),
        _ if attempt.board.has_piece(us, Piece::Rook, corner) => {
            format!("{owner}'s {} right is gone", wording::castling_side(side))
        }
        _ => format!("{owner} has no rook on {corner} to castle with"),
    }
}

/// A king and a rook that has a castling right, each with its start and target square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Castling {
    pub side: CastlingSide,
    king: [Square; 2],
    rook: [Square; 2],
}

impl Castling {
    /// Returns castling with the rook on a square.
    pub fn of(attempt: &Attempt, rook: Square) -> Castling {
        let side = CastlingSide::of(attempt.king, rook);
        let us = attempt.us();
        Castling { side, king: [attempt.king, side.king_target(us)], rook: [rook, side.rook_target(us)] }
    }

    fn failed_condition(self, attempt: &Attempt) -> Option<(Theme, String)> {
        let them = !attempt.us();
        let board = &attempt.board;
        let without_king = board.without(attempt.king);
        let attackers = |square| without_king.attackers(square, them);
        let [from, to] = self.king;
        if attempt.checkers.any() {
            let checkers = wording::pieces_on(board, attempt.checkers);
            return Some((Theme::CastlingInCheck, format!("the king on {from} is in check by {checkers}")));
        }
        if let Some(blocker) = (self.crossed_squares() & board.occupied()).first() {
            let blocker = wording::piece_on(board, blocker);
            return Some((Theme::CastlingBlocked, format!("{blocker} stands {}", self.place())));
        }
        if let Some(passed) = between(from, to).into_iter().find(|&square| attackers(square).any()) {
            let because = attacked(board, "passes", passed, attackers(passed));
            return Some((Theme::CastlingThroughCheck, because));
        }
        if attackers(to).any() {
            let because = attacked(board, "ends on", to, attackers(to));
            return Some((Theme::CastlingIntoCheck, because));
        }
        let slider = board.castled(self.king, self.rook).attackers(to, them).first()?;
        let slider = wording::piece_on(board, slider);
        let because =
            format!("the rook on {} leaves, and {slider} then attacks the king on {to}", self.rook[0]);
        Some((Theme::CastlingUncovers, because))
    }

    /// Explains why castling is legal.
    pub fn why_legal(self) -> String {
        let [from, to] = self.king;
        let mut safe: Vec<String> =
            between(from, to).with(from).with(to).into_iter().map(|square| square.to_string()).collect();
        if to < from {
            safe.reverse();
        }
        let safe = match safe.as_slice() {
            [one] => format!("{one} is not attacked"),
            [one, other] => format!("neither {one} nor {other} is attacked"),
            all => format!("none of {} is attacked", wording::joined(all.to_vec())),
        };
        format!("nothing stands {}, and {safe}", self.place())
    }

    /// Returns the squares that king and rook cross or enter, without their own squares.
    fn crossed_squares(self) -> Bitboard {
        let path = |[from, to]: [Square; 2]| between(from, to).with(to);
        (path(self.king) | path(self.rook)) & !(Bitboard::from(self.king[0]).with(self.rook[0]))
    }

    /// Returns the phrase for the squares that must be empty. In standard chess they are between king and rook. In
    /// Chess960 they may be beyond.
    fn place(self) -> &'static str {
        let is_between = (self.crossed_squares() & !between(self.king[0], self.rook[0])).is_empty();
        if is_between { "between king and rook" } else { "in the way of king or rook" }
    }
}

/// Returns a text such as `the king passes d1, which the bishop on g4 attacks`.
fn attacked(board: &Board, verb: &str, square: Square, attackers: Bitboard) -> String {
    let (pieces, attack) = (wording::pieces_on(board, attackers), wording::attack(attackers));
    format!("the king {verb} {square}, which {pieces} {attack}")
}

//! A move to explain, and the facts about it that the rules need.
//!
//! Castling is a kind of its own: finds the castling move that a text means, and the condition of castling that fails.

use perft_core::internals::Direction;
use perft_core::internals::attacks::between;
use perft_core::{Bitboard, CastlingSide, Color, ColoredPiece, File, Piece, Position, Rank, Square};

use super::theme::{Reason, Theme};
use super::wording::{self, Board, ILLEGAL};

/// Parses a move, legal or not: two squares, and the piece that a pawn promotes to. Returns `None` if the text is not a
/// move.
pub(super) fn parse(text: &str) -> Option<(Square, Square, Option<Piece>)> {
    let from = text.get(..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let mut letters = text.get(4..)?.chars();
    let promotion = match letters.next() {
        None => None,
        Some(letter) => Some(Piece::from_letter(letter)?),
    };
    letters.next().is_none().then_some((from, to, promotion))
}

/// A move of a piece of the side to move, legal or not, and the facts about the position that the rules need.
#[derive(Debug)]
pub(super) struct Attempt<'a> {
    pub position: &'a Position,
    pub board: Board,
    pub from: Square,
    pub to: Square,
    pub promotion: Option<Piece>,
    /// The piece on `from`.
    pub mover: ColoredPiece,
    /// The king of the side to move.
    pub king: Square,
    /// The pieces that give check to this king.
    pub checkers: Bitboard,
}

impl<'a> Attempt<'a> {
    /// Returns the attempt, or `None` if the side to move has no piece on the first square of the move.
    pub fn new(
        position: &'a Position,
        (from, to, promotion): (Square, Square, Option<Piece>),
    ) -> Option<Attempt<'a>> {
        let board = Board::new(position);
        let us = position.turn();
        let mover = board.at(from).filter(|piece| piece.color == us)?;
        let king = position.king(us);
        let checkers = board.attackers(king, !us);
        Some(Attempt { position, board, from, to, promotion, mover, king, checkers })
    }

    /// Returns the side to move.
    pub fn us(&self) -> Color {
        self.mover.color
    }

    /// Returns the direction in which the pawns of the side to move move.
    pub fn forward(&self) -> Direction {
        self.us().forward()
    }

    /// Whether a pawn moves to its last rank.
    pub fn reaches_last_rank(&self) -> bool {
        self.mover.piece == Piece::Pawn && self.to.rank() == (!self.us()).back_rank()
    }

    /// Whether a pawn leaves its file.
    pub fn is_pawn_capture(&self) -> bool {
        self.mover.piece == Piece::Pawn && self.from.file() != self.to.file()
    }

    /// Returns the square of the captured pawn if a pawn moves diagonally to the en passant square.
    pub fn captured_en_passant(&self) -> Option<Square> {
        let passed = self.position.en_passant().filter(|&passed| passed == self.to)?;
        if self.is_pawn_capture() { self.behind(passed) } else { None }
    }

    /// Returns the square behind another one, as seen by the side to move.
    pub fn behind(&self, square: Square) -> Option<Square> {
        (!self.us()).forward().step(square)
    }

    /// Returns the board after the move, which must not be castling.
    pub fn after(&self) -> Board {
        let moved = self.board.moved(self.from, self.to);
        match self.captured_en_passant() {
            Some(captured) => moved.without(captured),
            None => moved,
        }
    }

    /// Returns the piece that pins the moving piece to its king.
    pub fn pinner(&self) -> Option<Square> {
        if self.mover.piece == Piece::King {
            return None;
        }
        let uncovered = self.board.without(self.from).attackers(self.king, !self.us());
        (uncovered & !self.checkers).first()
    }
}

/// Returns the rank from which the pawns of a colour may make a double step.
pub(super) const fn pawn_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::Second,
        Color::Black => Rank::Seventh,
    }
}

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
    pub fn from_attempt(attempt: &Attempt) -> Option<CastlingAttempt> {
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
            CastlingAttempt::With(rook) => Castling::new(attempt, rook).failed_condition(attempt)?,
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
    pub fn new(attempt: &Attempt, rook: Square) -> Castling {
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

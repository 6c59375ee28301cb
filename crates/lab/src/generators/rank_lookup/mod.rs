//! `rank-lookup`: every line is turned onto the first rank, and a king that is in doubt looks out as every piece.
//!
//! # Sliders
//! One table of 8 squares by 256 occupancies, two kilobytes, holds what a slider attacks on a rank. A rank is a byte of
//! the board, so a shift brings it there and back. A file and the two diagonals are brought there and back by a
//! multiplication, which adds up shifted copies of a set: the file `lines.rs` draws how.
//!
//! ```text
//!   . . . 8 . . . .                       . . . . . . . h
//!   . . . 7 . . . .                       . . . . . . g .     the diagonal a1-h8, and what stands on it,
//!   . . . 6 . . . .   the d-file          . . . . . f . .     on a rank:       a b c d e f g h
//!   . . . 5 . . . .   on a rank:          . . . . e . . .
//!   . . . 4 . . . .   8 7 6 5 4 3 2 1     . . . d . . . .
//!   . . . 3 . . . .                       . . c . . . . .
//!   . . . 2 . . . .                       . b . . . . . .
//!   . . . 1 . . . .                       a . . . . . . .
//! ```
//!
//! # Legality
//! Moves are pseudo-legal: they follow the way of the men, and may leave the king in check. Whether a move does is found
//! by looking outward from the king's square as knight, pawn, king, rook and bishop: what such a piece there would
//! attack is where it is attacked from. Only what the test asks for is changed for it, two sets of squares; a copy of
//! the board is made for moves that are played.
//!
//! One look before the moves, the view of the king, spares most of these tests. Each line was measured on the six
//! positions of `scripts/count-instructions`, as the geometric mean of the instructions for a leaf node, with BMI2:
//!
//! | tested | instructions |
//! |---|---|
//! | every move, made on a copy of the board | 65.1 |
//! | ... without a copy, on two sets that change | 56.2 |
//! | not in check: only men on a line with the king | 42.7 |
//! | ... of those, only what the king sees, on lines with an enemy slider | 22.9 |
//! | ... and only if that slider is the next behind | 21.1 |
//! | in check: only moves onto the one checker or before it | 19.9 |
//!
//! King's steps, castling, en passant and the moves of pinned men are always tested one by one.
//!
//! # What it costs
//! A rook takes two loads and two multiplications, a bishop four loads and four multiplications; the fastest look-ups
//! take one load of a table that is fifty to four hundred times as large. What that comes to is best seen where all else
//! is the same: `--sliders kindergarten`, a relative of this look-up with larger tables, beside the others.
//!
//! # Sources
//! Chess Programming Wiki: "First Rank Attacks"; "Kindergarten Bitboards", whose name is Gerd Isenberg's (2006), for the
//! multiplications; "Square Attacked By" for the king as every piece; "Pseudo-Legal Move" and "Copy-Make".

pub(super) mod lines;

use std::marker::PhantomData;

use self::lines::{bishop, rook};
use super::{Board, Design};
use perft_core::Position;
use perft_core::internals::attacks::{between, diagonal_rays, king, knight, orthogonal_rays, pawn};
use perft_core::internals::{Black, Side, White};
use perft_core::internals::{CastlingPaths, Sink, origin};
use perft_core::{Bitboard, CastlingRights, CastlingSide, Color, Move, MoveKind, Square};

/// Sets of squares by kind and by colour. A queen is in two of them: among what moves diagonally, and orthogonal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankLookupBoard {
    pawns: Bitboard,
    knights: Bitboard,
    diagonals: Bitboard,
    orthogonals: Bitboard,
    colors: [Bitboard; 2],
    castling: CastlingRights,
    kings: [Square; 2],
    turn: Color,
    en_passant: Option<Square>,
}

// A board is copied for every move that is played: two 32-byte moves.
const _: () = assert!(size_of::<RankLookupBoard>() == 64);

impl Board for RankLookupBoard {
    type Move = Move;

    const DESIGN: Design = Design {
        about: "sliders by turning each line onto the first rank, legality by the king looking out as every piece",
        board: "bitboards by kind and by colour; queens in two sets, among what moves diagonally and orthogonal",
        sliders: "a table of 8 squares by 256 occupancies; ranks by a shift, other lines by multiplications",
        legality: "pseudo-legal; king's steps, castling, en passant and pinned men are tested move by move",
        playing: "on a copy of 64 bytes",
        moves: "from, to and kind in 16 bits, never listed",
        counting: "sizes of sets of targets, after the tests",
        source: "Chess Programming Wiki: First Rank Attacks, Kindergarten Bitboards (Gerd Isenberg), Square Attacked By",
    };

    fn new(position: &Position) -> RankLookupBoard {
        let [white, black] = Color::ALL.map(|color| *position.army(color));
        RankLookupBoard {
            pawns: white.pawns | black.pawns,
            knights: white.knights | black.knights,
            diagonals: white.diagonals | black.diagonals,
            orthogonals: white.orthogonals | black.orthogonals,
            colors: [white.all, black.all],
            castling: position.castling(),
            kings: Color::ALL.map(|color| position.king(color)),
            turn: position.turn(),
            en_passant: position.en_passant(),
        }
    }

    #[inline(always)]
    fn each_child(&mut self, visit: impl FnMut(Move, &mut RankLookupBoard)) {
        match self.turn {
            Color::White => self.generate::<White>(&mut Player::<White, _>::new(self, visit)),
            Color::Black => self.generate::<Black>(&mut Player::<Black, _>::new(self, visit)),
        }
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        let mut total = 0;
        match self.turn {
            Color::White => self.generate::<White>(&mut total),
            Color::Black => self.generate::<Black>(&mut total),
        }
        total
    }

    fn to_move(&self, played: Move) -> Move {
        played
    }
}

/// Plays moves of side `S` as they are found, each on a copy of the board.
struct Player<'a, S, F> {
    board: &'a RankLookupBoard,
    visit: F,
    side: PhantomData<S>,
}

impl<'a, S: Side, F: FnMut(Move, &mut RankLookupBoard)> Player<'a, S, F> {
    #[inline(always)]
    fn new(board: &'a RankLookupBoard, visit: F) -> Self {
        Player { board, visit, side: PhantomData }
    }

    #[inline(always)]
    fn play(&mut self, kind: MoveKind, from: Square, to: Square) {
        (self.visit)(Move::new(kind, from, to), &mut self.board.after::<S>(kind, from, to));
    }
}

impl<S: Side, F: FnMut(Move, &mut RankLookupBoard)> Sink for Player<'_, S, F> {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        for to in targets {
            self.play(kind, from, to);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        for to in targets {
            self.play(kind, origin(to, offset), to);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        for to in targets {
            for kind in MoveKind::PROMOTIONS {
                self.play(kind, origin(to, offset), to);
            }
        }
    }
}

/// What the king sees when it looks out as every piece, once, before the moves.
struct View {
    /// The king is attacked.
    in_check: bool,
    /// Where a man may go that is not the king: not onto its own men; out of a check, onto the one piece that gives it
    /// or between; nowhere out of two. A move elsewhere fails the test, for the king would see the same piece again.
    targets: Bitboard,
    /// Where our men stand that may uncover a check. All others move freely: nothing appears behind them.
    suspects: Bitboard,
}

impl RankLookupBoard {
    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    #[inline(always)]
    fn men<S: Side>(&self) -> Bitboard {
        self.colors[S::COLOR.index()]
    }

    #[inline(always)]
    fn king<S: Side>(&self) -> Square {
        self.kings[S::COLOR.index()]
    }

    /// True if the opponent of `S` attacks a square, on a board that is occupied like this and on which `them` is what
    /// stands of its men. A line is looked up only if something stands on it that moves that way: that is rare, and a
    /// look-up costs as much as all the leapers.
    #[inline(always)]
    fn is_attacked<S: Side>(&self, square: Square, occupied: Bitboard, them: Bitboard) -> bool {
        let leapers = (knight(square) & self.knights)
            | (pawn(S::COLOR, square) & self.pawns)
            | (king(square) & Bitboard::from(self.king::<S::Other>()));
        if (leapers & them).any() {
            return true;
        }
        let orthogonals = self.orthogonals & them;
        if (orthogonal_rays(square) & orthogonals).any() && (rook(square, occupied) & orthogonals).any() {
            return true;
        }
        let diagonals = self.diagonals & them;
        (diagonal_rays(square) & diagonals).any() && (bishop(square, occupied) & diagonals).any()
    }

    /// True if a man of side `S`, not its king, may go from one square to another without leaving its king in check. En
    /// passant takes more off the board than this.
    #[inline(always)]
    fn is_safe_after<S: Side>(&self, from: Square, to: Square) -> bool {
        let occupied = (self.occupied() ^ from.into()) | to.into();
        let them = self.men::<S::Other>() & !Bitboard::from(to);
        !self.is_attacked::<S>(self.king::<S>(), occupied, them)
    }

    /// What the king of side `S` sees.
    #[inline(always)]
    fn view<S: Side>(&self) -> View {
        let (us, them, from) = (self.men::<S>(), self.men::<S::Other>(), self.king::<S>());
        let mut checkers = ((knight(from) & self.knights) | (pawn(S::COLOR, from) & self.pawns)) & them;
        let mut suspects = Bitboard::EMPTY;
        let orthogonals = self.orthogonals & them;
        if (orthogonal_rays(from) & orthogonals).any() {
            let (seen, before_others) = self.look_twice::<S>(rook, orthogonals);
            checkers |= seen;
            suspects |= before_others;
        }
        let diagonals = self.diagonals & them;
        if (diagonal_rays(from) & diagonals).any() {
            let (seen, before_others) = self.look_twice::<S>(bishop, diagonals);
            checkers |= seen;
            suspects |= before_others;
        }
        let evasions = match checkers.first() {
            None => Bitboard::FULL,
            Some(_) if checkers.has_many() => Bitboard::EMPTY,
            Some(checker) => between(from, checker).with(checker),
        };
        View { in_check: checkers.any(), targets: evasions & !us, suspects }
    }

    /// Of these sliders, those that the king sees as one of their kind; and the squares between it and those that it sees
    /// when it looks again without its own men that it has seen. One man of its own stands there, a suspect.
    #[inline(always)]
    fn look_twice<S: Side>(
        &self,
        attacks: impl Fn(Square, Bitboard) -> Bitboard,
        sliders: Bitboard,
    ) -> (Bitboard, Bitboard) {
        let (from, occupied) = (self.king::<S>(), self.occupied());
        let seen = attacks(from, occupied);
        let behind = attacks(from, occupied ^ (seen & self.men::<S>())) & sliders & !seen;
        let mut before_others = Bitboard::EMPTY;
        for slider in behind {
            before_others |= between(from, slider);
        }
        (seen & sliders, before_others)
    }

    /// Hands the legal moves of side `S`, the side to move, to a sink. A king in double check has the only moves.
    #[inline(always)]
    fn generate<S: Side>(&self, sink: &mut impl Sink) {
        let view = self.view::<S>();
        let safe_steps = self.king_steps::<S>(sink);
        if !view.in_check {
            self.castling_moves::<S>(safe_steps, sink);
        }
        if view.targets.is_empty() {
            return;
        }
        self.piece_moves::<S>(&view, sink);
        self.pawn_moves::<S>(&view, sink);
        self.en_passant_moves::<S>(sink);
    }

    /// Steps of the king, each tested; returns those that are legal. The king is lifted for the test, so that it hides
    /// nothing behind it.
    #[inline(always)]
    fn king_steps<S: Side>(&self, sink: &mut impl Sink) -> Bitboard {
        let (from, them) = (self.king::<S>(), self.men::<S::Other>());
        let occupied = self.occupied() ^ from.into();
        let steps = king(from) & !self.men::<S>();
        let mut safe = steps;
        for to in steps {
            if self.is_attacked::<S>(to, occupied, them & !Bitboard::from(to)) {
                safe ^= to.into();
            }
        }
        sink.piece(MoveKind::King, from, safe);
        safe
    }

    /// Castling of a king that is not in check.
    #[inline(always)]
    fn castling_moves<S: Side>(&self, safe_steps: Bitboard, sink: &mut impl Sink) {
        let from = self.king::<S>();
        for rook in self.castling.rooks(S::COLOR) {
            if self.can_castle::<S>(from, rook, safe_steps) {
                sink.piece(MoveKind::Castling, from, rook.into());
            }
        }
    }

    /// True if the way is free, nothing attacks the king on it, and nothing attacks it when both have moved: in Chess960
    /// its rook may have hidden something. The squares beside the king were tested as its steps, but for its rook's.
    #[inline(always)]
    fn can_castle<S: Side>(&self, from: Square, rook: Square, safe_steps: Bitboard) -> bool {
        let paths = CastlingPaths::of::<S>(from, rook);
        if (paths.must_be_empty & self.occupied()).any() {
            return false;
        }
        let (side, them) = (CastlingSide::of(from, rook), self.men::<S::Other>());
        let target = side.king_target(S::COLOR);
        let doubtful = paths.must_be_safe & !safe_steps & !Bitboard::from(target);
        if (doubtful & king(from) & !Bitboard::from(rook)).any() {
            return false;
        }
        let without_king = self.occupied() ^ from.into();
        for square in doubtful {
            if self.is_attacked::<S>(square, without_king, them) {
                return false;
            }
        }
        let castled = (without_king ^ rook.into()) | side.rook_target(S::COLOR).into();
        !self.is_attacked::<S>(target, castled, them)
    }

    /// Knights and sliders: first the free ones, then the suspects. Apart from each other, because the test needs so many
    /// registers that a loop with it in is slow even where it is never made: a quarter of all instructions.
    #[inline(always)]
    fn piece_moves<S: Side>(&self, view: &View, sink: &mut impl Sink) {
        let (us, occupied, targets) = (self.men::<S>(), self.occupied(), view.targets);
        let free = us & !view.suspects;
        for from in self.knights & free {
            sink.piece(MoveKind::Knight, from, knight(from) & targets);
        }
        for from in self.diagonals & free {
            sink.piece(MoveKind::Diagonal, from, bishop(from, occupied) & targets);
        }
        for from in self.orthogonals & free {
            sink.piece(MoveKind::Orthogonal, from, rook(from, occupied) & targets);
        }
        let suspects = us & view.suspects;
        if suspects.is_empty() {
            return;
        }
        for from in self.knights & suspects {
            sink.piece(MoveKind::Knight, from, self.tested::<S>(from, knight(from) & targets));
        }
        for from in self.diagonals & suspects {
            sink.piece(MoveKind::Diagonal, from, self.tested::<S>(from, bishop(from, occupied) & targets));
        }
        for from in self.orthogonals & suspects {
            sink.piece(MoveKind::Orthogonal, from, self.tested::<S>(from, rook(from, occupied) & targets));
        }
    }

    /// The targets to which a suspect may go.
    #[inline(always)]
    fn tested<S: Side>(&self, from: Square, targets: Bitboard) -> Bitboard {
        let mut safe = targets;
        for to in targets {
            if !self.is_safe_after::<S>(from, to) {
                safe ^= to.into();
            }
        }
        safe
    }

    /// Pawns, all at once in each direction, but for en passant.
    #[inline(always)]
    fn pawn_moves<S: Side>(&self, view: &View, sink: &mut impl Sink) {
        let (pawns, empty) = (self.pawns & self.men::<S>(), !self.occupied());
        let (forward, [west, east]) = (S::FORWARD, S::CAPTURES);
        let pushed = pawns.step(forward) & empty;
        let taken = self.men::<S::Other>() & view.targets;
        let mut single = pushed & view.targets;
        let mut double = (pushed & S::THIRD_RANK).step(forward) & empty & view.targets;
        let mut to_west = pawns.step(west) & taken;
        let mut to_east = pawns.step(east) & taken;
        let suspects = pawns & view.suspects;
        if suspects.any() {
            single = self.tested_pawns::<S>(suspects, forward.offset(), single);
            double = self.tested_pawns::<S>(suspects, 2 * forward.offset(), double);
            to_west = self.tested_pawns::<S>(suspects, west.offset(), to_west);
            to_east = self.tested_pawns::<S>(suspects, east.offset(), to_east);
        }
        sink.pawns(MoveKind::DoublePush, 2 * forward.offset(), double);
        one_step::<S>(sink, forward.offset(), single);
        one_step::<S>(sink, west.offset(), to_west);
        one_step::<S>(sink, east.offset(), to_east);
    }

    /// The targets to which pawns may go, those of the suspects being tested.
    #[inline(always)]
    fn tested_pawns<S: Side>(&self, suspects: Bitboard, offset: i8, targets: Bitboard) -> Bitboard {
        let mut safe = targets;
        for to in targets {
            let from = origin(to, offset);
            if suspects.contains(from) && !self.is_safe_after::<S>(from, to) {
                safe ^= to.into();
            }
        }
        safe
    }

    /// En passant, always tested: two pawns leave a rank together, and the captured one may uncover a line.
    #[inline(always)]
    fn en_passant_moves<S: Side>(&self, sink: &mut impl Sink) {
        let Some(passed) = self.en_passant else { return };
        let captured = Bitboard::from(passed).step(S::Other::FORWARD);
        let them = self.men::<S::Other>() ^ captured;
        for from in pawn(S::Other::COLOR, passed) & self.pawns & self.men::<S>() {
            let occupied = (self.occupied() ^ captured ^ from.into()) | passed.into();
            if !self.is_attacked::<S>(self.king::<S>(), occupied, them) {
                sink.piece(MoveKind::EnPassant, from, passed.into());
            }
        }
    }

    /// The board after a move of side `S`. With a constant kind, what other kinds need is compiled away.
    #[inline(always)]
    fn after<S: Side>(&self, kind: MoveKind, from: Square, to: Square) -> RankLookupBoard {
        let mut child = *self;
        child.turn = S::Other::COLOR;
        child.en_passant = None;
        if kind == MoveKind::Castling {
            child.castle::<S>(from, to);
            return child;
        }
        let end = Bitboard::from(to);
        child.lift(Bitboard::from(from) | end);
        child.colors[S::COLOR.index()] |= end;
        match kind {
            MoveKind::Pawn => child.pawns |= end,
            MoveKind::DoublePush => {
                child.pawns |= end;
                child.en_passant = child.passed_by_double_push::<S>(to);
            }
            MoveKind::EnPassant => {
                child.pawns |= end;
                child.lift(end.step(S::Other::FORWARD));
            }
            MoveKind::Knight | MoveKind::PromoteKnight => child.knights |= end,
            MoveKind::Diagonal => {
                child.diagonals |= end;
                child.orthogonals |= if self.orthogonals.contains(from) { end } else { Bitboard::EMPTY };
            }
            MoveKind::Orthogonal => {
                child.orthogonals |= end;
                child.diagonals |= if self.diagonals.contains(from) { end } else { Bitboard::EMPTY };
            }
            MoveKind::King => {
                child.kings[S::COLOR.index()] = to;
                child.castling.remove(S::BACK_RANK);
            }
            MoveKind::Castling => unreachable!("castling moves two men"),
            MoveKind::PromoteBishop => child.diagonals |= end,
            MoveKind::PromoteRook => child.orthogonals |= end,
            MoveKind::PromoteQueen => {
                child.diagonals |= end;
                child.orthogonals |= end;
            }
        }
        child
    }

    /// Castles. King and rook may pass through, or stand on, each other's squares, so both leave before both arrive.
    #[inline(always)]
    fn castle<S: Side>(&mut self, king: Square, rook: Square) {
        let side = CastlingSide::of(king, rook);
        let (king_target, rook_target) = (side.king_target(S::COLOR), side.rook_target(S::COLOR));
        self.lift(Bitboard::from(king) | rook.into());
        self.orthogonals |= rook_target.into();
        self.colors[S::COLOR.index()] |= Bitboard::from(king_target) | rook_target.into();
        self.kings[S::COLOR.index()] = king_target;
        self.castling.remove(S::BACK_RANK);
    }

    /// Takes whatever stands on these squares off the board, rights to castle with it. Seven sets without a question what
    /// was there: two 32-byte vectors, where the CPU has them.
    #[inline(always)]
    fn lift(&mut self, squares: Bitboard) {
        self.pawns &= !squares;
        self.knights &= !squares;
        self.diagonals &= !squares;
        self.orthogonals &= !squares;
        self.colors[0] &= !squares;
        self.colors[1] &= !squares;
        self.castling.remove(squares);
    }

    /// The square that a double push to `to` has passed, if an enemy pawn stands ready to take there.
    #[inline(always)]
    fn passed_by_double_push<S: Side>(&self, to: Square) -> Option<Square> {
        let passed = origin(to, S::FORWARD.offset());
        let captors = pawn(S::COLOR, passed) & self.pawns & self.men::<S::Other>();
        if captors.any() { Some(passed) } else { None }
    }
}

/// Pawns that step or capture in one direction; on the last rank they promote.
#[inline(always)]
fn one_step<S: Side>(sink: &mut impl Sink, offset: i8, targets: Bitboard) {
    let promoting = targets & S::LAST_RANK;
    sink.pawns(MoveKind::Pawn, offset, targets & !S::LAST_RANK);
    if promoting.any() {
        sink.promotions(offset, promoting);
    }
}

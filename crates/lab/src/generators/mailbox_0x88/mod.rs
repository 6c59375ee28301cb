//! `mailbox-0x88`: a board of 128 squares, and lists of the pieces on it.
//!
//! A square is a byte with the rank in its upper half and the file in its lower half. Eight files need only three bits,
//! so the lower half can also have the values 8 to 15, which are not squares. A step over the edge of the board gives
//! such a number, or a rank above 7. One test finds both: `square & 0x88`.
//!
//! ```text
//!   8   70 71 72 73 74 75 76 77 | 78 ...       to the right of d4: 34, 35, 36, 37, then 38, with a bit of 88
//!   7   60 61 62 63 64 65 66 67 | 68 ...       above d4:           43, 53, 63, 73, then 83, with a bit of 88
//!   ...                         |
//!   2   10 11 12 13 14 15 16 17 | 18 ...       from d4 to g7: 66 - 33 = 33, three times the step 11 of this
//!   1   00 01 02 03 04 05 06 07 | 08 ...       diagonal; pairs of squares have this difference only if they
//!        a  b  c  d  e  f  g  h   none         have the same relation on the board
//! ```
//!
//! **Moves.** Knights and kings step, and sliders walk until they meet a piece. There is no attack lookup. There is a
//! list of squares for each kind and colour of piece, so no search for the pieces is needed. All moves are
//! pseudo-legal. They are made and taken back on one board with its lists. When a piece is captured, the last piece of
//! its list takes its place in the list. Taking back the move reverses this.
//!
//! **Legality.** The simplest way is to search for attackers of the king after every move. Nearly all of this can be
//! found before the moves, in one pass over the enemy pieces. A table by the difference of two squares gives the
//! squares that a piece attacks on an empty board:
//!
//! - A slider on a line with the king gives check if no piece is between. If exactly one piece of the king's side is
//!   between, that piece is pinned and must stay on the line. In check, moves must capture the checker or block its
//!   line.
//! - The zone of the king consists of the squares to which it may step or castle. The table gives the squares of the
//!   zone that a leaper attacks. For a slider, the squares on the way are tested too, with the king removed. A square
//!   that is known to be attacked is not tested again.
//! - En passant removes two pawns at once. It is made to test its legality.
//!
//! At the last ply, the legal moves are counted as all pseudo-legal moves minus the moves of pinned pieces that leave
//! their line.
//!
//! **Cost.** A walk visits every square on its way, and the end of each walk is a mispredicted branch. A table of
//! attacks avoids both, and one bitboard operation handles all pieces at once. In return, this board needs no
//! multiplication, no bit scan of 64 bits and no large table, so it has the same speed on every CPU. A leaf of bulk
//! counting takes 38 instructions. It takes 326 if every move is made and the king is tested after it (geometric means
//! over the six positions of `scripts/count-instructions`).
//!
//! - `squares`: squares, steps, piece codes, and the tables by difference
//! - `moves`: generating pseudo-legal moves, making and taking them back
//!
//! Sources: Chess Programming Wiki, "0x88", "Piece-Lists", "Vector Attacks"; Bruce Moreland's pages on chess
//! programming, 2001.

mod moves;
mod squares;

use arrayvec::ArrayVec;
use perft_core::internals::{CastlingPaths, Side, with_side};
use perft_core::{
    Bitboard, CastlingRights, CastlingSide, Color, ColoredPiece, File, Move, MoveKind, MoveList, Piece,
    Position, Square,
};

use super::board::Board;
use squares::{
    KING_STEPS, KING_ZONE, NORTH, PieceCode, SQUARES, Square88, Step, StepSet, WITH_MARGIN, ZONE_STEPS, Zone,
    attacks, castling_zone, king_steps, step_towards, zone_attacks,
};

/// A board of 128 squares, and a list of squares for each kind and colour of piece.
#[derive(Clone, Debug)]
pub struct Mailbox0x88Board {
    /// The piece on each square. A margin of empty squares around the board allows steps over the edge without a test.
    squares: [PieceCode; WITH_MARGIN],
    /// The index of each piece in its list, by square. It has no meaning for empty squares.
    list_indices: [u8; SQUARES],
    piece_lists: [PieceList; PieceCode::LISTS],
    turn: Color,
    state: State,
}

/// The squares of all pieces of one kind and colour, in no particular order.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct PieceList {
    len: u8,
    squares: [u8; 64],
}

/// The data that a move overwrites and that cannot be computed from the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    castling: CastlingRights,
    /// The square that a pawn has just passed, if an enemy pawn attacks it.
    en_passant: Option<Square>,
}

impl Board for Mailbox0x88Board {
    fn new(position: &Position) -> Mailbox0x88Board {
        let mut board = Mailbox0x88Board {
            squares: [PieceCode::NONE; WITH_MARGIN],
            list_indices: [0; SQUARES],
            piece_lists: [PieceList { len: 0, squares: [0; 64] }; PieceCode::LISTS],
            turn: position.turn(),
            state: State { castling: position.castling(), en_passant: position.en_passant() },
        };
        for square in position.occupied() {
            if let Some(ColoredPiece { color, piece }) = position.piece_at(square) {
                board.add(square.into(), PieceCode::new(color, piece));
            }
        }
        board
    }

    #[inline(always)]
    fn each_child(&mut self, visit: impl FnMut(Move, &mut Mailbox0x88Board)) {
        with_side!(self.turn, S => self.each_child_as::<S>(visit))
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        with_side!(self.turn, S => self.count_as::<S>())
    }
}

/// Compares the lists including their order, because taking back a move restores the order.
impl PartialEq for Mailbox0x88Board {
    fn eq(&self, other: &Mailbox0x88Board) -> bool {
        self.squares == other.squares
            && self.piece_lists.iter().zip(&other.piece_lists).all(|(a, b)| a.squares() == b.squares())
            && (self.turn, self.state) == (other.turn, other.state)
    }
}

impl PieceList {
    /// Returns the squares of the pieces.
    ///
    /// Two of at most 64 pieces are kings, so no list has more than 62 squares, and the remainder has no effect. It
    /// avoids a bounds check.
    #[inline(always)]
    fn squares(&self) -> &[u8] {
        &self.squares[..self.len as usize % 64]
    }

    #[inline(always)]
    fn at(&mut self, index: u8) -> &mut u8 {
        &mut self.squares[index as usize % 64]
    }
}

const fn forward<S: Side>() -> Step {
    match S::COLOR {
        Color::White => NORTH,
        Color::Black => -NORTH,
    }
}

impl Mailbox0x88Board {
    #[inline(always)]
    fn piece_on(&self, square: Square88) -> PieceCode {
        self.squares[square.index_with_margin()]
    }

    #[inline(always)]
    fn list<S: Side>(&self, piece: Piece) -> impl Iterator<Item = Square88> + '_ {
        self.piece_lists[PieceCode::new(S::COLOR, piece).list()]
            .squares()
            .iter()
            .map(|&byte| Square88::from_byte(byte))
    }

    #[inline(always)]
    fn king<S: Side>(&self) -> Square88 {
        Square88::from_byte(self.piece_lists[PieceCode::new(S::COLOR, Piece::King).list()].squares[0])
    }

    #[inline(always)]
    fn each_child_as<S: Side>(&mut self, mut visit: impl FnMut(Move, &mut Mailbox0x88Board)) {
        let restrictions = self.restrictions::<S>();
        let mut moves = MoveList::new();
        self.non_king_moves::<S>(&mut moves);
        self.en_passant::<S>(&mut moves);
        self.king_moves(&restrictions, &mut moves);
        for &played in &moves {
            if self.is_legal::<S>(&restrictions, played) {
                let undo = self.make::<S>(played);
                visit(played, self);
                self.unmake::<S>(played, undo);
            }
        }
    }

    #[inline(always)]
    fn count_as<S: Side>(&mut self) -> u64 {
        let restrictions = self.restrictions::<S>();
        let mut count = Count(0);
        self.king_moves(&restrictions, &mut count);
        if restrictions.checkers == 0 {
            self.non_king_moves::<S>(&mut count);
            for &square in &restrictions.pinned {
                count.0 -= self.count_uncovering::<S>(restrictions.king, square);
            }
        } else if restrictions.checkers == 1 {
            count.0 += self.count_evasions::<S>(&restrictions);
        }
        count.0 + self.count_en_passant::<S>()
    }

    /// Returns the number of pseudo-legal moves of a pinned piece that leave its pin line.
    #[inline(never)]
    fn count_uncovering<S: Side>(&self, king: Square88, pinned: Square88) -> u64 {
        let line = step_towards(king, pinned);
        let mut illegal =
            CountIf { count: 0, is_counted: |played: Move| step_towards(king, played.to().into()) != line };
        self.moves_of::<S>(self.piece_on(pinned).piece(), pinned, &mut illegal);
        illegal.count
    }

    /// Returns the number of moves that resolve a check, except moves of the king and en passant.
    #[inline(never)]
    fn count_evasions<S: Side>(&self, restrictions: &Restrictions) -> u64 {
        let mut legal = CountIf { count: 0, is_counted: |played| restrictions.allows(played) };
        self.non_king_moves::<S>(&mut legal);
        legal.count
    }

    #[inline(never)]
    fn count_en_passant<S: Side>(&mut self) -> u64 {
        if self.state.en_passant.is_none() {
            return 0;
        }
        let mut moves = ArrayVec::<Move, 2>::new();
        self.en_passant::<S>(&mut moves);
        moves.into_iter().map(|played| u64::from(self.en_passant_is_legal::<S>(played))).sum()
    }
}

#[inline(always)]
fn move_of(kind: MoveKind, from: Square88, to: Square88) -> Move {
    Move::new(kind, from.to_square(), to.to_square())
}

/// Receives pseudo-legal moves.
trait Sink {
    fn add_if(&mut self, condition: bool, played: Move);

    /// Adds the steps of a king or a knight whose numbers are in `open`.
    #[inline(always)]
    fn add_steps(&mut self, kind: MoveKind, from: Square88, steps: &[Step; 8], open: StepSet) {
        let mut rest = open;
        while rest != 0 {
            self.add_if(true, move_of(kind, from, from.step(steps[rest.trailing_zeros() as usize % 8])));
            rest &= rest - 1;
        }
    }
}

impl<const ROOM: usize> Sink for ArrayVec<Move, ROOM> {
    #[inline(always)]
    fn add_if(&mut self, condition: bool, played: Move) {
        if condition {
            self.push(played);
        }
    }
}

struct Count(pub u64);

impl Sink for Count {
    #[inline(always)]
    fn add_if(&mut self, condition: bool, _: Move) {
        self.0 += u64::from(condition);
    }

    #[inline(always)]
    fn add_steps(&mut self, _: MoveKind, _: Square88, _: &[Step; 8], open: StepSet) {
        self.0 += u64::from(open.count_ones());
    }
}

struct CountIf<F> {
    count: u64,
    is_counted: F,
}

impl<F: Fn(Move) -> bool> Sink for CountIf<F> {
    #[inline(always)]
    fn add_if(&mut self, condition: bool, played: Move) {
        if condition {
            self.count += u64::from((self.is_counted)(played));
        }
    }
}

const SLIDERS: [Piece; 3] = [Piece::Bishop, Piece::Rook, Piece::Queen];

struct Restrictions {
    king: Square88,
    /// The steps of the king to squares that are not attacked.
    steps: StepSet,
    /// The rooks with which the king can castle now.
    castlings: Bitboard,
    checkers: u32,
    /// The square of the last checker that was found. It has no meaning without a check.
    checker: Square88,
    pinned: ArrayVec<Square88, 8>,
}

impl Restrictions {
    /// Whether a move leaves the king safe. It must not be a move of the king or en passant.
    #[inline(always)]
    fn allows(&self, played: Move) -> bool {
        (self.checkers == 0 || self.resolves_check(played.to().into()))
            && (!self.is_pinned(played.from().into()) || self.stays_on_line(played))
    }

    #[inline(always)]
    fn is_pinned(&self, square: Square88) -> bool {
        for &pinned in &self.pinned {
            if pinned == square {
                return true;
            }
        }
        false
    }

    #[inline(always)]
    fn stays_on_line(&self, played: Move) -> bool {
        step_towards(self.king, played.from().into()) == step_towards(self.king, played.to().into())
    }

    /// Whether a move to this square captures the only checker or blocks its line.
    #[inline(always)]
    fn resolves_check(&self, to: Square88) -> bool {
        let step = step_towards(self.king, self.checker);
        let is_between =
            step != 0 && step_towards(self.king, to) == step && step_towards(to, self.checker) == step;
        self.checkers == 1 && (to == self.checker || is_between)
    }
}

impl Mailbox0x88Board {
    #[inline(always)]
    fn restrictions<S: Side>(&mut self) -> Restrictions {
        let king = self.king::<S>();
        let mut attacked = self.leaper_attacks::<S::Other>(king);
        let own = self.steps_to_own_pieces::<S>(king, &KING_STEPS);
        let steps = king_steps(king) & !own;
        let castlings = self.free_castlings::<S>(king);
        let mut found =
            Restrictions { king, steps, castlings, checkers: 0, checker: king, pinned: ArrayVec::new() };
        if attacked & KING_ZONE != 0 {
            self.add_checking_leapers::<S>(&mut found);
        }
        let mut relevant = Zone::from(steps);
        for rook in castlings {
            relevant |= castling_zone(king, rook).unwrap_or_default();
        }
        // Without the king, sliders also attack the squares behind it.
        self.squares[king.index_with_margin()] = PieceCode::NONE;
        for piece in SLIDERS {
            for from in self.list::<S::Other>(piece) {
                let reached = zone_attacks(PieceCode::new(S::Other::COLOR, piece), from, king);
                if reached & KING_ZONE != 0 {
                    self.add_slider::<S>(from, &mut found);
                }
                let mut untested = reached & relevant & !attacked;
                while untested != 0 {
                    let number = untested.trailing_zeros() as usize % ZONE_STEPS.len();
                    if self.is_clear_between(from, king.step(ZONE_STEPS[number])) {
                        attacked |= 1 << number;
                    }
                    untested &= untested - 1;
                }
            }
        }
        self.squares[king.index_with_margin()] = PieceCode::new(S::COLOR, Piece::King);
        found.steps = steps & !(attacked as StepSet);
        for rook in castlings {
            if found.checkers > 0 || !self.is_castling_safe::<S>(king, rook, attacked) {
                found.castlings ^= rook.into();
            }
        }
        found
    }

    /// Returns the squares of a king's zone that the pawns, knights and king of side `S` attack.
    #[inline(always)]
    fn leaper_attacks<S: Side>(&self, king: Square88) -> Zone {
        let mut attacked = 0;
        for piece in [Piece::Pawn, Piece::Knight, Piece::King] {
            for from in self.list::<S>(piece) {
                attacked |= zone_attacks(PieceCode::new(S::COLOR, piece), from, king);
            }
        }
        attacked
    }

    /// Adds the pawns and knights that give check to side `S`.
    #[inline(always)]
    fn add_checking_leapers<S: Side>(&self, found: &mut Restrictions) {
        for piece in [Piece::Pawn, Piece::Knight] {
            for from in self.list::<S::Other>(piece) {
                if attacks(PieceCode::new(S::Other::COLOR, piece), from, found.king) {
                    found.checkers += 1;
                    found.checker = from;
                }
            }
        }
    }

    /// Adds the check or the pin of an enemy slider on a line with the king, if it gives check or pins.
    #[inline(always)]
    fn add_slider<S: Side>(&self, from: Square88, found: &mut Restrictions) {
        let step = step_towards(found.king, from);
        let first = self.first_piece(found.king, step);
        if first == from {
            found.checkers += 1;
            found.checker = from;
        } else if self.piece_on(first).is_of(S::COLOR) && self.first_piece(first, step) == from {
            found.pinned.push(first);
        }
    }

    /// Returns the square of the first piece in one direction. The caller must know that there is one.
    #[inline(always)]
    fn first_piece(&self, from: Square88, step: Step) -> Square88 {
        let mut here = from.step(step);
        while !here.is_off_board() && self.piece_on(here).is_none() {
            here = here.step(step);
        }
        here
    }

    /// Whether a pseudo-legal move leaves the king of side `S` safe. Leaves the board unchanged.
    #[inline(always)]
    fn is_legal<S: Side>(&mut self, found: &Restrictions, played: Move) -> bool {
        if played.kind() == MoveKind::EnPassant {
            self.en_passant_is_legal::<S>(played)
        } else {
            // Moves of the king were already tested.
            Square88::from(played.from()) == found.king || found.allows(played)
        }
    }

    /// The capture is made for this test, because it empties two squares.
    #[inline(never)]
    fn en_passant_is_legal<S: Side>(&mut self, played: Move) -> bool {
        let undo = self.make::<S>(played);
        let is_legal = !self.is_attacked::<S::Other>(self.king::<S>());
        self.unmake::<S>(played, undo);
        is_legal
    }

    /// Whether side `S` attacks a square.
    #[inline(always)]
    fn is_attacked<S: Side>(&self, to: Square88) -> bool {
        for piece in [Piece::Pawn, Piece::Knight, Piece::King] {
            for from in self.list::<S>(piece) {
                if attacks(PieceCode::new(S::COLOR, piece), from, to) {
                    return true;
                }
            }
        }
        for piece in SLIDERS {
            for from in self.list::<S>(piece) {
                if attacks(PieceCode::new(S::COLOR, piece), from, to) && self.is_clear_between(from, to) {
                    return true;
                }
            }
        }
        false
    }

    #[inline(always)]
    fn is_clear_between(&self, from: Square88, to: Square88) -> bool {
        let step = step_towards(from, to);
        let mut here = from.step(step);
        while here != to {
            if !self.piece_on(here).is_none() {
                return false;
            }
            here = here.step(step);
        }
        true
    }
}

impl Mailbox0x88Board {
    /// Returns the rooks with which side `S` may castle and whose path is empty.
    #[inline(always)]
    fn free_castlings<S: Side>(&self, king: Square88) -> Bitboard {
        let rooks = self.state.castling.rooks(S::COLOR);
        let mut free = rooks;
        if rooks.any() {
            let a_file = Square::new(File::A, S::COLOR.back_rank());
            let first = Square88::from(a_file).index_with_margin();
            let occupied = PieceCode::occupied_files(std::array::from_fn(|file| self.squares[first + file]));
            let occupied = Bitboard::from_bits(occupied << a_file.index());
            for rook in rooks {
                if (CastlingPaths::of::<S>(king.to_square(), rook).must_be_empty & occupied).any() {
                    free ^= rook.into();
                }
            }
        }
        free
    }

    /// Whether no square of the king's path is attacked. `attacked` are squares of the king's zone.
    #[inline(always)]
    fn is_castling_safe<S: Side>(&mut self, king: Square88, rook: Square, attacked: Zone) -> bool {
        match castling_zone(king, rook) {
            Some(zone) => zone & attacked == 0,
            None => self.is_safe_without_rook::<S>(king, rook),
        }
    }

    /// Whether no square of the king's path is attacked if the rook is removed. In Chess960, the rook may be the only
    /// piece between the king's target square and a slider on the back rank. If the king is already on its target
    /// square, it must still be safe there without the rook.
    #[inline(never)]
    fn is_safe_without_rook<S: Side>(&mut self, king: Square88, rook: Square) -> bool {
        let from = king.to_square();
        let target = CastlingSide::of(from, rook).king_target(S::COLOR);
        let path = CastlingPaths::of::<S>(from, rook).must_be_safe.with(target);
        let pieces = [king, rook.into()].map(|square| self.lift(square));
        let is_safe = path.into_iter().all(|to| !self.is_attacked::<S::Other>(to.into()));
        self.set(king, pieces[0]);
        self.set(rook.into(), pieces[1]);
        is_safe
    }
}

#[inline(always)]
fn castling_targets<S: Side>(side: CastlingSide) -> [Square88; 2] {
    [side.king_target(S::COLOR).into(), side.rook_target(S::COLOR).into()]
}

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
    CastlingSide, Color, ColoredPiece, File, MAX_MOVES, Move, MoveKind, Piece, Position, Square,
};

use super::board::Board;
use squares::{
    KING_STEPS, KING_ZONE, NORTH, PieceCode, SQUARES, Square88, Step, StepSet, WITH_MARGIN, ZONE_STEPS, Zone,
    attacks, king_steps, step_towards, zone_attacks, zone_of_square,
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
    castling: Castling,
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
    /// The castling rights, one bit each, by the indices of [`Castling`].
    rights: u8,
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
            state: State { rights: 0, en_passant: position.en_passant() },
            castling: Castling { conditions: Default::default(), kept_rights: [!0; SQUARES] },
        };
        for square in position.occupied() {
            if let Some(ColoredPiece { color, piece }) = position.piece_at(square) {
                board.add(square.into(), PieceCode::new(color, piece));
            }
        }
        for color in Color::ALL {
            for (side, rook) in position.castling_sides(color) {
                board.add_right(color, side, position.king(color).into(), rook.into());
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
            && (self.turn, self.state, &self.castling) == (other.turn, other.state, &other.castling)
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

/// Returns the step of the pawns of side `S`.
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

    /// Returns the squares of the pieces of side `S` of one kind.
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
        let mut moves = MoveList88::new();
        self.non_king_moves::<S>(&mut moves);
        self.en_passant::<S>(&mut moves);
        self.king_moves::<S>(&restrictions, &mut moves);
        for &played in &moves {
            if self.is_legal::<S>(&restrictions, played) {
                let undo = self.make::<S>(played);
                visit(played.to_move(), self);
                self.unmake::<S>(played, undo);
            }
        }
    }

    #[inline(always)]
    fn count_as<S: Side>(&mut self) -> u64 {
        let restrictions = self.restrictions::<S>();
        let mut count = Count(0);
        self.king_moves::<S>(&restrictions, &mut count);
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
            CountIf { count: 0, is_counted: |played: Move88| step_towards(king, played.to()) != line };
        self.moves_from::<S>(pinned, &mut illegal);
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
        let mut moves = ArrayVec::<Move88, 2>::new();
        self.en_passant::<S>(&mut moves);
        let mut count = 0;
        for played in moves {
            count += u64::from(self.en_passant_is_legal::<S>(played));
        }
        count
    }
}

/// A move: the `from` square, the `to` square and the kind, one byte each.
#[derive(Clone, Copy, Debug)]
struct Move88(u32);

impl Move88 {
    #[inline(always)]
    const fn new(kind: MoveKind, from: Square88, to: Square88) -> Move88 {
        Move88(from.byte() as u32 | (to.byte() as u32) << 8 | (kind as u32) << 16)
    }

    #[inline(always)]
    const fn from(self) -> Square88 {
        Square88::from_byte(self.0 as u8)
    }

    #[inline(always)]
    const fn to(self) -> Square88 {
        Square88::from_byte((self.0 >> 8) as u8)
    }

    #[inline(always)]
    const fn kind(self) -> MoveKind {
        MoveKind::from_code((self.0 >> 16) as u16)
    }

    #[inline(always)]
    fn to_move(self) -> Move {
        Move::new(self.kind(), self.from().to_square(), self.to().to_square())
    }
}

/// Receives pseudo-legal moves.
trait Sink {
    /// Adds a move if the condition holds.
    fn add_if(&mut self, condition: bool, played: Move88);

    /// Adds the steps of a king or a knight whose numbers are in `open`.
    #[inline(always)]
    fn add_steps(&mut self, kind: MoveKind, from: Square88, steps: &[Step; 8], open: StepSet) {
        let mut rest = open;
        while rest != 0 {
            self.add_if(true, Move88::new(kind, from, from.step(steps[rest.trailing_zeros() as usize % 8])));
            rest &= rest - 1;
        }
    }
}

/// A list of moves on the stack.
type MoveList88 = ArrayVec<Move88, MAX_MOVES>;

impl<const ROOM: usize> Sink for ArrayVec<Move88, ROOM> {
    #[inline(always)]
    fn add_if(&mut self, condition: bool, played: Move88) {
        if condition {
            self.push(played);
        }
    }
}

/// Counts the moves.
struct Count(pub u64);

impl Sink for Count {
    #[inline(always)]
    fn add_if(&mut self, condition: bool, _: Move88) {
        self.0 += u64::from(condition);
    }

    #[inline(always)]
    fn add_steps(&mut self, _: MoveKind, _: Square88, _: &[Step; 8], open: StepSet) {
        self.0 += u64::from(open.count_ones());
    }
}

/// Counts the moves for which a condition holds.
struct CountIf<F> {
    count: u64,
    is_counted: F,
}

impl<F: Fn(Move88) -> bool> Sink for CountIf<F> {
    #[inline(always)]
    fn add_if(&mut self, condition: bool, played: Move88) {
        if condition {
            self.count += u64::from((self.is_counted)(played));
        }
    }
}

const SLIDERS: [Piece; 3] = [Piece::Bishop, Piece::Rook, Piece::Queen];

/// The restrictions on the moves of the side to move.
struct Restrictions {
    king: Square88,
    /// The steps of the king to squares that are not attacked.
    steps: StepSet,
    /// The castling rights that can be used now, one bit each.
    castlings: u8,
    /// The number of checkers.
    checkers: u32,
    /// The square of the last checker that was found. It has no meaning without a check.
    checker: Square88,
    /// The squares of pinned pieces.
    pinned: ArrayVec<Square88, 8>,
}

impl Restrictions {
    /// Whether a move leaves the king safe. It must not be a move of the king or en passant.
    #[inline(always)]
    fn allows(&self, played: Move88) -> bool {
        (self.checkers == 0 || self.resolves_check(played.to()))
            && (!self.is_pinned(played.from()) || self.stays_on_line(played))
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

    /// Whether a move of a pinned piece stays on the pin line.
    #[inline(always)]
    fn stays_on_line(&self, played: Move88) -> bool {
        step_towards(self.king, played.from()) == step_towards(self.king, played.to())
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
    /// Finds the restrictions on the moves of side `S`, the side to move.
    #[inline(always)]
    fn restrictions<S: Side>(&mut self) -> Restrictions {
        let king = self.king::<S>();
        let mut attacked = self.leaper_attacks::<S::Other>(king);
        let own = self.steps_to_own_pieces::<S>(king, &KING_STEPS);
        let steps = king_steps(king) & !own;
        let mut found =
            Restrictions { king, steps, castlings: 0, checkers: 0, checker: king, pinned: ArrayVec::new() };
        if attacked & KING_ZONE != 0 {
            self.add_checking_leapers::<S>(&mut found);
        }
        let mut relevant = Zone::from(steps);
        if self.has_rights::<S>() {
            found.castlings = self.free_castlings::<S>();
            relevant |= self.castling_zone::<S>(found.castlings);
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
        if found.castlings != 0 {
            found.castlings = self.safe_castlings::<S>(&found, attacked);
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
    fn is_legal<S: Side>(&mut self, found: &Restrictions, played: Move88) -> bool {
        if played.kind() == MoveKind::EnPassant {
            self.en_passant_is_legal::<S>(played)
        } else {
            // Moves of the king were already tested.
            played.from() == found.king || found.allows(played)
        }
    }

    /// Whether an en passant capture leaves the king safe. The capture is made for this test, because it empties two
    /// squares.
    #[inline(never)]
    fn en_passant_is_legal<S: Side>(&mut self, played: Move88) -> bool {
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

    /// Whether all squares between two squares of a line are empty.
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

/// The conditions of castling, which do not change during a game.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Castling {
    /// The conditions by castling right: White's king side and queen side, then Black's.
    conditions: [CastlingConditions; 4],
    /// The rights that remain after a move from or to a square, one bit for each right.
    kept_rights: [u8; SQUARES],
}

/// The conditions of one castling right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct CastlingConditions {
    /// The square of the rook.
    rook: u8,
    /// The files on which the back rank must be empty. Each file is a byte with all bits set.
    must_be_empty: u64,
    /// The squares of the king's path, including its target square.
    must_be_safe: ArrayVec<u8, 6>,
    /// The path of the king as a part of its zone. It is `None` if the path leaves the zone, or if the rook is not in
    /// the corner. Such a rook may block an attack on the king's target square.
    zone: Option<Zone>,
}

impl CastlingConditions {
    fn new(color: Color, side: CastlingSide, king: Square88, rook: Square88) -> CastlingConditions {
        let [king_file, rook_file] = [king, rook].map(|square| square.to_square().file());
        let paths = CastlingPaths::between(color, king_file, rook_file);
        let mut must_be_empty = 0;
        for square in paths.must_be_empty {
            must_be_empty |= 0xff << (8 * square.file().index());
        }
        // If the king is already on its target square, it does not move. But it must still be safe there without the
        // rook.
        let must_be_safe = paths.must_be_safe.with(side.king_target(color)).into_iter().map(Square88::from);
        let is_in_corner = matches!(rook_file, File::A | File::H);
        let mut zone = must_be_safe.clone().map(|square| zone_of_square(king, square));
        CastlingConditions {
            rook: rook.byte(),
            must_be_empty,
            must_be_safe: must_be_safe.map(Square88::byte).collect(),
            zone: zone.try_fold(0, |all, one| Some(all | one?)).filter(|_| is_in_corner),
        }
    }
}

impl Mailbox0x88Board {
    /// Adds a castling right and its conditions.
    fn add_right(&mut self, color: Color, side: CastlingSide, king: Square88, rook: Square88) {
        let right = right_index(color, side);
        self.state.rights |= 1 << right;
        self.castling.conditions[right] = CastlingConditions::new(color, side, king, rook);
        for square in [king, rook] {
            self.castling.kept_rights[square.index()] &= !(1 << right);
        }
    }

    /// Whether side `S` has any castling right.
    #[inline(always)]
    fn has_rights<S: Side>(&self) -> bool {
        self.state.rights >> rights_of::<S>().start & 3 != 0
    }

    /// Returns the castling rights of side `S` whose path is empty, one bit for each right.
    #[inline(always)]
    fn free_castlings<S: Side>(&self) -> u8 {
        let mut castlings = 0;
        let a_file = Square88::from(Square::new(File::A, S::COLOR.back_rank())).index_with_margin();
        let rank = PieceCode::of_rank(std::array::from_fn(|file| self.squares[a_file + file]));
        for right in rights_of::<S>() {
            let is_free = rank & self.castling.conditions[right].must_be_empty == 0;
            castlings |= u8::from(is_free) << right;
        }
        castlings & self.state.rights
    }

    /// Returns the squares of the king's zone that must be safe for at least one of these castling moves.
    #[inline(always)]
    fn castling_zone<S: Side>(&self, castlings: u8) -> Zone {
        let mut zone = 0;
        for right in rights_of::<S>() {
            if castlings >> right & 1 != 0 {
                zone |= self.castling.conditions[right].zone.unwrap_or_default();
            }
        }
        zone
    }

    /// Returns the castling moves in which no square of the king's path is attacked.
    #[inline(always)]
    fn safe_castlings<S: Side>(&mut self, restrictions: &Restrictions, attacked: Zone) -> u8 {
        let mut castlings = 0;
        for right in rights_of::<S>() {
            if restrictions.checkers == 0 && restrictions.castlings >> right & 1 != 0 {
                let is_safe = match self.castling.conditions[right].zone {
                    Some(zone) => zone & attacked == 0,
                    None => self.is_safe_without_rook::<S>(right, restrictions.king),
                };
                castlings |= u8::from(is_safe) << right;
            }
        }
        castlings
    }

    /// Whether no square of the king's path is attacked if the rook is removed. In Chess960, the rook may be the only
    /// piece between the king's target square and a slider on the back rank.
    #[inline(never)]
    fn is_safe_without_rook<S: Side>(&mut self, right: usize, king: Square88) -> bool {
        let rook = Square88::from_byte(self.castling.conditions[right].rook);
        self.squares[king.index_with_margin()] = PieceCode::NONE;
        self.squares[rook.index_with_margin()] = PieceCode::NONE;
        let mut is_safe = true;
        for &to in &self.castling.conditions[right].must_be_safe {
            is_safe = is_safe && !self.is_attacked::<S::Other>(Square88::from_byte(to));
        }
        self.squares[king.index_with_margin()] = PieceCode::new(S::COLOR, Piece::King);
        self.squares[rook.index_with_margin()] = PieceCode::new(S::COLOR, Piece::Rook);
        is_safe
    }
}

/// Returns the indices of the castling rights of a side.
const fn rights_of<S: Side>() -> std::ops::Range<usize> {
    2 * S::COLOR.index()..2 * S::COLOR.index() + 2
}

/// Returns the squares of king and rook of side `S` after castling.
#[inline(always)]
fn castling_targets<S: Side>(side: CastlingSide) -> [Square88; 2] {
    [side.king_target(S::COLOR).into(), side.rook_target(S::COLOR).into()]
}

const fn right_index(color: Color, side: CastlingSide) -> usize {
    2 * color.index() + side as usize
}

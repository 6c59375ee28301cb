//! `rays`: ray attacks by bit scans, the classical approach.
//!
//! The attacks of a slider are four rays on an empty board, each cut off behind its first blocker. On a ray towards h8,
//! the first blocker is the lowest occupied square, which a forward bit scan finds. On a ray towards a1, it is the
//! highest one, which a reverse bit scan finds. The squares behind the blocker are the blocker's own ray in the same
//! direction. An exclusive or removes them:
//!
//! ```text
//!   the ray of d4      the first blocker   the ray of the     the attacks of d4
//!   to the north-east  on it               blocker            to the north-east
//!   . . . . . . . 1    . . . . . . . b     . . . . . . . 1    . . . . . . . .
//!   . . . . . . 1 .    . . . . . . . .     . . . . . . 1 .    . . . . . . . .
//!   . . . . . 1 . .    . . . . . B . .     . . . . . . . .    . . . . . 1 . .
//!   . . . . 1 . . .    . . . . . . . .     . . . . . . . .    . . . . 1 . . .
//!   . . . d . . . .    . . . . . . . .     . . . . . . . .    . . . d . . . .
//! ```
//!
//! This needs no multiplication and no large table: the rays of all squares take a few KiB. A ray without a blocker
//! needs no branch, because the scan then finds the last entry of the table, which is empty.
//!
//! **Legality.** Checks and pins are found before the moves. If an enemy slider would attack the king on an empty
//! board, it checks if no piece is between, and pins if one piece of the king's side is between. The results are pin
//! lines, and a check mask, on which all moves except those of the king must end. The king may step to squares that are
//! not attacked if it is removed. Lookups are slow here, so the pieces that could not attack a square next to the king
//! even on an empty board are skipped. An en passant capture removes two pawns at once, which may open a rank, and the
//! captured pawn alone may open a diagonal. So the attackers of the king are looked up on the board after the capture.
//!
//! **Moves and boards.** A move has 32 bits and contains the moving and the captured piece, so playing it does not read
//! the board. The captured piece is looked up only for captures. The board has a set for each kind of piece and for
//! each colour, and a Zobrist key. It is copied for each move, which takes three loads and stores of vectors. Making
//! and unmaking moves by exclusive or on one board executes 3 percent more instructions.
//!
//! **Cost.** A ray takes four instructions: a mask, a scan and two loads. A lookup takes about 20, where magic
//! multiplication takes about 8. With BMI2, a leaf of bulk counting takes 19.2 instructions. Without BMI2, bit scans
//! that are defined for zero are missing too, and a leaf takes 31.5 instructions. (Geometric means over six well-known
//! positions.)
//!
//! Sources: Chess Programming Wiki, "Classical Approach", "Checks and Pinned Pieces (Bitboards)", "Zobrist Hashing".

mod play;

use arrayvec::ArrayVec;
use perft_core::internals::attacks::{between, diagonal_rays, king, knight, orthogonal_rays, pawn};
use perft_core::internals::sliders::Sliders;
use perft_core::internals::{CastlingPaths, ChecksAndPins, Direction, Side, Sink, origin, with_side};
use perft_core::{Bitboard, CastlingRights, Color, MAX_MOVES, Move, MoveKind, Position, Square};

use super::board::Board;
use crate::sliders::Rays;

/// A board of bitboards by kind of piece and by colour, with its Zobrist key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaysBoard {
    /// All white pieces, the six kinds of piece, and all black pieces. [`Kind`] and [`set_of`] give the indices.
    sets: [Bitboard; 8],
    /// The Zobrist key.
    key: u64,
    castling: CastlingRights,
    kings: [Square; 2],
    turn: Color,
    /// The square that a pawn has just passed, if an enemy pawn attacks it.
    en_passant: Option<Square>,
}

// The board is copied for every move that is played.
const _: () = assert!(size_of::<RaysBoard>() <= 88);

/// Returns the index of the set of all pieces of a colour.
#[inline(always)]
const fn set_of(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 7,
    }
}

impl Board for RaysBoard {
    type Move = RaysMove;

    fn new(position: &Position) -> RaysBoard {
        let mut sets = [Bitboard::EMPTY; 8];
        for color in Color::ALL {
            let army = position.army(color);
            sets[set_of(color)] = army.all;
            sets[Kind::PAWN.index()] |= army.pawns;
            sets[Kind::KNIGHT.index()] |= army.knights;
            sets[Kind::BISHOP.index()] |= army.diagonals & !army.orthogonals;
            sets[Kind::ROOK.index()] |= army.orthogonals & !army.diagonals;
            sets[Kind::QUEEN.index()] |= army.orthogonals & army.diagonals;
            sets[Kind::KING.index()] |= position.king(color).into();
        }
        let mut board = RaysBoard {
            sets,
            key: 0,
            castling: position.castling(),
            kings: Color::ALL.map(|color| position.king(color)),
            turn: position.turn(),
            en_passant: position.en_passant(),
        };
        board.key = board.key_from_scratch();
        board
    }

    #[inline(always)]
    fn each_child(&mut self, visit: impl FnMut(RaysMove, &mut RaysBoard)) {
        with_side!(self.turn, S => self.each_child_of::<S>(visit))
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        let mut total = 0;
        with_side!(self.turn, S => self.generate::<S>(&mut total));
        total
    }

    fn to_move(&self, packed: RaysMove) -> Move {
        let (from, to) = (packed.from(), packed.to());
        let kind = match packed.promoted() {
            Kind::KNIGHT => MoveKind::PromoteKnight,
            Kind::BISHOP => MoveKind::PromoteBishop,
            Kind::ROOK => MoveKind::PromoteRook,
            Kind::QUEEN => MoveKind::PromoteQueen,
            _ if packed.is(RaysMove::DOUBLE_PUSH) => MoveKind::DoublePush,
            _ if packed.is(RaysMove::EN_PASSANT) => MoveKind::EnPassant,
            _ if packed.is(RaysMove::CASTLING) => MoveKind::Castling,
            _ => match packed.moved() {
                Kind::PAWN => MoveKind::Pawn,
                Kind::KNIGHT => MoveKind::Knight,
                Kind::KING => MoveKind::King,
                _ if diagonal_rays(from).contains(to) => MoveKind::Diagonal,
                _ => MoveKind::Orthogonal,
            },
        };
        Move::new(kind, from, to)
    }
}

impl RaysBoard {
    /// Plays each legal move of side `S`, the side to move, on a copy.
    #[inline(always)]
    fn each_child_of<S: Side>(&mut self, mut visit: impl FnMut(RaysMove, &mut RaysBoard)) {
        let them = self.all(S::Other::COLOR);
        let mut list = List { board: self, them, moves: ArrayVec::new() };
        self.generate::<S>(&mut list);
        for &packed in &list.moves {
            let mut child = *self;
            child.play::<S>(packed);
            visit(packed, &mut child);
        }
    }

    /// Returns all pieces of a colour.
    #[inline(always)]
    const fn all(&self, color: Color) -> Bitboard {
        self.sets[set_of(color)]
    }

    /// Returns the pieces of a kind, of both colours.
    #[inline(always)]
    const fn of_kind(&self, kind: Kind) -> Bitboard {
        self.sets[kind.index()]
    }

    /// Returns the pieces of a colour by their way of moving.
    #[inline(always)]
    fn army(&self, color: Color) -> Army {
        let all = self.all(color);
        let queens = self.of_kind(Kind::QUEEN);
        Army {
            pawns: self.of_kind(Kind::PAWN) & all,
            knights: self.of_kind(Kind::KNIGHT) & all,
            diagonals: (self.of_kind(Kind::BISHOP) | queens) & all,
            orthogonals: (self.of_kind(Kind::ROOK) | queens) & all,
            king: self.kings[color.index()],
            all,
        }
    }

    /// Returns the kind of the piece on a square, or none. Kings are ignored. The three bits of the number of the kind
    /// are combined.
    #[inline(always)]
    fn kind_at(&self, square: Square) -> Kind {
        let [_, pawns, knights, bishops, rooks, queens, ..] = self.sets;
        let bit = |set: Bitboard| (set.bits() >> square as u8 & 1) as u32;
        Kind::from_bits(bit(pawns | bishops | queens), bit(knights | bishops), bit(rooks | queens))
    }
}

/// A kind of piece, or none, in three bits.
///
/// The number is the index of its set on the board. Index 0 is the set of all white pieces. A capture of "none" changes
/// no square of this set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind(u32);

impl Kind {
    const NONE: Kind = Kind(0);
    const PAWN: Kind = Kind(1);
    const KNIGHT: Kind = Kind(2);
    const BISHOP: Kind = Kind(3);
    const ROOK: Kind = Kind(4);
    const QUEEN: Kind = Kind(5);
    const KING: Kind = Kind(6);

    /// Returns the kind with these bits, each 0 or 1, the lowest first.
    #[inline(always)]
    const fn from_bits(low: u32, middle: u32, high: u32) -> Kind {
        Kind(low | middle << 1 | high << 2)
    }

    /// Returns the number of the kind, which is below 8.
    #[inline(always)]
    const fn index(self) -> usize {
        (self.0 & 7) as usize
    }
}

/// A move in 32 bits. For castling, the target is the square of the rook.
///
/// ```text
///   bits   0 to 5   6 to 11   12 to 14   15 to 17   18 to 20   21            22           23
///          from     to        moved      captured   promoted   double push   en passant   castling
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaysMove(u32);

impl RaysMove {
    const MOVED: u32 = 12;
    const CAPTURED: u32 = 15;
    const PROMOTED: u32 = 18;
    const DOUBLE_PUSH: u32 = 1 << 21;
    const EN_PASSANT: u32 = 1 << 22;
    const CASTLING: u32 = 1 << 23;

    #[inline(always)]
    fn new(moved: Kind, from: Square, to: Square) -> RaysMove {
        RaysMove(from as u32 | (to as u32) << 6 | moved.0 << RaysMove::MOVED)
    }

    #[inline(always)]
    fn capturing(self, captured: Kind) -> RaysMove {
        RaysMove(self.0 | captured.0 << RaysMove::CAPTURED)
    }

    #[inline(always)]
    fn promoting(self, promoted: Kind) -> RaysMove {
        RaysMove(self.0 | promoted.0 << RaysMove::PROMOTED)
    }

    #[inline(always)]
    fn flagged(self, flag: u32) -> RaysMove {
        RaysMove(self.0 | flag)
    }

    #[inline(always)]
    fn from(self) -> Square {
        Square::from_low_bits(self.0)
    }

    #[inline(always)]
    fn to(self) -> Square {
        Square::from_low_bits(self.0 >> 6)
    }

    #[inline(always)]
    const fn moved(self) -> Kind {
        Kind(self.0 >> RaysMove::MOVED & 7)
    }

    #[inline(always)]
    const fn captured(self) -> Kind {
        Kind(self.0 >> RaysMove::CAPTURED & 7)
    }

    #[inline(always)]
    const fn promoted(self) -> Kind {
        Kind(self.0 >> RaysMove::PROMOTED & 7)
    }

    #[inline(always)]
    const fn is(self, flag: u32) -> bool {
        self.0 & flag != 0
    }

    /// Returns the square of the captured piece.
    ///
    /// For most moves, this is the target. For en passant, it is the square behind the target. Its index differs in the
    /// bit of value 8 (c6 and c5, c3 and c4).
    #[inline(always)]
    const fn capture_square(self) -> Square {
        Square::from_low_bits(
            self.0 >> 6 ^ (self.0 & RaysMove::EN_PASSANT) >> RaysMove::EN_PASSANT.ilog2() << 3,
        )
    }

    /// Whether the move is a promotion, a double push or castling, which do more than move one piece and capture
    /// another.
    #[inline(always)]
    const fn is_special(self) -> bool {
        self.0 & (7 << RaysMove::PROMOTED | RaysMove::DOUBLE_PUSH | RaysMove::CASTLING) != 0
    }
}

/// The pieces of one side, by their way of moving.
#[derive(Clone, Copy, Debug)]
struct Army {
    pawns: Bitboard,
    knights: Bitboard,
    /// Bishops and queens.
    diagonals: Bitboard,
    /// Rooks and queens.
    orthogonals: Bitboard,
    king: Square,
    all: Bitboard,
}

impl Army {
    /// Returns the pieces without the knights and sliders that could not attack a square next to this one even on an
    /// empty board.
    ///
    /// This saves 10 to 16 percent of all instructions in positions without immediate castling (start position at depth
    /// 5, positions 5 and 6 of the wiki at depth 4, BMI2). It saves nothing in Kiwipete, where all pieces are needed.
    #[inline(always)]
    fn near(&self, square: Square) -> Army {
        static NEIGHBOURHOODS: [Neighbourhood; 64] = Neighbourhood::all();
        let around = &NEIGHBOURHOODS[square.index()];
        Army {
            knights: self.knights & around.knights,
            diagonals: self.diagonals & around.diagonals,
            orthogonals: self.orthogonals & around.orthogonals,
            ..*self
        }
    }

    /// Returns the squares that these pieces of side `S` attack. These occupied squares block sliders.
    #[inline(always)]
    fn attacked<S: Side>(&self, occupied: Bitboard) -> Bitboard {
        let [west, east] = S::CAPTURES;
        let mut attacked = self.pawns.step(west) | self.pawns.step(east) | king(self.king);
        for square in self.knights {
            attacked |= knight(square);
        }
        for square in self.diagonals {
            attacked |= Rays.bishop(square, occupied);
        }
        for square in self.orthogonals {
            attacked |= Rays.rook(square, occupied);
        }
        attacked
    }
}

/// The squares from which a piece attacks any square next to one square, on an empty board.
#[derive(Clone, Copy, Debug)]
struct Neighbourhood {
    knights: Bitboard,
    diagonals: Bitboard,
    orthogonals: Bitboard,
}

impl Neighbourhood {
    const fn all() -> [Neighbourhood; 64] {
        const EMPTY: Bitboard = Bitboard::EMPTY;
        let mut all = [Neighbourhood { knights: EMPTY, diagonals: EMPTY, orthogonals: EMPTY }; 64];
        let mut index = 0;
        while index < 64 * 8 {
            if let Some(beside) = Direction::ALL[index % 8].step(Square::ALL[index / 8]) {
                all[index / 8].add_attackers(beside);
            }
            index += 1;
        }
        all
    }

    const fn add_attackers(&mut self, target: Square) {
        let mut index = 0;
        while index < 64 {
            let from = Square::ALL[index];
            let files = (target as i8 % 8 - from as i8 % 8).abs();
            let ranks = (target as i8 / 8 - from as i8 / 8).abs();
            if files * ranks == 2 {
                self.knights = self.knights.with(from);
            } else if files == ranks && files != 0 {
                self.diagonals = self.diagonals.with(from);
            } else if (files == 0) != (ranks == 0) {
                self.orthogonals = self.orthogonals.with(from);
            }
            index += 1;
        }
    }
}

/// Finds the checks and pins of side `S`, whose pieces are `us`, without a lookup of sliders.
#[inline(always)]
fn checks_and_pins<S: Side>(us: &Army, them: &Army) -> ChecksAndPins {
    let leapers = (knight(us.king) & them.knights) | (pawn(S::COLOR, us.king) & them.pawns);
    let mut checkers = leapers;
    let mut evasions = leapers;
    let mut line_to = |slider: Square| {
        let line = between(us.king, slider).with(slider);
        let pieces = line & (us.all | them.all);
        if pieces == Bitboard::from(slider) {
            checkers |= pieces;
            evasions |= line;
        }
        let pins = (pieces & them.all) == Bitboard::from(slider) && !(pieces & us.all).has_many();
        if pins && pieces.has_many() { line } else { Bitboard::EMPTY }
    };
    let mut diagonal_pins = Bitboard::EMPTY;
    for slider in diagonal_rays(us.king) & them.diagonals {
        diagonal_pins |= line_to(slider);
    }
    let mut orthogonal_pins = Bitboard::EMPTY;
    for slider in orthogonal_rays(us.king) & them.orthogonals {
        orthogonal_pins |= line_to(slider);
    }
    let check_mask = match (checkers.any(), checkers.has_many()) {
        (false, _) => Bitboard::FULL,
        (true, false) => evasions,
        (true, true) => Bitboard::EMPTY,
    };
    ChecksAndPins { checkers, check_mask, diagonal_pins, orthogonal_pins }
}

/// Lists the moves, and looks up the captured piece of each.
struct List<'a> {
    board: &'a RaysBoard,
    them: Bitboard,
    moves: ArrayVec<RaysMove, MAX_MOVES>,
}

impl Sink for List<'_> {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        let moved = match kind {
            MoveKind::EnPassant => Kind::PAWN,
            MoveKind::Knight => Kind::KNIGHT,
            MoveKind::King | MoveKind::Castling => Kind::KING,
            _ if self.board.of_kind(Kind::QUEEN).contains(from) => Kind::QUEEN,
            MoveKind::Diagonal => Kind::BISHOP,
            _ => Kind::ROOK,
        };
        for to in targets & self.them {
            self.moves.push(RaysMove::new(moved, from, to).capturing(self.board.kind_at(to)));
        }
        for to in targets & !self.them {
            let packed = RaysMove::new(moved, from, to);
            self.moves.push(match kind {
                MoveKind::EnPassant => packed.capturing(Kind::PAWN).flagged(RaysMove::EN_PASSANT),
                MoveKind::Castling => packed.flagged(RaysMove::CASTLING),
                _ => packed,
            });
        }
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        let flag = if kind == MoveKind::DoublePush { RaysMove::DOUBLE_PUSH } else { 0 };
        for to in targets {
            let packed = RaysMove::new(Kind::PAWN, origin(to, offset), to);
            self.moves.push(packed.capturing(self.board.kind_at(to)).flagged(flag));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        for to in targets {
            let packed = RaysMove::new(Kind::PAWN, origin(to, offset), to);
            for promoted in [Kind::QUEEN, Kind::ROOK, Kind::BISHOP, Kind::KNIGHT] {
                self.moves.push(packed.capturing(self.board.kind_at(to)).promoting(promoted));
            }
        }
    }
}

impl RaysBoard {
    /// Adds all legal moves of side `S`, the side to move.
    #[inline(always)]
    fn generate<S: Side>(&self, sink: &mut impl Sink) {
        let (us, them) = (self.army(S::COLOR), self.army(S::Other::COLOR));
        let found = checks_and_pins::<S>(&us, &them);
        self.king_moves::<S>(&us, &them, &found, sink);
        if found.check_mask.is_empty() {
            return;
        }
        piece_moves(&us, &them, &found, sink);
        pawn_moves::<S>(&us, &them, &found, sink);
        if let Some(passed) = self.en_passant {
            for from in pawn(S::Other::COLOR, passed) & us.pawns {
                if en_passant_is_legal::<S>(&us, &them, from, passed) {
                    sink.piece(MoveKind::EnPassant, from, passed.into());
                }
            }
        }
    }

    /// Adds the steps of the king and castling.
    ///
    /// The attacked squares are looked up only if the king has a target. The king is removed for this. Otherwise it
    /// could step away from a slider along the line of the check.
    #[inline(always)]
    fn king_moves<S: Side>(&self, us: &Army, them: &Army, found: &ChecksAndPins, sink: &mut impl Sink) {
        let occupied = us.all | them.all;
        let steps = king(us.king) & !us.all;
        let rooks = self.castling_rooks::<S>(us, occupied, found);
        if (steps | rooks).is_empty() {
            return;
        }
        // Castling moves the king more than one square, so the pieces near the king are not enough.
        let near = if rooks.is_empty() { them.near(us.king) } else { *them };
        let attacked = near.attacked::<S::Other>(occupied ^ us.king.into());
        sink.piece(MoveKind::King, us.king, steps & !attacked);
        for rook in rooks {
            let paths = CastlingPaths::of::<S>(us.king, rook);
            if (paths.must_be_safe & attacked).is_empty() {
                sink.piece(MoveKind::Castling, us.king, rook.into());
            }
        }
    }

    /// Returns the rooks with which the king can castle if no square on its path is attacked.
    ///
    /// A rook that is pinned on the back rank cannot castle, because the pinner would attack the king on its target
    /// square. This happens only in Chess960.
    #[inline(always)]
    fn castling_rooks<S: Side>(&self, us: &Army, occupied: Bitboard, found: &ChecksAndPins) -> Bitboard {
        let mut rooks = self.castling.rooks(S::COLOR) & !found.orthogonal_pins;
        if found.check_mask != Bitboard::FULL {
            return Bitboard::EMPTY;
        }
        for rook in rooks {
            if (CastlingPaths::of::<S>(us.king, rook).must_be_empty & occupied).any() {
                rooks ^= rook.into();
            }
        }
        rooks
    }
}

/// Adds the moves of knights and sliders. Pinned pieces stay on their pin lines, so pinned knights cannot move.
#[inline(always)]
fn piece_moves(us: &Army, them: &Army, found: &ChecksAndPins, sink: &mut impl Sink) {
    let occupied = us.all | them.all;
    let targets = found.check_mask & !us.all;
    let free = !found.pins();
    for from in us.knights & free {
        sink.piece(MoveKind::Knight, from, knight(from) & targets);
    }
    for from in us.diagonals & free {
        sink.piece(MoveKind::Diagonal, from, Rays.bishop(from, occupied) & targets);
    }
    for from in us.orthogonals & free {
        sink.piece(MoveKind::Orthogonal, from, Rays.rook(from, occupied) & targets);
    }
    // One set is enough for all pin lines of a kind. A slider on one line cannot reach another, because the king is
    // between.
    for from in us.diagonals & found.diagonal_pins {
        let on_line = Rays.bishop(from, occupied) & found.diagonal_pins;
        sink.piece(MoveKind::Diagonal, from, on_line & targets);
    }
    for from in us.orthogonals & found.orthogonal_pins {
        let on_line = Rays.rook(from, occupied) & found.orthogonal_pins;
        sink.piece(MoveKind::Orthogonal, from, on_line & targets);
    }
}

/// Adds the moves of pawns except en passant. Each direction is one step of all pawns at once.
#[inline(always)]
fn pawn_moves<S: Side>(us: &Army, them: &Army, found: &ChecksAndPins, sink: &mut impl Sink) {
    let (diagonal_pins, orthogonal_pins) = (found.diagonal_pins, found.orthogonal_pins);
    // A push leaves every diagonal. A pawn on an orthogonal pin line may be pushed only if the line is its file.
    let empty = !(us.all | them.all);
    let pushers = us.pawns & !diagonal_pins;
    let pushed = (pushers & !orthogonal_pins).step(S::FORWARD)
        | ((pushers & orthogonal_pins).step(S::FORWARD) & orthogonal_pins);
    let single = pushed & empty;
    let double = (single & S::THIRD_RANK).step(S::FORWARD) & empty & found.check_mask;
    let promotes = (us.pawns & S::SEVENTH_RANK).any();
    one_step::<S>(sink, S::FORWARD, single & found.check_mask, promotes);
    sink.pawns(MoveKind::DoublePush, 2 * S::FORWARD.offset(), double);
    // A capture leaves every rank and file. A pawn on a diagonal pin line may only capture along this line.
    let takers = us.pawns & !orthogonal_pins;
    for direction in S::CAPTURES {
        let taken = (takers & !diagonal_pins).step(direction)
            | ((takers & diagonal_pins).step(direction) & diagonal_pins);
        one_step::<S>(sink, direction, taken & them.all & found.check_mask, promotes);
    }
}

/// Adds the moves of pawns in one direction. Pawns on the last rank promote.
#[inline(always)]
fn one_step<S: Side>(sink: &mut impl Sink, direction: Direction, targets: Bitboard, promotes: bool) {
    if promotes {
        sink.promotions(direction.offset(), targets & S::LAST_RANK);
        sink.pawns(MoveKind::Pawn, direction.offset(), targets & !S::LAST_RANK);
    } else {
        sink.pawns(MoveKind::Pawn, direction.offset(), targets);
    }
}

/// Whether no enemy piece attacks the king after an en passant capture.
#[inline(always)]
fn en_passant_is_legal<S: Side>(us: &Army, them: &Army, from: Square, passed: Square) -> bool {
    let captured = Bitboard::from(passed).step(S::Other::FORWARD);
    let occupied = (us.all ^ from.into() | passed.into()) | (them.all ^ captured);
    let leapers = (knight(us.king) & them.knights) | (pawn(S::COLOR, us.king) & them.pawns & !captured);
    let diagonals = Rays.bishop(us.king, occupied) & them.diagonals;
    let orthogonals = Rays.rook(us.king, occupied) & them.orthogonals;
    (leapers | diagonals | orthogonals).is_empty()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use perft_core::internals::split_mix_64;

    use super::*;

    const ROOTS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w BGbg - 0 1",
    ];

    #[test]
    fn keys_and_boards_stay_right_in_random_games() {
        let mut random = 0;
        let (mut passed, mut castled) = (0, 0);
        let mut fen_of = HashMap::new();
        for game in 0..200 {
            let mut position = Position::from_fen(ROOTS[game % ROOTS.len()]).unwrap();
            let mut board = RaysBoard::new(&position);
            for _ in 0..100 {
                for (played, child) in board.children() {
                    assert_eq!(child.key, child.key_from_scratch(), "{played:?} in {position}");
                    let next = position.play_legal(played);
                    assert_eq!(child, RaysBoard::new(&next));
                    assert_eq!(*fen_of.entry(child.key).or_insert(next.to_string()), next.to_string());
                    passed += u32::from(played.kind() == MoveKind::EnPassant);
                    castled += u32::from(played.kind() == MoveKind::Castling);
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let played = moves[(split_mix_64(&mut random) % moves.len() as u64) as usize];
                let found = board.children().into_iter().find(|(other, _)| *other == played);
                board = found.expect("every legal move is found").1;
                position = position.play_legal(played);
            }
        }
        assert!(passed > 0 && castled > 0);
    }
}

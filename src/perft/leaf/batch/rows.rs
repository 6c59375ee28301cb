//! The moves of a node as rows of numbers, ready to be taken eight at a time.
//!
//! Only regular moves stand in the rows: those that change their two squares and nothing else. The others, castling and
//! en passant, are kept in a list of their own. Double pushes are regular, but those beside an enemy pawn are noted, since
//! they may be answered en passant; so are promotions, in which from and to belong to different sets.

use std::mem::MaybeUninit;

use super::lanes::{MAX_LANES, Width};
use crate::chess::position::Army;
use crate::chess::types::{Bitboard, Direction, MAX_MOVES, MoveKind, MoveList, Square};
use crate::movegen::Sink;

/// Writes rows without a loop.
pub trait RowWriter: Width {
    /// Writes the indices of the squares of a set, ascending; what lies behind them is undefined.
    fn write_squares(self, set: Bitboard, squares: &mut [MaybeUninit<u8>; ROW]);

    /// As [`RowWriter::write_squares`], but each index is lower by `offset`.
    fn write_squares_before(self, set: Bitboard, offset: i8, squares: &mut [MaybeUninit<u8>; ROW]);
}

/// What is written at once: room for any set of squares.
pub const ROW: usize = 64;

/// Each pawn has one target in a direction, which is not a square of theirs.
const MAX_PAWN_TARGETS: u32 = 32;

/// Room for all moves, and for one more write behind them.
const CAPACITY: usize = MAX_MOVES + ROW;

/// The moves of a node.
pub struct Rows<W> {
    width: W,
    from: Numbers,
    to: Numbers,
    kind: Numbers,
    len: usize,
    /// Moves that are not regular.
    pub special: MoveList,
    beside_enemy_pawns: Bitboard,
    /// Where pawns promote.
    pub promoted: Bitboard,
    /// Where double pushes end beside an enemy pawn.
    pub pushed_beside_pawns: Bitboard,
    queens: Bitboard,
    /// Where regular moves arrive.
    pub targets: Bitboard,
    /// Where bishops and queens arrive.
    pub diagonal_targets: Bitboard,
    /// Where rooks and queens arrive.
    pub straight_targets: Bitboard,
}

/// Regular moves that are taken at once.
pub struct Octet<'a> {
    /// The squares they come from.
    pub from: &'a [u8; MAX_LANES],
    /// The squares they go to.
    pub to: &'a [u8; MAX_LANES],
    /// What moves: a [`MoveKind`] as a number.
    pub kind: &'a [u8; MAX_LANES],
}

impl<W: RowWriter> Rows<W> {
    /// No moves yet of this army, against that one.
    #[inline(always)]
    pub fn new(width: W, us: &Army, them: &Army) -> Rows<W> {
        Rows {
            width,
            from: Numbers::unwritten(),
            to: Numbers::unwritten(),
            kind: Numbers::unwritten(),
            len: 0,
            special: MoveList::new(),
            beside_enemy_pawns: them.pawns.step(Direction::West) | them.pawns.step(Direction::East),
            promoted: Bitboard::EMPTY,
            pushed_beside_pawns: Bitboard::EMPTY,
            queens: us.diagonals & us.straights,
            targets: Bitboard::EMPTY,
            diagonal_targets: Bitboard::EMPTY,
            straight_targets: Bitboard::EMPTY,
        }
    }

    /// The number of regular moves.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The regular moves from this one on, of which there is at least one; behind the last, the lanes are undefined.
    #[inline(always)]
    pub fn octet(&self, start: usize) -> Octet<'_> {
        assert!(start < self.len);
        // SAFETY: `start` is below the length, up to which all rows are written, and the last write of 64 numbers reaches
        // at least 8 beyond the length: `append` writes 64 for each set, and no set has more than 32 squares. One piece
        // has at most 27 targets, whatever the position; for pawns it is asserted where they come in.
        unsafe { Octet { from: self.from.read(start), to: self.to.read(start), kind: self.kind.read(start) } }
    }

    /// Writes a move to each target, from the square that `write_from` gives.
    #[inline(always)]
    fn append(&mut self, kind: MoveKind, targets: Bitboard, from: From) {
        let len = self.len;
        assert!(len <= MAX_MOVES);
        let (to_row, from_row, kind_row) = (self.to.row(len), self.from.row(len), self.kind.row(len));
        self.width.write_squares(targets, to_row);
        match from {
            From::Square(square) => *from_row = [MaybeUninit::new(square as u8); ROW],
            From::Offset(offset) => self.width.write_squares_before(targets, offset, from_row),
        }
        *kind_row = [MaybeUninit::new(kind as u8); ROW];
        self.targets |= targets;
        self.len += targets.count() as usize;
    }
}

/// Where a row of moves comes from.
#[derive(Clone, Copy)]
enum From {
    /// All from one square.
    Square(Square),
    /// Each from so many squares before its target.
    Offset(i8),
}

/// A row of numbers, unwritten at first: a node is too short-lived to clear two kilobytes for it.
struct Numbers([MaybeUninit<u8>; CAPACITY]);

impl Numbers {
    #[inline(always)]
    fn unwritten() -> Numbers {
        Numbers([const { MaybeUninit::uninit() }; CAPACITY])
    }

    /// The place for the next numbers.
    #[inline(always)]
    fn row(&mut self, start: usize) -> &mut [MaybeUninit<u8>; ROW] {
        self.0[start..].first_chunk_mut().expect("there are at most MAX_MOVES moves")
    }

    /// # Safety
    /// The numbers from `start` on must be written, as many as there are lanes.
    #[inline(always)]
    unsafe fn read(&self, start: usize) -> &[u8; MAX_LANES] {
        let lanes = self.0[start..].first_chunk::<MAX_LANES>().expect("a row is longer than its moves");
        // SAFETY: the caller knows them to be written.
        unsafe { &*std::ptr::from_ref(lanes).cast() }
    }
}

impl<W: RowWriter> Sink for Rows<W> {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        match kind {
            MoveKind::Castling | MoveKind::EnPassant => self.special.piece(kind, from, targets),
            _ => self.append(kind, targets, From::Square(from)),
        }
        // A queen that has moved as a bishop stands there as a rook too.
        let is_queen = self.queens.contains(from);
        if kind == MoveKind::Diagonal || (kind == MoveKind::Straight && is_queen) {
            self.diagonal_targets |= targets;
        }
        if kind == MoveKind::Straight || (kind == MoveKind::Diagonal && is_queen) {
            self.straight_targets |= targets;
        }
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        assert!(targets.count() <= MAX_PAWN_TARGETS);
        if kind == MoveKind::DoublePush {
            self.pushed_beside_pawns = targets & self.beside_enemy_pawns;
        }
        self.append(MoveKind::Pawn, targets, From::Offset(offset));
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        assert!(targets.count() <= MAX_PAWN_TARGETS);
        self.promoted |= targets;
        for kind in MoveKind::PROMOTIONS {
            self.append(kind, targets, From::Offset(offset));
        }
    }
}

//! `pseudo-legal`: pseudo-legal moves, each tested before it is made, as in large engines.
//!
//! An engine plays few of the moves that it lists, because often the first one causes a cutoff. So it lists moves
//! without testing whether they leave the king in check, and tests a move before it plays it. In check, where few moves
//! are legal, it lists evasions: steps of the king and, if there is only one checker, moves that capture it or block
//! its line. The test is cheap, because the checkers and the pinned pieces are found once for each position:
//!
//! ```text
//!   8  . . . . r . . .      White's knight is pinned by the rook, and White's bishop by the queen. The bishop may move
//!   7  . . . . . . . .      to d2 or capture on b4, which is along the line through its king. The knight cannot move.
//!   6  . . . . . . . .      A step of the king is legal if no enemy piece attacks the target, with the king removed.
//!   5  . . . . . . . .      All other moves are legal without a test.
//!   4  . q . . N . . .
//!   3  . . B . . . . .
//!   2  . . . . . . . .
//!   1  . . . . K . . .
//! ```
//!
//! En passant removes two pawns from a rank at once, so it is tested on the set of occupied squares after the capture.
//! Castling is illegal if a square of the king's path is attacked or, in Chess960, if the rook is pinned on the back
//! rank.
//!
//! In check, only evasions are listed. The king may step to any square without a piece of its side. All other pieces
//! share one set of targets. Pins and attacked squares are not considered here.
//!
//! ```text
//!   8  . . . . . . . .      The bishop on b5 checks the king on f1. All other pieces must move to a square marked 1,
//!   7  . . . . . . . .      where they capture the bishop or block its line. In a double check, they cannot move.
//!   6  . . . . . . . .      Without a check, the targets are all squares without a piece of their side.
//!   5  . 1 . . . . . .
//!   4  . . 1 . . . . .
//!   3  . . . 1 . . . .
//!   2  . . . . 1 . . .
//!   1  . . . . . K . .
//! ```
//!
//! **Board.** The checkers and the pinned pieces are stored beside the position. Moves are played on copies. Making and
//! unmaking moves on one board of bitboards and an array of pieces, as engines do, takes 1.4 % more time here. Engines
//! unmake moves, because their boards also have accumulators and keys and are several times as large.
//!
//! **Cost.** At the last ply, all moves are listed and tested, and none is made. In a perft, where every move is
//! needed, this costs time. For a leaf parent of Kiwipete, almost half of the instructions list moves, more than a
//! third test them, and the rest make moves and find checks and pins. A generator of legal moves needs no
//! list and can add up the sizes of sets. The perft of an engine takes even longer, because its board has data for
//! searching: hash keys, accumulators of the evaluation, squares from which a move gives check, and a history of
//! repetitions.
//!
//! Sources: Chess Programming Wiki, "Pseudo-Legal Move", "Legal Move", "Checks and Pinned Pieces (Bitboards)", "Magic
//! Bitboards", "Encoding Moves", "Copy-Make".

use std::mem::MaybeUninit;

use perft_core::internals::attacks::{between, diagonal_rays, king, knight, orthogonal_rays, pawn};
use perft_core::internals::sliders::{Magic, Sliders};
use perft_core::internals::{Armies, CastlingPaths, Side, Sink, one_step, origin, with_side};
use perft_core::{Bitboard, MAX_MOVES, Move, MoveKind, Position, Square};

use super::board::Board;

/// A position, and the data that are found once for each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PseudoLegalBoard {
    position: Position,
    checkers: Bitboard,
    pinned: Bitboard,
}

impl Board for PseudoLegalBoard {
    fn new(position: &Position) -> PseudoLegalBoard {
        with_side!(position.turn(), S => PseudoLegalBoard::of::<S>(*position))
    }

    #[inline(always)]
    fn each_child(&mut self, visit: impl FnMut(Move, &mut PseudoLegalBoard)) {
        with_side!(self.position.turn(), S => self.each_child_of::<S>(visit))
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        with_side!(self.position.turn(), S => self.count_moves_of::<S>())
    }
}

impl PseudoLegalBoard {
    /// Returns the board of a position in which side `S` is to move.
    ///
    /// An enemy slider that would attack the king on an empty board gives check if no piece is between, and pins if one
    /// piece is between.
    #[inline(always)]
    fn of<S: Side>(position: Position) -> PseudoLegalBoard {
        let Armies { us, them, king, .. } = position.armies_of::<S>();
        let mut checkers = (knight(king) & them.knights) | (pawn(S::COLOR, king) & them.pawns);
        let mut pinned = Bitboard::EMPTY;
        let sliders = (orthogonal_rays(king) & them.orthogonals) | (diagonal_rays(king) & them.diagonals);
        for slider in sliders {
            let pieces_between = between(king, slider) & position.occupied();
            if pieces_between.is_empty() {
                checkers |= slider.into();
            } else if !pieces_between.has_many() {
                pinned |= pieces_between;
            }
        }
        PseudoLegalBoard { checkers, pinned: pinned & us.all, position }
    }

    #[inline(always)]
    fn each_child_of<S: Side>(&self, mut visit: impl FnMut(Move, &mut PseudoLegalBoard)) {
        let mut moves = PackedMoves::new();
        self.list::<S>(&mut moves);
        let to_test = self.origins_to_test::<S>();
        for &played in moves.as_slice() {
            if to_test.contains(played.from()) && !self.is_legal::<S>(played) {
                continue;
            }
            let child = self.position.play_as::<S>(played.kind(), played.from(), played.to());
            visit(played, &mut PseudoLegalBoard::of::<S::Other>(child));
        }
    }

    /// Counts the legal moves. It finds out for eight moves at once whether they need a test.
    ///
    /// This is 5 % faster than testing them one by one (CPU time, geometric mean of six positions, least of 12 runs),
    /// because the compiler shifts four masks with one instruction on CPUs with vectors of 256 bits.
    #[inline(always)]
    fn count_moves_of<S: Side>(&self) -> u64 {
        let mut moves = PackedMoves::new();
        self.list::<S>(&mut moves);
        let moves = moves.as_slice();
        let to_test = self.origins_to_test::<S>();
        let (chunks, rest) = moves.as_chunks::<8>();
        let mut illegal = self.count_illegal::<S>(to_test, rest);
        for chunk in chunks {
            let lowest_bits = chunk.iter().map(|played| to_test.bits() >> played.from() as u8);
            if lowest_bits.fold(0, |any, bits| any | bits) & 1 != 0 {
                illegal += self.count_illegal::<S>(to_test, chunk);
            }
        }
        moves.len() as u64 - illegal
    }

    /// Returns the number of illegal moves among these. They are added up without a branch, because the branch would
    /// often be mispredicted.
    #[inline(always)]
    fn count_illegal<S: Side>(&self, to_test: Bitboard, moves: &[Move]) -> u64 {
        let mut illegal = 0;
        for &played in moves {
            if to_test.contains(played.from()) {
                illegal += u64::from(!self.is_legal::<S>(played));
            }
        }
        illegal
    }
}

/// The test of legality.
impl PseudoLegalBoard {
    /// Returns the `from` squares of moves that may be illegal: the squares of the king, of pinned pieces, and of pawns
    /// that can capture en passant.
    #[inline(always)]
    fn origins_to_test<S: Side>(&self) -> Bitboard {
        let mut to_test = self.pinned.with(self.position.king(S::COLOR));
        if let Some(passed) = self.position.en_passant() {
            to_test |= pawn(S::Other::COLOR, passed);
        }
        to_test
    }

    #[inline(always)]
    fn is_legal<S: Side>(&self, played: Move) -> bool {
        let (from, to) = (played.from(), played.to());
        let king = self.position.king(S::COLOR);
        match played.kind() {
            MoveKind::EnPassant => self.position.armies_of::<S>().en_passant_is_legal::<S>(from, to, Magic),
            MoveKind::Castling => self.castling_is_legal::<S>(from, to),
            _ if from == king => !self.is_attacked::<S>(to),
            // A pinned piece may move along the line through its king, towards the king or away from it.
            _ => {
                let line = between(king, from).contains(to) | between(king, to).contains(from);
                line | !self.pinned.contains(from)
            }
        }
    }

    /// Whether the opponent of `S` attacks a square if the king is removed. Sliders are looked up even if a leaper
    /// already attacks the square, because a mispredicted branch would cost more.
    #[inline(always)]
    fn is_attacked<S: Side>(&self, square: Square) -> bool {
        let without_king = self.position.occupied() ^ self.position.king(S::COLOR).into();
        self.position.attackers(square, S::Other::COLOR, without_king, Magic).any()
    }

    /// Whether castling leaves the king safe on its path and on its target square.
    ///
    /// A rook that is pinned on the back rank cannot castle, because the pinner would attack the king on its target
    /// square. This happens only in Chess960.
    #[inline(always)]
    fn castling_is_legal<S: Side>(&self, king: Square, rook: Square) -> bool {
        let path = CastlingPaths::of::<S>(king, rook).must_be_safe;
        !self.pinned.contains(rook) && path.into_iter().all(|square| !self.is_attacked::<S>(square))
    }
}

/// The capacity of the list. [`MAX_MOVES`] is a bound for pseudo-legal moves too. The capacity is a power of two, so a
/// mask keeps every index in bounds.
const CAPACITY: usize = 1024;

const _: () = assert!(CAPACITY >= MAX_MOVES && CAPACITY.is_power_of_two());

/// A list of pseudo-legal moves. An `ArrayVec` checks its capacity for each move, and takes 1.5 times as many
/// instructions.
struct PackedMoves {
    moves: [MaybeUninit<Move>; CAPACITY],
    len: usize,
}

impl PackedMoves {
    #[inline(always)]
    fn new() -> PackedMoves {
        PackedMoves { moves: [const { MaybeUninit::uninit() }; CAPACITY], len: 0 }
    }

    /// The length stays in a register until the end.
    #[inline(always)]
    fn extend(&mut self, moves: impl IntoIterator<Item = Move>) {
        let mut len = self.len;
        for played in moves {
            self.moves[len % CAPACITY].write(played);
            len += 1;
        }
        self.len = len;
    }

    #[inline(always)]
    fn as_slice(&self) -> &[Move] {
        debug_assert!(self.len <= CAPACITY);
        let written = &self.moves[..self.len.min(CAPACITY)];
        // SAFETY: the length starts at 0, and each element that is written at this index increases it by 1. So all
        // elements below the length are written. If the length exceeds CAPACITY, where writing wraps around, all
        // elements are written. `MaybeUninit<T>` has the layout of `T`.
        unsafe { std::slice::from_raw_parts(written.as_ptr().cast(), written.len()) }
    }
}

impl Sink for PackedMoves {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::new(kind, from, to)));
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move::new(kind, origin(to, offset), to)));
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        for to in targets {
            self.extend(MoveKind::PROMOTIONS.map(|kind| Move::new(kind, origin(to, offset), to)));
        }
    }
}

impl PseudoLegalBoard {
    /// Lists evasions or pseudo-legal moves of side `S`, the side to move. The moves of the king come last. All of them
    /// need a test, so they should be in few groups of eight.
    #[inline(always)]
    fn list<S: Side>(&self, moves: &mut PackedMoves) {
        let armies = &self.position.armies_of::<S>();
        let (free, square, checkers) = (!armies.us.all, armies.king, self.checkers);
        if !checkers.has_many() {
            let targets = match checkers.first() {
                None => free,
                Some(checker) => between(square, checker) | checkers,
            };
            self.add_pawns::<S>(moves, armies, targets);
            add_pieces(moves, armies, targets);
            if checkers.is_empty() {
                self.add_castling::<S>(moves);
            }
        }
        moves.piece(MoveKind::King, square, king(square) & free);
    }

    #[inline(always)]
    fn add_pawns<S: Side>(&self, moves: &mut PackedMoves, armies: &Armies, targets: Bitboard) {
        let (pawns, empty) = (armies.us.pawns, !armies.occupied());
        let enemies = armies.them.all & targets;

        let single = pawns.step(S::FORWARD) & empty;
        let double = (single & S::THIRD_RANK).step(S::FORWARD) & empty;
        one_step::<S>(moves, S::FORWARD, single & targets);
        moves.pawns(MoveKind::DoublePush, 2 * S::FORWARD.offset(), double & targets);
        for direction in S::CAPTURES {
            one_step::<S>(moves, direction, pawns.step(direction) & enemies);
        }
        // En passant captures are also listed in check. The test of legality finds out whether they resolve the check.
        if let Some(passed) = self.position.en_passant() {
            for from in self.position.en_passant_captors(passed) {
                moves.piece(MoveKind::EnPassant, from, passed.into());
            }
        }
    }

    /// Adds castling over empty squares. The test of legality finds out whether the king's path is attacked.
    #[inline(always)]
    fn add_castling<S: Side>(&self, moves: &mut PackedMoves) {
        let king = self.position.king(S::COLOR);
        for rook in self.position.castling().rooks(S::COLOR) {
            let path = CastlingPaths::of::<S>(king, rook).must_be_empty;
            if (path & self.position.occupied()).is_empty() {
                moves.piece(MoveKind::Castling, king, rook.into());
            }
        }
    }
}

#[inline(always)]
fn add_pieces(moves: &mut PackedMoves, armies: &Armies, targets: Bitboard) {
    let (us, occupied) = (armies.us, armies.occupied());
    for from in us.knights {
        moves.piece(MoveKind::Knight, from, knight(from) & targets);
    }
    for from in us.diagonals {
        moves.piece(MoveKind::Diagonal, from, Magic.bishop(from, occupied) & targets);
    }
    for from in us.orthogonals {
        moves.piece(MoveKind::Orthogonal, from, Magic.rook(from, occupied) & targets);
    }
}

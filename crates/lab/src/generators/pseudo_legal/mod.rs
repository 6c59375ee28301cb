//! `pseudo-legal`: pseudo-legal moves, each tested before it is made, as in large engines.
//!
//! An engine plays few of the moves that it lists, because often the first one causes a cutoff. So it lists moves
//! without a test whether they leave the king in check, and tests a move before it plays it. In check, where few moves
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
//! Two kinds of moves are tested on the set of occupied squares after the move: en passant, which removes two pawns
//! from a rank at once, and castling, whose path must not be attacked. In Chess960, the castling rook may be pinned on
//! the back rank. Then castling is illegal.
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
//! **Board.** Moves are made and unmade on one board of bitboards and an array of pieces. A record of 32 bytes has the
//! data that a move overwrites: castling rights, en passant square, checkers, pinned pieces and the squares of the
//! kings. It is copied before the moves of a position and restored after each move. Copying the whole board of 176
//! bytes instead, without unmaking moves, takes 1.4 % less time here. Engines unmake moves, because their boards also
//! have accumulators and keys and are several times as large. This generator does the same as engines.
//!
//! **Cost.** At the last ply, all moves are listed and tested, and none is made. In a perft, where every move is
//! needed, this costs time. For a leaf parent of Kiwipete, almost half of the instructions list moves, more than a
//! third test them, and the rest make and unmake moves and find checks and pins. A generator of legal moves needs no
//! list and can add up the sizes of sets. The perft of an engine takes even longer, because its board has data for
//! searching: hash keys, accumulators of the evaluation, squares from which a move gives check, and a history of
//! repetitions.
//!
//! Sources: Chess Programming Wiki, "Pseudo-Legal Move", "Legal Move", "Checks and Pinned Pieces (Bitboards)", "Magic
//! Bitboards", "Encoding Moves", "Unmake Move", "Copy-Make".

mod play;

use std::mem::MaybeUninit;

use perft_core::internals::attacks::{between, diagonal_rays, king, knight, orthogonal_rays, pawn};
use perft_core::internals::sliders::{Magic, Sliders};
use perft_core::internals::{CastlingPaths, Direction, Side, origin, with_side};
use perft_core::{Bitboard, CastlingRights, Color, MAX_MOVES, Move, MoveKind, Piece, Position, Square};

use super::board::{Board, with_direction};

/// A board of bitboards by kind of piece and by colour, an array of pieces by square, and the state of the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PseudoLegalBoard {
    /// The pieces of each kind, of both colours. The last set is the empty squares.
    by_kind: [Bitboard; 7],
    by_color: [Bitboard; 2],
    /// The kind of piece on each square.
    squares: [Option<Piece>; 64],
    turn: Color,
    state: State,
}

/// The data that a move overwrites and that cannot be computed from the move, and the data that are found once for each
/// position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    castling: CastlingRights,
    /// The pieces that give check to the side to move.
    checkers: Bitboard,
    /// The pinned pieces of the side to move.
    pinned: Bitboard,
    kings: [Square; 2],
    /// The square that a pawn has just passed, if an enemy pawn attacks it.
    en_passant: Option<Square>,
}

const _: () = assert!(size_of::<State>() <= 32);

/// The index of the set of empty squares in [`PseudoLegalBoard`].
const EMPTY: usize = 6;

/// Returns the index of the set of a piece, or of the set of empty squares.
#[inline(always)]
const fn set_of(piece: Option<Piece>) -> usize {
    match piece {
        Some(piece) => piece as usize,
        None => EMPTY,
    }
}

impl Board for PseudoLegalBoard {
    fn new(position: &Position) -> PseudoLegalBoard {
        let mut board = PseudoLegalBoard {
            by_kind: [Bitboard::EMPTY; 7],
            by_color: Color::ALL.map(|color| position.army(color).all),
            squares: Square::ALL.map(|square| position.piece_at(square).map(|piece| piece.piece)),
            turn: position.turn(),
            state: State {
                castling: position.castling(),
                en_passant: position.en_passant(),
                checkers: Bitboard::EMPTY,
                pinned: Bitboard::EMPTY,
                kings: Color::ALL.map(|color| position.king(color)),
            },
        };
        for square in Square::ALL {
            board.by_kind[set_of(board.squares[square.index()])] |= square.into();
        }
        with_side!(board.turn, S => board.find_checkers_and_pinned::<S>());
        board
    }

    #[inline(always)]
    fn each_child(&mut self, visit: impl FnMut(Move, &mut PseudoLegalBoard)) {
        with_side!(self.turn, S => self.each_child_of::<S>(visit))
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        with_side!(self.turn, S => self.count_moves_of::<S>())
    }
}

impl PseudoLegalBoard {
    #[inline(always)]
    fn each_child_of<S: Side>(&mut self, mut visit: impl FnMut(Move, &mut PseudoLegalBoard)) {
        let mut moves = PackedMoves::new();
        self.list::<S>(&mut moves);
        let to_test = self.origins_to_test::<S>();
        let state = self.state;
        for &packed in moves.as_slice() {
            if to_test.contains(packed.from()) && !self.is_legal::<S>(packed) {
                continue;
            }
            let captured = self.make::<S>(packed);
            visit(with_direction(packed), self);
            self.unmake::<S>(packed, captured);
            self.state = state;
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
            let lowest_bits = chunk.iter().map(|packed| to_test.bits() >> packed.from() as u8);
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
        for &packed in moves {
            if to_test.contains(packed.from()) {
                illegal += u64::from(!self.is_legal::<S>(packed));
            }
        }
        illegal
    }

    #[inline(always)]
    fn king_of<S: Side>(&self) -> Square {
        self.state.kings[S::COLOR.index()]
    }

    #[inline(always)]
    fn pieces_of(&self, color: Color, piece: Piece) -> Bitboard {
        self.by_kind[piece as usize] & self.by_color[color.index()]
    }

    /// Returns the bishops and queens of both colours.
    #[inline(always)]
    fn diagonals(&self) -> Bitboard {
        self.by_kind[Piece::Bishop as usize] | self.by_kind[Piece::Queen as usize]
    }

    /// Returns the rooks and queens of both colours.
    #[inline(always)]
    fn orthogonals(&self) -> Bitboard {
        self.by_kind[Piece::Rook as usize] | self.by_kind[Piece::Queen as usize]
    }

    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        !self.by_kind[EMPTY]
    }
}

/// Checks and pins.
impl PseudoLegalBoard {
    /// Finds the checkers and the pinned pieces of side `S`, the side to move.
    ///
    /// An enemy slider that would attack the king on an empty board gives check if no piece is between, and pins if one
    /// piece is between.
    #[inline(always)]
    fn find_checkers_and_pinned<S: Side>(&mut self) {
        let square = self.king_of::<S>();
        let them = self.by_color[S::Other::COLOR.index()];
        let occupied = self.occupied();
        let leapers = (knight(square) & self.by_kind[Piece::Knight as usize])
            | (pawn(S::COLOR, square) & self.by_kind[Piece::Pawn as usize]);
        let sliders =
            (orthogonal_rays(square) & self.orthogonals()) | (diagonal_rays(square) & self.diagonals());
        let mut checkers = leapers & them;
        let mut pinned = Bitboard::EMPTY;
        for slider in sliders & them {
            let pieces_between = between(square, slider) & occupied;
            if pieces_between.is_empty() {
                checkers |= slider.into();
            } else if !pieces_between.has_many() {
                pinned |= pieces_between;
            }
        }
        self.state.checkers = checkers;
        self.state.pinned = pinned & self.by_color[S::COLOR.index()];
    }

    /// Whether side `S` attacks a square if the squares `occupied` are occupied. Sliders are looked up even if a leaper
    /// already attacks the square, because a mispredicted branch would cost more.
    #[inline(always)]
    fn is_attacked_by<S: Side>(&self, square: Square, occupied: Bitboard) -> bool {
        let leapers = (knight(square) & self.by_kind[Piece::Knight as usize])
            | (pawn(S::Other::COLOR, square) & self.by_kind[Piece::Pawn as usize])
            | (king(square) & self.by_kind[Piece::King as usize]);
        let them = self.by_color[S::COLOR.index()];
        ((leapers & them) | self.sliders_of::<S>(square, occupied)).any()
    }

    /// Returns the sliders of side `S` that attack a square if the squares `occupied` are occupied.
    #[inline(always)]
    fn sliders_of<S: Side>(&self, square: Square, occupied: Bitboard) -> Bitboard {
        ((Magic.bishop(square, occupied) & self.diagonals())
            | (Magic.rook(square, occupied) & self.orthogonals()))
            & self.by_color[S::COLOR.index()]
    }
}

/// The test of legality.
impl PseudoLegalBoard {
    /// Returns the `from` squares of moves that may be illegal: the squares of the king, of pinned pieces, and of pawns
    /// that can capture en passant.
    #[inline(always)]
    fn origins_to_test<S: Side>(&self) -> Bitboard {
        let mut to_test = self.state.pinned.with(self.king_of::<S>());
        if let Some(passed) = self.state.en_passant {
            to_test |= pawn(S::Other::COLOR, passed);
        }
        to_test
    }

    /// Whether a move leaves the king of side `S` safe.
    #[inline(always)]
    fn is_legal<S: Side>(&self, packed: Move) -> bool {
        let (from, to) = (packed.from(), packed.to());
        let king = self.king_of::<S>();
        match packed.kind() {
            MoveKind::EnPassant => self.en_passant_is_legal::<S>(from, to),
            MoveKind::Castling => self.castling_is_legal::<S>(from, to),
            _ if from == king => !self.is_attacked_by::<S::Other>(to, self.occupied() ^ king.into()),
            // A pinned piece may move along the line through its king, towards the king or away from it.
            _ => {
                let line = between(king, from).contains(to) | between(king, to).contains(from);
                line | !self.state.pinned.contains(from)
            }
        }
    }

    /// Whether an en passant capture leaves the king safe. Sliders are looked up on the board after the capture. A
    /// check by a leaper remains, unless the captured pawn gives it.
    #[inline(always)]
    fn en_passant_is_legal<S: Side>(&self, from: Square, passed: Square) -> bool {
        let captured = Bitboard::from(passed).step(S::Other::FORWARD);
        let occupied = (self.occupied() ^ from.into() ^ captured) | passed.into();
        let leapers = self.by_kind[Piece::Knight as usize] | self.by_kind[Piece::Pawn as usize];
        (self.state.checkers & leapers & !captured).is_empty()
            && self.sliders_of::<S::Other>(self.king_of::<S>(), occupied).is_empty()
    }

    /// Whether castling leaves the king safe on its path and on its target square.
    ///
    /// A rook that is pinned on the back rank cannot castle, because the pinner would attack the king on its target
    /// square. This happens only in Chess960.
    #[inline(always)]
    fn castling_is_legal<S: Side>(&self, king: Square, rook: Square) -> bool {
        let occupied = self.occupied() ^ king.into();
        let path = CastlingPaths::of::<S>(king, rook).must_be_safe;
        !self.state.pinned.contains(rook)
            && path.into_iter().all(|square| !self.is_attacked_by::<S::Other>(square, occupied))
    }
}

/// The capacity of the list. [`MAX_MOVES`] is a bound for pseudo-legal moves too. The capacity is a power of two, so a
/// mask keeps every index in bounds.
const CAPACITY: usize = 1024;

const _: () = assert!(CAPACITY >= MAX_MOVES && CAPACITY.is_power_of_two());

/// A list of pseudo-legal moves.
///
/// It is 3.5 % faster than an `ArrayVec`, which checks its capacity for each move (CPU time, geometric mean of six
/// positions, least of 12 runs).
struct PackedMoves {
    moves: [MaybeUninit<Move>; CAPACITY],
    len: usize,
}

impl PackedMoves {
    #[inline(always)]
    fn new() -> PackedMoves {
        PackedMoves { moves: [const { MaybeUninit::uninit() }; CAPACITY], len: 0 }
    }

    #[inline(always)]
    fn push(&mut self, packed: Move) {
        self.moves[self.len % CAPACITY].write(packed);
        self.len += 1;
    }

    /// Adds several moves. The length stays in a register until the end.
    #[inline(always)]
    fn extend(&mut self, moves: impl Iterator<Item = Move>) {
        let mut len = self.len;
        for packed in moves {
            self.moves[len % CAPACITY].write(packed);
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

impl PseudoLegalBoard {
    /// Lists evasions or pseudo-legal moves of side `S`, the side to move. The moves of the king come last. All of them
    /// need a test, so they should be in few groups of eight.
    #[inline(always)]
    fn list<S: Side>(&self, moves: &mut PackedMoves) {
        let free = !self.by_color[S::COLOR.index()];
        let square = self.king_of::<S>();
        let checkers = self.state.checkers;
        if !checkers.has_many() {
            let targets = match checkers.first() {
                None => free,
                Some(checker) => between(square, checker) | checkers,
            };
            self.add_pawns::<S>(moves, targets);
            self.add_pieces::<S>(moves, targets);
            if checkers.is_empty() {
                self.add_castling::<S>(moves);
            }
        }
        add_piece(moves, MoveKind::King, square, king(square) & free);
    }

    #[inline(always)]
    fn add_pieces<S: Side>(&self, moves: &mut PackedMoves, targets: Bitboard) {
        let occupied = self.occupied();
        for from in self.pieces_of(S::COLOR, Piece::Knight) {
            add_piece(moves, MoveKind::Knight, from, knight(from) & targets);
        }
        for from in self.pieces_of(S::COLOR, Piece::Bishop) {
            add_piece(moves, MoveKind::Diagonal, from, Magic.bishop(from, occupied) & targets);
        }
        for from in self.pieces_of(S::COLOR, Piece::Rook) {
            add_piece(moves, MoveKind::Orthogonal, from, Magic.rook(from, occupied) & targets);
        }
        for from in self.pieces_of(S::COLOR, Piece::Queen) {
            let attacks = Magic.bishop(from, occupied) | Magic.rook(from, occupied);
            add_piece(moves, MoveKind::Diagonal, from, attacks & targets);
        }
    }

    #[inline(always)]
    fn add_pawns<S: Side>(&self, moves: &mut PackedMoves, targets: Bitboard) {
        let pawns = self.pieces_of(S::COLOR, Piece::Pawn);
        let empty = self.by_kind[EMPTY];
        let enemies = self.by_color[S::Other::COLOR.index()] & targets;

        let not_promoting = pawns & !S::SEVENTH_RANK;
        let single = not_promoting.step(S::FORWARD) & empty;
        let double = (single & S::THIRD_RANK).step(S::FORWARD) & empty;
        add_steps(moves, MoveKind::Pawn, S::FORWARD.offset(), single & targets);
        add_steps(moves, MoveKind::DoublePush, 2 * S::FORWARD.offset(), double & targets);
        for direction in S::CAPTURES {
            add_steps(moves, MoveKind::Pawn, direction.offset(), not_promoting.step(direction) & enemies);
        }

        let promoting = pawns & S::SEVENTH_RANK;
        if promoting.any() {
            add_promotions(moves, S::FORWARD, promoting.step(S::FORWARD) & empty & targets);
            for direction in S::CAPTURES {
                add_promotions(moves, direction, promoting.step(direction) & enemies);
            }
        }
        self.add_en_passant::<S>(moves, pawns);
    }

    /// Adds en passant captures, in check too. The test of legality finds out whether they resolve the check.
    #[inline(always)]
    fn add_en_passant<S: Side>(&self, moves: &mut PackedMoves, pawns: Bitboard) {
        let Some(passed) = self.state.en_passant else { return };
        for from in pawn(S::Other::COLOR, passed) & pawns {
            moves.push(Move::new(MoveKind::EnPassant, from, passed));
        }
    }

    /// Adds castling over empty squares. The test of legality finds out whether the king's path is attacked.
    #[inline(always)]
    fn add_castling<S: Side>(&self, moves: &mut PackedMoves) {
        let king = self.king_of::<S>();
        for rook in self.state.castling.rooks(S::COLOR) {
            let path = CastlingPaths::of::<S>(king, rook).must_be_empty;
            if (path & self.occupied()).is_empty() {
                moves.push(Move::new(MoveKind::Castling, king, rook));
            }
        }
    }
}

#[inline(always)]
fn add_piece(moves: &mut PackedMoves, kind: MoveKind, from: Square, targets: Bitboard) {
    moves.extend(targets.into_iter().map(|to| Move::new(kind, from, to)));
}

/// Adds the moves of pawns to these squares. A move adds this offset to the index of the pawn's square.
#[inline(always)]
fn add_steps(moves: &mut PackedMoves, kind: MoveKind, offset: i8, targets: Bitboard) {
    moves.extend(targets.into_iter().map(|to| Move::new(kind, origin(to, offset), to)));
}

/// Adds the promotions of pawns on these squares. The pawns move in this direction.
#[inline(always)]
fn add_promotions(moves: &mut PackedMoves, direction: Direction, targets: Bitboard) {
    for to in targets {
        for kind in MoveKind::PROMOTIONS {
            moves.push(Move::new(kind, origin(to, direction.offset()), to));
        }
    }
}

//! A position in 32 bytes, without loss.
//!
//! Each of the 64 squares has a code of four bits. The codes are stored as four bit planes: plane `n` has bit `n` of
//! all codes. Thirteen codes are the empty square and the twelve pieces. The other three store the rest of the
//! position:
//!
//! ```text
//!   code, planes 2 to 0      plane 3 clear: white       plane 3 set: black
//!   0 0 0                    empty                      marked (below)
//!   0 0 1                    bishop                     bishop
//!   0 1 0                    rook                       rook
//!   0 1 1                    queen                      queen
//!   1 0 0                    pawn                       pawn
//!   1 0 1                    knight                     knight
//!   1 1 0                    king                       king
//!   1 1 1                    king, to move              king, to move
//! ```
//!
//! A *marked* piece is a rook that may still castle, or a pawn that may be captured en passant. Its rank says which of
//! them it is, and its colour: a white rook on rank 1, a white pawn on rank 4, a black pawn on rank 5, a black rook on
//! rank 8.
//!
//! Every position fits, even if no game can reach it, and so do the castling rights of Chess960. Packing and unpacking
//! each take about a dozen operations on whole boards, without a loop over squares. Formats for training data often use
//! spare piece codes in the same way.

use super::{Army, Position};
use crate::types::{Bitboard, CastlingRights, Color, Direction, Move, MoveKind, Rank, Square};

/// A position in 32 bytes: pieces, side to move, castling rights, and the en passant square if a capture on it is
/// legal.
///
/// Two packed positions are equal if and only if nothing that affects the legal moves is different.
///
/// # Examples
/// ```
/// use perft_core::internals::PackedPosition;
/// use perft_core::Position;
/// let unusable = Position::from_fen("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1")?; // the pawn on d4 is pinned
/// let without = Position::from_fen("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1")?;
/// assert_ne!(unusable, without);
/// assert_eq!(PackedPosition::from(&unusable), PackedPosition::from(&without));
/// assert_eq!(PackedPosition::from(&unusable).unpack(), without);
/// # Ok::<(), perft_core::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedPosition([Bitboard; 4]);

const _: () = assert!(size_of::<PackedPosition>() == 32);

/// The ranks on which a marked piece is a rook.
const ROOKS: Bitboard = ranks(Rank::First, Rank::Eighth);

/// The ranks on which a marked piece is a pawn.
const PAWNS: Bitboard = ranks(Rank::Fourth, Rank::Fifth);

/// The half of the board on which marked pieces are black.
const BLACK_HALF: Bitboard = Bitboard::from_bits(!0 << 32);

const fn ranks(a: Rank, b: Rank) -> Bitboard {
    Bitboard::from_bits(Bitboard::rank(a).bits() | Bitboard::rank(b).bits())
}

impl From<&Position> for PackedPosition {
    #[inline]
    fn from(position: &Position) -> PackedPosition {
        let [white, black] = &position.armies;
        let mover = Bitboard::from(position.king(position.turn));
        let kings = mover | position.king(!position.turn).into();
        let knights = white.knights | black.knights;
        let marked = (position.castling.all_rooks() & ROOKS) | position.pawn_to_take_en_passant();
        PackedPosition([
            white.diagonals | black.diagonals | knights | mover,
            ((white.orthogonals | black.orthogonals) & !marked) | kings,
            ((white.pawns | black.pawns) & !marked) | knights | kings,
            black.all | marked,
        ])
    }
}

impl Position {
    #[inline]
    fn pawn_to_take_en_passant(&self) -> Bitboard {
        if self.en_passant.is_none() {
            return Bitboard::EMPTY;
        }
        let passed = self.legal_en_passant().map_or(Bitboard::EMPTY, Bitboard::from);
        passed.step((!self.turn).forward())
    }
}

impl PackedPosition {
    /// Returns the position, without an en passant square on which no capture is legal.
    #[inline]
    pub fn unpack(&self) -> Position {
        let [one, two, four, eight] = self.0;
        let marked = self.marked();
        let (pawns_and_knights, kings) = (four & !two, four & two);
        let pieces = Army {
            pawns: (pawns_and_knights & !one) | (marked & PAWNS),
            knights: pawns_and_knights & one,
            diagonals: one & !four,
            orthogonals: (two & !four) | (marked & ROOKS),
            all: one | two | four | eight,
        };
        let black = self.black();
        let turn = if self.is_black_to_move(black) { Color::Black } else { Color::White };
        let passed = (marked & PAWNS).step(turn.forward()).first();
        let mut castling = CastlingRights::NONE;
        (marked & ROOKS).into_iter().for_each(|rook| castling.add(rook));
        Position {
            armies: [pieces.map(|set| set & !black), pieces.map(|set| set & black)],
            castling,
            kings: [only(kings & !black), only(kings & black)],
            turn,
            en_passant: passed,
        }
    }

    /// Returns four sets that identify the pieces of the side that is not to move, and all castling rights.
    ///
    /// A black pawn that may be captured en passant is marked in them. A white one is missing.
    #[inline(always)]
    pub fn family(&self) -> [Bitboard; 4] {
        let [one, two, four, eight] = self.0;
        let waiting_king = two & four & !one;
        let waiting = if (waiting_king & eight).any() { eight } else { !eight };
        [one & waiting, two & waiting, four & waiting, (eight & waiting) | self.castling_rooks()]
    }

    /// Returns the pawns of both sides, without a pawn that may be captured en passant.
    #[inline(always)]
    pub fn pawns(&self) -> Bitboard {
        let [one, two, four, _] = self.0;
        four & !two & !one
    }

    /// Returns a hash of [`PackedPosition::family`].
    #[inline(always)]
    pub fn family_hash(&self) -> u64 {
        hash(self.family())
    }

    /// Returns a hash of the position. Its bits are good enough for the index of a hash table.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        hash(self.0)
    }

    /// Returns four sets that identify the pieces and castling rights of the side to move.
    ///
    /// After a move that is not a capture, they are equal to [`PackedPosition::waiting_army`] before the move.
    #[inline(always)]
    pub fn mover_army(&self) -> [Bitboard; 4] {
        let black = self.black();
        self.army(if self.is_black_to_move(black) { black } else { !black })
    }

    /// Returns four sets that identify the pieces and castling rights of the side that is not to move.
    #[inline(always)]
    pub fn waiting_army(&self) -> [Bitboard; 4] {
        let black = self.black();
        self.army(if self.is_black_to_move(black) { !black } else { black })
    }

    /// Returns four sets that identify the pieces and castling rights on these squares. They do not depend on the side
    /// to move, or on whether a pawn may be captured en passant.
    #[inline(always)]
    fn army(&self, squares: Bitboard) -> [Bitboard; 4] {
        let [one, two, four, _] = self.0;
        let marked = self.marked();
        [
            one & !(two & four) & squares,
            two & squares,
            (four | (marked & PAWNS)) & squares,
            marked & ROOKS & squares,
        ]
    }

    /// Returns a hash of [`PackedPosition::mover_army`].
    #[inline(always)]
    pub fn mover_hash(&self) -> u64 {
        hash(self.mover_army())
    }

    /// Returns a hash of [`PackedPosition::waiting_army`].
    #[inline(always)]
    pub fn waiting_hash(&self) -> u64 {
        hash(self.waiting_army())
    }

    /// Returns the king of the side to move.
    #[inline(always)]
    pub fn mover_king(&self) -> Bitboard {
        let [one, two, four, _] = self.0;
        one & two & four
    }

    /// Returns the rooks that may castle.
    #[inline(always)]
    pub fn castling_rooks(&self) -> Bitboard {
        self.marked() & ROOKS
    }

    /// Returns the rooks that may castle and the pawn that may be captured en passant.
    #[inline(always)]
    fn marked(&self) -> Bitboard {
        let [one, two, four, eight] = self.0;
        eight & !(one | two | four)
    }

    #[inline(always)]
    fn black(&self) -> Bitboard {
        let marked = self.marked();
        (self.0[3] & !marked) | (marked & BLACK_HALF)
    }

    #[inline(always)]
    fn is_black_to_move(&self, black: Bitboard) -> bool {
        let [one, two, four, _] = self.0;
        (one & two & four & black).any()
    }

    /// Returns the four planes as words. At least one of them is not zero, because there are kings.
    #[inline(always)]
    pub const fn to_words(self) -> [u64; 4] {
        let [one, two, four, eight] = self.0;
        [one.bits(), two.bits(), four.bits(), eight.bits()]
    }

    /// Returns the packed position whose [`PackedPosition::to_words`] are these words.
    #[inline(always)]
    pub const fn from_words([one, two, four, eight]: [u64; 4]) -> PackedPosition {
        PackedPosition([
            Bitboard::from_bits(one),
            Bitboard::from_bits(two),
            Bitboard::from_bits(four),
            Bitboard::from_bits(eight),
        ])
    }
}

/// Packs the positions after the moves of a position.
///
/// Most moves only move the piece code to another square in each plane. This takes a third of the time of playing the
/// move and packing the result. Moves that change more are played and packed.
///
/// # Examples
/// ```
/// use perft_core::internals::{ChildPacker, PackedPosition};
/// use perft_core::Position;
/// let parent = Position::start();
/// let packer = ChildPacker::new(&parent);
/// for played in parent.legal_moves() {
///     assert_eq!(packer.child(played), PackedPosition::from(&parent.play_legal(played)));
/// }
/// ```
pub struct ChildPacker {
    parent: Position,
    /// The parent with the other side to move.
    passed: PackedPosition,
    /// The pieces whose moves lose a castling right.
    castlers: Bitboard,
}

impl ChildPacker {
    /// Returns a packer for the positions after the moves of `parent`.
    #[inline(always)]
    pub fn new(parent: &Position) -> ChildPacker {
        let passed = Position { turn: !parent.turn, en_passant: None, ..*parent };
        let rooks = parent.castling.rooks(parent.turn);
        let king = if rooks.any() { parent.king(parent.turn).into() } else { Bitboard::EMPTY };
        ChildPacker { parent: *parent, passed: PackedPosition::from(&passed), castlers: rooks | king }
    }

    /// Returns the position after a legal move.
    #[inline(always)]
    pub fn child(&self, played: Move) -> PackedPosition {
        if !self.only_moves_a_piece(played) {
            return PackedPosition::from(&self.parent.play_legal(played));
        }
        let (from, to) = (Bitboard::from(played.from()), Bitboard::from(played.to()));
        let after = |plane: Bitboard| {
            let moved = if (plane & from).any() { from | to } else { Bitboard::EMPTY };
            (plane & !to) ^ moved
        };
        let [one, two, four, eight] = self.passed.0;
        PackedPosition([after(one), after(two), after(four), after(eight)])
    }

    /// Whether the move only moves one piece, and may remove a captured piece from its target.
    #[inline(always)]
    fn only_moves_a_piece(&self, played: Move) -> bool {
        match played.kind() {
            MoveKind::Pawn | MoveKind::Knight | MoveKind::Diagonal => true,
            MoveKind::Orthogonal | MoveKind::King => !self.castlers.contains(played.from()),
            MoveKind::DoublePush => {
                let to = Bitboard::from(played.to());
                let beside = to.step(Direction::West) | to.step(Direction::East);
                (beside & self.parent.army(!self.parent.turn).pawns).is_empty()
            }
            _ => false,
        }
    }
}

/// Returns a hash of four sets.
///
/// This file maps arrays by hand where the speed matters, because `array::map` is not always inlined. Its calls took a
/// third of the instructions of merging.
#[inline(always)]
fn hash([a, b, c, d]: [Bitboard; 4]) -> u64 {
    let [a, b, c, d] = [a.bits(), b.bits(), c.bits(), d.bits()];
    let sum = fold(a ^ 0x9e37_79b9_7f4a_7c15, b ^ 0xbf58_476d_1ce4_e5b9)
        ^ fold(c ^ 0x94d0_49bb_1331_11eb, d ^ 0xd6e8_feb8_6659_fd93);
    fold(sum, 0x9e37_79b9_7f4a_7c15)
}

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[inline(always)]
fn only(king: Bitboard) -> Square {
    king.first().expect("a packed position has one king of each colour")
}

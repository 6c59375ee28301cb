//! `magic`: the design of the small libraries that generate legal moves only.
//!
//! One pass finds what checks, what is pinned and which squares the enemy attacks. Every move that is generated after
//! it is legal; none is tried out, but for en passant, which is played on the outline of the board.
//!
//! ```text
//!   8  . . . . r . . .      The bishop checks, so every piece but the king must end on the check mask: the
//!   7  . . . . | . . .      bishop's square, or one marked c.
//!   6  b . . . | . . .      The rook pins the knight. A pinned piece stays on its pin line, marked |, the
//!   5  . c . . | . . .      rook's square included; a pinned knight never can.
//!   4  . . c . N . . .      The king goes where nothing attacks. It is taken off the board while attacks are
//!   3  . . . c | . . .      looked up: else x would seem safe, hidden from the bishop by the king itself.
//!   2  . . . . K . . .
//!   1  . . . . . x . .
//! ```
//!
//! Sliders are looked up by magic multiplication. Moves go to a list on the stack, in 16 bits each ([`PackedMove`]), and
//! are made and unmade on one board. Beside the bitboards it keeps the piece on each square in an array, which says at
//! once what moves and what is captured; what cannot be found again goes to an undo record of three bytes and the rights.
//! The side to move is a type: all code is compiled once a colour, with directions and ranks as constants.
//!
//! What it costs: everything is kept twice, in bitboards and in the array; and where the king has a step, all sliders of
//! the enemy are looked up. What it gains: no move is made to find that it is illegal, and the last ply is never made.
//!
//! The same generator puts moves into a list or into a number (the trait `Moves`): the last ply is counted by the
//! sizes of sets of targets. A list that is really written there, for its length, leaves 57 % of the speed (40 % with
//! BMI2), however cheaply it is written: the processor cannot predict when a set runs out.
//!
//! - `survey`: checks, pins and attacked squares;
//! - `generate`: the moves;
//! - `moves`: the packed move, the list, the number;
//! - `play`: making and unmaking.
//!
//! Sources: Chess Programming Wiki, "Magic Bitboards", "Encoding Moves", "8x8 Board" and "Checks and Pinned Pieces
//! (Bitboards)".

mod generate;
mod moves;
mod play;
mod survey;

pub use moves::PackedMove;

use self::moves::{List, flags};
use super::board::plain_kind;
use super::{Board, Design};
use perft_core::Position;
use perft_core::internals::{Black, Side, White};
use perft_core::{Bitboard, CastlingRights, Color, Move, MoveKind, Piece, Square};

/// Bitboards by colour and kind of piece, and the same pieces by square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MagicBoard {
    /// By colour and kind. One set a kind with both colours in it, cut with the set of a colour, was 5 % slower with
    /// BMI2 and no faster without. The seventh set is that of no piece, and always empty.
    sets: [[Bitboard; 7]; 2],
    /// By colour, all its pieces.
    armies: [Bitboard; 2],
    squares: [Content; 64],
    castling: CastlingRights,
    /// The square that a pawn has just passed, if an enemy pawn stands ready to take there.
    en_passant: Option<Square>,
    turn: Color,
}

/// What stands on a square; whose it is, the move that asks knows.
type Content = Option<Piece>;

/// Among the sets of a colour, that of a content.
#[inline(always)]
fn set_of(content: Content) -> usize {
    content.map_or(6, |piece| piece as usize)
}

impl Board for MagicBoard {
    type Move = PackedMove;

    const DESIGN: Design = Design {
        about: "the small legal-move libraries: legal moves to a list, made and unmade on one board",
        board: "bitboards by colour and kind of piece, and an array of pieces by square",
        sliders: "magic multiplication",
        legality: "check mask, pin lines and attacked squares, found in one pass before the moves",
        playing: "made and unmade, with an undo record: captured piece, rights, en passant",
        moves: "from, to and four flags in 16 bits",
        counting: "the same generator, into a number instead of a list: sizes of sets of targets",
        source: "Chess Programming Wiki: Magic Bitboards, Encoding Moves, 8x8 Board",
    };

    fn new(position: &Position) -> MagicBoard {
        let mut board = MagicBoard {
            sets: [[Bitboard::EMPTY; 7]; 2],
            armies: [Bitboard::EMPTY; 2],
            squares: [None; 64],
            castling: position.castling(),
            en_passant: position.en_passant(),
            turn: position.turn(),
        };
        for square in Square::ALL {
            if let Some(man) = position.piece_at(square) {
                board.put(man.color, man.piece, square);
            }
        }
        board
    }

    #[inline(always)]
    fn each_child(&mut self, mut visit: impl FnMut(PackedMove, &mut MagicBoard)) {
        match self.turn {
            Color::White => self.play_each::<White>(&mut visit),
            Color::Black => self.play_each::<Black>(&mut visit),
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

    fn to_move(&self, packed: PackedMove) -> Move {
        let (from, to) = (packed.from(), packed.to());
        let kind = match packed.flags() {
            flags::KING_CASTLING | flags::QUEEN_CASTLING => MoveKind::Castling,
            flags::EN_PASSANT => MoveKind::EnPassant,
            flags if flags >= flags::PROMOTION => packed.promotion().1,
            _ => self.squares[from.index()].map_or(MoveKind::King, |piece| plain_kind(piece, from, to)),
        };
        Move::new(kind, from, to)
    }
}

impl MagicBoard {
    #[inline(always)]
    fn play_each<S: Side>(&mut self, visit: &mut impl FnMut(PackedMove, &mut MagicBoard)) {
        let mut list = List::new();
        self.generate::<S>(&mut list);
        for &played in &list {
            let undo = self.make::<S>(played);
            visit(played, self);
            self.unmake::<S>(played, undo);
        }
    }

    #[inline(always)]
    fn set<S: Side>(&self, piece: Piece) -> Bitboard {
        self.sets[S::COLOR.index()][piece as usize]
    }

    #[inline(always)]
    fn diagonals<S: Side>(&self) -> Bitboard {
        self.set::<S>(Piece::Bishop) | self.set::<S>(Piece::Queen)
    }

    #[inline(always)]
    fn orthogonals<S: Side>(&self) -> Bitboard {
        self.set::<S>(Piece::Rook) | self.set::<S>(Piece::Queen)
    }

    #[inline(always)]
    fn army<S: Side>(&self) -> Bitboard {
        self.armies[S::COLOR.index()]
    }

    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.armies[0] | self.armies[1]
    }

    /// The square of the one king.
    #[inline(always)]
    fn king<S: Side>(&self) -> Square {
        Square::from_low_bits(self.set::<S>(Piece::King).bits().trailing_zeros())
    }
}

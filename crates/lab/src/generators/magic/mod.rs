//! `magic`: legal moves in a list, with magic bitboards.
//!
//! This is the design of the small libraries that generate legal moves only. One pass finds the checks, the pins and
//! the squares that the enemy attacks. After that, every generated move is legal. No move is made to test its legality.
//! Only en passant is tested, on the set of occupied squares after the capture.
//!
//! ```text
//!   8  . . . . r . . .      The bishop checks. All pieces except the king must move to the check mask: the square of
//!   7  . . . . | . . .      the bishop, or one marked c.
//!   6  b . . . | . . .      The rook pins the knight. A pinned piece must stay on its pin line, marked |, which
//!   5  . c . . | . . .      includes the square of the rook. A pinned knight cannot move.
//!   4  . . c . N . . .      The king must move to a square that is not attacked. Attacks are looked up without the
//!   3  . . . c | . . .      king: otherwise x would seem safe, because the king stands between x and the bishop.
//!   2  . . . . K . . .
//!   1  . . . . . x . .
//! ```
//!
//! **Board.** The board has bitboards, and an array with the piece on each square. The array says which piece moves and
//! which piece is captured. Moves are made and unmade on one board. An undo record keeps the captured piece, the en
//! passant square and the castling rights.
//!
//! **Moves.** Sliders are looked up by magic multiplication. Moves have 16 bits ([`MagicMove`]) and go to a list on the
//! stack. The side to move is a type parameter. So all code is compiled once for each colour, with directions and ranks
//! as constants.
//!
//! **Counting.** The generator writes to a list or to a number (the trait `Sink` of `perft-core`). At the last ply it
//! adds up the sizes of the sets of targets. If it writes a list there and takes its length, the speed falls to 57 %
//! (40 % with BMI2). Faster code for the list does not help, because the CPU cannot predict when a set is empty.
//!
//! **Cost and gain.** Each piece is stored twice, in bitboards and in the array. All enemy sliders are looked up
//! whenever the king has a free square next to it. In return, no illegal move is ever made, and the moves of the last
//! ply are never made.
//!
//! - `generate`: the moves
//! - `moves`: the packed move and the list
//! - `play`: making and unmaking moves
//!
//! Sources: Chess Programming Wiki, "Magic Bitboards", "Encoding Moves", "8x8 Board" and "Checks and Pinned Pieces
//! (Bitboards)".

mod generate;
mod moves;
mod play;

pub use moves::MagicMove;

use arrayvec::ArrayVec;
use perft_core::internals::{Side, with_side};
use perft_core::{Bitboard, CastlingRights, Color, ColoredPiece, Move, MoveKind, Piece, Position, Square};

use self::moves::{List, flags};
use super::Board;
use super::board::plain_kind;

/// A board of bitboards by colour and kind of piece, and an array of pieces by square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MagicBoard {
    /// The sets by colour and kind of piece. The seventh set belongs to empty squares and is always empty. One set for
    /// each kind with the pieces of both colours was 5 % slower with BMI2, and no faster without BMI2.
    sets: [[Bitboard; 7]; 2],
    /// All pieces of each colour.
    by_color: [Bitboard; 2],
    squares: [Content; 64],
    castling: CastlingRights,
    /// The square that a pawn has just passed, if an enemy pawn attacks it.
    en_passant: Option<Square>,
    turn: Color,
}

/// The piece on a square, or `None`. The code that reads it knows its colour.
type Content = Option<Piece>;

/// Returns the index of a piece, or of an empty square, in the sets of a colour.
#[inline(always)]
fn set_of(content: Content) -> usize {
    content.map_or(6, |piece| piece as usize)
}

impl Board for MagicBoard {
    type Move = MagicMove;

    fn new(position: &Position) -> MagicBoard {
        let mut board = MagicBoard {
            sets: [[Bitboard::EMPTY; 7]; 2],
            by_color: [Bitboard::EMPTY; 2],
            squares: [None; 64],
            castling: position.castling(),
            en_passant: position.en_passant(),
            turn: position.turn(),
        };
        for square in Square::ALL {
            if let Some(ColoredPiece { color, piece }) = position.piece_at(square) {
                board.put(color, piece, square);
            }
        }
        board
    }

    #[inline(always)]
    fn each_child(&mut self, mut visit: impl FnMut(MagicMove, &mut MagicBoard)) {
        with_side!(self.turn, S => self.play_each::<S>(&mut visit))
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        let mut total = 0;
        with_side!(self.turn, S => self.generate::<S>(&mut total));
        total
    }

    fn to_move(&self, packed: MagicMove) -> Move {
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
    fn play_each<S: Side>(&mut self, visit: &mut impl FnMut(MagicMove, &mut MagicBoard)) {
        let mut list = List { moves: ArrayVec::new(), occupied: self.occupied() };
        self.generate::<S>(&mut list);
        for &played in &list.moves {
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
    fn pieces_of<S: Side>(&self) -> Bitboard {
        self.by_color[S::COLOR.index()]
    }

    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    #[inline(always)]
    fn king<S: Side>(&self) -> Square {
        Square::from_low_bits(self.set::<S>(Piece::King).bits().trailing_zeros())
    }
}

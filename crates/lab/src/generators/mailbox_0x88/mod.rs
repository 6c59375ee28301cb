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
//! - `moves`: the move
//! - `restrictions`: checks, pins and attacked squares, and the test of legality
//! - `sinks`: the receivers of moves: a list and several counters
//! - `generate`: the pseudo-legal moves
//! - `castling`: the conditions of castling
//! - `play`: making and taking back moves
//!
//! Sources: Chess Programming Wiki, "0x88", "Piece-Lists", "Vector Attacks"; Bruce Moreland's pages on chess
//! programming, 2001.

mod castling;
mod generate;
mod moves;
mod play;
mod restrictions;
mod sinks;
mod squares;

pub use self::moves::Move88;

use arrayvec::ArrayVec;
use perft_core::internals::{Side, with_side};
use perft_core::{Color, ColoredPiece, Move, Piece, Position, Square};

use self::castling::Castling;
use self::restrictions::Restrictions;
use self::sinks::{Count, CountLegal, CountUncovering, MoveList88};
use self::squares::{NORTH, PieceCode, SQUARES, Square88, Step, WITH_MARGIN, step_towards};
use super::Board;

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
    type Move = Move88;

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
    fn each_child(&mut self, visit: impl FnMut(Move88, &mut Mailbox0x88Board)) {
        with_side!(self.turn, S => self.each_child_as::<S>(visit))
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        with_side!(self.turn, S => self.count_as::<S>())
    }

    fn to_move(&self, packed: Move88) -> Move {
        let (from, to) = (packed.from().to_square(), packed.to().to_square());
        let kind = packed.flag().kind(self.piece_on(packed.from()).piece(), from, to);
        Move::new(kind, from, to)
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
    fn each_child_as<S: Side>(&mut self, mut visit: impl FnMut(Move88, &mut Mailbox0x88Board)) {
        let restrictions = self.restrictions::<S>();
        let mut moves = MoveList88::new();
        self.non_king_moves::<S>(&mut moves);
        self.en_passant::<S>(&mut moves);
        self.king_moves::<S>(&restrictions, &mut moves);
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
        let mut illegal = CountUncovering { count: 0, king, step: step_towards(king, pinned) };
        self.moves_from::<S>(pinned, &mut illegal);
        illegal.count
    }

    /// Returns the number of moves that resolve a check, except moves of the king and en passant.
    #[inline(never)]
    fn count_evasions<S: Side>(&self, restrictions: &Restrictions) -> u64 {
        let mut legal = CountLegal { count: 0, restrictions };
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

//! `mailbox-0x88`: a board of 128 squares, and lists of the men on it.
//!
//! A square is a byte, rank in the upper half and file in the lower. Eight files need three bits, so that every second
//! block of eight numbers is no square, and a step over the edge lands there: one test, `square & 0x88`, sees it.
//!
//! ```text
//!   8   70 71 72 73 74 75 76 77 | 78 ...       to the right of d4: 33, 34, ... 37, and 38 has a bit of 88
//!   7   60 61 62 63 64 65 66 67 | 68 ...       above d4:           33, 43, ... 73, and 83 has a bit of 88
//!   ...                         |
//!   2   10 11 12 13 14 15 16 17 | 18 ...       from d4 to g7: 66 - 33 = 33, a multiple of 11, the step of
//!   1   00 01 02 03 04 05 06 07 | 08 ...       that diagonal: no other pair of squares has this difference
//!        a  b  c  d  e  f  g  h   none         unless it stands in the same relation
//! ```
//!
//! **Moves.** Knights and kings step, sliders walk until something stands in the way, and nothing is looked up. Lists of
//! squares, by kind and colour, spare the search for the men. All moves are pseudo-legal. A move is made and taken back
//! on the one board, the lists with it: whoever is taken leaves his place to the last of his list, and gets it back.
//!
//! **Legality.** The plain way looks outward from the king after every move. Nearly all of that can be said before the
//! moves, by looking at the enemy's men once, since a table over the difference of two squares tells what a man attacks
//! on an empty board:
//!
//! - Who stands on a line with the king: he gives check, or one man, a shield, is between, and may then move on that line
//!   only; with two between he does not matter. In a check, moves must end on the checker or before him.
//! - Which of the squares around the king (his zone: where he steps and castles) a man can reach. For leapers
//!   that is the answer; for a slider the way is walked, the king being off the board, if the answer still matters.
//! - En passant takes two pawns off at once. It is made and looked at.
//!
//! The last ply is counted: all pseudo-legal moves, less those of a shield that leave their line.
//!
//! **What it costs.** A walk meets every square on its way, and every end of a walk is a mispredicted branch. That a
//! table of attacks would save; what a bitboard answers for all men at once, this board is asked man by man. In return
//! it needs neither multiplications nor bit scans nor large tables, so that every CPU runs it at the same speed. A leaf
//! of bulk counting takes 38 instructions, and 326 if every move is made and looked at from the king (geometric means
//! over the six positions of `scripts/count-instructions`).
//!
//! - `squares`: squares, steps, and the tables of differences;
//! - `moves`: the move, the list, the number;
//! - `generate`: the pseudo-legal moves;
//! - `outlook`: what is seen from the king, and legality;
//! - `castling`: what castling asks for;
//! - `play`: making and taking back.
//!
//! Sources: Chess Programming Wiki, "0x88", "Piece-Lists", "Vector Attacks"; Bruce Moreland's pages on programming, 2001.

mod castling;
mod generate;
mod moves;
mod outlook;
mod play;
mod squares;

use arrayvec::ArrayVec;

pub use self::moves::Move88;

use self::castling::Castling;
use self::moves::{Count, CountAllowed, CountUncovering, Moves};
use self::squares::{Man, NORTH, SQUARES, Square88, Step, WITH_MARGIN, step_towards};
use super::{Board, Design};
use perft_core::Position;
use perft_core::internals::{Black, Side, White};
use perft_core::{Color, ColoredPiece, Move, Piece, Square};

/// A man on each square of 128, and for each kind of man the squares where one stands.
#[derive(Clone, Debug)]
pub struct Mailbox0x88Board {
    /// With a margin, so that steps over the edge are looked up like others.
    men: [Man; WITH_MARGIN],
    /// Where each man stands in its list. Means nothing where no man stands.
    places: [u8; SQUARES],
    lists: [List; Man::LISTS],
    turn: Color,
    state: State,
    castling: Castling,
}

/// The squares of all men of a kind and colour, in no order.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct List {
    len: u8,
    squares: [u8; 64],
}

/// What a move changes and cannot be found again from the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    /// Bits of those that [`Castling`] numbers.
    rights: u8,
    /// The square that a pawn has just passed, if an enemy pawn stands ready to take there.
    en_passant: Option<Square>,
}

impl Board for Mailbox0x88Board {
    type Move = Move88;

    const DESIGN: Design = Design {
        about: "a board of 128 squares on which one test sees the edge, and lists of the men on it",
        board: "a byte a square, 16 a rank, and the squares of the men, listed by kind and colour",
        sliders: "walked, a step at a time",
        legality: "tested move by move: men that shield the king and king's steps by tables of differences, en passant by playing it",
        playing: "made and taken back, the lists with the board",
        moves: "from, to and what is special in 24 bits",
        counting: "every pseudo-legal move is found; those of men that shield the king are tested",
        source: "0x88: many programs since the 1980s, by Bruce Moreland's pages; piece lists: the first chess programs",
    };

    fn new(position: &Position) -> Mailbox0x88Board {
        let mut board = Mailbox0x88Board {
            men: [Man::NONE; WITH_MARGIN],
            places: [0; SQUARES],
            lists: [List { len: 0, squares: [0; 64] }; Man::LISTS],
            turn: position.turn(),
            state: State { rights: 0, en_passant: position.en_passant() },
            castling: Castling { ways: Default::default(), kept: [!0; SQUARES] },
        };
        for square in position.occupied() {
            if let Some(ColoredPiece { color, piece }) = position.piece_at(square) {
                board.put(square.into(), Man::new(color, piece));
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
        match self.turn {
            Color::White => self.each_child_as::<White>(visit),
            Color::Black => self.each_child_as::<Black>(visit),
        }
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        match self.turn {
            Color::White => self.count_as::<White>(),
            Color::Black => self.count_as::<Black>(),
        }
    }

    fn to_move(&self, packed: Move88) -> Move {
        let (from, to) = (packed.from().to_square(), packed.to().to_square());
        let kind = packed.flag().kind(self.man(packed.from()).piece(), from, to);
        Move::new(kind, from, to)
    }
}

/// The lists are compared in their order too: a move that is taken back leaves them as they were.
impl PartialEq for Mailbox0x88Board {
    fn eq(&self, other: &Mailbox0x88Board) -> bool {
        self.men == other.men
            && self.lists.iter().zip(&other.lists).all(|(a, b)| a.squares() == b.squares())
            && (self.turn, self.state, &self.castling) == (other.turn, other.state, &other.castling)
    }
}

impl List {
    /// There are two kings among 64 men, so that no list has more than 62: the remainder changes nothing.
    #[inline(always)]
    fn squares(&self) -> &[u8] {
        &self.squares[..self.len as usize % 64]
    }

    #[inline(always)]
    fn at(&mut self, place: u8) -> &mut u8 {
        &mut self.squares[place as usize % 64]
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
    fn man(&self, square: Square88) -> Man {
        self.men[square.index_with_margin()]
    }

    /// The men of side `S` of a kind.
    #[inline(always)]
    fn list<S: Side>(&self, piece: Piece) -> impl Iterator<Item = Square88> + '_ {
        self.lists[Man::new(S::COLOR, piece).list()].squares().iter().map(|&byte| Square88::from_byte(byte))
    }

    #[inline(always)]
    fn king<S: Side>(&self) -> Square88 {
        Square88::from_byte(self.lists[Man::new(S::COLOR, Piece::King).list()].squares[0])
    }

    #[inline(always)]
    fn each_child_as<S: Side>(&mut self, mut visit: impl FnMut(Move88, &mut Mailbox0x88Board)) {
        let outlook = self.outlook::<S>();
        let mut moves = Moves::new();
        self.men_moves::<S>(&mut moves);
        self.en_passant::<S>(&mut moves);
        self.king_moves::<S>(&outlook, &mut moves);
        for &played in &moves {
            if self.is_legal::<S>(&outlook, played) {
                let undo = self.make::<S>(played);
                visit(played, self);
                self.unmake::<S>(played, undo);
            }
        }
    }

    #[inline(always)]
    fn count_as<S: Side>(&mut self) -> u64 {
        let outlook = self.outlook::<S>();
        let mut count = Count(0);
        self.king_moves::<S>(&outlook, &mut count);
        if outlook.checkers == 0 {
            self.men_moves::<S>(&mut count);
            for &shield in &outlook.shields {
                let step = step_towards(outlook.king, shield);
                let mut illegal = CountUncovering { count: 0, king: outlook.king, step };
                self.moves_from::<S>(shield, &mut illegal);
                count.0 -= illegal.count;
            }
        } else if outlook.checkers == 1 {
            let mut legal = CountAllowed { count: 0, outlook: &outlook };
            self.men_moves::<S>(&mut legal);
            count.0 += legal.count;
        }
        count.0 + self.count_en_passant::<S>()
    }

    #[inline(always)]
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

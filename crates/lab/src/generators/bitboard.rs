//! `bitboard`: the generator of `perft-core`, as a [`Board`].
//!
//! It generates legal moves only, as sets of squares, from the check mask, the pin lines and the attacked squares.
//! Here, the moves are listed, played on a copy and counted as sets. The other generators are compared with it move by
//! move. Its [`counter`](Board::counter) makes and counts the moves without a list. The program itself counts with the
//! faster leaf counters of `perft-leaf`, which use the same generator.

use perft_core::internals::sliders::Magic;
use perft_core::internals::{Bmi2Features, LeafCounter, generate, legal_moves_by, with_side};
use perft_core::{Move, Position};

use super::{Board, Design};
use crate::counter::LookupCounter;

impl Board for Position {
    type Move = Move;

    const DESIGN: Design = Design {
        about: "the generator of this project: legal moves as sets of squares, which are listed only to play them",
        board: "bitboards by colour; a queen is in two of them, the diagonal and the orthogonal sliders",
        sliders: "bit extraction or magic multiplication, depending on the CPU; --sliders selects another lookup",
        legality: "check mask, pin lines and attacked squares are found before the moves",
        playing: "on a copy of 96 bytes",
        moves: "from, to and kind in 16 bits",
        counting: "adds up the sizes of sets of targets; counts several positions at once on CPUs with AVX2 or AVX-512",
        source: "this project",
    };

    fn new(position: &Position) -> Position {
        *position
    }

    #[inline(always)]
    fn each_child(&mut self, mut visit: impl FnMut(Move, &mut Position)) {
        for played in legal_moves_by(self, Magic) {
            visit(played, &mut self.play_unchecked(played));
        }
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        let mut total = 0;
        with_side!(self.turn(), S => generate::<S>(self, Magic, &mut total));
        total
    }

    fn to_move(&self, played: Move) -> Move {
        played
    }

    fn counter(features: Option<Bmi2Features>) -> Box<dyn LeafCounter> {
        Box::new(LookupCounter { sliders: Magic, features })
    }
}

//! `bitboard`: the generator of `perft-core`, as a [`Board`].
//!
//! It generates legal moves only, as sets of squares, from the check mask, the pin lines and the attacked squares.
//! Here, the moves are listed, played on a copy and counted as sets. The other generators are compared with it move by
//! move. Its [`counter`](Board::counter) makes and counts the moves without a list. The program itself counts with the
//! faster leaf counters of `perft-leaf`, which use the same generator.

use perft_core::internals::sliders::Magic;
use perft_core::internals::{Bmi2Features, LeafCounter, generate, legal_moves_by, with_side};
use perft_core::{Move, Position};

use super::Board;
use crate::counter::LookupCounter;

impl Board for Position {
    type Move = Move;

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

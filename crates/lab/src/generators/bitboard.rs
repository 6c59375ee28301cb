//! `bitboard`: our own generator, played plainly.
//!
//! The design is that of [`perft_core::internals`]: sets of squares, legal moves only, found from the check mask, the pin
//! lines and the squares that the enemy attacks. Here its moves are listed, played on a copy, and counted as sets. That
//! is what the other generators are compared with move by move. A driver that is told to count with this generator has
//! something faster, built on the same sets.

use super::{Board, Design};
use perft_core::Position;
use perft_core::internals::sliders::Magic;
use perft_core::internals::{Black, White};
use perft_core::internals::{generate, legal_moves_by};
use perft_core::{Color, Move};

impl Board for Position {
    type Move = Move;

    const DESIGN: Design = Design {
        about: "ours: legal moves as sets of squares, listed only where they are played",
        board: "bitboards by colour; queens in two sets, among what moves diagonally and orthogonal",
        sliders: "bit extraction or magic multiplication, by CPU; --sliders takes others",
        legality: "check mask, pin lines and attacked squares, found before the moves",
        playing: "on a copy of 96 bytes",
        moves: "from, to and kind in 16 bits",
        counting: "sizes of sets of targets; many positions at once in the lanes of vectors, where the CPU has them",
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
        match self.turn() {
            Color::White => generate::<White>(self, Magic, &mut total),
            Color::Black => generate::<Black>(self, Magic, &mut total),
        }
        total
    }

    fn to_move(&self, played: Move) -> Move {
        played
    }
}

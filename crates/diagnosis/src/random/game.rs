//! Random games for hunting bugs.

use perft_core::{Bitboard, Move, MoveKind, Position};

use super::kinds::PositionKind;
use super::{Random, choose};

/// A random game: the position in which it starts, and the random numbers that choose its moves.
pub struct RandomGame {
    /// The position in which the game starts.
    pub root: Position,
    /// The random numbers of the game.
    pub random: Random,
    /// The home squares of the rooks that can castle, in a game about castling rights. Otherwise it is empty.
    homes: Bitboard,
}

impl RandomGame {
    /// Returns the game with a number, in the sequence that belongs to a seed. It starts from a random position, whose
    /// kinds take turns. With [`PositionKind::possible_position`] as `root`, none of its positions is
    /// [impossible](perft_core::impossibilities); with [`PositionKind::position`], some may be.
    pub fn new(seed: u64, number: u64, root: fn(PositionKind, &mut Random) -> Position) -> RandomGame {
        // The first random number starts a separate sequence, so that the sequences of neighbouring numbers are
        // unrelated.
        let mut random = Random::new(Random::new(seed).number() ^ Random::new(number).number());
        let root = root(PositionKind::of_number(number), &mut random);
        let homes = if random.one_in(2) { root.castling().all_rooks() } else { Bitboard::EMPTY };
        RandomGame { root, random, homes }
    }

    /// Returns a random move, or `None` if there are no moves.
    ///
    /// In a game about castling rights, the kings stay on their home squares if they can, and a third of the moves go
    /// to or from a home square of a rook. A castling right that should be gone shows only if a rook comes back to its
    /// home square and the king has never moved.
    pub fn choose(&mut self, moves: &[Move]) -> Option<Move> {
        if self.homes.is_empty() {
            return choose(moves, self.random.number());
        }
        let stays = |played: &Move| !matches!(played.kind(), MoveKind::King | MoveKind::Castling);
        let staying: Vec<Move> = moves.iter().copied().filter(stays).collect();
        let touches_home = |played: &Move| {
            let squares = Bitboard::from(played.from()) | played.to().into();
            (squares & self.homes).any()
        };
        let touching: Vec<Move> = staying.iter().copied().filter(touches_home).collect();
        if !touching.is_empty() && self.random.one_in(3) {
            return Some(self.random.pick(&touching));
        }
        choose(if staying.is_empty() { moves } else { &staying }, self.random.number())
    }
}

//! Random positions for a hunt.

use super::agree::Game;
use super::case::HuntTarget;
use super::line::MovePath;
use perft_core::legal_moves;

/// Plies of the longest game.
const PLIES: usize = 40;

/// A random position behind a random game, by its number in the sequence of a seed; to be asked about at depths up to this.
///
/// All [kinds](super::random::kinds::PositionKind) take turns, Chess960 among them. The game goes along with the question, so that
/// what a program leaves behind when it plays moves is put to the test as well.
///
/// # Examples
/// ```
/// use perft_diagnosis::random_target;
/// assert_eq!(random_target(1, 7, 2), random_target(1, 7, 2));
/// assert_ne!(random_target(1, 7, 2), random_target(2, 7, 2));
/// ```
pub fn random_target(seed: u64, number: u64, depth: u32) -> HuntTarget {
    let mut game = Game::new(seed, number, &[]);
    let plies = game.random.below(PLIES);
    let mut line = MovePath::new(game.root);
    while line.moves.len() < plies
        && let Some(played) = game.choose(&legal_moves(&line.end))
    {
        line = line.played(played);
    }
    HuntTarget { path: line, depths: (1..=depth).collect() }
}

//! Plain counting: one thread, one position after another, without a table. A [`StopSignal`] ends it early.
//!
//! The moves of the last ply are counted and not made (bulk counting). The crate `perft-count` counts much faster.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use crate::attacks::sliders::Magic;
use crate::movegen::{count_moves, sum_over_children};
use crate::position::Position;
use crate::types::{Move, Side};
use crate::with_side;

/// The greatest depth, in plies. A deeper count could overflow the stack.
pub const MAX_DEPTH: u32 = 255;

/// The depth, in plies, of a subtree that is counted without a check of the stop signal. It takes about a millisecond.
const SUBTREE_DEPTH: u32 = 4;

/// A legal move at the root and the leaf nodes below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub played: Move,
    /// The number of leaf nodes below the move.
    pub nodes: u128,
}

impl Position {
    /// Returns the number of leaf nodes `depth` plies below the position. At depth 0 it is 1.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    ///
    /// assert_eq!(Position::start().perft(0), 1);
    /// assert_eq!(Position::start().perft(4), 197_281);
    /// ```
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`].
    pub fn perft(&self, depth: u32) -> u128 {
        self.perft_until(depth, &StopSignal::default()).expect("nothing raises this stop signal")
    }

    /// Returns the number of leaf nodes below each legal move, in the order of [`Position::legal_moves`]. At depth 0
    /// the list is empty.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    ///
    /// let counts = Position::start().divide(3);
    /// assert_eq!(counts.len(), 20);
    /// assert_eq!(counts.iter().map(|root_move| root_move.nodes).sum::<u128>(), 8_902);
    /// ```
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`].
    pub fn divide(&self, depth: u32) -> Vec<RootMove> {
        self.divide_until(depth, &StopSignal::default()).expect("nothing raises this stop signal")
    }

    /// Does the same as [`Position::perft`], but stops when another thread raises the stop signal.
    ///
    /// # Examples
    /// See [`StopSignal`].
    ///
    /// # Errors
    /// Returns [`Interrupted`] if the stop signal was raised.
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`].
    pub fn perft_until(&self, depth: u32, stop: &StopSignal) -> Result<u128, Interrupted> {
        assert!(depth <= MAX_DEPTH, "the depth {depth} is above the maximum of {MAX_DEPTH} plies");
        if stop.is_raised() {
            return Err(Interrupted);
        }
        if depth <= SUBTREE_DEPTH {
            return Ok(with_side!(self.turn(), S => count_as::<S>(self, depth)).into());
        }
        Ok(self.divide_until(depth, stop)?.iter().map(|root_move| root_move.nodes).sum())
    }

    /// Does the same as [`Position::divide`], but stops when another thread raises the stop signal.
    ///
    /// # Errors
    /// Returns [`Interrupted`] if the stop signal was raised.
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`].
    pub fn divide_until(&self, depth: u32, stop: &StopSignal) -> Result<Vec<RootMove>, Interrupted> {
        let Some(below) = depth.checked_sub(1) else { return Ok(Vec::new()) };
        // An iterator that owns the list is copied in several calls. The copies could overflow the stack.
        let moves = self.legal_moves();
        let count = |&played: &Move| {
            Ok(RootMove { played, nodes: self.play_legal(played).perft_until(below, stop)? })
        };
        moves.iter().map(count).collect()
    }
}

/// The number fits in 64 bits at the depth of a subtree.
fn count_as<S: Side>(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => count_moves::<S>(position, Magic),
        _ => sum_over_children::<S>(position, Magic, |child| count_as::<S::Other>(child, depth - 1)),
    }
}

/// Tells counts to stop early. All clones of a signal share its state.
///
/// # Examples
/// ```
/// use perft_core::{Interrupted, Position, StopSignal};
///
/// let stop = StopSignal::default();
/// stop.raise();
/// assert_eq!(Position::start().perft_until(20, &stop), Err(Interrupted));
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    /// Tells every count that uses this signal to stop.
    pub fn raise(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether the signal was raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// The error of a count that was stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

#[cfg(test)]
mod tests {
    use super::*;

    /// Each side has one legal move in every position, so the tree is a single line.
    #[test]
    fn the_greatest_depth_fits_on_the_stack_of_a_thread() {
        let position = Position::from_fen("k1b5/1p1p4/1P1P4/8/8/1p1p4/1P1P4/K1B5 w - -").unwrap();
        assert_eq!(position.perft(MAX_DEPTH), 1);
    }
}

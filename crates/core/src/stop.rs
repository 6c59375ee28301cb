//! The signal that stops a count, and the error of a count that was stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

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

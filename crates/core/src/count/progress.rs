//! The progress of a count, and the signal that stops it.
//!
//! Counting threads write here a few thousand times a second at most. Another thread may read at any time. Nothing here
//! prints or reads a clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Tells counts to stop early. All clones of a signal are one signal.
///
/// # Examples
/// ```
/// use perft_core::{Interrupted, Perft, Position, Progress, StopSignal};
///
/// let stop = StopSignal::default();
/// stop.raise();
/// let count = Perft::new().count(&Position::start(), 20, &Progress::new(stop));
/// assert_eq!(count, Err(Interrupted));
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

/// How far a running count has come. Any thread may read it.
///
/// # Examples
/// ```
/// use perft_core::{Perft, Position, Progress};
///
/// let progress = Progress::default();
/// Perft::new().count(&Position::start(), 5, &progress)?;
/// assert_eq!(progress.nodes(), 4_865_609);
/// assert!(progress.fraction() > 0.99);
/// # Ok::<(), perft_core::Interrupted>(())
/// ```
#[derive(Debug, Default)]
pub struct Progress {
    nodes: AtomicU64,
    /// The sum of the finished shares.
    done: AtomicU64,
    stop: StopSignal,
}

/// A fraction of a whole count: how much of it one piece of the work is taken to be.
///
/// A count is [`Share::WHOLE`], and each child of a node has an equal part of the share of its parent. This is only a
/// guess at how the work is spread, because subtrees differ in size. But the guess is known in advance, and the shares of
/// all pieces add up to the whole.
///
/// The integer is the fraction times 2^62.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Share(u64);

impl Share {
    /// The whole count: 1.
    pub const WHOLE: Share = Share(1 << 62);

    /// Nothing: 0, for work whose share is counted elsewhere.
    pub const NONE: Share = Share(0);

    /// Returns `parts / of` of this share.
    pub fn part(self, parts: u64, of: u64) -> Share {
        Share((u128::from(self.0) * u128::from(parts) / u128::from(of.max(1))) as u64)
    }

    /// Returns this share less a part of it.
    pub fn without(self, part: Share) -> Share {
        Share(self.0 - part.0)
    }

    /// Returns the share of each child of a node that has this share.
    pub fn split(self, children: usize) -> Share {
        Share(self.0 / children.max(1) as u64)
    }
}

impl Progress {
    /// Returns the progress of a count that stops early when the signal is raised.
    pub fn new(stop: StopSignal) -> Progress {
        Progress { stop, ..Progress::default() }
    }

    /// Returns the leaf nodes counted so far, modulo 2^64. The result of a count itself is exact.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Returns the estimated fraction of the count that is done, from 0 to 1.
    pub fn fraction(&self) -> f64 {
        self.done.load(Relaxed) as f64 / Share::WHOLE.0 as f64
    }

    /// Sets nodes and fraction back to 0.
    #[doc(hidden)]
    pub fn restart(&self) {
        self.nodes.store(0, Relaxed);
        self.done.store(0, Relaxed);
    }

    /// Adds counted nodes and a finished share.
    #[doc(hidden)]
    pub fn add(&self, nodes: u128, share: Share) {
        self.nodes.fetch_add(nodes as u64, Relaxed);
        self.done.fetch_add(share.0, Relaxed);
    }

    /// Returns a separate progress with the same stop signal, for work that is not reported.
    #[doc(hidden)]
    pub fn detached(&self) -> Progress {
        Progress::new(self.stop.clone())
    }

    /// Whether the count must stop.
    #[doc(hidden)]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_raised()
    }
}

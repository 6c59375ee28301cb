//! How far a count has come, and the signal to stop it.
//!
//! Drivers write here in passing, a few thousand times a second at most; a reader on another thread looks whenever it
//! likes. Nothing here draws, prints or knows the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Tells counts to end early; its clones are one signal.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_core::{Interrupted, Perft, Progress, StopSignal};
/// let stop = StopSignal::default();
/// stop.raise();
/// let count = Perft::new().count(&Position::start(), 20, &Progress::new(stop));
/// assert_eq!(count, Err(Interrupted));
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<AtomicBool>);

impl StopSignal {
    /// Asks every count that listens to this signal to end.
    pub fn raise(&self) {
        self.0.store(true, Relaxed);
    }

    /// True once the signal was raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// The count was told to stop before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// The state of a running count, readable from any thread.
#[derive(Debug, Default)]
pub struct Progress {
    nodes: AtomicU64,
    done: AtomicU64,
    stop: StopSignal,
}

/// A part of the whole tree. Each child of a node has an equal part of the node's share: no more than a guess at how
/// the work is spread, but one that is known in advance and adds up.
#[derive(Clone, Copy, Debug)]
pub struct Share(u64);

impl Share {
    /// All of the tree.
    #[doc(hidden)]
    pub const WHOLE: Share = Share(1 << 62);

    /// Nothing of it.
    #[doc(hidden)]
    pub const NONE: Share = Share(0);

    /// So many parts of so many equal ones.
    #[doc(hidden)]
    pub fn part(self, parts: u64, of: u64) -> Share {
        Share((u128::from(self.0) * u128::from(parts) / u128::from(of.max(1))) as u64)
    }

    /// What is left without another part.
    #[doc(hidden)]
    pub fn without(self, part: Share) -> Share {
        Share(self.0 - part.0)
    }

    /// The part of each of so many children.
    #[doc(hidden)]
    pub fn split(self, children: usize) -> Share {
        Share(self.0 / children.max(1) as u64)
    }
}

impl Progress {
    /// Progress of a count that ends early when the signal is raised.
    pub fn new(stop: StopSignal) -> Progress {
        Progress { stop, ..Progress::default() }
    }

    /// Leaf nodes counted so far. (Modulo 2^64; the result of a count is exact.)
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The part of the tree that is done, from 0 to 1.
    pub fn fraction(&self) -> f64 {
        self.done.load(Relaxed) as f64 / Share::WHOLE.0 as f64
    }

    /// Back to nothing done.
    #[doc(hidden)]
    pub fn restart(&self) {
        self.nodes.store(0, Relaxed);
        self.done.store(0, Relaxed);
    }

    /// Notes that a part of the tree is done.
    #[doc(hidden)]
    pub fn add(&self, nodes: u128, share: Share) {
        self.nodes.fetch_add(nodes as u64, Relaxed);
        self.done.fetch_add(share.0, Relaxed);
    }

    /// Progress that nobody looks at, of a count that the same signal ends.
    #[doc(hidden)]
    pub fn detached(&self) -> Progress {
        Progress::new(self.stop.clone())
    }

    /// True if the count shall end.
    #[doc(hidden)]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_raised()
    }
}

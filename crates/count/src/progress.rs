//! The progress of a count.
//!
//! Counting threads write the progress at most a few thousand times a second. Another thread may read it at any time.
//! Nothing here prints or reads a clock.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use perft_core::StopSignal;

/// The progress of a running count. Any thread may read it.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_count::{Perft, Progress};
///
/// let progress = Progress::default();
/// Perft::new().count_with_progress(&Position::start(), 5, &progress)?;
/// assert_eq!(progress.nodes(), 4_865_609);
/// assert!(progress.fraction() > 0.99);
/// # Ok::<(), perft_core::Interrupted>(())
/// ```
#[derive(Debug, Default)]
pub struct Progress {
    nodes: AtomicU64,
    /// The sum of the finished shares.
    done: AtomicU64,
    /// The ply that is being merged, or 0.
    merging: AtomicU32,
    /// The number of distinct positions of that ply so far.
    positions: AtomicU64,
    /// The ply that is being checked, or 0.
    checking: AtomicU32,
    stop: StopSignal,
    /// The number of nodes above which the count is stopped.
    limit: Option<u128>,
}

/// The current step of a count.
///
/// # Examples
/// ```
/// use perft_count::{Phase, Progress};
///
/// assert_eq!(Progress::default().phase(), Phase::Counting);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Phase {
    /// The count adds up leaf nodes.
    Counting,
    /// The count makes the positions of a ply and merges equal ones.
    Merging {
        /// The ply.
        ply: u32,
        /// The number of distinct positions so far.
        positions: u64,
    },
    /// The count compares the merged ply with a plain count. Meanwhile, [`Progress::nodes`] returns the nodes of the
    /// plain count.
    Checking {
        /// The ply.
        ply: u32,
    },
}

/// The estimated fraction of a whole count that one piece of the work takes.
///
/// A count is [`Share::WHOLE`], and each child of a node has an equal part of the share of its parent. This is only an
/// estimate, because subtrees differ in size. But it is known in advance, and the shares of all pieces add up to the
/// whole.
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

    /// Returns this share minus a part of it.
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

    /// Returns the progress of a count that stops early when the signal is raised, or soon after the count has found
    /// more leaf nodes than `limit`.
    ///
    /// A count that is nearly finished at that time may return its result.
    ///
    /// # Examples
    /// ```
    /// use perft_core::{Interrupted, Position, StopSignal};
    /// use perft_count::{Perft, Progress};
    ///
    /// let progress = Progress::limited(StopSignal::default(), 1_000);
    /// assert_eq!(Perft::new().count_with_progress(&Position::start(), 20, &progress), Err(Interrupted));
    /// assert!(progress.nodes() > 1_000);
    /// ```
    pub fn limited(stop: StopSignal, limit: u128) -> Progress {
        Progress { limit: Some(limit), ..Progress::new(stop) }
    }

    /// Returns the number of leaf nodes counted so far, modulo 2^64. The result of a count itself is exact.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Returns the estimated fraction of the count that is done, from 0 to 1.
    pub fn fraction(&self) -> f64 {
        self.done.load(Relaxed) as f64 / Share::WHOLE.0 as f64
    }

    /// Returns the current step of the count.
    pub fn phase(&self) -> Phase {
        match (self.checking.load(Relaxed), self.merging.load(Relaxed)) {
            (0, 0) => Phase::Counting,
            (0, ply) => Phase::Merging { ply, positions: self.positions.load(Relaxed) },
            (ply, _) => Phase::Checking { ply },
        }
    }

    /// Resets nodes and fraction to 0.
    #[doc(hidden)]
    pub fn restart(&self) {
        self.nodes.store(0, Relaxed);
        self.done.store(0, Relaxed);
    }

    pub(super) fn save(&self) -> (u64, u64) {
        (self.nodes.load(Relaxed), self.done.load(Relaxed))
    }

    /// Goes back to earlier nodes and an earlier fraction, because the work since then was useless.
    pub(super) fn restore(&self, (nodes, done): (u64, u64)) {
        self.nodes.store(nodes, Relaxed);
        self.done.store(done, Relaxed);
    }

    /// Merges a ply with `merge`. If `merge` fails, its share does not count as done, because the ply is tried again in
    /// smaller parts.
    pub(super) fn while_merging<T, E>(&self, ply: u32, merge: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        let before = self.save();
        self.positions.store(0, Relaxed);
        self.merging.store(ply, Relaxed);
        let merged = merge();
        self.merging.store(0, Relaxed);
        if merged.is_err() {
            self.restore(before);
        }
        merged
    }

    pub(super) fn add_positions(&self, positions: u64) {
        self.positions.fetch_add(positions, Relaxed);
    }

    /// Checks a ply with `count`. The nodes of this check are removed from the progress afterwards.
    pub(super) fn while_checking<T>(&self, ply: u32, count: impl FnOnce() -> T) -> T {
        let nodes = self.nodes.swap(0, Relaxed);
        self.checking.store(ply, Relaxed);
        let counted = count();
        self.checking.store(0, Relaxed);
        self.nodes.store(nodes, Relaxed);
        counted
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

    /// Returns the signal that stops the count.
    #[doc(hidden)]
    pub fn stop_signal(&self) -> &StopSignal {
        &self.stop
    }

    /// Whether the count must stop.
    #[doc(hidden)]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_raised() || self.limit.is_some_and(|limit| u128::from(self.nodes()) > limit)
    }
}

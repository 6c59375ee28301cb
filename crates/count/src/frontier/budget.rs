//! The memory limit while a ply is made.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The error when the memory limit is reached, or when the system does not provide the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

/// A number of bytes that threads may use at the same time.
#[derive(Debug)]
pub(super) struct Budget {
    limit: usize,
    used: AtomicUsize,
}

impl Budget {
    /// Returns a budget of `limit` bytes, none of which is in use.
    pub(super) const fn new(limit: usize) -> Budget {
        Budget { limit, used: AtomicUsize::new(0) }
    }

    /// Returns the number of bytes that are not in use.
    pub(super) fn room(&self) -> usize {
        self.limit.saturating_sub(self.used.load(Relaxed))
    }

    /// Takes bytes into use.
    pub(super) fn take(&self, bytes: usize) -> Result<(), Full> {
        if self.used.fetch_add(bytes, Relaxed).saturating_add(bytes) <= self.limit {
            return Ok(());
        }
        self.give_back(bytes);
        Err(Full)
    }

    /// Makes bytes available again.
    pub(super) fn give_back(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Relaxed);
    }
}

//! The positions of a ply in lists, and the limit of their memory.
//!
//! A hash of one of the two armies decides in which list a position is. Threads fill the lists at once: each collects
//! positions in its [`Outbox`], and hands over a whole chunk at a time. A chunk is never copied again.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use perft_core::Position;
use perft_core::internals::PackedPosition;

/// The number of positions in a chunk.
const CHUNK: usize = 64;

/// The approximate number of moves in the ply before for each list.
const CHILDREN_PER_LIST: u64 = 1024;

/// The greatest number of lists. The open chunks of a thread for this many lists still fit into its cache.
const MAX_LISTS: u64 = 1024;

/// The error when the memory limit is reached.
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

    /// Takes bytes into use, even if they are above the limit.
    pub(super) fn take_anyway(&self, bytes: usize) {
        self.used.fetch_add(bytes, Relaxed);
    }

    /// Makes bytes available again.
    pub(super) fn give_back(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Relaxed);
    }
}

/// A packed position and its multiplicity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedPosition {
    pub(crate) position: PackedPosition,
    pub(crate) multiplicity: u64,
}

impl CountedPosition {
    /// Returns the unpacked position and its multiplicity.
    #[inline(always)]
    pub(crate) fn unpack(&self) -> (Position, u64) {
        (self.position.unpack(), self.multiplicity)
    }
}

/// A part of a list.
pub(super) type Chunk = Vec<CountedPosition>;

/// The hash that decides in which list a position is.
pub(super) type ListHash = fn(&PackedPosition) -> u64;

/// Lists of positions.
#[derive(Debug)]
pub(super) struct Lists(Vec<Vec<Chunk>>);

impl Lists {
    /// Returns one list with one position.
    pub(super) fn with_one(position: CountedPosition) -> Lists {
        Lists(vec![vec![vec![position]]])
    }

    /// Returns the number of lists.
    pub(super) const fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the chunks of a list.
    pub(super) fn list(&self, index: usize) -> &[Chunk] {
        &self.0[index]
    }

    /// Returns all chunks of all lists.
    pub(super) fn all(&self) -> &[Vec<Chunk>] {
        &self.0
    }

    /// Returns the memory that the positions take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.0.iter().flatten().map(bytes_of).sum()
    }
}

/// Returns the number of lists for the positions after this many moves, a power of two.
pub(super) fn lists_for(moves: u64) -> usize {
    (moves / CHILDREN_PER_LIST).clamp(1, MAX_LISTS).next_power_of_two() as usize
}

/// Returns the memory that a chunk takes, in bytes.
fn bytes_of(chunk: &Chunk) -> usize {
    chunk.capacity() * size_of::<CountedPosition>()
}

/// Lists while threads fill them.
#[derive(Debug)]
pub(super) struct GrowingLists<'a> {
    lists: Vec<Mutex<Vec<Chunk>>>,
    hash: ListHash,
    /// The lists that are kept. Positions of other lists are dropped.
    kept: Range<usize>,
    budget: &'a Budget,
}

impl<'a> GrowingLists<'a> {
    /// Returns `count` empty lists, a power of two.
    pub(super) fn new(
        count: usize,
        hash: ListHash,
        kept: Range<usize>,
        budget: &'a Budget,
    ) -> GrowingLists<'a> {
        assert!(count.is_power_of_two(), "the number of lists, {count}, is not a power of two");
        GrowingLists { lists: (0..count).map(|_| Mutex::default()).collect(), hash, kept, budget }
    }

    /// Returns the finished lists.
    pub(super) fn into_lists(self) -> Lists {
        let unlock =
            |list: Mutex<Vec<Chunk>>| list.into_inner().expect("no thread panicked while it held the lock");
        Lists(self.lists.into_iter().map(unlock).collect())
    }

    /// Whether the list of a position is kept.
    #[inline(always)]
    pub(super) fn keeps(&self, position: &PackedPosition) -> bool {
        self.kept.len() == self.lists.len() || self.kept.contains(&self.list_of(position))
    }

    #[inline(always)]
    fn list_of(&self, position: &PackedPosition) -> usize {
        (self.hash)(position) as usize & (self.lists.len() - 1)
    }

    fn add(&self, list: usize, chunk: Chunk) -> Result<(), Full> {
        self.budget.take(bytes_of(&chunk))?;
        self.lists[list].lock().expect("no thread panicked while it held the lock").push(chunk);
        Ok(())
    }
}

/// The positions that a thread has found for each list and has not handed over yet.
pub(super) struct Outbox<'a> {
    to: &'a GrowingLists<'a>,
    chunks: Vec<Chunk>,
}

impl<'a> Outbox<'a> {
    /// Returns an empty outbox.
    pub(super) fn new(to: &'a GrowingLists<'a>) -> Outbox<'a> {
        Outbox { to, chunks: vec![Vec::new(); to.lists.len()] }
    }

    /// Adds a position to its list, or drops it if the list is not kept.
    #[inline(always)]
    pub(super) fn send(&mut self, position: CountedPosition) -> Result<(), Full> {
        if !self.to.keeps(&position.position) {
            return Ok(());
        }
        let list = self.to.list_of(&position.position);
        let chunk = &mut self.chunks[list];
        if chunk.capacity() == 0 {
            chunk.reserve_exact(CHUNK);
        }
        chunk.push(position);
        if chunk.len() == CHUNK { self.to.add(list, std::mem::take(chunk)) } else { Ok(()) }
    }

    /// Hands over all remaining positions.
    pub(super) fn finish(self) -> Result<(), Full> {
        for (list, mut chunk) in self.chunks.into_iter().enumerate().filter(|(_, chunk)| !chunk.is_empty()) {
            chunk.shrink_to_fit();
            self.to.add(list, chunk)?;
        }
        Ok(())
    }
}

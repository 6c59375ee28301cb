//! Frontiers: the distinct positions of a ply, each with its *multiplicity*, the number of ways to reach it.
//!
//! Different orders of moves lead to the same position. Ply 6 of the start position has 119,060,324 nodes, but only
//! 9,417,681 distinct positions. A [`Frontier`] has each position once. Its multiplicities add up to the number of
//! nodes. The next frontier is made by playing every move of every position once and merging equal positions:
//!
//! ```text
//!   ply 0           start x 1
//!                  /        \
//!   ply 1     e4 x 1        d4 x 1     ...
//!                |            |
//!   ply 2     e4 e5 x 1    d4 e5 x 1   ...
//!                 \          /
//!   ply 3       e4 e5 d4 x 2          one position, reached in two orders of moves
//! ```
//!
//! Positions are stored packed and compared in full, so a hash collision cannot merge two different positions.
//!
//! The memory is limited. If the next ply does not fit, making it fails, and the old frontier stays usable. A ply that
//! is larger than the memory can still be counted ([`Frontier::count_next`]), passed on ([`Frontier::each_next`]), or
//! made in parts (`Frontier::next_in_parts`).
//!
//! | file | contents |
//! |---|---|
//! | `families.rs` | counts three plies below all positions, family by family |
//! | `lists.rs` | stores positions in lists, within a memory limit, and checks the multiplicities of each new ply |
//! | `merge.rs` | makes the positions of the next ply, and merges them |
//! | `next_ply.rs` | makes the next ply at once or in parts, or counts below it |
//!
//! Larger published perft numbers of the start position were counted with the same method.

mod families;
mod lists;
mod merge;
mod next_ply;

pub(super) use lists::CountedPosition;
pub use lists::{Frontier, FrontierError, PlyCount, WrongSum};
pub(super) use next_ply::Parts;

use std::ops::Add;
use std::sync::Mutex;

use perft_core::internals::PackedPosition;
use perft_core::{Interrupted, Position};

use crate::driver::Perft;
use crate::progress::{Progress, Share};
use crate::trunk::{Tree, Trunk};
use lists::{Budget, Chunk, Counts, GrowingLists, Outbox, bytes_of_lists, lists_for};
use merge::{Making, Merged};

impl Frontier {
    /// Returns the frontier of ply 0, which has only the root.
    pub fn new(root: &Position) -> Frontier {
        Frontier { root: Some(*root), ..Frontier::of_roots(&[(*root, 1)]) }
    }

    /// Returns a frontier of several root positions with their multiplicities. The same side is to move in all of them.
    /// The next plies are compared with the number of legal moves, and not with a plain count.
    pub(crate) fn of_roots(roots: &[(Position, u64)]) -> Frontier {
        let no_room = FrontierError::NoRoom { ply: 0, memory_bytes: usize::MAX };
        let unlimited = Budget::new(usize::MAX, no_room);
        let lists = lists_for(roots.len() as u64);
        let to = GrowingLists::new(lists, PackedPosition::waiting_hash, 0..lists, &unlimited);
        let mut outbox = Outbox::new(&to);
        let counts = Counts::of(roots.iter().map(|(_, multiplicity)| *multiplicity));
        let filled = roots.iter().try_for_each(|(position, multiplicity)| {
            let position = PackedPosition::from(position);
            outbox.send(CountedPosition { position, multiplicity: *multiplicity })
        });
        filled.and_then(|()| outbox.finish()).expect("the memory is not limited");
        Frontier { root: None, ply: 0, lists: to.into_lists(), counts, checked_ply: 0 }
    }

    /// Returns the number of plies between the root and the positions.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// Returns the number of distinct positions.
    pub const fn positions(&self) -> u64 {
        self.counts.positions
    }

    /// Returns the sum of the multiplicities, which is perft of the ply.
    pub const fn nodes(&self) -> u128 {
        self.counts.nodes
    }

    /// Returns ply, positions and nodes together.
    pub const fn count(&self) -> PlyCount {
        PlyCount { ply: self.ply, positions: self.counts.positions, nodes: self.counts.nodes }
    }

    /// Returns the last ply, up to this one, whose nodes were compared with a plain count.
    pub const fn checked_ply(&self) -> u32 {
        self.checked_ply
    }

    /// Returns the memory that the positions take, in bytes.
    pub fn bytes(&self) -> usize {
        bytes_of_lists(&self.lists)
    }

    /// Iterates over the positions and their multiplicities, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Position, u64)> {
        self.lists.iter().flatten().flatten().map(CountedPosition::unpack)
    }

    /// Returns the frontier of the next ply, made on the threads of a driver. Both frontiers and the working memory
    /// together stay below `memory_bytes`.
    ///
    /// The new frontier is checked in two ways. Its multiplicities must add up to the number of legal moves in this
    /// frontier, where a position counts as often as it is reached. They are also compared with a plain count of the
    /// tree, if that takes no more time than making the ply. [`Frontier::checked_ply`] returns the last ply for which
    /// the plain count was made.
    ///
    /// # Errors
    /// Returns an error if the stop signal of `progress` was raised, if the ply does not fit into the memory or has
    /// more than 2^64 nodes, or if a check failed.
    ///
    /// # Panics
    /// Panics if the next ply is above [`MAX_DEPTH`](perft_core::MAX_DEPTH).
    pub fn next(
        &self,
        perft: &Perft,
        memory_bytes: usize,
        progress: &Progress,
    ) -> Result<Frontier, FrontierError> {
        progress.restart();
        perft.on_trunk(self.ply + 1, progress, |trunk| self.next_on(trunk, memory_bytes, Share::WHOLE))
    }

    /// Returns the counts of the next ply without keeping its positions.
    ///
    /// This needs little memory. If the memory is small, parts of the work are done several times.
    ///
    /// # Errors
    /// Returns an error if the stop signal of `progress` was raised, if the ply has more than 2^64 nodes, or if a check
    /// failed.
    ///
    /// # Panics
    /// Panics if the next ply is above [`MAX_DEPTH`](perft_core::MAX_DEPTH).
    pub fn count_next(
        &self,
        perft: &Perft,
        memory_bytes: usize,
        progress: &Progress,
    ) -> Result<PlyCount, FrontierError> {
        self.each_next(perft, memory_bytes, progress, |_| Ok(()))
    }

    /// Makes the next ply as [`Frontier::count_next`] does, and calls `take` with some of its positions at a time, each
    /// with its multiplicity. No position comes twice. The order is not always the same.
    ///
    /// The check comes last. If this returns an error, discard everything that was computed from the positions. The
    /// memory that `take` uses does not count towards `memory_bytes`.
    ///
    /// # Errors
    /// The same as for [`Frontier::count_next`], and [`Interrupted`] if `take` returns it.
    ///
    /// # Panics
    /// Panics if the next ply is above [`MAX_DEPTH`](perft_core::MAX_DEPTH).
    pub fn each_next(
        &self,
        perft: &Perft,
        memory_bytes: usize,
        progress: &Progress,
        take: impl FnMut(&mut dyn Iterator<Item = (Position, u64)>) -> Result<(), Interrupted> + Send,
    ) -> Result<PlyCount, FrontierError> {
        progress.restart();
        perft.on_trunk(self.ply + 1, progress, |trunk| {
            let children = self.count_children(trunk)?;
            let check = self.share_of_check(children, Share::WHOLE);
            let budget = self.budget(memory_bytes);
            let making = Making { trunk, budget: &budget, part: None, share: Share::WHOLE.without(check) };
            let take = Mutex::new(take);
            let pass = |counts: &mut Counts, merged: &Merged| {
                *counts = *counts + merged.counts();
                let mut take = take.lock().expect("no thread panicked while it held the lock");
                Ok(take(&mut merged.iter().map(|counted| counted.unpack()))?)
            };
            let passing = || self.take_next(&making, &Counts::default, &pass);
            let passed = progress.while_merging(self.ply + 1, passing)?;
            let found = passed.into_iter().fold(Counts::default(), Counts::add);
            self.check(found, children, trunk, check)?;
            Ok(PlyCount { ply: self.ply + 1, positions: found.positions, nodes: found.nodes })
        })
    }

    fn budget(&self, memory_bytes: usize) -> Budget {
        let no_room = FrontierError::NoRoom { ply: self.ply + 1, memory_bytes };
        Budget::new(memory_bytes.saturating_sub(self.bytes()), no_room)
    }

    /// Returns the sum of a function over all positions. The function gets a few positions in each call, on any thread.
    pub(super) fn sum<T: Add<Output = T> + Default + Send>(
        &self,
        trunk: &Trunk<impl Tree>,
        count: impl Fn(&[CountedPosition]) -> Result<T, Interrupted> + Sync,
    ) -> Result<T, Interrupted> {
        let count = |chunk: &Chunk| match trunk.progress.is_stopped() {
            true => Err(Interrupted),
            false => count(chunk),
        };
        let add_up = |sums: Vec<T>| sums.into_iter().fold(T::default(), T::add);
        let of_list = |list: &Vec<Chunk>| Ok(add_up(trunk.threads.map(list, count)?));
        Ok(add_up(trunk.threads.map(&self.lists, of_list)?))
    }
}

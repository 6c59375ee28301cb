//! Makes the next ply of a frontier, or a slice of it.

use perft_core::Interrupted;
use rayon::prelude::*;

use super::budget::{Budget, Full};
use super::check::share_of_check;
use super::partitions::{CountedPosition, HASH_PREFIXES, Outbox, Partition, Partitions};
use super::slice::{SAMPLE, Slice, SliceBy, Slicing, bytes_while_growing, next_prefixes, scale};
use super::{CHUNK_SLOTS, Counts, Frontier, FrontierError, PlyCount, Positions};
use crate::progress::Share;
use crate::trunk::{PositionTree, Trunk};

/// The number of tasks for each thread while a slice is made. With several tasks, all threads finish at about the same
/// time.
const TASKS_PER_THREAD: usize = 32;

/// The reason why making a slice stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlyStop {
    /// The stop signal was raised.
    Interrupted,
    /// The slice does not fit into the memory.
    Full,
}

impl From<Full> for PlyStop {
    fn from(_: Full) -> PlyStop {
        PlyStop::Full
    }
}

impl From<Interrupted> for PlyStop {
    fn from(_: Interrupted) -> PlyStop {
        PlyStop::Interrupted
    }
}

impl Frontier {
    /// Does the same as [`Frontier::next`], as this share of the whole count.
    pub(crate) fn next_on(
        &self,
        trunk: &Trunk<PositionTree>,
        memory_bytes: usize,
        share: Share,
    ) -> Result<Frontier, FrontierError> {
        let children = self.count_children(trunk)?;
        let budget = self.budget(memory_bytes);
        let check = share_of_check(children, share);
        let made = self.size_of_next(trunk, children.positions, &budget).and_then(|positions| {
            let whole = Slice {
                prefixes: 0..HASH_PREFIXES,
                by: SliceBy::Position,
                children: children.positions,
                positions,
                positions_before: 0,
                share: share.without(check),
            };
            self.make(trunk, whole, &budget)
        });
        let next = made.map_err(|stop| self.error(stop, memory_bytes))?;
        let checked_ply = self.check(next.counts, children, trunk, check)?;
        Ok(Frontier { children_merged: children.positions, checked_ply, ..next })
    }

    /// Does the same as [`Frontier::next_in_slices`], and also returns the last checked ply. `take` also gets the share
    /// of its work on the slice in the whole count.
    pub(crate) fn next_in_slices_on<E: From<FrontierError>>(
        &self,
        trunk: &Trunk<PositionTree>,
        slicing: Slicing,
        mut take: impl FnMut(&Frontier, Share) -> Result<(), E>,
    ) -> Result<(PlyCount, u32), E> {
        let Slicing { memory_bytes, by, making, taking } = slicing;
        let children = self.count_children(trunk)?;
        let check = share_of_check(children, making);
        let making = making.without(check);
        let room = self.budget(memory_bytes).room();
        let fits = bytes_while_growing(children.positions) <= room;
        let mut prefixes = if fits { 0..HASH_PREFIXES } else { SAMPLE };
        let mut found = Counts::default();
        while !prefixes.is_empty() {
            let slice = self.slice(prefixes.clone(), by, children.positions, found.positions, making);
            // Each slice has a new budget, because the memory of the previous slice is free again.
            match self.make(trunk, slice, &self.budget(memory_bytes)) {
                Ok(made) => {
                    take(&made, taking.part(prefixes.len() as u64, HASH_PREFIXES.into()))?;
                    found = found + made.counts;
                    prefixes = next_prefixes(prefixes.end, found.positions, room);
                }
                Err(PlyStop::Full) if prefixes.len() > 1 => {
                    prefixes.end = prefixes.start + prefixes.len() as u32 / 2;
                }
                Err(stop) => return Err(self.error(stop, memory_bytes).into()),
            }
        }
        let checked_ply = self.check(found, children, trunk, check)?;
        Ok((PlyCount { ply: self.ply + 1, positions: found.positions, nodes: found.nodes }, checked_ply))
    }

    /// Returns the part of the memory limit that this frontier does not use.
    fn budget(&self, memory_bytes: usize) -> Budget {
        Budget::new(memory_bytes.saturating_sub(self.bytes()))
    }

    /// Returns the expected number of positions of the next ply.
    ///
    /// If the tables can grow to the size of all children, a rough guess is enough. Otherwise a sample is made. If the
    /// ply is much too large, even the sample does not fit into its memory, so little time is lost.
    fn size_of_next(
        &self,
        trunk: &Trunk<PositionTree>,
        children: u64,
        budget: &Budget,
    ) -> Result<u64, PlyStop> {
        if bytes_while_growing(children) <= budget.room() {
            return Ok(self.expected_positions(children));
        }
        let width = SAMPLE.len() as u32;
        // While its tables grow, the sample takes up to half more than its part of a ply that is made at once.
        let sample_budget = Budget::new(budget.room() / (HASH_PREFIXES / width) as usize * 3 / 2);
        let sample = Slice {
            prefixes: SAMPLE,
            by: SliceBy::Position,
            children: scale(children, width, HASH_PREFIXES),
            positions: 0,
            positions_before: 0,
            share: Share::NONE,
        };
        let sample = self.make(trunk, sample, &sample_budget)?;
        Ok(scale(sample.positions(), HASH_PREFIXES, width))
    }

    /// Makes a slice of the next ply.
    fn make(&self, trunk: &Trunk<PositionTree>, slice: Slice, budget: &Budget) -> Result<Frontier, PlyStop> {
        let next = Partitions::new(slice.partitions(), slice.prefixes, slice.by, slice.positions, budget)?;
        let share_of = |partitions: &[Partition]| {
            slice.share.part(partitions.len() as u64, self.partitions.len() as u64)
        };
        let fill = |partitions: &[Partition]| fill(&next, partitions, trunk, share_of(partitions));
        trunk.progress.while_merging(self.ply + 1, slice.positions_before, || {
            if trunk.parallel {
                let per_task =
                    self.partitions.len().div_ceil(TASKS_PER_THREAD * rayon::current_num_threads());
                self.partitions.par_chunks(per_task).with_max_len(1).try_for_each(fill)
            } else {
                fill(&self.partitions)
            }
        })?;
        let partitions = next.into_inner();
        let mut made = Frontier { ply: self.ply + 1, partitions, counts: Counts::default(), ..*self };
        made.counts = made.recount(trunk)?;
        Ok(made)
    }

    fn error(&self, stop: PlyStop, memory_bytes: usize) -> FrontierError {
        match stop {
            PlyStop::Interrupted => Interrupted.into(),
            PlyStop::Full => FrontierError::NoRoom { ply: self.ply + 1, memory_bytes },
        }
    }
}

/// Plays all moves of the positions in `partitions`, and sends the children to the partitions of the next ply.
fn fill(
    next: &Partitions,
    partitions: &[Partition],
    trunk: &Trunk<PositionTree>,
    share: Share,
) -> Result<(), PlyStop> {
    let mut outbox = Outbox::new(next)?;
    for partition in partitions {
        for slots in partition.slots().chunks(CHUNK_SLOTS) {
            if trunk.progress.is_stopped() {
                return Err(PlyStop::Interrupted);
            }
            for (position, multiplicity) in Positions(slots.iter()) {
                for played in trunk.tree.counter.moves(&position) {
                    outbox.send(CountedPosition::new(&position.play_unchecked(played), multiplicity))?;
                }
            }
        }
        trunk.progress.add(0, share.split(partitions.len()));
        trunk.progress.add_positions(outbox.take_new_positions());
    }
    outbox.deliver_all()?;
    trunk.progress.add_positions(outbox.take_new_positions());
    Ok(())
}

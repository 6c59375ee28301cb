//! Makes the frontier of the next ply, at once or in parts, or counts below it without storing it.

use std::ops::Range;

use perft_core::Interrupted;
use perft_core::internals::PackedPosition;

use super::lists::{Budget, Counts, Frontier, FrontierError, GrowingLists, Outbox, PlyCount, lists_for};
use super::merge::{Making, Merged};
use crate::progress::Share;
use crate::trunk::{PositionTree, Total, Tree, Trunk};

/// The settings for making the next ply in parts.
pub(crate) struct Parts {
    /// The memory limit in bytes, for a part, this frontier and the working memory together.
    pub(crate) memory_bytes: usize,
    /// Making and checking the parts, as a share of the whole count.
    pub(crate) making: Share,
    /// The work on the finished parts, as a share of the whole count.
    pub(crate) taking: Share,
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
        let check = self.share_of_check(children, share);
        let lists = lists_for(children.positions);
        let budget = self.budget(memory_bytes);
        let next = self.make(trunk, 0..lists, lists, &budget, share.without(check))?;
        let checked_ply = self.check(next.counts, children, trunk, check)?;
        Ok(Frontier { checked_ply, ..next })
    }

    /// Makes the next ply in parts, and calls `take` with each part and the share of its work in the whole count. A
    /// part has all positions of the ply with some of the waiting armies. Every part makes the moves of this frontier
    /// again. Returns the counts of the ply, and the last checked ply.
    ///
    /// The parts take half of the memory, so the other half is free for `take`.
    pub(crate) fn next_in_parts(
        &self,
        trunk: &Trunk<PositionTree>,
        parts: Parts,
        mut take: impl FnMut(&Frontier, Share) -> Result<(), Interrupted>,
    ) -> Result<(PlyCount, u32), FrontierError> {
        let Parts { memory_bytes, making, taking } = parts;
        let children = self.count_children(trunk)?;
        let check = self.share_of_check(children, making);
        let making = making.without(check);
        let lists = lists_for(children.positions);
        let share_of = |share: Share, part: &Range<usize>| share.part(part.len() as u64, lists as u64);
        let (mut begin, mut width) = (0, lists);
        let mut found = Counts::default();
        while begin < lists {
            let part = begin..lists.min(begin + width);
            let budget = self.budget(memory_bytes);
            let budget = Budget::new(budget.room() / 2, budget.no_room);
            match self.make(trunk, part.clone(), lists, &budget, share_of(making, &part)) {
                Ok(made) => {
                    take(&made, share_of(taking, &part))?;
                    found = found + made.counts;
                    begin = part.end;
                }
                Err(FrontierError::NoRoom { .. }) if width > 1 => width /= 2,
                Err(error) => return Err(error),
            }
        }
        let checked_ply = self.check(found, children, trunk, check)?;
        Ok((PlyCount { ply: self.ply + 1, positions: found.positions, nodes: found.nodes }, checked_ply))
    }

    fn make(
        &self,
        trunk: &Trunk<PositionTree>,
        part: Range<usize>,
        lists: usize,
        budget: &Budget,
        share: Share,
    ) -> Result<Frontier, FrontierError> {
        let next = GrowingLists::new(lists, PackedPosition::waiting_hash, part, budget);
        let making = Making { trunk, budget, part: Some(&next), share };
        trunk.progress.while_merging(self.ply + 1, || {
            let outboxes = self.take_next(&making, &|| Outbox::new(&next), &Outbox::send_all)?;
            outboxes.into_iter().try_for_each(Outbox::finish)
        })?;
        let mut made =
            Frontier { ply: self.ply + 1, lists: next.into_lists(), counts: Counts::default(), ..*self };
        made.counts = made.recount(trunk)?;
        Ok(made)
    }
}

impl Frontier {
    /// Returns the sum over all positions: multiplicity times the total three plies below. Equal children are merged.
    /// `share` is the share of this work in the whole count.
    ///
    /// If the counter has no code for families, all equal children are merged, and the total is counted below each as
    /// soon as it is made.
    pub(crate) fn count_three_plies<T: Tree>(
        &self,
        trunk: &Trunk<T>,
        memory_bytes: usize,
        share: Share,
    ) -> Result<T::Total, Interrupted> {
        if let Some(total) = self.count_families(trunk, share) {
            return total;
        }
        let (budget, plain) = (self.budget(memory_bytes), trunk.plain());
        let making = Making { trunk: &plain, budget: &budget, part: None, share };
        let count_two_plies = |sum: &mut T::Total, merged: &Merged| {
            let mut total = T::Total::default();
            for (position, multiplicity) in merged.iter().map(|counted| counted.unpack()) {
                if trunk.progress.is_stopped() {
                    return Err(Interrupted.into());
                }
                total = total + trunk.tree.subtree(&position, 2) * u128::from(multiplicity);
            }
            *sum = *sum + total;
            trunk.progress.add(total.nodes(), Share::NONE);
            Ok(())
        };
        let sums = self.take_next(&making, &T::Total::default, &count_two_plies).map_err(|_| Interrupted)?;
        Ok(sums.into_iter().sum())
    }
}

//! Counts the plies below a frontier, family by family: see [`merged`](crate::merged).
//!
//! The children of a family are merged while they are in the cache, so the memory never has to hold the whole ply below
//! the frontier. The partition of a position depends only on its family, so each family is in one partition.

use perft_core::Interrupted;
use perft_core::internals::PackedPosition;
use rayon::prelude::*;

use super::Frontier;
use super::partitions::{CountedPosition, Partition};
use crate::merged::{FAMILY_PLIES, MergedCounter};
use crate::progress::Share;
use crate::trunk::{PositionTree, Trunk};

impl Frontier {
    /// Returns the sum over all positions: multiplicity times the leaf nodes [`FAMILY_PLIES`] plies below. `share` is
    /// the share of this work in the whole count.
    pub(crate) fn count_families(
        &self,
        trunk: &Trunk<PositionTree>,
        share: Share,
    ) -> Result<u128, Interrupted> {
        let count = |partition: &Partition| {
            let share = share.part(partition.positions() as u64, self.positions());
            count_partition(partition, trunk, share)
        };
        if trunk.parallel {
            let counts = self.partitions.par_iter().with_max_len(1).map(count);
            counts.try_reduce(|| 0, |sum, nodes| Ok(sum + nodes))
        } else {
            self.partitions.iter().try_fold(0, |sum, partition| Ok(sum + count(partition)?))
        }
    }
}

/// Returns the sum over the positions of a partition.
fn count_partition(
    partition: &Partition,
    trunk: &Trunk<PositionTree>,
    share: Share,
) -> Result<u128, Interrupted> {
    let used = partition.slots().iter().filter(|slot| slot.multiplicity() != 0);
    let positions: Vec<PackedPosition> = used.clone().map(CountedPosition::packed).collect();
    let counts = MergedCounter::new(trunk).count(&positions, FAMILY_PLIES, share)?;
    let nodes = used.zip(counts).map(|(slot, count)| u128::from(slot.multiplicity()) * count).sum();
    trunk.progress.add(nodes, Share::NONE);
    Ok(nodes)
}

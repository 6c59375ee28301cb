//! Counts below the last frontier of an exact count.

use arrayvec::ArrayVec;
use perft_core::internals::{LeafCounter, PackedPosition};
use perft_core::{Interrupted, Position};

use super::Frontier;
use super::merge::{Making, Merged, PlyStop, Taker};
use crate::progress::{Progress, Share};
use crate::trunk::{PositionTree, Trunk};

/// The number of positions that are counted together.
const BATCH: usize = 64;

impl Frontier {
    /// Returns the sum over all positions: multiplicity times the leaf nodes three plies below. Equal children are
    /// merged, and the next two plies are counted once below each. `share` is the share of this work in the whole
    /// count.
    pub(crate) fn count_three_plies(
        &self,
        trunk: &Trunk<PositionTree>,
        memory_bytes: usize,
        share: Share,
    ) -> Result<u128, Interrupted> {
        let budget = self.budget(memory_bytes);
        let making = Making { trunk, budget: &budget, part: None, share };
        let new = || TwoPlies {
            counter: trunk.tree.counter,
            progress: trunk.progress,
            nodes: 0,
            order: Vec::new(),
        };
        let takers = self.take_next(&making, new).map_err(|_| Interrupted)?;
        Ok(takers.iter().map(|taker| taker.nodes).sum())
    }
}

/// Counts two plies below each position.
struct TwoPlies<'a> {
    counter: &'a dyn LeafCounter,
    progress: &'a Progress,
    nodes: u128,
    /// The castling rights and the index of each position.
    order: Vec<(u64, u32)>,
}

impl Taker for TwoPlies<'_> {
    fn take(&mut self, merged: &Merged) -> Result<(), PlyStop> {
        let rooks = |position: &PackedPosition| position.castling_rooks().bits();
        self.order.clear();
        self.order.extend(merged.positions.iter().map(rooks).zip(0..));
        // With the same army to move and the same castling rights, they are a family.
        if self.order.iter().any(|(rooks, _)| *rooks != self.order[0].0) {
            self.order.sort();
        }
        let mut nodes = 0;
        for family in self.order.chunk_by(|a, b| a.0 == b.0) {
            let first = merged.positions[family[0].1 as usize].unpack();
            for batch in family.chunks(BATCH) {
                if self.progress.is_stopped() {
                    return Err(Interrupted.into());
                }
                let positions: ArrayVec<Position, BATCH> =
                    batch.iter().map(|(_, index)| merged.positions[*index as usize].unpack()).collect();
                let mut counts = [0; BATCH];
                let counts = &mut counts[..batch.len()];
                self.counter.two_plies_each(&first, &positions, counts);
                let weighted = batch.iter().zip(counts).map(|((_, index), count)| {
                    u128::from(merged.multiplicities[*index as usize]) * u128::from(*count)
                });
                nodes += weighted.sum::<u128>();
            }
        }
        self.nodes += nodes;
        self.progress.add(nodes, Share::NONE);
        Ok(())
    }
}

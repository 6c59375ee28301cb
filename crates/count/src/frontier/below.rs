//! Counts below the last frontier of an exact count.

use arrayvec::ArrayVec;
use perft_core::internals::PackedPosition;
use perft_core::{Interrupted, Position};

use super::Frontier;
use super::merge::{Making, Merged, PlyStop, Taker};
use crate::progress::Share;
use crate::trunk::{FAMILY_BATCH, Total, Tree, Trunk};

impl Frontier {
    /// Returns the sum over all positions: multiplicity times the total three plies below. Equal children are merged,
    /// and the next two plies are counted once below each. `share` is the share of this work in the whole count.
    pub(crate) fn count_three_plies<T: Tree>(
        &self,
        trunk: &Trunk<T>,
        memory_bytes: usize,
        share: Share,
    ) -> Result<T::Total, Interrupted> {
        let (budget, plain) = (self.budget(memory_bytes), trunk.plain());
        let making = Making { trunk: &plain, budget: &budget, part: None, share };
        let new = || TwoPlies { trunk, total: T::Total::default(), order: Vec::new() };
        let takers = self.take_next(&making, new).map_err(|_| Interrupted)?;
        Ok(takers.iter().map(|taker| taker.total).sum())
    }
}

/// Counts two plies below each position.
struct TwoPlies<'a, T: Tree> {
    trunk: &'a Trunk<'a, T>,
    total: T::Total,
    /// The castling rights and the index of each position.
    order: Vec<(u64, u32)>,
}

impl<T: Tree> Taker for TwoPlies<'_, T> {
    fn take(&mut self, merged: &Merged) -> Result<(), PlyStop> {
        let rooks = |position: &PackedPosition| position.castling_rooks().bits();
        self.order.clear();
        self.order.extend(merged.positions.iter().map(rooks).zip(0..));
        // With the same army to move and the same castling rights, they are a family.
        if self.order.iter().any(|(rooks, _)| *rooks != self.order[0].0) {
            self.order.sort();
        }
        let mut total = T::Total::default();
        for family in self.order.chunk_by(|a, b| a.0 == b.0) {
            let first = merged.positions[family[0].1 as usize].unpack();
            for batch in family.chunks(FAMILY_BATCH) {
                if self.trunk.progress.is_stopped() {
                    return Err(Interrupted.into());
                }
                let (positions, multiplicities): (Batch<Position>, Batch<u64>) = batch
                    .iter()
                    .map(|(_, index)| *index as usize)
                    .map(|index| (merged.positions[index].unpack(), merged.multiplicities[index]))
                    .unzip();
                total = total + self.trunk.tree.two_plies(&first, &positions, &multiplicities);
            }
        }
        self.total = self.total + total;
        self.trunk.progress.add(total.nodes(), Share::NONE);
        Ok(())
    }
}

/// A value for each position of a batch.
type Batch<T> = ArrayVec<T, FAMILY_BATCH>;

//! Slices: the parts of the next ply that are made at once, and the expected number of their positions.
//!
//! The upper 16 bits of the hash of a position are its *hash prefix*. A slice has the positions whose hash prefixes are
//! in a certain range. The prefixes are spread evenly, so the size of a slice is proportional to the size of its range.
//! For slices by family, the upper half of the prefix comes from the hash of the family, and the sizes are less even.

use std::ops::Range;

use super::Frontier;
use super::partitions::{HASH_PREFIXES, Partition, SLOT_BYTES};
use crate::progress::Share;

/// The approximate number of child positions in each partition. It is large enough to fill the batches of all threads.
const CHILDREN_PER_PARTITION: u64 = 4096;

/// The greatest number of partitions. The batches of one thread for this many partitions still fit into its cache.
const MAX_PARTITIONS: u64 = 1024;

/// The slice from which the size of a ply is estimated: 1/64 of the ply.
pub(super) const SAMPLE: Range<u32> = 0..HASH_PREFIXES / 64;

/// The settings for making the next ply in slices.
pub(crate) struct Slicing {
    /// The memory limit in bytes, for a slice, this frontier and the working memory together.
    pub(crate) memory_bytes: usize,
    /// The hash that says to which slice a position belongs.
    pub(crate) by: SliceBy,
    /// The share of making and checking the slices in the whole count.
    pub(crate) making: Share,
    /// The share of the work on the finished slices in the whole count.
    pub(crate) taking: Share,
}

/// The hash that says to which slice a position belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SliceBy {
    /// The hash of the position. Slices with the same number of hash prefixes have about the same size.
    Position,
    /// The hash of the family of the position (see `merged.rs`). Most families are completely in one slice. If a ply
    /// has few families, one family can be in several slices, because the lower half of the hash prefix comes from the
    /// position.
    Family,
}

/// A part of the next ply whose positions are made at the same time.
pub(super) struct Slice {
    /// The hash prefixes of its positions.
    pub(super) prefixes: Range<u32>,
    /// The hash whose upper bits are the hash prefixes.
    pub(super) by: SliceBy,
    /// The expected number of children that belong to the slice.
    pub(super) children: u64,
    /// The number of positions to allocate memory for at the start.
    pub(super) positions: u64,
    /// The number of positions of all slices before this one.
    pub(super) positions_before: u64,
    /// The share of making the slice in the whole count.
    pub(super) share: Share,
}

impl Slice {
    /// Returns the number of partitions to use.
    pub(super) fn partitions(&self) -> usize {
        (self.children / CHILDREN_PER_PARTITION).clamp(1, MAX_PARTITIONS).next_power_of_two() as usize
    }
}

impl Frontier {
    /// Returns the slice of the next ply with these hash prefixes. The next ply has `children` children before merging.
    /// The slices with smaller prefixes had `positions_before` positions. Making the whole ply is this share of the
    /// count.
    pub(super) fn slice(
        &self,
        prefixes: Range<u32>,
        by: SliceBy,
        children: u64,
        positions_before: u64,
        share: Share,
    ) -> Slice {
        let width = prefixes.len() as u32;
        let positions = match prefixes.start {
            0 => scale(self.expected_positions(children), width, HASH_PREFIXES),
            before => scale(positions_before, width, before),
        };
        let share = share.part(width.into(), HASH_PREFIXES.into());
        Slice {
            prefixes,
            by,
            children: scale(children, width, HASH_PREFIXES),
            positions,
            positions_before,
            share,
        }
    }

    /// Returns the expected number of distinct positions among `children` children. It is the same fraction as in this
    /// ply, and an eighth more, because growing a table costs more time than unused memory.
    pub(super) fn expected_positions(&self, children: u64) -> u64 {
        let fraction_here = self.counts.positions as f64 / self.children_merged.max(1) as f64;
        (children as f64 * fraction_here * 1.125) as u64
    }
}

/// Returns `number * part / whole` plus 1 %.
pub(super) fn scale(number: u64, part: u32, whole: u32) -> u64 {
    (number as f64 * f64::from(part) / f64::from(whole) * 1.01) as u64
}

/// Returns the largest memory in bytes that this many positions can take. They take it while their tables grow.
pub(super) fn bytes_while_growing(positions: u64) -> usize {
    positions.saturating_mul(2 * SLOT_BYTES as u64).try_into().unwrap_or(usize::MAX)
}

/// Returns the hash prefixes of the next slice, which begins at `from` and fits into `room` bytes. The smaller prefixes
/// had `found` positions, and the others are assumed to have as many each. The remaining slices have the same size.
pub(super) fn next_prefixes(from: u32, found: u64, room: usize) -> Range<u32> {
    let rest = HASH_PREFIXES - from;
    let bytes_per_prefix = Partition::slots_for(found as usize) as f64 * SLOT_BYTES as f64 / f64::from(from);
    // A tenth of the room is kept free for outboxes, for slices that are larger than expected, and for tables that
    // grow.
    let passes = (f64::from(rest) * bytes_per_prefix / (room as f64 * 0.9)).ceil().max(1.0);
    from..from + (f64::from(rest) / passes).ceil() as u32
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use perft_core::Position;
    use perft_core::internals::PackedPosition;

    use super::*;
    use crate::frontier::FrontierError;
    use crate::{Perft, Progress};

    /// Returns the slices by family of a ply of a position. The memory limit is this many bytes, in addition to the ply
    /// before.
    fn slices(position: &Position, ply: u32, room: usize) -> Vec<Vec<PackedPosition>> {
        let (perft, progress) = (Perft::new(), Progress::default());
        let before = (1..ply).fold(Frontier::new(position), |frontier, _| {
            frontier.next(&perft, usize::MAX, &progress).unwrap()
        });
        let memory_bytes = before.bytes() + room;
        let slicing =
            Slicing { memory_bytes, by: SliceBy::Family, making: Share::WHOLE, taking: Share::NONE };
        let mut slices = Vec::new();
        let made = perft.on_trunk(ply, &progress, |trunk| {
            before.next_in_slices_on(trunk, slicing, |slice, _| {
                slices.push(slice.iter().map(|(position, _)| PackedPosition::from(&position)).collect());
                Ok::<(), FrontierError>(())
            })
        });
        let distinct: HashSet<&PackedPosition> = slices.iter().flatten().collect();
        assert_eq!(distinct.len() as u64, made.unwrap().0.positions);
        assert_eq!(distinct.len(), slices.iter().map(Vec::len).sum(), "a position is in two slices");
        slices
    }

    /// Returns the number of families, and how many of them are in several slices.
    fn families(slices: &[Vec<PackedPosition>]) -> (usize, usize) {
        let mut slices_of = HashMap::<_, HashSet<usize>>::new();
        for (number, slice) in slices.iter().enumerate() {
            for position in slice {
                slices_of.entry(position.family().map(|set| set.bits())).or_default().insert(number);
            }
        }
        (slices_of.len(), slices_of.values().filter(|numbers| numbers.len() > 1).count())
    }

    #[test]
    fn slices_by_family_keep_nearly_all_families_whole() {
        let slices = slices(&Position::start(), 4, 600 << 10);
        let (families, in_several) = families(&slices);
        assert!(slices.len() > 5, "{} slices", slices.len());
        assert!(families > 1_000, "{families} families");
        // The families at a border between two slices have one of 256 prefixes.
        assert!(in_several <= 2 * families * slices.len() / 256, "{in_several} of {families} families");
    }

    #[test]
    fn a_family_that_is_larger_than_a_slice_is_in_several() {
        let queen = Position::from_fen("8/8/8/4k3/8/3Q4/1PP1K3/8 w - - 0 1").unwrap();
        let slices = slices(&queen, 4, 40 << 10);
        let (families, in_several) = families(&slices);
        assert!(slices.len() > 5, "{} slices", slices.len());
        assert!(in_several > 0, "{in_several} of {families} families");
    }
}

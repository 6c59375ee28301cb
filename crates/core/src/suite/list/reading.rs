//! The ways to read numbers whose depths are not named.

use std::fmt;

use crate::perft::MAX_DEPTH;
use crate::suite::KnownCount;

/// A way to read numbers without depths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The counts from depth 1 on.
    FromOne,
    /// A depth and its count, again and again.
    Pairs,
    /// The counts from depth 0 on.
    FromZero,
    /// A depth and its count; the other numbers are something else.
    DepthFirst,
    /// A count and its depth.
    CountFirst,
}

impl Reading {
    /// All readings. If several fit, the first one is taken.
    pub const ALL: [Reading; 5] =
        [Reading::FromOne, Reading::Pairs, Reading::FromZero, Reading::DepthFirst, Reading::CountFirst];

    /// Returns the known counts in this reading, or `None` if the numbers cannot be meant like this.
    pub fn counts(self, numbers: &[u128]) -> Option<Vec<KnownCount>> {
        let in_order = |first: u32, numbers: &[u128]| {
            let depths = (first..=MAX_DEPTH).zip(numbers);
            depths.map(|(depth, &nodes)| KnownCount { depth, nodes }).collect::<Vec<_>>()
        };
        let pair = |depth: u128, nodes: u128| {
            let depth = u32::try_from(depth).ok().filter(|&depth| depth <= MAX_DEPTH)?;
            // No count is so small at so great a depth, except where few moves are left.
            let is_plausible = depth <= 12 || nodes >= 1 << depth.min(127);
            is_plausible.then_some(KnownCount { depth, nodes })
        };
        match (self, numbers) {
            (_, []) => None,
            (Reading::FromOne, numbers) => Some(in_order(1, numbers)),
            (Reading::FromZero, [1, _, ..]) => Some(in_order(0, numbers)),
            (Reading::Pairs, numbers) if numbers.len().is_multiple_of(2) => {
                let pairs: Option<Vec<_>> = numbers.chunks(2).map(|two| pair(two[0], two[1])).collect();
                pairs.filter(|pairs| pairs.is_sorted_by(|a, b| a.depth < b.depth))
            }
            (Reading::DepthFirst, &[depth, nodes, ..]) => Some(vec![pair(depth, nodes)?]),
            (Reading::CountFirst, &[nodes, depth]) => Some(vec![pair(depth, nodes)?]),
            _ => None,
        }
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reading::FromOne => "the counts from depth 1 on",
            Reading::FromZero => "the counts from depth 0 on",
            Reading::Pairs => "a depth and its count",
            Reading::DepthFirst => "a depth, its count, and numbers that are left out",
            Reading::CountFirst => "a count and its depth",
        })
    }
}

//! Leaf statistics as journals store them.

use perft_count::{CheckCounts, LeafStatistics};
use serde::{Deserialize, Serialize};

/// The statistics of the leaf nodes of a work unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StoredStatistics(#[serde(with = "StatisticsFields")] pub LeafStatistics);

impl StoredStatistics {
    /// Whether there are this many nodes, and not more of any kind. So if the sum of the nodes of several units fits
    /// into 128 bits, the sums of the kinds do too.
    pub(super) fn are_possible(&self, nodes: u128) -> bool {
        let LeafStatistics { captures, en_passant, castles, promotions, stalemates, .. } = self.0;
        let of_checks = |checks: CheckCounts| {
            let CheckCounts { direct, discovered, direct_and_discovered, double_discovered } = checks;
            [direct, discovered, direct_and_discovered, double_discovered]
                .into_iter()
                .try_fold(0_u128, u128::checked_add)
                .is_some_and(|sum| sum <= nodes)
        };
        self.0.nodes == nodes
            && [captures, en_passant, castles, promotions, stalemates].iter().all(|&kind| kind <= nodes)
            && of_checks(self.0.checks)
            && of_checks(self.0.checkmates)
    }
}

/// The fields of [`LeafStatistics`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "LeafStatistics", deny_unknown_fields)]
struct StatisticsFields {
    nodes: u128,
    captures: u128,
    en_passant: u128,
    castles: u128,
    promotions: u128,
    #[serde(with = "CheckFields")]
    checks: CheckCounts,
    #[serde(with = "CheckFields")]
    checkmates: CheckCounts,
    stalemates: u128,
}

/// The fields of [`CheckCounts`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "CheckCounts", deny_unknown_fields)]
struct CheckFields {
    direct: u128,
    discovered: u128,
    direct_and_discovered: u128,
    double_discovered: u128,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_numbers_are_refused() {
        let checks = |direct, discovered| CheckCounts { direct, discovered, ..CheckCounts::default() };
        let of = |statistics| StoredStatistics(LeafStatistics { nodes: 20, ..statistics }).are_possible(20);
        assert!(of(LeafStatistics { captures: 20, checks: checks(10, 10), ..LeafStatistics::default() }));
        assert!(!StoredStatistics(LeafStatistics::default()).are_possible(20));
        assert!(!of(LeafStatistics { stalemates: 21, ..LeafStatistics::default() }));
        assert!(!of(LeafStatistics { checks: checks(10, 11), ..LeafStatistics::default() }));
        assert!(!of(LeafStatistics { checkmates: checks(u128::MAX, 1), ..LeafStatistics::default() }));
    }
}

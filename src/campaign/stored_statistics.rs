//! Leaf statistics as journals store them.

use perft_count::{CheckCounts, LeafStatistics};
use serde::{Deserialize, Serialize};

/// The statistics of the leaf nodes of a work unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StoredStatistics(#[serde(with = "StatisticsFields")] pub LeafStatistics);

/// The fields of [`LeafStatistics`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "LeafStatistics")]
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
#[serde(remote = "CheckCounts")]
struct CheckFields {
    direct: u128,
    discovered: u128,
    direct_and_discovered: u128,
    double_discovered: u128,
}

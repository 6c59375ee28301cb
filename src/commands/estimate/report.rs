//! The report of `perft estimate`.

use std::time::Duration;

use serde::Serialize;

use crate::campaign::{Estimate, EstimateOptions};
use crate::output::{PositionInfo, Provenance, Report};
use crate::timing::Interval;

/// An estimate of the number of leaf nodes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EstimateReport {
    /// How the estimate was made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The root position.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The estimated number of leaf nodes.
    pub estimated_nodes: f64,
    /// The estimated standard deviation of that number.
    pub standard_error: f64,
    /// The 95 % confidence interval.
    pub interval: Interval,
    /// The number of random walks.
    pub walks: u64,
    /// The plies that were counted exactly below the end of each walk.
    pub rest: u32,
    /// The seed of the random walks.
    pub seed: u64,
    /// The time in seconds.
    pub seconds: f64,
    /// The predicted time of an exact count; absent if the estimate is already exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forecast: Option<ExactTime>,
}

/// The predicted time of an exact count on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExactTime {
    /// The predicted time in seconds.
    pub seconds: f64,
    /// The speed of plain counting in nodes per second.
    pub nodes_per_second: f64,
    /// The last ply at which equal positions are merged.
    pub split_ply: u32,
    /// The average number of nodes per distinct position at that ply.
    pub nodes_per_position: f64,
}

impl Report for EstimateReport {
    const NAME: &'static str = "estimate";
}

impl EstimateReport {
    /// Makes a report of an estimate.
    pub fn new(
        provenance: Provenance,
        position: PositionInfo,
        options: EstimateOptions,
        estimate: &Estimate,
        forecast: Option<ExactTime>,
        elapsed: Duration,
    ) -> EstimateReport {
        let (low, high) = estimate.interval();
        EstimateReport {
            provenance,
            position,
            depth: options.depth,
            estimated_nodes: estimate.nodes,
            standard_error: estimate.standard_error,
            interval: Interval { low, high },
            walks: estimate.walks,
            rest: options.rest,
            seed: options.seed,
            seconds: elapsed.as_secs_f64(),
            forecast,
        }
    }
}

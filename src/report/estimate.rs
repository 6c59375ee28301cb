//! The estimate, as JSON.

use std::time::Duration;

use serde::Serialize;

use super::{Context, PositionInfo};
use crate::campaign::{Estimate, EstimateOptions};

/// About how many leaf nodes there are.
#[derive(Clone, Debug, Serialize)]
pub struct EstimateReport {
    /// How it was found.
    #[serde(flatten)]
    pub context: Context,
    /// The root.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The estimate of the leaf nodes.
    pub estimated_nodes: f64,
    /// Its estimated standard deviation.
    pub standard_error: f64,
    /// The interval of 95% confidence.
    pub interval_95: (f64, f64),
    /// The walks that were made.
    pub walks: u64,
    /// The plies that were counted below each.
    pub rest: u32,
    /// What the walks followed from.
    pub seed: u64,
    /// The time that it took.
    pub seconds: f64,
    /// How long an exact count would take; absent if this is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactTime>,
}

/// How long an exact count would take on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ExactTime {
    /// The time, about.
    pub seconds: f64,
    /// The speed of plain counting.
    pub nodes_per_second: f64,
    /// The ply whose positions are merged.
    pub merged_ply: u32,
    /// How many nodes of that ply are one position.
    pub nodes_a_position: f64,
}

impl EstimateReport {
    /// A report of an estimate.
    pub fn new(
        context: Context,
        position: PositionInfo,
        options: EstimateOptions,
        estimate: &Estimate,
        exact: Option<ExactTime>,
        elapsed: Duration,
    ) -> EstimateReport {
        EstimateReport {
            context,
            position,
            depth: options.depth,
            estimated_nodes: estimate.nodes,
            standard_error: estimate.standard_error,
            interval_95: estimate.interval(),
            walks: estimate.walks,
            rest: options.rest,
            seed: options.seed,
            seconds: elapsed.as_secs_f64(),
            exact,
        }
    }
}

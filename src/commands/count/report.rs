//! The report of `perft`: one result per depth.

use std::time::Duration;

use serde::Serialize;

use crate::output::hyperfine::Timings;
use crate::output::numbers::{in_column, per_second};
use crate::output::{
    ExactSplit, Nodes, PositionInfo, Provenance, Report, Table, grouped, mega, mega_per_second,
};

/// The counts of one position, by depth.
#[derive(Clone, Debug, Serialize)]
pub struct CountReport {
    /// How the counts were made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Whether all depths were counted. Otherwise the last ones are missing.
    pub complete: bool,
    /// The position.
    pub position: PositionInfo,
    /// The last depth that was counted, in plies.
    pub depth: u32,
    /// The leaf nodes at that depth.
    #[serde(flatten)]
    pub nodes: Nodes,
    /// The time of that count in seconds.
    pub seconds: f64,
    /// The results of all depths, in ascending order.
    pub results: Vec<DepthResult>,
}

#[derive(Clone, Debug, Serialize)]
pub struct DepthResult {
    /// The depth in plies.
    pub depth: u32,
    /// The leaf nodes.
    #[serde(flatten)]
    pub nodes: Nodes,
    /// The time of the count in seconds.
    pub seconds: f64,
    /// The speed in leaf nodes per second.
    pub nodes_per_second: f64,
    /// The processor time of the count in seconds, on all threads together; `None` if the system does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor_seconds: Option<f64>,
    /// How an exact count was made; `None` for other counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactSplit>,
    /// The count as a benchmark of one run.
    #[serde(flatten)]
    pub timings: Option<Timings>,
}

impl DepthResult {
    pub fn new(depth: u32, nodes: u128, elapsed: Duration) -> DepthResult {
        let seconds = elapsed.as_secs_f64();
        DepthResult {
            depth,
            nodes: Nodes(nodes),
            seconds,
            nodes_per_second: per_second(nodes, seconds),
            processor_seconds: None,
            exact: None,
            timings: None,
        }
    }

    /// Returns the line that qperft prints: `perft( 6)=    119060324 ( 0.625 sec)`. With `is_grouped`, the digits are
    /// grouped by three for people.
    pub fn qperft_line(&self, is_grouped: bool) -> String {
        let nodes = in_column(self.nodes.0, is_grouped);
        format!("perft({:2})= {nodes} ({:6.3} sec)", self.depth, self.seconds)
    }

    /// Returns the speed for people: `712.3 Mnps`.
    pub fn rate(&self) -> String {
        mega_per_second(self.nodes.0, self.seconds)
    }
}

impl Report for CountReport {
    const NAME: &'static str = "count";

    fn exact_table(&self) -> Option<Table> {
        let header = ["depth", "nodes", "seconds", "nodes_per_second", "processor_seconds"];
        let rows = self.results.iter().map(|result| {
            vec![
                result.depth.to_string(),
                result.nodes.0.to_string(),
                format!("{:.6}", result.seconds),
                format!("{:.0}", result.nodes_per_second),
                result.processor_seconds.map_or_else(String::new, |seconds| format!("{seconds:.6}")),
            ]
        });
        Some(Table::new(header, rows))
    }

    fn table(&self) -> Option<Table> {
        let rows = self.results.iter().map(|result| {
            let seconds = format!("{:.3}", result.seconds);
            vec![result.depth.to_string(), grouped(result.nodes.0), seconds, mega(result.nodes_per_second)]
        });
        Some(Table::new(["depth", "nodes", "seconds", "Mnps"], rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_that_of_qperft() {
        let result = DepthResult::new(6, 119_060_324, Duration::from_millis(625));
        assert_eq!(result.qperft_line(false), "perft( 6)=    119060324 ( 0.625 sec)");
        assert_eq!(result.qperft_line(true), "perft( 6)=      119,060,324 ( 0.625 sec)");
    }
}

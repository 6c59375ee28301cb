//! The count: one result a depth.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use super::hyperfine::Timings;
use super::nodes::per_second;
use super::{Context, Nodes, PositionInfo, grouped, markdown_table, mega_per_second};
use perft_core::{ExactCount, PlyCount};

/// Counts of one position, by depth.
#[derive(Clone, Debug, Serialize)]
pub struct CountReport {
    /// How the counts were made.
    #[serde(flatten)]
    pub context: Context,
    /// What was counted.
    pub position: PositionInfo,
    /// The depth that was asked for.
    pub depth: u32,
    /// The count of that depth.
    #[serde(flatten)]
    pub nodes: Nodes,
    /// The time that it took.
    pub seconds: f64,
    /// Every depth that was counted, ascending.
    pub results: Vec<DepthResult>,
}

/// The count of one depth.
#[derive(Clone, Debug, Serialize)]
pub struct DepthResult {
    /// The depth in plies.
    pub depth: u32,
    /// The leaf nodes.
    #[serde(flatten)]
    nodes_field: Nodes,
    #[serde(skip)]
    nodes: u128,
    /// The time that the count took.
    pub seconds: f64,
    /// The leaf nodes a second.
    pub nodes_per_second: f64,
    /// The time that processors spent on the count, on all threads together, if the system says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor_seconds: Option<f64>,
    /// How an exact count was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactSplit>,
    /// The count as a benchmark of one run.
    #[serde(flatten)]
    pub timings: Option<Timings>,
}

/// How an exact count was split between merging positions and plain counting.
#[derive(Clone, Debug, Serialize)]
pub struct ExactSplit {
    /// The last ply whose positions were merged.
    pub split_ply: u32,
    /// The last ply whose nodes were compared with a plain count.
    pub checked_ply: u32,
    /// The plies from 0 to the split.
    pub plies: Vec<PlyPositions>,
}

/// The positions of a ply.
#[derive(Clone, Debug, Serialize)]
pub struct PlyPositions {
    /// The ply.
    pub ply: u32,
    /// The distinct positions.
    pub positions: u64,
    /// The nodes of the tree.
    #[serde(flatten)]
    pub nodes: Nodes,
}

impl From<PlyCount> for PlyPositions {
    fn from(count: PlyCount) -> PlyPositions {
        PlyPositions { ply: count.ply, positions: count.positions, nodes: count.nodes.into() }
    }
}

impl From<&ExactCount> for ExactSplit {
    fn from(count: &ExactCount) -> ExactSplit {
        ExactSplit {
            split_ply: count.split().ply,
            checked_ply: count.checked_ply,
            plies: count.plies.iter().copied().map(PlyPositions::from).collect(),
        }
    }
}

impl DepthResult {
    /// A count and the time that it took.
    pub fn new(depth: u32, nodes: u128, elapsed: Duration) -> DepthResult {
        let seconds = elapsed.as_secs_f64();
        let nodes_per_second = per_second(nodes, seconds);
        DepthResult {
            depth,
            nodes_field: nodes.into(),
            nodes,
            seconds,
            nodes_per_second,
            processor_seconds: None,
            exact: None,
            timings: None,
        }
    }

    /// An exact count and the time that it took.
    pub fn of_exact(depth: u32, count: &ExactCount, elapsed: Duration) -> DepthResult {
        DepthResult { exact: Some(count.into()), ..DepthResult::new(depth, count.nodes, elapsed) }
    }

    /// The line that qperft prints: `perft( 6)=    119060324 ( 0.625 sec)`; grouped, it is for people.
    ///
    /// # Examples
    /// ```
    /// use crate::report::count::DepthResult;
    /// use std::time::Duration;
    /// let result = DepthResult::new(6, 119_060_324, Duration::from_millis(625));
    /// assert_eq!(result.qperft_line(false), "perft( 6)=    119060324 ( 0.625 sec)");
    /// assert_eq!(result.qperft_line(true), "perft( 6)=      119,060,324 ( 0.625 sec)");
    /// ```
    pub fn qperft_line(&self, is_grouped: bool) -> String {
        let (depth, seconds) = (self.depth, self.seconds);
        if is_grouped {
            format!("perft({depth:2})= {:>16} ({seconds:6.3} sec)", grouped(self.nodes))
        } else {
            format!("perft({depth:2})= {:>12} ({seconds:6.3} sec)", self.nodes)
        }
    }

    /// The rate in the unit of the field.
    pub fn rate(&self) -> String {
        mega_per_second(self.nodes, self.seconds)
    }

    /// The leaf nodes.
    pub const fn nodes(&self) -> u128 {
        self.nodes
    }
}

impl CountReport {
    /// A report of these results, of which the last is what was asked for.
    ///
    /// # Panics
    /// There are no results.
    pub fn new(context: Context, position: PositionInfo, results: Vec<DepthResult>) -> CountReport {
        let last = results.last().expect("a count has at least one depth").clone();
        CountReport {
            context,
            position,
            depth: last.depth,
            nodes: last.nodes_field,
            seconds: last.seconds,
            results,
        }
    }

    /// Comma-separated values with a header.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(["depth", "nodes", "seconds", "nodes_per_second", "processor_seconds"])?;
        for result in &self.results {
            csv.write_record([
                result.depth.to_string(),
                result.nodes.to_string(),
                format!("{:.6}", result.seconds),
                format!("{:.0}", result.nodes_per_second),
                result.processor_seconds.map_or_else(String::new, |seconds| format!("{seconds:.6}")),
            ])?;
        }
        csv.flush()
    }

    /// A Markdown table.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let rows = self.results.iter().map(|result| {
            let seconds = format!("{:.3}", result.seconds);
            let rate = format!("{:.1}", result.nodes_per_second / 1e6);
            vec![result.depth.to_string(), grouped(result.nodes), seconds, rate]
        });
        writeln!(out, "{}", markdown_table(&["depth", "nodes", "seconds", "Mnps"], rows))
    }
}

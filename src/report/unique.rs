//! The distinct positions a ply.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use super::{Context, Nodes, PositionInfo, grouped, markdown_table};
use perft_core::PlyCount;

/// The distinct positions below one position, by ply.
#[derive(Clone, Debug, Serialize)]
pub struct UniqueReport {
    /// How they were found.
    #[serde(flatten)]
    pub context: Context,
    /// The position at ply 0.
    pub position: PositionInfo,
    /// The ply that was asked for.
    pub depth: u32,
    /// The distinct positions of that ply.
    pub positions: u64,
    /// Every ply from 0.
    pub results: Vec<PlyResult>,
}

/// The distinct positions of one ply.
#[derive(Clone, Debug, Serialize)]
pub struct PlyResult {
    /// The ply.
    pub ply: u32,
    /// The distinct positions.
    pub positions: u64,
    #[serde(flatten)]
    nodes_field: Nodes,
    #[serde(skip)]
    nodes: u128,
    /// The time that the ply took.
    pub seconds: f64,
}

impl PlyResult {
    /// A ply and the time that it took.
    pub fn new(count: PlyCount, elapsed: Duration) -> PlyResult {
        let PlyCount { ply, positions, nodes } = count;
        PlyResult { ply, positions, nodes_field: nodes.into(), nodes, seconds: elapsed.as_secs_f64() }
    }

    /// A line of text; grouped, it is for people.
    ///
    /// # Examples
    /// ```
    /// use perft_core::PlyCount;
    /// use crate::report::unique::PlyResult;
    /// use std::time::Duration;
    /// let count = PlyCount { ply: 4, positions: 72_078, nodes: 197_281 };
    /// let result = PlyResult::new(count, Duration::from_millis(13));
    /// assert_eq!(result.line(false), "unique( 4)=        72078 of       197281 nodes ( 0.013 sec)");
    /// ```
    pub fn line(&self, is_grouped: bool) -> String {
        let PlyResult { ply, seconds, .. } = self;
        if is_grouped {
            let (positions, nodes) = (grouped(self.positions.into()), grouped(self.nodes));
            format!("unique({ply:2})= {positions:>16} of {nodes:>16} nodes ({seconds:6.3} sec)")
        } else {
            let (positions, nodes) = (self.positions, self.nodes);
            format!("unique({ply:2})= {positions:>12} of {nodes:>12} nodes ({seconds:6.3} sec)")
        }
    }
}

impl UniqueReport {
    /// A report of these plies, of which the last is what was asked for.
    ///
    /// # Panics
    /// There are none.
    pub fn new(context: Context, position: PositionInfo, results: Vec<PlyResult>) -> UniqueReport {
        let last = results.last().expect("there is ply 0");
        let (depth, positions) = (last.ply, last.positions);
        UniqueReport { context, position, depth, positions, results }
    }

    /// Comma-separated values with a header.
    ///
    /// # Errors
    /// The writer failed.
    pub fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(["ply", "positions", "nodes", "seconds"])?;
        for result in &self.results {
            csv.write_record([
                result.ply.to_string(),
                result.positions.to_string(),
                result.nodes.to_string(),
                format!("{:.6}", result.seconds),
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
            vec![result.ply.to_string(), grouped(result.positions.into()), grouped(result.nodes), seconds]
        });
        writeln!(out, "{}", markdown_table(&["ply", "positions", "nodes", "seconds"], rows))
    }
}

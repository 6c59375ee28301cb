//! The report of `perft estimate`.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use crate::output::numbers::SECONDS_PER_YEAR;
use crate::output::terminal::format_duration;
use crate::output::{Nodes, PositionInfo, Provenance, Report, folded, grouped, number_of};
use crate::timing::Interval;

/// Times longer than this are printed as a power of ten, in years.
const MANY_YEARS: f64 = 1e6;

/// An estimate of the number of leaf nodes.
#[derive(Clone, Debug, Serialize)]
pub struct EstimateReport {
    /// How the estimate was made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The root position.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The right number of leaf nodes, if the built-in suites have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Nodes>,
    /// The estimated number of leaf nodes.
    pub estimated_nodes: f64,
    /// The estimated standard deviation of that number.
    pub standard_error: f64,
    /// The 95 % confidence interval.
    pub interval: Interval,
    /// The number of random walks.
    pub walks: u64,
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

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", estimate_line(self))?;
        if let Some(Nodes(nodes)) = self.known.filter(|_| self.walks > 0) {
            writeln!(out, "the count is known: {}", grouped(nodes))?;
        }
        self.forecast.map_or(Ok(()), |exact| {
            writeln!(out, "{}", folded(&exact_line(&exact, self.provenance.threads), 2))
        })
    }
}

/// Returns the lines `perft(20) = 8.3480e28, with 95% confidence from 8.3407e28 to 8.3553e28` and
/// `(±0.09%, 100000 walks)`.
fn estimate_line(report: &EstimateReport) -> String {
    let EstimateReport { depth, estimated_nodes: nodes, walks, interval: Interval { low, high }, .. } =
        report;
    if *walks == 0 {
        return format!("perft({depth}) = {nodes} (exact)");
    }
    let percent = if *nodes > 0.0 { (high - nodes) / nodes * 100.0 } else { 0.0 };
    format!(
        "perft({depth}) = {nodes:.4e}, with 95% confidence from {low:.4e} to {high:.4e}\n  (±{percent:.2}%, {})",
        number_of(*walks, "walk")
    )
}

/// Returns the line `an exact count would take about 3 d 4 h on this machine (...)`.
fn exact_line(exact: &ExactTime, threads: usize) -> String {
    let ExactTime { seconds, nodes_per_second, split_ply, nodes_per_position } = *exact;
    let years = seconds / f64::from(SECONDS_PER_YEAR);
    let time = match Duration::try_from_secs_f64(seconds) {
        Ok(time) if time < Duration::from_secs(1) => "less than 1 s".to_owned(),
        Ok(time) if years < MANY_YEARS => format!("about {}", format_duration(time)),
        _ => format!("about {years:.1e} years"),
    };
    let speed = grouped(nodes_per_second as u128);
    let threads = number_of(threads, "thread");
    format!(
        "an exact count would take {time} on this machine ({threads}, {speed} nodes/s; equal positions merged at ply \
         {split_ply}, where {nodes_per_position:.1} nodes share a position on average)"
    )
}

//! `perft estimate`: estimates a count that would take too long, and says how long it would take.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use perft_core::suite::builtin;
use perft_core::{Interrupted, Position, StopSignal};
use perft_count::{Frontier, FrontierError, Perft, Progress};
use serde::Serialize;

use super::streams::report_each;
use crate::campaign::{Estimate, EstimateOptions, estimate};
use crate::input::{Game, MachineArgs, PositionArgs, parse_seconds};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::numbers::SECONDS_PER_YEAR;
use crate::output::terminal::format_duration;
use crate::output::terminal::watch;
use crate::output::{
    CountMode, JsonArgs, Nodes, PositionInfo, Provenance, Report, folded, grouped, number_of,
};
use crate::timing::Interval;

/// The fraction of `--seconds` that is used to find out roughly how many walks fit into the time.
const PILOT: f64 = 0.05;

/// The memory for merging the upper plies, in bytes. It is enough for ply 5 of the start position or ply 4 of kiwipete.
/// Merging them takes a fraction of a second.
const EXACT_MEMORY: usize = 64 << 20;

/// The number of plies that are counted below the end of each walk, and below the merged plies of an exact count. An
/// exact count is a little faster than its estimate, because it also merges part of the first of these plies.
const REST: u32 = 3;

/// The time for measuring the speed.
const SPEED_TIME: Duration = Duration::from_millis(200);

/// The largest number of positions on which the speed is measured.
const SPEED_POSITIONS: usize = 4096;

/// The number of positions that are counted between two readings of the clock.
const SPEED_BATCH: usize = 256;

const EXAMPLES: &str = "\
Examples:
  perft estimate 20                           the start position
  perft estimate 14 --seconds 60              a better one, in a minute
  perft estimate kiwipete 12 --threads all    on all cores";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    mut_arg("json", |json| json.help("Print JSON: one object, or one per line if positions come from standard input"))
)]
pub struct EstimateArgs {
    /// Number of random walks down the tree, the same number for every root move; four times as many walks halve the
    /// error
    #[arg(long, value_name = "N", default_value = "100000", help_heading = "Estimate")]
    walks: u64,
    /// Make as many walks as take about this time, instead of a fixed number
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, conflicts_with = "walks", help_heading = "Estimate")]
    seconds: Option<Duration>,
    /// Seed of the random walks; the same seed gives the same estimate
    #[arg(long, value_name = "N", default_value = "0", help_heading = "Estimate", hide_short_help = true)]
    seed: u64,
    #[command(flatten, next_help_heading = "Counting")]
    machine: MachineArgs,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten, next_help_heading = "Output")]
    output: JsonArgs,
}

pub fn run(args: EstimateArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let games = args.position.games(None, context)?;
    report_each(games, args.output.format(), context, out, |game, _| {
        Ok((estimate_one(&game, &args, context)?, Ok(())))
    })?;
    Ok(ExitCode::SUCCESS)
}

fn estimate_one(game: &Game, args: &EstimateArgs, context: &Context) -> Result<EstimateReport, CliError> {
    let mut counting = args.machine.build(context)?;
    counting.head.mode = CountMode::Estimate;
    let EstimateArgs { walks, seed, .. } = *args;
    let (position, depth) = (game.position(), game.depth);
    let start = Instant::now();
    let mut options = EstimateOptions { depth, rest: REST, walks, seed };
    let (found, forecast) = watch(context, &format!("estimate({depth})"), |progress| {
        if let Some(time) = args.seconds {
            options.walks = walks_within(time, position, options, &counting.perft, progress)?;
        }
        let found = estimate(position, options, &counting.perft, progress)?;
        if !found.interval().high.is_finite() {
            let message = format!("perft({depth}) is too large to estimate: its variance is above 1e308");
            return Err(CliError::usage(message).help("give a smaller depth"));
        }
        let forecast = exact_time(position, depth, &found, &counting.perft, &context.stop)?;
        Ok::<_, CliError>((found, forecast))
    })?;
    Ok(EstimateReport {
        provenance: counting.head,
        position: game.info(),
        depth,
        known: known(position, depth),
        estimated_nodes: found.nodes,
        standard_error: found.standard_error,
        interval: found.interval(),
        walks: found.walks,
        seed,
        seconds: start.elapsed().as_secs_f64(),
        forecast,
    })
}

/// Returns the count of a position if the built-in suites have it.
fn known(position: &Position, depth: u32) -> Option<Nodes> {
    let cases = builtin::suites().iter().flat_map(|suite| &suite.suite().cases);
    let same = cases.filter(|case| case.position == *position).flat_map(|case| &case.expected);
    same.into_iter().find(|known| known.depth == depth).map(|known| Nodes(known.nodes))
}

/// Returns the number of walks that take about this time, found by pilot walks.
///
/// The pilot walks use another seed than the estimate and are not part of it. If the walks of the estimate itself
/// decided when to stop, the estimate would be biased: its last walk would more often be one that is fast to count.
fn walks_within(
    time: Duration,
    position: &Position,
    options: EstimateOptions,
    perft: &Perft,
    progress: &Progress,
) -> Result<u64, Interrupted> {
    let begin = Instant::now();
    let mut pilot = EstimateOptions { walks: 1, seed: !options.seed, ..options };
    loop {
        let start = Instant::now();
        let walks = estimate(position, pilot, perft, progress)?.walks;
        let elapsed = start.elapsed();
        if walks == 0 || elapsed >= time.mul_f64(PILOT) {
            let left = time.saturating_sub(begin.elapsed()).as_secs_f64();
            return Ok((walks as f64 * left / elapsed.as_secs_f64()) as u64);
        }
        pilot.walks = walks * 2;
    }
}

/// Estimates how long an exact count would take on this machine; `None` if the estimate is already exact.
///
/// The exact count would use the method of `--exact`: the upper plies are merged as far as a small memory allows, and
/// the rest is counted below each position. The speed of counting the rest is measured on some of the positions.
fn exact_time(
    position: &Position,
    depth: u32,
    found: &Estimate,
    perft: &Perft,
    stop: &StopSignal,
) -> Result<Option<ExactTime>, FrontierError> {
    if found.walks == 0 {
        return Ok(None);
    }
    let mut frontier = Frontier::new(position);
    while frontier.ply() + REST < depth {
        match frontier.next(perft, EXACT_MEMORY, &Progress::new(stop.clone())) {
            Ok(next) => frontier = next,
            Err(FrontierError::NoRoom { .. } | FrontierError::TooManyNodes { .. }) => break,
            Err(error) => return Err(error),
        }
    }
    let nodes_per_second = nodes_per_second(&frontier, perft, stop)?;
    let nodes_per_position = frontier.nodes() as f64 / frontier.positions().max(1) as f64;
    let seconds = found.nodes / nodes_per_position.max(1.0) / nodes_per_second;
    Ok(Some(ExactTime { seconds, nodes_per_second, split_ply: frontier.ply(), nodes_per_position }))
}

/// Measures the speed of counting three plies below positions of a frontier, in leaf nodes per second.
///
/// The positions are spread evenly over the frontier, because neighbours are similar.
fn nodes_per_second(frontier: &Frontier, perft: &Perft, stop: &StopSignal) -> Result<f64, Interrupted> {
    let stride = (frontier.positions() as usize).div_ceil(SPEED_POSITIONS).max(1);
    let sample: Vec<Position> = frontier.iter().step_by(stride).map(|(position, _)| position).collect();
    let start = Instant::now();
    let mut nodes = 0.0;
    for batch in sample.chunks(SPEED_BATCH).cycle() {
        let counts = perft.count_each(batch, REST, &Progress::new(stop.clone()))?;
        nodes += counts.iter().sum::<u128>() as f64;
        if start.elapsed() >= SPEED_TIME {
            break;
        }
    }
    Ok(nodes.max(1.0) / start.elapsed().as_secs_f64())
}

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

//! `perft estimate`: estimates a count that would take too long, and says how long it would take.
//!
//! A *walk* goes down the tree with random moves and multiplies the numbers of legal moves on its way. It ends some
//! plies above the leaves, where the product is multiplied by an exact count. The mean of these products is an unbiased
//! estimate of the number of leaf nodes (Donald E. Knuth, "Estimating the Efficiency of Backtrack Programs", 1975).
//!
//! There are equally many walks below each root move, so the differences between root moves do not add to the error.
//! This is stratified sampling. (The first estimates of perft(13) were made by such walks: "Perft(13) betting pool",
//! TalkChess, 2011.)
//!
//! ```text
//!   root --- every move --- random --- random --- perft(rest)        20 x 31 x 28 x 8902
//! ```
//!
//! The interval is that of the normal distribution. The products are skewed, so some thousands of walks are needed.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use clap::Args;
use perft_core::suite::builtin;
use perft_core::{Interrupted, Position};
use perft_count::internals::Share;
use perft_count::{Perft, Progress};
use perft_diagnosis::random::Random;
use serde::Serialize;
use statrs::statistics::{Accumulate, OnlineVariance};

use crate::input::{Game, MachineArgs, PositionArgs};
use crate::output::numbers::SECONDS_PER_YEAR;
use crate::output::terminal::format_duration;
use crate::output::{
    CliError, Context, CountMode, JsonArgs, Nodes, PositionInfo, Provenance, Report, folded, grouped,
    number_of, watch,
};
use crate::report::exact_time::{ExactTime, REST};
use crate::timing::Interval;

/// 95 % of a normal distribution are within this number of standard deviations of the mean.
const NORMAL_95: f64 = 1.959_964;

/// The number of walks from each root move on whose ends the speed is measured.
const SPEED_POSITIONS: usize = 50;

/// The number of walks whose ends are counted together.
const BATCH: u64 = 256;

#[derive(Debug, Args)]
#[command(
    mut_arg("json", |json| json.help("Print JSON: one object, or one per line if positions come from standard input"))
)]
pub struct EstimateArgs {
    #[command(flatten)]
    walks: WalkArgs,
    #[command(flatten, next_help_heading = "Counting")]
    machine: MachineArgs,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten, next_help_heading = "Output")]
    output: JsonArgs,
}

/// The random walks.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Estimate")]
struct WalkArgs {
    /// Number of random walks down the tree, the same number for every root move; four times as many walks halve the
    /// error
    #[arg(long, value_name = "N", default_value = "100000", value_parser = clap::value_parser!(u64).range(1..))]
    walks: u64,
    /// Seed of the random walks; the same seed gives the same estimate
    #[arg(long, value_name = "N", default_value = "0", hide_short_help = true)]
    seed: u64,
}

pub fn run(args: EstimateArgs, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    let games = args.position.games(None, context)?;
    games.report_each(args.output.format(), context, out, |game, _| {
        Ok((estimate_one(&game, &args, context)?, Ok(())))
    })
}

fn estimate_one(game: &Game, args: &EstimateArgs, context: &Context) -> Result<EstimateReport, CliError> {
    let mut counting = args.machine.build()?;
    counting.head.settings.mode = CountMode::Estimate;
    let (position, depth, perft) = (game.position(), game.depth, &counting.perft);
    let start = Instant::now();
    let (estimate, forecast) = watch(context, &format!("estimate({depth})"), |progress| {
        let (found, ends) = estimate(position, depth, args.walks, perft, progress)?;
        if !found.interval.high.is_finite() {
            let message = format!("perft({depth}) is too large to estimate: its variance is above 1e308");
            return Err(CliError::usage(message).help("give a smaller depth"));
        }
        if ends.is_empty() {
            return Ok((found, None));
        }
        let begin = Instant::now();
        let counts = perft.count_each(&ends, REST, &Progress::new(context.stop.clone()))?;
        let speed = counts.iter().sum::<u128>().max(1) as f64 / begin.elapsed().as_secs_f64();
        let exact = ExactTime::of(position, depth, found.estimated_nodes, speed, perft, &context.stop)?;
        Ok::<_, CliError>((found, Some(exact)))
    })?;
    let cases = builtin::suites().iter().flat_map(|suite| &suite.suite().cases);
    let mut known = cases.filter(|case| case.position == *position).flat_map(|case| &case.expected);
    Ok(EstimateReport {
        provenance: counting.head,
        position: game.info(),
        depth,
        known: known.find(|known| known.depth == depth).map(|known| Nodes(known.nodes)),
        estimate,
        seed: args.walks.seed,
        seconds: start.elapsed().as_secs_f64(),
        forecast,
    })
}

/// Times of more years than this are printed with a power of ten.
const MANY_YEARS: f64 = 1e6;

/// An estimate of the number of leaf nodes.
#[derive(Clone, Debug, Serialize)]
pub struct EstimateReport {
    /// How the estimate was made.
    #[serde(flatten)]
    pub provenance: Provenance,
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The right number of leaf nodes, if the built-in suites have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Nodes>,
    #[serde(flatten)]
    estimate: Estimate,
    /// The seed of the random walks.
    pub seed: u64,
    /// The time in seconds.
    pub seconds: f64,
    /// The predicted time of an exact count; absent if the estimate is already exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forecast: Option<ExactTime>,
}

impl Report for EstimateReport {
    const NAME: &'static str = "estimate";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", estimate_line(self))?;
        if let Some(Nodes(nodes)) = self.known.filter(|_| self.estimate.walks > 0) {
            writeln!(out, "the count is known: {}", grouped(nodes))?;
        }
        self.forecast.map_or(Ok(()), |exact| {
            writeln!(out, "{}", folded(&exact_line(&exact, self.provenance.settings.threads), 2))
        })
    }
}

/// Returns the lines `perft(20) = 8.3480e28, with 95% confidence from 8.3407e28 to 8.3553e28` and
/// `(±0.09%, 100000 walks)`.
fn estimate_line(report: &EstimateReport) -> String {
    let EstimateReport { depth, estimate, .. } = report;
    let Estimate { estimated_nodes: nodes, walks, interval: Interval { low, high }, .. } = estimate;
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

/// An estimate of the number of leaf nodes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Estimate {
    /// The estimated number of leaf nodes.
    estimated_nodes: f64,
    /// The estimated standard deviation of that number.
    standard_error: f64,
    /// The 95 % confidence interval.
    interval: Interval,
    /// The number of walks; 0 if the tree was counted exactly.
    walks: u64,
}

impl Estimate {
    fn new(estimated_nodes: f64, standard_error: f64, walks: u64) -> Estimate {
        let half = NORMAL_95 * standard_error;
        let interval = Interval { low: (estimated_nodes - half).max(0.0), high: estimated_nodes + half };
        Estimate { estimated_nodes, standard_error, interval, walks }
    }
}

/// Estimates the number of leaf nodes at a depth. A seed always gives the same estimate, on any number of threads. Also
/// returns the ends of some walks.
///
/// # Errors
/// The stop signal of `progress` was raised.
fn estimate(
    root: &Position,
    depth: u32,
    WalkArgs { walks, seed }: WalkArgs,
    perft: &Perft,
    progress: &Progress,
) -> Result<(Estimate, Vec<Position>), Interrupted> {
    progress.restart();
    if depth <= REST {
        return Ok((
            Estimate::new(perft.count_with_progress(root, depth, progress)? as f64, 0.0, 0),
            Vec::new(),
        ));
    }
    let moves = root.legal_moves();
    let per_move = walks.div_ceil(moves.len().max(1) as u64).max(2);
    let share = Share::WHOLE.split(moves.len());
    let mut random = Random::new(seed);
    let (mut nodes, mut variance, mut ends) = (0.0, 0.0, Vec::new());
    for played in &moves {
        let child = root.play_legal(*played);
        let mut products = OnlineVariance::default();
        for begun in (0..per_move).step_by(BATCH as usize) {
            let batch = (per_move - begun).min(BATCH);
            let walks = (0..batch).map(|_| walk(child, depth - 1 - REST, &mut random));
            let (weights, positions): (Vec<f64>, Vec<Position>) = walks.unzip();
            let counts = perft.count_each_as(&positions, REST, progress, share.part(batch, per_move))?;
            // A walk that ended early has the weight 0, whatever its count.
            let weighted = weights.iter().zip(counts).map(|(weight, nodes)| weight * nodes as f64);
            products = weighted.fold(products, OnlineVariance::push);
            if begun == 0 {
                ends.extend(positions.into_iter().take(SPEED_POSITIONS));
            }
        }
        nodes += products.mean().unwrap_or_default();
        variance += products.variance().unwrap_or_default() / per_move as f64;
    }
    Ok((Estimate::new(nodes, variance.sqrt(), per_move * moves.len() as u64), ends))
}

/// Makes a walk of this number of plies. Returns the product of the numbers of moves, which is 0 after mate or
/// stalemate, and the last position.
fn walk(mut position: Position, plies: u32, random: &mut Random) -> (f64, Position) {
    let mut weight = 1.0;
    for _ in 0..plies {
        let moves = position.legal_moves();
        weight *= moves.len() as f64;
        if moves.is_empty() {
            break;
        }
        position = position.play_legal(moves[random.below(moves.len())]);
    }
    (weight, position)
}

#[cfg(test)]
mod tests {
    use perft_core::START_FEN;

    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    /// Positions and depths that several people have counted, with the counts.
    const KNOWN: [(&str, u32, f64); 4] = [
        (KIWIPETE, 5, 193_690_690.0),
        (START_FEN, 9, 2_439_530_234_167.0),
        (START_FEN, 11, 2_097_651_003_696_806.0),
        (START_FEN, 13, 1_981_066_775_000_396_239.0),
    ];

    fn estimated(fen: &str, depth: u32, walks: u64, seed: u64) -> Estimate {
        let root = Position::from_fen(fen).unwrap();
        estimate(&root, depth, WalkArgs { walks, seed }, &Perft::new(), &Progress::default()).unwrap().0
    }

    /// About 95 of 100 intervals at each depth should contain the true count. The environment variable `PERFT_WALKS`
    /// sets the number of walks of an estimate; the default is 300.
    #[test]
    fn about_95_percent_of_the_intervals_contain_the_known_count() {
        let walks = std::env::var("PERFT_WALKS").map_or(300, |walks| walks.parse().unwrap());
        let mut held_in_all = 0;
        for (fen, depth, truth) in KNOWN {
            let (mut held, mut sum, mut errors) = (0, 0.0, 0.0);
            for seed in 0..100 {
                let found = estimated(fen, depth, walks, seed);
                let Interval { low, high } = found.interval;
                held += u32::from((low..=high).contains(&truth));
                sum += found.estimated_nodes / truth;
                errors += found.standard_error / truth;
            }
            println!(
                "{fen}, perft({depth}): {held} of 100 contain {truth}; mean deviation {:+.2} %, standard error {:.2} %",
                sum - 100.0,
                errors
            );
            assert!((89..=99).contains(&held), "depth {depth}: {held} of 100");
            // The standard error of the mean of 100 estimates is a tenth of that of one.
            assert!((sum - 100.0).abs() < 3.0 * errors / 10.0, "depth {depth}: biased");
            held_in_all += held;
        }
        assert!((367..=393).contains(&held_in_all), "{held_in_all} of 400");
    }

    #[test]
    fn walks_that_end_early_have_no_weight() {
        // Fool's mate is possible, so some walks end early.
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
        let truth = Position::from_fen(fen).unwrap().perft(5) as f64;
        let found = estimated(fen, 5, 1_000, 1);
        assert!((found.estimated_nodes - truth).abs() < 4.0 * found.standard_error);
        let mate = estimated("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 5, 1_000, 0);
        assert_eq!((mate.estimated_nodes, mate.standard_error), (0.0, 0.0));
    }
}

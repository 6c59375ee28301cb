//! `perft estimate`: about how many nodes a tree has that nobody can count.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use perft::campaign::{Estimate, EstimateOptions, estimate};
use perft::chess::position::Position;
use perft::perft::Progress;
use perft::report::estimate::EstimateReport;
use perft::report::{PositionInfo, write_json};

use super::Context;
use super::args::{CountingArgs, PositionArgs, cpu_paths, parse_depth};
use super::failure::Failure;
use super::input::{for_each_position, is_stream};
use super::progress::watch;

const EXAMPLES: &str = "\
Examples:
  perft estimate --depth 20
  perft estimate --fen kiwipete --depth 12 --walks 10000000 --threads all";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}"
)]
pub struct EstimateArgs {
    /// Depth in plies
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Estimate")]
    depth: u32,
    /// Random walks down the tree, shared out equally among the root moves; four times as many halve the error
    #[arg(
        long,
        visible_alias = "samples",
        value_name = "N",
        default_value = "100000",
        help_heading = "Estimate"
    )]
    walks: u64,
    /// Plies at the end of each walk that are counted exactly
    #[arg(long, value_name = "N", default_value = "3", value_parser = parse_depth, help_heading = "Estimate")]
    rest: u32,
    /// What the walks follow from
    #[arg(long, value_name = "N", default_value = "0", help_heading = "Estimate")]
    seed: u64,
    /// Threads, or all for every core; they do not change the estimate
    #[arg(
        short,
        long,
        value_name = "N|all",
        default_value = "1",
        allow_negative_numbers = true,
        help_heading = "Counting"
    )]
    threads: String,
    /// The CPU features to count with
    #[arg(long, value_name = "PATH", default_value = "auto", value_parser = cpu_paths(), help_heading = "Counting")]
    cpu_path: String,
    #[command(flatten)]
    position: PositionArgs,
    /// One JSON object; from standard input, one a line
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// Runs the verb.
pub fn run(args: EstimateArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, Failure> {
    for_each_position(&args.position, context, |position| one(position, &args, context, out))?;
    Ok(ExitCode::SUCCESS)
}

fn one(
    position: &Position,
    args: &EstimateArgs,
    context: &Context,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut counting = CountingArgs::plain(&args.threads, &args.cpu_path).build(context)?;
    counting.head.mode = "estimate";
    let EstimateArgs { depth, rest, walks, seed, .. } = *args;
    let options = EstimateOptions { depth, rest, walks, seed };
    let progress = Progress::new(context.stop.clone());
    let start = Instant::now();
    let found = watch(context, &format!("estimate({depth})"), &progress, || {
        estimate(position, options, &counting.perft, &progress)
    })?;
    if args.json {
        let info = PositionInfo::new(position, args.position.notation(position));
        let report = EstimateReport::new(counting.head, info, options, &found, start.elapsed());
        write_json(&report, is_stream(&args.position), out)?;
    } else {
        writeln!(out, "{}", line(depth, &found))?;
    }
    out.flush()?;
    Ok(())
}

/// `perft(20) = 8.3480e28, with 95% confidence from 8.3407e28 to 8.3553e28 (0.09% either way, 100,000 walks)`
fn line(depth: u32, found: &Estimate) -> String {
    let Estimate { nodes, walks, .. } = found;
    if *walks == 0 {
        return format!("perft({depth}) = {nodes}, counted");
    }
    let (low, high) = found.interval();
    let percent = if *nodes > 0.0 { (high - nodes) / nodes * 100.0 } else { 0.0 };
    format!(
        "perft({depth}) = {nodes:.4e}, with 95% confidence from {low:.4e} to {high:.4e} ({percent:.2}% either way, \
         {walks} walks)"
    )
}

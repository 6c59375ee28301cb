//! `perft work`: counting the units that nobody has counted.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use crate::campaign::{Campaign, Ranges, Shard, WorkOptions, WorkReport, work};
use clap::Args;
use perft_core::Progress;

use super::args::UnitCountingArgs;
use super::campaign::worker;
use super::context::Context;
use super::error::CliError;
use super::progress::watch;

const EXAMPLES: &str = "\
Examples:
  perft work nine --threads all --hash 4G
  perft work nine --shard 3/8          one of eight machines, if they do not share the folder
  perft work nine --units 17,20-25     only these";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct WorkArgs {
    /// The folder of the campaign, from perft plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Every N-th unit from the I-th on
    #[arg(long, value_name = "I/N", default_value = "1/1", help_heading = "Campaign")]
    shard: Shard,
    /// These units only: 17,20-25
    #[arg(long, value_name = "UNITS", help_heading = "Campaign")]
    units: Option<Ranges>,
    #[command(flatten)]
    counting: UnitCountingArgs,
    /// The seed of the table's keys [default: 0]
    #[arg(long, value_name = "N", help_heading = "Counting")]
    seed: Option<u64>,
}

/// Runs the verb.
pub fn run(args: WorkArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let campaign = Campaign::open(&args.folder)?;
    let counting = args.counting.build(args.seed, context)?;
    let worker = worker(&counting, args.seed.unwrap_or(0));
    let start = Instant::now();
    let options = WorkOptions { shard: args.shard, only: args.units, worker, clock: &|| start.elapsed() };
    let progress = Progress::new(context.stop.clone());
    let report = watch(context, "work", &progress, || work(&campaign, &counting.perft, &options, &progress))?;
    counting.print_table_statistics(context);
    if let Some(unit) = report.abandoned {
        return Err(interrupted(&report, unit));
    }
    let WorkReport { asked, found_done, counted, .. } = report;
    let by_others = asked - found_done - counted;
    writeln!(
        out,
        "{asked} units: {found_done} were done, {counted} counted now, {by_others} by others meanwhile"
    )?;
    Ok(ExitCode::SUCCESS)
}

fn interrupted(report: &WorkReport, unit: u32) -> CliError {
    let WorkReport { counted, left, .. } = report;
    CliError::Interrupted(format!(
        "unit {unit} is given up; {counted} units were counted and are saved, {} are left; the same command goes on",
        left.len()
    ))
}

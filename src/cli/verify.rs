//! `perft verify`: counting some units again.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use perft::campaign::{Campaign, Recount, Sample, Shard, VerifyReport, WorkOptions, verify};
use perft::perft::Progress;
use perft::report::grouped;

use super::Context;
use super::args::UnitCountingArgs;
use super::campaign::{ON_CONTRADICTION, delivery_line, worker};
use super::failure::Failure;
use super::progress::watch;

const EXAMPLES: &str = "\
Examples:
  perft verify nine                                  one unit in a hundred, without a table
  perft verify nine --sample all --hash 4G           all of them, with keys that were not used yet";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}"
)]
pub struct VerifyArgs {
    /// The folder of the campaign, from perft plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// How many of the units that were counted: 1%, 20 or all
    #[arg(long, value_name = "SAMPLE", default_value = "1%", help_heading = "Campaign")]
    sample: Sample,
    #[command(flatten)]
    counting: UnitCountingArgs,
    /// What the sample is chosen by, and the seed of the table's keys, which must be new [default: the least that is]
    #[arg(long, value_name = "N", help_heading = "Counting")]
    seed: Option<u64>,
}

/// Runs the verb.
pub fn run(args: VerifyArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let campaign = Campaign::open(&args.folder)?;
    let seed = args.seed.map_or_else(|| campaign.unused_seed(), Ok)?;
    // Without a table there are no keys, and the seed only chooses the sample.
    let counting = args.counting.build(args.counting.hash.as_ref().map(|_| seed), context)?;
    let start = Instant::now();
    let clock = &|| start.elapsed();
    let worker = worker(&counting, seed);
    let options = WorkOptions { shard: Shard::WHOLE, only: None, worker, clock };
    let progress = Progress::new(context.stop.clone());
    let report = watch(context, "verify", &progress, || {
        verify(&campaign, args.sample, seed, &counting.perft, &options, &progress)
    })?;
    judge(&report, out)
}

fn judge(report: &VerifyReport, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let VerifyReport { done, chosen, recounted, wrong, was_interrupted } = report;
    if !wrong.is_empty() {
        return Err(differ(wrong, *recounted));
    }
    if *done == 0 {
        return Err(Failure::usage("no unit was counted yet").help("perft work DIR counts them"));
    }
    if *was_interrupted {
        let chosen = chosen.len();
        return Err(Failure::Interrupted(format!(
            "{recounted} of {chosen} units were counted again; all agree"
        )));
    }
    writeln!(out, "{recounted} of {done} units counted again; all agree: {chosen}")?;
    Ok(ExitCode::SUCCESS)
}

fn differ(wrong: &[Recount], recounted: u32) -> Failure {
    let count = wrong.len();
    let mut lines = vec![format!("{count} of {recounted} units that were counted again differ")];
    for Recount { before, now } in wrong {
        lines.push(format!("unit {}: {} now", now.unit, grouped(now.nodes)));
        lines.push(delivery_line(before));
    }
    Failure::Contradiction { message: lines.join("\n"), help: ON_CONTRADICTION.to_owned() }
}

//! `perft verify`: counting some units again.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use crate::campaign::{
    Campaign, CampaignError, Counter, Recount, Sample, Shard, UnitPosition, VerifyReport, WorkOptions, verify,
};
use crate::engine::Engine;
use crate::report::grouped;
use clap::Args;
use perft_core::Position;
use perft_core::{Interrupted, Perft, Progress, StopSignal};
use perft_diagnosis::source::{EngineError, Question};

use super::args::UnitCountingArgs;
use super::campaign::{ON_CONTRADICTION, delivery_line, worker};
use super::context::Context;
use super::engine::EngineArgs;
use super::error::CliError;
use super::progress::watch;

const EXAMPLES: &str = "\
Examples:
  perft verify nine                                  one unit in a hundred, without a table
  perft verify nine --sample all --hash 4G           all of them, with keys that were not used yet
  perft verify nine --sample 1 --engine stockfish    one of them, by another program";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct VerifyArgs {
    /// The folder of the campaign, from perft plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// How many of the units that were counted: 1%, 20 or all
    #[arg(long, value_name = "SAMPLE", default_value = "1%", help_heading = "Campaign")]
    sample: Sample,
    #[command(flatten)]
    counting: UnitCountingArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// What the sample is chosen by, and the seed of the table's keys, which must be new [default: the least that is]
    #[arg(long, value_name = "N", help_heading = "Counting")]
    seed: Option<u64>,
}

/// Runs the verb.
pub fn run(args: VerifyArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    if args.engine.is_given() {
        args.counting.refuse_with_engine()?;
    }
    let campaign = Campaign::open(&args.folder)?;
    let mut engine = args.engine.build(&context.stop)?.map(Engine::new);
    let seed = args.seed.map_or_else(|| campaign.unused_seed(), Ok)?;
    // Without a table there are no keys, and the seed only chooses the sample.
    let counting = args.counting.build(args.counting.table.hash.map(|_| seed), context)?;
    let start = Instant::now();
    let clock = &|| start.elapsed();
    let mut worker = worker(&counting, seed);
    if let Some(engine) = &mut engine {
        engine.start(&context.stop)?;
        worker.cpu_path = engine.name().unwrap_or("another program").to_owned();
    }
    let options = WorkOptions { shard: Shard::WHOLE, only: None, worker, clock };
    let progress = Progress::new(context.stop.clone());
    let report = watch(context, "verify", &progress, || {
        let recount = |counter| verify(&campaign, args.sample, seed, counter, &options, &progress);
        match &mut engine {
            None => recount(Counter::Own(&counting.perft)),
            Some(engine) => {
                recount(Counter::Other(&mut |position, depth| ask(engine, position, depth, &context.stop)))
            }
        }
    })?;
    match &mut engine {
        Some(engine) if !report.wrong.is_empty() => {
            Err(disagreement(&report, &campaign, &counting.perft, engine, &context.stop)?)
        }
        _ => judge(&report, out),
    }
}

fn ask(
    engine: &mut Engine,
    position: &Position,
    depth: u32,
    stop: &StopSignal,
) -> Result<u128, CampaignError> {
    match engine.ask(&Question::about(position, depth), stop) {
        Ok(answer) => Ok(answer.total()),
        Err(EngineError::Interrupted) => Err(Interrupted.into()),
        Err(error) => Err(CampaignError::NoRecount { fen: position.to_string(), why: error.to_string() }),
    }
}

/// The units in which another program differs, and the first position in which it differs from what this one counts now.
fn disagreement(
    report: &VerifyReport,
    campaign: &Campaign,
    perft: &Perft,
    engine: &mut Engine,
    stop: &StopSignal,
) -> Result<CliError, CliError> {
    let VerifyReport { recounted, wrong, .. } = report;
    let (count, first) = (wrong.len(), &wrong[0]);
    let mut message = format!("{count} of {recounted} units that another program counted again differ\n");
    message += &format!("unit {}: {} by it\n", first.now.unit, grouped(first.now.nodes));
    message += &delivery_line(&first.before);
    let depth = campaign.manifest().rest();
    for UnitPosition { position, .. } in campaign.read_unit(first.now.unit)? {
        let ours = perft.count(&position, depth, &Progress::new(stop.clone()))?;
        let theirs = ask(engine, &position, depth, stop)?;
        if ours != theirs {
            message += &format!(
                "\n  {position} at depth {depth}: {} by it, {} by this program",
                grouped(theirs),
                grouped(ours)
            );
            let help = "see who is right: perft hunt --engine CMD --fen FEN --depth N, with this position";
            return Ok(CliError::Contradiction { message, help: help.to_owned() });
        }
    }
    message += "\n  this program now counts as the other one does: the count in the journal is wrong";
    Ok(CliError::Contradiction { message, help: ON_CONTRADICTION.to_owned() })
}

fn judge(report: &VerifyReport, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let VerifyReport { done, chosen, recounted, wrong, was_interrupted } = report;
    if !wrong.is_empty() {
        return Err(differ(wrong, *recounted));
    }
    if *done == 0 {
        return Err(CliError::usage("no unit was counted yet").help("perft work DIR counts them"));
    }
    if *was_interrupted {
        let chosen = chosen.len();
        return Err(CliError::Interrupted(format!(
            "{recounted} of {chosen} units were counted again; all agree"
        )));
    }
    writeln!(out, "{recounted} of {done} units counted again; all agree: {chosen}")?;
    Ok(ExitCode::SUCCESS)
}

fn differ(wrong: &[Recount], recounted: u32) -> CliError {
    let count = wrong.len();
    let mut lines = vec![format!("{count} of {recounted} units that were counted again differ")];
    for Recount { before, now } in wrong {
        lines.push(format!("unit {}: {} now", now.unit, grouped(now.nodes)));
        lines.push(delivery_line(before));
    }
    CliError::Contradiction { message: lines.join("\n"), help: ON_CONTRADICTION.to_owned() }
}

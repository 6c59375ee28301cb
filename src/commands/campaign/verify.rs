//! `perft campaign verify`: counts a sample of the work units of a campaign again, and compares.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use perft_core::CastlingNotation;
use perft_count::Progress;
use perft_diagnosis::Chess960Source;
use perft_diagnosis::source::CountSource;

use super::{ON_CONTRADICTION, contradiction, count_line, worker};
use crate::campaign::{Campaign, CampaignError, Recount, UnitCounter, VerifyReport};
use crate::engine::Engine;
use crate::input::BasicCountingArgs;
use crate::input::engine::{EngineArgs, NO_EFFECT};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::terminal::watch;
use crate::output::{agreeing, grouped, number_of};

const EXAMPLES: &str = "\
Examples:
  perft campaign verify nine                             1% of the units, no table
  perft campaign verify nine --sample all --hash 4G      all units, new hash keys
  perft campaign verify nine stockfish                   1% of the units, by an engine";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct VerifyArgs {
    /// Folder of the campaign, created by perft campaign plan, and an engine that counts instead of this program
    #[arg(value_names = ["DIR", "ENGINE"], num_args = 1..=2, required = true)]
    words: Vec<String>,
    /// How many of the counted work units to count again, chosen at random: a percentage, rounded up to whole units, or
    /// all
    #[arg(long, value_name = "P%", value_parser = parse_sample, default_value = "1%", help_heading = "Campaign")]
    sample: f64,
    #[command(flatten)]
    counting: BasicCountingArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Parses a sample and returns it in percent.
fn parse_sample(text: &str) -> Result<f64, String> {
    let percent = if text == "all" { "100" } else { text.strip_suffix('%').unwrap_or_default() };
    let percent = percent.trim().parse().ok().filter(|percent| 0.0 < *percent && *percent <= 100.0);
    percent.ok_or_else(|| "give a percentage such as 1%, or all".to_owned())
}

pub fn run(mut args: VerifyArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    args.engine.take_from(&mut args.words)?;
    let [folder] = args.words.as_slice() else {
        return Err(
            CliError::usage("a campaign is one folder").help("give one folder, and at most one engine")
        );
    };
    let campaign = Campaign::open(Path::new(folder))?;
    if args.engine.text().is_some() {
        context.given.refuse::<BasicCountingArgs>(&[], NO_EFFECT)?;
        if campaign.manifest().statistics {
            let message = "this campaign counts kinds of moves, which an engine cannot count";
            return Err(CliError::usage(message).help("leave out --engine"));
        }
    }
    let spec = args.engine.build(context)?;
    let mut engine = spec.map(|spec| Chess960Source::new(Box::new(Engine::new(spec))));
    let seed = args.counting.table.hash.map(|_| campaign.unused_seed()).transpose()?;
    let counting = args.counting.build(seed, context)?;
    let mut worker = worker(&counting);
    if let Some(engine) = &mut engine {
        engine.prepare(&context.stop)?;
        if campaign.manifest().root().castling_notation() == CastlingNotation::Chess960 {
            engine.examine(&context.stop);
        }
        worker.cpu_path = engine.name().unwrap_or("unnamed engine").to_owned();
    }
    let start = Instant::now();
    let mut counter = UnitCounter {
        source: engine.as_mut().map(|engine| engine as &mut dyn CountSource),
        worker,
        clock: &|| start.elapsed(),
        ..UnitCounter::new(&campaign, &counting.perft)
    };
    let report = watch(context, "verify", |progress| counter.verify(args.sample, progress))?;
    match counter.source {
        Some(_) if !report.wrong.is_empty() => {
            Err(engine_disagrees(&report, &mut counter, &Progress::new(context.stop.clone())))
        }
        _ => conclude(&report, out),
    }
}

/// The advice if an engine counts a position differently each time it is asked.
const ENGINE_REPEATED: &str =
    "find out which one is right: perft hunt --engine CMD --fen FEN --depth N with this position";

/// The probable fault of an engine whose count of a position differs only after other questions.
const ENGINE_NOT_REPEATED: &str = "a table or a state of the engine is not reset after other questions, or chance decides; \
                                   the count in the journal is right";

/// The advice if the search for a position was interrupted.
const ENGINE_INTERRUPTED: &str = "run the same command again: if it is not interrupted, it names a position";

fn engine_disagrees(report: &VerifyReport, counter: &mut UnitCounter, progress: &Progress) -> CliError {
    let VerifyReport { recounted, wrong, .. } = report;
    let (count, first) = (wrong.len(), &wrong[0]);
    let beginning = format!(
        "the engine disagrees in {count} of the {} that it counted again\nunit {}: {} by the engine\n{}",
        number_of(*recounted, "unit"),
        first.now.unit,
        grouped(first.now.nodes),
        count_line(&first.before)
    );
    match explained(first, counter, progress) {
        Ok((difference, help)) => contradiction(format!("{beginning}\n  {difference}"), help),
        Err(CampaignError::Interrupted(_)) => contradiction(beginning, ENGINE_INTERRUPTED),
        Err(error) => error.into(),
    }
}

/// Looks for the first position of a unit in which the engine differs from the current count of this program. Returns
/// what was found, and the advice.
fn explained(
    Recount { before, now }: &Recount,
    counter: &mut UnitCounter,
    progress: &Progress,
) -> Result<(String, &'static str), CampaignError> {
    let (campaign, perft) = (counter.campaign, counter.perft);
    let depth = campaign.manifest().remaining_depth();
    let mut recounted: u128 = 0;
    for found in campaign.read_unit(now.unit, perft)? {
        let position = &found.position;
        let ours = perft.count_with_progress(position, depth, progress)?;
        recounted = recounted.saturating_add(ours.saturating_mul(found.multiplicity()));
        let theirs = counter.ask(position, progress)?;
        if ours != theirs {
            counter.source.iter_mut().for_each(|engine| engine.restart());
            let is_repeated = counter.ask(position, progress)? != ours;
            let (theirs, ours) = (grouped(theirs), grouped(ours));
            let counts = format!("{position} at depth {depth}: {theirs} by the engine");
            return Ok(match is_repeated {
                true => (format!("{counts}, {ours} by this program"), ENGINE_REPEATED),
                false => (
                    format!("{counts}, but {ours} in a fresh process, as by this program"),
                    ENGINE_NOT_REPEATED,
                ),
            });
        }
    }
    let (difference, help) = match recounted == before.counted.nodes {
        true => ("asked again, the engine counts as this program does", ENGINE_NOT_REPEATED),
        false => {
            ("this program now agrees with the engine: the count in the journal is wrong", ON_CONTRADICTION)
        }
    };
    Ok((difference.to_owned(), help))
}

/// Prints that all counts agree, or returns the error if they do not, or if there are none.
fn conclude(report: &VerifyReport, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let VerifyReport { done, chosen, recounted, wrong, was_interrupted } = report;
    if !wrong.is_empty() {
        return Err(counts_differ(wrong, *recounted));
    }
    if *done == 0 {
        return Err(
            CliError::usage("no unit has been counted yet").help("count them with perft campaign work DIR")
        );
    }
    if *was_interrupted {
        let chosen = chosen.len();
        return Err(CliError::Interrupted(format!(
            "{recounted} of {} counted again; all agree",
            number_of(chosen, "unit")
        )));
    }
    writeln!(out, "{recounted} of {} counted again; all agree: {chosen}", number_of(*done, "unit"))?;
    Ok(ExitCode::SUCCESS)
}

fn counts_differ(wrong: &[Recount], recounted: u32) -> CliError {
    let count = wrong.len();
    let mut lines = vec![format!(
        "{count} of {} {} when counted again",
        number_of(recounted, "unit"),
        agreeing(count, "differs", "differ")
    )];
    for Recount { before, now } in wrong {
        lines.push(format!("unit {}: {} now", now.unit, grouped(now.nodes)));
        lines.push(count_line(before));
    }
    contradiction(lines.join("\n"), ON_CONTRADICTION)
}

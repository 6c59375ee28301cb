//! `perft campaign verify`: counts a sample of the work units of a campaign again, and compares.
//!
//! A recount uses no table, or other hash keys than the first count. So it cannot repeat a false hit of a table. The
//! result is written to a journal like any count: if it agrees, it confirms the unit; if it differs, every later merge
//! reports the contradiction. A different count by an engine is only reported, because the engine may be wrong.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use clap::Args;
use perft_core::Position;
use perft_count::Progress;
use perft_count::internals::Share;
use perft_diagnosis::random::Random;
use perft_diagnosis::source::Question;

use super::journal::{CountedUnit, JournalLine, Ledger, Worker, append, journal_path, random_number};
use super::manifest::Campaign;
use super::unit::UnitPosition;
use super::work::{UnitCounter, ask};
use super::{ON_CONTRADICTION, contradiction, work_in};
use crate::input::{BasicCountingArgs, EngineArgs, NO_EFFECT, command, hunt_of};
use crate::output::{CliError, Context, agreeing, grouped, number_of, ranges, watch};

#[derive(Debug, Args)]
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

pub fn run(mut args: VerifyArgs, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    args.engine.take_from(&mut args.words, context)?;
    let [folder] = args.words.as_slice() else {
        return Err(
            CliError::usage("a campaign is one folder").help("give one folder, and at most one engine")
        );
    };
    let campaign = Campaign::open(Path::new(folder))?;
    if args.engine.text().is_some() {
        context.given.refuse::<BasicCountingArgs>(&[], NO_EFFECT)?;
        if campaign.manifest.statistics {
            let message = "this campaign counts kinds of moves, which an engine cannot count";
            return Err(CliError::usage(message).help("leave out --engine"));
        }
    }
    let spec = args.engine.build(context)?;
    let mut program = spec.map(|spec| spec.program(&context.stop));
    let seed = args.counting.hash.map(|_| unused_seed(&campaign)).transpose()?;
    let counting = args.counting.build(seed)?;
    let mut worker = Worker::new(&counting);
    if let Some(program) = &mut program {
        program.prepare()?;
        worker.cpu_path = program.name().unwrap_or_else(|| "unnamed engine".to_owned());
    }
    let mut counter = UnitCounter { campaign: &campaign, perft: &counting.perft, program, worker };
    let report = watch(context, "verify", |progress| counter.verify(args.sample, progress))?;
    match counter.program {
        Some(_) if !report.wrong.is_empty() => {
            Err(engine_disagrees(&report, &mut counter, &args.engine, context))
        }
        _ => conclude(&report, Path::new(folder), out),
    }
}

/// The result of verifying a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyReport {
    /// The number of units that had been counted.
    pub done: usize,
    /// The units that were chosen for a recount.
    pub chosen: BTreeSet<u32>,
    /// The number of chosen units that were recounted, in ascending order. It is smaller than the number of chosen
    /// units if the stop signal was raised.
    pub recounted: usize,
    /// The first counts that differ from their recounts, each with its recount.
    pub wrong: Vec<(JournalLine, CountedUnit)>,
}

/// Returns the smallest seed that no journal of a campaign contains.
///
/// # Errors
/// A journal cannot be read.
pub fn unused_seed(campaign: &Campaign) -> Result<u64, CliError> {
    let seeds = Ledger::read(campaign)?.seeds;
    Ok((0..=u64::MAX).find(|seed| !seeds.contains(&Some(*seed))).unwrap_or_default())
}

impl UnitCounter<'_> {
    /// Recounts `sample_percent` percent of the counted units, chosen at random, and compares the recounts with the
    /// first counts.
    ///
    /// # Errors
    /// A unit file is damaged, a journal cannot be read or written, or an engine gives no count.
    pub fn verify(&mut self, sample_percent: f64, progress: &Progress) -> Result<VerifyReport, CliError> {
        progress.restart();
        let ledger = Ledger::read(self.campaign)?;
        let done: Vec<&JournalLine> = ledger.first_counts.values().collect();
        let chosen = choose(&done, sample_percent, random_number());
        let mut report = VerifyReport {
            done: done.len(),
            chosen: chosen.iter().map(|line| line.counted.unit).collect(),
            recounted: 0,
            wrong: Vec::new(),
        };
        let journal = journal_path(self.campaign, &self.worker.host);
        let share = Share::WHOLE.split(chosen.len());
        for before in chosen {
            let now = match self.count(before.counted.unit, progress, share) {
                Err(CliError::Interrupted(_)) => return Ok(report),
                now => now?,
            };
            report.recounted += 1;
            let is_equal = before.counted.has_counts_of(&now);
            if is_equal || self.program.is_none() {
                append(&journal, &now)?;
            }
            if !is_equal {
                report.wrong.push((before.clone(), now));
            }
        }
        Ok(report)
    }
}

/// Returns a random sample in ascending order. Its size is rounded up. All samples are equally likely.
fn choose<T: Copy>(all: &[T], percent: f64, seed: u64) -> Vec<T> {
    let mut random = Random::new(seed);
    let mut pool: Vec<usize> = (0..all.len()).collect();
    let wanted = (pool.len() as f64 * percent / 100.0).ceil() as usize;
    for index in 0..wanted {
        let other = index + random.below(pool.len() - index);
        pool.swap(index, other);
    }
    pool.truncate(wanted);
    pool.sort_unstable();
    pool.into_iter().map(|index| all[index]).collect()
}

fn engine_disagrees(
    report: &VerifyReport,
    counter: &mut UnitCounter,
    engine: &EngineArgs,
    context: &Context,
) -> CliError {
    let VerifyReport { recounted, wrong, .. } = report;
    let (count, (before, now)) = (wrong.len(), &wrong[0]);
    let message = format!(
        "the engine disagrees in {count} of the {} that it counted again\nunit {}: {} by the engine\n{}",
        number_of(*recounted, "unit"),
        now.unit,
        grouped(now.nodes),
        before.line_of_text()
    );
    let depth = counter.campaign.manifest.remaining_depth();
    match find_differing_position(now.unit, counter, &Progress::new(context.stop.clone())) {
        Ok(Some((position, counts))) => {
            let message = format!("{message}\n  {position} at depth {depth}: {counts}");
            let (fen, depth) = (position.to_string(), depth.to_string());
            let place = ["--fen", &fen, "--depth", &depth].map(str::to_owned);
            let line = command(hunt_of(engine.text().unwrap_or_default()).into_iter().chain(place), context);
            let help = line.map(|line| format!("find out which one is right: {line}"));
            contradiction(message, &help.unwrap_or_default())
        }
        Ok(None) => contradiction(
            format!("{message}\n  asked again in a fresh process, the engine counts as this program does"),
            "run perft campaign verify without an engine: if it agrees with the journal, the engine counts wrong after \
             other questions",
        ),
        Err(CliError::Interrupted(_)) => contradiction(
            message,
            "run the same command again: if it is not interrupted, it names a position",
        ),
        Err(error) => error,
    }
}

/// Finds the first position of a unit in which a fresh process of the engine differs from this program, and the text
/// of both counts; `None` if they agree.
fn find_differing_position(
    unit: u32,
    counter: &mut UnitCounter,
    progress: &Progress,
) -> Result<Option<(Position, String)>, CliError> {
    let Some(program) = &mut counter.program else { return Ok(None) };
    program.restart();
    let depth = counter.campaign.manifest.remaining_depth();
    for UnitPosition { position, .. } in counter.campaign.read_unit(unit, counter.perft)? {
        let ours = counter.perft.count_with_progress(&position, depth, progress)?;
        let theirs = ask(program, &Question::new(&position, depth), Some(ours))?;
        if ours != theirs {
            let (ours, theirs) = (grouped(ours), grouped(theirs));
            return Ok(Some((position, format!("{theirs} by the engine, {ours} by this program"))));
        }
    }
    Ok(None)
}

/// Prints that all counts agree, or returns the error if they do not, or if there are none.
fn conclude(report: &VerifyReport, folder: &Path, out: &mut impl Write) -> Result<(), CliError> {
    let VerifyReport { done, chosen, recounted, wrong } = report;
    if !wrong.is_empty() {
        return Err(counts_differ(wrong, *recounted));
    }
    if *done == 0 {
        return Err(
            CliError::usage("no unit has been counted yet").suggest("count them with", &work_in(folder))
        );
    }
    if *recounted < chosen.len() {
        return Err(CliError::Interrupted(format!(
            "{recounted} of {} counted again; all agree",
            number_of(chosen.len(), "unit")
        )));
    }
    let (done, chosen) = (number_of(*done, "unit"), ranges(chosen.iter().copied(), ","));
    writeln!(out, "{recounted} of {done} counted again; all agree: {chosen}")?;
    Ok(())
}

fn counts_differ(wrong: &[(JournalLine, CountedUnit)], recounted: usize) -> CliError {
    let count = wrong.len();
    let mut lines = vec![format!(
        "{count} of {} {} when counted again",
        number_of(recounted, "unit"),
        agreeing(count, "differs", "differ")
    )];
    for (before, now) in wrong {
        lines.push(format!("unit {}: {} now", now.unit, grouped(now.nodes)));
        lines.push(before.line_of_text());
    }
    contradiction(lines.join("\n"), ON_CONTRADICTION)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_its_size_and_depends_on_the_seed() {
        let units: Vec<u32> = (1..=1000).collect();
        let chosen = choose(&units, 1.0, 7);
        assert_eq!(chosen.len(), 10);
        assert_eq!(chosen, choose(&units, 1.0, 7));
        assert_ne!(chosen, choose(&units, 1.0, 8));
        assert_eq!(choose(&units[..3], 1.0, 7).len(), 1);
        assert_eq!(choose(&units[..3], 100.0, 7), [1, 2, 3]);
        assert_eq!(choose::<u32>(&[], 1.0, 7), [0; 0]);
    }
}

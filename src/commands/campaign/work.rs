//! `perft campaign work`: counts the work units that have not been counted.
//!
//! A *claim* is a file that only one worker can create. It prevents two workers from counting the same unit, and
//! nothing more. A killed worker leaves its claims behind. So a worker that finds no unclaimed unit counts the claimed
//! units that are not in any journal, the one with the oldest claim first. (MapReduce calls such work at the end of a
//! job backup tasks: Dean and Ghemawat, 2004.)
//!
//! `perft campaign status` says how many work units are counted, claimed by workers, and left.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use clap::Args;
use perft_core::{Interrupted, Position};
use perft_count::internals::Share;
use perft_count::{LeafStatistics, Perft, Progress, WrongSum};
use perft_diagnosis::Program;
use perft_diagnosis::source::{Question, SourceError};

use super::journal::{CountedUnit, Ledger, Worker, append, journal_path};
use super::manifest::Campaign;
use super::unit::UnitPosition;
use super::{FORMAT_VERSION, too_many_nodes};
use crate::input::BasicCountingArgs;
use crate::output::terminal::format_duration;
use crate::output::{CliError, CliErrorKind, Context, agreeing, number_of, ranges, warn, watch};
use crate::system::files::{self, Kind};

#[derive(Debug, Args)]
pub struct WorkArgs {
    /// Folder of the campaign, created by perft campaign plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Count these work units only, such as 17,20-25
    #[arg(long, value_name = "UNITS", value_parser = parse_units, help_heading = "Campaign")]
    units: Option<Box<[RangeInclusive<u32>]>>,
    #[command(flatten)]
    counting: BasicCountingArgs,
}

/// Parses a list of ascending numbers and ranges. The ranges are not expanded: one may have billions of units.
fn parse_units(text: &str) -> Result<Box<[RangeInclusive<u32>]>, String> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        (0 < first && first <= last).then_some(first..=last)
    };
    let ranges: Option<Box<[RangeInclusive<u32>]>> = text.split(',').map(range).collect();
    let ranges = ranges.filter(|ranges| ranges.is_sorted_by(|a, b| a.end() < b.start()));
    ranges.ok_or_else(|| {
        format!("'{text}' is not a list of units; use ascending numbers and ranges such as 1-17,20,25-400")
    })
}

pub fn run(args: WorkArgs, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    let campaign = Campaign::open(&args.folder)?;
    let (units, asked) = (campaign.units(), args.units.unwrap_or_else(|| [1..=campaign.units()].into()));
    if let Some(absent) = asked.last().map(|range| *range.end()).filter(|&last| last > units) {
        return Err(CliError::usage(format!("--units: there is no unit {absent}; the campaign has {units}")));
    }
    let counting = args.counting.build(None)?;
    let worker = Worker::new(&counting);
    let mut counter = UnitCounter { campaign: &campaign, perft: &counting.perft, program: None, worker };
    let asked: Vec<u32> = asked.into_iter().flatten().collect();
    let report = watch(context, "work", |progress| counter.work(&asked, progress))?;
    counting.print_table_statistics();
    let WorkReport { asked, found_done, counted, left, abandoned } = report;
    if let Some(unit) = abandoned {
        return Err(CliError::Interrupted(format!(
            "unit {unit} was not finished; {} {} counted and saved, {left} left; run the same command to continue",
            number_of(counted, "unit"),
            agreeing(counted, "was", "were"),
        )));
    }
    let by_others = asked - found_done - counted;
    writeln!(
        out,
        "{}: {found_done} already counted, {counted} counted now, {by_others} counted by other workers \
         meanwhile",
        number_of(asked, "unit")
    )?;
    Ok(())
}

/// Counts work units of a campaign, and writes them to a journal of its own.
pub struct UnitCounter<'a> {
    pub campaign: &'a Campaign,
    /// Our driver. It counts all positions of a unit together, on all its threads.
    pub perft: &'a Perft,
    /// A program that counts instead of the driver. It is asked for one position at a time.
    pub program: Option<Program<'a>>,
    /// The information about this worker for the journal.
    pub worker: Worker,
}

/// The memory for merging equal positions below those of a unit, in bytes.
const MERGING_BYTES: usize = 256 << 20;

/// The result of working on a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkReport {
    /// The number of units that were requested.
    pub asked: usize,
    /// The number of requested units that had been counted before.
    pub found_done: usize,
    /// The number of units that this worker has counted.
    pub counted: usize,
    /// The number of requested units that have still not been counted.
    pub left: usize,
    /// The unit that was being counted when the stop signal was raised.
    pub abandoned: Option<u32>,
}

impl UnitCounter<'_> {
    /// Counts all `asked` units that are not in any journal, and writes each to a journal as soon as it is counted.
    ///
    /// When the stop signal of `progress` is raised, the current unit is abandoned; the counts before it are stored.
    ///
    /// # Errors
    /// A unit file is damaged, a journal cannot be read or written, or a sum does not fit into 128 bits.
    pub fn work(&mut self, asked: &[u32], progress: &Progress) -> Result<WorkReport, CliError> {
        progress.restart();
        let ledger = Ledger::read(self.campaign)?;
        let to_do: Vec<u32> =
            asked.iter().copied().filter(|unit| ledger.missing_units.contains(unit)).collect();
        let claims = Claims::of(self.campaign, format!("{} {}", self.worker.host, std::process::id()));
        fs::create_dir_all(&claims.folder).map_err(CliError::file("create", &claims.folder))?;
        let journal = journal_path(self.campaign, &self.worker.host);
        let share = Share::WHOLE.split(to_do.len());
        let mut unclaimed = to_do.iter().copied();
        let (mut counted, mut abandoned) = (0, None);
        while let Some(unit) = next_unit(self.campaign, &mut unclaimed, &to_do, &claims)? {
            match self.count(unit, progress, share).inspect_err(|_| claims.release(unit)) {
                Err(CliError::Interrupted(_)) => {
                    abandoned = Some(unit);
                    break;
                }
                line => append(&journal, &line?)?,
            }
            counted += 1;
        }
        let ledger = Ledger::read(self.campaign)?;
        let found_done = asked.len() - to_do.len();
        let left = to_do.iter().filter(|&unit| ledger.missing_units.contains(unit)).count();
        Ok(WorkReport { asked: asked.len(), found_done, counted, left, abandoned })
    }

    /// Counts a unit. Its file must not have changed since it was planned.
    pub fn count(&mut self, unit: u32, progress: &Progress, share: Share) -> Result<CountedUnit, CliError> {
        let begin = Instant::now();
        let found = self.campaign.read_unit(unit, self.perft)?;
        let manifest = &self.campaign.manifest;
        let has_kinds = manifest.statistics && self.program.is_none();
        // The kinds take several times as long as the plain count.
        let plain_share = if has_kinds { share.part(1, 8) } else { share };
        let counts = self.count_each(&found, progress, plain_share)?;
        let divide = divide(manifest.moves.len(), &found, &counts).ok_or_else(too_many_nodes)?;
        let nodes = checked_sum(&divide)?;
        let kinds = has_kinds.then(|| self.count_kinds(&found, nodes, progress, share.without(plain_share)));
        Ok(CountedUnit {
            format: FORMAT_VERSION,
            campaign: manifest.identity().to_owned(),
            unit,
            nodes,
            divide,
            statistics: kinds.transpose()?,
            seconds: begin.elapsed().as_secs_f64(),
            worker: self.worker.clone(),
        })
    }

    fn count_each(
        &mut self,
        unit: &[UnitPosition],
        progress: &Progress,
        share: Share,
    ) -> Result<Vec<u128>, CliError> {
        let depth = self.campaign.manifest.remaining_depth();
        let Some(program) = &mut self.program else {
            let positions: Vec<Position> = unit.iter().map(|found| found.position).collect();
            return Ok(self.perft.count_each_as(&positions, depth, progress, share)?);
        };
        let share = share.split(unit.len());
        let count = |found: &UnitPosition| {
            let counted = ask(program, &Question::new(&found.position, depth), None);
            counted.inspect(|&nodes| progress.add(nodes, share))
        };
        unit.iter().map(count).collect()
    }

    /// Counts the kinds of the leaf nodes of a unit, and compares their sum with `nodes`, the plain count.
    fn count_kinds(
        &self,
        unit: &[UnitPosition],
        nodes: u128,
        progress: &Progress,
        share: Share,
    ) -> Result<LeafStatistics, CliError> {
        let manifest = &self.campaign.manifest;
        let root = |found: &UnitPosition| Some((found.position, u64::try_from(found.multiplicity()).ok()?));
        let roots: Option<Vec<(Position, u64)>> = unit.iter().map(root).collect();
        let roots = roots.ok_or_else(too_many_nodes)?;
        let depth = manifest.remaining_depth();
        let kinds = self.perft.statistics_of_all(&roots, depth, MERGING_BYTES, progress, share)?;
        if kinds.nodes == nodes {
            return Ok(kinds);
        }
        let wrong = WrongSum { ply: manifest.depth, expected: nodes, found: kinds.nodes };
        Err(CliError::wrong(wrong))
    }
}

/// Asks a program for the number of leaf nodes below a position.
///
/// # Errors
/// The program gives no count, or refuses to and gives another one than `expected`, or its stop signal was raised.
pub fn ask(program: &mut Program, question: &Question, expected: Option<u128>) -> Result<u128, CliError> {
    let Question { fen, depth, .. } = question;
    match program.ask(question, expected) {
        Ok(answer) => answer.count().ok_or_else(|| {
            let total = answer.total();
            CliError::failed(
                CliErrorKind::Wrong,
                format!("the engine counts {total} nodes in {fen} at depth {depth}"),
            )
        }),
        Err(SourceError::Interrupted) => Err(Interrupted.into()),
        Err(error) => Err(CliError::engine(format!("{fen} is not counted again")).because(error)),
    }
}

/// The claims of a campaign, as seen by one worker.
pub struct Claims {
    folder: PathBuf,
    /// The content of this worker's claims. It is for people only; the program does not read it.
    worker: String,
}

impl Claims {
    pub fn of(campaign: &Campaign, worker: String) -> Claims {
        Claims { folder: campaign.folder.join("claims"), worker }
    }

    pub fn path(&self, unit: u32) -> PathBuf {
        self.folder.join(format!("{unit:06}"))
    }

    /// Claims a unit. Returns whether it now belongs to this worker; false means that another worker has claimed it.
    fn claim(&self, unit: u32) -> Result<bool, CliError> {
        let path = self.path(unit);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                // The existence of the file is what matters, not its content.
                let _ = writeln!(file, "{}", self.worker);
                Ok(true)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(CliError::file("create", &path)(error)),
        }
    }

    fn release(&self, unit: u32) {
        let _ = fs::remove_file(self.path(unit));
    }

    /// Returns the time of a claim by the clock of the file system, or `None` if the unit is not claimed.
    pub fn claimed_at(&self, unit: u32) -> Option<SystemTime> {
        fs::metadata(self.path(unit)).and_then(|claim| claim.modified()).ok()
    }
}

/// Claims the next unit to count, and returns it.
///
/// Unclaimed units are counted first. Then come the units that another worker has claimed but not counted, in case that
/// worker was killed. The oldest claim is taken over first. The new claim is then the youngest.
fn next_unit(
    campaign: &Campaign,
    unclaimed: &mut impl Iterator<Item = u32>,
    to_do: &[u32],
    claims: &Claims,
) -> Result<Option<u32>, CliError> {
    for unit in unclaimed {
        if claims.claim(unit)? {
            return Ok(Some(unit));
        }
    }
    let ledger = Ledger::read(campaign)?;
    let missing = to_do.iter().copied().filter(|unit| ledger.missing_units.contains(unit));
    let oldest = missing.min_by_key(|&unit| claims.claimed_at(unit));
    if let Some(unit) = oldest {
        claims.release(unit);
        let _ = claims.claim(unit);
    }
    Ok(oldest)
}

/// Returns the sum below each root move: each count times the number of paths. Returns `None` if a sum does not fit
/// into 128 bits.
fn divide(moves: usize, unit: &[UnitPosition], counts: &[u128]) -> Option<Vec<u128>> {
    let mut divide = vec![0_u128; moves];
    for (UnitPosition { paths, .. }, nodes) in unit.iter().zip(counts) {
        for (root, paths) in paths {
            let nodes = nodes.checked_mul(u128::from(*paths))?;
            divide[*root] = divide[*root].checked_add(nodes)?;
        }
    }
    Some(divide)
}

/// Returns the sum of numbers.
///
/// # Errors
/// It does not fit into 128 bits.
pub fn checked_sum(numbers: &[u128]) -> Result<u128, CliError> {
    numbers.iter().try_fold(0_u128, |sum, &number| sum.checked_add(number)).ok_or_else(too_many_nodes)
}

/// The largest size of a claim, in bytes.
const MAX_CLAIM_BYTES: u64 = 1024;

pub fn run_status(folder: &Path, out: &mut impl Write) -> Result<(), CliError> {
    let campaign = Campaign::open(folder)?;
    let ledger = Ledger::read(&campaign)?;
    ledger.ignored_lines.iter().for_each(|damage| warn(format!("ignored: {damage}")));
    let claims = Claims::of(&campaign, String::new());
    let (claimed, left): (Vec<u32>, Vec<u32>) =
        ledger.missing_units.iter().partition(|&&unit| claims.claimed_at(unit).is_some());
    let units = number_of(campaign.units(), "unit");
    let counted = &ledger.first_counts;
    writeln!(out, "{units}: {} counted, {} claimed, {} left", counted.len(), claimed.len(), left.len())?;
    for (what, units) in [("counted", ranges(counted.keys().copied(), ",")), ("left", ranges(left, ","))] {
        if !units.is_empty() {
            writeln!(out, "{what}: {units}")?;
        }
    }
    for unit in claimed {
        let worker = files::read_text(&claims.path(unit), Kind::Regular, MAX_CLAIM_BYTES).unwrap_or_default();
        let since = claims.claimed_at(unit).and_then(|at| at.elapsed().ok()).unwrap_or_default();
        writeln!(out, "claimed: {unit}, {} ago by {}", format_duration(since), worker.trim())?;
    }
    if !ledger.contradictions.is_empty() {
        writeln!(out, "contradictions: {}; perft campaign merge lists them", ledger.contradictions.len())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_beyond_128_bits_are_refused() {
        let of = |paths| UnitPosition { position: Position::start(), paths };
        let unit = [of(vec![(0, 2), (1, 3)]), of(vec![(1, 5)])];
        assert_eq!(divide(2, &unit, &[10, 1]), Some(vec![20, 35]));
        assert_eq!(divide(1, &[of(vec![(0, 2)])], &[1 << 127]), None);
        let twice = [of(vec![(0, 1)]), of(vec![(0, 1)])];
        assert_eq!(divide(1, &twice, &[1 << 127, 1 << 127]), None);
    }
}

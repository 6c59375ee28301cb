//! Working: counting the work units that have not been counted.

use std::time::Duration;

use perft_core::{Interrupted, Position, StopSignal};
use perft_count::internals::Share;
use perft_count::{LeafStatistics, Perft, Progress, WrongSum};
use perft_diagnosis::source::{CountSource, Question, SourceError};

use super::claims::Claims;
use super::error::CampaignError;
use super::files::create_subfolder;
use super::format::FORMAT_VERSION;
use super::journal::{CountedUnit, Journal, Worker};
use super::ledger::Ledger;
use super::manifest::{Manifest, checked_sum};
use super::opened::Campaign;
use super::ranges::Ranges;
use super::stored_statistics::StoredStatistics;
use super::unit::{RootPaths, UnitPosition};

/// What the journal needs to know besides the counts: the worker, and the time.
#[derive(Clone)]
pub struct WorkOptions<'a> {
    /// The information about this worker for the journal.
    pub worker: Worker,
    /// Returns the time since a fixed moment. Campaigns do not read a clock themselves.
    pub clock: &'a dyn Fn() -> Duration,
}

impl Default for WorkOptions<'_> {
    fn default() -> Self {
        WorkOptions { worker: Worker::default(), clock: &|| Duration::ZERO }
    }
}

/// The result of working on a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkReport {
    /// The number of units that were requested.
    pub asked: u32,
    /// The number of requested units that had been counted before.
    pub found_done: u32,
    /// The number of units that this worker has counted.
    pub counted: u32,
    /// The requested units that have still not been counted.
    pub left: Ranges,
    /// The unit that was being counted when the stop signal was raised.
    pub abandoned: Option<u32>,
}

/// Counts all `asked` units that are not in any journal, and writes each to a journal as soon as it is counted.
///
/// Unclaimed units are counted first. Then come the units that another worker has claimed but not counted, in case
/// that worker was killed. When the stop signal of `progress` is raised, the current unit is abandoned; the counts
/// before it are stored.
///
/// # Errors
/// The manifest is wrong about the tree; a unit file is damaged; a journal cannot be read or written; or a sum
/// does not fit into 128 bits.
pub fn work(
    campaign: &Campaign,
    asked: &Ranges,
    perft: &Perft,
    options: &WorkOptions,
    progress: &Progress,
) -> Result<WorkReport, CampaignError> {
    progress.restart();
    campaign.check_split(perft)?;
    let ledger = Ledger::read(campaign)?;
    let to_do: Vec<u32> = asked.iter().filter(|&unit| ledger.is_missing(unit)).collect();
    let mut report = WorkReport {
        asked: asked.len(),
        found_done: asked.len() - to_do.len() as u32,
        counted: 0,
        left: Ranges::default(),
        abandoned: None,
    };
    create_subfolder(&campaign.claims())?;
    let claims = Claims::new(campaign.claims(), format!("{} {}", options.worker.host, std::process::id()));
    let journal = Journal::new(campaign, &options.worker.host);
    let share = Share::WHOLE.split(to_do.len());
    let mut worker = UnitWorker { campaign, perft, options, progress, claims, journal, ledger, share };
    match worker.count_all(&to_do, &mut report) {
        Err(CampaignError::Interrupted(_)) => {}
        other => other?,
    }
    worker.ledger.refresh()?;
    report.left = to_do.into_iter().filter(|&unit| worker.ledger.is_missing(unit)).collect();
    Ok(report)
}

/// Counts units and writes them to its journal.
struct UnitWorker<'a> {
    campaign: &'a Campaign,
    perft: &'a Perft,
    options: &'a WorkOptions<'a>,
    progress: &'a Progress,
    claims: Claims,
    journal: Journal,
    ledger: Ledger<'a>,
    /// The share of one unit in the progress of the work.
    share: Share,
}

impl UnitWorker<'_> {
    fn count_all(&mut self, to_do: &[u32], report: &mut WorkReport) -> Result<(), CampaignError> {
        for &unit in to_do {
            if self.claims.claim(unit)? {
                self.count(unit, report)?;
            }
        }
        while let Some(unit) = self.oldest_claim(to_do)? {
            self.claims.take_over(unit);
            self.count(unit, report)?;
        }
        Ok(())
    }

    /// Returns the unit with the oldest claim among the units that have not been counted.
    fn oldest_claim(&mut self, to_do: &[u32]) -> Result<Option<u32>, CampaignError> {
        self.ledger.refresh()?;
        let missing = to_do.iter().copied().filter(|&unit| self.ledger.is_missing(unit));
        Ok(missing.min_by_key(|&unit| self.claims.claimed_at(unit)))
    }

    fn count(&mut self, unit: u32, report: &mut WorkReport) -> Result<(), CampaignError> {
        let mut counter = UnitCounter::Driver(self.perft);
        match count_unit(self.campaign, unit, &mut counter, self.options, self.progress, self.share) {
            Ok(counted) => {
                self.journal.append(&counted)?;
                report.counted += 1;
                Ok(())
            }
            Err(error) => {
                self.claims.release(unit);
                if error == Interrupted.into() {
                    report.abandoned = Some(unit);
                }
                Err(error)
            }
        }
    }
}

/// Counts a unit. Its file must not have changed since it was planned.
pub(super) fn count_unit(
    campaign: &Campaign,
    unit: u32,
    counter: &mut UnitCounter,
    options: &WorkOptions,
    progress: &Progress,
    share: Share,
) -> Result<CountedUnit, CampaignError> {
    let begin = (options.clock)();
    let found = match counter {
        UnitCounter::Driver(perft) => campaign.read_unit(unit, perft)?,
        UnitCounter::Source { .. } => campaign.read_unit(unit, &Perft::new())?,
    };
    let positions: Vec<Position> = found.iter().map(|found| found.position).collect();
    let manifest = campaign.manifest();
    // The kinds take several times as long as the plain count.
    let plain_share = if manifest.statistics { share.part(1, 8) } else { share };
    let counts = counter.count(&positions, manifest.remaining_depth(), progress, plain_share)?;
    let divide = divide(manifest.moves.len(), &found, &counts).ok_or(CampaignError::TooManyNodes)?;
    let nodes = checked_sum(&divide).ok_or(CampaignError::TooManyNodes)?;
    let statistics = match counter {
        UnitCounter::Driver(perft) if manifest.statistics => {
            let kinds = count_kinds(manifest, &found, nodes, perft, progress, share.without(plain_share))?;
            Some(StoredStatistics(kinds))
        }
        _ => None,
    };
    let seconds = (options.clock)().saturating_sub(begin).as_secs_f64();
    let Worker { host, version, cpu_path, seed } = options.worker.clone();
    Ok(CountedUnit {
        format: FORMAT_VERSION,
        campaign: manifest.identity().to_owned(),
        unit,
        nodes,
        divide,
        statistics,
        seconds,
        seed,
        version,
        cpu_path,
        host,
    })
}

/// The memory for merging equal positions below those of a unit, in bytes.
const MERGING_BYTES: usize = 256 << 20;

/// Counts the kinds of the leaf nodes of a unit, and compares their sum with the plain count of `nodes`.
fn count_kinds(
    manifest: &Manifest,
    unit: &[UnitPosition],
    nodes: u128,
    perft: &Perft,
    progress: &Progress,
    share: Share,
) -> Result<LeafStatistics, CampaignError> {
    let root = |found: &UnitPosition| Some((found.position, u64::try_from(found.multiplicity()).ok()?));
    let roots: Option<Vec<(Position, u64)>> = unit.iter().map(root).collect();
    let roots = roots.ok_or(CampaignError::TooManyNodes)?;
    let depth = manifest.remaining_depth();
    let kinds = perft.statistics_of_all(&roots, depth, MERGING_BYTES, progress, share)?;
    if kinds.nodes == nodes {
        Ok(kinds)
    } else {
        Err(WrongSum { ply: manifest.depth, expected: nodes, found: kinds.nodes }.into())
    }
}

/// The counter of the leaf nodes below the positions of a unit.
pub enum UnitCounter<'a> {
    /// Our driver. It counts all positions of a unit together, on all its threads.
    Driver(&'a Perft),
    /// Any other source of counts. It is asked for one position at a time.
    Source {
        /// The source.
        source: &'a mut dyn CountSource,
        /// The signal that ends a count.
        stop: &'a StopSignal,
    },
}

impl UnitCounter<'_> {
    fn count(
        &mut self,
        positions: &[Position],
        depth: u32,
        progress: &Progress,
        share: Share,
    ) -> Result<Vec<u128>, CampaignError> {
        match self {
            UnitCounter::Driver(perft) => Ok(perft.count_each_as(positions, depth, progress, share)?),
            UnitCounter::Source { source, stop } => {
                let share = share.split(positions.len());
                let count = |position| {
                    let nodes = ask(*source, position, depth, stop)?;
                    progress.add(nodes, share);
                    Ok(nodes)
                };
                positions.iter().map(count).collect()
            }
        }
    }
}

/// Asks a source for the count below a position.
///
/// # Errors
/// The source gives no count, or the stop signal was raised.
pub fn ask(
    source: &mut dyn CountSource,
    position: &Position,
    depth: u32,
    stop: &StopSignal,
) -> Result<u128, CampaignError> {
    match source.ask(&Question::new(position, depth), stop) {
        Ok(answer) => Ok(answer.total()),
        Err(SourceError::Interrupted) => Err(Interrupted.into()),
        Err(error) => Err(CampaignError::NoRecount { fen: position.to_string(), why: error.to_string() }),
    }
}

/// Returns the sum below each root move: each count times the number of paths. Returns `None` if a sum does not fit
/// into 128 bits.
fn divide(moves: usize, unit: &[UnitPosition], counts: &[u128]) -> Option<Vec<u128>> {
    let mut divide = vec![0_u128; moves];
    for (UnitPosition { paths, .. }, nodes) in unit.iter().zip(counts) {
        for RootPaths { root, paths } in paths {
            let nodes = nodes.checked_mul(u128::from(*paths))?;
            divide[*root] = divide[*root].checked_add(nodes)?;
        }
    }
    Some(divide)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_beyond_128_bits_are_refused() {
        let below = |root, paths| RootPaths { root, paths };
        let of = |paths| UnitPosition { position: Position::start(), paths };
        let unit = [of(vec![below(0, 2), below(1, 3)]), of(vec![below(1, 5)])];
        assert_eq!(divide(2, &unit, &[10, 1]), Some(vec![20, 35]));
        assert_eq!(divide(1, &[of(vec![below(0, 2)])], &[1 << 127]), None);
        let twice = [of(vec![below(0, 1)]), of(vec![below(0, 1)])];
        assert_eq!(divide(1, &twice, &[1 << 127, 1 << 127]), None);
    }
}

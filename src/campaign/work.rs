//! Working: counting the work units that have not been counted.

use std::time::Duration;

use perft_core::{Interrupted, Position};
use perft_count::internals::Share;
use perft_count::{LeafStatistics, Perft, Progress, WrongSum};
use perft_diagnosis::source::{CountSource, Question, SourceError};

use super::FORMAT_VERSION;
use super::error::CampaignError;
use super::files::create_folder;
use super::journal::{CountedUnit, Journal, Ledger, Worker};
use super::manifest::Ranges;
use super::opened::{Campaign, Claims};
use super::unit::{RootPaths, UnitPosition};

/// Counts work units of a campaign, and writes them to a journal of its own.
pub struct UnitCounter<'a> {
    /// The campaign.
    pub campaign: &'a Campaign,
    /// Our driver. It counts all positions of a unit together, on all its threads.
    pub perft: &'a Perft,
    /// Another source of counts, which counts instead of the driver. It is asked for one position at a time.
    pub source: Option<&'a mut dyn CountSource>,
    /// The information about this worker for the journal.
    pub worker: Worker,
    /// Returns the time since a fixed moment. Campaigns do not read a clock themselves.
    pub clock: &'a dyn Fn() -> Duration,
}

/// The memory for merging equal positions below those of a unit, in bytes.
const MERGING_BYTES: usize = 256 << 20;

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

impl<'a> UnitCounter<'a> {
    /// Counts with a driver, on an unknown machine and without a clock.
    pub fn new(campaign: &'a Campaign, perft: &'a Perft) -> UnitCounter<'a> {
        let worker = Worker::default();
        UnitCounter { campaign, perft, source: None, worker, clock: &|| Duration::ZERO }
    }

    /// Counts all `asked` units that are not in any journal, and writes each to a journal as soon as it is counted.
    ///
    /// When the stop signal of `progress` is raised, the current unit is abandoned; the counts before it are stored.
    ///
    /// # Errors
    /// A unit file is damaged, a journal cannot be read or written, or a sum does not fit into 128 bits.
    pub fn work(&mut self, asked: &Ranges, progress: &Progress) -> Result<WorkReport, CampaignError> {
        progress.restart();
        let ledger = Ledger::read(self.campaign)?;
        let to_do: Vec<u32> = asked.iter().filter(|&unit| ledger.is_missing(unit)).collect();
        create_folder(&self.campaign.claims())?;
        let name = format!("{} {}", self.worker.host, std::process::id());
        let claims = Claims::new(self.campaign.claims(), name);
        let mut journal = Journal::new(self.campaign, &self.worker.host);
        let share = Share::WHOLE.split(to_do.len());
        let mut unclaimed = to_do.iter().copied();
        let (mut counted, mut abandoned) = (0, None);
        while let Some(unit) = next_unit(self.campaign, &mut unclaimed, &to_do, &claims)? {
            match self.count(unit, progress, share).inspect_err(|_| claims.release(unit)) {
                Err(CampaignError::Interrupted(_)) => {
                    abandoned = Some(unit);
                    break;
                }
                line => journal.append(&line?)?,
            }
            counted += 1;
        }
        let ledger = Ledger::read(self.campaign)?;
        let found_done = asked.len() - to_do.len() as u32;
        let left = to_do.into_iter().filter(|&unit| ledger.is_missing(unit)).collect();
        Ok(WorkReport { asked: asked.len(), found_done, counted, left, abandoned })
    }

    /// Counts a unit. Its file must not have changed since it was planned.
    pub(super) fn count(
        &mut self,
        unit: u32,
        progress: &Progress,
        share: Share,
    ) -> Result<CountedUnit, CampaignError> {
        let begin = (self.clock)();
        let found = self.campaign.read_unit(unit, self.perft)?;
        let manifest = self.campaign.manifest();
        let has_kinds = manifest.statistics && self.source.is_none();
        // The kinds take several times as long as the plain count.
        let plain_share = if has_kinds { share.part(1, 8) } else { share };
        let counts = self.count_each(&found, progress, plain_share)?;
        let divide = divide(manifest.moves.len(), &found, &counts).ok_or(CampaignError::TooManyNodes)?;
        let nodes = checked_sum(&divide)?;
        let kinds = has_kinds.then(|| self.count_kinds(&found, nodes, progress, share.without(plain_share)));
        let statistics = kinds.transpose()?;
        let seconds = (self.clock)().saturating_sub(begin).as_secs_f64();
        let Worker { host, version, cpu_path, seed } = self.worker.clone();
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

    fn count_each(
        &mut self,
        unit: &[UnitPosition],
        progress: &Progress,
        share: Share,
    ) -> Result<Vec<u128>, CampaignError> {
        if self.source.is_none() {
            let positions: Vec<Position> = unit.iter().map(|found| found.position).collect();
            let depth = self.campaign.manifest().remaining_depth();
            return Ok(self.perft.count_each_as(&positions, depth, progress, share)?);
        }
        let share = share.split(unit.len());
        let count = |found: &UnitPosition| {
            self.ask(&found.position, progress).inspect(|&nodes| progress.add(nodes, share))
        };
        unit.iter().map(count).collect()
    }

    /// Counts the kinds of the leaf nodes of a unit, and compares their sum with the plain count of `nodes`.
    fn count_kinds(
        &self,
        unit: &[UnitPosition],
        nodes: u128,
        progress: &Progress,
        share: Share,
    ) -> Result<LeafStatistics, CampaignError> {
        let manifest = self.campaign.manifest();
        let root = |found: &UnitPosition| Some((found.position, u64::try_from(found.multiplicity()).ok()?));
        let roots: Option<Vec<(Position, u64)>> = unit.iter().map(root).collect();
        let roots = roots.ok_or(CampaignError::TooManyNodes)?;
        let depth = manifest.remaining_depth();
        let kinds = self.perft.statistics_of_all(&roots, depth, MERGING_BYTES, progress, share)?;
        if kinds.nodes == nodes {
            Ok(kinds)
        } else {
            Err(WrongSum { ply: manifest.depth, expected: nodes, found: kinds.nodes }.into())
        }
    }

    /// Returns the number of leaf nodes below a position at the split. The other source counts them, if there is one.
    ///
    /// # Errors
    /// The source gives no count, or the stop signal of `progress` was raised.
    pub fn ask(&mut self, position: &Position, progress: &Progress) -> Result<u128, CampaignError> {
        let depth = self.campaign.manifest().remaining_depth();
        let Some(source) = &mut self.source else {
            return Ok(self.perft.count_with_progress(position, depth, progress)?);
        };
        match source.ask(&Question::new(position, depth), progress.stop_signal()) {
            Ok(answer) => Ok(answer.total()),
            Err(SourceError::Interrupted) => Err(Interrupted.into()),
            Err(error) => Err(CampaignError::NoRecount { fen: position.to_string(), why: error.to_string() }),
        }
    }
}

/// Claims the next unit to count, and returns it.
///
/// Unclaimed units are counted first. Then come the units that another worker has claimed but not counted, in case that
/// worker was killed. The oldest claim is taken over first.
fn next_unit(
    campaign: &Campaign,
    unclaimed: &mut impl Iterator<Item = u32>,
    to_do: &[u32],
    claims: &Claims,
) -> Result<Option<u32>, CampaignError> {
    for unit in unclaimed {
        if claims.claim(unit)? {
            return Ok(Some(unit));
        }
    }
    let ledger = Ledger::read(campaign)?;
    let missing = to_do.iter().copied().filter(|&unit| ledger.is_missing(unit));
    let oldest = missing.min_by_key(|&unit| claims.claimed_at(unit));
    Ok(oldest.inspect(|&unit| claims.take_over(unit)))
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

/// Returns the sum of numbers.
///
/// # Errors
/// It does not fit into 128 bits.
pub(super) fn checked_sum(numbers: &[u128]) -> Result<u128, CampaignError> {
    numbers.iter().try_fold(0_u128, |sum, &number| sum.checked_add(number)).ok_or(CampaignError::TooManyNodes)
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

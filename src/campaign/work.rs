//! Work: counting the units that nobody has counted yet.

use std::time::Duration;

use super::Campaign;
use super::claims::Claims;
use super::error::CampaignError;
use super::files::make_folder;
use super::journal::{CountedUnit, Journal, Worker};
use super::ledger::Ledger;
use super::ranges::{Ranges, Shard};
use super::unit::{RootPaths, UnitPosition};
use perft_core::Position;
use perft_core::internals::Share;
use perft_core::{Interrupted, Perft, Progress};

/// The time since some moment. The library has no clock of its own.
pub type Clock<'a> = &'a dyn Fn() -> Duration;

/// Which units to count, and what to write down beside the counts.
#[derive(Clone)]
pub struct WorkOptions<'a> {
    /// The units to choose from.
    pub shard: Shard,
    /// Only these units, if any are given.
    pub only: Option<Ranges>,
    /// Who counts.
    pub worker: Worker,
    /// What time it is.
    pub clock: Clock<'a>,
}

impl Default for WorkOptions<'_> {
    fn default() -> Self {
        WorkOptions { shard: Shard::WHOLE, only: None, worker: Worker::default(), clock: &|| Duration::ZERO }
    }
}

/// What came of the work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkReport {
    /// The units that were asked for.
    pub asked: u32,
    /// Those of them that had been counted before.
    pub found_done: u32,
    /// Those that this worker has counted.
    pub counted: u32,
    /// Those that are still missing.
    pub left: Ranges,
    /// The unit that was given up when the stop signal was raised.
    pub abandoned: Option<u32>,
}

/// Counts all units of a shard that are not in any journal, and writes each into a journal as soon as it is counted.
///
/// First come the units that nobody has claimed. Those that were claimed and not delivered follow, in case the claimant
/// has died. When the stop signal of `progress` is raised the unit at hand is given up; what was counted before is safe.
///
/// # Errors
/// A unit file is damaged; a journal cannot be read or written; a sum is beyond 128 bits.
pub fn work(
    campaign: &Campaign,
    perft: &Perft,
    options: &WorkOptions,
    progress: &Progress,
) -> Result<WorkReport, CampaignError> {
    progress.restart();
    let ledger = Ledger::read(campaign)?;
    let is_asked = |unit: u32| {
        options.shard.contains(unit) && options.only.as_ref().is_none_or(|only| only.contains(unit))
    };
    let asked: Vec<u32> = (1..=campaign.units()).filter(|&unit| is_asked(unit)).collect();
    let to_do: Vec<u32> = asked.iter().copied().filter(|&unit| ledger.delivery(unit).is_none()).collect();
    let mut report = WorkReport {
        asked: asked.len() as u32,
        found_done: (asked.len() - to_do.len()) as u32,
        counted: 0,
        left: Ranges::default(),
        abandoned: None,
    };
    make_folder(&campaign.claims())?;
    let claims = Claims::new(campaign.claims(), format!("{} {}", options.worker.host, std::process::id()));
    let journal = Journal::new(campaign, &options.worker.host);
    let share = Share::WHOLE.split(to_do.len());
    let mut hand = Hand { campaign, perft, options, progress, claims, journal, ledger, share };
    match hand.count_all(&to_do, &mut report) {
        Err(CampaignError::Interrupted(_)) => {}
        other => other?,
    }
    hand.ledger.refresh()?;
    report.left = to_do.into_iter().filter(|&unit| hand.ledger.delivery(unit).is_none()).collect();
    Ok(report)
}

/// A worker at work.
struct Hand<'a> {
    campaign: &'a Campaign,
    perft: &'a Perft,
    options: &'a WorkOptions<'a>,
    progress: &'a Progress,
    claims: Claims,
    journal: Journal,
    ledger: Ledger<'a>,
    /// What a unit is of the work in progress.
    share: Share,
}

impl Hand<'_> {
    fn count_all(&mut self, to_do: &[u32], report: &mut WorkReport) -> Result<(), CampaignError> {
        for &unit in to_do {
            if self.claims.claim(unit)? {
                self.count(unit, report)?;
            }
        }
        while let Some(unit) = self.longest_claimed(to_do)? {
            self.claims.take_over(unit);
            self.count(unit, report)?;
        }
        Ok(())
    }

    /// Of the units that were claimed and not delivered, the one with the oldest claim.
    fn longest_claimed(&mut self, to_do: &[u32]) -> Result<Option<u32>, CampaignError> {
        self.ledger.refresh()?;
        let undelivered = to_do.iter().copied().filter(|&unit| self.ledger.delivery(unit).is_none());
        Ok(undelivered.min_by_key(|&unit| self.claims.since(unit)))
    }

    fn count(&mut self, unit: u32, report: &mut WorkReport) -> Result<(), CampaignError> {
        let entry = match self.entry(unit) {
            Ok(entry) => entry,
            Err(error) => {
                self.claims.release(unit);
                if error == Interrupted.into() {
                    report.abandoned = Some(unit);
                }
                return Err(error);
            }
        };
        self.journal.append(&entry)?;
        report.counted += 1;
        Ok(())
    }

    fn entry(&self, unit: u32) -> Result<CountedUnit, CampaignError> {
        count_unit(
            self.campaign,
            unit,
            &mut Counter::Own(self.perft),
            self.options,
            self.progress,
            self.share,
        )
    }
}

/// Counts a unit, whose file must be as it was planned.
pub(super) fn count_unit(
    campaign: &Campaign,
    unit: u32,
    counter: &mut Counter,
    options: &WorkOptions,
    progress: &Progress,
    share: Share,
) -> Result<CountedUnit, CampaignError> {
    let before = (options.clock)();
    let unit_positions = match counter {
        Counter::Own(perft) => campaign.read_unit_on(perft, unit)?,
        Counter::Other(_) => campaign.read_unit(unit)?,
    };
    let (positions, ways): (Vec<Position>, Vec<Vec<RootPaths>>) =
        unit_positions.into_iter().map(|UnitPosition { position, ways }| (position, ways)).unzip();
    let counts = counter.count(&positions, campaign.manifest.rest(), progress, share)?;
    let divide = divide(campaign.manifest.moves.len(), &counts, &ways).ok_or(CampaignError::TooManyNodes)?;
    let seconds = (options.clock)().saturating_sub(before).as_secs_f64();
    CountedUnit::new(&campaign.manifest, unit, divide, seconds, &options.worker)
}

/// Who counts below the positions of a unit.
pub enum Counter<'a> {
    /// A driver of ours.
    Own(&'a Perft),
    /// Another program, which is asked for one position and depth after the other.
    Other(&'a mut dyn FnMut(&Position, u32) -> Result<u128, CampaignError>),
}

impl Counter<'_> {
    fn count(
        &mut self,
        positions: &[Position],
        depth: u32,
        progress: &Progress,
        share: Share,
    ) -> Result<Vec<u128>, CampaignError> {
        let ask = match self {
            Counter::Own(perft) => return Ok(perft.count_each_as(positions, depth, progress, share)?),
            Counter::Other(ask) => ask,
        };
        let share = share.split(positions.len());
        let one = |position| {
            let nodes = ask(position, depth)?;
            progress.add(nodes, share);
            Ok(nodes)
        };
        positions.iter().map(one).collect()
    }
}

/// Adds the counts up below each root move, as often as it leads there; `None` beyond 128 bits.
fn divide(moves: usize, counts: &[u128], ways: &[Vec<RootPaths>]) -> Option<Vec<u128>> {
    let mut divide = vec![0_u128; moves];
    for (nodes, ways) in counts.iter().zip(ways) {
        for RootPaths { root, ways } in ways {
            let nodes = nodes.checked_mul(u128::from(*ways))?;
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
        let way = |root, ways| RootPaths { root, ways };
        assert_eq!(divide(2, &[10, 1], &[vec![way(0, 2), way(1, 3)], vec![way(1, 5)]]), Some(vec![20, 35]));
        assert_eq!(divide(1, &[1 << 127], &[vec![way(0, 2)]]), None);
        assert_eq!(divide(1, &[1 << 127, 1 << 127], &[vec![way(0, 1)], vec![way(0, 1)]]), None);
    }
}

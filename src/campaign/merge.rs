//! Merging: the total of all work units, or the reasons why there is none.
//!
//! Verifying recounts some work units. A recount uses no table, or other hash keys than the first count. So it cannot
//! repeat a false hit of a table. The result is written to a journal like any count: if it agrees, it confirms the
//! unit; if it differs, every later merge reports the contradiction. A different count by an engine is only reported,
//! because the engine may be wrong.

use perft_count::internals::Share;
use perft_count::{LeafStatistics, Progress};
use perft_diagnosis::random::Random;

use super::error::CampaignError;
use super::journal::{CountedUnit, Journal, JournalLine, Ledger, random_number};
use super::manifest::Ranges;
use super::opened::Campaign;
use super::work::{UnitCounter, checked_sum};

/// The result of merging the journals of a campaign.
#[derive(Debug)]
pub struct Merged<'a> {
    /// The leaf nodes, if all units have been counted and no two counts of a unit differ.
    pub nodes: Option<u128>,
    /// The leaf nodes below each root move, in the order of the manifest, under the same conditions.
    pub divide: Option<Vec<u128>>,
    /// The kinds of the leaf nodes, under the same conditions, if the campaign counts them.
    pub statistics: Option<LeafStatistics>,
    /// The content of the journals.
    pub ledger: Ledger<'a>,
}

/// Reads all journals and adds the counts. Unit files are not read, because they were checked when they were counted.
///
/// # Errors
/// A journal cannot be read, or the sum does not fit into 128 bits.
pub fn merge(campaign: &Campaign) -> Result<Merged<'_>, CampaignError> {
    let ledger = Ledger::read(campaign)?;
    if !ledger.missing().is_empty() || !ledger.contradictions.is_empty() {
        return Ok(Merged { nodes: None, divide: None, statistics: None, ledger });
    }
    let divide = total_divide(campaign, &ledger)?;
    let nodes = checked_sum(&divide)?;
    let kinds = ledger.first_counts().filter_map(|line| line.counted.statistics);
    // There are not more leaf nodes of a kind than there are leaf nodes, so these sums fit into 128 bits too.
    let statistics = campaign.manifest().statistics.then(|| kinds.sum());
    Ok(Merged { nodes: Some(nodes), divide: Some(divide), statistics, ledger })
}

fn total_divide(campaign: &Campaign, ledger: &Ledger) -> Result<Vec<u128>, CampaignError> {
    let mut total = vec![0_u128; campaign.manifest().moves.len()];
    for line in ledger.first_counts() {
        for (sum, nodes) in total.iter_mut().zip(&line.counted.divide) {
            *sum = sum.checked_add(*nodes).ok_or(CampaignError::TooManyNodes)?;
        }
    }
    Ok(total)
}

/// A work unit whose recount differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Recount {
    /// The first count.
    pub before: JournalLine,
    /// The recount.
    pub now: CountedUnit,
}

/// The result of verifying a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyReport {
    /// The number of units that had been counted.
    pub done: u32,
    /// The units that were chosen for a recount.
    pub chosen: Ranges,
    /// The number of chosen units that were recounted. They are recounted in ascending order.
    pub recounted: u32,
    /// The recounts that differ.
    pub wrong: Vec<Recount>,
    /// Whether the stop signal was raised before the end.
    pub was_interrupted: bool,
}

impl Campaign {
    /// Returns the smallest seed that no journal of this campaign contains.
    ///
    /// # Errors
    /// A journal cannot be read.
    pub fn unused_seed(&self) -> Result<u64, CampaignError> {
        let ledger = Ledger::read(self)?;
        Ok((0..=u64::MAX).find(|&seed| !ledger.has_seed(seed)).unwrap_or_default())
    }
}

impl UnitCounter<'_> {
    /// Recounts a random sample of the counted units, in percent of them, and compares the recounts with the first
    /// counts.
    ///
    /// # Errors
    /// A unit file is damaged, a journal cannot be read or written, or an engine gives no count.
    pub fn verify(
        &mut self,
        sample_percent: f64,
        progress: &Progress,
    ) -> Result<VerifyReport, CampaignError> {
        progress.restart();
        let ledger = Ledger::read(self.campaign)?;
        let done: Vec<u32> = ledger.done().iter().collect();
        let chosen = choose(&done, sample_percent, random_number());
        let mut report = VerifyReport {
            done: done.len() as u32,
            chosen: chosen.iter().copied().collect(),
            recounted: 0,
            wrong: Vec::new(),
            was_interrupted: false,
        };
        let mut journal = Journal::new(self.campaign, &self.worker.host);
        let share = Share::WHOLE.split(chosen.len());
        for unit in chosen {
            let now = match self.count(unit, progress, share) {
                Err(CampaignError::Interrupted(_)) => {
                    return Ok(VerifyReport { was_interrupted: true, ..report });
                }
                now => now?,
            };
            report.recounted += 1;
            let before = ledger.first_count(unit).expect("only counted units are chosen");
            let is_equal = before.counted.has_counts_of(&now);
            if is_equal || self.source.is_none() {
                journal.append(&now)?;
            }
            if !is_equal {
                report.wrong.push(Recount { before: before.clone(), now });
            }
        }
        Ok(report)
    }
}

/// Returns a random sample of units in ascending order. Its size is rounded up. All samples are equally likely.
fn choose(units: &[u32], percent: f64, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed);
    let mut pool = units.to_vec();
    let wanted = (pool.len() as f64 * percent / 100.0).ceil() as usize;
    for index in 0..wanted {
        let other = index + random.below(pool.len() - index);
        pool.swap(index, other);
    }
    pool.truncate(wanted);
    pool.sort_unstable();
    pool
}

#[cfg(test)]
mod verify_tests {
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
        assert_eq!(choose(&[], 1.0, 7), [0; 0]);
    }
}

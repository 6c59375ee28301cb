//! Verifying: recounting some work units.
//!
//! A recount uses no table, or other hash keys than the first count. So it cannot repeat a false hit of a table. The
//! result is written to a journal like any count: if it agrees, it confirms the unit; if it differs, every later merge
//! reports the contradiction. A different count by an engine is only reported, because the engine may be wrong.

use perft_count::Progress;
use perft_count::internals::Share;
use perft_diagnosis::random::Random;

use super::error::CampaignError;
use super::journal::{CountedUnit, Journal, random_number};
use super::ledger::{JournalLine, Ledger};
use super::opened::Campaign;
use super::ranges::Ranges;
use super::work::UnitCounter;

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
        assert_eq!(choose(&[], 1.0, 7), [0; 0]);
    }
}

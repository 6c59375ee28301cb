//! Verifying: counting some units again, with keys that share no false hit with those of the first count.
//!
//! A recount is written into a journal as any count is. So it confirms the unit for good; and if it differs, every later
//! merge finds the contradiction. A recount of another program that differs is only told: that program may be the one that
//! is wrong.

use std::str::FromStr;

use super::Campaign;
use super::error::CampaignError;
use super::journal::{CountedUnit, Journal};
use super::ledger::{JournalLine, Ledger};
use super::ranges::Ranges;
use super::work::{Counter, WorkOptions, count_unit};
use perft_core::Progress;
use perft_core::internals::Share;
use perft_diagnosis::random::Random;

/// How many of the units that were counted to count again.
///
/// # Examples
/// ```
/// use crate::campaign::SampleSize;
/// assert_eq!("1%".parse(), Ok(SampleSize::Percent(1.0)));
/// assert_eq!("all".parse(), Ok(SampleSize::Percent(100.0)));
/// assert_eq!("12".parse(), Ok(SampleSize::Units(12)));
/// assert!("101%".parse::<SampleSize>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SampleSize {
    /// So many of a hundred, but at least one.
    Percent(f64),
    /// So many.
    Units(u32),
}

impl FromStr for SampleSize {
    type Err = String;

    fn from_str(text: &str) -> Result<SampleSize, String> {
        let percent = match text {
            "all" => Some(100.0),
            _ => text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok()),
        };
        let percent = percent.filter(|percent| 0.0 < *percent && *percent <= 100.0).map(SampleSize::Percent);
        let units = || text.parse().ok().filter(|&units| units > 0).map(SampleSize::Units);
        percent.or_else(units).ok_or_else(|| format!("'{text}' is no sample: 1%, 20 (units), or all"))
    }
}

impl SampleSize {
    fn of(self, units: usize) -> usize {
        match self {
            SampleSize::Percent(percent) => (units as f64 * percent / 100.0).ceil() as usize,
            SampleSize::Units(wanted) => wanted as usize,
        }
        .min(units)
    }
}

/// A unit whose recount differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Recount {
    /// What had been counted.
    pub before: JournalLine,
    /// What was counted now.
    pub now: CountedUnit,
}

/// What came of the recounts.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyReport {
    /// The units of the campaign that had been counted.
    pub done: u32,
    /// The units that were to be counted again.
    pub chosen: Ranges,
    /// How many of them were, in ascending order.
    pub recounted: u32,
    /// Those of them that differ.
    pub wrong: Vec<Recount>,
    /// True if the stop signal was raised before the end.
    pub was_interrupted: bool,
}

impl Campaign {
    /// The least seed that no journal of this campaign names.
    ///
    /// # Errors
    /// A journal cannot be read.
    pub fn unused_seed(&self) -> Result<u64, CampaignError> {
        let ledger = Ledger::read(self)?;
        let is_used = |seed: &u64| ledger.origins().iter().any(|origin| origin.seed == Some(*seed));
        Ok((0..=u64::MAX).find(|seed| !is_used(seed)).unwrap_or_default())
    }
}

/// Counts a sample of the units that were counted again, and compares. `chance` chooses the sample.
///
/// # Errors
/// A table's seed has counted units of this campaign already; a unit file is damaged; a journal cannot be read or
/// written; another program gives no count.
pub fn verify(
    campaign: &Campaign,
    sample: SampleSize,
    chance: u64,
    mut counter: Counter,
    options: &WorkOptions,
    progress: &Progress,
) -> Result<VerifyReport, CampaignError> {
    progress.restart();
    let ledger = Ledger::read_to_the_end(campaign)?;
    if let Some(seed) = options.worker.seed
        && ledger.origins().iter().any(|origin| origin.seed == Some(seed))
    {
        return Err(CampaignError::UsedSeed(seed));
    }
    let done: Vec<u32> = ledger.done().iter().collect();
    let chosen = choose(&done, sample, chance);
    let mut report = VerifyReport {
        done: done.len() as u32,
        chosen: chosen.iter().copied().collect(),
        recounted: 0,
        wrong: Vec::new(),
        was_interrupted: false,
    };
    let mut journal = Journal::new(campaign, &options.worker.host);
    let share = Share::WHOLE.split(chosen.len());
    for unit in chosen {
        let now = match count_unit(campaign, unit, &mut counter, options, progress, share) {
            Err(CampaignError::Interrupted(_)) => {
                return Ok(VerifyReport { was_interrupted: true, ..report });
            }
            now => now?,
        };
        report.recounted += 1;
        let before = ledger.delivery(unit).expect("only units that were counted are chosen");
        let agrees = before.counted.divide == now.divide;
        if agrees || matches!(counter, Counter::Own(_)) {
            journal.append(&now)?;
        }
        if !agrees {
            report.wrong.push(Recount { before: before.clone(), now });
        }
    }
    Ok(report)
}

/// Some of the units, each set of so many as likely as any other; ascending.
fn choose(units: &[u32], sample: SampleSize, chance: u64) -> Vec<u32> {
    let mut random = Random::new(chance);
    let mut pool = units.to_vec();
    let wanted = sample.of(pool.len());
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
    fn a_sample_is_of_its_size_and_follows_from_the_seed() {
        let units: Vec<u32> = (1..=1000).collect();
        let chosen = choose(&units, SampleSize::Percent(1.0), 7);
        assert_eq!(chosen.len(), 10);
        assert_eq!(chosen, choose(&units, SampleSize::Percent(1.0), 7));
        assert_ne!(chosen, choose(&units, SampleSize::Percent(1.0), 8));
        assert_eq!(choose(&units[..3], SampleSize::Percent(1.0), 7).len(), 1);
        assert_eq!(choose(&units[..3], SampleSize::Percent(100.0), 7), [1, 2, 3]);
        assert_eq!(choose(&[], SampleSize::Units(5), 7), [0; 0]);
    }
}

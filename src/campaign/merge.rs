//! Merging: the sum over all units, each counted once, or what stands in its way.

use std::collections::BTreeSet;

use super::Campaign;
use super::error::CampaignError;
use super::journal::checked_sum;
use super::ledger::{Contradiction, IgnoredLine, JournalSummary, Ledger};
use super::ranges::Ranges;

/// What the journals of a campaign come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// The leaf nodes, if all units were counted and nothing contradicts.
    pub nodes: Option<u128>,
    /// The leaf nodes below each root move, in the order of the manifest, under the same condition.
    pub divide: Option<Vec<u128>>,
    /// The units of the campaign.
    pub units: u32,
    /// The units that nobody has counted.
    pub missing: Ranges,
    /// Counts of one unit that differ.
    pub contradictions: Vec<Contradiction>,
    /// Lines that were ignored.
    pub ignored_lines: Vec<IgnoredLine>,
    /// The journals.
    pub journals: Vec<JournalSummary>,
    /// The units that were counted again with other keys, or without a table, and gave the same.
    pub confirmed: Ranges,
    /// Lines that say again what another says.
    pub repeated: u64,
    /// The machines that counted.
    pub hosts: BTreeSet<String>,
    /// The versions of the program that counted.
    pub versions: BTreeSet<String>,
    /// The CPU paths that counted.
    pub cpu_paths: BTreeSet<String>,
    /// The seeds of the tables; `None` stands for no table.
    pub seeds: BTreeSet<Option<u64>>,
    /// The time that all lines took together, repeated ones too.
    pub seconds: f64,
}

/// Reads all journals and adds up. Unit files are not read: a unit that was counted was whole when it was.
///
/// # Errors
/// A journal cannot be read, or the sum is beyond 128 bits.
pub fn merge(campaign: &Campaign) -> Result<Merged, CampaignError> {
    let ledger = Ledger::read_to_the_end(campaign)?;
    let missing = ledger.missing();
    let is_right = missing.is_empty() && ledger.contradictions().is_empty();
    let divide = is_right.then(|| total_divide(campaign, &ledger)).transpose()?;
    let total = |divide: &Vec<u128>| checked_sum(divide).ok_or(CampaignError::TooManyNodes);
    let journals = ledger.journals()?;
    let origins = ledger.origins();
    Ok(Merged {
        nodes: divide.as_ref().map(total).transpose()?,
        divide,
        units: campaign.units(),
        missing,
        contradictions: ledger.contradictions().to_vec(),
        ignored_lines: ledger.ignored_lines().to_vec(),
        seconds: journals.iter().map(|journal| journal.seconds).sum(),
        journals,
        confirmed: ledger.confirmed(),
        repeated: ledger.repeated(),
        hosts: origins.iter().map(|origin| origin.host.clone()).collect(),
        versions: origins.iter().map(|origin| origin.version.clone()).collect(),
        cpu_paths: origins.iter().map(|origin| origin.cpu_path.clone()).collect(),
        seeds: origins.iter().map(|origin| origin.seed).collect(),
    })
}

fn total_divide(campaign: &Campaign, ledger: &Ledger) -> Result<Vec<u128>, CampaignError> {
    let mut total = vec![0_u128; campaign.manifest.moves.len()];
    for delivery in ledger.deliveries() {
        for (sum, nodes) in total.iter_mut().zip(&delivery.counted.divide) {
            *sum = sum.checked_add(*nodes).ok_or(CampaignError::TooManyNodes)?;
        }
    }
    Ok(total)
}

//! Merging: the total of all work units, or the reasons why there is none.

use std::collections::BTreeSet;

use perft_count::{LeafStatistics, Perft};

use super::error::CampaignError;
use super::journal::Worker;
use super::ledger::{Contradiction, IgnoredLine, JournalInfo, Ledger};
use super::manifest::checked_sum;
use super::opened::Campaign;
use super::ranges::Ranges;
use super::stored_statistics::StoredStatistics;

/// The result of merging the journals of a campaign.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// The leaf nodes, if all units have been counted and no two counts of a unit differ.
    pub nodes: Option<u128>,
    /// The leaf nodes below each root move, in the order of the manifest, under the same conditions.
    pub divide: Option<Vec<u128>>,
    /// The kinds of the leaf nodes, under the same conditions, if the campaign counts them.
    pub statistics: Option<LeafStatistics>,
    /// The number of units of the campaign.
    pub units: u32,
    /// The units that have not been counted.
    pub missing: Ranges,
    /// Counts of the same unit that differ.
    pub contradictions: Vec<Contradiction>,
    /// The lines that were ignored.
    pub ignored_lines: Vec<IgnoredLine>,
    /// The journals.
    pub journals: Vec<JournalInfo>,
    /// The units with a second, equal count that was made with other hash keys or without a table.
    pub confirmed: Ranges,
    /// The number of lines that repeat the first count of their unit.
    pub repeated: u64,
    /// The workers that counted.
    pub workers: BTreeSet<Worker>,
    /// The total time of all counts in seconds, including repeated ones.
    pub seconds: f64,
}

/// Reads all journals and adds the counts. Unit files are not read, because they were checked when they were counted.
///
/// # Errors
/// The manifest is wrong about the tree, a journal cannot be read, or the sum does not fit into 128 bits.
pub fn merge(campaign: &Campaign) -> Result<Merged, CampaignError> {
    let ledger = Ledger::read_to_the_end(campaign)?;
    let missing = ledger.missing();
    let is_complete = missing.is_empty() && ledger.contradictions.is_empty();
    if is_complete {
        campaign.check_split(&Perft::new())?;
    }
    let divide = is_complete.then(|| total_divide(campaign, &ledger)).transpose()?;
    let total = |divide: &Vec<u128>| checked_sum(divide).ok_or(CampaignError::TooManyNodes);
    let journals = ledger.journals()?;
    let nodes = divide.as_ref().map(total).transpose()?;
    let has_kinds = is_complete && campaign.manifest().statistics;
    let statistics = has_kinds.then(|| ledger.first_counts().filter_map(|line| line.counted.statistics));
    Ok(Merged {
        nodes,
        divide,
        // There are not more leaf nodes of a kind than there are leaf nodes, so these sums fit into 128 bits too.
        statistics: statistics.map(|each| each.map(|StoredStatistics(unit)| unit).sum()),
        units: campaign.units(),
        missing,
        confirmed: ledger.confirmed(),
        contradictions: ledger.contradictions,
        ignored_lines: ledger.ignored_lines,
        seconds: journals.iter().map(|journal| journal.seconds).sum(),
        journals,
        repeated: ledger.repeated,
        workers: ledger.workers,
    })
}

/// Adds the counts of all units, for each root move.
fn total_divide(campaign: &Campaign, ledger: &Ledger) -> Result<Vec<u128>, CampaignError> {
    let mut total = vec![0_u128; campaign.manifest().moves.len()];
    for line in ledger.first_counts() {
        for (sum, nodes) in total.iter_mut().zip(&line.counted.divide) {
            *sum = sum.checked_add(*nodes).ok_or(CampaignError::TooManyNodes)?;
        }
    }
    Ok(total)
}

//! Merging: the total of all work units, or the reasons why there is none.

use perft_count::LeafStatistics;

use super::error::CampaignError;
use super::ledger::Ledger;
use super::opened::Campaign;
use super::stored_statistics::StoredStatistics;
use super::work::checked_sum;

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
    let statistics = campaign.manifest().statistics.then(|| kinds.map(|StoredStatistics(unit)| unit).sum());
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

//! Campaigns: counts too big for one sitting, or for one machine.
//!
//! The tree is cut at a ply. The distinct positions there, each with the number of ways to reach it, are written down in
//! *units* of some hundreds; whoever has time counts a unit and appends the result to a *journal* of his own; the sum
//! over all units, each once, is the count:
//!
//! ```text
//!   plan ->  manifest.json   units/000001.epd  units/000002.epd ...
//!   work ->  journals/alpha-4711-5eed.jsonl      one a worker, a line a unit
//!   merge    the sum, or what is missing, damaged or contradictory
//!   verify   some units again, with other keys of the table: more lines for the journals
//! ```
//!
//! There are no locks. Nobody writes where another does; every line says by its own checksum whether it is whole; and a
//! unit that was counted twice counts once. So a worker may be killed at any instant, and several machines may share a
//! folder. Claims keep two workers from the same unit, but nothing depends on them. `docs/campaigns.md` has the format.
//!
//! What is too big even for that can be estimated: [`estimate`].

mod arrivals;
mod claims;
mod digest;
mod error;
mod estimate;
mod files;
mod journal;
mod ledger;
mod manifest;
mod merge;
mod plan;
mod ranges;
mod unfinished;
mod unit;
mod verify;
mod work;

use std::path::{Path, PathBuf};

pub use error::CampaignError;
pub use estimate::{Estimate, EstimateOptions, estimate};
pub use journal::{CountedUnit, Worker};
pub use ledger::{Contradiction, IgnoredLine, JournalLine, JournalSummary, Ledger, LineFault};
pub use manifest::{FORMAT_VERSION, Manifest, RootMoveInfo, UnitInfo};
pub use merge::{Merged, merge};
pub use plan::{PlanOptions, plan};
pub use ranges::{ParseRangesError, ParseShardError, Ranges, Shard};
pub use unit::{RootPaths, UnitPosition};
pub use verify::{Recount, SampleSize, VerifyReport, verify};
pub use work::{Clock, Counter, WorkOptions, WorkReport, work};

/// A campaign that was planned: its folder, and what its manifest says.
///
/// # Examples
/// ```
/// use crate::campaign::{Campaign, PlanOptions, WorkOptions, merge, plan, work};
/// use perft_core::Position;
/// use perft_core::{Perft, Progress};
/// let folder = tempfile::tempdir().unwrap();
/// let (perft, progress) = (Perft::new(), Progress::default());
/// plan(&Position::start(), PlanOptions::new(5, 2), &perft, folder.path(), &progress)?;
///
/// let campaign = Campaign::open(folder.path())?;
/// work(&campaign, &perft, &WorkOptions::default(), &progress)?;
/// let merged = merge(&campaign)?;
/// assert_eq!(merged.nodes, Some(4_865_609));
/// # Ok::<(), crate::campaign::CampaignError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Campaign {
    folder: PathBuf,
    manifest: Manifest,
}

impl Campaign {
    /// Reads the manifest of a folder.
    ///
    /// # Errors
    /// There is none, it is of another version, or it is damaged.
    pub fn open(folder: &Path) -> Result<Campaign, CampaignError> {
        let manifest = Manifest::read(&folder.join(manifest::FILE_NAME))?;
        Ok(Campaign { folder: folder.to_owned(), manifest })
    }

    /// What was planned.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The number of units.
    pub fn units(&self) -> u32 {
        self.manifest.units.len() as u32
    }

    /// The file of a unit, whether it is there or not.
    pub fn unit_path(&self, unit: u32) -> PathBuf {
        unit::path(&self.folder, unit)
    }

    fn journals(&self) -> PathBuf {
        self.folder.join("journals")
    }

    fn claims(&self) -> PathBuf {
        self.folder.join("claims")
    }
}

#[cfg(test)]
mod estimate_tests;
#[cfg(test)]
mod tests;

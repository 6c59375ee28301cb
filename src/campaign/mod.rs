//! Campaigns: counts that are too big for one run or one machine.
//!
//! The tree is split at a ply. The distinct positions there are written to *work units* of some hundreds of positions,
//! each with its multiplicity: the number of paths from the root that lead to it. A worker counts a unit and appends
//! the result to its *journal*. The sum over all units is the count:
//!
//! ```text
//!   plan ->  manifest.json   units/000001.epd  units/000002.epd ...
//!   work ->  journals/alpha-4711-5eed.jsonl      one file per worker, one line per unit
//!   merge    the sum, or which units are missing and which lines are damaged or contradict each other
//!   verify   recounts some units with other hash keys, which adds lines to the journals
//! ```
//!
//! There are no locks. Each worker writes only to its own files, each line has a checksum, and a unit that was counted
//! twice counts once. So workers can be killed at any time, and several machines can share a folder. Claims prevent two
//! workers from counting the same unit, but the result does not depend on them. `docs/src/file-formats.md` describes
//! the format.
//!
//! A tree that is too big even for a campaign can be estimated: [`estimate()`].

mod error;
mod estimate;
mod files;
mod journal;
mod manifest;
mod merge;
mod opened;
mod plan;
mod unit;
mod work;

pub use error::CampaignError;
pub use estimate::{Estimate, EstimateOptions, estimate};
pub use journal::{Contradiction, IgnoredLine, JournalInfo, JournalLine, Worker};
pub use manifest::{Manifest, PlanOptions, Ranges};
pub use merge::{Merged, Recount, VerifyReport, merge};
pub use opened::Campaign;
pub use plan::plan;
pub use work::{UnitCounter, WorkReport};

#[cfg(test)]
mod tests;

/// The version of everything in the folder of a campaign.
const FORMAT_VERSION: u32 = 1;

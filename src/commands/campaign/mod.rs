//! `perft campaign`: a large count, split into work units that can be counted one after the other or on many machines.
//!
//! The tree is split at a ply. The distinct positions there are written to *work units* of some hundreds of positions,
//! each with its multiplicity: the number of paths from the root that lead to it. A worker counts a unit and appends
//! the result to its *journal*. The sum over all units is the count:
//!
//! ```text
//!   plan ->  manifest.json   units/000001.epd  units/000002.epd ...
//!   work ->  journals/alpha-4711-5eed.jsonl      one file per worker, one line per unit
//!   status   how many units are counted, claimed and left
//!   merge    the sum, or which units are missing and which lines are damaged or contradict each other
//!   verify   recounts some units with other hash keys, which adds lines to the journals
//! ```
//!
//! There are no locks. Each worker writes only to its own files, each line has a checksum, and a unit that was counted
//! twice counts once. So workers can be killed at any time, and several machines can share a folder. Claims prevent two
//! workers from counting the same unit, but the result does not depend on them. `docs/src/file-formats.md` describes
//! the format.
//!
//! `plan`, `work`, `status`, `merge` and `verify` are the commands. `manifest` and `unit` are the files of a plan, and `journal`
//! has those of the workers.

mod journal;
mod manifest;
mod merge;
mod plan;
#[cfg(test)]
mod tests;
mod unit;
mod verify;
mod work;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;

use crate::output::{CliError, CliErrorKind, Context};

/// The version of everything in the folder of a campaign.
const FORMAT_VERSION: u32 = 1;

/// The largest size of a file in the folder of a campaign.
const MAX_BYTES: u64 = 1 << 30;

#[derive(Debug, Subcommand)]
pub enum CampaignCommand {
    /// Split a large count into work units
    Plan(plan::PlanArgs),
    /// Count the work units of a plan that are not counted yet
    Work(work::WorkArgs),
    /// Say what is counted, claimed and left
    Status {
        /// Folder of the campaign, created by perft campaign plan
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Add up the counts of a plan, or report what is missing
    Merge(merge::MergeArgs),
    /// Count some work units again and compare
    Verify(Box<verify::VerifyArgs>),
}

pub fn run(command: CampaignCommand, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    match command {
        CampaignCommand::Plan(args) => plan::run(args, context, out),
        CampaignCommand::Work(args) => work::run(args, context, out),
        CampaignCommand::Status { folder } => work::run_status(&folder, out),
        CampaignCommand::Merge(args) => merge::run(args, context, out),
        CampaignCommand::Verify(args) => verify::run(*args, context, out),
    }
}

/// The advice if a work unit has two different counts.
const ON_CONTRADICTION: &str = "delete the wrong line from its journal and run perft campaign work again; perft campaign verify counts \
    the unit once more, which shows which line is wrong";

fn work_in(folder: &Path) -> [String; 3] {
    ["campaign".to_owned(), "work".to_owned(), folder.to_string_lossy().into_owned()]
}

/// Returns the error for counts of the same work unit that differ. The message has the counts, one per line.
fn contradiction(message: String, help: &str) -> CliError {
    CliError::failed(CliErrorKind::Wrong, message).help(help)
}

fn damaged(path: &Path, why: impl std::fmt::Display) -> CliError {
    CliError::usage(format!("{} is damaged: {why}", path.display())).help(
        "run perft campaign plan with the same arguments in another folder: it writes the same files, so copy the file \
         from there",
    )
}

fn too_many_nodes() -> CliError {
    CliError::usage("the count does not fit into 128 bits")
}

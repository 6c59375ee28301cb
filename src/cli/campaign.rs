//! What the verbs of a campaign share: who works, and how failures are said.

use crate::campaign::{CampaignError, Delivery, Worker};
use crate::report::grouped;
use perft_core::FrontierError;

use super::args::Counting;
use super::environment::host_name;
use super::error::CliError;

/// What to do about two counts of a unit that differ.
pub const ON_CONTRADICTION: &str = "delete the wrong line from its journal and work on; to find out which it is, \
    count the unit once more: perft verify";

/// Who counts here; a seed only matters where there is a table.
pub fn worker(counting: &Counting, seed: u64) -> Worker {
    Worker {
        host: host_name(),
        seed: (counting.head.table_bytes > 0).then_some(seed),
        cpu_path: counting.head.cpu_path.to_owned(),
    }
}

/// A count of a unit, and where it stands.
pub fn delivery_line(delivery: &Delivery) -> String {
    let Delivery { path, line, entry } = delivery;
    let seed = entry.seed.map_or("no table".to_owned(), |seed| format!("seed {seed}"));
    format!("  {}:{line}: {} ({}, {seed})", path.display(), grouped(entry.nodes), entry.host)
}

impl From<CampaignError> for CliError {
    fn from(error: CampaignError) -> CliError {
        let help = match &error {
            CampaignError::Interrupted(interrupted) => return (*interrupted).into(),
            CampaignError::WrongSum(wrong) => return CliError::Wrong(wrong.to_string()),
            CampaignError::Frontier(FrontierError::WrongSum(wrong)) => {
                return CliError::Wrong(wrong.to_string());
            }
            CampaignError::Frontier(FrontierError::Interrupted(interrupted)) => {
                return (*interrupted).into();
            }
            CampaignError::NotEmpty(_) => "a plan wants a folder of its own: empty, or one that is not there",
            CampaignError::BeingPlanned(_) => "wait for it, or plan in another folder",
            CampaignError::NoMemory(_) => "--memory SIZE, with less",
            CampaignError::BadSplit { .. } => "--split K: at least 1, and less than --depth",
            CampaignError::Frontier(_) => "--memory SIZE gives more; or --split at an earlier ply",
            CampaignError::EmptyUnits => "--unit-positions N: at least 1",
            CampaignError::TooManyUnits => "--unit-positions N, with a larger N",
            CampaignError::NoManifest(_) => "perft plan --depth N --split K -o DIR makes a campaign",
            CampaignError::OtherVersion { .. } => "use the version of perft that planned it",
            CampaignError::Damaged { .. } => {
                "perft plan with the same arguments, in another folder, writes the same file again: copy it from there"
            }
            CampaignError::NoRecount { .. } => return CliError::Engine(error.to_string()),
            CampaignError::UsedSeed(_) => "leave out --seed, or give one that is new",
            CampaignError::TooManyNodes | CampaignError::File { .. } => return CliError::usage(error),
        };
        CliError::usage(error).help(help)
    }
}

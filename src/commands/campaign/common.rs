//! Code that the commands of a campaign share: the description of the worker, and error messages.

use perft_count::FrontierError;
use perft_count::internals::SortError;
use perft_diagnosis::lines::visible;

use crate::campaign::{CampaignError, JournalLine, Worker};
use crate::input::Counting;
use crate::output::environment::host_name;
use crate::output::error::{CliError, WRONG};
use crate::output::grouped;

/// The advice if a work unit has two different counts.
pub const ON_CONTRADICTION: &str = "delete the wrong line from its journal and run perft campaign work again; perft campaign verify counts \
    the unit once more, which shows which line is wrong";

/// Describes the worker on this machine.
pub fn worker(counting: &Counting) -> Worker {
    Worker {
        host: host_name(),
        seed: counting.table_seed,
        cpu_path: counting.head.cpu_path.to_owned(),
        ..Worker::default()
    }
}

/// Returns a line with the count of a work unit, and the journal line that it comes from.
pub fn count_line(line: &JournalLine) -> String {
    let JournalLine { path, line, counted } = line;
    let seed = counted.seed.map_or("no table".to_owned(), |seed| format!("seed {seed}"));
    let file = visible(&path.display().to_string());
    format!("  {file}:{line}: {} ({}, {seed})", grouped(counted.nodes), counted.host)
}

/// Returns the error for counts of the same work unit that differ. The message has the counts, one per line.
pub fn contradiction(message: String, help: &str) -> CliError {
    CliError::Ended { message, help: help.to_owned(), code: WRONG }
}

impl From<CampaignError> for CliError {
    fn from(error: CampaignError) -> CliError {
        let help = match error {
            CampaignError::Interrupted(interrupted) => return interrupted.into(),
            CampaignError::WrongSum(wrong) => return CliError::Wrong(wrong.to_string()),
            CampaignError::Frontier(error @ (FrontierError::WrongSum(_) | FrontierError::Interrupted(_))) => {
                return error.into();
            }
            CampaignError::NotEmpty(_) => "give a new or an empty folder to --output",
            CampaignError::Sort(SortError::NoMemory(_)) => "use a smaller --memory SIZE",
            CampaignError::BadSplit { .. } => "use a --split of at least 1 and less than --depth",
            CampaignError::Frontier(_) => "use a larger --memory SIZE, or --split at an earlier ply",
            CampaignError::NoManifest(_) => {
                "create a campaign with perft campaign plan --depth N --split K -o DIR"
            }
            CampaignError::OtherVersion { .. } => "use the version of perft that planned it",
            CampaignError::Damaged { .. } => {
                "run perft campaign plan with the same arguments in another folder: it writes the same files, so copy the file \
                 from there"
            }
            CampaignError::NoRecount { .. } => return CliError::Engine(error.to_string()),
            CampaignError::Sort(_) | CampaignError::TooManyNodes | CampaignError::File { .. } => {
                return CliError::usage(error);
            }
        };
        CliError::usage(error).help(help)
    }
}

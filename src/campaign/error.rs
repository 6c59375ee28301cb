//! Errors of campaigns.

use std::path::{Path, PathBuf};

use perft_core::Interrupted;
use perft_count::internals::SortError;
use perft_count::{ExactError, FrontierError, WrongSum};

use super::FORMAT_VERSION;

/// The reason why a campaign cannot be planned, worked on, merged or verified.
///
/// Missing units, damaged lines and contradictions are not errors. They are part of the result: see
/// [`Merged`](super::Merged).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CampaignError {
    /// The stop signal was raised.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// The folder of a new plan contains files.
    #[error("{} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// The tree cannot be split at this ply.
    #[error("a tree of depth {depth} cannot be split at ply {split}")]
    BadSplit {
        /// The depth of the count in plies.
        depth: u32,
        /// The ply of the positions.
        split: u32,
    },
    /// The positions at the split cannot be computed.
    #[error(transparent)]
    Frontier(#[from] FrontierError),
    /// The positions at the split cannot be sorted.
    #[error(transparent)]
    Sort(#[from] SortError),
    /// The multiplicities of the positions do not add up to the plain count.
    #[error(transparent)]
    WrongSum(#[from] WrongSum),
    /// The folder has no manifest.
    #[error("{} has no manifest.json: no campaign was planned there, or its plan was not finished", .0.display())]
    NoManifest(PathBuf),
    /// The manifest has another format.
    #[error("{}: a campaign of format {found}; this program reads format {FORMAT_VERSION}", .path.display())]
    OtherVersion {
        /// The manifest.
        path: PathBuf,
        /// The version of its format.
        found: u64,
    },
    /// A file has changed since it was written.
    #[error("{} is damaged: {why}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The fault in the file.
        why: String,
    },
    /// An engine gives no count for a recount.
    #[error("{fen} is not counted again: {why}")]
    NoRecount {
        /// The position.
        fen: String,
        /// The reason why there is no count.
        why: String,
    },
    /// A sum is too large.
    #[error("the count does not fit into 128 bits")]
    TooManyNodes,
    /// The system refuses an operation on a file.
    #[error("cannot {action} {}: {why}", .path.display())]
    File {
        /// The operation, as a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The message of the system.
        why: String,
    },
}

impl From<ExactError> for CampaignError {
    fn from(error: ExactError) -> CampaignError {
        match error {
            ExactError::Interrupted(interrupted) => interrupted.into(),
            ExactError::WrongSum(wrong) => wrong.into(),
        }
    }
}

impl CampaignError {
    /// Returns a function that adds the operation and the file to an error of the system.
    pub(super) fn file(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> CampaignError {
        move |error| CampaignError::File { action, path: path.to_owned(), why: error.to_string() }
    }

    pub(super) fn damaged(path: &Path, why: impl ToString) -> CampaignError {
        CampaignError::Damaged { path: path.to_owned(), why: why.to_string() }
    }
}

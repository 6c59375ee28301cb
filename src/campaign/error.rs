//! What can go wrong with a campaign.

use std::path::{Path, PathBuf};

use super::manifest::FORMAT_VERSION;
use perft_core::{FrontierError, Interrupted, WrongSum};

/// Why a campaign cannot be planned, worked on or merged. (Missing units, damaged lines and contradictions are no
/// errors but results: see [`Merged`](super::Merged).)
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CampaignError {
    /// The stop signal was raised.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// A plan would overwrite something.
    #[error("{} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// Somebody else is planning there.
    #[error("another plan is being made in {}", .0.display())]
    BeingPlanned(PathBuf),
    /// The tree cannot be cut there.
    #[error("a tree of depth {depth} cannot be split at ply {split}")]
    BadSplit {
        /// The depth of the count.
        depth: u32,
        /// The ply of the positions.
        split: u32,
    },
    /// A unit would have no positions.
    #[error("a unit of 0 positions")]
    EmptyUnits,
    /// The plan would have more units than can be numbered.
    #[error("there are too many positions for units of this size")]
    TooManyUnits,
    /// The positions cannot be made.
    #[error(transparent)]
    Frontier(#[from] FrontierError),
    /// The system has not so much memory.
    #[error("the system does not give {0} bytes of memory")]
    NoMemory(usize),
    /// The positions were made, and their multiplicities do not add up.
    #[error(transparent)]
    WrongSum(#[from] WrongSum),
    /// A folder without a manifest.
    #[error("{} has no manifest.json: no campaign was planned there, or its plan was not finished", .0.display())]
    NoManifest(PathBuf),
    /// A manifest that this version does not read.
    #[error("{}: a campaign of format {found}; this program reads format {FORMAT_VERSION}", .path.display())]
    OtherVersion {
        /// The manifest.
        path: PathBuf,
        /// The version of its format.
        found: u64,
    },
    /// A file is not what it was.
    #[error("{} is damaged: {why}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// How that shows.
        why: String,
    },
    /// A seed that would repeat what it should check.
    #[error(
        "seed {0} has counted units of this campaign already: a recount with it could repeat a false hit"
    )]
    UsedSeed(u64),
    /// Another program was asked for a count.
    #[error("{fen} is not counted again: {why}")]
    NoRecount {
        /// The position.
        fen: String,
        /// What it gave instead.
        why: String,
    },
    /// The sum does not fit.
    #[error("the count does not fit into 128 bits")]
    TooManyNodes,
    /// The system refused.
    #[error("cannot {deed} {}: {why}", .path.display())]
    File {
        /// What was attempted.
        deed: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
}

impl CampaignError {
    /// Makes an error of the system into one that says what was attempted, and on which file.
    pub(super) fn file(deed: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> CampaignError {
        move |error| CampaignError::File { deed, path: path.to_owned(), why: error.to_string() }
    }

    pub(super) fn damaged(path: &Path, why: impl ToString) -> CampaignError {
        CampaignError::Damaged { path: path.to_owned(), why: why.to_string() }
    }
}

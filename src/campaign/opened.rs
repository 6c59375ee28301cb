//! A planned campaign: its folder and its manifest.

use std::path::{Path, PathBuf};

use perft_core::Position;
use perft_count::Perft;
use perft_count::internals::forecast;

use super::error::CampaignError;
use super::format::{CLAIMS, JOURNALS, MANIFEST};
use super::manifest::{Manifest, RootMoveInfo};
use super::ranges::Ranges;

/// The number of nodes from which the size of a deeper ply is forecast.
const SHALLOW_NODES: u128 = 1_000_000;

/// A manifest is refused if a forecast exceeds a stated number by more than this factor. Forecasts have the right
/// order of magnitude.
const FAR: f64 = 1000.0;

/// A planned campaign: its folder and its manifest.
#[derive(Clone, Debug)]
pub struct Campaign {
    pub(super) folder: PathBuf,
    manifest: Manifest,
}

impl Campaign {
    /// Opens the campaign in a folder by reading its manifest.
    ///
    /// # Errors
    /// There is no manifest, it has another format version, or it is damaged.
    pub fn open(folder: &Path) -> Result<Campaign, CampaignError> {
        let manifest = Manifest::read(&folder.join(MANIFEST))?;
        Ok(Campaign { folder: folder.to_owned(), manifest })
    }

    /// Returns the manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the number of work units.
    pub fn units(&self) -> u32 {
        self.manifest.units.len() as u32
    }

    /// Returns all work units.
    pub fn all_units(&self) -> Ranges {
        (1..=self.units()).collect()
    }

    /// Returns the folder of the journals.
    pub(super) fn journals(&self) -> PathBuf {
        self.folder.join(JOURNALS)
    }

    /// Returns the folder of the claims.
    pub(super) fn claims(&self) -> PathBuf {
        self.folder.join(CLAIMS)
    }

    /// Checks that the tree has as many nodes at the split as the manifest says, below each root move. Otherwise, the
    /// units were cut at another ply, and their sum is the count of another depth.
    ///
    /// # Errors
    /// The numbers differ.
    pub(super) fn check_split(&self, perft: &Perft) -> Result<(), CampaignError> {
        let root = self.manifest.root();
        if !self.is_far_larger(&root, perft) && self.nodes_at_split(&root, perft) == self.manifest.moves {
            return Ok(());
        }
        let why = format!("the tree has other numbers of nodes at ply {}, the split", self.manifest.split);
        Err(CampaignError::damaged(&self.folder.join(MANIFEST), why))
    }

    /// Counts the nodes at the split below each root move.
    fn nodes_at_split(&self, root: &Position, perft: &Perft) -> Vec<RootMoveInfo> {
        let notation = root.castling_notation();
        let mut moves: Vec<RootMoveInfo> = perft
            .divide(root, self.manifest.split)
            .into_iter()
            .map(|below| RootMoveInfo { played: below.played.to_uci(notation), nodes_at_split: below.nodes })
            .collect();
        moves.sort_by(|a, b| a.played.cmp(&b.played));
        moves
    }

    /// Whether the tree is far larger than the manifest says. Counting it could then take years.
    fn is_far_larger(&self, root: &Position, perft: &Perft) -> bool {
        let Manifest { split, nodes_at_split, .. } = self.manifest;
        let mut counts = vec![1];
        for depth in 1..split {
            let nodes = perft.count(root, depth);
            counts.push(nodes);
            if nodes > SHALLOW_NODES {
                return forecast(&counts, split) > FAR * (nodes_at_split as f64).max(1.0);
            }
        }
        false
    }
}

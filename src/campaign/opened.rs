//! A planned campaign: its folder and its manifest.

use std::path::{Path, PathBuf};

use perft_count::Perft;

use super::error::CampaignError;
use super::format::{CLAIMS, JOURNALS, MANIFEST, unit_path};
use super::manifest::Manifest;

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

    /// Returns the path of a unit file.
    pub fn unit_path(&self, unit: u32) -> PathBuf {
        unit_path(&self.folder, unit)
    }

    /// Checks that the units were cut at the ply that the manifest says. Otherwise their sum is the count of another
    /// depth.
    ///
    /// # Errors
    /// The units were cut at another ply.
    pub(super) fn check_split(&self, perft: &Perft) -> Result<(), CampaignError> {
        self.manifest.check_split(&self.folder.join(MANIFEST), perft)
    }

    /// Returns the folder of the journals.
    pub(super) fn journals(&self) -> PathBuf {
        self.folder.join(JOURNALS)
    }

    /// Returns the folder of the claims.
    pub(super) fn claims(&self) -> PathBuf {
        self.folder.join(CLAIMS)
    }
}

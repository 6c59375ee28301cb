//! A planned campaign: its folder and its manifest.

use std::path::{Path, PathBuf};

use super::error::CampaignError;
use super::format::{CLAIMS, JOURNALS, MANIFEST};
use super::manifest::Manifest;
use super::ranges::Ranges;

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

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the number of work units.
    pub fn units(&self) -> u32 {
        self.manifest.units.len() as u32
    }

    pub fn all_units(&self) -> Ranges {
        (1..=self.units()).collect()
    }

    pub(super) fn journals(&self) -> PathBuf {
        self.folder.join(JOURNALS)
    }

    pub(super) fn claims(&self) -> PathBuf {
        self.folder.join(CLAIMS)
    }
}

//! A planned campaign: its folder and its manifest.
//!
//! A *claim* is a file that only one worker can create. It prevents two workers from counting the same unit, and
//! nothing more. A killed worker leaves its claims behind. So a worker that finds no unclaimed unit counts the claimed
//! units that are not in any journal, the one with the oldest claim first. (MapReduce calls such work at the end of a
//! job backup tasks: Dean and Ghemawat, 2004.)

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::error::CampaignError;
use super::files::{CLAIMS, JOURNALS, MANIFEST};
use super::manifest::{Manifest, Ranges};

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

/// The claims of a campaign, as seen by one worker.
#[derive(Debug)]
pub(super) struct Claims {
    folder: PathBuf,
    /// The content of this worker's claims. It is for people only; the program does not read it.
    worker: String,
}

impl Claims {
    pub(super) fn new(folder: PathBuf, worker: String) -> Claims {
        Claims { folder, worker }
    }

    fn path(&self, unit: u32) -> PathBuf {
        self.folder.join(format!("{unit:06}"))
    }

    /// Claims a unit. Returns whether it now belongs to this worker; false means that another worker has claimed it.
    pub(super) fn claim(&self, unit: u32) -> Result<bool, CampaignError> {
        let path = self.path(unit);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                // The existence of the file is what matters, not its content.
                let _ = writeln!(file, "{}", self.worker);
                Ok(true)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(CampaignError::file("create", &path)(error)),
        }
    }

    /// Replaces a claim of another worker by a new one. So it is not the oldest claim any more.
    pub(super) fn take_over(&self, unit: u32) {
        self.release(unit);
        let _ = self.claim(unit);
    }

    pub(super) fn release(&self, unit: u32) {
        let _ = fs::remove_file(self.path(unit));
    }

    /// Returns the time of a claim by the clock of the file system, or `None` if the unit is not claimed.
    pub(super) fn claimed_at(&self, unit: u32) -> Option<SystemTime> {
        fs::metadata(self.path(unit)).and_then(|claim| claim.modified()).ok()
    }
}

//! Claims: which worker is about to count which unit.
//!
//! A claim is a file that only one worker can make. It keeps two workers from the same unit and is no more than that: a
//! worker that dies leaves its claim behind, and a unit that is claimed but not delivered is counted by whoever has
//! nothing else to do, the one with the oldest claim first. (Such backup work at the end of a job is known from
//! MapReduce: Dean and Ghemawat, 2004.)

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::time::SystemTime;

use super::error::CampaignError;

/// The claims of a campaign.
#[derive(Debug)]
pub(super) struct Claims {
    folder: PathBuf,
    /// What a claim says: who made it, for curious people.
    worker: String,
}

impl Claims {
    pub(super) fn new(folder: PathBuf, worker: String) -> Claims {
        Claims { folder, worker }
    }

    fn path(&self, unit: u32) -> PathBuf {
        self.folder.join(format!("{unit:06}"))
    }

    /// True if the unit is now this worker's; false if another has claimed it.
    pub(super) fn claim(&self, unit: u32) -> Result<bool, CampaignError> {
        let path = self.path(unit);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                // What it says does not matter, so neither does a failure to say it.
                let _ = writeln!(file, "{}", self.worker);
                Ok(true)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(CampaignError::file("make", &path)(error)),
        }
    }

    /// Takes a claim over, which makes it the youngest.
    pub(super) fn take_over(&self, unit: u32) {
        let _ = fs::write(self.path(unit), format!("{}\n", self.worker));
    }

    /// Gives a unit back.
    pub(super) fn release(&self, unit: u32) {
        let _ = fs::remove_file(self.path(unit));
    }

    /// Since when the unit is claimed, by the clock of the file system; a unit that is not comes first.
    pub(super) fn since(&self, unit: u32) -> Option<SystemTime> {
        fs::metadata(self.path(unit)).and_then(|claim| claim.modified()).ok()
    }
}

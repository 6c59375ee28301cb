//! Files and folders of a campaign, with errors that name them.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use super::error::CampaignError;

pub(super) fn create_folder(path: &Path) -> Result<(), CampaignError> {
    fs::create_dir_all(path).map_err(CampaignError::file("create", path))
}

pub(super) fn is_empty_or_absent(folder: &Path) -> Result<bool, CampaignError> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(CampaignError::file("read", folder)(error)),
    }
}

/// Waits until the system has stored the list of files in a folder.
pub(super) fn sync_folder(folder: &Path) -> Result<(), CampaignError> {
    // Only Unix can open and synchronise a folder. On other systems, the file system does it.
    if cfg!(unix) {
        let sync = || File::open(folder)?.sync_all();
        sync().map_err(CampaignError::file("write", folder))?;
    }
    Ok(())
}

//! Files that are whole or not there, and folders whose entries last.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::error::CampaignError;

/// Writes a file so that nobody ever sees a part of it, and the system does not lose it.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), CampaignError> {
    let unfinished = unfinished(path);
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&unfinished)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&unfinished, path)
    };
    write().map_err(CampaignError::file("write", path))?;
    keep_entries(path.parent().unwrap_or(Path::new(".")))
}

/// Where a file is written before it takes its place.
pub(super) fn unfinished(path: &Path) -> PathBuf {
    path.with_extension("unfinished")
}

/// Has the system write down which files a folder has.
pub(super) fn keep_entries(folder: &Path) -> Result<(), CampaignError> {
    // Only Unix lets a folder be opened and synchronised; elsewhere the file system sees to it.
    if cfg!(unix) {
        let sync = || File::open(folder)?.sync_all();
        sync().map_err(CampaignError::file("write", folder))?;
    }
    Ok(())
}

/// Makes a folder, and those above it, unless it is there.
pub(super) fn make_folder(path: &Path) -> Result<(), CampaignError> {
    fs::create_dir_all(path).map_err(CampaignError::file("make", path))
}

/// True if a folder has nothing in it, or does not exist.
pub(super) fn is_empty_or_absent(folder: &Path) -> Result<bool, CampaignError> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(CampaignError::file("read", folder)(error)),
    }
}

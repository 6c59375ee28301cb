//! Plans that are not finished: what marks them, and how they are cleared away.
//!
//! As long as a plan is being made its folder has a file `plan.unfinished`, which the planner keeps locked, and into which
//! it puts what does not fit into its memory. It goes when the manifest is there. A planner that fails removes what it
//! wrote; one that is killed cannot, but its lock is gone, and so the next one knows what to remove.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use super::error::CampaignError;
use super::files::{is_empty_or_absent, make_folder};
use super::{manifest, unit};

const FILE_NAME: &str = "plan.unfinished";

/// A plan in the making. Unless it is finished, everything is removed when this is dropped.
pub(super) struct Unfinished<'a> {
    folder: &'a Path,
    path: PathBuf,
    file: File,
    is_finished: bool,
}

impl<'a> Unfinished<'a> {
    /// Begins a plan in a folder that is empty, or not there, or in which a plan was begun whose planner is gone.
    ///
    /// # Errors
    /// There is something else in the folder, another planner is at work, or the folder cannot be written.
    pub(super) fn begin(folder: &'a Path) -> Result<Unfinished<'a>, CampaignError> {
        let path = folder.join(FILE_NAME);
        let is_fresh = is_empty_or_absent(folder)?;
        let not_empty = || CampaignError::NotEmpty(folder.to_owned());
        if !is_fresh && !path.exists() {
            return Err(not_empty());
        }
        make_folder(folder)?;
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = opened.map_err(CampaignError::file("make", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(CampaignError::BeingPlanned(folder.to_owned())),
            // Where nothing can be locked, nobody knows whether a planner is gone.
            Err(TryLockError::Error(_)) if is_fresh => {}
            Err(TryLockError::Error(_)) => return Err(not_empty()),
        }
        // The other planner may have come to its end just now.
        if folder.join(manifest::FILE_NAME).exists() {
            return Err(not_empty());
        }
        clear(folder);
        file.set_len(0).map_err(CampaignError::file("write", &path))?;
        Ok(Unfinished { folder, path, file, is_finished: false })
    }

    /// The file, which is empty at first, for whatever does not fit into memory.
    pub(super) fn file(&self) -> (&File, &Path) {
        (&self.file, &self.path)
    }

    /// The manifest is written.
    pub(super) fn finish(mut self) {
        self.is_finished = true;
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if !self.is_finished {
            clear(self.folder);
        }
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes what a planner writes. What cannot be removed stays, and without a manifest it is no plan.
fn clear(folder: &Path) {
    let _ = fs::remove_dir_all(unit::folder(folder));
    let _ = fs::remove_file(manifest::unfinished(folder));
}

//! The mark of a plan that is not finished, and how the files of a failed plan are removed.
//!
//! While a plan is being made, its folder contains the file `plan.unfinished`. The planner keeps it locked, and uses it
//! to sort positions that do not fit into memory. It is removed after the manifest was written. A planner that fails
//! removes all its files. A planner that is killed cannot, but its lock ends with it. So the next planner knows that it
//! may remove the files.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::error::CampaignError;
use super::files::{create_folder, is_empty_or_absent};
use super::format::{MANIFEST, UNFINISHED_MANIFEST, UNFINISHED_PLAN, units_folder};
use crate::system::files;

/// A plan that is being made. If it is dropped before it is finished, all its files are removed.
pub(super) struct UnfinishedPlan<'a> {
    /// The folder of the plan.
    pub(super) folder: &'a Path,
    /// The path of the mark.
    pub(super) path: PathBuf,
    /// The mark, which is empty. Positions are sorted in it.
    pub(super) file: File,
    is_finished: bool,
}

impl<'a> UnfinishedPlan<'a> {
    /// Begins a plan in a folder. The folder must be empty, not exist, or contain an unfinished plan whose planner is
    /// gone.
    ///
    /// # Errors
    /// The folder contains other files, another planner is using it, or it cannot be written.
    pub(super) fn begin(folder: &'a Path) -> Result<UnfinishedPlan<'a>, CampaignError> {
        let path = folder.join(UNFINISHED_PLAN);
        let is_new = is_empty_or_absent(folder)?;
        let not_empty = || CampaignError::NotEmpty(folder.to_owned());
        if !is_new && !path.exists() {
            return Err(not_empty());
        }
        create_folder(folder)?;
        let file = files::open_own(&path).map_err(CampaignError::file("create", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(CampaignError::BeingPlanned(folder.to_owned())),
            // Without locks, it is not known whether another planner is still running.
            Err(TryLockError::Error(_)) if is_new => {}
            Err(TryLockError::Error(_)) => return Err(not_empty()),
        }
        // The other planner may have finished just now.
        if folder.join(MANIFEST).exists() {
            return Err(not_empty());
        }
        clear(folder);
        file.set_len(0).map_err(CampaignError::file("write", &path))?;
        Ok(UnfinishedPlan { folder, path, file, is_finished: false })
    }

    /// Keeps the files of the plan. The manifest has been written.
    pub(super) fn finish(mut self) {
        self.is_finished = true;
    }
}

impl Drop for UnfinishedPlan<'_> {
    fn drop(&mut self) {
        if !self.is_finished {
            clear(self.folder);
        }
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes the files of a planner. Errors are ignored: without a manifest, the rest is not a plan.
fn clear(folder: &Path) {
    let _ = fs::remove_dir_all(units_folder(folder));
    let _ = fs::remove_file(folder.join(UNFINISHED_MANIFEST));
}

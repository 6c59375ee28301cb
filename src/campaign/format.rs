//! The version of the campaign format, and the names of all files in the folder of a campaign.

use std::path::{Path, PathBuf};

/// The version of everything in the folder of a campaign.
pub const FORMAT_VERSION: u32 = 1;

/// The manifest.
pub(super) const MANIFEST: &str = "manifest.json";

/// The folder of the journals.
pub(super) const JOURNALS: &str = "journals";

/// The file extension of a journal.
pub(super) const JOURNAL_EXTENSION: &str = "jsonl";

/// The folder of the claims.
pub(super) const CLAIMS: &str = "claims";

pub(super) fn units_folder(campaign: &Path) -> PathBuf {
    campaign.join("units")
}

pub(super) fn unit_path(campaign: &Path, unit: u32) -> PathBuf {
    units_folder(campaign).join(format!("{unit:06}.epd"))
}

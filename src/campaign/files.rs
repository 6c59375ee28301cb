//! Files and folders of a campaign: their names, and errors that name them. Checksums are SHA-256, so that `sha256sum`
//! can check the same files.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

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

/// The number of digits of a short checksum. These 64 bits detect accidental changes.
const SHORT_LENGTH: usize = 16;

/// Returns the SHA-256 of bytes in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn short(bytes: &[u8]) -> String {
    sha256(bytes)[..SHORT_LENGTH].to_owned()
}

#[cfg(test)]
mod digest_tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_sha256sum() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(short(b"abc"), "ba7816bf8f01cfea");
    }
}

//! Which `perft.toml` may run commands.
//!
//! The file is searched for in the folders above the current one, and its entries run commands. Someone who types the
//! name of a well-known program does not expect another command. So an entry that has the name of a program on the
//! `PATH`, and every entry of a file that somebody else can write, is used only after the user has allowed the file
//! once. A file that was changed since must be allowed again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};
use sha2::{Digest, Sha256};

use super::error::CliError;
use crate::files;

/// Refuses an engine whose file must be allowed first.
///
/// # Errors
/// A usage error that says how to allow the file.
pub fn check(file: &Path, engine: &str) -> Result<(), CliError> {
    let Some(reason) = reason_for_doubt(file, engine) else { return Ok(()) };
    if is_allowed(file) {
        return Ok(());
    }
    let help = format!(
        "look at the file, then allow it with 'perft engines --allow', or name it: --config {}",
        file.display()
    );
    Err(CliError::usage(format!("the engine '{engine}' of {} was not run: {reason}", file.display()))
        .help(help))
}

/// Allows a file as it is now.
///
/// # Errors
/// A usage error if the file cannot be read, or if the list cannot be written.
pub fn allow(file: &Path) -> Result<(), CliError> {
    let wrong = |error: io::Error| CliError::usage(format!("cannot allow '{}': {error}", file.display()));
    let line = fingerprint(file).map_err(wrong)?;
    let list = list().map_err(wrong)?;
    fs::create_dir_all(list.parent().unwrap_or(Path::new("."))).map_err(wrong)?;
    files::append(&list, &format!("{line}\n")).map_err(wrong)
}

/// Returns why an entry may surprise the user.
fn reason_for_doubt(file: &Path, engine: &str) -> Option<String> {
    if which::which(engine).is_ok() {
        return Some(format!("'{engine}' is also a program on the PATH"));
    }
    belongs_to_others(file).then(|| "others can write the file".to_owned())
}

/// Whether somebody else owns a file or can write it.
#[cfg(unix)]
fn belongs_to_others(file: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    const WRITE_BY_ALL: u32 = 0o002;
    fs::metadata(file)
        .is_ok_and(|found| found.uid() != nix::unistd::geteuid().as_raw() || found.mode() & WRITE_BY_ALL != 0)
}

/// Whether somebody else owns a file, or the system does not say who does. The owner decides who else can write it.
#[cfg(windows)]
fn belongs_to_others(file: &Path) -> bool {
    !gix_sec::identity::is_path_owned_by_current_user(file).unwrap_or(false)
}

fn is_allowed(file: &Path) -> bool {
    let (Ok(line), Ok(list)) = (fingerprint(file), list()) else { return false };
    fs::read_to_string(list).is_ok_and(|known| known.lines().any(|other| other == line))
}

/// Returns a line with the hash of a file and its path.
fn fingerprint(file: &Path) -> io::Result<String> {
    let hash = Sha256::digest(fs::read(file)?);
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("{hash}  {}", fs::canonicalize(file)?.display()))
}

/// Returns the file that lists what was allowed.
fn list() -> io::Result<PathBuf> {
    let strategy = choose_base_strategy().map_err(io::Error::other)?;
    Ok(strategy.data_dir().join("perft").join("allowed"))
}

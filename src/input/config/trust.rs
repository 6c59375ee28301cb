//! Decides whether a `perft.toml` is used without being named.
//!
//! The file is searched for in the folders above the current one, and its entries run commands. So it must belong to
//! the user: the file and its folder are owned by the user or by the administrator, and nobody else can write to them.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::system::files;

/// Reads a file that was found, of at most `limit` bytes, and checks its owner. Returns the text, and the reason why it
/// is not used, if there is one.
///
/// # Errors
/// The file cannot be read, it is a link, it is not a regular file, or it is larger.
pub fn read(path: &Path, limit: u64) -> io::Result<(String, Option<&'static str>)> {
    let file = files::open_no_link(path)?;
    let doubt = if belongs_to_others(path, &file)? {
        Some("somebody else can write it")
    } else if folder_belongs_to_others(files::folder_of(path))? {
        Some("somebody else can write its folder")
    } else {
        None
    };
    Ok((files::text_of(file, limit)?, doubt))
}

/// Whether another user owns a file or can write to it.
#[cfg(unix)]
fn belongs_to_others(_: &Path, file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    const WRITE_BY_OTHERS: u32 = 0o022;
    let found = file.metadata()?;
    let is_own = [0, nix::unistd::geteuid().as_raw()].contains(&found.uid());
    Ok(!is_own || found.mode() & WRITE_BY_OTHERS != 0)
}

#[cfg(unix)]
fn folder_belongs_to_others(folder: &Path) -> io::Result<bool> {
    belongs_to_others(folder, &File::open(folder)?)
}

/// Whether another user owns a file. The owner decides who else can write to it.
#[cfg(windows)]
fn belongs_to_others(path: &Path, _: &File) -> io::Result<bool> {
    folder_belongs_to_others(path)
}

#[cfg(windows)]
fn folder_belongs_to_others(folder: &Path) -> io::Result<bool> {
    Ok(!gix_sec::identity::is_path_owned_by_current_user(folder).unwrap_or(false))
}

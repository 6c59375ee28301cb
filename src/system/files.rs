//! Writing files completely or not at all, and reading files that this program has not written.
//!
//! A file is written under a temporary name in the same folder and renamed when it is complete. So no reader ever
//! sees an incomplete file, and an error leaves the old file unchanged. The temporary file exists only while the content
//! is written, not during the run before. A program that is killed in this moment leaves it behind.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The start of the names of temporary files.
const TEMPORARY: &str = ".perft-";

/// The files that a command accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file of this program, which nobody makes a pipe or a device.
    Regular,
    /// What a user names: a pipe or a device too.
    Any,
}

/// Reads a file of at most `limit` bytes. All files that this program has not just written are read here.
///
/// # Errors
/// The file cannot be opened or read, it is of another kind, or it is larger.
pub fn read(path: &Path, kind: Kind, limit: u64) -> io::Result<Vec<u8>> {
    read_from(open(path, kind)?, limit, |_| Ok(()))
}

/// Like [`read`], for a text.
///
/// # Errors
/// Also if the file is not UTF-8.
pub fn read_text(path: &Path, kind: Kind, limit: u64) -> io::Result<String> {
    let invalid = |_| io::Error::new(ErrorKind::InvalidData, "it is not valid UTF-8");
    String::from_utf8(read(path, kind, limit)?).map_err(invalid)
}

/// Opens a file for reading. A pipe is not opened where none is expected: it would wait for its writer.
///
/// # Errors
/// The file cannot be opened, or is of another kind.
pub fn open(path: &Path, kind: Kind) -> io::Result<File> {
    let is_file = fs::metadata(path)?.is_file();
    if kind == Kind::Regular && !is_file {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a file"));
    }
    File::open(path)
}

/// Reads at most `limit` bytes. `check` sees what has been read so far, after each piece, and can end the reading.
///
/// # Errors
/// The input cannot be read or has more bytes, or `check` has returned an error.
pub fn read_from(
    mut input: impl Read,
    limit: u64,
    check: impl Fn(&[u8]) -> io::Result<()>,
) -> io::Result<Vec<u8>> {
    const PIECE: u64 = 1 << 16;
    let mut bytes = Vec::new();
    while input.by_ref().take(PIECE).read_to_end(&mut bytes)? > 0 {
        check(&bytes)?;
        if bytes.len() as u64 > limit {
            return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {limit} bytes")));
        }
    }
    Ok(bytes)
}

/// Which file a path leads to. All names of a file have the same: links, and other spellings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Identity {
    /// The numbers of its disk and of the file there.
    #[cfg(unix)]
    Numbers(u64, u64),
    /// The path without links.
    Path(PathBuf),
}

impl Identity {
    /// Returns the identity of a file, which need not exist yet. Folders, pipes and devices have none.
    pub fn of(path: &Path) -> Option<Identity> {
        let Ok(found) = fs::metadata(path) else {
            let name = path.file_name()?;
            let ignores_case = cfg!(any(windows, target_vendor = "apple"));
            let name = if ignores_case { name.to_ascii_lowercase() } else { name.to_owned() };
            return Some(Identity::Path(folder_of(path).canonicalize().ok()?.join(name)));
        };
        if found.is_file() { Identity::of_file(&found, path) } else { None }
    }

    /// Returns the identity of the file that is standard input or standard output.
    #[cfg(unix)]
    pub fn of_stream(stream: impl std::os::fd::AsFd) -> Option<Identity> {
        let found = File::from(stream.as_fd().try_clone_to_owned().ok()?).metadata().ok()?;
        if found.is_file() { Identity::of_file(&found, Path::new("")) } else { None }
    }

    #[cfg(unix)]
    fn of_file(found: &fs::Metadata, _: &Path) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt;
        Some(Identity::Numbers(found.dev(), found.ino()))
    }

    #[cfg(not(unix))]
    fn of_file(_: &fs::Metadata, path: &Path) -> Option<Identity> {
        Some(Identity::Path(path.canonicalize().ok()?))
    }
}

/// Checks that a file can be written: a file without a name is created in its folder, and removed again.
///
/// # Errors
/// The file cannot be written.
pub fn check_writable(path: &Path) -> io::Result<()> {
    let (path, existing) = existing(path)?;
    match existing {
        // A pipe is opened only once: its reader would see an end.
        Some(existing) if is_pipe(&existing) => Ok(()),
        Some(existing) if !existing.is_file() => OpenOptions::new().write(true).open(&path).map(drop),
        // The message has no path: the user has not named this file.
        _ => tempfile::tempfile_in(folder_of(&path)).map(drop).map_err(|error| error.kind().into()),
    }
}

/// Returns the file to which a path leads, and what is there.
///
/// # Errors
/// It is a folder, or may not be written.
fn existing(path: &Path) -> io::Result<(PathBuf, Option<fs::Metadata>)> {
    let path = followed(path)?;
    match fs::metadata(&path).ok() {
        Some(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Some(found) if found.permissions().readonly() => Err(ErrorKind::PermissionDenied.into()),
        found => Ok((path, found)),
    }
}

#[cfg(unix)]
fn is_pipe(found: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_: &fs::Metadata) -> bool {
    false
}

/// Writes a file completely or not at all, and waits until the system has stored its content.
///
/// # Errors
/// The file cannot be written. An existing file is unchanged.
pub fn write(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let (path, existing) = existing(path)?;
    // A pipe or a device cannot be replaced.
    if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
        return write(&mut OpenOptions::new().write(true).open(&path)?);
    }
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let named = builder.prefix(TEMPORARY).tempfile_in(folder_of(&path)).map_err(|error| error.kind())?;
    if let Some(existing) = existing {
        named.as_file().set_permissions(existing.permissions())?;
    }
    let mut buffer = BufWriter::new(named.as_file());
    write(&mut buffer)?;
    buffer.into_inner()?.sync_all()?;
    named.persist(&path).map(drop).map_err(|error| error.error)
}

/// Creates a file that is written bit by bit, such as a log.
///
/// # Errors
/// The file cannot be written.
pub fn create(path: &Path) -> io::Result<File> {
    File::create(followed(path)?)
}

/// Returns the file that a path leads to. Without a link, it need not exist.
fn followed(path: &Path) -> io::Result<PathBuf> {
    if path.is_symlink() && !path.exists() {
        return Err(io::Error::new(ErrorKind::NotFound, "it is a link to a file that does not exist"));
    }
    // The link of a pipe leads to no path.
    Ok(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
}

pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_changes_only_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        fs::write(&path, "old").unwrap();
        check_writable(&path).unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("old", 1));
        write(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["out.json"]);
    }

    #[test]
    fn files_of_the_user_are_never_removed() {
        let folder = tempfile::tempdir().unwrap();
        let notes = folder.path().join(".perft-notes");
        fs::write(&notes, "mine").unwrap();
        write(&folder.path().join("out"), |out| out.write_all(b"1")).unwrap();
        assert_eq!(fs::read_to_string(&notes).unwrap(), "mine");
        assert_eq!(names(folder.path()).len(), 2);
    }

    #[test]
    fn a_failure_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        check_writable(&path).unwrap();
        let half = |out: &mut dyn Write| {
            out.write_all(b"half")?;
            Err(ErrorKind::StorageFull.into())
        };
        assert!(write(&path, half).is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn only_files_within_the_limit_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "12345").unwrap();
        let read = |path, limit| read_text(path, Kind::Regular, limit);
        assert_eq!(read(&path, 5).unwrap(), "12345");
        assert_eq!(read(&path, 4).unwrap_err().to_string(), "it has more than 4 bytes");
        assert!(read(folder.path(), 5).is_err());
        #[cfg(unix)]
        assert_eq!(read(Path::new("/dev/zero"), 5).unwrap_err().to_string(), "it is not a file");
        #[cfg(unix)]
        assert!(super::read(Path::new("/dev/zero"), Kind::Any, 5).is_err());
    }
}

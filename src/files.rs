//! Writing files completely or not at all.
//!
//! A file is written under a temporary name in the same folder and renamed when it is complete. So nobody ever sees a part of
//! it, and an error leaves the old file as it was.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that will be written. It was checked that it can be.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// A temporary file that replaces the file when it is complete.
    Temporary(NamedTempFile),
    /// The file itself. A pipe or a device cannot be replaced.
    Direct(File),
}

impl AtomicFile {
    /// Checks that a file can be written, and creates the temporary file. An existing file is not changed.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn prepare(path: &Path) -> io::Result<AtomicFile> {
        // For a symbolic link, the file that it leads to is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let existing = fs::metadata(&path).ok();
        match &existing {
            Some(existing) if existing.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Some(existing) if existing.permissions().readonly() => {
                return Err(ErrorKind::PermissionDenied.into());
            }
            Some(existing) if !existing.is_file() => {
                let file = OpenOptions::new().write(true).open(&path)?;
                return Ok(AtomicFile { path, target: Target::Direct(file) });
            }
            _ => {}
        }
        let file = create_temporary(&path, tempfile::Builder::new().prefix(".perft-"))?;
        if let Some(existing) = existing {
            file.as_file().set_permissions(existing.permissions())?;
        }
        Ok(AtomicFile { path, target: Target::Temporary(file) })
    }

    /// Like [`AtomicFile::prepare`], for a file that does not exist yet. The temporary file gets a fixed name, so that it can
    /// be found and removed if the program is killed.
    ///
    /// # Errors
    /// The temporary file cannot be created, or exists already.
    pub fn prepare_as(path: &Path, temporary_name: &str) -> io::Result<AtomicFile> {
        let file = create_temporary(path, tempfile::Builder::new().prefix(temporary_name).rand_bytes(0))?;
        Ok(AtomicFile { path: path.to_owned(), target: Target::Temporary(file) })
    }

    /// Writes the file and waits until the system has stored its content.
    ///
    /// # Errors
    /// The file cannot be written. An existing file is unchanged.
    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        match self.target {
            Target::Direct(mut file) => write(&mut file),
            Target::Temporary(file) => {
                let mut buffer = BufWriter::new(file);
                write(&mut buffer).map_err(without_path)?;
                let file = buffer.into_inner().map_err(|error| without_path(error.into_error()))?;
                file.as_file().sync_all()?;
                file.persist(&self.path).map_err(|error| error.error)?;
                Ok(())
            }
        }
    }
}

/// Creates a temporary file in the folder of another file, with the permissions of a new file.
fn create_temporary(path: &Path, builder: &mut tempfile::Builder<'_, '_>) -> io::Result<NamedTempFile> {
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    builder.tempfile_in(folder.unwrap_or(Path::new("."))).map_err(without_path)
}

/// Removes the path of the temporary file, which `tempfile` adds, from an error message.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((cause, _)) => io::Error::new(error.kind(), cause.to_owned()),
        None => error,
    }
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
        let file = AtomicFile::prepare(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        file.write(|out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["out.json"]);
    }

    #[test]
    fn a_failure_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        drop(AtomicFile::prepare(&path).unwrap());
        let half = |out: &mut dyn Write| {
            out.write_all(b"half")?;
            Err(ErrorKind::StorageFull.into())
        };
        assert!(AtomicFile::prepare(&path).unwrap().write(half).is_err());
        assert!(AtomicFile::prepare_as(&path, "out.unfinished").unwrap().write(half).is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_temporary_file_can_have_a_fixed_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        let file = AtomicFile::prepare_as(&path, "out.unfinished").unwrap();
        assert_eq!(names(folder.path()), ["out.unfinished"]);
        file.write(|out| out.write_all(b"new")).unwrap();
        assert_eq!(names(folder.path()), ["out.json"]);
    }

    #[test]
    fn a_file_that_cannot_be_written_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        assert!(AtomicFile::prepare(folder.path()).is_err());
        let error = AtomicFile::prepare(&folder.path().join("nowhere/out.json")).unwrap_err();
        assert!(!error.to_string().contains("at path"), "{error}");
        let read_only = folder.path().join("read-only");
        fs::write(&read_only, "old").unwrap();
        let mut permissions = fs::metadata(&read_only).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&read_only, permissions).unwrap();
        assert!(AtomicFile::prepare(&read_only).is_err());
    }
}

//! Writes files atomically: a file is either complete or unchanged.
//!
//! The content goes to a temporary file in the same folder, which replaces the target once it is complete.
//! [`Export::prepare`] finds out whether a file can be written before a long run starts, and not after it.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::error::CliError;

/// A file that is going to be written.
#[derive(Debug)]
pub struct Export {
    path: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// A temporary file that replaces the target when it is complete.
    Temporary(NamedTempFile),
    /// Something that is not a regular file, such as a pipe. It cannot be replaced, so it is written directly.
    Direct(fs::File),
}

impl Export {
    /// Prepares to write a file. An existing file stays unchanged until [`write`](Export::write) has finished.
    ///
    /// # Errors
    /// A usage error if the file cannot be written.
    pub fn prepare(path: &Path) -> Result<Export, CliError> {
        let refuse = |error: io::Error| {
            cannot_write(path, &error).help("give a file in a folder that exists and is writable")
        };
        // If the path is a symbolic link, the file that it points to is replaced, and not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let existing = fs::metadata(&path).ok();
        match &existing {
            Some(existing) if existing.is_dir() => return Err(refuse(io::ErrorKind::IsADirectory.into())),
            Some(existing) if existing.permissions().readonly() => {
                return Err(refuse(io::ErrorKind::PermissionDenied.into()));
            }
            Some(existing) if !existing.is_file() => {
                let file = fs::OpenOptions::new().write(true).open(&path).map_err(refuse)?;
                return Ok(Export { path, target: Target::Direct(file) });
            }
            _ => {}
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = temporary_file(folder.unwrap_or(Path::new("."))).map_err(refuse)?;
        if let Some(existing) = existing {
            file.as_file().set_permissions(existing.permissions()).map_err(refuse)?;
        }
        Ok(Export { path, target: Target::Temporary(file) })
    }

    /// Writes the file: calls `write` with a buffer, then puts the complete file in place.
    ///
    /// # Errors
    /// A usage error if writing fails. An existing file is then unchanged.
    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
        let Export { path, target } = self;
        let written = match target {
            Target::Direct(mut file) => write(&mut file),
            Target::Temporary(file) => replace(&path, file, write),
        };
        written.map_err(|error| cannot_write(&path, &error))
    }
}

/// Writes a temporary file and moves it to `path`.
fn replace(
    path: &Path,
    file: NamedTempFile,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut buffer = BufWriter::new(file);
    write(&mut buffer)?;
    let file = buffer.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Returns the usage error for a file that cannot be written.
fn cannot_write(path: &Path, error: &io::Error) -> CliError {
    // `tempfile` adds the path of the temporary file, which means nothing to the user.
    let text = error.to_string();
    let reason = text.split(" at path ").next().unwrap_or(&text);
    CliError::usage(format!("cannot write '{}': {reason}", path.display()))
}

/// Creates a temporary file with the permissions of an ordinary new file.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".perft-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
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
        let export = Export::prepare(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        export.write(|out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["out.json"]);
    }

    #[test]
    fn a_failed_write_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        drop(Export::prepare(&path).unwrap());
        let half = |out: &mut dyn Write| {
            out.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        };
        assert!(Export::prepare(&path).unwrap().write(half).is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn an_unwritable_file_is_refused_before_the_run() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Export::prepare(folder.path()).is_err());
        assert!(Export::prepare(&folder.path().join("nowhere/out.json")).is_err());
        let read_only = folder.path().join("read-only");
        fs::write(&read_only, "old").unwrap();
        let mut permissions = fs::metadata(&read_only).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&read_only, permissions).unwrap();
        assert!(Export::prepare(&read_only).is_err());
    }
}

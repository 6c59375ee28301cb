//! Files that are written whole or not at all.
//!
//! A file is written beside its place under another name, and takes its place only when it is complete. Whether that can
//! be done is found out before the work begins, not after an hour of it.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::error::CliError;

/// A file that will be written.
#[derive(Debug)]
pub struct Export {
    path: PathBuf,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    /// Becomes the file when it is complete.
    Beside(NamedTempFile),
    /// What is no regular file, such as a pipe, has nothing to be replaced.
    Direct(fs::File),
}

impl Export {
    /// Makes sure that a file can be written; nothing of an existing one is touched.
    pub fn prepare(path: &Path) -> Result<Export, CliError> {
        let refuse = |error: io::Error| {
            CliError::usage(format!("cannot write '{}': {}", path.display(), cause(&error)))
                .help("a file in a folder that exists and can be written to")
        };
        // Where a link leads, the file is replaced, not the link.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let existing = fs::metadata(&path).ok();
        match &existing {
            Some(existing) if existing.is_dir() => return Err(refuse(io::ErrorKind::IsADirectory.into())),
            Some(existing) if existing.permissions().readonly() => {
                return Err(refuse(io::ErrorKind::PermissionDenied.into()));
            }
            Some(existing) if !existing.is_file() => {
                let file = fs::OpenOptions::new().write(true).open(&path).map_err(refuse)?;
                return Ok(Export { path, sink: Sink::Direct(file) });
            }
            _ => {}
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = new_file(folder.unwrap_or(Path::new("."))).map_err(refuse)?;
        if let Some(existing) = existing {
            file.as_file().set_permissions(existing.permissions()).map_err(refuse)?;
        }
        Ok(Export { path, sink: Sink::Beside(file) })
    }

    /// Writes the file.
    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
        let Export { path, sink } = self;
        let refuse = |error: io::Error| {
            CliError::usage(format!("cannot write '{}': {}", path.display(), cause(&error)))
        };
        match sink {
            Sink::Direct(mut file) => write(&mut file).map_err(refuse),
            Sink::Beside(file) => {
                let mut buffer = BufWriter::new(file);
                write(&mut buffer).map_err(refuse)?;
                let file = buffer.into_inner().map_err(|error| refuse(error.into_error()))?;
                file.as_file().sync_all().map_err(refuse)?;
                file.persist(&path).map_err(|error| refuse(error.error))?;
                Ok(())
            }
        }
    }
}

/// What the system says, without the name of the file beside, which `tempfile` adds and which says nothing to anybody.
fn cause(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" at path ").next().unwrap_or(&text).to_owned()
}

/// A file under a name of its own, with the permissions that a new file has.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
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
    fn what_fails_leaves_nothing() {
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
    fn what_cannot_be_written_is_refused_at_once() {
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

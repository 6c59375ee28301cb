//! Output files of commands, which are written completely or not at all.
//!
//! [`Export::prepare`] checks whether a file can be written before a long run starts.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::error::CliError;
use crate::system::files::{AtomicFile, folder_of};

/// The files that this run writes. If two exports wrote the same file, only one of them would remain.
static PREPARED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that will be written.
#[derive(Debug)]
pub struct Export {
    path: PathBuf,
    file: AtomicFile,
}

impl Export {
    /// Prepares to write a file. An existing file stays unchanged until [`write`](Export::write) has finished.
    ///
    /// # Errors
    /// A usage error if the file cannot be written.
    pub fn prepare(path: &Path) -> Result<Export, CliError> {
        let mut prepared = PREPARED.lock().unwrap_or_else(PoisonError::into_inner);
        let place = place(path);
        if prepared.contains(&place) {
            let refusal = CliError::usage(format!("two exports would be written to '{}'", path.display()));
            return Err(refusal.help("give each export a file of its own"));
        }
        let file = AtomicFile::prepare(path).map_err(|error| {
            cannot_write(path, &error).help("give a file in a folder that exists and is writable")
        })?;
        if path.is_file() || !path.exists() {
            prepared.push(place);
        }
        Ok(Export { path: path.to_owned(), file })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file: calls `write` with a buffer, then puts the complete file in place.
    ///
    /// # Errors
    /// A usage error if writing fails. An existing file is then unchanged.
    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
        self.file.write(write).map_err(|error| cannot_write(&self.path, &error))
    }
}

/// Returns the path of a file with symbolic links resolved.
fn place(path: &Path) -> PathBuf {
    match (fs::canonicalize(path), fs::canonicalize(folder_of(path)), path.file_name()) {
        (Ok(place), _, _) => place,
        (_, Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> CliError {
    CliError::usage(format!("cannot write '{}': {error}", path.display()))
}

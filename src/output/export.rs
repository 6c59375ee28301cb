//! Output files of commands, which are written completely or not at all.
//!
//! [`Export::prepare`] checks whether a file can be written before a long run starts.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::CliError;
use crate::system::files::AtomicFile;

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
        let file = AtomicFile::prepare(path).map_err(|error| {
            cannot_write(path, &error).help("give a file in a folder that exists and is writable")
        })?;
        Ok(Export { path: path.to_owned(), file })
    }

    /// Writes the file: calls `write` with a buffer, then puts the complete file in place.
    ///
    /// # Errors
    /// A usage error if writing fails. An existing file is then unchanged.
    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
        self.file.write(write).map_err(|error| cannot_write(&self.path, &error))
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> CliError {
    CliError::usage(format!("cannot write '{}': {error}", path.display()))
}

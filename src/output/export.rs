//! Output files of commands, which are written completely or not at all.
//!
//! [`Export::prepare`] checks whether a file can be written before a long run starts.

use std::ffi::OsString;
use std::io::{self, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use super::error::CliError;
use crate::system::files::AtomicFile;

/// The value of an option that names a file to write. Before a command starts, all values of this type are compared with
/// the files that it reads.
#[derive(Clone, Debug)]
pub struct OutputFile(PathBuf);

impl From<OsString> for OutputFile {
    fn from(path: OsString) -> OutputFile {
        OutputFile(path.into())
    }
}

impl Deref for OutputFile {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

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
    pub fn prepare(path: &OutputFile) -> Result<Export, CliError> {
        let file = AtomicFile::prepare(path).map_err(|error| {
            cannot_write(path, &error).help("give a file in a folder that exists and is writable")
        })?;
        Ok(Export { path: path.0.clone(), file })
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

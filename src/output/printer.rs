//! Printing while a search runs: its threads report what they find, and each finding is printed at once.

use std::io::{self, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use indicatif::ProgressBar;
use perft_core::StopSignal;

/// Prints from the threads of a search while its progress bar is drawn.
pub struct Printer<'a, W> {
    bar: ProgressBar,
    stop: &'a StopSignal,
    out: Mutex<&'a mut W>,
    /// The error that stopped the search.
    error: OnceLock<io::Error>,
}

impl<'a, W: Write> Printer<'a, W> {
    /// Returns a printer that pauses the progress bar while it prints.
    pub fn new(bar: ProgressBar, stop: &'a StopSignal, out: &'a mut W) -> Printer<'a, W> {
        Printer { bar, stop, out: Mutex::new(out), error: OnceLock::new() }
    }

    /// Prints something with `write`. If that fails, the search is stopped.
    pub fn print(&self, write: impl FnOnce(&mut W) -> io::Result<()>) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let written = self.bar.suspend(|| {
            write(&mut **out)?;
            out.flush()
        });
        if let Err(error) = written {
            let _ = self.error.set(error);
            self.stop.raise();
        }
    }

    /// Ends printing.
    ///
    /// # Errors
    /// Something could not be printed.
    pub fn finish(self) -> io::Result<()> {
        self.error.into_inner().map_or(Ok(()), Err)
    }
}

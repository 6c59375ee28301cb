//! Printing while a search runs: its threads report what they find, and each finding is printed at once.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;
use perft_core::StopSignal;

/// The format of the output while the hunt runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingFormat {
    /// Every bug with its board
    Text,
    /// A line for a test suite for every bug
    Epd,
    /// Nothing: the report is printed at the end
    Json,
}

/// Prints from the threads of a search while its progress bar is drawn.
pub struct Printer<'a, W> {
    bar: ProgressBar,
    stop: &'a StopSignal,
    state: Mutex<State<'a, W>>,
}

struct State<'a, W> {
    out: &'a mut W,
    error: Option<io::Error>,
}

impl<'a, W: Write> Printer<'a, W> {
    /// Returns a printer that pauses the progress bar while it prints.
    pub fn new(bar: ProgressBar, stop: &'a StopSignal, out: &'a mut W) -> Printer<'a, W> {
        Printer { bar, stop, state: Mutex::new(State { out, error: None }) }
    }

    /// Prints something with `write`. If that fails, the search is stopped.
    pub fn print(&self, write: impl FnOnce(&mut W) -> io::Result<()>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let out = &mut *state.out;
        let written = self.bar.suspend(|| {
            write(out)?;
            out.flush()
        });
        if let Err(error) = written {
            state.error = Some(error);
            self.stop.raise();
        }
    }

    /// Ends printing.
    ///
    /// # Errors
    /// Something could not be printed.
    pub fn finish(self) -> io::Result<()> {
        let State { error, .. } = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        error.map_or(Ok(()), Err)
    }
}

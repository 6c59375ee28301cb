//! Printing while a hunt runs: its threads report findings, and each is printed at once.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;
use perft_core::StopSignal;

/// What is printed while the hunt runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Every bug with its board
    Text,
    /// A line for a test suite for every bug
    Epd,
    /// Nothing: the report is printed at the end
    Json,
}

/// Receives the findings of a hunt from its threads, as reports `R`, and prints each of them.
pub struct Printer<'a, W, R> {
    bar: ProgressBar,
    stop: &'a StopSignal,
    state: Mutex<State<'a, W, R>>,
}

struct State<'a, W, R> {
    out: &'a mut W,
    /// The reports, each with the index of its finding in the summary.
    reports: Vec<(usize, R)>,
    error: Option<io::Error>,
}

impl<'a, W: Write, R> Printer<'a, W, R> {
    /// Returns a printer that pauses the progress bar while it prints.
    pub fn new(bar: ProgressBar, stop: &'a StopSignal, out: &'a mut W) -> Printer<'a, W, R> {
        Printer { bar, stop, state: Mutex::new(State { out, reports: Vec::new(), error: None }) }
    }

    /// Prints a finding with `write`. If that fails, the hunt is stopped.
    pub fn found(&self, index: usize, report: R, write: impl FnOnce(&R, &mut W) -> io::Result<()>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let out = &mut *state.out;
        let written = self.bar.suspend(|| {
            write(&report, out)?;
            out.flush()
        });
        if let Err(error) = written {
            state.error = Some(error);
            self.stop.raise();
        }
        state.reports.push((index, report));
    }

    /// Returns the reports of all findings, in the order of the summary.
    ///
    /// # Errors
    /// A finding could not be printed.
    pub fn finish(self) -> io::Result<Vec<R>> {
        let State { mut reports, error, .. } =
            self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        reports.sort_by_key(|(index, _)| *index);
        match error {
            Some(error) => Err(error),
            None => Ok(reports.into_iter().map(|(_, report)| report).collect()),
        }
    }
}

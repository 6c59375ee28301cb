//! Code that the searches for bugs share: running a search under a progress bar, and its end.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use indicatif::ProgressBar;
use perft_core::StopSignal;
use perft_count::CpuPath;
use perft_diagnosis::source::CountSource;
use perft_diagnosis::{SearchEvent, SearchOptions, SearchSummary};

use super::report::HuntTotals;
use crate::commands::suite::asked::{EngineInfo, check_asked};
use crate::engine::{Engine, EngineSpec};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::standard_output::Printer;
use crate::output::terminal::progress_bar;
use crate::output::{CountMode, Format, INCOMPLETE, Provenance, Report, emit, environment, number_of};

const BAR: &str = "{pos}/{len} positions";

/// The extent of a search.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// The threads and the limits.
    pub options: SearchOptions,
    /// The number of positions to ask about.
    pub positions: usize,
    /// The seed of the random positions; `None` if the positions were given.
    pub seed: Option<u64>,
    /// The number of positions that are left out because no game reaches them.
    pub left_out: usize,
}

/// The format of the output while a hunt runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingFormat {
    /// Every bug with its board.
    Text,
    /// A line for a test suite for every bug.
    Epd,
    /// Nothing: the report is printed at the end.
    Json,
}

/// A search for bugs of an engine.
pub struct EngineSearch {
    /// The engine.
    pub spec: EngineSpec,
    /// The engine as it was typed.
    pub engine: String,
    /// The extent of the search.
    pub scope: Scope,
    /// The format of the findings.
    pub format: FindingFormat,
    /// The command to run next if there is no bug.
    pub next: String,
}

/// A search that has ended.
pub struct Searched<F, S, R> {
    /// The result of the search.
    pub summary: SearchSummary<F, S>,
    /// The reports of its findings, in their order.
    pub findings: Vec<R>,
    /// The time that it took, in seconds.
    pub seconds: f64,
}

impl EngineSearch {
    pub fn source(&self) -> Box<dyn CountSource> {
        Box::new(Engine::new(self.spec.clone()))
    }

    /// Returns what all hunts report. `own_name` is the name that the engine gives itself.
    ///
    /// # Errors
    /// Nothing was asked.
    pub fn totals<F, S, R>(
        &self,
        searched: &Searched<F, S, R>,
        own_name: Option<&String>,
        notes: Vec<String>,
    ) -> Result<HuntTotals, CliError> {
        let (summary, scope) = (&searched.summary, self.scope);
        check_asked(summary.positions, summary.left_out_chess960)?;
        Ok(HuntTotals {
            provenance: provenance(scope.options.threads),
            engine: EngineInfo::new(&self.spec, own_name.cloned()),
            seed: scope.seed,
            complete: !summary.is_interrupted,
            positions: summary.positions,
            faulty: summary.faulty,
            questions: summary.questions,
            cut_short: summary.cut_short,
            left_out_chess960: summary.left_out_chess960,
            left_out_impossible: scope.left_out,
            notes,
            seconds: searched.seconds,
            next: None,
        })
    }

    /// Prints the report of a hunt. With the format EPD, all lines were printed during the hunt. Only a comment follows
    /// if the list is incomplete.
    ///
    /// # Errors
    /// The hunt was interrupted, or the output cannot be written.
    pub fn conclude(
        &self,
        report: &impl Report,
        totals: &HuntTotals,
        out: &mut impl Write,
    ) -> Result<(), CliError> {
        match self.format {
            FindingFormat::Text => emit(report, Format::Text, out)?,
            FindingFormat::Json => emit(report, Format::Json, out)?,
            FindingFormat::Epd if !totals.complete => writeln!(out, "# {INCOMPLETE}")?,
            FindingFormat::Epd => {}
        }
        check_finished(totals.complete, totals.positions, out)
    }
}

/// Returns how the right answers of a hunt are counted.
pub fn provenance(threads: usize) -> Provenance {
    Provenance { mode: CountMode::Hunt, ..environment::provenance(CpuPath::best(), threads, 0, true) }
}

pub fn search_bar(context: &Context, name: &str, positions: usize) -> ProgressBar {
    progress_bar(context, name, BAR, positions as u64)
}

/// Runs a search and prints each finding at once. `describe` writes a finding and returns its report. Its first
/// argument is the number of the finding, counted from 1.
///
/// # Errors
/// A finding could not be printed.
pub fn searched<F, S, R: Send>(
    bar: ProgressBar,
    stop: &StopSignal,
    out: &mut (impl Write + Send),
    describe: impl Fn(usize, &F, &mut Vec<u8>) -> io::Result<R> + Sync,
    search: impl FnOnce(&(dyn Fn(SearchEvent<F>) + Sync)) -> SearchSummary<F, S>,
) -> io::Result<Searched<F, S, R>> {
    let start = Instant::now();
    let printer = Printer::new(bar.clone(), stop, out);
    let reports = Mutex::new(Vec::new());
    let summary = search(&|event| match event {
        SearchEvent::TargetDone => bar.inc(1),
        SearchEvent::Found(index, finding) => {
            let mut text = Vec::new();
            let report = describe(index + 1, finding, &mut text);
            printer.print(|out| out.write_all(&text));
            reports.lock().unwrap_or_else(PoisonError::into_inner).push((index, report));
        }
    });
    bar.finish_and_clear();
    printer.finish()?;
    let mut reports = reports.into_inner().unwrap_or_else(PoisonError::into_inner);
    reports.sort_by_key(|(index, _)| *index);
    let findings = reports.into_iter().map(|(_, report)| report).collect::<io::Result<_>>()?;
    Ok(Searched { summary, findings, seconds: start.elapsed().as_secs_f64() })
}

/// Checks that a hunt was not interrupted. If it was, all output is written first.
///
/// # Errors
/// The hunt was interrupted, or the output cannot be written.
pub fn check_finished(is_complete: bool, positions: usize, out: &mut impl Write) -> Result<(), CliError> {
    if is_complete {
        return Ok(());
    }
    out.flush()?;
    Err(CliError::Interrupted(format!("done: {}", number_of(positions, "position"))))
}

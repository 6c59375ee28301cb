//! What the searches for bugs have in common: running one under a progress bar, and its end.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use indicatif::ProgressBar;
use perft_count::CpuPath;
use perft_diagnosis::HuntOptions;
use perft_diagnosis::source::CountSource;

use super::context::Context;
use super::environment;
use super::error::{CliError, ENGINE_FAILED, WRONG};
use super::printer::{Findings, Printer};
use super::terminal::progress_bar;
use crate::engine::{Engine, EngineSpec};
use crate::report::hunt::HuntTotals;
use crate::report::suite::EngineInfo;
use crate::report::{CountMode, Provenance, grouped};

const BAR: &str = "{pos}/{len} positions";

/// A search for bugs of an engine.
pub struct Job {
    /// The engine.
    pub spec: EngineSpec,
    /// The threads and the limits.
    pub options: HuntOptions,
    /// The number of positions to ask about.
    pub positions: usize,
    /// The seed of the random positions; `None` if the positions were given.
    pub seed: Option<u64>,
    /// The number of positions that are left out because no game reaches them.
    pub left_out: usize,
}

/// A search that has ended.
pub struct Searched<S, R> {
    /// What the search returned.
    pub summary: S,
    /// The reports of its findings, in their order.
    pub findings: Vec<R>,
    /// How long it took.
    pub seconds: f64,
}

impl Job {
    /// Returns the engine as a source of counts.
    pub fn engine(&self) -> Box<dyn CountSource> {
        Box::new(Engine::new(self.spec.clone()))
    }

    /// Returns what all hunts report, with zeros for what only the search knows.
    pub fn totals(&self, own_name: Option<&String>) -> HuntTotals {
        HuntTotals {
            provenance: provenance(self.seed, self.options.threads),
            engine: EngineInfo::new(&self.spec, own_name.cloned()),
            seed: self.seed,
            complete: true,
            positions: 0,
            faulty: 0,
            questions: 0,
            cut_short: 0,
            left_out_chess960: 0,
            left_out_impossible: self.left_out,
            notes: Vec::new(),
            seconds: 0.0,
        }
    }
}

/// Returns how the right answers of a hunt are made. Random positions have a seed.
pub fn provenance(seed: Option<u64>, threads: usize) -> Provenance {
    let mode = if seed.is_some() { CountMode::Fuzz } else { CountMode::Hunt };
    Provenance { mode, ..environment::context(CpuPath::best(), threads, 0, true) }
}

/// Runs a search under a progress bar that is called `name`. The search passes its findings on, and each is printed at
/// once.
///
/// # Errors
/// A finding could not be printed.
pub fn searched<'a, S, R, W: Write>(
    name: &'static str,
    positions: usize,
    context: &'a Context,
    out: &'a mut W,
    search: impl FnOnce(&Findings<'a, W, R>, &ProgressBar) -> S,
) -> io::Result<Searched<S, R>> {
    let bar = progress_bar(context, name, BAR, positions as u64);
    let start = Instant::now();
    let received = Findings::new(Printer::new(bar.clone(), &context.stop, out));
    let summary = search(&received, &bar);
    bar.finish_and_clear();
    Ok(Searched { summary, findings: received.finish()?, seconds: start.elapsed().as_secs_f64() })
}

/// Checks that a hunt has asked anything.
///
/// # Errors
/// All positions are of Chess960, which the engine does not announce.
pub fn check_asked(positions: usize, left_out_chess960: usize) -> Result<(), CliError> {
    if positions > 0 || left_out_chess960 == 0 {
        return Ok(());
    }
    let message = "nothing was asked: the engine does not announce Chess960";
    Err(CliError::usage(message).help("add --engine-chess960 if the engine knows Chess960 all the same"))
}

/// Checks that a hunt was not interrupted. Otherwise all output is written first.
///
/// # Errors
/// The hunt was interrupted, or the output cannot be written.
pub fn check_finished(is_interrupted: bool, positions: usize, out: &mut impl Write) -> Result<(), CliError> {
    if !is_interrupted {
        return Ok(());
    }
    out.flush()?;
    Err(CliError::Interrupted(format!("{} positions are done", grouped(positions as u128))))
}

/// Returns the exit code: a wrong answer takes precedence over one that is missing or could not be read.
pub fn exit_code(has_wrong: bool, has_missing: bool) -> ExitCode {
    match (has_wrong, has_missing) {
        (true, _) => ExitCode::from(WRONG),
        (false, true) => ExitCode::from(ENGINE_FAILED),
        (false, false) => ExitCode::SUCCESS,
    }
}

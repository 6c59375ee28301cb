//! The arguments of `perft bench`.

use std::path::PathBuf;

use clap::Args;

use super::baseline::Baseline;
use super::baseline_files;
use super::exports::MeasurementOutput;
use super::runs::{RunArgs, parse_percent};
use crate::input::{CountingArgs, Threads, parse_depth};
use crate::output::context::Context;
use crate::output::error::{CliError, warn};
use crate::timing::{Measure, Schedule};

const EXAMPLES: &str = "\
Examples:
  perft bench                             time all named positions
  perft bench start kiwipete --runs 20    two positions, 20 runs each
  perft bench my.epd 5 --pin 1            your own positions, on CPU core 1
  perft bench --export-json now.json      write the result to a file too
  perft bench --save-baseline main        before a change: save the result
  perft bench --baseline main --max-regression 5%
                                          after it: exit code 3 if slower
  perft bench --against ../old/perft --max-regression 3%
                                          compare two builds in alternation,
                                          which is the most reliable way";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    after_help = "Exit codes: 0 success, 1 a count is wrong, 2 bad usage or input, 3 slower than --max-regression \
                  allows, 4 the other program failed, 130 interrupted."
)]
pub struct BenchArgs {
    /// Positions to time: names, built-in suites, EPD files with known counts, or - for standard input [default: all
    /// named positions]. A number at the end is the depth
    #[arg(value_name = "NAME|FILE|-")]
    pub positions: Vec<String>,
    /// Count every position to this depth; its count must be known [default: the depth that takes about half a second]
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Counting")]
    pub depth: Option<u32>,
    #[command(flatten)]
    pub counting: CountingArgs,
    #[command(flatten)]
    pub runs: RunArgs,
    #[command(flatten)]
    pub reference: ReferenceArgs,
    #[command(flatten)]
    pub output: MeasurementOutput,
}

/// The reference that the speeds are compared with.
#[derive(Debug, Args)]
#[command(next_help_heading = "Comparing")]
pub struct ReferenceArgs {
    /// Save the result as a baseline under this name
    #[arg(long, value_name = "NAME")]
    save_baseline: Option<String>,
    /// List the saved baselines, and measure nothing
    #[arg(long)]
    pub list_baselines: bool,
    /// Compare with a saved baseline, or with a file that --export-json wrote
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "against")]
    pub baseline: Option<String>,
    /// Compare with another build of perft; the two builds take turns, each run in a process of its own
    #[arg(long, value_name = "BINARY")]
    pub against: Option<String>,
    /// End with exit code 3 if this program is slower by more than P, with 95% confidence
    #[arg(long, value_name = "P%", value_parser = parse_percent)]
    pub max_regression: Option<f64>,
    /// Compare even if the CPU, the threads, or other settings differ
    #[arg(long, hide_short_help = true)]
    force: bool,
}

impl BenchArgs {
    /// Returns the schedule of the runs.
    ///
    /// With one thread, the schedule uses processor time, because it hardly depends on other programs of the machine.
    /// A baseline must contain processor times too.
    pub fn schedule(&self, baseline: Option<&Baseline>) -> Schedule {
        let has_one_thread = self.counting.machine.threads == Threads::Count(1);
        let is_known = has_one_thread && baseline.is_none_or(Baseline::has_processor_times);
        let measure = if is_known { Measure::Processor } else { Measure::Wall };
        Schedule { measure, ..self.runs.schedule() }
    }
}

impl ReferenceArgs {
    /// Returns the name of the reference for messages and reports; empty without a reference.
    pub fn name(&self) -> String {
        match (&self.baseline, &self.against) {
            (Some(name), _) => format!("the baseline '{name}'"),
            (None, Some(binary)) => binary.clone(),
            (None, None) => String::new(),
        }
    }

    /// Returns the file to which the result is saved as a baseline; `None` if it is not saved.
    ///
    /// # Errors
    /// A usage error if the baseline's name is not allowed, or if its folder cannot be created.
    pub fn path_to_save(&self) -> Result<Option<PathBuf>, CliError> {
        self.save_baseline.as_deref().map(baseline_files::path_to_write).transpose()
    }

    /// Refuses `--max-regression` without a reference.
    pub fn check_bound(&self) -> Result<(), CliError> {
        if self.max_regression.is_none() || self.baseline.is_some() || self.against.is_some() {
            return Ok(());
        }
        Err(CliError::usage("--max-regression needs something to compare with")
            .help("add --baseline NAME (a saved result) or --against BINARY (another build)"))
    }

    /// Refuses to compare speeds that were measured with different settings; with `--force`, prints a warning instead.
    pub fn check_differences(
        &self,
        reference: &str,
        differences: &[String],
        context: &Context,
    ) -> Result<(), CliError> {
        if differences.is_empty() {
            return Ok(());
        }
        let message = format!("{reference} was measured with other settings: {}", differences.join("; "));
        if !self.force {
            return Err(
                CliError::usage(message).help("use the same settings, or compare nevertheless with --force")
            );
        }
        if !context.global.quiet {
            warn(message);
        }
        Ok(())
    }
}

//! What `perft bench` can be asked.

use std::path::PathBuf;

use crate::bench::{Measure, Schedule};
use clap::Args;

use super::super::args::{CountingArgs, Threads, parse_depth};
use super::super::baselines;
use super::super::context::Context;
use super::super::error::{CliError, warn};
use super::super::results::OutputArgs;
use super::super::runs::{RunArgs, parse_percent};

const EXAMPLES: &str = "\
Examples:
  perft bench                                   the named positions, to depths that take about half a second
  perft bench start kiwipete --runs 20          two of them, so often
  perft bench my.epd --depth 5 --pin 1          your own, all to one depth, on one core
  perft bench --no-bulk --export-json now.json  for hyperfine's scripts, and for later
  perft bench --save-baseline main              before a change ...
  perft bench --baseline main --max-regression 5%
                                                ... and after it: exit code 3 if it is slower than that
  perft bench --against ../old/perft --max-regression 3%
                                                two builds in turns, the surest comparison";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    after_help = "Exit codes: 0 all is well, 1 a count is wrong, 2 bad usage or input, 3 slower than --max-regression allows, \
                  4 another program failed, 130 interrupted."
)]
pub struct BenchArgs {
    /// Positions by name, built-in suites, EPD files with known counts, or - for standard input [default: the named
    /// positions]
    #[arg(value_name = "NAME|FILE|-")]
    pub positions: Vec<String>,
    /// Count every position to this depth, which must be known [default: what takes about half a second]
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Counting")]
    pub depth: Option<u32>,
    #[command(flatten)]
    pub counting: CountingArgs,
    #[command(flatten)]
    pub runs: RunArgs,
    #[command(flatten)]
    pub comparison: ComparisonArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Comparing")]
pub struct ComparisonArgs {
    /// Keep the result under this name
    #[arg(long, value_name = "NAME")]
    save_baseline: Option<String>,
    /// Compare with a result kept before, or with a file of --export-json
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "against")]
    pub baseline: Option<String>,
    /// Compare with another build of perft: both run as processes, in turns
    #[arg(long, value_name = "BINARY")]
    pub against: Option<String>,
    /// Exit code 3 if it is certainly slower by more than this: 5%
    #[arg(long, value_name = "P%", value_parser = parse_percent)]
    pub max_regression: Option<f64>,
    /// Compare even if the machines, CPU paths, threads or modes differ
    #[arg(long)]
    force: bool,
}

impl BenchArgs {
    /// When to run what.
    pub fn schedule(&self) -> Schedule {
        Schedule { measure: self.measure(), ..self.runs.schedule() }
    }

    /// By which time speeds are compared: on one thread by what the processor spent, which does not mind a busy machine.
    pub fn measure(&self) -> Measure {
        if self.counting.machine.threads == Threads::Count(1) { Measure::Processor } else { Measure::Wall }
    }
}

impl ComparisonArgs {
    /// What is compared with, in words.
    pub fn with(&self) -> String {
        match (&self.baseline, &self.against) {
            (Some(name), _) => format!("the baseline '{name}'"),
            (None, Some(binary)) => binary.clone(),
            (None, None) => String::new(),
        }
    }

    /// The file in which the result is kept, if it is.
    pub fn path_to_save(&self) -> Result<Option<PathBuf>, CliError> {
        self.save_baseline.as_deref().map(baselines::path_to_write).transpose()
    }

    /// A bound needs something that it is a bound to.
    pub fn refuse_a_bound_alone(&self) -> Result<(), CliError> {
        if self.max_regression.is_none() || self.baseline.is_some() || self.against.is_some() {
            return Ok(());
        }
        Err(CliError::usage("--max-regression: slower than what?")
            .help("--baseline NAME compares with a result kept before, --against BINARY with another build"))
    }

    /// Speeds that were made in different ways are not compared, unless it is insisted on.
    pub fn refuse_differences(
        &self,
        with: &str,
        differences: &[String],
        context: &Context,
    ) -> Result<(), CliError> {
        if differences.is_empty() {
            return Ok(());
        }
        let message = format!("{with} was made in another way: {}", differences.join("; "));
        if !self.force {
            return Err(
                CliError::usage(message).help("count in the same way, or compare all the same with --force")
            );
        }
        if !context.global.quiet {
            warn(message);
        }
        Ok(())
    }
}

//! What `perft bench` can be asked.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use perft::bench::{Measure, PinError, Schedule, pin};

use super::super::Context;
use super::super::args::{CountingArgs, parse_depth};
use super::super::baselines;
use super::super::failure::{Failure, warn};

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
    help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}",
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
    runs: RunArgs,
    #[command(flatten)]
    pub comparison: ComparisonArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Runs")]
struct RunArgs {
    /// Rounds before those that are timed
    #[arg(short, long, value_name = "N", default_value = "1")]
    warmup: u32,
    /// Run each position so often [default: until its speed is known]
    #[arg(short, long, value_name = "N", value_parser = at_least_one(), conflicts_with_all = ["min_runs", "max_runs", "min_time", "max_time", "precision"])]
    runs: Option<u32>,
    /// At least so often
    #[arg(short, long, value_name = "N", value_parser = at_least_one(), default_value = "10")]
    min_runs: u32,
    /// At most so often
    #[arg(short = 'M', long, value_name = "N", value_parser = at_least_one(), default_value = "100")]
    max_runs: u32,
    /// At least for so many seconds a position
    #[arg(long, value_name = "S", value_parser = parse_seconds, default_value = "0")]
    min_time: Duration,
    /// Not for more seconds a position, once it had --min-runs
    #[arg(long, value_name = "S", value_parser = parse_seconds, default_value = "10")]
    max_time: Duration,
    /// A speed is known when its 95 % interval is no wider than this; with --against, the ratio
    #[arg(long, value_name = "P%", value_parser = parse_percent, default_value = "1%")]
    precision: f64,
    /// Keep to these cores, counted from 0 and separated by commas
    #[arg(long, value_name = "CORE", value_delimiter = ',')]
    pin: Vec<usize>,
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

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// The format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write the result to a file too: JSON, which hyperfine's scripts read
    #[arg(long, value_name = "FILE")]
    pub export_json: Option<PathBuf>,
    /// The same as comma-separated values
    #[arg(long, value_name = "FILE")]
    pub export_csv: Option<PathBuf>,
    /// The same as Markdown
    #[arg(long, value_name = "FILE")]
    pub export_markdown: Option<PathBuf>,
}

/// How a result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A row a position
    Text,
    /// One JSON object
    Json,
    /// Comma-separated values
    Csv,
    /// Markdown tables
    Markdown,
}

impl BenchArgs {
    /// When to run what.
    pub fn schedule(&self) -> Schedule {
        let RunArgs { warmup, runs, min_runs, max_runs, min_time, max_time, precision, .. } = self.runs;
        let schedule = Schedule {
            warmup,
            min_runs: min_runs.min(max_runs),
            max_runs,
            min_time,
            max_time,
            relative_width: precision,
            measure: self.measure(),
            ..Schedule::default()
        };
        match runs {
            Some(runs) => schedule.fixed(runs),
            None => schedule,
        }
    }

    /// By which time speeds are compared: on one thread by what the processor spent, which does not mind a busy machine.
    pub fn measure(&self) -> Measure {
        if self.counting.threads == "1" { Measure::Processor } else { Measure::Wall }
    }

    /// True if the number of runs does not depend on what is found.
    pub fn has_fixed_runs(&self) -> bool {
        self.runs.runs.is_some()
    }

    /// Keeps the program, and all that it starts from now on, to the cores that were asked for.
    pub fn pin(&self) -> Result<(), Failure> {
        let cores = &self.runs.pin;
        if cores.is_empty() {
            return Ok(());
        }
        pin(cores).map_err(|error| {
            Failure::usage(format!("--pin: {error}")).help(match error {
                PinError::NoSuchCore(..) => "one of these, or several with commas between them",
                PinError::Unsupported => "leave out --pin; Linux can do it",
            })
        })
    }

    /// The cores that the program is kept to, if it is.
    pub fn cores(&self) -> Option<Vec<usize>> {
        Some(self.runs.pin.clone()).filter(|cores| !cores.is_empty())
    }

    pub fn format(&self) -> Format {
        if self.output.json { Format::Json } else { self.output.format }
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
    pub fn path_to_save(&self) -> Result<Option<PathBuf>, Failure> {
        self.save_baseline.as_deref().map(baselines::path_to_write).transpose()
    }

    /// A bound needs something that it is a bound to.
    pub fn refuse_a_bound_alone(&self) -> Result<(), Failure> {
        if self.max_regression.is_none() || self.baseline.is_some() || self.against.is_some() {
            return Ok(());
        }
        Err(Failure::usage("--max-regression: slower than what?")
            .help("--baseline NAME compares with a result kept before, --against BINARY with another build"))
    }

    /// Speeds that were made in different ways are not compared, unless it is insisted on.
    pub fn refuse_differences(
        &self,
        with: &str,
        differences: &[String],
        context: &Context,
    ) -> Result<(), Failure> {
        if differences.is_empty() {
            return Ok(());
        }
        let message = format!("{with} was made in another way: {}", differences.join("; "));
        if !self.force {
            return Err(
                Failure::usage(message).help("count in the same way, or compare all the same with --force")
            );
        }
        if !context.global.quiet {
            warn(message);
        }
        Ok(())
    }
}

fn at_least_one() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..)
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "a number of seconds".to_owned())
}

/// A percentage as a part of 1. A bare number might mean either, and is refused.
fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').and_then(|number| number.trim().parse().ok());
    let part = percent.map(|percent: f64| percent / 100.0).filter(|part| (0.0..1.0).contains(part));
    part.ok_or_else(|| "a percentage such as 5% or 0.5%, below 100%".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_have_a_sign() {
        assert_eq!(parse_percent("5%"), Ok(0.05));
        assert_eq!(parse_percent("0.5 %"), Ok(0.005));
        for wrong in ["5", "0.05", "", "%", "100%", "-1%", "NaN%", "x%"] {
            assert!(parse_percent(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_in_seconds() {
        assert_eq!(parse_seconds("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["", "-1", "NaN", "1e30", "1s"] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
    }
}

//! How often and how long to run, for the verbs that time.

use std::time::Duration;

use crate::bench::{PinError, Schedule, pin};
use clap::Args;

use super::error::CliError;

/// How often and how long to run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Runs")]
pub struct RunArgs {
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
    /// A speed is known when its 95 % interval is no wider than this; of programs in turns, their ratio
    #[arg(long, value_name = "P%", value_parser = parse_percent, default_value = "1%")]
    precision: f64,
    /// Keep to these cores, counted from 0 and separated by commas
    #[arg(long, value_name = "CORE", value_delimiter = ',')]
    pin: Vec<usize>,
}

impl RunArgs {
    /// When to run what.
    pub fn schedule(&self) -> Schedule {
        let &RunArgs { warmup, runs, min_runs, max_runs, min_time, max_time, precision, .. } = self;
        let schedule = Schedule {
            warmup,
            min_runs: min_runs.min(max_runs),
            max_runs,
            min_time,
            max_time,
            relative_width: precision,
            ..Schedule::default()
        };
        match runs {
            Some(runs) => schedule.fixed(runs),
            None => schedule,
        }
    }

    /// True if the number of runs does not depend on what is found.
    pub fn has_fixed_runs(&self) -> bool {
        self.runs.is_some()
    }

    /// Keeps the program, and all that it starts from now on, to the cores that were asked for.
    pub fn pin(&self) -> Result<(), CliError> {
        if self.pin.is_empty() {
            return Ok(());
        }
        pin(&self.pin).map_err(|error| {
            CliError::usage(format!("--pin: {error}")).help(match error {
                PinError::NoSuchCore(..) => "one of these, or several with commas between them",
                PinError::Unsupported => "leave out --pin; Linux can do it",
            })
        })
    }

    /// The cores that the program is kept to, if it is.
    pub fn cores(&self) -> Option<Vec<usize>> {
        Some(self.pin.clone()).filter(|cores| !cores.is_empty())
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
pub fn parse_percent(text: &str) -> Result<f64, String> {
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

//! The arguments of the runs, and their progress bar.

use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;

use crate::input::parse_seconds;
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::mega;
use crate::output::terminal::still_bar;
use crate::timing::{Measure, PinError, Schedule, Step, pin};

/// How often and how long to run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Runs")]
pub struct RunArgs {
    /// Number of warm-up rounds before the timed rounds
    #[arg(short, long, value_name = "N", default_value = "1", hide_short_help = true)]
    warmup: u32,
    /// Run each position exactly N times [default: until its speed is known]
    #[arg(short, long, value_name = "N", value_parser = at_least_one(), conflicts_with_all = ["max_time", "precision"])]
    pub runs: Option<u32>,
    /// Stop after this time per position, but not before 10 runs
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "10", hide_short_help = true)]
    max_time: Duration,
    /// Stop when the 95% confidence interval is no wider than this: that of the speed, or with several programs that of
    /// their ratio
    #[arg(long, value_name = "P%", value_parser = parse_percent, default_value = "1%", hide_short_help = true)]
    precision: f64,
    /// Run on these CPU cores only; cores are numbered from 0 and separated by commas (Linux)
    #[arg(long, value_name = "CORE", value_delimiter = ',', hide_short_help = true)]
    pin: Vec<usize>,
}

impl RunArgs {
    /// Returns the schedule of runs that are measured in this kind of time.
    pub fn schedule(&self, measure: Measure) -> Schedule {
        let &RunArgs { warmup, runs, max_time, precision, .. } = self;
        let (min_runs, max_runs) = (runs.unwrap_or(10), runs.unwrap_or(100));
        Schedule { warmup, min_runs, max_runs, max_time, relative_width: precision, measure }
    }

    /// Restricts this process, and every process that it starts from now on, to the cores of `--pin`.
    ///
    /// # Errors
    /// A usage error if a core does not exist, or if the system cannot pin processes.
    pub fn pin(&self) -> Result<(), CliError> {
        if self.pin.is_empty() {
            return Ok(());
        }
        pin(&self.pin).map_err(|error| {
            CliError::usage(format!("--pin: {error}")).help(match error {
                PinError::NoSuchCore(..) => "give one of these cores, or several separated by commas",
                PinError::Unsupported => "leave out --pin; it works on Linux and Windows only",
            })
        })
    }

    /// Returns the cores of `--pin`; `None` without the flag.
    pub fn cores(&self) -> Option<Vec<usize>> {
        Some(self.pin.clone()).filter(|cores| !cores.is_empty())
    }
}

fn at_least_one() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..)
}

/// Parses a percentage and returns it as a fraction of 1.
///
/// # Errors
/// The percent sign is missing (`5` could mean 5 % or 500 %), or the percentage is not from 0 to below 100.
pub fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').and_then(|number| number.trim().parse().ok());
    let fraction = percent.map(|percent: f64| percent / 100.0).filter(|part| (0.0..1.0).contains(part));
    fraction.ok_or_else(|| "give a percentage below 100%, such as 5% or 0.5%".to_owned())
}

/// The number of steps of the bar: ten thousandths of the work.
const STEPS: u64 = 10_000;

/// A progress bar that shows the current run and the speed so far. It is drawn between runs, never during a run, and
/// erased at the end.
pub struct RunBar(ProgressBar);

impl RunBar {
    /// Creates the bar. It is invisible if progress is not wanted.
    ///
    /// From now on, there are figures to report after a signal, and the command gets time to report them.
    pub fn new(context: &Context) -> RunBar {
        context.reporting.raise();
        RunBar(still_bar(context, "bench", "{percent:>3}%  {wide_msg}", STEPS))
    }

    pub fn show(&self, text: String) {
        self.0.set_message(text);
        self.0.tick();
    }

    pub fn show_step(&self, step: Step) {
        self.0.set_position((STEPS as f64 * step.done) as u64);
        self.show(step_text(step));
    }
}

/// Returns the current run and the speed so far: `round 3: kiwipete, magic: 123.4 Mnps`.
fn step_text(step: Step) -> String {
    let round = if step.round == 0 { "warm-up".to_owned() } else { format!("round {}", step.round) };
    let speed = step.nodes_per_second.map_or_else(String::new, |speed| format!(": {} Mnps", mega(speed)));
    format!("{round}: {}, {}{speed}", step.task, step.source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_need_a_percent_sign() {
        assert_eq!(parse_percent("5%"), Ok(0.05));
        assert_eq!(parse_percent("0.5 %"), Ok(0.005));
        for wrong in ["5", "0.05", "", "%", "100%", "-1%", "NaN%", "x%"] {
            assert!(parse_percent(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_step_has_the_speed_so_far() {
        let step =
            Step { round: 3, task: "kiwipete", source: "magic", nodes_per_second: Some(123.44e6), done: 0.0 };
        assert_eq!(step_text(step), "round 3: kiwipete, magic: 123.4 Mnps");
        assert_eq!(step_text(Step { round: 0, nodes_per_second: None, ..step }), "warm-up: kiwipete, magic");
    }
}

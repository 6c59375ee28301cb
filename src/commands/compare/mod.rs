//! `perft compare`: measures generators, slider lookups, CPU paths, numbers of threads and engines side by side.
//!
//! `contenders` prepares the contenders. All contenders take turns, and every count is checked. A contender that
//! fails or counts wrong in a position has no speed there, and the others continue.

pub mod contender;
pub mod contenders;
pub mod report;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;
use contenders::Contenders;
use perft_lab::generators::Generator;
use perft_lab::sliders::SliderMethod;
use report::CompareReport;

use super::bench::exports::{Exports, MeasurementOutput};
use super::bench::runs::{Interruption, RunArgs, RunBar, parse_percent};
use super::bench::tasks::{OnFailure, cases, tasks};
use super::bench::{begun, warnings};
use crate::input::unread::UnreadInput;
use crate::input::{
    CpuChoice, Threads, cpu_choices, generators, names_and_depth, parse_depth, parse_seconds, slider_methods,
};
use crate::output::context::Context;
use crate::output::environment;
use crate::output::error::{CliError, ENGINE_FAILED, SLOWER, WRONG};
use crate::timing::{Measured, Schedule, SystemClock, Task};

const EXAMPLES: &str = "\
Examples:
  perft compare                                        all built-in generators
  perft compare start 5 --generators bitboard,magic    two of them
  perft compare --sliders pext,magic,fill              slider lookups
  perft compare --cpu-paths avx2,bmi2 --threads 1,2    four combinations
  perft compare --engine stockfish --engine 'qperft:./qperft'
  perft compare --engine mine                          from perft.toml
  perft compare --engine ./new --engine ./old \\
                --reference old --max-regression 5%    exit code 3 if slower
  perft compare --export-html speed.html               a page with a plot";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    after_help = "Exit codes: 0 success, 1 a count is wrong, 2 bad usage or input, 3 slower than --max-regression \
                  allows, 4 an engine failed, 130 interrupted."
)]
pub struct CompareArgs {
    /// Positions to time: names, built-in suites, EPD files with known counts, or - for standard input [default: start,
    /// kiwipete, endgame, mirrored, talkchess, alternative]. A number at the end is the depth
    #[arg(value_name = "NAME|FILE|-")]
    positions: Vec<String>,
    /// Count every position to this depth; its count must be known [default: the depth that takes the slowest contender
    /// about half a second]
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Counting")]
    depth: Option<u32>,
    #[command(flatten)]
    contenders: ContenderArgs,
    #[command(flatten)]
    runs: RunArgs,
    /// End with exit code 3 if a contender is slower than --reference by more than P, with 95% confidence
    #[arg(long, value_name = "P%", value_parser = parse_percent, requires = "reference", help_heading = "Contenders")]
    max_regression: Option<f64>,
    #[command(flatten)]
    output: MeasurementOutput,
}

/// The contenders to compare.
#[derive(Debug, Args)]
#[command(next_help_heading = "Contenders")]
pub struct ContenderArgs {
    /// Compare these built-in generators [default: all of them, or bitboard alone with --engine or several --threads]
    #[arg(long, value_name = "NAME,...", alias = "generator", value_delimiter = ',', value_parser = generators(), hide_possible_values = true)]
    generators: Vec<Generator>,
    /// Compare the bitboard generator with these slider lookups
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = slider_methods(), hide_short_help = true)]
    sliders: Vec<SliderMethod>,
    /// Compare the bitboard generator on these CPU paths
    #[arg(long, value_name = "PATH,...", alias = "cpu-path", value_delimiter = ',', value_parser = cpu_choices(), hide_short_help = true)]
    cpu_paths: Vec<CpuChoice>,
    /// Run each built-in contender with each of these numbers of threads
    #[arg(
        short,
        long,
        value_name = "N|all,...",
        value_delimiter = ',',
        default_value = "1",
        allow_negative_numbers = true
    )]
    threads: Vec<Threads>,
    /// Make every move of the last ply instead of counting the moves (no bulk counting), as many engines do
    #[arg(long, hide_short_help = true)]
    no_bulk: bool,
    /// Compare an engine: its name in perft.toml, or its command, which runs without a shell. A dialect may precede the
    /// command, as in perftree:CMD or qperft:CMD; the default is uci. Repeat the flag for several engines
    #[arg(long = "engine", value_name = "NAME|[DIALECT:]CMD")]
    engines: Vec<String>,
    /// Time limit for the start and for each answer of an engine [default: 10 and 60, or the value in perft.toml]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, requires = "engines", hide_short_help = true)]
    engine_timeout: Option<Duration>,
    /// Take engines from this file instead of the nearest perft.toml
    #[arg(long, value_name = "FILE", requires = "engines")]
    config: Option<PathBuf>,
    /// Contender that the ratios refer to, by its name in the table [default: the first]
    #[arg(long, value_name = "NAME")]
    reference: Option<String>,
}

/// The positions that are timed by default: those whose perft counts are published most often.
const POSITIONS: [&str; 6] = ["start", "kiwipete", "endgame", "mirrored", "talkchess", "alternative"];

/// The label of the progress bar.
const LABEL: &str = "compare";

/// Runs the command.
pub fn run(args: CompareArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    // --pin lowers this number.
    let cores = available_parallelism().map_or(1, usize::from);
    args.runs.pin()?;
    let exports = Exports::prepare(&args.output, None)?;
    let (names, depth) = names_and_depth(&args.positions, args.depth)?;
    let _unread = names.is_empty().then(|| UnreadInput::watch("perft compare -".to_owned(), context));
    let cases = match names.as_slice() {
        [] => cases(&POSITIONS.map(str::to_owned), &context.stop)?,
        names => cases(names, &context.stop)?,
    };
    let clock = SystemClock::default();
    let mut contenders = Contenders::new(&args.contenders, &clock, context)?;
    let reference = contenders.reference(args.contenders.reference.as_deref())?;
    let environment = environment::of_bench(args.runs.cores());
    let before =
        warnings::printed(warnings::about_environment(&environment, &contenders.head, cores), context);
    let tasks = tasks(&cases, |_| depth, contenders.sources(), OnFailure::Skip, context, LABEL)?;
    let schedule = Schedule { measure: contenders.measure(), ..args.runs.schedule() };
    let measured = measure_all(&schedule, &tasks, &mut contenders, &clock, context);
    let interruption = Interruption::of(&measured);
    let (tasks, measured) = begun(tasks, measured)?;
    let after = match interruption {
        None => warnings::printed(warnings::about_samples(&tasks, &measured, &args.runs), context),
        Some(_) => Vec::new(),
    };
    let described = contenders.describe();
    let report = CompareReport::new(contenders.head, environment, described, &tasks, &measured, reference);
    let report = CompareReport { warnings: [before, after].concat(), ..report };
    // Incomplete results are not judged.
    let report = match args.max_regression.filter(|_| report.complete) {
        Some(allowed) => report.judged(allowed),
        None => report,
    };
    let files = exports.names();
    exports.write(&report, args.output.format(), out)?;
    interruption.map_or(Ok(exit_code(&report)), |interruption| Err(interruption.error(&files)))
}

/// Returns the exit code. A wrong count takes precedence over an engine that failed, and a failure takes precedence
/// over a slow contender.
fn exit_code(report: &CompareReport) -> ExitCode {
    if report.has_wrong_counts() {
        ExitCode::from(WRONG)
    } else if report.has_failures() {
        ExitCode::from(ENGINE_FAILED)
    } else if report.has_slower() {
        ExitCode::from(SLOWER)
    } else {
        ExitCode::SUCCESS
    }
}

/// Makes all runs. The progress bar is drawn between runs only.
fn measure_all(
    schedule: &Schedule,
    tasks: &[Task],
    contenders: &mut Contenders,
    clock: &SystemClock,
    context: &Context,
) -> Vec<Measured> {
    let bar = RunBar::new(context, LABEL);
    schedule.run_lenient(tasks, contenders.sources(), clock, |step| bar.show_step(step))
}

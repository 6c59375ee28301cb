//! `perft compare`: generators, slider look-ups, CPU paths, threads and foreign programs side by side.
//!
//! `field` says who takes part. All are run in turns, and every count is checked: who counts wrong, or not at all, has no
//! speed in that position, and the others go on.

mod field;

use std::io::Write;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Duration;

use crate::bench::{Measure, Measured, Schedule, Step, Subject, SubjectError, SystemClock, Task, calibrate};
use crate::report::compare::CompareReport;
use clap::Args;
use perft_core::suite::{Case, Expected};
use perft_lab::generators::Generator;
use perft_lab::sliders::SliderMethod;

use super::args::{CpuChoice, Threads, cpu_choices, generators, parse_depth, parse_seconds, slider_methods};
use super::bench::plan::{cases, known};
use super::bench::{spinner, warnings};
use super::context::Context;
use super::environment;
use super::error::{CliError, ENGINE_FAILED, SLOWER, WRONG};
use super::results::{Exports, OutputArgs};
use super::runs::{RunArgs, parse_percent};
use field::Field;

const EXAMPLES: &str = "\
Examples:
  perft compare                                     all built-in generators
  perft compare --generators bitboard,magic start   two of them, in one position
  perft compare --sliders pext,magic,fill           slider look-ups, all else being equal
  perft compare --cpu-paths avx2,bmi2 --threads 1,2
  perft compare --engine stockfish --engine 'qperft:./qperft' --export-html speed.html
  perft compare --engine mine                       an entry [engine.mine] of perft.toml, which the README describes
  perft compare --engine ./new --engine ./old --reference old --max-regression 5%";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    after_help = "Exit codes: 0 all is well, 1 a count is wrong, 2 bad usage or input, 3 slower than \
                  --max-regression allows, 4 another program failed, 130 interrupted."
)]
pub struct CompareArgs {
    /// Positions by name, built-in suites, EPD files with known counts, or - for standard input [default: start,
    /// kiwipete, endgame, mirrored, talkchess, alternative]
    #[arg(value_name = "NAME|FILE|-")]
    positions: Vec<String>,
    /// Count every position to this depth, which must be known [default: what takes the slowest about half a second]
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Counting")]
    depth: Option<u32>,
    #[command(flatten)]
    who: WhoArgs,
    #[command(flatten)]
    runs: RunArgs,
    /// Exit code 3 if a program is certainly slower than --reference by more than this: 5%
    #[arg(long, value_name = "P%", value_parser = parse_percent, requires = "reference", help_heading = "Who is compared")]
    max_regression: Option<f64>,
    #[command(flatten)]
    output: OutputArgs,
}

/// Who takes part.
#[derive(Debug, Args)]
#[command(next_help_heading = "Who is compared")]
pub struct WhoArgs {
    /// These generators [default: all, unless something else is asked for]
    #[arg(long, value_name = "NAME,...", alias = "generator", value_delimiter = ',', value_parser = generators(), hide_possible_values = true)]
    generators: Vec<Generator>,
    /// Our own generator with these slider look-ups
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = slider_methods())]
    sliders: Vec<SliderMethod>,
    /// Our own generator on these CPU paths
    #[arg(long, value_name = "PATH,...", alias = "cpu-path", value_delimiter = ',', value_parser = cpu_choices())]
    cpu_paths: Vec<CpuChoice>,
    /// Each of ours on so many threads
    #[arg(
        short,
        long,
        value_name = "N|all,...",
        value_delimiter = ',',
        default_value = "1",
        allow_negative_numbers = true
    )]
    threads: Vec<Threads>,
    /// Make every move of the last ply instead of counting it, as many foreign programs do
    #[arg(long)]
    no_bulk: bool,
    /// Another program, as often as wanted: the name of an entry of perft.toml, or a command, run without a shell, asked as a
    /// UCI engine, or in the dialect before it: perftree:CMD, qperft:CMD
    #[arg(long = "engine", value_name = "NAME|[DIALECT:]CMD")]
    engines: Vec<String>,
    /// Seconds that an answer of another program may take [default: 60, or what perft.toml says]
    #[arg(long, value_name = "S", value_parser = parse_seconds, requires = "engines")]
    engine_timeout: Option<Duration>,
    /// The program that ratios are to, by its name in the table [default: the first]
    #[arg(long, value_name = "NAME")]
    reference: Option<String>,
}

/// The positions of the tables that the field prints.
const POSITIONS: [&str; 6] = ["start", "kiwipete", "endgame", "mirrored", "talkchess", "alternative"];

/// Runs the verb.
pub fn run(args: CompareArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let cores = available_parallelism().map_or(1, usize::from);
    args.runs.pin()?;
    let exports = Exports::prepare(&args.output, None)?;
    let cases = match args.positions.as_slice() {
        [] => cases(&POSITIONS.map(str::to_owned))?,
        names => cases(names)?,
    };
    let clock = SystemClock::default();
    let mut field = Field::new(&args.who, &clock, context)?;
    let reference = field.reference(args.who.reference.as_deref())?;
    let environment = environment::of_bench(args.runs.cores());
    if !context.global.quiet {
        warnings::of_environment(&environment, &field.head, cores);
    }
    let tasks = tasks(&cases, args.depth, &mut field.subjects(), context)?;
    let measure = field.measure();
    let schedule = Schedule { measure, ..args.runs.schedule() };
    let measured = measure_all(&schedule, &tasks, &mut field, &clock, context)?;
    if !context.global.quiet {
        // Who asks a foreign program waits, and needs no core for that.
        let threads = if measure == Measure::Processor { 1 } else { usize::MAX };
        warnings::of_samples(&tasks, &measured, threads, &args.runs);
    }
    let contenders = field.contenders();
    let report =
        CompareReport::new(field.head, environment, contenders, &tasks, &measured, reference, measure);
    let report = match args.max_regression {
        Some(allowed) => report.judged(allowed),
        None => report,
    };
    exports.write(&report, args.output.format(), out)?;
    Ok(exit_code(&report))
}

/// A wrong count weighs more than a program that gave none, and that more than a slow one.
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

/// What to count of each case: to the depth that was asked for, or that takes the slowest a sensible time.
fn tasks(
    cases: &[Case],
    depth: Option<u32>,
    subjects: &mut [&mut dyn Subject],
    context: &Context,
) -> Result<Vec<Task>, CliError> {
    let line = spinner(context);
    let mut tasks = Vec::new();
    for case in cases {
        line.set_message(format!("looking for a depth: {}", case.name()));
        line.tick();
        let expected = match depth {
            Some(depth) => known(case, depth)?,
            None => sensible(case, subjects)?,
        };
        tasks.push(Task::new(case, expected));
    }
    line.finish_and_clear();
    Ok(tasks)
}

/// The least of the depths that take each subject a sensible time. Who does not count is not waited for.
fn sensible(case: &Case, subjects: &mut [&mut dyn Subject]) -> Result<Expected, CliError> {
    let mut least = None;
    for subject in subjects {
        let found = match calibrate(case, *subject) {
            Ok(found) => found,
            Err(SubjectError::Interrupted) => {
                return Err(CliError::Interrupted("nothing was timed yet".to_owned()));
            }
            Err(SubjectError::Failed(_)) => None,
        };
        least = [least, found].into_iter().flatten().min_by_key(|expected: &Expected| expected.depth);
    }
    let shallowest = || case.expected.first().copied();
    least
        .or_else(shallowest)
        .ok_or_else(|| CliError::usage(format!("no count of '{}' is known", case.name())))
}

/// Runs everything, with a line that is drawn between the runs only.
fn measure_all(
    schedule: &Schedule,
    tasks: &[Task],
    field: &mut Field,
    clock: &SystemClock,
    context: &Context,
) -> Result<Vec<Measured>, CliError> {
    let line = spinner(context);
    let show = |step: Step| {
        let round = if step.round == 0 { "warm-up".to_owned() } else { format!("round {}", step.round) };
        line.set_message(format!("{round}: {}, {}", step.task, step.subject));
        line.tick();
    };
    let measured = schedule.run_field(tasks, &mut field.subjects(), clock, show);
    line.finish_and_clear();
    measured.map_err(|_| CliError::Interrupted("no figure is shown, and nothing was written".to_owned()))
}

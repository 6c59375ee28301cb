//! `perft bench`: how fast, how sure, and faster or slower than what.
//!
//! `args` says what is asked, `plan` what is counted and by whom, `warnings` what makes the figures doubtful. Everything
//! that can be refused is refused before the first run.

mod args;
pub mod plan;
pub mod warnings;

use std::io::Write;
use std::process::ExitCode;
use std::thread::available_parallelism;

use crate::bench::{
    BenchError, Bootstrap, Clock, Measure, Measured, Ratios, Step, Subject, SystemClock, Task, Times,
};
use crate::report;
use crate::report::baseline::Baseline;
use crate::report::bench::{BenchReport, BenchResult};
use crate::report::comparison::Comparison;
use indicatif::ProgressBar;

use super::context::Context;
use super::environment;
use super::error::{CliError, ENGINE_FAILED, SLOWER, WRONG};
use super::results::Exports;
use super::terminal::progress_bar;

pub use args::BenchArgs;
use args::ComparisonArgs;
use plan::Contest;

/// Runs the verb.
pub fn run(args: BenchArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let cores = available_parallelism().map_or(1, usize::from);
    args.runs.pin()?;
    let counting = args.counting.build(context)?;
    let head = counting.head.clone();
    let exports = Exports::prepare(&args.output, args.comparison.path_to_save()?.as_deref())?;
    let baseline = args.comparable_baseline(&head, context)?;
    let cases = plan::cases(&args.positions)?;
    let clock = SystemClock::default();
    let mut contest = Contest::new(&args, counting, &clock, context)?;
    let environment = environment::of_bench(args.runs.cores());
    if !context.global.quiet {
        warnings::of_environment(&environment, &head, cores);
    }
    let tasks = plan::tasks(&cases, args.depth, baseline.as_ref(), contest.first(), context)?;
    let measured = measure(&args, &tasks, &mut contest.subjects(), &clock, context)?;
    if !context.global.quiet {
        warnings::of_samples(&tasks, &measured, head.threads, &args.runs);
    }
    let report = BenchReport {
        context: head,
        environment,
        results: results(&tasks, &measured, &contest, &args),
        comparison: comparison(&tasks, &measured, baseline.as_ref(), &args, context),
    };
    exports.write(&report, args.output.format(), out)?;
    let is_slower =
        report.comparison.and_then(|comparison| comparison.verdict) == Some(crate::bench::Verdict::Slower);
    Ok(if is_slower { ExitCode::from(SLOWER) } else { ExitCode::SUCCESS })
}

/// Runs everything, with a bar that is drawn between the runs only.
fn measure(
    args: &BenchArgs,
    tasks: &[Task],
    subjects: &mut [&mut dyn Subject],
    clock: &dyn Clock,
    context: &Context,
) -> Result<Vec<Measured>, CliError> {
    let bar = spinner(context);
    let show = |step: Step| {
        let round = if step.round == 0 { "warm-up".to_owned() } else { format!("round {}", step.round) };
        bar.set_message(format!("{round}: {}, {}", step.task, step.subject));
        bar.tick();
    };
    let measured = args.schedule().run(tasks, subjects, clock, show);
    bar.finish_and_clear();
    measured.map_err(failure)
}

/// A line on a terminal that says what runs; invisible where it is not wanted.
pub fn spinner(context: &Context) -> ProgressBar {
    progress_bar(context, "{spinner} {msg}", None)
}

fn failure(error: BenchError) -> CliError {
    match error {
        BenchError::Interrupted => {
            CliError::Interrupted("no figure is shown, and nothing was written".to_owned())
        }
        BenchError::Wrong { .. } => CliError::Ended {
            message: error.to_string(),
            help: "a wrong count has no speed: no figure is shown; perft suite says more".to_owned(),
            code: WRONG,
        },
        BenchError::Failed { .. } => CliError::Ended {
            message: error.to_string(),
            help: "it is asked with --fen FEN --depth N --single --format csv, and the flags of the count"
                .to_owned(),
            code: ENGINE_FAILED,
        },
    }
}

fn results(tasks: &[Task], measured: &[Measured], contest: &Contest, args: &BenchArgs) -> Vec<BenchResult> {
    let commands = contest.commands(args);
    let of_task = |(task, measured): (&Task, &Measured)| {
        let one = |(subject, (name, command)): (usize, &(Option<String>, String))| {
            BenchResult::new(task, measured, subject, name.as_deref(), command)
        };
        commands.iter().enumerate().map(one).collect::<Vec<_>>()
    };
    tasks.iter().zip(measured).flat_map(of_task).collect()
}

/// The comparison that was asked for: with a baseline, or with the other program.
fn comparison(
    tasks: &[Task],
    measured: &[Measured],
    baseline: Option<&Baseline>,
    args: &BenchArgs,
    context: &Context,
) -> Option<Comparison> {
    if baseline.is_none() && args.comparison.against.is_none() {
        return None;
    }
    let series = |measure| -> Vec<Option<Pair>> {
        tasks
            .iter()
            .zip(measured)
            .map(|(task, measured)| Pair::new(task, measured, baseline, measure))
            .collect()
    };
    let by_clock = series(Measure::Wall);
    let by_processor = series(Measure::Processor);
    let is_known =
        by_clock.iter().zip(&by_processor).all(|(clock, processor)| clock.is_some() == processor.is_some());
    let (measure, pairs) = match args.measure() {
        Measure::Processor if is_known => (Measure::Processor, by_processor),
        _ => (Measure::Wall, by_clock),
    };
    let compared = || tasks.iter().zip(&pairs).filter_map(|(task, pair)| Some((task, pair.as_ref()?)));
    let positions: Vec<(&str, u32)> =
        compared().map(|(task, _)| (task.name.as_str(), task.expected.depth)).collect();
    let times: Vec<Times> = compared().map(|(_, Pair { own, reference })| Times { own, reference }).collect();
    if !context.global.quiet {
        warnings::of_missing(tasks, &positions);
    }
    let paired = baseline.is_none();
    let ratio = if paired { Ratios::paired } else { Ratios::independent };
    let ratios = ratio(&times, &Bootstrap::default());
    let ComparisonArgs { max_regression, .. } = args.comparison;
    Some(Comparison::new(&args.comparison.with(), measure, paired, &positions, &ratios, max_regression))
}

/// The times of a position, ours and those of what we are compared with.
struct Pair {
    own: Vec<f64>,
    reference: Vec<f64>,
}

impl Pair {
    /// By this measure; `None` if one side does not have them.
    fn new(task: &Task, measured: &Measured, baseline: Option<&Baseline>, measure: Measure) -> Option<Pair> {
        let times = |subject| match measure {
            Measure::Wall => Some(measured.seconds(subject)),
            Measure::Processor => measured.work_seconds(subject),
        };
        let reference = match baseline {
            None => times(1)?,
            Some(baseline) => {
                let result = baseline.find(&task.position.to_string(), task.expected.depth)?;
                match measure {
                    Measure::Wall => result.times.clone(),
                    Measure::Processor => result.processor_times.clone()?,
                }
            }
        };
        Some(Pair { own: times(0)?, reference })
    }
}

impl BenchArgs {
    /// The baseline that was asked for, if its speeds may be compared with ours.
    fn comparable_baseline(
        &self,
        head: &report::Context,
        context: &Context,
    ) -> Result<Option<Baseline>, CliError> {
        let Some(name) = &self.comparison.baseline else { return Ok(None) };
        let baseline = super::baselines::read(name)?;
        self.comparison.refuse_differences(
            &format!("the baseline '{name}'"),
            &baseline.head.differences(head),
            context,
        )?;
        Ok(Some(baseline))
    }
}

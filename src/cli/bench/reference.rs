//! How the speeds compare with the reference: a baseline, or another build.

use super::args::BenchArgs;
use crate::bench::{Bootstrap, Measure, Measured, Ratios, Task, Times};
use crate::cli::context::Context;
use crate::cli::error::CliError;
use crate::report;
use crate::report::baseline::Baseline;
use crate::report::reference_comparison::ReferenceComparison;

/// Reads the baseline of `--baseline`; `None` without the flag.
///
/// # Errors
/// The baseline cannot be read, or it was measured with other settings than `head` has.
pub fn read_baseline(
    args: &BenchArgs,
    head: &report::Provenance,
    context: &Context,
) -> Result<Option<Baseline>, CliError> {
    let Some(name) = &args.reference.baseline else { return Ok(None) };
    let baseline = crate::cli::baselines::read(name)?;
    let differences = baseline.settings.differences(head);
    args.reference.check_differences(&args.reference.name(), &differences, context)?;
    Ok(Some(baseline))
}

/// Refuses a baseline that has none of the tasks.
pub fn check_common_tasks(baseline: &Baseline, tasks: &[Task]) -> Result<(), CliError> {
    let is_in_both = |task: &Task| baseline.find(&task.position.to_string(), task.expected.depth).is_some();
    if tasks.iter().any(is_in_both) {
        return Ok(());
    }
    Err(CliError::usage("the baseline has none of these positions at these depths")
        .help("time the positions of the baseline, and leave out --depth"))
}

/// Compares the measured times with those of the baseline, or else with those of the second build.
///
/// Positions that the baseline does not have are left out. With `max_regression`, the result is judged.
pub fn compare(
    tasks: &[Task],
    measured: &[Measured],
    baseline: Option<&Baseline>,
    args: &BenchArgs,
    max_regression: Option<f64>,
) -> ReferenceComparison {
    let (measure, times) = all_times(tasks, measured, baseline, args.measure());
    let (tasks, times): (Vec<&Task>, Vec<Times>) = tasks
        .iter()
        .zip(&times)
        .filter_map(|(task, times)| {
            let PositionTimes { own, reference } = times.as_ref()?;
            Some((task, Times { own, reference }))
        })
        .unzip();
    let is_paired = baseline.is_none();
    let ratios = if is_paired { Ratios::paired } else { Ratios::independent };
    let ratios = ratios(&times, &Bootstrap::default());
    let name = args.reference.name();
    ReferenceComparison::new(&name, measure, is_paired, &tasks, &ratios, max_regression)
}

/// The times of a position in seconds, one per run.
struct PositionTimes {
    own: Vec<f64>,
    reference: Vec<f64>,
}

/// Returns the times of each position by the wanted measure; `None` where the baseline does not have the position.
///
/// Processor times that are not known on both sides are replaced by wall times, for all positions.
fn all_times(
    tasks: &[Task],
    measured: &[Measured],
    baseline: Option<&Baseline>,
    wanted: Measure,
) -> (Measure, Vec<Option<PositionTimes>>) {
    let times = |measure| -> Vec<Option<PositionTimes>> {
        let of_task = |(task, measured)| PositionTimes::new(task, measured, baseline, measure);
        tasks.iter().zip(measured).map(of_task).collect()
    };
    let wall = times(Measure::Wall);
    if wanted == Measure::Processor {
        let processor = times(Measure::Processor);
        if wall.iter().zip(&processor).all(|(wall, processor)| wall.is_some() == processor.is_some()) {
            return (Measure::Processor, processor);
        }
    }
    (Measure::Wall, wall)
}

impl PositionTimes {
    /// Returns the times by a measure; `None` if they are not known on both sides.
    fn new(
        task: &Task,
        measured: &Measured,
        baseline: Option<&Baseline>,
        measure: Measure,
    ) -> Option<PositionTimes> {
        let times = |source| match measure {
            Measure::Wall => Some(measured.seconds(source)),
            Measure::Processor => measured.processor_seconds(source),
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
        Some(PositionTimes { own: times(0)?, reference })
    }
}

//! Compares the speeds with the reference: a baseline, or another build.

use super::args::BenchArgs;
use super::baseline::Baseline;
use super::reference_comparison::ReferenceComparison;
use crate::output;
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::timing::{Bootstrap, Measured, Ratios, Task, Times};

/// Reads the baseline of `--baseline`; `None` without the flag.
///
/// # Errors
/// The baseline cannot be read, or it was measured with other settings than `head` has.
pub fn read_baseline(
    args: &BenchArgs,
    head: &output::Provenance,
    context: &Context,
) -> Result<Option<Baseline>, CliError> {
    let Some(name) = &args.reference.baseline else { return Ok(None) };
    let baseline = super::baseline_files::read(name)?;
    let differences = baseline.settings.differences(head);
    args.reference.check_differences(&args.reference.name(), &differences, context)?;
    Ok(Some(baseline))
}

/// Refuses a baseline that contains none of the tasks.
pub fn check_common_tasks(baseline: &Baseline, tasks: &[Task]) -> Result<(), CliError> {
    let is_in_both = |task: &Task| baseline.find(&task.position.to_string(), task.expected.depth).is_some();
    if tasks.iter().any(is_in_both) {
        return Ok(());
    }
    Err(CliError::usage("the baseline has none of these positions at these depths")
        .help("time the positions of the baseline, and leave out --depth"))
}

/// Compares the measured times with those of the baseline or, without a baseline, with those of the second build.
///
/// Positions that are not in the baseline are left out. With `max_regression`, the result is judged.
pub fn compare(
    tasks: &[Task],
    measured: &[Measured],
    baseline: Option<&Baseline>,
    args: &BenchArgs,
    max_regression: Option<f64>,
) -> ReferenceComparison {
    let both = tasks.iter().zip(measured);
    let compared = both.filter_map(|(task, measured)| Some((task, times(task, measured, baseline)?)));
    let (tasks, times): (Vec<&Task>, Vec<_>) = compared.unzip();
    let times: Vec<Times> = times.iter().map(|(own, reference)| Times { own, reference }).collect();
    let is_paired = baseline.is_none();
    let ratios = if is_paired { Ratios::paired } else { Ratios::independent };
    let ratios = ratios(&times, &Bootstrap::default());
    ReferenceComparison::new(&args.reference.name(), is_paired, &tasks, &ratios, max_regression)
}

/// Returns the times of this program and those of the reference in a position, in seconds. Returns `None` if the
/// position is not in the baseline.
fn times(task: &Task, measured: &Measured, baseline: Option<&Baseline>) -> Option<(Vec<f64>, Vec<f64>)> {
    let of_baseline = |baseline: &Baseline| {
        let found = baseline.find(&task.position.to_string(), task.expected.depth)?;
        Some(found.seconds(measured.measure))
    };
    let reference = baseline.map_or_else(|| Some(measured.seconds(1)), of_baseline)?;
    Some((measured.seconds(0), reference))
}

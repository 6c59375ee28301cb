//! What makes the figures doubtful, and what to do about it: one message a kind.

use crate::bench::{Measured, OUTLIER_SCORE, Task, modified_z_scores};
use crate::report::Context;
use crate::report::bench::Environment;

use super::super::error::warn;
use super::super::runs::RunArgs;

/// So many names are said.
const NAMED: usize = 5;

/// Of the time of a thread this part belongs to others before that is said.
const STOLEN: f64 = 0.05;

/// What is known before the first run, on a machine of so many cores.
pub fn of_environment(environment: &Environment, head: &Context, cores: usize) {
    if environment.build.opt_level != "3" {
        warn(format!(
            "this build is not optimised for speed (a {} build, level {}): cargo build --release",
            environment.build.profile, environment.build.opt_level
        ));
    }
    if let Some([load, ..]) = environment.load_average
        && load + head.threads as f64 > cores as f64 + 0.5
    {
        warn(format!(
            "the machine is busy: {load:.1} threads want to run already, on {cores} core(s); end them, or compare in turns with --against"
        ));
    }
    if let Some(governor) = environment.governor.as_deref().filter(|governor| *governor != "performance") {
        warn(format!(
            "the CPU frequency is set by '{governor}' and may vary: cpupower frequency-set --governor performance"
        ));
    }
}

/// What the samples say.
pub fn of_samples(tasks: &[Task], measured: &[Measured], threads: usize, runs: &RunArgs) {
    let named = |is_meant: &dyn Fn(&Measured) -> bool| -> Vec<&str> {
        let pairs = tasks.iter().zip(measured);
        pairs.filter(|(_, measured)| is_meant(measured)).map(|(task, _)| task.name.as_str()).collect()
    };
    if let Some(stolen) = stolen(measured).filter(|&stolen| threads == 1 && stolen > STOLEN) {
        warn(format!(
            "{:.0} % of the time the program waited for a core: end other programs, or keep to a quiet core with --pin",
            stolen * 100.0
        ));
    }
    let slow_first = named(&|measured| outliers(measured).any(|index| index == 0));
    if !slow_first.is_empty() {
        warn(format!("the first run stands out in {}: raise --warmup", list(&slow_first)));
    }
    let disturbed = named(&|measured| outliers(measured).any(|index| index > 0));
    if !disturbed.is_empty() {
        warn(format!(
            "there are outliers in {}: something else ran; end other programs, or keep to a quiet core with --pin",
            list(&disturbed)
        ));
    }
    let vague = named(&|measured| !measured.is_precise);
    if !vague.is_empty() && !runs.has_fixed_runs() {
        warn(format!(
            "less is known of {} than --precision asks: raise --max-time and --max-runs, or end other programs",
            list(&vague)
        ));
    }
}

/// What a baseline does not have.
pub fn of_missing(tasks: &[Task], compared: &[(&str, u32)]) {
    let is_missing = |task: &&Task| !compared.contains(&(task.name.as_str(), task.expected.depth));
    let missing: Vec<&str> = tasks.iter().filter(is_missing).map(|task| task.name.as_str()).collect();
    if !missing.is_empty() {
        warn(format!("not compared, since the baseline has no times of them: {}", list(&missing)));
    }
}

/// Which runs take longer or shorter than the others do, of any subject.
fn outliers(measured: &Measured) -> impl Iterator<Item = usize> {
    let of_subject = |subject| {
        let scores = modified_z_scores(&measured.seconds(subject));
        scores
            .into_iter()
            .enumerate()
            .filter(|(_, score)| score.abs() > OUTLIER_SCORE)
            .map(|(index, _)| index)
    };
    (0..measured.series.len()).flat_map(of_subject)
}

/// The part of the time in which no processor worked for the first subject, on one thread; `None` if that is not known.
fn stolen(measured: &[Measured]) -> Option<f64> {
    let samples = || measured.iter().flat_map(|measured| &measured.series[0]);
    let worked: Vec<f64> = samples()
        .map(|sample| sample.processor.map(|time| time.user_seconds + time.system_seconds))
        .collect::<Option<_>>()?;
    let passed: f64 = samples().map(|sample| sample.seconds).sum();
    Some(1.0 - worked.iter().sum::<f64>() / passed)
}

fn list(names: &[&str]) -> String {
    let shown = names[..names.len().min(NAMED)].join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(list(&["a", "b"]), "a, b");
        assert_eq!(list(&["a", "b", "c", "d", "e", "f", "g"]), "a, b, c, d, e and 2 more");
    }
}

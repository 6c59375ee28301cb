//! What makes the figures doubtful, and what to do about it: one message a kind.

use perft::bench::{Measured, OUTLIER_SCORE, Task, modified_z_scores};
use perft::report::Context;
use perft::report::bench::Environment;

use super::super::failure::warn;
use super::args::BenchArgs;

/// So many names are said.
const NAMED: usize = 5;

/// What is known before the first run.
pub fn of_environment(environment: &Environment, head: &Context) {
    if environment.build.opt_level != "3" {
        warn(format!(
            "this build is not optimised for speed (a {} build, level {}): cargo build --release",
            environment.build.profile, environment.build.opt_level
        ));
    }
    let cores = head.machine.cores as f64;
    if let Some([load, ..]) = environment.load_average
        && load + head.threads as f64 > cores + 0.5
    {
        warn(format!(
            "the machine is busy: {load:.1} threads want to run already, on {cores} cores; end them, or compare in turns with --against"
        ));
    }
    if let Some(governor) = environment.governor.as_deref().filter(|governor| *governor != "performance") {
        warn(format!(
            "the CPU frequency is set by '{governor}' and may vary: cpupower frequency-set --governor performance"
        ));
    }
}

/// What the samples say.
pub fn of_samples(tasks: &[Task], measured: &[Measured], args: &BenchArgs) {
    let named = |is_meant: &dyn Fn(&Measured) -> bool| -> Vec<&str> {
        let pairs = tasks.iter().zip(measured);
        pairs.filter(|(_, measured)| is_meant(measured)).map(|(task, _)| task.name.as_str()).collect()
    };
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
    if !vague.is_empty() && !args.has_fixed_runs() {
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

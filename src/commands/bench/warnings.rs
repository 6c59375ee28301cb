//! Warnings about unreliable results, each with advice.

use super::args::BenchArgs;
use super::conditions::{Build, Environment};
use super::contenders::Contenders;
use super::report::{Contender, Runs};
use crate::engine::InstructionCounter;
use crate::output::{Machine, join_names, number_of};
use crate::timing::{Measure, Sample, Task};

/// Returns warnings about the machine and, if a built-in generator is timed, about this build, before the first run.
pub fn about_environment(
    environment: &Environment,
    machine: &Machine,
    contenders: &Contenders,
) -> Vec<String> {
    let has_built_in = contenders.runs.contenders.iter().any(Contender::is_built_in);
    let mut warnings: Vec<String> =
        about_build(&environment.build).into_iter().filter(|_| has_built_in).collect();
    // Whether other programs leave fewer cores than the threads that count.
    let free = machine.cores as f64 + 0.5 - contenders.threads() as f64;
    if let Some([load, ..]) = environment.load_average.filter(|[load, ..]| *load > free) {
        let cores = number_of(machine.cores, "core");
        warnings.push(format!(
            "the machine is busy: the load average is {load:.1} for {cores}; end other programs"
        ));
    }
    if let Some(governor) = environment.governor.as_deref().filter(|governor| *governor != "performance") {
        warnings.push(format!(
            "the CPU frequency governor is '{governor}', so the frequency may vary; use cpupower frequency-set \
             --governor performance"
        ));
    }
    warnings
}

fn about_build(build: &Build) -> Option<String> {
    let Build { profile, opt_level, .. } = build;
    (*profile != "release" || *opt_level == "0").then(|| {
        format!(
            "this build is not optimized for speed ({profile} profile, level {opt_level}); use cargo build --release"
        )
    })
}

/// Returns warnings about the runs, and about positions that the baseline does not have.
pub fn about_runs(Contenders { runs, baseline, counter, .. }: &Contenders, args: &BenchArgs) -> Vec<String> {
    let has_goal = args.runs.is_none() && args.max_regression.is_none();
    let is_imprecise = runs.ratios(&runs.measured).flatten().any(|ratios| !args.is_decided(&ratios));
    let is_missing = |task: &&Task| baseline.as_ref().is_some_and(|saved| saved.samples(task).is_empty());
    let missing = runs.measured.iter().map(|measured| &measured.task).filter(is_missing);
    let missing: Vec<&str> = missing.map(|task| task.position.label()).collect();
    let warnings = [
        (has_goal && is_imprecise).then(|| {
            "--precision was not reached; use a longer --max-time, or end other programs".to_owned()
        }),
        (!missing.is_empty()).then(|| {
            format!("not compared, because the baseline does not have them: {}", join_names(&missing))
        }),
        match counter {
            Some(InstructionCounter::Valgrind { reason }) => Some(format!(
                "valgrind counted the instructions, because {reason}; it runs no AVX-512, so programs may use other code"
            )),
            _ => None,
        },
        about_threads(runs),
    ];
    warnings.into_iter().flatten().collect()
}

/// Returns a warning about programs that are compared by processor time and use several processors at once.
fn about_threads(runs: &Runs) -> Option<String> {
    let uses_several = |run: &Sample| run.cost(Measure::Cpu).is_some_and(|cpu| cpu > 1.5 * run.seconds());
    let mut indices = 0..runs.contenders.len();
    let found = indices.find(|&index| {
        runs.contenders[index].settings().is_none()
            && runs.measured.iter().any(|measured| measured.series[index].iter().any(uses_several))
    });
    let name = &runs.contenders[found.filter(|_| runs.measure == Measure::Cpu)?].name;
    Some(format!("{name} counts on several threads; compare its speed with --measure time"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_build_is_optimized() {
        let build = |profile, opt_level| Build {
            profile,
            opt_level,
            target: "",
            compiler: "",
            flags: "",
            commit: None,
        };
        for level in ["1", "3", "s"] {
            assert_eq!(about_build(&build("release", level)), None);
        }
        assert!(about_build(&build("release", "0")).is_some());
        assert!(about_build(&build("debug", "1")).unwrap().contains("debug profile, level 1"));
    }
}

//! Warnings about unreliable results, each with advice.

use super::args::RunArgs;
use super::baseline::SavedReport;
use crate::output;
use crate::output::context::Context;
use crate::output::environment::{Build, Environment};
use crate::output::numbers::join_names;
use crate::timing::{Measure, Measured, outliers};

/// The fraction of the time spent waiting for a core above which there is a warning.
const MAX_WAITING: f64 = 0.05;

/// Prints warnings, unless `--quiet` was given. Returns them for the report.
pub fn printed(warnings: Vec<String>, context: &Context) -> Vec<String> {
    warnings.iter().for_each(|warning| context.warn(warning));
    warnings
}

/// Returns warnings about the build and about a machine with this number of cores, before the first run.
pub fn about_environment(environment: &Environment, head: &output::Provenance, cores: usize) -> Vec<String> {
    let counts_itself = head.generator != "engine";
    let mut warnings: Vec<String> =
        about_build(&environment.build).into_iter().filter(|_| counts_itself).collect();
    if let Some([load, ..]) = environment.load_average
        && is_busy(environment, head.threads, cores)
    {
        let unit = if cores == 1 { "core" } else { "cores" };
        warnings.push(format!(
            "the machine is busy: the load average is {load:.1} for {cores} {unit}; end other programs"
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

/// Whether other programs took so much of the cores that there is not one left for each thread.
pub fn is_busy(environment: &Environment, threads: usize, cores: usize) -> bool {
    environment.load_average.is_some_and(|[load, ..]| load + threads as f64 > cores as f64 + 0.5)
}

/// Returns a warning about a build that is not optimized.
fn about_build(build: &Build) -> Option<String> {
    let Build { profile, opt_level, .. } = build;
    (*profile != "release" || *opt_level == "0").then(|| {
        format!(
            "this build is not optimized for speed ({profile} profile, level {opt_level}); use cargo build --release"
        )
    })
}

/// Returns warnings about the measured times, and about positions that the baseline does not have. If the machine was
/// busy before, that is the reason for the others, and they are not repeated.
pub fn about_runs(
    measured: &[Measured],
    runs: &RunArgs,
    baseline: Option<&SavedReport>,
    is_busy: bool,
) -> Vec<String> {
    let positions_where = |has_problem: &dyn Fn(&Measured) -> bool| -> Option<String> {
        let found = measured.iter().filter(|measured| has_problem(measured));
        let names: Vec<&str> = found.map(|measured| measured.task.position.label()).collect();
        (!names.is_empty()).then(|| join_names(&names))
    };
    let waiting = waiting(measured).filter(|&waiting| waiting > MAX_WAITING && !is_busy);
    let outliers = |measured: &Measured| {
        let sources = 0..measured.series.len();
        sources.flat_map(|source| outliers(&measured.seconds(source))).collect::<Vec<usize>>()
    };
    let slow_start = positions_where(&|measured| outliers(measured).contains(&0));
    let disturbed = positions_where(&|measured| outliers(measured).iter().any(|&run| run > 0));
    let disturbed = disturbed.filter(|_| !is_busy);
    let imprecise = positions_where(&|measured| measured.rounds() > 0 && !measured.is_precise);
    let imprecise = imprecise.filter(|_| runs.runs.is_none());
    let missing = positions_where(&|measured| {
        baseline.is_some_and(|baseline| baseline.samples(&measured.task).is_empty())
    });
    let warnings = [
        waiting.map(|waiting| {
            let percent = waiting * 100.0;
            format!(
                "the program waited for a CPU core {percent:.0} % of the time; end other programs, or choose a quiet \
                 core with --pin"
            )
        }),
        slow_start.map(|names| format!("the first run is an outlier in {names}; use a higher --warmup")),
        disturbed.map(|names| {
            format!(
                "there are outliers in {names}, probably because other programs ran; end them, or choose a quiet core \
                 with --pin"
            )
        }),
        imprecise.map(|names| {
            format!(
                "--precision was not reached in {names}; make more --runs, or end other programs"
            )
        }),
        missing.map(|names| format!("not compared, because the baseline does not have them: {names}")),
    ];
    warnings.into_iter().flatten().collect()
}

/// Returns the fraction of the time in which the first subject did not run. Returns `None` for wall times, which are
/// used if the subject has several threads, if it waits for an engine, or if its processor time is not known.
fn waiting(measured: &[Measured]) -> Option<f64> {
    if measured.iter().any(|measured| measured.measure == Measure::Wall) {
        return None;
    }
    let samples = || measured.iter().flat_map(|measured| &measured.series[0]);
    let sum = |measure| samples().map(|sample| sample.seconds(measure)).sum::<f64>();
    Some(1.0 - sum(Measure::Processor) / sum(Measure::Wall))
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

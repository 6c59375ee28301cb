//! The build and the state of the machine, and warnings about unreliable results, each with advice.

use perft_count::OPT_LEVEL;
use serde::Serialize;
use sysinfo::System;

use super::args::BenchArgs;
use super::contenders::Contenders;
use super::report::{Contender, Runs};
use crate::engine::InstructionCounter;
use crate::output::{Header, Machine, join_names, number_of};
use crate::timing::{Measure, Sample, Task};

/// The build and the state of the machine during a benchmark.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Environment {
    pub build: Build,
    /// The frequency governor of the CPU; `None` if the system does not say.
    pub governor: Option<String>,
    /// The load average over 1, 5 and 15 minutes before the benchmark; `None` if the system does not say.
    pub load_average: Option<[f64; 3]>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Build {
    /// `release` or `debug`.
    pub profile: &'static str,
    /// The optimization level of the code that counts.
    pub opt_level: &'static str,
    /// The target triple.
    pub target: &'static str,
    pub compiler: &'static str,
    pub flags: &'static str,
    /// The commit, with the suffix `-dirty` if files were changed after it; `None` if it is unknown.
    pub commit: Option<&'static str>,
}

impl Environment {
    /// Returns the facts that affect the speed besides the CPU.
    pub fn of_bench() -> Environment {
        const GOVERNOR: &str = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
        let commit = env!("PERFT_BUILD_COMMIT");
        let load_average = System::load_average().ok().map(|load| [load.one, load.five, load.fifteen]);
        Environment {
            build: Build {
                profile: env!("PERFT_BUILD_PROFILE"),
                opt_level: OPT_LEVEL,
                target: env!("PERFT_BUILD_TARGET"),
                compiler: env!("PERFT_BUILD_COMPILER"),
                flags: env!("PERFT_BUILD_FLAGS"),
                commit: Some(commit).filter(|commit| !commit.is_empty()),
            },
            governor: std::fs::read_to_string(GOVERNOR).ok().map(|name| name.trim().to_owned()),
            // A system that does not know its load reports zeros.
            load_average: load_average.filter(|load| load.iter().any(|&load| load > 0.0)),
        }
    }

    /// Returns a line about the build and a line about the machine. How this program was built does not matter if only
    /// engines counted.
    pub fn summary(&self, header: &Header, machine: &Machine, has_built_in: bool) -> Vec<String> {
        let Header { program, version, .. } = header;
        let Machine { cpu, cores, .. } = machine;
        let Build { profile, compiler, flags, commit, .. } = &self.build;
        let commit = commit.map_or_else(String::new, |commit| format!(" ({commit})"));
        let flags = if flags.is_empty() { String::new() } else { format!(", {flags}") };
        let cpu = cpu.as_deref().unwrap_or("unknown CPU");
        let build = match has_built_in {
            true => format!(", {profile} build, {compiler}{flags}"),
            false => String::new(),
        };
        vec![format!("{program} {version}{commit}{build}"), format!("{cpu}, {}", number_of(*cores, "core"))]
    }
}

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

//! The build, and the state of the machine during a benchmark.

use perft_count::OPT_LEVEL;
use serde::Serialize;
use sysinfo::System;

use crate::output::{Header, Machine, number_of};

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

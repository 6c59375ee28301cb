//! The build and the state of the machine, which affect measured speeds.

use serde::Serialize;

use super::{Header, Machine, Provenance};

/// The build and the state of the machine during a benchmark.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Environment {
    /// The build of this program.
    pub build: Build,
    /// The CPU features of the machine that some generator uses.
    pub cpu_features: Vec<&'static str>,
    /// The cores that the program was restricted to; `None` without a restriction.
    pub pinned_to: Option<Vec<usize>>,
    /// The governor of the CPU frequency; `None` if the system does not say.
    pub governor: Option<String>,
    /// The operating system and its version; `None` if the system does not say.
    pub os_version: Option<String>,
    /// The load average over 1, 5 and 15 minutes before the benchmark; `None` if the system does not say.
    pub load_average: Option<[f64; 3]>,
}

/// How the program was compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Build {
    /// `release` or `debug`.
    pub profile: &'static str,
    /// The optimization level of the program. A release build has level 2, and level 3 for what counts.
    pub opt_level: &'static str,
    /// The target triple.
    pub target: &'static str,
    /// The compiler and its version.
    pub compiler: &'static str,
    /// The flags of the compiler.
    pub flags: &'static str,
    /// The commit, with the suffix `-dirty` if files were changed after it; `None` if it is unknown.
    pub commit: Option<&'static str>,
}

impl Environment {
    /// Returns a line about the build and a line about the machine.
    pub(super) fn summary(&self, provenance: &Provenance) -> Vec<String> {
        let Provenance { header: Header { program, version, .. }, machine, .. } = provenance;
        let Machine { cpu, cores, .. } = machine;
        let Build { profile, compiler, flags, commit, .. } = &self.build;
        let commit = commit.map_or_else(String::new, |commit| format!(" ({commit})"));
        let flags = if flags.is_empty() { String::new() } else { format!(", {flags}") };
        let cpu = cpu.as_deref().unwrap_or("unknown CPU");
        let pinned = self.pinned_to.as_ref().map_or_else(String::new, |cores| {
            let cores: Vec<String> = cores.iter().map(usize::to_string).collect();
            format!(", pinned to {}", cores.join(","))
        });
        vec![
            format!("{program} {version}{commit}, {profile} build, {compiler}{flags}"),
            format!("{cpu}, {cores} core(s){pinned}"),
        ]
    }

    /// Returns a line for each other known property.
    pub(super) fn details(&self) -> Vec<String> {
        let os = self.os_version.as_ref().map(|os| format!("operating system: {os}"));
        let features = format!("CPU features: {}", self.cpu_features.join(" "));
        let governor = self.governor.as_ref().map(|governor| format!("CPU frequency governor: {governor}"));
        let load = self
            .load_average
            .map(|[one, five, fifteen]| format!("load average just before: {one:.2} {five:.2} {fifteen:.2}"));
        os.into_iter().chain([features]).chain(governor).chain(load).collect()
    }
}

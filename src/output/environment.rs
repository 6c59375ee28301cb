//! Describes the machine and the build of the program for reports.

use std::sync::LazyLock;
use std::thread::available_parallelism;
use std::time::SystemTime;

use perft_count::{CpuPath, OPT_LEVEL};
use serde::Serialize;
use sysinfo::{
    CGroupLimits, CpuRefreshKind, MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, RefreshKind,
    System, get_current_pid,
};

use super::error::CliError;
use super::{CountMode, Header, Machine, Provenance, number_of};

/// When the command started.
pub static STARTED: LazyLock<SystemTime> = LazyLock::new(SystemTime::now);

pub fn header() -> Header {
    Header::new(*STARTED)
}

/// Returns the fields that the reports of counts begin with, for the bitboard generator.
pub fn provenance(path: CpuPath, threads: usize, table_bytes: usize, bulk: bool) -> Provenance {
    Provenance {
        header: header(),
        machine: machine(),
        generator: "bitboard",
        cpu_path: path.name(),
        threads,
        table_bytes,
        table: None,
        bulk,
        mode: if table_bytes > 0 { CountMode::Hashed } else { CountMode::Plain },
        memory_bytes: 0,
    }
}

/// Returns the free memory in bytes, within the limits of the control group of this process and of `ulimit -v`; `None`
/// if the system does not say. The cache of files is free: the system takes it back.
pub fn available_memory() -> Option<u64> {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let mut system = System::new_with_specifics(memory).ok()?;
    // Without `/proc`, it is 0.
    let mut available = Some(system.available_memory()).filter(|&bytes| bytes > 0)?;
    let own = get_current_pid().ok()?;
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[own]),
        false,
        ProcessRefreshKind::nothing().with_memory().without_tasks(),
    );
    if let Some(process) = system.process(own) {
        let free = |limits: CGroupLimits| limits.total_memory.saturating_sub(limits.rss);
        available = available.min(process.cgroup_limits().map_or(u64::MAX, free));
        #[cfg(unix)]
        if let Some(limit) = crate::system::unix::address_space_limit() {
            available = available.min(limit.saturating_sub(process.virtual_memory()));
        }
    }
    Some(available)
}

/// Refuses to start if `ulimit -v` is too small for this many threads. An allocation that fails would end the program.
///
/// # Errors
/// A usage error that says how much is needed.
#[cfg_attr(not(unix), allow(unused_variables))]
pub fn refuse_too_little_memory(threads: usize) -> Result<(), CliError> {
    // The allocator of the C library reserves 64 MiB for each thread, and a stack is 8 MiB.
    const MIB: u64 = 1 << 20;
    let needed = if threads == 1 { 64 * MIB } else { (128 + 96 * threads as u64) * MIB };
    #[cfg(unix)]
    if let Some(limit) = crate::system::unix::address_space_limit().filter(|&limit| limit < needed) {
        let (limit, needed) = (limit / MIB, needed / MIB);
        let message = format!(
            "{} {} {needed} MiB of address space, and the limit (ulimit -v) is {limit} MiB",
            number_of(threads, "thread"),
            super::agreeing(threads, "needs", "need")
        );
        return Err(CliError::usage(message).help("raise the limit, or use fewer --threads"));
    }
    Ok(())
}

pub fn machine() -> Machine {
    static CPU: LazyLock<Option<String>> = LazyLock::new(cpu_model);
    Machine {
        cpu: CPU.clone(),
        cores: available_parallelism().map_or(1, usize::from),
        arch: std::env::consts::ARCH,
        os: std::env::consts::OS,
    }
}

fn cpu_model() -> Option<String> {
    let cpus = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
    let system = System::new_with_specifics(cpus).ok()?;
    let brand = system.cpus().first()?.brand().trim().to_owned();
    Some(brand).filter(|brand| !brand.is_empty())
}

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

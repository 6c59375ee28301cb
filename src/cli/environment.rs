//! Describes the machine and the build of the program for reports.

use std::sync::LazyLock;
use std::thread::available_parallelism;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use perft_count::CpuPath;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

use crate::report::environment::{Build, Environment};
use crate::report::{CountMode, Header, Machine, Provenance};

/// When the command started: the time since 1970.
static STARTED: LazyLock<Duration> =
    LazyLock::new(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default());

/// Notes the time at which the command starts.
pub fn note_start() {
    LazyLock::force(&STARTED);
}

/// Returns the fields that every report has.
pub fn header() -> Header {
    Header::new(STARTED.as_secs())
}

/// Returns the fields that the reports of counts begin with, for the bitboard generator.
pub fn provenance(path: CpuPath, threads: usize, table_bytes: usize, bulk: bool) -> Provenance {
    Provenance {
        header: header(),
        machine: machine(),
        generator: "bitboard",
        cpu_path: path.name(),
        sliders: None,
        threads,
        table_bytes,
        table: None,
        bulk,
        mode: if table_bytes > 0 { CountMode::Hashed } else { CountMode::Plain },
        memory_bytes: 0,
    }
}

/// Returns the free memory in bytes, within the limits of a container; `None` if the system does not say.
pub fn available_memory() -> Option<u64> {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory).ok()?;
    let in_container = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    Some(system.available_memory().min(in_container))
}

/// Returns the other facts that affect the speed: the build, the CPU's features and governor, and the load.
///
/// `pinned_to` lists the cores that the program may run on, if they are restricted.
pub fn of_bench(pinned_to: Option<Vec<usize>>) -> Environment {
    let commit = env!("PERFT_BUILD_COMMIT");
    let load_average = System::load_average().ok().map(|load| [load.one, load.five, load.fifteen]);
    Environment {
        build: Build {
            profile: env!("PERFT_BUILD_PROFILE"),
            opt_level: env!("PERFT_BUILD_OPT_LEVEL"),
            target: env!("PERFT_BUILD_TARGET"),
            compiler: env!("PERFT_BUILD_COMPILER"),
            flags: env!("PERFT_BUILD_FLAGS"),
            commit: Some(commit).filter(|commit| !commit.is_empty()),
        },
        cpu_features: cpu_features(),
        governor: governor(pinned_to.as_ref().and_then(|cores| cores.first()).copied().unwrap_or(0)),
        pinned_to,
        os_version: System::long_os_version().ok(),
        // A system that does not know its load reports zeros.
        load_average: load_average.filter(|load| load.iter().any(|&load| load > 0.0)),
    }
}

/// Returns the CPU features of this machine that some generator uses.
fn cpu_features() -> Vec<&'static str> {
    #[allow(unused_mut)]
    let mut features = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! detect {
            ($($name:tt)*) => { $(if is_x86_feature_detected!($name) { features.push($name); })* };
        }
        detect!("popcnt" "bmi1" "bmi2" "avx" "avx2" "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vbmi"
            "avx512vbmi2" "avx512bitalg" "avx512vpopcntdq" "gfni");
    }
    features
}

/// Returns the frequency governor of a core, where Linux reports one.
fn governor(core: usize) -> Option<String> {
    let path = format!("/sys/devices/system/cpu/cpu{core}/cpufreq/scaling_governor");
    Some(std::fs::read_to_string(path).ok()?.trim().to_owned())
}

/// Returns the network name of this machine.
pub fn host_name() -> String {
    System::host_name().unwrap_or_else(|_| "unknown".to_owned())
}

fn machine() -> Machine {
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

//! What the program knows of the machine it runs on.

use std::sync::LazyLock;
use std::thread::available_parallelism;

use perft::perft::CpuPath;
use perft::report::{Context, Machine, SCHEMA_VERSION};
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// The head of a report.
pub fn context(path: CpuPath, threads: usize, table_bytes: usize, bulk: bool) -> Context {
    Context {
        schema_version: SCHEMA_VERSION,
        program: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        machine: machine(),
        generator: "bitboard",
        cpu_path: path.name(),
        sliders: None,
        threads,
        table_bytes,
        table: None,
        bulk,
        mode: if table_bytes > 0 { "hashed" } else { "plain" },
        memory_bytes: 0,
    }
}

/// Bytes of memory that could be used now, within the limits of a container; `None` if the system does not say.
pub fn available_memory() -> Option<u64> {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory).ok()?;
    let in_container = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    Some(system.available_memory().min(in_container))
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

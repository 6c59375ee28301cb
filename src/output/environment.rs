//! How a result was made: the program, the machine, and the settings of the count. The reports of counts begin with these
//! fields. A baseline of a benchmark must have the same settings.

use std::fmt;
use std::sync::LazyLock;
use std::thread::available_parallelism;
use std::time::SystemTime;

use perft_count::{CpuPath, ExactCount, PlyCount};
#[cfg(unix)]
use rustix::process::{Resource, getrlimit};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sysinfo::{
    CGroupLimits, CpuRefreshKind, MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, RefreshKind,
    System, get_current_pid,
};

use super::error::{CliError, say};
use super::{Nodes, grouped, number_of};

/// How a result was made: the program, the machine and the settings of the count.
#[derive(Clone, Debug, Serialize)]
pub struct Provenance {
    /// The program that wrote the report, and the time.
    #[serde(flatten)]
    pub header: Header,
    pub machine: Machine,
    #[serde(flatten)]
    pub settings: Settings,
    /// The use of the transposition table, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<HashTableReport>,
    /// The memory for merging equal positions in bytes; 0 if positions are not merged.
    pub memory_bytes: usize,
}

impl From<Settings> for Provenance {
    fn from(settings: Settings) -> Provenance {
        Provenance { header: header(), machine: machine(), settings, table: None, memory_bytes: 0 }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CountMode {
    /// A plain count, without a transposition table.
    Plain,
    /// A count with a transposition table.
    Hashed,
    /// An exact count that merges equal positions.
    Exact,
    /// A count of distinct positions.
    Unique,
    /// A count of captures, checks, mates and other kinds of moves.
    Statistics,
    /// An estimate from random walks.
    Estimate,
    /// A search for bugs of an engine, in known or random positions.
    Hunt,
    /// A search for the mistakes that explain a wrong number.
    Diagnose,
}

/// The name of each setting in messages, and its field.
const FIELDS: [(&str, &str); 6] = [
    ("generator", "generator"),
    ("CPU path", "cpu_path"),
    ("threads", "threads"),
    ("bytes of the table", "table_bytes"),
    ("bulk counting", "bulk"),
    ("mode", "mode"),
];

/// How a generator or a build of this program counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The name of a built-in generator, or `engine`.
    pub generator: String,
    /// The CPU path: the CPU features that the generator was compiled for.
    pub cpu_path: String,
    pub threads: usize,
    /// The size of the transposition table in bytes; 0 without a table.
    pub table_bytes: usize,
    /// Whether the moves of the last ply are counted and not made.
    pub bulk: bool,
    pub mode: CountMode,
}

impl Settings {
    /// Returns the settings of the bitboard generator without a table.
    pub fn new(mode: CountMode, path: CpuPath, threads: usize) -> Settings {
        let [generator, cpu_path] = ["bitboard", path.name()].map(str::to_owned);
        Settings { generator, cpu_path, threads, table_bytes: 0, bulk: true, mode }
    }

    /// Reads the settings from the report of a count.
    pub fn read(json: &str) -> Option<Settings> {
        let report: Value = serde_json::from_str(json).ok()?;
        if report["schema_version"] == SCHEMA_VERSION { serde_json::from_value(report).ok() } else { None }
    }

    /// Returns the name and the value of each setting. The values of unknown settings are `none`.
    pub fn values(settings: Option<&Settings>) -> [(&'static str, String); 6] {
        let fields = serde_json::to_value(settings).expect("settings can be written");
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Null => "none".to_owned(),
            value => value.to_string(),
        };
        FIELDS.map(|(name, field)| (name, text(&fields[field])))
    }

    /// Returns the field of the only setting in which these differ, with the value of each; `None` if there is none, or if
    /// there are several.
    pub fn only_difference(all: &[&Settings]) -> Option<(&'static str, Vec<String>)> {
        let values: Vec<_> = all.iter().map(|settings| Settings::values(Some(settings))).collect();
        let mut differing =
            (0..FIELDS.len()).filter(|&field| values.iter().any(|all| all[field] != values[0][field]));
        let only = differing.next().filter(|_| differing.next().is_none())?;
        Some((FIELDS[only].1, values.into_iter().map(|all| all[only].1.clone()).collect()))
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { generator, cpu_path, threads, table_bytes, bulk, mode } = self;
        let threads = number_of(*threads, "thread");
        let leaves = match mode {
            CountMode::Exact => "equal positions merged (--exact)",
            _ if *bulk => "bulk counting",
            _ => "every leaf made (--no-bulk)",
        };
        write!(f, "generator {generator}, CPU path {cpu_path}, {threads}, {leaves}, ")?;
        match *table_bytes {
            0 => write!(f, "no table"),
            bytes => write!(f, "a table of {}", number_of(bytes, "byte")),
        }
    }
}

/// The properties of a machine that affect the speed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The model of the CPU; `None` if the system does not say.
    pub cpu: Option<String>,
    /// The number of logical cores that this process may use.
    pub cores: usize,
    /// The architecture that the program was compiled for.
    pub arch: String,
    /// The operating system that the program was compiled for.
    pub os: String,
}

/// The version of the JSON that this build writes. It is increased when a field is renamed or changes its meaning.
///
/// The first version was 2, because benchmarks have the fields of hyperfine 2, which uses the same name for its own
/// version.
pub const SCHEMA_VERSION: u32 = 4;

/// The program that wrote a report, and the time.
#[derive(Clone, Debug, Serialize)]
pub struct Header {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The name of the program that wrote the report: `perft`.
    pub program: &'static str,
    pub version: &'static str,
    /// The time at which the command started, in UTC: `2026-11-30T18:05:00Z`.
    pub timestamp: String,
}

impl Header {
    /// Returns the time at which the command started, for people: `2026-11-30 18:05 UTC`.
    pub fn date(&self) -> String {
        format!("{} {} UTC", &self.timestamp[..10], &self.timestamp[11..16])
    }
}

/// The use of a transposition table since it was made.
///
/// It includes earlier positions: a wrong count from the table can be part of counts that are stored later.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HashTableReport {
    /// The seed of the hash keys.
    pub seed: u64,
    /// The number of lookups.
    pub probes: u64,
    /// The number of lookups that found a count.
    pub hits: u64,
    /// The part of the table that is in use, from 0 to 1, estimated from a sample.
    pub fill: f64,
    /// An upper bound for the expected number of counts that belong to another position: see
    /// [`perft_count::TableStatistics::expected_false_hits`].
    pub expected_false_hits: f64,
}

impl HashTableReport {
    pub fn line(&self) -> String {
        let hits = 100.0 * self.hits as f64 / self.probes.max(1) as f64;
        format!(
            "seed {}, {} probes, {hits:.1}% hits, {:.0}% full, at most {:.1e} false hits expected",
            self.seed,
            grouped(self.probes.into()),
            100.0 * self.fill,
            self.expected_false_hits
        )
    }
}

/// How an exact count was divided between merging positions and plain counting.
#[derive(Clone, Debug, Serialize)]
pub struct ExactSplit {
    /// The last ply at which equal positions were merged.
    pub split_ply: u32,
    /// The last ply at which the number of nodes was compared with a plain count.
    pub checked_ply: u32,
    /// The plies from 0 to the split.
    pub plies: Vec<PlyPositions>,
}

impl ExactSplit {
    /// Prints to standard error how the count to a depth was made.
    pub fn print(&self, depth: u32) {
        let split = self.plies.last().expect("an exact count has ply 0");
        let (positions, nodes) = (number_of(split.positions, "position"), number_of(split.nodes.0, "node"));
        let (ply, rest, checked) = (self.split_ply, depth - self.split_ply, self.checked_ply);
        say(format_args!(
            "perft({depth}): merged {nodes} at ply {ply} into {positions}, then counted {} below each; checked against plain counts up to ply {checked}",
            number_of(rest, "ply")
        ));
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct PlyPositions {
    pub ply: u32,
    /// The number of distinct positions.
    pub positions: u64,
    /// The number of nodes of the tree.
    #[serde(flatten)]
    pub nodes: Nodes,
}

impl<T> From<&ExactCount<T>> for ExactSplit {
    fn from(count: &ExactCount<T>) -> ExactSplit {
        let ply = |&PlyCount { ply, positions, nodes }: &PlyCount| PlyPositions {
            ply,
            positions,
            nodes: Nodes(nodes),
        };
        ExactSplit {
            split_ply: count.split().ply,
            checked_ply: count.checked_ply,
            plies: count.plies.iter().map(ply).collect(),
        }
    }
}

/// When the command started.
pub static STARTED: LazyLock<SystemTime> = LazyLock::new(SystemTime::now);

pub fn header() -> Header {
    Header {
        schema_version: SCHEMA_VERSION,
        program: crate::system::NAME,
        version: env!("CARGO_PKG_VERSION"),
        timestamp: humantime::format_rfc3339_seconds(*STARTED).to_string(),
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
        if let Some(limit) = getrlimit(Resource::As).current {
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
    if let Some(limit) = getrlimit(Resource::As).current.filter(|&limit| limit < needed) {
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
    Machine {
        cpu: cpu_model(),
        cores: available_parallelism().map_or(1, usize::from),
        arch: std::env::consts::ARCH.to_owned(),
        os: std::env::consts::OS.to_owned(),
    }
}

fn cpu_model() -> Option<String> {
    let cpus = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
    let system = System::new_with_specifics(cpus).ok()?;
    let brand = system.cpus().first()?.brand().trim().to_owned();
    Some(brand).filter(|brand| !brand.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_the_time_to_the_minute() {
        let header = Header { timestamp: "2026-11-30T18:05:00Z".to_owned(), ..header() };
        assert_eq!(header.date(), "2026-11-30 18:05 UTC");
    }
}

//! The values of arguments, such as threads and sizes, the arguments that say how to count, and the driver that they
//! build, with its counts. An exact count merges equal positions instead of using a table.
//!
//! An error for a value says what is accepted; clap says what was given.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use perft_core::{MAX_DEPTH, Move, Position, impossibilities};
use perft_count::{
    CpuPath, LeafMode, LeafStatistics, MAX_THREADS, PathUnavailable, Perft, Progress, StatisticsTable, Table,
    TableStatistics,
};
use perft_lab::generators::Generator;

use crate::engine::measured;
use crate::output::{
    self, CliError, CountMode, ExactSplit, Leaves, Nodes, Settings, detail, environment, grouped, warn,
};
use crate::timing::Sample;

/// How much of the machine to use.
#[derive(Clone, Copy, Debug, Args)]
pub struct MachineArgs {
    /// Number of threads, or "all" for one per core
    #[arg(short, long, value_name = "N|all", default_value = "1", value_parser = parse_threads, allow_negative_numbers = true)]
    pub threads: usize,
    /// CPU features to use
    #[arg(long, value_name = "PATH", default_value = "auto", value_parser = cpu_choices(), hide_short_help = true)]
    pub cpu_path: CpuChoice,
}

/// How to count.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Counting")]
pub struct CountingArgs {
    #[command(flatten)]
    pub basic: BasicCountingArgs,
    /// Seed of the table's hash keys; counts with different seeds do not share a collision [default: 0]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub seed: Option<u64>,
    /// Make every move of the last ply instead of counting the moves (no bulk counting)
    #[arg(long, hide_short_help = true)]
    pub no_bulk: bool,
    /// Move generator to count with; "perft list generators" lists them
    #[arg(long, value_name = "NAME", default_value = "bitboard", value_parser = generators(), hide_possible_values = true, hide_short_help = true)]
    pub generator: Generator,
}

/// How to count, for commands without other settings than these.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Counting")]
pub struct BasicCountingArgs {
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Use a transposition table: 512M, 1G, or MiB; 0 is none
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub hash: Option<u64>,
}

/// A driver, and the description of its settings in a report.
pub struct Counting {
    pub perft: Perft,
    /// The fields that every report begins with, except the table's statistics.
    pub head: output::Provenance,
    /// The seed of the table's hash keys; `None` without a table.
    pub table_seed: Option<u64>,
    pub kinds_table: Option<StatisticsTable>,
}

impl Counting {
    /// Returns the fields that every report begins with, including the table's statistics so far.
    pub fn report_head(&self) -> output::Provenance {
        let table = self.perft.table_statistics().zip(self.table_seed).map(|(statistics, seed)| {
            let TableStatistics { probes, hits, fill } = statistics;
            let expected_false_hits = statistics.expected_false_hits();
            output::HashTableReport { seed, probes, hits, fill, expected_false_hits }
        });
        output::Provenance { table, ..self.head.clone() }
    }

    /// With `--verbose`, prints the table's statistics to standard error.
    pub fn print_table_statistics(&self) {
        self.report_head().table.iter().for_each(|table| detail(format!("table: {}", table.line())));
    }

    pub fn has_kinds(&self) -> bool {
        self.head.settings.mode == CountMode::Statistics
    }

    /// Counts the leaf nodes, with their kinds if these are counted. Also returns how an exact count was made, and what the
    /// count has used.
    ///
    /// # Errors
    /// The count was interrupted or has no room, or the kinds do not fit into 128 bits.
    pub fn count(
        &self,
        position: &Position,
        depth: u32,
        progress: &Progress,
    ) -> Result<(Leaves, Option<ExactSplit>, Sample), CliError> {
        let perft = &self.perft;
        let (counted, elapsed, cost) = measured(|| -> Result<(Leaves, _), CliError> {
            Ok(match (self.has_kinds(), self.head.memory_bytes) {
                (false, 0) => (perft.count_with_progress(position, depth, progress)?.into(), None),
                (false, memory_bytes) => {
                    let count = perft.count_exact(position, depth, memory_bytes, progress)?;
                    (count.total.into(), Some(ExactSplit::from(&count)))
                }
                (true, 0) => {
                    (perft.statistics(position, depth, self.kinds_table.as_ref(), progress)?.into(), None)
                }
                (true, memory_bytes) => {
                    let count = perft.statistics_exact(position, depth, memory_bytes, progress)?;
                    (count.total.into(), Some(ExactSplit::from(&count)))
                }
            })
        });
        let (leaves, exact) = counted?;
        self.refuse_too_many(depth, leaves.nodes)?;
        Ok((leaves, exact, Sample::new(elapsed, cost)))
    }

    /// Counts the leaf nodes below each move, with their kinds if these are counted.
    ///
    /// # Errors
    /// The same as for [`Counting::count`].
    pub fn divide(
        &self,
        position: &Position,
        depth: u32,
        progress: &Progress,
    ) -> Result<Vec<(Move, Leaves)>, CliError> {
        let (perft, table) = (&self.perft, self.kinds_table.as_ref());
        if self.has_kinds() {
            let found = match self.head.memory_bytes {
                0 => perft.divide_statistics(position, depth, table, progress)?,
                memory_bytes => perft.divide_statistics_exact(position, depth, memory_bytes, progress)?,
            };
            let total: LeafStatistics = found.iter().map(|(_, leaves)| *leaves).sum();
            self.refuse_too_many(depth, Nodes(total.nodes))?;
            return Ok(found.into_iter().map(|(played, leaves)| (played, leaves.into())).collect());
        }
        let found = match self.head.memory_bytes {
            0 => perft.divide_with_progress(position, depth, progress)?,
            memory_bytes => perft.divide_exact(position, depth, memory_bytes, progress)?,
        };
        Ok(found.into_iter().map(|below| (below.played, below.nodes.into())).collect())
    }

    fn refuse_too_many(&self, depth: u32, nodes: Nodes) -> Result<(), CliError> {
        match nodes.0 {
            u128::MAX if self.has_kinds() => {
                Err(CliError::usage(format!("depth {depth} has more leaf nodes than 2^128")))
            }
            _ => Ok(()),
        }
    }
}

impl MachineArgs {
    /// Builds the driver of a plain count: the bitboard generator, bulk counting, no table.
    pub fn build(self) -> Result<Counting, CliError> {
        BasicCountingArgs { machine: self, hash: None }.build(None)
    }
}

impl BasicCountingArgs {
    /// Builds the driver; `seed` is the seed of the table's hash keys.
    pub fn build(self, seed: Option<u64>) -> Result<Counting, CliError> {
        let generator = Generator::Bitboard;
        CountingArgs { basic: self, seed, no_bulk: false, generator }.build()
    }
}

impl CountingArgs {
    /// Builds the [`Counting`] that the arguments describe. With `--verbose`, also prints the settings to standard
    /// error.
    pub fn build(&self) -> Result<Counting, CliError> {
        self.refuse_bitboard_only_flags()?;
        environment::refuse_too_little_memory(self.basic.machine.threads)?;
        let path = match self.basic.machine.cpu_path {
            Some(path) => path,
            None if self.generator == Generator::Bitboard => CpuPath::best(),
            None => CpuPath::best_scalar(),
        };
        let threads = self.basic.machine.threads;
        let leaf_mode = if self.no_bulk { LeafMode::EveryLeaf } else { LeafMode::Bulk };
        let perft = driver(self.generator, path).map_err(|error| {
            CliError::usage(error).help("use --cpu-path auto for the fastest one available")
        })?;
        let mut perft = perft.leaf_mode(leaf_mode).threads(threads).map_err(CliError::usage)?;
        let mut settings = Settings {
            generator: self.generator.name().to_owned(),
            bulk: !self.no_bulk,
            ..Settings::new(CountMode::Plain, path, threads)
        };
        let mut table_seed = None;
        if let Some(size) = self.basic.hash.filter(|size| *size > 0) {
            let seed = self.seed.unwrap_or(0);
            let table = Table::new(available_bytes(size, "--hash")?, seed)
                .map_err(|error| CliError::usage("--hash").because(error))?;
            (settings.table_bytes, settings.mode) = (table.bytes(), CountMode::Hashed);
            table_seed = Some(seed);
            perft = perft.table(table);
        } else if self.seed.is_some() {
            warn("--seed has no effect without --hash");
        }
        let head = output::Provenance::from(settings);
        let output::Header { program, version, .. } = head.header;
        let cpu = head.machine.cpu.as_deref().unwrap_or("unknown CPU");
        detail(format!("{program} {version}: {cpu}, {}", head.settings));
        Ok(Counting { perft, head, table_seed, kinds_table: None })
    }

    fn refuse_bitboard_only_flags(&self) -> Result<(), CliError> {
        let generator = self.generator;
        let (flag, reason) = match (self.basic.hash, self.basic.machine.cpu_path) {
            _ if generator == Generator::Bitboard => return Ok(()),
            (Some(1..), _) => ("--hash", "cannot use a transposition table"),
            (_, Some(path)) if !path.is_scalar() => ("--cpu-path", "counts one position at a time"),
            _ => return Ok(()),
        };
        let message = format!("the generator '{generator}' {reason}");
        Err(CliError::usage(message).help(format!("leave out {flag}, or count with --generator bitboard")))
    }
}

/// Builds the driver of a count of statistics, and its table if it has one.
///
/// # Errors
/// The CPU path or the threads are not available, or there is no memory for the table.
pub fn counting_kinds(args: BasicCountingArgs, exact: &ExactArgs) -> Result<Counting, CliError> {
    let build = |size: u64| {
        let table = StatisticsTable::new(available_bytes(size, "--hash")?, 0);
        table.map_err(|error| CliError::usage("--hash").because(error))
    };
    let kinds_table = args.hash.map(build).transpose()?;
    let mut counting = args.machine.build()?;
    let settings = &mut counting.head.settings;
    settings.table_bytes = kinds_table.as_ref().map_or(0, StatisticsTable::bytes);
    counting = exact.apply(counting)?;
    (counting.head.settings.mode, counting.head.settings.bulk) = (CountMode::Statistics, false);
    Ok(Counting { kinds_table, ..counting })
}

/// Returns a driver on a CPU path, on one thread, in which `generator` finds the moves.
///
/// # Errors
/// This machine does not have the path.
pub fn driver(generator: Generator, path: CpuPath) -> Result<Perft, PathUnavailable> {
    let perft = Perft::new().cpu_path(path)?;
    Ok(match generator {
        Generator::Bitboard => perft,
        other => perft.leaf_counter(other.counter(path.bmi2_features())),
    })
}

/// The memory for merged positions without `--memory`, in bytes, if the system does not say how much is free.
const DEFAULT_MEMORY_BYTES: u64 = 1 << 30;

/// Whether to count exactly, and with how much memory.
#[derive(Debug, Args)]
#[command(next_help_heading = "Counting")]
pub struct ExactArgs {
    /// Merge equal positions; faster than plain counting
    ///
    /// Positions are equal only after a full comparison, so no hash collision can make a count wrong, as it can with
    /// --hash.
    #[arg(long)]
    pub exact: bool,
    /// Memory for merged positions, with --exact: 4G, 512M, or a number of MiB [default: three quarters of the free
    /// memory]
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = parse_size,
        requires = "exact",
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    memory: Option<u64>,
}

impl ExactArgs {
    /// Makes the counts exact if `--exact` was given.
    ///
    /// # Errors
    /// A usage error if the generator or a table does not allow exact counting, or if there is not enough memory.
    pub fn apply(&self, mut counting: Counting) -> Result<Counting, CliError> {
        if !self.exact {
            return Ok(counting);
        }
        let Settings { generator, table_bytes, mode, .. } = &mut counting.head.settings;
        if generator != Generator::Bitboard.name() {
            let message = format!("the generator '{generator}' cannot merge equal positions");
            return Err(
                CliError::usage(message).help("leave out --exact, or count with --generator bitboard")
            );
        }
        if *table_bytes > 0 {
            let refusal = CliError::usage("--exact cannot be used with --hash: it counts without a table");
            return Err(refusal.help("leave out --hash; --memory SIZE limits the memory of --exact"));
        }
        let memory_bytes = merging_memory(self.memory)?;
        *mode = CountMode::Exact;
        counting.head.memory_bytes = memory_bytes;
        detail(format!("exact: merged positions use at most {} bytes", grouped(memory_bytes as u128)));
        Ok(counting)
    }
}

/// Returns the memory for merged positions in bytes: the size given to `--memory`, or the default.
///
/// This is a limit. A count takes only as much as its positions need.
pub fn merging_memory(size: Option<u64>) -> Result<usize, CliError> {
    match size {
        Some(size) => available_bytes(size, "--memory"),
        None => {
            let most = environment::available_memory().map_or(DEFAULT_MEMORY_BYTES, |free| free / 4 * 3);
            Ok(usize::try_from(most).unwrap_or(usize::MAX))
        }
    }
}

/// Which positions an engine is asked about.
#[derive(Clone, Copy, Debug, Args)]
pub struct UnreachableArgs {
    /// Also ask about positions that no game reaches, such as a check by three pieces
    #[arg(long, hide_short_help = true)]
    pub unreachable: bool,
}

impl UnreachableArgs {
    /// Whether an engine is asked about a position. By default, some game must be able to reach it.
    pub fn allow(self, position: &Position) -> bool {
        self.unreachable || impossibilities(position).is_empty()
    }
}

/// The default of `--max-nodes` when an engine counts. It is small enough for a slow engine to finish the built-in
/// suites.
pub const ENGINE_MAX_NODES: u128 = 3_000_000;

/// Parses a number of threads, or `all` for one per core.
pub fn parse_threads(text: &str) -> Result<usize, String> {
    if text == "all" {
        return Ok(available_parallelism().map_or(1, NonZeroUsize::get).min(MAX_THREADS));
    }
    let count = text.parse().ok().filter(|count| (1..=MAX_THREADS).contains(count));
    count.ok_or_else(|| format!("give a number of threads from 1 to {MAX_THREADS}, or 'all'"))
}

/// Returns a size in bytes if this machine has this amount of memory free.
///
/// # Errors
/// A usage error that names `flag`, the flag with this size.
pub fn available_bytes(size: u64, flag: &str) -> Result<usize, CliError> {
    if let Some(available) = environment::available_memory().filter(|&available| size > available) {
        let mib = available >> 20;
        return Err(CliError::usage(format!("{flag}: only {mib} MiB of memory are free"))
            .help(format!("use at most {flag} {mib}")));
    }
    usize::try_from(size)
        .map_err(|_| CliError::usage(format!("{flag}: this machine cannot address so much memory")))
}

/// Parses an amount of memory, in bytes: a number of MiB, or a number with a suffix K, M, G or T (also KiB, MB, ...).
/// All suffixes are powers of 1024.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let bytes = with_suffix(text, |suffix| match suffix {
        "k" | "kb" | "kib" => Some(1 << 10),
        "" | "m" | "mb" | "mib" => Some(1 << 20),
        "g" | "gb" | "gib" => Some(1 << 30),
        "t" | "tb" | "tib" => Some(1 << 40),
        _ => None,
    });
    let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| "not a size; give a number of MiB, or a size such as 512M or 4G".to_owned())
}

/// The value of `--cpu-path`; `None` for the fastest path that this machine and the generator have.
type CpuChoice = Option<CpuPath>;

fn cpu_choices() -> impl TypedValueParser<Value = CpuChoice> {
    let names = ["auto"].into_iter().chain(CpuPath::ALL.map(CpuPath::name));
    PossibleValuesParser::new(names).map(|name| name.parse().ok())
}

/// Parses the name of a generator, or `all`, which is `None`.
pub fn generator_choices() -> impl TypedValueParser<Value = Option<Generator>> {
    PossibleValuesParser::new(["all"].into_iter().chain(generator_names())).map(|name| name.parse().ok())
}

pub fn generators() -> impl TypedValueParser<Value = Generator> {
    let names = PossibleValuesParser::new(generator_names());
    names.map(|name| name.parse().expect("only these names are possible"))
}

fn generator_names() -> impl Iterator<Item = &'static str> {
    Generator::ALL.iter().map(|generator| generator.name())
}

/// Parses a number of nodes or positions: plain, or with a suffix k, M, G or T for powers of 1000.
pub fn parse_nodes(text: &str) -> Result<u128, String> {
    let nodes = with_suffix(text, |suffix| match suffix {
        "" => Some(1),
        "k" => Some(1_000),
        "m" => Some(1_000_000),
        "g" => Some(1_000_000_000),
        "t" => Some(1_000_000_000_000),
        _ => None,
    });
    nodes.ok_or_else(|| "give a number such as 1000000, 10M or 1G".to_owned())
}

/// Returns a number times the factor of the letters after it, which `factor` gets in lower case.
fn with_suffix(text: &str, factor: impl Fn(&str) -> Option<u128>) -> Option<u128> {
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let factor = factor(&text[number.len()..].to_ascii_lowercase())?;
    number.parse::<u128>().ok()?.checked_mul(factor)
}

/// Parses a depth, up to the largest depth of the library.
pub fn parse_depth(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|&depth: &u32| depth <= MAX_DEPTH);
    depth.ok_or_else(|| format!("give a depth in plies from 0 to {MAX_DEPTH}"))
}

/// The longest time limit. A much later point in time could not be represented.
const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Parses a time in seconds, above 0 and at most a year.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    time_limit(text.parse().unwrap_or(f64::NAN))
}

/// Returns a time above 0 and of at most a year.
///
/// # Errors
/// A message that says what to give instead.
pub fn time_limit(seconds: f64) -> Result<Duration, String> {
    let time = Duration::try_from_secs_f64(seconds).ok();
    let time = time.filter(|&time| !time.is_zero() && time <= YEAR);
    time.ok_or_else(|| "give a number of seconds above 0, at most a year".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_mib_or_with_a_suffix() {
        assert_eq!(parse_size("1G"), Ok(1 << 30));
        assert_eq!(parse_size("512M"), Ok(512 << 20));
        assert_eq!(parse_size("64"), Ok(64 << 20));
        assert_eq!(parse_size("64kib"), Ok(64 << 10));
        for wrong in ["", "G", "-1", "1.5G", "1X", "99999999999999999999", "99999999999T"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_at_most_a_year() {
        assert_eq!(parse_seconds("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["", "-1", "0", "NaN", "1e19", "1e30", "32000000", "1s"] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
    }
}

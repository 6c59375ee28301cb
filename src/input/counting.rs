//! The arguments that say how to count, and the driver that they build. An exact count merges equal positions instead of
//! using a table.

use clap::Args;
use perft_core::{Position, impossibilities};
use perft_count::{CpuPath, LeafMode, PathUnavailable, Perft, StatisticsTable, Table};
use perft_lab::generators::Generator;

use super::{CpuChoice, available_bytes, cpu_choices, generators, parse_size, parse_threads};
use crate::output::error::say;
use crate::output::table::folded_message;
use crate::output::{self, CliError, Context, CountMode, environment, grouped, number_of, warn};

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
    /// The memory for merged positions in bytes, if counts are exact.
    pub exact_memory_bytes: Option<usize>,
    /// The fields that every report begins with, except the table's statistics.
    pub head: output::Provenance,
    /// The seed of the table's hash keys; `None` without a table.
    pub table_seed: Option<u64>,
    /// Whether the kinds of leaf nodes are counted, and the table for them.
    pub has_kinds: bool,
    pub kinds_table: Option<StatisticsTable>,
}

impl Counting {
    /// Returns the fields that every report begins with, including the table's statistics so far.
    pub fn report_head(&self) -> output::Provenance {
        let statistics = self.perft.table_statistics().zip(self.table_seed);
        let table = statistics.map(|(statistics, seed)| output::HashTableReport::new(seed, &statistics));
        output::Provenance { table, ..self.head.clone() }
    }

    /// With `--verbose`, prints the table's statistics to standard error.
    pub fn print_table_statistics(&self, context: &Context) {
        if let Some(table) = self.report_head().table.filter(|_| context.global.verbose) {
            say(folded_message(&format!("table: {}", table.line()), 0));
        }
    }
}

impl MachineArgs {
    /// Builds the driver of a plain count: the bitboard generator, bulk counting, no table.
    pub fn build(self, context: &Context) -> Result<Counting, CliError> {
        BasicCountingArgs { machine: self, hash: None }.build(None, context)
    }
}

impl BasicCountingArgs {
    /// Builds the driver; `seed` is the seed of the table's hash keys.
    pub fn build(self, seed: Option<u64>, context: &Context) -> Result<Counting, CliError> {
        let generator = Generator::Bitboard;
        CountingArgs { basic: self, seed, no_bulk: false, generator }.build(context)
    }
}

impl CountingArgs {
    /// Builds the [`Counting`] that the arguments describe. With `--verbose`, also prints the settings to standard
    /// error.
    pub fn build(&self, context: &Context) -> Result<Counting, CliError> {
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
        let (mut table_bytes, mut table_seed) = (0, None);
        if let Some(size) = self.basic.hash.filter(|size| *size > 0) {
            let seed = self.seed.unwrap_or(0);
            let table = Table::new(available_bytes(size, "--hash")?, seed)
                .map_err(|error| CliError::usage(format!("--hash: {error}")))?;
            (table_bytes, table_seed) = (table.bytes(), Some(seed));
            perft = perft.table(table);
        } else if self.seed.is_some() {
            warn("--seed has no effect without --hash");
        }
        let head = output::Provenance {
            generator: self.generator.name(),
            ..environment::provenance(path, threads, table_bytes, !self.no_bulk)
        };
        if context.global.verbose {
            print_settings(&head);
        }
        Ok(Counting {
            perft,
            exact_memory_bytes: None,
            head,
            table_seed,
            has_kinds: false,
            kinds_table: None,
        })
    }

    /// Refuses a table and a vector path for generators other than bitboard.
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

fn print_settings(head: &output::Provenance) {
    let table = match head.table_bytes {
        0 => "no table".to_owned(),
        bytes => format!("a table of {}", number_of(bytes, "byte")),
    };
    let leaves = if head.bulk { "bulk counting" } else { "every leaf made" };
    let cpu = head.machine.cpu.as_deref().unwrap_or("unknown CPU");
    let output::Provenance { header, cpu_path, threads, generator, .. } = head;
    let output::Header { program, version, .. } = header;
    let settings = format!(
        "{program} {version}: {cpu}, generator {generator}, CPU path {cpu_path}, {}, {leaves}, {table}",
        number_of(*threads, "thread")
    );
    say(folded_message(&settings, 0));
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
    pub fn apply(&self, counting: &mut Counting, verbose: bool) -> Result<(), CliError> {
        if !self.exact {
            return Ok(());
        }
        if counting.head.generator != Generator::Bitboard.name() {
            let message = format!("the generator '{}' cannot merge equal positions", counting.head.generator);
            return Err(
                CliError::usage(message).help("leave out --exact, or count with --generator bitboard")
            );
        }
        if counting.head.table_bytes > 0 {
            let refusal = CliError::usage("--exact cannot be used with --hash: it counts without a table");
            return Err(refusal.help("leave out --hash; --memory SIZE limits the memory of --exact"));
        }
        let memory_bytes = merging_memory(self.memory)?;
        counting.exact_memory_bytes = Some(memory_bytes);
        counting.head.mode = CountMode::Exact;
        counting.head.memory_bytes = memory_bytes;
        if verbose {
            say(format_args!("exact: merged positions use at most {} bytes", grouped(memory_bytes as u128)));
        }
        Ok(())
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

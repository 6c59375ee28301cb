//! Arguments that several verbs share, and what they mean in the library.

use std::thread::available_parallelism;

use crate::report;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use perft_core::CastlingNotation;
use perft_core::Position;
use perft_core::{CpuPath, LeafMode, MAX_DEPTH, MAX_THREADS, Perft, Table};
use perft_lab::generators::Generator;
use perft_lab::sliders::{SliderMethod, SlidersError};

use super::context::Context;
use super::environment;
use super::error::{CliError, warn};

/// Which position.
#[derive(Debug, Args)]
#[command(next_help_heading = "Position")]
pub struct PositionArgs {
    /// A FEN (X-FEN and Shredder-FEN too), a name such as kiwipete, or - for one of these a line on standard input
    #[arg(short, long, value_name = "FEN|NAME|-", default_value = "start")]
    pub fen: String,
    /// Moves to play from there first, in UCI: e2e4,e7e5
    #[arg(short, long, value_name = "MOVES", value_delimiter = ',')]
    pub moves: Vec<String>,
    /// Write castling as Chess960 has it, king takes rook; it is read either way
    #[arg(long)]
    pub chess960: bool,
}

impl PositionArgs {
    /// The castling notation of output for a position.
    pub fn notation(&self, position: &Position) -> CastlingNotation {
        if self.chess960 { CastlingNotation::Chess960 } else { position.castling_notation() }
    }

    /// What to call it: as it was given.
    pub fn name(&self) -> String {
        match self.moves.as_slice() {
            [] => self.fen.clone(),
            moves => format!("{} {}", self.fen, moves.join(" ")),
        }
    }

    /// The flags that ask another process for the same position.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = vec!["--fen".to_owned(), self.fen.clone()];
        if !self.moves.is_empty() {
            flags.extend(["--moves".to_owned(), self.moves.join(",")]);
        }
        flags
    }
}

/// How to count.
#[derive(Debug, Args)]
#[command(next_help_heading = "Counting")]
pub struct CountingArgs {
    /// Threads, or all for every core
    #[arg(short, long, value_name = "N|all", default_value = "1", allow_negative_numbers = true)]
    pub threads: String,
    /// A transposition table of this size: 1G, 512M, or a number of MiB
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    pub hash: Option<String>,
    /// The seed of the table's keys: counts made with two seeds do not share a false hit [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Make every move of the last ply instead of counting it, to compare with generators that do
    #[arg(long)]
    pub no_bulk: bool,
    /// The CPU features to count with
    #[arg(long, value_name = "PATH", default_value = "auto", value_parser = cpu_paths())]
    pub cpu_path: String,
    /// The generator to count with; perft generators says what they are
    #[arg(long, value_name = "NAME", default_value = "bitboard", value_parser = generators(), hide_possible_values = true)]
    pub generator: Generator,
    /// How bitboard looks sliders up, one position at a time [default: as the CPU path does]
    #[arg(long, value_name = "NAME", value_parser = slider_methods())]
    pub sliders: Option<SliderMethod>,
}

/// How to count the units of a campaign.
#[derive(Debug, Args)]
#[command(next_help_heading = "Counting")]
pub struct UnitCountingArgs {
    /// Threads, or all for every core
    #[arg(short, long, value_name = "N|all", default_value = "1", allow_negative_numbers = true)]
    threads: String,
    /// A transposition table of this size: 1G, 512M, or a number of MiB
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    pub hash: Option<String>,
    /// The CPU features to count with
    #[arg(long, value_name = "PATH", default_value = "auto", value_parser = cpu_paths())]
    cpu_path: String,
}

impl UnitCountingArgs {
    /// Sets the driver up; the keys of a table are those of a seed.
    pub fn build(&self, seed: Option<u64>, context: &Context) -> Result<Counting, CliError> {
        let hash = self.hash.clone();
        CountingArgs { hash, seed, ..CountingArgs::plain(&self.threads, &self.cpu_path) }.build(context)
    }

    /// What says how our own generator counts says nothing to a foreign program.
    pub fn refuse_with_engine(&self) -> Result<(), CliError> {
        let given = [
            ("--hash", self.hash.is_some()),
            ("--cpu-path", self.cpu_path != "auto"),
            ("--threads", self.threads != "1"),
        ];
        let given = given.into_iter().find(|(_, is_given)| *is_given);
        given.map_or(Ok(()), |(flag, _)| Err(says_how_we_count(flag).help(format!("leave out {flag}"))))
    }
}

fn says_how_we_count(flag: &str) -> CliError {
    CliError::usage(format!("{flag} says how our own generator counts, not --engine"))
}

/// Whether to count exactly.
#[derive(Debug, Args)]
#[command(next_help_heading = "Counting")]
pub struct ExactArgs {
    /// Merge equal positions, compared in full: faster than plain counting, and without the collisions of a table
    #[arg(long)]
    pub exact: bool,
    /// With --exact, the memory for merged positions: 4G, 512M, or a number of MiB [default: 1G, or half of what is
    /// free if that is less]
    #[arg(long, value_name = "SIZE", requires = "exact", allow_negative_numbers = true)]
    memory: Option<String>,
}

impl ExactArgs {
    /// The flags that ask another process for the same.
    pub fn flags(&self) -> Vec<String> {
        let memory = self.memory.iter().flat_map(|memory| ["--memory".to_owned(), memory.clone()]);
        self.exact.then(|| "--exact".to_owned()).into_iter().chain(memory).collect()
    }

    /// Notes in the head of the report that counts are exact, and the memory that they may take.
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
            let refusal =
                CliError::usage("--exact counts without a table, so that no collision can spoil the count");
            return Err(refusal.help("leave out --hash; --memory SIZE says how much --exact may use"));
        }
        let memory_bytes = merging_memory(self.memory.as_deref())?;
        counting.head.mode = "exact";
        counting.head.memory_bytes = memory_bytes;
        if verbose {
            anstream::eprintln!(
                "exact: merged positions take {} bytes at most",
                report::grouped(memory_bytes as u128)
            );
        }
        Ok(())
    }
}

/// The memory for merged positions in bytes: so much, or a default.
pub fn merging_memory(size: Option<&str>) -> Result<usize, CliError> {
    match size {
        Some(size) => free_memory("--memory", size),
        None => {
            let half = environment::available_memory().map_or(u64::MAX, |available| available / 2);
            Ok(DEFAULT_MEMORY_BYTES.min(half) as usize)
        }
    }
}

/// What merged positions may take unless told otherwise.
const DEFAULT_MEMORY_BYTES: u64 = 1 << 30;

/// The generators by name.
pub fn generators() -> impl TypedValueParser<Value = Generator> {
    let names = Generator::ALL.iter().map(|generator| generator.name());
    PossibleValuesParser::new(names).map(|name| name.parse().expect("only these names are possible"))
}

/// The slider look-ups by name.
pub fn slider_methods() -> impl TypedValueParser<Value = SliderMethod> {
    let names = SliderMethod::ALL.iter().map(|method| method.name());
    PossibleValuesParser::new(names).map(|name| name.parse().expect("only these names are possible"))
}

/// The CPU paths by name, and auto.
pub fn cpu_paths() -> PossibleValuesParser {
    PossibleValuesParser::new(["auto"].into_iter().chain(CpuPath::ALL.map(CpuPath::name)))
}

/// A driver, and what a report says of it.
pub struct Counting {
    /// The driver.
    pub perft: Perft,
    /// The same on one thread and without a table, for estimates, which must not fill it.
    pub plain: Perft,
    /// The head of a report, but for what came of the table.
    pub head: report::Context,
    seed: u64,
}

impl Counting {
    /// The head of a report, with what came of the table until now.
    pub fn report_head(&self) -> report::Context {
        let statistics = self.perft.table_statistics();
        let table = statistics.map(|statistics| report::TableReport::new(self.seed, &statistics));
        report::Context { table, ..self.head.clone() }
    }

    /// With `--verbose`, says on standard error what came of the table.
    pub fn say_what_the_table_did(&self, context: &Context) {
        if let Some(table) = self.report_head().table.filter(|_| context.global.verbose) {
            anstream::eprintln!("table: {}", table.line());
        }
    }
}

impl CountingArgs {
    /// Our own generator, without a table: for verbs that choose only these two.
    pub fn plain(threads: &str, cpu_path: &str) -> CountingArgs {
        CountingArgs {
            threads: threads.to_owned(),
            hash: None,
            seed: None,
            no_bulk: false,
            cpu_path: cpu_path.to_owned(),
            generator: Generator::Bitboard,
            sliders: None,
        }
    }

    /// Sets the driver up; with `--verbose`, says on standard error how it counts.
    pub fn build(&self, context: &Context) -> Result<Counting, CliError> {
        let path = self.path()?;
        self.refuse_what_only_ours_can()?;
        let leaf_mode = if self.no_bulk { LeafMode::EveryLeaf } else { LeafMode::Bulk };
        let threads = parse_threads(&self.threads)?;
        let plain = || {
            let perft = self.generator.drive(Perft::new().leaf_mode(leaf_mode)).cpu_path(path);
            perft.map_err(|error| CliError::usage(error).help("--cpu-path auto takes the best that is there"))
        };
        let mut perft = plain()?
            .threads(threads)
            .map_err(|error| CliError::usage(error).help("--threads all takes every core"))?;
        if let Some(method) = self.sliders {
            perft = method.drive(perft, path).map_err(refuse_sliders)?;
        }
        let mut table_bytes = 0;
        let seed = self.seed.unwrap_or(0);
        if let Some(size) = &self.hash {
            let table = build_table(size, seed)?;
            table_bytes = table.bytes();
            perft = perft.table(table);
        } else if self.seed.is_some() && !context.global.quiet {
            warn("--seed does nothing without --hash: only a table has keys".to_owned());
        }
        let head = report::Context {
            generator: self.generator.name(),
            sliders: self.slider_method(path).map(SliderMethod::name),
            ..environment::context(path, threads, table_bytes, !self.no_bulk)
        };
        if context.global.verbose {
            say_how(&head);
        }
        Ok(Counting { perft, plain: plain()?, head, seed })
    }

    /// Returns the slider look-up that is used on a path; `None` if the path has none, or the generator has its own.
    fn slider_method(&self, path: CpuPath) -> Option<SliderMethod> {
        let own = self.sliders.or(SliderMethod::of_path(path));
        own.filter(|_| self.generator == Generator::Bitboard)
    }

    /// The flags that ask another process to count in this way.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = vec!["--threads".to_owned(), self.threads.clone()];
        let mut add = |flag: &str, value: Option<String>| {
            flags.extend(value.into_iter().flat_map(|value| [flag.to_owned(), value]));
        };
        add("--hash", self.hash.clone());
        add("--seed", self.seed.map(|seed| seed.to_string()));
        add("--cpu-path", Some(self.cpu_path.clone()).filter(|path| path != "auto"));
        add(
            "--generator",
            Some(self.generator.to_string()).filter(|_| self.generator != Generator::Bitboard),
        );
        add("--sliders", self.sliders.map(|method| method.name().to_owned()));
        flags.extend(self.no_bulk.then(|| "--no-bulk".to_owned()));
        flags
    }

    /// What says how our own generator counts says nothing to a foreign program.
    pub fn refuse_with_engine(&self) -> Result<(), CliError> {
        let given = [
            ("--hash", self.hash.is_some()),
            ("--seed", self.seed.is_some()),
            ("--no-bulk", self.no_bulk),
            ("--cpu-path", self.cpu_path != "auto"),
            ("--generator", self.generator != Generator::Bitboard),
            ("--sliders", self.sliders.is_some()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((flag, _)) => Err(says_how_we_count(flag)
                .help(format!("leave out {flag}; --threads N asks N processes at once"))),
        }
    }

    /// The CPU path that was asked for, or the fastest that the generator has, and that looks sliders up if it is told
    /// how.
    fn path(&self) -> Result<CpuPath, CliError> {
        let is_ours = self.generator == Generator::Bitboard;
        match self.cpu_path.as_str() {
            "auto" if is_ours && self.sliders.is_none() => Ok(CpuPath::best()),
            "auto" => Ok(CpuPath::best_scalar()),
            name => {
                let path: CpuPath = name.parse().map_err(CliError::usage)?;
                if is_ours || path.is_scalar() {
                    return Ok(path);
                }
                let generator = self.generator;
                Err(CliError::usage(format!("the generator '{generator}' has no CPU path '{path}'")).help(
                    "bmi2 or portable; the others count several positions at once, which only bitboard does",
                ))
            }
        }
    }

    /// A table, and the choice of a slider look-up, need what other generators do not have.
    fn refuse_what_only_ours_can(&self) -> Result<(), CliError> {
        let generator = self.generator;
        if generator == Generator::Bitboard {
            return Ok(());
        }
        let (flag, reason) = match (&self.hash, self.sliders) {
            (None, None) => return Ok(()),
            (Some(_), _) => ("--hash", "counts without a table"),
            (None, Some(_)) => ("--sliders", "has its own way with sliders"),
        };
        let message = format!("the generator '{generator}' {reason}");
        Err(CliError::usage(message).help(format!("leave out {flag}, or count with --generator bitboard")))
    }
}

fn refuse_sliders(error: SlidersError) -> CliError {
    CliError::usage(error).help(match error {
        SlidersError::PathUnavailable(_) => "--cpu-path auto takes the best that is there",
        SlidersError::NoLookup(_) => {
            "--cpu-path bmi2 or portable; the others count several positions at once"
        }
        SlidersError::Unavailable(_) => "--sliders magic works on every machine",
        SlidersError::NotOnPath { .. } => "--cpu-path bmi2, or --sliders magic",
    })
}

fn say_how(head: &report::Context) {
    let table = match head.table_bytes {
        0 => "no table".to_owned(),
        bytes => format!("a table of {} bytes", report::grouped(bytes as u128)),
    };
    let leaves = if head.bulk { "bulk counting" } else { "every leaf made" };
    let cpu = head.machine.cpu.as_deref().unwrap_or("unknown CPU");
    let (program, version, path, threads) = (head.program, head.version, head.cpu_path, head.threads);
    let generator = head.generator;
    let sliders = head.sliders.map_or_else(String::new, |method| format!(", sliders by {method}"));
    anstream::eprintln!(
        "{program} {version}: {cpu}, generator {generator}, CPU path {path}{sliders}, {threads} thread(s), {leaves}, \
         {table}"
    );
}

/// A number of threads, or all cores.
pub fn parse_threads(text: &str) -> Result<usize, CliError> {
    if text == "all" {
        return Ok(available_parallelism().map_or(1, usize::from).min(MAX_THREADS));
    }
    text.parse().map_err(|_| {
        CliError::usage(format!("--threads {text}: not a number of threads"))
            .help("a number from 1 up, or all")
    })
}

/// A table of this size, if the machine has the memory for it.
fn build_table(size: &str, seed: u64) -> Result<Table, CliError> {
    let bytes = free_memory("--hash", size)?;
    Table::new(bytes, seed).map_err(|error| CliError::usage(format!("--hash {size}: {error}")))
}

/// The bytes of a size that a flag was given, if the machine has so many.
pub fn free_memory(flag: &str, size: &str) -> Result<usize, CliError> {
    let refuse = |why: String| CliError::usage(format!("{flag} {size}: {why}"));
    let bytes = parse_size(size)
        .ok_or_else(|| refuse("not a size".to_owned()).help("512M, 1G, or a bare number of MiB"))?;
    if let Some(available) = environment::available_memory().filter(|&available| bytes > available) {
        let mib = available >> 20;
        return Err(
            refuse(format!("only {mib} MiB of memory are free")).help(format!("{flag} {mib} at most"))
        );
    }
    usize::try_from(bytes).map_err(|_| refuse("more than this machine can address".to_owned()))
}

/// A size in bytes: a number of MiB, or with a suffix K, M, G or T (also KiB, MB, ...), all powers of 1024.
/// A number of bytes: 1G, 512M, or a number of MiB.
pub fn parse_size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "k" | "kb" | "kib" => 10,
        "" | "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// A number of nodes, plain or with a suffix k, M, G or T for powers of 1000.
pub fn parse_nodes(text: &str) -> Result<u128, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" => Some(1),
        "k" => Some(1_000),
        "m" => Some(1_000_000),
        "g" => Some(1_000_000_000),
        "t" => Some(1_000_000_000_000),
        _ => None,
    };
    let number = digits.parse::<u128>().ok();
    number
        .zip(factor)
        .and_then(|(number, factor)| number.checked_mul(factor))
        .ok_or_else(|| "a number of nodes, such as 1000000, 10M or 1G".to_owned())
}

/// A depth that the library can count to.
pub fn parse_depth(text: &str) -> Result<u32, String> {
    let depth = text.parse().ok().filter(|&depth: &u32| depth <= MAX_DEPTH);
    depth.ok_or_else(|| format!("a depth in plies, from 0 to {MAX_DEPTH}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("1G"), Some(1 << 30));
        assert_eq!(parse_size("512M"), Some(512 << 20));
        assert_eq!(parse_size("64"), Some(64 << 20));
        assert_eq!(parse_size("64kib"), Some(64 << 10));
        for wrong in ["", "G", "-1", "1.5G", "1X", "99999999999999999999", "99999999999T"] {
            assert_eq!(parse_size(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn numbers_of_nodes() {
        assert_eq!(parse_nodes("10M"), Ok(10_000_000));
        assert_eq!(parse_nodes("8902"), Ok(8902));
        assert!(parse_nodes("ten").is_err());
        assert!(parse_nodes("M").is_err());
    }

    #[test]
    fn depths() {
        assert_eq!(parse_depth("7"), Ok(7));
        assert!(parse_depth("256").is_err());
        assert!(parse_depth("-1").is_err());
    }
}

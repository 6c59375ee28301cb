//! Values of arguments: threads, memory sizes, CPU paths, depths, and numbers with a suffix.
//!
//! A type here implements [`FromStr`] to read an argument and [`Display`](fmt::Display) to write it again, for commands
//! that start another `perft` with the same arguments. An error says what is accepted; clap says what was given.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use perft_core::MAX_DEPTH;
use perft_count::{CpuPath, MAX_THREADS};
use perft_lab::generators::Generator;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::output::error::CliError;
use crate::output::{environment, number_of};

/// The default of `--max-nodes` when an engine counts. It is small enough for a slow engine to finish the built-in
/// suites.
pub const ENGINE_MAX_NODES: u128 = 3_000_000;

/// The value of `--threads`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// One thread per core of the machine that counts.
    All,
    /// This number of threads, from 1 to [`MAX_THREADS`].
    Count(usize),
}

impl Threads {
    /// Returns the number of threads on this machine.
    pub fn count(self) -> usize {
        match self {
            Threads::All => available_parallelism().map_or(1, NonZeroUsize::get).min(MAX_THREADS),
            Threads::Count(count) => count,
        }
    }

    pub fn pool(self) -> Result<ThreadPool, CliError> {
        let count = self.count();
        let refused =
            |error| CliError::usage(format!("cannot start {}: {error}", number_of(count, "thread")));
        ThreadPoolBuilder::new().num_threads(count).build().map_err(refused)
    }
}

impl FromStr for Threads {
    type Err = String;

    fn from_str(text: &str) -> Result<Threads, String> {
        if text == "all" {
            return Ok(Threads::All);
        }
        let count = text.parse().ok().filter(|count| (1..=MAX_THREADS).contains(count));
        count
            .map(Threads::Count)
            .ok_or_else(|| format!("give a number of threads from 1 to {MAX_THREADS}, or 'all'"))
    }
}

impl fmt::Display for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Threads::All => f.write_str("all"),
            Threads::Count(count) => write!(f, "{count}"),
        }
    }
}

/// An amount of memory: a number of MiB, or a number with a suffix K, M, G or T (also KiB, MB, ...).
///
/// All suffixes are powers of 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemorySize(u64);

impl MemorySize {
    /// Returns the size in bytes if this machine has this amount of memory free.
    ///
    /// # Errors
    /// A usage error that names `flag`, the flag with this size.
    pub fn available_bytes(self, flag: &str) -> Result<usize, CliError> {
        let refuse = |reason: String| CliError::usage(format!("{flag} {self}: {reason}"));
        if let Some(available) = environment::available_memory().filter(|&available| self.0 > available) {
            let mib = available >> 20;
            return Err(refuse(format!("only {mib} MiB of memory are free"))
                .help(format!("use at most {flag} {mib}")));
        }
        usize::try_from(self.0).map_err(|_| refuse("this machine cannot address so much memory".to_owned()))
    }
}

impl FromStr for MemorySize {
    type Err = String;

    fn from_str(text: &str) -> Result<MemorySize, String> {
        let bytes = with_suffix(text, |suffix| match suffix {
            "k" | "kb" | "kib" => Some(1 << 10),
            "" | "m" | "mb" | "mib" => Some(1 << 20),
            "g" | "gb" | "gib" => Some(1 << 30),
            "t" | "tb" | "tib" => Some(1 << 40),
            _ => None,
        });
        bytes
            .and_then(|bytes| bytes.try_into().ok())
            .map(MemorySize)
            .ok_or_else(|| "not a size; give a number of MiB, or a size such as 512M or 4G".to_owned())
    }
}

impl fmt::Display for MemorySize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("0");
        }
        let suffixes = [(40, "T"), (30, "G"), (20, "M")];
        let (shift, suffix) =
            suffixes.into_iter().find(|(shift, _)| self.0.trailing_zeros() >= *shift).unwrap_or((10, "K"));
        write!(f, "{}{suffix}", self.0 >> shift)
    }
}

/// The value of `--cpu-path`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuChoice {
    /// The fastest path that this machine and the generator have.
    Auto,
    /// This path.
    Path(CpuPath),
}

impl FromStr for CpuChoice {
    type Err = <CpuPath as FromStr>::Err;

    fn from_str(text: &str) -> Result<CpuChoice, Self::Err> {
        if text == "auto" { Ok(CpuChoice::Auto) } else { text.parse().map(CpuChoice::Path) }
    }
}

impl fmt::Display for CpuChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CpuChoice::Auto => "auto",
            CpuChoice::Path(path) => path.name(),
        })
    }
}

/// Parses the name of a CPU path, or `auto`.
pub fn cpu_choices() -> impl TypedValueParser<Value = CpuChoice> {
    names(["auto"].into_iter().chain(CpuPath::ALL.map(CpuPath::name)))
}

/// Parses the name of a generator, or `all`, which is `None`.
pub fn generator_choices() -> impl TypedValueParser<Value = Option<Generator>> {
    PossibleValuesParser::new(["all"].into_iter().chain(generator_names())).map(|name| name.parse().ok())
}

pub fn generators() -> impl TypedValueParser<Value = Generator> {
    names(generator_names())
}

fn generator_names() -> impl Iterator<Item = &'static str> {
    Generator::ALL.iter().map(|generator| generator.name())
}

/// Parses one of these names, which all must be readable as `T`.
fn names<T>(names: impl Iterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: fmt::Debug> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).map(|name| name.parse().expect("only these names are possible"))
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
/// The text to give instead.
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
        let bytes = |text: &str| text.parse().map(|MemorySize(bytes)| bytes);
        assert_eq!(bytes("1G"), Ok(1 << 30));
        assert_eq!(bytes("512M"), Ok(512 << 20));
        assert_eq!(bytes("64"), Ok(64 << 20));
        assert_eq!(bytes("64kib"), Ok(64 << 10));
        for wrong in ["", "G", "-1", "1.5G", "1X", "99999999999999999999", "99999999999T"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_written_as_they_are_read() {
        for (text, written) in [("64", "64M"), ("1024", "1G"), ("1536M", "1536M"), ("0", "0"), ("5k", "5K")] {
            let size: MemorySize = text.parse().unwrap();
            assert_eq!(size.to_string(), written);
            assert_eq!(written.parse(), Ok(size));
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

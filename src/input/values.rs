//! Values of arguments: threads, memory sizes, CPU paths, depths, and numbers with a suffix.
//!
//! An error says what is accepted; clap says what was given.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use perft_core::MAX_DEPTH;
use perft_count::{CpuPath, MAX_THREADS};
use perft_lab::generators::Generator;

use crate::output::{CliError, environment};

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
pub type CpuChoice = Option<CpuPath>;

/// Parses the name of a CPU path, or `auto`.
pub fn cpu_choices() -> impl TypedValueParser<Value = CpuChoice> {
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

//! `perft agree`: compares the built-in generators with each other on random games.

pub mod report;

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use perft_core::suite::{Suite, builtin};
use perft_lab::generators::Generator;
use perft_lab::{Player, agree, player};
use report::AgreeReport;

use crate::input::{Threads, generators, parse_nodes};
use crate::output::context::Context;
use crate::output::error::{CliError, WRONG};
use crate::output::terminal::progress_bar;
use crate::output::{self, JsonArgs, emit, environment, grouped};

const EXAMPLES: &str = "\
Examples:
  perft agree                                    100,000 positions
  perft agree --positions 1M --threads all       a million, on all cores
  perft agree --generators magic,rays --seed 7   two generators, other games";

const BAR: &str = "{pos}/{len} positions";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct AgreeArgs {
    /// Minimum number of positions to compare: 20000, 100k, 1M
    #[arg(long, value_name = "N", default_value = "100k", value_parser = parse_nodes)]
    positions: u128,
    /// Seed of the random games; another seed plays other games
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Number of threads, or "all" for one per core
    #[arg(short, long, value_name = "N|all", default_value = "1", allow_negative_numbers = true)]
    threads: Threads,
    /// Generators to compare with bitboard, separated by commas [default: all]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = generators(), hide_possible_values = true)]
    generators: Vec<Generator>,
    #[command(flatten)]
    output: JsonArgs,
}

/// Runs the command.
pub fn run(args: AgreeArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let generators = chosen(&args.generators);
    let players =
        || -> Vec<Box<dyn Player>> { generators.iter().map(|&generator| player(generator)).collect() };
    let suites: Vec<&Suite> = builtin::suites().iter().map(|built_in| built_in.suite()).collect();
    let positions = u64::try_from(args.positions).unwrap_or(u64::MAX);
    let threads = args.threads.count();
    let refused = |error| CliError::usage(format!("cannot start {threads} threads: {error}"));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(refused)?;

    let bar = progress_bar(context, "agree", BAR, positions);
    let start = Instant::now();
    let found = pool.install(|| {
        agree(players, &suites, positions, args.seed, &context.stop, |compared| bar.inc(compared))
    });
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();

    let names: Vec<String> = generators.iter().map(|generator| generator.name().to_owned()).collect();
    let head = output::Provenance {
        mode: output::CountMode::Agree,
        generator: "several",
        ..environment::provenance(perft_count::CpuPath::Portable, threads, 0, true)
    };
    let report = AgreeReport::new(head, names, args.seed, &found, seconds);
    emit(&report, args.output.format(), out)?;
    if found.is_interrupted {
        out.flush()?;
        let positions = grouped(found.positions.into());
        return Err(CliError::Interrupted(format!("the generators agreed on {positions} positions")));
    }
    Ok(if report.disagreement.is_none() { ExitCode::SUCCESS } else { ExitCode::from(WRONG) })
}

/// Returns the generators to compare: bitboard, which plays the games, and the wanted others.
fn chosen(wanted: &[Generator]) -> Vec<Generator> {
    let is_wanted = |generator: &Generator| wanted.is_empty() || wanted.contains(generator);
    let others = Generator::ALL.iter().copied().filter(|&generator| generator != Generator::Bitboard);
    [Generator::Bitboard].into_iter().chain(others.filter(is_wanted)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bitboard_is_always_compared() {
        assert_eq!(chosen(&[]), Generator::ALL);
        assert_eq!(chosen(&[Generator::Bitboard]), [Generator::Bitboard]);
    }
}

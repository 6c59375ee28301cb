//! `perft hunt --generators`: compares the built-in generators with each other on random games.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use perft_core::suite::{Suite, builtin};
use perft_lab::generators::Generator;
use perft_lab::{Player, agree, player};

use super::args::HuntArgs;
use super::generators_report::GeneratorsReport;
use super::search::search_bar;
use crate::output::context::Context;
use crate::output::error::{CliError, exit_code};
use crate::output::{CountMode, Provenance, emit, environment, number_of};

/// The number of positions in which generators are compared, if none is given.
const POSITIONS: u64 = 100_000;

/// Compares the generators, and prints the first position in which they differ.
///
/// # Errors
/// The comparison was interrupted, or the output cannot be written.
pub fn run(args: &HuntArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let generators = chosen(&args.generators);
    let positions = args.random.map_or(POSITIONS, |positions| u64::try_from(positions).unwrap_or(u64::MAX));
    let (seed, threads) = (args.seed, args.asking.threads.count());
    let players =
        || -> Vec<Box<dyn Player>> { generators.iter().map(|&generator| player(generator)).collect() };
    let suites: Vec<&Suite> = builtin::suites().iter().map(|built_in| built_in.suite()).collect();
    let pool = args.asking.threads.pool()?;
    let bar = search_bar(context, "generators", usize::try_from(positions).unwrap_or(usize::MAX));
    let start = Instant::now();
    let found = pool
        .install(|| agree(players, &suites, positions, seed, &context.stop, |compared| bar.inc(compared)));
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    let names: Vec<String> = generators.iter().map(|generator| generator.name().to_owned()).collect();
    let head = Provenance {
        mode: CountMode::Hunt,
        generator: "several",
        ..environment::provenance(perft_count::CpuPath::Portable, threads, 0, true)
    };
    let report = GeneratorsReport::new(head, names, seed, &found, seconds);
    emit(&report, args.asking.output.format(), out)?;
    if found.is_interrupted {
        let positions = number_of(found.positions, "position");
        return Err(CliError::Interrupted(format!("the generators agreed on {positions}")));
    }
    Ok(exit_code(report.disagreement.is_some(), false))
}

/// Returns the generators to compare: bitboard, which plays the games, and the wanted others. `None` stands for all.
fn chosen(wanted: &[Option<Generator>]) -> Vec<Generator> {
    let is_wanted = |generator: &Generator| wanted.contains(&None) || wanted.contains(&Some(*generator));
    let others = Generator::ALL.iter().copied().filter(|&generator| generator != Generator::Bitboard);
    [Generator::Bitboard].into_iter().chain(others.filter(is_wanted)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bitboard_is_always_compared() {
        assert_eq!(chosen(&[None]), Generator::ALL);
        assert_eq!(chosen(&[Some(Generator::Bitboard)]), [Generator::Bitboard]);
    }
}

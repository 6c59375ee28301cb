//! `perft agree`: compares the built-in generators with each other on random games.

pub mod report;

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use perft_core::Setup;
use perft_core::suite::{Suite, builtin};
use perft_lab::generators::Generator;
use perft_lab::{Player, agree, player};
use report::{AgreeReport, DisagreementReport};

use crate::input::{Threads, generators, parse_nodes};
use crate::output::context::Context;
use crate::output::error::{CliError, WRONG};
use crate::output::fold::folded;
use crate::output::terminal::{incomplete_line, progress_bar};
use crate::output::{self, environment, grouped, write_json};

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
    /// Print one JSON object
    #[arg(long)]
    json: bool,
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
    if args.json {
        write_json(&report, false, out)?;
    } else {
        write_text(&report, out)?;
    }
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

fn write_text(report: &AgreeReport, out: &mut impl Write) -> std::io::Result<()> {
    let AgreeReport { positions, legal_moves: moves, games, seconds, generators, .. } = report;
    let rate = grouped((*positions as f64 / seconds.max(1e-9)) as u128);
    let (positions, moves) = (grouped((*positions).into()), grouped((*moves).into()));
    let outcome = match &report.disagreement {
        None if !report.complete => {
            writeln!(out, "{}", incomplete_line())?;
            "agree so far on"
        }
        None => "agree on",
        Some(found) => {
            write_disagreement(found, out)?;
            "differ after"
        }
    };
    let number = generators.len();
    let summary =
        format!("{number} generators {outcome} {positions} positions of {games} games, {moves} moves");
    writeln!(out, "{}", folded(&summary, 2))?;
    writeln!(out, "  {seconds:.1} s, {rate} positions/s")
}

fn write_disagreement(found: &DisagreementReport, out: &mut impl Write) -> std::io::Result<()> {
    write_board(&found.position.fen, out)?;
    for disputed in &found.moves {
        let line = format!("{} is legal according to: {}", disputed.played, disputed.found_by.join(", "));
        writeln!(out, "  {}", folded(&line, 4))?;
    }
    for counts in &found.counts {
        let name = &counts.generator;
        writeln!(out, "  {name:<13} lists {:>3} moves and counts {:>3}", counts.listed, counts.counted)?;
    }
    if found.in_position {
        writeln!(out, "\nThe generators also differ on this position when it is set up from its FEN.")?;
    } else {
        writeln!(
            out,
            "\nThe generators agree when the position is set up from its FEN: the bug is in\nmaking or unmaking moves."
        )?;
    }
    writeln!(out, "  root: {}\n  moves: {}", found.root.fen, found.path.join(" "))?;
    if let Some(smallest) = &found.smallest {
        writeln!(out, "\nThe smallest position found with the same difference:")?;
        write_board(&smallest.fen, out)?;
    }
    writeln!(out)
}

fn write_board(fen: &str, out: &mut impl Write) -> std::io::Result<()> {
    if let Ok(setup) = Setup::from_fen(fen) {
        writeln!(out, "{}", setup.diagram())?;
    }
    writeln!(out, "{fen}\n")
}

#[cfg(test)]
mod tests {
    use perft_core::CastlingNotation;
    use perft_lab::Agreement;

    use super::report::{DisputedMove, MoveCounts};
    use super::*;
    use crate::output::{INCOMPLETE, PositionInfo};

    #[test]
    fn a_disagreement_names_the_moves_and_the_generators() {
        let counts = |generator: &str, listed: usize| MoveCounts {
            generator: generator.to_owned(),
            listed,
            counted: listed as u64,
        };
        let info = |fen: &str| PositionInfo::of_fen(fen.to_owned(), CastlingNotation::Standard);
        let found = DisagreementReport {
            position: info("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"),
            root: info("8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1"),
            path: vec!["d2d4".to_owned()],
            moves: vec![DisputedMove { played: "e4d3".to_owned(), found_by: vec!["magic".to_owned()] }],
            counts: vec![counts("bitboard", 6), counts("magic", 7)],
            in_position: true,
            smallest: Some(info("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1")),
        };
        let mut out = Vec::new();
        write_disagreement(&found, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for line in [
            "4 k . . P p . . Q",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "  e4d3 is legal according to: magic",
            "  bitboard      lists   6 moves and counts   6",
            "The generators also differ on this position when it is set up from its FEN.",
            "  root: 8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1",
            "  moves: d2d4",
        ] {
            assert!(text.lines().any(|found| found == line), "no '{line}' in\n{text}");
        }
    }

    #[test]
    fn the_summary_fits_eighty_columns() {
        let head = environment::provenance(perft_count::CpuPath::Portable, 1, 0, true);
        let names: Vec<String> = Generator::ALL.iter().map(|generator| generator.name().to_owned()).collect();
        let found = Agreement { positions: 1 << 40, moves: 1 << 45, games: 1 << 36, ..Agreement::default() };
        for is_interrupted in [false, true] {
            let found = Agreement { is_interrupted, ..found.clone() };
            let report = AgreeReport::new(head.clone(), names.clone(), 1, &found, 1e7);
            let mut out = Vec::new();
            write_text(&report, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.lines().all(|line| line.len() <= 80), "{text}");
            assert_eq!(
                text.contains(INCOMPLETE) && text.contains("agree so far on"),
                is_interrupted,
                "{text}"
            );
        }
    }

    #[test]
    fn bitboard_is_always_compared() {
        assert_eq!(chosen(&[]), Generator::ALL);
        assert_eq!(chosen(&[Generator::Bitboard]), [Generator::Bitboard]);
    }
}

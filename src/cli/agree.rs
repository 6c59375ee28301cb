//! `perft agree`: every built-in generator against every other.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use crate::report::agree::{AgreeReport, DisagreementReport};
use crate::report::{grouped, write_json};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use perft_core::Setup;
use perft_core::suite::{Suite, builtin};
use perft_diagnosis::{Player, agree, player};
use perft_lab::generators::Generator;

use super::args::{generators, parse_nodes, parse_threads};
use super::context::{Context, When};
use super::environment;
use super::error::{CliError, WRONG};
use super::terminal::draw_target;

const EXAMPLES: &str = "\
Examples:
  perft agree                                 a hundred thousand positions
  perft agree --positions 1M --threads all    a million, on all cores
  perft agree --generators magic,rays --seed 7";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}"
)]
pub struct AgreeArgs {
    /// Positions to look at, at least: 20000, 100k, 1M
    #[arg(long, value_name = "N", default_value = "100k", value_parser = parse_nodes)]
    positions: u128,
    /// The seed of the games: another one gives other positions
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Threads, or all for every core
    #[arg(short, long, value_name = "N|all", default_value = "1", allow_negative_numbers = true)]
    threads: String,
    /// Which of them to compare with bitboard; all, unless told otherwise
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = generators(), hide_possible_values = true)]
    generators: Vec<Generator>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub fn run(args: AgreeArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let generators = chosen(&args.generators);
    let players =
        || -> Vec<Box<dyn Player>> { generators.iter().map(|&generator| player(generator)).collect() };
    let suites: Vec<&Suite> = builtin::suites().iter().map(|built_in| built_in.suite()).collect();
    let positions = u64::try_from(args.positions).unwrap_or(u64::MAX);
    let threads = parse_threads(&args.threads)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(CliError::usage)?;

    let bar = bar(positions, context);
    let start = Instant::now();
    let found = pool.install(|| {
        agree(&players, &suites, positions, args.seed, &context.stop, |looked_at| bar.inc(looked_at))
    });
    bar.finish_and_clear();
    let found = found.map_err(|_| {
        CliError::Interrupted(format!("all agreed on {} positions", grouped(bar.position().into())))
    })?;
    let seconds = start.elapsed().as_secs_f64();

    let names: Vec<String> = generators.iter().map(|generator| generator.name().to_owned()).collect();
    let head = crate::report::Context {
        mode: "agree",
        generator: "several",
        ..environment::context(perft_core::CpuPath::Portable, threads, 0, true)
    };
    let report = AgreeReport::new(head, names, args.seed, &found, seconds);
    if args.json {
        write_json(&report, false, out)?;
    } else {
        write_text(&report, out)?;
    }
    Ok(if report.disagreement.is_none() { ExitCode::SUCCESS } else { ExitCode::from(WRONG) })
}

/// The generators to compare: our own, which plays the games, and the others.
fn chosen(wanted: &[Generator]) -> Vec<Generator> {
    let is_wanted = |generator: &Generator| wanted.is_empty() || wanted.contains(generator);
    let others = Generator::ALL.iter().copied().filter(|&generator| generator != Generator::Bitboard);
    [Generator::Bitboard].into_iter().chain(others.filter(is_wanted)).collect()
}

fn bar(positions: u64, context: &Context) -> ProgressBar {
    let template = "agree {wide_bar:.cyan/dim} {pos}/{len} positions  {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is right");
    let is_hidden = context.global.quiet || context.global.progress == When::Never;
    let target = if is_hidden { ProgressDrawTarget::hidden() } else { draw_target() };
    ProgressBar::with_draw_target(Some(positions), target).with_style(style)
}

fn write_text(report: &AgreeReport, out: &mut impl Write) -> std::io::Result<()> {
    let AgreeReport { positions, moves, games, seconds, generators, .. } = report;
    let (looked_at, moves) = (grouped((*positions).into()), grouped((*moves).into()));
    let rate = grouped((*positions as f64 / seconds.max(1e-9)) as u128);
    let verdict = match &report.disagreement {
        None => "agree on",
        Some(found) => {
            write_disagreement(found, out)?;
            "differ after"
        }
    };
    writeln!(
        out,
        "{} generators {verdict} {looked_at} positions of {games} games, {moves} moves; {seconds:.1} s, {rate} positions/s",
        generators.len(),
    )
}

fn write_disagreement(found: &DisagreementReport, out: &mut impl Write) -> std::io::Result<()> {
    write_board(&found.fen, out)?;
    for disputed in &found.moves {
        writeln!(out, "  {} is a move for: {}", disputed.played, disputed.found_by.join(", "))?;
    }
    for counts in &found.generators {
        let name = &counts.generator;
        writeln!(out, "  {name:<13} lists {:>3} moves and counts {:>3}", counts.listed, counts.counted)?;
    }
    if found.is_in_position {
        writeln!(out, "\nThe bare position is enough.")?;
    } else {
        writeln!(
            out,
            "\nOn the bare position all agree: the fault is in what a board carries along a game."
        )?;
    }
    writeln!(out, "  root: {}\n  moves: {}", found.root, found.path.join(" "))?;
    if let Some(smallest) = &found.smallest {
        writeln!(out, "\nThe same on a smaller board:")?;
        write_board(smallest, out)?;
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
    use super::*;
    use crate::report::agree::{DisputedMove, MoveCounts};

    #[test]
    fn a_disagreement_says_who_has_which_move_and_where() {
        let counts = |generator: &str, listed: usize| MoveCounts {
            generator: generator.to_owned(),
            listed,
            counted: listed as u64,
        };
        let found = DisagreementReport {
            fen: "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1".to_owned(),
            root: "8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1".to_owned(),
            path: vec!["d2d4".to_owned()],
            moves: vec![DisputedMove { played: "e4d3".to_owned(), found_by: vec!["magic".to_owned()] }],
            generators: vec![counts("bitboard", 6), counts("magic", 7)],
            is_in_position: true,
            smallest: Some("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1".to_owned()),
        };
        let mut out = Vec::new();
        write_disagreement(&found, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        for line in [
            "4 k . . P p . . Q",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "  e4d3 is a move for: magic",
            "  bitboard      lists   6 moves and counts   6",
            "The bare position is enough.",
            "  root: 8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1",
            "  moves: d2d4",
        ] {
            assert!(text.lines().any(|found| found == line), "no '{line}' in\n{text}");
        }
    }

    #[test]
    fn our_own_generator_is_always_among_them() {
        assert_eq!(chosen(&[]), Generator::ALL);
        assert_eq!(chosen(&[Generator::Bitboard]), [Generator::Bitboard]);
    }
}

//! The report of `perft hunt --generators`, which compares the built-in generators.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use perft_core::suite::{Suite, builtin};
use perft_core::{CastlingNotation, Move};
use perft_lab::generators::Generator;
use perft_lab::{Agreement, Disagreement, Player, PlayerCounts, agree, player};
use serde::Serialize;

use super::args::HuntArgs;
use super::report::{POSITIONS, board};
use crate::output::context::Context;
use crate::output::error::{CliError, exit_code};
use crate::output::table::folded;
use crate::output::terminal::{incomplete_line, progress_bar};
use crate::output::{CountMode, PositionInfo, Provenance, Report, emit, environment, grouped, number_of};

/// A comparison of generators.
#[derive(Clone, Debug, Serialize)]
pub struct GeneratorsReport {
    /// How the comparison was made.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The names of the generators.
    pub generators: Vec<String>,
    /// The seed of the random games.
    pub seed: u64,
    /// Whether all positions were compared. `false` if the command was interrupted.
    pub complete: bool,
    /// The number of positions in which the generators were compared.
    pub positions: u64,
    /// The number of legal moves in these positions.
    pub legal_moves: u64,
    /// The number of random games.
    pub games: u64,
    /// The time in seconds.
    pub seconds: f64,
    /// The first position in which they disagree, if there is one.
    pub disagreement: Option<DisagreementReport>,
}

/// A position in which generators disagree.
#[derive(Clone, Debug, Serialize)]
pub struct DisagreementReport {
    /// The position.
    pub position: PositionInfo,
    /// The first position of the game.
    pub root: PositionInfo,
    /// The moves of the game from there.
    pub path: Vec<String>,
    /// The moves that some generators have and others do not.
    pub moves: Vec<UnsharedMove>,
    /// The numbers of moves that each generator lists and counts.
    pub counts: Vec<GeneratorCounts>,
    /// Whether they also disagree when they set up the position. Otherwise they disagree only at the end of the game.
    pub in_position: bool,
    /// A smaller position in which they disagree.
    pub smallest: Option<PositionInfo>,
}

/// A move that some generators have and others do not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnsharedMove {
    /// The move in UCI.
    #[serde(rename = "move")]
    pub played: String,
    /// The names of the generators that have it.
    pub found_by: Vec<String>,
}

/// The numbers of moves of a generator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GeneratorCounts {
    /// The name of the generator.
    pub generator: String,
    /// The number of moves that it lists.
    pub listed: usize,
    /// The number of moves that it counts without listing them.
    pub counted: u64,
}

impl Report for GeneratorsReport {
    const NAME: &'static str = "hunt_generators";

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let GeneratorsReport { positions, legal_moves: moves, games, seconds, generators, .. } = self;
        let rate = grouped((*positions as f64 / seconds.max(1e-9)) as u128);
        let (positions, moves) = (number_of(*positions, "position"), number_of(*moves, "move"));
        let outcome = match &self.disagreement {
            None if !self.complete => {
                writeln!(out, "{}", incomplete_line())?;
                "agree so far on"
            }
            None => "agree on",
            Some(found) => {
                write_disagreement(found, out)?;
                "differ after"
            }
        };
        let (number, games) = (number_of(generators.len(), "generator"), number_of(*games, "game"));
        let summary = format!("{number} {outcome} {positions} of {games}, {moves}");
        writeln!(out, "{}", folded(&summary, 2))?;
        writeln!(out, "  {seconds:.1} s, {rate} positions/s")
    }
}

impl GeneratorsReport {
    pub fn new(
        provenance: Provenance,
        generators: Vec<String>,
        seed: u64,
        found: &Agreement,
        seconds: f64,
    ) -> GeneratorsReport {
        let Agreement { positions, moves, games, disagreement, is_interrupted } = found;
        GeneratorsReport {
            provenance,
            generators,
            seed,
            complete: !is_interrupted,
            positions: *positions,
            legal_moves: *moves,
            games: *games,
            seconds,
            disagreement: disagreement.as_ref().map(DisagreementReport::new),
        }
    }
}

impl DisagreementReport {
    /// Makes a report of a disagreement. Castling moves are written as in Chess960 if the position needs it.
    pub fn new(found: &Disagreement) -> DisagreementReport {
        let notation = match found.path.notation() {
            CastlingNotation::Standard => found.path.end.castling_notation(),
            chess960 => chess960,
        };
        let disputed = |(played, names): &(Move, Vec<String>)| UnsharedMove {
            played: played.to_uci(notation),
            found_by: names.clone(),
        };
        let counts = |counts: &PlayerCounts| GeneratorCounts {
            generator: counts.name.clone(),
            listed: counts.listed,
            counted: counts.counted,
        };
        DisagreementReport {
            position: PositionInfo::of_fen(found.fen(), notation),
            root: PositionInfo::of_fen(found.path.root_setup().to_fen(), notation),
            path: found.path.moves.iter().map(|played| played.to_uci(notation)).collect(),
            moves: found.moves.iter().map(disputed).collect(),
            counts: found.players.iter().map(counts).collect(),
            in_position: found.is_in_position,
            smallest: found
                .smallest
                .as_ref()
                .map(|smallest| PositionInfo::of_fen(smallest.to_string(), notation)),
        }
    }
}

fn write_disagreement(found: &DisagreementReport, out: &mut impl Write) -> io::Result<()> {
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

fn write_board(fen: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}\n{fen}\n", board(fen))
}

/// The number of positions in which generators are compared, if none is given.
const DEFAULT_POSITIONS: u64 = 100_000;

/// Compares the generators, and prints the first position in which they differ.
///
/// # Errors
/// The comparison was interrupted, or the output cannot be written.
pub fn run(args: &HuntArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let generators = chosen(&args.generators);
    let positions =
        args.random.map_or(DEFAULT_POSITIONS, |positions| u64::try_from(positions).unwrap_or(u64::MAX));
    let (seed, threads) = (args.seed, args.asking.threads.count());
    let players =
        || -> Vec<Box<dyn Player>> { generators.iter().map(|&generator| player(generator)).collect() };
    let suites: Vec<&Suite> = builtin::suites().iter().map(|built_in| built_in.suite()).collect();
    let pool = args.asking.threads.pool()?;
    let bar = progress_bar(context, "generators", POSITIONS, positions);
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
    use perft_core::CastlingNotation;

    use super::*;

    #[test]
    fn a_disagreement_names_the_moves_and_the_generators() {
        let counts = |generator: &str, listed: usize| GeneratorCounts {
            generator: generator.to_owned(),
            listed,
            counted: listed as u64,
        };
        let info = |fen: &str| PositionInfo::of_fen(fen.to_owned(), CastlingNotation::Standard);
        let found = DisagreementReport {
            position: info("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"),
            root: info("8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1"),
            path: vec!["d2d4".to_owned()],
            moves: vec![UnsharedMove { played: "e4d3".to_owned(), found_by: vec!["magic".to_owned()] }],
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
}

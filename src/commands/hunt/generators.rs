//! The report of `perft hunt --generators`, which compares the built-in generators.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use perft_core::CastlingNotation;
use perft_core::suite::{Suite, builtin};
use perft_lab::generators::Generator;
use perft_lab::{Agreement, Disagreement, Player, PlayerCounts, agree, player};
use serde::{Serialize, Serializer};
use serde_json::json;

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
    #[serde(serialize_with = "serialize_disagreement")]
    pub disagreement: Option<Disagreement>,
}

/// Serialises a disagreement: the position, the game that leads to it, the disputed moves, and the numbers of moves that
/// each generator lists and counts.
fn serialize_disagreement<S: Serializer>(
    found: &Option<Disagreement>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let Some(found) = found else { return serializer.serialize_none() };
    let notation = notation(found);
    let info = |fen: String| PositionInfo::of_fen(fen, notation);
    let path: Vec<String> = found.path.moves.iter().map(|played| played.to_uci(notation)).collect();
    let moves = found.moves.iter();
    let moves = moves.map(|(played, names)| json!({"move": played.to_uci(notation), "found_by": names}));
    let counts = found.players.iter().map(|PlayerCounts { name, listed, counted }| {
        json!({"generator": name, "listed": listed, "counted": counted})
    });
    let fields = json!({
        "position": info(found.fen()),
        "root": info(found.path.root_setup().to_fen()),
        "path": path,
        "moves": moves.collect::<Vec<_>>(),
        "counts": counts.collect::<Vec<_>>(),
        "in_position": found.is_in_position,
        "smallest": found.smallest.as_ref().map(|smallest| info(smallest.to_string())),
    });
    fields.serialize(serializer)
}

/// Returns the notation of castling moves: that of Chess960 if the position or the game needs it.
fn notation(found: &Disagreement) -> CastlingNotation {
    match found.path.notation() {
        CastlingNotation::Standard => found.path.end.castling_notation(),
        chess960 => chess960,
    }
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

fn write_disagreement(found: &Disagreement, out: &mut impl Write) -> io::Result<()> {
    let notation = notation(found);
    write_board(&found.fen(), out)?;
    for (played, names) in &found.moves {
        let line = format!("{} is legal according to: {}", played.to_uci(notation), names.join(", "));
        writeln!(out, "  {}", folded(&line, 4))?;
    }
    for PlayerCounts { name, listed, counted } in &found.players {
        writeln!(out, "  {name:<13} lists {listed:>3} moves and counts {counted:>3}")?;
    }
    if found.is_in_position {
        writeln!(out, "\nThe generators also differ on this position when it is set up from its FEN.")?;
    } else {
        writeln!(
            out,
            "\nThe generators agree when the position is set up from its FEN: the bug is in\nmaking or unmaking moves."
        )?;
    }
    let moves: Vec<String> = found.path.moves.iter().map(|played| played.to_uci(notation)).collect();
    writeln!(out, "  root: {}\n  moves: {}", found.path.root_setup().to_fen(), moves.join(" "))?;
    if let Some(smallest) = &found.smallest {
        writeln!(out, "\nThe smallest position found with the same difference:")?;
        write_board(&smallest.to_string(), out)?;
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
    let (seed, threads) = (args.seed, args.threads.count());
    let players =
        || -> Vec<Box<dyn Player>> { generators.iter().map(|&generator| player(generator)).collect() };
    let suites: Vec<&Suite> = builtin::suites().iter().map(|built_in| built_in.suite()).collect();
    let pool = args.threads.pool()?;
    let bar = progress_bar(context, "generators", POSITIONS, positions);
    let start = Instant::now();
    let found = pool
        .install(|| agree(players, &suites, positions, seed, &context.stop, |compared| bar.inc(compared)));
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    let names: Vec<String> = generators.iter().map(|generator| generator.name().to_owned()).collect();
    let provenance = Provenance {
        mode: CountMode::Hunt,
        generator: "several",
        ..environment::provenance(perft_count::CpuPath::Portable, threads, 0, true)
    };
    let Agreement { positions, moves, games, disagreement, is_interrupted } = found;
    let report = GeneratorsReport {
        provenance,
        generators: names,
        seed,
        complete: !is_interrupted,
        positions,
        legal_moves: moves,
        games,
        seconds,
        disagreement,
    };
    emit(&report, args.output.format(), out)?;
    if is_interrupted {
        let positions = number_of(positions, "position");
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
    use perft_core::Position;
    use perft_diagnosis::MovePath;

    use super::*;

    #[test]
    fn a_disagreement_names_the_moves_and_the_generators() {
        let root = MovePath::new("8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1".parse().unwrap());
        let unpinned: Position = "8/8/8/8/k2Pp3/8/8/3K4 b - d3 0 1".parse().unwrap();
        let path = root.played(root.end.find_move("d2d4").unwrap());
        let counts =
            |name: &str, listed| PlayerCounts { name: name.to_owned(), listed, counted: listed as u64 };
        let found = Disagreement {
            moves: vec![(unpinned.find_move("e4d3").unwrap(), vec!["magic".to_owned()])],
            players: vec![counts("bitboard", 6), counts("magic", 7)],
            is_in_position: true,
            smallest: Some(path.end),
            path,
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

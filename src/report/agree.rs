//! The report of `perft agree`, which compares the built-in generators.

use perft_core::{CastlingNotation, Move};
use perft_diagnosis::random::setup_of;
use perft_diagnosis::{Agreement, Disagreement, PlayerCounts};
use serde::Serialize;

use super::Provenance;

/// A comparison of generators.
#[derive(Clone, Debug, Serialize)]
pub struct AgreeReport {
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
    pub moves: u64,
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
    /// The FEN of the position.
    pub fen: String,
    /// The FEN of the first position of the game.
    pub root: String,
    /// The moves of the game from there.
    pub path: Vec<String>,
    /// The moves that some generators have and others do not.
    pub moves: Vec<DisputedMove>,
    /// The numbers of moves that each generator lists and counts.
    pub generators: Vec<MoveCounts>,
    /// Whether they also disagree when they set up the position. Otherwise they disagree only at the end of the game.
    pub is_in_position: bool,
    /// The FEN of a smaller position in which they disagree.
    pub smallest: Option<String>,
}

/// A move that some generators have and others do not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DisputedMove {
    /// The move in UCI.
    #[serde(rename = "move")]
    pub played: String,
    /// The names of the generators that have it.
    pub found_by: Vec<String>,
}

/// The numbers of moves of a generator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveCounts {
    /// The name of the generator.
    pub generator: String,
    /// The number of moves that it lists.
    pub listed: usize,
    /// The number of moves that it counts without listing them.
    pub counted: u64,
}

impl AgreeReport {
    /// Makes a report of a comparison.
    pub fn new(
        provenance: Provenance,
        generators: Vec<String>,
        seed: u64,
        found: &Agreement,
        seconds: f64,
    ) -> AgreeReport {
        let Agreement { positions, moves, games, disagreement, is_interrupted } = found;
        AgreeReport {
            provenance,
            generators,
            seed,
            complete: !is_interrupted,
            positions: *positions,
            moves: *moves,
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
        let disputed = |(played, names): &(Move, Vec<String>)| DisputedMove {
            played: played.to_uci(notation),
            found_by: names.clone(),
        };
        let counts = |counts: &PlayerCounts| MoveCounts {
            generator: counts.name.clone(),
            listed: counts.listed,
            counted: counts.counted,
        };
        DisagreementReport {
            fen: found.fen(),
            root: setup_of(&found.path.root).to_fen(),
            path: found.path.moves.iter().map(|played| played.to_uci(notation)).collect(),
            moves: found.moves.iter().map(disputed).collect(),
            generators: found.players.iter().map(counts).collect(),
            is_in_position: found.is_in_position,
            smallest: found.smallest.as_ref().map(ToString::to_string),
        }
    }
}

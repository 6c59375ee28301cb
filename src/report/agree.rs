//! What came of comparing generators.

use serde::Serialize;

use super::Context;
use perft_core::CastlingNotation;
use perft_diagnosis::{Agreement, Disagreement};

/// A comparison of generators.
#[derive(Clone, Debug, Serialize)]
pub struct AgreeReport {
    /// How it was made.
    #[serde(flatten)]
    pub context: Context,
    /// The generators that were compared.
    pub generators: Vec<String>,
    /// The seed of the games.
    pub seed: u64,
    /// The positions in which all were asked.
    pub positions: u64,
    /// The legal moves of all of them.
    pub moves: u64,
    /// The games that were played.
    pub games: u64,
    /// The time that it took.
    pub seconds: f64,
    /// Where they first differ.
    pub disagreement: Option<DisagreementReport>,
}

/// Where generators differ.
#[derive(Clone, Debug, Serialize)]
pub struct DisagreementReport {
    /// The position.
    pub fen: String,
    /// Where the game began that led there.
    pub root: String,
    /// The moves from there.
    pub path: Vec<String>,
    /// The moves that not all have.
    pub moves: Vec<DisputedMove>,
    /// How many moves each generator lists and counts.
    pub generators: Vec<MoveCounts>,
    /// True if they differ when handed the bare position; otherwise only at the end of the game.
    pub is_in_position: bool,
    /// A smaller position in which they differ too.
    pub smallest: Option<String>,
}

/// A move that not all generators have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DisputedMove {
    /// The move in UCI.
    #[serde(rename = "move")]
    pub played: String,
    /// The generators that have it.
    pub found_by: Vec<String>,
}

/// The moves of a generator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveCounts {
    /// The generator.
    pub generator: String,
    /// The moves that it lists.
    pub listed: usize,
    /// The moves that it counts without listing them.
    pub counted: u64,
}

impl AgreeReport {
    /// A report of a comparison.
    pub fn new(
        context: Context,
        generators: Vec<String>,
        seed: u64,
        found: &Agreement,
        seconds: f64,
    ) -> AgreeReport {
        let Agreement { positions, moves, games, disagreement } = found;
        AgreeReport {
            context,
            generators,
            seed,
            positions: *positions,
            moves: *moves,
            games: *games,
            seconds,
            disagreement: disagreement.as_ref().map(DisagreementReport::new),
        }
    }
}

impl DisagreementReport {
    /// A report of a disagreement; castling is written as its root needs it.
    pub fn new(found: &Disagreement) -> DisagreementReport {
        let notation = match found.path.notation() {
            CastlingNotation::Standard => found.path.end.castling_notation(),
            chess960 => chess960,
        };
        let disputed = |(played, names): &(perft_core::Move, Vec<String>)| DisputedMove {
            played: played.to_uci(notation),
            found_by: names.clone(),
        };
        let counts = |counts: &perft_diagnosis::PlayerCounts| MoveCounts {
            generator: counts.name.clone(),
            listed: counts.listed,
            counted: counts.counted,
        };
        DisagreementReport {
            fen: found.fen(),
            root: perft_diagnosis::random::setup_of(&found.path.root).to_fen(),
            path: found.path.moves.iter().map(|played| played.to_uci(notation)).collect(),
            moves: found.moves.iter().map(disputed).collect(),
            generators: found.players.iter().map(counts).collect(),
            is_in_position: found.is_in_position,
            smallest: found.smallest.as_ref().map(ToString::to_string),
        }
    }
}

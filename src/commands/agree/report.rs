//! The report of `perft agree`, which compares the built-in generators.

use perft_core::{CastlingNotation, Move};
use perft_lab::{Agreement, Disagreement, PlayerCounts};
use serde::Serialize;

use crate::output::{PositionInfo, Provenance, Report};

/// A comparison of generators.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DisagreementReport {
    /// The position.
    pub position: PositionInfo,
    /// The first position of the game.
    pub root: PositionInfo,
    /// The moves of the game from there.
    pub path: Vec<String>,
    /// The moves that some generators have and others do not.
    pub moves: Vec<DisputedMove>,
    /// The numbers of moves that each generator lists and counts.
    pub counts: Vec<MoveCounts>,
    /// Whether they also disagree when they set up the position. Otherwise they disagree only at the end of the game.
    pub in_position: bool,
    /// A smaller position in which they disagree.
    pub smallest: Option<PositionInfo>,
}

/// A move that some generators have and others do not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DisputedMove {
    /// The move in UCI.
    #[serde(rename = "move")]
    pub played: String,
    /// The names of the generators that have it.
    pub found_by: Vec<String>,
}

/// The numbers of moves of a generator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MoveCounts {
    /// The name of the generator.
    pub generator: String,
    /// The number of moves that it lists.
    pub listed: usize,
    /// The number of moves that it counts without listing them.
    pub counted: u64,
}

impl Report for AgreeReport {
    const NAME: &'static str = "agree";
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

//! A position in a report.

use perft_core::{CastlingNotation, Position};
use perft_diagnosis::MovePath;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionInfo {
    /// The name, if the position was given by a name or comes from a suite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The FEN.
    pub fen: String,
    /// Whether castling moves are written as in Chess960.
    pub chess960: bool,
}

impl PositionInfo {
    /// Describes a position without a name.
    pub fn new(position: &Position, notation: CastlingNotation) -> PositionInfo {
        PositionInfo::of_fen(position.to_string(), notation)
    }

    /// Describes a position with a name. Castling moves are written in the notation that the position needs.
    pub fn named(name: &str, position: &Position) -> PositionInfo {
        let unnamed = PositionInfo::new(position, position.castling_notation());
        PositionInfo { name: Some(name.to_owned()), ..unnamed }
    }

    /// Describes the position of a FEN, which may be illegal.
    pub fn of_fen(fen: String, notation: CastlingNotation) -> PositionInfo {
        PositionInfo { name: None, fen, chess960: notation == CastlingNotation::Chess960 }
    }

    /// Describes the first position of a path. The FEN has an en passant square even if no capture on it is legal.
    pub fn root(path: &MovePath) -> PositionInfo {
        PositionInfo::of_fen(path.root_setup().to_fen(), path.notation())
    }

    /// Describes the last position of a path. The FEN has an en passant square even if no capture on it is legal.
    pub fn end(path: &MovePath) -> PositionInfo {
        PositionInfo::of_fen(path.end_setup().to_fen(), path.notation())
    }

    /// Returns the name, or the FEN of a position without one.
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.fen)
    }
}

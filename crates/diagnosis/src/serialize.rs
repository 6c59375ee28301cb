//! The parts that several results have in JSON. The fields of a finding are beside its text.

use perft_core::{CastlingNotation, Position};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use crate::diagnose::TellingCount;
use crate::evidence::Shared;
use crate::fields::fields;
use crate::source::{MovePath, Question};
use crate::state::StateAbilities;

/// What wrong answers have in common: a property with its numbers, or moves that do not look legal.
impl Serialize for Shared {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        match self {
            Shared::Property(about, found) => {
                fields.serialize_entry("of", about.texts()[0])?;
                let properties: Vec<String> = found.properties.iter().map(ToString::to_string).collect();
                fields.serialize_entry("properties", &properties)?;
                fields.serialize_entry("wrong_with", &found.wrong_with)?;
                fields.serialize_entry("with", &found.with)?;
                fields.serialize_entry("wrong_without", &found.wrong_without)?;
                fields.serialize_entry("without", &found.without)?;
            }
            Shared::NotMoves(moves, _) => {
                fields.serialize_entry("of", "not-moves")?;
                let moves: Vec<&String> = moves.iter().map(|(text, _)| text).collect();
                fields.serialize_entry("moves", &moves)?;
            }
            Shared::Line(from, to, _) => {
                fields.serialize_entry("of", "line")?;
                fields.serialize_entry("squares", &[from, to].map(ToString::to_string))?;
            }
        }
        fields.serialize_entry("text", &self.to_string())?;
        fields.end()
    }
}

fields!(TellingCount as count {
    position: PositionInfo { name: Some(count.name.to_owned()), ..PositionInfo::end(&count.question.path) },
    depth: count.question.depth,
    expected: count.question.difference.ours,
    predicted: count.totals,
});

impl Serialize for StateAbilities {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let StateAbilities { fen, key, halfmove_clock, move_number } = *self;
        let all =
            [(fen, "fen"), (key, "key"), (halfmove_clock, "half-move-clock"), (move_number, "move-number")];
        serializer.collect_seq(all.iter().filter(|(is_printed, _)| *is_printed).map(|(_, name)| name))
    }
}

/// A position and moves from it.
#[derive(Serialize)]
pub(crate) struct Origin {
    root: PositionInfo,
    path: Vec<String>,
}

pub(crate) fn origin(question: &Question) -> Origin {
    Origin { root: PositionInfo::from(question), path: question.moves.clone() }
}

/// Returns the position after the moves of a question, or `None` if they are not legal in chess.
pub(crate) fn end_of(question: &Question) -> Option<PositionInfo> {
    question.end().ok()?;
    Some(PositionInfo { fen: question.end_fen().ok()?, ..PositionInfo::from(question) })
}

/// A position in a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionInfo {
    /// The name, if the position was given by a name or comes from a suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The FEN.
    pub fen: String,
    /// Whether castling moves are written as in Chess960.
    pub chess960: bool,
}

impl From<&Question> for PositionInfo {
    /// Describes the position before the moves.
    fn from(question: &Question) -> PositionInfo {
        PositionInfo { name: None, fen: question.fen.clone(), chess960: question.is_chess960 }
    }
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

    /// Describes the last position of a path. The FEN has an en passant square even if no capture on it is legal.
    pub fn end(path: &MovePath) -> PositionInfo {
        PositionInfo::of_fen(path.end_setup().to_fen(), path.notation())
    }

    /// Returns the name, or the FEN of a position without one.
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.fen)
    }
}

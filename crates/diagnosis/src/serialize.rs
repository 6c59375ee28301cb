//! Results as JSON: one table for each type, with its fields.

use std::collections::BTreeMap;

use perft_core::{CastlingNotation, Position, impossibilities};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use crate::diagnose::TellingCount;
use crate::difference::WrongMove;
use crate::evidence::Shared;
use crate::explain::explain_path;
use crate::finding::Finding;
use crate::models::Model;
use crate::reference::{Disagreement, Judgement};
use crate::source::{MovePath, Question};
use crate::state::{StateAbilities, StateFinding};

/// Implements `Serialize` for a type: a map with these fields.
macro_rules! fields {
    ($type:ty as $this:ident { $($name:ident: $value:expr,)* }) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $this = self;
                let mut fields = serializer.serialize_map(None)?;
                $(fields.serialize_entry(stringify!($name), &$value)?;)*
                fields.end()
            }
        }
    };
}

fields!(Finding as bug {
    verdict: bug.verdict.name(),
    meaning: bug.verdict.about(),
    themes: bug.theme_names(),
    seen: bug.times,
    root: PositionInfo::from(&bug.fault.path.question(0)),
    path: bug.fault.path.uci_moves(),
    position: PositionInfo::end(&bug.fault.path),
    depth: bug.fault.depth,
    expected: bug.fault.difference.ours,
    found: bug.fault.difference.error.is_none().then_some(bug.fault.difference.theirs),
    error: bug.fault.difference.error.as_ref().map(ToString::to_string),
    found_afresh: bug.other.as_ref().filter(|other| other.error.is_none()).map(|other| other.theirs),
    missing: bug.wrong_moves.iter().filter(|wrong| wrong.is_missing).collect::<Vec<_>>(),
    extra: bug.wrong_moves.iter().filter(|wrong| !wrong.is_missing).collect::<Vec<_>>(),
    unread: bug.fault.difference.unread,
    wrong_counts: bug.fault.difference.wrong.iter().map(|wrong| wrong.written(bug.fault.path.notation())).collect::<Vec<_>>(),
    last_right: bug.last_right().map(|played| played.to_uci(bug.fault.path.notation())),
    causes: bug.causes.named(),
    narrower: bug.causes.narrower(),
    in_common: bug.in_common,
    reproduced: bug.causes.reproduced,
    with_king_captured: bug.causes.unknown,
    not_contradicted: bug.causes.others,
    other_wrong: bug.causes.other_wrong,
    impossible: impossibilities(&bug.fault.path.root).iter().map(ToString::to_string).collect::<Vec<_>>(),
    history: explain_path(&bug.fault.path.root, &bug.fault.path.moves),
    origin: origin(&bug.origin.question(1)),
    epd: bug.epd,
});

fields!(WrongMove as wrong {
    move: wrong.text,
    why: wrong.why.text,
    theme: wrong.why.theme.name(),
});

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

fields!(Model as model {
    name: model.name(),
    topic: model.topic(),
    about: model.about(),
});

fields!(StateFinding as bug {
    verdict: bug.verdict.name(),
    meaning: bug.about(),
    field: bug.field.map(|field| field.name()),
    cause: bug.cause().map(|cause| cause.name()),
    text: bug.text,
    seen: bug.times,
    root: PositionInfo::from(&bug.at.question(0)),
    path: bug.at.uci_moves(),
    position: PositionInfo::end(&bug.at),
    depth: bug.depth,
    expected_text: Some(&bug.expected).filter(|text| !text.is_empty()),
    found_text: Some(&bug.found).filter(|text| !text.is_empty()),
    other: bug.other.as_ref().map(|fen| PositionInfo::of_fen(fen.clone(), bug.at.notation())),
    error: bug.error.as_ref().map(ToString::to_string),
    origin: origin(&bug.origin.question(1)),
});

fields!(Disagreement as found {
    kind: found.kind.name(),
    root: PositionInfo::from(&found.question),
    path: found.question.moves,
    position: end_of(&found.question),
    depth: found.question.depth,
    totals: found.answers.missing_answer().is_none().then(|| {
        BTreeMap::from([("engine_nodes", found.answers.totals[0]), ("reference_nodes", found.answers.totals[1])])
    }),
    only_engine: found.answers.only_first,
    only_reference: found.answers.only_second,
    counts: found.answers.counts.iter().map(|(played, [engine_nodes, reference_nodes])| CountPair { played, engine_nodes, reference_nodes }).collect::<Vec<_>>(),
    unread: found.answers.unread,
    missing_answer: found.answers.missing_answer().map(|(source, error)| {
        BTreeMap::from([("from", ["engine", "reference"][source].to_owned()), ("error", error.to_string())])
    }),
    chess: found.judgement,
    origin: origin(&found.origin),
    origin_depth: found.origin.depth,
});

/// A move with different counts.
#[derive(Serialize)]
struct CountPair<'a> {
    #[serde(rename = "move")]
    played: &'a str,
    engine_nodes: &'a u128,
    reference_nodes: &'a u128,
}

fields!(Judgement as judgement {
    nodes: judgement.nodes,
    who_is_right: match judgement.is_right {
        [true, false] => "engine",
        [false, true] => "reference",
        _ => "neither",
    },
    explanations: judgement.explanations,
});

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
struct Origin {
    root: PositionInfo,
    path: Vec<String>,
}

fn origin(question: &Question) -> Origin {
    Origin { root: PositionInfo::from(question), path: question.moves.clone() }
}

/// Returns the position after the moves of a question, or `None` if they are not legal in chess.
fn end_of(question: &Question) -> Option<PositionInfo> {
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

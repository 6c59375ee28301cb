//! The questions that the page asks.

use perft_core::suite::{Case, builtin};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::place::{Fault, Place};
use crate::{compare, counting, diagnose, position};

/// A question. Each kind needs some of the fields.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Question {
    /// The kind of the question.
    ask: Kind,
    /// The FEN of the root.
    pub fen: String,
    /// The moves from the root.
    pub moves: Vec<String>,
    /// Whether castling is written as "king takes rook", even if the position does not need it.
    pub chess960: bool,
    /// The depth in plies.
    pub depth: u32,
    /// The number of moves from the position to the parts of a count.
    pub plies: u32,
    /// A move that may not be legal.
    #[serde(rename = "move")]
    pub played: String,
    /// The output of another program.
    pub text: String,
    /// Our divide of the same depth.
    pub ours: Vec<compare::MoveCount>,
    /// The numbers that another program gives for the position.
    pub claims: Vec<diagnose::Number>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// Asks for the description of a position: the pieces and the legal moves.
    #[default]
    Position,
    /// Asks why the move `move` is legal or not.
    Explain,
    /// Asks for the number of leaf nodes at `depth`.
    Count,
    /// Asks for the leaf nodes at `depth` by the kind of the last move.
    Statistics,
    /// Asks for the positions after each sequence of `plies` moves, which workers count.
    Split,
    /// Asks for the difference between the divide in `text` and `ours`.
    Compare,
    /// Asks which bugs give exactly the numbers in `claims`.
    Diagnose,
    /// Asks for the names of the kinds of leaf nodes.
    Kinds,
    /// Asks for the built-in suites.
    Suites,
}

impl Question {
    /// Returns the answer as JSON.
    ///
    /// # Errors
    /// Returns an error if the position, a move or a number cannot be read.
    pub fn answer(self) -> Result<Value, Fault> {
        let place = || Place::of(&self.fen, &self.moves, self.chess960);
        Ok(match self.ask {
            Kind::Position => position::describe(&place()?, &self.fen),
            Kind::Explain => position::explain_move(&place()?, &self.played),
            Kind::Count => counting::count(&place()?, self.depth),
            Kind::Statistics => counting::statistics(&place()?, self.depth),
            Kind::Split => counting::split(&place()?, self.plies),
            Kind::Compare => compare::compare(&place()?, self.depth, &self.ours, &self.text)?,
            Kind::Diagnose => diagnose::answer(&place()?, &self.claims)?,
            Kind::Kinds => counting::kinds(),
            Kind::Suites => suites(),
        })
    }
}

/// Returns all suites with their positions and the known counts.
fn suites() -> Value {
    let all = builtin::suites().iter().map(|suite| {
        let positions: Vec<Value> = suite.suite().cases.iter().map(case).collect();
        json!({ "name": suite.name, "about": suite.about, "positions": positions })
    });
    json!({ "suites": all.collect::<Vec<_>>() })
}

/// Returns a position. The comment says which kind of bug it catches.
fn case(case: &Case) -> Value {
    let counts =
        case.expected.iter().map(|known| json!({ "depth": known.depth, "nodes": known.nodes.to_string() }));
    json!({
        "name": case.name(),
        "fen": case.fen,
        "comment": case.comment,
        "counts": counts.collect::<Vec<_>>(),
    })
}

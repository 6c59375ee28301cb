//! The questions that the page asks. Positions are counted on one thread: several workers of the page share a count by its
//! first moves.

use perft_core::suite::{Case, builtin};
use perft_core::{CastlingNotation, Move, Position, Setup, Status, impossibilities};
use perft_count::{LeafKind, Perft, Progress};
use perft_diagnosis::random::setup_of;
use perft_diagnosis::{explain, explain_path};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::compare;
use crate::place::{Fault, Place, pieces};

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
    /// The depth in plies at which a count is split into positions, which workers count.
    pub plies: u32,
    /// A move that may not be legal.
    #[serde(rename = "move")]
    pub played: String,
    /// The output of another program.
    pub text: String,
    /// Our divide of the same depth.
    pub ours: Vec<compare::MoveCount>,
    /// The numbers that another program gives for the position.
    pub claims: Vec<compare::Number>,
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
    /// Asks which bugs give the divide in `text`.
    Causes,
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
    /// Returns an error if the position, a move, a number or a divide cannot be read.
    pub fn answer(self) -> Result<Value, Fault> {
        let place = || Place::of(&self.fen, &self.moves, self.chess960);
        Ok(match self.ask {
            Kind::Position => describe(&place()?, &self.fen),
            Kind::Explain => explain_move(&place()?, &self.played),
            Kind::Count => count(&place()?, self.depth),
            Kind::Statistics => statistics(&place()?, self.depth),
            Kind::Split => split(&place()?, self.plies),
            Kind::Compare => compare::compare(&place()?, self.depth, &self.ours, &self.text)?,
            Kind::Causes => compare::causes(&place()?, self.depth, &self.ours, &self.text)?,
            Kind::Diagnose => compare::numbers(&place()?, &self.claims)?,
            Kind::Kinds => kinds(),
            Kind::Suites => suites(),
        })
    }
}

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

/// Describes the position. `text` is the FEN of the root as the user wrote it. The answer has these fields:
///
/// - `fen`, `root`: the FENs of the position and of the root
/// - `turn`: `white` or `black`
/// - `isChess960`: whether castling is written as "king takes rook"
/// - `castling`, `enPassant`: as in the FEN
/// - `pieces`: the letter of the piece on each occupied square
/// - `checkers`: the squares of the pieces that give check
/// - `legal`: the legal moves
/// - `path`: the moves from the root, and the position after each
/// - `outcome`: the result of the game, if it has ended
/// - `notes`: odd features of the root, and changes by the moves that the board does not show
pub fn describe(place: &Place, text: &str) -> Value {
    let position = place.position();
    let fen = place.fen();
    let field = |index| fen.split(' ').nth(index).unwrap_or_default();
    let legal = position.legal_moves().into_iter().map(|played| legal_move(played, place.notation));
    let checkers = position.checkers().into_iter().map(|square| square.to_string());
    json!({
        "fen": fen,
        "root": setup_of(&place.path.root).to_fen(),
        "turn": if field(1) == "w" { "white" } else { "black" },
        "isChess960": place.notation == CastlingNotation::Chess960,
        "castling": field(2),
        "enPassant": field(3),
        "pieces": pieces(|square| position.piece_at(square)),
        "checkers": checkers.collect::<Vec<_>>(),
        "legal": legal.collect::<Vec<_>>(),
        "path": steps(place),
        "outcome": match position.status() {
            Status::Ongoing => None,
            Status::Checkmate => Some("checkmate"),
            Status::Stalemate => Some("stalemate"),
        },
        "notes": notes(place, text),
    })
}

/// Returns a legal move. The target of castling is the target square in the text of the move.
fn legal_move(played: Move, notation: CastlingNotation) -> Value {
    let text = played.to_uci(notation);
    let promotion = text.get(4..).filter(|letter| !letter.is_empty());
    json!({ "move": text, "from": text[..2], "to": text[2..4], "promotion": promotion })
}

/// Explains why a move is legal or not. The field `about` is the rule that decides, in a few words.
pub fn explain_move(place: &Place, played: &str) -> Value {
    let found = explain(place.position(), played);
    json!({ "isLegal": found.is_legal, "text": found.text, "about": found.theme.about() })
}

fn steps(place: &Place) -> Vec<Value> {
    let mut position = place.path.root;
    let step = |&played: &Move| {
        position = position.play_legal(played);
        json!({ "move": played.to_uci(place.notation), "fen": position.to_string() })
    };
    place.path.moves.iter().map(step).collect()
}

fn notes(place: &Place, text: &str) -> Vec<String> {
    let setup = Setup::from_fen(text);
    let warnings = setup.iter().flat_map(Setup::warnings).map(|warning| warning.to_string());
    let impossible = impossibilities(&place.path.root);
    let reasons = impossible.iter().map(|reason| format!("no game leads to this position: {reason}"));
    warnings.chain(reasons).chain(explain_path(&place.path.root, &place.path.moves)).collect()
}

/// Returns the number of leaf nodes.
fn count(place: &Place, depth: u32) -> Value {
    json!({ "nodes": Perft::new().count(place.position(), depth).to_string() })
}

/// Returns the leaf nodes by the kind of the last move.
fn statistics(place: &Place, depth: u32) -> Value {
    let counted = Perft::new().statistics(place.position(), depth, None, &Progress::default());
    // The page ends the worker instead.
    let found = counted.expect("nothing interrupts a count");
    let kinds = LeafKind::ALL.iter().map(|kind| (kind.name, (kind.count)(&found)));
    kinds.chain([("nodes", found.nodes)]).map(|(name, nodes)| (name, nodes.to_string())).collect()
}

/// Returns the names and the labels of the kinds of leaf nodes, in the order in which they are shown.
fn kinds() -> Value {
    let kinds = LeafKind::ALL.iter().map(|kind| [kind.name, kind.label]);
    json!({ "kinds": Vec::from_iter([["nodes", "nodes"]].into_iter().chain(kinds)) })
}

/// Returns the root moves, and the positions that workers count to get the count of the position.
///
/// These are the positions after `plies` moves: 0, 1, or 2. With 0, this is the position itself. Each has the index of
/// the root move that leads there.
fn split(place: &Place, plies: u32) -> Value {
    let position = place.position();
    let legal = position.legal_moves();
    let mut parts = Vec::new();
    let mut add =
        |root: usize, position: &Position| parts.push(json!({ "root": root, "fen": position.to_string() }));
    if plies == 0 {
        add(0, position);
    }
    for (root, &played) in legal.iter().enumerate().filter(|_| plies > 0) {
        let child = position.play_legal(played);
        if plies == 1 {
            add(root, &child);
        } else {
            child.legal_moves().into_iter().for_each(|reply| add(root, &child.play_legal(reply)));
        }
    }
    let moves: Vec<String> = legal.iter().map(|played| played.to_uci(place.notation)).collect();
    json!({ "moves": moves, "parts": parts })
}

//! Describes a position for the page.

use std::collections::BTreeMap;

use perft_core::{CastlingNotation, Move, Position, Setup, Square, Status, impossibilities, legal_moves};
use perft_diagnosis::random::setup_of;
use perft_diagnosis::{explain, explain_path};
use serde::Serialize;

use crate::place::Place;

/// A position: its pieces, the legal moves, the moves that lead to it, and notes.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Description {
    fen: String,
    /// The FEN of the root.
    root: String,
    turn: &'static str,
    is_chess960: bool,
    /// The castling rights, as in the FEN.
    castling: String,
    /// The en passant square, as in the FEN.
    en_passant: String,
    /// The letter of the piece on each occupied square.
    pieces: BTreeMap<String, char>,
    /// The squares of the pieces that give check.
    checkers: Vec<String>,
    legal: Vec<LegalMove>,
    /// The moves from the root.
    path: Vec<Step>,
    /// The result of the game, if it has ended.
    outcome: Option<&'static str>,
    /// Notes about odd features of the root, and about changes by the moves that the board does not show.
    notes: Vec<String>,
}

/// A legal move. The target of castling is the target square in the text of the move.
#[derive(Debug, Serialize)]
struct LegalMove {
    #[serde(rename = "move")]
    played: String,
    from: String,
    to: String,
    promotion: Option<String>,
}

/// A move from the root, and the position after it.
#[derive(Debug, Serialize)]
struct Step {
    #[serde(rename = "move")]
    played: String,
    fen: String,
}

/// The explanation why a move is legal or not.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    is_legal: bool,
    text: String,
    /// The rule that decides, in a few words.
    about: &'static str,
}

impl Description {
    /// Describes the position. `text` is the FEN of the root as the user wrote it.
    pub fn of(place: &Place, text: &str) -> Description {
        let position = place.position();
        let fen = place.fen();
        let legal = legal_moves(position).into_iter().map(|played| LegalMove::of(played, place.notation));
        let field = |index| fen.split(' ').nth(index).unwrap_or_default().to_owned();
        let outcome = match position.status() {
            Status::Ongoing => None,
            Status::Checkmate => Some("checkmate"),
            Status::Stalemate => Some("stalemate"),
        };
        Description {
            root: setup_of(&place.path.root).to_fen(),
            turn: if field(1) == "w" { "white" } else { "black" },
            is_chess960: place.notation == CastlingNotation::Chess960,
            castling: field(2),
            en_passant: field(3),
            pieces: pieces(position),
            checkers: position.checkers().into_iter().map(|square| square.to_string()).collect(),
            legal: legal.collect(),
            path: steps(place),
            outcome,
            notes: notes(place, text),
            fen,
        }
    }
}

impl LegalMove {
    fn of(played: Move, notation: CastlingNotation) -> LegalMove {
        let text = played.to_uci(notation);
        let promotion = text.get(4..).filter(|letter| !letter.is_empty()).map(str::to_owned);
        LegalMove { from: text[..2].to_owned(), to: text[2..4].to_owned(), promotion, played: text }
    }
}

impl Explanation {
    /// Explains why a move is legal or not.
    pub fn of(place: &Place, played: &str) -> Explanation {
        let found = explain(place.position(), played);
        Explanation { is_legal: found.is_legal, text: found.text, about: found.theme.about() }
    }
}

fn pieces(position: &Position) -> BTreeMap<String, char> {
    let on = |square: Square| Some((square.to_string(), position.piece_at(square)?.letter()));
    Square::ALL.into_iter().filter_map(on).collect()
}

fn steps(place: &Place) -> Vec<Step> {
    let mut position = place.path.root;
    let step = |&played: &Move| {
        position = position.play_unchecked(played);
        Step { played: played.to_uci(place.notation), fen: position.to_string() }
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

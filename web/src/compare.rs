//! Compares the divide that the user pasted with ours.

use perft_core::{RootMove, StopSignal, find_move};
use perft_diagnosis::source::Answer;
use perft_diagnosis::{DivideDifference, ExplainedAnswer, WrongMove, counts_to};
use serde::{Deserialize, Serialize};

use crate::answers::Nodes;
use crate::place::{Fault, Place};

/// The number of nodes at which the counts of an EPD line end, so that the line is made at once.
const MAX_NODES: f64 = 1e7;

/// A move of our divide.
#[derive(Debug, Deserialize)]
pub struct MoveCount {
    #[serde(rename = "move")]
    played: String,
    nodes: String,
}

/// The difference between the divide of another program and ours.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    summary: String,
    is_right: bool,
    lists_moves: bool,
    contradicts_itself: bool,
    ours: Nodes,
    theirs: Nodes,
    rows: Vec<Row>,
    /// The moves that are missing or not legal.
    disputed: Vec<Disputed>,
    /// A false statement about the position that would make the answer right.
    hypothesis: Option<String>,
    /// A line for a test suite, if the answer is not right.
    epd: Option<String>,
    /// The lines that could not be read and probably explain the difference.
    unread: Vec<String>,
}

/// A move in both divides.
#[derive(Debug, Serialize)]
struct Row {
    #[serde(rename = "move")]
    played: String,
    ours: Option<Nodes>,
    theirs: Option<Nodes>,
    kind: RowKind,
}

/// The way in which the two divides agree or differ about a move.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum RowKind {
    Right,
    /// The counts differ.
    Count,
    /// The move is legal, and the other program does not have it.
    Missing,
    /// The move is not legal, or listed twice.
    Extra,
    /// The other program gives only a total.
    Unknown,
}

/// A move that is missing or not legal.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Disputed {
    #[serde(rename = "move")]
    played: String,
    is_missing: bool,
    why: String,
    /// The rule that decides, in a few words.
    about: &'static str,
}

impl Comparison {
    /// Compares both divides, and explains the moves that are missing or not legal.
    ///
    /// # Errors
    /// Returns an error if the text has no count. Otherwise every move would be missing.
    pub fn of(place: &Place, depth: u32, ours: &[MoveCount], text: &str) -> Result<Comparison, Fault> {
        let ours = divide(place, ours);
        let answer = Answer::parse(text);
        if answer.is_empty() {
            return Err(Fault::request("There is no count in this text."));
        }
        let explained = ExplainedAnswer::of(&place.path, depth, &ours, &answer);
        let epd = (!explained.difference.is_right()).then(|| epd(place, depth, &explained));
        let difference = explained.difference;
        Ok(Comparison {
            summary: summary(&difference, ours.len()),
            is_right: difference.is_right(),
            lists_moves: difference.lists_moves,
            contradicts_itself: difference.contradicts_itself,
            ours: Nodes(difference.ours),
            theirs: Nodes(difference.theirs),
            rows: rows(place, &ours, &answer, &difference),
            disputed: explained.wrong_moves.into_iter().map(Disputed::from).collect(),
            hypothesis: explained.hypothesis,
            epd,
            unread: difference.unread,
        })
    }
}

impl From<WrongMove> for Disputed {
    fn from(wrong: WrongMove) -> Disputed {
        let about = wrong.why.theme.about();
        Disputed { played: wrong.text, is_missing: wrong.is_missing, why: wrong.why.text, about }
    }
}

/// Returns our divide with moves instead of texts. All moves are legal, because the page got them from here.
fn divide(place: &Place, counts: &[MoveCount]) -> Vec<RootMove> {
    let read = |count: &MoveCount| {
        Some(RootMove {
            played: find_move(place.position(), &count.played).ok()?,
            nodes: count.nodes.parse().ok()?,
        })
    };
    counts.iter().filter_map(read).collect()
}

/// Returns one row for each move: first our moves, then the moves that only the answer has.
fn rows(place: &Place, ours: &[RootMove], answer: &Answer, difference: &DivideDifference) -> Vec<Row> {
    let own = ours.iter().map(|root| {
        let wrong = difference.wrong.iter().find(|wrong| wrong.played == root.played);
        let (theirs, kind) = match wrong {
            Some(wrong) => (Some(wrong.theirs), RowKind::Count),
            None if difference.missing.contains(&root.played) => (None, RowKind::Missing),
            None if difference.lists_moves => (Some(root.nodes), RowKind::Right),
            None => (None, RowKind::Unknown),
        };
        let played = root.played.to_uci(place.notation);
        Row { played, ours: Some(Nodes(root.nodes)), theirs: theirs.map(Nodes), kind }
    });
    let extra = difference.extra.iter().map(|text| {
        let listed = answer.moves.iter().rev().find(|(played, _)| played == text);
        let theirs = listed.map(|(_, nodes)| Nodes(*nodes));
        Row { played: text.clone(), ours: None, theirs, kind: RowKind::Extra }
    });
    own.chain(extra).collect()
}

/// Returns a sentence about the difference.
fn summary(difference: &DivideDifference, moves: usize) -> String {
    if difference.is_right() {
        return if difference.lists_moves {
            "All moves and counts are right."
        } else {
            "The total is right."
        }
        .to_owned();
    }
    if !difference.unread.is_empty() {
        return "Some lines could not be read, and what was read does not fit.".to_owned();
    }
    if !difference.lists_moves {
        return "The total is wrong. Paste the count of each move to see where.".to_owned();
    }
    let parts = [
        (difference.missing.len(), "missing"),
        (difference.extra.len(), "not legal or listed twice"),
        (difference.wrong.len(), "counted differently"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    match parts.is_empty() {
        true => "Every move is right, but the total is not their sum.".to_owned(),
        false => format!("Of {moves} moves: {}.", parts.join(", ")),
    }
}

/// Returns a line for a test suite: the position with its right counts, and the reason why it is there.
///
/// The position has its en passant square even if no capture there is legal, because the program may be wrong about
/// that.
fn epd(place: &Place, depth: u32, explained: &ExplainedAnswer) -> String {
    let counts: String = (1..)
        .zip(counts_to(place.position(), depth, MAX_NODES, &StopSignal::default()))
        .map(|(depth, nodes): (u32, _)| format!(" ;D{depth} {nodes}"))
        .collect();
    let (name, why) = match explained.wrong_moves.first() {
        Some(wrong) => (wrong.why.theme.name(), wrong.why.text.as_str()),
        None => ("count", "a count below a legal move is wrong"),
    };
    format!("{}{counts} ;id \"{name}\" ;c0 \"{why}\"", place.fen())
}

//! Compares the divide that the user pasted with ours, and searches for the mistakes that give exactly the numbers of the
//! user.

use perft_core::internals::grouped;
use perft_core::{RootMove, StopSignal};
use perft_count::Perft;
use perft_diagnosis::source::{Answer, TextFacts};
use perft_diagnosis::{
    DivideDifference, Drawing, MAX_NODES_OF_CAUSES, Told, Tried, Verdict, WrongMove, causes_of, counts_to,
    diagnose, wrong_moves,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::place::{Fault, Place};

/// The largest number of moves that are drawn. More arrows hide the board.
const MAX_DRAWN: usize = 8;

/// The largest number of nodes that is counted for an EPD line, so that the line is made at once.
const MAX_NODES: f64 = 1e7;

/// A move of our divide.
#[derive(Debug, Deserialize)]
pub struct MoveCount {
    #[serde(rename = "move")]
    played: String,
    nodes: String,
}

/// Compares both divides, and explains the moves that are missing or not legal. The answer has these fields:
///
/// - `summary`: a sentence
/// - `isRight`, `listsMoves`, `contradictsItself`: as in [`DivideDifference`]
/// - `ours`, `theirs`: the totals
/// - `rows`: the moves of either divide
/// - `disputed`: the moves that are missing or not legal
/// - `overlay`: the drawing of these moves as SVG, if there are any
/// - `noSearch`: why the mistakes that give this answer are not searched for; `null` if [`causes`] finds them
/// - `epd`: a line for a test suite, if the answer is not right
/// - `notes`: sentences about other columns of the text, other depths, and names of moves
/// - `unread`: the lines that could not be read and probably explain the difference
///
/// # Errors
/// Returns an error if the text has no count. Otherwise every move would be missing.
pub fn compare(place: &Place, depth: u32, ours: &[MoveCount], text: &str) -> Result<Value, Fault> {
    let told = told(place, depth, ours, text)?;
    let Told { ours, difference, answer, .. } = &told;
    let disputed = wrong_moves(place.position(), difference);
    let is_right = difference.is_right();
    Ok(json!({
        "summary": summary(difference, ours.len()),
        "isRight": is_right,
        "listsMoves": difference.lists_moves,
        "contradictsItself": difference.contradicts_itself,
        "ours": difference.ours.to_string(),
        "theirs": difference.theirs.to_string(),
        "rows": rows(place, ours, answer, difference),
        "disputed": disputed.iter().map(disputed_move).collect::<Vec<_>>(),
        "overlay": (!disputed.is_empty()).then(|| {
            Drawing::of_moves(place.position(), &disputed[..disputed.len().min(MAX_DRAWN)]).to_overlay()
        }),
        "noSearch": why_no_search(difference),
        "epd": (!is_right).then(|| epd(place, depth, &disputed)),
        "notes": notes(&told),
        "unread": difference.unread,
    }))
}

/// Returns a sentence, which is empty if the answer is not wrong.
fn why_no_search(difference: &DivideDifference) -> Option<String> {
    if !difference.is_wrong() || difference.is_excerpt {
        return Some(String::new());
    }
    let limit = grouped(MAX_NODES_OF_CAUSES);
    let text =
        format!("The mistake is looked for in counts of up to {limit} leaf nodes. Go into a move below.");
    (difference.ours > MAX_NODES_OF_CAUSES).then_some(text)
}

/// Searches for the mistakes that give this answer. This takes seconds, so a worker is asked. The list is empty if they are
/// many and the answer lists no wrong moves.
///
/// # Errors
/// Returns an error if the text has no count.
pub fn causes(place: &Place, depth: u32, ours: &[MoveCount], text: &str) -> Result<Value, Fault> {
    let told = told(place, depth, ours, text)?;
    Ok(json!({ "causes": causes_of(&told, [], &StopSignal::default()) }))
}

/// Reads the text as an answer, and compares it with our divide.
fn told(place: &Place, depth: u32, ours: &[MoveCount], text: &str) -> Result<Told, Fault> {
    let ours = divide(place, ours);
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let answer = Answer::of_text(&lines, place.position(), depth, &ours);
    if answer.is_empty() {
        return Err(Fault::request("There is no count in this text."));
    }
    Ok(Told::new(place.path.clone(), depth, ours, answer))
}

fn disputed_move(wrong: &WrongMove) -> Value {
    json!({
        "move": wrong.text,
        "isMissing": wrong.is_missing,
        "why": wrong.why.text,
        "about": wrong.why.theme.about(),
    })
}

/// The largest count that is made to find out whether an answer is that of another depth.
const MAX_NODES_OF_DEPTH: u128 = 10_000_000;

/// Returns sentences about what the text has beside the counts that are compared.
fn notes(told: &Told) -> Vec<String> {
    let facts = told.answer.text.iter().flat_map(TextFacts::sentences);
    let depth =
        told.other_depth(MAX_NODES_OF_DEPTH).map(|depth| format!("these are the counts of depth {depth}"));
    let names = told.difference.is_misnamed.then(|| Verdict::Names.about().to_owned());
    facts.chain(depth).chain(names).collect()
}

/// Returns our divide with moves instead of texts. All moves are legal, because the page got them from here.
fn divide(place: &Place, counts: &[MoveCount]) -> Vec<RootMove> {
    let read = |count: &MoveCount| {
        Some(RootMove {
            played: place.position().find_move(&count.played).ok()?,
            nodes: count.nodes.parse().ok()?,
        })
    };
    counts.iter().filter_map(read).collect()
}

/// Returns one row for each move: first our moves, then the moves that only the answer has.
///
/// The kind of a row is `right`, `count` (the counts differ), `missing`, `extra` (not legal, or listed twice), or
/// `unknown` if the other program gives only a total.
fn rows(place: &Place, ours: &[RootMove], answer: &Answer, difference: &DivideDifference) -> Vec<Value> {
    let row = |played: &str, ours: Option<u128>, theirs: Option<u128>, kind: &str| {
        let [ours, theirs] = [ours, theirs].map(|nodes| nodes.map(|nodes| nodes.to_string()));
        json!({ "move": played, "ours": ours, "theirs": theirs, "kind": kind })
    };
    let own = ours.iter().map(|root| {
        let wrong = difference.wrong.iter().find(|wrong| wrong.played == root.played);
        let (theirs, kind) = match wrong {
            Some(wrong) => (Some(wrong.theirs), "count"),
            None if difference.missing.contains(&root.played) => (None, "missing"),
            None if difference.unlisted.contains(&root.played) => (None, "unknown"),
            None if difference.lists_moves => (Some(root.nodes), "right"),
            None => (None, "unknown"),
        };
        row(&root.played.to_uci(place.notation), Some(root.nodes), theirs, kind)
    });
    let extra = difference.extra.iter().map(|text| {
        let listed = answer.moves.iter().rev().find(|(played, _)| played == text);
        row(text, None, listed.map(|(_, nodes)| *nodes), "extra")
    });
    own.chain(extra).collect()
}

fn summary(difference: &DivideDifference, moves: usize) -> String {
    let DivideDifference { lists_moves, unread, missing, extra, wrong, .. } = difference;
    let text = match difference.is_right() {
        true if *lists_moves => "All moves and counts are right.",
        true => "The total is right.",
        false if !unread.is_empty() => "Some lines could not be read, and what was read does not fit.",
        false if difference.is_excerpt => {
            "The text has some of the moves. Nothing is known about the others."
        }
        false if !lists_moves => "The total is wrong. Paste the count of each move to see where.",
        false => "Every move is right, but the total is not their sum.",
    };
    let parts = [
        (missing.len(), "missing"),
        (extra.len(), "not legal or listed twice"),
        (wrong.len(), "counted differently"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
    if difference.is_right() || !unread.is_empty() || !lists_moves || parts.is_empty() {
        return text.to_owned();
    }
    format!("Of {moves} {}: {}.", if moves == 1 { "move" } else { "moves" }, parts.join(", "))
}

/// Returns a line for a test suite: the position with its right counts, and the reason why it is there.
///
/// The position has its en passant square even if no capture there is legal, because the program may be wrong about
/// that.
fn epd(place: &Place, depth: u32, disputed: &[WrongMove]) -> String {
    let counts: String = (1..)
        .zip(counts_to(place.position(), depth, MAX_NODES, &StopSignal::default()))
        .map(|(depth, nodes): (u32, _)| format!(" ;D{depth} {nodes}"))
        .collect();
    let (name, why) = match disputed.first() {
        Some(wrong) => (wrong.why.theme.name(), wrong.why.text.as_str()),
        None => ("count", "a count below a legal move is wrong"),
    };
    format!("{}{counts} ;id \"{name}\" ;c0 \"{why}\"", place.fen())
}

/// A number that a program gives. It is negative if the counter of the program has overflowed.
#[derive(Debug, Deserialize)]
pub struct Number {
    depth: u32,
    nodes: String,
}

/// Searches for the mistakes that give all of the numbers. The answer has these fields:
///
/// - `isRight`: whether all numbers are right
/// - `claims`: the numbers of the program, together with the right numbers
/// - `causes`: the mistakes
/// - `telling`: counts that distinguish the causes
///
/// # Errors
/// Returns an error if a number cannot be read.
pub fn numbers(place: &Place, numbers: &[Number]) -> Result<Value, Fault> {
    let told = numbers.iter().map(|number| number.told(place)).collect::<Result<Vec<_>, _>>()?;
    let found = diagnose(told, &StopSignal::default(), &|_| {});
    let claims = found.answers.iter().zip(&found.tried).map(|(told, tried)| claim(told, *tried));
    Ok(json!({
        "isRight": found.is_right(),
        "claims": claims.collect::<Vec<_>>(),
        "causes": found.causes,
        "telling": found.telling,
    }))
}

impl Number {
    fn told(&self, place: &Place) -> Result<Told, Fault> {
        let nodes: i128 = self
            .nodes
            .parse()
            .map_err(|_| Fault::request(format!("'{}' is not a number of nodes", self.nodes)))?;
        let (perft, position) = (Perft::new(), place.position());
        let answer = Answer::from(nodes);
        let ours = perft.divide(position, self.depth);
        let counts = (0..=self.depth).map(|depth| perft.count(position, depth)).collect();
        Ok(Told { counts, ..Told::new(place.path.clone(), self.depth, ours, answer) })
    }
}

/// `tried` is the number of models that were compared with the number, and `triesRules` says whether the right number
/// is small enough for models of broken rules.
fn claim(told: &Told, tried: Tried) -> Value {
    json!({
        "depth": told.depth,
        "nodes": told.difference.theirs.to_string(),
        "right": told.difference.ours.to_string(),
        "tried": tried.models,
        "triesRules": tried.with_rules,
    })
}

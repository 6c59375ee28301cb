//! Searches for the bugs that give exactly the numbers of the user.

use perft_core::{Position, StopSignal};
use perft_count::Perft;
use perft_diagnosis::{Candidate, CheckedClaim, Claim, DistinguishingCount, diagnose};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::counting::uninterrupted;
use crate::place::{Fault, Place};

/// A number that a program gives.
#[derive(Debug, Deserialize)]
pub struct Number {
    depth: u32,
    nodes: String,
}

/// Searches for the mistakes that give at least one of the wrong numbers. The answer has these fields:
///
/// - `isRight`: whether all numbers are right
/// - `claims`: the numbers of the program, together with the right numbers
/// - `candidates`: the mistakes, the best first
/// - `best`: the number of mistakes that explain the most numbers
/// - `tried`: the number of mistakes that were tried
/// - `telling`: counts that distinguish the best candidates
///
/// # Errors
/// Returns an error if a number cannot be read.
pub fn answer(place: &Place, numbers: &[Number]) -> Result<Value, Fault> {
    let claims = numbers.iter().map(|number| number.claim(place)).collect::<Result<Vec<_>, _>>()?;
    let count = |position: &Position, depth| Ok(Perft::new().count(position, depth));
    let found = uninterrupted(diagnose(&claims, &count, &StopSignal::default(), &|_| {}));
    let wrong = found.claims.iter().filter(|checked| !checked.is_right()).count();
    let candidates = found.candidates.iter().map(|mistake| candidate(mistake, wrong));
    let telling = found.telling.iter().map(|count| telling_count(count, found.best()));
    Ok(json!({
        "isRight": found.is_right(),
        "claims": found.claims.iter().map(checked_number).collect::<Vec<_>>(),
        "candidates": candidates.collect::<Vec<_>>(),
        "best": found.best().len(),
        "tried": found.tried,
        "telling": telling.collect::<Vec<_>>(),
    }))
}

impl Number {
    fn claim(&self, place: &Place) -> Result<Claim, Fault> {
        let nodes = self.nodes.parse();
        let nodes =
            nodes.map_err(|_| Fault::request(format!("'{}' is not a number of nodes", self.nodes)))?;
        Ok(Claim { position: *place.position(), depth: self.depth, nodes })
    }
}

/// Returns a number of the program, together with the right number. `isTried` says whether the right number is small
/// enough for mistakes to be tried.
fn checked_number(checked: &CheckedClaim) -> Value {
    json!({
        "depth": checked.claim.depth,
        "nodes": checked.claim.nodes.to_string(),
        "right": checked.right.to_string(),
        "isTried": checked.is_tried(),
    })
}

/// Returns a mistake: a sentence about it, the part of a generator that has it, and the numbers that it gives. It gives
/// `explains` of the `of` wrong numbers.
fn candidate(candidate: &Candidate, of: usize) -> Value {
    let numbers: Vec<_> = candidate.nodes.iter().map(|nodes| nodes.map(|nodes| nodes.to_string())).collect();
    json!({
        "name": candidate.mistake.name(),
        "about": candidate.mistake.about(),
        "topic": candidate.mistake.topic(),
        "explains": candidate.explained,
        "of": of,
        "numbers": numbers,
    })
}

/// Returns a count that distinguishes the best candidates, with the name of each and the number that it gives.
fn telling_count(count: &DistinguishingCount, best: &[Candidate]) -> Value {
    let number = |(candidate, nodes): (&Candidate, &u128)| (candidate.mistake.name(), nodes.to_string());
    let numbers = best.iter().zip(&count.nodes).map(number);
    json!({
        "name": count.name,
        "fen": count.position.to_string(),
        "depth": count.depth,
        "right": count.right.to_string(),
        "numbers": numbers.collect::<Vec<_>>(),
    })
}

//! Searches for the mistakes that give exactly the numbers of the user.

use perft_core::StopSignal;
use perft_count::Perft;
use perft_diagnosis::source::Answer;
use perft_diagnosis::{Model, TellingCount, Told, Tried, diagnose};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::place::{Fault, Place};

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
pub fn answer(place: &Place, numbers: &[Number]) -> Result<Value, Fault> {
    let told = numbers.iter().map(|number| number.told(place)).collect::<Result<Vec<_>, _>>()?;
    let found = diagnose(told, &StopSignal::default(), &|_| {});
    let claims = found.answers.iter().zip(&found.tried).map(|(told, tried)| claim(told, *tried));
    let telling = found.telling.iter().map(|count| telling_count(count, &found.causes));
    Ok(json!({
        "isRight": found.is_right(),
        "claims": claims.collect::<Vec<_>>(),
        "causes": found.causes.iter().copied().map(cause).collect::<Vec<_>>(),
        "telling": telling.collect::<Vec<_>>(),
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

/// Returns a mistake: its name, the part of a program that has it, and a sentence about it.
pub fn cause(model: Model) -> Value {
    json!({ "name": model.name(), "topic": model.topic(), "about": model.about() })
}

fn telling_count(count: &TellingCount, causes: &[Model]) -> Value {
    let number =
        |(model, total): (&Model, &Option<i128>)| (model.name(), total.map(|total| total.to_string()));
    json!({
        "name": count.name,
        "fen": count.question.path.end_setup().to_fen(),
        "depth": count.question.depth,
        "right": count.question.difference.ours.to_string(),
        "numbers": causes.iter().zip(&count.totals).map(number).collect::<Vec<_>>(),
    })
}

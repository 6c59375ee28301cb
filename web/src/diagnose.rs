//! Searches for the bugs that give exactly the numbers of the user.

use perft_core::{Position, StopSignal};
use perft_count::Perft;
use perft_diagnosis::mutations::Mutation;
use perft_diagnosis::{Claim, Miscount, diagnose};
use serde::{Deserialize, Serialize};

use crate::answers::Nodes;
use crate::counting::uninterrupted;
use crate::place::{Fault, Place};

/// A number that a program gives.
#[derive(Debug, Deserialize)]
pub struct Number {
    depth: u32,
    nodes: String,
}

/// The mistakes that give at least one of the wrong numbers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    is_right: bool,
    claims: Vec<CheckedNumber>,
    /// The mistakes, the best first.
    candidates: Vec<Candidate>,
    /// The number of mistakes that explain the most numbers.
    best: usize,
    /// The number of mistakes that were tried, in words.
    tried: String,
    is_complete: bool,
    /// Counts that distinguish the best candidates.
    telling: Vec<DistinguishingCount>,
}

/// A number of the program, together with the right number.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CheckedNumber {
    depth: u32,
    nodes: Nodes,
    right: Nodes,
    /// Whether the right number is small enough for mistakes to be tried.
    is_tried: bool,
}

/// A mistake, or a pair of them.
#[derive(Debug, Serialize)]
struct Candidate {
    name: String,
    /// The behaviour of a program with this mistake: a sentence for each part.
    about: Vec<&'static str>,
    /// The part of a generator that has the mistake.
    topic: &'static str,
    /// The number of wrong numbers that the mistake gives.
    explains: usize,
    /// The number of wrong numbers.
    of: usize,
    /// The numbers that a program with this mistake gives.
    numbers: Vec<Option<Nodes>>,
}

/// A count that distinguishes candidates.
#[derive(Debug, Serialize)]
struct DistinguishingCount {
    name: &'static str,
    fen: String,
    depth: u32,
    right: Nodes,
    /// The name of each of the best candidates, with the number that it gives.
    numbers: Vec<(String, Nodes)>,
}

impl Diagnosis {
    /// Searches for the mistakes.
    ///
    /// # Errors
    /// Returns an error if a number cannot be read.
    pub fn of(place: &Place, numbers: &[Number]) -> Result<Diagnosis, Fault> {
        let claims = numbers.iter().map(|number| number.claim(place)).collect::<Result<Vec<_>, _>>()?;
        let count = |position: &Position, depth| Ok(Perft::new().count(position, depth));
        let found = uninterrupted(diagnose(&claims, &count, &StopSignal::default(), &|| true, &|_| {}));
        let of = found.claims.iter().filter(|checked| !checked.is_right()).count();
        let telling = found.telling.iter().map(|count| DistinguishingCount::of(count, found.best()));
        Ok(Diagnosis {
            is_right: found.is_right(),
            claims: found.claims.iter().map(CheckedNumber::from).collect(),
            candidates: found.candidates.iter().map(|candidate| Candidate::of(candidate, of)).collect(),
            best: found.best().len(),
            tried: match found.pairs {
                0 => format!("{} single mistakes", found.singles),
                pairs => format!("{} single mistakes and {pairs} pairs", found.singles),
            },
            is_complete: found.is_complete,
            telling: telling.collect(),
        })
    }
}

impl Number {
    fn claim(&self, place: &Place) -> Result<Claim, Fault> {
        let nodes = self.nodes.parse();
        let nodes =
            nodes.map_err(|_| Fault::request(format!("'{}' is not a number of nodes", self.nodes)))?;
        Ok(Claim { position: *place.position(), depth: self.depth, nodes })
    }
}

impl From<&perft_diagnosis::CheckedClaim> for CheckedNumber {
    fn from(checked: &perft_diagnosis::CheckedClaim) -> CheckedNumber {
        CheckedNumber {
            depth: checked.claim.depth,
            nodes: Nodes(checked.claim.nodes),
            right: Nodes(checked.right),
            is_tried: checked.is_tried(),
        }
    }
}

impl Candidate {
    fn of(candidate: &perft_diagnosis::Candidate, of: usize) -> Candidate {
        let mistake = candidate.mistake;
        let of_rules = mistake.mutations.iter().map(Mutation::about);
        Candidate {
            name: name(candidate),
            about: of_rules.chain(mistake.miscount.map(Miscount::about)).collect(),
            topic: mistake.mutations.iter().map(Mutation::topic).next().unwrap_or("adding up"),
            explains: candidate.explained,
            of,
            numbers: candidate.nodes.iter().map(|nodes| nodes.map(Nodes)).collect(),
        }
    }
}

impl DistinguishingCount {
    fn of(
        count: &perft_diagnosis::DistinguishingCount,
        best: &[perft_diagnosis::Candidate],
    ) -> DistinguishingCount {
        let numbers =
            best.iter().zip(&count.nodes).map(|(candidate, &nodes)| (name(candidate), Nodes(nodes)));
        DistinguishingCount {
            name: count.name,
            fen: count.position.to_string(),
            depth: count.depth,
            right: Nodes(count.right),
            numbers: numbers.collect(),
        }
    }
}

/// Returns the names of the parts of a mistake, joined by plus signs.
fn name(candidate: &perft_diagnosis::Candidate) -> String {
    let mistake = candidate.mistake;
    let parts = mistake.mutations.iter().map(Mutation::name).chain(mistake.miscount.map(Miscount::name));
    parts.collect::<Vec<_>>().join(" + ")
}

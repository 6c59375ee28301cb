//! The report of `perft diagnose`: the mistakes that explain wrong numbers.

use perft_core::Position;
use perft_diagnosis::mutations::Mutation;
use perft_diagnosis::{Candidate, CheckedClaim, Diagnosis, Miscount, Mistake, TellingCount};
use serde::Serialize;

use super::{PositionInfo, Provenance};

/// The result of a diagnosis.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnoseReport {
    /// How the right numbers were counted.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The given numbers.
    pub numbers: Vec<NumberReport>,
    /// The mistakes that give at least one of the wrong numbers, best first.
    pub candidates: Vec<CandidateReport>,
    /// How many candidates explain most numbers: the first ones.
    pub best: usize,
    /// How many single mistakes were tried.
    pub singles: usize,
    /// How many pairs of mistakes were tried.
    pub pairs: usize,
    /// How many pairs were left out.
    pub pairs_left: usize,
    /// Whether there was time to try every single mistake.
    pub is_complete: bool,
    /// Counts that tell the best candidates apart.
    pub telling: Vec<TellingReport>,
    /// The time in seconds.
    pub seconds: f64,
}

/// A given number.
#[derive(Clone, Debug, Serialize)]
pub struct NumberReport {
    /// The name or the FEN by which the position was given.
    pub name: String,
    /// The position.
    #[serde(flatten)]
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The given number.
    pub given: u128,
    /// The right number.
    pub right: u128,
    /// Whether the given number is right.
    pub is_right: bool,
    /// Whether the right number is small enough for mistakes of the rules to be tried.
    pub is_tried: bool,
}

/// A mistake that explains wrong numbers.
#[derive(Clone, Debug, Serialize)]
pub struct CandidateReport {
    /// What is wrong; several parts if the mistake is a pair.
    pub mistakes: Vec<MistakeReport>,
    /// How many of the given numbers it explains.
    pub explained: usize,
    /// The numbers that a program with this mistake gives, in the order of the given ones.
    pub numbers: Vec<Option<u128>>,
}

/// A mistake, or a part of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MistakeReport {
    /// The name.
    pub name: &'static str,
    /// The part of a generator that it is in.
    pub family: &'static str,
    /// What a program with this mistake does.
    pub about: &'static str,
}

/// A count that tells candidates apart.
#[derive(Clone, Debug, Serialize)]
pub struct TellingReport {
    /// The name of the position in the built-in suites.
    pub name: &'static str,
    /// The position.
    #[serde(flatten)]
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The right number.
    pub right: u128,
    /// The number that a program with each of the best candidates gives.
    pub numbers: Vec<u128>,
}

impl DiagnoseReport {
    /// Makes a report. `names` has the position of each number as the user wrote it, and `seconds` is the time that was used.
    pub fn new(provenance: Provenance, names: &[String], found: &Diagnosis, seconds: f64) -> DiagnoseReport {
        DiagnoseReport {
            provenance,
            numbers: names
                .iter()
                .zip(&found.claims)
                .map(|(name, claim)| NumberReport::new(name, claim))
                .collect(),
            candidates: found.candidates.iter().map(CandidateReport::new).collect(),
            best: found.best().len(),
            singles: found.singles,
            pairs: found.pairs,
            pairs_left: found.pairs_left,
            is_complete: found.is_complete,
            telling: found.telling.iter().map(TellingReport::new).collect(),
            seconds,
        }
    }

    /// Whether all given numbers are right.
    pub fn is_right(&self) -> bool {
        self.numbers.iter().all(|number| number.is_right)
    }
}

fn position(position: &Position) -> PositionInfo {
    PositionInfo::new(position, position.castling_notation())
}

impl NumberReport {
    fn new(name: &str, checked: &CheckedClaim) -> NumberReport {
        NumberReport {
            name: name.to_owned(),
            position: position(&checked.claim.position),
            depth: checked.claim.depth,
            given: checked.claim.nodes,
            right: checked.right,
            is_right: checked.is_right(),
            is_tried: checked.is_tried(),
        }
    }
}

impl CandidateReport {
    fn new(candidate: &Candidate) -> CandidateReport {
        let Mistake { mutations, miscount } = candidate.mistake;
        let of_rules = mutations.iter().map(MistakeReport::from);
        CandidateReport {
            mistakes: of_rules.chain(miscount.map(MistakeReport::from)).collect(),
            explained: candidate.explained,
            numbers: candidate.nodes.clone(),
        }
    }

    /// Returns the names of the parts, joined by plus signs.
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.mistakes.iter().map(|mistake| mistake.name).collect();
        names.join(" + ")
    }
}

impl From<Mutation> for MistakeReport {
    fn from(mutation: Mutation) -> MistakeReport {
        MistakeReport { name: mutation.name(), family: mutation.family(), about: mutation.about() }
    }
}

impl From<Miscount> for MistakeReport {
    fn from(miscount: Miscount) -> MistakeReport {
        MistakeReport { name: miscount.name(), family: "adding up", about: miscount.about() }
    }
}

impl TellingReport {
    fn new(telling: &TellingCount) -> TellingReport {
        TellingReport {
            name: telling.name,
            position: position(&telling.position),
            depth: telling.depth,
            right: telling.right,
            numbers: telling.nodes.clone(),
        }
    }
}

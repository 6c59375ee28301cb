//! The report of `perft diagnose`: the mistakes that explain wrong numbers.

use perft_diagnosis::{Candidate, CheckedClaim, Diagnosis, DistinguishingCount, Mistake};
use serde::Serialize;

use crate::output::{Header, PositionInfo, Provenance};

/// The result of a diagnosis.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnoseReport {
    /// How the right numbers were counted.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The given numbers.
    pub counts: Vec<NumberReport>,
    /// The mistakes that give at least one of the wrong numbers, best first.
    pub candidates: Vec<CandidateReport>,
    /// How many candidates explain most numbers: the first ones.
    pub best: usize,
    /// How many mistakes were tried.
    pub mistakes_tried: usize,
    /// Whether nothing interrupted the command.
    pub complete: bool,
    /// Counts that tell the best candidates apart.
    pub telling: Vec<TellingReport>,
    /// The time in seconds.
    pub seconds: f64,
}

/// A given number.
#[derive(Clone, Debug, Serialize)]
pub struct NumberReport {
    /// The position, with the name or the FEN by which it was given as its name.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The given number.
    pub found: u128,
    /// The right number.
    pub expected: u128,
    /// Whether the given number is right.
    pub right: bool,
    /// Whether the right number is small enough for mistakes of the rules to be tried.
    pub examined: bool,
}

/// A mistake that explains wrong numbers.
#[derive(Clone, Debug, Serialize)]
pub struct CandidateReport {
    /// The mistake.
    #[serde(flatten)]
    pub mistake: MistakeReport,
    /// How many of the given numbers it explains.
    pub explained: usize,
    /// The numbers that a program with this mistake gives, in the order of the given ones.
    pub predicted: Vec<Option<u128>>,
    /// The candidate that gives the same numbers and of which this one is a variant: for one side, one piece or one
    /// direction only.
    pub variant_of: Option<&'static str>,
}

/// A mistake that a program may have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MistakeReport {
    /// The name.
    pub name: &'static str,
    /// The part of a generator that it is in.
    pub topic: &'static str,
    /// The behaviour of a program with this mistake.
    pub about: &'static str,
}

/// The mistakes that are tried.
#[derive(Clone, Debug, Serialize)]
pub struct CatalogueReport {
    /// The program that wrote the list, and when.
    #[serde(flatten)]
    pub header: Header,
    /// The mistakes, by topic.
    pub mistakes: Vec<MistakeReport>,
}

/// A count that tells candidates apart.
#[derive(Clone, Debug, Serialize)]
pub struct TellingReport {
    /// The position, with its name in the built-in suites.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The right number.
    pub expected: u128,
    /// The number that a program with each of the best candidates gives.
    pub predicted: Vec<u128>,
}

impl DiagnoseReport {
    /// Makes a report. `names` contains the position of each number as the user wrote it. `seconds` is the time that
    /// was used.
    pub fn new(provenance: Provenance, names: &[String], found: &Diagnosis, seconds: f64) -> DiagnoseReport {
        DiagnoseReport {
            provenance,
            counts: names
                .iter()
                .zip(&found.claims)
                .map(|(name, claim)| NumberReport::new(name, claim))
                .collect(),
            candidates: found.candidates.iter().map(CandidateReport::new).collect(),
            best: found.best().len(),
            mistakes_tried: found.tried,
            complete: found.is_complete,
            telling: found.telling.iter().map(TellingReport::new).collect(),
            seconds,
        }
    }

    /// Whether all given numbers are right.
    pub fn is_right(&self) -> bool {
        self.counts.iter().all(|number| number.right)
    }
}

impl NumberReport {
    fn new(name: &str, checked: &CheckedClaim) -> NumberReport {
        NumberReport {
            position: PositionInfo::named(name, &checked.claim.position),
            depth: checked.claim.depth,
            found: checked.claim.nodes,
            expected: checked.right,
            right: checked.is_right(),
            examined: checked.is_tried(),
        }
    }
}

impl CandidateReport {
    fn new(candidate: &Candidate) -> CandidateReport {
        CandidateReport {
            mistake: candidate.mistake.into(),
            explained: candidate.explained,
            predicted: candidate.nodes.clone(),
            variant_of: candidate.variant_of.map(Mistake::name),
        }
    }
}

impl From<Mistake> for MistakeReport {
    fn from(mistake: Mistake) -> MistakeReport {
        MistakeReport { name: mistake.name(), topic: mistake.topic(), about: mistake.about() }
    }
}

impl TellingReport {
    fn new(telling: &DistinguishingCount) -> TellingReport {
        TellingReport {
            position: PositionInfo::named(telling.name, &telling.position),
            depth: telling.depth,
            expected: telling.right,
            predicted: telling.nodes.clone(),
        }
    }
}

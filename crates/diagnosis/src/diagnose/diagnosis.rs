//! The result of a diagnosis.

use super::claim::CheckedClaim;
use super::distinguishing::DistinguishingCount;
use super::mistake::Candidate;
use crate::miscount::Miscount;
use crate::mutations::Mutation;

/// The result of a diagnosis.
#[derive(Clone, Debug, Default)]
pub struct Diagnosis {
    /// The claims with the right numbers.
    pub claims: Vec<CheckedClaim>,
    /// The mistakes that give the wrong numbers, the simplest first. If none gives all of them, these are the mistakes
    /// that give at least one, ordered by how many they explain. A variant is behind the mistake of which it is a
    /// variant.
    pub candidates: Vec<Candidate>,
    /// The number of single mistakes that were tried.
    pub singles: usize,
    /// The number of pairs of mistakes that were tried.
    pub pairs: usize,
    /// The number of pairs that were left out, because they fit less well or because the search ended early.
    pub pairs_left: usize,
    /// Whether every single mistake was tried, and the stop signal was not raised.
    pub is_complete: bool,
    /// Whether the stop signal was raised before the end. The candidates are those that were found before.
    pub is_interrupted: bool,
    /// Counts that distinguish the best candidates. Each has a number for each of [`Diagnosis::best`].
    pub telling: Vec<DistinguishingCount>,
}

/// An event of a diagnosis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagnosisEvent {
    /// This number of single mistakes is tried next.
    Singles(usize),
    /// Pairs of mistakes are tried next, the most promising first.
    Pairs {
        /// The largest number of pairs that are tried.
        tried: usize,
        /// The number of pairs.
        of: usize,
    },
    /// One mistake or pair was tried.
    Tried,
}

impl Diagnosis {
    /// The number of all known single mistakes.
    pub const ALL_SINGLES: usize = Mutation::ALL.len() + Miscount::ALL.len();

    /// Whether all numbers are right.
    pub fn is_right(&self) -> bool {
        self.claims.iter().all(CheckedClaim::is_right)
    }

    /// Returns the candidates that explain the most numbers.
    pub fn best(&self) -> &[Candidate] {
        let most = self.candidates.first().map_or(0, |candidate| candidate.explained);
        let count = self.candidates.iter().take_while(|candidate| candidate.explained == most).count();
        &self.candidates[..count]
    }
}

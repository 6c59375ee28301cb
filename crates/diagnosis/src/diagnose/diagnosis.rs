//! The result of a diagnosis.

use super::claim::CheckedClaim;
use super::distinguishing::DistinguishingCount;
use super::mistake::Candidate;

/// The result of a diagnosis.
#[derive(Clone, Debug, Default)]
pub struct Diagnosis {
    /// The claims with the right numbers.
    pub claims: Vec<CheckedClaim>,
    /// The mistakes that give the wrong numbers, the simplest first. If none gives all of them, these are the mistakes
    /// that give at least one, ordered by how many they explain. A variant is behind the mistake of which it is a
    /// variant.
    pub candidates: Vec<Candidate>,
    /// The number of mistakes that were tried.
    pub tried: usize,
    /// Whether the stop signal was not raised before the end. Otherwise the candidates are those that were found before.
    pub is_complete: bool,
    /// Counts that distinguish the best candidates. Each has a number for each of [`Diagnosis::best`].
    pub telling: Vec<DistinguishingCount>,
}

/// An event of a diagnosis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagnosisEvent {
    /// This number of mistakes is tried next.
    Begins(usize),
    /// One mistake was tried.
    Tried,
}

impl Diagnosis {
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

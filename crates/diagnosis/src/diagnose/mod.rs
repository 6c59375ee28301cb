//! Explains a wrong number without the program that counted it.
//!
//! The position of each number is counted again with every [`Mutation`](crate::mutations::Mutation) of the rules and
//! with every [`Miscount`]. If no single mistake gives all numbers, pairs are tried too. The mistakes that give exactly
//! the numbers are the candidates. If there are several, the result lists counts of small positions that would
//! distinguish them.

mod distinguishing;
mod miscount;
mod pairs;
mod search;
#[cfg(test)]
mod tests;

pub use distinguishing::DistinguishingCount;
pub use miscount::Miscount;

use perft_core::{CastlingNotation, Interrupted, Position, StopSignal};
use search::MutationSearch;

use crate::mutations::{Mutation, Mutations};

/// The largest right count that is counted with mutations. Above it, a single mutation takes seconds.
const MAX_NODES: u128 = 60_000_000;

/// A number of leaf nodes that a program gave, right or wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The position.
    pub position: Position,
    /// The depth in plies.
    pub depth: u32,
    /// The number that the program gave.
    pub nodes: u128,
}

/// A number of a program, together with the right number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedClaim {
    /// The number that the program gave.
    pub claim: Claim,
    /// The right number of leaf nodes.
    pub right: u128,
}

impl CheckedClaim {
    /// Whether the program is right.
    pub fn is_right(&self) -> bool {
        self.claim.nodes == self.right
    }

    /// Whether the right number is small enough to be counted with mutations.
    pub fn is_tried(&self) -> bool {
        self.right <= MAX_NODES
    }
}

/// A mistake that a program may have: mutated rules, a mistake in adding up, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mistake {
    /// The changed rules.
    pub mutations: Mutations,
    /// The mistake in adding up.
    pub miscount: Option<Miscount>,
}

/// A mistake that explains wrong numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The mistake.
    pub mistake: Mistake,
    /// The numbers that a program with this mistake gives, in the order of the claims. A number is `None` if it was not
    /// counted.
    pub nodes: Vec<Option<u128>>,
    /// The number of claims whose number the mistake gives.
    pub explained: usize,
    /// The mistake of which this one is a variant, if both give the same numbers.
    pub variant_of: Option<Mistake>,
}

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

/// A function that returns the right number of leaf nodes at a depth below a position, unless it is interrupted.
pub type Count<'a> = &'a (dyn Fn(&Position, u32) -> Result<u128, Interrupted> + Sync);

/// Searches for the mistakes that give exactly these numbers.
///
/// `count` returns the right number of leaf nodes at a depth below a position. [`perft_until`](perft_core::perft_until)
/// is fast enough for small numbers. The search ends early, with the results so far, when the stop signal is raised or
/// `may_go_on` returns false. Mistakes are tried on the threads of the current rayon pool, which also call `on_event`.
///
/// # Errors
/// Returns an error if the stop signal is raised before the right numbers are counted.
///
/// # Examples
/// ```
/// use perft_core::{Position, StopSignal, perft};
/// use perft_diagnosis::mutations::Mutation;
/// use perft_diagnosis::{Claim, diagnose};
///
/// // perft(5) of the start position is 4865609.
/// let claim = Claim { position: Position::start(), depth: 5, nodes: 4_865_351 };
/// let count = |position: &Position, depth| Ok(perft(position, depth));
/// let diagnosis = diagnose(&[claim], &count, &StopSignal::default(), &|| true, &|_| {})?;
/// let names: Vec<String> =
///     diagnosis.best().iter().map(|candidate| candidate.mistake.mutations.to_string()).collect();
/// assert_eq!(names, ["no-en-passant", "leaf-en-passant-missing", "no-en-passant-by-white"]);
/// assert_eq!(diagnosis.telling.len(), 1);
/// # Ok::<(), perft_core::Interrupted>(())
/// ```
pub fn diagnose(
    claims: &[Claim],
    count: Count<'_>,
    stop: &StopSignal,
    may_go_on: &(dyn Fn() -> bool + Sync),
    on_event: &(dyn Fn(DiagnosisEvent) + Sync),
) -> Result<Diagnosis, Interrupted> {
    let checked = claims.iter().map(|&claim| {
        let right = count(&claim.position, claim.depth)?;
        Ok(CheckedClaim { claim, right })
    });
    let claims = checked.collect::<Result<Vec<_>, Interrupted>>()?;
    if claims.iter().all(CheckedClaim::is_right) {
        return Ok(Diagnosis { claims, is_complete: true, ..Diagnosis::default() });
    }
    let may_go_on = || !stop.is_raised() && may_go_on();
    let mut diagnosis = match MutationSearch::new(&claims, &may_go_on, on_event) {
        Ok(search) => search.diagnosis(count),
        Err(Interrupted) => Diagnosis { claims, ..Diagnosis::default() },
    };
    if stop.is_raised() {
        return Ok(Diagnosis { is_complete: false, is_interrupted: true, ..diagnosis });
    }
    let mistakes: Vec<Mistake> = diagnosis.best().iter().map(|candidate| candidate.mistake).collect();
    let is_chess960 =
        |checked: &CheckedClaim| checked.claim.position.castling_notation() == CastlingNotation::Chess960;
    let with_chess960 = diagnosis.claims.iter().any(is_chess960);
    diagnosis.telling = distinguishing::telling_counts(&mistakes, with_chess960);
    Ok(diagnosis)
}

impl Mistake {
    /// Whether this mistake is a variant of another one, for one side, one piece or one direction only.
    pub fn is_variant_of(&self, other: &Mistake) -> bool {
        let is_in_other = |mutation: Mutation| {
            let is_form = |general: Mutation| mutation == general || mutation.is_variant_of(general);
            other.mutations.iter().any(is_form)
        };
        self != other
            && (self.len(), self.miscount) == (other.len(), other.miscount)
            && self.mutations.iter().all(is_in_other)
    }

    /// Returns the number of mutations and mistakes in adding up.
    pub fn len(&self) -> usize {
        self.mutations.len() + usize::from(self.miscount.is_some())
    }

    /// Whether there is no mistake.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

//! Explains a wrong number without the program that counted it.
//!
//! The position of each number is counted again with every [`Mutation`](crate::mutations::Mutation) of the rules and
//! with every [`Miscount`](crate::Miscount). The mistakes that give exactly the numbers are the candidates. If there are
//! several, the result lists counts of small positions that would distinguish them.

mod claim;
mod diagnosis;
mod distinguishing;
mod mistake;
pub(crate) mod search;

pub use claim::{CheckedClaim, Claim, Count};
pub use diagnosis::{Diagnosis, DiagnosisEvent};
pub use distinguishing::DistinguishingCount;
pub use mistake::{Candidate, Mistake};

use perft_core::{CastlingNotation, Interrupted, StopSignal};
use search::MutationSearch;

/// Searches for the mistakes that give exactly these numbers.
///
/// `count` returns the right number of leaf nodes at a depth below a position. [`perft_until`](perft_core::perft_until)
/// is fast enough for small numbers. The search ends early, with the results so far, when the stop signal is raised.
/// Mistakes are tried on the threads of the current rayon pool, which also call `on_event`.
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
/// let diagnosis = diagnose(&[claim], &count, &StopSignal::default(), &|_| {})?;
/// let names: Vec<&str> = diagnosis.best().iter().map(|candidate| candidate.mistake.name()).collect();
/// assert_eq!(names, ["no-en-passant", "leaf-en-passant-missing", "no-en-passant-by-white"]);
/// assert_eq!(diagnosis.telling.len(), 1);
/// # Ok::<(), perft_core::Interrupted>(())
/// ```
pub fn diagnose(
    claims: &[Claim],
    count: Count<'_>,
    stop: &StopSignal,
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
    let mut diagnosis = match MutationSearch::new(&claims, stop, on_event) {
        Ok(search) => search.diagnosis(count),
        Err(Interrupted) => Diagnosis { claims, ..Diagnosis::default() },
    };
    if stop.is_raised() {
        return Ok(diagnosis);
    }
    diagnosis.is_complete = true;
    let mistakes: Vec<Mistake> = diagnosis.best().iter().map(|candidate| candidate.mistake).collect();
    let is_chess960 =
        |checked: &CheckedClaim| checked.claim.position.castling_notation() == CastlingNotation::Chess960;
    let with_chess960 = diagnosis.claims.iter().any(is_chess960);
    diagnosis.telling = distinguishing::telling_counts(&mistakes, with_chess960);
    Ok(diagnosis)
}

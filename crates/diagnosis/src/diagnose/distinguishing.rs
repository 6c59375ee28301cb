//! Finds counts of small positions that distinguish mistakes.

use perft_core::suite::{Case, KnownCount, builtin};
use perft_core::{CastlingNotation, Position, perft};
use rayon::prelude::*;

use super::mistake::Mistake;
use crate::mutations::count;

/// The largest right count of a position that is proposed.
const MAX_NODES: u128 = 3_000;

/// The greatest depth that is proposed.
const MAX_DEPTH: u32 = 4;

/// The largest number of mistakes that are distinguished.
const MAX_MISTAKES: usize = 24;

/// The largest number of counts that are proposed.
const MAX_COUNTS: usize = 6;

/// A count for which programs with different mistakes give different numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistinguishingCount {
    /// The name of the position in the built-in suites.
    pub name: &'static str,
    /// The position.
    pub position: Position,
    /// The depth in plies.
    pub depth: u32,
    /// The right number of leaf nodes.
    pub right: u128,
    /// The number that a program with each of the mistakes gives.
    pub nodes: Vec<u128>,
}

/// Returns counts that together distinguish as many of the mistakes as possible, the most useful first.
pub(super) fn telling_counts(mistakes: &[Mistake], with_chess960: bool) -> Vec<DistinguishingCount> {
    let mistakes = &mistakes[..mistakes.len().min(MAX_MISTAKES)];
    if mistakes.len() < 2 {
        return Vec::new();
    }
    let offers: Vec<DistinguishingCount> = offers(with_chess960)
        .into_par_iter()
        .map(|(case, known)| DistinguishingCount::of(case, known, mistakes))
        .filter(|count| count.nodes.iter().any(|nodes| *nodes != count.nodes[0]))
        .collect();
    // Mistakes of one class give the same numbers for all chosen counts.
    let mut classes = vec![0; mistakes.len()];
    let mut chosen = Vec::new();
    while chosen.len() < MAX_COUNTS {
        let now = number_of(&classes);
        let gain = |count: &&DistinguishingCount| number_of(&refined(&classes, &count.nodes));
        // The first of the best offers is chosen, because the offers are sorted by effort.
        let Some(best) = offers.iter().rev().max_by_key(gain).filter(|best| gain(best) > now) else { break };
        classes = refined(&classes, &best.nodes);
        chosen.push(best.clone());
    }
    chosen
}

/// Returns the counts that can be chosen, the smallest first.
fn offers(with_chess960: bool) -> Vec<(&'static Case, &'static KnownCount)> {
    let cases = builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases);
    let is_wanted =
        |case: &&Case| with_chess960 || case.position.castling_notation() == CastlingNotation::Standard;
    let mut offers: Vec<_> = cases
        .filter(is_wanted)
        .flat_map(|case| case.expected.iter().map(move |known| (case, known)))
        .filter(|(_, known)| known.nodes <= MAX_NODES && known.depth <= MAX_DEPTH)
        .collect();
    offers.sort_by_key(|(_, known)| (known.depth, known.nodes));
    offers
}

/// Splits the classes: two mistakes stay in one class if they also give the same number for a count. Returns the new
/// class of each mistake. A class is named by the index of its first mistake.
fn refined(classes: &[usize], nodes: &[u128]) -> Vec<usize> {
    let keys: Vec<(usize, u128)> = classes.iter().copied().zip(nodes.iter().copied()).collect();
    keys.iter().map(|key| keys.iter().position(|other| other == key).unwrap_or_default()).collect()
}

fn number_of(classes: &[usize]) -> usize {
    classes.iter().enumerate().filter(|&(index, &class)| index == class).count()
}

impl DistinguishingCount {
    fn of(case: &'static Case, known: &KnownCount, mistakes: &[Mistake]) -> DistinguishingCount {
        let depth = known.depth;
        let nodes = mistakes.iter().map(|&mistake| number(&case.position, depth, mistake));
        DistinguishingCount {
            name: case.name(),
            position: case.position,
            depth,
            right: known.nodes,
            nodes: nodes.collect(),
        }
    }
}

/// Returns the number that a program with a mistake gives.
fn number(position: &Position, depth: u32, mistake: Mistake) -> u128 {
    match mistake {
        Mistake::Mutation(mutation) => count(position, depth, Some(mutation)).into(),
        Mistake::Miscount(miscount) => {
            let counts: Vec<u128> = (0..=depth + 1).map(|depth| perft(position, depth)).collect();
            miscount.nodes(&counts, depth).unwrap_or(counts[depth as usize])
        }
    }
}

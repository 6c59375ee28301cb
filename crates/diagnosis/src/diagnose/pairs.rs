//! Pairs of mistakes, the most promising first.
//!
//! Two mutations seldom interact: the difference that a pair makes is about the sum of the differences that each makes
//! alone. So the pairs whose sum is nearest to the given numbers are tried first.

use std::collections::HashSet;

use perft_core::Interrupted;
use rayon::prelude::*;

use super::diagnosis::{Diagnosis, DiagnosisEvent};
use super::mistake::Candidate;
use super::search::{MutationSearch, Single};
use crate::miscount::Miscount;
use crate::mutations::Mutations;

/// The largest number of pairs of mutations that are counted.
const MAX_PAIRS: usize = 600;

/// The number of pairs that are counted before the result is examined.
const BATCH: usize = 16;

/// The distance above which pairs are no longer tried once another pair has explained all numbers. A distance is 0 if
/// the sum of the differences fits, and 1 if it is wrong by the whole difference.
const FAR: f64 = 0.1;

impl MutationSearch<'_> {
    /// Tries pairs of mutations, and a mutation with a mistake in adding up. Adds those that explain all numbers.
    pub(super) fn add_pairs(&self, singles: &[Single], diagnosis: &mut Diagnosis) {
        let with_miscount = singles.iter().flat_map(|single| {
            let with = |miscount| self.candidate(single.mutation.into(), Some(miscount), &single.counts);
            Miscount::ALL.into_iter().filter_map(with)
        });
        let mut candidates: Vec<Candidate> = with_miscount.filter(|found| self.explains_all(found)).collect();
        let pairs = self.by_distance(singles);
        let limit = pairs.len().min(MAX_PAIRS);
        let try_pair = |pair| {
            let found = self.pair(pair).ok()?;
            (self.on_event)(DiagnosisEvent::Tried);
            Some(found)
        };
        (self.on_event)(DiagnosisEvent::Pairs { tried: limit, of: pairs.len() });
        let mut tried = 0;
        while tried < limit && (self.may_go_on)() {
            let batch = &pairs[tried..limit.min(tried + BATCH)];
            if !candidates.is_empty() && batch[0].0 > FAR {
                break;
            }
            let found: Vec<_> = batch.par_iter().filter_map(|&(_, pair)| try_pair(pair)).collect();
            tried += found.len();
            candidates.extend(found.into_iter().flatten());
        }
        diagnosis.candidates.extend(candidates);
        (diagnosis.pairs, diagnosis.pairs_left) = (tried, pairs.len() - tried);
    }

    /// Returns a pair if it gives all numbers that are small enough to be tried. It stops at the first number that the
    /// pair does not give.
    fn pair(&self, mutations: Mutations) -> Result<Option<Candidate>, Interrupted> {
        let mut counts = Vec::new();
        for (index, checked) in self.claims.iter().enumerate() {
            let counted = self.counts_with(index, mutations)?;
            let nodes = counted.as_ref().and_then(|counted| counted.nodes.last());
            if nodes.is_some_and(|&nodes| u128::from(nodes) != checked.claim.nodes) {
                return Ok(None);
            }
            counts.push(counted);
        }
        Ok(self.candidate(mutations, None, &counts))
    }

    fn explains_all(&self, candidate: &Candidate) -> bool {
        candidate.explained >= self.number_tried()
    }

    /// Returns the pairs with their distances, the nearest first.
    ///
    /// A mutation that changes no number alone is left out. If several mutations give the same numbers, only the first
    /// is used. If a generator with one mutation never asks about the other, the pair is the same as the one mutation,
    /// and is left out, too.
    fn by_distance(&self, singles: &[Single]) -> Vec<(f64, Mutations)> {
        let different = self.different(singles);
        let mut pairs = Vec::new();
        for (index, a) in different.iter().enumerate() {
            for b in &different[..index] {
                if a.is_changed_by(b.mutation) && b.is_changed_by(a.mutation) {
                    let pair = Mutations::from(a.mutation).with(b.mutation);
                    pairs.push((self.distance(a, b), pair));
                }
            }
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        pairs
    }

    /// Returns the mutations that change a number. If several give the same numbers for all claims, only the first is
    /// returned.
    fn different<'s>(&self, singles: &'s [Single]) -> Vec<&'s Single> {
        let right = self.trees.iter().map(|tree| tree.as_ref().map(|tree| &tree.counts));
        let mut known: HashSet<Vec<Option<&Vec<u64>>>> = HashSet::from([right.collect()]);
        let numbers = |single: &'s Single| {
            single.counts.iter().map(|counted| counted.as_ref().map(|counted| &counted.nodes)).collect()
        };
        // A variant is behind its general form in the list.
        singles.iter().filter(|&single| known.insert(numbers(single))).collect()
    }

    /// Returns the distance of the sum of two differences from the given numbers, relative to the size of the
    /// differences.
    fn distance(&self, a: &Single, b: &Single) -> f64 {
        let of_claim = |index: usize| {
            let checked = &self.claims[index];
            let difference = |single: &Single| Some(single.nodes(index)? as f64 - checked.right as f64);
            let (a, b) = (difference(a)?, difference(b)?);
            let wanted = checked.claim.nodes as f64 - checked.right as f64;
            Some((a + b - wanted).abs() / wanted.abs().max(a.abs() + b.abs()).max(1.0))
        };
        (0..self.claims.len()).filter_map(of_claim).sum()
    }
}

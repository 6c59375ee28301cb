//! Counts the positions of the claims with single mistakes.
//!
//! Most mutations are ruled out by one of the numbers, so the others are not counted with them at first. Only if no
//! mistake explains everything, all numbers are counted with all mutations, and pairs are tried.

use std::cmp::Reverse;

use perft_core::{Interrupted, Perft, Progress};
use rayon::prelude::*;

use super::{Candidate, CheckedClaim, Claim, Diagnosis, DiagnosisEvent, Miscount, Mistake};
use crate::mutations::{KnownCounts, MergedCount, Mutation, Mutations};

/// The counts with one mutation, in the order of the claims. A claim that is too deep has none.
pub(super) struct Single {
    pub mutation: Mutation,
    /// The leaf nodes at each depth from 0.
    pub counts: Vec<Option<Vec<u64>>>,
    /// The mutations that would have changed something.
    pub asked: Mutations,
}

impl Single {
    /// Returns the number of leaf nodes of a claim, if it was counted.
    pub fn nodes(&self, index: usize) -> Option<u64> {
        self.counts[index].as_ref()?.last().copied()
    }
}

/// What is needed to try a mistake.
pub(super) struct Search<'a> {
    pub claims: &'a [CheckedClaim],
    /// The right counts of all positions below each claim, if it is small enough to be tried.
    known: Vec<Option<(Vec<u64>, KnownCounts)>>,
    pub may_go_on: &'a (dyn Fn() -> bool + Sync),
    pub on_event: &'a (dyn Fn(DiagnosisEvent) + Sync),
}

impl<'a> Search<'a> {
    pub fn new(
        claims: &'a [CheckedClaim],
        may_go_on: &'a (dyn Fn() -> bool + Sync),
        on_event: &'a (dyn Fn(DiagnosisEvent) + Sync),
    ) -> Result<Search<'a>, Interrupted> {
        let known = claims.par_iter().map(|checked| {
            let Claim { position, depth, .. } = checked.claim;
            checked.is_tried().then(|| KnownCounts::of(&position, depth, may_go_on)).transpose()
        });
        Ok(Search { claims, known: known.collect::<Result<_, _>>()?, may_go_on, on_event })
    }

    /// Finds the candidates: single mistakes that explain all numbers; otherwise all single mistakes, and pairs.
    pub fn diagnosis(&self, perft: &Perft, progress: &Progress) -> Diagnosis {
        let mut found = Diagnosis { claims: self.claims.to_vec(), ..Diagnosis::default() };
        let tried = self.number_tried();
        let mut singles = self.singles();
        let miscounts = self.miscounts(perft, progress);
        found.candidates = self.candidates(&singles, &miscounts);
        found.candidates.retain(|candidate| tried > 0 && candidate.explained >= tried);
        if found.candidates.is_empty() {
            singles = self.complete(singles);
            found.candidates = self.candidates(&singles, &miscounts);
            if tried > 0 {
                let pairs = self.pairs(&singles);
                (found.pairs, found.pairs_left) = (pairs.tried, pairs.left);
                found.candidates.extend(pairs.candidates);
            }
        }
        found.is_complete = singles.len() == Mutation::ALL.len();
        found.singles = singles.len() + Miscount::ALL.len();
        found.candidates.sort_by_key(|found| (Reverse(found.explained), found.mistake.len()));
        found
    }

    /// Returns the single mistakes that explain a wrong number.
    fn candidates(&self, singles: &[Single], miscounts: &[Candidate]) -> Vec<Candidate> {
        let candidate = |single: &Single| self.candidate(single.mutation.into(), None, &single.counts);
        singles.iter().filter_map(candidate).chain(miscounts.iter().cloned()).collect()
    }

    /// Returns the number of claims that are small enough to be tried.
    pub fn number_tried(&self) -> usize {
        self.known.iter().flatten().count()
    }

    /// Counts with each mutation until a number is not explained. Mutations for which there is no time are left out.
    fn singles(&self) -> Vec<Single> {
        let order = self.order();
        let single = |&mutation: &Mutation| {
            let counts = vec![None; self.claims.len()];
            let mut single = Single { mutation, counts, asked: Mutations::NONE };
            for &index in &order {
                self.count_single(&mut single, index).ok()?;
                let nodes = single.nodes(index).map(u128::from);
                if nodes != Some(self.claims[index].claim.nodes) {
                    break;
                }
            }
            (self.on_event)(DiagnosisEvent::Tried);
            Some(single)
        };
        (self.on_event)(DiagnosisEvent::Singles(Diagnosis::ALL_SINGLES));
        Mutation::ALL.par_iter().with_max_len(1).filter_map(single).collect()
    }

    /// Returns the claims that are small enough to be tried: those that rule out most mutations fastest come first.
    fn order(&self) -> Vec<usize> {
        let tried = (0..self.claims.len()).filter(|&index| self.known[index].is_some());
        let mut order: Vec<usize> = tried.collect();
        order.sort_by_key(|&index| (self.claims[index].is_right(), self.claims[index].right));
        order
    }

    /// Counts what [`Search::singles`] left out. Mutations for which there is no time are removed.
    fn complete(&self, singles: Vec<Single>) -> Vec<Single> {
        let order = self.order();
        let completed = |mut single: Single| {
            for &index in order.iter() {
                if single.counts[index].is_none() {
                    self.count_single(&mut single, index).ok()?;
                }
            }
            (self.on_event)(DiagnosisEvent::Tried);
            Some(single)
        };
        (self.on_event)(DiagnosisEvent::Singles(singles.len()));
        singles.into_par_iter().with_max_len(1).filter_map(completed).collect()
    }

    fn count_single(&self, single: &mut Single, index: usize) -> Result<(), Interrupted> {
        if let Some(counted) = self.counts_with(index, single.mutation.into()) {
            let (counts, asked) = counted?;
            single.counts[index] = Some(counts);
            single.asked = single.asked.union(asked);
        }
        Ok(())
    }

    /// Counts the position of a claim with mutations. Returns `None` if it is too deep.
    pub fn counts_with(
        &self,
        index: usize,
        mutations: Mutations,
    ) -> Option<Result<(Vec<u64>, Mutations), Interrupted>> {
        let (_, known) = self.known[index].as_ref()?;
        let Claim { position, depth, .. } = self.claims[index].claim;
        let count = || MergedCount::of(&position, depth, mutations, known, self.may_go_on);
        Some(if (self.may_go_on)() { count() } else { Err(Interrupted) })
    }

    /// Returns the mistakes in adding up the right counts.
    fn miscounts(&self, perft: &Perft, progress: &Progress) -> Vec<Candidate> {
        let counts = self.claims.iter().zip(&self.known).map(|(checked, known)| {
            let Claim { position, depth, nodes } = checked.claim;
            let mut counts = match known {
                Some((counts, _)) => counts.iter().map(|&nodes| nodes.into()).collect(),
                None => (0..depth)
                    .map(|depth| perft.count(&position, depth, progress))
                    .collect::<Result<Vec<_>, _>>()
                    .ok()?,
            };
            counts.truncate(depth as usize);
            counts.push(checked.right);
            // The next depth takes long, and has far more leaf nodes.
            if nodes > 2 * checked.right && checked.is_tried() {
                counts.push(perft.count(&position, depth + 1, progress).ok()?);
            }
            Some(counts)
        });
        let counts: Vec<Option<Vec<u128>>> = counts.collect();
        let candidate = |miscount: Miscount| {
            (self.on_event)(DiagnosisEvent::Tried);
            let nodes = counts.iter().zip(self.claims).map(|(counts, checked)| {
                let counts = counts.as_ref()?;
                Some(miscount.nodes(counts, checked.claim.depth).unwrap_or(checked.right))
            });
            self.if_explains(Mistake { miscount: Some(miscount), ..Mistake::default() }, nodes.collect())
        };
        Miscount::ALL.into_iter().filter_map(candidate).collect()
    }

    /// Returns a mistake as a candidate, if it explains a wrong number. `counts` are those with the mutations.
    pub fn candidate(
        &self,
        mutations: Mutations,
        miscount: Option<Miscount>,
        counts: &[Option<Vec<u64>>],
    ) -> Option<Candidate> {
        let nodes = counts.iter().zip(self.claims).map(|(counts, checked)| {
            let counts: Vec<u128> = counts.as_ref()?.iter().map(|&nodes| nodes.into()).collect();
            let nodes = *counts.last()?;
            Some(miscount.and_then(|miscount| miscount.nodes(&counts, checked.claim.depth)).unwrap_or(nodes))
        });
        self.if_explains(Mistake { mutations, miscount }, nodes.collect())
    }

    /// Returns a mistake as a candidate, if it explains a wrong number.
    fn if_explains(&self, mistake: Mistake, nodes: Vec<Option<u128>>) -> Option<Candidate> {
        let hits = |checked: &CheckedClaim, nodes: Option<u128>| nodes == Some(checked.claim.nodes);
        let of_all = || self.claims.iter().zip(nodes.iter().copied());
        let explained = of_all().filter(|&(checked, nodes)| hits(checked, nodes)).count();
        let explains_wrong = of_all().any(|(checked, nodes)| !checked.is_right() && hits(checked, nodes));
        explains_wrong.then_some(Candidate { mistake, nodes, explained })
    }
}

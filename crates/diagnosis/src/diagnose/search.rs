//! Counts the positions of the claims with each mistake.
//!
//! One of the numbers rules out most mutations, so the other numbers are not counted with them at first. If no mistake
//! explains all numbers, all of them are counted with all mutations.

use std::cmp::Reverse;

use perft_core::{Interrupted, StopSignal};
use rayon::prelude::*;

use super::claim::{CheckedClaim, Claim, Count};
use super::diagnosis::{Diagnosis, DiagnosisEvent};
use super::mistake::{Candidate, Mistake};
use crate::miscount::Miscount;
use crate::mutations::{Counted, KnownCounts, MergedCount, Mutation, RightTree};

/// The counts with one mutation, in the order of the claims. A claim that is too deep has no count.
struct TriedMutation {
    mutation: Mutation,
    counts: Vec<Option<Counted>>,
    /// The counts of all positions below each claim, until the variants of the mutation are counted with them.
    known: Vec<Option<KnownCounts>>,
}

impl TriedMutation {
    /// Returns the number of leaf nodes of a claim, if it was counted.
    fn nodes(&self, index: usize) -> Option<u128> {
        self.counts[index].as_ref()?.nodes.last().copied().map(u128::from)
    }
}

/// The data that are needed to try a mistake.
pub struct MutationSearch<'a> {
    claims: &'a [CheckedClaim],
    /// The tree below the position of each claim, if it is small enough to be tried.
    trees: Vec<Option<RightTree>>,
    stop: &'a StopSignal,
    on_event: &'a (dyn Fn(DiagnosisEvent) + Sync),
}

impl<'a> MutationSearch<'a> {
    /// Makes the tree below the position of each claim.
    ///
    /// # Errors
    /// Returns an error if the stop signal is raised.
    pub fn new(
        claims: &'a [CheckedClaim],
        stop: &'a StopSignal,
        on_event: &'a (dyn Fn(DiagnosisEvent) + Sync),
    ) -> Result<MutationSearch<'a>, Interrupted> {
        let trees = claims.par_iter().map(|checked| {
            let Claim { position, depth, .. } = checked.claim;
            checked.is_tried().then(|| RightTree::of(&position, depth, stop)).transpose()
        });
        Ok(MutationSearch { claims, trees: trees.collect::<Result<_, _>>()?, stop, on_event })
    }

    /// Finds the candidates: the mistakes that explain all numbers. If there are none: those that explain a wrong one.
    pub fn diagnosis(&self, count: Count) -> Diagnosis {
        let mut found = Diagnosis { claims: self.claims.to_vec(), ..Diagnosis::default() };
        let tried = self.number_tried();
        let mut mutations = self.try_all();
        let miscounts = self.miscounts(count);
        found.candidates = self.candidates(&mutations, &miscounts);
        found.candidates.retain(|candidate| tried > 0 && candidate.explained >= tried);
        if found.candidates.is_empty() {
            mutations = self.complete(mutations);
            found.candidates = self.candidates(&mutations, &miscounts);
        }
        found.tried = mutations.len() + Miscount::ALL.len();
        set_variants(&mut found.candidates);
        found.candidates.sort_by_key(|found| (Reverse(found.explained), found.variant_of.is_some()));
        found
    }

    /// Returns the mistakes that explain a wrong number.
    fn candidates(&self, mutations: &[TriedMutation], miscounts: &[Candidate]) -> Vec<Candidate> {
        let candidate = |tried: &TriedMutation| {
            let nodes = (0..self.claims.len()).map(|index| tried.nodes(index)).collect();
            self.if_explains(Mistake::Mutation(tried.mutation), nodes)
        };
        mutations.iter().filter_map(candidate).chain(miscounts.iter().cloned()).collect()
    }

    /// Returns the number of claims that are small enough to be tried.
    fn number_tried(&self) -> usize {
        self.trees.iter().flatten().count()
    }

    /// Counts with each mutation until a number is not explained. Stops early if the signal is raised.
    fn try_all(&self) -> Vec<TriedMutation> {
        (self.on_event)(DiagnosisEvent::Begins(Mistake::KNOWN));
        let mut mutations = self.variants(None, &self.order());
        mutations.sort_by_key(|tried| tried.mutation);
        mutations
    }

    /// Counts with the variants of a mutation, and with the variants of those.
    fn variants(&self, general: Option<&TriedMutation>, order: &[usize]) -> Vec<TriedMutation> {
        let mutation = general.map(|general| general.mutation);
        let variants =
            Mutation::ALL.par_iter().with_max_len(1).filter(|variant| variant.general() == mutation);
        let of_each = variants.filter_map(|&variant| {
            let mut tried = self.try_mutation(variant, general, order).ok()?;
            (self.on_event)(DiagnosisEvent::Tried);
            let mut found = self.variants(Some(&tried), order);
            tried.known = Vec::new();
            found.push(tried);
            Some(found)
        });
        of_each.flatten_iter().collect()
    }

    fn try_mutation(
        &self,
        mutation: Mutation,
        general: Option<&TriedMutation>,
        order: &[usize],
    ) -> Result<TriedMutation, Interrupted> {
        if self.stop.is_raised() {
            return Err(Interrupted);
        }
        let known = self.claims.iter().map(|_| None).collect();
        let mut tried = TriedMutation { mutation, counts: vec![None; self.claims.len()], known };
        for &index in order {
            let of_general = general.and_then(|general| general.counts[index].as_ref());
            if let Some(same) = of_general.filter(|counted| !counted.differs_for(mutation)) {
                tried.counts[index] = Some(same.clone());
            } else {
                let others = general.and_then(|general| general.known[index].as_ref());
                let counted = self.counts(index, mutation, others)?;
                (tried.counts[index], tried.known[index]) = counted.unzip();
            }
            if tried.nodes(index) != Some(self.claims[index].claim.nodes) {
                break;
            }
        }
        Ok(tried)
    }

    /// Returns the claims that are small enough to be tried. The claims that rule out most mutations fastest come
    /// first.
    fn order(&self) -> Vec<usize> {
        let tried = (0..self.claims.len()).filter(|&index| self.trees[index].is_some());
        let mut order: Vec<usize> = tried.collect();
        order.sort_by_key(|&index| (self.claims[index].is_right(), self.claims[index].right));
        order
    }

    /// Counts the claims that [`MutationSearch::try_all`] left out. Mutations for which there was no time are removed.
    fn complete(&self, mutations: Vec<TriedMutation>) -> Vec<TriedMutation> {
        let completed = |mut tried: TriedMutation| {
            for index in self.order() {
                if tried.counts[index].is_none() {
                    let counted = self.counts(index, tried.mutation, None).ok()?;
                    tried.counts[index] = counted.map(|(counted, _)| counted);
                }
            }
            (self.on_event)(DiagnosisEvent::Tried);
            Some(tried)
        };
        (self.on_event)(DiagnosisEvent::Begins(mutations.len()));
        mutations.into_par_iter().with_max_len(1).filter_map(completed).collect()
    }

    /// Counts the position of a claim with a mutation. `others` are the counts with another mutation. Returns `None` if
    /// it is too deep.
    fn counts(
        &self,
        index: usize,
        mutation: Mutation,
        others: Option<&KnownCounts>,
    ) -> Result<Option<(Counted, KnownCounts)>, Interrupted> {
        let Some(tree) = &self.trees[index] else { return Ok(None) };
        if self.stop.is_raised() {
            return Err(Interrupted);
        }
        let count = MergedCount::new(Some(mutation), tree, others, self.stop);
        count.count_all(&self.claims[index].claim.position).map(Some)
    }

    /// Returns the mistakes in adding up that explain a number, with the right counts of the generator.
    fn miscounts(&self, count: Count) -> Vec<Candidate> {
        let counts = self.claims.iter().zip(&self.trees).map(|(checked, tree)| {
            let Claim { position, depth, nodes } = checked.claim;
            let mut counts = match tree {
                Some(tree) => tree.counts.iter().map(|&nodes| nodes.into()).collect(),
                None => {
                    (0..depth).map(|depth| count(&position, depth)).collect::<Result<Vec<_>, _>>().ok()?
                }
            };
            counts.truncate(depth as usize);
            counts.push(checked.right);
            // The next depth takes long, and has far more leaf nodes.
            if nodes > 2 * checked.right && checked.is_tried() {
                counts.push(count(&position, depth + 1).ok()?);
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
            self.if_explains(Mistake::Miscount(miscount), nodes.collect())
        };
        Miscount::ALL.into_iter().filter_map(candidate).collect()
    }

    /// Returns a mistake as a candidate, if it explains a wrong number.
    fn if_explains(&self, mistake: Mistake, nodes: Vec<Option<u128>>) -> Option<Candidate> {
        let hits = |checked: &CheckedClaim, nodes: Option<u128>| nodes == Some(checked.claim.nodes);
        let of_all = || self.claims.iter().zip(nodes.iter().copied());
        let explained = of_all().filter(|&(checked, nodes)| hits(checked, nodes)).count();
        let explains_wrong = of_all().any(|(checked, nodes)| !checked.is_right() && hits(checked, nodes));
        explains_wrong.then_some(Candidate { mistake, nodes, explained, variant_of: None })
    }
}

/// Records which candidates are variants of another one that gives the same numbers.
fn set_variants(candidates: &mut [Candidate]) {
    let general = |variant: &Candidate| {
        let is_general =
            |other: &&Candidate| other.nodes == variant.nodes && variant.mistake.is_variant_of(other.mistake);
        let generals = candidates.iter().filter(is_general).map(|other| other.mistake);
        // The most general mistake is a variant of no other.
        generals.reduce(|a, b| if a.is_variant_of(b) { b } else { a })
    };
    let generals: Vec<Option<Mistake>> = candidates.iter().map(general).collect();
    for (candidate, general) in candidates.iter_mut().zip(generals) {
        candidate.variant_of = general;
    }
}

//! Counts the positions of the claims with single mistakes.
//!
//! One of the numbers rules out most mutations, so the other numbers are not counted with them at first. If no mistake
//! explains all numbers, all of them are counted with all mutations, and pairs are tried.

use std::cmp::Reverse;

use perft_core::Interrupted;
use rayon::prelude::*;

use super::claim::{CheckedClaim, Claim, Count};
use super::diagnosis::{Diagnosis, DiagnosisEvent};
use super::mistake::{Candidate, Mistake};
use crate::miscount::Miscount;
use crate::mutations::{Counted, KnownCounts, MergedCount, Mutation, Mutations, RightTree};

/// The counts with one mutation, in the order of the claims. A claim that is too deep has no count.
pub(super) struct Single {
    pub mutation: Mutation,
    pub counts: Vec<Option<Counted>>,
    /// The counts of all positions below each claim, until the variants of the mutation are counted with them.
    known: Vec<Option<KnownCounts>>,
}

impl Single {
    /// Returns the number of leaf nodes of a claim, if it was counted.
    pub fn nodes(&self, index: usize) -> Option<u64> {
        self.counts[index].as_ref()?.nodes.last().copied()
    }

    /// Whether adding another mutation to this one may change a count further.
    pub fn is_changed_by(&self, mutation: Mutation) -> bool {
        self.counts.iter().flatten().any(|counted| counted.changed_by().contains(mutation))
    }
}

/// The data that are needed to try a mistake.
pub struct MutationSearch<'a> {
    pub(super) claims: &'a [CheckedClaim],
    /// The tree below the position of each claim, if it is small enough to be tried.
    pub(super) trees: Vec<Option<RightTree>>,
    pub(super) may_go_on: &'a (dyn Fn() -> bool + Sync),
    pub(super) on_event: &'a (dyn Fn(DiagnosisEvent) + Sync),
}

impl<'a> MutationSearch<'a> {
    /// Makes the tree below the position of each claim.
    ///
    /// # Errors
    /// Returns an error if the caller does not want to go on.
    pub fn new(
        claims: &'a [CheckedClaim],
        may_go_on: &'a (dyn Fn() -> bool + Sync),
        on_event: &'a (dyn Fn(DiagnosisEvent) + Sync),
    ) -> Result<MutationSearch<'a>, Interrupted> {
        let trees = claims.par_iter().map(|checked| {
            let Claim { position, depth, .. } = checked.claim;
            checked.is_tried().then(|| RightTree::of(&position, depth, may_go_on)).transpose()
        });
        Ok(MutationSearch { claims, trees: trees.collect::<Result<_, _>>()?, may_go_on, on_event })
    }

    /// Finds the candidates: the single mistakes that explain all numbers. If there are none: all single mistakes, and
    /// pairs.
    pub fn diagnosis(&self, count: Count) -> Diagnosis {
        let mut found = Diagnosis { claims: self.claims.to_vec(), ..Diagnosis::default() };
        let tried = self.number_tried();
        let mut singles = self.singles();
        let miscounts = self.miscounts(count);
        found.candidates = self.candidates(&singles, &miscounts);
        found.candidates.retain(|candidate| tried > 0 && candidate.explained >= tried);
        if found.candidates.is_empty() {
            singles = self.complete(singles);
            found.candidates = self.candidates(&singles, &miscounts);
            if tried > 0 {
                self.add_pairs(&singles, &mut found);
            }
        }
        found.is_complete = singles.len() == Mutation::ALL.len();
        found.singles = singles.len() + Miscount::ALL.len();
        set_variants(&mut found.candidates);
        found
            .candidates
            .sort_by_key(|found| (Reverse(found.explained), found.variant_of.is_some(), found.mistake.len()));
        found
    }

    /// Returns the single mistakes that explain a wrong number.
    fn candidates(&self, singles: &[Single], miscounts: &[Candidate]) -> Vec<Candidate> {
        let candidate = |single: &Single| self.candidate(single.mutation.into(), None, &single.counts);
        singles.iter().filter_map(candidate).chain(miscounts.iter().cloned()).collect()
    }

    /// Returns the number of claims that are small enough to be tried.
    pub fn number_tried(&self) -> usize {
        self.trees.iter().flatten().count()
    }

    /// Counts with each mutation until a number is not explained. Mutations that exceed the time are left out.
    fn singles(&self) -> Vec<Single> {
        (self.on_event)(DiagnosisEvent::Singles(Diagnosis::ALL_SINGLES));
        let mut singles = self.variants(None, &self.order());
        singles.sort_by_key(|single| single.mutation);
        singles
    }

    /// Counts with the variants of a mutation, and with the variants of those.
    fn variants(&self, general: Option<&Single>, order: &[usize]) -> Vec<Single> {
        let mutation = general.map(|general| general.mutation);
        let variants =
            Mutation::ALL.par_iter().with_max_len(1).filter(|variant| variant.general() == mutation);
        let of_each = variants.filter_map(|&variant| {
            let mut single = self.single(variant, general, order).ok()?;
            (self.on_event)(DiagnosisEvent::Tried);
            let mut found = self.variants(Some(&single), order);
            single.known = Vec::new();
            found.push(single);
            Some(found)
        });
        of_each.flatten_iter().collect()
    }

    fn single(
        &self,
        mutation: Mutation,
        general: Option<&Single>,
        order: &[usize],
    ) -> Result<Single, Interrupted> {
        if !(self.may_go_on)() {
            return Err(Interrupted);
        }
        let known = self.claims.iter().map(|_| None).collect();
        let mut single = Single { mutation, counts: vec![None; self.claims.len()], known };
        for &index in order {
            let of_general = general.and_then(|general| general.counts[index].as_ref());
            if let Some(same) = of_general.filter(|counted| !counted.differs_for(mutation)) {
                single.counts[index] = Some(same.clone());
            } else {
                let others = general.and_then(|general| general.known[index].as_ref());
                let counted = self.counts_beside(index, mutation.into(), others)?;
                (single.counts[index], single.known[index]) = counted.unzip();
            }
            if single.nodes(index).map(u128::from) != Some(self.claims[index].claim.nodes) {
                break;
            }
        }
        Ok(single)
    }

    /// Returns the claims that are small enough to be tried. The claims that rule out most mutations fastest come
    /// first.
    fn order(&self) -> Vec<usize> {
        let tried = (0..self.claims.len()).filter(|&index| self.trees[index].is_some());
        let mut order: Vec<usize> = tried.collect();
        order.sort_by_key(|&index| (self.claims[index].is_right(), self.claims[index].right));
        order
    }

    /// Counts the claims that [`MutationSearch::singles`] left out. Mutations that exceed the time are removed.
    fn complete(&self, singles: Vec<Single>) -> Vec<Single> {
        let completed = |mut single: Single| {
            for index in self.order() {
                if single.counts[index].is_none() {
                    single.counts[index] = self.counts_with(index, single.mutation.into()).ok()?;
                }
            }
            (self.on_event)(DiagnosisEvent::Tried);
            Some(single)
        };
        (self.on_event)(DiagnosisEvent::Singles(singles.len()));
        singles.into_par_iter().with_max_len(1).filter_map(completed).collect()
    }

    /// Counts the position of a claim with mutations. Returns `None` if it is too deep.
    pub fn counts_with(&self, index: usize, mutations: Mutations) -> Result<Option<Counted>, Interrupted> {
        let counted = self.counts_beside(index, mutations, None)?;
        Ok(counted.map(|(counted, _)| counted))
    }

    /// Counts the position of a claim with mutations. `others` are the counts with another mutation. Returns `None` if
    /// it is too deep.
    fn counts_beside(
        &self,
        index: usize,
        mutations: Mutations,
        others: Option<&KnownCounts>,
    ) -> Result<Option<(Counted, KnownCounts)>, Interrupted> {
        let Some(tree) = &self.trees[index] else { return Ok(None) };
        if !(self.may_go_on)() {
            return Err(Interrupted);
        }
        let count = MergedCount::new(mutations, tree, others, self.may_go_on);
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
            self.if_explains(Mistake { miscount: Some(miscount), ..Mistake::default() }, nodes.collect())
        };
        Miscount::ALL.into_iter().filter_map(candidate).collect()
    }

    /// Returns a mistake as a candidate if it explains a wrong number. `counts` are the counts with its mutations.
    pub fn candidate(
        &self,
        mutations: Mutations,
        miscount: Option<Miscount>,
        counts: &[Option<Counted>],
    ) -> Option<Candidate> {
        let nodes = counts.iter().zip(self.claims).map(|(counts, checked)| {
            let counts: Vec<u128> = counts.as_ref()?.nodes.iter().map(|&nodes| nodes.into()).collect();
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
        explains_wrong.then_some(Candidate { mistake, nodes, explained, variant_of: None })
    }
}

/// Records which candidates are variants of another one that gives the same numbers.
fn set_variants(candidates: &mut [Candidate]) {
    let general = |variant: &Candidate| {
        let is_general = |other: &&Candidate| {
            other.nodes == variant.nodes && variant.mistake.is_variant_of(&other.mistake)
        };
        let generals = candidates.iter().filter(is_general).map(|other| other.mistake);
        // The most general mistake is a variant of no other.
        generals.reduce(|a, b| if a.is_variant_of(&b) { b } else { a })
    };
    let generals: Vec<Option<Mistake>> = candidates.iter().map(general).collect();
    for (candidate, general) in candidates.iter_mut().zip(generals) {
        candidate.variant_of = general;
    }
}

//! The mistakes that a program may have.

use crate::miscount::Miscount;
use crate::mutations::{Mutation, Mutations};

/// A mistake that a program may have: mutated rules, a mistake in adding up, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mistake {
    /// The changed rules.
    pub mutations: Mutations,
    /// The mistake in adding up.
    pub miscount: Option<Miscount>,
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
    pub(super) fn len(&self) -> usize {
        self.mutations.len() + usize::from(self.miscount.is_some())
    }
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

//! The mistakes that a program may have.

use crate::miscount::Miscount;
use crate::mutations::Mutation;

/// A mistake that a program may have: a changed rule, or a mistake in adding up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A changed rule.
    Mutation(Mutation),
    /// A mistake in adding up.
    Miscount(Miscount),
}

impl Mistake {
    /// The number of all known mistakes.
    pub const KNOWN: usize = Mutation::ALL.len() + Miscount::ALL.len();

    /// Returns all known mistakes: those of the rules, and those in adding up.
    pub fn all() -> impl Iterator<Item = Mistake> {
        let of_rules = Mutation::ALL.iter().copied().map(Mistake::Mutation);
        of_rules.chain(Miscount::ALL.map(Mistake::Miscount))
    }

    /// Returns the name, such as `no-en-passant`.
    pub fn name(self) -> &'static str {
        match self {
            Mistake::Mutation(mutation) => mutation.name(),
            Mistake::Miscount(miscount) => miscount.name(),
        }
    }

    /// Returns the behaviour of a program with this mistake: one sentence.
    pub fn about(self) -> &'static str {
        match self {
            Mistake::Mutation(mutation) => mutation.about(),
            Mistake::Miscount(miscount) => miscount.about(),
        }
    }

    /// Returns the part of a generator that has the mistake, such as `castling`.
    pub fn topic(self) -> &'static str {
        match self {
            Mistake::Mutation(mutation) => mutation.topic(),
            Mistake::Miscount(_) => "adding up",
        }
    }

    /// Whether this mistake is a variant of another one, for one side, one piece or one direction only.
    pub fn is_variant_of(self, other: Mistake) -> bool {
        match (self, other) {
            (Mistake::Mutation(variant), Mistake::Mutation(general)) => variant.is_variant_of(general),
            _ => false,
        }
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

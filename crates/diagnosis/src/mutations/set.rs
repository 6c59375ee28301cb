//! Sets of mutations.

use std::fmt;

use super::catalogue::Mutation;

/// A set of mutations. A generator with several of them has several bugs.
///
/// # Examples
/// ```
/// use perft_diagnosis::mutations::{Mutation, Mutations};
///
/// let both: Mutations = [Mutation::NoCastling, Mutation::NoEnPassant].into_iter().collect();
/// assert!(both.contains(Mutation::NoCastling) && !both.contains(Mutation::DoubleCheck));
/// assert_eq!(both.to_string(), "no-en-passant + no-castling");
/// assert_eq!(Mutations::NONE.to_string(), "none");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mutations([u64; WORDS]);

/// The number of words of 64 bits that a set needs.
const WORDS: usize = Mutation::ALL.len().div_ceil(64);

impl Mutations {
    /// No mutation: the rules of chess.
    pub const NONE: Mutations = Mutations([0; WORDS]);

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self == Mutations::NONE
    }

    /// Returns the number of mutations.
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set contains a mutation.
    pub const fn contains(self, mutation: Mutation) -> bool {
        self.0[mutation as usize / 64] >> (mutation as usize % 64) & 1 == 1
    }

    /// Returns the set with one more mutation.
    pub const fn with(mut self, mutation: Mutation) -> Mutations {
        self.insert(mutation);
        self
    }

    /// Adds a mutation.
    #[inline]
    pub(super) const fn insert(&mut self, mutation: Mutation) {
        self.0[mutation as usize / 64] |= 1 << (mutation as usize % 64);
    }

    /// Returns the mutations that are in this set, in the other one, or in both.
    pub(super) fn union(self, other: Mutations) -> Mutations {
        Mutations(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// Returns all mutations that are not in this set.
    pub(super) fn others(self) -> Mutations {
        Mutations(self.0.map(|word| !word))
    }

    /// Whether the sets have a mutation in common.
    pub(super) fn intersects(self, other: Mutations) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Returns the mutations in the order of the catalogue.
    pub fn iter(self) -> impl Iterator<Item = Mutation> {
        Mutation::ALL.iter().copied().filter(move |&mutation| self.contains(mutation))
    }
}

impl From<Mutation> for Mutations {
    fn from(mutation: Mutation) -> Mutations {
        Mutations::NONE.with(mutation)
    }
}

impl FromIterator<Mutation> for Mutations {
    fn from_iter<I: IntoIterator<Item = Mutation>>(mutations: I) -> Mutations {
        mutations.into_iter().fold(Mutations::NONE, Mutations::with)
    }
}

/// Writes the names, joined by plus signs.
impl fmt::Display for Mutations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        let names: Vec<&str> = self.iter().map(Mutation::name).collect();
        f.write_str(&names.join(" + "))
    }
}

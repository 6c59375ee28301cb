//! Sets of mutations.

use super::catalogue::Mutation;

/// The number of words of 64 bits that a set needs.
const WORDS: usize = Mutation::ALL.len().div_ceil(64);

/// A set of mutations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MutationSet([u64; WORDS]);

impl MutationSet {
    pub fn contains(self, mutation: Mutation) -> bool {
        self.0[mutation as usize / 64] >> (mutation as usize % 64) & 1 == 1
    }

    #[inline]
    pub fn insert(&mut self, mutation: Mutation) {
        self.0[mutation as usize / 64] |= 1 << (mutation as usize % 64);
    }

    pub fn union(self, other: MutationSet) -> MutationSet {
        MutationSet(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// Returns all mutations that are not in this set.
    pub fn complement(self) -> MutationSet {
        MutationSet(self.0.map(|word| !word))
    }
}

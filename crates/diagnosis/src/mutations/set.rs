//! Sets of mutations.

use std::sync::LazyLock;

use super::catalogue::Mutation;
use super::rules::Rule;
use super::variants::COUNT;

/// The number of words of 64 bits that a set needs.
const WORDS: usize = COUNT.div_ceil(64);

/// A set of mutations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MutationSet([u64; WORDS]);

impl MutationSet {
    #[inline]
    pub fn contains(self, mutation: Mutation) -> bool {
        self.0[mutation.index() / 64] >> (mutation.index() % 64) & 1 == 1
    }

    #[inline]
    pub fn insert(&mut self, mutation: Mutation) {
        self.0[mutation.index() / 64] |= 1 << (mutation.index() % 64);
    }

    // These are loops, because the compiler does not inline `map` and `array::from_fn`: the search took twice as long.

    #[inline]
    pub fn union(mut self, other: MutationSet) -> MutationSet {
        for word in 0..WORDS {
            self.0[word] |= other.0[word];
        }
        self
    }

    #[inline]
    pub fn intersection(mut self, other: MutationSet) -> MutationSet {
        for word in 0..WORDS {
            self.0[word] &= other.0[word];
        }
        self
    }

    /// Returns all mutations that are not in this set.
    #[inline]
    pub fn complement(mut self) -> MutationSet {
        for word in 0..WORDS {
            self.0[word] = !self.0[word];
        }
        self
    }

    /// Returns the first mutation of the catalogue that is in the set.
    pub fn first(self) -> Option<Mutation> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(Mutation((word * 64) as u16 + self.0[word].trailing_zeros() as u16))
    }
}

/// The mutations of taking back moves.
pub static UNMAKING: LazyLock<MutationSet> = LazyLock::new(|| {
    let all = Mutation::ALL.iter().copied();
    all.filter(|mutation| mutation.breaks_any(Rule::is_of_unmaking)).collect()
});

impl IntoIterator for MutationSet {
    type Item = Mutation;
    type IntoIter = Mutations;

    fn into_iter(self) -> Mutations {
        Mutations(self)
    }
}

/// An iterator over the mutations of a set.
pub struct Mutations(MutationSet);

impl Iterator for Mutations {
    type Item = Mutation;

    fn next(&mut self) -> Option<Mutation> {
        let first = self.0.first()?;
        self.0.0[first.index() / 64] &= self.0.0[first.index() / 64] - 1;
        Some(first)
    }
}

impl FromIterator<Mutation> for MutationSet {
    fn from_iter<I: IntoIterator<Item = Mutation>>(mutations: I) -> MutationSet {
        let mut set = MutationSet::default();
        mutations.into_iter().for_each(|mutation| set.insert(mutation));
        set
    }
}

//! The active mutations of a generator, and those that could have changed something.

use std::sync::LazyLock;

use super::catalogue::Mutation;
use super::facts::Facts;
use super::rules::{Break, Rule};
use super::set::Mutations;

/// For each rule, the mutations that break it, and the facts that each of them accepts.
static BY_RULE: LazyLock<Vec<Vec<(Mutation, Facts)>>> = LazyLock::new(|| {
    let mut by_rule: Vec<Vec<_>> = Vec::new();
    for &mutation in Mutation::ALL {
        for &Break { rule, accepted } in mutation.breaks() {
            let rules = by_rule.len().max(rule as usize + 1);
            by_rule.resize_with(rules, Vec::new);
            by_rule[rule as usize].push((mutation, accepted));
        }
    }
    by_rule
});

/// Adds the mutations that break a rule for a move.
fn add_breaking(rule: Rule, facts: Facts, mutations: &mut Mutations) {
    for &(mutation, accepted) in &BY_RULE[rule as usize] {
        if facts.is_within(accepted) {
            mutations.insert(mutation);
        }
    }
}

/// The mutations that would have changed the behaviour of the generator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Relevant {
    /// The mutations that would have changed it if they were added to the active ones.
    pub added: Mutations,
    /// The mutations that would have changed it if each were the only active one, because it would not break a rule
    /// that was broken.
    pub instead: Mutations,
}

impl Relevant {
    /// Returns the mutations that are in one of the sets or in both.
    pub fn union(self, other: Relevant) -> Relevant {
        Relevant { added: self.added.union(other.added), instead: self.instead.union(other.instead) }
    }

    /// Whether a generator with only one of these mutations may behave differently.
    pub fn differ_for(&self, mutations: Mutations) -> bool {
        self.added.intersects(mutations) || self.instead.intersects(mutations)
    }
}

/// The active mutations, and the mutations that could have changed something.
///
/// The generator reads mutations only through [`Rules::is_broken`], and only where a broken rule changes its behaviour.
/// So it behaves in exactly the same way with all mutations that are not relevant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// The active mutations.
    pub mutations: Mutations,
    /// The mutations that could have changed something so far.
    pub relevant: Relevant,
}

impl Rules {
    /// Whether a rule is broken for a move.
    pub fn is_broken(&mut self, rule: Rule, facts: Facts) -> bool {
        self.is_any_broken(&[rule], facts)
    }

    /// Whether any of these rules is broken for a move.
    pub fn is_any_broken(&mut self, rules: &[Rule], facts: Facts) -> bool {
        let mut breaking = Mutations::NONE;
        for &rule in rules {
            add_breaking(rule, facts, &mut breaking);
        }
        let is_broken = breaking.intersects(self.mutations);
        if is_broken {
            self.relevant.instead = self.relevant.instead.union(breaking.others());
        } else {
            self.relevant.added = self.relevant.added.union(breaking);
        }
        is_broken
    }
}

//! The active mutation of a generator, and those that could have changed something in its place.

use std::sync::LazyLock;

use super::catalogue::Mutation;
use super::facts::Facts;
use super::rules::{Break, Rule};
use super::set::MutationSet;

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

/// The active mutation, and the mutations that could have changed something.
///
/// The generator reads the mutation only through [`Rules::is_broken`], and only where a broken rule changes its
/// behaviour. So it behaves in exactly the same way with each mutation that is not relevant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// The active mutation.
    pub mutation: Option<Mutation>,
    /// The mutations that could have changed something so far if they were active instead.
    pub relevant: MutationSet,
}

impl Rules {
    pub fn new(mutation: Option<Mutation>) -> Rules {
        Rules { mutation, relevant: MutationSet::default() }
    }

    /// Whether a rule is broken for a move.
    pub fn is_broken(&mut self, rule: Rule, facts: Facts) -> bool {
        self.is_any_broken(&[rule], facts)
    }

    /// Whether any of these rules is broken for a move.
    pub fn is_any_broken(&mut self, rules: &[Rule], facts: Facts) -> bool {
        let mut breaking = MutationSet::default();
        for &rule in rules {
            for &(mutation, accepted) in &BY_RULE[rule as usize] {
                if facts.is_within(accepted) {
                    breaking.insert(mutation);
                }
            }
        }
        let is_broken = self.mutation.is_some_and(|mutation| breaking.contains(mutation));
        let different = if is_broken { breaking.complement() } else { breaking };
        self.relevant = self.relevant.union(different);
        is_broken
    }
}

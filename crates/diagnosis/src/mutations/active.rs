//! The active mutation of a generator, and those that could have changed something in its place.

use std::cell::RefCell;
use std::sync::LazyLock;

use super::catalogue::Mutation;
use super::facts::Facts;
use super::rules::{Break, Rule};
use super::set::MutationSet;

/// The mutations that break a rule.
#[derive(Default)]
struct Breaking {
    /// The attributes that distinguish these mutations.
    distinguishing: Facts,
    mutations: Vec<(Mutation, Facts)>,
}

/// The mutations that break each rule.
static BY_RULE: LazyLock<Vec<Breaking>> = LazyLock::new(|| {
    let mut by_rule: Vec<Breaking> = Vec::new();
    for &mutation in Mutation::ALL {
        for &Break { rule, accepted } in mutation.breaks() {
            let rules = by_rule.len().max(rule as usize + 1);
            by_rule.resize_with(rules, Breaking::default);
            let breaking = &mut by_rule[rule as usize];
            breaking.distinguishing = breaking.distinguishing | accepted.restricted();
            breaking.mutations.push((mutation, accepted));
        }
    }
    by_rule
});

/// The number of known sets. There are about 500 different questions, so few share a place.
const KNOWN: usize = 4096;

thread_local! {
    /// The mutations that break a rule for some facts, for the facts that were asked last.
    static BREAKING: RefCell<Vec<(u64, MutationSet)>> =
        RefCell::new(vec![(u64::MAX, MutationSet::default()); KNOWN]);
}

/// Returns the mutations that break a rule for some facts.
fn breaking(rule: Rule, facts: Facts) -> MutationSet {
    let all = &BY_RULE[rule as usize];
    let facts = facts & all.distinguishing;
    let key = facts.key() | (rule as u64) << 56;
    BREAKING.with_borrow_mut(|known| {
        let place = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52;
        let known = &mut known[place as usize];
        if known.0 != key {
            let mutations = all.mutations.iter().filter(|(_, accepted)| facts.is_within(*accepted));
            *known = (key, mutations.map(|(mutation, _)| *mutation).collect());
        }
        known.1
    })
}

/// The active mutation, and the mutations that could have changed something.
///
/// The generator reads the mutation only through [`Rules::is_broken`], and only where a broken rule changes its
/// behaviour. So it behaves in exactly the same way with each mutation that is not relevant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// The rules that the active mutation breaks.
    broken: &'static [Break],
    /// Whether relevant mutations are recorded.
    records: bool,
    /// The mutations that could have changed something so far if they were active instead.
    pub relevant: MutationSet,
}

impl Rules {
    /// Returns the rules with a mutation, or with none.
    pub fn new(mutation: Option<Mutation>) -> Rules {
        let broken = mutation.map_or(&[][..], Mutation::breaks);
        Rules { broken, records: false, relevant: MutationSet::default() }
    }

    /// Returns the rules with a mutation, or with none. The relevant mutations are recorded.
    pub fn recorded(mutation: Option<Mutation>) -> Rules {
        Rules { records: true, ..Rules::new(mutation) }
    }

    /// Whether a rule is broken for a move.
    #[inline]
    pub fn is_broken(&mut self, rule: Rule, facts: Facts) -> bool {
        self.is_any_broken(&[rule], facts)
    }

    /// Whether any of these rules is broken for a move.
    #[inline]
    pub fn is_any_broken(&mut self, rules: &[Rule], facts: Facts) -> bool {
        let mut is_broken = false;
        for broken in self.broken {
            for &rule in rules {
                is_broken |= rule as u8 == broken.rule as u8 && facts.is_within(broken.accepted);
            }
        }
        if self.records && !rules.is_empty() {
            self.record(rules, facts, is_broken);
        }
        is_broken
    }

    fn record(&mut self, rules: &[Rule], facts: Facts, is_broken: bool) {
        let mut breaking = breaking(rules[0], facts);
        for &rule in &rules[1..] {
            breaking = breaking.union(self::breaking(rule, facts));
        }
        self.relevant = self.relevant.union(if is_broken { breaking.complement() } else { breaking });
    }
}

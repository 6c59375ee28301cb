//! Tests that counts that are all wrong in the same way are one bug, and that no rule is blamed.

use perft_core::suite::builtin;
use perft_core::{Position, StopSignal};
use perft_diagnosis::mutations::Mutation;
use perft_diagnosis::source::{CountSource, Question, from_fn};
use perft_diagnosis::{HuntSummary, SearchOptions, Verdict, hunt};
use perft_testing::faulty::FaultySource;
use perft_testing::planted::targets;

use crate::right;

type Total = fn(&Position, u32) -> u128;

/// Returns a right generator whose totals are changed.
fn changed(total: Total) -> Box<dyn CountSource> {
    Box::new(from_fn(move |question| total(&question.end().unwrap(), question.depth)))
}

fn hunted(source: impl Fn() -> Box<dyn CountSource> + Sync, threads: usize) -> HuntSummary {
    let targets = targets("", 10_000);
    let options = SearchOptions { threads, ..SearchOptions::default() };
    hunt(|number| targets.get(number).cloned(), source, options, &StopSignal::default(), |_| {})
}

/// Expects one finding, with this pattern.
fn assert_pattern(summary: &HuntSummary, about: &str) {
    let found: Vec<_> = summary
        .findings
        .iter()
        .map(|found| {
            (found.verdict, found.causes.models.iter().map(|model| model.about()).collect::<Vec<_>>())
        })
        .collect();
    assert_eq!(found.len(), 1, "{about}: {found:?}");
    assert_eq!(found[0].0, Verdict::Pattern, "{about}");
    assert!(found[0].1[0].contains(about), "{about}: {found:?}");
    assert!(summary.findings[0].fault.path.moves.is_empty());
    assert!(summary.questions < 2_000, "{}", summary.questions);
}

fn all_nodes(position: &Position, depth: u32) -> u128 {
    (1..=depth).map(|depth| position.perft(depth)).sum()
}

#[test]
fn totals_of_another_kind_are_named() {
    let patterns: [(Total, &str); 7] = [
        (|position, depth| position.perft(depth - 1), "the depth below"),
        (|position, depth| position.perft(depth + 1), "the depth above"),
        (all_nodes, "All nodes except the root are counted"),
        (|position, depth| 1 + all_nodes(position, depth), "All nodes are counted"),
        (|position, depth| 1 + all_nodes(position, depth - 1), "above the last depth"),
        (|position, depth| position.perft(depth.min(2)), "greater than 2 are counted as depth 2"),
        (|position, depth| position.perft(depth.min(1)), "greater than 1 are counted as depth 1"),
    ];
    for (total, about) in patterns {
        assert_pattern(&hunted(|| changed(total), 2), about);
    }
}

#[test]
fn root_moves_with_nothing_below_are_named() {
    for greatest_depth in [1, 9] {
        let zero = move |question: &Question| {
            let mut answer = right(question);
            answer
                .moves
                .iter_mut()
                .filter(|_| question.depth <= greatest_depth)
                .for_each(|known| known.1 = 0);
            answer
        };
        assert_pattern(&hunted(|| Box::new(from_fn(zero)), 1), "The count at depth 0 is 0");
    }
}

#[test]
fn moves_that_are_not_tested_for_check_are_named() {
    let source = || -> Box<dyn CountSource> { Box::new(FaultySource::new(Some(Mutation::PseudoLegal))) };
    assert_pattern(&hunted(source, 1), "Moves are not tested for check");
}

/// A bug of one rule is explained as usual, even if it changes the counts of the survey.
#[test]
fn a_bug_of_a_rule_is_no_pattern() {
    for mutation in
        [Mutation::NoEnPassant, Mutation::NoCastling, Mutation::NoDoubleStep, Mutation::PinsIgnored]
    {
        let summary = hunted(|| Box::new(FaultySource::new(Some(mutation))), 1);
        assert!(summary.findings.iter().all(|found| found.verdict != Verdict::Pattern), "{mutation:?}");
        assert!(!summary.findings.is_empty(), "{mutation:?}");
    }
}

/// The numbers of the survey show the pattern on the start position.
#[test]
fn the_start_position_shows_the_pattern() {
    let summary = hunted(|| changed(|position, depth| position.perft(depth - 1)), 1);
    let fault = &summary.findings[0].fault;
    assert_eq!((fault.path.root, fault.depth), (builtin::position("start").unwrap().position, 1));
    let difference = &fault.difference;
    assert_eq!((difference.ours, difference.theirs), (20, 1));
    let text = summary.findings[0].to_string();
    let proof = "it reproduces all 3 answers about this position, and contradicts none of 6 others\n";
    assert!(text.contains(proof), "{text}");
}

//! Tests that every mutation is found from the counts of three positions.

use std::collections::HashSet;
use std::sync::Mutex;

use perft_core::suite::builtin;
use perft_core::{Interrupted, Position, StopSignal, perft};
use perft_diagnosis::internals::{MergedCount, MutationSearch, RightTree};
use perft_diagnosis::mutations::{Mutation, count};
use perft_diagnosis::{CheckedClaim, Claim, Diagnosis, DiagnosisEvent, Miscount, Mistake, diagnose};
use rayon::prelude::*;

/// Returns the numbers that a program with this mutation gives.
fn claims(positions: &[(&str, u32)], mutation: Option<Mutation>) -> Vec<Claim> {
    let stop = StopSignal::default();
    let claim = |&(name, depth): &(&str, u32)| {
        let position = builtin::position(name).unwrap().position;
        let tree = RightTree::of(&position, depth, &stop).unwrap();
        let (counted, _) = MergedCount::new(mutation, &tree, None, &stop).count_all(&position).unwrap();
        Claim { position, depth, nodes: counted.nodes[depth as usize].into() }
    };
    positions.iter().map(claim).collect()
}

fn right_count(position: &Position, depth: u32) -> Result<u128, Interrupted> {
    Ok(perft(position, depth))
}

fn diagnosed(claims: &[Claim]) -> Diagnosis {
    diagnose(claims, &right_count, &StopSignal::default(), &|_| {}).unwrap()
}

fn names(diagnosis: &Diagnosis) -> Vec<&'static str> {
    diagnosis.best().iter().map(|candidate| candidate.mistake.name()).collect()
}

#[test]
fn right_numbers_need_no_explanation() {
    let diagnosis = diagnosed(&claims(&[("start", 3), ("kiwipete", 2)], None));
    assert!(diagnosis.is_right() && diagnosis.candidates.is_empty());
}

/// This test leaves out the counts that distinguish candidates, because they take most of the time.
#[test]
fn each_mutation_is_among_the_best_if_it_changes_a_number() {
    let positions = [("kiwipete", 2), ("mirrored", 2), ("endgame", 3)];
    let stop = StopSignal::default();
    let found = Mutation::ALL.par_iter().filter(|&&mutation| {
        let checked = claims(&positions, Some(mutation)).into_iter().map(|claim| {
            let right = perft(&claim.position, claim.depth);
            CheckedClaim { claim, right }
        });
        let checked: Vec<CheckedClaim> = checked.collect();
        if checked.iter().all(CheckedClaim::is_right) {
            return false;
        }
        let search = MutationSearch::new(&checked, &stop, &|_| {}).unwrap();
        let diagnosis = search.diagnosis(&right_count);
        let mut best = diagnosis.best().iter();
        let candidate = best.find(|candidate| candidate.mistake == Mistake::Mutation(mutation));
        assert_eq!(candidate.map(|candidate| candidate.explained), Some(3), "{mutation:?}");
        true
    });
    let found = found.count();
    assert!(found >= 150, "{found}");
}

#[test]
fn a_variant_that_gives_the_same_number_stands_behind_its_general_form() {
    let diagnosis = diagnosed(&claims(&[("kiwipete", 2)], Some(Mutation::NoEnPassant)));
    let general = Mistake::Mutation(Mutation::NoEnPassant);
    assert_eq!((diagnosis.best()[0].mistake, diagnosis.best()[0].variant_of), (general, None));
    let of = |mutation: Mutation| {
        let mut best = diagnosis.best().iter();
        let candidate = best.find(|candidate| candidate.mistake == Mistake::Mutation(mutation));
        candidate.and_then(|candidate| candidate.variant_of)
    };
    assert_eq!(of(Mutation::NoEnPassantByBlackTowardsA), Some(general));
    assert_eq!(of(Mutation::LeafEnPassantMissing), None);
    let first = diagnosis.best().iter().position(|candidate| candidate.variant_of.is_some()).unwrap();
    assert!(diagnosis.best()[first..].iter().all(|candidate| candidate.variant_of.is_some()));
}

#[test]
fn telling_counts_are_what_each_candidate_counts() {
    let diagnosis = diagnosed(&claims(&[("mirrored", 2)], Some(Mutation::NoPromotion)));
    assert_eq!(names(&diagnosis)[..2], ["no-promotion", "promotion-to-queen-only"]);
    assert!(!diagnosis.telling.is_empty());
    for telling in &diagnosis.telling {
        assert_eq!(perft(&telling.position, telling.depth), telling.right);
        for (candidate, &nodes) in diagnosis.best().iter().zip(&telling.nodes) {
            let Mistake::Mutation(mutation) = candidate.mistake else { continue };
            assert_eq!(u128::from(count(&telling.position, telling.depth, Some(mutation))), nodes);
        }
    }
    let signature = |index: usize| -> Vec<u128> {
        diagnosis.telling.iter().map(|telling| telling.nodes[index]).collect()
    };
    assert_ne!(signature(0), signature(1));
}

#[test]
fn each_telling_count_distinguishes_more_candidates() {
    let diagnosis = diagnosed(&claims(&[("kiwipete", 2)], Some(Mutation::NoEnPassant)));
    assert!(diagnosis.telling.len() > 1);
    let distinguished = |number: usize| {
        let of = |index| diagnosis.telling[..number].iter().map(|telling| telling.nodes[index]).collect();
        (0..diagnosis.telling[0].nodes.len()).map(of).collect::<HashSet<Vec<u128>>>().len()
    };
    for number in 1..=diagnosis.telling.len() {
        assert!(distinguished(number) > distinguished(number - 1), "{number}");
    }
}

#[test]
fn mistakes_in_adding_up_are_found() {
    let start = Position::start();
    let of = |depth, nodes| names(&diagnosed(&[Claim { position: start, depth, nodes }]));
    assert_eq!(of(3, 400), ["depth-one-less"]);
    assert_eq!(of(3, 197_281), ["depth-one-more"]);
    assert_eq!(of(3, 9_322), ["all-nodes"]);
    assert_eq!(of(3, 9_323), ["all-nodes-and-root"]);
    assert_eq!(of(3, 421), ["inner-nodes"]);
}

#[test]
fn large_counts_are_not_tried_with_mutations() {
    let right = 3_195_901_860_u128;
    let claim = Claim { position: Position::start(), depth: 7, nodes: right + 1 };
    let checked = CheckedClaim { claim, right };
    assert!(!checked.is_tried() && !checked.is_right());
}

#[test]
fn an_interrupted_diagnosis_has_what_was_found_before() {
    let claims = claims(&[("kiwipete", 3)], Some(Mutation::ALL[0]));
    let stop = StopSignal::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let stop_at_once = |event| {
        if event == DiagnosisEvent::Tried {
            stop.raise();
        }
    };
    let diagnosis = pool.install(|| diagnose(&claims, &right_count, &stop, &stop_at_once)).unwrap();
    assert!(!diagnosis.is_complete);
    assert_eq!(diagnosis.tried, 1 + Miscount::ALL.len());
    assert!(names(&diagnosis).contains(&Mutation::ALL[0].name()), "{:?}", names(&diagnosis));
}

#[test]
fn each_mistake_that_is_tried_is_an_event() {
    let mut claims = claims(&[("kiwipete", 2)], None);
    claims[0].nodes += 1000;
    let events = Mutex::new(Vec::new());
    let note = |event| events.lock().unwrap().push(event);
    diagnose(&claims, &right_count, &StopSignal::default(), &note).unwrap();
    let events = events.into_inner().unwrap();
    let (all, of_rules) = (Mistake::KNOWN, Mutation::ALL.len());
    let begins = [events[0], events[all + 1]];
    assert_eq!(begins, [all, of_rules].map(DiagnosisEvent::Begins));
    let tried = events.iter().filter(|&&event| event == DiagnosisEvent::Tried).count();
    assert_eq!(tried, all + of_rules);
}

//! Tests that wrong numbers lead to the mistake that gives them.

use std::collections::HashSet;
use std::sync::Mutex;

use perft_core::suite::builtin;
use perft_core::{CastlingNotation, Position, StopSignal};
use perft_diagnosis::mutations::{RuleModel, Scope};
use perft_diagnosis::source::Answer;
use perft_diagnosis::{Diagnosis, Model, MovePath, Told, diagnose};
use rayon::prelude::*;

fn told(name: &str, depth: u32, answer: impl Into<Answer>) -> Told {
    let path = MovePath::new(builtin::position(name).unwrap().position);
    let ours = path.end.divide(depth);
    Told::new(path, depth, ours, answer.into())
}

/// Returns the totals of a program with this mistake.
fn totals(positions: &[(&str, u32)], model: RuleModel) -> Vec<Told> {
    let total = |&(name, depth): &(&str, u32)| {
        let path = MovePath::new(builtin::position(name).unwrap().position);
        told(name, depth, model.count(&path, depth))
    };
    positions.iter().map(total).collect()
}

fn diagnosed(answers: Vec<Told>) -> Diagnosis {
    diagnose(answers, &StopSignal::default(), &|_| {})
}

fn names(diagnosis: &Diagnosis) -> Vec<String> {
    diagnosis.causes.iter().map(|model| model.name()).collect()
}

fn rule(name: &str) -> RuleModel {
    RuleModel::all().iter().copied().find(|model| model.name() == name).unwrap()
}

/// Two bugs that each change other numbers: the one that gives most of them is told, with what it would give for the other.
#[test]
fn a_rule_that_gives_all_numbers_but_one_is_told() {
    let mut answers =
        totals(&[("kiwipete", 2), ("mirrored", 2), ("kiwipete", 3), ("mirrored", 3)], rule("no-castling"));
    let alone = answers[3].difference.theirs;
    answers[3] = told("mirrored", 3, alone + 7);
    let found = diagnosed(answers.clone());
    assert!(found.causes.is_empty());
    let all_but_one = |found: &Diagnosis| found.all_but_one(&StopSignal::default(), &|_| {}).unwrap();
    let found = all_but_one(&found);
    let found: Vec<_> = found.iter().map(|one| (one.model.name(), one.answer, one.total)).collect();
    assert_eq!(found, [("no-castling".to_owned(), 3, alone as u64)]);
    answers[2] = told("kiwipete", 3, 90_000_u64);
    assert!(all_but_one(&diagnosed(answers)).is_empty());
}

/// Public numbers of programs that were wrong, each with the mistake that gives them.
#[test]
fn numbers_of_real_programs_have_their_mistake() {
    let answers = vec![told("start", 3, 9194_u64), told("start", 4, 209_691_u64)];
    assert_eq!(names(&diagnosed(answers)), ["double-step-from-any-rank-plain"]);
}

#[test]
fn each_rule_is_among_the_causes_if_it_changes_a_number() {
    let positions = [("kiwipete", 2), ("mirrored", 2), ("endgame", 3)];
    let everywhere: Vec<RuleModel> =
        RuleModel::all().iter().copied().filter(|model| model.scope == Scope::Everywhere).collect();
    let found = everywhere.par_iter().step_by(7).filter(|&&model| {
        let answers = totals(&positions, model);
        if answers.iter().all(Told::is_right) {
            return false;
        }
        let diagnosis = diagnosed(answers);
        let is_broader = |cause: &Model| match cause {
            Model::Rule(rule) => *rule == model || model.mutation.is_variant_of(rule.mutation),
            _ => false,
        };
        assert!(diagnosis.causes.iter().any(is_broader), "{}", model.name());
        true
    });
    assert!(found.count() >= 25);
}

#[test]
fn telling_counts_are_what_each_cause_gives() {
    let diagnosis = diagnosed(totals(&[("mirrored", 2)], rule("no-promotion")));
    assert!(names(&diagnosis).contains(&"promotion-to-queen-only".to_owned()), "{:?}", names(&diagnosis));
    assert!(!diagnosis.telling.is_empty());
    for telling in &diagnosis.telling {
        for (model, total) in diagnosis.causes.iter().zip(&telling.totals) {
            let Model::Rule(rule) = model else { continue };
            let nodes = rule.count(&telling.question.path, telling.question.depth);
            assert_eq!(*total, Some(nodes.into()), "{}", rule.name());
        }
    }
    let distinguished = |number: usize| {
        let of = |index| diagnosis.telling[..number].iter().map(|telling| telling.totals[index]).collect();
        (0..diagnosis.telling[0].totals.len()).map(of).collect::<HashSet<Vec<_>>>().len()
    };
    for number in 1..=diagnosis.telling.len() {
        assert!(distinguished(number) > distinguished(number - 1), "{number}");
    }
}

#[test]
fn mistakes_in_adding_up_are_found() {
    let of = |answers: &[(&str, u32, i128)]| {
        let told = |&(name, depth, theirs): &(&str, u32, i128)| told(name, depth, Answer::from(theirs));
        names(&diagnosed(answers.iter().map(told).collect()))
    };
    assert_eq!(of(&[("start", 3, 400)]), ["depth-one-less", "stops-at-depth-2"]);
    assert_eq!(of(&[("start", 3, 400), ("start", 2, 20)]), ["depth-one-less"]);
    assert_eq!(of(&[("start", 3, 197_281)]), ["depth-one-more"]);
    assert_eq!(of(&[("start", 3, 9_322)])[0], "all-nodes");
    assert_eq!(of(&[("start", 3, 9_323)])[0], "all-nodes-and-root");
    assert_eq!(of(&[("start", 3, 421)])[0], "inner-nodes");
    assert_eq!(of(&[("kiwipete", 3, 97_862 - 65_536)]), ["low-16-bits", "signed-16-bits"]);
    assert_eq!(of(&[("kiwipete", 3, 97_862 - 65_536), ("talkchess", 3, -3157)]), ["signed-16-bits"]);
    assert_eq!(of(&[("start", 2, 4_200)]), ["list-kept"]);
}

/// If the counts below all moves are right, no mistake in counting gives a wrong total. A mistake gives both.
#[test]
fn a_cause_gives_the_counts_below_the_moves_too() {
    let rows = |name: &str, depth: u32, add: fn(&Position, u32) -> u128| -> Vec<(String, u128)> {
        let position = builtin::position(name).unwrap().position;
        let moves = position.legal_moves().into_iter();
        moves
            .map(|m| (m.to_uci(CastlingNotation::Standard), add(&position.play_legal(m), depth - 1)))
            .collect()
    };
    let right: fn(&Position, u32) -> u128 = |position, depth| position.perft(depth);
    let shallow: fn(&Position, u32) -> u128 = |position, depth| position.perft(depth - 1);
    for (name, depth) in [("start", 3), ("kiwipete", 1), ("endgame", 2)] {
        let position = builtin::position(name).unwrap().position;
        for total in [0, 1, position.perft(depth - 1), position.perft(depth) + 2, position.perft(depth + 1)] {
            let answer = Answer {
                moves: rows(name, depth, right),
                stated_total: Some(total as i128),
                ..Answer::default()
            };
            assert_eq!(
                names(&diagnosed(vec![told(name, depth, answer)])),
                [""; 0],
                "{name}, {depth}, {total}"
            );
        }
    }
    let names = names(&diagnosed(vec![told("start", 3, rows("start", 3, shallow))]));
    assert_eq!(names, ["depth-one-less", "stops-at-depth-2"]);
}

/// Several numbers of one program must all come from one mistake.
#[test]
fn a_cause_explains_every_number() {
    let mut answers = totals(&[("kiwipete", 2), ("mirrored", 2)], rule("no-en-passant"));
    assert!(names(&diagnosed(answers.clone())).contains(&"no-en-passant".to_owned()));
    answers[1].difference.theirs += 7;
    assert_eq!(names(&diagnosed(answers)), [""; 0]);
}

/// A divide says more than its total.
#[test]
fn a_divide_leaves_fewer_causes_than_its_total() {
    let model = rule("pinned-piece-moves");
    let path = MovePath::new(builtin::position("kiwipete").unwrap().position);
    let listed: Vec<(String, u128)> = model
        .divide(&path, 3)
        .into_iter()
        .map(|(played, nodes)| (played.to_uci(path.notation()), nodes.into()))
        .collect();
    let by_total = names(&diagnosed(totals(&[("kiwipete", 3)], model)));
    let by_divide = names(&diagnosed(vec![told("kiwipete", 3, listed)]));
    assert!(by_divide.contains(&"pinned-piece-moves".to_owned()));
    assert!(by_divide.len() <= by_total.len() && by_divide.iter().all(|name| by_total.contains(name)));
}

#[test]
fn the_number_of_models_before_each_answer_is_told() {
    let events = Mutex::new(Vec::new());
    let answers = totals(&[("kiwipete", 2), ("mirrored", 2)], rule("no-castling"));
    let diagnosis = diagnose(answers, &StopSignal::default(), &|left| events.lock().unwrap().push(left));
    let events = events.into_inner().unwrap();
    let mut tried: Vec<usize> = diagnosis.tried.iter().map(|tried| tried.models).collect();
    tried.sort_by(|a, b| b.cmp(a));
    assert_eq!(events, tried);
    assert_eq!(events[0], Model::all().count());
    assert!(events[1] < events[0]);
}

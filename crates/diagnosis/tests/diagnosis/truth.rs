//! Tests that everything that a hunt says about a program with a known bug is true.

mod causes;
mod facts;
mod kinds;
mod programs;
mod sentences;

use perft_core::{StopSignal, suite};
use perft_diagnosis::mutations::RuleModel;
use perft_diagnosis::random::Random;
use perft_diagnosis::source::{Answer, CountSource};
use perft_diagnosis::{DivideDifference, MovePath, random_target};
use perft_testing::wrong::program::{Form, Log, Planted, Program};
use perft_testing::wrong::{Bug, Bugs};

use programs::{Results, all_targets, examine_all};

/// Returns the answer of a program without a bug about the end of a path.
fn right_answer(path: &MovePath, depth: u32) -> Answer {
    let mut program = Program::new(Planted::Bugs(Bugs::default()), Form::Lists, &Log::default());
    program.ask(&path.question(depth), &StopSignal::default()).unwrap()
}

#[test]
fn the_plain_generator_is_right_without_a_bug() {
    let suites = [suite::named(), suite::standard()];
    let cases = suites.into_iter().flat_map(|suite| &suite.cases);
    for case in cases {
        for known in case.expected.iter().filter(|known| known.nodes <= 5_000) {
            let answer = right_answer(&MovePath::new(case.position), known.depth);
            assert_eq!(answer.count(), Some(known.nodes), "{}", case.name());
        }
    }
    let random = (0..300).map(|number| random_target(5, number, 2)).filter(|target| {
        let path = &target.path;
        !path.question(1).is_chess960
    });
    for target in random {
        for depth in target.depths {
            let (path, ours) = (&target.path, target.path.end.divide(depth));
            let found = DivideDifference::new(&path.end, &ours, &right_answer(path, depth));
            assert!(found.is_right(), "{:?} {found:?}", path.question(depth));
        }
    }
}

/// Returns each bug of the plain generator in each form.
fn bugs() -> Vec<(Planted, Form)> {
    let of = |&bug: &Bug| Form::ALL.map(|form| (Planted::Bugs(bug.into()), form));
    Bug::ALL.iter().flat_map(of).collect()
}

/// Returns each model of a mutation in each form.
fn models() -> Vec<(Planted, Form)> {
    let of = |&model: &RuleModel| Form::ALL.map(|form| (Planted::Rule(model), form));
    RuleModel::all().iter().flat_map(of).collect()
}

/// Returns programs with two or three bugs.
fn several(count: usize) -> Vec<(Planted, Form)> {
    let mut random = Random::new(7);
    let mut program = || {
        let bugs: Vec<Bug> = (0..2 + random.below(2)).map(|_| random.pick(Bug::ALL)).collect();
        (Planted::Bugs(Bugs::new(&bugs)), random.pick(&Form::ALL))
    };
    (0..count).map(|_| program()).collect()
}

/// Returns a random part of the programs.
fn sample(mut programs: Vec<(Planted, Form)>, count: usize) -> Vec<(Planted, Form)> {
    let mut random = Random::new(11);
    let mut taken = Vec::new();
    while taken.len() < count && !programs.is_empty() {
        taken.push(programs.swap_remove(random.below(programs.len())));
    }
    taken
}

fn examine(title: &str, programs: &[(Planted, Form)]) -> Results {
    let results = examine_all(programs, &all_targets(400));
    results.print(title);
    results
}

#[test]
fn each_sentence_about_some_programs_is_true() {
    let groups = [("bugs", bugs(), 8), ("models", models(), 4), ("several bugs", several(60), 4)];
    let results = groups.map(|(title, programs, count)| examine(title, &sample(programs, count)));
    let wrong = results.map(|results| (results.false_sentences, results.not_found));
    assert_eq!(wrong, [(0, 0); 3]);
}

/// One bug that was told as two, and three of which one was told as a bug of the last ply: an answer about the position
/// that was set up before stood beside a right one.
#[test]
fn each_sentence_about_programs_that_were_misjudged_is_true() {
    use Bug::{NoPassedSquareOnE, RefusesUselessEnPassant, RookStopsAtC, UnmakePromotionCaptureLosesPiece};
    let program = |bugs: &[Bug]| (Planted::Bugs(Bugs::new(bugs)), Form::Totals);
    let three = [NoPassedSquareOnE, UnmakePromotionCaptureLosesPiece, RefusesUselessEnPassant];
    let results = examine("misjudged", &[program(&[RookStopsAtC]), program(&three)]);
    assert_eq!((results.false_sentences, results.not_found), (0, 0));
}

#[test]
#[ignore = "takes minutes"]
fn each_sentence_about_bugs_is_true() {
    let results = examine("bugs", &bugs());
    assert_eq!((results.false_sentences, results.not_found), (0, 0));
}

#[test]
#[ignore = "takes minutes"]
fn each_sentence_about_models_is_true() {
    let results = examine("models", &sample(models(), 100));
    assert_eq!((results.false_sentences, results.not_found), (0, 0));
}

#[test]
#[ignore = "takes minutes"]
fn each_sentence_about_several_bugs_is_true() {
    let results = examine("several bugs", &several(200));
    assert_eq!((results.false_sentences, results.not_found), (0, 0));
}

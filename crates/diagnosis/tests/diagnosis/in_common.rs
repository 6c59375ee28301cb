//! Tests what wrong answers have in common: it is told if they have something in common, and chance is not told.

use perft_core::suite::{self, Suite};
use perft_core::{MoveKind, Position};
use perft_diagnosis::random::Random;
use perft_diagnosis::{MovePath, PropertySet, in_common};

/// The questions of a suite with at most this number of leaf nodes, and their properties.
fn questions(suite: &Suite, max_nodes: u128) -> Vec<(Position, u32, PropertySet)> {
    let mut questions = Vec::new();
    let mut before: Option<(MovePath, PropertySet)> = None;
    for case in &suite.cases {
        for known in case.expected.iter().filter(|known| known.nodes <= max_nodes && known.depth > 0) {
            let path = MovePath::new(case.position);
            let earlier = before.as_ref().map(|(path, set)| (path, set));
            let set = PropertySet::of_question(&path, known.depth, known.nodes, earlier);
            questions.push((case.position, known.depth, set.clone()));
            before = Some((path, set));
        }
    }
    questions
}

/// Whether a move of some kind occurs in a tree.
fn occurs(position: &Position, depth: u32, is_meant: &dyn Fn(&Position, MoveKind) -> bool) -> bool {
    position.legal_moves().into_iter().any(|played| {
        is_meant(position, played.kind())
            || depth > 1 && occurs(&position.play_legal(played), depth - 1, is_meant)
    })
}

#[test]
fn what_all_wrong_answers_share_is_told_with_exact_figures() {
    let questions = questions(suite::standard(), 1_500);
    let is_meant = |position: &Position, kind| {
        kind == MoveKind::PromoteKnight && position.turn() == perft_core::Color::Black
    };
    let judged = |(position, depth, set): &(Position, u32, PropertySet)| {
        (set.clone(), occurs(position, *depth, &is_meant))
    };
    let answers: Vec<(PropertySet, bool)> = questions.iter().map(judged).collect();
    let found = in_common(&answers);
    let wrong = answers.iter().filter(|(_, is_wrong)| *is_wrong).count();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].wrong_with, found[0].with, found[0].wrong_without), (wrong, wrong, 0));
    assert_eq!(found[0].without, answers.len() - wrong);
    assert_eq!(found[0].to_string(), "a promotion with Black to move");
}

/// Puts wrong answers at random, and returns in how many of the runs something is told.
fn told_by_chance(sets: &[PropertySet], runs: u64) -> usize {
    let is_told = |seed: &u64| {
        let mut random = Random::new(*seed);
        // Few wrong answers are as frequent as many.
        let size = 1 + random.below(8);
        let wrong = 1 + random.below(1 << size);
        let mut answers: Vec<(PropertySet, bool)> = sets.iter().map(|set| (set.clone(), false)).collect();
        for _ in 0..wrong {
            let place = random.below(answers.len());
            answers[place].1 = true;
        }
        !in_common(&answers).is_empty()
    };
    (0..runs).filter(is_told).count()
}

/// The limit of what is told was chosen with this test: in one of a hundred runs, chance is told.
#[test]
fn chance_is_told_in_one_of_a_hundred_runs() {
    let sets: Vec<PropertySet> = questions(suite::standard(), 600).into_iter().map(|(.., set)| set).collect();
    let runs = std::env::var("RUNS").map_or(200, |runs| runs.parse().unwrap());
    let told = told_by_chance(&sets, runs);
    println!("{told} of {runs} runs, {} questions", sets.len());
    assert!(told as u64 * 100 <= runs, "{told}");
}

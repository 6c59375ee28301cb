//! Tests what wrong answers have in common: it is told if they have something in common, and chance is not told.

use std::cmp::Reverse;

use perft_core::suite::{self, Suite};
use perft_core::{Move, MoveKind, Position, Square, StopSignal};
use perft_diagnosis::random::Random;
use perft_diagnosis::source::{Question, from_fn};
use perft_diagnosis::{HuntSummary, MovePath, PropertySet, SearchOptions, Theme, explain, hunt, in_common};
use perft_testing::planted::targets;

use crate::right;

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
    let found = in_common(by_reference(&answers));
    let wrong = answers.iter().filter(|(_, is_wrong)| *is_wrong).count();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].wrong_with, found[0].with, found[0].wrong_without), (wrong, wrong, 0));
    assert_eq!(found[0].without, answers.len() - wrong);
    assert_eq!(found[0].to_string(), "a promotion with Black to move");
}

fn by_reference(answers: &[(PropertySet, bool)]) -> Vec<(&PropertySet, bool)> {
    answers.iter().map(|(set, is_wrong)| (set, *is_wrong)).collect()
}

/// Puts wrong answers at random among the first ones of some sets, and returns in how many of the runs something else than
/// their depth is told.
fn told_by_chance(sets: &[PropertySet], first: usize, runs: u64) -> usize {
    let is_told = |seed: &u64| {
        let mut random = Random::new(*seed);
        // Few wrong answers are as frequent as many.
        let size = 1 + random.below(8);
        let wrong = 1 + random.below(1 << size);
        let mut answers: Vec<(PropertySet, bool)> = sets.iter().map(|set| (set.clone(), false)).collect();
        for _ in 0..wrong {
            let place = random.below(first);
            answers[place].1 = true;
        }
        in_common(by_reference(&answers)).iter().any(|found| !found.to_string().starts_with("a depth above"))
    };
    (0..runs).filter(is_told).count()
}

/// The limits of what is told were chosen with this test: in one of a hundred runs, chance is told. Wrong answers are put
/// among all and, as those of a table are, among deep ones.
#[test]
fn chance_is_told_in_one_of_a_hundred_runs() {
    let mut questions = questions(suite::standard(), 600);
    questions.sort_by_key(|(_, depth, _)| Reverse(*depth));
    let depths: Vec<u32> = questions.iter().map(|(_, depth, _)| *depth).collect();
    let sets: Vec<PropertySet> = questions.into_iter().map(|(.., set)| set).collect();
    let runs = std::env::var("RUNS").map_or(200, |runs| runs.parse().unwrap());
    for least in 1..=3 {
        let first = depths.iter().filter(|depth| **depth >= least).count();
        let told = told_by_chance(&sets, first, runs);
        println!("{told} of {runs} runs, {first} of {} questions", sets.len());
        assert!(told as u64 * 100 <= runs, "{told}");
    }
}

type IsMeant = fn(&Position, Move) -> bool;

/// Hunts in a program that lacks some moves, or repeats them, everywhere or only below the root.
fn hunt_without(is_missing: IsMeant, is_at_root_too: bool) -> HuntSummary {
    fn count(position: &Position, depth: u32, is_missing: IsMeant, is_here: bool) -> Vec<(String, u128)> {
        let notation = position.castling_notation();
        let moves =
            position.legal_moves().into_iter().filter(|&played| !is_here || !is_missing(position, played));
        let below = |played: Move| match depth {
            1 => 1,
            _ => count(&position.play_legal(played), depth - 1, is_missing, true)
                .iter()
                .map(|(_, nodes)| nodes)
                .sum(),
        };
        moves.map(|played| (played.to_uci(notation), below(played))).collect()
    }
    let targets = targets("", 1_000);
    let source = || -> Box<dyn perft_diagnosis::source::CountSource> {
        Box::new(from_fn(move |question: &Question| {
            count(&question.end().unwrap(), question.depth, is_missing, is_at_root_too)
        }))
    };
    let options = SearchOptions { survey: 500, ..SearchOptions::default() };
    hunt(|number| targets.get(number).cloned(), source, options, &StopSignal::default(), |_| {})
}

/// Returns the first sentence about what the wrong answers of the only bug have in common.
fn only_fact(summary: &HuntSummary) -> String {
    let [bug] = &summary.findings[..] else {
        let found: Vec<String> = summary.findings.iter().map(ToString::to_string).collect();
        panic!("{}", found.join("\n"))
    };
    assert!(bug.causes.models.is_empty(), "{bug}");
    assert!(bug.fault.path.root.occupied().count() <= 6, "{bug}");
    bug.in_common[0].to_string()
}

#[test]
fn a_bug_without_a_model_is_one_bug_with_a_fact() {
    let bugs: [(IsMeant, [&str; 2]); 2] = [
        (
            |position, played| {
                position.piece_at(played.from()).is_some_and(|found| found.piece == perft_core::Piece::Queen)
                    && played.from().file() == perft_core::File::H
                    && played.from().rank() == played.to().rank()
            },
            [" legal moves with a queen move from the h-file", " are missing, and 0 of "],
        ),
        (
            |position, played| {
                position.piece_at(played.from()).is_some_and(|found| found.piece == perft_core::Piece::Bishop)
                    && position
                        .piece_at(played.to())
                        .is_some_and(|found| found.piece == perft_core::Piece::Knight)
            },
            ["a capture of a knight", " bishop"],
        ),
    ];
    for (is_missing, expected) in bugs {
        let fact = only_fact(&hunt_without(is_missing, true));
        assert!(expected.iter().all(|part| fact.contains(part)), "{fact}");
    }
}

#[test]
fn what_happens_below_the_root_is_a_fact_about_answers() {
    let is_meant: IsMeant = |position, played| {
        position.checkers().any()
            && played.kind() == MoveKind::King
            && position.piece_at(played.to()).is_some()
    };
    let fact = only_fact(&hunt_without(is_meant, false));
    assert!(fact.contains(" answers with ") && fact.contains(" below the root"), "{fact}");
}

/// Returns the bugs of a program whose king may step to squares that some pieces attack. The pieces are those of White's
/// and of Black's enemy, with the files on which they stand.
fn bugs_of_king_steps(attackers: [(&str, &str); 2]) -> Vec<String> {
    let answer = |question: &Question| {
        let (mut answer, position) = (right(question), question.end().unwrap());
        let (king, (piece, files)) = (position.king(position.turn()), attackers[position.turn().index()]);
        for to in Square::ALL.into_iter().filter(|_| question.depth == 1) {
            let why = explain(&position, &format!("{king}{to}"));
            let is_unseen = files.chars().any(|file| why.text.contains(&format!("the {piece} on {file}")));
            if why.theme == Theme::KingIntoCheck && is_unseen {
                answer.moves.push((format!("{king}{to}"), 1));
            }
        }
        answer
    };
    let targets = targets("", 1_000);
    let options = SearchOptions { survey: 500, ..SearchOptions::default() };
    let target = |number: usize| targets.get(number).cloned();
    let summary = hunt(target, || Box::new(from_fn(answer)), options, &StopSignal::default(), |_| {});
    summary.findings.iter().map(ToString::to_string).collect()
}

#[test]
fn one_rule_that_is_broken_in_two_places_is_two_bugs() {
    for attackers in [[("rook", "abcdefgh"), ("knight", "abcdefgh")], [("rook", "adg"), ("knight", "beh")]] {
        let bugs = bugs_of_king_steps(attackers);
        assert_eq!(bugs.len(), 2, "{}", bugs.join("\n"));
    }
}

#[test]
fn a_right_program_has_no_facts() {
    let summary = hunt_without(|_, _| false, true);
    assert_eq!((summary.findings, summary.faulty), (Vec::new(), 0));
    assert!(summary.positions >= 500 + targets("", 1_000).len());
}

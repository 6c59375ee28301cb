//! Tests that a hunt through the suites finds every planted bug and names it correctly.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use perft_core::{Position, StopSignal};
use perft_diagnosis::mutations::Mutation;
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};
use perft_diagnosis::{
    HuntSummary, HuntTarget, MovePath, SearchOptions, Theme, Verdict, hunt, random_target,
};
use perft_testing::faulty::FaultySource;
use perft_testing::planted::{ExpectedFinding, assert_found, hunt_all, targets};

macro_rules! found {
    ($($test:ident $bug:ident $prefix:literal $max_nodes:literal $verdict:ident [$($theme:ident)*];)*) => {
        $(
            #[test]
            fn $test() {
                let themes = [$(Theme::$theme),*];
                let expected = ExpectedFinding { verdict: Verdict::$verdict, themes: &themes };
                let source = || -> Box<dyn CountSource> { Box::new(FaultySource::new(Some(Mutation::$bug))) };
                assert_found(Mutation::$bug.name(), &targets($prefix, $max_nodes), source, expected);
            }
        )*
    };
}

perft_testing::each_planted_bug!(found);

#[test]
fn no_bug_is_found_in_the_same_board_without_a_bug() {
    let summary = hunt_all(&targets("", 2_000), || Box::new(FaultySource::new(None)));
    assert_eq!((summary.findings, summary.faulty), (Vec::new(), 0));
}

#[test]
fn random_positions_find_bugs_and_a_seed_finds_the_same_again() {
    let findings = |seed| {
        let target = |number| (number < 2_000).then(|| random_target(seed, number as u64, 2));
        let source =
            || -> Box<dyn CountSource> { Box::new(FaultySource::new(Some(Mutation::PinnedPieceMoves))) };
        let options = SearchOptions { findings: 1, ..SearchOptions::default() };
        hunt(target, source, options, &StopSignal::default(), |_| {}).findings
    };
    let found = findings(1);
    assert!(found.iter().all(|finding| finding.verdict == Verdict::Generation) && !found.is_empty());
    assert!(found.iter().all(|finding| finding.fault.path.root.occupied().count() <= 8));
    assert_eq!(found, findings(1));
}

#[test]
fn missing_answers_and_wrong_sums_are_findings() {
    struct NoAnswerOrWrongSum(Verdict);
    impl CountSource for NoAnswerOrWrongSum {
        fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
            let answer = crate::right(question);
            match self.0 {
                Verdict::NoAnswer if question.depth == 3 => Err(SourceError::NoCount("nothing".to_owned())),
                Verdict::Sum => Ok(Answer { stated_total: Some(answer.sum() as i128 + 1), ..answer }),
                _ => Ok(answer),
            }
        }
    }
    for verdict in [Verdict::NoAnswer, Verdict::Sum] {
        let target = HuntTarget { path: MovePath::new(Position::start()), depths: vec![1, 2, 3] };
        let summary = hunt_all(&[target], || Box::new(NoAnswerOrWrongSum(verdict)));
        let verdicts: Vec<Verdict> = summary.findings.iter().map(|finding| finding.verdict).collect();
        assert_eq!((summary.faulty, verdicts), (1, vec![verdict]));
    }
}

/// Refuses positions with an en passant square.
struct Refuses {
    refused: Arc<AtomicUsize>,
    also_lacks: fn(&Position) -> bool,
}

impl CountSource for Refuses {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        if Position::from_fen(&question.fen).unwrap().en_passant().is_some() {
            self.refused.fetch_add(1, Ordering::Relaxed);
            return Err(SourceError::Refused("illegal position".to_owned()));
        }
        let mut answer = crate::right(question);
        if (self.also_lacks)(&question.end().unwrap()) {
            answer.moves.pop();
        }
        Ok(answer)
    }
}

fn hunt_refusing(also_lacks: fn(&Position) -> bool) -> (HuntSummary, usize) {
    let refused = Arc::new(AtomicUsize::new(0));
    let source =
        || -> Box<dyn CountSource> { Box::new(Refuses { refused: Arc::clone(&refused), also_lacks }) };
    let targets = targets("", 1_000);
    let options = SearchOptions { survey: 1_000, ..SearchOptions::default() };
    let summary =
        hunt(|number| targets.get(number).cloned(), source, options, &StopSignal::default(), |_| {});
    (summary, refused.load(Ordering::Relaxed))
}

/// Refusals of legal positions are one finding that says what they share. A refusal may take long, so few of them are
/// waited for.
#[test]
fn refusals_are_one_finding_and_few_questions() {
    let (summary, refused) = hunt_refusing(|_| false);
    let [finding] = &summary.findings[..] else { panic!("{:#?}", summary.findings) };
    assert_eq!(finding.verdict, Verdict::Refused);
    let fact = finding.in_common[0].to_string();
    assert!(fact.contains("en passant") && fact.ends_with("without"), "{fact}");
    assert!(refused < 24 + 2 * targets("", 1_000).len() / 3, "{refused}");
    assert_eq!(finding.times as usize, summary.faulty);
}

/// Each position without the right answer is counted for a bug or as one without a reason.
#[test]
fn the_figures_of_a_hunt_add_up() {
    let lacks: [fn(&Position) -> bool; 3] = [
        |position| position.checkers().any(),
        |position| position.legal_moves().len() == 17,
        |position| position.occupied().count() % 7 == 0,
    ];
    for also_lacks in lacks {
        let (summary, _) = hunt_refusing(also_lacks);
        let seen: u64 = summary.findings.iter().map(|finding| finding.times).sum();
        let facts = &summary.source;
        let least = seen + facts.unexplained - facts.with_several * (summary.findings.len() as u64 - 1);
        assert!(seen > 0 && (least..=seen + facts.unexplained).contains(&(summary.faulty as u64)));
        assert!(facts.with_several > 0 || seen + facts.unexplained == summary.faulty as u64);
        assert!(summary.findings.iter().all(|finding| finding.times as usize <= summary.faulty));
    }
}

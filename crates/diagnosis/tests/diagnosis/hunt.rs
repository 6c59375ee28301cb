//! Tests that a hunt through the suites finds every planted bug and names it correctly.

use perft_core::{Position, StopSignal};
use perft_diagnosis::mutations::Mutation;
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};
use perft_diagnosis::{HuntTarget, MovePath, SearchOptions, Theme, Verdict, hunt, random_target};
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

//! The hunt finds every planted bug in the suites without help, and names it rightly.

use perft_core::{Position, StopSignal};
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};
use perft_diagnosis::{HuntOptions, HuntTarget, MovePath, Theme, Verdict, hunt, random_target};
use perft_testing::faulty;
use perft_testing::planted::{Expected, Planted, hunted, is_found, quarries};

macro_rules! found {
    ($($test:ident $fault:ident $prefix:literal $max_nodes:literal $verdict:ident [$($theme:ident)*] $belief:literal;)*) => {
        $(
            #[test]
            fn $test() {
                let themes = [$(Theme::$theme),*];
                let expected = Expected { verdict: Verdict::$verdict, themes: &themes, belief: $belief };
                let source = || -> Box<dyn CountSource> { Box::new(Planted::<faulty::$fault>::new()) };
                is_found(stringify!($fault), &quarries($prefix, $max_nodes), &source, expected);
            }
        )*
    };
}

perft_testing::each_planted_bug!(found);

#[test]
fn the_same_board_without_a_fault_is_never_accused() {
    let suspect = || -> Box<dyn CountSource> { Box::new(Planted::<faulty::Sound>::new()) };
    let hunted = hunted(&quarries("", 2_000), &suspect);
    assert_eq!((hunted.findings, hunted.faulty), (Vec::new(), 0));
}

/// Random positions find bugs too, and a seed finds the same ones again.
#[test]
fn random_positions_find_bugs_and_a_seed_the_same_again() {
    let hunted = |seed| {
        let quarry = |number| (number < 2_000).then(|| random_target(seed, number as u64, 2));
        let suspect = || -> Box<dyn CountSource> { Box::new(Planted::<faulty::PinnedPieceMoves>::new()) };
        let bounds = HuntOptions { findings: 1, ..HuntOptions::default() };
        hunt(&quarry, &suspect, bounds, &StopSignal::default(), || {}).findings
    };
    let found = hunted(1);
    assert!(found.iter().all(|finding| finding.verdict == Verdict::Generation) && !found.is_empty());
    assert!(found.iter().all(|finding| finding.fault.path.root.occupied().count() <= 8));
    assert_eq!(found, hunted(1));
}

/// Programs that fail in other ways than by a wrong move.
#[test]
fn failures_and_wrong_sums_are_findings_of_their_own() {
    struct Other(Verdict);
    impl CountSource for Other {
        fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
            let answer = Planted::<faulty::Sound>::new().ask(question, stop)?;
            match self.0 {
                Verdict::NoAnswer if question.depth == 3 => Err(SourceError::NoCount("nothing".to_owned())),
                Verdict::Sum => Ok(Answer { stated_total: Some(answer.sum() + 1), ..answer }),
                _ => Ok(answer),
            }
        }
    }
    for verdict in [Verdict::NoAnswer, Verdict::Sum] {
        let quarry = HuntTarget { path: MovePath::new(Position::start()), depths: vec![1, 2, 3] };
        let suspect = || -> Box<dyn CountSource> { Box::new(Other(verdict)) };
        let hunted = hunted(&[quarry], &suspect);
        let verdicts: Vec<Verdict> = hunted.findings.iter().map(|finding| finding.verdict).collect();
        assert_eq!((hunted.faulty, verdicts), (1, vec![verdict]));
    }
}

/// A program that says only totals is asked move by move, and its bug is still led back to one position.
#[test]
fn bare_totals_lead_to_the_position_too() {
    struct Totals(Planted<faulty::PinnedPieceMoves>);
    impl CountSource for Totals {
        fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
            let total = self.0.ask(question, stop)?.sum();
            Ok(Answer { moves: Vec::new(), stated_total: Some(total) })
        }
    }
    let root = Position::from_fen("4k3/3r4/8/8/8/8/4N3/4K3 b - - 0 1").unwrap();
    let quarry = HuntTarget { path: MovePath::new(root), depths: vec![1, 2] };
    let suspect = || -> Box<dyn CountSource> { Box::new(Totals(Planted::new())) };
    let hunted = hunted(&[quarry], &suspect);
    let [finding] = &hunted.findings[..] else { panic!("{:?}", hunted.findings) };
    assert_eq!((finding.verdict, finding.fault.depth), (Verdict::Generation, 1));
    assert_eq!(finding.origin.uci_moves(), ["d7e7"]);
    assert!(finding.fault.path.end.piece_at(perft_core::Square::E2).is_some(), "the pinned knight stays");
}

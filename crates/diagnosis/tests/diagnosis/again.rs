//! Answers that do not repeat: no rule explains them, and the hunt continues.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use perft_core::{Position, StopSignal};
use perft_diagnosis::mutations::Mutation;
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError, State, from_fn};
use perft_diagnosis::state::{StateVerdict, hunt_states};
use perft_diagnosis::{
    DisagreementKind, HuntSummary, HuntTarget, MovePath, SearchOptions, Verdict, compare_with_reference,
};
use perft_testing::faulty::FaultySource;
use perft_testing::planted::{hunt_all, targets};
use perft_testing::state::{Conventions, StateProgram};

use crate::right;

/// A source whose table checks the position of an entry, but not its depth. The table is empty only at a start.
struct WithTable {
    source: FaultySource,
    table: HashMap<(String, Vec<String>), Answer>,
}

impl WithTable {
    fn new(bug: Option<Mutation>) -> WithTable {
        WithTable { source: FaultySource::new(bug), table: HashMap::new() }
    }
}

impl CountSource for WithTable {
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        let answer = self.source.ask(question, stop)?;
        let key = (question.fen.clone(), question.moves.clone());
        Ok(self.table.entry(key).or_insert(answer).clone())
    }

    fn restart(&mut self) {
        self.table.clear();
    }
}

/// Changes some answers of a right source. The number of all answers, in all processes, decides which ones.
struct Unreliable<'a> {
    answers: &'a AtomicUsize,
    change: fn(usize, Answer) -> Result<Answer, SourceError>,
}

impl CountSource for Unreliable<'_> {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        (self.change)(self.answers.fetch_add(1, Relaxed), right(question))
    }
}

fn one_too_many(mut answer: Answer) -> Answer {
    if let Some((_, nodes)) = answer.moves.first_mut() {
        *nodes += 1;
    }
    answer
}

/// Hunts on one thread, so that the order of the questions is always the same.
fn hunt_unreliable(change: fn(usize, Answer) -> Result<Answer, SourceError>) -> HuntSummary {
    let answers = AtomicUsize::new(0);
    let targets = targets("", 1_000);
    perft_diagnosis::hunt(
        |number| targets.get(number).cloned(),
        || Box::new(Unreliable { answers: &answers, change }),
        SearchOptions::default(),
        &StopSignal::default(),
        |_| {},
    )
}

/// Checks that there is one finding, about answers that do not repeat, without any explanation.
fn assert_only_not_repeated(summary: &HuntSummary) {
    let [finding] = &summary.findings[..] else { panic!("{:#?}", summary.findings) };
    assert_eq!(finding.verdict, Verdict::NotRepeated);
    assert!(finding.wrong_moves.is_empty() && finding.causes.models.is_empty());
    assert!(finding.times > 1 && finding.fault.path == finding.origin, "{finding:?}");
    assert!(finding.times as usize == summary.faulty && summary.faulty > 1);
    assert_eq!((summary.positions, summary.cut_short), (targets("", 1_000).len(), 0), "the hunt goes on");
}

#[test]
fn a_table_that_is_not_reset_is_told_once() {
    let summary = hunt_all(&targets("", 1_000), || Box::new(WithTable::new(None)));
    assert_only_not_repeated(&summary);
    let finding = &summary.findings[0];
    assert!(finding.other.as_ref().unwrap().is_right());
    assert!(finding.fault.difference.is_wrong());
    let text = finding.to_string();
    assert!(text.contains("again     in a fresh process: ") && text.contains(", which is right\n"), "{text}");
    assert!(text.contains("verdict   not-repeated: "), "{text}");
}

#[test]
fn chance_is_told_once() {
    assert_only_not_repeated(&hunt_unreliable(|number, answer| {
        Ok(if number % 3 == 2 { one_too_many(answer) } else { answer })
    }));
    // The answers are wrong in the same way each time, but only by chance.
    assert_only_not_repeated(&hunt_unreliable(|number, answer| {
        let random = perft_diagnosis::random::Random::new(number as u64).number();
        Ok(if random.is_multiple_of(3) { one_too_many(answer) } else { answer })
    }));
    // The answers are never right, and never the same.
    assert_only_not_repeated(&hunt_unreliable(|number, mut answer| {
        answer.moves.iter_mut().for_each(|(_, nodes)| *nodes += 1 + number as u128);
        Ok(answer)
    }));
}

#[test]
fn a_crash_that_does_not_repeat_is_no_wrong_count() {
    let summary = hunt_unreliable(|number, answer| match number % 50 {
        7 => Err(SourceError::NoCount("nothing".to_owned())),
        _ => Ok(answer),
    });
    assert_only_not_repeated(&summary);
    assert!(
        !summary.findings[0].fault.difference.is_wrong()
            && summary.findings[0].fault.difference.error.is_some()
    );
}

/// A bug of a rule is found and explained, even if other answers do not repeat.
#[test]
fn a_wrong_rule_is_told_beside_a_table_that_is_not_reset() {
    let summary =
        hunt_all(&targets("", 1_000), || Box::new(WithTable::new(Some(Mutation::PinnedPieceMoves))));
    let of_kind =
        |verdict| summary.findings.iter().filter(|finding| finding.verdict == verdict).collect::<Vec<_>>();
    assert_eq!(of_kind(Verdict::NotRepeated).len(), 1, "{:#?}", summary.findings);
    let rules = of_kind(Verdict::Generation);
    assert!(!rules.is_empty() && rules.len() + 1 == summary.findings.len(), "{:#?}", summary.findings);
    assert!(rules.iter().all(|finding| finding.themes().iter().all(|(theme, _)| {
        matches!(theme, perft_diagnosis::Theme::PinnedPiece | perft_diagnosis::Theme::PinnedKnight)
    })));
}

#[test]
fn a_right_program_may_leave_out_moves() {
    for has_total in [false, true] {
        // It leaves out moves with the count 0. If it prints a total, it also leaves out the moves from every second
        // file.
        let leaves_out = move |question: &Question| {
            let mut answer = right(question);
            answer.stated_total = has_total.then(|| answer.sum() as i128);
            let is_listed = |text: &str| !has_total || text.starts_with(['a', 'c', 'e', 'g']);
            answer.moves.retain(|(text, nodes)| *nodes > 0 && is_listed(text));
            answer
        };
        let summary = hunt_all(&targets("", 1_000), || Box::new(from_fn(leaves_out)));
        assert_eq!((summary.findings, summary.source.leaves_out_moves), (Vec::new(), true));
    }
}

/// The move d1h5 mates. A program that misses it is still found out at depth 1.
#[test]
fn a_move_with_the_count_0_may_be_missing() {
    let without_queen_to_h5 = |question: &Question| {
        let mut answer = right(question);
        answer.moves.retain(|(text, _)| text != "d1h5");
        answer
    };
    let fen = "rnbqkbnr/ppppp2p/5p2/6p1/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1";
    let target = HuntTarget { path: MovePath::new(Position::from_fen(fen).unwrap()), depths: vec![2] };
    let summary = hunt_all(&[target], || Box::new(from_fn(without_queen_to_h5)));
    let [finding] = &summary.findings[..] else { panic!("{:?}", summary.findings) };
    assert_eq!((finding.fault.depth, finding.wrong_moves[0].text.as_str()), (1, "d1h5"));
}

#[test]
fn a_difference_that_does_not_repeat_is_told_once() {
    let targets = targets("", 1_000);
    let found = compare_with_reference(
        |number| targets.get(number).cloned().map(Into::into),
        || [Box::new(WithTable::new(None)) as Box<dyn CountSource>, Box::new(FaultySource::new(None))],
        SearchOptions::default(),
        &StopSignal::default(),
        |_| {},
    );
    let [difference] = &found.findings[..] else { panic!("{:?}", found.findings) };
    assert!(difference.kind == DisagreementKind::NotRepeated && difference.answers.is_understood());
    assert!(difference.times > 1 && found.positions == targets.len());
}

/// From the 201st question on, the key of this source is different each time.
#[test]
fn states_that_do_not_repeat_are_told_once() {
    struct Stale {
        program: StateProgram,
        asked: u64,
    }
    impl CountSource for Stale {
        fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
            self.program.ask(question, stop)
        }

        fn state(&mut self, question: &Question, stop: &StopSignal) -> Result<State, SourceError> {
            self.asked += 1;
            let state = self.program.state(question, stop)?;
            let key = if self.asked > 200 { format!("{:016X}", self.asked) } else { state.key.unwrap() };
            Ok(State { key: Some(key), ..state })
        }

        fn restart(&mut self) {
            self.asked = 0;
        }
    }
    let targets = targets("", 0);
    let summary = hunt_states(
        |number| targets.get(number).cloned(),
        || Box::new(Stale { program: StateProgram::new(None, Conventions::default()), asked: 0 }),
        SearchOptions::default(),
        &StopSignal::default(),
        |_| {},
    );
    let [finding] = &summary.findings[..] else { panic!("{:?}", summary.findings) };
    assert_eq!((finding.verdict, finding.cause()), (StateVerdict::NotRepeated, None));
    assert!(finding.times > 1 && summary.positions == targets.len(), "{finding:?}");
}

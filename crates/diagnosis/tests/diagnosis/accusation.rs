//! Tests that there are no false reports: a source is asked only allowed questions, and only its answers are judged.

use perft_core::{Move, MoveKind, Position, Square, StopSignal};
use perft_diagnosis::mutations::Mutation;
use perft_diagnosis::source::{Abilities, Answer, CountSource, Question, SourceError, from_fn};
use perft_diagnosis::{Finding, HuntSummary, HuntTarget, MovePath, SearchOptions, Theme, Verdict, hunt};
use perft_testing::faulty::FaultySource;
use perft_testing::planted::{hunt_all, targets};

use crate::right;

/// Changes the answers and the abilities of a source.
struct Changed<S> {
    source: S,
    abilities: Abilities,
    change: fn(&Question, &mut Answer),
}

impl<S: CountSource> CountSource for Changed<S> {
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        let allowed = self.abilities.can_ask(question.depth)
            && (self.abilities.is_chess960 || !question.is_chess960)
            && (self.abilities.plays_moves || question.moves.is_empty());
        assert!(allowed, "the source cannot be asked {question:?}");
        let mut answer = self.source.ask(question, stop)?;
        (self.change)(question, &mut answer);
        Ok(answer)
    }

    fn abilities(&self) -> Abilities {
        self.abilities
    }
}

type Moves = fn(&Position) -> Vec<Move>;

/// Returns a source that plays only the moves that `moves` returns.
fn with_moves(moves: Moves) -> impl CountSource {
    fn count(moves: Moves, position: &Position, depth: u32) -> u128 {
        let below = |played| count(moves, &position.play_legal(played), depth - 1);
        if depth == 0 { 1 } else { moves(position).into_iter().map(below).sum() }
    }
    from_fn(move |question| {
        let position = question.end().unwrap();
        let below = |played: Move| {
            let nodes = count(moves, &position.play_legal(played), question.depth - 1);
            (played.to_uci(position.castling_notation()), nodes)
        };
        moves(&position).into_iter().map(below).collect::<Vec<_>>()
    })
}

/// Removes everything except the total from an answer.
fn only_total(_: &Question, answer: &mut Answer) {
    answer.stated_total = Some(answer.sum() as i128);
    answer.moves.clear();
}

fn hunt_one(fen: &str, depth: u32, source: impl Fn() -> Box<dyn CountSource> + Sync) -> HuntSummary {
    let path = MovePath::new(Position::from_fen(fen).unwrap());
    hunt_all(&[HuntTarget { path, depths: (1..=depth).collect() }], source)
}

fn changed<S: CountSource + 'static>(
    source: S,
    abilities: Abilities,
    change: fn(&Question, &mut Answer),
) -> Box<dyn CountSource> {
    Box::new(Changed { source, abilities, change })
}

#[test]
fn a_source_with_a_greatest_depth_is_asked_no_deeper() {
    let shallow = Abilities { max_depth: Some(1), ..Abilities::default() };
    let source = || changed(FaultySource::new(Some(Mutation::DoubleCheck)), shallow, |_, _| {});
    let summary = hunt_all(&targets("", 5_000), source);
    assert!(summary.findings.iter().any(|finding| finding.themes() == [(Theme::DoubleCheck, false)]));
    assert!(summary.findings.iter().all(|finding| finding.fault.depth == 1));
    let totals = || changed(FaultySource::new(Some(Mutation::DoubleCheck)), shallow, only_total);
    let summary = hunt_all(&targets("", 5_000), totals);
    assert!(!summary.findings.is_empty());
    assert!(summary.findings.iter().all(|finding| finding.wrong_moves.is_empty()));
}

/// A source that cannot play moves may be wrong when it makes a move or when it takes one back.
#[test]
fn without_moves_the_verdict_is_about_generation_or_about_both() {
    let no_moves = Abilities { plays_moves: false, ..Abilities::default() };
    let source = || changed(FaultySource::new(Some(Mutation::PinnedPieceMoves)), no_moves, |_, _| {});
    let summary = hunt_all(&targets("", 5_000), source);
    assert!(summary.findings.iter().all(|finding| finding.verdict == Verdict::Generation));
    assert!(!summary.findings.is_empty());

    let source = || changed(FaultySource::new(Some(Mutation::RookMoveLosesBoth)), no_moves, |_, _| {});
    let summary = hunt_one("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 3, source);
    let finding = &summary.findings[0];
    assert_eq!(finding.verdict, Verdict::Contradiction);
    assert!(finding.fault.path.moves.is_empty());
    assert!(causes(finding).contains(&"rook-move-loses-both".to_owned()), "{finding:?}");
}

/// The program castles next to the enemy king, and prints only totals: 16 instead of 15.
#[test]
fn a_total_names_no_move() {
    fn moves(position: &Position) -> Vec<Move> {
        let mut moves = position.legal_moves().to_vec();
        if position.to_string().starts_with("r3k3/1K6/8/8/8/8/8/8 b q") {
            moves.push(Move::new(MoveKind::Castling, Square::E8, Square::A8));
        }
        moves
    }
    let source = || changed(with_moves(moves), Abilities::default(), only_total);
    let summary = hunt_one("r3k3/1K6/8/8/8/8/8/8 b q - 0 1", 1, source);
    let [finding] = &summary.findings[..] else { panic!("{:?}", summary.findings) };
    assert!(finding.wrong_moves.is_empty(), "{finding:?}");
}

fn causes(finding: &Finding) -> Vec<String> {
    finding.causes.models.iter().map(|model| model.name()).collect()
}

#[test]
fn moves_that_are_listed_only_at_depth_2_are_used() {
    let source = || {
        changed(FaultySource::new(Some(Mutation::DoubleCheck)), Abilities::default(), |question, answer| {
            if question.depth == 1 {
                only_total(question, answer);
            }
        })
    };
    let summary = hunt_all(&targets("", 5_000), source);
    assert_eq!(summary.findings.len(), 1, "{:?}", summary.findings);
    let finding = &summary.findings[0];
    assert_eq!((finding.fault.depth, finding.themes()), (2, vec![(Theme::DoubleCheck, false)]));
}

/// The promotions have an unknown spelling. The total is right, so the program is right.
#[test]
fn what_was_not_understood_is_no_bug_of_the_program() {
    let source = || {
        changed(FaultySource::new(None), Abilities::default(), |_, answer| {
            answer.stated_total = Some(answer.sum() as i128);
            let (unread, moves) = answer.moves.drain(..).partition(|(text, _)| text.len() == 5);
            answer.moves = moves;
            answer.unread = unread.into_iter().map(|(text, nodes)| format!("{text} = {nodes}")).collect();
        })
    };
    let summary = hunt_one("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 2, source);
    let [finding] = &summary.findings[..] else { panic!("{:?}", summary.findings) };
    assert_eq!((finding.verdict, finding.wrong_moves.len()), (Verdict::Unread, 0));
    assert!(!finding.fault.difference.is_wrong());
    assert!(finding.fault.difference.unread.iter().any(|line| line == "g2g1q = 1"));
}

/// The moves at depth 1 cannot be read, and at depth 2 the program crashes.
#[test]
fn behind_an_answer_that_was_not_understood_greater_depths_are_asked() {
    struct Crashes;
    impl CountSource for Crashes {
        fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
            if question.depth > 1 {
                return Err(SourceError::CannotCount("signal 11".to_owned()));
            }
            let mut answer = right(question);
            answer.stated_total = Some(answer.sum() as i128);
            answer.unread = vec![format!("0000 {}", answer.moves.pop().unwrap().1)];
            Ok(answer)
        }
    }
    let summary = hunt_one("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 2, || Box::new(Crashes));
    let found: Vec<Verdict> = summary.findings.iter().map(|finding| finding.verdict).collect();
    assert_eq!(found, [Verdict::Unread, Verdict::NoAnswer]);
}

#[test]
fn a_wrong_answer_is_a_finding_even_if_the_questions_run_out() {
    let source = || -> Box<dyn CountSource> { Box::new(FaultySource::new(Some(Mutation::PinnedPieceMoves))) };
    let path = MovePath::new(Position::from_fen("4k3/7r/8/8/1b6/8/3N4/4K3 b - - 0 1").unwrap());
    let target = HuntTarget { path, depths: vec![1, 2, 3] };
    for questions in 2..30 {
        let options = SearchOptions { questions, ..SearchOptions::default() };
        let mut reported = Vec::new();
        let note = |finding: Option<&Finding>| reported.extend(finding.cloned());
        let one = |number| (number == 0).then(|| target.clone());
        let summary = hunt(one, source, options, &StopSignal::default(), note);
        assert_eq!((summary.faulty, summary.findings.is_empty()), (1, false), "{questions} questions");
        let faults =
            |findings: &[Finding]| findings.iter().map(|found| found.fault.clone()).collect::<Vec<_>>();
        assert_eq!(faults(&reported), faults(&summary.findings), "each is reported once, when it is made");
    }
}

/// Capturing en passant, castling and promotion each have several themes, but only one rule.
#[test]
fn one_cause_is_one_bug() {
    fn without(position: &Position, kind: impl Fn(MoveKind) -> bool) -> Vec<Move> {
        position.legal_moves().into_iter().filter(|played| !kind(played.kind())).collect()
    }
    let forgotten: [(&str, Moves); 3] = [
        ("en passant", |position| without(position, |kind| kind == MoveKind::EnPassant)),
        ("castling", |position| without(position, |kind| kind == MoveKind::Castling)),
        ("promotion to a knight", |position| without(position, |kind| kind == MoveKind::PromoteKnight)),
    ];
    for (name, moves) in forgotten {
        let summary = hunt_all(&targets("", 3_000), || Box::new(with_moves(moves)));
        let found: Vec<_> =
            summary.findings.iter().map(|finding| (finding.verdict, finding.themes())).collect();
        assert_eq!(found.len(), 1, "{name}: {found:?}");
    }
}

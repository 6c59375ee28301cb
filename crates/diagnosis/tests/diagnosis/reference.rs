//! Sources with changed rules represent chess variants: they also play moves that are illegal in chess.

use perft_core::{Position, StopSignal, suite::builtin};
use perft_diagnosis::mutations::{MutatedBoard, Mutation};
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError, from_fen_fn};
use perft_diagnosis::{
    AnswerDifference, Disagreement, DisagreementKind, ReferenceSummary, ReferenceTarget, SearchOptions,
    compare_with_reference,
};

/// Counts with changed rules.
#[derive(Clone, Copy, Default)]
struct Variant {
    rules: Option<Mutation>,
    /// Whether only totals are given.
    has_only_totals: bool,
    /// Whether the moves of a question cannot be played.
    plays_no_moves: bool,
    /// Whether the count below the first move is one too large, from depth 3 on.
    contradicts_itself: bool,
    /// Whether there is never an answer.
    is_silent: bool,
    /// Whether the castling rights of Chess960 are read only by the letters of files.
    reads_only_files: bool,
}

impl Variant {
    fn of(rules: Mutation) -> Variant {
        Variant { rules: Some(rules), ..Variant::default() }
    }
}

impl CountSource for Variant {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        if self.is_silent {
            return Err(SourceError::NoCount("nothing".to_owned()));
        }
        if self.plays_no_moves && !question.moves.is_empty() {
            return Err(SourceError::CannotCount("no moves".to_owned()));
        }
        let mut fen = question.fen.clone();
        if self.reads_only_files && question.is_chess960 {
            fen = fen
                .split(' ')
                .map(|field| if field.contains("KQ") { "-" } else { field })
                .collect::<Vec<_>>()
                .join(" ");
        }
        let position = Position::from_fen(&fen).unwrap();
        let notation = position.castling_notation();
        let children = |board: MutatedBoard| {
            let mut children = Vec::new();
            { board }.each_child(|played, child| children.push((played.to_uci(notation), *child)));
            children
        };
        let mut board = MutatedBoard::new(&position, self.rules);
        for text in &question.moves {
            let mut known = children(board).into_iter();
            board = known.find(|(played, _)| played == text).expect("the source has listed the move").1;
        }
        let count = |(played, mut child): (String, MutatedBoard)| {
            (played, u128::from(child.count(question.depth - 1)))
        };
        let mut moves: Vec<(String, u128)> = children(board).into_iter().map(count).collect();
        if self.contradicts_itself && question.depth > 2 {
            moves[0].1 += 1;
        }
        Ok(match self.has_only_totals {
            true => Answer {
                stated_total: Some(moves.iter().map(|(_, nodes)| *nodes as i128).sum()),
                ..Answer::default()
            },
            false => Answer { moves, ..Answer::default() },
        })
    }
}

fn compare_at(
    fen: &str,
    depth: u32,
    first: Variant,
    second: Variant,
    options: SearchOptions,
) -> ReferenceSummary {
    compare_sources(fen, depth, || [Box::new(first), Box::new(second)], options)
}

fn compare_sources(
    fen: &str,
    depth: u32,
    sources: impl Fn() -> [Box<dyn CountSource>; 2] + Sync,
    options: SearchOptions,
) -> ReferenceSummary {
    let question = Question::new(&Position::from_fen(fen).unwrap(), 1);
    let target = |number| {
        (number == 0).then(|| ReferenceTarget { question: question.clone(), depths: (1..=depth).collect() })
    };
    compare_with_reference(target, sources, options, &StopSignal::default(), |_| {})
}

fn kiwipete() -> String {
    builtin::position("kiwipete").unwrap().fen.clone()
}

fn compare(first: Variant, second: Variant) -> ReferenceSummary {
    compare_at(&kiwipete(), 4, first, second, SearchOptions::default())
}

/// Both sources let the pinned knight move, and only the first one lets the bishop move that is pinned after that.
#[test]
fn a_difference_is_followed_under_rules_that_are_not_those_of_chess() {
    let (all, knights) = (
        Variant::of(Mutation::PinnedPieceMoves),
        Variant::of(Mutation::from_name("pins-ignored-knight").unwrap()),
    );
    assert!(compare(all, all).findings.is_empty());
    let fen = "3k4/3b4/8/8/1b6/8/3N4/3RK3 w - - 0 1";
    let found = compare_at(fen, 2, all, knights, SearchOptions::default());
    let Disagreement { question, origin, kind, answers, .. } = &found.findings[0];
    assert_eq!(*kind, DisagreementKind::Moves);
    assert!(
        answers.only_second.is_empty() && answers.only_first.iter().all(|played| played.starts_with("d7"))
    );
    assert!(question.depth == 1 && question.moves[0].starts_with("d2"), "{question:?}");
    assert_eq!((found.positions, question.moves.len(), origin.moves.len()), (1, 1, 0));
}

#[test]
fn a_source_with_only_totals_is_followed_by_the_moves_of_the_other() {
    let totals = Variant { has_only_totals: true, ..Variant::of(Mutation::NoKnightPromotion) };
    let found = compare(totals, Variant::default());
    let Disagreement { question, kind, answers, .. } = &found.findings[0];
    assert_eq!((question.depth, *kind), (1, DisagreementKind::Counts));
    assert!(answers.totals[0] < answers.totals[1]);
}

#[test]
fn two_sources_with_only_totals_cannot_be_followed() {
    let totals = |rules| Variant { rules, has_only_totals: true, ..Variant::default() };
    let found = compare(totals(Some(Mutation::NoEnPassant)), totals(None));
    let Disagreement { question, kind, .. } = &found.findings[0];
    assert_eq!((question.depth, question.moves.len(), *kind), (2, 0, DisagreementKind::Counts));
}

#[test]
fn a_contradiction_is_no_difference_of_moves() {
    let found = compare(Variant { contradicts_itself: true, ..Variant::default() }, Variant::default());
    let Disagreement { question, kind, answers, .. } = &found.findings[0];
    assert_eq!((question.depth, answers.counts.len(), *kind), (3, 1, DisagreementKind::Contradiction));
}

#[test]
fn a_source_that_plays_no_moves_is_not_accused() {
    let found = compare(
        Variant { plays_no_moves: true, ..Variant::of(Mutation::NoKnightPromotion) },
        Variant::default(),
    );
    assert_eq!(found.findings[0].kind, DisagreementKind::Counts);
}

#[test]
fn a_source_without_an_answer_is_named_unless_both_are_silent() {
    let silent = Variant { is_silent: true, ..Variant::default() };
    let found = compare(Variant::default(), silent);
    assert_eq!(found.findings[0].kind, DisagreementKind::NoAnswer);
    assert_eq!(found.findings[0].answers.missing_answer().map(|(index, _)| index), Some(1));
    let found = compare(silent, silent);
    assert_eq!((found.findings.len(), found.source.unanswered, found.positions), (0, 1, 1));
    let panics = || -> [Box<dyn CountSource>; 2] {
        [Box::new(Variant::default()), Box::new(from_fen_fn(|_, _| -> u64 { panic!("out of range") }))]
    };
    let found = compare_sources(&kiwipete(), 1, panics, SearchOptions::default());
    assert_eq!(found.findings[0].kind, DisagreementKind::NoAnswer);
}

#[test]
fn a_difference_is_reported_even_if_the_questions_run_out() {
    let options = SearchOptions { questions: 4, ..SearchOptions::default() };
    let found =
        compare_at(&kiwipete(), 4, Variant::of(Mutation::NoKnightPromotion), Variant::default(), options);
    // The last question is asked again to test whether the difference repeats.
    assert_eq!(found.questions, 5);
    assert_eq!(found.findings[0].kind, DisagreementKind::Counts);
}

#[test]
fn a_source_that_reads_only_letters_of_files_differs_once() {
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9";
    let files = Variant { reads_only_files: true, ..Variant::default() };
    let found = compare_at(fen, 2, Variant::default(), files, SearchOptions::default());
    let [Disagreement { answers, .. }] = &found.findings[..] else { panic!("{found:?}") };
    assert_eq!(answers.only_first, ["f1a1", "f1h1"]);
    assert_eq!((found.positions, found.faulty, found.left_out_chess960), (2, 1, 0));
    let found = compare_at(fen, 2, files, files, SearchOptions::default());
    assert_eq!((found.positions, found.findings.len()), (1, 0));
}

#[test]
fn different_spellings_of_a_move_are_the_same() {
    let promotions = Position::from_fen("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1").unwrap();
    let question = Question::new(&promotions, 3);
    let right = Variant::default().ask(&question, &StopSignal::default()).unwrap();
    let mut short = right.clone();
    for (text, _) in &mut short.moves {
        text.truncate(4);
    }
    assert!(AnswerDifference::new(&question, &right, &short).is_same());
    assert!(AnswerDifference::new(&question, &short, &right).is_same());
    let castling = Question::new(&Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap(), 1);
    let [one, other] = ["O-O: 1", "e1h1: 1"].map(Answer::parse);
    assert!(AnswerDifference::new(&castling, &one, &other).is_same());
}

#[test]
fn a_move_that_is_listed_twice_is_a_difference() {
    let question = Question::new(&Position::start(), 1);
    let [one, other] = ["e2e4", "d2d4"].map(|second| Answer::from(vec![("e2e4", 1_u64), (second, 1)]));
    let found = AnswerDifference::new(&question, &one, &other);
    assert_eq!((found.only_first.len(), &found.only_second[..]), (1, &["d2d4".to_owned()][..]));
}

#[test]
fn a_total_of_zero_says_that_there_are_no_moves() {
    let question = Question::new(&Position::start(), 1);
    let [one, other] = ["e2e4: 1", "Nodes searched: 0"].map(Answer::parse);
    assert_eq!(AnswerDifference::new(&question, &one, &other).only_first, ["e2e4"]);
}

#[test]
fn lines_that_were_not_understood_accuse_nobody() {
    let question = Question::new(&Position::start(), 1);
    let [one, mut other] = ["e2e4: 1\nd2d4: 1", "e2e4: 1"].map(Answer::parse);
    other.unread.push("d2tod4 1".to_owned());
    assert_eq!(AnswerDifference::new(&question, &one, &other).unread, ["d2tod4 1"]);
}

//! Tests that one cause is one finding, which names it: draws, the count of the last ply, Chess960 FENs, unchecked
//! moves of the root, and a table whose key lacks a part of the position.

use std::collections::HashMap;

use perft_core::{Move, Position, StopSignal};
use perft_diagnosis::mutations::{MutatedBoard, Mutation, count};
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};
use perft_diagnosis::{
    Chess960Source, Clocks, Finding, HuntSummary, HuntTarget, MovePath, Verdict, random_target,
    special_targets,
};
use perft_testing::faulty::FaultySource;
use perft_testing::planted::{hunt_all, targets};

/// Returns the root of a question with its clocks, and the moves.
fn path(question: &Question) -> MovePath {
    let setup = perft_core::Setup::from_fen(&question.fen).unwrap();
    question.moves.iter().fold(MovePath::of_setup(&setup).unwrap(), |path, text| {
        path.played(path.end.find_move(text).unwrap())
    })
}

/// Returns an answer with the counts that `below` gives for the moves of a position.
fn answer(position: &Position, mut below: impl FnMut(Move) -> u128) -> Answer {
    let notation = position.castling_notation();
    let moves = position.legal_moves().into_iter().map(|played| (played.to_uci(notation), below(played)));
    Answer { moves: moves.collect(), ..Answer::default() }
}

/// Removes everything except the total from an answer.
fn total(answer: &Answer) -> Answer {
    answer.total().into()
}

fn told(summary: &HuntSummary) -> Vec<(Verdict, String)> {
    let cause = |found: &Finding| found.causes.models.first().map(|model| model.name()).unwrap_or_default();
    summary.findings.iter().map(|found| (found.verdict, cause(found))).collect()
}

/// The game so far: each position and the clocks after it.
type Game = Vec<(Position, Clocks)>;

type IsDrawn = fn(&Game) -> bool;

/// A right generator that counts nothing below a drawn position.
struct EndsDraws {
    is_drawn: IsDrawn,
    lists_moves: bool,
}

impl EndsDraws {
    fn count(&self, game: &mut Game, depth: u32) -> u128 {
        if (self.is_drawn)(game) {
            return 0;
        }
        let &(end, _) = game.last().unwrap();
        match depth {
            0 => 1,
            _ => end.legal_moves().into_iter().map(|played| self.count_below(game, played, depth)).sum(),
        }
    }

    fn count_below(&self, game: &mut Game, played: Move, depth: u32) -> u128 {
        let &(end, clocks) = game.last().unwrap();
        game.push((end.play_legal(played), clocks.after(&end, played)));
        let nodes = self.count(game, depth - 1);
        game.pop();
        nodes
    }
}

impl CountSource for EndsDraws {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        let path = path(question);
        let mut game: Game = (0..=path.moves.len())
            .map(|skipped| path.without_first(skipped))
            .map(|rest| (rest.root, rest.clocks))
            .collect();
        let answer = answer(&path.end, |played| self.count_below(&mut game, played, question.depth));
        Ok(if self.lists_moves { answer } else { total(&answer) })
    }
}

fn is_repeated(game: &Game) -> bool {
    let (end, earlier) = game.split_last().unwrap();
    earlier.iter().any(|(position, _)| *position == end.0)
}

#[test]
fn a_program_that_ends_drawn_games_has_one_bug_for_each_rule() {
    let targets: Vec<HuntTarget> = targets("", 5_000).into_iter().chain(special_targets()).collect();
    let rules: [(IsDrawn, &str); 3] = [
        (|game| game.last().unwrap().1.halfmove >= 100, "fifty-moves-end"),
        (is_repeated, "repetition-ends"),
        (|game| game.last().unwrap().0.occupied().count() == 2, "insufficient-material-ends"),
    ];
    for (is_drawn, rule) in rules {
        for lists_moves in [true, false] {
            let summary = hunt_all(&targets, || Box::new(EndsDraws { is_drawn, lists_moves }));
            assert_eq!(told(&summary), [(Verdict::Draw, rule.to_owned())], "lists moves: {lists_moves}");
        }
    }
}

/// A right generator that makes a mistake in counting the moves of the last ply. At depth 1, it lists the moves.
struct WrongAtLastPly(Mutation);

impl CountSource for WrongAtLastPly {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        fn nodes(position: &Position, depth: u32, mutation: Mutation) -> u128 {
            let below = |played| nodes(&position.play_legal(played), depth - 1, mutation);
            match depth {
                0 => 1,
                1 => count(position, 1, mutation.into()).into(),
                _ => position.legal_moves().into_iter().map(below).sum(),
            }
        }
        let end = path(question).end;
        Ok(answer(&end, |played| nodes(&end.play_legal(played), question.depth - 1, self.0)))
    }
}

#[test]
fn a_rule_that_is_forgotten_at_the_last_ply_is_named() {
    for mutation in [Mutation::NoEnPassant, Mutation::NoPromotion, Mutation::PinnedPieceMoves] {
        let summary = hunt_all(&targets("", 500), || Box::new(WrongAtLastPly(mutation)));
        let cause = format!("{}-at-last-ply", mutation.name());
        assert_eq!(told(&summary), [(Verdict::LastPly, cause)]);
    }
}

type ReadsLetter = fn(char) -> bool;

/// A right generator that understands only some letters of castling rights in Chess960.
struct Reads(ReadsLetter);

impl CountSource for Reads {
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        let mut fields: Vec<String> = question.fen.split(' ').map(str::to_owned).collect();
        if question.is_chess960 {
            fields[2].retain(self.0);
            if fields[2].is_empty() {
                fields[2].push('-');
            }
        }
        FaultySource::new(None).ask(&Question { fen: fields.join(" "), ..question.clone() }, stop)
    }
}

#[test]
fn castling_rights_that_are_not_read_are_told_once() {
    let random = (0..200).map(|number| random_target(1, number, 1));
    let targets: Vec<HuntTarget> = targets("", 100).into_iter().chain(random).collect();
    let readers: [(ReadsLetter, &str); 3] = [
        (|letter| !"KQkq".contains(letter), "only-file-letters"),
        (|letter| "KQkq".contains(letter), "only-sides"),
        (|_| false, "no-chess960-castling"),
    ];
    for (reads, about) in readers {
        let summary = hunt_all(&targets, || Box::new(Reads(reads)));
        let found = told(&summary);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].0 == Verdict::Reading && found[0].1.starts_with(about), "{found:?}");
    }
    assert!(hunt_all(&targets, || Box::new(Reads(|_| true))).findings.is_empty());
}

/// Does not castle in a position where the two sides have started with different arrays.
struct OneArray;

impl CountSource for OneArray {
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        let bug = question.fen.starts_with("1r3k2/").then_some(Mutation::NoCastling);
        FaultySource::new(bug).ask(question, stop)
    }
}

#[test]
fn double_chess960_is_asked_only_of_a_source_that_reads_it() {
    let mut source = Chess960Source::new(Box::new(OneArray));
    assert!(source.examine(&StopSignal::default()).is_none());
    for (fen, can_read) in [
        ("1r3k2/8/8/8/8/8/8/R1K5 w Qq - 0 1", false),
        ("1k4r1/8/8/8/8/8/8/RK5R w KQk - 0 1", false),
        ("rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1", true),
        ("4k3/8/8/8/8/8/8/R2R1K1R w KD - 0 1", true),
    ] {
        assert_eq!(source.can_read(&Position::from_fen(fen).unwrap()), can_read, "{fen}");
    }
}

/// Wrong about each position of Chess960. Each second answer lists the moves backwards, as a program with several
/// threads may do.
struct Backwards {
    answers: u128,
    /// Whether each answer has another wrong number.
    changes: bool,
}

impl CountSource for Backwards {
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        let mut answer = FaultySource::new(None).ask(question, stop)?;
        if question.is_chess960 {
            self.answers += 1;
            answer.moves[2].1 += 1;
            answer.moves[5].1 += if self.changes { self.answers } else { 1 };
            answer.moves.extend([("e1e3".to_owned(), 7), ("e1e4".to_owned(), 7)]);
            if self.answers.is_multiple_of(2) {
                answer.moves.reverse();
            }
        }
        Ok(answer)
    }
}

#[test]
fn answers_are_wrong_in_the_same_way_in_any_order() {
    for changes in [false, true] {
        let mut source = Chess960Source::new(Box::new(Backwards { answers: 0, changes }));
        assert_eq!(source.examine(&StopSignal::default()).is_none(), changes);
    }
}

/// Also lists moves of the root that leave the king in check, each with this count.
struct UncheckedRoot(fn(u32) -> u128);

impl CountSource for UncheckedRoot {
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        let mut answer = FaultySource::new(None).ask(question, stop)?;
        let end = path(question).end;
        for played in MutatedBoard::new(&end, Mutation::PseudoLegal.into()).legal_moves() {
            let text = played.to_uci(end.castling_notation());
            if answer.moves.iter().all(|(known, _)| *known != text) {
                answer.moves.push((text, (self.0)(question.depth)));
            }
        }
        Ok(answer)
    }
}

#[test]
fn unchecked_moves_of_the_root_are_one_pattern() {
    let counts: [fn(u32) -> u128; 2] = [|_| 1, |depth| u128::from(depth) * 10];
    for count in counts {
        let summary = hunt_all(&targets("", 5_000), || Box::new(UncheckedRoot(count)));
        let found = told(&summary);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0], (Verdict::Pattern, "root-unchecked".to_owned()));
    }
    // The count below them is 0, so the counts are right.
    assert!(hunt_all(&targets("", 5_000), || Box::new(UncheckedRoot(|_| 0))).findings.is_empty());
}

/// A right generator with counters of 16 bits: for all counts, or only for the counts below the moves.
struct Counts16Bits {
    sums_wrong: bool,
}

impl CountSource for Counts16Bits {
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        let mut answer = FaultySource::new(None).ask(question, stop)?;
        answer.moves.iter_mut().for_each(|(_, nodes)| *nodes %= 1 << 16);
        let sum = answer.sum();
        answer.stated_total = self.sums_wrong.then_some(sum % (1 << 16));
        Ok(answer)
    }
}

#[test]
fn counters_of_16_bits_are_a_pattern() {
    let cases = [("kiwipete", true, 3), ("kiwipete", false, 4)];
    for (name, sums_wrong, depth) in cases {
        let root = perft_core::suite::builtin::position(name).unwrap().position;
        let target = HuntTarget { path: MovePath::new(root), depths: (1..=depth).collect() };
        let summary = hunt_all(&[target], || Box::new(Counts16Bits { sums_wrong }));
        assert_eq!(told(&summary), [(Verdict::Pattern, "low-16-bits".to_owned())]);
    }
}

type Key = fn(&Position) -> String;

/// A right generator with a transposition table whose key lacks a part of the position.
struct WithTable {
    key: Key,
    entries: HashMap<(String, u32), u128>,
}

impl WithTable {
    fn count(&mut self, position: &Position, depth: u32) -> u128 {
        if depth == 0 {
            return 1;
        }
        let key = ((self.key)(position), depth);
        if let Some(&nodes) = self.entries.get(&key) {
            return nodes;
        }
        let moves = position.legal_moves();
        let nodes = moves.into_iter().map(|played| self.count(&position.play_legal(played), depth - 1)).sum();
        self.entries.insert(key, nodes);
        nodes
    }
}

impl CountSource for WithTable {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        self.entries.clear();
        let end = path(question).end;
        Ok(answer(&end, |played| self.count(&end.play_legal(played), question.depth - 1)))
    }
}

#[test]
fn a_table_whose_key_lacks_something_is_found() {
    fn without(field: usize, position: &Position) -> String {
        let fen = position.to_string();
        let fields = fen.split(' ').take(4).enumerate();
        fields.map(|(index, text)| if index == field { "-" } else { text }).collect::<Vec<_>>().join(" ")
    }
    let keys: [(Key, &str); 2] =
        [(|position| without(2, position), "castling"), (|position| without(3, position), "en passant")];
    for (key, part) in keys {
        let source = || -> Box<dyn CountSource> { Box::new(WithTable { key, entries: HashMap::new() }) };
        let summary = hunt_all(&special_targets(), source);
        assert!(!summary.findings.is_empty(), "{part}");
        assert!(summary.findings.iter().all(|found| found.verdict == Verdict::Contradiction), "{part}");
    }
}

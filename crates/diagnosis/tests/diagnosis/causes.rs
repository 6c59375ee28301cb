//! Tests that one cause is one finding, which names it: draws, the count of the last ply, Chess960 FENs, unchecked
//! moves of the root, and a table whose key lacks a part of the position.

use std::collections::HashMap;

use perft_core::{CastlingSide, Color, Move, MoveKind, Position, Square, StopSignal};
use perft_diagnosis::mutations::{MutatedBoard, Mutation, count};
use perft_diagnosis::source::{Answer, CountSource, Question, from_fn};
use perft_diagnosis::{
    Clocks, Finding, HuntSummary, HuntTarget, MovePath, Program, Verdict, random_target, special_targets,
};
use perft_testing::faulty::FaultySource;
use perft_testing::planted::{hunt_all, targets};

use crate::right;

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

fn told(summary: &HuntSummary) -> Vec<(Verdict, String)> {
    let cause = |found: &Finding| found.causes.models.first().map(|model| model.name()).unwrap_or_default();
    summary.findings.iter().map(|found| (found.verdict, cause(found))).collect()
}

/// The game so far: each position and the clocks after it.
type Game = Vec<(Position, Clocks)>;

type IsDrawn = fn(&Game) -> bool;

/// Counts below a move as a generator that counts nothing below a drawn position.
fn count_until_drawn(game: &mut Game, played: Move, depth: u32, is_drawn: IsDrawn) -> u128 {
    let &(before, clocks) = game.last().unwrap();
    let end = before.play_legal(played);
    game.push((end, clocks.after(&before, played)));
    let nodes = match depth {
        _ if is_drawn(game) => 0,
        1 => 1,
        _ => {
            let below = |played| count_until_drawn(game, played, depth - 1, is_drawn);
            end.legal_moves().into_iter().map(below).sum()
        }
    };
    game.pop();
    nodes
}

fn is_repeated(game: &Game) -> bool {
    let (end, earlier) = game.split_last().unwrap();
    earlier.iter().any(|(position, _)| *position == end.0)
}

#[test]
fn a_program_that_ends_drawn_games_has_one_bug_for_each_rule() {
    let targets: Vec<HuntTarget> = targets("", 1_000).into_iter().chain(special_targets()).collect();
    let rules: [(IsDrawn, &str); 3] = [
        (|game| game.last().unwrap().1.halfmove >= 100, "fifty-moves-end"),
        (is_repeated, "repetition-ends"),
        (|game| game.last().unwrap().0.occupied().count() == 2, "insufficient-material-ends"),
    ];
    for (is_drawn, rule) in rules {
        for lists_moves in [true, false] {
            let source = move |question: &Question| {
                let path = path(question);
                let rests = (0..=path.moves.len()).map(|skipped| path.without_first(skipped));
                let mut game: Game = rests.map(|rest| (rest.root, rest.clocks)).collect();
                let below = |played| count_until_drawn(&mut game, played, question.depth, is_drawn);
                let answer = answer(&path.end, below);
                if lists_moves { answer } else { answer.total().into() }
            };
            let summary = hunt_all(&targets, || Box::new(from_fn(source)));
            assert_eq!(told(&summary), [(Verdict::Draw, rule.to_owned())], "lists moves: {lists_moves}");
        }
    }
}

/// A right generator makes a mistake in counting the moves of the last ply. At depth 1, it lists the moves.
#[test]
fn a_rule_that_is_forgotten_at_the_last_ply_is_named() {
    fn nodes(position: &Position, depth: u32, mutation: Mutation) -> u128 {
        let below = |played| nodes(&position.play_legal(played), depth - 1, mutation);
        match depth {
            0 => 1,
            1 => count(position, 1, mutation.into()).into(),
            _ => position.legal_moves().into_iter().map(below).sum(),
        }
    }
    for mutation in [Mutation::NoEnPassant, Mutation::NoPromotion, Mutation::PinnedPieceMoves] {
        let source = move |question: &Question| {
            let end = path(question).end;
            answer(&end, |played| nodes(&end.play_legal(played), question.depth - 1, mutation))
        };
        let summary = hunt_all(&targets("", 500), || Box::new(from_fn(source)));
        let cause = format!("{}-at-last-ply", mutation.name());
        assert_eq!(told(&summary), [(Verdict::LastPly, cause)]);
    }
}

type ReadsLetter = fn(char) -> bool;

/// Returns a right generator that understands only some letters of castling rights in Chess960.
fn reads(letters: ReadsLetter) -> Box<dyn CountSource> {
    Box::new(from_fn(move |question| {
        let mut fields: Vec<String> = question.fen.split(' ').map(str::to_owned).collect();
        if question.is_chess960 {
            fields[2].retain(letters);
            if fields[2].is_empty() {
                fields[2].push('-');
            }
        }
        right(&Question { fen: fields.join(" "), ..question.clone() })
    }))
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
    for (letters, about) in readers {
        let summary = hunt_all(&targets, || reads(letters));
        let found = told(&summary);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].0 == Verdict::Reading && found[0].1.starts_with(about), "{found:?}");
    }
    assert!(hunt_all(&targets, || reads(|_| true)).findings.is_empty());
}

/// The source reads only the letters of files, and lacks the double steps of pawns.
#[test]
fn a_finding_shows_the_question_as_it_was_asked() {
    let source = || -> Box<dyn CountSource> {
        Box::new(from_fn(|question: &Question| {
            let is_unread = question.is_chess960 && question.fen.contains(" KQ");
            let rules = (!question.fen.contains("/PP")).then_some(Mutation::NoCastling).filter(|_| is_unread);
            let rules = rules.or(question.fen.contains("/PP").then_some(Mutation::NoDoubleStep));
            FaultySource::new(rules).ask(question, &StopSignal::default()).unwrap()
        }))
    };
    let path = MovePath::of_setup(&"4k3/8/8/8/8/8/PP6/1R2K1R1 w KQ - 0 1".parse().unwrap()).unwrap();
    let summary = hunt_all(&[HuntTarget { path, depths: vec![1] }], source);
    let bug = summary.findings.iter().find(|found| found.verdict == Verdict::Generation).unwrap();
    let field = |fen: &str| fen.split(' ').nth(2).map(str::to_owned).unwrap();
    assert_eq!(field(&bug.question().fen), field(&bug.epd));
    assert!("GB B G -".contains(&field(&bug.epd)), "{}", bug.epd);
    assert!(bug.to_string().contains(&format!("position  {}", bug.question().fen)), "{bug}");
}

/// The source does not castle in a position where the two sides have started with different arrays.
#[test]
fn double_chess960_is_asked_only_of_a_source_that_reads_it() {
    let one_array = |question: &Question| {
        let bug = question.fen.starts_with("1r3k2/").then_some(Mutation::NoCastling);
        FaultySource::new(bug).ask(question, &StopSignal::default()).unwrap()
    };
    let mut source = Program::new(Box::new(from_fn(one_array)), StopSignal::default());
    assert!(source.examine().is_none());
    for (fen, can_read) in [
        ("1r3k2/8/8/8/8/8/8/R1K5 w Qq - 0 1", false),
        ("1k4r1/8/8/8/8/8/8/RK5R w KQk - 0 1", false),
        ("rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1", true),
        ("4k3/8/8/8/8/8/8/R2R1K1R w KD - 0 1", true),
    ] {
        assert_eq!(source.can_read(&Position::from_fen(fen).unwrap()), can_read, "{fen}");
    }
}

/// The source is wrong about each position of Chess960. Every second answer lists the moves backwards, as a program
/// with several threads may do. If it `changes`, each answer has another wrong number.
#[test]
fn answers_are_wrong_in_the_same_way_in_any_order() {
    for changes in [false, true] {
        let mut answers = 0;
        let backwards = move |question: &Question| {
            let mut answer = right(question);
            if question.is_chess960 {
                answers += 1;
                answer.moves[2].1 += 1;
                answer.moves[5].1 += if changes { answers } else { 1 };
                answer.moves.extend([("e1e3".to_owned(), 7), ("e1e4".to_owned(), 7)]);
                if answers.is_multiple_of(2) {
                    answer.moves.reverse();
                }
            }
            answer
        };
        let mut source = Program::new(Box::new(from_fn(backwards)), StopSignal::default());
        assert_eq!(source.examine().is_none(), changes);
    }
}

/// Returns the square of a king after a move of its side.
fn king_after(played: Move, king: Square) -> Square {
    match (played.kind(), played.from() == king) {
        (_, false) => king,
        (MoveKind::Castling, _) => {
            let color = if king == Square::E1 { Color::White } else { Color::Black };
            CastlingSide::of(king, played.to()).king_target(color)
        }
        _ => played.to(),
    }
}

/// Counts below a board with a mistake as a program that counts nothing once a king is captured. The squares of the kings
/// are those of the side that has moved and of the side to move.
fn count_with_kings(board: &mut MutatedBoard, [theirs, ours]: [Square; 2], depth: u32) -> u128 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.each_child(|played, child| {
        let king = king_after(played, ours);
        if played.to() != theirs {
            nodes += count_with_kings(child, [king, theirs], depth - 1);
        }
    });
    nodes
}

/// What a program counts once it has captured a king depends on how it is written. It says nothing about its mistake.
#[test]
fn a_mistake_is_named_although_the_program_knows_no_capture_of_a_king() {
    for mutation in [Mutation::KingsAdjacent, Mutation::KingStepsBack, Mutation::PinnedPieceMoves] {
        let source = || -> Box<dyn CountSource> {
            Box::new(from_fn(move |question| {
                let end = path(question).end;
                let mut moves = Vec::new();
                let [theirs, ours] = [end.king(!end.turn()), end.king(end.turn())];
                MutatedBoard::new(&end, Some(mutation)).each_child(|played, child| {
                    let king = king_after(played, ours);
                    let nodes = count_with_kings(child, [king, theirs], question.depth - 1);
                    moves.push((played.to_uci(end.castling_notation()), nodes));
                });
                Answer { moves, ..Answer::default() }
            }))
        };
        let summary = hunt_all(&targets("", 3_000), source);
        let found = told(&summary);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].1, mutation.name(), "{}", summary.findings[0]);
        assert!(summary.findings[0].causes.unknown > 0, "{}", summary.findings[0]);
    }
}

/// Returns a source that also lists root moves that leave the king in check, each with a count that `count` gives.
fn unchecked_root(count: fn(u32) -> u128) -> Box<dyn CountSource> {
    Box::new(from_fn(move |question| {
        let (mut answer, end) = (right(question), path(question).end);
        for played in MutatedBoard::new(&end, Mutation::PseudoLegal.into()).legal_moves() {
            let text = played.to_uci(end.castling_notation());
            if answer.moves.iter().all(|(known, _)| *known != text) {
                answer.moves.push((text, count(question.depth)));
            }
        }
        answer
    }))
}

#[test]
fn unchecked_moves_of_the_root_are_one_pattern() {
    let counts: [fn(u32) -> u128; 2] = [|_| 1, |depth| u128::from(depth) * 10];
    for count in counts {
        let summary = hunt_all(&targets("", 5_000), || unchecked_root(count));
        let found = told(&summary);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0], (Verdict::Pattern, "root-unchecked".to_owned()));
    }
    // The count below them is 0, so the counts are right.
    assert!(hunt_all(&targets("", 5_000), || unchecked_root(|_| 0)).findings.is_empty());
}

/// All counters have 16 bits, or only those for the counts below the moves.
#[test]
fn counters_of_16_bits_are_a_pattern() {
    let cases = [("kiwipete", true, 3), ("kiwipete", false, 4)];
    for (name, sums_wrong, depth) in cases {
        let root = perft_core::suite::builtin::position(name).unwrap().position;
        let target = HuntTarget { path: MovePath::new(root), depths: (1..=depth).collect() };
        let counts_16_bits = move |question: &Question| {
            let mut answer = right(question);
            answer.moves.iter_mut().for_each(|(_, nodes)| *nodes %= 1 << 16);
            answer.stated_total = sums_wrong.then(|| answer.sum() as i128 % (1 << 16));
            answer
        };
        let summary = hunt_all(&[target], || Box::new(from_fn(counts_16_bits)));
        assert_eq!(told(&summary), [(Verdict::Pattern, "low-16-bits".to_owned())]);
    }
}

type Key = fn(&Position) -> String;

type Table = HashMap<(String, u32), u128>;

/// Counts with a transposition table whose key lacks a part of the position.
fn count_with_table(table: &mut Table, position: &Position, depth: u32, key: Key) -> u128 {
    if depth == 0 {
        return 1;
    }
    let entry = (key(position), depth);
    if let Some(&nodes) = table.get(&entry) {
        return nodes;
    }
    let below = |played| count_with_table(table, &position.play_legal(played), depth - 1, key);
    let nodes = position.legal_moves().into_iter().map(below).sum();
    table.insert(entry, nodes);
    nodes
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
        let with_table = move |question: &Question| {
            let (end, mut table) = (path(question).end, Table::new());
            answer(&end, |played| {
                count_with_table(&mut table, &end.play_legal(played), question.depth - 1, key)
            })
        };
        let summary = hunt_all(&special_targets(), || Box::new(from_fn(with_table)));
        assert!(!summary.findings.is_empty(), "{part}");
        assert!(summary.findings.iter().all(|found| found.verdict == Verdict::Contradiction), "{part}");
    }
}

//! Tests that one bug is told once, and that what is told of it is what was seen.

use std::collections::BTreeMap;

use perft_core::{Color, File, Piece, Position, Square, StopSignal};
use perft_diagnosis::source::{Answer, CountSource, Question, SourceError};
use perft_diagnosis::{Finding, SearchOptions, Theme, Verdict, explain, hunt, special_targets};
use perft_testing::planted::targets;

use crate::right;

/// A program that changes right answers. It is told the question before each in the same process.
struct Changed(Change, Option<Question>);

type Change = fn(&Question, Option<&Question>, Answer) -> Result<Answer, SourceError>;

impl CountSource for Changed {
    fn ask(&mut self, question: &Question, _: &StopSignal) -> Result<Answer, SourceError> {
        let before = self.1.replace(question.clone());
        (self.0)(question, before.as_ref(), right(question))
    }

    fn restart(&mut self) {
        self.1 = None;
    }
}

/// Hunts in a program that changes right answers, and returns the only bug.
fn only_bug(change: Change) -> Finding {
    let mut targets = targets("", 1_000);
    targets.extend(special_targets().into_iter().filter(|target| target.depths.len() == 2));
    let options = SearchOptions { survey: 500, ..SearchOptions::default() };
    let source = || -> Box<dyn CountSource> { Box::new(Changed(change, None)) };
    let target = |number: usize| targets.get(number).cloned();
    let summary = hunt(target, source, options, &StopSignal::default(), |_| {});
    let found: Vec<String> = summary.findings.iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 1, "{}", found.join("\n"));
    summary.findings.into_iter().next().unwrap()
}

fn piece_on(position: &Position, at: Square) -> Option<Piece> {
    position.piece_at(at).map(|found| found.piece)
}

/// The program lacks castling queen-side by Black, so it refuses to play it too.
#[test]
fn a_move_that_is_missing_and_refused_is_one_bug() {
    let bug = only_bug(|question, _, mut answer| {
        let root = Position::from_fen(&question.fen).unwrap();
        let castles = |text: &str| text == "e8c8" && piece_on(&root, Square::E8) == Some(Piece::King);
        if question.moves.iter().any(|text| castles(text)) {
            return Err(SourceError::Refused("illegal move e8c8".to_owned()));
        }
        let end = question.end().unwrap();
        let is_king = piece_on(&end, Square::E8) == Some(Piece::King) && end.turn() == Color::Black;
        answer.moves.retain(|(text, _)| !is_king || text != "e8c8");
        Ok(answer)
    });
    assert_eq!(bug.verdict, Verdict::Generation, "{bug}");
    assert!(bug.in_common.iter().any(|fact| fact.to_string().contains("castling queen-side")), "{bug}");
}

/// Going up and to the right, the sliders of the program do not reach the h-file: their moves are missing, and they do not
/// attack a king.
#[test]
fn a_ray_that_ends_early_is_one_bug() {
    only_bug(|question, _, mut answer| {
        let position = question.end().unwrap();
        if question.depth > 1 {
            return Ok(answer);
        }
        let is_lost = |(text, _): &(String, u128)| {
            let played = position.find_move(text).unwrap();
            let (from, to) = (played.from(), played.to());
            let is_slider = matches!(piece_on(&position, from), Some(Piece::Bishop | Piece::Queen));
            is_slider && to.file() == File::H && from.file() < to.file() && from.rank() < to.rank()
        };
        answer.moves.retain(|listed| !is_lost(listed));
        let king = position.king(position.turn());
        for to in Square::ALL {
            let text = format!("{king}{to}");
            let why = explain(&position, &text);
            let edge = Square::ALL.into_iter().find(|at| {
                let files = at.file().index().wrapping_sub(to.file().index());
                let ranks = at.rank().index().wrapping_sub(to.rank().index());
                at.file() == File::H && files == ranks && files > 0
            });
            let is_attacker =
                |piece| edge.is_some_and(|edge| why.text.contains(&format!("the {piece} on {edge} attacks")));
            if why.theme == Theme::KingIntoCheck && ["bishop", "queen"].into_iter().any(is_attacker) {
                answer.moves.push((text, 1));
            }
        }
        Ok(answer)
    });
}

/// Taking back a promotion leaves something wrong. It shows below the root, and if the promotion captures a rook that may
/// castle, at once.
#[test]
fn one_thing_that_is_wrong_in_two_places_is_one_bug() {
    fn promotes(position: &Position, depth: u32) -> bool {
        let mut moves = position.legal_moves().into_iter();
        moves.any(|played| {
            played.kind().promotion().is_some()
                || depth > 1 && promotes(&position.play_legal(played), depth - 1)
        })
    }
    let bug = only_bug(|question, _, mut answer| {
        let position = question.end().unwrap();
        for (text, nodes) in answer.moves.iter_mut().filter(|_| question.depth > 1) {
            let played = position.find_move(text).unwrap();
            let rights = position.castling().all_rooks();
            let is_wrong = played.kind().promotion().is_some() && rights.contains(played.to());
            let is_wrong = is_wrong || promotes(&position.play_legal(played), question.depth - 1);
            *nodes += u128::from(is_wrong);
        }
        Ok(answer)
    });
    assert!(bug.in_common[0].to_string().contains("a promotion"), "{bug}");
}

/// The table of the program takes a count of one ply more.
#[test]
fn counts_of_another_depth_are_told() {
    let bug = only_bug(|question, before, mut answer| {
        let is_found = |before: &&Question| before.fen == question.fen && before.depth > question.depth;
        if before.filter(is_found).is_some() {
            answer = right(&Question { depth: question.depth + 1, ..question.clone() });
        }
        Ok(answer)
    });
    assert_eq!(bug.verdict, Verdict::NotRepeated);
    assert!(bug.to_string().contains(", which is its count at depth 4\n"), "{bug}");
}

/// The program writes promotions without the letter of the piece, and keeps one row for each name.
#[test]
fn promotions_without_a_letter_are_told() {
    let bug = only_bug(|_, _, mut answer| {
        let rows: BTreeMap<String, u128> =
            answer.moves.iter().map(|(text, nodes)| (text[..4].to_owned(), *nodes)).collect();
        answer.moves = rows.into_iter().collect();
        Ok(answer)
    });
    assert!(bug.to_string().contains(", without the letter of the new piece"), "{bug}");
}

/// The program keeps the en passant square when it castles.
#[test]
fn what_is_wrong_after_moves_is_told_of_the_moves() {
    let bug = only_bug(|question, _, mut answer| {
        let setup = question.fen.split(' ').nth(3).unwrap();
        let castles = |text: &String| ["e1g1", "e1c1", "e8g8", "e8c8"].contains(&text.as_str());
        if setup != "-" && question.moves.len() == 1 && castles(&question.moves[0]) {
            answer.moves.push(("a7b6".to_owned(), 1));
        }
        Ok(answer)
    });
    assert_eq!(bug.verdict, Verdict::Make);
    let text = bug.to_string();
    assert!(text.contains(" castling right after a double step among the moves that are"), "{text}");
}

/// The program reads a k alone as kq, so it castles on a wing where there is no rook.
#[test]
fn a_misread_right_is_seen_in_a_position_without_moves() {
    let bug = only_bug(|question, _, mut answer| {
        let end = question.end().unwrap();
        let is_misread = question.fen.contains(" b k ") && end.turn() == Color::Black;
        let is_free = [Square::D8, Square::C8, Square::B8].iter().all(|&at| piece_on(&end, at).is_none());
        if is_misread && is_free && end.checkers().is_empty() && question.depth == 1 {
            answer.moves.push(("e8c8".to_owned(), 1));
        }
        Ok(answer)
    });
    assert_eq!((bug.verdict, bug.fault.path.moves.len()), (Verdict::Generation, 0));
    assert!(bug.to_string().contains(" a right to castle king-side and no other"), "{bug}");
}

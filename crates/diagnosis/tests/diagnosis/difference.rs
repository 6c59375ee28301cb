//! Comparing answers with right ones, and mistakes in adding up.

use perft_core::{Position, START_FEN};
use perft_diagnosis::DivideDifference;
use perft_diagnosis::source::Answer;

/// Compares a correct answer with the correct divide after the answer was changed.
fn difference_after(fen: &str, depth: u32, change: impl Fn(&mut Answer)) -> DivideDifference {
    let position = Position::from_fen(fen).unwrap();
    let ours = position.divide(depth);
    let moves = ours.iter().map(|known| (known.played.to_uci(position.castling_notation()), known.nodes));
    let mut answer = Answer { moves: moves.collect(), stated_total: None, ..Answer::default() };
    change(&mut answer);
    DivideDifference::new(&position, &ours, &answer)
}

#[test]
fn a_right_answer_has_no_difference() {
    assert!(difference_after(START_FEN, 3, |_| {}).is_right());
    assert!(difference_after(START_FEN, 3, |answer| answer.moves.reverse()).is_right());
    let total = |answer: &mut Answer| *answer = Answer::parse("Nodes searched: 8902");
    assert!(difference_after(START_FEN, 3, total).is_right());
}

#[test]
fn missing_extra_repeated_and_miscounted_moves_are_found() {
    let found = difference_after(START_FEN, 2, |answer| {
        answer.moves.remove(0);
        answer.moves.push(("e1e3".to_owned(), 7));
        let second = answer.moves[0].clone();
        answer.moves.push(second);
        answer.moves[4].1 += 1;
    });
    assert_eq!((found.missing.len(), found.extra.len(), found.wrong.len()), (1, 2, 1));
    assert_eq!((found.wrong[0].ours, found.wrong[0].theirs), (20, 21));
    assert!(found.last_right.is_some());
    assert!(!found.is_right());
}

#[test]
fn a_total_on_its_own_says_nothing_about_moves() {
    let found = difference_after(START_FEN, 2, |answer| *answer = Answer::parse("401"));
    assert!(found.has_right_moves() && !found.is_right() && !found.lists_moves);
}

#[test]
fn with_a_total_of_zero_every_move_is_missing() {
    let found = difference_after(START_FEN, 1, |answer| *answer = Answer::parse("0"));
    assert_eq!(found.missing.len(), 20);
}

#[test]
fn a_total_that_is_not_the_sum_is_a_contradiction() {
    let found = difference_after(START_FEN, 1, |answer| answer.stated_total = Some(21));
    assert!(found.contradicts_itself && found.has_right_moves() && !found.is_right());
}

/// One move has another spelling. The answer is not wrong, but it was not understood.
#[test]
fn lines_that_were_not_understood_are_blamed() {
    let unread = |stated_total| {
        difference_after(START_FEN, 1, |answer| {
            answer.moves.pop();
            answer.unread.push("Ng1-h3 1".to_owned());
            answer.stated_total = stated_total;
        })
    };
    for stated_total in [Some(20), None] {
        let found = unread(stated_total);
        assert_eq!(found.unread, ["Ng1-h3 1"], "{stated_total:?}");
        assert!(!found.is_right() && !found.is_wrong());
    }
    // The total confirms that the move is missing.
    assert!(unread(Some(19)).is_wrong());
    let right = difference_after(START_FEN, 1, |answer| answer.unread.push("Perft 1".to_owned()));
    assert!(right.is_right() && right.unread.is_empty());
    let extra = difference_after(START_FEN, 1, |answer| {
        answer.moves.push(("e1e2".to_owned(), 1));
        answer.unread.push("Perft 1".to_owned());
    });
    assert!(extra.is_wrong());
}

/// The move d1h5 mates, so its count at depth 2 is 0.
#[test]
fn moves_that_a_right_answer_does_not_list_are_no_difference() {
    let before_mate = "rnbqkbnr/ppppp2p/5p2/6p1/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1";
    for has_total in [true, false] {
        let found = difference_after(before_mate, 2, |answer| {
            answer.stated_total = has_total.then(|| answer.sum() as i128);
            answer.moves.retain(|(_, nodes)| *nodes > 0);
        });
        assert!(found.is_right() && found.unlisted.len() == 1, "{found:?}");
    }
    // Another move is wrong, so the move with the count 0 is not the reason.
    let found = difference_after(before_mate, 2, |answer| {
        answer.moves.retain(|(_, nodes)| *nodes > 0);
        answer.moves[0].1 += 1;
    });
    assert_eq!((found.missing.len(), found.unlisted.len(), found.wrong.len()), (0, 1, 1));
    // The total includes the moves that are not listed.
    for depth in [1, 2] {
        let found = difference_after(START_FEN, depth, |answer| {
            answer.stated_total = Some(answer.sum() as i128);
            answer.moves.drain(3..7);
        });
        assert!(found.is_right() && found.unlisted.len() == 4, "{found:?}");
    }
    let found = difference_after(START_FEN, 1, |answer| drop(answer.moves.pop()));
    assert!(found.is_wrong() && found.missing.len() == 1);
}

#[test]
fn promotions_without_a_letter_are_told_apart_by_their_counts() {
    let promotions = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";
    let found = difference_after(promotions, 3, |answer| {
        for (text, _) in &mut answer.moves {
            text.truncate(4);
        }
    });
    assert!(found.is_right(), "{found:?}");
}

#[test]
fn castling_is_understood_in_both_notations() {
    let standard = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let rewrite = |answer: &mut Answer| {
        let castling = answer.moves.iter_mut().find(|(text, _)| text == "e1g1").unwrap();
        castling.0 = "e1h1".to_owned();
    };
    assert!(difference_after(standard, 1, rewrite).is_right());
    assert!(difference_after("4k3/8/8/8/8/8/8/RK6 w A - 0 1", 1, |_| {}).is_right());
}

/// A program that promotes to a bishop twice lists no wrong name.
#[test]
fn a_legal_move_that_is_listed_twice_is_not_misnamed() {
    let is_misnamed = |name: &str| {
        let change = |answer: &mut Answer| {
            let knight = answer.moves.iter_mut().find(|(text, _)| text == "g7h8n").unwrap();
            knight.0 = name.to_owned();
        };
        difference_after("7n/6P1/8/8/8/1k6/8/1K6 w - - 0 1", 1, change).is_misnamed
    };
    assert!(is_misnamed("g7h8k") && !is_misnamed("g7h8b"));
}

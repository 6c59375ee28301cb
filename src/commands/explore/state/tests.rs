//! Tests of the state of the explorer.

use super::*;
use KeyCode::{Down, End, Enter, Home, Left, PageDown, PageUp, Right, Up};

const DEEPER: KeyCode = KeyCode::Char('+');
const SHALLOWER: KeyCode = KeyCode::Char('-');
const NEXT_DIFFERENCE: KeyCode = KeyCode::Char('n');

fn start(depth: u32) -> State {
    State::new(Position::start(), depth, CastlingNotation::Standard, None)
}

/// Completes a task with a count of one node for each move.
fn finish(state: &mut State) {
    let Task { number: task, moves, .. } = state.next_task();
    moves.into_iter().for_each(|played| state.apply(Update { task, news: News::Count(played, 1) }));
}

fn press(state: &mut State, keys: &[KeyCode]) -> Effect {
    keys.iter().map(|&code| state.press(code.into())).last().unwrap()
}

fn selected(state: &State) -> &str {
    &state.level().selected_row().unwrap().text
}

#[test]
fn the_selection_moves_within_the_list() {
    let mut state = start(1);
    let expected = [(Up, "a2a3"), (Down, "a2a4"), (End, "h2h4"), (Down, "h2h4"), (Home, "a2a3")];
    for (key, text) in expected {
        assert_eq!(press(&mut state, &[key]), Effect::None);
        assert_eq!(selected(&state), text, "{key:?}");
    }
    state.page = 4;
    press(&mut state, &[PageDown, PageDown, PageUp]);
    assert_eq!(selected(&state), "b2b3");
    assert_eq!((press(&mut state, &[SHALLOWER]), state.level().depth), (Effect::None, 1));
}

#[test]
fn down_the_tree_and_back_up() {
    let mut state = start(3);
    finish(&mut state);
    assert_eq!(press(&mut state, &[Down, Enter]), Effect::Count);
    assert_eq!((state.path(), state.level().depth), (vec!["a2a4"], 2));
    press(&mut state, &[Right, Enter]);
    assert_eq!((state.path().len(), state.level().depth), (3, 1), "at depth 1 the depth stays");
    press(&mut state, &[Left, KeyCode::Backspace, Left]);
    assert_eq!((state.path().len(), state.level().depth, selected(&state)), (0, 3, "a2a4"));
    assert!(state.level().is_counted() && state.next_task().moves.is_empty(), "nothing is counted twice");
    assert_eq!(press(&mut state, &[Left]), Effect::None);
    assert!(state.message.is_some());
}

#[test]
fn old_news_are_not_looked_at() {
    let mut state = start(2);
    let Task { number: task, moves, .. } = state.next_task();
    press(&mut state, &[DEEPER]);
    state.next_task();
    state.apply(Update { task, news: News::Count(moves[0], 20) });
    state.apply(Update { task, news: News::Answer(None, Err(SourceError::NoCommand)) });
    assert_eq!((state.level().counted(), &state.level().reply), ((0, 20), &Reply::Awaited));
}

#[test]
fn a_count_of_a_refused_question_is_no_wrong_count() {
    for (total, is_answer) in [(48_u64, false), (20, true)] {
        let mut state = State { engine: Some("engine".to_owned()), ..start(1) };
        let refusal = Some("illegal position".to_owned());
        let answer = Ok(Answer { refusal, ..Answer::from(total) });
        state.next_task();
        state.apply(Update { task: state.task, news: News::Answer(None, answer.map(Box::new)) });
        assert!(matches!(state.level().reply, Reply::Given(_)));
        finish(&mut state);
        assert_eq!(matches!(state.level().reply, Reply::Given(_)), is_answer, "{total}");
    }
}

#[test]
fn a_failed_engine_is_asked_again_and_our_counts_go_on() {
    let mut state = State { engine: Some("engine".to_owned()), ..start(1) };
    let Task { number: task, moves, asks_engine, .. } = state.next_task();
    assert!(asks_engine);
    let answer = Err(SourceError::TimedOut(std::time::Duration::from_secs(1), String::new()));
    state.apply(Update { task, news: News::Answer(None, answer.map(Box::new)) });
    assert!(matches!(&state.level().reply, Reply::Failed(why) if why.contains("did not answer")));
    state.apply(Update { task, news: News::Count(moves[0], 1) });
    assert_eq!(state.level().counted(), (1, 20));
    assert!(state.next_task().asks_engine);
    assert_eq!(state.level().reply, Reply::Awaited);
}

#[test]
fn the_next_difference_is_found_and_a_foreign_move_leads_nowhere() {
    let mut state = State { engine: Some("engine".to_owned()), ..start(1) };
    finish(&mut state);
    press(&mut state, &[End, NEXT_DIFFERENCE]);
    assert_eq!(state.message.as_deref(), Some("no differences so far"));
    let moves = state.level().rows.iter().map(|row| (row.text.clone(), 1));
    let moves = moves.chain([("e2e5".to_owned(), 1)]).collect();
    let (task, answer) = (state.task, Answer { moves, stated_total: None, ..Answer::default() });
    state.apply(Update { task, news: News::Answer(Some("Fake 1.0".to_owned()), Ok(Box::new(answer))) });
    assert_eq!((state.engine.as_deref(), selected(&state)), (Some("Fake 1.0"), "h2h4"));
    for _ in 0..2 {
        press(&mut state, &[NEXT_DIFFERENCE]);
        assert_eq!(selected(&state), "e2e5");
    }
    assert_eq!((press(&mut state, &[Enter]), state.path().len()), (Effect::None, 0));
    assert!(state.message.unwrap().contains("not legal"));
}

#[test]
fn a_mate_has_nothing_to_select() {
    let mate = Position::from_fen("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1").unwrap();
    let mut state = State::new(mate, 4, CastlingNotation::Standard, None);
    for key in [Up, Down, PageUp, PageDown, Home, End, Enter, NEXT_DIFFERENCE] {
        assert_eq!(press(&mut state, &[key]), Effect::None);
    }
    assert!(state.level().is_counted());
}

#[test]
fn help_is_closed_by_any_key_and_left_by_an_interrupt() {
    let mut state = start(1);
    let help = KeyCode::Char('?');
    for key in [KeyCode::Char('q'), Down, KeyCode::Char('x')] {
        assert_eq!((press(&mut state, &[help, key]), state.shows_help), (Effect::None, false));
        assert_eq!(selected(&state), "a2a3");
    }
    press(&mut state, &[help]);
    assert_eq!(state.press(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)), Effect::Quit);
}

#[test]
fn q_and_escape_quit_and_control_changes_the_meaning_of_a_key() {
    let mut state = start(1);
    for key in [KeyCode::Char('q'), KeyCode::Esc] {
        assert_eq!(press(&mut state, &[key]), Effect::Quit);
    }
    assert_eq!(state.press(KeyEvent::new(NEXT_DIFFERENCE, KeyModifiers::CONTROL)), Effect::None);
    assert_eq!(state.message, None);
    assert_eq!(state.press(KeyEvent::new(DEEPER, KeyModifiers::SHIFT)), Effect::Count);
}

fn level(fen: &str) -> Level {
    let position = Position::from_fen(fen).unwrap();
    Level::new(position, None, 1, position.castling_notation())
}

fn count_all(level: &mut Level, nodes: u128) {
    level.uncounted().into_iter().for_each(|played| level.note_count(played, nodes));
}

fn note(level: &mut Level, answer: &str) {
    level.reply = Reply::Given(Answer::parse(answer).into());
    level.compare();
}

#[test]
fn castling_is_read_in_either_notation_while_we_count() {
    let mut level = level("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    note(&mut level, "e1h1: 15");
    let row = level.rows.iter().find(|row| row.text == "e1g1").unwrap();
    assert_eq!((row.theirs, level.differences()), (Some(15), 0));
    assert!(level.rows.iter().all(|row| row.played.is_some()));
}

#[test]
fn a_total_alone_is_compared_as_a_total() {
    let mut level = level("7k/8/8/8/8/8/8/K7 w - - 0 1");
    count_all(&mut level, 1);
    note(&mut level, "Nodes searched: 4");
    assert_eq!((level.differences(), level.their_total()), (0, Some(4)));
}

#[test]
fn promotions_without_letters_are_told_apart_by_our_counts() {
    let mut level = level("8/P7/8/8/8/8/8/k1K5 w - - 0 1");
    note(&mut level, "a7a8 3\na7a8 1\na7a8 2\na7a8 9\nc1c2 1\nc1d1 1\nc1d2 1");
    assert_eq!(level.differences(), 0);
    let nodes = [("a7a8b", 1), ("a7a8n", 2), ("a7a8q", 3), ("a7a8r", 4)];
    for row in level.rows.clone() {
        let known = nodes.iter().find(|(text, _)| *text == row.text).map_or(1, |(_, nodes)| *nodes);
        level.note_count(row.played.unwrap(), known);
    }
    let differing: Vec<&str> = (level.rows.iter())
        .filter(|row| level.status(row).is_difference())
        .map(|row| row.text.as_str())
        .collect();
    assert_eq!(differing, ["a7a8r"], "{:?}", level.rows);
}

#[test]
fn another_depth_removes_counts_and_illegal_moves() {
    let mut level = level("7k/8/8/8/8/8/8/K7 w - - 0 1");
    note(&mut level, "a1a9: 1\na1h8: 1");
    count_all(&mut level, 1);
    level.selected = 3;
    level.set_depth(2);
    assert_eq!((level.depth, level.counted(), level.selected), (2, (0, 3), 2));
    assert_eq!(level.reply, Reply::Awaited);
}

#[test]
fn a_typed_move_is_played_or_explained() {
    let typed = |text: &str| text.chars().map(KeyCode::Char).collect::<Vec<KeyCode>>();
    let mut state = start(2);
    assert_eq!(
        press(&mut state, &[typed("mq4"), vec![KeyCode::Backspace; 2], typed("e4"), vec![Enter]].concat()),
        Effect::Count
    );
    assert_eq!(state.path(), ["e2e4"]);
    assert_eq!(press(&mut state, &[typed("me7e4"), vec![Enter]].concat()), Effect::None);
    assert!(state.message.as_ref().is_some_and(|why| why.contains("e7e4")), "{:?}", state.message);
    assert_eq!(press(&mut state, &[typed("me7"), vec![KeyCode::Esc, Left]].concat()), Effect::Count);
    assert!(state.path().is_empty() && state.typed.is_none());
}

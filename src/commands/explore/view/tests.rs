//! Tests of what the explorer draws.

use perft_core::{CastlingNotation, Position};
use perft_count::Perft;
use perft_diagnosis::source::{Answer, SourceError};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;

use super::*;
use crate::commands::explore::state::{News, Task, Update};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn at(fen: &str, depth: u32, engine: Option<&str>) -> State {
    let position = Position::from_fen(fen).unwrap();
    let engine = engine.map(str::to_owned);
    let mut state = State::new(position, depth, CastlingNotation::Standard, engine);
    count(&mut state);
    state
}

/// Starts and completes the next task.
fn count(state: &mut State) {
    let Task { number: task, position, depth, moves, .. } = state.next_task();
    for played in moves {
        let nodes = Perft::new().count(&position.play_legal(played), depth - 1);
        state.apply(Update { task, news: News::Count(played, nodes) });
    }
}

/// Applies an answer to the last task: our counts after some changes.
fn answer(state: &mut State, change: impl Fn(&mut Vec<(String, u128)>)) {
    let rows = state.level().rows.iter();
    let mut moves = rows.map(|row| (row.text.clone(), row.ours.unwrap())).collect();
    change(&mut moves);
    let answer = Ok(Answer { moves, stated_total: None, ..Answer::default() });
    let task = state.task;
    state.apply(Update { task, news: News::Answer(Some("Fake 1.0".to_owned()), answer.map(Box::new)) });
}

fn buffer(state: &State, is_colored: bool, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(state, Palette { is_colored }, frame)).unwrap();
    terminal.backend().buffer().clone()
}

fn lines(state: &State, width: u16, height: u16) -> Vec<String> {
    let buffer = buffer(state, true, width, height);
    let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..height).map(|y| line(y).trim_end().to_owned()).collect()
}

#[track_caller]
fn assert_shows(lines: &[String], text: &str) {
    assert!(lines.iter().any(|line| line.contains(text)), "no '{text}' in\n{}", lines.join("\n"));
}

#[test]
fn a_divide_in_a_small_window() {
    let mut state = at(KIWIPETE, 2, None);
    let shown = lines(&state, 80, 24);
    assert_eq!(shown[0], "perft explore  depth 2  2,039 nodes");
    assert_eq!(shown[1], KIWIPETE);
    assert_eq!(shown[2], "moves: none");
    assert!(shown[4].starts_with(" 8  r   .   .   .   k   .   .   r"), "{}", shown[4]);
    assert_eq!(shown[6].split("  ").next(), Some(" 7"), "a square has two lines");
    assert_shows(&shown, ">    a1b1            43 #");
    assert_shows(&shown, "White to move");
    assert_shows(&shown, "total        2,039");
    assert_shows(&shown, "48 legal moves, all counted");
    assert!(shown[23].starts_with("?: help"));
    state.page = page(&state, Rect::new(0, 0, 80, 24));
    assert_eq!(state.page, 16);
    state.press(KeyCode::End.into());
    let shown = lines(&state, 80, 24);
    assert_shows(&shown, ">    h1g1            43 #");
    assert!(shown[20].ends_with('#'), "the scroll bar is at its end: {}", shown[20]);
    state.press(KeyCode::Char('f').into());
    assert!(lines(&state, 80, 24)[4].starts_with(" 1  R   .   .   K   .   .   .   R"));
    assert!(lines(&state, 70, 20)[4].starts_with(" 1 R . . K . . . R"));
}

#[test]
fn a_large_window_has_no_scroll_bar() {
    let shown = lines(&at(KIWIPETE, 1, None), 200, 60);
    assert!(shown.iter().all(|line| !line.ends_with(['#', '|'])));
    let shown = lines(&at(KIWIPETE, 1, None), 200, 50);
    assert!(shown.iter().any(|line| line.ends_with('#')), "48 moves do not fit into 50 lines");
}

#[test]
fn differences_are_marked_without_color_too() {
    let mut state = at(KIWIPETE, 2, Some("fake"));
    assert_shows(&lines(&state, 80, 24), "48 legal moves, all counted; waiting for the engine");
    answer(&mut state, |moves| {
        moves.retain(|(text, _)| text != "a1c1");
        moves.iter_mut().find(|(text, _)| text == "a1d1").unwrap().1 += 1;
        moves.push(("a1a2".to_owned(), 40));
    });
    let shown = lines(&state, 80, 24);
    assert_eq!(shown[0], "perft explore  depth 2  2,039 nodes  beside Fake 1.0");
    assert_shows(&shown, "move         perft       engine   difference");
    assert_shows(&shown, "  +  a1a2             -           40  only engine");
    assert_shows(&shown, "  -  a1c1            43            -   only perft");
    assert_shows(&shown, "  !  a1d1            43           44           +1");
    assert_shows(&shown, "  !  total        2,039        2,037           -2");
    assert_shows(&shown, "3 moves differ");
    state.press(KeyCode::Home.into());
    assert_shows(&lines(&state, 80, 24), "a1a2 is illegal: the pawn on a2");
    let colors = |is_colored| {
        let buffer = buffer(&state, is_colored, 80, 24);
        buffer.content.iter().filter(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset).count()
    };
    assert_eq!(colors(false), 0);
    assert!(colors(true) > 0);
}

#[test]
fn a_count_that_is_wrong_only_one_ply_up_is_not_called_right() {
    let below_a1b1 = |listings: usize| {
        let mut state = at(KIWIPETE, 2, Some("fake"));
        answer(&mut state, |moves| {
            moves[0].1 = 44;
            (1..listings).for_each(|_| moves.push(moves[0].clone()));
        });
        state.press(KeyCode::Enter.into());
        count(&mut state);
        answer(&mut state, |_| {});
        lines(&state, 80, 24)
    };
    let shown = below_a1b1(1);
    assert_shows(&shown, "no difference here, but 44 instead of 43 after a1b1 one ply up: look at playing");
    assert_shows(&shown, "and taking back moves, the transposition table, draws, counting the last ply,");
    assert_shows(&shown, "Black to move");
    assert_shows(&below_a1b1(2), "43 legal moves, all counted; no difference");
}

#[test]
fn the_reason_why_an_engine_failed_is_shown() {
    let mut state = at(KIWIPETE, 1, Some("fake"));
    let answer = Err(SourceError::TimedOut(std::time::Duration::from_secs(3), "a word ".repeat(20)));
    state.apply(Update { task: 1, news: News::Answer(None, answer.map(Box::new)) });
    let shown = lines(&state, 80, 24);
    assert_shows(&shown, "engine failed: the engine did not answer within 3 s");
    assert_shows(&shown, "  total           48            ?");
}

#[test]
fn no_number_is_cut_off() {
    let mut state = at(KIWIPETE, 1, Some("fake"));
    answer(&mut state, |moves| moves[0].1 = 10_u128.pow(12));
    assert_shows(&lines(&state, 80, 24), "1000000000000");
    assert_shows(&lines(&state, 120, 24), "1,000,000,000,000");
    assert_shows(&lines(&state, 64, 16), "1000000000000");
    let mut state = at(KIWIPETE, 1, Some("fake"));
    answer(&mut state, |moves| moves[0].1 = 10_u128.pow(38));
    assert_shows(&lines(&state, 80, 24), "Too narrow for these counts.");
}

#[test]
fn a_window_that_is_too_small_says_so() {
    let state = at(KIWIPETE, 1, None);
    assert_shows(&lines(&state, 40, 10), "too small; it needs 40x16");
    for (width, height) in [(1, 1), (39, 100), (100, 3), (40, 16), (60, 16)] {
        lines(&state, width, height);
        page(&state, Rect::new(0, 0, width, height));
    }
}

#[test]
fn a_narrow_window_has_the_board_above_the_list() {
    let shown = lines(&at(KIWIPETE, 2, Some("fake")), 40, 30);
    let line =
        |text: &str| shown.iter().position(|line| line.contains(text)).unwrap_or_else(|| panic!("{shown:?}"));
    assert!(line("White to move") < line("a1b1") && shown.iter().all(|line| line.len() <= 40));
    assert!(shown[29].starts_with("?: help"));
    assert_shows(&lines(&at(KIWIPETE, 2, None), 120, 40), " 8   r     .     .     .     k     .     .     r");
}

#[test]
fn the_largest_difference_is_first_and_a_selected_row_can_be_read() {
    let mut state = at(KIWIPETE, 2, Some("fake"));
    answer(&mut state, |moves| {
        moves.iter_mut().find(|(text, _)| text == "a1d1").unwrap().1 += 1;
        moves.iter_mut().find(|(text, _)| text == "h1g1").unwrap().1 -= 40;
    });
    state.press(KeyCode::Char('s').into());
    let texts: Vec<&str> = state.level().rows.iter().map(|row| row.text.as_str()).take(3).collect();
    assert_eq!(texts, ["h1g1", "a1d1", "a1b1"]);
    let buffer = buffer(&state, true, 80, 24);
    let selected = buffer.content.iter().find(|cell| cell.symbol() == ">").unwrap();
    assert_eq!((selected.fg, selected.bg), (Color::Indexed(BLACK), Color::LightYellow));
    state.press(KeyCode::Char('w').into());
    assert_shows(&lines(&state, 80, 24), "h1g1 is legal: the rook on h1 moves to g1");
}

#[test]
fn the_board_shows_why_an_extra_move_is_not_legal() {
    let mut state = at("4k2r/8/3N4/8/8/8/6K1/8 b k - 0 1", 1, Some("fake"));
    answer(&mut state, |moves| moves.push(("e8g8".to_owned(), 1)));
    state.press(KeyCode::Char('n').into());
    let drawing = state.drawing();
    let colors = ["e8", "g8", "d6", "e7"].map(|square| mark_color(&drawing, square.parse().unwrap()));
    assert!(colors[0].is_some() && colors[0] == colors[1] && colors[2].is_some(), "{colors:?}");
    assert!(colors[2] != colors[0] && colors[3].is_none(), "{colors:?}");
    let buffer = buffer(&state, true, 60, 16);
    let knight = buffer.content.iter().rfind(|cell| cell.symbol() == "N").unwrap();
    assert_eq!(Some(knight.bg), colors[2].map(Color::Indexed));
}

#[test]
fn help_fits_into_the_smallest_window() {
    let mut state = at(KIWIPETE, 1, None);
    state.press(KeyCode::Char('?').into());
    for (width, height) in [(40, 16), (80, 24), (200, 50)] {
        let shown = lines(&state, width, height);
        assert_shows(&shown, "up, down, ... select a move");
        assert_shows(&shown, "next, sort by difference│");
        assert_shows(&shown, "+ extra: only the engine has it");
    }
}

#[test]
fn long_fens_and_long_paths() {
    let long = "r1b1k1nr/1p1p1p1p/p1p1p1p1/1n1b1q1B/P1P1P1P1/1P1P1P1P/1N1B1Q1N/R1N1K1NR w KQkq - 0 1";
    let state = at(long, 1, None);
    let shown = lines(&state, 80, 24);
    assert_eq!(format!("{}{}", shown[1], shown[2]), long);
    let moves = ["e2e4"; 30];
    let text = path(&moves, 80).to_string();
    assert!(text.starts_with("moves: ... e2e4 ") && text.len() <= 80, "{text}");
    assert_eq!(path(&moves[..2], 80).to_string(), "moves: e2e4 e2e4");
}

#[test]
fn the_end_of_a_game_is_named() {
    assert_shows(&lines(&at("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", 3, None), 80, 24), "Black: checkmate");
    assert_shows(&lines(&at("k7/2Q5/8/8/8/8/8/K7 b - - 0 1", 3, None), 80, 24), "Black: stalemate");
    assert_shows(&lines(&at("7k/8/8/8/8/8/8/K6R b - - 0 1", 3, None), 80, 24), "Black is in check");
}

//! What the explorer shows, and what each command does to it: no terminal, no threads, no clock.
//!
//! The path from the root is a list of levels. Each keeps its depth, its counts and its selection, so that going back
//! up shows at once what was counted before. A change that asks for counts gives the next [`Task`]; news that belong
//! to an earlier task are not looked at.

use perft_core::MAX_DEPTH;
use perft_core::Position;
use perft_core::{CastlingNotation, Move};
use perft_diagnosis::source::{Answer, SourceError};

use super::level::{Level, Reply};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// The move above.
    Up,
    /// The move below.
    Down,
    /// A screenful up.
    PageUp,
    /// A screenful down.
    PageDown,
    /// The first move.
    First,
    /// The last move.
    Last,
    /// Play the selected move.
    Into,
    /// Take the last move back.
    Back,
    /// A ply more.
    Deeper,
    /// A ply less.
    Shallower,
    /// The next move that differs.
    NextDifference,
    /// Turn the board.
    Flip,
    /// Copy the FEN.
    Copy,
    /// Show what the keys do.
    Help,
    /// Leave the help, or the explorer.
    Leave,
    /// Leave the explorer at once.
    Interrupt,
    /// A key without a meaning; it closes the help, as any key does.
    Other,
}

/// What a command asks of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// The counts of another position or depth.
    Count,
    /// This text for the clipboard.
    Copy(String),
    /// The end.
    Leave,
}

/// What shall be counted.
#[derive(Clone, Debug)]
pub struct Task {
    /// Which one it is: every task has another number.
    pub number: u64,
    /// The position.
    pub position: Position,
    /// The depth in plies, the root move included.
    pub depth: u32,
    /// The moves below which is to be counted.
    pub moves: Vec<Move>,
    /// True if the engine is to be asked too.
    pub asks_engine: bool,
    /// How castling is written.
    pub notation: CastlingNotation,
}

/// What has become of a task.
#[derive(Clone, Debug)]
pub enum News {
    /// The leaf nodes below a move.
    Count {
        /// The number of the task.
        task: u64,
        /// The move.
        played: Move,
        /// The leaf nodes.
        nodes: u128,
    },
    /// What the engine answered, or why it did not.
    Answer {
        /// The number of the task.
        task: u64,
        /// What the engine calls itself.
        name: Option<String>,
        /// The answer.
        answer: Result<Answer, SourceError>,
    },
}

/// All that the screen shows.
#[derive(Clone, Debug)]
pub struct State {
    /// From the root to the position that is shown; there is always a root.
    levels: Vec<Level>,
    notation: CastlingNotation,
    /// The number of the last task.
    task: u64,
    /// What the engine is called; `None` without one.
    pub engine: Option<String>,
    /// True if Black is at the bottom of the board.
    pub is_flipped: bool,
    /// True if the help lies over the list.
    pub shows_help: bool,
    /// What the last command has to say.
    pub message: Option<String>,
    /// The FENs that were copied.
    pub copied: Vec<String>,
    /// The rows that fit on the screen.
    pub page: usize,
    /// The part of the move under count that is done, from 0 to 1.
    pub fraction: f64,
}

impl State {
    /// At the root; nothing is counted yet.
    pub fn new(root: Position, depth: u32, notation: CastlingNotation, engine: Option<String>) -> State {
        State {
            levels: vec![Level::new(root, None, depth, notation)],
            notation,
            task: 0,
            engine,
            is_flipped: false,
            shows_help: false,
            message: None,
            copied: Vec::new(),
            page: 10,
            fraction: 0.0,
        }
    }

    /// The position that is shown, with its moves.
    pub fn level(&self) -> &Level {
        &self.levels[self.levels.len() - 1]
    }

    fn level_mut(&mut self) -> &mut Level {
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    /// The moves from the root to the position that is shown.
    pub fn path(&self) -> Vec<&str> {
        self.levels.iter().filter_map(|level| level.played.as_deref()).collect()
    }

    /// What is to be counted for the position that is shown.
    pub fn next_task(&mut self) -> Task {
        self.task += 1;
        let (number, notation, has_engine) = (self.task, self.notation, self.engine.is_some());
        let level = self.level_mut();
        let asks_engine = has_engine && !matches!(level.reply, Reply::Given { .. });
        if asks_engine {
            level.reply = Reply::Awaited;
        }
        let (position, depth, moves) = (level.position, level.depth, level.uncounted());
        Task { number, position, depth, moves, asks_engine, notation }
    }

    /// Takes in what has become of the current task.
    pub fn note(&mut self, news: News) {
        let current = self.task;
        match news {
            News::Count { task, played, nodes } if task == current => {
                self.level_mut().note_count(played, nodes);
            }
            News::Answer { task, name, answer } if task == current => {
                self.engine = name.or(self.engine.take());
                match answer {
                    Ok(answer) => self.level_mut().note_answer(&answer),
                    Err(error) => self.level_mut().reply = Reply::Failed(error.to_string()),
                }
            }
            News::Count { .. } | News::Answer { .. } => {}
        }
    }

    /// Does what a key asks for.
    pub fn obey(&mut self, command: Command) -> Effect {
        self.message = None;
        if self.shows_help && command != Command::Interrupt {
            self.shows_help = false;
            return Effect::None;
        }
        match command {
            Command::Up => self.select_by(-1),
            Command::Down => self.select_by(1),
            Command::PageUp => self.select_by(-(self.page as isize)),
            Command::PageDown => self.select_by(self.page as isize),
            Command::First => self.select_by(isize::MIN),
            Command::Last => self.select_by(isize::MAX),
            Command::Into => return self.go_into(),
            Command::Back => return self.go_back(),
            Command::Deeper => return self.change_depth(self.level().depth + 1),
            Command::Shallower => return self.change_depth(self.level().depth - 1),
            Command::NextDifference => self.select_next_difference(),
            Command::Flip => self.is_flipped = !self.is_flipped,
            Command::Copy => return self.copy(),
            Command::Help => self.shows_help = true,
            Command::Leave | Command::Interrupt => return Effect::Leave,
            Command::Other => {}
        }
        Effect::None
    }

    fn select_by(&mut self, rows: isize) {
        let level = self.level_mut();
        let last = level.rows.len().saturating_sub(1);
        level.selected = level.selected.saturating_add_signed(rows).min(last);
    }

    /// One move down the tree, and one ply less to count. At depth 1 the depth stays, so that the walk can go on.
    fn go_into(&mut self) -> Effect {
        let level = self.level();
        let Some(row) = level.selected_row() else {
            self.message = Some("there is no legal move".to_owned());
            return Effect::None;
        };
        let Some(played) = row.played else {
            self.message = Some(format!("{} is not legal, so it leads nowhere", row.text));
            return Effect::None;
        };
        let below = level.position.play_unchecked(played);
        let depth = (level.depth - 1).max(1);
        let next = Level::new(below, Some(row.text.clone()), depth, self.notation);
        self.levels.push(next);
        Effect::Count
    }

    fn go_back(&mut self) -> Effect {
        if self.levels.len() == 1 {
            self.message = Some("this is the position that you began with".to_owned());
            return Effect::None;
        }
        self.levels.pop();
        Effect::Count
    }

    fn change_depth(&mut self, depth: u32) -> Effect {
        if !(1..=MAX_DEPTH).contains(&depth) {
            self.message = Some(format!("depths go from 1 to {MAX_DEPTH}"));
            return Effect::None;
        }
        self.level_mut().set_depth(depth);
        Effect::Count
    }

    fn select_next_difference(&mut self) {
        match self.level().next_difference() {
            Some(index) => self.level_mut().selected = index,
            None if self.engine.is_none() => {
                self.message = Some("nothing to compare with: --engine CMD asks another program".to_owned());
            }
            None => self.message = Some("no move differs so far".to_owned()),
        }
    }

    fn copy(&mut self) -> Effect {
        let fen = self.level().position.to_string();
        self.message = Some("FEN copied; it is printed on leaving too".to_owned());
        if !self.copied.contains(&fen) {
            self.copied.push(fen.clone());
        }
        Effect::Copy(fen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Command::*;

    fn start(depth: u32) -> State {
        State::new(Position::start(), depth, CastlingNotation::Standard, None)
    }

    /// Counts everything that a task asks for as one node a move.
    fn finish(state: &mut State) {
        let Task { number: task, moves, .. } = state.next_task();
        moves.into_iter().for_each(|played| state.note(News::Count { task, played, nodes: 1 }));
    }

    fn press(state: &mut State, commands: &[Command]) -> Effect {
        commands.iter().map(|&command| state.obey(command)).last().unwrap()
    }

    fn selected(state: &State) -> &str {
        &state.level().selected_row().unwrap().text
    }

    #[test]
    fn the_selection_moves_within_the_list() {
        let mut state = start(1);
        let expected = [(Up, "a2a3"), (Down, "a2a4"), (Last, "h2h4"), (Down, "h2h4"), (First, "a2a3")];
        for (command, text) in expected {
            assert_eq!(state.obey(command), Effect::None);
            assert_eq!(selected(&state), text, "{command:?}");
        }
        state.page = 4;
        press(&mut state, &[PageDown, PageDown, PageUp]);
        assert_eq!(selected(&state), "b2b3");
    }

    #[test]
    fn down_the_tree_and_back_up() {
        let mut state = start(3);
        finish(&mut state);
        assert_eq!(press(&mut state, &[Down, Into]), Effect::Count);
        assert_eq!((state.path(), state.level().depth), (vec!["a2a4"], 2));
        press(&mut state, &[Into, Into]);
        assert_eq!((state.path().len(), state.level().depth), (3, 1), "at depth 1 the depth stays");
        press(&mut state, &[Back, Back, Back]);
        assert_eq!((state.path().len(), state.level().depth, selected(&state)), (0, 3, "a2a4"));
        assert!(state.level().is_counted() && state.next_task().moves.is_empty(), "nothing is counted twice");
        assert_eq!(state.obey(Back), Effect::None);
        assert!(state.message.is_some());
    }

    #[test]
    fn another_depth_is_another_count() {
        let mut state = start(1);
        finish(&mut state);
        assert_eq!((state.obey(Shallower), state.level().depth), (Effect::None, 1));
        assert_eq!((state.obey(Deeper), state.level().depth), (Effect::Count, 2));
        assert_eq!(state.next_task().moves.len(), 20);
    }

    #[test]
    fn old_news_are_not_looked_at() {
        let mut state = start(2);
        let Task { number: task, moves, .. } = state.next_task();
        state.obey(Deeper);
        state.next_task();
        state.note(News::Count { task, played: moves[0], nodes: 20 });
        state.note(News::Answer { task, name: None, answer: Err(SourceError::NoCommand) });
        assert_eq!((state.level().counted(), &state.level().reply), ((0, 20), &Reply::Awaited));
    }

    #[test]
    fn a_failed_engine_is_asked_again_and_our_counts_go_on() {
        let mut state = State { engine: Some("engine".to_owned()), ..start(1) };
        let Task { number: task, moves, asks_engine, .. } = state.next_task();
        assert!(asks_engine);
        let answer = Err(SourceError::TimedOut(std::time::Duration::from_secs(1)));
        state.note(News::Answer { task, name: None, answer });
        assert!(matches!(&state.level().reply, Reply::Failed(why) if why.contains("did not answer")));
        state.note(News::Count { task, played: moves[0], nodes: 1 });
        assert_eq!(state.level().counted(), (1, 20));
        assert!(state.next_task().asks_engine);
        assert_eq!(state.level().reply, Reply::Awaited);
    }

    #[test]
    fn the_next_difference_is_found_and_a_foreign_move_leads_nowhere() {
        let mut state = State { engine: Some("engine".to_owned()), ..start(1) };
        finish(&mut state);
        state.obey(NextDifference);
        assert_eq!(state.message.as_deref(), Some("no move differs so far"));
        let moves = state.level().rows.iter().map(|row| (row.text.clone(), 1));
        let moves = moves.chain([("e2e5".to_owned(), 1)]).collect();
        let (task, answer) = (state.task, Answer { moves, stated_total: None });
        state.note(News::Answer { task, name: Some("Fake 1.0".to_owned()), answer: Ok(answer) });
        assert_eq!(state.engine.as_deref(), Some("Fake 1.0"));
        state.obey(NextDifference);
        assert_eq!(selected(&state), "e2e5");
        assert_eq!((state.obey(Into), state.path().len()), (Effect::None, 0));
        assert!(state.message.unwrap().contains("not legal"));
    }

    #[test]
    fn a_mate_has_nothing_to_select() {
        let mate = Position::from_fen("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1").unwrap();
        let mut state = State::new(mate, 4, CastlingNotation::Standard, None);
        for command in [Up, Down, PageUp, PageDown, First, Last, Into, NextDifference] {
            assert_eq!(state.obey(command), Effect::None);
        }
        assert!(state.level().is_counted());
    }

    #[test]
    fn a_copy_is_kept_for_the_end() {
        let mut state = start(1);
        let fen = Position::start().to_string();
        assert_eq!(press(&mut state, &[Copy, Copy]), Effect::Copy(fen.clone()));
        assert_eq!(state.copied, [fen]);
    }

    #[test]
    fn help_is_closed_by_any_key_and_left_by_an_interrupt() {
        let mut state = start(1);
        for key in [Leave, Down, Other] {
            assert_eq!((press(&mut state, &[Help, key]), state.shows_help), (Effect::None, false));
            assert_eq!(selected(&state), "a2a3");
        }
        assert_eq!(press(&mut state, &[Help, Interrupt]), Effect::Leave);
    }

    #[test]
    fn the_board_is_turned() {
        let mut state = start(1);
        state.obey(Flip);
        assert!(state.is_flipped);
        state.obey(Flip);
        assert!(!state.is_flipped);
    }
}

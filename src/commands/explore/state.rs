//! The state of the explorer, and the effect of each key on it. It has no terminal, no threads and no clock.
//!
//! The path from the root is a list of levels. Each level keeps its depth, its counts and its selection, so that going
//! back shows the earlier counts at once. A change that needs new counts starts the next [`Task`]; updates of earlier
//! tasks are ignored.

use std::cmp::Reverse;
use std::sync::Arc;

use perft_core::{CastlingNotation, MAX_DEPTH, Move, Position, RootMove, Setup};
use perft_count::Progress;
use perft_diagnosis::source::{Answer, SourceError};
use perft_diagnosis::{ArrowKind, DivideDifference, Drawing, WrongMove, explain, explanations};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The action that the caller must take after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    /// Start the next task, because the position or the depth has changed.
    Count,
    Quit,
}

#[derive(Clone, Debug)]
pub struct Task {
    /// Each task has a different number.
    pub number: u64,
    pub position: Position,
    /// The depth in plies, including the root move.
    pub depth: u32,
    /// The moves to count below.
    pub moves: Vec<Move>,
    pub asks_engine: bool,
    /// The castling notation for the engine.
    pub notation: CastlingNotation,
    /// The progress of the current move, and the signal that stops the task.
    pub progress: Arc<Progress>,
}

/// A result of a task.
#[derive(Clone, Debug)]
pub struct Update {
    pub task: u64,
    pub news: News,
}

#[derive(Clone, Debug)]
pub enum News {
    /// The leaf nodes below a move.
    Count(Move, u128),
    /// The name that the engine gives itself, and its answer or the reason why there is none.
    Answer(Option<String>, Result<Box<Answer>, SourceError>),
}

/// Everything that the screen shows.
#[derive(Clone, Debug)]
pub struct State {
    /// The levels from the root to the current position. There is always a root.
    levels: Vec<Level>,
    notation: CastlingNotation,
    /// The number of the last task.
    pub task: u64,
    /// The name of the engine; `None` without an engine.
    pub engine: Option<String>,
    /// Whether Black is at the bottom of the board.
    pub is_flipped: bool,
    pub shows_help: bool,
    /// The move that is being typed.
    pub typed: Option<String>,
    /// The message after the last key.
    pub message: Option<String>,
    /// The FENs that were noted, without repetition.
    pub noted: Vec<String>,
    /// The number of rows that fit on the screen.
    pub page: usize,
    /// The fraction of the current move that is counted, from 0 to 1.
    pub fraction: f64,
}

impl State {
    pub fn new(root: Position, depth: u32, notation: CastlingNotation, engine: Option<String>) -> State {
        State {
            levels: vec![Level::new(root, None, depth, notation)],
            notation,
            task: 0,
            engine,
            is_flipped: false,
            shows_help: false,
            typed: None,
            message: None,
            noted: Vec::new(),
            page: 10,
            fraction: 0.0,
        }
    }

    pub fn level(&self) -> &Level {
        self.levels.last().expect("there is always a root")
    }

    fn level_mut(&mut self) -> &mut Level {
        self.levels.last_mut().expect("there is always a root")
    }

    /// Returns the row of the move that led here, if the engine's count in that row is wrong but its divide here is
    /// right. The engine gets each position as a FEN, so it generates the moves here correctly.
    pub fn wrong_above(&self) -> Option<&Row> {
        let [.., above, level] = &self.levels[..] else { return None };
        let row = above.rows.iter().find(|row| level.played.as_ref() == Some(&row.text))?;
        let is_wrong =
            above.status(row) == RowStatus::Different && !above.difference.extra.contains(&row.text);
        (is_wrong && above.depth == level.depth + 1 && level.is_right()).then_some(row)
    }

    /// Returns why a move that only one side has is legal or not: the selected move, or the first one at depth 1.
    pub fn reason_of_difference(&self) -> Option<String> {
        let level = self.level();
        let is_alone = |row: &&Row| matches!(level.status(row), RowStatus::OnlyOurs | RowStatus::OnlyTheirs);
        let first = || level.rows.iter().find(is_alone).filter(|_| level.depth == 1);
        let row = level.selected_row().filter(is_alone).or_else(first)?;
        Some(explain(&level.position, &row.text).text)
    }

    /// Returns the board with the selected move. If only one side has it, the board shows why.
    pub fn drawing(&self) -> Drawing {
        let Level { position, .. } = self.level();
        let mut drawing = Drawing::new(&Setup::from(position));
        let Some(row) = self.level().selected_row() else { return drawing };
        let status = self.level().status(row);
        match status {
            RowStatus::Pending | RowStatus::Equal => drawing.add_move(position, &row.text, ArrowKind::Played),
            RowStatus::Different => drawing.add_move(position, &row.text, ArrowKind::Counted),
            RowStatus::OnlyOurs | RowStatus::OnlyTheirs => {
                let (text, why) = (row.text.clone(), explain(position, &row.text));
                let is_missing = status == RowStatus::OnlyOurs;
                drawing.add_wrong_move(position, &WrongMove { text, is_missing, why });
            }
        }
        drawing
    }

    pub fn path(&self) -> Vec<&str> {
        self.levels.iter().filter_map(|level| level.played.as_deref()).collect()
    }

    /// Returns the next counting task, for the current position.
    pub fn next_task(&mut self) -> Task {
        self.task += 1;
        let (number, notation, has_engine) = (self.task, self.notation, self.engine.is_some());
        let level = self.level_mut();
        let asks_engine = has_engine && !matches!(level.reply, Reply::Given(_));
        if asks_engine {
            level.reply = Reply::Awaited;
        }
        let (position, depth, moves) = (level.position, level.depth, level.uncounted());
        Task { number, position, depth, moves, asks_engine, notation, progress: Arc::default() }
    }

    pub fn apply(&mut self, update: Update) {
        if update.task != self.task {
            return;
        }
        match update.news {
            News::Count(played, nodes) => self.level_mut().note_count(played, nodes),
            News::Answer(name, answer) => {
                self.engine = name.or(self.engine.take());
                let level = self.level_mut();
                level.reply = answer.map_or_else(|error| Reply::Failed(error.to_string()), Reply::Given);
                level.compare();
            }
        }
    }

    /// Executes a key. While the help is open, any key only closes it, except Ctrl-C, which quits.
    pub fn press(&mut self, key: KeyEvent) -> Effect {
        self.message = None;
        let has_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if has_control && key.code == KeyCode::Char('c') {
            return Effect::Quit;
        }
        if std::mem::take(&mut self.shows_help) || has_control {
            return Effect::None;
        }
        if let Some(typed) = self.typed.take() {
            return self.continue_typing(typed, key.code);
        }
        match key.code {
            KeyCode::Up => self.select_by(-1),
            KeyCode::Down => self.select_by(1),
            KeyCode::PageUp => self.select_by(-(self.page as isize)),
            KeyCode::PageDown => self.select_by(self.page as isize),
            KeyCode::Home => self.select_by(isize::MIN),
            KeyCode::End => self.select_by(isize::MAX),
            KeyCode::Right | KeyCode::Enter => return self.go_into(),
            KeyCode::Left | KeyCode::Backspace => return self.go_back(),
            // On many keyboards, = is + without the shift key.
            KeyCode::Char('+' | '=') => return self.change_depth(self.level().depth + 1),
            KeyCode::Char('-') => return self.change_depth(self.level().depth - 1),
            KeyCode::Char('n') => self.select_next_difference(),
            KeyCode::Char('s') => self.level_mut().sort_otherwise(),
            KeyCode::Char('w') => {
                let Level { position, .. } = self.level();
                self.message = self.level().selected_row().map(|row| explain(position, &row.text).text);
            }
            KeyCode::Char('f') => self.is_flipped = !self.is_flipped,
            KeyCode::Char('y') => self.note_fen(),
            KeyCode::Char('?') => self.shows_help = true,
            KeyCode::Char('m') => self.typed = Some(String::new()),
            KeyCode::Char('q') | KeyCode::Esc => return Effect::Quit,
            _ => {}
        }
        Effect::None
    }

    fn select_by(&mut self, rows: isize) {
        let level = self.level_mut();
        let last = level.rows.len().saturating_sub(1);
        level.selected = level.selected.saturating_add_signed(rows).min(last);
    }

    /// Plays the selected move and reduces the depth by one ply. Depth 1 is kept, so that the user can continue.
    fn go_into(&mut self) -> Effect {
        let level = self.level();
        let Some(row) = level.selected_row() else { return self.refuse("there are no legal moves") };
        let Some(played) = row.played else { return self.refuse(format!("{} is not legal", row.text)) };
        let below = level.position.play_legal(played);
        let depth = (level.depth - 1).max(1);
        let by_difference = level.by_difference;
        let next = Level::new(below, Some(row.text.clone()), depth, self.notation);
        self.levels.push(Level { by_difference, ..next });
        Effect::Count
    }

    fn continue_typing(&mut self, mut typed: String, key: KeyCode) -> Effect {
        match key {
            KeyCode::Esc => return Effect::None,
            KeyCode::Enter if !typed.is_empty() => return self.play(&typed),
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Char(letter) => typed.push(letter),
            _ => {}
        }
        self.typed = Some(typed);
        Effect::None
    }

    /// Plays a move in UCI or standard algebraic notation, or says why it is not legal.
    fn play(&mut self, text: &str) -> Effect {
        let position = self.level().position;
        let Ok(played) = position.find_move(text) else {
            let reasons = explanations(&position, text).into_iter().map(|explained| explained.why.text);
            return self.refuse(reasons.collect::<Vec<String>>().join(". "));
        };
        let text = played.to_uci(self.notation);
        self.level_mut().select(Some(&text));
        self.go_into()
    }

    fn go_back(&mut self) -> Effect {
        if self.levels.len() == 1 {
            return self.refuse("this is the root");
        }
        self.levels.pop();
        Effect::Count
    }

    fn change_depth(&mut self, depth: u32) -> Effect {
        if !(1..=MAX_DEPTH).contains(&depth) {
            return self.refuse(format!("the depth must be from 1 to {MAX_DEPTH}"));
        }
        self.level_mut().set_depth(depth);
        Effect::Count
    }

    fn refuse(&mut self, why: impl Into<String>) -> Effect {
        self.message = Some(why.into());
        Effect::None
    }

    fn select_next_difference(&mut self) {
        let Level { selected, ref rows, .. } = *self.level();
        // The search wraps around at the end.
        let mut after = (1..=rows.len()).map(|step| (selected + step) % rows.len());
        match after.find(|&index| self.level().status(&rows[index]).is_difference()) {
            Some(index) => self.level_mut().selected = index,
            None if self.engine.is_none() => {
                self.message = Some("no engine to compare with; start explore with --engine CMD".to_owned());
            }
            None => self.message = Some("no differences so far".to_owned()),
        }
    }

    fn note_fen(&mut self) {
        let fen = self.level().position.to_string();
        self.message = Some("FEN noted; it is printed when you quit".to_owned());
        if !self.noted.contains(&fen) {
            self.noted.push(fen);
        }
    }
}

/// A row of the list: one move with its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The move in UCI notation.
    pub text: String,
    /// The move; `None` if only the engine has it: it is not legal, or listed twice.
    pub played: Option<Move>,
    /// Our count of the leaf nodes below it.
    pub ours: Option<u128>,
    pub theirs: Option<u128>,
}

/// The state of the engine's answer about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Awaited,
    Given(Box<Answer>),
    Failed(String),
}

/// The result of comparing the two counts of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowStatus {
    /// A count is not known yet.
    Pending,
    Equal,
    Different,
    OnlyOurs,
    /// The engine has the move, but it is not legal, or listed twice.
    OnlyTheirs,
}

impl RowStatus {
    pub fn is_difference(self) -> bool {
        matches!(self, RowStatus::Different | RowStatus::OnlyOurs | RowStatus::OnlyTheirs)
    }
}

/// A position and its divide.
#[derive(Clone, Debug)]
pub struct Level {
    pub position: Position,
    /// The move that led here; `None` at the root.
    pub played: Option<String>,
    /// The depth in plies of the divide.
    pub depth: u32,
    /// The moves, sorted as text or by the size of their difference.
    pub rows: Vec<Row>,
    /// Whether the moves that differ come first, those with the largest difference before others.
    pub by_difference: bool,
    pub selected: usize,
    pub reply: Reply,
    /// The difference between the engine's answer and our counts, when both were last compared.
    pub difference: DivideDifference,
}

impl Level {
    pub fn new(position: Position, played: Option<String>, depth: u32, notation: CastlingNotation) -> Level {
        let row = |&played: &Move| Row {
            text: played.to_uci(notation),
            played: Some(played),
            ours: None,
            theirs: None,
        };
        let mut rows: Vec<Row> = position.legal_moves().iter().map(row).collect();
        rows.sort_by(|a, b| a.text.cmp(&b.text));
        let difference = DivideDifference::default();
        let by_difference = false;
        Level { position, played, depth, rows, by_difference, selected: 0, reply: Reply::Awaited, difference }
    }

    /// Returns the selected row; `None` if there are no moves.
    pub fn selected_row(&self) -> Option<&Row> {
        self.rows.get(self.selected)
    }

    /// Sets another depth. This removes all counts, and the moves that only the engine has.
    pub fn set_depth(&mut self, depth: u32) {
        let selected = self.selected_row().map(|row| row.text.clone());
        self.depth = depth;
        self.reply = Reply::Awaited;
        self.difference = DivideDifference::default();
        self.rows.retain(|row| row.played.is_some());
        for row in &mut self.rows {
            (row.ours, row.theirs) = (None, None);
        }
        self.select(selected.as_deref());
    }

    pub fn note_count(&mut self, played: Move, nodes: u128) {
        if let Some(row) = self.rows.iter_mut().find(|row| row.played == Some(played)) {
            row.ours = Some(nodes);
        }
        if self.is_counted() {
            self.compare();
        }
    }

    /// Compares the engine's answer with our counts, and notes the engine's counts in the rows. Until our counts are
    /// complete, promotions without a piece letter may get each other's counts.
    fn compare(&mut self) {
        let Reply::Given(answer) = &self.reply else { return };
        // Our total says whether a question that was refused in words has an answer.
        if let Err(refusal) = answer.clone().unless_refused(self.our_total()) {
            if self.is_counted() {
                self.reply = Reply::Failed(refusal.to_string());
            }
            return;
        }
        let selected = self.selected_row().map(|row| row.text.clone());
        self.rows.retain(|row| row.played.is_some());
        let known = |row: &Row| Some(RootMove { played: row.played?, nodes: row.ours.unwrap_or(0) });
        let ours: Vec<RootMove> = self.rows.iter().filter_map(known).collect();
        let difference = DivideDifference::new(&self.position, &ours, answer);
        let DivideDifference { missing, unlisted, wrong, extra, lists_moves, .. } = &difference;
        for (row, RootMove { played, nodes }) in self.rows.iter_mut().zip(ours) {
            let is_listed = *lists_moves && !missing.contains(&played) && !unlisted.contains(&played);
            let wrong = wrong.iter().find(|wrong| wrong.played == played);
            row.theirs = is_listed.then(|| wrong.map_or(nodes, |wrong| wrong.theirs));
        }
        let foreign = |text: &String| Row {
            text: text.clone(),
            played: None,
            ours: None,
            theirs: answer.moves.iter().rfind(|(listed, _)| listed == text).map(|(_, nodes)| *nodes),
        };
        self.rows.extend(extra.iter().map(foreign));
        self.difference = difference;
        self.sort();
        self.select(selected.as_deref());
    }

    fn sort_otherwise(&mut self) {
        self.by_difference = !self.by_difference;
        self.sort();
        self.selected = 0;
    }

    fn sort(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        rows.sort_by_cached_key(|row| {
            let size = row.ours.unwrap_or(0).abs_diff(row.theirs.unwrap_or(0));
            let size = if self.by_difference && self.status(row).is_difference() { size + 1 } else { 0 };
            (Reverse(size), row.text.clone())
        });
        self.rows = rows;
    }

    /// Without a move with this text, the selection stays in place, within the list.
    fn select(&mut self, text: Option<&str>) {
        let found = self.rows.iter().position(|row| Some(row.text.as_str()) == text);
        self.selected = found.unwrap_or(self.selected).min(self.rows.len().saturating_sub(1));
    }

    /// Returns the legal moves that are not counted yet, in the order of the list.
    pub fn uncounted(&self) -> Vec<Move> {
        self.rows.iter().filter(|row| row.ours.is_none()).filter_map(|row| row.played).collect()
    }

    pub fn is_counted(&self) -> bool {
        self.rows.iter().all(|row| row.played.is_none() || row.ours.is_some())
    }

    /// Returns the number of counted legal moves, and the number of all legal moves.
    pub fn counted(&self) -> (usize, usize) {
        let legal = self.rows.iter().filter(|row| row.played.is_some());
        (legal.clone().filter(|row| row.ours.is_some()).count(), legal.count())
    }

    /// Returns the number of leaf nodes that we have counted so far.
    pub fn our_total(&self) -> u128 {
        self.rows.iter().filter_map(|row| row.ours).sum()
    }

    /// Returns the engine's total, once it is known.
    pub fn their_total(&self) -> Option<i128> {
        if let Reply::Given(answer) = &self.reply { Some(answer.total()) } else { None }
    }

    pub fn status(&self, row: &Row) -> RowStatus {
        match (row.played, row.ours, row.theirs) {
            (None, _, _) => RowStatus::OnlyTheirs,
            (Some(played), _, None) if self.difference.missing.contains(&played) => RowStatus::OnlyOurs,
            (Some(_), Some(ours), Some(theirs)) if ours == theirs => RowStatus::Equal,
            (Some(_), Some(_), Some(_)) => RowStatus::Different,
            _ => RowStatus::Pending,
        }
    }

    pub fn differences(&self) -> usize {
        self.rows.iter().filter(|row| self.status(row).is_difference()).count()
    }

    /// Whether the engine has answered and all its counts are right.
    pub fn is_right(&self) -> bool {
        self.is_counted() && matches!(self.reply, Reply::Given(_)) && self.difference.is_right()
    }
}

#[cfg(test)]
mod tests;

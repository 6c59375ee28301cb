//! Counts in the background: one thread makes our own counts, another one asks the engine.
//!
//! Both receive tasks over a channel and send their updates over another one. A new task stops the previous one at once
//! through its stop signal. The engine is asked after a short pause: an interrupted engine must be started again, so it
//! is left alone while the user moves through the tree.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use perft_core::CastlingNotation;
use perft_count::{Perft, Progress};
use perft_diagnosis::Chess960Source;
use perft_diagnosis::source::{CountSource, Question, SourceError};

use super::state::{News, Task, Update};
use crate::engine::{Engine, EngineSpec};

/// The time for which a task must stay the current one before the engine is asked.
const PAUSE: Duration = Duration::from_millis(150);

/// The threads. Dropping this stops them and the engine.
pub struct Workers {
    /// One channel per thread.
    tasks: Vec<Sender<Task>>,
    pub updates: Receiver<Update>,
    /// The progress of the current task.
    pub progress: Arc<Progress>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts the threads, which wait for a task.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn start(perft: Perft, engine: Option<EngineSpec>) -> io::Result<Workers> {
        let (sender, updates) = channel();
        let mut workers =
            Workers { tasks: Vec::new(), updates, progress: Arc::default(), threads: Vec::new() };
        if let Some(spec) = engine {
            let sender = sender.clone();
            workers.add(move |tasks| ask_all(&spec, &tasks, &sender))?;
        }
        workers.add(move |tasks| count_all(&perft, &tasks, &sender))?;
        Ok(workers)
    }

    fn add(&mut self, work: impl FnOnce(Receiver<Task>) + Send + 'static) -> io::Result<()> {
        let (sender, tasks) = channel();
        self.tasks.push(sender);
        self.threads.push(Builder::new().spawn(move || work(tasks))?);
        Ok(())
    }

    /// Stops the previous task and starts this one.
    pub fn start_task(&mut self, task: &Task) {
        self.progress.stop_signal().raise();
        self.progress = Arc::clone(&task.progress);
        for thread in &self.tasks {
            // A thread that has ended sends no updates. The explorer continues without it.
            let _ = thread.send(task.clone());
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.progress.stop_signal().raise();
        self.tasks.clear();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Counts tasks until the channel closes.
fn count_all(perft: &Perft, tasks: &Receiver<Task>, updates: &Sender<Update>) {
    for task in tasks {
        for &played in &task.moves {
            let below = task.position.play_legal(played);
            let Ok(nodes) = perft.count_with_progress(&below, task.depth - 1, &task.progress) else { break };
            if updates.send(Update { task: task.number, news: News::Count(played, nodes) }).is_err() {
                return;
            }
        }
    }
}

/// Asks the engine about tasks until the channel closes. Before the first Chess960 position, the engine is examined for
/// how it reads castling rights.
fn ask_all(spec: &EngineSpec, tasks: &Receiver<Task>, updates: &Sender<Update>) {
    let start = || Chess960Source::new(Box::new(Engine::new(spec.clone())));
    let mut engine = start();
    while let Ok(first) = tasks.recv() {
        let task = settle(first, tasks);
        let stop = task.progress.stop_signal();
        if !task.asks_engine || stop.is_raised() {
            continue;
        }
        let is_chess960 = task.notation == CastlingNotation::Chess960;
        if is_chess960 && engine.prepare(stop).is_ok() {
            engine.examine(stop);
            if stop.is_raised() {
                engine = start();
                continue;
            }
        }
        let question = Question { is_chess960, ..Question::new(&task.position, task.depth) };
        let answer = engine.ask(&question, stop);
        if answer == Err(SourceError::Interrupted) {
            continue;
        }
        let name = engine.name().map(str::to_owned);
        if updates.send(Update { task: task.number, news: News::Answer(name, answer) }).is_err() {
            return;
        }
    }
}

/// Waits until no further task has arrived for a while, and returns the last one.
fn settle(first: Task, tasks: &Receiver<Task>) -> Task {
    let mut last = first;
    while let Ok(next) = tasks.recv_timeout(PAUSE) {
        last = next;
    }
    last
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use perft_core::Position;
    use ratatui::crossterm::event::KeyCode;

    use super::*;
    use crate::commands::explore::state::State;

    const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/fake.sh");

    fn fake(mode: &str) -> Option<EngineSpec> {
        let spec = EngineSpec::parse(&format!("sh '{FAKE}' {mode}"), None).unwrap();
        Some(EngineSpec { answer_limit: Duration::from_secs(20), ..spec })
    }

    fn start(depth: u32, engine: Option<&str>) -> State {
        State::new(Position::start(), depth, CastlingNotation::Standard, engine.map(str::to_owned))
    }

    fn wait(workers: &Workers, state: &mut State, is_done: impl Fn(&State) -> bool) {
        let begin = Instant::now();
        while !is_done(state) {
            assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", state.level());
            workers.updates.try_iter().for_each(|update| state.apply(update));
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_new_task_ends_the_old_one_and_is_counted() {
        let mut state = start(12, None);
        let mut workers = Workers::start(Perft::new(), None).unwrap();
        workers.start_task(&state.next_task());
        (0..9).for_each(|_| _ = state.press(KeyCode::Char('-').into()));
        workers.start_task(&state.next_task());
        wait(&workers, &mut state, |state| state.level().is_counted());
        assert_eq!(state.level().our_total(), 8902);
    }

    #[test]
    fn the_engine_answers_while_we_count() {
        let mut state = start(2, Some("engine"));
        let mut workers = Workers::start(Perft::new(), fake("good")).unwrap();
        workers.start_task(&state.next_task());
        wait(&workers, &mut state, |state| state.level().their_total() == Some(400));
        wait(&workers, &mut state, |state| state.level().is_counted());
        assert_eq!((state.level().differences(), state.engine.as_deref()), (0, Some("Fake 1.0")));
    }

    #[test]
    fn a_hanging_engine_does_not_delay_the_next_task() {
        let mut state = start(1, Some("engine"));
        let mut workers = Workers::start(Perft::new(), fake("hang")).unwrap();
        workers.start_task(&state.next_task());
        std::thread::sleep(2 * PAUSE);
        let begin = Instant::now();
        state.press(KeyCode::Char('+').into());
        workers.start_task(&state.next_task());
        drop(workers);
        assert!(begin.elapsed() < Duration::from_secs(5));
    }
}

//! Who counts while the screen is drawn: a thread for our own counts, and one that asks the engine.
//!
//! Both take tasks from a channel and send their news into one. A new task stops the one before it at once, by its stop
//! signal. The engine is asked a moment later, since one that is interrupted has to be started anew: while the user leafs
//! through the tree it is left alone.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::engine::{Engine, EngineSpec};
use perft_core::CastlingNotation;
use perft_core::{Perft, Progress, StopSignal};
use perft_diagnosis::source::{Question, SourceError};

use super::state::{News, Task};

/// How long a position is looked at before the engine is asked about it.
const PAUSE: Duration = Duration::from_millis(150);

/// A task with the signal that ends it, and where its progress is noted.
#[derive(Clone)]
struct Order {
    task: Task,
    stop: StopSignal,
    progress: Arc<Progress>,
}

/// The threads. Dropping them ends what they do, and the engine.
pub struct Workers {
    /// One channel a thread.
    orders: Vec<Sender<Order>>,
    news: Receiver<News>,
    stop: StopSignal,
    progress: Arc<Progress>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    /// Starts the threads, which then wait.
    pub fn start(perft: Perft, engine: Option<EngineSpec>) -> Workers {
        let (sender, news) = channel();
        let mut workers = Workers {
            orders: Vec::new(),
            news,
            stop: StopSignal::default(),
            progress: Arc::default(),
            threads: Vec::new(),
        };
        if let Some(spec) = engine {
            let sender = sender.clone();
            workers.add(move |orders| ask_all(Engine::new(spec), &orders, &sender));
        }
        workers.add(move |orders| count_all(&perft, &orders, &sender));
        workers
    }

    fn add(&mut self, work: impl FnOnce(Receiver<Order>) + Send + 'static) {
        let (sender, orders) = channel();
        self.orders.push(sender);
        self.threads.push(std::thread::spawn(move || work(orders)));
    }

    /// Ends the task before, and begins this one.
    pub fn begin(&mut self, task: &Task) {
        self.stop.raise();
        self.stop = StopSignal::default();
        self.progress = Arc::new(Progress::new(self.stop.clone()));
        let (stop, progress) = (self.stop.clone(), Arc::clone(&self.progress));
        let order = Order { task: task.clone(), stop, progress };
        for orders in &self.orders {
            // A thread that is no more sends no news either: the screen goes on without it.
            let _ = orders.send(order.clone());
        }
    }

    /// The part of the move under count that is done, from 0 to 1.
    pub fn fraction(&self) -> f64 {
        self.progress.fraction()
    }

    /// What has happened since the last call.
    pub fn news(&self) -> impl Iterator<Item = News> {
        self.news.try_iter()
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.stop.raise();
        self.orders.clear();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Counts until there are no more orders.
fn count_all(perft: &Perft, orders: &Receiver<Order>, news: &Sender<News>) {
    for Order { task, progress, .. } in orders {
        for &played in &task.moves {
            let below = task.position.play_unchecked(played);
            let Ok(nodes) = perft.count(&below, task.depth - 1, &progress) else { break };
            if news.send(News::Count { task: task.number, played, nodes }).is_err() {
                return;
            }
        }
    }
}

/// Asks the engine until there are no more orders.
fn ask_all(mut engine: Engine, orders: &Receiver<Order>, news: &Sender<News>) {
    while let Ok(first) = orders.recv() {
        let Order { task, stop, .. } = settle(first, orders);
        if !task.asks_engine || stop.is_raised() {
            continue;
        }
        let is_chess960 = task.notation == CastlingNotation::Chess960;
        let question = Question { is_chess960, ..Question::new(&task.position, task.depth) };
        let answer = engine.ask(&question, &stop);
        if answer == Err(SourceError::Interrupted) {
            continue;
        }
        let name = engine.name().map(str::to_owned);
        if news.send(News::Answer { task: task.number, name, answer }).is_err() {
            return;
        }
    }
}

/// The last order, once no other follows for a while.
fn settle(first: Order, orders: &Receiver<Order>) -> Order {
    let mut last = first;
    while let Ok(next) = orders.recv_timeout(PAUSE) {
        last = next;
    }
    last
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use crate::engine::Dialect;
    use perft_core::Position;

    use super::super::level::Reply;
    use super::super::state::{Command, State};
    use super::*;

    const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/fake.sh");

    fn fake(mode: &str) -> Option<EngineSpec> {
        let spec = EngineSpec::parse(&format!("sh '{FAKE}' {mode}"), Dialect::Uci).unwrap();
        Some(EngineSpec { answer_limit: Duration::from_secs(20), ..spec })
    }

    fn start(depth: u32, engine: Option<&str>) -> State {
        State::new(Position::start(), depth, CastlingNotation::Standard, engine.map(str::to_owned))
    }

    /// Takes in news until something is true.
    fn wait(workers: &Workers, state: &mut State, is_done: impl Fn(&State) -> bool) {
        let begin = Instant::now();
        while !is_done(state) {
            assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", state.level());
            workers.news().for_each(|news| state.note(news));
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn counts_come_in_and_a_new_task_ends_the_old_one() {
        let mut state = start(12, None);
        let mut workers = Workers::start(Perft::new(), None);
        workers.begin(&state.next_task());
        (0..9).for_each(|_| drop(state.obey(Command::Shallower)));
        workers.begin(&state.next_task());
        wait(&workers, &mut state, |state| state.level().is_counted());
        assert_eq!(state.level().our_total(), 8902);
    }

    #[test]
    fn the_engine_answers_beside_us() {
        let mut state = start(2, Some("engine"));
        let mut workers = Workers::start(Perft::new(), fake("good"));
        workers.begin(&state.next_task());
        wait(&workers, &mut state, |state| state.level().their_total() == Some(400));
        wait(&workers, &mut state, |state| state.level().is_counted());
        assert_eq!((state.level().differences(), state.engine.as_deref()), (0, Some("Fake 1.0")));
    }

    #[test]
    fn an_engine_that_dies_leaves_our_counts() {
        let mut state = start(2, Some("engine"));
        let mut workers = Workers::start(Perft::new(), fake("dies"));
        workers.begin(&state.next_task());
        wait(&workers, &mut state, |state| matches!(state.level().reply, Reply::Failed(_)));
        wait(&workers, &mut state, |state| state.level().is_counted());
        assert_eq!(state.level().our_total(), 400);
    }

    #[test]
    fn an_engine_that_hangs_is_left_at_once() {
        let mut state = start(1, Some("engine"));
        let mut workers = Workers::start(Perft::new(), fake("hang"));
        workers.begin(&state.next_task());
        std::thread::sleep(2 * PAUSE);
        let begin = Instant::now();
        state.obey(Command::Deeper);
        workers.begin(&state.next_task());
        drop(workers);
        assert!(begin.elapsed() < Duration::from_secs(5));
    }
}

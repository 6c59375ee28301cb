//! `perft explore`: browses the move tree in the terminal, next to an engine if one is given.
//!
//! - [`state`]: the path of positions on the screen with their counts, and the effect of each key on it
//! - [`view`]: draws the state
//!
//! Only this file uses a terminal and threads; everything else is tested without them. One thread makes our own counts,
//! and another one asks the engine. Both receive tasks over a channel and send their updates over another one. A new task
//! stops the previous one at once through its stop signal. The engine is asked after a short pause: an interrupted engine
//! must be started again, so it is left alone while the user moves through the tree.

mod state;
mod view;

use std::io::{self, IsTerminal, Write, stdout};
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use clap::Args;
use perft_core::{CastlingNotation, StopSignal};
use perft_count::{Perft, Progress};
use perft_diagnosis::source::{Question, SourceError};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use ratatui::crossterm::style::force_color_output;
use ratatui::crossterm::terminal::size;

use crate::engine::EngineSpec;
use crate::input::{CountingArgs, EngineArgs, PositionArgs};
use crate::output::standard_output::wait_for_key;
use crate::output::{CliError, Context};
use crate::system::command_line::file_name;
use state::{Effect, News, State, Task, Update};
use view::Palette;

/// The depth at the start, in plies.
const DEPTH: u32 = 4;

#[derive(Debug, Args)]
#[command(mut_arg("depth", |depth| depth.help("Depth in plies at the start [default: 4]")))]
pub struct ExploreArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    counting: CountingArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

pub fn run(mut args: ExploreArgs, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    if !stdout().is_terminal() {
        let refusal = CliError::usage("explore needs a terminal, but standard output is not one");
        return Err(refusal.help("use perft divide, which prints the same counts as text"));
    }
    args.engine.take_from(&mut args.position.words, context)?;
    let game = args.position.game(Some(DEPTH), context)?.with_root_moves()?;
    let counting = args.counting.build()?;
    let spec = args.engine.build(context)?;
    let name = spec.as_ref().map(|spec| file_name(&spec.command[0]).to_owned());
    let palette = Palette { is_colored: AutoStream::choice(&stdout()) != ColorChoice::Never };

    let mut state = State::new(*game.position(), game.depth, game.notation, name);
    let mut workers = Workers::start(counting.perft, spec)
        .map_err(|error| CliError::usage("cannot start a thread").because(error))?;
    show(&mut state, &mut workers, palette, &context.stop)?;
    drop(workers);
    for fen in &state.noted {
        writeln!(out, "{fen}")?;
    }
    if context.stop.is_raised() {
        out.flush()?;
        return Err(CliError::Interrupted(format!("at {}", state.level().position)));
    }
    Ok(())
}

/// The time to wait for a key before checking for updates, in milliseconds.
const TICK: u16 = 40;

/// The terminal while the explorer uses it. Dropping it restores the terminal. After a panic, the terminal is restored
/// before the message. The library's own value is never dropped: it would print to a terminal that may be closed, and
/// panic.
struct Screen(ManuallyDrop<DefaultTerminal>);

impl Screen {
    fn enter(palette: Palette) -> io::Result<Screen> {
        // The palette follows the flags, whereas the terminal library only looks at NO_COLOR.
        force_color_output(palette.is_colored);
        ratatui::try_init().map(|terminal| Screen(ManuallyDrop::new(terminal)))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A panic has already restored the terminal. Restoring it again would put the cursor on top of the message.
        if !std::thread::panicking() {
            // If the terminal no longer exists, there is nothing to restore.
            let _ = self.0.show_cursor();
            let _ = ratatui::try_restore();
        }
    }
}

/// The largest number of characters of a terminal. A picture of all of them is in memory.
const MOST_CHARACTERS: u32 = 1 << 20;

/// Refuses a terminal that says that it is larger than any screen.
fn refuse_endless((columns, rows): (u16, u16)) -> Result<(), CliError> {
    match u32::from(columns) * u32::from(rows) <= MOST_CHARACTERS {
        true => Ok(()),
        false => Err(CliError::usage(format!("the terminal says that it has {columns} x {rows} characters"))
            .help("set its size, as with: stty columns 80 rows 24")),
    }
}

/// Shows the state, executes keys and applies updates, until the user quits or the signal is raised.
fn show(
    state: &mut State,
    workers: &mut Workers,
    palette: Palette,
    stop: &StopSignal,
) -> Result<(), CliError> {
    refuse_endless(size()?)?;
    let mut screen = Screen::enter(palette)?;
    workers.start_task(&state.next_task());
    let mut is_stale = true;
    while !stop.is_raised() {
        for update in workers.updates.try_iter() {
            state.apply(update);
            is_stale = true;
        }
        if !state.level().is_counted() {
            state.fraction = workers.progress.fraction();
            is_stale = true;
        }
        if is_stale {
            refuse_endless(size()?)?;
            screen.0.draw(|frame| {
                state.page = view::page(state, frame.area());
                view::draw(state, palette, frame);
            })?;
        }
        if wait_for_key(TICK) {
            return Ok(());
        }
        is_stale = event::poll(Duration::ZERO)?;
        // Execute all waiting keys before the next frame.
        while event::poll(Duration::ZERO)? {
            let Event::Key(key) = event::read()? else { continue };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            match state.press(key) {
                Effect::None => {}
                Effect::Count => workers.start_task(&state.next_task()),
                Effect::Quit => return Ok(()),
            }
        }
    }
    Ok(())
}

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

fn ask_all(spec: &EngineSpec, tasks: &Receiver<Task>, updates: &Sender<Update>) {
    let mut program = spec.program(&StopSignal::default());
    while let Ok(first) = tasks.recv() {
        let task = settle(first, tasks);
        program.stop = task.progress.stop_signal().clone();
        if !task.asks_engine || program.stop.is_raised() {
            continue;
        }
        let is_chess960 = task.notation == CastlingNotation::Chess960;
        let question = Question { is_chess960, ..Question::new(&task.position, task.depth) };
        let answer = program.ask(&question, None);
        if answer == Err(SourceError::Interrupted) {
            continue;
        }
        let news = News::Answer(program.name(), answer.map(Box::new));
        if updates.send(Update { task: task.number, news }).is_err() {
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

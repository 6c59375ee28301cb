//! Serves a move generator as a UCI engine that answers `position`, `go perft N` and `d`.
//!
//! Implement [`UciEngine`] for the generator and call [`serve`] to let it talk to a client. A count runs on a separate
//! thread, so `stop` and `isready` are answered at once. All other commands and the end of the input wait until the
//! count is done, because scripts often write them directly after their question. If the client is gone, the count
//! ends.
//!
//! Lines are read ahead, so `stop` and `quit` are noticed even behind commands that wait. A `stop` ends the count of
//! the last `go` before it. The lines of a script arrive together. If a `quit` has arrived when a count begins, or
//! arrives within a tenth of a second, it ends a script, and everything before it is executed. A `quit` that comes
//! later ends the running count at once, and the waiting commands before it are not executed. A `stop` that comes later
//! also ends the running count, even if another `go` is before it.
//!
//! As the UCI protocol demands ("Description of the universal chess interface", Stefan Meyer-Kahlen), words before the
//! first known command are ignored, and so are lines without a known command.
//!
//! Two features are for other programs. The first line of the output is a banner, which perftree reads before it asks.
//! A search is answered with the first legal move and one `info` line, so that GUIs and tournament programs accept the
//! engine.

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, Scope, ScopedJoinHandle, sleep};
use std::time::{Duration, Instant};

use perft_core::{Interrupted, MAX_DEPTH, StopSignal};

use crate::lines::{read_line, to_text};
use crate::search::lock;

/// The interval at which a running count and the connection to the client are checked.
const POLL: Duration = Duration::from_millis(10);

/// The time in which the lines of a script arrive. If a `quit` is read within this time after the beginning of a count,
/// it does not stop the count. A `stop` within this time stops only the count that it belongs to.
const SCRIPT_TIME: Duration = Duration::from_millis(100);

/// An engine that [`serve`] connects to a UCI client.
pub trait UciEngine {
    /// Returns the name and the version.
    fn name(&self) -> String;

    /// Returns the author.
    fn author(&self) -> String;

    /// Returns the options in UCI notation, without `option name`: `Threads type spin default 1 min 1 max 8`.
    fn options(&self) -> Vec<String>;

    /// Sets an option.
    ///
    /// # Errors
    /// Returns a message if there is no such option, or if the value is not possible.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String>;

    /// Sets up a position and plays moves from it. Without a FEN, it is the start position.
    ///
    /// # Errors
    /// Returns a message if the FEN or a move is wrong.
    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), String>;

    /// Returns a task that counts below the current position. It may run on another thread.
    fn divide(&self, depth: u32) -> DivideTask;

    /// Returns the current position as text.
    fn diagram(&self) -> String;

    /// Whether nobody reads the output any more. Then a running count is stopped.
    fn is_client_gone(&self) -> bool {
        false
    }
}

/// A count that can be interrupted. It returns the moves in UCI notation with their counts, in the order of printing.
pub type DivideTask = Box<dyn FnOnce(&StopSignal) -> Result<Vec<(String, u128)>, Interrupted> + Send>;

/// Prints a banner, and answers the commands of a client until `quit` or the end of the input. A separate thread reads
/// the input. It ends at the end of the input or with `quit`.
///
/// # Errors
/// Returns an error if the input cannot be read, the output cannot be written, or no thread can be started. A line of
/// more than [`MAX_LINE`](crate::lines::MAX_LINE) bytes cannot be read.
///
/// # Examples
/// An engine that always counts below the start position:
///
/// ```
/// use perft_core::{CastlingNotation, Position};
/// use perft_diagnosis::serve::{DivideTask, UciEngine, serve};
///
/// struct Start;
///
/// impl UciEngine for Start {
///     fn name(&self) -> String {
///         "Start 1.0".to_owned()
///     }
///
///     fn author(&self) -> String {
///         "somebody".to_owned()
///     }
///
///     fn options(&self) -> Vec<String> {
///         Vec::new()
///     }
///
///     fn set_option(&mut self, name: &str, _: &str) -> Result<(), String> {
///         Err(format!("there is no option '{name}'"))
///     }
///
///     fn set_position(&mut self, _: Option<&str>, _: &[&str]) -> Result<(), String> {
///         Ok(())
///     }
///
///     fn divide(&self, depth: u32) -> DivideTask {
///         Box::new(move |stop| {
///             let moves = Position::start().divide_until(depth, stop)?;
///             let notation = CastlingNotation::Standard;
///             Ok(moves.iter().map(|below| (below.played.to_uci(notation), below.nodes)).collect())
///         })
///     }
///
///     fn diagram(&self) -> String {
///         Position::start().to_string()
///     }
/// }
///
/// let mut output = Vec::new();
/// serve(&mut Start, "go perft 2\n".as_bytes(), &mut output)?;
/// let said = String::from_utf8_lossy(&output);
/// assert!(said.starts_with("Start 1.0 by somebody\n"));
/// assert!(said.ends_with("\nNodes searched: 400\n\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(
    engine: &mut dyn UciEngine,
    input: impl BufRead + Send + 'static,
    output: &mut (impl Write + Send),
) -> io::Result<()> {
    let output = Mutex::new(output);
    let input = Input::read_ahead(input)?;
    std::thread::scope(|scope| {
        let mut session = Session {
            engine,
            input: &input,
            output: &output,
            scope,
            running: None,
            held: None,
            position_error: None,
        };
        session.say(&format!("{} by {}", session.engine.name(), session.engine.author()))?;
        while let Ok(line) = input.lines.recv() {
            let line = line.inspect_err(|_| session.stop_count())?;
            if session.execute(&line)?.is_break() {
                break;
            }
        }
        session.wait().map(drop)
    })
}

/// The state of a conversation with a client.
struct Session<'scope, 'env, W> {
    engine: &'env mut dyn UciEngine,
    input: &'env Input,
    output: &'env Mutex<&'env mut W>,
    scope: &'scope Scope<'scope, 'env>,
    running: Option<Running<'scope>>,
    /// The answer to `go infinite` or `go ponder`. The protocol forbids printing it before the client sends `stop`.
    held: Option<String>,
    /// The error of the last `position` command. There is no position then, because a count of an earlier position
    /// would mislead the client.
    position_error: Option<String>,
}

/// A count that is running on a separate thread.
struct Running<'scope> {
    begin: Instant,
    stop: StopSignal,
    thread: ScopedJoinHandle<'scope, io::Result<()>>,
}

impl<'env, W: Write + Send> Session<'_, 'env, W> {
    fn execute(&mut self, line: &InputLine) -> io::Result<ControlFlow<()>> {
        let words = command_words(&line.text);
        let Some((&command, arguments)) = words.split_first() else { return Ok(ControlFlow::Continue(())) };
        match command {
            "quit" => return Ok(ControlFlow::Break(())),
            "stop" => {
                self.stop_count();
                self.wait().map(drop)?;
            }
            "isready" => self.say("readyok")?,
            _ => {
                if self.wait()?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                self.execute_when_idle(command, arguments, &line.stop)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn execute_when_idle(&mut self, command: &str, arguments: &[&str], stop: &StopSignal) -> io::Result<()> {
        match command {
            "uci" => self.introduce(),
            "setoption" => self.set_option(arguments),
            "position" => self.set_position(arguments),
            "go" | "d" if self.position_error.is_some() => {
                let error = self.position_error.as_deref().unwrap_or_default();
                self.say(&format!("info string no position: {error}"))?;
                let is_search = command == "go" && arguments.first() != Some(&"perft");
                if is_search { self.say("bestmove (none)") } else { Ok(()) }
            }
            "go" => self.go(arguments, stop),
            "d" => self.say(&self.engine.diagram()),
            // `ucinewgame`, `debug` and `ponderhit` change nothing.
            _ => Ok(()),
        }
    }

    fn introduce(&self) -> io::Result<()> {
        let mut text = format!("id name {}\nid author {}\n", self.engine.name(), self.engine.author());
        for option in self.engine.options() {
            text += &format!("option name {option}\n");
        }
        self.say(&(text + "uciok"))
    }

    /// Executes `setoption name NAME [value VALUE]`. Both may contain spaces.
    fn set_option(&mut self, arguments: &[&str]) -> io::Result<()> {
        let arguments = arguments.strip_prefix(&["name"]).unwrap_or(arguments);
        let (name, value) = split_at(arguments, "value");
        let outcome = self.engine.set_option(&name.join(" "), &value.join(" "));
        self.say_error(outcome)
    }

    /// Executes `position startpos|fen FEN [moves MOVE...]`.
    fn set_position(&mut self, arguments: &[&str]) -> io::Result<()> {
        let (place, moves) = split_at(arguments, "moves");
        let outcome = match place {
            ["startpos", ..] => self.engine.set_position(None, moves),
            ["fen", fen @ ..] => self.engine.set_position(Some(&fen.join(" ")), moves),
            _ => Err("expected position startpos or position fen FEN".to_owned()),
        };
        self.position_error = outcome.as_ref().err().cloned();
        self.say_error(outcome)
    }

    fn go(&mut self, arguments: &[&str], stop: &StopSignal) -> io::Result<()> {
        match arguments {
            ["perft", depth @ ..] => {
                let depth = depth.first().unwrap_or(&"");
                match depth.parse() {
                    Ok(depth) if depth <= MAX_DEPTH => self.start(depth, stop.clone()),
                    _ => {
                        self.say_error(Err(format!("go perft '{depth}': not a depth from 0 to {MAX_DEPTH}")))
                    }
                }
            }
            _ => self.search(arguments),
        }
    }

    /// Answers a search with the first legal move, at once or after `stop`.
    fn search(&mut self, arguments: &[&str]) -> io::Result<()> {
        let moves = self.engine.divide(1)(&StopSignal::default()).unwrap_or_default();
        let (_, wanted) = split_at(arguments, "searchmoves");
        let (info, best_move) = search_text(&moves, wanted);
        self.say(&info)?;
        if arguments.iter().any(|word| ["infinite", "ponder"].contains(word)) {
            self.held = Some(best_move);
            return Ok(());
        }
        self.say(&best_move)
    }

    fn start(&mut self, depth: u32, stop: StopSignal) -> io::Result<()> {
        let (divide, output) = (self.engine.divide(depth), self.output);
        let begin = Instant::now();
        let signal = stop.clone();
        let count = move || match divide(&signal) {
            Ok(moves) => say(output, &divide_text(&moves, depth)),
            Err(Interrupted) => say(output, "info string stopped"),
        };
        let thread = Builder::new().spawn_scoped(self.scope, count)?;
        self.running = Some(Running { begin, stop, thread });
        Ok(())
    }

    fn stop_count(&self) {
        if let Some(running) = &self.running {
            running.stop.raise();
        }
    }

    /// Prints a held answer, and waits until the running count, if any, is printed. The count is stopped if the client
    /// is gone, or by a `stop` or a `quit` that does not belong to a script.
    fn wait(&mut self) -> io::Result<ControlFlow<()>> {
        if let Some(best_move) = self.held.take() {
            self.say(&best_move)?;
        }
        let Some(running) = self.running.take() else { return Ok(ControlFlow::Continue(())) };
        let mut next = ControlFlow::Continue(());
        while !running.thread.is_finished() {
            let late = running.begin + SCRIPT_TIME;
            if self.input.has_quit_after(late) {
                next = ControlFlow::Break(());
            }
            if next.is_break() || self.input.has_stop_after(late) || self.engine.is_client_gone() {
                running.stop.raise();
            }
            sleep(POLL);
        }
        running.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(next)
    }

    fn say_error(&self, outcome: Result<(), String>) -> io::Result<()> {
        match outcome {
            Ok(()) => Ok(()),
            Err(error) => self.say(&format!("info string {error}")),
        }
    }

    fn say(&self, text: &str) -> io::Result<()> {
        say(self.output, text)
    }
}

/// Returns the words before a keyword and the words after it.
fn split_at<'a, 'b>(words: &'a [&'b str], keyword: &str) -> (&'a [&'b str], &'a [&'b str]) {
    match words.iter().position(|&word| word == keyword) {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[]),
    }
}

/// Returns the output of `go perft` in the format of Stockfish. A divide at depth 0 has no moves and one node.
fn divide_text(moves: &[(String, u128)], depth: u32) -> String {
    let mut text = String::new();
    for (played, nodes) in moves {
        text += &format!("{played}: {nodes}\n");
    }
    let total: u128 = moves.iter().map(|(_, nodes)| nodes).sum();
    text + &format!("\nNodes searched: {}\n", if depth == 0 { 1 } else { total })
}

/// Returns the `info` line and the `bestmove` line for the first move that is `wanted`, or for the first legal move if
/// no wanted move is legal. Without a legal move, the lines are those of Stockfish.
fn search_text(moves: &[(String, u128)], wanted: &[&str]) -> (String, String) {
    let mut legal = moves.iter().map(|(played, _)| played.as_str());
    match legal.clone().find(|played| wanted.contains(played)).or_else(|| legal.next()) {
        Some(best) => {
            (format!("info depth 1 score cp 0 nodes 1 time 0 pv {best}"), format!("bestmove {best}"))
        }
        None => ("info depth 0 score cp 0".to_owned(), "bestmove (none)".to_owned()),
    }
}

/// Prints whole lines and flushes the output.
fn say(output: &Mutex<&mut impl Write>, text: &str) -> io::Result<()> {
    let mut output = lock(output);
    writeln!(output, "{text}")?;
    output.flush()
}

/// The words that start a command.
const COMMANDS: &str = "uci isready setoption position go stop quit d ucinewgame debug ponderhit";

/// The largest number of lines that wait to be executed. A script may write this many behind a long count, and its
/// `stop` and `quit` are still noticed.
const MOST_WAITING: usize = 1000;

/// A line of the client.
struct InputLine {
    /// The text of the line.
    text: String,
    /// The signal that the next `stop` raises, if no other `go` is before that `stop`.
    stop: StopSignal,
}

/// The lines that were read and are not yet executed.
struct Input {
    lines: Receiver<io::Result<InputLine>>,
    notes: Arc<Notes>,
}

/// The observations of the reading thread.
#[derive(Default)]
struct Notes {
    /// The time when `stop` was last read.
    stop: Mutex<Option<Instant>>,
    /// The time when reading ended: at `quit`, or at a line that cannot be read.
    end: Mutex<Option<Instant>>,
}

impl Input {
    /// Starts to read lines until the end of the input, `quit`, or a line that cannot be read.
    ///
    /// # Errors
    /// Returns an error if the system does not start a thread.
    fn read_ahead(mut input: impl BufRead + Send + 'static) -> io::Result<Input> {
        let (sender, lines) = sync_channel(MOST_WAITING);
        let notes = Arc::new(Notes::default());
        let noted = Arc::clone(&notes);
        let mut stop = StopSignal::default();
        let read = move || {
            while let Some(line) = read_line(&mut input).transpose() {
                let text = line.map(|line| to_text(&line));
                let command = text.as_ref().map_or(Some("quit"), |text| command_words(text).first().copied());
                match command {
                    Some("go") => stop = StopSignal::default(),
                    Some("stop") => {
                        stop.raise();
                        note_time(&noted.stop);
                    }
                    Some("quit") => note_time(&noted.end),
                    _ => {}
                }
                let ends = command == Some("quit");
                let line = text.map(|text| InputLine { text, stop: stop.clone() });
                if sender.send(line).is_err() || ends {
                    return;
                }
            }
        };
        Builder::new().spawn(read)?;
        Ok(Input { lines, notes })
    }

    /// Whether `stop` was read after this time. Waiting commands may be before it.
    fn has_stop_after(&self, moment: Instant) -> bool {
        is_after(&self.notes.stop, moment)
    }

    /// Whether `quit`, or a line that cannot be read, was read after this time. Waiting commands may be before it.
    fn has_quit_after(&self, moment: Instant) -> bool {
        is_after(&self.notes.end, moment)
    }
}

/// Returns the words of a line from the first known command on.
fn command_words(line: &str) -> Vec<&str> {
    let is_command = |word: &&str| COMMANDS.split(' ').any(|command| command == *word);
    line.split_whitespace().skip_while(|word| !is_command(word)).collect()
}

fn note_time(time: &Mutex<Option<Instant>>) {
    *lock(time) = Some(Instant::now());
}

fn is_after(time: &Mutex<Option<Instant>>, moment: Instant) -> bool {
    lock(time).is_some_and(|time| time > moment)
}

//! Serves a move generator as a UCI engine that answers `position`, `go perft N` and `d`.
//!
//! Implement [`UciEngine`] for the generator and call [`serve`] to let it talk to a client. A count runs on a separate
//! thread, so `stop` and `isready` are answered at once. All other commands and the end of the input wait until the
//! count is done, because scripts often write them directly after their question. If the client is gone, the count
//! ends.
//!
//! Lines are read ahead, so `stop` and `quit` are noticed even after commands that wait. A `stop` ends the count of the
//! last `go` before it. The lines of a script arrive together. If a `quit` has arrived when a count begins, or arrives
//! within a tenth of a second, it ends a script, and everything before it is executed. A `quit` that comes later ends
//! the running count at once, and the waiting commands before it are not executed. A `stop` that comes later also ends
//! the running count, even if another `go` is before it.
//!
//! As the UCI protocol demands ("Description of the universal chess interface", Stefan Meyer-Kahlen), words before the
//! first known command are ignored, and so are lines without a known command.
//!
//! Two features are for other programs. The first line of the output is a banner, which perftree reads before it asks.
//! A search, which is any other `go`, is answered at once with the null move `bestmove 0000`, so that no client waits
//! for it.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::{self, Builder, sleep};
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

    /// Returns the author. By default, it is an unknown one.
    fn author(&self) -> String {
        "an unknown author".to_owned()
    }

    /// Returns the options in UCI notation, without `option name`: `Threads type spin default 1 min 1 max 8`. By default,
    /// there are none.
    fn options(&self) -> Vec<String> {
        Vec::new()
    }

    /// Sets an option. By default, there are none.
    ///
    /// # Errors
    /// Returns a message if there is no such option, or if the value is not possible.
    fn set_option(&mut self, name: &str, _value: &str) -> Result<(), String> {
        Err(format!("there is no option '{name}'"))
    }

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
/// assert!(said.starts_with("Start 1.0 by an unknown author\n"));
/// assert!(said.ends_with("\nNodes searched: 400\n\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(
    engine: &mut dyn UciEngine,
    input: impl BufRead + Send + 'static,
    output: &mut (impl Write + Send),
) -> io::Result<()> {
    let output = Mutex::new(output);
    let mut session = Session {
        engine,
        lines: read_ahead(input)?,
        waiting: VecDeque::new(),
        output: &output,
        position_error: None,
    };
    session.say(&format!("{} by {}", session.engine.name(), session.engine.author()))?;
    while let Some(line) = session.waiting.pop_front().or_else(|| session.lines.recv().ok()) {
        if session.execute(&line?)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// The state of a conversation with a client.
struct Session<'a, W> {
    engine: &'a mut dyn UciEngine,
    /// The lines of the client that were read ahead. A line that cannot be read is the last one.
    lines: Receiver<io::Result<String>>,
    /// The lines that arrived during a count and are executed after it.
    waiting: VecDeque<io::Result<String>>,
    output: &'a Mutex<&'a mut W>,
    /// The error of the last `position` command. There is no position then, because a count of an earlier position
    /// would mislead the client.
    position_error: Option<String>,
}

impl<W: Write + Send> Session<'_, W> {
    fn execute(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        let words = command_words(line);
        let Some((&command, arguments)) = words.split_first() else { return Ok(ControlFlow::Continue(())) };
        match command {
            "quit" => return Ok(ControlFlow::Break(())),
            "isready" => self.say("readyok")?,
            "uci" => self.introduce()?,
            "setoption" => self.set_option(arguments)?,
            "position" => self.set_position(arguments)?,
            "go" if arguments.first() != Some(&"perft") => {
                self.say("info string only go perft N is answered\nbestmove 0000")?;
            }
            "go" | "d" if self.position_error.is_some() => {
                let error = self.position_error.as_deref().unwrap_or_default();
                self.say(&format!("info string no position: {error}"))?;
            }
            "go" => return self.go(arguments.get(1).unwrap_or(&"")),
            "d" => self.say(&self.engine.diagram())?,
            // `ucinewgame`, `debug` and `ponderhit` change nothing, and no count is running that `stop` could end.
            _ => {}
        }
        Ok(ControlFlow::Continue(()))
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

    fn go(&mut self, depth: &str) -> io::Result<ControlFlow<()>> {
        match depth.parse() {
            Ok(depth) if depth <= MAX_DEPTH => self.count(depth),
            _ => {
                let error = format!("go perft '{depth}': not a depth from 0 to {MAX_DEPTH}");
                self.say_error(Err(error)).map(ControlFlow::Continue)
            }
        }
    }

    /// Counts on a separate thread and prints the divide. Meanwhile, listens to the client.
    fn count(&mut self, depth: u32) -> io::Result<ControlFlow<()>> {
        let (divide, output, stop) = (self.engine.divide(depth), self.output, StopSignal::default());
        let begin = Instant::now();
        let commands = self.waiting.iter().filter_map(command);
        if commands.take_while(|command| *command != "go").any(|command| command == "stop") {
            stop.raise();
        }
        let print = || match divide(&stop) {
            Ok(moves) => say(output, &divide_text(&moves, depth)),
            Err(Interrupted) => say(output, "info string stopped"),
        };
        thread::scope(|scope| {
            let thread = Builder::new().spawn_scoped(scope, print)?;
            let mut next = Ok(ControlFlow::Continue(()));
            while !thread.is_finished() {
                if matches!(next, Ok(ControlFlow::Continue(()))) && !self.engine.is_client_gone() {
                    next = self.listen(begin, &stop);
                } else {
                    stop.raise();
                    sleep(POLL);
                }
            }
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            next
        })
    }

    /// Waits for the next line during a count, for a short time. Returns whether the session goes on. A `stop` that
    /// belongs to this count or comes later than a script ends the count.
    fn listen(&mut self, begin: Instant, stop: &StopSignal) -> io::Result<ControlFlow<()>> {
        let is_full = self.waiting.len() == MOST_WAITING;
        let next = if is_full { Err(RecvTimeoutError::Timeout) } else { self.lines.recv_timeout(POLL) };
        let Ok(line) = next else {
            // There was no wait if the queue is full or the input has ended.
            sleep(POLL / 10);
            return Ok(ControlFlow::Continue(()));
        };
        let is_late = begin.elapsed() > SCRIPT_TIME;
        let is_of_this_count = || !self.waiting.iter().filter_map(command).any(|command| command == "go");
        match command(&line) {
            Some("quit") if is_late => return Ok(ControlFlow::Break(())),
            Some("isready") if self.waiting.is_empty() => {
                return self.say("readyok").map(ControlFlow::Continue);
            }
            Some("stop") if is_late || is_of_this_count() => stop.raise(),
            _ if line.is_err() => stop.raise(),
            _ => {}
        }
        self.waiting.push_back(line);
        Ok(ControlFlow::Continue(()))
    }

    fn say_error(&self, outcome: Result<(), String>) -> io::Result<()> {
        outcome.or_else(|error| self.say(&format!("info string {error}")))
    }

    fn say(&self, text: &str) -> io::Result<()> {
        say(self.output, text)
    }
}

fn split_at<'a, 'b>(words: &'a [&'b str], keyword: &str) -> (&'a [&'b str], &'a [&'b str]) {
    let mut parts = words.splitn(2, |word| *word == keyword);
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}

/// Returns the output of `go perft` in the format of Stockfish. A divide at depth 0 has no moves and one node.
fn divide_text(moves: &[(String, u128)], depth: u32) -> String {
    let rows: String = moves.iter().map(|(played, nodes)| format!("{played}: {nodes}\n")).collect();
    let total: u128 = moves.iter().map(|(_, nodes)| nodes).sum();
    format!("{rows}\nNodes searched: {}\n", if depth == 0 { 1 } else { total })
}

fn say(output: &Mutex<&mut impl Write>, text: &str) -> io::Result<()> {
    let mut output = lock(output);
    writeln!(output, "{text}")?;
    output.flush()
}

/// The words that start a command.
const COMMANDS: &str = "uci isready setoption position go stop quit d ucinewgame debug ponderhit";

/// The largest number of lines that wait for the end of a count. A script may write this many after a long count, and
/// its `stop` and `quit` are still noticed.
const MOST_WAITING: usize = 1000;

/// Reads lines on another thread, until the end of the input, `quit`, or a line that cannot be read.
///
/// # Errors
/// Returns an error if the system does not start a thread.
fn read_ahead(mut input: impl BufRead + Send + 'static) -> io::Result<Receiver<io::Result<String>>> {
    let (sender, lines) = sync_channel(1);
    let read = move || {
        while let Some(line) = read_line(&mut input).transpose() {
            let line = line.map(|line| to_text(&line));
            let is_last = line.is_err() || command(&line) == Some("quit");
            if sender.send(line).is_err() || is_last {
                return;
            }
        }
    };
    Builder::new().spawn(read)?;
    Ok(lines)
}

fn command(line: &io::Result<String>) -> Option<&str> {
    command_words(line.as_ref().ok()?).first().copied()
}

/// Returns the words of a line from the first known command on.
fn command_words(line: &str) -> Vec<&str> {
    let is_command = |word: &&str| COMMANDS.split(' ').any(|command| command == *word);
    line.split_whitespace().skip_while(|word| !is_command(word)).collect()
}

//! The lines of a client. A thread reads them ahead, so that `stop` and `quit` are noticed while a count runs.

use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::Instant;

use perft_core::StopSignal;

use crate::lines::{read_line, to_text};
use crate::threads::lock;

/// The words that start a command.
const COMMANDS: [&str; 11] = [
    "uci",
    "isready",
    "setoption",
    "position",
    "go",
    "stop",
    "quit",
    "d",
    "ucinewgame",
    "debug",
    "ponderhit",
];

/// The largest number of lines that wait to be executed. A script may write this many behind a long count, and its
/// `stop` and `quit` are still noticed.
const MOST_WAITING: usize = 1000;

/// A line of the client.
pub(super) struct InputLine {
    /// The text of the line.
    pub text: String,
    /// The signal that the next `stop` raises, if no other `go` is before that `stop`.
    pub stop: StopSignal,
}

/// The lines that were read and are not yet executed.
pub(super) struct Input {
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
    pub fn read_ahead(mut input: impl BufRead + Send + 'static) -> io::Result<Input> {
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

    /// Waits for the next line. Returns `None` at the end of the input.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read.
    pub fn next_line(&self) -> io::Result<Option<InputLine>> {
        self.lines.recv().ok().transpose()
    }

    /// Whether `stop` was read after this time. Waiting commands may be before it.
    pub fn has_stop_after(&self, moment: Instant) -> bool {
        is_after(&self.notes.stop, moment)
    }

    /// Whether `quit`, or a line that cannot be read, was read after this time. Waiting commands may be before it.
    pub fn has_quit_after(&self, moment: Instant) -> bool {
        is_after(&self.notes.end, moment)
    }
}

/// Returns the words of a line from the first known command on.
pub(super) fn command_words(line: &str) -> Vec<&str> {
    line.split_whitespace().skip_while(|word| !COMMANDS.contains(word)).collect()
}

fn note_time(time: &Mutex<Option<Instant>>) {
    *lock(time) = Some(Instant::now());
}

fn is_after(time: &Mutex<Option<Instant>>, moment: Instant) -> bool {
    lock(time).is_some_and(|time| time > moment)
}

//! The lines of a client, which a thread reads ahead, so that `quit` is noticed while a count runs.

use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::command_words;
use crate::lines::{read_line, to_text};

/// The most lines that are read ahead.
const QUEUE: usize = 256;

/// The lines that were read and are not executed yet.
pub(super) struct Input {
    lines: Receiver<io::Result<String>>,
    /// When the last line was read: `quit`, or a line that cannot be read.
    end: Arc<OnceLock<Instant>>,
}

impl Input {
    /// Starts to read lines, to the end of the input, to `quit`, or to a line that cannot be read.
    pub fn read_ahead(mut input: impl BufRead + Send + 'static) -> Input {
        let (sender, lines) = sync_channel(QUEUE);
        let end = Arc::new(OnceLock::new());
        let reached = end.clone();
        std::thread::spawn(move || {
            while let Some(line) = read_line(&mut input).transpose() {
                let line = line.map(|line| to_text(&line));
                let ends = line.as_ref().map_or(true, |line| command_words(line).first() == Some(&"quit"));
                if ends {
                    reached.get_or_init(Instant::now);
                }
                if sender.send(line).is_err() || ends {
                    return;
                }
            }
        });
        Input { lines, end }
    }

    /// Waits for the next line. Returns `None` at the end of the input.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn next_line(&self) -> io::Result<Option<String>> {
        self.lines.recv().ok().transpose()
    }

    /// Whether `quit`, or a line that cannot be read, was read after a moment. Commands may stand before it.
    pub fn has_quit_after(&self, moment: Instant) -> bool {
        self.end.get().is_some_and(|&end| end > moment)
    }
}

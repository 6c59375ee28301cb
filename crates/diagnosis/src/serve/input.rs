//! The lines of a client, which a thread reads ahead, so that `quit` is noticed while a count runs.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};

use super::command_words;
use crate::lines::{read_line, to_text};

/// The most lines that are read ahead.
const QUEUE: usize = 256;

/// The lines that were read and are not executed yet.
pub(super) struct Input {
    lines: Receiver<io::Result<String>>,
    has_quit: Arc<AtomicBool>,
}

impl Input {
    /// Starts to read lines, to the end of the input, to `quit`, or to a line that cannot be read.
    pub fn read_ahead(mut input: impl BufRead + Send + 'static) -> Input {
        let (sender, lines) = sync_channel(QUEUE);
        let has_quit = Arc::new(AtomicBool::new(false));
        let is_last = has_quit.clone();
        std::thread::spawn(move || {
            while let Some(line) = read_line(&mut input).transpose() {
                let line = line.map(|line| to_text(&line));
                let ends = line.as_ref().map_or(true, |line| command_words(line).first() == Some(&"quit"));
                is_last.store(ends, Ordering::Relaxed);
                if sender.send(line).is_err() || ends {
                    return;
                }
            }
        });
        Input { lines, has_quit }
    }

    /// Waits for the next line. Returns `None` at the end of the input.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn next_line(&self) -> io::Result<Option<String>> {
        self.lines.recv().ok().transpose()
    }

    /// Whether `quit` was read, or a line that cannot be read. Commands may stand before it.
    pub fn has_quit(&self) -> bool {
        self.has_quit.load(Ordering::Relaxed)
    }
}

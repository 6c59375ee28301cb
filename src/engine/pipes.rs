//! The input and the output of an external program.
//!
//! A thread writes the input, so that a program that never reads it cannot block us. Some programs wait with `select` and
//! then read one line with `fgets`. If two lines are there, `fgets` takes both from the pipe and returns the first one. The
//! second one is seen only when a third one comes. So each line is written when the program has read the one before.
//!
//! Lines of the output are read as a terminal shows them.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::ChildStdin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, SyncSender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use perft_diagnosis::lines::{MAX_LINE, to_text};

/// The longest time for which a line waits until the program has read the line before it.
const LONGEST_WAIT: Duration = Duration::from_millis(250);

/// The same limit for a program that has read nothing yet, because it may still be starting.
const LONGEST_WAIT_AT_START: Duration = Duration::from_secs(2);

/// The time between two checks whether a line was read.
const INPUT_PAUSE: Duration = Duration::from_micros(50);

/// The input of a program.
#[derive(Debug)]
pub(super) struct Input {
    lines: Sender<String>,
    /// The number of lines that are not written yet.
    waiting: Arc<AtomicUsize>,
    pipe: Arc<ChildStdin>,
}

impl Input {
    /// Starts a thread that writes to a program, until the input of the program is closed or this value is dropped.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn to(input: ChildStdin) -> io::Result<Input> {
        let (lines, receiver) = channel::<String>();
        let (pipe, waiting) = (Arc::new(input), Arc::new(AtomicUsize::new(0)));
        let (input, written) = (pipe.clone(), waiting.clone());
        Builder::new().spawn(move || {
            let mut longest = None;
            receiver.into_iter().try_for_each(|line| {
                // Nothing has to be read before the first line.
                let is_read = longest.is_some_and(|longest| is_read_within(longest, &input));
                longest = if is_read || longest == Some(LONGEST_WAIT) {
                    Some(LONGEST_WAIT)
                } else {
                    Some(LONGEST_WAIT_AT_START)
                };
                let result = (&*input).write_all(line.as_bytes());
                written.fetch_sub(1, Ordering::Release);
                result
            })
        })?;
        Ok(Input { lines, waiting, pipe })
    }

    /// Writes a text of one or more lines. The program may read it later or never. Returns whether the input is open.
    pub fn write(&self, text: &str) -> bool {
        text.split('\n').all(|line| {
            self.waiting.fetch_add(1, Ordering::Relaxed);
            self.lines.send(format!("{line}\n")).is_ok()
        })
    }

    /// Whether the program has read everything. `true` where the system does not say.
    pub fn is_read(&self) -> bool {
        self.waiting.load(Ordering::Acquire) == 0 && waiting_bytes(&self.pipe) == 0
    }
}

/// Waits until a program has read everything that was written to it, but not longer than `longest`. Returns
/// whether it has.
fn is_read_within(longest: Duration, input: &ChildStdin) -> bool {
    let begin = Instant::now();
    while waiting_bytes(input) > 0 {
        if begin.elapsed() >= longest {
            return false;
        }
        std::thread::sleep(INPUT_PAUSE);
    }
    true
}

#[cfg(unix)]
fn waiting_bytes(input: &ChildStdin) -> u64 {
    crate::system::unix::waiting_bytes(input)
}

/// Waits only for a moment: the system does not say whether a program has read its input, and `select` does not work on
/// pipes here.
#[cfg(not(unix))]
fn waiting_bytes(_: &ChildStdin) -> u64 {
    std::thread::sleep(INPUT_PAUSE);
    0
}

/// What a thread has read: the mark of its stream in the log, and a line, or `None` at the end of the stream.
pub(super) type ReadLine = (char, io::Result<Option<String>>);

/// The mark of standard output. That of standard error is `!`.
pub(super) const OUTPUT: char = '<';

/// Sends each line of a stream and its end, until a line cannot be read, or the receiver is gone. A line of standard
/// error that is too long is left out: it is a progress bar, and no part of an answer.
pub(super) fn send_lines(
    stream: impl Read,
    sender: &SyncSender<ReadLine>,
    mark: char,
    unfinished: &Mutex<Vec<u8>>,
) {
    let mut stream = BufReader::new(stream);
    loop {
        let read = next_line(&mut stream, unfinished);
        let is_too_long = read.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::InvalidData);
        if is_too_long && mark != OUTPUT {
            continue;
        }
        let is_last = !matches!(read, Ok(Some(_)));
        if sender.send((mark, read)).is_err() || is_last {
            return;
        }
    }
}

/// Returns the next line of the output, or `None` at its end. The line grows in `unfinished`.
pub(super) fn next_line(
    output: &mut impl BufRead,
    unfinished: &Mutex<Vec<u8>>,
) -> io::Result<Option<String>> {
    loop {
        let bytes = output.fill_buf()?;
        let length = bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |at| at + 1);
        let mut line = unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        bytes[..length].iter().for_each(|&byte| print(byte, &mut line));
        let is_finished = length == 0 || bytes[length - 1] == b'\n';
        output.consume(length);
        if line.len() > MAX_LINE {
            line.clear();
            let message = format!("a line of more than {MAX_LINE} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        if length == 0 && line.is_empty() {
            return Ok(None);
        }
        if is_finished {
            return Ok(Some(to_text(&std::mem::take(&mut *line)).trim_end().to_owned()));
        }
    }
}

/// Adds a byte to a line as a terminal does: what a progress bar has overwritten is not part of the line. The text
/// before a carriage return is overwritten by other text, and a backspace takes back a character.
fn print(byte: u8, line: &mut Vec<u8>) {
    match byte {
        b'\x08' => while line.pop().is_some_and(|last| last & 0xc0 == 0x80) {},
        b'\r' | b'\n' => line.push(byte),
        _ => {
            if line.last() == Some(&b'\r') {
                line.clear();
            }
            line.push(byte);
        }
    }
}

//! The input of an external program.
//!
//! A thread writes it, so that a program that never reads it cannot block us. Some programs wait with `select` and
//! then read one line with `fgets`. If two lines are there, `fgets` takes both from the pipe and returns the first one. The
//! second one is seen only when a third one comes. So each line is written when the program has read the one before.

use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The longest time for which a line waits until the program has read the line before it.
const LONGEST_WAIT: Duration = Duration::from_millis(250);

/// The same limit for a program that has read nothing yet, because it may still be starting.
const LONGEST_WAIT_AT_START: Duration = Duration::from_secs(2);

/// The time between two checks whether a line was read.
const INPUT_PAUSE: Duration = Duration::from_micros(50);

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
    rustix::io::ioctl_fionread(input).unwrap_or(0)
}

/// Waits only for a moment: the system does not say whether a program has read its input, and `select` does not work on
/// pipes here.
#[cfg(not(unix))]
fn waiting_bytes(_: &ChildStdin) -> u64 {
    std::thread::sleep(INPUT_PAUSE);
    0
}

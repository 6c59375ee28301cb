//! The input of a program. Another thread writes it, so that a program that never reads its input cannot block
//! us.
//!
//! Some programs wait with `select` and then read one line with `fgets`. If two lines are there, `fgets` takes both
//! from the pipe and returns the first one. The second one is seen only when a third one comes. So the lines can be
//! written one by one: each when the program has read the one before.

use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;
use std::time::Duration;

/// The longest time for which a line waits until the program has read the line before it.
const LONGEST_WAIT: Duration = Duration::from_millis(50);

/// The same limit for a program that has read nothing yet, because it may still be starting.
const LONGEST_WAIT_AT_START: Duration = Duration::from_secs(2);

/// The time between two checks whether a line was read.
const PAUSE: Duration = Duration::from_micros(50);

/// The input of a program.
#[derive(Debug)]
pub(super) struct Input {
    texts: Sender<Text>,
    is_one_by_one: bool,
}

/// Lines to write.
struct Text {
    lines: String,
    is_one_by_one: bool,
}

impl Input {
    /// Starts a thread that writes to a program, until the input of the program is closed or this value is
    /// dropped.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn to(input: ChildStdin) -> io::Result<Input> {
        let (sender, texts) = channel::<Text>();
        Builder::new().spawn(move || {
            let mut writer = Writer { input, has_written: false, has_been_read: false };
            texts.into_iter().try_for_each(|text| writer.write(&text))
        })?;
        Ok(Input { texts: sender, is_one_by_one: false })
    }

    /// Makes each later line wait until the program has read the line before it.
    pub fn write_one_by_one(&mut self) {
        self.is_one_by_one = true;
    }

    /// Writes a text of one or more lines. The program may read it later or never. Returns whether the input is open.
    pub fn write(&self, text: &str) -> bool {
        let text = Text { lines: format!("{text}\n"), is_one_by_one: self.is_one_by_one };
        self.texts.send(text).is_ok()
    }
}

/// Writes to the input of a program.
struct Writer {
    input: ChildStdin,
    has_written: bool,
    /// Whether the program has read something.
    has_been_read: bool,
}

impl Writer {
    fn write(&mut self, text: &Text) -> io::Result<()> {
        if !text.is_one_by_one {
            return self.write_part(&text.lines);
        }
        text.lines.split_inclusive('\n').try_for_each(|line| {
            if self.has_written {
                let longest = if self.has_been_read { LONGEST_WAIT } else { LONGEST_WAIT_AT_START };
                self.has_been_read |= is_read_within(longest, &self.input);
            }
            self.write_part(line)
        })
    }

    fn write_part(&mut self, part: &str) -> io::Result<()> {
        self.has_written = true;
        self.input.write_all(part.as_bytes())?;
        self.input.flush()
    }
}

/// Waits until a program has read everything that was written to it, but not longer than `longest`. Returns
/// whether it has.
#[cfg(unix)]
fn is_read_within(longest: Duration, input: &ChildStdin) -> bool {
    let begin = std::time::Instant::now();
    while crate::system::unix::waiting_bytes(input) > 0 {
        if begin.elapsed() >= longest {
            return false;
        }
        std::thread::sleep(PAUSE);
    }
    true
}

/// Waits only for a moment: the system does not say whether a program has read its input, and `select` does not
/// work on pipes here.
#[cfg(not(unix))]
fn is_read_within(_: Duration, _: &ChildStdin) -> bool {
    std::thread::sleep(PAUSE);
    true
}

//! Prints what a command waits for, if it waits for a long time.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::error::note;

/// The time after which the user is told what the command waits for.
const PATIENCE: Duration = Duration::from_millis(900);

/// Prints a note if it is not dropped soon.
pub struct WaitNote {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl WaitNote {
    /// Begins to wait for an engine. The message is printed on standard error if this value is not dropped soon.
    pub fn with(message: String) -> WaitNote {
        let (end, ended) = channel();
        // Without a thread, nothing is printed.
        let thread = Builder::new().spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                note(message);
            }
        });
        WaitNote { end: Some(end), thread: thread.ok() }
    }

    /// Begins to wait for work of this program. The message is printed only at a terminal, because nothing is wrong.
    pub fn at_work(message: String) -> WaitNote {
        if std::io::stderr().is_terminal() {
            WaitNote::with(message)
        } else {
            WaitNote { end: None, thread: None }
        }
    }
}

impl Drop for WaitNote {
    fn drop(&mut self) {
        drop(self.end.take());
        // The thread ends at once and cannot panic. Joining it ensures that the note is printed before any later
        // output.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

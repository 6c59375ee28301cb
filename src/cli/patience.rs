//! Says what a command waits for, if it waits for long.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::error::note;

/// After this time, the user is told what the command waits for.
const PATIENCE: Duration = Duration::from_millis(900);

/// Prints a note if it lives for long.
pub struct Patience {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Patience {
    /// Starts to wait for an engine. The message is printed on standard error if this is not dropped soon.
    pub fn with(message: String) -> Patience {
        let (end, ended) = channel();
        // Without a thread, nothing is printed.
        let thread = Builder::new().spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                note(message);
            }
        });
        Patience { end: Some(end), thread: thread.ok() }
    }

    /// Starts to wait for work of our own. The message is for a user at a terminal only, because nothing is wrong.
    pub fn at_work(message: String) -> Patience {
        if std::io::stderr().is_terminal() {
            Patience::with(message)
        } else {
            Patience { end: None, thread: None }
        }
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        drop(self.end.take());
        // The thread ends at once, and cannot panic. Waiting for it keeps the note before what is printed next.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

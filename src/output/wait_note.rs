//! Prints what a command waits for, if it waits for a long time.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::error::note;

/// The time after which the user is told what the command waits for.
const PATIENCE: Duration = Duration::from_millis(900);

/// Prints a note if it is not dropped soon. It holds the thread that waits, and the sender whose end it waits for.
pub struct WaitNote(Option<(Sender<()>, JoinHandle<()>)>);

impl WaitNote {
    /// Begins to wait for an engine. The message is printed on standard error if this value is not dropped soon.
    pub fn with(message: String) -> WaitNote {
        let (end, ended) = channel();
        let thread = Builder::new().spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                note(message);
            }
        });
        // Without a thread, nothing is printed.
        WaitNote(thread.ok().map(|thread| (end, thread)))
    }

    /// Begins to wait for work of this program. The message is printed only at a terminal, because nothing is wrong.
    pub fn at_work(message: String) -> WaitNote {
        if std::io::stderr().is_terminal() { WaitNote::with(message) } else { WaitNote(None) }
    }
}

impl Drop for WaitNote {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.0.take() {
            drop(end);
            // The thread ends at once and cannot panic. Joining it ensures that the note is printed before any later
            // output.
            let _ = thread.join();
        }
    }
}

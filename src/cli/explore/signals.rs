//! The signals that stop or quit a program at a terminal: SIGTSTP and SIGQUIT.
//!
//! While the explorer has the terminal, such a signal is only noted. The explorer gives the terminal back and then follows
//! the signal as any program does: by default, it stops or ends.

use std::io;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

pub use nix::sys::signal::Signal;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, killpg, raise, sigaction};
use nix::unistd::getpgrp;

/// The number of the signal that was noted last, or 0.
static NOTED: AtomicI32 = AtomicI32::new(0);

extern "C" fn note(signal: i32) {
    NOTED.store(signal, Relaxed);
}

/// Lets a signal be noted. Returns what the system did with it before.
fn handle(signal: Signal) -> nix::Result<SigAction> {
    let action = SigAction::new(SigHandler::Handler(note), SaFlags::SA_RESTART, SigSet::empty());
    // SAFETY: The handler only stores a number, which is allowed at any time and on any thread.
    unsafe { sigaction(signal, &action) }
}

/// Returns the signal that was noted since the last call.
pub fn noted() -> Option<Signal> {
    Signal::try_from(NOTED.swap(0, Relaxed)).ok()
}

/// Notes the signals until it is dropped. It has what the system did with them before.
pub struct Notes([(Signal, SigAction); 2]);

impl Notes {
    /// Notes the signals from now on.
    ///
    /// # Errors
    /// The system refuses it.
    pub fn start() -> io::Result<Notes> {
        let handled = |signal| handle(signal).map(|before| (signal, before));
        Ok(Notes([handled(Signal::SIGTSTP)?, handled(Signal::SIGQUIT)?]))
    }

    /// Does what the system would have done on a signal. If the program goes on, it notes signals again.
    ///
    /// # Errors
    /// The system refuses it.
    pub fn follow(&self, signal: Signal) -> io::Result<()> {
        if signal == Signal::SIGTSTP {
            // The rest of the job stops too, for example a script that waits for this program. Here it is only noted.
            killpg(getpgrp(), signal)?;
        }
        self.restore();
        raise(signal)?;
        noted();
        Ok(self.0.iter().try_for_each(|(signal, _)| handle(*signal).map(drop))?)
    }

    fn restore(&self) {
        for (signal, before) in &self.0 {
            // SAFETY: This action was in force before.
            let _ = unsafe { sigaction(*signal, before) };
        }
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        self.restore();
    }
}

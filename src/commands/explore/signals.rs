//! The signals that stop or quit a program at a terminal: SIGTSTP and SIGQUIT.
//!
//! While the explorer has the terminal, the handler only stores the number of such a signal. The explorer then
//! restores the terminal and follows the signal as any program does: by default, it stops or ends.

pub use nix::sys::signal::Signal;

use std::io;
use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::Relaxed;

use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, killpg, raise, sigaction};
use nix::unistd::getpgrp;

/// The number of the last signal, or 0.
static NOTED: AtomicI32 = AtomicI32::new(0);

extern "C" fn note(signal: i32) {
    NOTED.store(signal, Relaxed);
}

/// Installs the handler for a signal. Returns the previous action.
fn handle(signal: Signal) -> nix::Result<SigAction> {
    let action = SigAction::new(SigHandler::Handler(note), SaFlags::SA_RESTART, SigSet::empty());
    // SAFETY: The handler only stores a number, which is allowed at any time and on any thread.
    unsafe { sigaction(signal, &action) }
}

/// Returns the last signal since the last call.
pub fn noted() -> Option<Signal> {
    Signal::try_from(NOTED.swap(0, Relaxed)).ok()
}

/// Handles the signals until it is dropped. It contains the previous actions.
pub struct Notes([(Signal, SigAction); 2]);

impl Notes {
    /// Handles the signals from now on.
    ///
    /// # Errors
    /// The system does not allow it.
    pub fn start() -> io::Result<Notes> {
        let handled = |signal| handle(signal).map(|before| (signal, before));
        Ok(Notes([handled(Signal::SIGTSTP)?, handled(Signal::SIGQUIT)?]))
    }

    /// Does what the system would have done on a signal. If the program continues afterwards, the signals are handled
    /// again.
    ///
    /// # Errors
    /// The system does not allow it.
    pub fn follow(&self, signal: Signal) -> io::Result<()> {
        if signal == Signal::SIGTSTP {
            // The rest of the process group stops too, for example a script that waits for this program. In this
            // process, the handler stores the signal.
            killpg(getpgrp(), signal)?;
        }
        self.restore();
        raise(signal)?;
        noted();
        Ok(self.0.iter().try_for_each(|(signal, _)| handle(*signal).map(drop))?)
    }

    fn restore(&self) {
        for (signal, before) in &self.0 {
            // SAFETY: This action was in use before.
            let _ = unsafe { sigaction(*signal, before) };
        }
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        self.restore();
    }
}

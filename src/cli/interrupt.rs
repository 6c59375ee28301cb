//! Ctrl-C, SIGTERM and the hang-up of a terminal.
//!
//! The first signal raises the stop signal, and the command ends with what it has. A command can be at a place that does not
//! check the stop signal, for example in a write to a pipe that nobody reads. So the program ends after [`GRACE`] in any case.
//! Further signals change nothing. `engine` kills the engines of a program that has ended.

use std::io::IsTerminal;
use std::time::Duration;

use perft_core::StopSignal;

use super::error::{CliError, INTERRUPTED};

/// How long a command may take to end after a signal.
const GRACE: Duration = Duration::from_millis(900);

/// How long the last message may take. Standard error can be a pipe that nobody reads.
const LAST_MESSAGE: Duration = Duration::from_millis(50);

/// Makes the first signal raise the stop signal, and end the program after [`GRACE`].
///
/// # Errors
/// A usage error if the system refuses the handler.
pub fn raise_on_interrupt(stop: &StopSignal) -> Result<(), CliError> {
    let stop = stop.clone();
    let on_signal = move || {
        if !stop.is_raised() {
            stop.raise();
            std::thread::spawn(end_after_grace);
        }
    };
    ctrlc::set_handler(on_signal)
        .map_err(|error| CliError::usage(format!("cannot install the handler for Ctrl-C: {error}")))
}

fn end_after_grace() {
    std::thread::sleep(GRACE);
    std::thread::spawn(|| {
        // A progress bar may stand in the line.
        let erase = if std::io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
        anstream::eprintln!("{erase}interrupted: the program was ended before it came to a result");
    });
    std::thread::sleep(LAST_MESSAGE);
    std::process::exit(INTERRUPTED);
}

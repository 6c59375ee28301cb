//! Ctrl-C, SIGTERM and the hang-up of a terminal. On Windows: Ctrl-C, Ctrl-Break, the end of the console, and the
//! shutdown.
//!
//! The first signal raises the stop signal, and the command ends with its results so far. A command cannot always check
//! the stop signal, for example while it writes to a pipe that nobody reads. So the program ends after [`GRACE`] in any
//! case. A benchmark, whose figures would be lost, gets [`REPORT`] more. Windows ends a program about five seconds
//! after its console was closed. Further signals change nothing. A hang-up that is ignored from the start, as with
//! `nohup`, stays ignored on Linux. `engine` kills the engines of a program that has ended.

use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::sync::mpsc::channel;
use std::thread::Builder;
use std::time::{Duration, Instant};

use perft_core::StopSignal;

use super::context::Context;
use super::error::{CliError, INTERRUPTED, note, say};

/// The time in which a command must end after a signal.
const GRACE: Duration = Duration::from_millis(800);

/// The additional time for a benchmark to report the figures so far. Writing the figures of many thousands of runs takes some seconds.
const REPORT: Duration = Duration::from_secs(10);

/// The longest time for printing the last message. Standard error can be a pipe that nobody reads.
const LAST_MESSAGE: Duration = Duration::from_millis(200);

/// The longest time between an error of a closed terminal and its signal.
const HANG_UP: Duration = Duration::from_millis(200);

/// Makes the first signal raise the stop signal, and end the program after [`GRACE`].
///
/// # Errors
/// A usage error if the system refuses the handler.
pub fn raise_on_interrupt(context: &Context) -> Result<(), CliError> {
    let (stop, reporting) = (context.stop.clone(), context.reporting.clone());
    let on_signal = move || {
        if !stop.is_raised() {
            stop.raise();
            end_after_grace(&reporting);
        }
    };
    let refused =
        |error: &dyn Display| CliError::usage(format!("cannot install the handler for Ctrl-C: {error}"));
    ctrlc::set_handler(on_signal.clone()).map_err(|error| refused(&error))?;
    #[cfg(windows)]
    crate::system::windows::on_close(on_signal).map_err(|error| refused(&error))?;
    Ok(())
}

/// If the hang-up is ignored, as after `nohup`, blocks it on this thread and on those that it starts later. Otherwise
/// the handler would receive it.
pub fn keep_ignored_hang_up() {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::signal::{SigSet, Signal};
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
        let ignored = u64::from_str_radix(ignored.trim(), 16).unwrap_or(0);
        if ignored >> (Signal::SIGHUP as u32 - 1) & 1 == 1 {
            // Child processes do not inherit this.
            let _ = SigSet::from(Signal::SIGHUP).thread_block();
        }
    }
}

/// Whether an output failed because its terminal was closed. The signal may come a moment after the error.
pub fn is_hang_up(error: &io::Error, stop: &StopSignal) -> bool {
    const EIO: i32 = 5;
    if !cfg!(unix) || error.raw_os_error() != Some(EIO) {
        return false;
    }
    let begin = Instant::now();
    while !stop.is_raised() && begin.elapsed() < HANG_UP {
        std::thread::sleep(HANG_UP / 20);
    }
    stop.is_raised()
}

fn end_after_grace(reporting: &StopSignal) {
    std::thread::sleep(GRACE);
    if reporting.is_raised() {
        let _ = Builder::new().spawn(|| note("working out the figures so far"));
        std::thread::sleep(REPORT);
    }
    let (printed, is_printed) = channel();
    let _ = Builder::new().spawn(move || {
        // A progress bar may be in the line.
        let erase = if std::io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
        say(format_args!("{erase}interrupted: the program was ended before it came to a result"));
        printed.send(())
    });
    let _ = is_printed.recv_timeout(LAST_MESSAGE);
    std::process::exit(INTERRUPTED);
}

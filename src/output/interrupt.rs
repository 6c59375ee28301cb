//! Ctrl-C, SIGTERM and the hang-up of a terminal. On Windows: Ctrl-C, Ctrl-Break, the end of the console, and the
//! shutdown. On Unix also SIGQUIT, so that no terminal stays as the explorer needs it.
//!
//! The first signal raises the stop signal, and the command ends with its results so far. A command cannot always check
//! the stop signal, for example while it writes to a pipe that nobody reads. So the program ends after [`GRACE`] in any
//! case. A benchmark, whose figures would be lost, gets [`REPORT`] more. Windows ends a program about five seconds
//! after its console was closed. Further signals change nothing. A signal that is ignored from the start, as with
//! `nohup`, stays ignored on Linux. `engine` kills the engines of a program that has ended.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::channel;
use std::thread::Builder;
use std::time::{Duration, Instant};

#[cfg(unix)]
use nix::sys::signal::{SigSet, Signal};
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

/// Makes the first signal raise the stop signal, and end the program after [`GRACE`]. A session that has nothing to save
/// ends at once, like any program that waits for input.
///
/// # Errors
/// A usage error if the system refuses the handler.
pub fn raise_on_interrupt(context: &Context, at_once: bool) -> Result<(), CliError> {
    let (stop, reporting) = (context.stop.clone(), context.reporting.clone());
    let on_signal = move || {
        if at_once {
            std::process::exit(INTERRUPTED);
        }
        if !stop.is_raised() {
            stop.raise();
            end_after_grace(&reporting);
        }
    };
    let refused = || CliError::usage("cannot install the handler for Ctrl-C");
    ctrlc::set_handler(on_signal.clone()).map_err(|error| refused().because(error))?;
    #[cfg(windows)]
    crate::system::windows::on_close(on_signal).map_err(|error| refused().because(error))?;
    #[cfg(unix)]
    let _ = Builder::new().spawn(move || SigSet::from(Signal::SIGQUIT).wait().map(|_| on_signal()));
    Ok(())
}

/// Blocks the signals that are ignored, as after `nohup`, on this thread and on those that it starts later. Otherwise
/// the handler would receive them. SIGQUIT is blocked because a thread waits for it. Child processes inherit none of
/// this.
pub fn keep_ignored_signals() {
    #[cfg(unix)]
    {
        let mut blocked = SigSet::from(Signal::SIGQUIT);
        #[cfg(target_os = "linux")]
        {
            let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
            let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
            let ignored = u64::from_str_radix(ignored.trim(), 16).unwrap_or(0);
            let is_ignored = |signal: &Signal| ignored >> (*signal as u32 - 1) & 1 == 1;
            let handled = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM];
            handled.iter().filter(|signal| is_ignored(signal)).for_each(|signal| blocked.add(*signal));
        }
        let _ = blocked.thread_block();
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
        if std::io::stderr().is_terminal() {
            let _ = std::io::stderr().write_all(b"\r\x1b[2K");
        }
        say("interrupted: the program was ended before it came to a result");
        printed.send(())
    });
    let _ = is_printed.recv_timeout(LAST_MESSAGE);
    std::process::exit(INTERRUPTED);
}

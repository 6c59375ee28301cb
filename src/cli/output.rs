//! Standard output: whether it is closed, and writing to it.
//!
//! Before `main`, std opens `/dev/null` in place of a standard output that is closed. A result would then be lost
//! without an error. So this file looks at standard output earlier. Shells on Windows cannot close it.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether standard output was closed when the program started.
static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Returns standard output, with the styles that the user wants. If it was closed, every write fails.
pub fn output() -> Box<dyn Write + Send> {
    if WAS_CLOSED.load(Relaxed) { Box::new(Closed) } else { Box::new(anstream::stdout()) }
}

/// Whether nobody reads standard output any more: a pipe without a reader, or a terminal that is gone. `false` on
/// Windows, where only the next write shows it.
pub fn is_output_closed() -> bool {
    #[cfg(unix)]
    return poll_output(nix::poll::PollFlags::empty(), 0);
    #[cfg(not(unix))]
    false
}

/// Waits for a key on the terminal that is standard output, at most `milliseconds`. Returns whether the terminal is gone.
///
/// The terminal library must not wait on Unix: it would read the end of a terminal that is gone for ever. On Windows,
/// the program ends with its console.
#[cfg(feature = "explore")]
pub fn wait_for_key(milliseconds: u16) -> bool {
    #[cfg(unix)]
    return poll_output(nix::poll::PollFlags::POLLIN, milliseconds);
    #[cfg(not(unix))]
    {
        // The event is read later. An error is reported there.
        let _ = ratatui::crossterm::event::poll(std::time::Duration::from_millis(milliseconds.into()));
        false
    }
}

/// Waits until something happens to standard output. Returns whether nobody is at its other end.
#[cfg(unix)]
fn poll_output(events: nix::poll::PollFlags, milliseconds: u16) -> bool {
    use std::os::fd::AsFd;

    use nix::poll::{PollFd, PollFlags, poll};
    let stdout = io::stdout();
    let mut polled = [PollFd::new(stdout.as_fd(), events)];
    let is_polled = poll(&mut polled, milliseconds).is_ok();
    let gone = PollFlags::POLLERR | PollFlags::POLLHUP;
    is_polled && polled[0].revents().is_some_and(|events| events.intersects(gone))
}

/// A standard output that was closed.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other("standard output is closed"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(unix)]
extern "C" fn note_closed_output() {
    use nix::fcntl::{FcntlArg, fcntl};
    WAS_CLOSED.store(fcntl(io::stdout(), FcntlArg::F_GETFD).is_err(), Relaxed);
}

// SAFETY: The section is a list of functions without arguments that the system calls before `main`, one after the
// other, on the only thread. This one needs nothing that `main` prepares: it makes one system call and stores a flag.
#[cfg(unix)]
#[used]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
static BEFORE_MAIN: extern "C" fn() = note_closed_output;

//! Standard output: writing to it, checking whether its reader is gone, and waiting for keys if it is a terminal.

use std::io::{self, Write};

use indicatif::ProgressBar;
use perft_core::StopSignal;

/// Whether nobody reads standard output any more: a pipe without a reader, or a terminal that was closed. `false` on
/// Windows, where only the next write shows it.
pub fn is_output_closed() -> bool {
    #[cfg(unix)]
    return poll_output(nix::poll::PollFlags::empty(), 0);
    #[cfg(not(unix))]
    false
}

/// Waits at most `milliseconds` for a key on the terminal that is standard output. Returns whether the terminal was
/// closed.
///
/// On Unix, the terminal library must not wait: after the terminal was closed, it would read end of file in an
/// endless loop. On Windows, the program ends with its console.
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

/// Waits for an event on standard output. Returns whether nobody reads it any more.
#[cfg(unix)]
fn poll_output(events: nix::poll::PollFlags, milliseconds: u16) -> bool {
    use std::os::fd::AsFd;

    use nix::poll::{PollFd, PollFlags, poll};
    let stdout = std::io::stdout();
    let mut polled = [PollFd::new(stdout.as_fd(), events)];
    let is_polled = poll(&mut polled, milliseconds).is_ok();
    let gone = PollFlags::POLLERR | PollFlags::POLLHUP;
    is_polled && polled[0].revents().is_some_and(|events| events.intersects(gone))
}

/// Prints something with `write` while the progress bar of a search is drawn. If that fails, the search is stopped.
pub fn print_above<W: Write>(
    bar: &ProgressBar,
    stop: &StopSignal,
    out: &mut W,
    write: impl FnOnce(&mut W) -> io::Result<()>,
) -> io::Result<()> {
    let written = bar.suspend(|| write(out).and_then(|()| out.flush()));
    written.inspect_err(|_| stop.raise())
}

//! Progress on standard error, as a bar on a terminal and elsewhere as lines of text if they are asked for; and styles
//! of text.
//!
//! A terminal echoes Ctrl-C as two characters (`^C`) at the cursor. After a bar as wide as the terminal, the echo
//! would start a new line, and erasing the bar would leave the old line behind. Bars are therefore drawn a little
//! narrower than the terminal.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike};
use perft_count::{Phase, Progress};

use super::context::{Context, When};
use super::error::{note, say};
use super::numbers::SECONDS_PER_YEAR;
use super::safe::{marked, shown, styled};
use super::{INCOMPLETE, grouped, mega_per_second, number_of};

/// The number of columns kept free at the right for an echoed `^C`.
const MARGIN: u16 = 4;

/// The largest number of times per second that a bar is drawn.
const REFRESH_HZ: u8 = 20;

/// The time after which a bar is drawn again if there is no progress. So the user sees that the program is running.
const TICK: Duration = Duration::from_millis(250);

/// The number of columns from which a terminal shows the bar and the details. A narrower one shows only the
/// percentage and the time left.
const WIDE: u16 = 80;

/// Returns a bar over `length` steps that is drawn only if progress is wanted and standard error is a terminal.
///
/// It shows its label, the bar, these details (in the template language of [`ProgressStyle`]) and the time left. The
/// bar is left out if the details contain a long message, `{wide_msg}`, which is cut to fit.
pub fn progress_bar(context: &Context, label: &str, details: &str, length: u64) -> ProgressBar {
    ticking(still_bar(context, label, details, length))
}

/// Like [`progress_bar`], but the bar is drawn only when it is moved. Nothing is drawn while something is timed.
pub fn still_bar(context: &Context, label: &str, details: &str, length: u64) -> ProgressBar {
    let template = bar_template(details, Term::stderr().size().1);
    bar_on(draw_target(context), &template, length).with_prefix(label.to_owned())
}

/// Returns a line that shows its label and a message, for work whose length is not known. Like a bar, it is drawn only
/// if progress is wanted and standard error is a terminal.
pub fn progress_line(context: &Context, label: &str) -> ProgressBar {
    ticking(bar_on(draw_target(context), "{prefix} {spinner} {wide_msg}", 0).with_prefix(label.to_owned()))
}

/// Makes a bar draw itself at regular times. A bar that is not drawn needs no thread for that. If no thread can be
/// started, the bar is drawn only when it is moved. (The thread of indicatif would panic.)
fn ticking(bar: ProgressBar) -> ProgressBar {
    if !bar.is_hidden() {
        let weak = bar.downgrade();
        let _ = Builder::new().spawn(move || {
            while let Some(bar) = weak.upgrade().filter(|bar| !bar.is_finished()) {
                bar.tick();
                drop(bar);
                sleep(TICK);
            }
        });
    }
    bar
}

fn bar_template(details: &str, columns: u16) -> String {
    if columns < WIDE {
        "{prefix} {percent:>3}%  {left}".to_owned()
    } else {
        let bar = if details.contains("{wide_msg}") { "" } else { "{wide_bar:.cyan/dim} " };
        format!("{{prefix}} {bar}{details}  {{left}}")
    }
}

fn bar_on(target: ProgressDrawTarget, template: &str, length: u64) -> ProgressBar {
    let left = |state: &ProgressState, out: &mut dyn Write| {
        let _ = out.write_str(&left(state.elapsed(), f64::from(state.fraction())));
    };
    let style = ProgressStyle::with_template(template).expect("the template is valid").with_key("left", left);
    ProgressBar::with_draw_target(Some(length), target).with_style(style)
}

/// Returns the time left as text, such as `1 min 20 s left`, for work of which this fraction is done.
pub fn left(elapsed: Duration, fraction: f64) -> String {
    // If nothing is done yet, this is infinite.
    let seconds = elapsed.as_secs_f64() * (1.0 - fraction) / fraction;
    let time = Duration::try_from_secs_f64(seconds.max(0.0)).map_or("?".to_owned(), format_duration);
    format!("{time} left")
}

/// Returns a time in its two largest units: `42 s`, `3 min 5 s`, `7 h 12 min`, `3 d 4 h`, or in years.
pub fn format_duration(time: Duration) -> String {
    const YEAR: u64 = SECONDS_PER_YEAR as u64;
    const TWO_YEARS: u64 = 2 * YEAR;
    let seconds = time.as_secs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{minutes} min {} s", seconds % 60),
        3_600..86_400 => format!("{hours} h {} min", minutes % 60),
        86_400..TWO_YEARS => format!("{days} d {} h", hours % 24),
        _ => format!("{} years", grouped(u128::from(seconds / YEAR))),
    }
}

/// Returns the place where bars are drawn: standard error if it is a terminal and progress is wanted, otherwise
/// nowhere.
fn draw_target(context: &Context) -> ProgressDrawTarget {
    let terminal = Term::stderr();
    if terminal.is_term() && !context.global.hides_progress() {
        ProgressDrawTarget::term_like_with_hz(Box::new(Narrowed(terminal)), REFRESH_HZ)
    } else {
        ProgressDrawTarget::hidden()
    }
}

/// Returns the line of a report of a command that was interrupted.
pub fn incomplete_line() -> String {
    styled(INCOMPLETE, AnsiColor::Yellow)
}

/// A terminal that reports [`MARGIN`] columns fewer than it has.
#[derive(Debug)]
struct Narrowed(Term);

impl TermLike for Narrowed {
    fn width(&self) -> u16 {
        self.0.size().1.saturating_sub(MARGIN)
    }

    fn height(&self) -> u16 {
        self.0.size().0
    }

    fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_up(lines)
    }

    fn move_cursor_down(&self, lines: usize) -> io::Result<()> {
        self.0.move_cursor_down(lines)
    }

    fn move_cursor_right(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_right(columns)
    }

    fn move_cursor_left(&self, columns: usize) -> io::Result<()> {
        self.0.move_cursor_left(columns)
    }

    /// The bar has styles of indicatif.
    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(&shown(&marked(text)))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.0.write_str(&shown(&marked(text)))
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The time after which the user is told what the command waits for.
const PATIENCE: Duration = Duration::from_millis(900);

/// A note that is printed unless this is dropped soon: the waiting thread, and the sender whose drop ends the wait.
pub struct WaitNote(Option<(Sender<()>, JoinHandle<()>)>);

impl WaitNote {
    /// Begins to wait for an engine. The message is printed on standard error if this value is not dropped soon.
    pub fn with(message: String) -> WaitNote {
        WaitNote::after(PATIENCE, message)
    }

    /// Begins to wait for this time. The message is printed then if this value has not been dropped.
    pub fn after(time: Duration, message: String) -> WaitNote {
        let (end, ended) = channel();
        let thread = Builder::new().spawn(move || {
            if ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
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

/// The time before progress is shown. A shorter count shows no progress.
const DELAY: Duration = Duration::from_millis(400);

/// The time between two updates of the bar.
const BAR_INTERVAL: Duration = Duration::from_millis(100);

/// The time between two lines of text.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

/// The number of steps of the bar: ten thousandths of the work.
pub const STEPS: u64 = 10_000;

/// Runs `work` and shows its progress under `label`. The signal of Ctrl-C stops it.
pub fn watch<R>(context: &Context, label: &str, work: impl FnOnce(&Progress) -> R) -> R {
    let progress = &Progress::new(context.stop.clone());
    let show: fn(&Context, &str, &Progress, &Receiver<()>) = match context.global.progress {
        _ if context.global.hides_progress() => return work(progress),
        _ if std::io::stderr().is_terminal() => show_bar,
        When::Always => show_lines,
        When::Auto | When::Never => return work(progress),
    };
    std::thread::scope(|scope| {
        let (done, is_done) = channel();
        // Without a thread, no progress is shown.
        let _ = Builder::new().spawn_scoped(scope, move || show(context, label, progress, &is_done));
        let result = work(progress);
        drop(done);
        result
    })
}

fn done_within(is_done: &Receiver<()>, time: Duration) -> bool {
    is_done.recv_timeout(time) == Err(RecvTimeoutError::Disconnected)
}

fn show_bar(context: &Context, label: &str, progress: &Progress, is_done: &Receiver<()>) {
    let start = Instant::now();
    if done_within(is_done, DELAY) {
        return;
    }
    let bar = still_bar(context, label, "{percent:>3}%  {msg}", STEPS).with_elapsed(start.elapsed());
    loop {
        bar.set_position((progress.fraction() * STEPS as f64) as u64);
        bar.set_message(status(progress.phase(), progress.nodes().into(), start.elapsed()));
        if done_within(is_done, BAR_INTERVAL) {
            break;
        }
    }
    bar.finish_and_clear();
}

fn show_lines(_: &Context, label: &str, progress: &Progress, is_done: &Receiver<()>) {
    let start = Instant::now();
    while !done_within(is_done, LINE_INTERVAL) {
        let percent = progress.fraction() * 100.0;
        let left = left(start.elapsed(), progress.fraction());
        let status = status(progress.phase(), progress.nodes().into(), start.elapsed());
        say(format_args!("{label} {percent:5.1}%  {status}  {left}"));
    }
}

/// Returns the state of the count as text: the nodes so far and nodes per second, or the positions that are merged.
fn status(phase: Phase, nodes: u128, elapsed: Duration) -> String {
    match phase {
        Phase::Merging { ply, positions } => {
            format!("merging ply {ply}: {}", number_of(positions, "position"))
        }
        Phase::Checking { ply } => format!("checking ply {ply}: {}", number_of(nodes, "node")),
        _ if nodes == 0 => "counting".to_owned(),
        _ => {
            format!("{}, {}", number_of(nodes, "node"), mega_per_second(nodes, elapsed.as_secs_f64()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_in_two_units() {
        let text = |seconds| format_duration(Duration::from_secs(seconds));
        assert_eq!(text(59), "59 s");
        assert_eq!(text(185), "3 min 5 s");
        assert_eq!(text(26_000), "7 h 13 min");
        assert_eq!(text(300_000), "3 d 11 h");
        assert_eq!(text(40_000_000), "462 d 23 h");
        assert_eq!(text(31_557_600 * 1234), "1,234 years");
    }

    #[test]
    fn time_left_assumes_the_same_speed() {
        assert_eq!(left(Duration::from_secs(10), 0.25), "30 s left");
        assert_eq!(left(Duration::from_secs(10), 0.0), "? left");
        assert_eq!(left(Duration::from_secs(10), 1.0), "0 s left");
    }
}

#[cfg(test)]
mod progress_tests {
    use super::*;

    #[test]
    fn the_status_says_what_the_count_is_doing() {
        let status = |phase, nodes| status(phase, nodes, Duration::from_secs(2));
        let merging = Phase::Merging { ply: 7, positions: 1_234_567 };
        assert_eq!(status(merging, 0), "merging ply 7: 1,234,567 positions");
        assert_eq!(status(Phase::Checking { ply: 7 }, 8902), "checking ply 7: 8,902 nodes");
        assert_eq!(status(Phase::Counting, 0), "counting");
        assert_eq!(status(Phase::Counting, 4_000_000), "4,000,000 nodes, 2.00 Mnps");
    }
}

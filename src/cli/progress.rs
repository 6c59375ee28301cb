//! Shows how far a count has come: as a bar on a terminal, elsewhere as lines of text if they are asked for.

use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use perft_core::Progress;

use super::context::{Context, When};
use super::terminal::progress_bar;
use crate::report::{grouped, mega_per_second};

/// A count that ends sooner than this shows no progress.
const DELAY: Duration = Duration::from_millis(400);

/// Time between two updates of the bar.
const BAR_INTERVAL: Duration = Duration::from_millis(100);

/// Time between two lines of text.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

/// Steps of the bar: ten thousandths of the work.
const STEPS: u64 = 10_000;

/// Runs `work` and shows its progress under `label` in the meantime.
pub fn watch<R>(context: &Context, label: &str, progress: &Progress, work: impl FnOnce() -> R) -> R {
    let show: fn(&Context, &str, &Progress, &Receiver<()>) = match display(context) {
        Display::Nothing => return work(),
        Display::Lines => show_lines,
        Display::Bar => show_bar,
    };
    std::thread::scope(|scope| {
        let (done, is_done) = channel();
        let watcher = scope.spawn(move || show(context, label, progress, &is_done));
        let result = work();
        drop(done);
        watcher.join().expect("showing progress does not panic");
        result
    })
}

/// How progress is shown.
enum Display {
    Bar,
    Lines,
    Nothing,
}

/// Returns how to show progress, from the flags and from whether standard error is a terminal.
fn display(context: &Context) -> Display {
    let is_terminal = std::io::stderr().is_terminal();
    match context.global.progress {
        _ if context.global.hides_progress() => Display::Nothing,
        _ if is_terminal => Display::Bar,
        When::Always => Display::Lines,
        When::Auto | When::Never => Display::Nothing,
    }
}

/// Waits until the work is done, at most for `time`. Returns whether it is done.
fn done_within(is_done: &Receiver<()>, time: Duration) -> bool {
    is_done.recv_timeout(time) == Err(RecvTimeoutError::Disconnected)
}

fn show_bar(context: &Context, label: &str, progress: &Progress, is_done: &Receiver<()>) {
    let start = Instant::now();
    if done_within(is_done, DELAY) {
        return;
    }
    let bar = progress_bar(context, "{prefix} {wide_bar:.cyan/dim} {percent:>3}%  {msg}", Some(STEPS));
    bar.set_prefix(label.to_owned());
    loop {
        bar.set_position((progress.fraction() * STEPS as f64) as u64);
        bar.set_message(status(progress, start.elapsed()));
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
        anstream::eprintln!("{label} {percent:5.1}%  {}", status(progress, start.elapsed()));
    }
}

/// Returns the nodes so far, nodes per second and the time left, as text.
fn status(progress: &Progress, elapsed: Duration) -> String {
    let nodes = u128::from(progress.nodes());
    let rate = mega_per_second(nodes, elapsed.as_secs_f64());
    let left = match time_left(elapsed, progress.fraction()) {
        Some(left) => format_duration(left),
        None => "?".to_owned(),
    };
    format!("{} nodes, {rate}, {left} left", grouped(nodes))
}

/// Returns the time that the rest takes at the speed so far; `None` if nothing is done yet.
fn time_left(elapsed: Duration, fraction: f64) -> Option<Duration> {
    let seconds = elapsed.as_secs_f64() * (1.0 - fraction) / fraction;
    Duration::try_from_secs_f64(seconds.max(0.0)).ok()
}

/// Returns a time in its two largest units: `42 s`, `3 min 5 s`, `7 h 12 min`, `3 d 4 h`, or in years.
pub fn format_duration(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{minutes} min {} s", seconds % 60),
        3_600..86_400 => format!("{hours} h {} min", minutes % 60),
        86_400..31_557_600 => format!("{days} d {} h", hours % 24),
        _ => format!("{} years", grouped(u128::from(seconds / 31_557_600))),
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
        assert_eq!(text(31_557_600 * 1234), "1,234 years");
    }

    #[test]
    fn time_left_assumes_the_same_speed() {
        assert_eq!(time_left(Duration::from_secs(10), 0.25), Some(Duration::from_secs(30)));
        assert_eq!(time_left(Duration::from_secs(10), 0.0), None);
        assert_eq!(time_left(Duration::from_secs(10), 1.0), Some(Duration::ZERO));
    }
}

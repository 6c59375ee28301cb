//! Showing how far a count has come: a bar on a terminal, lines elsewhere if they are asked for.

use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::report::{grouped, mega_per_second};
use indicatif::{ProgressBar, ProgressStyle};
use perft_core::Progress;

use super::context::{Context, When};
use super::terminal::draw_target;

/// A count that ends sooner shows nothing.
const DELAY: Duration = Duration::from_millis(400);

/// How often a bar is drawn.
const BAR_INTERVAL: Duration = Duration::from_millis(100);

/// How often a line is written.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

/// The bar's own unit: ten thousandths of the work.
const STEPS: u64 = 10_000;

/// Does the work and meanwhile shows its progress, under a label.
pub fn watch<R>(context: &Context, label: &str, progress: &Progress, work: impl FnOnce() -> R) -> R {
    let show: fn(&str, &Progress, &Receiver<()>) = match shown(context) {
        When::Never => return work(),
        When::Always => lines,
        When::Auto => bar,
    };
    std::thread::scope(|scope| {
        let (done, is_done) = channel();
        let watcher = scope.spawn(move || show(label, progress, &is_done));
        let result = work();
        drop(done);
        watcher.join().expect("drawing does not fail");
        result
    })
}

/// A bar (`Auto`), lines (`Always`) or nothing, as the flags and the terminal have it.
fn shown(context: &Context) -> When {
    let on_terminal = std::io::stderr().is_terminal();
    match context.global.progress {
        _ if context.global.quiet => When::Never,
        When::Never => When::Never,
        When::Auto if !on_terminal => When::Never,
        When::Always if !on_terminal => When::Always,
        When::Auto | When::Always => When::Auto,
    }
}

/// True once the work is done; false after some time without.
fn done_within(is_done: &Receiver<()>, time: Duration) -> bool {
    is_done.recv_timeout(time) == Err(RecvTimeoutError::Disconnected)
}

fn bar(label: &str, progress: &Progress, is_done: &Receiver<()>) {
    let start = Instant::now();
    if done_within(is_done, DELAY) {
        return;
    }
    let style = ProgressStyle::with_template("{prefix} {wide_bar:.cyan/dim} {percent:>3}%  {msg}")
        .expect("the template is right");
    let bar = ProgressBar::with_draw_target(Some(STEPS), draw_target()).with_style(style);
    bar.set_prefix(label.to_owned());
    loop {
        bar.set_position((progress.fraction() * STEPS as f64) as u64);
        bar.set_message(state(progress, start.elapsed()));
        if done_within(is_done, BAR_INTERVAL) {
            break;
        }
    }
    bar.finish_and_clear();
}

fn lines(label: &str, progress: &Progress, is_done: &Receiver<()>) {
    let start = Instant::now();
    while !done_within(is_done, LINE_INTERVAL) {
        let percent = progress.fraction() * 100.0;
        anstream::eprintln!("{label} {percent:5.1}%  {}", state(progress, start.elapsed()));
    }
}

/// Nodes, nodes a second, time left.
fn state(progress: &Progress, elapsed: Duration) -> String {
    let nodes = u128::from(progress.nodes());
    let rate = mega_per_second(nodes, elapsed.as_secs_f64());
    let left = match time_left(elapsed, progress.fraction()) {
        Some(left) => duration(left),
        None => "?".to_owned(),
    };
    format!("{} nodes, {rate}, {left} left", grouped(nodes))
}

fn time_left(elapsed: Duration, fraction: f64) -> Option<Duration> {
    let seconds = elapsed.as_secs_f64() * (1.0 - fraction) / fraction;
    Duration::try_from_secs_f64(seconds.max(0.0)).ok()
}

/// A time in its two greatest units: `42 s`, `3 min 5 s`, `7 h 12 min`, `3 d 4 h`, or in years.
pub fn duration(time: Duration) -> String {
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
    fn durations() {
        let text = |seconds| duration(Duration::from_secs(seconds));
        assert_eq!(text(59), "59 s");
        assert_eq!(text(185), "3 min 5 s");
        assert_eq!(text(26_000), "7 h 13 min");
        assert_eq!(text(300_000), "3 d 11 h");
        assert_eq!(text(31_557_600 * 1234), "1,234 years");
    }

    #[test]
    fn time_left_is_what_the_rest_takes_at_this_pace() {
        assert_eq!(time_left(Duration::from_secs(10), 0.25), Some(Duration::from_secs(30)));
        assert_eq!(time_left(Duration::from_secs(10), 0.0), None);
        assert_eq!(time_left(Duration::from_secs(10), 1.0), Some(Duration::ZERO));
    }
}

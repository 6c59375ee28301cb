//! Shows how far a count has come: as a bar on a terminal, elsewhere as lines of text if they are asked for.

use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use perft_core::Progress;

use super::context::{Context, When};
use super::terminal::{left, progress_bar};
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
    let bar = progress_bar(context, "{percent:>3}%  {msg}", STEPS).with_elapsed(start.elapsed());
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
        let left = left(start.elapsed(), progress.fraction());
        anstream::eprintln!("{label} {percent:5.1}%  {}  {left}", status(progress, start.elapsed()));
    }
}

/// Returns the nodes so far and nodes per second, as text.
fn status(progress: &Progress, elapsed: Duration) -> String {
    let nodes = u128::from(progress.nodes());
    format!("{} nodes, {}", grouped(nodes), mega_per_second(nodes, elapsed.as_secs_f64()))
}

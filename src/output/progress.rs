//! Shows the progress of a count: as a bar on a terminal, and elsewhere as lines of text if they are asked for.

use crate::output::error::say;
use crate::output::number_of;
use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

use perft_count::{Phase, Progress};

use super::context::{Context, When};
use super::mega_per_second;
use super::terminal::{left, still_bar};

/// The time before progress is shown. A shorter count shows no progress.
const DELAY: Duration = Duration::from_millis(400);

/// The time between two updates of the bar.
const BAR_INTERVAL: Duration = Duration::from_millis(100);

/// The time between two lines of text.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

/// The number of steps of the bar: ten thousandths of the work.
const STEPS: u64 = 10_000;

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

/// Waits until the work is done, at most for `time`. Returns whether it is done.
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
        say(format_args!("{label} {percent:5.1}%  {}  {left}", status(progress, start.elapsed())));
    }
}

/// Returns the state of the count as text: the nodes so far and nodes per second, or the positions that are merged.
fn status(progress: &Progress, elapsed: Duration) -> String {
    status_of(progress.phase(), progress.nodes().into(), elapsed)
}

fn status_of(phase: Phase, nodes: u128, elapsed: Duration) -> String {
    match phase {
        Phase::Merging { ply, positions } => {
            format!("merging ply {ply}: {}", number_of(positions, "position"))
        }
        Phase::Checking { ply } => format!("checking ply {ply}: {}", number_of(nodes, "node")),
        Phase::Counting if nodes == 0 => "counting".to_owned(),
        Phase::Counting => {
            format!("{}, {}", number_of(nodes, "node"), mega_per_second(nodes, elapsed.as_secs_f64()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_says_what_the_count_is_doing() {
        let status = |phase, nodes| status_of(phase, nodes, Duration::from_secs(2));
        let merging = Phase::Merging { ply: 7, positions: 1_234_567 };
        assert_eq!(status(merging, 0), "merging ply 7: 1,234,567 positions");
        assert_eq!(status(Phase::Checking { ply: 7 }, 8902), "checking ply 7: 8,902 nodes");
        assert_eq!(status(Phase::Counting, 0), "counting");
        assert_eq!(status(Phase::Counting, 4_000_000), "4,000,000 nodes, 2.00 Mnps");
    }
}

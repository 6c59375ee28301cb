//! The counts that are timed, and the progress bar of the runs.

use indicatif::ProgressBar;
use perft_core::suite::{Case, KnownCount, builtin};
use perft_count::{Perft, Progress};
use perft_diagnosis::source::SourceError;

use crate::input::game::path;
use crate::input::{Word, read_suites};
use crate::output::terminal::{STEPS, still_bar};
use crate::output::{CliError, Context, mega};
use crate::timing::{Step, Task, TimedSource, calibrate};

/// The positions that are timed by default: those whose counts are published most often.
const PUBLISHED: [&str; 6] = ["start", "kiwipete", "endgame", "mirrored", "talkchess", "alternative"];

/// If no depth is given, a FEN is counted at growing depths until a count is above `ENOUGH`, but not beyond `DEEPEST`.
const ENOUGH: u128 = 10_000_000;
const DEEPEST: u32 = 30;

/// Returns the cases that these names of positions, FENs, suites and files select; without names, [`PUBLISHED`]. A FEN
/// that no built-in suite has is counted by this program, at this depth or at several.
///
/// A position that occurs several times is returned once.
pub fn cases(names: &[String], depth: Option<u32>, context: &Context) -> Result<Vec<Case>, CliError> {
    let names: Vec<&str> = match names {
        [] => PUBLISHED.to_vec(),
        names => names.iter().map(String::as_str).collect(),
    };
    let mut cases: Vec<Case> = Vec::new();
    for name in names {
        let found = match (Word::of_ours(name), builtin::position(name)) {
            (Some(Word::Fen), _) => vec![case_of_fen(name, depth, context)?],
            (_, Some(case)) if case.expected.is_empty() => vec![case_of_fen(&case.fen, depth, context)?],
            _ => read_suites(&[name.to_owned()], context)?.swap_remove(0).cases,
        };
        for case in found {
            if cases.iter().all(|other| other.position != case.position) {
                cases.push(case);
            }
        }
    }
    Ok(cases)
}

fn case_of_fen(fen: &str, depth: Option<u32>, context: &Context) -> Result<Case, CliError> {
    let position = path(fen, &[], context)?.end;
    let known = builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases);
    let mut known = known.filter(|case| case.position == position);
    if let Some(case) = known.find(|case| depth.is_none_or(|depth| count_at(case, depth).is_some())) {
        return Ok(case.clone());
    }
    let perft = Perft::new();
    let mut expected = Vec::new();
    for depth in depth.map_or(1..=DEEPEST, |depth| depth..=depth) {
        let nodes = perft.count_with_progress(&position, depth, &Progress::new(context.stop.clone()))?;
        expected.push(KnownCount { depth, nodes });
        if nodes == 0 || nodes > ENOUGH {
            break;
        }
    }
    let text = position.to_string();
    Ok(Case { id: None, comment: None, fen: text, position, expected, line: 1 })
}

fn count_at(case: &Case, depth: u32) -> Option<KnownCount> {
    case.expected.iter().copied().find(|expected| expected.depth == depth)
}

/// Returns one task per case.
///
/// The depth is the one that `depth` returns for the case. If it returns `None`, the depth is the one at which the
/// slowest source counts for about 0.2 seconds. While that depth is chosen, a progress bar is shown.
///
/// # Errors
/// The count at a depth is not known, or the user interrupted.
pub fn tasks(
    cases: &[Case],
    depth: impl Fn(&Case) -> Option<u32>,
    sources: &mut [TimedSource],
    context: &Context,
) -> Result<Vec<Task>, CliError> {
    let bar = run_bar(context);
    let task = |case: &Case| {
        let expected = match depth(case) {
            Some(depth) => known_count(case, depth)?,
            None => {
                bar.set_message(format!("choosing a depth: {}", case.name()));
                bar.tick();
                calibrated_count(case, sources)?
            }
        };
        Ok(Task::new(case, expected))
    };
    cases.iter().map(task).collect()
}

fn known_count(case: &Case, depth: u32) -> Result<KnownCount, CliError> {
    count_at(case, depth).ok_or_else(|| {
        let depths: Vec<String> = case.expected.iter().map(|expected| expected.depth.to_string()).collect();
        let name = case.name();
        CliError::usage(format!(
            "the count of '{name}' at depth {depth} is not known, so it cannot be checked"
        ))
        .help(format!("its counts are known at depths {}", depths.join(", ")))
    })
}

/// Returns the known count whose depth suits the slowest source; the shallowest if all sources fail. Failures are shown
/// in the report.
fn calibrated_count(case: &Case, sources: &mut [TimedSource]) -> Result<KnownCount, CliError> {
    let mut shallowest: Option<KnownCount> = None;
    for source in sources {
        match calibrate(case, source) {
            Err(SourceError::Interrupted) => {
                return Err(CliError::Interrupted("nothing has been timed yet".to_owned()));
            }
            found => {
                let suitable = shallowest.into_iter().chain(found.ok().flatten());
                shallowest = suitable.min_by_key(|expected| expected.depth);
            }
        }
    }
    shallowest
        .or(case.expected.first().copied())
        .ok_or_else(|| CliError::usage(format!("no count of '{}' is known", case.name())))
}

/// Returns a progress bar that shows the current run and the speed so far. It is drawn between runs, never during a run,
/// and erased at the end. It is invisible if progress is not wanted.
///
/// From now on, the command gets time to report its figures after a signal.
pub fn run_bar(context: &Context) -> ProgressBar {
    context.reporting.raise();
    still_bar(context, "bench", "{percent:>3}%  {wide_msg}", STEPS)
}

pub fn show_step(bar: &ProgressBar, step: Step) {
    bar.set_position((STEPS as f64 * step.done) as u64);
    bar.set_message(step_text(step));
    bar.tick();
}

/// Returns the current run and the speed so far: `round 3: kiwipete, magic: 123.4 Mnps`.
fn step_text(step: Step) -> String {
    let round = if step.round == 0 { "warm-up".to_owned() } else { format!("round {}", step.round) };
    let speed = step.nodes_per_second.map_or_else(String::new, |speed| format!(": {} Mnps", mega(speed)));
    format!("{round}: {}, {}{speed}", step.task, step.source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_has_the_speed_so_far() {
        let step =
            Step { round: 3, task: "kiwipete", source: "magic", nodes_per_second: Some(123.44e6), done: 0.0 };
        assert_eq!(step_text(step), "round 3: kiwipete, magic: 123.4 Mnps");
        assert_eq!(step_text(Step { round: 0, nodes_per_second: None, ..step }), "warm-up: kiwipete, magic");
    }
}

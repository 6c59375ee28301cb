//! Chooses the positions that are timed, and their depths.

use perft_core::StopSignal;
use perft_core::suite::{Case, KnownCount};
use perft_diagnosis::source::SourceError;
use serde::Serialize;

use super::runs::RunBar;
use crate::input::suite_reader::read_suite;
use crate::output::PositionInfo;
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::timing::{Task, TimedSource, calibrate};

/// A count to be timed: a position and a depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskInfo {
    /// The position.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
}

impl TaskInfo {
    pub fn new(task: &Task) -> TaskInfo {
        TaskInfo { position: PositionInfo::named(&task.name, &task.position), depth: task.expected.depth }
    }

    /// Returns the position and the depth: `kiwipete 5`.
    pub fn name(&self) -> String {
        format!("{} {}", self.position.label(), self.depth)
    }
}

/// The positions that are timed by default: those whose counts are published most often.
const PUBLISHED: [&str; 6] = ["start", "kiwipete", "endgame", "mirrored", "talkchess", "alternative"];

/// Returns the cases that these names of positions, suites and files select; without names, [`PUBLISHED`].
///
/// A position that occurs several times is returned once.
pub fn cases(names: &[String], stop: &StopSignal) -> Result<Vec<Case>, CliError> {
    let names: Vec<&str> = match names {
        [] => PUBLISHED.to_vec(),
        names => names.iter().map(String::as_str).collect(),
    };
    let mut cases: Vec<Case> = Vec::new();
    for name in names {
        for case in read_suite(name, stop)?.cases {
            if cases.iter().all(|other| other.position != case.position) {
                cases.push(case);
            }
        }
    }
    Ok(cases)
}

/// Returns one task per case.
///
/// The depth is the one that `depth` returns for the case. If it returns `None`, the depth is the one at which the
/// slowest source counts for about half a second. While that depth is chosen, a progress bar is shown.
///
/// # Errors
/// The count at a depth is not known, or the user interrupted.
pub fn tasks(
    cases: &[Case],
    depth: impl Fn(&Case) -> Option<u32>,
    sources: &mut [TimedSource],
    context: &Context,
) -> Result<Vec<Task>, CliError> {
    let bar = RunBar::new(context);
    let mut tasks = Vec::new();
    for case in cases {
        let expected = match depth(case) {
            Some(depth) => known_count(case, depth)?,
            None => {
                bar.show(format!("choosing a depth: {}", case.name()));
                calibrated_count(case, sources)?
            }
        };
        tasks.push(Task::new(case, expected));
    }
    Ok(tasks)
}

fn known_count(case: &Case, depth: u32) -> Result<KnownCount, CliError> {
    let found = case.expected.iter().find(|expected| expected.depth == depth);
    found.copied().ok_or_else(|| {
        let depths: Vec<String> = case.expected.iter().map(|expected| expected.depth.to_string()).collect();
        CliError::usage(format!(
            "the count of '{}' at depth {depth} is not known, so it cannot be checked",
            case.name()
        ))
        .help(format!("its counts are known at depths {}", depths.join(", ")))
    })
}

/// Returns the known count whose depth suits the slowest source; the shallowest if all sources fail. Failures are shown
/// in the report.
fn calibrated_count(case: &Case, sources: &mut [TimedSource]) -> Result<KnownCount, CliError> {
    let mut suitable = Vec::new();
    for source in sources {
        match calibrate(case, source) {
            Err(SourceError::Interrupted) => {
                return Err(CliError::Interrupted("nothing has been timed yet".to_owned()));
            }
            found => suitable.extend(found.ok().flatten()),
        }
    }
    let shallowest = suitable.into_iter().min_by_key(|expected| expected.depth);
    shallowest
        .or(case.expected.first().copied())
        .ok_or_else(|| CliError::usage(format!("no count of '{}' is known", case.name())))
}

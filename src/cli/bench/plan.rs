//! What is counted, and by whom.

use std::path::Path;
use std::time::Duration;

use crate::bench::{OwnSubject, ProgramSubject, Subject, SubjectError, SystemClock, Task, calibrate};
use crate::engine::{Output, output};
use crate::report::baseline::{Baseline, Head, THIS_PROGRAM};
use perft_core::suite::{Case, Expected, builtin};
use perft_diagnosis::source::EngineError;

use super::super::args::Counting;
use super::super::context::Context;
use super::super::error::{CliError, ENGINE_FAILED};
use super::super::input;
use super::args::BenchArgs;
use super::spinner;

/// How long another build may take to say how it counts.
const PROBE_LIMIT: Duration = Duration::from_secs(60);

/// The cases of these names, suites and files; the named positions without any.
pub fn cases(names: &[String]) -> Result<Vec<Case>, CliError> {
    if names.is_empty() {
        return Ok(builtin::named().to_vec());
    }
    let mut cases: Vec<Case> = Vec::new();
    for name in names {
        let is_new = |case: &Case, cases: &[Case]| cases.iter().all(|other| other.position != case.position);
        for case in cases_of(name)? {
            if is_new(&case, &cases) {
                cases.push(case);
            }
        }
    }
    Ok(cases)
}

fn cases_of(name: &str) -> Result<Vec<Case>, CliError> {
    if let Some(case) = builtin::position(name) {
        return Ok(vec![case.clone()]);
    }
    let is_known = name == "-" || builtin::suite(name).is_some() || Path::new(name).exists();
    if !is_known && input::looks_like_a_name(name) {
        return Err(input::unknown_name(name, &["the name of a position", "a suite", "a file"]));
    }
    Ok(input::read_suite(name)?.cases)
}

/// What to count of each case: to the depth that was asked for, or that the baseline has, or that takes a sensible time.
pub fn tasks(
    cases: &[Case],
    depth: Option<u32>,
    baseline: Option<&Baseline>,
    subject: &mut dyn Subject,
    context: &Context,
) -> Result<Vec<Task>, CliError> {
    let line = spinner(context);
    let mut tasks = Vec::new();
    for case in cases {
        let wanted = depth.or_else(|| baseline?.depth(&case.position.to_string()));
        let expected = match wanted {
            Some(depth) => known(case, depth)?,
            None => {
                line.set_message(format!("looking for a depth: {}", case.name()));
                line.tick();
                let found = calibrate(case, subject).map_err(|error| not_calibrated(case, error))?;
                found.ok_or_else(|| CliError::usage(format!("no count of '{}' is known", case.name())))?
            }
        };
        tasks.push(Task::new(case, expected));
    }
    line.finish_and_clear();
    let is_in_both = |task: &Task, baseline: &Baseline| {
        baseline.find(&task.position.to_string(), task.expected.depth).is_some()
    };
    match baseline {
        Some(baseline) if !tasks.iter().any(|task| is_in_both(task, baseline)) => {
            Err(CliError::usage("the baseline has none of these positions at these depths")
                .help("ask for the positions that it has, and leave out --depth"))
        }
        _ => Ok(tasks),
    }
}

/// The known count of a case at a depth.
pub fn known(case: &Case, depth: u32) -> Result<Expected, CliError> {
    let found = case.expected.iter().find(|expected| expected.depth == depth);
    found.copied().ok_or_else(|| {
        let depths: Vec<String> = case.expected.iter().map(|expected| expected.depth.to_string()).collect();
        CliError::usage(format!(
            "the count of '{}' at depth {depth} is not known, so it cannot be checked",
            case.name()
        ))
        .help(format!("known are depths {}", depths.join(", ")))
    })
}

fn not_calibrated(case: &Case, error: SubjectError) -> CliError {
    match error {
        SubjectError::Interrupted => CliError::Interrupted("nothing was timed yet".to_owned()),
        SubjectError::Failed(reason) => failed(format!("{} is not counted: {reason}", case.name())),
    }
}

fn failed(message: String) -> CliError {
    CliError::Ended {
        message,
        help: "another build of perft can be compared: it is asked with --single and --format".to_owned(),
        code: ENGINE_FAILED,
    }
}

/// Who counts.
pub enum Contest<'a> {
    /// This program, within this process.
    Own(Box<OwnSubject<&'a SystemClock>>),
    /// This program and another, each a process a run.
    Pair(ProgramSubject, ProgramSubject),
}

impl<'a> Contest<'a> {
    /// Sets it up as it was asked for.
    pub fn new(
        args: &BenchArgs,
        counting: Counting,
        clock: &'a SystemClock,
        context: &Context,
    ) -> Result<Contest<'a>, CliError> {
        args.comparison.refuse_a_bound_alone()?;
        let stop = context.stop.clone();
        let Some(other) = &args.comparison.against else {
            let subject = OwnSubject::new(counting.perft, clock, stop);
            let seed = args.counting.seed.unwrap_or(0);
            return Ok(Contest::Own(Box::new(match counting.head.table_bytes {
                0 => subject,
                bytes => subject.with_table(bytes, seed),
            })));
        };
        let this = std::env::current_exe()
            .map_err(|error| CliError::usage(format!("this program does not find itself: {error}")))?;
        let flags = args.counting.flags();
        let head = probe(other, &flags, context)?;
        let differences = head.differences(&counting.head);
        args.comparison.refuse_differences(&format!("the count of '{other}'"), &differences, context)?;
        Ok(Contest::Pair(
            ProgramSubject::new(THIS_PROGRAM, &this.to_string_lossy(), &flags, stop.clone()),
            ProgramSubject::new(other, other, &flags, stop),
        ))
    }

    /// The one that is judged.
    pub fn first(&mut self) -> &mut dyn Subject {
        match self {
            Contest::Own(subject) => subject.as_mut(),
            Contest::Pair(subject, _) => subject,
        }
    }

    /// All of them.
    pub fn subjects(&mut self) -> Vec<&mut dyn Subject> {
        match self {
            Contest::Own(subject) => vec![subject.as_mut()],
            Contest::Pair(this, other) => vec![this, other],
        }
    }

    /// What each is called, if there are several, and the command that counts once as it does.
    pub fn commands(&self, args: &BenchArgs) -> Vec<(Option<String>, String)> {
        let flags = args.counting.flags().join(" ");
        match self {
            Contest::Own(_) => vec![(None, format!("perft {flags}"))],
            Contest::Pair(this, other) => vec![
                (Some(this.name().to_owned()), format!("perft {flags}")),
                (Some(other.name().to_owned()), format!("{} {flags}", other.name())),
            ],
        }
    }
}

/// How another build would count.
fn probe(program: &str, flags: &[String], context: &Context) -> Result<Head, CliError> {
    let command = [program, "--depth", "1", "--single", "--format", "json", "--quiet"].map(str::to_owned);
    let command: Vec<String> = command.into_iter().chain(flags.iter().cloned()).collect();
    let Output { text, .. } = output(&command, PROBE_LIMIT, &context.stop).map_err(|error| match error {
        EngineError::Interrupted => error.into(),
        EngineError::NotStarted(..) => {
            CliError::usage(error).help("a program on the PATH, or a path: --against ../old/perft")
        }
        _ => failed(format!("'{program}' does not count: {error}")),
    })?;
    Head::read(&text).map_err(|error| failed(format!("'{program}' does not say how it counts: {error}")))
}

//! Checks blocks of several suites together. Shows the progress, and problems as soon as they are found.

use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::ProgressBar;
use perft_core::suite::KnownCount;

use super::checked::Checked;
use super::pace::{Pace, Work};
use super::part::{Part, Round};
use super::report::{Check, SuiteReport};
use super::text::{SHOWN, write_problem};
use crate::output::Format;
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::printer::Printer;
use crate::output::terminal::progress_bar;

/// The time that a built-in generator needs for a count in addition to counting its nodes. It is given as the number of
/// leaf nodes that are counted in the same time.
const NODES_PER_COUNT: f64 = 100_000.0;

impl Round {
    /// Checks all parts and returns a report of each. Shows the progress and, as text, each problem when it is found.
    /// `shown` is the number of problems of each suite in its earlier rounds. If there are many, not all are shown.
    pub fn check(
        &self,
        checked: &mut Checked,
        format: Format,
        shown: Vec<usize>,
        context: &Context,
        out: &mut (impl Write + Send),
    ) -> Result<Vec<SuiteReport>, CliError> {
        let bar = progress_bar(context, self.label(), "{percent:>3}%  {msg}", 1);
        let checks = self.parts.iter().map(|_| Vec::new()).collect();
        let mut progress = RoundProgress { shown, checks, ..RoundProgress::default() };
        for known in self.parts.iter().flat_map(|part| self.known_counts(part)) {
            progress.counts += 1;
            progress.all.add(known);
        }
        let live = Live {
            round: self,
            bar: bar.clone(),
            printer: (format == Format::Text).then(|| Printer::new(bar.clone(), &context.stop, out)),
            progress: Mutex::new(progress),
        };
        checked.check(self, &context.stop, |suite, check, elapsed| live.add(suite, check, elapsed));
        bar.finish_and_clear();
        live.printer.map_or(Ok(()), Printer::finish)?;
        let progress = live.progress.into_inner().unwrap_or_else(PoisonError::into_inner);
        let all = self.parts.iter().zip(progress.checks);
        Ok(all.map(|(part, checks)| self.report(part, checks)).collect())
    }

    /// Returns the name of the suite, if there is only one.
    fn label(&self) -> &str {
        match self.parts.as_slice() {
            [part] => &part.suite.name,
            _ => "suite",
        }
    }

    /// Returns the known counts of a part within the limits.
    fn known_counts<'p>(&'p self, part: &'p Part) -> impl Iterator<Item = &'p KnownCount> {
        let all = part.suite.cases.iter().flat_map(|case| &case.expected);
        all.filter(|known| self.limits.allows(known))
    }

    fn report(&self, part: &Part, checks: Vec<Check>) -> SuiteReport {
        let failed = checks.iter().filter(|check| self.skips_deeper && !check.is_right());
        let not_asked = failed.map(|check| check.deeper(&self.limits).count()).sum();
        let mut report = SuiteReport::new(&part.suite, &self.limits, checks);
        report.not_asked = not_asked;
        report.left_out_chess960 = part.left_out_chess960;
        report.left_out_impossible = part.left_out_impossible;
        let is_complete = report.checked + not_asked == self.known_counts(part).count();
        if is_complete { report } else { report.interrupted() }
    }
}

/// A round that is being checked: its settings, its output and its results so far.
struct Live<'r, W> {
    round: &'r Round,
    bar: ProgressBar,
    /// The printer of problems; `None` if problems are not printed.
    printer: Option<Printer<'r, W>>,
    progress: Mutex<RoundProgress<'r>>,
}

/// The results so far.
#[derive(Default)]
struct RoundProgress<'r> {
    /// The number of all counts.
    counts: usize,
    /// The work of all counts, without those that are left out after a problem.
    all: Work,
    /// The work that is done.
    done: Work,
    /// The speed of the engine's answers; `None` without an engine.
    pace: Option<Pace>,
    /// The checks of each suite.
    checks: Vec<Vec<Check<'r>>>,
    /// The number of wrong and missing counts.
    problems: usize,
    /// The number of problems of each suite, also those of its earlier rounds.
    shown: Vec<usize>,
}

impl<'r, W: Write> Live<'r, W> {
    /// Adds a count.
    fn add(&self, suite: usize, check: Check<'r>, elapsed: Option<Duration>) {
        if !check.is_right() && self.is_shown(suite) {
            let name = &self.round.parts[suite].suite.name;
            self.printer.iter().for_each(|printer| printer.print(|out| write_problem(name, &check, out)));
        }
        let mut progress = self.progress();
        let expected = check.expected();
        if !check.is_right() {
            progress.problems += 1;
            let deeper = check.deeper(&self.round.limits).filter(|_| self.round.skips_deeper);
            deeper.for_each(|known| progress.all.remove(known));
        }
        progress.done.add(&expected);
        if let Some(elapsed) = elapsed {
            progress.pace.get_or_insert_default().add(&expected, elapsed);
        }
        progress.checks[suite].push(check);
        progress.show(&self.bar);
    }

    /// Whether a problem of a suite is shown. Only the first problems are.
    fn is_shown(&self, suite: usize) -> bool {
        let shown = &mut self.progress().shown[suite];
        *shown += 1;
        *shown <= SHOWN
    }

    fn progress(&self) -> MutexGuard<'_, RoundProgress<'r>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RoundProgress<'_> {
    /// Moves the bar to the fraction that is done. While the fraction is not known, the bar stays at 0 %.
    fn show(&self, bar: &ProgressBar) {
        let known = self.pace.map_or(Some(NODES_PER_COUNT), |pace| pace.nodes_per_question());
        bar.set_length(self.all.in_nodes(known.unwrap_or(NODES_PER_COUNT)));
        bar.set_position(known.map_or(0, |nodes_per_question| self.done.in_nodes(nodes_per_question)));
        let checked: usize = self.checks.iter().map(Vec::len).sum();
        bar.set_message(match self.problems {
            0 => format!("{checked} of {} counts", self.counts),
            problems => format!("{checked} of {} counts, {problems} wrong", self.counts),
        });
    }
}

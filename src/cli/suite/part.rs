//! A part of a suite while it is checked: progress, and problems as soon as they are found.

use std::borrow::Cow;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;
use perft_core::CastlingNotation;
use perft_core::suite::{Case, KnownCount, Limits, Suite};
use perft_diagnosis::source::Abilities;

use super::Format;
use super::checked::Checked;
use super::text::{SHOWN, write_problem};
use crate::cli::context::Context;
use crate::cli::error::CliError;
use crate::cli::printer::Printer;
use crate::cli::terminal::progress_bar;
use crate::report::suite::{Check, SuiteReport};

/// The work of a question beside the counting, in nodes, to tell how far a suite of small counts has come.
const NODES_PER_QUESTION: u64 = 100_000;

/// The part of a block of a suite that is checked.
pub struct Part<'a> {
    suite: Cow<'a, Suite>,
    limits: Limits,
    /// The number of Chess960 positions that are left out.
    not_chess960: usize,
}

impl<'a> Part<'a> {
    /// Returns a whole block.
    pub fn whole(suite: &'a Suite, limits: &Limits) -> Part<'a> {
        Part { suite: Cow::Borrowed(suite), limits: *limits, not_chess960: 0 }
    }

    /// Returns the part that an engine with these abilities can be asked.
    pub fn within(abilities: &Abilities, suite: &'a Suite, limits: &Limits) -> Part<'a> {
        let max_depth = limits.max_depth.min(abilities.max_depth.unwrap_or(u32::MAX));
        let limits = Limits { max_depth, ..*limits };
        let mut suite = Cow::Borrowed(suite);
        let positions = suite.cases.len();
        if !abilities.is_chess960 {
            let is_standard = |case: &Case| case.position.castling_notation() == CastlingNotation::Standard;
            suite.to_mut().cases.retain(is_standard);
        }
        let not_chess960 = positions - suite.cases.len();
        Part { suite, limits, not_chess960 }
    }

    /// Checks the part. Shows the progress and, as text, each problem when it is found, unless `shown` have been shown.
    pub fn check(
        &self,
        checked: &mut Checked,
        format: Format,
        shown: &AtomicUsize,
        context: &Context,
        out: &mut (impl Write + Send),
    ) -> Result<SuiteReport, CliError> {
        let known: Vec<&KnownCount> = self.known_counts().collect();
        let work = known.iter().map(|known| work(known)).fold(0, u64::saturating_add);
        let bar = progress_bar(context, &self.suite.name, "{percent:>3}%  {msg}", work);
        let live = Live {
            part: self,
            skips_deeper: checked.skips_deeper(),
            counts: known.len(),
            bar: bar.clone(),
            printer: Printer::new(bar.clone(), &context.stop, out),
            shown: (format == Format::Text).then_some(shown),
            checks: Mutex::default(),
            problems: AtomicUsize::new(0),
        };
        let not_asked = checked.check(&self.suite, &self.limits, &context.stop, |check| live.add(check));
        bar.finish_and_clear();
        live.printer.finish()?;
        let checks = live.checks.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut report = SuiteReport::new(&self.suite, &self.limits, checks);
        report.not_asked = not_asked;
        report.not_chess960 = self.not_chess960;
        Ok(if report.checked + not_asked == known.len() { report } else { report.interrupted() })
    }

    /// Returns the known counts within the limits.
    fn known_counts(&self) -> impl Iterator<Item = &KnownCount> {
        let all = self.suite.cases.iter().flat_map(|case| &case.expected);
        all.filter(|known| self.limits.allows(known))
    }
}

/// Returns the work of a count, in steps of the progress bar.
fn work(known: &KnownCount) -> u64 {
    u64::try_from(known.nodes).unwrap_or(u64::MAX).saturating_add(NODES_PER_QUESTION)
}

/// What is known while a part is checked.
struct Live<'p, 'a, W> {
    part: &'p Part<'a>,
    /// Whether the counts of a position after a problem are left out.
    skips_deeper: bool,
    /// The number of all counts.
    counts: usize,
    bar: ProgressBar,
    printer: Printer<'p, W>,
    /// The number of problems that have been printed; `None` if none is printed.
    shown: Option<&'p AtomicUsize>,
    checks: Mutex<Vec<Check<'p>>>,
    /// The number of wrong and missing counts.
    problems: AtomicUsize,
}

impl<'p, W: Write> Live<'p, '_, W> {
    /// Adds a count that was made.
    fn add(&self, check: Check<'p>) {
        self.advance(&check);
        if !check.is_right() {
            self.problems.fetch_add(1, Relaxed);
            if self.shown.is_some_and(|shown| shown.fetch_add(1, Relaxed) < SHOWN) {
                self.printer.print(|out| write_problem(&self.part.suite.name, &check, out));
            }
        }
        let mut checks = self.checks.lock().unwrap_or_else(PoisonError::into_inner);
        checks.push(check);
        self.bar.set_message(match self.problems.load(Relaxed) {
            0 => format!("{} of {} counts", checks.len(), self.counts),
            problems => format!("{} of {} counts, {problems} wrong", checks.len(), self.counts),
        });
    }

    /// Moves the bar by a count, and by those that are left out because of it.
    fn advance(&self, check: &Check) {
        let is_left_out = !check.is_right() && self.skips_deeper;
        let deeper = check.deeper(&self.part.limits).filter(|_| is_left_out);
        self.bar.inc(deeper.map(work).fold(work(&check.expected()), u64::saturating_add));
    }
}

#[cfg(test)]
mod tests {
    use perft_core::suite::builtin;

    use super::*;
    use crate::report::suite::ability_notes;

    #[test]
    fn an_engine_is_asked_only_what_it_can_be_asked() {
        let suite = builtin::suite("chess960").unwrap().suite();
        let all = Part::within(&Abilities::default(), suite, &Limits::NONE);
        assert_eq!(
            (all.suite.cases.len(), all.not_chess960, all.limits),
            (suite.cases.len(), 0, Limits::NONE)
        );
        let simple = Abilities { plays_moves: false, is_chess960: false, max_depth: Some(1) };
        let part = Part::within(&simple, suite, &Limits::NONE);
        let is_chess960 = |case: &Case| case.position.castling_notation() == CastlingNotation::Chess960;
        assert!(!part.suite.cases.iter().any(is_chess960));
        assert_eq!(part.limits.max_depth, 1);
        let left_out = suite.cases.iter().filter(|case| is_chess960(case)).count();
        let note = format!(
            "{left_out} Chess960 positions were not asked: the engine does not announce UCI_Chess960"
        );
        assert_eq!(part.not_chess960, left_out);
        assert!(left_out > 100 && ability_notes(&simple, left_out).contains(&note));
    }
}

//! The search that hunting for wrong counts, hunting for wrong states and comparing with a reference share.
//!
//! Several threads take targets one after the other, and each has programs of its own. A [`Check`] examines a target.
//! The [`Search`] keeps the findings, counts how often each was met, and reports a new one at once.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, scope};

use perft_core::StopSignal;

use crate::program::{Asked, Program, StopReason, Tally};
use crate::source::{CountSource, SourceError};

/// The number of threads of a search, and its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// The number of threads, each with sources of its own.
    pub threads: usize,
    /// The maximum number of questions for one target, including all questions that follow from it.
    pub questions: u64,
    /// The maximum number of faults that are examined for one target.
    pub faults: usize,
    /// The number of bugs after which no new target is started.
    pub findings: usize,
    /// The number of positions whose moves a hunt asks for first, beside its targets.
    pub survey: usize,
    /// Whether two sources that are compared play a chess variant. Then the rules of chess do not judge them.
    pub is_variant: bool,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            threads: 1,
            questions: 20_000,
            faults: 24,
            findings: 100,
            survey: 0,
            is_variant: false,
        }
    }
}

/// The result of a search. `F` is the type of its findings, and `S` that of the facts about the source.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct SearchSummary<F, S> {
    /// Whether the search came to its end. Otherwise the stop signal was raised.
    #[cfg_attr(feature = "serde", serde(rename = "complete"))]
    pub is_complete: bool,
    /// The number of targets that were asked about.
    pub positions: usize,
    /// The number of targets with a wrong or missing answer.
    pub faulty: usize,
    /// The number of questions; of a comparison, those to each source.
    pub questions: u64,
    /// The number of targets that were left early because of [`SearchOptions::questions`].
    pub cut_short: usize,
    /// The number of Chess960 targets that were left out, because a source cannot be asked about them.
    pub left_out_chess960: usize,
    /// The names that the sources give themselves.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub names: Vec<Option<String>>,
    /// The facts that are known about the source.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub source: S,
    /// The findings, in the order in which they were met.
    pub findings: Vec<F>,
}

/// A kind of search: how a target is examined, and what a finding is.
pub(crate) trait Check: Sync + Sized {
    type Target;
    type Finding: Clone + Send;
    /// Facts about the source for the summary.
    type Facts: Default + Send;

    /// Begins to ask the programs of a thread. `prepared` says whether they could be started. Returns whether they can be
    /// asked about targets. If a program does not start, the first question says so too.
    fn begin(_: &mut [Program], _prepared: Result<(), SourceError>, _: &Search<Self>) -> bool {
        true
    }

    /// Examines a target and adds what it finds to the search. The first program has the tally. Returns `None` if the target
    /// is of Chess960 and a program cannot be asked about it.
    fn examine(target: Self::Target, programs: &mut [Program], search: &Search<Self>) -> Option<Asked<()>>;

    /// Returns the number of positions that show a finding.
    fn times(finding: &mut Self::Finding) -> &mut u64;

    /// Whether the search can end with these findings.
    fn are_enough(findings: &[Self::Finding], options: &SearchOptions) -> bool {
        findings.len() >= options.findings
    }
}

/// The callback of a search, which gets each new finding, and `None` after each target.
type Report<'a, F> = dyn FnMut(Option<&F>) + Send + 'a;

/// A search that is running.
pub(crate) struct Search<'a, C: Check> {
    pub(crate) check: &'a C,
    pub(crate) options: SearchOptions,
    pub(crate) stop: &'a StopSignal,
    summary: Mutex<SearchSummary<C::Finding, C::Facts>>,
    report: Mutex<&'a mut Report<'a, C::Finding>>,
}

/// Examines targets until there are no more, or enough is found, or the stop signal is raised.
///
/// `target` returns the target with a number, counted from 0, and `None` after the last one. `sources` makes the sources of
/// a thread.
pub(crate) fn search<'a, C: Check>(
    check: &C,
    sources: impl Fn() -> Vec<Box<dyn CountSource + 'a>> + Sync,
    target: impl Fn(usize) -> Option<C::Target> + Sync,
    options: SearchOptions,
    stop: &StopSignal,
    mut report: impl FnMut(Option<&C::Finding>) + Send,
) -> SearchSummary<C::Finding, C::Facts> {
    let next = AtomicUsize::new(0);
    let summary = SearchSummary {
        is_complete: false,
        positions: 0,
        faulty: 0,
        questions: 0,
        cut_short: 0,
        left_out_chess960: 0,
        names: Vec::new(),
        source: C::Facts::default(),
        findings: Vec::new(),
    };
    let search =
        Search { check, options, stop, summary: Mutex::new(summary), report: Mutex::new(&mut report) };
    share_work(options.threads, || {
        let sources = sources().into_iter();
        let mut programs: Vec<Program> = sources.map(|source| Program::new(source, stop.clone())).collect();
        // An engine knows its abilities once it runs.
        let prepared: Vec<_> = programs.iter_mut().map(Program::prepare).collect();
        let can_be_asked = C::begin(&mut programs, prepared.into_iter().collect(), &search);
        search.note_names(&programs);
        let is_over = || stop.is_raised() || C::are_enough(&search.summary().findings, &options);
        while can_be_asked && !is_over() {
            let Some(target) = target(next.fetch_add(1, Relaxed)) else { return };
            programs[0].begin(search.tally());
            let ended = C::examine(target, &mut programs, &search);
            search.count(&programs[0].tally, ended);
            search.note_names(&programs);
            lock(&search.report)(None);
        }
    });
    let summary = search.summary.into_inner().unwrap_or_else(PoisonError::into_inner);
    SearchSummary { is_complete: !stop.is_raised(), ..summary }
}

impl<C: Check> Search<'_, C> {
    pub(crate) fn summary(&self) -> MutexGuard<'_, SearchSummary<C::Finding, C::Facts>> {
        lock(&self.summary)
    }

    fn note_names(&self, programs: &[Program]) {
        let names = &mut self.summary().names;
        names.resize(programs.len(), None);
        let names = names.iter_mut().zip(programs);
        names.for_each(|(known, program)| *known = program.name().or(known.take()));
    }

    pub(crate) fn tally(&self) -> Tally {
        Tally { max_questions: self.options.questions, ..Tally::default() }
    }

    /// The target was left out if there is no result.
    pub(crate) fn count(&self, tally: &Tally, ended: Option<Asked<()>>) {
        let mut summary = self.summary();
        let Some(ended) = ended else {
            summary.left_out_chess960 += 1;
            return;
        };
        let is_done = tally.is_faulty || ended != Err(StopReason::Interrupted);
        summary.positions += usize::from(is_done);
        summary.questions += tally.asked;
        summary.faulty += usize::from(tally.is_faulty);
        summary.cut_short += usize::from(ended == Err(StopReason::OutOfQuestions));
    }

    /// Counts a target for the finding that `is_same` recognises, unless it was counted for it before. Returns whether
    /// there is one.
    pub(crate) fn count_known(&self, tally: &mut Tally, is_same: impl Fn(&C::Finding) -> bool) -> bool {
        count_in::<C>(&mut self.summary().findings, tally, is_same)
    }

    /// Adds a finding and reports it, unless `is_same` recognises a known one, which is counted.
    pub(crate) fn add(&self, tally: &mut Tally, finding: C::Finding, is_same: impl Fn(&C::Finding) -> bool) {
        // The summary stays locked, so the findings are reported in their order.
        let findings = &mut self.summary().findings;
        if !count_in::<C>(findings, tally, is_same) {
            lock(&self.report)(Some(&finding));
            tally.seen.insert(findings.len());
            findings.push(finding);
        }
    }
}

fn count_in<C: Check>(
    findings: &mut [C::Finding],
    tally: &mut Tally,
    is_same: impl Fn(&C::Finding) -> bool,
) -> bool {
    let Some(number) = findings.iter().position(is_same) else { return false };
    *C::times(&mut findings[number]) += u64::from(tally.seen.insert(number));
    true
}

/// Runs `work` on several threads. The first of them is the calling thread. `work` takes one task after the other from
/// a queue. If the system does not start a thread, the others do its part of the work.
///
/// # Examples
/// ```
/// use std::sync::Mutex;
///
/// use perft_diagnosis::share_work;
///
/// let (tasks, sum) = (Mutex::new(1..=10), Mutex::new(0));
/// let next = || tasks.lock().unwrap().next();
/// share_work(4, || {
///     while let Some(task) = next() {
///         *sum.lock().unwrap() += task;
///     }
/// });
/// assert_eq!(sum.into_inner().unwrap(), 55);
/// ```
pub fn share_work(threads: usize, work: impl Fn() + Sync) {
    scope(|scope| {
        for _ in 1..threads {
            if Builder::new().spawn_scoped(scope, &work).is_err() {
                break;
            }
        }
        work();
    });
}

pub(crate) fn lock<T>(data: &Mutex<T>) -> MutexGuard<'_, T> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}

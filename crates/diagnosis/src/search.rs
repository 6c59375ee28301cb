//! The search that hunting for wrong counts, hunting for wrong states and comparing with a reference share.
//!
//! Several threads take targets one after the other, and each has programs of its own: each kind of hunt has this loop.
//! The [`Search`] gives out the targets, keeps the findings, counts how often each was met, and reports a new one at once.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, scope};

use perft_core::StopSignal;

use crate::program::{Asked, Program, StopReason, Tally};

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

/// The callback of a search, which gets each new finding, and `None` after each target.
type OnEvent<'a, F> = dyn FnMut(Option<&F>) + Send + 'a;

/// A search that is running.
pub(crate) struct Search<'a, F, S> {
    pub(crate) options: SearchOptions,
    pub(crate) stop: &'a StopSignal,
    /// Returns the number of positions that show a finding.
    times: fn(&mut F) -> &mut u64,
    /// The number of the next target.
    next: AtomicUsize,
    summary: Mutex<SearchSummary<F, S>>,
    on_event: Mutex<&'a mut OnEvent<'a, F>>,
}

impl<'a, F, S: Default> Search<'a, F, S> {
    pub(crate) fn new(
        options: SearchOptions,
        stop: &'a StopSignal,
        times: fn(&mut F) -> &mut u64,
        on_event: &'a mut OnEvent<'a, F>,
    ) -> Search<'a, F, S> {
        let summary = SearchSummary {
            is_complete: false,
            positions: 0,
            faulty: 0,
            questions: 0,
            cut_short: 0,
            left_out_chess960: 0,
            names: Vec::new(),
            source: S::default(),
            findings: Vec::new(),
        };
        let (next, summary, on_event) = (AtomicUsize::new(0), Mutex::new(summary), Mutex::new(on_event));
        Search { options, stop, times, next, summary, on_event }
    }

    /// Returns the summary, when all threads are done.
    pub(crate) fn into_summary(self) -> SearchSummary<F, S> {
        let summary = self.summary.into_inner().unwrap_or_else(PoisonError::into_inner);
        SearchSummary { is_complete: !self.stop.is_raised(), ..summary }
    }

    pub(crate) fn summary(&self) -> MutexGuard<'_, SearchSummary<F, S>> {
        lock(&self.summary)
    }

    pub(crate) fn has_enough(&self) -> bool {
        self.summary().findings.len() >= self.options.findings
    }

    /// Returns the next target, for whose questions the program gets a new tally. There is none after the last one, or if
    /// the stop signal is raised. `target` returns the target with a number, counted from 0.
    pub(crate) fn next<T>(&self, program: &mut Program, target: &impl Fn(usize) -> Option<T>) -> Option<T> {
        if self.stop.is_raised() {
            return None;
        }
        let target = target(self.next.fetch_add(1, Relaxed))?;
        program.begin(self.tally());
        Some(target)
    }

    /// Counts a target, and reports that it is done. The first program has its tally. The target was left out if there is
    /// no result.
    pub(crate) fn end(&self, programs: &[&Program], ended: Option<Asked<()>>) {
        self.count(&programs[0].tally, ended);
        self.note_names(programs);
        lock(&self.on_event)(None);
    }

    pub(crate) fn note_names(&self, programs: &[&Program]) {
        let names = &mut self.summary().names;
        names.resize(programs.len(), None);
        let names = names.iter_mut().zip(programs);
        names.for_each(|(known, program)| *known = program.name().or(known.take()));
    }

    pub(crate) fn tally(&self) -> Tally {
        Tally { max_questions: self.options.questions, ..Tally::default() }
    }

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
    pub(crate) fn count_known(&self, tally: &mut Tally, is_same: impl Fn(&F) -> bool) -> bool {
        self.count_in(&mut self.summary().findings, tally, is_same)
    }

    /// A finding that `is_same` recognises as a known one is only counted.
    pub(crate) fn add_and_report(&self, tally: &mut Tally, finding: F, is_same: impl Fn(&F) -> bool) {
        // The summary stays locked, so the findings are reported in their order.
        let findings = &mut self.summary().findings;
        if !self.count_in(findings, tally, is_same) {
            lock(&self.on_event)(Some(&finding));
            tally.seen.insert(findings.len());
            findings.push(finding);
        }
    }

    fn count_in(&self, findings: &mut [F], tally: &mut Tally, is_same: impl Fn(&F) -> bool) -> bool {
        let Some(number) = findings.iter().position(is_same) else { return false };
        *(self.times)(&mut findings[number]) += u64::from(tally.seen.insert(number));
        true
    }
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

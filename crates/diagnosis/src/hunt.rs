//! Hunts for every distinct bug of a source, on many positions and several threads.
//!
//! A bug is known by its verdict and its themes. The first position that shows a bug is shrunk; further ones only
//! increase its count. A position that shows several bugs leads to a finding for each theme that is new.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use perft_core::{StopSignal, legal_moves};

use crate::descend::{CheckedSource, Fault, StopReason, descend};
use crate::explain::Theme;
use crate::path::MovePath;
use crate::random::game::RandomGame;
use crate::source::CountSource;
use crate::verdict::{Finding, Verdict};

/// The length of the longest random game, in plies.
const MAX_PLIES: usize = 40;

/// A position to ask about, and the depths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HuntTarget {
    /// The position, with the moves that lead to it.
    pub path: MovePath,
    /// The depths in plies. They are asked in this order until an answer is wrong.
    pub depths: Vec<u32>,
}

/// The number of threads of a hunt, and its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HuntOptions {
    /// The number of threads, each with a source of its own.
    pub threads: usize,
    /// The maximum number of questions for one target, including all questions that follow from it.
    pub questions: u64,
    /// The maximum number of faults that are examined for one target.
    pub faults: usize,
    /// The number of bugs after which no new target is started.
    pub findings: usize,
}

impl Default for HuntOptions {
    fn default() -> HuntOptions {
        HuntOptions { threads: 1, questions: 20_000, faults: 24, findings: 100 }
    }
}

/// The result of a hunt.
#[derive(Clone, Debug, Default)]
pub struct HuntSummary {
    /// The bugs, the most frequent first.
    pub findings: Vec<Finding>,
    /// The number of targets that were asked about.
    pub positions: usize,
    /// The number of targets with a wrong or missing answer.
    pub faulty: usize,
    /// The number of questions.
    pub questions: u64,
    /// The number of targets that were left early because of [`HuntOptions::questions`].
    pub cut_short: usize,
    /// The name that the source gives itself.
    pub source_name: Option<String>,
    /// Whether the stop signal was raised.
    pub is_interrupted: bool,
}

/// What distinguishes one bug from another: the verdict, and a theme with whether its move is missing.
type BugKey = (Verdict, Option<(Theme, bool)>);

/// Hunts for bugs until there are no more targets or enough bugs are found.
///
/// `target` returns the target with a number, counted from 0, and `None` after the last one. `source` creates a source
/// for each thread. `report` is called after each target. If the stop signal is raised, the summary has what was found
/// so far.
///
/// The documentation of the [`source`](crate::source) module has an example.
pub fn hunt(
    target: impl Fn(usize) -> Option<HuntTarget> + Sync,
    source: impl Fn() -> Box<dyn CountSource> + Sync,
    options: HuntOptions,
    stop: &StopSignal,
    report: impl Fn() + Sync,
) -> HuntSummary {
    let next = AtomicUsize::new(0);
    let summary = Mutex::new(HuntSummary::default());
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            scope.spawn(|| {
                let mut source = source();
                while let Some(target) = target(next.fetch_add(1, Relaxed))
                    && !stop.is_raised()
                    && lock(&summary).findings.len() < options.findings
                {
                    hunt_one(&target, source.as_mut(), options, stop, &summary);
                    report();
                }
            });
        }
    });
    let mut summary = summary.into_inner().unwrap_or_else(PoisonError::into_inner);
    summary.findings.sort_by_key(|finding| std::cmp::Reverse(finding.times));
    summary.is_interrupted = stop.is_raised();
    summary
}

/// Returns the random target with a number, in the sequence that belongs to a seed. It is asked about at depths 1 to
/// `depth`.
///
/// The positions take turns among all [kinds](crate::random::kinds::PositionKind), including Chess960. Random moves are
/// played from each position, and the source has to play them too, so that its code for making moves is tested.
///
/// # Examples
/// ```
/// use perft_diagnosis::random_target;
///
/// assert_eq!(random_target(1, 7, 2), random_target(1, 7, 2));
/// assert_ne!(random_target(1, 7, 2), random_target(2, 7, 2));
/// ```
pub fn random_target(seed: u64, number: u64, depth: u32) -> HuntTarget {
    let mut game = RandomGame::new(seed, number, &[]);
    let plies = game.random.below(MAX_PLIES);
    let mut path = MovePath::new(game.root);
    while path.moves.len() < plies
        && let Some(played) = game.choose(&legal_moves(&path.end))
    {
        path = path.played(played);
    }
    HuntTarget { path, depths: (1..=depth).collect() }
}

fn hunt_one(
    target: &HuntTarget,
    source: &mut dyn CountSource,
    options: HuntOptions,
    stop: &StopSignal,
    summary: &Mutex<HuntSummary>,
) {
    let mut source = CheckedSource::new(source, options.questions, stop);
    let outcome = find_bugs(target, &mut source, options, summary);
    let mut summary = lock(summary);
    summary.positions += 1;
    summary.questions += source.asked();
    summary.source_name = source.source_name().map(str::to_owned).or(summary.source_name.take());
    summary.faulty += usize::from(outcome != Ok(false));
    summary.cut_short += usize::from(outcome == Err(StopReason::OutOfQuestions));
}

/// Returns whether an answer about the target was wrong or missing.
fn find_bugs(
    target: &HuntTarget,
    source: &mut CheckedSource,
    options: HuntOptions,
    summary: &Mutex<HuntSummary>,
) -> Result<bool, StopReason> {
    for &depth in &target.depths {
        if source.is_right(&target.path, depth)? {
            continue;
        }
        let mut faults = 0;
        descend(source, target.path.clone(), depth, |source, fault| {
            faults += 1;
            record(source, fault, summary)?;
            Ok(faults < options.faults)
        })?;
        return Ok(true);
    }
    Ok(false)
}

/// Adds a fault to the findings. Each of its bugs is counted if it is known, and becomes a finding otherwise.
fn record(source: &mut CheckedSource, fault: Fault, summary: &Mutex<HuntSummary>) -> Result<(), StopReason> {
    let found = Finding::of(source, fault)?;
    for key in bug_keys(&found) {
        let Some(index) = count_or_add(&mut lock(summary).findings, &found, key) else { continue };
        let mut finding = found.clone();
        let outcome = finding.shrink(source, key.1);
        let known = &mut lock(summary).findings[index];
        // Other threads may have counted the bug in the meantime.
        *known = Finding { times: known.times, ..finding };
        outcome?;
    }
    Ok(())
}

/// Counts a bug that is known. Otherwise adds the finding and returns its index.
fn count_or_add(findings: &mut Vec<Finding>, found: &Finding, key: BugKey) -> Option<usize> {
    match findings.iter_mut().find(|known| bug_keys(known).contains(&key)) {
        Some(known) => {
            known.times += 1;
            None
        }
        None => {
            findings.push(found.clone());
            Some(findings.len() - 1)
        }
    }
}

fn bug_keys(finding: &Finding) -> Vec<BugKey> {
    let themes = finding.themes();
    if themes.is_empty() {
        return vec![(finding.verdict, None)];
    }
    themes.into_iter().map(|theme| (finding.verdict, Some(theme))).collect()
}

fn lock(summary: &Mutex<HuntSummary>) -> MutexGuard<'_, HuntSummary> {
    summary.lock().unwrap_or_else(PoisonError::into_inner)
}

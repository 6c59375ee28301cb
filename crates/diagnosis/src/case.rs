//! Hunting through many positions, on several processes at once, for every distinct bug.
//!
//! A bug is known by its verdict and by the rules at stake. The first position that shows it is shrunk; the others are
//! counted. A position with several bugs gives a new finding for each rule that no finding has yet.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::explain::Theme;
use super::line::MovePath;
use super::search::{Fault, Halt, Inquiry, descend};
use super::verdict::{Finding, Verdict};
use crate::source::CountSource;
use perft_core::StopSignal;

/// A position to ask about, and how deep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HuntTarget {
    /// The position, and the moves that lead there.
    pub path: MovePath,
    /// The depths are asked in order, until one is wrong.
    pub depths: Vec<u32>,
}

/// How much is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HuntOptions {
    /// Threads, each with a source of its own.
    pub threads: usize,
    /// Questions about one position, all that follow from it included.
    pub questions: u64,
    /// Faults that are followed from one position.
    pub faults: usize,
    /// Bugs after which no new position is asked about.
    pub findings: usize,
}

impl Default for HuntOptions {
    fn default() -> HuntOptions {
        HuntOptions { threads: 1, questions: 20_000, faults: 24, findings: 100 }
    }
}

/// What came of a hunt.
#[derive(Clone, Debug, Default)]
pub struct HuntSummary {
    /// The bugs, the most frequent first.
    pub findings: Vec<Finding>,
    /// The positions that were asked about.
    pub positions: usize,
    /// Those of them on which some answer was wrong or missing.
    pub faulty: usize,
    /// All questions.
    pub questions: u64,
    /// Positions about which not all was asked, because the bound was met.
    pub cut_short: usize,
    /// What the suspect calls itself.
    pub source_name: Option<String>,
    /// True if the signal was raised before the end.
    pub is_interrupted: bool,
}

/// What tells one bug from another.
type Cause = (Verdict, Option<(Theme, bool)>);

/// Hunts through positions until there are no more, or enough bugs. `quarry` gives them by number; there is one suspect a
/// thread, each of which `suspect` makes. `report` is told of each position when it has been asked about. When the signal is
/// raised, what has been found until then comes back.
pub fn hunt(
    quarry: &(dyn Fn(usize) -> Option<HuntTarget> + Sync),
    suspect: &(dyn Fn() -> Box<dyn CountSource> + Sync),
    bounds: HuntOptions,
    stop: &StopSignal,
    report: impl Fn() + Sync,
) -> HuntSummary {
    let next = AtomicUsize::new(0);
    let hunted = Mutex::new(HuntSummary::default());
    std::thread::scope(|scope| {
        for _ in 0..bounds.threads.max(1) {
            scope.spawn(|| {
                let mut suspect = suspect();
                while let Some(quarry) = quarry(next.fetch_add(1, Relaxed))
                    && !stop.is_raised()
                    && locked(&hunted).findings.len() < bounds.findings
                {
                    hunt_one(&quarry, suspect.as_mut(), bounds, stop, &hunted);
                    report();
                }
            });
        }
    });
    let mut hunted = hunted.into_inner().unwrap_or_else(PoisonError::into_inner);
    hunted.findings.sort_by_key(|finding| std::cmp::Reverse(finding.times));
    hunted.is_interrupted = stop.is_raised();
    hunted
}

fn hunt_one(
    quarry: &HuntTarget,
    suspect: &mut dyn CountSource,
    bounds: HuntOptions,
    stop: &StopSignal,
    hunted: &Mutex<HuntSummary>,
) {
    let mut inquiry = Inquiry::new(suspect, bounds.questions, stop);
    let outcome = follow(quarry, &mut inquiry, bounds, hunted);
    let mut hunted = locked(hunted);
    hunted.positions += 1;
    hunted.questions += inquiry.asked();
    hunted.source_name = inquiry.suspect_name().map(str::to_owned).or(hunted.source_name.take());
    hunted.faulty += usize::from(outcome != Ok(false));
    hunted.cut_short += usize::from(outcome == Err(Halt::Exhausted));
}

/// True if something was wrong.
fn follow(
    quarry: &HuntTarget,
    inquiry: &mut Inquiry,
    bounds: HuntOptions,
    hunted: &Mutex<HuntSummary>,
) -> Result<bool, Halt> {
    for &depth in &quarry.depths {
        if inquiry.is_right(&quarry.path, depth)? {
            continue;
        }
        let mut faults = 0;
        descend(inquiry, quarry.path.clone(), depth, |inquiry, fault| {
            faults += 1;
            note(inquiry, fault, hunted)?;
            Ok(faults < bounds.faults)
        })?;
        return Ok(true);
    }
    Ok(false)
}

/// Adds a fault to the findings: each of its causes to the one that has it, or as one of its own.
fn note(inquiry: &mut Inquiry, fault: Fault, hunted: &Mutex<HuntSummary>) -> Result<(), Halt> {
    let met = Finding::of(inquiry, fault)?;
    for cause in causes(&met) {
        let Some(index) = claim(&mut locked(hunted).findings, &met, cause) else { continue };
        let mut finding = met.clone();
        let outcome = finding.shrink(inquiry, cause.1);
        let known = &mut locked(hunted).findings[index];
        // Others may have been counted in the meantime.
        *known = Finding { times: known.times, ..finding };
        outcome?;
    }
    Ok(())
}

/// Counts a cause that is known, or gives the finding that has it a place.
fn claim(findings: &mut Vec<Finding>, met: &Finding, cause: Cause) -> Option<usize> {
    match findings.iter_mut().find(|known| causes(known).contains(&cause)) {
        Some(known) => {
            known.times += 1;
            None
        }
        None => {
            findings.push(met.clone());
            Some(findings.len() - 1)
        }
    }
}

fn causes(finding: &Finding) -> Vec<Cause> {
    let themes = finding.themes();
    if themes.is_empty() {
        return vec![(finding.verdict, None)];
    }
    themes.into_iter().map(|theme| (finding.verdict, Some(theme))).collect()
}

fn locked(hunted: &Mutex<HuntSummary>) -> MutexGuard<'_, HuntSummary> {
    hunted.lock().unwrap_or_else(PoisonError::into_inner)
}

//! Hunts for every distinct bug of a source, on many positions and several threads.
//!
//! The first position that shows a bug is shrunk. Further positions only increase the count of the bug; `same_bug`
//! recognises it. A position that shows several bugs leads to a finding for each new theme.
//!
//! A source is asked only questions that its [`Abilities`] allow. Before a bug is reported, the question that shows it
//! is asked again after a new start of the source. An answer that does not repeat is a separate finding without an
//! explanation.

use std::sync::Mutex;

use perft_core::{CastlingNotation, StopSignal};

use crate::budget::StopReason;
use crate::checked_source::{CheckedSource, Compared};
use crate::chess960::Chess960Source;
use crate::descend::descend;
use crate::difference::DivideDifference;
use crate::explain::Theme;
use crate::fault::{Fault, FaultKind};
use crate::finding::Finding;
use crate::path::MovePath;
use crate::pattern::{overflow, recognise};
use crate::same_bug::{bugs_of, is_known_as};
use crate::search::{Answers, Check, Examined, Search, SearchEvent, SearchOptions, SearchSummary, search};
use crate::source::{Abilities, CountSource, SourceError};
use crate::target::HuntTarget;
use crate::threads::lock;
use crate::verdict::Verdict;

/// The number of other faults that a fault without a list of moves counts for. Its moves take many more questions to
/// find.
const COST_WITHOUT_MOVES: usize = 6;

/// The number of times that a question is asked again once the source has given an answer that does not repeat.
const TIMES_IF_UNRELIABLE: usize = 4;

/// The maximum number of questions to find out whether all counts are wrong in the same way.
const PATTERN_QUESTIONS: u64 = 12;

/// The result of a hunt.
pub type HuntSummary = SearchSummary<Finding, CountFacts>;

/// The facts that a hunt learns about the source of counts.
#[derive(Clone, Debug, Default)]
pub struct CountFacts {
    /// The name that the source gives itself.
    pub name: Option<String>,
    /// The questions that the source can answer.
    pub abilities: Abilities,
    /// Whether the source does not list all moves, although its counts are right.
    pub leaves_out_moves: bool,
    /// The number of questions that the source refused to answer.
    pub refused: u64,
    /// The first refusal.
    pub refusal: Option<SourceError>,
}

impl HuntSummary {
    /// Returns the number of findings, not counting answers that were not understood.
    pub fn bugs(&self) -> usize {
        bugs(&self.findings)
    }
}

fn bugs(findings: &[Finding]) -> usize {
    findings.iter().filter(|finding| finding.verdict != Verdict::Unread).count()
}

/// Hunts for bugs until there are no more targets or enough bugs are found.
///
/// `target` returns the target with a number, counted from 0, and `None` after the last one. `source` creates a source
/// for each thread. `report` is called from all of these threads. If the stop signal is raised, the summary has the
/// results so far.
///
/// The documentation of the [`source`](crate::source) module has an example.
pub fn hunt<'a>(
    target: impl Fn(usize) -> Option<HuntTarget> + Sync,
    source: impl Fn() -> Box<dyn CountSource + 'a> + Sync,
    options: SearchOptions,
    stop: &StopSignal,
    report: impl Fn(SearchEvent<Finding>) + Sync,
) -> HuntSummary {
    let check = CountCheck { new_source: &source, pattern: Mutex::new(None) };
    search(&check, target, options, stop, &report)
}

/// Compares counts.
struct CountCheck<'c, 'a> {
    new_source: &'c (dyn Fn() -> Box<dyn CountSource + 'a> + Sync),
    /// Whether all counts are wrong in the same way. `None` until a wrong answer was found.
    pattern: Mutex<Option<bool>>,
}

impl<'a> Check for CountCheck<'_, 'a> {
    type Target = HuntTarget;
    type Sources = Chess960Source<dyn CountSource + 'a>;
    type Finding = Finding;
    type Facts = CountFacts;

    fn start(search: &Search<Self>) -> Option<Self::Sources> {
        let mut source = Chess960Source::new((search.check.new_source)());
        // An engine knows its abilities once it runs. If it does not start, the first question says so.
        let _ = source.prepare(search.stop);
        Some(source)
    }

    fn examine(
        _: usize,
        target: HuntTarget,
        source: &mut Self::Sources,
        search: &Search<Self>,
    ) -> Option<Examined> {
        if target.path.notation() == CastlingNotation::Chess960
            && let Some(found) = source.examine(search.stop)
        {
            search.add_bugs(&Finding::as_if(found.fault, Verdict::Chess960, found.hypothesis.to_owned()));
        }
        let abilities = source.abilities();
        let can_read = source.can_read(&target.path.root);
        search.summary().source.abilities = abilities;
        if !can_read {
            return None;
        }
        let target = target.for_source(&abilities);
        let mut source = CheckedSource::new(source, search.budget());
        let mut is_wrong = false;
        let stopped = search.find_bugs(&target, &mut source, &mut is_wrong).err();
        let facts = &mut search.summary().source;
        facts.leaves_out_moves |= source.leaves_out_moves;
        facts.refused += source.refusals.len() as u64;
        facts.refusal = facts.refusal.take().or(source.refusals.first().cloned());
        facts.name = source.source_name().map(str::to_owned).or(facts.name.take());
        let answers = if is_wrong { Answers::Wrong } else { Answers::Right };
        Some(Examined { questions: source.budget.asked(), answers, stopped })
    }

    fn times(finding: &mut Finding) -> &mut u64 {
        &mut finding.times
    }

    fn are_enough(findings: &[Finding], options: &SearchOptions) -> bool {
        let has_pattern = findings.iter().any(|found| found.verdict == Verdict::Pattern);
        has_pattern || bugs(findings) >= options.findings
    }
}

impl Search<'_, CountCheck<'_, '_>> {
    /// Asks about a target at all depths until an answer is wrong after a new start too, and looks for the reasons.
    /// `is_wrong` becomes true if an answer is wrong or missing.
    fn find_bugs(
        &self,
        target: &HuntTarget,
        source: &mut CheckedSource,
        is_wrong: &mut bool,
    ) -> Result<(), StopReason> {
        for &depth in &target.depths {
            let Some(fault) = self.first_fault(&target.path, depth, source, is_wrong)? else { continue };
            *is_wrong = true;
            self.find_reasons(&fault, source)?;
            // An answer that was not understood says nothing about greater depths.
            if !matches!(fault.kind, FaultKind::Unread(_)) {
                break;
            }
        }
        Ok(())
    }

    /// Returns the wrong or missing answer to a question if a new start gives it too. Sets `is_wrong` if there is a
    /// wrong answer that does not repeat.
    fn first_fault(
        &self,
        path: &MovePath,
        depth: u32,
        source: &mut CheckedSource,
        is_wrong: &mut bool,
    ) -> Result<Option<Fault>, StopReason> {
        let answer = source.compare(path, depth)?;
        if is_right(&answer) {
            return Ok(None);
        }
        let fault = Fault { path: path.clone(), depth, kind: FaultKind::of(answer) };
        let Some(other) = self.other_answer(source, &fault)? else { return Ok(Some(fault)) };
        *is_wrong |= self.record_not_repeated(fault, other.clone());
        if is_right(&other) {
            return Ok(None);
        }
        // The answer of a new start may also be different each time.
        let fault = Fault { path: path.clone(), depth, kind: FaultKind::of(other) };
        Ok(if self.other_answer(source, &fault)?.is_none() { Some(fault) } else { None })
    }

    /// Looks for the reasons of a wrong or missing answer.
    fn find_reasons(&self, first: &Fault, source: &mut CheckedSource) -> Result<(), StopReason> {
        let Fault { path, depth, kind } = first;
        if let Some(difference) = kind.difference()
            && difference.is_wrong()
            && self.has_pattern(source, path, *depth, difference)
        {
            return Ok(());
        }
        let mut faults = 0;
        let stopped = descend(source, path.clone(), *depth, |source, fault| {
            faults += if fault.kind.lists_no_moves() { COST_WITHOUT_MOVES } else { 1 };
            self.record(source, fault, first)?;
            Ok(faults < self.options.faults)
        });
        if faults > 0 {
            return stopped;
        }
        // A wrong answer is always a finding, even if there is no time left to look for its reason.
        let other = if stopped.is_ok() { self.other_answer(source, first).unwrap_or_default() } else { None };
        match other {
            Some(other) => drop(self.record_not_repeated(first.clone(), other)),
            None => self.add_bugs(&Finding::unfinished(first.clone())),
        }
        stopped
    }

    /// Asks a question again after new starts of the source. Returns the first answer that differs.
    fn other_answer(
        &self,
        source: &mut CheckedSource,
        fault: &Fault,
    ) -> Result<Option<Compared>, StopReason> {
        let is_unreliable = self.summary().findings.iter().any(|known| known.verdict == Verdict::NotRepeated);
        for _ in 0..if is_unreliable { TIMES_IF_UNRELIABLE } else { 1 } {
            let answer = source.compare_afresh(&fault.path, fault.depth)?;
            if !fault.kind.shows_in(&answer) {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// Whether new starts of the source show a fault too.
    fn repeats(&self, source: &mut CheckedSource, fault: &Fault) -> bool {
        self.other_answer(source, fault).is_ok_and(|other| other.is_none())
    }

    /// Adds a fault that does not repeat, unless its answer was not understood. Returns whether it was added.
    fn record_not_repeated(&self, fault: Fault, other: Compared) -> bool {
        let is_understood = !matches!(fault.kind, FaultKind::Unread(_));
        if is_understood {
            self.add_bugs(&Finding::not_repeated(fault, other));
        }
        is_understood
    }

    /// Whether all counts of the source are wrong in the same way. This is tested at the first wrong answer. If it is
    /// so, it becomes a finding.
    fn has_pattern(
        &self,
        source: &mut CheckedSource,
        path: &MovePath,
        depth: u32,
        difference: &DivideDifference,
    ) -> bool {
        let recognised = {
            // Other threads with a wrong answer wait until it is known.
            let mut known = lock(&self.check.pattern);
            if *known == Some(true) {
                return true;
            }
            let mut recognised = overflow(path, depth, difference);
            if recognised.is_none() && known.is_none() {
                let mut source = source.with_questions(PATTERN_QUESTIONS);
                recognised = recognise(&mut source, depth).ok().flatten();
                recognised = recognised.filter(|found| self.repeats(&mut source, &found.fault));
                self.summary().questions += source.budget.asked();
            }
            *known = Some(recognised.is_some());
            recognised
        };
        let Some(recognised) = recognised else { return false };
        self.add_bugs(&Finding::as_if(recognised.fault, Verdict::Pattern, recognised.pattern.about()));
        true
    }

    /// Adds a fault to the findings. Each of its bugs is counted if it is known, and otherwise becomes a finding.
    /// `first` is the fault that led to this one. It is added if no more questions may be asked to examine this one.
    fn record(&self, source: &mut CheckedSource, fault: Fault, first: &Fault) -> Result<(), StopReason> {
        let examined = Finding::of(source, fault.clone());
        let found = examined.clone().unwrap_or_else(|_| Finding::unfinished(fault));
        if !self.knows(&found) {
            let other = self.other_answer(source, &found.fault);
            let other = other.inspect_err(|_| self.add_bugs(&Finding::unfinished(first.clone())))?;
            if let Some(other) = other {
                self.record_not_repeated(found.fault, other);
                return examined.map(drop);
            }
        }
        examined.inspect_err(|_| self.add_bugs(&found))?;
        if found.is_without_moves() {
            return self.record_without_moves(source, found);
        }
        for theme in bugs_of(&found) {
            let is_same = |known: &Finding| is_known_as(known, &found, theme);
            let Some(index) = self.count_or_add(&found, is_same) else { continue };
            let (finding, outcome) = self.shrunk(source, &found, theme);
            self.report(index, finding);
            outcome?;
        }
        Ok(())
    }

    /// Returns the finding for a smaller position if new starts of the source show the bug there too, and whether
    /// shrinking ended early.
    fn shrunk(
        &self,
        source: &mut CheckedSource,
        found: &Finding,
        theme: Option<(Theme, bool)>,
    ) -> (Finding, Result<(), StopReason>) {
        let mut finding = found.clone();
        let outcome = finding.shrink(source, theme, self.options.allow_impossible);
        let is_told = finding.fault == found.fault || self.repeats(source, &finding.fault);
        (if is_told { finding } else { found.clone() }, outcome)
    }

    /// Adds a finding of a source that lists no moves. Unless its bugs are known, it is shrunk first. On a crowded
    /// board, several moves may explain a total, and the small position often shows that it is a known bug.
    fn record_without_moves(&self, source: &mut CheckedSource, found: Finding) -> Result<(), StopReason> {
        let (finding, outcome) = match self.knows(&found) {
            true => (found, Ok(())),
            false => self.shrunk(source, &found, None),
        };
        self.add_bugs(&finding);
        outcome
    }

    /// Whether all bugs of a finding are known.
    fn knows(&self, found: &Finding) -> bool {
        let findings = &self.summary().findings;
        let is_known = |theme| findings.iter().any(|known| is_known_as(known, found, theme));
        bugs_of(found).into_iter().all(is_known)
    }

    /// Adds a finding without shrinking it. Each of its bugs is counted if it is known.
    fn add_bugs(&self, found: &Finding) {
        for theme in bugs_of(found) {
            self.add(found.clone(), |known| is_known_as(known, found, theme));
        }
    }
}

fn is_right(answer: &Compared) -> bool {
    answer.as_ref().is_ok_and(DivideDifference::is_right)
}

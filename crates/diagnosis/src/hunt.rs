//! Hunts for every distinct bug of a source, on many positions and several threads.
//!
//! Cheap questions come first ([`Survey`]). What their wrong answers have in common says which ones belong together.
//! The first position that shows a bug is shrunk, and the bug is explained. Further positions only increase its count.
//! A wrong answer belongs to a known bug if a cause of the bug reproduces it, or if it has the same in common.
//!
//! A source is asked only questions that its [`Abilities`] allow. Before a bug is reported, the question that shows it
//! is asked again after a new start of the source. An answer that does not repeat is a separate finding without an
//! explanation.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use perft_core::{CastlingNotation, StopSignal};

use crate::causes::{Causes, RIGHT_NODES, RightCount, find_pattern};
use crate::chess960::Letters;
use crate::difference::{Told, Verdict, WrongTheme};
use crate::evidence::{Evidence, Group};
use crate::finding::{Finding, descend};
use crate::models::Model;
use crate::program::{Asked, Program, StopReason};
use crate::search::{Search, SearchOptions, SearchSummary, lock, share_work};
use crate::source::{Abilities, CountSource, MovePath, SourceError};
use crate::survey::{Survey, TARGETS};
use crate::target::HuntTarget;

/// The number of other faults that a fault without a list of moves counts for. Finding its moves takes many more
/// questions.
const COST_WITHOUT_MOVES: usize = 6;

/// The number of times that a question is asked again once the source has given an answer that does not repeat.
const TIMES_IF_UNRELIABLE: u32 = 4;

/// The maximum number of questions to find out whether all counts are wrong in the same way.
const PATTERN_QUESTIONS: u64 = 12;

/// The maximum number of questions to explain a bug, in addition to those of its target.
const CAUSE_QUESTIONS: u64 = 150;

/// The number of right answers that are kept to test causes.
const RIGHT_ANSWERS: usize = 4_000;

/// The largest number of these answers about one target.
const RIGHT_ANSWERS_OF_TARGET: usize = 40;

/// The result of a hunt.
pub type HuntSummary = SearchSummary<Finding, CountFacts>;

/// The facts that a hunt learns about the source of counts.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CountFacts {
    /// The questions that the source can answer.
    pub abilities: Abilities,
    /// Whether the source does not list all moves, although its counts are right.
    pub leaves_out_moves: bool,
    /// The number of questions that the source refused to answer.
    pub refused: u64,
    /// The first refusal.
    pub refusal: Option<SourceError>,
    /// The number of positions with a wrong answer that is not known to be of one of the bugs.
    pub unexplained: u64,
    /// The number of positions that show several bugs.
    pub with_several: u64,
}

/// Hunts for bugs until there are no more targets or enough bugs are found.
///
/// `target(0)` is the first target, and `target` returns `None` after the last one. `source` creates a source for each
/// thread. `report` is called with each new finding, in their order, and with `None` after each target. If the stop
/// signal is raised, the summary has the results so far.
///
/// The documentation of the [`source`](crate::source) module has an example.
pub fn hunt<'a>(
    target: impl Fn(usize) -> Option<HuntTarget> + Sync,
    source: impl Fn() -> Box<dyn CountSource + 'a> + Sync,
    options: SearchOptions,
    stop: &StopSignal,
    mut report: impl FnMut(Option<&Finding>) + Send,
) -> HuntSummary {
    let search = Search::new(options, stop, |found| &mut found.times, &mut report);
    let survey = Survey::new(options.survey, (0..TARGETS).map_while(&target).collect(), stop);
    let (right, tried) = (Mutex::default(), Mutex::default());
    let hunt = Hunt { search, survey, pattern: Mutex::new(None), right, tried };
    let target = |number: usize| {
        let (first, targets) = (&hunt.survey.surveyed().first_targets, hunt.survey.targets.len());
        first.get(number).cloned().or_else(|| target((number + targets).checked_sub(first.len())?))
    };
    share_work(options.threads, || {
        let mut program = Program::new(source(), stop.clone());
        hunt.begin(&mut program);
        while !hunt.has_enough()
            && let Some(target) = hunt.search.next(&mut program, &target)
        {
            let ended = hunt.examine(target, &mut program);
            hunt.search.end(&[&program], ended);
        }
    });
    let mut summary = hunt.search.into_summary();
    let surveyed = hunt.survey.surveyed();
    summary.positions += surveyed.positions;
    summary.faulty += surveyed.others.len();
    surveyed.others.iter().for_each(|told| count_other(told, &surveyed.evidence, &mut summary));
    summary
}

/// Counts a position whose wrong answer was not examined: for the bugs whose cause gives the answer, or that have the
/// same in common.
fn count_other(told: &Told, evidence: &Evidence, summary: &mut HuntSummary) {
    let groups = evidence.groups_of(told);
    let is_of = |known: &Finding| match known.causes.models.is_empty() || told.difference.error.is_some() {
        true => known.group.is_some_and(|group| groups.contains(&group)),
        false => known.causes.give(told),
    };
    let mut bugs = 0;
    for known in summary.findings.iter_mut().filter(|known| is_of(known)) {
        known.times += 1;
        bugs += 1;
    }
    summary.source.count(true, bugs);
}

impl CountFacts {
    fn count(&mut self, is_faulty: bool, bugs: usize) {
        self.unexplained += u64::from(is_faulty && bugs == 0);
        self.with_several += u64::from(bugs > 1);
    }
}

/// A hunt that is running.
struct Hunt<'a> {
    search: Search<'a, Finding, CountFacts>,
    /// The first questions.
    survey: Survey,
    /// Whether all counts are wrong in the same way. `None` until a wrong answer was found.
    pattern: Mutex<Option<bool>>,
    /// Right answers about earlier targets.
    right: Mutex<Vec<Arc<RightCount>>>,
    /// The kinds of wrong answers for which no cause was found.
    tried: Mutex<BTreeSet<Kind>>,
}

impl Hunt<'_> {
    /// Begins to ask the program of a thread.
    fn begin(&self, program: &mut Program) {
        // An engine knows its abilities once it runs. If it does not start, the first question says so too.
        let _ = program.prepare();
        self.survey.ask(program);
        self.search.summary().questions += program.tally.asked;
        self.note(program);
        self.search.note_names(&[program]);
    }

    fn has_enough(&self) -> bool {
        let findings = &self.search.summary().findings;
        let has_pattern = findings.iter().any(|found| found.verdict == Verdict::Pattern);
        let bugs = findings.iter().filter(|found| found.verdict != Verdict::Unread).count();
        has_pattern || bugs >= self.search.options.findings
    }

    /// Examines a target. Returns `None` if it is of Chess960 and the program cannot be asked about it.
    fn examine(&self, target: HuntTarget, program: &mut Program) -> Option<Asked<()>> {
        if target.path.notation() == CastlingNotation::Chess960
            && let Some((fault, reading)) = program.examine()
        {
            let causes = Causes::of_answer(Model::Reading(reading));
            self.add_bug(program, &Finding::with_causes(fault, causes));
        }
        let abilities = program.abilities();
        self.search.summary().source.abilities = abilities;
        if !program.can_read(&target.path.root) {
            return None;
        }
        let ended = self.find_bugs(&target.for_source(&abilities), program);
        // Right answers are kept to test causes. The last answers about a target are the deepest.
        let is_kept = |told: &&Told| told.difference.ours <= RIGHT_NODES && told.is_right() && told.depth > 0;
        let mut right = lock(&self.right);
        let room = RIGHT_ANSWERS.saturating_sub(right.len()).min(RIGHT_ANSWERS_OF_TARGET);
        let kept = program.told.iter().rev().filter(is_kept).take(room).cloned();
        right.extend(kept.map(RightCount::new).map(Arc::new));
        drop(right);
        self.search.summary().source.count(program.tally.is_faulty, program.tally.seen.len());
        self.note(program);
        Some(ended)
    }

    fn note(&self, program: &mut Program) {
        let facts = &mut self.search.summary().source;
        facts.leaves_out_moves |= program.leaves_out_moves;
        facts.refused += program.refusals.len() as u64;
        facts.refusal = facts.refusal.take().or(program.refusals.drain(..).next());
    }

    /// Asks about a target at all depths until an answer is wrong after a new start too, and looks for the reasons.
    fn find_bugs(&self, target: &HuntTarget, program: &mut Program) -> Asked<()> {
        for &depth in &target.depths {
            let Some(fault) = self.find_fault(&target.path, depth, program)? else { continue };
            program.tally.is_faulty = true;
            self.find_reasons(&fault, program)?;
            // An answer that was not understood says nothing about greater depths.
            if fault.difference.unread.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// Returns the wrong or missing answer to a question if a new start gives it too. Notes a wrong answer that does not
    /// repeat. The question is not asked if the survey knows the answer.
    fn find_fault(&self, path: &MovePath, depth: u32, program: &mut Program) -> Asked<Option<Told>> {
        let fault = match self.survey.surveyed().known.get(&(path.clone(), depth)) {
            Some(None) => return Ok(None),
            Some(Some(fault)) => {
                program.told.extend(Some(fault.clone()).filter(|told| told.difference.is_wrong()));
                fault.clone()
            }
            None => program.compare(path, depth)?,
        };
        if fault.is_right() {
            return Ok(None);
        }
        if self.is_known_refusal(&fault) {
            return Ok(Some(fault));
        }
        let Some(other) = self.ask_again(program, &fault)? else { return Ok(Some(fault)) };
        self.record_not_repeated(program, fault, &other);
        // The answer of a new start may also be different each time.
        Ok(if !other.is_right() && self.ask_again(program, &other)?.is_none() { Some(other) } else { None })
    }

    fn find_reasons(&self, first: &Told, program: &mut Program) -> Asked<()> {
        if self.is_known_refusal(first) {
            self.add_bug(program, &Finding::unfinished(first.clone()));
            return Ok(());
        }
        if first.difference.is_wrong() && self.has_pattern(program, first) {
            return Ok(());
        }
        let mut faults = 0;
        let stopped = descend(program, &first.path, first.depth, None, &mut |program, fault| {
            faults += if fault.difference.knows_moves() { 1 } else { COST_WITHOUT_MOVES };
            self.record(program, fault, first)?;
            Ok(faults < self.search.options.faults)
        });
        let stopped = stopped.map(drop);
        if faults > 0 {
            return stopped;
        }
        // A wrong answer is always a finding, even if no reason was found.
        let other = if stopped.is_ok() { self.ask_again(program, first).unwrap_or_default() } else { None };
        match other {
            Some(other) => self.record_not_repeated(program, first.clone(), &other),
            None => self.add_bug(program, &Finding::unfinished(first.clone())),
        }
        stopped
    }

    /// Whether a question is refused, and it is known why or another one was refused before. All refusals are one finding,
    /// and many programs take long to refuse, so such a question is not asked again.
    fn is_known_refusal(&self, fault: &Told) -> bool {
        let is_known =
            |bug: &Finding| self.search.summary().findings.iter().any(|known| is_same_bug(known, bug));
        fault.first_verdict() == Verdict::Refused
            && self.bugs_of(&Finding::unfinished(fault.clone()), fault).iter().any(is_known)
    }

    /// Asks a question again after new starts of the source. Returns the first answer that differs.
    fn ask_again(&self, program: &mut Program, fault: &Told) -> Asked<Option<Told>> {
        let has_unreliable = |known: &Finding| known.verdict == Verdict::NotRepeated;
        let is_unreliable = self.search.summary().findings.iter().any(has_unreliable);
        program.ask_again(fault, if is_unreliable { TIMES_IF_UNRELIABLE } else { 1 })
    }

    /// Adds a fault that does not repeat, unless its answer was not understood.
    fn record_not_repeated(&self, program: &mut Program, fault: Told, other: &Told) {
        if fault.difference.unread.is_empty() {
            program.tally.is_faulty = true;
            self.add_bug(program, &Finding::not_repeated(fault, other.difference.clone()));
        }
    }

    /// Whether all counts of the source are wrong in the same way. If they are, this becomes a finding. After the first
    /// wrong answer, only overflow is tested.
    fn has_pattern(&self, program: &mut Program, first: &Told) -> bool {
        // Other threads with a wrong answer wait until this is known.
        let mut known = lock(&self.pattern);
        if *known == Some(true) {
            self.search.count_known(&mut program.tally, |known| known.verdict == Verdict::Pattern);
            return true;
        }
        let is_first = known.is_none();
        let told = program.known(&first.path, first.depth).filter(|told| !told.is_right()).cloned();
        let recognised = program.with_more_questions(PATTERN_QUESTIONS, |program| {
            let found = told.and_then(|told| find_pattern(program, &told, is_first).ok().flatten());
            found.filter(|(fault, _)| self.ask_again(program, fault) == Ok(None))
        });
        *known = Some(recognised.is_some());
        let Some((fault, causes)) = recognised else { return false };
        self.add_bug(program, &Finding::with_causes(fault, causes));
        true
    }

    /// Adds a fault to the findings. Each of its bugs is counted if it is known, and otherwise becomes a finding.
    /// `first` is the fault that led to this one. It is added if no more questions may be asked to examine this one.
    fn record(&self, program: &mut Program, fault: Told, first: &Told) -> Asked<()> {
        if self.count_reproduced(program, &fault) {
            return Ok(());
        }
        // What has the same in common as known bugs without a cause is not examined.
        let bugs = self.bugs_of(&Finding::unfinished(fault.clone()), first);
        if bugs.iter().all(|bug| bug.group.is_some() && self.is_known(bug)) {
            bugs.iter().for_each(|bug| self.add_new(program, bug));
            return Ok(());
        }
        let examined = Finding::examine(program, fault.clone());
        let found = examined.clone().unwrap_or_else(|_| Finding::unfinished(fault));
        let bugs = self.bugs_of(&found, first);
        if !bugs.iter().all(|bug| self.is_known(bug)) {
            let other = self.ask_again(program, &found.fault);
            let other = other.inspect_err(|_| self.add_bug(program, &Finding::unfinished(first.clone())))?;
            if let Some(other) = other {
                self.record_not_repeated(program, found.fault, &other);
                return examined.map(drop);
            }
        }
        examined.inspect_err(|_| self.add_bug(program, &found))?;
        for bug in bugs {
            if self.count_reproduced(program, &bug.fault) {
                continue;
            }
            if self.is_known(&bug) {
                self.add_new(program, &bug);
                continue;
            }
            let (mut finding, outcome) = self.examine_bug(program, &bug);
            if finding.causes.models.is_empty() {
                finding = self.find_cause(program, &finding).unwrap_or(finding);
            }
            self.add_new(program, &finding);
            outcome?;
        }
        Ok(())
    }

    /// Whether a bug whose cause was not looked for yet is that of a finding without a cause, or one for which no cause
    /// was found before.
    fn is_known(&self, bug: &Finding) -> bool {
        let is_same = |known: &Finding| known.causes.models.is_empty() && is_same_bug(known, bug);
        self.search.summary().findings.iter().any(is_same)
            || is_of_answers(bug) && lock(&self.tried).contains(&kind(bug))
    }

    /// Returns a finding as one of each bug that it shows: of each group of its wrong moves, or otherwise of the group of
    /// its question or of the question that led to it.
    fn bugs_of(&self, found: &Finding, first: &Told) -> Vec<Finding> {
        let evidence = self.evidence();
        let mut groups = [&found.fault, first].into_iter().map(|fault| evidence.groups_of(fault));
        match groups.find(|groups| !groups.is_empty()) {
            Some(groups) => groups.iter().map(|group| found.of_group(Some(*group), evidence)).collect(),
            None => vec![found.of_group(None, evidence)],
        }
    }

    fn evidence(&self) -> &Evidence {
        &self.survey.surveyed().evidence
    }

    /// Returns another finding of the same group that has a cause, if a wrong answer at a greater depth leads to one. The
    /// moves that a bug of taking back moves spoils have no cause of their own.
    fn find_cause(&self, program: &mut Program, finding: &Finding) -> Option<Finding> {
        let group = finding.group.filter(|_| finding.fault.depth == 1)?;
        let first = self.wrong_of(finding).iter().find(|told| told.depth > 1)?;
        let mut found = None;
        // Without questions, nothing is found.
        let _ = program.with_more_questions(CAUSE_QUESTIONS, |program| {
            descend(program, &first.path, first.depth, None, &mut |program, fault| {
                let examined = Finding::examine(program, fault)?.of_group(Some(group), self.evidence());
                found = Some(examined).filter(|examined| examined.fault.depth > 1);
                Ok(false)
            })
        });
        let (other, _) = self.examine_bug(program, &found?);
        Some(other).filter(|other| !other.causes.models.is_empty())
    }

    /// Returns the finding for a smaller position if new starts of the source show the bug there too, with its causes,
    /// and whether the examination ended early.
    fn examine_bug(&self, program: &mut Program, found: &Finding) -> (Finding, Asked<()>) {
        let mut finding = found.clone();
        let outcome = finding.shrink(program, self.evidence());
        if finding.fault != found.fault && self.ask_again(program, &finding.fault) != Ok(None) {
            finding = found.clone();
        }
        let mut others = lock(&self.right).clone();
        others.extend(self.survey.surveyed().right.iter().cloned());
        let wrong = self.wrong_of(&finding);
        let explained =
            program.with_more_questions(CAUSE_QUESTIONS, |program| finding.explain(program, wrong, &others));
        let is_interrupted = explained == Err(StopReason::Interrupted);
        (finding, if is_interrupted { explained } else { outcome })
    }

    fn wrong_of(&self, finding: &Finding) -> &[Told] {
        let wrong = finding.group.and_then(|group| self.survey.surveyed().wrong.get(&group));
        wrong.map_or(&[], Vec::as_slice)
    }

    /// Counts the finding whose cause reproduces a wrong answer. Returns whether there is one.
    fn count_reproduced(&self, program: &mut Program, fault: &Told) -> bool {
        let told = program.known(&fault.path, fault.depth).filter(|told| !told.is_right()).cloned();
        let known: Vec<Causes> =
            self.search.summary().findings.iter().map(|known| known.causes.clone()).collect();
        let cause = told.and_then(|told| known.iter().find(|causes| causes.give(&told)));
        cause.is_some_and(|cause| self.search.count_known(&mut program.tally, |known| known.causes == *cause))
    }

    /// Adds a finding without examining it, or counts its bug if it is known.
    fn add_bug(&self, program: &mut Program, found: &Finding) {
        for bug in self.bugs_of(found, &found.fault) {
            self.add_new(program, &bug);
        }
    }

    /// Adds a finding with its line for a suite, or counts the known finding of the same bug. What nothing separates from
    /// the known bugs may be a part of one of them. It is left: after a fix, it shows whether it is a bug.
    fn add_new(&self, program: &mut Program, finding: &Finding) {
        let is_same = |known: &Finding| is_same_bug(known, finding);
        let is_known = self.search.count_known(&mut program.tally, is_same);
        let is_tried = is_of_answers(finding) && finding.causes.models.is_empty();
        // A broken rule gives the same wrong answer each time, so it is no reason for one that does not repeat.
        let repeats = finding.verdict != Verdict::NotRepeated;
        let may_lead_here = |known: &Finding| {
            is_of_answers(known)
                && known.verdict != Verdict::Reading
                && (repeats || known.causes.models.is_empty())
        };
        let is_alone = is_tried && finding.group.is_none();
        if is_tried && is_known || is_alone {
            lock(&self.tried).insert(kind(finding));
        }
        if is_known || is_alone && self.search.summary().findings.iter().any(may_lead_here) {
            return;
        }
        let gets_file_letters = program.letters == Letters::Files;
        let mut finding = Finding { gets_file_letters, ..finding.clone() };
        finding.epd = finding.epd_line(self.search.stop);
        self.search.add_and_report(&mut program.tally, finding, is_same);
    }
}

/// Whether two findings are of one bug: they have a cause or a group in common or, without both, are of one kind. If
/// something else than a wrong answer shows a bug, the verdict says which. In a group, a finding without a cause may be a
/// consequence of one that has a cause.
fn is_same_bug(known: &Finding, found: &Finding) -> bool {
    if !is_of_answers(known) || !is_of_answers(found) {
        // A move that the program does not know is missing, and is refused when it is to be played.
        let is_missing = |one: &Finding| matches!(one.verdict, Verdict::Refused | Verdict::NoAnswer);
        let is_same_group = known.group.is_some() && known.group == found.group;
        return known.verdict == found.verdict || is_same_group && (is_missing(known) || is_missing(found));
    }
    let (causes, models) = (&known.causes.models, &found.causes.models);
    let stays = |model: &Model| matches!(model, Model::Reading(reading) if reading.is_local());
    let never_repeats = [known, found].into_iter().all(|one| one.verdict == Verdict::NotRepeated);
    let is_same_cause = causes.iter().any(|model| models.contains(model))
        || (found.verdict == Verdict::NotRepeated && causes.iter().any(stays));
    let may_be_same = known.group == found.group && (causes.is_empty() || models.is_empty());
    never_repeats || is_same_cause || (may_be_same && (known.group.is_some() || kind(known) == kind(found)))
}

/// Whether a wrong answer shows the bug, and neither its text nor its absence does.
fn is_of_answers(finding: &Finding) -> bool {
    use Verdict::{Names, NoAnswer, Refused, Sum, Unread};
    !matches!(finding.verdict, Unread | NoAnswer | Refused | Sum | Names)
}

/// What is known about a wrong answer without a cause.
type Kind = (Verdict, Vec<WrongTheme>, Option<Group>);

fn kind(finding: &Finding) -> Kind {
    (finding.verdict, finding.themes(), finding.group)
}

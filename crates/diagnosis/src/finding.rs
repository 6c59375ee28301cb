//! From a wrong count to a bug of a source: the smallest position that shows it, its kind, and its cause.
//!
//! A wrong count is followed down to the positions where the source goes wrong:
//!
//! ```text
//!   start, depth 5: 4865609 expected, 4865611 found
//!     e2e4: right    d2d4: right    b1c3, depth 4: 2 too many       every wrong branch is followed,
//!                                     g8f6, depth 3: 1 too many     the smallest one first
//!                                       ...  depth 1: e5d6 is not legal: a fault
//! ```
//!
//! The descent ends in a position whose moves are wrong, in a position about which the source does not answer, or at a
//! contradiction. In a contradiction, the source counts a move wrong, but gives the right count when it is asked about
//! the position after that move.
//!
//! This position is asked about in other ways. If the answer is also wrong when the position is given as a FEN instead
//! of by moves, the source generates moves wrongly. Otherwise, making a move leaves the position of the source wrong. The
//! start of the game is moved forward to find the shortest sequence of moves that shows this.

use std::collections::BTreeSet;
use std::sync::Arc;

use perft_core::{Move, Position};

use crate::causes::{Causes, RightCount, explaining};
use crate::difference::{DivideDifference, Told, Verdict, WrongMove, WrongTheme, wrong_moves};
use crate::evidence::{Evidence, Group, Shared};
use crate::models::Model;
use crate::program::{Asked, Program};
use crate::shrink::try_shrink;
use crate::source::{MovePath, SourceError};

/// Is called with each fault, and returns whether to continue.
type Found<'a> = &'a mut dyn FnMut(&mut Program, Told) -> Asked<bool>;

/// Follows a wrong count to all its faults and passes each one to `found`. Returns whether to continue.
///
/// `contradiction` is the fault of the parent position. It is reported if the count of this position turns out to be
/// right. Otherwise the fault of this position is.
///
/// # Errors
/// Returns an error if no more questions may be asked, if the stop signal is raised, or if `found` fails.
pub(super) fn descend(
    program: &mut Program,
    path: &MovePath,
    depth: u32,
    contradiction: Option<&Told>,
    found: Found,
) -> Asked<bool> {
    let fault = program.compare(path, depth)?;
    if fault.is_right() {
        return contradiction.map_or(Ok(true), |fault| found(program, fault.clone()));
    }
    match fault.first_verdict() {
        Verdict::NoAnswer | Verdict::Refused => return follow_missing(program, fault, found),
        // At depth 1, there are no questions about the positions below a move.
        Verdict::Contradiction if depth > 1 => {}
        _ => return found(program, fault),
    }
    let wrong = &fault.difference.wrong;
    let mut below: Vec<(u128, Move)> = wrong.iter().map(|wrong| (wrong.ours, wrong.played)).collect();
    let first = below.first().map(|(_, played)| *played);
    if below.is_empty() {
        // Only a total is known. So the number of moves is asked for, and then the count below each of them.
        let number = program.compare(path, 1)?;
        if number.difference.is_wrong() {
            return found(program, number);
        }
        for played in path.end.legal_moves() {
            if !program.is_right(&path.played(played), depth - 1)? {
                below.push((0, played));
            }
        }
    }
    if below.is_empty() {
        return found(program, fault);
    }
    // Those with few leaf nodes come first.
    below.sort_by_key(|(nodes, _)| *nodes);
    for (_, played) in below {
        let contradiction = Some(&fault).filter(|_| first == Some(played));
        if !descend(program, &path.played(played), depth - 1, contradiction, found)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reports the missing answer at the smallest depth that shows it. A wrong answer at a smaller depth may show the cause,
/// so it is followed too.
fn follow_missing(program: &mut Program, fault: Told, found: Found) -> Asked<bool> {
    for depth in 1..fault.depth {
        let told = program.compare(&fault.path, depth)?;
        if told.difference.error.is_some() {
            return found(program, told);
        }
        if !told.is_right() {
            return Ok(found(program, fault)? && descend(program, &told.path, depth, None, found)?);
        }
    }
    found(program, fault)
}

/// A bug of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The smallest position and the shortest path that were found to show the bug.
    pub fault: Told,
    /// The kind of the bug.
    pub verdict: Verdict,
    /// The moves that the source lists although they are not legal, and those that its list lacks.
    pub wrong_moves: Vec<WrongMove>,
    /// The causes: the models that reproduce all answers about the position. Empty if none does.
    pub causes: Causes,
    /// What the wrong answers that belong to the bug have in common.
    pub in_common: Vec<Shared>,
    /// The number of the group of these facts.
    pub(crate) group: Option<Group>,
    /// The answer of a new start of the source to the same question, if the verdict is [`Verdict::NotRepeated`].
    pub other: Option<DivideDifference>,
    /// The path on which the bug was first found.
    pub origin: MovePath,
    /// The number of positions that show the bug.
    pub times: u64,
    /// A line in EPD for a test suite: the position that reproduces the bug, and its correct counts.
    pub epd: String,
    /// Whether the source got the castling rights as letters of files.
    pub gets_file_letters: bool,
}

impl Finding {
    /// Asks about a fault in other ways and returns the kind of bug.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(super) fn examine(program: &mut Program, fault: Told) -> Asked<Finding> {
        let origin = fault.path.clone();
        let (fault, verdict) = match fault.first_verdict() {
            Verdict::Generation => {
                let fault = find_smallest_depth(program, fault)?;
                if is_right_at_depth_1(program, &fault)? {
                    (fault, Verdict::Unmake)
                } else {
                    let (fault, verdict) = find_shortest_path(program, fault)?;
                    (find_listed_moves(program, fault)?, verdict)
                }
            }
            Verdict::Contradiction => (find_smallest_contradiction(program, fault)?, Verdict::Contradiction),
            verdict @ (Verdict::NoAnswer | Verdict::Refused) => {
                (retry_without_moves(program, fault)?, verdict)
            }
            verdict => (fault, verdict),
        };
        Ok(Finding { origin, ..Finding::new(fault, verdict) })
    }

    /// Returns a finding about a fault that was not examined, because the hunt ended.
    pub(super) fn unfinished(fault: Told) -> Finding {
        let verdict = match fault.first_verdict() {
            verdict @ (Verdict::Unread | Verdict::NoAnswer | Verdict::Refused) => verdict,
            _ => Verdict::Unfinished,
        };
        Finding::new(fault, verdict)
    }

    pub(super) fn with_causes(fault: Told, causes: Causes) -> Finding {
        let verdict = verdict_of(&causes.models, Verdict::Pattern);
        let mut finding = Finding { causes, ..Finding::new(fault, verdict) };
        if verdict == Verdict::Pattern {
            finding.wrong_moves.clear();
        }
        finding
    }

    /// Returns a finding about a fault that a new start of the source does not show. `other` is the answer of the new
    /// start.
    pub(super) fn not_repeated(fault: Told, other: DivideDifference) -> Finding {
        Finding { other: Some(other), wrong_moves: Vec::new(), ..Finding::new(fault, Verdict::NotRepeated) }
    }

    fn new(fault: Told, verdict: Verdict) -> Finding {
        Finding {
            origin: fault.path.clone(),
            wrong_moves: named_moves(&fault),
            fault,
            verdict,
            causes: Causes::default(),
            in_common: Vec::new(),
            group: None,
            other: None,
            times: 1,
            epd: String::new(),
            gets_file_letters: false,
        }
    }

    /// Returns the last move before the counts become wrong, if the answers contradict each other.
    pub fn last_right(&self) -> Option<Move> {
        let contradicts = matches!(self.verdict, Verdict::Contradiction | Verdict::Unmake);
        self.fault.difference.last_right.filter(|_| contradicts)
    }

    /// Returns the distinct themes of the wrong moves, and for each whether its move is missing.
    pub fn themes(&self) -> Vec<WrongTheme> {
        let themes: BTreeSet<WrongTheme> = self.wrong_moves.iter().map(WrongMove::key).collect();
        themes.into_iter().collect()
    }

    pub(crate) fn of_group(&self, group: Option<Group>, evidence: &Evidence) -> Finding {
        let in_common = group.map(|group| evidence.shared(group)).unwrap_or_default();
        Finding { in_common, group, ..self.clone() }
    }

    /// Finds the cause, and whether the code that counts the last ply is the reason for a wrong count of depth 1.
    /// `wrong` are wrong answers that belong to the same bug: a cause of some of them is not told. `others` are right answers
    /// about other positions.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(super) fn explain(
        &mut self,
        program: &mut Program,
        wrong: &[Told],
        others: &[Arc<RightCount>],
    ) -> Asked<()> {
        if matches!(self.verdict, Verdict::Sum | Verdict::Unread | Verdict::NoAnswer | Verdict::Refused) {
            return Ok(());
        }
        if self.verdict == Verdict::Generation && !self.fault.difference.knows_moves() {
            self.verdict = judge_at_depth_2(program, &self.fault)?;
        }
        self.causes = Causes::find(program, &self.fault, others)?;
        self.causes.keep_sharing(wrong, &program.stop)?;
        self.verdict = verdict_of(&self.causes.models, self.verdict);
        if self.verdict == Verdict::Reading {
            // The moves are those of another position.
            self.wrong_moves.clear();
        }
        Ok(())
    }

    /// Removes everything from the root position that the bug does not need. The smaller position must show the same
    /// bug: it belongs to the same group or, without a group, has a wrong move for the same reason. A possible position
    /// does not become an impossible one. If models give the wrong answer, at least one of them must also give that about
    /// the smaller position.
    ///
    /// # Errors
    /// Returns an error if no more questions may be asked, or if the stop signal is raised.
    pub(super) fn shrink(&mut self, program: &mut Program, evidence: &Evidence) -> Asked<()> {
        if matches!(self.verdict, Verdict::Unread) {
            return Ok(());
        }
        let told = program.known(&self.fault.path, self.fault.depth).filter(|told| told.is_small());
        let models = told.and_then(|told| explaining(Model::all().collect(), told, &program.stop).ok());
        let mut models = models.unwrap_or_default();
        // The length of a list says nothing about a smaller position.
        models.retain(|model| !matches!(model, Model::ListEnds(_)));
        let (smallest, outcome) = try_shrink(&self.fault.path.root, |root| {
            let Some(fault) = self.with_other_root(program, root, evidence)? else { return Ok(None) };
            let told = program.known(&fault.path, fault.depth);
            let is_given = |told: &Told| models.iter().any(|model| model.gives(told) == Some(true));
            let is_same = models.is_empty() || told.is_none_or(is_given);
            Ok(Some(fault).filter(|_| is_same))
        });
        if let Some(fault) = smallest {
            self.wrong_moves = named_moves(&fault);
            self.fault = fault;
        }
        outcome
    }

    /// Returns the fault after the same moves from another root, or `None` if the bug does not show there.
    fn with_other_root(
        &self,
        program: &mut Program,
        root: &Position,
        evidence: &Evidence,
    ) -> Asked<Option<Told>> {
        let Some(path) = self.fault.path.replayed_from(root) else { return Ok(None) };
        let told = program.compare(&path, self.fault.depth)?;
        let difference = &told.difference;
        let is_same = match self.verdict {
            Verdict::NoAnswer | Verdict::Refused => difference.is_same_as(&self.fault.difference),
            Verdict::Sum => difference.contradicts_itself && difference.is_wrong(),
            Verdict::Contradiction => is_contradiction(program, &told)?,
            _ => self.is_same_bug(program, &told, evidence)?,
        };
        Ok(is_same.then_some(told))
    }

    fn is_same_bug(&self, program: &mut Program, told: &Told, evidence: &Evidence) -> Asked<bool> {
        let Told { path, difference, .. } = told;
        let themes = self.themes();
        let has_theme = |wrong: &WrongMove| themes.contains(&wrong.key());
        let is_same = match self.group {
            Some(group) => evidence.groups_of(told).contains(&group),
            None => themes.is_empty() || wrong_moves(&path.end, difference).iter().any(has_theme),
        };
        if !difference.is_wrong() || !is_same {
            return Ok(false);
        }
        match self.verdict {
            Verdict::Make => program.is_right(&path.without_moves(), self.fault.depth),
            Verdict::Unmake => program.is_right(path, 1),
            _ => Ok(true),
        }
    }
}

/// Returns the moves that an answer lists although they are not legal, and those that its list lacks.
fn named_moves(fault: &Told) -> Vec<WrongMove> {
    if !fault.difference.unread.is_empty() {
        return Vec::new();
    }
    let mut named = wrong_moves(&fault.path.end, &fault.difference);
    for WrongMove { text, why, .. } in named.iter_mut().filter(|wrong| wrong.is_missing) {
        let is_bare =
            |listed: &String| text.strip_prefix(listed.as_str()).is_some_and(|letter| letter.len() == 1);
        if let Some((listed, _)) = fault.answer.moves.iter().find(|(listed, _)| is_bare(listed)) {
            why.text = format!("{text} is not listed; {listed} is, without the letter of the new piece");
        }
    }
    named
}

/// Whether the source lists the right moves at depth 1. Then counting has changed the moves of a deeper answer.
fn is_right_at_depth_1(program: &mut Program, fault: &Told) -> Asked<bool> {
    if fault.depth == 1 || !fault.difference.knows_moves() || !program.abilities().can_ask(1) {
        return Ok(false);
    }
    let told = program.compare(&fault.path, 1)?;
    Ok(told.is_right() && told.difference.knows_moves())
}

/// Returns the kind of bug that all models have in common, or otherwise the given one.
fn verdict_of(models: &[Model], otherwise: Verdict) -> Verdict {
    let kind = |model: &Model| match model {
        model if model.hides_others() => Verdict::Pattern,
        Model::Draw(_) => Verdict::Draw,
        Model::Reading(_) => Verdict::Reading,
        Model::Rule(rule) if rule.is_of_last_ply() => Verdict::LastPly,
        Model::Rule(rule)
            if rule.mutation.topic() == "unmaking moves" && otherwise == Verdict::Contradiction =>
        {
            Verdict::Unmake
        }
        _ => otherwise,
    };
    let Some((first, others)) = models.split_first() else { return otherwise };
    let first = kind(first);
    if others.iter().all(|model| kind(model) == first) { first } else { otherwise }
}

/// Returns the fault at the smallest depth that shows it. The answer there must say as much about the moves.
fn find_smallest_depth(program: &mut Program, fault: Told) -> Asked<Told> {
    for depth in 1..fault.depth {
        let told = program.compare(&fault.path, depth)?;
        let difference = &told.difference;
        if difference.is_wrong() && (difference.knows_moves() || !fault.difference.knows_moves()) {
            return Ok(told);
        }
    }
    Ok(fault)
}

/// Returns the fault on the shortest path to the same end that shows it, and the verdict.
fn find_shortest_path(program: &mut Program, mut fault: Told) -> Asked<(Told, Verdict)> {
    for skipped in (1..=fault.path.moves.len()).rev() {
        let told = program.compare(&fault.path.without_first(skipped), fault.depth)?;
        if told.difference.is_wrong() {
            fault = told;
            break;
        }
    }
    if fault.path.moves.is_empty() || is_wrong_with_en_passant(program, &fault)? {
        return Ok((fault, Verdict::Generation));
    }
    Ok((fault, Verdict::Make))
}

/// Whether the answer is also wrong if the FEN of the end names the square that the last move has passed. A position
/// leaves this square out if no pawn attacks it, but a program may keep it.
fn is_wrong_with_en_passant(program: &mut Program, fault: &Told) -> Asked<bool> {
    let unusable = fault.path.passed_square().filter(|_| fault.path.end.en_passant().is_none());
    let path = MovePath { unusable, ..fault.path.without_moves() };
    Ok(unusable.is_some() && program.compare(&path, fault.depth)?.difference.is_wrong())
}

/// Returns whether a source that lists no moves generates the moves of a position wrongly, or counts those of the last
/// ply wrongly. At depth 2, the counts of the legal moves add up to its total only if it has made these moves and no
/// others. A move without replies would not show in the sum. This question is asked after a new start. So its answer is not
/// that of an earlier position, which some programs keep if they cannot read a FEN.
fn judge_at_depth_2(program: &mut Program, fault: &Told) -> Asked<Verdict> {
    let path = &fault.path;
    if fault.depth != 1 || !program.abilities().can_ask(2) {
        return Ok(Verdict::GenerationOrLastPly);
    }
    let whole = program.compare_afresh(path, 2)?.difference;
    let (mut sum, mut has_replies, mut is_answered) = (0, true, whole.error.is_none());
    for played in path.end.legal_moves() {
        if !is_answered {
            break;
        }
        let below = program.compare(&path.played(played), 1)?.difference;
        is_answered = below.error.is_none();
        sum += below.theirs;
        has_replies &= below.theirs > 0;
    }
    Ok(match (sum == whole.theirs, has_replies) {
        _ if !is_answered => Verdict::GenerationOrLastPly,
        (false, _) => Verdict::Generation,
        (true, true) => Verdict::LastPly,
        (true, false) => Verdict::GenerationOrLastPly,
    })
}

/// Returns the fault at depth 2 if the source lists moves there but not at depth 1, and the moves show the fault.
fn find_listed_moves(program: &mut Program, fault: Told) -> Asked<Told> {
    if fault.difference.knows_moves() || !program.abilities().can_ask(2) {
        return Ok(fault);
    }
    let told = program.compare(&fault.path, 2)?;
    let shows_it = told.difference.is_wrong() && !told.difference.has_right_moves();
    Ok(if shows_it { told } else { fault })
}

/// Returns the missing answer without the moves of the path, if the source does not answer there either. A question
/// that timed out is not asked again.
fn retry_without_moves(program: &mut Program, fault: Told) -> Asked<Told> {
    let is_slow = matches!(fault.difference.error, Some(SourceError::TimedOut(..)));
    if fault.path.moves.is_empty() || is_slow {
        return Ok(fault);
    }
    let told = program.compare(&fault.path.without_moves(), fault.depth)?;
    Ok(if told.difference.error.is_some() { told } else { fault })
}

/// Returns the contradiction without the moves of the path if possible, and then at the smallest depth.
fn find_smallest_contradiction(program: &mut Program, fault: Told) -> Asked<Told> {
    for path in [fault.path.without_moves(), fault.path.clone()] {
        for depth in 2..=fault.depth {
            let told = program.compare(&path, depth)?;
            if is_contradiction(program, &told)? {
                return Ok(told);
            }
        }
    }
    Ok(fault)
}

/// Whether the first move with a wrong count has the right count when the source is asked about it directly. If the
/// answer has only a total: whether this total is wrong, and the number of moves and their counts are right.
fn is_contradiction(program: &mut Program, told: &Told) -> Asked<bool> {
    let Told { path, depth, difference, .. } = told;
    if !difference.is_wrong() || !difference.has_right_moves() {
        return Ok(false);
    }
    if let Some(wrong) = difference.wrong.first() {
        return program.is_right(&path.played(wrong.played), depth - 1);
    }
    if difference.lists_moves || !program.is_right(path, 1)? {
        return Ok(false);
    }
    for played in path.end.legal_moves() {
        if !program.is_right(&path.played(played), depth - 1)? {
            return Ok(false);
        }
    }
    Ok(true)
}

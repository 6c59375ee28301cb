//! The first questions of a hunt: the moves of many positions, and the small counts of its targets, from cheap to dear.
//!
//! Nothing is examined yet. The answers show what the wrong ones have in common ([`Evidence`]), so that each bug is
//! named once. The answers are kept: a question is not asked twice.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Condvar, LazyLock, Mutex, OnceLock, PoisonError};

use perft_core::internals::is_possible;
use perft_core::suite::builtin;
use perft_core::{CastlingNotation, Position, StopSignal};

use crate::causes::RightAnswer;
use crate::checked_source::{Asked, CheckedSource};
use crate::difference::Told;
use crate::evidence::{Evidence, Group};
use crate::generated::{alone, pairs, paths};
use crate::hunt::RIGHT_NODES;
use crate::random::{Random, choose};
use crate::search::lock;
use crate::source::{MovePath, SourceError};
use crate::target::{HuntTarget, counts_to};

/// The number of replies to each position of the suites whose moves are asked for too.
const REPLIES: usize = 6;

/// The number of targets whose small counts are asked for.
const TARGETS: usize = 1_000;

/// The largest right count of these questions.
const MAX_NODES: f64 = 2_000.0;

/// The number of questions without an answer, one after another, after which no more are asked.
const UNANSWERED: u32 = 3;

/// The number of refused questions after which no more are asked. A refusal takes long: the end of the answer is not
/// known.
const REFUSED: usize = 24;

/// The number of positions after which no more are asked for if all answers are wrong.
const HOPELESS: usize = 20;

/// The number of positions from which on generated questions with moves and in pairs are asked. They have about as many
/// leaf nodes as the moves of these positions.
const WITH_GENERATED: usize = 500;

/// The number of wrong answers that are examined for each group of facts.
const EXAMINED: usize = 2;

/// The positions whose moves are asked for: each piece alone on each square, those of the built-in suites, and after some
/// replies to each.
static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let mut random = Random::new(3);
    let cases = builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases);
    let mut positions: Vec<Position> = alone();
    for case in cases.filter(|case| case.position.castling_notation() == CastlingNotation::Standard) {
        let moves = case.position.legal_moves();
        let replies = (0..REPLIES).filter_map(|_| choose(&moves, random.number()));
        let after = replies.map(|played| case.position.play_legal(played));
        positions.extend([case.position].into_iter().chain(after).filter(is_possible));
    }
    let mut seen = HashSet::new();
    positions.retain(|position| seen.insert(*position));
    positions
});

/// The largest number of positions whose moves are asked for.
const MOST_POSITIONS: usize = 2_000;

/// The number of leaf nodes of a hunt for which the moves of one position are asked for: a tenth of its time is that of
/// the moves, which are about thirty.
const NODES_FOR_POSITION: u128 = 300;

/// Returns the number of positions whose moves a hunt asks for first, if its counts have this number of leaf nodes.
///
/// # Examples
/// ```
/// assert_eq!(perft_diagnosis::survey_for(30_000), 100);
/// assert_eq!(perft_diagnosis::survey_for(1_000_000_000), 2_000);
/// ```
pub fn survey_for(nodes: u128) -> usize {
    (nodes / NODES_FOR_POSITION).min(MOST_POSITIONS as u128) as usize
}

/// A question of the survey.
struct Question {
    path: MovePath,
    depth: u32,
    /// The number of the target that it belongs to.
    target: Option<usize>,
}

/// The questions of a survey, which several threads ask, and what their answers have shown.
pub(crate) struct Survey {
    /// Those of one item are asked one after the other in one process.
    questions: Mutex<std::vec::IntoIter<Vec<Question>>>,
    answers: Mutex<Answers>,
    is_finished: Condvar,
    surveyed: OnceLock<Surveyed>,
}

#[derive(Default)]
struct Answers {
    /// The number of threads that ask questions.
    asking: usize,
    /// The answers of each thread, in their order.
    told: Vec<Told>,
    /// The answers about targets: `None` if it is right.
    of_targets: HashMap<(usize, u32), Option<Told>>,
    wrong_targets: BTreeSet<usize>,
    positions: usize,
    /// The wrong answers about other positions.
    wrong: Vec<Told>,
}

/// What a survey has found.
pub(crate) struct Surveyed {
    pub evidence: Evidence,
    /// The answers about targets, by their number and the depth: `None` if it is right.
    pub of_targets: HashMap<(usize, u32), Option<Told>>,
    /// The right answers.
    pub right: Vec<Arc<RightAnswer>>,
    /// The smallest wrong answers of each group.
    pub wrong: BTreeMap<Group, Vec<Told>>,
    /// The wrong answers that are examined first.
    pub examined: Vec<Told>,
    /// The numbers of the first targets in the order in which they are examined.
    order: Vec<usize>,
    /// The targets that are examined last: what has nothing in common may be a consequence of what has.
    last: Mutex<Vec<HuntTarget>>,
    /// The wrong answers about moves that are not examined.
    pub others: Vec<Told>,
    /// The number of positions whose moves were asked for, without the examined ones.
    pub positions: usize,
}

impl Survey {
    /// Returns the questions: the moves of up to `positions` positions, and then the small counts of the first targets.
    pub fn new(
        positions: usize,
        target: &(dyn Fn(usize) -> Option<HuntTarget> + Sync),
        stop: &StopSignal,
    ) -> Survey {
        let question = |path, depth| Question { path, depth, target: None };
        let mut of_targets: Vec<(u128, Question)> = Vec::new();
        for (number, target) in (0..TARGETS).map_while(|number| Some((number, target(number)?))) {
            if target.path.notation() == CastlingNotation::Standard {
                let deepest = target.depths.iter().copied().max().unwrap_or_default();
                let counts = counts_to(&target.path.end, deepest, MAX_NODES, stop);
                of_targets.extend(target.depths.iter().filter_map(|&depth| {
                    let nodes = *counts.get((depth as usize).checked_sub(1)?)?;
                    let question = Question { path: target.path.clone(), depth, target: Some(number) };
                    (nodes as f64 <= MAX_NODES).then_some((nodes, question))
                }));
            }
        }
        of_targets.sort_by_key(|(nodes, question)| (question.depth, *nodes));
        let positions = positions.min(POSITIONS.len());
        let moves = (0..positions).map(|number| POSITIONS[number * POSITIONS.len() / positions]);
        let mut all: Vec<Vec<Question>> =
            moves.map(|position| vec![question(MovePath::new(position), 1)]).collect();
        if positions >= WITH_GENERATED {
            all.extend(paths().into_iter().map(|path| vec![question(path, 1)]));
            let pair = |pair: [_; 2]| pair.map(|(path, depth)| question(path, depth)).into();
            all.extend(pairs().into_iter().map(pair));
        }
        all.extend(of_targets.into_iter().map(|(_, question)| vec![question]));
        Survey {
            questions: Mutex::new(all.into_iter()),
            answers: Mutex::default(),
            is_finished: Condvar::new(),
            surveyed: OnceLock::new(),
        }
    }

    /// Asks one question after another until there are no more. Then waits until the other threads have their answers
    /// too.
    pub fn ask(&self, source: &mut CheckedSource) {
        lock(&self.answers).asking += 1;
        let mut told = Vec::new();
        // An interruption is noticed by the search.
        let _ = self.ask_all(source, &mut told);
        let mut answers = lock(&self.answers);
        answers.told.append(&mut told);
        answers.asking -= 1;
        if answers.asking == 0 {
            self.surveyed.get_or_init(|| std::mem::take(&mut *answers).surveyed());
            self.is_finished.notify_all();
        }
        let is_unfinished = |_: &mut Answers| self.surveyed.get().is_none();
        let waited = self.is_finished.wait_while(answers, is_unfinished);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Returns what the answers have shown.
    ///
    /// # Panics
    /// Panics if [`Survey::ask`] has not returned yet.
    pub fn surveyed(&self) -> &Surveyed {
        self.surveyed.get().expect("the survey is finished")
    }

    /// Whether all answers about moves are wrong. Then more of them say nothing new.
    fn is_hopeless(&self) -> bool {
        let answers = lock(&self.answers);
        answers.positions >= HOPELESS && answers.positions == answers.wrong.len()
    }

    fn ask_all(&self, source: &mut CheckedSource, told: &mut Vec<Told>) -> Asked<()> {
        let (mut unanswered, mut refused) = (0, 0);
        while unanswered < UNANSWERED && refused < REFUSED && !self.is_hopeless() {
            let Some(questions) = lock(&self.questions).next() else { break };
            for question in questions {
                let answer = self.ask_one(source, question)?;
                match answer.as_ref().and_then(|answer| answer.difference.error.as_ref()) {
                    Some(SourceError::Refused(_)) => (refused, unanswered) = (refused + 1, 0),
                    Some(_) => unanswered += 1,
                    None => unanswered = 0,
                }
                told.extend(answer);
            }
        }
        Ok(())
    }

    /// Returns the answer to a question, or its error. There is none if the question is not asked or if its answer is not
    /// understood.
    fn ask_one(
        &self,
        source: &mut CheckedSource,
        Question { path, depth, target }: Question,
    ) -> Asked<Option<Told>> {
        let is_left_out = |number: usize| lock(&self.answers).wrong_targets.contains(&number);
        let path = if source.abilities.plays_moves { path } else { path.without_moves() };
        if target.is_some_and(is_left_out) || !source.abilities.can_ask(depth) {
            return Ok(None);
        }
        let answer = source.compare(&path, depth)?;
        let understood = std::mem::take(&mut source.told).into_iter().next();
        let heard =
            understood.or_else(|| Some(answer.clone()).filter(|told| told.difference.error.is_some()));
        let (is_right, mut answers) = (answer.is_right(), lock(&self.answers));
        match target {
            Some(target) => {
                if !is_right {
                    answers.wrong_targets.insert(target);
                }
                answers.of_targets.insert((target, depth), (!is_right).then_some(answer));
            }
            None => {
                answers.positions += 1;
                answers.wrong.extend((!is_right).then_some(answer));
            }
        }
        Ok(heard)
    }
}

/// What a survey knows about the answer to a question of a target.
pub(crate) enum Known<'a> {
    Right,
    Wrong(&'a Told),
    Unknown,
}

impl Surveyed {
    /// Returns the next target that is examined after all others.
    pub fn next_of_last(&self) -> Option<HuntTarget> {
        lock(&self.last).pop()
    }

    /// Returns the number of the target that is examined as this one, after the examined answers about moves.
    pub fn target(&self, number: usize) -> usize {
        let number = number - self.examined.len();
        self.order.get(number).copied().unwrap_or(number)
    }

    /// Returns what is known about the answer to a question of a target. The examined answers about moves are the first
    /// targets.
    pub fn known(&self, number: usize, depth: u32) -> Known<'_> {
        if let Some(told) = self.examined.get(number) {
            return Known::Wrong(told);
        }
        match self.of_targets.get(&(self.target(number), depth)) {
            Some(Some(told)) => Known::Wrong(told),
            Some(None) => Known::Right,
            None => Known::Unknown,
        }
    }
}

impl Answers {
    /// Returns the numbers of the targets in the order in which they are examined: first those with a wrong answer that
    /// has something in common with others, and last those with one that has not.
    fn order(&self, evidence: &Evidence) -> Vec<usize> {
        let asked = self.of_targets.keys().map(|(target, _)| target + 1).max().unwrap_or_default();
        let mut ranks = vec![1; asked];
        for ((target, _), told) in self.of_targets.iter().filter(|_| !evidence.groups().is_empty()) {
            if let Some(told) = told {
                ranks[*target] = if evidence.groups_of(told).is_empty() { 2 } else { 0 };
            }
        }
        let mut order: Vec<usize> = (0..asked).collect();
        order.sort_by_key(|&target| ranks[target]);
        order
    }

    fn surveyed(self) -> Surveyed {
        let evidence = Evidence::of(&self.told);
        let of_group = |group| (group, evidence.smallest(group, &self.told));
        let wrong = evidence.groups().into_iter().map(of_group).collect();
        let order = self.order(&evidence);
        let [examined, last, others] = examined(&evidence, self.wrong);
        let number = examined.len() + last.len();
        let target = |told: Told| HuntTarget { path: told.path, depths: vec![told.depth] };
        let is_kept = |told: &Told| told.is_right() && told.difference.ours <= RIGHT_NODES;
        let right = self.told.into_iter().filter(is_kept);
        Surveyed {
            wrong,
            examined,
            order,
            last: Mutex::new(last.into_iter().rev().map(target).collect()),
            evidence,
            right: right.map(RightAnswer::new).map(Arc::new).collect(),
            of_targets: self.of_targets,
            positions: self.positions - number,
            others,
        }
    }
}

/// Returns the wrong answers that are examined, first and last, and the others. The smallest ones of each group are
/// first, and those without a group last. If there is no group, these are examined first.
fn examined(evidence: &Evidence, wrong: Vec<Told>) -> [Vec<Told>; 3] {
    let mut wrong: Vec<(Vec<Group>, Told)> =
        wrong.into_iter().map(|told| (evidence.groups_of(&told), told)).collect();
    wrong.sort_by_key(|(_, told)| (told.depth, told.path.end.occupied().count()));
    let mut taken: BTreeMap<Vec<Group>, usize> = BTreeMap::new();
    let mut parts = [const { Vec::new() }; 3];
    for (groups, told) in wrong {
        let is_last = groups.is_empty() && !evidence.groups().is_empty();
        let number = taken.entry(groups).or_default();
        *number += 1;
        parts[if *number > EXAMINED { 2 } else { usize::from(is_last) }].push(told);
    }
    parts
}

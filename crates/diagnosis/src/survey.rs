//! The first questions of a hunt: the moves of many positions, and the small counts of its targets, from cheap to dear.
//!
//! Nothing is examined yet. The answers show what the wrong ones have in common ([`Evidence`]), so that each bug is
//! named once. The answers are kept: a question is not asked twice.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, RwLock};

use perft_core::internals::is_possible;
use perft_core::suite::builtin;
use perft_core::{CastlingNotation, Position, StopSignal};

use crate::causes::{RIGHT_NODES, RightCount};
use crate::difference::Told;
use crate::evidence::{Evidence, Group};
use crate::generated::{alone, pairs, paths};
use crate::program::{Asked, Program};
use crate::random::{Random, choose};
use crate::search::lock;
use crate::source::{MovePath, SourceError};
use crate::target::{HuntTarget, counts_to};

/// The number of replies to each position of the suites whose moves are asked for too.
const REPLIES: usize = 6;

/// The number of targets whose small counts are asked for.
pub(crate) const TARGETS: usize = 1_000;

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
struct SurveyQuestion {
    path: MovePath,
    depth: u32,
    /// The number of the target that it belongs to.
    target: Option<usize>,
}

/// The questions of a survey, which several threads ask, and what their answers have shown.
pub(crate) struct Survey {
    /// Those of one item are asked one after the other in one process.
    questions: Mutex<std::vec::IntoIter<Vec<SurveyQuestion>>>,
    pub targets: Vec<HuntTarget>,
    answers: Mutex<Answers>,
    /// Each thread holds it for reading while it asks. Who gets it for writing knows that no thread asks.
    asking: RwLock<()>,
    surveyed: OnceLock<Surveyed>,
}

/// Answers by their question: `None` if it is right.
type KnownAnswers = HashMap<(MovePath, u32), Option<Told>>;

#[derive(Default)]
struct Answers {
    /// The answers of each thread, in their order.
    told: Vec<Told>,
    known: KnownAnswers,
    /// The wrong answers about targets, by their number.
    wrong_targets: BTreeMap<usize, Told>,
    positions: usize,
    /// The wrong answers about other positions.
    wrong: Vec<Told>,
}

/// What a survey has found.
pub(crate) struct Surveyed {
    pub evidence: Evidence,
    pub known: KnownAnswers,
    /// The right answers.
    pub right: Vec<Arc<RightCount>>,
    /// The smallest wrong answers of each group.
    pub wrong: BTreeMap<Group, Vec<Told>>,
    /// What is examined first: wrong answers about moves, and the first targets.
    pub first_targets: Vec<HuntTarget>,
    /// The wrong answers about moves that are not examined.
    pub others: Vec<Told>,
    /// The number of positions whose moves were asked for, without the examined ones.
    pub positions: usize,
}

impl Survey {
    /// Returns the questions: the moves of up to `positions` positions, and then the small counts of the first targets.
    pub fn new(positions: usize, targets: Vec<HuntTarget>, stop: &StopSignal) -> Survey {
        let question = |path, depth| SurveyQuestion { path, depth, target: None };
        let mut of_targets: Vec<(u128, SurveyQuestion)> = Vec::new();
        for (number, target) in targets.iter().enumerate() {
            if target.path.notation() == CastlingNotation::Standard {
                let deepest = target.depths.iter().copied().max().unwrap_or_default();
                let counts = counts_to(&target.path.end, deepest, MAX_NODES, stop);
                of_targets.extend(target.depths.iter().filter_map(|&depth| {
                    let nodes = *counts.get((depth as usize).checked_sub(1)?)?;
                    let question = SurveyQuestion { path: target.path.clone(), depth, target: Some(number) };
                    (nodes as f64 <= MAX_NODES).then_some((nodes, question))
                }));
            }
        }
        of_targets.sort_by_key(|(nodes, question)| (question.depth, *nodes));
        let positions = positions.min(POSITIONS.len());
        let moves = (0..positions).map(|number| POSITIONS[number * POSITIONS.len() / positions]);
        let mut all: Vec<Vec<SurveyQuestion>> =
            moves.map(|position| vec![question(MovePath::new(position), 1)]).collect();
        if positions >= WITH_GENERATED {
            all.extend(paths().into_iter().map(|path| vec![question(path, 1)]));
            let pair = |pair: [_; 2]| pair.map(|(path, depth)| question(path, depth)).into();
            all.extend(pairs().into_iter().map(pair));
        }
        all.extend(of_targets.into_iter().map(|(_, question)| vec![question]));
        Survey {
            questions: Mutex::new(all.into_iter()),
            targets,
            answers: Mutex::default(),
            asking: RwLock::new(()),
            surveyed: OnceLock::new(),
        }
    }

    /// Asks one question after another until there are no more. Then waits until the other threads have their answers
    /// too.
    pub fn ask(&self, program: &mut Program) {
        let asking = self.asking.read().unwrap_or_else(PoisonError::into_inner);
        let mut told = Vec::new();
        // An interruption is noticed by the search.
        let _ = self.ask_all(program, &mut told);
        lock(&self.answers).told.append(&mut told);
        drop(asking);
        // Waits until no thread asks.
        let _none = self.asking.write().unwrap_or_else(PoisonError::into_inner);
        self.surveyed.get_or_init(|| std::mem::take(&mut *lock(&self.answers)).surveyed(&self.targets));
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

    fn ask_all(&self, program: &mut Program, told: &mut Vec<Told>) -> Asked<()> {
        let (mut unanswered, mut refused) = (0, 0);
        while unanswered < UNANSWERED && refused < REFUSED && !self.is_hopeless() {
            let Some(questions) = lock(&self.questions).next() else { break };
            for question in questions {
                let answer = self.ask_one(program, question)?;
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
    fn ask_one(&self, program: &mut Program, question: SurveyQuestion) -> Asked<Option<Told>> {
        let SurveyQuestion { path, depth, target } = question;
        let is_left_out = |number: usize| lock(&self.answers).wrong_targets.contains_key(&number);
        let abilities = program.abilities();
        let path = if abilities.plays_moves { path } else { path.without_moves() };
        if target.is_some_and(is_left_out) || !abilities.can_ask(depth) {
            return Ok(None);
        }
        let answer = program.compare(&path, depth)?;
        let understood = std::mem::take(&mut program.told).into_iter().next();
        let heard =
            understood.or_else(|| Some(answer.clone()).filter(|told| told.difference.error.is_some()));
        let mut answers = lock(&self.answers);
        answers.positions += usize::from(target.is_none());
        let wrong = Some(answer).filter(|answer| !answer.is_right());
        answers.known.insert((path, depth), wrong.clone());
        match (target, wrong) {
            (Some(target), Some(wrong)) => drop(answers.wrong_targets.insert(target, wrong)),
            (_, wrong) => answers.wrong.extend(wrong),
        }
        Ok(heard)
    }
}

impl Answers {
    fn surveyed(mut self, targets: &[HuntTarget]) -> Surveyed {
        let evidence = Evidence::of(&self.told);
        let of_group = |group| (group, evidence.smallest(group, &self.told));
        let wrong: BTreeMap<_, _> = evidence.groups().into_iter().map(of_group).collect();
        // What has nothing in common with others may be a consequence of what has, and is examined last.
        let rank = |groups: &[Group]| if groups.is_empty() && !wrong.is_empty() { 2 } else { 0 };
        let (mut first_targets, mut others) = (Vec::new(), Vec::new());
        let mut taken: BTreeMap<Vec<Group>, usize> = BTreeMap::new();
        self.wrong
            .sort_by_key(|told| (told.depth, !told.path.moves.is_empty(), told.path.end.occupied().count()));
        for told in self.wrong {
            let groups = evidence.groups_of(&told);
            // What refuses a move says less than what lacks it.
            let rank = rank(&groups).max(told.difference.error.is_some().into());
            let number = taken.entry(groups).or_default();
            *number += 1;
            match *number > EXAMINED {
                true => others.push(told),
                false => first_targets.push((rank, HuntTarget { path: told.path, depths: vec![told.depth] })),
            }
        }
        let positions = self.positions - first_targets.len();
        // A target with a wrong answer has the rank of its groups, like every wrong answer.
        for (number, target) in targets.iter().enumerate() {
            let told = self.wrong_targets.get(&number).filter(|_| !wrong.is_empty());
            first_targets.push((told.map_or(1, |told| rank(&evidence.groups_of(told))), target.clone()));
        }
        first_targets.sort_by_key(|(rank, _)| *rank);
        let is_kept = |told: &Told| told.is_right() && told.difference.ours <= RIGHT_NODES;
        let right = self.told.into_iter().filter(is_kept);
        Surveyed {
            wrong,
            first_targets: first_targets.into_iter().map(|(_, target)| target).collect(),
            evidence,
            right: right.map(RightCount::new).map(Arc::new).collect(),
            known: self.known,
            positions,
            others,
        }
    }
}

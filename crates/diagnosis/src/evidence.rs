//! What the first answers of a hunt have in common, before any bug is named.
//!
//! Questions of depth 1 say most: each legal move is a sample that is missing or not, and each move that looks legal and
//! is not is a sample that is extra or not. Counts of greater depths show what the moves do not: making and taking back
//! moves, tables, the last ply. Each property that separates wrong samples from right ones is a [`Shared`] fact. Facts
//! about the same wrong answers belong to one bug: they are a *group*.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use perft_core::internals::grouped;
use perft_core::{Move, Square};

use crate::difference::{DivideDifference, Told};
use crate::in_common::{InCommon, in_common};
use crate::properties::{LINE, Property, PropertySet, View};
use crate::source::MovePath;
use crate::source::notation::indices_meant;

/// The largest right count of a question whose tree is looked at.
const MAX_NODES: u128 = 20_000;

/// The number of wrong answers that are looked at to see whether wrong moves explain them.
const SAMPLE: usize = 12;

/// How likely it may be that wrong answers have the property of others by chance, if they are taken to be of one bug.
const BY_CHANCE: f64 = 1e-4;

/// The largest number of wrong answers that count against chance. They have much in common, so more of them prove no more.
const AGAINST_CHANCE: usize = 6;

/// The number of moves that do not look legal that are told.
const ODD_MOVES: usize = 3;

/// The kind of samples that a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum About {
    /// Answers that are wrong.
    Answers,
    /// Questions that are not answered.
    Unanswered,
    /// Legal moves that are not listed.
    Missing,
    /// Legal moves that are listed more than once.
    Repeated,
    /// Moves that look legal and are not, and that are listed.
    Extra,
}

impl About {
    /// Returns the name in JSON, and the words for the samples and for the wrong ones.
    pub(crate) const fn texts(self) -> [&'static str; 3] {
        match self {
            About::Answers => ["answers", "answers", "wrong"],
            About::Unanswered => ["unanswered", "questions", "not answered"],
            About::Missing => ["missing", "legal moves", "missing"],
            About::Repeated => ["repeated", "legal moves", "listed twice"],
            About::Extra => ["extra", "illegal moves", "listed"],
        }
    }
}

/// A fact about wrong answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shared {
    /// What wrong samples have in common.
    Property(About, InCommon),
    /// The most frequent moves that are listed and do not even look legal, with the number of answers that list each, and
    /// the number of different ones.
    NotMoves(Vec<(String, usize)>, usize),
    /// All wrong moves, of which this is the number, go from the first square to the second one, or leave a king on the
    /// first square to a piece on the second one.
    Line(Square, Square, usize),
}

impl Display for Shared {
    /// Writes a sentence without a full stop: `73 of 100 answers with castling are wrong, and 0 of 619 others`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Shared::Property(about, found) => {
                let [_, samples, wrong] = about.texts();
                let of = |part: usize, all: usize| {
                    format!("{} of {}", grouped(part as u128), grouped(all as u128))
                };
                let (with, without) =
                    (of(found.wrong_with, found.with), of(found.wrong_without, found.without));
                write!(f, "{with} {samples} with {found} are {wrong}, and {without} without")
            }
            Shared::Line(from, to, moves) => write!(
                f,
                "each of the {moves} wrong moves goes from {from} to {to}, or leaves a king on {from} to a piece on {to}"
            ),
            Shared::NotMoves(moves, all) => {
                let one = |(text, times): &(String, usize)| format!("{text} ({})", grouped(*times as u128));
                let shown: Vec<String> = moves.iter().map(one).collect();
                let more = if *all > moves.len() { ", ..." } else { "" };
                write!(f, "moves are listed that do not even look legal: {}{more}", shown.join(", "))
            }
        }
    }
}

/// Returns what wrong answers have in common: of their moves, if they list moves, and of their questions. Facts about the
/// same wrong answers follow each other. Returns nothing if chance could be the reason.
///
/// # Examples
/// ```
/// use perft_core::suite::{self, Limits};
/// use perft_diagnosis::source::Answer;
/// use perft_diagnosis::{MovePath, Told, shared_facts};
///
/// // The program has no promotion to a bishop.
/// let without_bishops = |case: &suite::Case| {
///     let divide = case.position.divide(1);
///     let notation = case.position.castling_notation();
///     let moves = divide.iter().map(|root| (root.played.to_uci(notation), root.nodes));
///     let answer = Answer { moves: moves.filter(|(text, _)| !text.ends_with('b')).collect(), ..Answer::default() };
///     Told::new(MovePath::new(case.position), 1, divide, answer)
/// };
/// let told: Vec<Told> = suite::standard().cases.iter().map(without_bishops).collect();
/// let text = shared_facts(&told)[0].to_string();
/// assert!(text.contains("legal moves with a promotion to a bishop are missing, and 0 of "), "{text}");
/// ```
pub fn shared_facts(answers: &[Told]) -> Vec<Shared> {
    let evidence = Evidence::of(answers);
    evidence.groups().into_iter().flat_map(|group| evidence.shared(group)).collect()
}

/// The facts about wrong answers, in groups: one for each bug.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    facts: Vec<Fact>,
    /// The questions that were answered wrongly or not, each with the number of the first fact about it.
    questions: Vec<(MovePath, u32, usize)>,
}

#[derive(Debug)]
struct Fact {
    shared: Shared,
    /// The wrong answers that it is about.
    wrong: BTreeSet<usize>,
    /// What all its wrong moves look at.
    view: View,
    group: usize,
}

/// The number of a group of facts.
pub(crate) type Group = usize;

impl Evidence {
    /// Finds out what wrong answers have in common.
    pub fn of(told: &[Told]) -> Evidence {
        let mut evidence = Evidence::default();
        if told.iter().all(Told::is_right) {
            return evidence;
        }
        evidence.add_moves(told);
        let sets = sets_of(told);
        evidence.add_answers(About::Answers, told, &sets);
        evidence.add_answers(About::Unanswered, told, &sets);
        evidence.join_groups(told, &sets);
        for (place, told) in told.iter().enumerate() {
            let is_about = |fact: &Fact| fact.is_of_questions() && fact.wrong.contains(&place);
            let fact = evidence.facts.iter().position(is_about);
            evidence.questions.extend(fact.map(|fact| (told.path.clone(), told.depth, fact)));
        }
        evidence
    }

    /// Adds what wrong moves have in common.
    fn add_moves(&mut self, told: &[Told]) {
        let (mut all, mut odd) = ([const { Vec::new() }; 2], BTreeMap::new());
        for (answer, told) in told.iter().enumerate().filter(|(_, told)| told.depth == 1) {
            if let Some(samples) = Samples::of(told) {
                for (all, samples) in all.iter_mut().zip(samples.moves) {
                    all.extend(samples.into_iter().map(|sample| (answer, sample)));
                }
                for text in samples.odd {
                    odd.entry(text).or_insert_with(BTreeSet::new).insert(answer);
                }
            }
        }
        for (about, samples) in
            [(About::Missing, &all[0]), (About::Repeated, &all[0]), (About::Extra, &all[1])]
        {
            let judged = samples.iter().map(|(answer, (set, found))| (*answer, set, *found == Some(about)));
            self.add_common(about, &judged.collect::<Vec<_>>());
        }
        let all = all.iter().flatten().filter(|(_, (_, found))| found.is_some());
        let wrong: BTreeSet<usize> = all.clone().map(|(answer, _)| *answer).collect();
        let view = view_of(all.clone().map(|(_, (set, _))| set));
        if let [(from, to)] = view.range((LINE, 0)..).collect::<Vec<_>>()[..]
            && self.facts.is_empty()
            && odd.is_empty()
            && wrong.len() > 1
        {
            let line = Shared::Line(Square::ALL[from - LINE], Square::ALL[*to], all.count());
            self.add(line, wrong, view);
        }
        odd.retain(|_, answers: &mut BTreeSet<usize>| {
            answers.retain(|&answer| self.unplayed(&told[answer].path).is_none());
            !answers.is_empty()
        });
        if !odd.is_empty() {
            let wrong = odd.values().flatten().copied().collect();
            let mut moves: Vec<(String, usize)> =
                odd.into_iter().map(|(text, answers)| (text, answers.len())).collect();
            moves.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
            let all = moves.len();
            moves.truncate(ODD_MOVES);
            self.add(Shared::NotMoves(moves, all), wrong, View::default());
        }
    }

    /// Adds what wrong answers of all depths have in common, or questions without an answer.
    fn add_answers(&mut self, about: About, told: &[Told], sets: &[Option<PropertySet>]) {
        let is_unanswered = |told: &Told| told.difference.error.is_some();
        let is_wrong = |told: &Told| match about {
            About::Unanswered => is_unanswered(told),
            _ => told.difference.is_wrong(),
        };
        let all = sets.iter().zip(told).enumerate();
        let all = all.filter(|(_, (_, told))| about == About::Unanswered || !is_unanswered(told));
        let judged = all.filter_map(|(answer, (set, told))| Some((answer, set.as_ref()?, is_wrong(told))));
        self.add_common(about, &judged.collect::<Vec<_>>());
    }

    /// Adds what wrong samples have in common. Each sample has the number of its answer, its properties, and whether it is
    /// wrong.
    fn add_common(&mut self, about: About, samples: &[(usize, &PropertySet, bool)]) {
        let mut known: Vec<InCommon> = Vec::new();
        for common in in_common(samples.iter().map(|(_, set, is_wrong)| (*set, *is_wrong)).collect()) {
            let is_of_answers = matches!(about, About::Answers | About::Unanswered);
            if !is_of_answers && !common.separates_moves(samples) {
                continue;
            }
            let is_new = |set: &PropertySet| common.holds(set) && !known.iter().any(|known| known.holds(set));
            let wrong = samples.iter().filter(|(_, set, is_wrong)| *is_wrong && is_new(set));
            let view =
                if is_of_answers { View::default() } else { view_of(wrong.clone().map(|(_, set, _)| *set)) };
            let wrong = wrong.map(|(answer, ..)| *answer).collect();
            self.add(Shared::Property(about, common.clone()), wrong, view);
            known.push(common);
        }
    }

    fn add(&mut self, shared: Shared, wrong: BTreeSet<usize>, view: View) {
        self.facts.push(Fact { shared, wrong, view, group: self.facts.len() });
    }

    /// Puts facts into one group if they are about the same wrong answers.
    fn join_groups(&mut self, told: &[Told], sets: &[Option<PropertySet>]) {
        for first in 0..self.facts.len() {
            for second in first + 1..self.facts.len() {
                let (one, other) = (&self.facts[first], &self.facts[second]);
                if one.group != other.group && one.is_of_same_bug(other, told, sets) {
                    let (kept, joined) = (one.group, other.group);
                    let of_group = self.facts.iter_mut().filter(|fact| fact.group == joined);
                    of_group.for_each(|fact| fact.group = kept);
                }
            }
        }
    }

    /// Returns the groups that a wrong answer belongs to: those of its wrong moves, or otherwise those of its question.
    pub fn groups_of(&self, fault: &Told) -> Vec<Group> {
        let mut groups: BTreeSet<Group> = BTreeSet::new();
        let is_unanswered = fault.difference.error.is_some();
        if !fault.difference.is_wrong() && !is_unanswered {
            return Vec::new();
        }
        if let Some(fact) = self.unplayed(&fault.path) {
            return vec![fact.group];
        }
        if let Some(samples) = Samples::of(fault) {
            let wrong = samples.moves.iter().flatten();
            for (set, found) in wrong {
                let is_of = |fact: &&Fact| found.is_some_and(|found| fact.is_about(found, set));
                groups.extend(self.facts.iter().find(is_of).map(|fact| fact.group));
            }
            let is_odd = |fact: &&Fact| matches!(fact.shared, Shared::NotMoves(..));
            let odd = self.facts.iter().find(is_odd).filter(|_| !samples.odd.is_empty());
            groups.extend(odd.map(|fact| fact.group));
        }
        if groups.is_empty() && !self.facts.is_empty() {
            let of_question = || self.fact_of_question(fault, is_unanswered).map(|fact| fact.group);
            groups.extend(self.group_of_view(fault).or_else(of_question));
        }
        groups.into_iter().collect()
    }

    /// Returns the fact about missing moves that one of the moves of a path is like. A program that does not know a move may
    /// not play it.
    fn unplayed(&self, path: &MovePath) -> Option<&Fact> {
        let mut position = path.root;
        path.moves.iter().find_map(|played| {
            let [legal, _] = PropertySet::of_moves(&MovePath::new(position));
            position = position.play_legal(*played);
            let (_, set) = legal.iter().find(|(known, _)| known == played)?;
            self.facts.iter().find(|fact| fact.is_about(About::Missing, set))
        })
    }

    /// Returns the first fact about a question that was answered wrongly or not. What makes most answers wrong may also end
    /// the program.
    fn fact_of_question(&self, fault: &Told, is_unanswered: bool) -> Option<&Fact> {
        let is_same =
            |(path, depth, _): &&(MovePath, u32, usize)| *path == fault.path && *depth == fault.depth;
        if let Some((.., fact)) = self.questions.iter().find(is_same) {
            return Some(&self.facts[*fact]);
        }
        let (path, depth) = whole_question(fault);
        if path.end.perft(depth) > MAX_NODES {
            return None;
        }
        let set = PropertySet::of_question(&path, depth, fault.difference.ours, None);
        self.facts.iter().find(|fact| match &fact.shared {
            Shared::Property(About::Unanswered, common) => is_unanswered && common.holds(&set),
            Shared::Property(About::Answers, common) => {
                (!is_unanswered || 2 * common.wrong_with > common.with) && common.holds(&set)
            }
            _ => false,
        })
    }

    /// Returns the group whose wrong moves look at the same as all wrong moves of an answer.
    fn group_of_view(&self, fault: &Told) -> Option<Group> {
        let samples = Samples::of(fault)?;
        let wrong = samples.moves.iter().flatten().filter(|(_, found)| found.is_some());
        let view = view_of(wrong.map(|(set, _)| set));
        let fact = self.facts.iter().find(|fact| !view.is_disjoint(&fact.view));
        fact.map(|fact| fact.group)
    }

    /// Returns the facts of a group: the one about each kind of samples that separates best.
    pub fn shared(&self, group: Group) -> Vec<Shared> {
        let kind = |fact: &Fact| match fact.shared {
            Shared::Property(about, _) => Some(about),
            _ => None,
        };
        let mut facts: Vec<&Fact> = self.facts.iter().filter(|fact| fact.group == group).collect();
        facts.sort_by(|one, other| other.score().total_cmp(&one.score()));
        let mut seen = BTreeSet::new();
        facts.retain(|fact| seen.insert(kind(fact)));
        facts.into_iter().map(|fact| fact.shared.clone()).collect()
    }

    /// Returns the smallest wrong answers of a group.
    pub fn smallest(&self, group: Group, told: &[Told]) -> Vec<Told> {
        let of_group = self.facts.iter().filter(|fact| fact.group == group).flat_map(|fact| &fact.wrong);
        let mut wrong: Vec<&Told> = of_group.map(|&answer| &told[answer]).collect();
        wrong.retain(|told| told.difference.error.is_none());
        wrong.sort_by_key(|told| (told.depth, told.difference.ours));
        let step = wrong.len().div_ceil(SAMPLE).max(1);
        wrong.into_iter().step_by(step).cloned().collect()
    }

    /// Returns the groups.
    pub fn groups(&self) -> BTreeSet<Group> {
        self.facts.iter().map(|fact| fact.group).collect()
    }
}

impl Fact {
    /// Returns how well it separates. If others are wrong, too, wrong moves of one answer count once: the same thing may be
    /// wrong with all of them.
    fn score(&self) -> f64 {
        let Shared::Property(_, common) = &self.shared else { return f64::MAX };
        let share = self.wrong.len().min(common.wrong_with) as f64 / common.wrong_with as f64;
        common.score() * if common.wrong_without == 0 { 1.0 } else { share }
    }

    /// Whether it is about such samples, and one with these properties is one of them.
    fn is_about(&self, about: About, set: &PropertySet) -> bool {
        matches!(&self.shared, Shared::Property(own, common) if *own == about && common.holds(set))
    }

    fn is_of_questions(&self) -> bool {
        matches!(self.shared, Shared::Property(About::Answers | About::Unanswered, _))
    }

    fn is_of_same_bug(&self, other: &Fact, told: &[Told], sets: &[Option<PropertySet>]) -> bool {
        let both = self.wrong.intersection(&other.wrong).count();
        let smaller = self.wrong.len().min(other.wrong.len());
        2 * both > smaller
            || !self.view.is_disjoint(&other.view)
            || self.explains(other, told, sets)
            || other.explains(self, told, sets)
    }

    /// Whether nearly all wrong answers of another fact have the properties of this one too, or have the first one in another
    /// place and chance cannot be the reason.
    fn explains(&self, other: &Fact, told: &[Told], sets: &[Option<PropertySet>]) -> bool {
        let Shared::Property(about, common) = &self.shared else { return false };
        let is_same = |same| matches!(&other.shared, Shared::Property(also, other) if also == about && other.properties[0] == same);
        if common.properties[0].in_all_parts().any(is_same) {
            return true;
        }
        let mut sample: Vec<usize> = other.wrong.iter().copied().collect();
        sample.sort_by_key(|&answer| told[answer].difference.ours);
        sample.truncate(SAMPLE);
        let holds =
            |set: &Option<PropertySet>, property| set.as_ref().is_some_and(|set| set.contains(property));
        let explains = |is_explained: &dyn Fn(&Option<PropertySet>) -> bool| {
            let is_explained =
                |answer: &&usize| self.wrong.contains(*answer) || is_explained(&sets[**answer]);
            10 * sample.iter().filter(is_explained).count() >= 9 * sample.len()
        };
        let is_elsewhere = |property: Property| {
            let share = sets.iter().filter(|set| holds(set, property)).count() as f64 / sets.len() as f64;
            share.powi(sample.len().min(AGAINST_CHANCE) as i32) < BY_CHANCE
                && explains(&|set| holds(set, property))
        };
        explains(&|set| common.properties.iter().all(|&property| holds(set, property)))
            || common.properties[0].in_all_parts().any(is_elsewhere)
    }
}

/// Returns what moves look at in common.
fn view_of<'a>(mut moves: impl Iterator<Item = &'a PropertySet>) -> View {
    let first = moves.next().map(PropertySet::view).unwrap_or_default();
    moves.fold(first, |all, set| if all.is_empty() { all } else { &all & &set.view() })
}

/// The properties of a move, and what is wrong with it, if something is.
type Sample = (PropertySet, Option<About>);

/// The moves of an answer as samples.
struct Samples {
    /// The legal ones, and those that only look legal.
    moves: [Vec<Sample>; 2],
    /// The moves that do not look legal.
    odd: Vec<String>,
}

impl Samples {
    /// Returns the moves of an answer, if it lists moves at depth 1, or lists wrong moves at a greater depth.
    fn of(told: &Told) -> Option<Samples> {
        let DivideDifference { missing, extra, unread, error, .. } = &told.difference;
        let is_listed = told.difference.knows_moves() && unread.is_empty() && error.is_none();
        if !is_listed || (told.depth > 1 && told.difference.has_right_moves()) {
            return None;
        }
        let all = PropertySet::of_moves(&told.path);
        let [legal, illegal] =
            all.each_ref().map(|all| all.iter().map(|(played, _)| *played).collect::<Vec<_>>());
        let (mut repeated, mut listed, mut odd) = (Vec::new(), Vec::new(), Vec::new());
        for text in extra {
            let meant = |moves: &[Move]| {
                indices_meant(&told.path.end, moves, text).first().map(|&index| moves[index])
            };
            match (meant(&legal), meant(&illegal)) {
                (Some(played), _) => repeated.push(played),
                (None, Some(played)) => listed.push(played),
                (None, None) => odd.push(text.clone()),
            }
        }
        let judged = |(played, set): (Move, PropertySet)| {
            let wrong = [(About::Missing, missing), (About::Repeated, &repeated), (About::Extra, &listed)];
            let found = wrong.into_iter().find(|(_, moves)| moves.contains(&played));
            (set, found.map(|(about, _)| about))
        };
        Some(Samples { moves: all.map(|moves| moves.into_iter().map(judged).collect()), odd })
    }
}

/// Returns the properties of each question whose tree is small.
fn sets_of(told: &[Told]) -> Vec<Option<PropertySet>> {
    let mut sets: Vec<Option<PropertySet>> = Vec::new();
    for (answer, this) in told.iter().enumerate() {
        let is_small = this.depth > 0 && this.difference.ours <= MAX_NODES;
        let last = answer.checked_sub(1).filter(|_| this.follows);
        let before = last.and_then(|last| Some((&told[last].path, sets[last].as_ref()?)));
        let set = || PropertySet::of_question(&this.path, this.depth, this.difference.ours, before);
        sets.push(is_small.then(set));
    }
    sets
}

/// Returns the question about the root of a path whose tree has that of its end. If that tree is large, returns the
/// question about the end.
fn whole_question(told: &Told) -> (MovePath, u32) {
    let (moves, root) = (told.path.moves.len(), told.path.at_root());
    let is_small = moves <= 2 && told.difference.ours.saturating_mul(30_u128.pow(moves as u32)) <= MAX_NODES;
    if is_small { (root, told.depth + moves as u32) } else { (told.path.clone(), told.depth) }
}

//! Learns how a program prints its counts, from answers to questions whose counts are known.
//!
//! A number is the count if it stands at the same place in most of the answers and is the known count each time. Times,
//! speeds, boards, line numbers and the counts of other depths are other numbers, so they are ignored. A few right
//! answers are enough. If the sum of a list of moves is printed, it shows where the counts stand, even if they are
//! wrong.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use perft_core::{Move, Position, RootMove};

use super::answer::Answer;
use super::line::{Number, Part, Spelling, parts, spellings};
use super::meaning::Meaning;
use super::notation::meanings;
use super::profile::{Count, End, Patterns, Profile, last_list, names, refusals};

/// The number of right answers that cannot be a coincidence.
const CERTAIN: usize = 3;

/// The answer to a question with a known divide.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The position after the moves of the question.
    pub position: Position,
    /// The depth in plies.
    pub depth: u32,
    /// The correct counts below the moves.
    pub divide: Vec<RootMove>,
    /// The lines of the answer.
    pub lines: Vec<String>,
    /// The number of lines before the program said that it was ready, if it did.
    pub ready: Option<usize>,
    /// Whether the lines came through two pipes. If so, the order of lines from different pipes means nothing.
    pub uses_two_pipes: bool,
}

impl Lesson {
    /// Returns a lesson whose lines came through one pipe, from a program that does not say when it is ready.
    pub fn new(position: Position, depth: u32, divide: Vec<RootMove>, lines: Vec<String>) -> Lesson {
        Lesson { position, depth, divide, lines, ready: None, uses_two_pipes: false }
    }

    /// Returns the correct count.
    pub fn total(&self) -> u128 {
        self.divide.iter().map(|known| known.nodes).sum()
    }
}

/// Learns how a program prints its counts. The places that `patterns` gives are not learned. Returns `None` if no place
/// has the known counts: the program is wrong nearly everywhere, or it prints no counts.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_diagnosis::source::{Lesson, Patterns, learn};
///
/// let position = Position::start();
/// let lesson = |depth, text: &str| {
///     let lines = text.lines().map(str::to_owned).collect();
///     Lesson::new(position, depth, position.divide(depth), lines)
/// };
/// let lessons = [lesson(1, "perft 1: 20 (3 ms)"), lesson(2, "perft 2: 400 (12 ms)")];
/// let profile = learn(&lessons, &Patterns::default()).unwrap();
/// assert_eq!((profile.total.as_deref(), profile.depth), (Some("perft # : #"), Some(0)));
///
/// let mut reader = profile.reader(3);
/// ["perft 2: 400 (12 ms)", "perft 3: 8902 (1.2 s)"].map(|line| reader.read(line));
/// assert!(reader.is_over());
/// assert_eq!(reader.finish().total(), 8902);
/// ```
pub fn learn(lessons: &[Lesson], patterns: &Patterns) -> Option<Profile> {
    let profile = best_profile(lessons, patterns);
    let is_given = patterns.total.is_some() || patterns.moves.is_some();
    let is_right = |lesson: &Lesson| profile.read(&lesson.lines, lesson.depth).has_count(lesson.total());
    (is_given || lessons.iter().any(is_right)).then_some(profile)
}

/// Whether a right count is anywhere in an answer. Otherwise a program has probably not understood the question.
pub fn shows_count(lesson: &Lesson) -> bool {
    learn(std::slice::from_ref(lesson), &Patterns::default()).is_some()
}

/// Returns the profile for the spelling with which most of the answers are right.
fn best_profile(lessons: &[Lesson], patterns: &Patterns) -> Profile {
    let lines = lessons.iter().flat_map(|lesson| &lesson.lines).map(String::as_str);
    let spellings = spellings(lines).into_iter();
    let learners = spellings.map(|spelling| {
        let heard = lessons.iter().map(|lesson| Heard::new(lesson, spelling)).collect();
        Learner { heard, spelling }
    });
    let learners: Vec<Learner> = learners.collect();
    let learned = learners.iter().map(|learner| (learner.learn(patterns), learner));
    let best = learned.reduce(|best, next| if next.0.0 > best.0.0 { next } else { best });
    let ((_, profile), learner) = best.expect("there is a spelling");
    Profile {
        lists_from: learner.lists_from(&profile),
        harmless: learner.harmless(&profile),
        end: learner.end(&profile),
        ..profile
    }
}

/// A place at which counts may stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate<'a> {
    /// The number of answers deeper than one ply that have right counts there. At depth 1, the number of moves equals
    /// the count, and the depth equals the count of each move.
    deep: usize,
    /// The number of answers that have right counts there.
    right: usize,
    wrong: Reverse<usize>,
    /// The sum of all counts there. A depth or a number of moves is smaller than a count.
    sum: u128,
    place: Reverse<&'a str>,
}

/// The last counts of an answer at a place: whether they are right, and their sum.
type Seen = HashMap<String, (bool, u128)>;

/// An answer, split into parts.
struct Heard<'a> {
    lesson: &'a Lesson,
    /// The lines that are not empty, with their parts.
    lines: Vec<(&'a str, Vec<Part>)>,
    /// The known counts of the moves. A promotion without the promotion piece has four.
    known: HashMap<String, Vec<u128>>,
}

impl Heard<'_> {
    fn new(lesson: &Lesson, spelling: Spelling) -> Heard<'_> {
        let legal: Vec<Move> = lesson.divide.iter().map(|known| known.played).collect();
        let lines = lesson.lines.iter().map(String::as_str).filter(|line| !line.trim().is_empty());
        let lines: Vec<_> = lines.map(|line| (line, parts(line, spelling))).collect();
        let played = lines.iter().flat_map(|(_, parts)| parts).filter_map(|part| part.played.as_ref());
        let counts = |text: &str| {
            let meant = meanings(&lesson.position, &legal, text).into_iter();
            meant.map(|index| lesson.divide[index].nodes).collect()
        };
        let names: HashSet<&String> = played.collect();
        let known = names.into_iter().map(|text| (text.clone(), counts(text))).collect();
        Heard { lesson, lines, known }
    }

    fn parts(&self) -> impl DoubleEndedIterator<Item = &Part> {
        self.lines.iter().flat_map(|(_, parts)| parts)
    }

    /// Returns the parts without a move.
    fn others(&self) -> impl DoubleEndedIterator<Item = &Part> {
        self.parts().filter(|part| part.played.is_none())
    }

    fn read(&self, profile: &Profile) -> Answer {
        let depth = self.lesson.depth;
        let mut reader = profile.reader(depth);
        for (line, parts) in &self.lines {
            reader.add(line, || profile.counts_of(line, parts, depth));
        }
        reader.finish()
    }

    /// Returns the lists of counts below moves that have no count at the `known` places. A list is right if most of its
    /// counts are the known ones, or if its sum is stated.
    fn lists(&self, known: &[String]) -> Seen {
        let is_known =
            |part: &Part| part.numbers().any(|number| known.iter().any(|place| number.is_at(place)));
        let listed: HashSet<_> =
            self.parts().filter(|part| is_known(part)).map(|part| &part.played).collect();
        let mut lists: HashMap<String, Vec<(&str, u128, bool)>> = HashMap::new();
        for part in self.parts().filter(|part| !listed.contains(&part.played)) {
            let Some(played) = &part.played else { continue };
            let right = &self.known[played];
            for number in part.numbers() {
                let Some(nodes) = number.value().filter(|_| !number.is_negative()) else { continue };
                for place in number.places() {
                    lists.entry(place).or_default().push((played, nodes, right.contains(&nodes)));
                }
            }
        }
        let numbers = self.others().flat_map(Part::numbers);
        let stated: HashSet<u128> = numbers.filter_map(Number::value).collect();
        let seen = lists.into_iter().map(|(place, list)| {
            let list = &list[last_list(list.iter().map(|(played, ..)| *played))..];
            let sum = list.iter().fold(0_u128, |sum, (_, nodes, _)| sum.saturating_add(*nodes));
            let right = list.iter().filter(|(.., is_right)| *is_right).count();
            let is_sum_stated = list.len() > 1 && stated.contains(&sum);
            (place, (2 * right > list.len() || is_sum_stated, sum))
        });
        seen.collect()
    }

    /// Returns the last numbers that do not belong to moves. A total is right if it is the known one, or that of the
    /// listed moves.
    fn totals(&self, profile: &Profile) -> Seen {
        let answer = self.read(profile);
        let is_right = |total| {
            (self.lesson.depth > 0 && total == self.lesson.total())
                || (!answer.moves.is_empty() && total == answer.sum())
        };
        let numbers = self.others().flat_map(Part::numbers);
        let seen = numbers.flat_map(|number| {
            let total = number.value().unwrap_or_default();
            let seen = (!number.is_negative() && number.value().is_some_and(is_right), total);
            number.places().map(move |place| (place, seen))
        });
        seen.collect()
    }

    /// Returns the last number at a place outside the moves.
    fn number_at(&self, place: &str) -> Option<u128> {
        self.others().flat_map(Part::numbers).rfind(|number| number.is_at(place))?.value()
    }

    /// Returns the number of lines with a total, and of lines after the last of them and after the moves behind it.
    /// Returns `None` if there is no total. With two pipes, the lines after a total are left out.
    fn end(&self, profile: &Profile, two_pipes: bool) -> Option<(usize, usize)> {
        let (mut totals, mut more) = (0, None);
        for (line, parts) in &self.lines {
            match profile.counts_of(line, parts, self.lesson.depth).last() {
                Some(Count::Total(_)) => (totals, more) = (totals + 1, Some(0)),
                _ if two_pipes => {}
                Some(Count::Move(..)) => more = more.map(|_| 0),
                None => more = more.map(|more| more + 1),
            }
        }
        Some((totals, more?))
    }

    /// Whether moves follow the last total.
    fn has_moves_behind(&self, profile: &Profile) -> bool {
        let counts =
            self.lines.iter().flat_map(|(line, parts)| profile.counts_of(line, parts, self.lesson.depth));
        counts.last().is_some_and(|count| matches!(count, Count::Move(..)))
            && self.end(profile, false).is_some()
    }
}

/// Learns from answers in one spelling.
struct Learner<'a> {
    heard: Vec<Heard<'a>>,
    spelling: Spelling,
}

impl<'a> Learner<'a> {
    /// Returns the profile and its score. Groups of digits are read as one number, unless they are a depth and a count.
    fn learn(&'a self, patterns: &Patterns) -> ((usize, usize, bool, u128), Profile) {
        let mut profile = Profile {
            total: None,
            moves: Vec::new(),
            spelling: self.spelling,
            patterns: patterns.clone(),
            ..Profile::default()
        };
        let (mut deep, mut right, mut sum) = (0, 0, 0);
        let mut learn = |seen: Vec<Seen>| {
            let best = self.best(&seen)?;
            (deep, right, sum) = (deep + best.deep, right + best.right, sum + best.sum);
            Some(best.place.0.to_owned())
        };
        // Several kinds of moves may be printed in different shapes.
        while patterns.moves.is_none()
            && let Some(place) = learn(self.heard.iter().map(|heard| heard.lists(&profile.moves)).collect())
        {
            profile.moves.push(place);
        }
        profile.repeats = self.repeats(&profile);
        if patterns.total.is_none() {
            profile.total = learn(self.heard.iter().map(|heard| heard.totals(&profile)).collect());
            if profile.total.is_none() {
                profile.total = self.wrong_total(&profile);
                profile.misstates_total = profile.total.is_some();
            }
            profile.total.take_if(|place| self.is_of_tree(place));
            profile.depth = self.depth(&profile);
        }
        ((deep, right, profile.depth.is_some(), sum), profile)
    }

    /// Returns the place that is right in most of the answers.
    fn best<'s>(&self, seen: &'s [Seen]) -> Option<Candidate<'s>> {
        let mut candidates: HashMap<&str, Candidate> = HashMap::new();
        for (heard, seen) in self.heard.iter().zip(seen) {
            for (place, (is_right, sum)) in seen {
                let candidate = candidates.entry(place).or_default();
                candidate.place = Reverse(place);
                candidate.deep += usize::from(*is_right && heard.lesson.depth > 1);
                candidate.right += usize::from(*is_right);
                candidate.wrong.0 += usize::from(!is_right);
                candidate.sum += sum;
            }
        }
        let answered = seen.iter().filter(|seen| !seen.is_empty()).count();
        let best = candidates.values().max().copied()?;
        (2 * best.right > answered || best.right >= CERTAIN).then_some(best)
    }

    /// Returns the place of a total that words name as one in every answer with moves, although it is never right.
    fn wrong_total(&self, profile: &Profile) -> Option<String> {
        let listing: Vec<&Heard> =
            self.heard.iter().filter(|heard| !heard.read(profile).moves.is_empty()).collect();
        let is_total = |number: &Number| matches!(Meaning::of(*number), Meaning::Total(_));
        let first = listing.first()?.others().flat_map(Part::numbers).filter(is_total);
        let mut places = first.filter_map(|number| number.places().next());
        places.find(|place| {
            let totals: Vec<Option<u128>> = listing.iter().map(|heard| heard.number_at(place)).collect();
            totals.iter().all(Option::is_some) && totals.iter().any(|total| *total != totals[0])
        })
    }

    /// Whether the numbers at a place are those of all nodes of the tree, and not of its leaf nodes.
    fn is_of_tree(&self, place: &str) -> bool {
        let mut deep = self.heard.iter().filter(|heard| heard.lesson.depth > 1).peekable();
        let is_of_tree = |heard: &Heard| {
            let lesson = heard.lesson;
            let above: u128 = (1..lesson.depth).map(|depth| lesson.position.perft(depth)).sum();
            let counts = [0, 1].map(|root| [above + root, above + root + lesson.total()]);
            heard.number_at(place).is_some_and(|nodes| counts.as_flattened().contains(&nodes))
        };
        deep.peek().is_some() && deep.all(is_of_tree)
    }

    /// Whether the program prints a list for each depth.
    fn repeats(&self, profile: &Profile) -> bool {
        let heard = self.heard.iter().filter(|heard| heard.lesson.depth > 1);
        let is_repeated = |heard: &&Heard| last_list(names(&heard.read(profile).moves)) > 0;
        let (repeated, single): (Vec<&Heard>, _) = heard.partition(is_repeated);
        repeated.len() > single.len()
    }

    /// Returns the index of the number that is the depth, in the line with the last total of each answer.
    fn depth(&'a self, profile: &Profile) -> Option<usize> {
        let place = profile.total.as_ref()?;
        let has_total = |part: &&Part| part.numbers().any(|number| number.is_at(place));
        let with_depth =
            |heard: &'a Heard| heard.others().rfind(has_total).map(|part| (heard.lesson.depth, part));
        let totals: Vec<(u32, &Part)> = self.heard.iter().filter_map(with_depth).collect();
        let is_varied = totals.iter().any(|(depth, _)| *depth != totals[0].0);
        let says_depth = |at: &usize| {
            totals.iter().all(|(depth, part)| {
                part.numbers()
                    .nth(*at)
                    .is_some_and(|number| number.value() == Some((*depth).into()) && !number.is_at(place))
            })
        };
        let longest = totals.iter().map(|(_, part)| part.numbers().count()).max()?;
        (0..longest).filter(|_| is_varied).find(says_depth)
    }

    fn uses_two_pipes(&self) -> bool {
        self.heard.iter().any(|heard| heard.lesson.uses_two_pipes)
    }

    /// Returns the smallest depth such that every answer to this depth or more lists moves. Returns `None` if all lines
    /// come through one pipe, the moves before the total: they are heard in order.
    fn lists_from(&self, profile: &Profile) -> Option<u32> {
        let answers = self.heard.iter().map(|heard| (heard.lesson.depth, heard.read(profile)));
        let (listing, others): (Vec<_>, Vec<_>) = answers
            .filter(|(_, answer)| answer.total() > 0)
            .partition(|(_, answer)| !answer.moves.is_empty());
        let deepest_other = others.iter().map(|(depth, _)| *depth).max();
        let depths = listing.iter().map(|(depth, _)| *depth).filter(|depth| Some(*depth) > deepest_other);
        let may_follow =
            self.uses_two_pipes() || self.heard.iter().any(|heard| heard.has_moves_behind(profile));
        depths.min().filter(|_| may_follow)
    }

    /// Returns the words of a refusal in answers with the right count.
    fn harmless(&self, profile: &Profile) -> Vec<String> {
        let is_right = |heard: &&Heard| heard.read(profile).count() == Some(heard.lesson.total());
        let lines = self.heard.iter().filter(is_right).flat_map(|heard| &heard.lines);
        let words: BTreeSet<&str> = lines.flat_map(|(line, _)| refusals(line)).collect();
        words.into_iter().map(str::to_owned).collect()
    }

    /// Returns the end that all answers with counts have had. The total is more reliable than the reply to `isready`: a
    /// program that counts in another thread may be ready before or after it has finished.
    fn end(&self, profile: &Profile) -> End {
        let counted: Vec<&Heard> =
            self.heard.iter().filter(|heard| !heard.read(profile).is_empty()).collect();
        let two_pipes = self.uses_two_pipes();
        let ends: Vec<Option<(usize, usize)>> =
            counted.iter().map(|heard| heard.end(profile, two_pipes)).collect();
        let is_silent = |lines: &[String]| lines.iter().all(|line| line.trim().is_empty());
        let is_before_ready = |heard: &&Heard| {
            let lesson = heard.lesson;
            lesson.ready.is_some_and(|ready| is_silent(&lesson.lines[ready.min(lesson.lines.len())..]))
        };
        let other = if !counted.is_empty() && counted.iter().all(is_before_ready) {
            End::Ready
        } else {
            End::Silence
        };
        let Some(Some((times, more))) = ends.first().copied() else { return other };
        let is_same = |times: &Option<usize>| {
            let expected = |heard: &Heard| Some((times.unwrap_or(heard.lesson.depth as usize), more));
            counted.iter().zip(&ends).all(|(heard, end)| *end == expected(heard))
        };
        let times = [Some(times), None].into_iter().find(is_same);
        times.map_or(other, |times| End::Total { times, more })
    }
}

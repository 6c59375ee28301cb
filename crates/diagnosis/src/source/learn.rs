//! Learns how a program prints its counts, from answers to questions whose counts are known.
//!
//! An answer is read by its structure, as any text is. A column, or the numbers with one name outside the rows, are the
//! counts if they are the known ones in most of the answers. Times, speeds, boards and the counts of other depths are
//! other numbers, so they are ignored. A few right answers are enough. If the sum of a list of moves is printed, it
//! shows which column has the counts, even if they are wrong.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use perft_core::{Position, RootMove};

use super::answer::{Answer, AnswerReader, End, Profile, refusals};
use super::line::{Number, Part, Spelling, spellings};
use super::meaning::{Meaning, with_names_or_places};
use super::patterns::Patterns;
use super::reading::Known;
use super::table::{Column, Line, Table};

/// The number of right answers that cannot be a coincidence.
const CERTAIN: usize = 3;

/// The number of last lines of an answer from which is learned. The counts of all depths are far fewer.
const MOST_LINES: usize = 10_000;

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

/// Learns how a program prints its counts. What `patterns` say is not learned. Returns `None` if no numbers are the
/// known counts: the program is wrong nearly everywhere, or it prints no counts.
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
/// assert_eq!((profile.total.as_deref(), profile.depth.as_deref()), (Some(": #1"), Some("perft")));
///
/// let mut reader = profile.reader(3, 20);
/// ["perft 2: 400 (12 ms)", "perft 3: 8902 (1.2 s)"].map(|line| reader.read(line));
/// assert!(reader.is_over());
/// assert_eq!(reader.finish().total(), 8902);
/// ```
pub fn learn(lessons: &[Lesson], patterns: &Patterns) -> Option<Profile> {
    let lines = lessons.iter().flat_map(|lesson| &lesson.lines).map(String::as_str);
    let learned = spellings(lines).into_iter().map(|spelling| {
        let lines: Vec<Vec<Line>> =
            lessons.iter().map(|lesson| last_lines(lesson, spelling, patterns)).collect();
        let heard = lessons.iter().zip(&lines);
        let heard = heard.map(|(lesson, lines)| ReadLesson { lesson, table: Table::read(lines, spelling) });
        learn_from(&heard.collect::<Vec<_>>(), spelling, patterns)
    });
    let best = learned.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let profile = with_end(best.expect("there is a spelling").1, lessons);
    let is_given = patterns.total.is_some() || patterns.moves.is_some();
    let is_right = |lesson: &Lesson| {
        let answer = profile.read(&lesson.lines, lesson.depth);
        let known = || Known::new(&lesson.position, lesson.depth, &lesson.divide);
        answer.has_count(lesson.total()) || known().is_listed_in(&answer.moves)
    };
    (is_given || lessons.iter().any(is_right)).then_some(profile)
}

/// Whether a right count is anywhere in an answer. Otherwise a program has probably not understood the question.
pub fn shows_count(lesson: &Lesson) -> bool {
    learn(std::slice::from_ref(lesson), &Patterns::default()).is_some()
}

/// The numbers of answers deeper than one ply, and of all answers, that have right counts with a name, the number of
/// answers with wrong ones, the sum of all counts, and the name.
type Candidate<'a> = (usize, usize, Reverse<usize>, u128, Reverse<&'a str>);

/// The last counts of an answer with a name: whether they are right, and their sum.
type Seen = HashMap<String, (bool, u128)>;

/// An answer, read by its structure.
struct ReadLesson<'a> {
    lesson: &'a Lesson,
    table: Table<'a>,
}

fn last_lines(lesson: &Lesson, spelling: Spelling, patterns: &Patterns) -> Vec<Line> {
    let last = &lesson.lines[lesson.lines.len().saturating_sub(MOST_LINES)..];
    let full = last.iter().filter(|line| !line.trim().is_empty());
    full.map(|line| Line::new(&patterns.applied(line), spelling)).collect()
}

impl ReadLesson<'_> {
    fn others(&self) -> impl DoubleEndedIterator<Item = (String, Number<'_>)> {
        self.table.others().flat_map(|part| with_names_or_places(part.numbers()))
    }

    fn read(&self, profile: &Profile) -> Answer {
        profile.answer_of(&self.table, self.lesson.depth)
    }

    /// Returns the columns. A column is right if most of its counts are the known ones, or if its sum is stated.
    fn columns(&self) -> Seen {
        let Lesson { position, depth, divide, .. } = self.lesson;
        let known = Known::new(position, *depth, divide);
        let stated: HashSet<u128> = self.others().filter_map(|(_, number)| number.value).collect();
        let seen = |column: &Column| {
            let (rows, sum) = (column.counts.len(), column.sum());
            let is_right = 2 * known.judge(column).wrong < rows || rows > 1 && stated.contains(&sum);
            (column.label.clone(), (is_right, sum))
        };
        self.table.columns.iter().map(seen).collect()
    }

    /// Returns the numbers outside the rows. A total is right if it is the known one, or that of the listed moves.
    fn totals(&self, profile: &Profile) -> Seen {
        let answer = self.read(profile);
        let is_right = |total| {
            (self.lesson.depth > 0 && total == self.lesson.total())
                || (!answer.moves.is_empty() && total == answer.sum())
        };
        let seen = self.others().map(|(name, number)| {
            let total = number.value.unwrap_or_default();
            (name, (!number.is_negative && number.value.is_some_and(is_right), total))
        });
        seen.collect()
    }

    fn number(&self, name: &str) -> Option<u128> {
        self.others().rfind(|(own, _)| own == name)?.1.value
    }
}

/// Returns the profile without its end, and its score. Groups of digits are read as one number, unless they are a
/// depth and a count.
fn learn_from(
    heard: &[ReadLesson],
    spelling: Spelling,
    patterns: &Patterns,
) -> ((usize, usize, bool, u128), Profile) {
    let unknown = Profile { spelling, ..Profile::default() };
    let (mut profile, mut score) = (unknown.with_patterns(patterns.clone()), (0, 0, false, 0));
    let mut best = |seen: Vec<Seen>| {
        let best = self::best(heard, &seen)?;
        score = (score.0 + best.0, score.1 + best.1, false, score.3 + best.3);
        Some(best.4.0.to_owned())
    };
    if profile.column.is_none() {
        profile.column = best(heard.iter().map(ReadLesson::columns).collect());
    }
    if profile.total.is_none() {
        profile.total = best(heard.iter().map(|heard| heard.totals(&profile)).collect());
        if profile.total.is_none() {
            profile.total = wrong_total(heard, &profile);
            profile.misstates_total = profile.total.is_some();
        }
        profile.total.take_if(|name| is_of_tree(heard, name));
        profile.depth = depth(heard, &profile);
    }
    score.2 = profile.depth.is_some();
    (score, profile)
}

/// Returns the name that is right in most of the answers. Of these, the best one is right in most answers deeper than
/// one ply: at depth 1, the number of moves equals the count, and the depth equals the count of each move. A depth or
/// a number of moves is smaller than a count, so the largest sum is the next best.
fn best<'s>(heard: &[ReadLesson], seen: &'s [Seen]) -> Option<Candidate<'s>> {
    let mut candidates: HashMap<&str, Candidate> = HashMap::new();
    for (heard, seen) in heard.iter().zip(seen) {
        for (name, (is_right, sum)) in seen {
            let (deep, right, wrong, all, _) = candidates.get(name.as_str()).copied().unwrap_or_default();
            let more = usize::from(*is_right);
            let deep = deep + if heard.lesson.depth > 1 { more } else { 0 };
            let next = (deep, right + more, Reverse(wrong.0 + 1 - more), all + sum, Reverse(name.as_str()));
            candidates.insert(name, next);
        }
    }
    let answered = seen.iter().filter(|seen| !seen.is_empty()).count();
    let best = candidates.into_values().max()?;
    (2 * best.1 > answered || best.1 >= CERTAIN).then_some(best)
}

/// Returns the name of a total that words name as one in every answer with moves, although it is never right.
fn wrong_total(heard: &[ReadLesson], profile: &Profile) -> Option<String> {
    let listing: Vec<&ReadLesson> =
        heard.iter().filter(|heard| !heard.read(profile).moves.is_empty()).collect();
    let is_total = |number: &Number| matches!(Meaning::of(*number), Meaning::Total(_));
    let mut named = listing.first()?.others().filter(|(_, number)| is_total(number));
    let is_stated = |name: &str| {
        let totals: Vec<Option<u128>> = listing.iter().map(|heard| heard.number(name)).collect();
        totals.iter().all(Option::is_some) && totals.iter().any(|total| *total != totals[0])
    };
    named.find(|(name, _)| is_stated(name)).map(|(name, _)| name)
}

/// Whether the numbers with a name are those of all nodes of the tree, and not of its leaf nodes.
fn is_of_tree(heard: &[ReadLesson], name: &str) -> bool {
    let mut deep = heard.iter().filter(|heard| heard.lesson.depth > 1).peekable();
    let is_of_tree = |heard: &ReadLesson| {
        let lesson = heard.lesson;
        let above: u128 = (1..lesson.depth).map(|depth| lesson.position.perft(depth)).sum();
        let counts = [0, 1].map(|root| [above + root, above + root + lesson.total()]);
        heard.number(name).is_some_and(|nodes| counts.as_flattened().contains(&nodes))
    };
    deep.peek().is_some() && deep.all(is_of_tree)
}

/// Returns the name of the number that is the depth, in the line with the last total of each answer.
fn depth(heard: &[ReadLesson], profile: &Profile) -> Option<String> {
    let total = profile.total.as_ref()?;
    let numbers = |part: &Part| -> Option<HashMap<String, u128>> {
        let numbers = with_names_or_places(part.numbers()).rev();
        let numbers: HashMap<_, _> =
            numbers.filter_map(|(name, number)| Some((name, number.value?))).collect();
        numbers.contains_key(total).then_some(numbers)
    };
    let of_total = |heard: &ReadLesson| {
        let numbers = heard.table.others().rev().find_map(numbers)?;
        Some((u128::from(heard.lesson.depth), numbers))
    };
    let totals: Vec<_> = heard.iter().filter_map(of_total).collect();
    let (first, names) = totals.first()?;
    let is_varied = totals.iter().any(|(depth, _)| depth != first);
    let says_depth = |name: &&String| totals.iter().all(|(depth, numbers)| numbers.get(*name) == Some(depth));
    names.keys().filter(|name| is_varied && *name != total).filter(says_depth).min().cloned()
}

/// Returns the profile with what the answers show beside their counts.
fn with_end(profile: Profile, lessons: &[Lesson]) -> Profile {
    let readers: Vec<_> = lessons
        .iter()
        .map(|lesson| {
            let mut reader = profile.reader(lesson.depth, 0);
            lesson.lines.iter().for_each(|line| reader.read(line));
            (lesson, reader)
        })
        .collect();
    let (lists_from, harmless, end) = (lists_from(&readers), harmless(&readers), end(&readers));
    Profile { lists_from, harmless, end, ..profile }
}

/// Returns the smallest depth such that every answer to this depth or more lists moves. Returns `None` if all lines come
/// through one pipe, the moves before the total: they are heard in order.
fn lists_from(readers: &[(&Lesson, AnswerReader)]) -> Option<u32> {
    let depths = |lists_moves: bool| {
        let counted = readers.iter().filter(move |(_, reader)| {
            reader.answer().total() > 0 && reader.answer().moves.is_empty() != lists_moves
        });
        counted.map(|(lesson, _)| lesson.depth)
    };
    let deepest_other = depths(false).max();
    let may_follow = readers.iter().any(|(lesson, reader)| lesson.uses_two_pipes || reader.has_rows_behind);
    depths(true).filter(|depth| may_follow && Some(*depth) > deepest_other).min()
}

/// Returns the words of a refusal in answers with the right count.
fn harmless(readers: &[(&Lesson, AnswerReader)]) -> Vec<String> {
    let right = readers.iter().filter(|(lesson, reader)| reader.answer().count() == Some(lesson.total()));
    let words: BTreeSet<&str> =
        right.flat_map(|(lesson, _)| &lesson.lines).flat_map(|line| refusals(line)).collect();
    words.into_iter().map(str::to_owned).collect()
}

/// Returns the end that all answers with counts have had. The total is more reliable than the reply to `isready`: a
/// program that counts in another thread may be ready before or after it has finished.
fn end(readers: &[(&Lesson, AnswerReader)]) -> End {
    let counted: Vec<_> = readers.iter().filter(|(_, reader)| !reader.answer().is_empty()).collect();
    let is_silent = |lines: &[String]| lines.iter().all(|line| line.trim().is_empty());
    let is_before_ready = |lesson: &Lesson| {
        lesson.ready.is_some_and(|ready| is_silent(&lesson.lines[ready.min(lesson.lines.len())..]))
    };
    let uses_two_pipes = readers.iter().any(|(lesson, _)| lesson.uses_two_pipes);
    let more = |reader: &AnswerReader| if uses_two_pipes { 0 } else { reader.more };
    let after = |times: Option<usize>, first: &AnswerReader| {
        let is_same = |(lesson, reader): &&(&Lesson, AnswerReader)| {
            reader.totals == times.unwrap_or(lesson.depth as usize) && more(reader) == more(first)
        };
        counted.iter().all(is_same).then(|| End::Total { times, more: more(first) })
    };
    let Some((_, first)) = counted.first() else { return End::Silence };
    let is_ready = || counted.iter().all(|(lesson, _)| is_before_ready(lesson)).then_some(End::Ready);
    let times = [Some(first.totals), None].into_iter().filter(|_| first.has_total());
    times.filter_map(|times| after(times, first)).next().or_else(is_ready).unwrap_or(End::Silence)
}

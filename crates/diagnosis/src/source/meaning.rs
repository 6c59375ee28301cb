//! What a number can be, as far as the words beside it say.

use super::leaf_count::CountedKind;
use super::line::Number;
use super::words::{Kind, is, is_filler, is_unit, is_word};

/// The meaning of a number of a line without a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A depth in plies.
    Depth,
    /// A count of leaf nodes.
    Total(Role),
    /// A count of leaf nodes of this kind.
    Kind(CountedKind),
    /// A time, a speed, a size, a count of something else, or a number with a fraction.
    Other,
    /// No word says what it is.
    Unclear,
}

/// Which of two counts a number is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// The only one, or no word says which one it is.
    #[default]
    Plain,
    /// The count of leaf nodes, where a text has other nodes too.
    Leaf,
    /// The count that should have come.
    Expected,
    /// The count that came.
    Got,
}

/// What a number counts or measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Nodes,
    Moves,
    /// Times, speeds, sizes and shares.
    Other,
}

/// The largest depth in plies that is read beside a count, as in `3: 8902`.
pub(super) const MOST_PLIES: u128 = 30;

/// Returns the unit of a number, and the number of its words.
pub(super) fn unit(number: Number) -> Option<(Unit, usize)> {
    let class = |word: &str| match word {
        "node" | "leaf" | "leave" | "position" | "n" => Some(Unit::Nodes),
        "move" => Some(Unit::Moves),
        word => is_unit(word).then_some(Unit::Other),
    };
    if !number.letters.is_empty() {
        return Some((class(&number.letters).unwrap_or(Unit::Other), 0));
    }
    let behind = number.behind();
    let words =
        behind.iter().take(2).position(|word| !["leaf", "legal", "total"].contains(word)).unwrap_or(0);
    let word = *behind.get(words)?;
    let class = if word == "n" { None } else { class(word) }
        .or((words > 0 && behind[0] == "leaf").then_some(Unit::Nodes))?;
    let after = behind.get(words + 1..).unwrap_or_default();
    let is_speed = matches!(after, ["/" | "per", ..]);
    // In `3 nodes: 8902` and `depth 3 nodes 8902`, the word belongs to the number after it.
    let is_named = after.iter().any(|sign| [":", "="].contains(sign));
    // In `25 nodes visited in 15 ms`, it does not.
    let is_before = matches!(behind.last(), Some(&"in" | &"at" | &"after" | &"with"));
    let is_label = !is(word, Kind::Measure)
        && number.is_followed()
        && !is_before
        && (is_named || !behind.iter().any(|sign| is_separator(sign)) && number.is_labelled());
    (!is_label).then_some((if is_speed { Unit::Other } else { class }, words + 1))
}

/// Whether a sign ends what belongs to the number before it.
fn is_separator(sign: &str) -> bool {
    [",", ";", "|"].contains(&sign)
}

/// Returns the words and signs that name a number: those before it that do not belong to the number before them.
fn label(number: Number<'_>) -> Vec<&str> {
    let before = number.before();
    let Some(previous) = number.previous() else { return before };
    let start = before.iter().rposition(|sign| is_separator(sign)).map_or(0, |at| at + 1);
    let unit = unit(previous).map_or(0, |(_, words)| words);
    before[start.max(unit).min(before.len())..].to_vec()
}

/// Returns the words directly behind a number that belong to it.
fn suffix(number: Number<'_>) -> Vec<&str> {
    let behind = number.behind();
    let words = behind.iter().position(|text| !is_word(text)).unwrap_or(behind.len());
    let belongs = behind.iter().any(|sign| is_separator(sign)) || !number.is_followed();
    if belongs { behind[..words].to_vec() } else { Vec::new() }
}

pub(super) fn name(number: Number<'_>) -> Vec<&str> {
    let mut words = label(number);
    words.extend(suffix(number).into_iter().filter(|word| *word != "vs"));
    words.retain(|word| is_word(word));
    words
}

/// Returns the numbers that are no times, speeds or sizes, with their [`names_or_places`]. The signs before a number
/// without a name belong to its place.
pub(super) fn with_names_or_places<'a>(
    numbers: impl Iterator<Item = Number<'a>>,
) -> impl DoubleEndedIterator<Item = (String, Number<'a>)> {
    let counts: Vec<Number> = numbers.filter(|number| !is_measure(*number)).collect();
    let names = names_or_places(counts.iter().map(|number| name(*number).join(" ")));
    let with_signs = |(name, number): (String, Number<'a>)| match name.strip_prefix('#') {
        Some(_) => ([&label(number)[..], &[&name]].concat().join(" "), number),
        None => (name, number),
    };
    names.into_iter().zip(counts).map(with_signs)
}

/// Returns what tells the numbers of a line apart: their names, or else their places among those without a name.
pub(super) fn names_or_places(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut unnamed = 0;
    let name_or_place = |name: String| {
        unnamed += usize::from(name.is_empty());
        if name.is_empty() { format!("#{unnamed}") } else { name }
    };
    names.map(name_or_place).collect()
}

/// Whether a number is a time, a speed or a size.
pub(super) fn is_measure(number: Number) -> bool {
    unit(number).is_some_and(|(unit, _)| unit == Unit::Other)
}

/// Whether the part of a number has no words, and no other numbers but times, speeds and sizes.
pub(super) fn is_alone(number: Number) -> bool {
    let mut others = number.part.numbers().filter(|other| other.index != number.index);
    others.all(is_measure) && number.part.texts().all(is_filler)
}

fn has(words: &[&str], kind: Kind) -> bool {
    words.iter().any(|word| is(word, kind))
}

/// Whether words name a count of leaf nodes. A word may be written together with others, as in `nodeCount`.
pub(super) fn names_count(words: &[&str]) -> bool {
    let is_compound = |word: &&str| ["node", "leaf", "total", "perft"].iter().any(|part| word.contains(part));
    has(words, Kind::Count) || words.iter().any(is_compound)
}

pub(super) fn role(words: &[&str]) -> Role {
    let names = |kind: Kind, stem: &str| has(words, kind) || words.iter().any(|word| word.starts_with(stem));
    if names(Kind::Expected, "expect") {
        Role::Expected
    } else if names(Kind::Got, "actual") {
        Role::Got
    } else if words.iter().any(|word| word.contains("leaf") || *word == "leave") {
        Role::Leaf
    } else {
        Role::Plain
    }
}

/// Whether words name something else than a count of leaf nodes. `CHECK_EQ` does not.
pub(super) fn names_other(words: &[&str]) -> bool {
    has(words, Kind::Other) && !words.iter().any(|word| ["eq", "equal", "assert"].contains(word))
}

pub(super) fn named(number: Number<'_>) -> Vec<&str> {
    let mut words = label(number);
    words.retain(|word| is_word(word));
    words
}

/// Whether a sign such as `:` or `->` stands directly before a number.
pub(super) fn is_linked(number: Number) -> bool {
    matches!(label(number).last(), Some(&":" | &"=" | &">"))
}

/// Whether a number is that of a line in a source file: `perft.cpp:42`.
fn is_line_of_code(number: Number) -> bool {
    matches!(number.before()[..], [.., ".", ending, ":"] if is(ending, Kind::SourceFile))
}

/// Whether a sign before a number says that it is not the number before it.
pub(super) fn is_inequality(number: Number) -> bool {
    label(number).ends_with(&["!", "="])
}

pub(super) fn names_column(word: &str) -> bool {
    let words: Vec<&str> = word.split(|letter: char| !letter.is_alphabetic()).collect();
    words.iter().any(|word| ["move", "moves"].contains(word))
        || Meaning::of_words(&[word]) != Meaning::Unclear
}

impl Meaning {
    pub fn of(number: Number) -> Meaning {
        let (before, words) = (named(number), name(number));
        let unit = unit(number).map(|(unit, _)| unit);
        // `perft 3`, `perft(3)` and `assert perft(board, 3)`, but `perft: 8902`.
        let is_small = number.value.is_some_and(|depth| depth <= MOST_PLIES);
        let is_closed = is_small && number.behind().first() == Some(&")");
        let is_linked = matches!(label(number).last(), Some(&":" | &"="));
        let is_depth = match before.as_slice() {
            [.., last] if is(last, Kind::Depth) => true,
            // `TestPerft3`, `perft_depth_3`
            [.., last] if is_small && number.is_glued => last.ends_with("perft") || last.ends_with("depth"),
            [_, .., _] if is_closed && has(&before, Kind::Command) => true,
            [.., last] => is(last, Kind::Command) && !is_linked,
            [] => false,
        };
        // `Stockfish 16` is a version, and `Stockfish: 8902` a count.
        let is_version = matches!(before.as_slice(), [.., "stockfish" | "engine"])
            && !is_linked
            && !before.contains(&"vs");
        let is_other = number.value.is_none()
            || is_line_of_code(number)
            || unit == Some(Unit::Other)
            || unit != Some(Unit::Nodes) && names_other(&before);
        if let Some(kind) = CountedKind::of_words(&words).filter(|_| number.value.is_some()) {
            Meaning::Kind(kind)
        } else if is_other || is_version || number.is_glued && !is_depth {
            Meaning::Other
        } else if is_depth {
            Meaning::Depth
        } else if before.ends_with(&["total", "move"]) {
            Meaning::Total(Role::Plain)
        } else if !before.contains(&"searched")
            && (unit == Some(Unit::Moves) || before.last() == Some(&"move"))
        {
            Meaning::Other
        } else if unit == Some(Unit::Nodes) {
            Meaning::Total(role(&words))
        } else {
            Meaning::of_words(&words)
        }
    }

    /// Returns the meaning of a number that these words name.
    pub fn of_words(words: &[&str]) -> Meaning {
        let words: Vec<&str> =
            words.iter().flat_map(|word| word.split(|letter: char| !letter.is_alphabetic())).collect();
        let kind = CountedKind::of_words(&words);
        match role(&words) {
            _ if kind.is_some() => kind.map_or(Meaning::Other, Meaning::Kind),
            _ if names_other(&words) => Meaning::Other,
            _ if words.last().is_some_and(|last| is(last, Kind::Depth)) => Meaning::Depth,
            Role::Plain if !names_count(&words) => Meaning::Unclear,
            role => Meaning::Total(role),
        }
    }
}

//! The words and signs beside numbers, by what they can say about them.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a word beside a number can be. A word may be several of these.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Names a depth before a number.
    Depth,
    /// A command that is followed by a depth.
    Command,
    /// A part of the name of a count.
    Count,
    /// A part of the name of the count that should have come.
    Expected,
    /// A part of the name of the count that came.
    Got,
    /// A part of the name of a number that is no count of leaf nodes.
    Other,
    /// A unit that no word after it can name: of a time, a size or a share.
    Measure,
    /// A unit of a speed, or of a resource.
    Speed,
    /// The ending of the name of a source file.
    SourceFile,
}

/// The words of each kind: a line for each, in their order.
const WORDS: &str = include_str!("words.txt");

/// The kinds of each word, as bits.
static KINDS: LazyLock<HashMap<&str, u16>> = LazyLock::new(|| {
    let mut kinds = HashMap::new();
    let lines = WORDS.lines().filter_map(|line| line.split_once(": "));
    for (kind, (_, words)) in lines.enumerate() {
        words.split(' ').for_each(|word| *kinds.entry(word).or_default() |= 1 << kind);
    }
    kinds
});

pub(super) fn is(word: &str, kind: Kind) -> bool {
    KINDS.get(word).is_some_and(|kinds| kinds & (1 << kind as u16) != 0)
}

/// Whether a word may follow a number as its unit, so that it belongs to no shape: it changes with the number.
pub(super) fn is_unit(word: &str) -> bool {
    is(word, Kind::Measure) || is(word, Kind::Speed)
}

/// Whether a word between a count and a time says nothing about either.
pub(super) fn is_filler(word: &str) -> bool {
    ["in", "at", "for", "=", ":", ">", "-", "(", ")", "|", ",", ";"].contains(&word) || is_unit(word)
}

pub(super) fn is_word(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
}

/// Returns a word without the ending of a plural: `1 node`, `20 nodes`. Short words keep it: `nps`, `was`.
pub(super) fn singular(word: &str) -> String {
    match word {
        "leaves" => "leaf",
        "theirs" | "yours" => word,
        word => word.strip_suffix('s').filter(|stem| stem.len() > 3).unwrap_or(word),
    }
    .to_owned()
}

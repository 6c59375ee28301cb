//! The meaning of the words before a number.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What the words before a number say about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Label {
    /// Nothing.
    #[default]
    None,
    /// It is a depth: `depth`, `perft(`, `D`.
    Depth,
    /// It is a count: `nodes`.
    Count,
    /// It is something else: the number of captures, a time, or anything with an unknown name.
    Other,
    /// The text behind it is a name: `id`.
    Name,
    /// The text behind it says what the position tests: `c0`.
    Comment,
}

/// The words that are known, with their meanings; [`Label::None`] for words that say nothing.
static WORDS: LazyLock<HashMap<&str, Label>> = LazyLock::new(|| {
    let labels = [Label::None, Label::Depth, Label::Count, Label::Name, Label::Comment, Label::Other];
    let lines = include_str!("labels.txt").lines().filter(|line| !line.starts_with('#'));
    let lines = lines.filter_map(|line| line.split_once(": "));
    let words = labels.into_iter().zip(lines);
    words.flat_map(|(label, (_, words))| words.split(' ').map(move |word| (word, label))).collect()
});

/// The units of numbers that are no counts, and the ends of ordinal numbers.
const UNITS: &str = "ms s us ns sec min h x k kb m mb g gb st nd rd th knps mnps nps";

pub fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Whether a word is known to say what a number is.
pub fn is_known(word: &str) -> bool {
    let label = WORDS.get(word.to_ascii_lowercase().as_str());
    label.is_some_and(|label| matches!(label, Label::Depth | Label::Count | Label::Other))
}

/// Whether letters directly behind a number are a unit: `12ms`, `1st`, `0x1F`.
pub fn is_unit(letters: &str) -> bool {
    is_in(UNITS, &letters.to_ascii_lowercase()) || letters.starts_with('x')
}

/// The words before a number so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phrase {
    label: Label,
    /// Whether one of the words is known to name something that is neither a depth nor a count.
    pub is_other: bool,
    /// Whether one of the words, and the last one, is `perft`. The number in `perft 3` is a depth, and that in
    /// `perft = 8902` is a count.
    pub has_perft: bool,
    ends_with_perft: bool,
    /// Whether the next word begins a new phrase.
    is_over: bool,
}

impl Phrase {
    /// Adds a word. The parts of a word such as `wantNodes` or `max_depth` are words.
    pub fn add(&mut self, word: &str) {
        if self.is_over {
            *self = Phrase::default();
        }
        let mut words = String::new();
        let mut before = ' ';
        for letter in word.chars() {
            let is_start = !letter.is_alphabetic() || before.is_lowercase() && letter.is_uppercase();
            words.extend(is_start.then_some(' '));
            words.extend(letter.is_alphabetic().then(|| letter.to_ascii_lowercase()));
            before = letter;
        }
        words.split_whitespace().for_each(|word| self.add_part(word));
    }

    fn add_part(&mut self, word: &str) {
        self.ends_with_perft = word == "perft";
        self.has_perft |= self.ends_with_perft;
        let known = WORDS.get(word).copied();
        let label = known.unwrap_or(Label::Other);
        self.is_other |= known == Some(Label::Other);
        if label == Label::None {
            return;
        }
        let is_text = matches!(self.label, Label::Name | Label::Comment);
        if self.label == Label::None || label != Label::Other && !is_text {
            self.label = label;
        }
    }

    /// Ends the phrase at a sign. What follows is its number or another phrase. A link is a sign such as `=`.
    pub fn end(&mut self, is_link: bool) {
        if is_link && self.ends_with_perft && self.label == Label::Depth {
            self.label = Label::Count;
        }
        self.is_over = true;
    }

    pub fn label(&self) -> Label {
        if self.is_other { Label::Other } else { self.label }
    }
}

/// Returns the meaning of a name, such as that of a column. A number in it is a depth: `D3`, `nodes 3`.
pub fn of_name(name: &str) -> (Label, Option<u32>) {
    let mut phrase = Phrase::default();
    phrase.add(name);
    let mut numbers = name.split(|letter: char| !letter.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let depth = numbers.next().and_then(|digits| digits.parse().ok());
    match (phrase.label(), depth) {
        _ if numbers.next().is_some() => (Label::Other, None),
        (Label::Depth | Label::Count | Label::None, Some(depth)) => (Label::Count, Some(depth)),
        (Label::Depth, None) if phrase.ends_with_perft => (Label::Count, None),
        (label, _) => (label, None),
    }
}

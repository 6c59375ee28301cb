//! Reads the numbers of a line or of a JSON value, and decides which depths they belong to.

use std::ops::Range;

use crate::perft::MAX_DEPTH;
use crate::suite::{KnownCount, LineFaultKind};
use crate::text::place;

/// The meaning of a word before a number: the name of a column, of a JSON field, or of an EPD operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// The number is a depth: `depth`.
    Depth,
    /// The number is a count: `nodes`.
    Count,
    /// The number is the count at this depth: `D3`, `nodes 3`.
    CountAt(u32),
    /// The text is a name: `id`.
    Name,
    /// The text says what the position tests: `c0`.
    Comment,
    /// Three dots: the series of columns continues.
    More,
    /// Anything else.
    Other,
}

impl Label {
    /// Reads a label. A number in it is a depth.
    pub fn parse(text: &str) -> Label {
        let text = text.trim().to_lowercase();
        if ["...", "…"].contains(&text.as_str()) {
            return Label::More;
        }
        let mut digits = text.split(|letter: char| !letter.is_ascii_digit()).filter(|part| !part.is_empty());
        let (number, second) = (digits.next(), digits.next());
        let mut words = text.split(|letter: char| !letter.is_alphabetic()).filter(|part| !part.is_empty());
        let word = words.next().map_or(Label::Count, Label::word);
        let label = words.map(Label::word).fold(word, |label, word| match (label, word) {
            (Label::Depth, Label::Count) | (Label::Count, Label::Depth) => Label::Depth,
            (label, word) if label == word => label,
            _ => Label::Other,
        });
        match (label, number.map(str::parse)) {
            _ if second.is_some() => Label::Other,
            (Label::Comment, Some(Ok(0))) => Label::Comment,
            (Label::Depth | Label::Count, Some(Ok(depth))) => Label::CountAt(depth),
            (Label::Count, None) if word == Label::Count && !text.contains(char::is_alphabetic) => {
                Label::Other
            }
            (Label::Comment, None) if text == "c" => Label::Other,
            (label, None) => label,
            _ => Label::Other,
        }
    }

    fn word(word: &str) -> Label {
        match word {
            "d" | "pd" | "depth" | "depths" | "ply" | "plies" | "level" => Label::Depth,
            "nodes" | "node" | "n" | "pnc" | "count" | "counts" | "perft" | "leaf" | "leaves" | "leafs"
            | "total" | "searched" | "result" | "results" | "expected" | "moves" | "value" | "values"
            | "number" | "of" => Label::Count,
            "id" | "name" | "title" | "label" | "description" | "desc" => Label::Name,
            "c" | "comment" | "tests" => Label::Comment,
            _ => Label::Other,
        }
    }
}

/// The numbers of one position that were read so far.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// The counts whose depths are known.
    pub known: Vec<KnownCount>,
    /// The numbers without a depth, in their order.
    pub plain: Vec<u128>,
    /// A depth whose count was not read yet.
    depth: Option<u32>,
    /// A count whose depth was not read yet.
    count: Option<u128>,
    /// Whether a later line with counts has faults.
    pub has_faults: bool,
    /// The faults, each with its bytes in the line.
    pub faults: Vec<(Range<usize>, LineFaultKind)>,
}

impl Numbers {
    pub fn is_empty(&self) -> bool {
        self.known.is_empty() && self.plain.is_empty() && self.count.is_none()
    }

    /// Adds a number that has a label of its own: in a column of a table, or in a field of JSON.
    pub fn add_labelled(&mut self, label: Label, line: &str, text: &str) {
        let text_place = place(line, text);
        match (label, parse_number(text)) {
            (Label::CountAt(depth), Some(nodes)) => self.add_known(depth, nodes, text_place),
            (Label::Depth, Some(depth)) => self.set_depth(depth, text_place),
            (Label::Count, Some(nodes)) => self.set_count(nodes, text_place),
            (Label::CountAt(_) | Label::Depth | Label::Count, None) if !is_blank(text) => {
                self.faults.push((text_place, LineFaultKind::BadCount(text.to_owned())));
            }
            _ => {}
        }
    }

    /// Returns numbers that go on from a depth or a count in the line above.
    pub fn begun(&self) -> Numbers {
        Numbers { depth: self.depth, count: self.count, ..Numbers::default() }
    }

    /// Whether nothing was read at all.
    pub fn is_unread(&self) -> bool {
        self.is_empty() && self.depth.is_none() && self.faults.is_empty()
    }

    /// Reads the plain numbers as depths and their counts if both rise. Otherwise, reads only the first two like this.
    pub fn pair_up(&mut self) {
        let pairs: Vec<(u128, u128)> = self.plain.chunks_exact(2).map(|two| (two[0], two[1])).collect();
        let are_pairs =
            self.plain.len().is_multiple_of(2) && pairs.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1);
        for (depth, nodes) in pairs.into_iter().take(if are_pairs { usize::MAX } else { 1 }) {
            self.plain.clear();
            self.set_depth(depth, 0..0);
            self.set_count(nodes, 0..0);
        }
    }

    /// Adds the faults of a line of a `.perft` file: a depth and a count are expected.
    pub fn refuse_count(&mut self, line: &str, text: &str) {
        let (depth, nodes) = text.trim().split_once([' ', '\t']).unwrap_or((text.trim(), ""));
        if parse_number(depth).is_none_or(|depth| depth > u128::from(MAX_DEPTH)) {
            self.faults.push((place(line, depth), LineFaultKind::BadDepth(depth.to_owned())));
        }
        if parse_number(nodes).is_none() {
            let nodes = nodes.trim();
            self.faults.push((place(line, nodes), LineFaultKind::BadCount(nodes.to_owned())));
        }
    }

    /// Adds the numbers of a later line, which is at this place.
    pub fn join(&mut self, later: &mut Numbers, place: Range<usize>) {
        for known in later.known.drain(..) {
            self.add_known(known.depth, known.nodes, place.clone());
        }
        self.plain.append(&mut later.plain);
        (self.depth, self.count) = (later.depth, later.count);
        self.has_faults |= !later.faults.is_empty() || !self.faults.is_empty();
        later.faults.append(&mut self.faults);
    }

    fn set_depth(&mut self, depth: u128, place: Range<usize>) {
        let Some(depth) = u32::try_from(depth).ok().filter(|&depth| depth <= MAX_DEPTH) else {
            self.faults.push((place, LineFaultKind::BadDepth(depth.to_string())));
            return;
        };
        match self.count.take() {
            Some(nodes) => self.add_known(depth, nodes, place),
            None => self.depth = Some(depth),
        }
    }

    fn set_count(&mut self, nodes: u128, place: Range<usize>) {
        match self.depth.take() {
            Some(depth) => self.add_known(depth, nodes, place),
            None if self.known.is_empty() && self.count.is_none() => self.count = Some(nodes),
            None => {}
        }
    }

    /// Ends a record. A count without a depth becomes a plain number.
    pub fn end_record(&mut self) {
        self.depth = None;
        self.plain.extend(self.count.take());
    }

    pub fn add_known(&mut self, depth: u32, nodes: u128, place: Range<usize>) {
        if depth > MAX_DEPTH {
            self.faults.push((place, LineFaultKind::BadDepth(depth.to_string())));
            return;
        }
        match self.known.iter().find(|known| known.depth == depth) {
            Some(known) if known.nodes != nodes => self.faults.push((place, LineFaultKind::TwoCounts(depth))),
            Some(_) => {}
            None => self.known.push(KnownCount { depth, nodes }),
        }
    }

    /// Reads a field of a line, such as `D3 8902`, `perft 3 = 8902`, `3: 8902`, `20 400 8902` or `8902`. A field that
    /// begins with an unknown word is left out, as the EPD standard asks, and so is a number after such a word.
    pub fn read_field(&mut self, line: &str, field: &str) {
        let tokens = tokens(field);
        // The label that the last word gives to the next number.
        let mut label = None;
        let mut depths = 0;
        for (index, &token) in tokens.iter().enumerate() {
            let rest = &tokens[index + 1..];
            match token {
                Token::Word(word) => match Label::parse(word) {
                    Label::CountAt(depth) => {
                        self.depth = Some(depth);
                        self.check_operation(line, field, word, depth, rest);
                    }
                    // A depth follows in `perft 3 8902`, and a count in `perft = 8902`.
                    Label::Count
                        if word.eq_ignore_ascii_case("perft") && !matches!(rest, [Token::Link, ..]) =>
                    {
                        label = Some(Label::Depth);
                    }
                    known @ (Label::Depth | Label::Count) => label = Some(known),
                    _ if index == 0 => return,
                    other => label = Some(other),
                },
                Token::Number(text) => {
                    let place = place(line, text);
                    let Some(number) = parse_number(text) else {
                        self.faults.push((place, LineFaultKind::BadCount(text.to_owned())));
                        continue;
                    };
                    let is_before_link = matches!(rest, [Token::Link, Token::Number(_), ..]);
                    let is_list = matches!(rest, [Token::Number(_), ..]);
                    // A list of consecutive depths says only that the counts are in order.
                    let is_next =
                        matches!(rest, [Token::Number(next), ..] if parse_number(next) == Some(number + 1));
                    if label == Some(Label::Depth) && is_next || depths > 0 {
                        depths = if is_next { number + 1 } else { 0 };
                        continue;
                    }
                    match (label.take(), self.depth) {
                        (Some(Label::Depth), _) => self.set_depth(number, place),
                        (None | Some(Label::Count), None) if is_before_link => self.set_depth(number, place),
                        (Some(Label::Count), depth) if depth.is_some() || !is_list => {
                            self.set_count(number, place)
                        }
                        (None, Some(depth)) => {
                            self.depth = None;
                            self.add_known(depth, number, place);
                        }
                        (None | Some(Label::Count), _) => self.plain.push(number),
                        (Some(_), _) => {}
                    }
                }
                Token::Link => {}
            }
        }
        // `[(1, 20), (2, 400)]` after the word `depths`: the first pair is read.
        if let (Some(last), Some(&depth)) = (self.known.last(), self.plain.first())
            && depth == u128::from(last.depth) + 1
        {
            self.pair_up();
        }
    }

    /// Checks the operation `D3 8902`: its depth, and that a number follows. A sign such as `?` stands for an unknown
    /// count.
    fn check_operation(&mut self, line: &str, field: &str, word: &str, depth: u32, rest: &[Token<'_>]) {
        let Some(digits) = word.strip_prefix(['D', 'd']) else { return };
        if depth > MAX_DEPTH {
            self.depth = None;
            self.faults.push((place(line, digits), LineFaultKind::BadDepth(digits.to_owned())));
        }
        let operand = field[place(field, word).end..].trim();
        let is_unknown = !operand.is_empty() && !operand.contains(char::is_alphanumeric);
        if !rest.iter().any(|token| matches!(token, Token::Number(_))) {
            self.depth = None;
            if !is_unknown {
                self.faults.push((place(line, operand), LineFaultKind::BadCount(operand.to_owned())));
            }
        }
    }
}

fn is_blank(text: &str) -> bool {
    !text.chars().any(char::is_alphanumeric)
}

/// A way to read numbers without depths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The counts from depth 1 on.
    FromOne,
    /// Pairs of a depth and its count.
    Pairs,
    /// The counts from depth 0 on.
    FromZero,
    /// A depth and its count; the other numbers are something else.
    DepthFirst,
    /// A count and its depth.
    CountFirst,
}

impl Reading {
    /// All readings. If several fit equally well, the first one is used.
    pub const ALL: [Reading; 5] =
        [Reading::FromOne, Reading::Pairs, Reading::FromZero, Reading::DepthFirst, Reading::CountFirst];

    /// Returns what the numbers are, for a note to the user.
    pub const fn about(self) -> &'static str {
        match self {
            Reading::FromOne => "the counts from depth 1 on",
            Reading::FromZero => "the counts from depth 0 on",
            Reading::Pairs => "a depth and its count",
            Reading::DepthFirst => "a depth, its count, and numbers that are left out",
            Reading::CountFirst => "a count and its depth",
        }
    }

    /// Returns the known counts in this reading, or `None` if the numbers do not fit it.
    pub fn counts(self, numbers: &[u128]) -> Option<Vec<KnownCount>> {
        let in_order = |first: u32, numbers: &[u128]| {
            let depths = (first..=MAX_DEPTH).zip(numbers);
            depths.map(|(depth, &nodes)| KnownCount { depth, nodes }).collect::<Vec<_>>()
        };
        let pair = |depth: u128, nodes: u128| {
            let depth = u32::try_from(depth).ok().filter(|&depth| depth <= MAX_DEPTH)?;
            // No count is so small at so great a depth, except where few moves are left.
            let is_plausible = depth <= 12 || nodes >= 1 << depth.min(127);
            is_plausible.then_some(KnownCount { depth, nodes })
        };
        match (self, numbers) {
            (_, []) => None,
            (Reading::FromOne, numbers) => Some(in_order(1, numbers)),
            (Reading::FromZero, [1, _, ..]) => Some(in_order(0, numbers)),
            (Reading::Pairs, numbers) if numbers.len().is_multiple_of(2) => {
                let pairs: Option<Vec<_>> = numbers.chunks(2).map(|two| pair(two[0], two[1])).collect();
                pairs.filter(|pairs| pairs.is_sorted_by(|a, b| a.depth < b.depth))
            }
            (Reading::DepthFirst, &[depth, nodes, ..]) => Some(vec![pair(depth, nodes)?]),
            (Reading::CountFirst, &[nodes, depth]) => Some(vec![pair(depth, nodes)?]),
            _ => None,
        }
    }
}

/// A part of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// Letters, with or without digits: `perft`, `D3`.
    Word(&'a str),
    /// Digits, with or without separators between them.
    Number(&'a str),
    /// A sign between a depth and its count: `:`, `=` or `->`.
    Link,
}

/// Signs between the digits of a number, in addition to commas and dots.
const SEPARATORS: [char; 6] = ['_', '\'', '\u{a0}', '\u{202f}', '\u{2009}', '\u{2019}'];

/// Returns the tokens of a text. Words that open a list, such as `vec![`, are left out, and so are negative numbers,
/// decimal numbers, and numbers with a unit.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut brackets = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_negative = first == '-' && rest[1..].starts_with(|letter: char| letter.is_ascii_digit());
        let length = if first.is_ascii_digit() {
            let (length, number) = leading_number(rest, brackets > 0);
            tokens.extend(number.map(Token::Number));
            length
        } else if first.is_alphabetic() {
            let length =
                rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
            let opens = rest[length..].trim_start_matches('!').starts_with(['[', '{', '(']);
            let is_known = ["perft", "depth", "nodes", "D", "d"].contains(&&rest[..length]);
            let is_filler = ["new", "info", "go"].contains(&&rest[..length]);
            if !is_filler && (is_known || !opens) {
                tokens.push(Token::Word(&rest[..length]));
            }
            length
        } else if is_negative {
            1 + leading_number(&rest[1..], brackets > 0).0
        } else {
            match first {
                '[' | '{' | '(' => brackets += 1,
                ']' | '}' | ')' => brackets -= 1,
                ':' | '=' => tokens.push(Token::Link),
                '>' if text[..text.len() - rest.len()].ends_with('-') => tokens.push(Token::Link),
                _ => {}
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// Returns the length of the number at the start of a text, and its digits, if it is a whole number. In a list, commas
/// separate the items.
fn leading_number(text: &str, is_in_list: bool) -> (usize, Option<&str>) {
    let is_part = |letter: char| {
        letter.is_alphanumeric()
            || letter == '.'
            || letter == ',' && !is_in_list
            || SEPARATORS.contains(&letter)
    };
    let whole =
        text[..text.find(|letter| !is_part(letter)).unwrap_or(text.len())].trim_end_matches([',', '.', '\'']);
    let first = whole.split(',').next().unwrap_or(whole);
    let whole = if is_grouped(whole, ',') { whole } else { first };
    let digits = whole.trim_end_matches(suffix(whole)).trim_end_matches('_');
    let is_whole =
        digits.chars().all(|letter| !letter.is_alphabetic() && letter != '.') || is_grouped(digits, '.');
    (whole.len(), is_whole.then_some(digits))
}

/// Returns the type suffix of a number in a program: `u64`, `L`, `ull`.
fn suffix(number: &str) -> &str {
    let start = number.find(char::is_alphabetic).unwrap_or(number.len());
    let suffix = &number[start..];
    let letters = suffix.trim_end_matches(|letter: char| letter.is_ascii_digit()).to_lowercase();
    if ["l", "ll", "u", "ul", "ull", "lu", "llu", "i", "n", "usize", "z"].contains(&letters.as_str()) {
        suffix
    } else {
        ""
    }
}

/// Whether a number has groups of three digits with this separator.
fn is_grouped(text: &str, separator: char) -> bool {
    let mut groups = text.split(separator);
    let first = groups.next().unwrap_or_default();
    text.contains(separator)
        && (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && groups.all(|group| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Parses a number of nodes, with or without separators between the digits.
pub fn parse_number(text: &str) -> Option<u128> {
    let text = text.trim().trim_matches(['"', '\'', '`', '*']);
    let (length, digits) = leading_number(text, false);
    let digits = digits
        .filter(|_| length == text.len() && text.starts_with(|letter: char| letter.is_ascii_digit()))?;
    digits.replace([',', '.'], "").replace(SEPARATORS, "").parse().ok()
}

//! Finds the number of nodes in a line without moves, by the words before and after each number.

use super::token::Token;

/// Words that make a number a count of nodes.
const NODES: &[&str] = &[
    "nodes",
    "node",
    "leaves",
    "leafs",
    "leaf",
    "leafnodes",
    "total",
    "searched",
    "count",
    "counted",
    "perft",
    "result",
    "positions",
    "sum",
    "nodecount",
    "found",
];

/// Words that make a number anything else.
const NOT_NODES: &[&str] = &[
    "time",
    "nps",
    "knps",
    "mnps",
    "speed",
    "depth",
    "ply",
    "plies",
    "hash",
    "hashfull",
    "second",
    "seconds",
    "sec",
    "secs",
    "s",
    "ms",
    "msec",
    "milliseconds",
    "us",
    "ns",
    "per",
    "elapsed",
    "took",
    "threads",
    "thread",
    "mb",
    "kb",
    "gb",
    "bytes",
    "memory",
    "cpu",
    "cpus",
    "cores",
    "version",
    "eval",
    "evaluation",
    "score",
    "hits",
    "captures",
    "checks",
    "castles",
    "castling",
    "promotions",
    "ep",
    "mates",
    "checkmates",
    "fen",
    "kn",
    "mn",
    "million",
    "average",
    "rate",
    "test",
    "expected",
];

/// Words for a depth. The number after them is followed by the count, as in `Depth 3: 8902`.
const DEPTH: &[&str] = &["depth", "ply", "plies", "perft", "d"];

/// Returns the number of nodes in a line without moves, and whether words say that it is one. `depth` is that of the
/// question, if it is known.
pub(super) fn total(tokens: &[Token], depth: Option<u32>) -> Option<(u128, bool)> {
    if let Some(nodes) = labelled_total(tokens) {
        return Some((nodes, true));
    }
    let nodes = match numbers_only(tokens)?.as_slice() {
        [nodes] => *nodes,
        // A row of a table: the depth, the nodes, and perhaps times.
        [first, nodes, ..] if depth.is_some_and(|depth| *first == u128::from(depth)) => *nodes,
        _ => return None,
    };
    Some((nodes, false))
}

/// Returns the first number that words call a number of nodes.
fn labelled_total(tokens: &[Token]) -> Option<u128> {
    let mut label = Label::default();
    let mut before = ' ';
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Word(word) => label.add(word),
            Token::Number(nodes) if label.is_of_nodes(before, &tokens[index + 1..]) => return Some(*nodes),
            Token::OtherNumber => label.words.clear(),
            Token::Number(_) | Token::Move(_) | Token::Sign(_) => {}
        }
        before = sign(Some(token));
    }
    None
}

/// The words before a number.
#[derive(Default)]
struct Label<'a> {
    words: Vec<&'a str>,
    /// Whether the number before them is a depth. A number without words after a depth is its count.
    follows_depth: bool,
    /// Whether the next word is the unit of the number before it.
    expects_unit: bool,
}

impl<'a> Label<'a> {
    fn add(&mut self, word: &'a str) {
        if !std::mem::take(&mut self.expects_unit) {
            self.words.push(word);
        }
    }

    fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(word))
    }

    fn ends_with(&self, words: &[&str]) -> bool {
        self.words.last().is_some_and(|word| words.contains(word))
    }

    /// Whether the number behind these words is one of nodes. `before` is the sign just before it. Otherwise gets ready
    /// for the next number.
    fn is_of_nodes(&mut self, before: char, after: &[Token]) -> bool {
        if before == '(' && sign(after.first()) == ')' {
            // perft(3) = 8902, or: Total nodes for depth (3) : 8902
            self.words.retain(|word| !NOT_NODES.contains(word));
            self.follows_depth = true;
            return false;
        }
        let unit = unit(after);
        let is_depth = self.ends_with(DEPTH) && !matches!(before, ':' | '=');
        if unit == Unit::Nodes && !is_depth && !self.ends_with(NOT_NODES) {
            return true;
        }
        let is_other = is_depth || unit == Unit::Other || self.has(NOT_NODES);
        let is_nodes = !is_other && (self.has(NODES) || (self.words.is_empty() && self.follows_depth));
        if is_other {
            self.follows_depth = is_depth || self.has(DEPTH);
        }
        self.expects_unit = unit == Unit::Other;
        self.words.clear();
        is_nodes
    }
}

/// Returns the sign that a token is, or a space.
fn sign(token: Option<&Token>) -> char {
    match token {
        Some(Token::Sign(sign)) => *sign,
        _ => ' ',
    }
}

/// What the words behind a number make of it.
#[derive(PartialEq)]
enum Unit {
    Nodes,
    Other,
    None,
}

fn unit(after: &[Token]) -> Unit {
    let (Some(Token::Word(word)), rest) = (after.first(), after.get(1)) else {
        return if after.first() == Some(&Token::Sign('%')) { Unit::Other } else { Unit::None };
    };
    let is_rate = match rest {
        Some(Token::Sign('/')) => true,
        Some(Token::Word(next)) => next == "per",
        _ => false,
    };
    match word.as_str() {
        _ if is_rate => Unit::Other,
        "nodes" | "node" | "leaves" | "leafs" | "leaf" | "leafnodes" | "positions" => Unit::Nodes,
        other if NOT_NODES.contains(&other) && other != "time" && other != "nps" && other != "depth" => {
            Unit::Other
        }
        "x" | "m" | "k" | "mn/s" => Unit::Other,
        _ => Unit::None,
    }
}

/// Returns the numbers of a line that has no words before its last number; a sentence such as `8902 in 2 ms` begins with
/// its number.
fn numbers_only(tokens: &[Token]) -> Option<Vec<u128>> {
    let mut numbers = Vec::new();
    for token in tokens {
        match token {
            Token::Number(nodes) => numbers.push(*nodes),
            Token::Word(word) if word == "in" && numbers.len() == 1 => return Some(numbers),
            Token::Word(_) | Token::Move(_) => return None,
            Token::OtherNumber | Token::Sign(_) => {}
        }
    }
    (tokens.first().is_some_and(|token| !matches!(token, Token::OtherNumber))).then_some(numbers)
}

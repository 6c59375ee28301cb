//! What one line of a program's output says.
//!
//! There is no standard for the output of a perft, so a line is not matched against formats. It is cut into words, numbers
//! and moves. A line with a move is a count of this move, whatever else it has. In other lines, the words before and after
//! a number say whether it is a count of nodes.

use super::notation;

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The leaf nodes below a move.
    Move(String, u128),
    /// A number of leaf nodes.
    Total {
        /// The number.
        nodes: u128,
        /// Whether words say that it is a number of nodes.
        is_labelled: bool,
    },
    /// The output of a search.
    Search,
    /// There is a move, but no count.
    NoCount,
    /// Nothing about counts.
    Other,
}

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

/// The first words of lines of the protocols, which have no counts.
const PROTOCOL: &[&str] = &["id", "option", "feature", "uciok", "readyok", "pong"];

/// Words that only a search prints.
const SEARCH: &[&str] = &["pv", "score", "currmove", "seldepth", "multipv"];

#[derive(Debug, PartialEq)]
enum Token {
    /// Letters, perhaps followed by digits, in lower case.
    Word(String),
    Number(u128),
    /// A number that cannot be a count: with a fraction or a minus sign, or too large.
    OtherNumber,
    Move(String),
    Sign(char),
}

impl Line {
    /// Reads a line. `depth` is that of the question, if it is known.
    pub fn read(line: &str, depth: Option<u32>) -> Line {
        let tokens = tokens(line);
        let word = |index: usize| match tokens.get(index) {
            Some(Token::Word(word)) => word.as_str(),
            _ => "",
        };
        let is_info = word(0) == "info" && word(1) != "string";
        let is_search = |token: &Token| matches!(token, Token::Word(word) if SEARCH.contains(&word.as_str()));
        if word(0) == "bestmove" || (is_info && tokens.iter().any(is_search)) {
            return Line::Search;
        }
        if PROTOCOL.contains(&word(0)) {
            return Line::Other;
        }
        counted_move(&tokens)
            .or_else(|| algebraic_move(line))
            .or_else(|| total(&tokens, depth))
            .unwrap_or(Line::Other)
    }
}

/// Reads a line with a move: the first whole number after it is its count. A number before it is its count only if there is
/// nothing else.
fn counted_move(tokens: &[Token]) -> Option<Line> {
    let at = tokens.iter().position(|token| matches!(token, Token::Move(_)))?;
    let Token::Move(played) = &tokens[at] else { return None };
    let after = tokens[at + 1..].iter().find_map(|token| match token {
        Token::Number(nodes) => Some(Some(*nodes)),
        Token::Move(_) => Some(None),
        _ => None,
    });
    let before = match tokens {
        [Token::Number(nodes), Token::Move(_)] => Some(*nodes),
        _ => None,
    };
    match after.flatten().or(before) {
        Some(nodes) => Some(Line::Move(played.clone(), nodes)),
        // A longer line is a sentence that mentions a move.
        None if tokens.len() <= 4 => Some(Line::NoCount),
        None => Some(Line::Other),
    }
}

/// Reads a line that begins with a move in standard algebraic notation, and perhaps with its number in the list before it.
fn algebraic_move(line: &str) -> Option<Line> {
    let mut words = line.split([' ', '\t', ':', '|', ',']).filter(|word| !word.is_empty());
    let is_index = |word: &str| {
        let digits = word.trim_end_matches(['.', ')']);
        word.eq_ignore_ascii_case("move")
            || (digits.len() < word.len() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let played = words.by_ref().find(|word| !is_index(word)).filter(|word| notation::is_algebraic(word))?;
    let rest: Vec<&str> = words.collect();
    let nodes = tokens(&rest.join(" ")).into_iter().find_map(|token| match token {
        Token::Number(nodes) => Some(nodes),
        _ => None,
    })?;
    Some(Line::Move(played.to_owned(), nodes))
}

/// Finds the number of nodes in a line without moves.
fn total(tokens: &[Token], depth: Option<u32>) -> Option<Line> {
    let labelled = |nodes| Some(Line::Total { nodes, is_labelled: true });
    let plain = |nodes| Some(Line::Total { nodes, is_labelled: false });
    let mut label: Vec<&str> = Vec::new();
    let mut follows_depth = false;
    let mut follows_unit = false;
    for (index, token) in tokens.iter().enumerate() {
        let nodes = match token {
            Token::Word(word) => {
                // A unit belongs to the number before it.
                if !std::mem::take(&mut follows_unit) {
                    label.push(word);
                }
                continue;
            }
            Token::Number(nodes) => *nodes,
            Token::OtherNumber => {
                label.clear();
                continue;
            }
            Token::Move(_) | Token::Sign(_) => continue,
        };
        let sign = |index: usize| match tokens.get(index) {
            Some(Token::Sign(sign)) => *sign,
            _ => ' ',
        };
        let before = if index == 0 { ' ' } else { sign(index - 1) };
        if before == '(' && sign(index + 1) == ')' {
            // perft(3) = 8902, or: Total nodes for depth (3) : 8902
            label.retain(|word| !NOT_NODES.contains(word));
            follows_depth = true;
            continue;
        }
        let unit = unit(&tokens[index + 1..]);
        let is_depth = DEPTH.iter().any(|word| label.last() == Some(word)) && !matches!(before, ':' | '=');
        let is_other = label.last().is_some_and(|word| NOT_NODES.contains(word));
        if unit == Unit::Nodes && !is_depth && !is_other {
            return labelled(nodes);
        }
        follows_unit = unit == Unit::Other;
        if is_depth || unit == Unit::Other || label.iter().any(|word| NOT_NODES.contains(word)) {
            follows_depth = is_depth || label.iter().any(|word| DEPTH.contains(word));
            label.clear();
            continue;
        }
        if label.iter().any(|word| NODES.contains(word)) || (label.is_empty() && follows_depth) {
            return labelled(nodes);
        }
        label.clear();
    }
    match numbers_only(tokens)?.as_slice() {
        [nodes] => plain(*nodes),
        // A row of a table: the depth, the nodes, and perhaps times.
        [first, nodes, ..] if depth.is_some_and(|depth| *first == u128::from(depth)) => plain(*nodes),
        _ => None,
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

fn tokens(line: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = line.trim();
    while let Some(first) = rest.chars().next() {
        let (length, token) = token(rest, first);
        tokens.extend(token);
        rest = &rest[length..];
    }
    tokens
}

/// Returns the length of the first token of a text, and the token unless it is space.
fn token(text: &str, first: char) -> (usize, Option<Token>) {
    if let Some((length, played)) = notation::coordinate_move(text) {
        return (length, Some(Token::Move(played)));
    }
    if first.is_ascii_digit() {
        let (length, token) = number(text);
        return (length, Some(token));
    }
    if first == '-' && text[1..].starts_with(|next: char| next.is_ascii_digit()) {
        let (length, _) = number(&text[1..]);
        return (1 + length, Some(Token::OtherNumber));
    }
    if first.is_alphabetic() {
        let length =
            text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
        return (length, Some(Token::Word(text[..length].to_lowercase())));
    }
    (first.len_utf8(), (!first.is_whitespace()).then_some(Token::Sign(first)))
}

/// Reads a number with or without thousands separators, at the start of a text.
fn number(text: &str) -> (usize, Token) {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(text);
    while length <= 3 || length > digits(text) {
        let Some(separator) =
            text[length..].chars().next().filter(|sign| ",'_\u{a0}\u{202f}\u{2019}".contains(*sign))
        else {
            break;
        };
        let start = length + separator.len_utf8();
        if digits(&text[start..]) != 3 {
            break;
        }
        length = start + 3;
    }
    let fraction = text[length..].strip_prefix(['.', ',']).map_or(0, digits);
    if fraction > 0 {
        return (length + 1 + fraction, Token::OtherNumber);
    }
    let plain: String = text[..length].chars().filter(char::is_ascii_digit).collect();
    (length, plain.parse().map_or(Token::OtherNumber, Token::Number))
}

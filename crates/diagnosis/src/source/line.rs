//! Reads one line of a program's output.
//!
//! There is no standard for the output of a perft, so a line is not matched against formats. It is split into words,
//! numbers and moves. The words before and after a number show whether it is a number of nodes. In a line with a move,
//! it is the count of this move.

use super::notation;
use super::token::{Token, tokens};
use super::total::{Certainty, Meaning, Numbers, total};

/// The meaning of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The leaf nodes below a move.
    Move(String, u128),
    /// A number of leaf nodes, and how certain it is that it is the total.
    Total(u128, Certainty),
    /// The output of a search, or a move that the program plays.
    Search,
    /// A move without a count.
    NoCount,
    /// A line without counts.
    Other,
}

/// The first words of protocol lines, which have no counts.
const PROTOCOL: &[&str] = &["id", "option", "feature", "uciok", "readyok", "pong"];

/// Words that only a search prints.
const SEARCH: &[&str] = &["pv", "score", "currmove", "seldepth", "multipv"];

/// The largest number of tokens of a line with a move. A longer line is a sentence.
const SHORT: usize = 4;

impl Line {
    /// Reads a line that is [`plain`](super::plain::plain). `depth` is that of the question, if it is known.
    pub fn read(line: &str, depth: Option<u32>) -> Line {
        let line = &joined(line);
        let tokens = tokens(line);
        let word = |index: usize| match tokens.get(index) {
            Some(Token::Word(word)) => word.as_str(),
            _ => "",
        };
        let is_info = word(0) == "info" && word(1) != "string";
        let is_search = |token: &Token| matches!(token, Token::Word(word) if SEARCH.contains(&word.as_str()));
        if word(0) == "bestmove" || (is_info && tokens.iter().any(is_search)) || is_played(line, &tokens) {
            return Line::Search;
        }
        if PROTOCOL.contains(&word(0)) {
            return Line::Other;
        }
        counted_move(&tokens)
            .or_else(|| algebraic_move(line))
            .or_else(|| total(&tokens, depth).map(|(nodes, certainty)| Line::Total(nodes, certainty)))
            .unwrap_or(Line::Other)
    }
}

/// Joins the two squares at the start of a line such as `e2 e4 20`.
fn joined(line: &str) -> String {
    let (from, rest) = line.split_once(' ').unwrap_or_default();
    let is_number = |text: &str| text.starts_with(|next: char| next.is_ascii_digit() || ":=".contains(next));
    let joined = format!("{from}{rest}");
    let length = notation::coordinate_move(&joined).map(|(length, _)| length);
    match length {
        Some(length) if notation::is_square(from) && is_number(joined[length..].trim_start()) => joined,
        _ => line.to_owned(),
    }
}

/// Whether the line says that the program plays a move instead of counting: `move e2e4`, as in the XBoard protocol, or
/// `My move is: e4`.
fn is_played(line: &str, tokens: &[Token]) -> bool {
    let says = |token: &Token, said: &str| matches!(token, Token::Word(word) if word == said);
    let is_command = match tokens {
        [first, Token::Move(_)] => says(first, "move"),
        _ => false,
    };
    let algebraic = line.strip_prefix("move ").is_some_and(|played| notation::is_algebraic(played.trim()));
    let is_sentence =
        tokens.len() >= 3 && ["my", "move", "is"].iter().zip(tokens).all(|(said, token)| says(token, said));
    is_command || algebraic || is_sentence
}

/// Reads a line with a move. The first number after the move that has no other meaning is its count. A number before
/// the move is its count only if words call it a count, or if the line has no other number.
fn counted_move(tokens: &[Token]) -> Option<Line> {
    let is_move = |token: &Token| matches!(token, Token::Move(_));
    let at = tokens.iter().position(is_move)?;
    let Token::Move(played) = &tokens[at] else { return None };
    let end = tokens[at + 1..].iter().position(is_move).map_or(tokens.len(), |next| at + 1 + next);
    let numbers = Numbers::of(&tokens[..end]).all;
    let after = numbers.iter().find(|(index, _, meaning)| *index > at && *meaning != Meaning::Other);
    let before = numbers.iter().find(|(index, _, meaning)| *index < at && *meaning >= Meaning::Nodes);
    let alone = numbers.first().filter(|_| tokens.len() == 2);
    match after.or(before).or(alone) {
        Some((_, nodes, _)) => Some(Line::Move(played.clone(), *nodes)),
        // A longer line is a sentence that mentions a move.
        None if tokens.len() <= SHORT => Some(Line::NoCount),
        None => Some(Line::Other),
    }
}

/// Reads a line that begins with a move in standard algebraic notation. Its index in the list may be before it.
fn algebraic_move(line: &str) -> Option<Line> {
    let is_border = |sign: char| sign.is_whitespace() || ":|,".contains(sign);
    let (mut word, mut rest) = ("move", line);
    while is_index(word) {
        let text = rest.trim_start_matches(is_border);
        (word, rest) = text.split_at(text.find(is_border).unwrap_or(text.len()));
    }
    let numbers = Numbers::of(&tokens(rest)).all;
    let (_, nodes, _) = numbers.into_iter().find(|(.., meaning)| *meaning != Meaning::Other)?;
    notation::is_algebraic(word).then(|| Line::Move(word.to_owned(), nodes))
}

/// Whether a word is `move` or a number in a list, such as `3.`.
fn is_index(word: &str) -> bool {
    let digits = word.trim_end_matches(['.', ')']);
    word.eq_ignore_ascii_case("move")
        || (digits.len() < word.len() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

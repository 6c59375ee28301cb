//! What one line of a program's output says.
//!
//! There is no standard for the output of a perft, so a line is not matched against formats. It is cut into words, numbers
//! and moves. A line with a move is a count of this move, whatever else it has. In other lines, the words before and after
//! a number say whether it is a count of nodes.

use super::token::{Token, tokens};
use super::{notation, total};

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

/// The first words of lines of the protocols, which have no counts.
const PROTOCOL: &[&str] = &["id", "option", "feature", "uciok", "readyok", "pong"];

/// Words that only a search prints.
const SEARCH: &[&str] = &["pv", "score", "currmove", "seldepth", "multipv"];

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
            .or_else(|| {
                total::total(&tokens, depth).map(|(nodes, is_labelled)| Line::Total { nodes, is_labelled })
            })
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

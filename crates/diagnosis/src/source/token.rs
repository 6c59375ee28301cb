//! Splits a line of a program's output into words, numbers, moves and signs.

use super::{notation, words};

/// The largest number that can be a count. No program counts this far, and sums of many such numbers fit into 128 bits.
const MOST_NODES: u128 = 1 << 100;

/// The smallest number of letters of a word that ends before a digit, as in `perft3`. Shorter words are squares and
/// names.
const MIN_LETTERS: usize = 3;

/// The signs that can be between the groups of a number's digits, or before its fraction.
const SEPARATORS: &str = ".,'_\u{a0}\u{202f}\u{2019}";

/// A part of a line.
#[derive(Debug, PartialEq)]
pub(super) enum Token {
    /// Letters, possibly with digits, in lower case.
    Word(String),
    Number(u128),
    /// A number that cannot be a count: it has a fraction, a minus sign or letters, or is too large.
    OtherNumber,
    Move(String),
    Sign(char),
}

/// Splits a line into its parts. `nodesSearched` and `nodes_searched` are two words.
pub(super) fn tokens(line: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = line[at..].chars().next() {
        let before = line[..at].chars().next_back().unwrap_or(' ');
        let is_behind_label = matches!(tokens.last(), Some(Token::Sign(':' | '=')));
        let (length, token) = token(&line[at..], first, before, is_behind_label);
        tokens.extend(token);
        at += length;
    }
    tokens
}

/// Returns the length of the first token of a text, and the token unless it is white space.
fn token(text: &str, first: char, before: char, is_behind_label: bool) -> (usize, Option<Token>) {
    if let Some((length, played)) = notation::coordinate_move(text) {
        return (length, Some(Token::Move(played)));
    }
    if first.is_ascii_digit() {
        let (length, token) = number(text, before, is_behind_label);
        return (length, Some(token));
    }
    if first == '-' && !before.is_alphanumeric() && text[1..].starts_with(|next: char| next.is_ascii_digit())
    {
        let (length, _) = number(&text[1..], first, false);
        return (1 + length, Some(Token::OtherNumber));
    }
    if first.is_alphabetic() {
        let length = word(text);
        return (length, Some(Token::Word(text[..length].to_lowercase())));
    }
    (first.len_utf8(), (!first.is_whitespace()).then_some(Token::Sign(first)))
}

/// Returns the length of the word at the start of a text.
fn word(text: &str) -> usize {
    let mut last = ' ';
    for (at, letter) in text.char_indices() {
        let is_next_word = last.is_lowercase() && letter.is_uppercase();
        let is_number = letter.is_ascii_digit() && last.is_alphabetic() && at >= MIN_LETTERS;
        if !letter.is_alphanumeric() || is_next_word || is_number {
            return at;
        }
        last = letter;
    }
    text.len()
}

/// Reads a number with or without thousands separators, at the start of a text.
///
/// A number with letters directly after it (`8k`, `12ms`, `0x1f`) is not a count, unless the letters are a word for
/// nodes.
fn number(text: &str, before: char, is_behind_label: bool) -> (usize, Token) {
    // In `e2e4,20,400`, the comma separates columns.
    let length = digits_with(text, |sign| SEPARATORS.contains(sign) && (sign, before) != (',', ','));
    let spaced = digits_with(text, |sign| sign == ' ');
    let is_of_nodes = |text: &str| words::NODES.contains(&text[..word(text)].to_lowercase().as_str());
    let letters = word(&text[length..]);
    if letters > 0 && !is_of_nodes(&text[length..]) {
        return (length + letters, Token::OtherNumber);
    }
    // `8 902` can be one number or two. `8 002` cannot be two.
    let is_sure = text[..spaced].contains(" 0");
    let is_doubtful = spaced > length && (is_behind_label || is_of_nodes(text[spaced..].trim_start()));
    match grouped(&text[..spaced]) {
        Some(nodes) if is_sure => (spaced, Token::Number(nodes)),
        Some(_) if is_doubtful => (spaced, Token::OtherNumber),
        _ => (length, grouped(&text[..length]).map_or(Token::OtherNumber, Token::Number)),
    }
}

/// Returns the length of the digits at the start of a text. Single separators may be between them.
fn digits_with(text: &str, is_separator: impl Fn(char) -> bool) -> usize {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(text);
    while let Some(sign) = text[length..].chars().next().filter(|sign| is_separator(*sign)) {
        let more = digits(&text[length + sign.len_utf8()..]);
        if more == 0 {
            break;
        }
        length += sign.len_utf8() + more;
    }
    length
}

/// Returns the value of these digits if they are a whole number: without separators, or in groups of three. A single
/// group after a point is a fraction.
fn grouped(text: &str) -> Option<u128> {
    let mut separators = text.chars().filter(|sign| !sign.is_ascii_digit());
    let separator = separators.next();
    let is_fraction = separator == Some('.') && separators.clone().next().is_none();
    let is_same = separators.all(|other| Some(other) == separator);
    let mut groups = text.split(|sign: char| !sign.is_ascii_digit());
    let is_first = |group: &str| separator.is_none() || (group.len() <= 3 && !group.starts_with('0'));
    let is_whole = groups.next().is_some_and(is_first) && groups.all(|group| group.len() == 3);
    let plain: String = text.chars().filter(char::is_ascii_digit).collect();
    let nodes = plain.parse().ok().filter(|&nodes| nodes <= MOST_NODES);
    nodes.filter(|_| is_same && is_whole && !is_fraction)
}

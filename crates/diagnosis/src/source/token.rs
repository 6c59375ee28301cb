//! Cuts a line of a program's output into words, numbers, moves and signs.

use super::notation;

/// The largest number that can be a count. No program counts as far as this, and sums of many such numbers fit into 128
/// bits.
const MOST_NODES: u128 = 1 << 100;

/// A part of a line.
#[derive(Debug, PartialEq)]
pub(super) enum Token {
    /// Letters, perhaps followed by digits, in lower case.
    Word(String),
    Number(u128),
    /// A number that cannot be a count: with a fraction or a minus sign, or too large.
    OtherNumber,
    Move(String),
    Sign(char),
}

/// Cuts a line into its parts.
pub(super) fn tokens(line: &str) -> Vec<Token> {
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
    match plain.parse() {
        Ok(nodes) if nodes <= MOST_NODES => (length, Token::Number(nodes)),
        _ => (length, Token::OtherNumber),
    }
}

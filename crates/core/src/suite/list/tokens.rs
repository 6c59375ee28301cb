//! Takes a text apart: words, numbers, and the signs between them.

/// A piece of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// Letters, with or without digits: `perft`, `D3`.
    Word(&'a str),
    /// Digits, with or without separators between them.
    Number(&'a str),
    /// A sign between a depth and its count: `:`, `=` or `->`.
    Link,
}

/// Signs between the digits of a number, beside commas and dots.
const SEPARATORS: [char; 6] = ['_', '\'', '\u{a0}', '\u{202f}', '\u{2009}', '\u{2019}'];

/// Returns the pieces of a text. Words that open a list, such as `vec![`, are left out, and so are negative numbers,
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

/// Returns the length of the number at the start of a text, and its digits, if it is a whole number. Commas separate the
/// items of a list.
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

/// Returns the type of a number in a programming language: `u64`, `L`, `ull`.
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
pub fn number(text: &str) -> Option<u128> {
    let text = text.trim().trim_matches(['"', '\'', '`', '*']);
    let (length, digits) = leading_number(text, false);
    let digits = digits
        .filter(|_| length == text.len() && text.starts_with(|letter: char| letter.is_ascii_digit()))?;
    digits.replace([',', '.'], "").replace(SEPARATORS, "").parse().ok()
}

//! The numbers of a line, and the places where they stand.
//!
//! There is no standard for the output of a perft, so a line is not matched against formats. Its numbers and moves
//! become placeholders, and what is left is its *shape*: `Nodes searched: 8902` has the shape `node searched : #`. The
//! [profile](super::Profile) of a program says at which place in which shape a count stands.

use std::ops::Range;

use super::notation;
use crate::lines::visible;

/// The longest line that is read, in bytes. All moves of a position fit on one line.
const LONGEST_LINE: usize = 8192;

/// The largest number of numbers in a line, or after one of its moves, that can be counts.
const MOST_NUMBERS: usize = 40;

/// The largest number that can be a count. No program counts this far, and sums of many such numbers fit into 128 bits.
const MOST_NODES: u128 = 1 << 100;

/// The most letters of a unit, such as `ms` or `nps`. Units change with the size of a number.
const UNIT_LETTERS: usize = 3;

/// The length of a control character that was made visible, such as `\x07`.
const ESCAPE: usize = 4;

/// How numbers and moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Spelling {
    /// The sign between groups of three digits.
    pub grouping: Option<char>,
    /// Whether moves are in standard algebraic notation.
    #[cfg_attr(feature = "serde", serde(default))]
    pub is_algebraic: bool,
}

impl Spelling {
    /// Returns all spellings, the usual one first.
    pub(super) fn all() -> impl Iterator<Item = Spelling> {
        let signs = [',', '.', '\'', '_', ' ', '\u{a0}', '\u{202f}', '\u{2019}'].map(Some);
        let groupings = [None].into_iter().chain(signs);
        groupings.flat_map(|grouping| [false, true].map(|is_algebraic| Spelling { grouping, is_algebraic }))
    }
}

/// A number of a line.
#[derive(Clone, Debug)]
pub(super) struct Number {
    /// The number; `None` if it cannot be a count, because it has a fraction, for example.
    pub value: Option<u128>,
    /// Whether it has a minus sign. Then it is not a count, unless a counter has overflowed.
    pub is_negative: bool,
    /// The names of its place, the usual one first: counted from the start of the line (as the last number of `M : #`
    /// or `depth # node #`), from the move, and from the end (`M : ...#2` is the second number from the end).
    pub places: Vec<String>,
}

impl Number {
    pub fn is_at(&self, place: &str) -> bool {
        self.places.iter().any(|own| own == place)
    }
}

/// A line, or the part of a line that belongs to one of its moves.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The move, unless there is none, or more than one.
    pub played: Option<String>,
    pub numbers: Vec<Number>,
}

/// Returns the parts of a line. If several moves have numbers, each move is a part, and so is the text before the first
/// move and after the last one.
pub(super) fn parts(line: &str, spelling: Spelling) -> Vec<Part> {
    if line.len() > LONGEST_LINE {
        return Vec::new();
    }
    let tokens = tokens(&plain(&visible(line.trim())), spelling);
    let moves: Vec<usize> = (0..tokens.len()).filter(|&at| matches!(tokens[at], Token::Move(_))).collect();
    let [.., before_last, last] = moves[..] else { return vec![Part::from_tokens(&tokens)] };
    let end = tokens.len().min(2 * last - before_last);
    let borders = [&[0][..], &moves, &[end, tokens.len()]].concat();
    let parts: Vec<&[Token]> = borders.windows(2).map(|border| &tokens[border[0]..border[1]]).collect();
    if parts[1..parts.len() - 1].iter().all(|part| part.iter().any(Token::is_number)) {
        return parts.into_iter().map(Part::from_tokens).collect();
    }
    vec![Part::from_tokens(&tokens)]
}

impl Part {
    fn from_tokens(tokens: &[Token]) -> Part {
        let mut moves = tokens.iter().filter_map(|token| match token {
            Token::Move(played) => Some(played),
            _ => None,
        });
        let played = moves.next().filter(|_| moves.next().is_none()).cloned();
        let at: Vec<usize> =
            (0..tokens.len()).filter(|&at| tokens[at].is_number()).take(MOST_NUMBERS + 1).collect();
        let numbers = if at.len() > MOST_NUMBERS { &[] } else { at.as_slice() };
        let start =
            tokens.iter().position(|token| matches!(token, Token::Move(_))).filter(|_| played.is_some());
        let number = |index: usize| {
            let (place, last) = (at[index], at[at.len() - 1]);
            let from =
                |start: usize| format!("{}{}", shape(&tokens[start..=place]), unit(&tokens[place + 1..]));
            let from_end =
                format!("{} ...#{}{}", shape(&tokens[..at[0]]), at.len() - index, unit(&tokens[last + 1..]));
            let from_move = start.filter(|&start| 0 < start && start < place).map(from);
            let places = [Some(from(0)), from_move, Some(from_end)].into_iter().flatten().collect();
            let Token::Number { value, is_negative } = tokens[place] else {
                unreachable!("a number is here")
            };
            Number { value, is_negative, places }
        };
        Part { played, numbers: (0..numbers.len()).map(number).collect() }
    }
}

/// Returns the shape of some tokens. The units of numbers are left out.
fn shape(tokens: &[Token]) -> String {
    let is_unit = |at: usize| match &tokens[at] {
        Token::Text(text) => at > 0 && tokens[at - 1].is_number() && is_short_word(text),
        _ => false,
    };
    let texts = (0..tokens.len()).filter(|&at| !is_unit(at)).map(|at| tokens[at].text());
    texts.collect::<Vec<_>>().join(" ")
}

fn is_short_word(text: &str) -> bool {
    text.chars().all(char::is_alphabetic) && text.chars().count() <= UNIT_LETTERS
}

/// Returns the text between a number and the next number or move, with a space before it. A label of the next number is
/// left out. Signs at the end of a line are left out: they differ in the last line of a list.
fn unit(after: &[Token]) -> String {
    let end = after.iter().position(|token| !matches!(token, Token::Text(_))).unwrap_or(after.len());
    let texts: Vec<&str> = after[..end].iter().map(Token::text).collect();
    let joined = texts.join(" ");
    let text = if end == after.len() {
        joined.trim_end_matches([',', ';', ']', '}', ')', '|', '"', ' '])
    } else {
        &joined
    };
    let is_label = text.trim_end_matches(['"', ' ']).ends_with([':', '=']);
    if text.is_empty() || is_label { String::new() } else { format!(" {text}") }
}

/// A part of a line.
#[derive(Debug)]
enum Token {
    Move(String),
    /// A number. It has no value if it cannot be a count.
    Number {
        value: Option<u128>,
        is_negative: bool,
    },
    /// A word in lower case, or a sign.
    Text(String),
}

impl Token {
    fn is_number(&self) -> bool {
        matches!(self, Token::Number { .. })
    }

    fn text(&self) -> &str {
        match self {
            Token::Move(_) => "M",
            Token::Number { .. } => "#",
            Token::Text(text) => text,
        }
    }
}

fn tokens(line: &str, spelling: Spelling) -> Vec<Token> {
    let mut tokens = Vec::new();
    let (mut at, mut before) = (0, ' ');
    while let Some(first) = line[at..].chars().next() {
        let (length, token) = token(&line[at..], first, before, spelling);
        tokens.extend(token);
        at += length;
        before = line[..at].chars().next_back().unwrap_or(' ');
    }
    tokens
}

/// Returns the length of the first token of a text, and the token unless it has no meaning.
fn token(text: &str, first: char, before: char, spelling: Spelling) -> (usize, Option<Token>) {
    if let Some((length, played)) = moved(text, before, spelling.is_algebraic) {
        return (length, Some(Token::Move(played)));
    }
    if let Some(escape) = text.get(..ESCAPE).filter(|escape| escape.starts_with("\\x")) {
        return (escape.len(), None);
    }
    // A sign between two numbers, as in a date, is not a minus sign.
    let is_negative = first == '-' && (before.is_whitespace() || ":=".contains(before));
    let digits = &text[usize::from(is_negative)..];
    if digits.starts_with(|digit: char| digit.is_ascii_digit()) {
        let (length, value) = number(digits, spelling.grouping);
        return (length + usize::from(is_negative), Some(Token::Number { value, is_negative }));
    }
    if first.is_alphabetic() {
        let length = text.find(|letter: char| !letter.is_alphabetic()).unwrap_or(text.len());
        return (length, Some(Token::Text(singular(&text[..length].to_lowercase()))));
    }
    // Frames and arrows differ between the first line and the last one.
    let has_meaning = first.is_ascii() && !first.is_whitespace();
    (first.len_utf8(), has_meaning.then(|| Token::Text(first.to_string())))
}

/// Returns the length of a move at the start of a text, and the move.
fn moved(text: &str, before: char, is_algebraic: bool) -> Option<(usize, String)> {
    if before.is_alphanumeric() {
        return None;
    }
    if let Some(moved) = notation::coordinate_move(text, before) {
        return Some(moved);
    }
    let length = text.find(|sign: char| sign.is_whitespace() || ":|,\"".contains(sign)).unwrap_or(text.len());
    let word = &text[..length];
    (is_algebraic && notation::is_algebraic(word)).then(|| (length, word.to_owned()))
}

/// Returns a word without the ending of a plural: `1 node`, `20 nodes`.
fn singular(word: &str) -> String {
    match word {
        "leaves" => "leaf",
        word => word.strip_suffix('s').filter(|stem| stem.len() > 1).unwrap_or(word),
    }
    .to_owned()
}

/// Whether a sign is between digits and a group of three digits.
pub(super) fn has_groups(line: &str, sign: char) -> bool {
    line.match_indices(sign).any(|(at, sign)| {
        let after = line.as_bytes()[at + sign.len()..].iter().take_while(|digit| digit.is_ascii_digit());
        line[..at].ends_with(|digit: char| digit.is_ascii_digit()) && after.count() == 3
    })
}

/// Reads the number at the start of a text, with the letters that follow it directly, as in `12ms`. Returns its length,
/// and its value unless it cannot be a count.
fn number(text: &str, grouping: Option<char>) -> (usize, Option<u128>) {
    let digits = |at: usize| text[at..].bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(0);
    let mut plain = text[..length].to_owned();
    if let Some(sign) = grouping.filter(|_| length <= 3) {
        while text[length..].starts_with(sign) && digits(length + sign.len_utf8()) == 3 {
            length += sign.len_utf8() + 3;
            plain.push_str(&text[length - 3..length]);
        }
    }
    let mut is_whole = true;
    if text[length..].starts_with('.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
        is_whole = false;
    }
    let letters =
        |at: usize| text[at..].find(|letter: char| !letter.is_alphanumeric()).unwrap_or(text.len() - at);
    let unit = &text[length..length + letters(length)];
    length += unit.len();
    if unit == "e" && text[length..].starts_with(['-', '+']) {
        length += 1 + letters(length + 1);
        is_whole = false;
    }
    is_whole &= !unit.contains(|letter: char| letter.is_ascii_digit());
    (length, plain.parse().ok().filter(|&value| is_whole && value <= MOST_NODES))
}

/// The figurines, and the piece letters that replace them.
const FIGURINES: [(&str, char); 6] =
    [("♔♚", 'K'), ("♕♛", 'Q'), ("♖♜", 'R'), ("♗♝", 'B'), ("♘♞", 'N'), ("♙♟", 'P')];

/// The text that replaces a removed part. It is white space, but it does not join groups of digits.
const GAP: &str = "\u{b}";

/// The number of slashes of the board in a FEN.
const SLASHES: usize = 7;

/// Returns a [visible](crate::lines::visible) line as a terminal without colours shows it, without its FENs, and with
/// letters for figurines.
pub(super) fn plain(line: &str) -> String {
    // The text before the last carriage return is removed, because a progress bar has overwritten it.
    let shown = line.trim_end().rsplit("\\x0d").next().unwrap_or_default();
    let lettered = without_colours(shown).chars().map(letter_of).collect::<String>();
    without_fens(&lettered).trim().to_owned()
}

fn letter_of(sign: char) -> char {
    let figurine = FIGURINES.iter().find(|(signs, _)| !sign.is_ascii() && signs.contains(sign));
    figurine.map_or(sign, |(_, letter)| *letter)
}

/// Replaces control sequences by spaces. A control sequence is an escape, `[`, and all text up to the next letter.
fn without_colours(line: &str) -> String {
    let mut parts = line.split("\\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |shown, part| {
        let end = part.trim_start_matches(|sign: char| !sign.is_ascii_alphabetic());
        shown + GAP + end.get(1..).unwrap_or_default()
    })
}

/// Removes each FEN. A single number after four fields is removed too, because it can be a clock or a count.
fn without_fens(line: &str) -> String {
    let (mut left, mut rest) = (String::new(), line);
    while let Some((place, _)) = fen(rest) {
        left = left + &rest[..place.start] + GAP;
        rest = &rest[place.end..];
    }
    left + rest
}

/// Whether a character ends a field.
pub(super) fn is_border(sign: char) -> bool {
    sign.is_whitespace() || "\"'`=:,;|()<>{}".contains(sign)
}

/// Returns the place of the first FEN in a text, and its fields: a word that has as many slashes as a board, and after
/// it, if present, the side to move, castling rights, en passant square and two clocks.
pub(super) fn fen(text: &str) -> Option<(Range<usize>, Vec<&str>)> {
    let at = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let board = text.split(is_border).find(|word| word.matches('/').count() >= SLASHES)?;
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_castling =
        |word: &str| word == "-" || word.chars().all(|right| "ABCDEFGHKQabcdefghkq".contains(right));
    let is_square = |word: &str| word == "-" || notation::is_square(word);
    let fields: [&dyn Fn(&str) -> bool; 5] =
        [&|word| word == "w" || word == "b", &is_castling, &is_square, &is_number, &is_number];
    let (mut words, mut end) = (vec![board], at(board) + board.len());
    for is_field in fields {
        let next = text[end..].trim_start_matches([' ', '\t', '_']);
        let word = &next[..next.find(is_border).unwrap_or(next.len())];
        if word.is_empty() || at(word) == end || !is_field(word) {
            break;
        }
        words.push(word);
        end = at(word) + word.len();
    }
    Some((at(board)..end, words))
}

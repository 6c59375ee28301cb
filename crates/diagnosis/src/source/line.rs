//! A line of what a program prints, cut into moves, numbers and words.
//!
//! There is no standard for the output of a perft, so a line is not matched against formats. Its numbers and moves
//! become placeholders, and what is left is its *shape*: rows of one shape are a [table](super::table). The words beside a
//! number name it, and say what it can be: [`Meaning`](super::meaning::Meaning).

use std::ops::{Deref, Range};

use perft_core::internals::{GROUPING_SIGNS, find_fen, is_minus, read_number};

use super::notation;
use super::words::{is_unit, is_word, singular};
use crate::lines::visible;

/// The longest line that is read, in bytes. All moves of a position fit on one line.
const LONGEST_LINE: usize = 8192;

/// The largest number of numbers in a line, or after one of its moves, that can be counts.
const MOST_NUMBERS: usize = 40;

/// The largest number of words of a line that may stand in the place of a move.
const MOST_WORDS: usize = 8;

/// The largest number that can be a count. No program counts this far, and sums of many such numbers fit into 128 bits.
const MOST_NODES: u128 = 1 << 100;

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

/// A line, or the part of a line that belongs to one of its moves.
#[derive(Clone, Debug)]
pub(super) struct Part {
    tokens: Vec<Token>,
    /// The move, unless there is none, or more than one.
    pub played: Option<String>,
    /// The index of the token of the move.
    move_at: Option<usize>,
    /// The indices of the tokens that are numbers.
    numbers_at: Vec<usize>,
}

/// A number of a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number<'a> {
    pub part: &'a Part,
    /// The index of its token.
    at: usize,
    /// Its index among the numbers of the part.
    pub index: usize,
    digits: &'a Digits,
}

impl Deref for Number<'_> {
    type Target = Digits;

    fn deref(&self) -> &Digits {
        self.digits
    }
}

/// Returns the parts of a line. If several moves have numbers, each move is a part, and so is the text before the first
/// move and after the last one. A line of JSON is cut at its braces first.
pub(super) fn parts(line: &str, spelling: Spelling) -> Vec<Part> {
    let text = plain(line);
    let is_json = text.starts_with('{') && text.ends_with('}');
    let texts = text.split(|sign| is_json && "{}".contains(sign));
    texts.flat_map(|text| parts_of(tokens(text, spelling, None))).collect()
}

/// Returns the part of a line in which a word that is no move stands where `is_row` expects a move.
pub(super) fn row_without_move(
    line: &str,
    spelling: Spelling,
    is_row: impl Fn(&Part) -> bool,
) -> Option<Part> {
    let text = plain(line);
    let words = text.split(|sign: char| sign.is_whitespace() || ":=|,;\"'(){}".contains(sign));
    let words = words.filter(|word| notation::may_be_meant(word)).take(MOST_WORDS);
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let parts =
        words.map(|word| parts_of(tokens(&text, spelling, Some(place(word)..place(word) + word.len()))));
    parts.filter_map(|parts| <[Part; 1]>::try_from(parts).ok()).map(|[part]| part).find(|part| is_row(part))
}

fn parts_of(tokens: Vec<Token>) -> Vec<Part> {
    let moves: Vec<usize> = (0..tokens.len()).filter(|&at| matches!(tokens[at], Token::Move(_))).collect();
    let [.., before_last, last] = moves[..] else { return vec![Part::new(tokens)] };
    // A total behind the last row is no part of it.
    let is_total = |token: &Token| token.as_text().is_some_and(|text| ["total", "sum"].contains(&text));
    let total = tokens[last..].iter().position(is_total).filter(|_| !tokens[..last].iter().any(is_total));
    let end = total.map_or(2 * last - before_last, |total| last + total).min(tokens.len());
    let borders = [&[0][..], &moves, &[end, tokens.len()]].concat();
    let parts: Vec<&[Token]> = borders.windows(2).map(|border| &tokens[border[0]..border[1]]).collect();
    if parts[1..parts.len() - 1].iter().all(|part| part.iter().any(Token::is_number)) {
        return parts.into_iter().map(|part| Part::new(part.to_vec())).collect();
    }
    vec![Part::new(tokens)]
}

impl Part {
    fn new(tokens: Vec<Token>) -> Part {
        let mut moves = (0..tokens.len()).filter(|&at| matches!(tokens[at], Token::Move(_)));
        let move_at = moves.next().filter(|_| moves.next().is_none());
        let played = move_at.map(|at| tokens[at].text().to_owned());
        let numbers = (0..tokens.len()).filter(|&at| tokens[at].is_number());
        let mut numbers_at: Vec<usize> = numbers.take(MOST_NUMBERS + 1).collect();
        if numbers_at.len() > MOST_NUMBERS {
            numbers_at.clear();
        }
        Part { played, move_at, numbers_at, tokens }
    }

    pub fn numbers(&self) -> impl DoubleEndedIterator<Item = Number<'_>> {
        self.numbers_at.iter().enumerate().map(|(index, &at)| match &self.tokens[at] {
            Token::Number(digits) => Number { part: self, at, index, digits },
            _ => unreachable!("a number is here"),
        })
    }

    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter(|token| matches!(token, Token::Move(_))).map(Token::text)
    }

    /// Returns the words and signs, without moves and numbers.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter_map(Token::as_text)
    }

    /// Returns the shape of the tokens before the move.
    pub fn ahead(&self) -> String {
        shape(&self.tokens[..self.move_at.unwrap_or(0)])
    }

    /// Returns the shape of the tokens between the move and a number.
    pub fn between(&self, number: Number) -> String {
        let played = self.move_at.unwrap_or(0);
        shape(&self.tokens[played.min(number.at)..=played.max(number.at)])
    }
}

impl<'a> Number<'a> {
    /// Whether it stands behind the move of its part.
    pub fn is_behind_move(self) -> bool {
        self.part.move_at.is_some_and(|played| self.at > played)
    }

    /// Returns the words and signs from the last number or move up to this number.
    pub fn before(self) -> Vec<&'a str> {
        let mut words: Vec<&str> =
            self.part.tokens[..self.at].iter().rev().map_while(Token::as_text).collect();
        words.reverse();
        words
    }

    /// Returns the words and signs from this number up to the next number or move.
    pub fn behind(self) -> Vec<&'a str> {
        self.part.tokens[self.at + 1..].iter().map_while(Token::as_text).collect()
    }

    /// Whether another number or a move of the same part follows.
    pub fn is_followed(self) -> bool {
        self.part.tokens[self.at + 1..].iter().any(|token| token.as_text().is_none())
    }

    /// Whether words stand before the first number of the part, or before the first one behind its move.
    pub fn is_labelled(self) -> bool {
        let first = self.part.numbers().find(|number| number.is_behind_move() == self.is_behind_move());
        first.is_some_and(|first| first.before().into_iter().any(is_word))
    }

    pub fn previous(self) -> Option<Number<'a>> {
        self.part.numbers().nth(self.index.checked_sub(1)?)
    }
}

/// Returns the shape of some tokens. The units of numbers are left out.
fn shape(tokens: &[Token]) -> String {
    let is_unit_at = |at: usize| match &tokens[at] {
        Token::Text(text) => at > 0 && tokens[at - 1].is_number() && is_unit(text),
        _ => false,
    };
    let texts = (0..tokens.len()).filter(|&at| !is_unit_at(at)).map(|at| match &tokens[at] {
        Token::Move(_) => "M",
        Token::Number(_) => "#",
        Token::Text(text) => text,
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// A part of a line.
#[derive(Clone, Debug)]
pub(super) enum Token {
    Move(String),
    Number(Digits),
    /// A word in lower case, or a sign.
    Text(String),
}

/// A number as it is written.
#[derive(Clone, Debug)]
pub(super) struct Digits {
    /// `None` if it cannot be a count, because it has a fraction, for example.
    pub value: Option<u128>,
    /// Whether it has a minus sign. Then it is not a count, unless a counter has overflowed.
    pub is_negative: bool,
    /// Whether a letter stands directly before it, as in `int64`, so that it is no number of its own.
    pub is_glued: bool,
    /// The letters that follow directly, in lower case, as in `12ms`.
    pub letters: String,
}

impl Token {
    fn is_number(&self) -> bool {
        matches!(self, Token::Number(_))
    }

    pub fn as_text(&self) -> Option<&str> {
        match self {
            Token::Text(text) => Some(text),
            _ => None,
        }
    }

    fn text(&self) -> &str {
        match self {
            Token::Move(text) | Token::Text(text) => text,
            Token::Number(digits) => &digits.letters,
        }
    }
}

/// Cuts a text into tokens. What stands at the place `played` is taken for a move.
fn tokens(line: &str, spelling: Spelling, played: Option<Range<usize>>) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let (mut at, mut before) = (0, ' ');
    while let Some(first) = line[at..].chars().next() {
        // `g2h1q (gxh1=Q): 1` is one move.
        if let (Some(Token::Move(_)), Some(text)) = (tokens.last(), line[at..].strip_prefix('('))
            && let Some(end) = text.find(')').filter(|&end| notation::is_algebraic(&text[..end]))
        {
            at += end + 2;
            continue;
        }
        // `e1g1 O-O 3` has one move, too, and so has `"uci": "e1g1", "san": "O-O"`.
        let is_between = |text: &str| !is_word(text) || text == "san";
        if let Some(Token::Move(last)) = tokens.iter().rfind(|token| !token.as_text().is_some_and(is_between))
            && notation::coordinate_move(last, ' ').is_some()
            && let Some(length) = algebraic_word(&line[at..], before)
        {
            at += length;
            continue;
        }
        let (length, token) = match &played {
            Some(place) if place.start == at => {
                (place.len(), Some(Token::Move(line[place.clone()].to_owned())))
            }
            _ => token(&line[at..], first, before, spelling),
        };
        // Dots that lead to a number are one sign.
        let repeats = |token: &Token| {
            let text = token.as_text().filter(|text| !is_word(text));
            text.is_some() && tokens.last().is_some_and(|last| last.as_text() == text)
        };
        if let Some(token) = token.filter(|token| !repeats(token)) {
            // A move that is written twice, as in `e2e4 (Pe2-e4): 20`, is one move.
            let is_again = matches!((&token, tokens.iter().rfind(|token| token.as_text().is_none())),
                (Token::Move(new), Some(Token::Move(last))) if new == last);
            if !is_again {
                tokens.push(token);
            }
        }
        at += length;
        before = line[..at].chars().next_back().unwrap_or(' ');
    }
    tokens
}

/// Returns the length of the word at the start of a text, if it is a move in standard algebraic notation only.
fn algebraic_word(text: &str, before: char) -> Option<usize> {
    let length =
        text.find(|sign: char| sign.is_whitespace() || ":|,;\"')".contains(sign)).unwrap_or(text.len());
    let bare = text[..length].trim_end_matches(['+', '#', '!', '?']);
    let is_castling = ["O-O", "O-O-O", "0-0", "0-0-0"].contains(&bare);
    let is_written = notation::is_algebraic(bare) && notation::coordinate_move(text, before).is_none();
    let is_free = !before.is_alphanumeric() && before != '-';
    (is_free && (is_castling || is_written)).then_some(length)
}

/// Returns the length of the first token of a text, and the token unless it has no meaning.
fn token(text: &str, first: char, before: char, spelling: Spelling) -> (usize, Option<Token>) {
    if let Some((length, played)) = moved(text, before, spelling.is_algebraic) {
        return (length, Some(Token::Move(played)));
    }
    if let Some(escape) = text.get(..ESCAPE).filter(|escape| escape.starts_with("\\x")) {
        return (escape.len(), None);
    }
    let is_negative = is_minus(first, before);
    let has_sign = is_negative || first == '+' && before.is_whitespace();
    let sign = if has_sign { first.len_utf8() } else { 0 };
    let digits = &text[sign..];
    if digits.starts_with(|digit: char| digit.is_ascii_digit()) {
        let number = read_number(digits, spelling.grouping.as_slice());
        return number.map_or((1, None), |number| {
            let value = number.value.filter(|&value| value <= MOST_NODES);
            // In `Total: 1... truncated`, the other digits are missing.
            let is_cut = ["...", "\u{2026}"].iter().any(|dots| digits[number.length..].starts_with(dots));
            let has_digit = number.unit.contains(|letter: char| letter.is_ascii_digit());
            let value = value.filter(|_| !is_cut && !has_digit);
            let (is_glued, letters) = (before.is_alphabetic(), singular(&number.unit.to_lowercase()));
            let token = Token::Number(Digits { value, is_negative, is_glued, letters });
            (sign + number.length + number.unit.len(), Some(token))
        });
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
    let length =
        text.find(|sign: char| sign.is_whitespace() || ":|,\"'".contains(sign)).unwrap_or(text.len());
    let word = &text[..length];
    // `Nf3....20` and `Nf3=20`, but `e8=Q`.
    let end = word
        .match_indices(['.', '='])
        .find(|(at, _)| word[at + 1..].starts_with(|next: char| next == '.' || next.is_ascii_digit()));
    let word = &word[..end.map_or(word.len(), |(at, _)| at)];
    // Marks may stand behind a move: `Bc4.`, `Bxa6@`. `f1` in `Th9-f1` is no move, and `d3` in `perft_d3` is none.
    let bare = word.trim_end_matches(|sign: char| !sign.is_alphanumeric());
    let played = [word, bare].into_iter().find(|word| notation::is_algebraic(word));
    played
        .filter(|_| is_algebraic && !['-', '_'].contains(&before))
        .map(|played| (word.len(), played.to_owned()))
}

/// Returns the spellings that lines may have, the usual one first. A sign between groups of three digits must be used.
pub(super) fn spellings<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> Vec<Spelling> {
    let is_used = |sign: &char| lines.clone().any(|line| has_groups(line, *sign));
    let is_separator =
        |sign: &char| !sign.is_whitespace() && lines.clone().any(|line| separates_fields(line, *sign));
    let signs = GROUPING_SIGNS.into_iter().filter(|sign| is_used(sign) && !is_separator(sign)).map(Some);
    let groupings = [None].into_iter().chain(signs);
    groupings
        .flat_map(|grouping| [false, true].map(|is_algebraic| Spelling { grouping, is_algebraic }))
        .collect()
}

/// Whether a sign is between digits and a group of three digits.
fn has_groups(line: &str, sign: char) -> bool {
    line.match_indices(sign).any(|(at, sign)| {
        let after = line.as_bytes()[at + sign.len()..].iter().take_while(|digit| digit.is_ascii_digit());
        line[..at].ends_with(|digit: char| digit.is_ascii_digit()) && after.count() == 3
    })
}

/// Whether a sign is between a square and a number, or a comma between two names.
fn separates_fields(line: &str, sign: char) -> bool {
    line.match_indices(sign).any(|(at, sign)| {
        let (before, after) = (&line[..at], &line[at + sign.len()..]);
        let square = before.get(at.saturating_sub(2)..).unwrap_or_default();
        let is_between_names =
            sign == "," && before.ends_with(char::is_alphabetic) && after.starts_with(char::is_alphabetic);
        let is_behind_move =
            notation::is_square(square) && after.starts_with(|next: char| next.is_ascii_digit());
        is_between_names || is_behind_move
    })
}

/// The figurines, and the piece letters that replace them.
const FIGURINES: [(&str, char); 6] =
    [("♔♚", 'K'), ("♕♛", 'Q'), ("♖♜", 'R'), ("♗♝", 'B'), ("♘♞", 'N'), ("♙♟", 'P')];

/// The text that replaces a removed part. It is white space, but it does not join groups of digits.
const GAP: &str = "\u{b}";

/// Returns a line as a terminal without colours shows it, without its FENs and closing tags, and with letters for
/// figurines. Returns nothing of a line that is too long.
fn plain(line: &str) -> String {
    if line.len() > LONGEST_LINE {
        return String::new();
    }
    let line = visible(line.trim());
    // The text before the last carriage return is removed, because a progress bar has overwritten it.
    let shown = line.trim_end().rsplit("\\x0d").next().unwrap_or_default();
    // A control sequence is an escape, `[`, and all text up to the next letter.
    let shown = without(shown, "\\x1b[", |part| {
        part.trim_start_matches(|sign: char| !sign.is_ascii_alphabetic()).get(1..).unwrap_or_default()
    });
    let lettered = shown.chars().map(letter_of).collect::<String>();
    // Tags end an element, as in `</table><p>Total: 8902</p>`.
    without(&without_fens(&lettered), "</", |part| part.split_once('>').map_or(part, |(_, behind)| behind))
        .trim()
        .to_owned()
}

/// Replaces each part of a line that begins with `start`. Its end is where `behind` cuts the text after that.
fn without(line: &str, start: &str, behind: impl Fn(&str) -> &str) -> String {
    let mut parts = line.split(start);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |shown, part| shown + GAP + behind(part))
}

fn letter_of(sign: char) -> char {
    if sign == '\u{ff1a}' {
        return ':';
    }
    let figurine = FIGURINES.iter().find(|(signs, _)| !sign.is_ascii() && signs.contains(sign));
    figurine.map_or(sign, |(_, letter)| *letter)
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

/// Returns the place of the first FEN in a text, and its fields: a board, and after it, if present, the side to move,
/// castling rights, en passant square and two clocks.
pub(super) fn fen(text: &str) -> Option<(Range<usize>, Vec<&str>)> {
    let found = find_fen(text)?;
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_castling =
        |word: &str| word == "-" || word.chars().all(|right| "ABCDEFGHKQabcdefghkq".contains(right));
    let is_square = |word: &str| word == "-" || notation::is_square(word);
    let kinds: [&dyn Fn(&str) -> bool; 6] =
        [&|_| true, &|word| word == "w" || word == "b", &is_castling, &is_square, &is_number, &is_number];
    let words =
        found.text(text, found.tail.len().min(2)).split([' ', '\t', '_']).filter(|word| !word.is_empty());
    let fields: Vec<&str> =
        words.zip(kinds).take_while(|(word, is_field)| is_field(word)).map(|(word, _)| word).collect();
    let last = fields.last()?;
    let end = last.as_ptr() as usize - text.as_ptr() as usize + last.len();
    Some((found.span.start..end, fields))
}

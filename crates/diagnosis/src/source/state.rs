//! The FEN and the key in what a program prints.

use super::line::fen;

/// The FEN and the key that a program prints for its position.
///
/// # Examples
/// ```
/// use perft_diagnosis::source::State;
///
/// let state = State::parse("Fen: 8/8/8/8/8/8/8/K1k5 w - - 4 20\nKey: 8F8F01D4562F59FB\nCheckers:");
/// assert_eq!(state.fen.as_deref(), Some("8/8/8/8/8/8/8/K1k5 w - - 4 20"));
/// assert_eq!(state.key.as_deref(), Some("8F8F01D4562F59FB"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The FEN, with four to six fields.
    pub fen: Option<String>,
    /// The key, as the program writes it.
    pub key: Option<String>,
}

/// The smallest number of digits of a key. Shorter numbers are counts, sizes or clocks.
const MIN_DIGITS: usize = 8;

/// The largest number of words of a label that are read, counted backwards from the key.
const LABEL_WORDS: usize = 2;

impl State {
    /// Reads the output of a program. The last FEN and the last key are used, but a FEN with a label takes precedence
    /// over one without.
    pub fn parse(text: &str) -> State {
        let (mut state, mut is_labelled) = (State::default(), false);
        for line in text.lines() {
            if let Some((fen, has_label)) = fen_in(line)
                && (has_label || !is_labelled)
            {
                (state.fen, is_labelled) = (Some(fen), has_label);
            }
            state.key = key_in(line).or(state.key);
        }
        state
    }

    /// Whether there is neither a FEN nor a key.
    pub fn is_empty(&self) -> bool {
        self.fen.is_none() && self.key.is_none()
    }
}

/// Returns the FEN of a line, at any place in it, and whether a label says that it is a FEN.
fn fen_in(line: &str) -> Option<(String, bool)> {
    let (place, fields) =
        fen(line).filter(|(_, fields)| fields.len() >= 4 && fields[0].matches('/').count() == 7)?;
    let before = line[..place.start].to_ascii_lowercase();
    let is_border = |sign: char| sign.is_whitespace() || "\"'`=:,;|()<>{}".contains(sign);
    let mut labels = before.rsplit(is_border).filter(|word| !word.is_empty());
    match (labels.next(), labels.next()) {
        // The FEN of shogi may have the board of chess.
        (Some("sfen"), _) => None,
        // The program repeats the text that it was sent.
        (Some("fen"), Some("position")) => Some((fields.join(" "), false)),
        (label, _) => Some((fields.join(" "), label.is_some_and(|label| label.ends_with("fen")))),
    }
}

/// Returns the key of a line: a long number after a word such as `key` or `hash`.
fn key_in(line: &str) -> Option<String> {
    let is_mark = |letter: char| letter.is_whitespace() || "\"'=:,;()[]".contains(letter);
    let mut label: Vec<String> = Vec::new();
    for word in line.split(is_mark).filter(|word| !word.is_empty()) {
        if !is_number(word) {
            label.push(word.to_ascii_lowercase());
        } else if names_key(&label) {
            return Some(word.to_owned());
        } else {
            label.clear();
        }
    }
    None
}

/// Whether a word is a number that is long enough for a key: hexadecimal, with or without `0x`, or decimal.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix("0x").or(word.strip_prefix("0X")).unwrap_or(word);
    digits.len() >= MIN_DIGITS && digits.chars().all(|digit| digit.is_ascii_hexdigit())
}

/// Whether a label says that the key of the position follows, and not a key of its pawns or its material.
fn names_key(label: &[String]) -> bool {
    let is_other = |word: &String| {
        ["pawn", "material", "minor", "major", "table", "size"].iter().any(|other| word.contains(other))
    };
    let is_key = |word: &String| ["key", "hash", "zobrist"].iter().any(|end| word.ends_with(end));
    !label.iter().any(is_other) && label.iter().rev().take(LABEL_WORDS).any(is_key)
}

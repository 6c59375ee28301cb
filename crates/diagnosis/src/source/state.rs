//! Reads the FEN and the key from the output in which a program prints its position.

use perft_core::Square;

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
        let mut reader = StateReader::default();
        text.lines().for_each(|line| reader.read(line));
        reader.state
    }

    /// Whether there is neither a FEN nor a key.
    pub fn is_empty(&self) -> bool {
        self.fen.is_none() && self.key.is_none()
    }
}

/// Reads the output of a program line by line, as [`State::parse`] does.
///
/// # Examples
/// ```
/// use perft_diagnosis::source::StateReader;
///
/// let mut reader = StateReader::default();
/// reader.read("Fen: 8/8/8/8/8/8/8/K1k5 w - - 4 20");
/// reader.read("Sfen: 8/8/8/8/8/8/8/K1k5 b - 39");
/// assert_eq!(reader.state.fen.as_deref(), Some("8/8/8/8/8/8/8/K1k5 w - - 4 20"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct StateReader {
    /// The FEN and the key that were read so far.
    pub state: State,
    /// Whether a label was before the FEN.
    has_label: bool,
}

impl StateReader {
    /// Reads one more line.
    pub fn read(&mut self, line: &str) {
        if let Some((fen, has_label)) = fen_in(line)
            && (has_label || !self.has_label)
        {
            (self.state.fen, self.has_label) = (Some(fen), has_label);
        }
        self.state.key = key_in(line).or(self.state.key.take());
    }
}

/// Returns the FEN of a line, at any place in it, and whether a label says that it is a FEN.
fn fen_in(line: &str) -> Option<(String, bool)> {
    let is_mark = |letter: char| letter.is_whitespace() || "\"'`=:,;()[]<>".contains(letter);
    let words: Vec<&str> = line.split(is_mark).filter(|word| !word.is_empty()).collect();
    let (at, fen) = (0..words.len()).find_map(|at| Some((at, fen_at(&words[at..])?)))?;
    let before: Vec<String> = words[..at].iter().rev().map(|word| word.to_ascii_lowercase()).collect();
    let label = |index: usize| before.get(index).map_or("", String::as_str);
    match (label(0), label(1)) {
        // The FEN of shogi may have the board of chess.
        ("sfen", _) => None,
        // The program repeats the text that it was sent.
        ("fen", "position") => Some((fen, false)),
        (label, _) => Some((fen, label.ends_with("fen"))),
    }
}

/// Returns the FEN that begins with the first of these words.
fn fen_at(words: &[&str]) -> Option<String> {
    let [board, turn, castling, en_passant, rest @ ..] = words else { return None };
    let is_fen = is_board(board)
        && ["w", "b"].contains(turn)
        && (*castling == "-"
            || castling.chars().all(|letter| "abcdefghkq".contains(letter.to_ascii_lowercase())))
        && (*en_passant == "-" || en_passant.parse::<Square>().is_ok());
    let clocks = rest.iter().take(2).take_while(|word| word.parse::<u32>().is_ok()).count();
    is_fen.then(|| words[..4 + clocks].join(" "))
}

/// Whether a word has eight ranks, as in chess. Wrong lengths of ranks are allowed, because they are a bug of the
/// program.
fn is_board(word: &str) -> bool {
    word.matches('/').count() == 7 && word.chars().all(|letter| "/12345678pnbrqkPNBRQK".contains(letter))
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

//! Moves as programs write them: `e2e4`, `e2-e4`, `Ng1xf3+`, `b7b8=Q`, `O-O`, `exd6`.

use perft_core::internals::AlgebraicMove;
use perft_core::{CastlingNotation, Move, Position, Square};

/// The texts that can be between the squares of a move.
const BETWEEN: [&str; 17] =
    ["", "-", "x", "X", ":", ",", ">", "->", "-->", "=>", "→", "–", "—", " - ", " -> ", " => ", " → "];

/// The longest text between the squares of a move whose second square has a name, as in `{ from: E2, to: E4 }`.
const MOST_BETWEEN: usize = 20;

/// Returns the length of a move at the start of a text, and the move in UCI notation, or as `O-O` or `O-O-O`. The move
/// must end where a word ends. `before` is the character before the text.
///
/// Piece letters, `-` or `x` between the squares, and signs for checks and en passant are left out.
pub(super) fn coordinate_move(text: &str, before: char) -> Option<(usize, String)> {
    let ends = |at: usize| !text[at..].starts_with(|next: char| next.is_alphanumeric());
    let readings = castling(text).into_iter().chain(coordinates(text));
    readings
        .map(|(length, written)| (length + annotation(&text[length..]), written))
        .find(|(length, _)| ends(*length))
        .or_else(|| separate_squares(text))
        .or_else(|| castling_in_digits(text, before))
}

/// Reads two squares with a space between them, as in `e2 e4 20`. A number must follow.
fn separate_squares(text: &str) -> Option<(usize, String)> {
    let (from, rest) = text.split_once(' ').filter(|(from, _)| is_square(from))?;
    let (to, _) = rest.split_at_checked(rest.find([' ', ':', '=', '\t'])?)?;
    let is_counted = rest[to.len()..]
        .trim_start_matches([' ', ':', '=', '\t'])
        .starts_with(|next: char| next.is_ascii_digit());
    let (length, written) = coordinates(&format!("{from}{to}")).into_iter().next()?;
    (is_counted && length == from.len() + to.len()).then_some((length + 1, written))
}

/// Reads `00` or `000` as castling, unless it can be a part of a time or of a number.
fn castling_in_digits(text: &str, before: char) -> Option<(usize, String)> {
    let (word, after) = text.split_at(text.bytes().take_while(|&digit| digit == b'0').count());
    let is_free = !before.is_alphanumeric() && !".,:'_".contains(before);
    let mut next = after.chars();
    let is_word = match next.next() {
        Some(':' | '=' | ',') => !next.next().is_some_and(|digit| digit.is_ascii_digit()),
        Some(sign) => sign.is_whitespace() || "|)\"".contains(sign),
        None => false,
    };
    let written = [("00", "O-O"), ("000", "O-O-O")].into_iter().find(|(digits, _)| *digits == word)?.1;
    (is_free && is_word).then(|| (word.len(), written.to_owned()))
}

/// Returns the length and the spelling of castling at the start of a text. The longer spellings are tried first,
/// because they begin with the shorter ones.
fn castling(text: &str) -> Option<(usize, String)> {
    let is_start = |spelling: &&str| {
        text.get(..spelling.len()).is_some_and(|start| start.eq_ignore_ascii_case(spelling))
    };
    let found = ["O-O-O", "0-0-0", "O-O", "0-0"].into_iter().find(is_start)?;
    Some((found.len(), found.replace('0', "O")))
}

/// Returns the possible readings of a move that is two squares: with and without a piece letter at the start, and with
/// and without a promotion.
fn coordinates(text: &str) -> Vec<(usize, String)> {
    let piece = piece_letter(text);
    [0, piece].into_iter().take(1 + piece.min(1)).flat_map(|start| two_squares(text, start)).collect()
}

/// Returns the length of the letter of a piece at the start of a text, in any language. The squares behind it say which piece
/// it is.
fn piece_letter(text: &str) -> usize {
    let is_piece = |letter: char| {
        let is_foreign = !letter.is_ascii() && letter.is_alphabetic();
        letter.is_ascii_uppercase() || is_foreign || "kqrbnp".contains(letter)
    };
    text.chars().next().filter(|letter| is_piece(*letter)).map_or(0, char::len_utf8)
}

fn two_squares(text: &str, start: usize) -> Vec<(usize, String)> {
    let Some(from) = square(text, start) else { return Vec::new() };
    let rest = &text[start + 2..];
    let signs = BETWEEN.iter().filter(|between| rest.starts_with(**between)).map(|between| between.len());
    let to = signs.chain(named_to(rest)).find_map(|between| {
        let at = start + 2 + between;
        // A capture may name the captured piece.
        [at, at + piece_letter(&text[at..])].into_iter().find_map(|at| Some((at + 2, square(text, at)?)))
    });
    let Some((end, to)) = to else { return Vec::new() };
    let squares = format!("{from}{to}");
    let promoted =
        promotion(&text[end..]).map(|(length, letter)| (end + length, format!("{squares}{letter}")));
    promoted.into_iter().chain([(end, squares.clone())]).collect()
}

/// Returns the length of a text up to a square that is named `to`, as in `, to: ` and `", "to_square": "`.
fn named_to(text: &str) -> Option<usize> {
    let is_sign = |sign: char| !sign.is_alphanumeric();
    let word = text.trim_start_matches(is_sign);
    let sign = word
        .strip_prefix("to")?
        .trim_start_matches(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    let length = text.len() - sign.trim_start_matches(is_sign).len();
    (text.starts_with(is_sign) && sign.starts_with(is_sign) && length <= MOST_BETWEEN).then_some(length)
}

fn square(text: &str, at: usize) -> Option<String> {
    let name = text.get(at..at + 2).filter(|name| name.ends_with(|digit: char| digit.is_ascii_digit()))?;
    Some(name.to_ascii_lowercase()).filter(|name| name.parse::<Square>().is_ok())
}

pub(super) fn is_square(word: &str) -> bool {
    word.len() == 2 && square(word, 0).is_some()
}

/// Returns the length of a promotion such as `q`, `=Q`, `(Q)` or `, promotion: Queen` at the start of a text, and its
/// letter in lower case. The letter is empty if the text says that there is none.
fn promotion(text: &str) -> Option<(usize, String)> {
    if let Some((length, letter)) = named_promotion(text) {
        return Some((length, letter.to_owned()));
    }
    let sign =
        [" = ", "=", "/", "(", "["].into_iter().find(|sign| text.starts_with(sign)).unwrap_or_default();
    let mut letters = text[sign.len()..].chars();
    let letter = letters.next()?;
    let has_bracket = ["(", "["].contains(&sign);
    let is_closed = !has_bracket || matches!(letters.next(), Some(')' | ']'));
    let length = sign.len() + 1 + usize::from(has_bracket);
    let is_meant = |(english, others): &(char, &str)| {
        letter.eq_ignore_ascii_case(english) || sign.contains('=') && others.contains(letter)
    };
    let (english, _) = PROMOTIONS.into_iter().find(is_meant).filter(|_| is_closed)?;
    Some((length, english.to_string()))
}

/// The letters of promotions in English, and in other languages behind `=`: Dutch, French, German, Italian, Polish, Spanish.
const PROMOTIONS: [(char, &str); 4] = [('q', "DH"), ('r', "TW"), ('b', "LFAG"), ('n', "SCP")];

/// Returns the length of a field such as `, promotion: Some(Queen)` or ` promoting to queen` at the start of a text, and the
/// letter of its piece.
fn named_promotion(text: &str) -> Option<(usize, &'static str)> {
    let field = text.trim_start_matches([',', ' ', '"', '\'']).strip_prefix("promo")?;
    let (_, value) = field.split_at(field.find(|letter: char| !letter.is_alphabetic())?);
    let signs = &value[..value.find(char::is_alphanumeric).unwrap_or(value.len())];
    if let Some(empty) = signs.find("\"\"") {
        return Some((text.len() - value.len() + empty + 2, ""));
    }
    let value = &value[signs.len()..];
    let value = value.strip_prefix("to ").unwrap_or(value);
    let wrapper = ["Some(", "Piece::", "PieceType::"].into_iter().find(|wrapper| value.starts_with(*wrapper));
    let value = &value[wrapper.map_or(0, str::len)..];
    let pieces =
        [("queen", "q"), ("rook", "r"), ("bishop", "b"), ("knight", "n"), ("none", ""), ("null", "")];
    let word = &value[..value.find(|sign: char| !sign.is_alphabetic()).unwrap_or(value.len())];
    let is_named = |text: &str| !text.is_empty() && text.eq_ignore_ascii_case(word);
    let (_, letter) = pieces.into_iter().find(|(name, letter)| is_named(name) || is_named(letter))?;
    Some((text.len() - value.len() + word.len(), letter))
}

/// Returns the length of the signs for check, mate and en passant at the start of a text.
fn annotation(text: &str) -> usize {
    let signs = ["e.p.", "ep", "+", "#", "!", "?"];
    let length = signs.into_iter().find(|sign| text.starts_with(sign)).map_or(0, str::len);
    if length == 0 { 0 } else { length + annotation(&text[length..]) }
}

/// Whether a word may have been meant as a move, also if it is none: `h1i1`, `h2h1k`, `Th9-f1`, `4-13`, `0000`, `Sf3`.
pub(super) fn may_be_meant(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#']);
    let is_number =
        |text: &str| (1..=2).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit());
    let are_numbers = word.split_once('-').is_some_and(|(from, to)| is_number(from) && is_number(to));
    let is_short = word.is_ascii() && (3..=12).contains(&word.len());
    is_short
        && (word == "0000"
            || are_numbers
            || (0..2).any(|start| has_two_squares(&word[start..]))
            || is_foreign(word))
}

/// Whether a word is two letters with a digit each, also beyond the board, and a letter for a promotion.
fn has_two_squares(word: &str) -> bool {
    let is_square =
        |text: &[u8]| matches!(text, [file, rank, ..] if file.is_ascii_alphabetic() && rank.is_ascii_digit());
    let after_square = |text: &str| is_square(text.as_bytes()).then_some(2);
    let Some(start) = after_square(word) else { return false };
    let rest = word[start..].trim_start_matches(['-', 'x', ':', '>']);
    let end = (0..2).find_map(|piece| Some(piece + after_square(rest.get(piece..)?)?));
    let promotion = end.map(|end| rest[end..].trim_matches(['=', '(', ')']));
    promotion.is_some_and(|letter| letter.len() < 2 && letter.chars().all(char::is_alphabetic))
}

/// Whether a word is a move in algebraic notation with the letter of any language.
fn is_foreign(word: &str) -> bool {
    let (origin, to) = word.split_at(word.len() - 2);
    origin.starts_with(|letter: char| letter.is_ascii_uppercase())
        && origin[1..].chars().all(|sign| "abcdefgh12345678x".contains(sign))
        && is_square(to)
}

pub(super) fn is_algebraic(text: &str) -> bool {
    matches!(AlgebraicMove::parse(text), Some(AlgebraicMove::Piece { .. }))
}

/// Returns the legal moves that a text can mean, as indices into `legal`. Castling may be written in any notation. A
/// promotion without the promotion piece means four moves.
pub(crate) fn indices_meant(position: &Position, legal: &[Move], text: &str) -> Vec<usize> {
    let all = |is_meant: &dyn Fn(Move) -> bool| -> Vec<usize> {
        (0..legal.len()).filter(|&index| is_meant(legal[index])).collect()
    };
    let own = position.castling_notation();
    let is_in = |notation| move |played: Move| played.to_uci(notation) == text;
    let attempts: [&dyn Fn(Move) -> bool; 5] = [
        &is_in(own),
        &is_in(CastlingNotation::Standard),
        &is_in(CastlingNotation::Chess960),
        &|played| played.kind().promotion().is_some() && format!("{}{}", played.from(), played.to()) == text,
        &|played| AlgebraicMove::parse(text).is_some_and(|written| written.can_mean(position, played)),
    ];
    attempts.into_iter().map(all).find(|found| !found.is_empty()).unwrap_or_default()
}

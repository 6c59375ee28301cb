//! Removes parts of a line that would be misread: colours, and FENs, whose fields look like moves and counts.

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
    FIGURINES.iter().find(|(signs, _)| signs.contains(sign)).map_or(sign, |(_, letter)| *letter)
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

/// Removes each board with the fields of a FEN that follow it. A single number behind four fields is removed too,
/// because it can be a clock or a count.
fn without_fens(line: &str) -> String {
    let (mut left, mut rest) = (String::new(), line);
    while let Some((start, end)) = board(rest) {
        left.push_str(&rest[..start]);
        left.push_str(GAP);
        rest = without_fields(&rest[end..]);
    }
    left + rest
}

/// Whether a character ends a field.
fn is_border(sign: char) -> bool {
    sign.is_whitespace() || "\"'`=:,;|()<>{}".contains(sign)
}

/// Returns the place of the first word that has as many slashes as a board.
fn board(text: &str) -> Option<(usize, usize)> {
    let mut start = 0;
    for word in text.split(is_border) {
        let end = start + word.len();
        if word.matches('/').count() >= SLASHES {
            return Some((start, end));
        }
        start = end + text[end..].chars().next().map_or(0, char::len_utf8);
    }
    None
}

/// Returns the text after the fields of a FEN behind its board: the side to move, castling, en passant and two clocks.
fn without_fields(mut text: &str) -> &str {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_castling =
        |word: &str| word == "-" || word.chars().all(|right| "ABCDEFGHKQabcdefghkq".contains(right));
    let is_square = |word: &str| word == "-" || super::notation::is_square(word);
    let fields: [&dyn Fn(&str) -> bool; 5] =
        [&|word| word == "w" || word == "b", &is_castling, &is_square, &is_number, &is_number];
    for is_field in fields {
        let next = text.trim_start_matches([' ', '\t', '_']);
        let length = next.find(is_border).unwrap_or(next.len());
        if length == 0 || next.len() == text.len() || !is_field(&next[..length]) {
            break;
        }
        text = &next[length..];
    }
    text
}

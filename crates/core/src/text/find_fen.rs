//! Finds the FEN in a line of text.

use std::ops::Range;

use super::place;

/// The number of ranks of a board.
const RANKS: usize = 8;

/// A word with fewer slashes is no board.
const MIN_SLASHES: usize = 5;

/// The width of ranks that are recognised. Ranks with too few or too many squares are faults, and variants have other
/// boards.
const MIN_WIDTH: usize = 6;
const MAX_WIDTH: usize = 12;

/// A FEN in a line, and what follows it.
#[derive(Debug, PartialEq, Eq)]
pub struct FoundFen<'a> {
    /// The place of the FEN without its clocks. It may have faults.
    pub span: Range<usize>,
    /// The whole numbers that follow directly, separated by blanks. The first two may be the clocks.
    pub tail: Vec<&'a str>,
    /// The end of these numbers, or of the FEN if there are none.
    pub end: usize,
}

impl<'a> FoundFen<'a> {
    /// Returns the text of the FEN with this number of clocks.
    pub fn text(&self, line: &'a str, clocks: usize) -> &'a str {
        let last = clocks.checked_sub(1).and_then(|last| self.tail.get(last));
        let end = last.map_or(self.span.end, |last| place(line, last).end);
        &line[self.span.start..end]
    }
}

/// Finds the first FEN of a line, or the word `startpos`. It may be a part of a web address. A board with faults is
/// found too: a word with some slashes between which most parts look like ranks. A path of a file is none.
pub fn find_fen(line: &str) -> Option<FoundFen<'_>> {
    let start = || words(line).map(|word| word.trim_end_matches(':')).find(|word| *word == "startpos");
    let board = words(line).find_map(board).or_else(|| stump(line)).or_else(start)?;
    let mut end = place(line, board).end;
    for slot in (0..3).take_while(|_| board != "startpos") {
        let Some(field) = field_behind(line, end).filter(|field| is_field(field, slot)) else { break };
        end = place(line, field).end;
    }
    let mut found = FoundFen { span: place(line, board).start..end, tail: Vec::new(), end };
    while let Some(field) = field_behind(line, found.end)
        .filter(|field| field.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
    {
        let end = place(line, field).end;
        let number = field.trim_end_matches(':');
        if is_whole(number) {
            found.tail.push(number);
            if number.len() < field.len() {
                found.end = place(line, number).end;
                break;
            }
        } else if found.tail.len() < 2 && !field.contains([':', '=', ')']) {
            // A wrong clock is a fault of the FEN.
            found.span.end = end;
            found.tail.clear();
        } else {
            break;
        }
        found.end = end;
    }
    Some(found)
}

/// Returns the field of a FEN behind this place: a word between blanks and underscores.
fn field_behind(line: &str, at: usize) -> Option<&str> {
    let rest = &line[at..];
    let word = rest.trim_start_matches([' ', '\t', '_']);
    let end = word.find(|letter| [' ', '_'].contains(&letter) || is_delimiter(letter)).unwrap_or(word.len());
    (end > 0 && word.len() < rest.len()).then_some(&word[..end])
}

/// Whether a word can be the field after the board with this index. Faulty fields are included, but numbers and the
/// names of known counts are not.
fn is_field(word: &str, slot: usize) -> bool {
    let is_count = word.strip_prefix('D').is_some_and(is_whole)
        || slot < 2 && word.strip_prefix('d').is_some_and(is_whole);
    !(is_whole(word) || is_count || word.contains([':', '=']))
}

/// Returns the board in a word, or a text that is meant as a board and has faults. A path of a file is no board.
fn board(word: &str) -> Option<&str> {
    if word.bytes().filter(|&byte| byte == b'/').count() < MIN_SLASHES {
        return None;
    }
    let word = word.rsplit([':', '=']).next().unwrap_or(word);
    if is_path(word) {
        return None;
    }
    let is_address =
        word.starts_with("//") || word.split('/').next().is_some_and(|first| first.contains('.'));
    let slashes = word.matches('/').count();
    let board = match slashes.checked_sub(RANKS) {
        // Its end is a board, as in `lichess.org/analysis/BOARD`.
        Some(before) if is_address => &word[word.match_indices('/').nth(before)?.0 + 1..],
        _ if is_address => return None,
        _ => word,
    };
    let ranks = board.split('/').filter(|rank| is_rank(rank)).count();
    let is_meant = if is_address { ranks == RANKS } else { ranks * 2 > slashes };
    (slashes >= MIN_SLASHES && is_meant).then_some(board)
}

/// The rest of a web address is no path: it begins with two slashes, without its scheme.
fn is_path(word: &str) -> bool {
    word.starts_with(['/', '.', '~']) && !word.starts_with("//")
}

/// Whether a part of a word can be a rank of a board: pieces and numbers of empty squares. The boards of variants are
/// larger.
fn is_rank(part: &str) -> bool {
    let empty =
        part.split(|letter: char| !letter.is_ascii_digit()).filter_map(|number| number.parse::<usize>().ok());
    let pieces = part.bytes().filter(u8::is_ascii_alphabetic).count();
    part.chars().all(|letter| letter.is_ascii_digit() || "pnbrqkPNBRQK".contains(letter))
        && (MIN_WIDTH..=MAX_WIDTH).contains(&empty.fold(pieces, usize::saturating_add))
}

/// Whether a word is a board, with or without faults.
pub fn is_board(word: &str) -> bool {
    board(word) == Some(word)
}

/// Returns the first word of a line if it has a slash and a side to move follows: a faulty board.
fn stump(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let (first, second) = (words.next()?, words.next()?);
    let has_rank = first.contains('/') && first.split('/').any(is_rank);
    (has_rank && !is_path(first) && ["w", "b"].contains(&second)).then_some(first)
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|letter: char| letter.is_whitespace() || letter == '_' || is_delimiter(letter))
}

fn is_delimiter(letter: char) -> bool {
    ";,|\"'`()[]{}<>\t".contains(letter)
}

fn is_whole(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "r3k2r/8/8/8/8/8/8/R3K2R";

    #[test]
    fn a_fen_is_found_anywhere() {
        for (line, fen, tail) in [
            (format!("{BOARD} w KQkq - 0 1 ;D1 20"), format!("{BOARD} w KQkq -"), "0 1"),
            (format!("{BOARD} w KQkq - D1 20"), format!("{BOARD} w KQkq -"), ""),
            (format!("{BOARD} b KQ e3,20,400"), format!("{BOARD} b KQ e3"), ""),
            (format!("two, {BOARD} w - - 5 6 7 8"), format!("{BOARD} w - -"), "5 6 7 8"),
            (format!("| `{BOARD} w KQkq -` | 20 |"), format!("{BOARD} w KQkq -"), ""),
            (format!("\"{BOARD} w – –\": [20]"), format!("{BOARD} w – –"), ""),
            (format!("{BOARD};D1 20"), BOARD.to_owned(), ""),
            (format!("{BOARD} 20 400"), BOARD.to_owned(), "20 400"),
            (format!("{BOARD} w D1 20"), format!("{BOARD} w"), ""),
            (format!("{BOARD} w KQkq d6 20"), format!("{BOARD} w KQkq d6"), "20"),
            (format!("{BOARD} w KQkq - x 1"), format!("{BOARD} w KQkq -"), ""),
            (format!("{BOARD} w KQkq - -1 1"), format!("{BOARD} w KQkq - -1"), "1"),
            (format!("{BOARD} x KZ e9 ;D1 1"), format!("{BOARD} x KZ e9"), ""),
            (
                format!("https://lichess.org/analysis/{BOARD}_w_KQkq_-_0_1"),
                format!("{BOARD}_w_KQkq_-"),
                "0 1",
            ),
            ("8/8/8/8/8/8 w - -".to_owned(), "8/8/8/8/8/8 w - -".to_owned(), ""),
            ("8/8 w - - ;D1 5".to_owned(), "8/8 w - -".to_owned(), ""),
            (format!("{BOARD} w KQkq - 0 1: 20"), format!("{BOARD} w KQkq -"), "0 1"),
            (format!("fen={BOARD} w - - 0 1"), format!("{BOARD} w - -"), "0 1"),
            (format!("file:///x/lichess.org/{BOARD}_w_-_-"), format!("{BOARD}_w_-_-"), ""),
            ("4k3/8/8/9/8/x/8/4K3 w - - 0 1".to_owned(), "4k3/8/8/9/8/x/8/4K3 w - -".to_owned(), "0 1"),
        ] {
            let found = find_fen(&line).unwrap();
            assert_eq!((&line[found.span], found.tail.join(" ")), (fen.as_str(), tail.to_owned()), "{line}");
        }
        for line in [
            "",
            "a/b/c",
            "https://a.org/b/c/d/e/f/g/h/i/j",
            "perft 3 = 8902",
            "/usr/share/a/b/c/d/e",
            "/pkg/b/n/k/8/8/1/x",
            "/a/b/c/d/e/f/g/h w - -",
            "./8/8/8/8/8/8/8/8",
            "import \"example.com/a/b/pkg/formats/fen/x\"",
            "src/internal/database/projects/programs/handlers/tests",
        ] {
            assert_eq!(find_fen(line), None, "{line}");
        }
    }
}

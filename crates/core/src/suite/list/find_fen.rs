//! Finds the FEN in a line of text.

use std::ops::Range;

/// The number of ranks of a board.
const RANKS: usize = 8;

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

/// Finds the first FEN of a line. It may be a part of a web address. A text with many slashes is taken for a FEN with
/// faults.
pub fn find_fen(line: &str) -> Option<FoundFen<'_>> {
    let start = || words(line).map(|word| word.trim_end_matches(':')).find(|word| *word == "startpos");
    let board = words(line).find_map(board).or_else(|| stump(line)).or_else(start)?;
    let mut end = place(line, board).end;
    let mut fields = Fields { line, at: end };
    for slot in (0..3).take_while(|_| board != "startpos") {
        let Some(field) = fields.next().filter(|field| is_field(field, slot)) else { break };
        end = place(line, field).end;
    }
    fields.at = end;
    let mut found = FoundFen { span: place(line, board).start..end, tail: Vec::new(), end };
    while let Some(field) =
        fields.next().filter(|field| field.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
    {
        let end = place(line, field).end;
        if is_whole(field) {
            found.tail.push(field);
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

/// The fields of a FEN after its board: words between blanks and underscores.
struct Fields<'a> {
    line: &'a str,
    at: usize,
}

impl<'a> Iterator for Fields<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = &self.line[self.at..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '_']).len();
        let word = &rest[blanks..];
        let word = &word[..word.find([' ', '\t', '_']).unwrap_or(word.len())];
        let word = &word[..word.find(is_delimiter).unwrap_or(word.len())];
        self.at += blanks + word.len();
        (blanks > 0 && !word.is_empty()).then_some(word)
    }
}

/// Whether a word can be the field after the board with this index. Faulty fields are included, but numbers and the
/// names of known counts are not.
fn is_field(word: &str, slot: usize) -> bool {
    let is_count = word.strip_prefix('D').is_some_and(is_whole)
        || slot < 2 && word.strip_prefix('d').is_some_and(is_whole);
    !(is_whole(word) || is_count || word.contains([':', '=']))
}

/// Returns the board in a word, or a text that seems to be a faulty board.
fn board(word: &str) -> Option<&str> {
    let is_address = word.contains("://") || word.starts_with("www.");
    let slashes: Vec<usize> = word.match_indices('/').map(|(place, _)| place).collect();
    let start = match slashes.len().checked_sub(RANKS) {
        Some(before) if is_address => slashes[before] + 1,
        _ => 0,
    };
    let board = &word[start..];
    let is_board = board.matches('/').count() == RANKS - 1 && board.chars().all(is_of_board);
    let is_meant = slashes.len() >= 5 && !is_address && !word.starts_with(['/', '.', '~']);
    (is_board || is_meant).then_some(board)
}

/// Returns the first word of a line if it has a slash and a side to move follows: a faulty board.
fn stump(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    let (first, second) = (words.next()?, words.next()?);
    (first.contains('/') && ["w", "b"].contains(&second)).then_some(first)
}

fn is_of_board(letter: char) -> bool {
    letter == '/' || letter.is_ascii_digit() || "pnbrqkPNBRQK".contains(letter)
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|letter: char| letter.is_whitespace() || letter == '_' || is_delimiter(letter))
}

/// Whether a character ends a word: a separator of columns, a quote or a bracket.
fn is_delimiter(letter: char) -> bool {
    ";,|\"'`()[]{}<>\t".contains(letter)
}

pub fn is_whole(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the place of a part of a line. For any other text, returns the place of the whole line.
pub fn place(line: &str, part: &str) -> Range<usize> {
    let (line_at, part_at) = (line.as_bytes().as_ptr_range(), part.as_bytes().as_ptr_range());
    if line_at.start <= part_at.start && part_at.end <= line_at.end {
        let start = part_at.start as usize - line_at.start as usize;
        start..start + part.len()
    } else {
        0..line.len()
    }
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
        ] {
            let found = find_fen(&line).unwrap();
            assert_eq!((&line[found.span], found.tail.join(" ")), (fen.as_str(), tail.to_owned()), "{line}");
        }
        for line in ["", "a/b/c", "https://a.org/b/c/d/e/f/g/h/i/j", "perft 3 = 8902", "/usr/share/a/b/c/d/e"]
        {
            assert_eq!(find_fen(line), None, "{line}");
        }
    }
}

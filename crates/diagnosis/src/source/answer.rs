//! Answers, and a parser for the perft output of most engines.
//!
//! ```text
//!   e2e4: 600          e2e4 600          e2e4 - 600          2. e2e4 moves =        600 ( 0.000 sec)
//!   Nodes searched: 197,281      Total: 197281      perft( 4)=       197281 ( 0.001 sec)      197281
//! ```
//!
//! A line is a move with its count, a total, or neither. Lines that are neither (`info string ...`, banners,
//! evaluations) are ignored.

/// The answer to a question: the leaf nodes below each move, the total, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The moves in lower case, as the source writes them, with the leaf nodes below each, in the order of the source.
    pub moves: Vec<(String, u128)>,
    /// The total that the source states.
    pub stated_total: Option<u128>,
    /// Lines of the answer that may be part of it but were not understood, as the source wrote them.
    pub unread: Vec<String>,
}

/// A line of output with a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputLine {
    /// A move and the leaf nodes below it.
    Move(String, u128),
    /// The number of all leaf nodes.
    Total(u128),
}

impl Answer {
    /// Parses the output of a perft command.
    ///
    /// The last total counts, because some programs print one for each depth.
    pub fn parse(text: &str) -> Answer {
        let mut answer = Answer::default();
        text.lines().filter_map(OutputLine::parse).for_each(|line| answer.add(line));
        answer
    }

    /// Adds one more line of output.
    pub fn add(&mut self, line: OutputLine) {
        match line {
            OutputLine::Move(text, nodes) => self.moves.push((text, nodes)),
            OutputLine::Total(nodes) => self.stated_total = Some(nodes),
        }
    }

    /// Returns the stated total, or the sum over the moves if no total is stated.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::source::Answer;
    ///
    /// let answer = Answer::parse("e2e4: 20\nd2d4: 20\n\nNodes searched: 40\n");
    /// assert_eq!((answer.moves.len(), answer.total()), (2, 40));
    /// assert_eq!(Answer::parse("e2e4 - 20\nd2d4 - 20").total(), 40);
    /// ```
    pub fn total(&self) -> u128 {
        self.stated_total.unwrap_or_else(|| self.sum())
    }

    /// Returns the sum over the moves.
    pub fn sum(&self) -> u128 {
        self.moves.iter().map(|(_, nodes)| nodes).sum()
    }

    /// Whether the stated total differs from the sum over the moves.
    pub fn contradicts_itself(&self) -> bool {
        !self.moves.is_empty() && self.stated_total.is_some_and(|total| total != self.sum())
    }

    /// Whether there are neither moves nor a total.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.stated_total.is_none()
    }
}

impl OutputLine {
    /// Parses a line of output. Returns `None` if it has no count.
    pub fn parse(line: &str) -> Option<OutputLine> {
        let line = line.trim();
        if line.starts_with("info") || line.starts_with("id ") || line.starts_with("option") {
            return None;
        }
        OutputLine::parse_qperft_total(line).or_else(|| OutputLine::parse_words(line))
    }

    /// Parses `perft( 6)=    119060324 ( 0.625 sec)`.
    fn parse_qperft_total(line: &str) -> Option<OutputLine> {
        let (_, rest) = line.strip_prefix("perft(")?.split_once(")=")?;
        let rest = rest.split('(').next()?;
        parse_number(rest.trim()).map(OutputLine::Total)
    }

    /// Parses lines such as `e2e4: 600` and `Nodes searched: 40`, and a number on its own.
    fn parse_words(line: &str) -> Option<OutputLine> {
        let line = line.split('(').next().unwrap_or_default();
        let words: Vec<&str> =
            line.split([' ', '\t', ':', '=']).filter(|word| !word.is_empty() && *word != "-").collect();
        // qperft prints the ply before the move.
        let words = match words.as_slice() {
            [ply, rest @ ..] if ply.strip_suffix('.').is_some_and(is_digits) => rest,
            all => all,
        };
        match words {
            [played, count] | [played, "moves", count] if is_move(played) => {
                Some(OutputLine::Move(played.to_lowercase(), parse_number(count)?))
            }
            [count] => parse_number(count).map(OutputLine::Total),
            [label @ .., count] if is_total_label(label) => parse_number(count).map(OutputLine::Total),
            _ => None,
        }
    }
}

/// Whether words are a label such as `Nodes searched` or `Total`, in any case.
fn is_total_label(words: &[&str]) -> bool {
    let label = words.join(" ").to_lowercase();
    matches!(label.as_str(), "nodes searched" | "total" | "total nodes" | "nodes" | "perft" | "leaf nodes")
}

/// Whether a word is a move in UCI notation.
fn is_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let is_square = |at: usize| {
        matches!(bytes.get(at), Some(b'a'..=b'h' | b'A'..=b'H'))
            && matches!(bytes.get(at + 1), Some(b'1'..=b'8'))
    };
    let promotion = bytes.get(4).is_none_or(|letter| b"nbrqNBRQ".contains(letter));
    is_square(0) && is_square(2) && promotion && bytes.len() <= 5
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses a number with or without thousands separators.
fn parse_number(text: &str) -> Option<u128> {
    let digits: String =
        text.chars().filter(|letter| !matches!(letter, ',' | '\'' | '_' | '\u{202f}')).collect();
    is_digits(&digits).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(text: &str, nodes: u128) -> Option<OutputLine> {
        Some(OutputLine::Move(text.to_owned(), nodes))
    }

    #[test]
    fn moves_are_parsed_in_all_spellings() {
        for line in
            ["e2e4: 600", "e2e4 600", "e2e4 - 600", "e2e4:600", "E2E4 = 600", "\te2e4:\t600 ", "e2e4: 6'00"]
        {
            assert_eq!(OutputLine::parse(line), counted("e2e4", 600), "{line}");
        }
        assert_eq!(OutputLine::parse("2. e2e4 moves =        600 ( 0.000 sec)"), counted("e2e4", 600));
        assert_eq!(OutputLine::parse("e7e8q: 1,234"), counted("e7e8q", 1234));
        assert_eq!(OutputLine::parse("e7e8Q 5"), counted("e7e8q", 5));
    }

    #[test]
    fn totals_are_parsed_in_all_spellings() {
        for line in [
            "Nodes searched: 197281",
            "Nodes searched: 197,281",
            "nodes searched  : 197281",
            "Total: 197281",
            "Total nodes: 197281",
            "Nodes: 197281",
            "197281",
            "perft( 4)=       197281 ( 0.001 sec)",
        ] {
            assert_eq!(OutputLine::parse(line), Some(OutputLine::Total(197_281)), "{line}");
        }
    }

    #[test]
    fn other_lines_are_ignored() {
        for line in [
            "",
            "readyok",
            "uciok",
            "Stockfish 15.1 by the Stockfish developers (see AUTHORS file)",
            "info string NNUE evaluation using nn-ad9b42354671.nnue enabled",
            "info depth 1 nodes 20",
            "option name Threads type spin default 1 min 1 max 1024",
            "id name 197281",
            "e2e4",
            "e2e9: 5",
            "e2e4: many",
            "e2e4: -5",
            "e2e4q5: 5",
            "Time: 5",
            "NPS 1000000",
            "Total 1.5",
            "999999999999999999999999999999999999999999",
        ] {
            assert_eq!(OutputLine::parse(line), None, "{line}");
        }
    }

    #[test]
    fn a_total_that_is_not_the_sum_is_a_contradiction() {
        let answer = Answer::parse("e2e4: 20\nd2d4: 20\nNodes searched: 41");
        assert!(answer.contradicts_itself());
        assert_eq!((answer.total(), answer.sum()), (41, 40));
        assert!(!Answer::parse("20").contradicts_itself());
        assert!(Answer::parse("nothing to see").is_empty());
    }
}

//! Programs without a perft: a search to depth 1 with as many variations as there are moves lists the moves of a
//! position.

use perft_diagnosis::source::Answer;

/// The UCI option for the number of variations.
pub(super) const OPTION: &str = "MultiPV";

/// A number that is larger than the number of moves in any position.
pub(super) const MOST: &str = "256";

/// The first moves of the variations that were read so far.
#[derive(Debug, Default)]
pub(super) struct Variations {
    moves: Vec<(String, u128)>,
}

impl Variations {
    /// Reads the next line. Returns whether it ends the search.
    pub fn read(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("bestmove") => return true,
            Some("info") => {}
            _ => return false,
        }
        if let Some(first) = words.skip_while(|&word| word != "pv").nth(1)
            && self.moves.iter().all(|(known, _)| known != first)
        {
            self.moves.push((first.to_owned(), 1));
        }
        false
    }

    /// Returns the moves as an answer. Without legal moves, only the total is known.
    pub fn finish(self) -> Answer {
        let stated_total = self.moves.is_empty().then_some(0);
        Answer { moves: self.moves, stated_total, ..Answer::default() }
    }
}

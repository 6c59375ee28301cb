//! Programs without a perft: a search to depth 1 with as many variations as there are moves lists the moves of a
//! position.

use perft_diagnosis::source::{Answer, SourceError};

use super::process::{Deadline, Process};

/// The UCI option for the number of variations.
pub(super) const OPTION: &str = "MultiPV";

/// A number that is larger than the number of moves in any position.
pub(super) const MOST: &str = "256";

/// Reads the first moves of all variations, to the end of the search.
pub(super) fn read(process: &mut Process, deadline: &Deadline) -> Result<Answer, SourceError> {
    let mut moves: Vec<(String, u128)> = Vec::new();
    loop {
        let Some(line) = process.line(deadline)? else { return Err(process.ended()) };
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["bestmove", ..] => {
                // Without legal moves, only the total is known.
                let stated_total = moves.is_empty().then_some(0);
                return Ok(Answer { moves, stated_total, ..Answer::default() });
            }
            ["info", rest @ ..] => {
                let first = rest.iter().position(|&word| word == "pv").and_then(|at| rest.get(at + 1));
                if let Some(first) = first
                    && moves.iter().all(|(known, _)| known != first)
                {
                    moves.push(((*first).to_owned(), 1));
                }
            }
            _ => {}
        }
    }
}

//! The parts of suites that are checked: with an engine, some positions are left out.

use perft_core::suite::{Case, Suite};
use perft_core::{CastlingNotation, Position};

use crate::input::ImpossibleArgs;
use crate::input::suite_reader::is_built_in;

/// The part of a suite that is checked.
pub struct Part {
    /// The positions.
    pub suite: Suite,
    /// The number of Chess960 positions that are left out.
    pub left_out_chess960: usize,
    /// The number of positions that are left out because no game reaches them.
    pub left_out_impossible: usize,
}

impl Part {
    pub fn whole(suite: Suite) -> Part {
        Part { suite, left_out_chess960: 0, left_out_impossible: 0 }
    }

    /// Whether the suite is built in, so that its known counts are right.
    pub fn is_built_in(&self) -> bool {
        is_built_in(&self.suite.name)
    }

    /// Whether it has a position of Chess960.
    pub fn has_chess960(&self) -> bool {
        let is_chess960 = |case: &Case| case.position.castling_notation() == CastlingNotation::Chess960;
        self.suite.cases.iter().any(is_chess960)
    }

    /// Returns the part that an engine is asked about: the positions that it can read, without those that no game
    /// reaches, unless the user wants them.
    pub fn for_engine(self, can_read: impl Fn(&Position) -> bool, impossible: ImpossibleArgs) -> Part {
        let mut part = self;
        part.left_out_chess960 = part.keep(|case| can_read(&case.position));
        part.left_out_impossible = part.keep(|case| impossible.allow(&case.position));
        part
    }

    /// Keeps the positions for which this is true. Returns the number of the others.
    fn keep(&mut self, is_kept: impl Fn(&Case) -> bool) -> usize {
        let positions = self.suite.cases.len();
        self.suite.cases.retain(is_kept);
        positions - self.suite.cases.len()
    }
}

#[cfg(test)]
mod tests {
    use perft_core::suite::builtin;

    use super::*;

    #[test]
    fn an_engine_is_asked_only_what_it_can_be_asked() {
        let part = |name, is_chess960, impossible| {
            let suite = builtin::suite(name).unwrap().suite();
            let is_standard =
                |position: &Position| position.castling_notation() == CastlingNotation::Standard;
            let can_read = |position: &Position| is_chess960 || is_standard(position);
            let part = Part::whole(suite.clone()).for_engine(can_read, ImpossibleArgs { impossible });
            let left_out = [part.left_out_chess960, part.left_out_impossible];
            assert_eq!(part.suite.cases.len(), suite.cases.len() - left_out[0] - left_out[1]);
            left_out
        };
        assert_eq!(part("chess960", true, false), [0, 0]);
        assert!(part("chess960", false, false)[0] > 100);
        assert_eq!(part("standard", false, true), [0, 0]);
        assert!(part("standard", false, false)[1] > 10);
    }
}

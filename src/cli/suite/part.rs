//! The part of a block of a suite that is checked: with an engine, some positions are left out.

use perft_core::CastlingNotation;
use perft_core::suite::{Case, Suite};
use perft_diagnosis::source::Abilities;

use crate::cli::args::ImpossibleArgs;

/// The part of a block of a suite that is checked.
pub struct Part {
    /// The positions.
    pub suite: Suite,
    /// Whether the suite is built in, so that its known counts are right.
    pub is_built_in: bool,
    /// The number of Chess960 positions that are left out.
    pub left_out_chess960: usize,
    /// The number of positions that are left out because no game reaches them.
    pub left_out_impossible: usize,
}

impl Part {
    /// Returns a whole block.
    pub fn whole(suite: Suite, is_built_in: bool) -> Part {
        Part { suite, is_built_in, left_out_chess960: 0, left_out_impossible: 0 }
    }

    /// Returns the part that an engine with these abilities is asked about.
    pub fn for_engine(self, abilities: &Abilities, impossible: ImpossibleArgs) -> Part {
        let mut part = self;
        let is_known = |case: &Case| {
            abilities.is_chess960 || case.position.castling_notation() == CastlingNotation::Standard
        };
        part.left_out_chess960 = part.keep(is_known);
        part.left_out_impossible = part.keep(|case| impossible.allow(&case.position));
        part
    }

    /// Keeps the positions of which this is true. Returns the number of the others.
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
            let abilities = Abilities { is_chess960, ..Abilities::default() };
            let part = Part::whole(suite.clone(), true).for_engine(&abilities, ImpossibleArgs { impossible });
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

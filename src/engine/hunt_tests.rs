//! A hunt finds every planted bug in an engine that runs as a process of its own.

use perft_diagnosis::mutations::Mutation;
use perft_diagnosis::source::CountSource;
use perft_diagnosis::{Theme, Verdict};
use perft_testing::planted::{ExpectedFinding, assert_found, targets};
use perft_testing::programs::example;

use super::{Dialect, Engine, EngineSpec};

/// Returns an engine with a bug.
fn engine(bug: Mutation) -> EngineSpec {
    let program = example("test-engine").to_str().unwrap().to_owned();
    let command = vec![program, "faulty".to_owned(), bug.name().to_owned()];
    EngineSpec { command, ..EngineSpec::parse("-", Dialect::UCI).unwrap() }
}

macro_rules! found {
    ($($test:ident $bug:ident $prefix:literal $max_nodes:literal $verdict:ident [$($theme:ident)*] $hypothesis:literal;)*) => {
        $(
            #[test]
            fn $test() {
                let themes = [$(Theme::$theme),*];
                let expected =
                    ExpectedFinding { verdict: Verdict::$verdict, themes: &themes, hypothesis: $hypothesis };
                let source = || -> Box<dyn CountSource> { Box::new(Engine::new(engine(Mutation::$bug))) };
                assert_found(stringify!($bug), &targets($prefix, $max_nodes), source, expected);
            }
        )*
    };
}

perft_testing::each_planted_bug!(found);

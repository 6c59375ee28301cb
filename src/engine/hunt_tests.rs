//! A hunt finds every planted bug in an engine that runs as a process of its own.

use perft_diagnosis::mutations::Mutation;
use perft_diagnosis::serve::serve;
use perft_diagnosis::source::CountSource;
use perft_diagnosis::{Theme, Verdict};
use perft_testing::faulty::FaultySource;
use perft_testing::planted::{ExpectedFinding, assert_found, targets};

use super::{Dialect, Engine, EngineSpec};

/// Returns this test program as an engine with a bug: it runs a single test of [`serving`], which answers UCI commands.
fn engine(serving: &str) -> EngineSpec {
    let program = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
    let test = format!("engine::hunt_tests::serving::{serving}");
    let arguments = ["--ignored", "--exact", &test, "--nocapture", "--test-threads", "1"];
    let command = std::iter::once(program).chain(arguments.map(str::to_owned)).collect();
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
                let source = || -> Box<dyn CountSource> { Box::new(Engine::new(engine(stringify!($test)))) };
                assert_found(stringify!($bug), &targets($prefix, $max_nodes), source, expected);
            }
        )*

        /// Engines rather than tests: see [`engine`].
        mod serving {
            use super::*;

            $(
                #[test]
                #[ignore = "an engine that waits for commands"]
                fn $test() {
                    let mut source = FaultySource::new(Some(Mutation::$bug));
                    serve(&mut source, std::io::BufReader::new(std::io::stdin()), &mut std::io::stdout()).unwrap();
                }
            )*
        }
    };
}

perft_testing::each_planted_bug!(found);

//! The hunt finds every planted bug in an engine that runs as a process of its own.

use perft_diagnosis::serve::serve;
use perft_diagnosis::source::CountSource;
use perft_diagnosis::{Theme, Verdict};
use perft_testing::faulty;
use perft_testing::planted::{Expected, Planted, is_found, quarries};

use super::{Dialect, Engine, EngineSpec};

/// This test program, run as an engine with a bug: a test that serves, alone, on the test's own standard input and output.
fn engine(serving: &str) -> EngineSpec {
    let program = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
    let test = format!("engine::hunt_tests::serving::{serving}");
    let arguments = ["--ignored", "--exact", &test, "--nocapture", "--test-threads", "1"];
    let command = std::iter::once(program).chain(arguments.map(str::to_owned)).collect();
    EngineSpec { command, ..EngineSpec::parse("-", Dialect::Uci).unwrap() }
}

macro_rules! found {
    ($($test:ident $fault:ident $prefix:literal $max_nodes:literal $verdict:ident [$($theme:ident)*] $belief:literal;)*) => {
        $(
            #[test]
            fn $test() {
                let themes = [$(Theme::$theme),*];
                let expected = Expected { verdict: Verdict::$verdict, themes: &themes, belief: $belief };
                let source = || -> Box<dyn CountSource> { Box::new(Engine::new(engine(stringify!($test)))) };
                is_found(stringify!($fault), &quarries($prefix, $max_nodes), &source, expected);
            }
        )*

        /// Engines, not tests: see [`engine`].
        mod serving {
            use super::*;

            $(
                #[test]
                #[ignore = "an engine, which waits for commands"]
                fn $test() {
                    let mut planted = Planted::<faulty::$fault>::new();
                    serve(&mut planted, std::io::stdin().lock(), &mut std::io::stdout()).unwrap();
                }
            )*
        }
    };
}

perft_testing::each_planted_bug!(found);

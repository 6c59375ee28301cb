//! Tests every slider lookup of the registry in the generator of `perft-core`: the built-in suites on both scalar CPU
//! paths.
//!
//! A macro expands the tests for each lookup of the registry. The unit tests compare the lookups with a walk from
//! square to square.

use perft_count::{CpuPath, LeafMode, Perft};
use perft_lab::sliders::SliderMethod;
use perft_testing::suites;

/// The tests of each lookup.
macro_rules! tests {
    ($($name:literal $method:ident ($sliders:expr);)*) => {
        $(
            #[allow(non_snake_case)]
            mod $method {
                use super::*;

                #[test]
                fn suites_are_right_in_bulk() {
                    suites_are_right(SliderMethod::$method, LeafMode::Bulk, 300_000);
                }

                #[test]
                fn suites_are_right_with_every_leaf_made() {
                    suites_are_right(SliderMethod::$method, LeafMode::EveryLeaf, 30_000);
                }
            }
        )*
    };
}

perft_lab::each_slider_method!(tests);

/// Runs the suites on both scalar CPU paths, if this machine has them and they can use the lookup.
fn suites_are_right(method: SliderMethod, leaf_mode: LeafMode, max_nodes: u128) {
    for path in [CpuPath::Bmi2, CpuPath::Portable].into_iter().filter(|path| path.is_available()) {
        let counter = method.counter(path.bmi2_features());
        assert_eq!(counter.is_none(), method == SliderMethod::Pext && path == CpuPath::Portable);
        let Some(counter) = counter else { continue };
        let perft = Perft::new().leaf_mode(leaf_mode).leaf_counter(counter);
        suites::assert_right(&format!("{method} on {path}"), &perft, max_nodes);
    }
}

//! Tests every slider lookup of the registry in the generator of `perft-core`: the built-in suites on both scalar CPU
//! paths, and the combinations that are refused.
//!
//! A macro expands the tests for each lookup of the registry. The unit tests compare the lookups with a walk from
//! square to square.

use perft_core::{CpuPath, LeafMode, Perft};
use perft_lab::sliders::{SliderMethod, SlidersError};
use perft_testing::suites;

/// The tests of each lookup.
macro_rules! tests {
    ($($name:literal $method:ident ($sliders:expr) $about:literal;)*) => {
        $(
            #[allow(non_snake_case)]
            mod $method {
                use super::*;

                #[test]
                fn suites_are_right_in_bulk() {
                    suites_are_right(SliderMethod::$method, LeafMode::Bulk, 1_000_000);
                }

                #[test]
                fn suites_are_right_with_every_leaf_made() {
                    suites_are_right(SliderMethod::$method, LeafMode::EveryLeaf, 100_000);
                }
            }
        )*
    };
}

perft_lab::each_slider_method!(tests);

/// Runs the suites on all CPU paths that this machine has and that can use the lookup.
fn suites_are_right(method: SliderMethod, leaf_mode: LeafMode, max_nodes: u128) {
    let mut paths = 0;
    for path in CpuPath::ALL.into_iter().filter(|path| path.is_available()) {
        if let Ok(perft) = method.drive(Perft::new().leaf_mode(leaf_mode), path) {
            suites::assert_right(&format!("{method} on {path}"), &perft, max_nodes);
            paths += 1;
        }
    }
    let everywhere = CpuPath::ALL.into_iter().filter(|path| path.is_scalar() && path.is_available()).count();
    let expected = if method == SliderMethod::Pext { everywhere - 1 } else { everywhere };
    assert_eq!(paths, expected, "paths for {method}");
}

fn refusal(method: SliderMethod, path: CpuPath) -> Option<SlidersError> {
    method.drive(Perft::new(), path).err()
}

#[test]
fn vector_paths_have_no_lookup() {
    for path in CpuPath::ALL.into_iter().filter(|path| path.is_available() && !path.is_scalar()) {
        assert_eq!(SliderMethod::of_path(path), None);
        for &method in SliderMethod::ALL {
            assert_eq!(refusal(method, path), Some(SlidersError::NoLookup(path)));
        }
    }
}

#[test]
fn bit_extraction_is_not_portable() {
    let method = SliderMethod::Pext;
    let path = CpuPath::Portable;
    let expected = match method.is_available() {
        true => SlidersError::NotOnPath { method, path },
        false => SlidersError::Unavailable(method),
    };
    assert_eq!(refusal(method, path), Some(expected));
}

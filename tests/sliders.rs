//! Every slider look-up of the registry, behind our own generator: the built-in suites on both scalar CPU paths, and what
//! a driver refuses.
//!
//! One macro expands the tests for each; a method that joins the registry has them by that. The look-ups themselves are
//! compared with the walk where they live.

mod common;

use common::suites;
use perft::chess::attacks::sliders::SliderMethod;
use perft::generators::Generator;
use perft::perft::{CpuPath, LeafMode, Perft, SlidersError};

/// The tests of one method.
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

perft::each_slider_method!(tests);

/// On the paths that can look up by the method, as far as this machine has them.
fn suites_are_right(method: SliderMethod, leaf_mode: LeafMode, max_nodes: u128) {
    let mut paths = 0;
    for path in CpuPath::ALL.into_iter().filter(|path| path.is_available()) {
        if let Ok(perft) = on(path).leaf_mode(leaf_mode).sliders(method) {
            assert_eq!(perft.slider_method(), Some(method));
            suites::are_right(&format!("{method} on {path}"), &perft, max_nodes);
            paths += 1;
        }
    }
    let everywhere = CpuPath::ALL.into_iter().filter(|path| path.is_scalar() && path.is_available()).count();
    let expected = if method == SliderMethod::Pext { everywhere - 1 } else { everywhere };
    assert_eq!(paths, expected, "paths for {method}");
}

fn on(path: CpuPath) -> Perft {
    Perft::new().cpu_path(path).unwrap()
}

#[test]
fn a_batched_path_looks_nothing_up() {
    for path in [CpuPath::Avx512, CpuPath::Avx2].into_iter().filter(|path| path.is_available()) {
        assert_eq!(on(path).slider_method(), None);
        for &method in SliderMethod::ALL {
            assert_eq!(on(path).sliders(method).err(), Some(SlidersError::NothingLookedUp(path)));
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
    assert_eq!(on(path).sliders(method).err(), Some(expected));
}

#[test]
fn a_path_that_is_chosen_later_brings_its_own_look_up() {
    let perft = on(CpuPath::Portable).sliders(SliderMethod::Fill).unwrap();
    assert_eq!(perft.slider_method(), Some(SliderMethod::Fill));
    let perft = perft.cpu_path(CpuPath::Portable).unwrap();
    assert_eq!(perft.slider_method(), Some(SliderMethod::Magic));
}

#[test]
fn other_generators_have_their_own_way() {
    for &generator in Generator::ALL {
        let perft = on(CpuPath::Portable).sliders(SliderMethod::Rays).unwrap().generator(generator);
        assert_eq!(perft.slider_method().is_some(), generator == Generator::Bitboard, "{generator}");
    }
}

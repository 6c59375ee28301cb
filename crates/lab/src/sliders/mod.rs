//! Slider look-ups: which squares a bishop or a rook attacks, given the blockers.
//!
//! One method per file, all behind the trait [`Sliders`], and each by name in the registry, [`SliderMethod`]:
//!
//! | method | how it works | tables |
//! |---|---|---|
//! | [`Pext`] | extracts the relevant squares, which index a table of all attacks | 843 KiB |
//! | [`Magic`] | hashes them by a multiplication | 844 KiB |
//! | [`Kindergarten`] | gathers each line by a multiplication | 10.5 KiB |
//! | [`Rays`] | scans each ray for the first blocker | 5 KiB |
//! | [`Quintessence`] | subtracts the slider from each line | 3 KiB |
//! | [`Fill`] | pushes the slider through the empty squares | none |
//!
//! The first two belong to the core crate, whose generator uses them. The plain walk from square to square, `Walk`, is
//! the reference for all of them in the tests.

mod fill;
mod kindergarten;
mod quintessence;
mod rays;
mod registry;

pub use fill::Fill;
pub use kindergarten::Kindergarten;
pub use perft_core::internals::sliders::{Magic, Pext, Sliders};
pub use quintessence::Quintessence;
pub use rays::Rays;
pub use registry::{ParseSliderMethodError, SliderMethod, SlidersError, SlidersVisitor};

#[cfg(test)]
mod tests {
    use super::*;
    use perft_core::internals::sliders::{BISHOP_LINES, ROOK_LINES, Walk, relevant};
    use perft_core::{Bitboard, Square};

    /// Compares a look-up with the walk: every square, every subset of the relevant squares, with and without
    /// all irrelevant squares occupied.
    fn agrees_with_the_walk(sliders: impl Sliders) {
        for square in Square::ALL {
            for (lines, rook) in [(ROOK_LINES, true), (BISHOP_LINES, false)] {
                let mask = relevant(square, &lines);
                let mut subset = 0;
                loop {
                    for occupied in [subset, subset | !mask].map(Bitboard::from_bits) {
                        if rook {
                            assert_eq!(sliders.rook(square, occupied), Walk.rook(square, occupied));
                        } else {
                            assert_eq!(sliders.bishop(square, occupied), Walk.bishop(square, occupied));
                        }
                    }
                    subset = subset.wrapping_sub(mask) & mask;
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }

    macro_rules! agreement {
        ($($name:literal $method:ident ($sliders:expr) $about:literal;)*) => {
            #[allow(non_snake_case)]
            mod agrees_with_the_walk {
                $(
                    #[test]
                    fn $method() {
                        if let Some(sliders) = $sliders {
                            super::agrees_with_the_walk(sliders);
                        }
                    }
                )*
            }
        };
    }

    crate::each_slider_method!(agreement);

    #[test]
    fn every_method_can_be_visited_by_its_name() {
        struct NeedsBmi2;

        impl SlidersVisitor for NeedsBmi2 {
            type Output = bool;

            fn visit<L: Sliders>(self, _: L) -> bool {
                L::NEEDS_BMI2
            }
        }

        for &method in SliderMethod::ALL {
            assert_eq!(method.name().parse(), Ok(method));
            let visited = method.visit(NeedsBmi2);
            assert_eq!(visited.is_some(), method.is_available());
            assert_eq!(visited.unwrap_or(true), method == SliderMethod::Pext, "{method}");
        }
        assert_eq!("walk".parse::<SliderMethod>(), Err(ParseSliderMethodError("walk".to_owned())));
    }
}

//! Slider lookups, which return the squares that a bishop or a rook attacks, all behind one trait.
//!
//! Each method is a type that implements [`Sliders`], and has a name in [`SliderMethod`]:
//!
//! | method | how it works | tables |
//! |---|---|---|
//! | [`Pext`] | extracts the relevant squares as the index of a table of all attacks | 843 KiB |
//! | [`Magic`] | multiplies the relevant squares to get the index | 844 KiB |
//! | [`Kindergarten`] | gathers each line by a multiplication | 10.5 KiB |
//! | [`Rays`] | scans each ray for the first blocker | 9 KiB |
//! | [`Quintessence`] | subtracts the slider from each line | 3 KiB |
//! | [`Fill`] | moves the slider through empty squares | none |
//!
//! `perft-core` has the first two, which its generator uses. The tests compare all methods with a walk from square to
//! square.

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
pub use registry::{ParseSliderMethodError, SliderMethod};

#[cfg(test)]
mod tests {
    use perft_core::internals::sliders::{BISHOP_LINES, ROOK_LINES, Walk, relevant};
    use perft_core::{Bitboard, Square};

    use super::*;

    /// Compares a lookup with the walk for every square and every subset of the relevant squares, once with all other
    /// squares empty and once with all of them occupied.
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
        ($($name:literal $method:ident ($sliders:expr);)*) => {
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
    fn every_method_has_its_name() {
        for &method in SliderMethod::ALL {
            assert_eq!(method.name().parse(), Ok(method));
            assert_eq!(method.needs_bmi2(), method == SliderMethod::Pext, "{method}");
        }
        assert_eq!("walk".parse::<SliderMethod>(), Err(ParseSliderMethodError("walk".to_owned())));
    }
}

//! Counting and making moves while they are generated, without a list.
//!
//! The generator calls the sink [`Play`] with a move kind that the compiler knows at each call. So each kind has its
//! own short copy of the code that makes a move.

use std::hint::black_box;

use super::{MoveSink, generate};
use crate::attacks::sliders::Sliders;
use crate::position::Position;
use crate::types::{MoveKind, Side, Square};

/// Returns the number of legal moves of side `S`, without making them.
#[inline(always)]
pub fn count_moves<S: Side>(position: &Position, sliders: impl Sliders) -> u64 {
    let mut total = 0;
    generate::<S>(position, sliders, &mut total);
    total
}

/// Makes every legal move of side `S`, and returns the sum of `count` over the positions reached.
#[inline(always)]
pub fn sum_over_children<S: Side>(
    position: &Position,
    sliders: impl Sliders,
    count: impl Fn(&Position) -> u64,
) -> u64 {
    let mut total = 0;
    for_each_child::<S>(position, sliders, |child| total += count(child));
    total
}

/// Makes every legal move of side `S`, and calls `visit` with each position reached.
#[inline(always)]
pub fn for_each_child<S: Side>(position: &Position, sliders: impl Sliders, visit: impl FnMut(&Position)) {
    let mut play = Play::<S, _> { position, visit, side: std::marker::PhantomData };
    generate::<S>(position, sliders, &mut play);
}

/// Makes every legal move of side `S`, and returns their number.
#[inline(always)]
pub fn play_moves<S: Side>(position: &Position, sliders: impl Sliders) -> u64 {
    sum_over_children::<S>(position, sliders, |child| {
        // Without this, the compiler would remove the code that makes the move.
        black_box(child);
        1
    })
}

/// A sink that makes each move and calls `visit` with the position reached.
struct Play<'a, S, F> {
    position: &'a Position,
    visit: F,
    side: std::marker::PhantomData<S>,
}

impl<S: Side, F: FnMut(&Position)> MoveSink for Play<'_, S, F> {
    #[inline(always)]
    fn receive(&mut self, kind: MoveKind, from: Square, to: Square) {
        (self.visit)(&self.position.play_as::<S>(kind, from, to));
    }
}

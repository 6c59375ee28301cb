//! Counters for every square of every lane, stored as bit planes.

use super::lanes::{Lanes, Tally, Width};

/// The largest number of different weights in a product of two numbers.
const MAX_WEIGHTS: usize = 10;

/// A number from 0 to 2^N - 1 for each square of each lane. Plane `i` is the set of squares whose number has bit `i`.
#[derive(Clone, Copy)]
pub struct BitSlicedCounts<V, const N: usize>([V; N]);

impl<V: Lanes, const N: usize> BitSlicedCounts<V, N> {
    /// Returns counters that are 0 on every square.
    #[inline(always)]
    pub fn zero(width: V::Width) -> Self {
        BitSlicedCounts([width.empty(); N])
    }

    /// Makes the number of each of these squares at least 1. No number may be above 1 before.
    #[inline(always)]
    pub fn set_lowest(&mut self, squares: V) {
        self.0[0] = self.0[0] | squares;
    }

    /// Adds 1 on each of `squares`, by a ripple carry over the planes.
    #[inline(always)]
    pub fn add(&mut self, squares: V) {
        let mut carry = squares;
        for plane in &mut self.0 {
            let next = *plane & carry;
            *plane = *plane ^ carry;
            carry = next;
        }
    }

    /// Adds a three-bit number on each square. The sets are the planes of these numbers, the lowest bit first.
    #[inline(always)]
    pub fn add_numbers(&mut self, [ones, twos, fours]: [V; 3]) {
        let planes = &mut self.0;
        let mut carry = planes[0] & ones;
        planes[0] = planes[0] ^ ones;
        for (plane, bit) in planes[1..3].iter_mut().zip([twos, fours]) {
            let next = (*plane & bit) | (carry & (*plane ^ bit));
            *plane = *plane ^ bit ^ carry;
            carry = next;
        }
        for plane in &mut planes[3..] {
            let next = *plane & carry;
            *plane = *plane ^ carry;
            carry = next;
        }
    }

    /// Adds 1 on the squares of each of three sets. A full adder first makes a two-bit number for each square.
    #[inline(always)]
    pub fn add_three_sets(&mut self, a: V, b: V, c: V) {
        let either = a ^ b;
        self.add_numbers([either ^ c, (a & b) | (either & c), a.width().empty()]);
    }

    /// Adds other counters to these.
    #[inline(always)]
    pub fn add_counts(&mut self, other: &BitSlicedCounts<V, 3>) {
        self.add_numbers(other.0);
    }

    /// Returns the squares whose number is not 0.
    #[inline(always)]
    pub fn any(&self) -> V {
        let mut any = self.0[0];
        for plane in &self.0[1..] {
            any = any | *plane;
        }
        any
    }

    /// Returns the planes, the lowest bit first.
    #[inline(always)]
    pub fn planes(&self) -> &[V; N] {
        &self.0
    }

    /// Returns the number of one square in each lane.
    #[inline(always)]
    pub fn at(&self, square: V) -> V {
        let width = square.width();
        let mut number = width.empty();
        for (bit, plane) in self.0.iter().enumerate() {
            number = number.plus_where(plane.meets(square), width.number(1 << bit));
        }
        number
    }

    /// Returns the lowest `M` planes: the same numbers, if none of them has more bits.
    #[inline(always)]
    pub fn low<const M: usize>(&self) -> BitSlicedCounts<V, M> {
        let mut low = [self.0[0]; M];
        low.copy_from_slice(&self.0[..M]);
        BitSlicedCounts(low)
    }

    /// Whether a number in any lane has more than `bits` bits.
    #[inline(always)]
    pub fn exceeds_bits(&self, bits: usize) -> bool {
        let mut high = self.0[bits];
        for plane in &self.0[bits + 1..] {
            high = high | *plane;
        }
        V::any(high.non_empty())
    }

    /// Returns the sum, over all squares of a lane, of the products of both numbers.
    ///
    /// The planes of `self` above the lowest two are skipped where they are empty in all lanes, which is often the
    /// case.
    #[inline(always)]
    pub fn dot<const M: usize>(&self, other: &BitSlicedCounts<V, M>) -> V {
        const { assert!(N + M - 1 <= MAX_WEIGHTS) };
        let width = self.0[0].width();
        // Products of the planes `i` and `j` have the weight 2^(i + j).
        let mut tallies = [V::Tally::zero(width); MAX_WEIGHTS];
        for (i, ours) in self.0.iter().enumerate() {
            if i >= 2 && !V::any(ours.non_empty()) {
                continue;
            }
            for (j, theirs) in other.0.iter().enumerate() {
                tallies[i + j].add(*ours & *theirs);
            }
        }
        // This is a loop and not an iterator, because the compiler does not inline long chains of iterators. Vectors
        // would then go through memory.
        let mut sum = width.empty();
        for weight in (0..N + M - 1).rev() {
            sum = sum.plus(sum).plus(tallies[weight].total());
        }
        sum
    }
}

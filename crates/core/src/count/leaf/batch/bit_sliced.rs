//! A small number for every square of every lane, a bit a plane.

use super::lanes::{Lanes, Width};

/// Numbers from 0 to 2^N - 1: a square's has bit `i` if the square is in plane `i`.
#[derive(Clone, Copy)]
pub struct BitSlicedCounts<V, const N: usize>([V; N]);

impl<V: Lanes, const N: usize> BitSlicedCounts<V, N> {
    /// 0 everywhere.
    #[inline(always)]
    pub fn zero(width: V::Width) -> Self {
        BitSlicedCounts([width.empty(); N])
    }

    /// Adds 1 on these squares.
    #[inline(always)]
    pub fn add(&mut self, squares: V) {
        let mut carry = squares;
        for plane in &mut self.0 {
            let next = *plane & carry;
            *plane = *plane ^ carry;
            carry = next;
        }
    }

    /// Adds numbers of three bits.
    #[inline(always)]
    pub fn add_three(&mut self, [ones, twos, fours]: [V; 3]) {
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

    /// Adds 1 on the squares of each of these three sets.
    #[inline(always)]
    pub fn add_sets(&mut self, a: V, b: V, c: V) {
        let either = a ^ b;
        self.add_three([either ^ c, (a & b) | (either & c), a.width().empty()]);
    }

    /// The number of one square.
    #[inline(always)]
    pub fn at(&self, square: V) -> V {
        let width = square.width();
        let mut number = width.empty();
        for (bit, plane) in self.0.iter().enumerate() {
            number = number.plus_where(plane.meets(square), width.number(1 << bit));
        }
        number
    }

    /// The same numbers, where they are known to have no more bits.
    #[inline(always)]
    pub fn low<const M: usize>(&self) -> BitSlicedCounts<V, M> {
        let mut low = [self.0[0]; M];
        low.copy_from_slice(&self.0[..M]);
        BitSlicedCounts(low)
    }

    /// True if a number somewhere has more bits than these.
    #[inline(always)]
    pub fn exceeds_bits(&self, bits: usize) -> bool {
        let mut high = self.0[bits];
        for plane in &self.0[bits + 1..] {
            high = high | *plane;
        }
        V::bits(high.occupied()) != 0
    }

    /// The sum over all squares of the products of both numbers. The higher bits are rarely there.
    #[inline(always)]
    pub fn dot<const M: usize>(&self, other: &BitSlicedCounts<V, M>) -> V {
        let mut sum = self.0[0].width().empty();
        for (i, ours) in self.0.iter().enumerate() {
            if i >= 2 && V::bits(ours.occupied()) == 0 {
                continue;
            }
            for (j, theirs) in other.0.iter().enumerate() {
                sum = sum.plus((*ours & *theirs).popcount().shifted((i + j) as i8));
            }
        }
        sum
    }
}

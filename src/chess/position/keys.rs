//! Hash keys of whole positions, computed from scratch.
//!
//! A key is only made where a table is probed, some plies above the leaves, so it can afford to be strong. Twelve words
//! describe a position and a depth completely; NH, a family of hash functions with a proof, maps them to 128 bits: over
//! the random constants, two different inputs collide with a probability of at most 2^-64. (Black, Halevi, Krawczyk,
//! Krovetz, Rogaway, "UMAC: Fast and Secure Message Authentication", 1999.) A multiplication then mixes the 128 bits
//! so that any of them can serve as an index. Another seed gives other constants, and so independent collisions.

use super::Position;
use crate::chess::types::{Bitboard, Color};

/// The key of a position and a depth: two words, one to find an entry by and one to recognise it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Says where an entry is kept.
    pub slot: u64,
    /// Says whose entry it is.
    pub check: u64,
}

/// Makes keys, from constants that depend on a seed.
///
/// # Examples
/// ```
/// use perft::chess::position::{KeyMaker, Position};
/// let keys = KeyMaker::new(0);
/// let start = Position::start();
/// assert_eq!(keys.key(&start, 5), keys.key(&start, 5));
/// assert_ne!(keys.key(&start, 5), keys.key(&start, 6));
/// assert_ne!(keys.key(&start, 5), KeyMaker::new(1).key(&start, 5));
/// ```
#[derive(Clone, Debug)]
pub struct KeyMaker {
    constants: [u64; WORDS],
    mixers: [u64; 4],
}

/// Words that describe a position and a depth.
const WORDS: usize = 12;

impl KeyMaker {
    /// Keys of a seed.
    pub fn new(seed: u64) -> KeyMaker {
        let mut state = seed;
        KeyMaker {
            constants: std::array::from_fn(|_| split_mix_64(&mut state)),
            mixers: std::array::from_fn(|_| split_mix_64(&mut state)),
        }
    }

    /// The key of a position to be counted to a depth in plies. An en passant square counts only if it can be used.
    #[inline]
    pub fn key(&self, position: &Position, depth: u32) -> Key {
        let words = words(position, depth);
        let mut sum = 0u128;
        for (pair, constants) in words.chunks_exact(2).zip(self.constants.chunks_exact(2)) {
            let left = pair[0].wrapping_add(constants[0]);
            let right = pair[1].wrapping_add(constants[1]);
            sum = sum.wrapping_add(u128::from(left) * u128::from(right));
        }
        let (low, high) = (sum as u64, (sum >> 64) as u64);
        Key {
            slot: fold(low ^ self.mixers[0], high ^ self.mixers[1]),
            check: fold(low ^ self.mixers[2], high ^ self.mixers[3]),
        }
    }
}

/// A position and a depth, without loss: the king's square is what `all` has beside the other sets.
#[inline(always)]
fn words(position: &Position, depth: u32) -> [u64; WORDS] {
    let [white, black] = Color::ALL.map(|color| position.army(color));
    let mut state = position.castling().all_rooks();
    // Rights live on the first and last ranks, en passant squares on the third and sixth, so these do not meet.
    state |= position.legal_en_passant().map_or(Bitboard::EMPTY, Bitboard::from);
    [
        white.pawns.bits(),
        black.pawns.bits(),
        white.knights.bits(),
        black.knights.bits(),
        white.diagonals.bits(),
        black.diagonals.bits(),
        white.straights.bits(),
        black.straights.bits(),
        white.all.bits(),
        black.all.bits(),
        state.bits(),
        u64::from(depth) << 1 | position.turn() as u64,
    ]
}

/// The two halves of a 128-bit product, folded into one word.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The next number of Sebastiano Vigna's SplitMix64 (public domain, 2015).
fn split_mix_64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(fen: &str) -> Key {
        KeyMaker::new(0).key(&Position::from_fen(fen).unwrap(), 4)
    }

    #[test]
    fn only_a_usable_en_passant_square_counts() {
        let unused = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1";
        let none = "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1";
        assert_eq!(key(unused), key(none));
        let usable = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
        let not_given = "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1";
        assert_ne!(key(usable), key(not_given));
        let pinned = "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1";
        let pinned_not_given = "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1";
        assert_eq!(key(pinned), key(pinned_not_given));
    }

    #[test]
    fn side_rights_and_kings_count() {
        let all = [
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1",
            "4k3/8/8/8/8/8/8/R3K2R w K - 0 1",
            "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1",
            "4k3/8/8/8/8/8/8/R2K3R w - - 0 1",
            "3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        ];
        for (index, a) in all.iter().enumerate() {
            for b in &all[..index] {
                assert_ne!(key(a), key(b), "{a} {b}");
                assert_ne!(key(a).slot, key(b).slot);
                assert_ne!(key(a).check, key(b).check);
            }
        }
    }
}

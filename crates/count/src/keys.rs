//! Hash keys of positions for the transposition table.
//!
//! A key is computed from scratch, not updated move by move. The table is probed only some plies above the leaves, so
//! there is time for a strong hash function. Six words describe a position and a depth completely. Two hash functions
//! with independent constants map them to one word each. The first word says where an entry is stored. The second
//! verifies that the entry belongs to the position.
//!
//! Each hash function has two steps:
//!
//! 1. NH turns the six words into 128 bits. Two different inputs give the same 128 bits with a probability of at most
//!    2^-64 over the random constants (Black, Halevi, Krawczyk, Krovetz, Rogaway, "UMAC: Fast and Secure Message
//!    Authentication", 1999).
//! 2. A multilinear function turns the 128 bits into one word. It is strongly universal: two different inputs give
//!    every pair of words with the same probability (Dietzfelbinger, "Universal hashing and k-wise independent random
//!    variables via integer arithmetic without primes", 1996; Lemire and Kaser, "Strongly universal string hashing is
//!    fast", 2013).
//!
//! Together: **two different inputs give the same word, or two words with a given difference, with a probability of at
//! most 2^-63**.
//!
//! Another seed gives other constants, so its collisions are independent. One assumption remains: the constants come
//! from a generator with a 64-bit seed, and the argument treats them as random numbers.

use perft_core::internals::split_mix_64;
use perft_core::{Bitboard, Color, Position};

/// The key of a position and a depth: two independent words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// The word that says where the entry is stored.
    pub slot: u64,
    /// The word that verifies that the entry belongs to the position and the depth.
    pub check: u64,
}

/// Computes keys with constants that depend on a seed.
///
/// # Examples
/// ```
/// use perft_count::internals::KeyMaker;
/// use perft_core::Position;
/// let keys = KeyMaker::new(0);
/// let start = Position::start();
/// assert_eq!(keys.key(&start, 5), keys.key(&start, 5));
/// assert_ne!(keys.key(&start, 5), keys.key(&start, 6));
/// assert_ne!(keys.key(&start, 5), KeyMaker::new(1).key(&start, 5));
/// ```
#[derive(Clone, Debug)]
pub struct KeyMaker {
    slot: WordHash,
    check: WordHash,
}

/// The number of words that describe a position and a depth.
const WORDS: usize = 6;

impl KeyMaker {
    /// Returns a key maker with the constants of a seed.
    pub fn new(seed: u64) -> KeyMaker {
        let mut state = seed;
        KeyMaker { slot: WordHash::new(&mut state), check: WordHash::new(&mut state) }
    }

    /// Returns the key of a position and a depth in plies. An en passant square without a legal capture has no effect.
    #[inline(always)]
    pub fn key(&self, position: &Position, depth: u32) -> Key {
        let words = words(position, depth);
        Key { slot: self.slot.hash(&words), check: self.check.hash(&words) }
    }
}

/// A hash function with one word as its result, chosen at random from a family of functions.
#[derive(Clone, Debug)]
struct WordHash {
    nh: [u64; WORDS],
    multilinear: [u128; 2],
}

impl WordHash {
    fn new(state: &mut u64) -> WordHash {
        let mut wide = || u128::from(split_mix_64(state)) << 64 | u128::from(split_mix_64(state));
        let multilinear = [wide(), wide()];
        WordHash { nh: std::array::from_fn(|_| split_mix_64(state)), multilinear }
    }

    #[inline(always)]
    fn hash(&self, words: &[u64; WORDS]) -> u64 {
        let mut sum = 0u128;
        // Without iterators, because their methods are not always inlined here.
        for index in [0, 2, 4] {
            let left = words[index].wrapping_add(self.nh[index]);
            let right = words[index + 1].wrapping_add(self.nh[index + 1]);
            sum = sum.wrapping_add(u128::from(left) * u128::from(right));
        }
        let low = self.multilinear[0].wrapping_mul(u128::from(sum as u64));
        let high = self.multilinear[1].wrapping_mul(sum >> 64);
        (low.wrapping_add(high) >> 64) as u64
    }
}

/// Returns the words that describe a position and a depth, without loss.
///
/// The first word is the set of the white pieces. The next three are sets that together identify the kind of each
/// piece:
///
/// ```text
///   set            pawn  knight  bishop  rook  queen  king  empty
///   diagonal               x       x             x
///   orthogonal                             x     x     x
///   third            x     x                           x
/// ```
///
/// The fifth word has the castling rights and the en passant square. The sixth has the depth and the side to move.
#[inline(always)]
fn words(position: &Position, depth: u32) -> [u64; WORDS] {
    let [white, black] = Color::ALL.map(|color| position.army(color));
    let knights = white.knights | black.knights;
    let (diagonals, orthogonals) = (white.diagonals | black.diagonals, white.orthogonals | black.orthogonals);
    let third = position.occupied() & !(diagonals | orthogonals);
    let kings = third & !(knights | white.pawns | black.pawns);
    // Castling rights are on the first and last ranks, and en passant squares on the third and sixth. So one word has
    // room for both.
    let rights = position.castling().all_rooks();
    let en_passant = position.legal_en_passant().map_or(Bitboard::EMPTY, Bitboard::from);
    [
        white.all.bits(),
        (diagonals | knights).bits(),
        (orthogonals | kings).bits(),
        third.bits(),
        (rights | en_passant).bits(),
        u64::from(depth) << 1 | position.turn() as u64,
    ]
}

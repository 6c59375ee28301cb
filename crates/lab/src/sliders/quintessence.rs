//! Slider lookup by subtraction: hyperbola quintessence.
//!
//! Let `o` be the occupied squares of a line, the slider `r` included. Subtracting `r` once removes the slider.
//! Subtracting it again borrows from the next occupied square above, which flips all bits from that square down to the
//! slider. So `o ^ (o - 2r)` is the set of squares that the slider attacks upwards. A rook on c4, on the fourth rank:
//!
//! ```text
//!                   h g f e d c b a      the highest bit is on the left, as in a number
//!   o               1 . 1 . . R . 1
//!   o - r           1 . 1 . . . . 1
//!   o - 2r          1 . . 1 1 1 . 1      borrowed from f4
//!   o ^ (o - 2r)    . . 1 1 1 . . .      d4, e4, and the blocker on f4
//! ```
//!
//! The squares of a file or a diagonal are not adjacent bits. The bits between them are masked out before, so that the
//! borrow passes through zeros, and again after the subtraction. For the other direction, the same is done on the
//! reversed line. The bytes of a word are the ranks of the board, and a file or a diagonal has one square on each rank.
//! So swapping the bytes, which is one instruction, reverses the line. A rank is a single byte, which a byte swap does
//! not reverse. So ranks use a table, by the file of the slider and the six inner squares. The outer squares are
//! attacked whether they are occupied or not.
//!
//! **Cost.** 3 KiB of tables. 25 instructions, with byte swaps and without multiplications. With AVX2, the compiler
//! computes both diagonals in two lanes: 20 instructions for a bishop.
//!
//! Source: Chess Programming Wiki, "Hyperbola Quintessence" and "Subtracting a Rook from a Blocking Piece". The method
//! is by Gerd Isenberg, after the reversed bitboards of Ryan Mack. Aleks Peshkov made it fast, 2007.

use perft_core::internals::const_table;
use perft_core::internals::sliders::{BISHOP_LINES, ROOK_LINES, Sliders, line, line_attacks};
use perft_core::{Bitboard, Square};

/// Looks up attacks by subtraction and byte swap. Works on every CPU.
#[derive(Clone, Copy, Debug)]
pub struct Quintessence;

impl Sliders for Quintessence {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let [rising, falling] = TABLES.diagonals[square.index()];
        along(rising, square, occupied) | along(falling, square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        along(TABLES.file[square.index()], square, occupied) | along_rank(square, occupied)
    }
}

/// Returns the attacks along a file or a diagonal.
///
/// The line does not contain the slider, so it is already `o - r`. Reversing twice has no effect, so `o` cancels out of
/// the two halves: `(o - 2r) ^ reversed(o' - 2r')`.
#[inline(always)]
fn along(line: u64, square: Square, occupied: Bitboard) -> Bitboard {
    let others = occupied.bits() & line;
    let up = others.wrapping_sub(TABLES.slider[square.index()]);
    let down = others.swap_bytes().wrapping_sub(TABLES.swapped_slider[square.index()]);
    Bitboard::from_bits((up ^ down.swap_bytes()) & line)
}

/// Returns the attacks along a rank.
#[inline(always)]
fn along_rank(square: Square, occupied: Bitboard) -> Bitboard {
    let first_of_rank = square.index() & 0x38;
    let inner = (occupied.bits() >> first_of_rank >> 1 & 0x3f) as usize;
    Bitboard::from_bits(u64::from(TABLES.rank[inner][square.file().index()]) << first_of_rank)
}

/// All tables in one struct, so that one register points to all of them.
struct Tables {
    /// Both diagonals of a square, without the square itself. They are adjacent, so that the compiler reads them as one
    /// vector with AVX2.
    diagonals: [[u64; 2]; 64],
    file: [u64; 64],
    /// The slider `r` as a set of one square. With this table, a lookup takes 25 instructions. Computing `r` instead
    /// takes 29.
    slider: [u64; 64],
    swapped_slider: [u64; 64],
    /// The attacks of a rook on a rank, by the occupied squares of the files b to g, then by its file.
    rank: [[u8; 8]; 64],
}

static TABLES: Tables = Tables {
    diagonals: const_table!([[0; 2]; 64], index => {
        let square = Square::ALL[index];
        [line(square, BISHOP_LINES[0]), line(square, BISHOP_LINES[1])]
    }),
    file: const_table!([0; 64], index => line(Square::ALL[index], ROOK_LINES[0])),
    slider: const_table!([0; 64], index => 1 << index),
    swapped_slider: const_table!([0; 64], index => (1u64 << index).swap_bytes()),
    rank: const_table!([[0; 8]; 64], inner => {
        const_table!([0; 8], file => {
            let square = Square::ALL[file];
            line_attacks(square, line(square, ROOK_LINES[1]), (inner as u64) << 1) as u8
        })
    }),
};

//! The attacks of sliders, with one table for all lines: that of the first rank.
//!
//! Each line is turned onto a rank, looked up and turned back. A multiplication turns it in either direction. The
//! product of a set and a line of the board is a sum of copies of the set, one copy shifted to each square of the line.
//! No two copies have a common bit, so the sum is a union. Bits outside the wanted rank or file are removed by a mask.

use perft_core::internals::sliders::{BISHOP_LINES, ROOK_LINES, line, line_attacks, ray};
use perft_core::internals::{Direction, const_table};
use perft_core::{Bitboard, File, Square};

const A_FILE: u64 = Bitboard::file(File::A).bits();
const H_FILE: u64 = Bitboard::file(File::H).bits();

/// The diagonal from a1 to h8.
const DIAGONAL: u64 = ray(Square::A1, Direction::NorthEast, Bitboard::EMPTY).with(Square::A1).bits();

/// The attacks of a slider on the first rank, by its file and by the occupied squares of the rank. Both sets are bytes
/// with the a-file in the lowest bit. The bit of the slider itself has no effect.
///
/// ```text
///   slider on d:   a b c d e f g h
///   occupied       1 1 . 1 . . 1 .
///   attacked       . 1 1 . 1 1 1 .
/// ```
static FIRST_RANK: [[u8; 256]; 8] = const_table!([[0; 256]; 8], file => {
    const_table!([0; 256], occupied => {
        let square = Square::ALL[file];
        line_attacks(square, line(square, ROOK_LINES[1]), occupied as u64) as u8
    })
});

/// Returns the attacks of a slider on square 0 to 7 of a rank. The low eight bits of `occupied` are the occupied
/// squares.
#[inline(always)]
fn on_a_rank(slider: usize, occupied: u64) -> u64 {
    u64::from(FIRST_RANK[slider & 7][(occupied & 255) as usize])
}

#[inline(always)]
pub(in crate::generators) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let (file, rank) = (square.index() & 7, square.index() >> 3);
    Bitboard::from_bits(along_rank(file, rank, occupied.bits()) | along_file(file, rank, occupied.bits()))
}

#[inline(always)]
pub(in crate::generators) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let [rising, falling] = DIAGONALS[square.index()];
    let file = square.index() & 7;
    Bitboard::from_bits(
        along_diagonal(file, rising, occupied.bits()) | along_diagonal(file, falling, occupied.bits()),
    )
}

#[inline(always)]
fn along_rank(file: usize, rank: usize, occupied: u64) -> u64 {
    on_a_rank(file, occupied >> (8 * rank)) << (8 * rank)
}

/// Returns the attacks along a file.
///
/// The file is shifted to the a-file and multiplied by the diagonal. The product has a copy of it on each file, and
/// each copy is one rank higher than the one before. So the eighth rank has the whole file, the highest square first.
///
/// ```text
///   8 . . . . . . .     . . . . . . . 1     8 7 6 5 4 3 2 1
///   7 . . . . . . .     . . . . . . 1 .     ...
///   6 . . . . . . .     . . . . . 1 . .
///   5 . . . . . . .     . . . . 1 . . .
///   4 . . . . . . .  *  . . . 1 . . . .  =
///   3 . . . . . . .     . . 1 . . . . .
///   2 . . . . . . .     . 1 . . . . . .
///   1 . . . . . . .     1 . . . . . . .
/// ```
///
/// The attacks from the table are multiplied by the diagonal again. The h-file of the product has them in the right
/// order. They are shifted to the file of the slider.
///
/// ```text
///   . . . . . . . .     . . . . . . . 1     . . . . . . . 8
///   . . . . . . . .     . . . . . . 1 .     . . . . . . 8 7
///   . . . . . . . .     . . . . . 1 . .     . . . . . 8 7 6
///   . . . . . . . .     . . . . 1 . . .     . . . . 8 7 6 5
///   . . . . . . . .  *  . . . 1 . . . .  =  . . . 8 7 6 5 4    (bits that leave a rank on the
///   . . . . . . . .     . . 1 . . . . .     . . 8 7 6 5 4 3    right enter the next one on
///   . . . . . . . .     . 1 . . . . . .     . 8 7 6 5 4 3 2    the left, not on the h-file)
///   8 7 6 5 4 3 2 1     1 . . . . . . .     8 7 6 5 4 3 2 1
/// ```
#[inline(always)]
fn along_file(file: usize, rank: usize, occupied: u64) -> u64 {
    let turned = (occupied >> file & A_FILE).wrapping_mul(DIAGONAL) >> 56;
    let attacked = on_a_rank(7 - rank, turned);
    (attacked.wrapping_mul(DIAGONAL) & H_FILE) >> (7 - file)
}

/// Returns the attacks along a diagonal.
///
/// A diagonal has one square on each file. Multiplication by the a-file collects it on the eighth rank. The attacks
/// from the table, multiplied by the a-file, are copied to every rank, and the diagonal is the mask that removes the
/// other squares.
///
/// ```text
///   . . . . . . . h     1 . . . . . . .     a b c d e f g h
///   . . . . . . g .     1 . . . . . . .     ...
///   . . . . . f . .     1 . . . . . . .
///   . . . . e . . .     1 . . . . . . .
///   . . . d . . . .  *  1 . . . . . . .  =
///   . . c . . . . .     1 . . . . . . .
///   . b . . . . . .     1 . . . . . . .
///   a . . . . . . .     1 . . . . . . .
/// ```
#[inline(always)]
fn along_diagonal(file: usize, diagonal: u64, occupied: u64) -> u64 {
    let risen = (occupied & diagonal).wrapping_mul(A_FILE) >> 56;
    on_a_rank(file, risen).wrapping_mul(A_FILE) & diagonal
}

/// The two diagonals through each square, without the square: the one that rises towards the h-file, and the one that
/// falls.
static DIAGONALS: [[u64; 2]; 64] = const_table!([[0; 2]; 64], index => {
    let square = Square::ALL[index];
    [line(square, BISHOP_LINES[0]), line(square, BISHOP_LINES[1])]
});

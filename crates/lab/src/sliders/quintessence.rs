//! Sliders by subtraction: hyperbola quintessence.
//!
//! Let `o` be the occupied squares of a line, the slider `r` among them. Subtracting `r` once takes the slider off;
//! subtracting it once more borrows from the next occupied square above, and turns over every bit from there down to
//! the slider's. So `o ^ (o - 2r)` is what the slider attacks upwards. On the fourth rank, a rook on c4:
//!
//! ```text
//!                   h g f e d c b a      the highest square stands left, as in a number
//!   o               1 . 1 . . R . 1
//!   o - r           1 . 1 . . . . 1
//!   o - 2r          1 . . 1 1 1 . 1      f4 has lent
//!   o ^ (o - 2r)    . . 1 1 1 . . .      d4, e4, and the blocker on f4
//! ```
//!
//! Between the squares of a file or a diagonal lie others; masked out they are zeros, through which the borrow passes, and
//! masked out again in the end. Downwards the same is done on the reversed line. The bytes of a word are the ranks of the
//! board, and a file or a diagonal has one square on each: swapping the bytes reverses it, in one instruction.
//! A rank lies in a single byte, which that does not reverse. So ranks are read from a table: by the file of the slider and
//! the six inner squares, for a blocker on the a- or h-file is attacked like an empty square.
//!
//! Costs: 3 KiB of tables, and 25 instructions for a look-up; it needs a byte swap, and no multiplication. With AVX2 the
//! compiler takes both diagonals at once, in two lanes: 20 instructions for a bishop. (Chess Programming Wiki, "Hyperbola
//! Quintessence" and "Subtracting a Rook from a Blocking Piece"; by Gerd Isenberg after the reversed bitboards of Ryan
//! Mack, made fast by Aleks Peshkov, 2007.)

use super::Sliders;
use perft_core::internals::sliders::{BISHOP_LINES, ROOK_LINES, line, line_attacks};
use perft_core::{Bitboard, Square};

/// Look-up by subtraction and byte swap: works on every CPU.
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

/// The attacks along a file or diagonal. Without the slider in it, the line is `o - r` already. And since reversing twice
/// changes nothing, `o` cancels out of the two halves: `(o - 2r) ^ reversed(o' - 2r')`.
#[inline(always)]
fn along(line: u64, square: Square, occupied: Bitboard) -> Bitboard {
    let others = occupied.bits() & line;
    let up = others.wrapping_sub(TABLES.slider[square.index()]);
    let down = others.swap_bytes().wrapping_sub(TABLES.swapped_slider[square.index()]);
    Bitboard::from_bits((up ^ down.swap_bytes()) & line)
}

#[inline(always)]
fn along_rank(square: Square, occupied: Bitboard) -> Bitboard {
    let first_of_rank = square.index() & 0x38;
    let inner = (occupied.bits() >> first_of_rank >> 1 & 0x3f) as usize;
    Bitboard::from_bits(u64::from(TABLES.rank[inner][square.file().index()]) << first_of_rank)
}

/// In one piece, so that one register points to all of it.
struct Tables {
    /// Both diagonals, without the square itself, side by side: with AVX2 the compiler reads them as one vector.
    diagonals: [[u64; 2]; 64],
    file: [u64; 64],
    /// `r`; reading it, and not making it, is 4 instructions less of 29.
    slider: [u64; 64],
    swapped_slider: [u64; 64],
    /// What a rook attacks on a rank, by the occupied squares of the files b to g, then by its file.
    rank: [[u8; 8]; 64],
}

static TABLES: Tables = Tables::new();

impl Tables {
    const fn new() -> Tables {
        let none = [0; 64];
        let mut tables = Tables {
            diagonals: [[0; 2]; 64],
            file: none,
            slider: none,
            swapped_slider: none,
            rank: [[0; 8]; 64],
        };
        let mut index = 0;
        while index < 64 {
            let square = Square::ALL[index];
            tables.diagonals[index] = [line(square, BISHOP_LINES[0]), line(square, BISHOP_LINES[1])];
            tables.file[index] = line(square, ROOK_LINES[0]);
            tables.slider[index] = 1 << index;
            tables.swapped_slider[index] = tables.slider[index].swap_bytes();
            index += 1;
        }
        let mut inner = 0;
        while inner < 64 {
            let mut file = 0;
            while file < 8 {
                let square = Square::ALL[file];
                let attacks = line_attacks(square, line(square, ROOK_LINES[1]), (inner as u64) << 1);
                tables.rank[inner][file] = attacks as u8;
                file += 1;
            }
            inner += 1;
        }
        tables
    }
}

//! Sliders line by line: kindergarten bitboards.
//!
//! A line has at most eight squares, and the outer two are attacked whether occupied or not: six bits say all. A
//! diagonal has one square on each file, so multiplying by the squares of a whole file, which adds up copies of the line
//! shifted up by one rank, two ranks and so on, collects it on the eighth rank without any carry. Multiplying by the
//! b-file shifts by one more square, so that the a-file's bit lands below the six highest bits, and the h-file's, round
//! the edge, does too.
//!
//! ```text
//!   a diagonal, each square     times the b-file          the six highest bits
//!   named by its file
//!   . . . . . . . h             . 1 . . . . . .           . a b c d e f g
//!   . . . . . . g .             . 1 . . . . . .           . a b c d e f g          b c d e f g
//!   . . . . . f . .             . 1 . . . . . .           . a b c d e f .
//!   . . . . e . . .             . 1 . . . . . .           . a b c d e . .
//!   . . . d . . . .      x      . 1 . . . . . .     =     . a b c d . . .     >>
//!   . . c . . . . .             . 1 . . . . . .           . a b c . . . .
//!   . b . . . . . .             . 1 . . . . . .           . a b . . . . .
//!   a . . . . . . .             . 1 . . . . . .           . a . . . . . .
//! ```
//!
//! With the file of the slider they are the index of a table of *fill-ups*: the files attacked, filled from rank to rank.
//! What they have in common with the line is attacked. Ranks and both diagonals read the same table.
//!
//! A file has all its squares on one file, and is rotated by another factor: the squares of a diagonal, c2 to h7 for the
//! a-file, add up copies shifted by one rank and one file more each, and collect it on the eighth rank from right to left.
//! The table for it is filled sideways.
//!
//! Costs: 10.5 KiB of tables, and 20 instructions for a bishop, 24 for a rook, two of them multiplications. (Chess
//! Programming Wiki, "Kindergarten Bitboards"; named by Gerd Isenberg, 2006, who made it of what many had found in forums.
//! The mask and fill-ups for files, too, instead of shifting the a-file's attacks, are ours.)

use super::Sliders;
use perft_core::internals::sliders::{BISHOP_LINES, ROOK_LINES, line, line_attacks};
use perft_core::{Bitboard, File, Square};

/// Look-up by multiplication, line by line: works on every CPU.
#[derive(Clone, Copy, Debug)]
pub struct Kindergarten;

impl Sliders for Kindergarten {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let fill_ups = &TABLES.fill_ups[square.file().index()];
        let rising = Line { squares: TABLES.rising[square.index()], factor: B_FILE };
        let falling = Line { squares: TABLES.falling[square.index()], factor: B_FILE };
        rising.attacks(fill_ups, occupied) | falling.attacks(fill_ups, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let rank = Line { squares: TABLES.rank[square.index()], factor: B_FILE };
        let file = Line { squares: TABLES.file[square.index()], factor: TABLES.rotation[square.index()] };
        rank.attacks(&TABLES.fill_ups[square.file().index()], occupied)
            | file.attacks(&TABLES.sideways[square.rank().index()], occupied)
    }
}

/// What gathers the inner squares of a rank or a diagonal.
const B_FILE: u64 = Bitboard::file(File::B).bits();

/// c2, d3, e4, f5, g6, h7: what gathers the inner squares of the a-file, the highest first.
const ROTATION: u64 = 0x0080_4020_1008_0400;

/// A line through a square, without the square, and the factor that gathers its inner squares.
#[derive(Clone, Copy)]
struct Line {
    squares: Bitboard,
    factor: u64,
}

impl Line {
    /// The inner squares as a number below 64.
    #[inline(always)]
    const fn gather(self, occupied: u64) -> usize {
        ((occupied & self.squares.bits()).wrapping_mul(self.factor) >> 58) as usize
    }

    #[inline(always)]
    fn attacks(self, table: &[Bitboard; 64], occupied: Bitboard) -> Bitboard {
        table[self.gather(occupied.bits())] & self.squares
    }
}

/// In one piece, so that one register points to all of it.
struct Tables {
    /// The diagonals like a1-h8, without the square itself.
    rising: [Bitboard; 64],
    /// The diagonals like a8-h1.
    falling: [Bitboard; 64],
    rank: [Bitboard; 64],
    file: [Bitboard; 64],
    /// The factor of a square's file. It begins with ten zeros, so that shifting it down by the seven files at most undoes
    /// that the file's squares lie higher.
    rotation: [u64; 64],
    /// What a slider on a file attacks, by the inner squares of its line: whole files.
    fill_ups: [[Bitboard; 64]; 8],
    /// What a slider on a rank attacks, by the inner squares of its file: whole ranks.
    sideways: [[Bitboard; 64]; 8],
}

static TABLES: Tables = Tables::new();

impl Tables {
    const fn new() -> Tables {
        let none = [Bitboard::EMPTY; 64];
        let mut tables = Tables {
            rising: none,
            falling: none,
            rank: none,
            file: none,
            rotation: [0; 64],
            fill_ups: [none; 8],
            sideways: [none; 8],
        };
        let mut index = 0;
        while index < 64 {
            let square = Square::ALL[index];
            tables.rising[index] = Bitboard::from_bits(line(square, BISHOP_LINES[0]));
            tables.falling[index] = Bitboard::from_bits(line(square, BISHOP_LINES[1]));
            tables.rank[index] = Bitboard::from_bits(line(square, ROOK_LINES[1]));
            tables.file[index] = Bitboard::from_bits(line(square, ROOK_LINES[0]));
            tables.rotation[index] = ROTATION >> (index % 8);
            index += 1;
        }
        let mut place = 0;
        while place < 8 {
            tables.add_fill_ups(place);
            tables.add_sideways(place);
            place += 1;
        }
        tables
    }

    /// Walks through what may stand on the first rank, and fills the attacks there upwards.
    const fn add_fill_ups(&mut self, file: usize) {
        let square = Square::ALL[file];
        let rank = Line { squares: self.rank[file], factor: B_FILE };
        let mut occupied = 0;
        while occupied < 256 {
            let attacks = line_attacks(square, rank.squares.bits(), occupied);
            let filled = Bitboard::from_bits(attacks * Bitboard::file(File::A).bits());
            self.fill_ups[file][rank.gather(occupied)] = filled;
            occupied += 1;
        }
    }

    /// Walks through what may stand on the a-file, and fills the attacks there sideways.
    const fn add_sideways(&mut self, rank: usize) {
        let index = rank * 8;
        let file = Line { squares: self.file[index], factor: self.rotation[index] };
        let mut occupied = 0u64;
        loop {
            let attacks = line_attacks(Square::ALL[index], file.squares.bits(), occupied);
            self.sideways[rank][file.gather(occupied)] = Bitboard::from_bits(attacks * 0xff);
            occupied = occupied.wrapping_sub(file.squares.bits()) & file.squares.bits();
            if occupied == 0 {
                break;
            }
        }
    }
}

//! Slider lookup line by line: kindergarten bitboards.
//!
//! A line has at most eight squares. The two outer squares are attacked whether they are occupied or not, so only the
//! six inner ones matter. A diagonal has one square on each file. Multiplication by a whole file adds up copies of the
//! diagonal that are shifted up by one rank, two ranks and so on. This collects the line on the eighth rank without any
//! carry. The factor is the b-file, which shifts by one more square. So the inner squares get into the six highest
//! bits. The bits of the a-file and of the h-file, which wraps around the edge, are below them.
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
//! The six bits and the file of the slider are the index of a table of *fill-ups*. A fill-up is the set of attacked
//! files, filled from the first to the eighth rank. The attacked squares are the intersection of the fill-up and the
//! line. Ranks and both diagonals use the same table.
//!
//! A file has all its squares on one file, so it needs another factor: the squares of a diagonal, c2 to h7 for the
//! a-file. They add up copies, each shifted by one more rank and one more file. This collects the file on the eighth
//! rank from right to left. Its table is filled along the ranks.
//!
//! **Cost.** 10.5 KiB of tables. 20 instructions for a bishop and 24 for a rook, two of them multiplications.
//!
//! Source: Chess Programming Wiki, "Kindergarten Bitboards"; named by Gerd Isenberg, 2006, who combined ideas of
//! several authors. The mask and the fill-ups for files are new here. Usually, the attacks on the a-file are shifted.

use perft_core::internals::sliders::{BISHOP_LINES, ROOK_LINES, Sliders, line, line_attacks};
use perft_core::internals::{Direction, const_table};
use perft_core::{Bitboard, File, Square};

/// Looks up attacks by a multiplication for each line. Works on every CPU.
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

/// The factor that gathers the inner squares of a rank or a diagonal.
const B_FILE: u64 = Bitboard::file(File::B).bits();

/// The factor that gathers the inner squares of the a-file, the highest first: c2, d3, e4, f5, g6, h7.
const ROTATION: u64 = 0x0080_4020_1008_0400;

/// A line through a square, without the square, and the factor that gathers its inner squares.
#[derive(Clone, Copy)]
struct Line {
    squares: Bitboard,
    factor: u64,
}

impl Line {
    /// Returns the occupied inner squares as a number below 64.
    #[inline(always)]
    const fn gather(self, occupied: u64) -> usize {
        ((occupied & self.squares.bits()).wrapping_mul(self.factor) >> 58) as usize
    }

    #[inline(always)]
    fn attacks(self, table: &[Bitboard; 64], occupied: Bitboard) -> Bitboard {
        table[self.gather(occupied.bits())] & self.squares
    }
}

/// All tables in one struct, so that one register points to all of them.
struct Tables {
    /// The diagonals parallel to a1-h8, without the square itself.
    rising: [Bitboard; 64],
    /// The diagonals parallel to a8-h1, without the square itself.
    falling: [Bitboard; 64],
    rank: [Bitboard; 64],
    file: [Bitboard; 64],
    /// The factor for the file of a square: [`ROTATION`], shifted down by the number of the file. The shift compensates
    /// for the higher indices of the squares of the file, compared with those of the a-file. The factor has ten zeros
    /// at its lower end, so no bit is lost.
    rotation: [u64; 64],
    /// The fill-ups, by the file of the slider and the inner squares of its rank or diagonal.
    fill_ups: [[Bitboard; 64]; 8],
    /// The attacked ranks, by the rank of the slider and the inner squares of its file.
    sideways: [[Bitboard; 64]; 8],
}

static TABLES: Tables = Tables::new();

impl Tables {
    const fn new() -> Tables {
        let none = [Bitboard::EMPTY; 64];
        let mut tables = Tables {
            rising: lines(BISHOP_LINES[0]),
            falling: lines(BISHOP_LINES[1]),
            rank: lines(ROOK_LINES[1]),
            file: lines(ROOK_LINES[0]),
            rotation: const_table!([0; 64], index => ROTATION >> (index % 8)),
            fill_ups: [none; 8],
            sideways: [none; 8],
        };
        let mut line = 0;
        while line < 8 {
            tables.add_fill_ups(line);
            tables.add_sideways(line);
            line += 1;
        }
        tables
    }

    /// Adds the fill-ups of a file, for every occupancy of the first rank.
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

    /// Adds the sets of attacked ranks for a slider on this rank, for every occupancy of the a-file.
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

/// Returns the line through each square in these directions, without the square itself.
const fn lines(directions: [Direction; 2]) -> [Bitboard; 64] {
    const_table!([Bitboard::EMPTY; 64], index => Bitboard::from_bits(line(Square::ALL[index], directions)))
}

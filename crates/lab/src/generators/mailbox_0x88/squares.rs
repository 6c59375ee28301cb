//! Squares of the 0x88 board, piece codes, and the tables by the difference of two squares.
//!
//! Only half of the numbers from 0 to 127 are squares. This has two uses: a step over the edge sets a bit of `0x88`,
//! and the difference of two squares gives the number of files and ranks between them.

use perft_core::internals::const_table;
use perft_core::{Color, File, Piece, Rank, Square};

/// The number of square numbers, on the board and off it.
pub(super) const SQUARES: usize = 128;

/// The number of squares with a margin of four ranks below and above the board. No single step leaves it.
pub(super) const WITH_MARGIN: usize = 256;

/// The number that a step adds to a square: 16 for one rank up, 1 for one file to the right.
pub(super) type Step = isize;

pub(super) const NORTH: Step = 16;
pub(super) const EAST: Step = 1;

pub(super) const ORTHOGONAL_STEPS: [Step; 4] = [NORTH, EAST, -NORTH, -EAST];

pub(super) const DIAGONAL_STEPS: [Step; 4] = [NORTH + EAST, EAST - NORTH, -NORTH - EAST, NORTH - EAST];

/// The steps of a king, and of a queen.
pub(super) const KING_STEPS: [Step; 8] =
    [NORTH, EAST, -NORTH, -EAST, NORTH + EAST, EAST - NORTH, -NORTH - EAST, NORTH - EAST];

pub(super) const KNIGHT_STEPS: [Step; 8] = [33, 31, 18, 14, -14, -18, -31, -33];

/// A square, or the number that a step over the edge gives.
///
/// The number is as wide as a register, so a walk does not have to convert it at every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Square88(usize);

impl Square88 {
    /// Returns the square of a byte from a list or a move.
    #[inline(always)]
    pub(super) const fn from_byte(byte: u8) -> Square88 {
        // The mask has no effect. It tells the compiler that a step stays in the margin, which avoids a bounds check.
        Square88(byte as usize & 0x77)
    }

    #[inline(always)]
    pub(super) const fn byte(self) -> u8 {
        self.0 as u8
    }

    #[inline(always)]
    pub(super) const fn index(self) -> usize {
        self.0 % SQUARES
    }

    #[inline(always)]
    pub(super) const fn index_with_margin(self) -> usize {
        self.0.wrapping_add(64) % WITH_MARGIN
    }

    /// Whether a step led over the edge. This test gives the design its name. A step below a1 sets the bits above the
    /// byte, which are also tested.
    #[inline(always)]
    pub(super) const fn is_off_board(self) -> bool {
        self.0 & !0x77 != 0
    }

    #[inline(always)]
    pub(super) const fn step(self, step: Step) -> Square88 {
        Square88(self.0.wrapping_add_signed(step))
    }

    #[inline(always)]
    pub(super) const fn is_on_rank(self, rank: Rank) -> bool {
        self.0 >> 4 == rank as usize
    }

    /// The result has no meaning for numbers off the board.
    #[inline(always)]
    pub(super) const fn to_square(self) -> Square {
        // 16 * rank + file becomes 8 * rank + file.
        Square::from_low_bits((self.0.wrapping_add(self.0 & 7) / 2) as u32)
    }
}

impl From<Square> for Square88 {
    #[inline(always)]
    fn from(square: Square) -> Square88 {
        // 8 * rank + file becomes 16 * rank + file.
        let index = square.index();
        Square88(index + (index & 56))
    }
}

/// The code of the piece on a square, or of no piece. Three bits are the number of the kind, counted from 1. Each
/// colour has one more bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceCode(u8);

impl PieceCode {
    /// No piece. Squares off the board always have this code.
    pub(super) const NONE: PieceCode = PieceCode(0);

    /// The number of values of [`PieceCode::list`].
    pub(super) const LISTS: usize = 16;

    #[inline(always)]
    pub(super) const fn new(color: Color, piece: Piece) -> PieceCode {
        PieceCode(PieceCode::color_bit(color) | (piece as u8 + 1))
    }

    const fn color_bit(color: Color) -> u8 {
        8 << color as u8
    }

    #[inline(always)]
    pub(super) const fn is_none(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub(super) const fn is_of(self, color: Color) -> bool {
        self.0 & PieceCode::color_bit(color) != 0
    }

    /// Returns the occupied files of a rank, one bit each, given the codes of its eight squares.
    #[inline(always)]
    pub(super) fn occupied_files(codes: [PieceCode; 8]) -> u64 {
        let bytes = u64::from_le_bytes(codes.map(|code| code.0));
        // Each piece has one of two bits for its colour. The multiplication collects one bit of each byte.
        let pieces = (bytes >> 3 | bytes >> 4) & 0x0101_0101_0101_0101;
        pieces.wrapping_mul(0x0102_0408_1020_4080) >> 56
    }

    /// The bit for Black is removed, because the bit for White distinguishes the colours.
    #[inline(always)]
    pub(super) const fn list(self) -> usize {
        self.0 as usize % PieceCode::LISTS
    }

    /// The result has no meaning for [`PieceCode::NONE`].
    #[inline(always)]
    pub(super) const fn piece(self) -> Piece {
        match self.0 & 7 {
            0 | 1 => Piece::Pawn,
            2 => Piece::Knight,
            3 => Piece::Bishop,
            4 => Piece::Rook,
            5 => Piece::Queen,
            _ => Piece::King,
        }
    }
}

/// A set of the eight steps of a king or of a knight, one bit each.
pub(super) type StepSet = u8;

#[inline(always)]
pub(super) fn knight_steps(from: Square88) -> StepSet {
    static STEPS: [StepSet; SQUARES] = on_board_table(&KNIGHT_STEPS);
    STEPS[from.index()]
}

#[inline(always)]
pub(super) fn king_steps(from: Square88) -> StepSet {
    static STEPS: [StepSet; SQUARES] = on_board_table(&KING_STEPS);
    STEPS[from.index()]
}

/// A set of squares of a king's zone, one bit each, numbered by [`ZONE_STEPS`]. The low eight bits are the steps of the
/// king.
pub(super) type Zone = u32;

/// The king's own square.
pub(super) const KING_ZONE: Zone = 1 << 8;

/// The steps from the king to the squares of its zone: the squares next to it, its own, and those to which it castles.
///
/// ```text
///     .  .  .  .  .
///     .  7  0  4  .
///    10  3  8  1  9
///     .  6  2  5  .
///     .  .  .  .  .
/// ```
pub(super) const ZONE_STEPS: [Step; 11] = {
    let mut steps = [0; 11];
    steps.split_at_mut(8).0.copy_from_slice(&KING_STEPS);
    (steps[9], steps[10]) = (2 * EAST, -2 * EAST);
    steps
};

/// Returns the path of a king that castles, as a part of its zone. It is `None` unless king and rook are on the files
/// of standard chess. Other paths may leave the zone, and a rook that is not in the corner may block an attack on the
/// king's target square.
#[inline(always)]
pub(super) fn castling_zone(king: Square88, rook: Square) -> Option<Zone> {
    match (king.to_square().file(), rook.file()) {
        (File::E, File::H) => Some(1 << 1 | 1 << 9),
        (File::E, File::A) => Some(1 << 3 | 1 << 10),
        _ => None,
    }
}

/// Returns the squares of a king's zone that a piece attacks from a square of an empty board.
#[inline(always)]
pub(super) fn zone_attacks(code: PieceCode, from: Square88, king: Square88) -> Zone {
    static ATTACKS: [[u16; 256]; PieceCode::LISTS] = zone_table();
    ATTACKS[code.list()][difference(from, king)].into()
}

/// Whether a piece attacks one square from another on an empty board.
#[inline(always)]
pub(super) fn attacks(code: PieceCode, from: Square88, to: Square88) -> bool {
    zone_attacks(code, from, to) & KING_ZONE != 0
}

/// Returns the step that, if repeated, leads from one square to another. It is 0 if the squares share no line.
#[inline(always)]
pub(super) fn step_towards(from: Square88, to: Square88) -> Step {
    static STEPS: [i8; 256] = steps_table();
    STEPS[difference(from, to)] as Step
}

/// Returns the difference of two squares as an index.
///
/// It is usually written `to - from + 119`. Without the 119, the 239 differences are also distinct in a byte.
#[inline(always)]
const fn difference(from: Square88, to: Square88) -> usize {
    to.byte().wrapping_sub(from.byte()) as usize
}

const fn on_board_table(steps: &[Step; 8]) -> [StepSet; SQUARES] {
    const_table!([0; SQUARES], square => {
        let mut set = 0;
        let mut number = 0;
        while number < 8 {
            let is_on_board = !Square88(square).step(steps[number]).is_off_board();
            set |= (is_on_board as StepSet) << number;
            number += 1;
        }
        set
    })
}

/// Returns the table of [`zone_attacks`], by piece and by the difference from the piece to the king.
const fn zone_table() -> [[u16; 256]; PieceCode::LISTS] {
    let mut table = [[0; 256]; PieceCode::LISTS];
    let mut piece = 0;
    while piece < 6 {
        let mut number = 0;
        while number < ZONE_STEPS.len() {
            let bit = 1 << number;
            let white = PieceCode::new(Color::White, Piece::ALL[piece]);
            let black = PieceCode::new(Color::Black, Piece::ALL[piece]);
            add_attacks(&mut table[white.list()], white, ZONE_STEPS[number], bit);
            add_attacks(&mut table[black.list()], black, ZONE_STEPS[number], bit);
            number += 1;
        }
        piece += 1;
    }
    table
}

/// Sets a bit for every difference to the king for which a piece attacks the square that is `step` away from the king.
const fn add_attacks(table: &mut [u16; 256], code: PieceCode, step: Step, bit: u16) {
    let (steps, reach): (&[Step], Step) = match (code.piece(), code.is_of(Color::White)) {
        (Piece::Pawn, true) => (&[NORTH + EAST, NORTH - EAST], 1),
        (Piece::Pawn, false) => (&[EAST - NORTH, -NORTH - EAST], 1),
        (Piece::Knight, _) => (&KNIGHT_STEPS, 1),
        (Piece::Bishop, _) => (&DIAGONAL_STEPS, 7),
        (Piece::Rook, _) => (&ORTHOGONAL_STEPS, 7),
        (Piece::Queen, _) => (&KING_STEPS, 7),
        (Piece::King, _) => (&KING_STEPS, 1),
    };
    let mut index = 0;
    while index < steps.len() {
        let mut distance = 1;
        while distance <= reach {
            let to_king = steps[index] * distance - step;
            // Larger differences are off the board and would wrap around in a byte.
            if -119 <= to_king && to_king <= 119 {
                table[to_king as u8 as usize] |= bit;
            }
            distance += 1;
        }
        index += 1;
    }
}

const fn steps_table() -> [i8; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 8 {
        let mut distance = 1;
        while distance < 8 {
            table[(KING_STEPS[index] * distance) as u8 as usize] = KING_STEPS[index] as i8;
            distance += 1;
        }
        index += 1;
    }
    table
}

//! Squares of the 0x88 board, what stands on them, and the tables of differences.
//!
//! Half of the numbers of a byte with a rank and a file are no squares; that is what the design lives on. A step over
//! the edge sets a bit of `0x88`, and two squares have a difference that no pair in another relation has.

use perft_core::{Color, File, Piece, Rank, Square};

/// The number of squares, on the board and off it.
pub(super) const SQUARES: usize = 128;

/// The number of squares with a margin of four ranks below and above. No single step from the board leaves it.
pub(super) const WITH_MARGIN: usize = 256;

/// What a step adds: one rank up is 16, one file to the right is 1.
pub(super) type Step = isize;

pub(super) const NORTH: Step = 16;
pub(super) const EAST: Step = 1;

/// The steps of a rook.
pub(super) const ORTHOGONAL_STEPS: [Step; 4] = [NORTH, EAST, -NORTH, -EAST];

/// The steps of a bishop.
pub(super) const DIAGONAL_STEPS: [Step; 4] = [NORTH + EAST, EAST - NORTH, -NORTH - EAST, NORTH - EAST];

/// The steps of a king, and of a queen.
pub(super) const KING_STEPS: [Step; 8] =
    [NORTH, EAST, -NORTH, -EAST, NORTH + EAST, EAST - NORTH, -NORTH - EAST, NORTH - EAST];

/// The leaps of a knight.
pub(super) const KNIGHT_STEPS: [Step; 8] = [33, 31, 18, 14, -14, -18, -31, -33];

/// A square, or what a step over the edge comes to.
///
/// The number is kept as wide as a register, so that a walk does not convert it at every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Square88(usize);

impl Square88 {
    /// A square from the byte in which lists and moves keep it.
    #[inline(always)]
    pub(super) const fn from_byte(byte: u8) -> Square88 {
        // The mask changes nothing. It tells the compiler that a step stays in the margin, and spares a test there.
        Square88(byte as usize & 0x77)
    }

    #[inline(always)]
    pub(super) const fn byte(self) -> u8 {
        self.0 as u8
    }

    /// Where it is found in a table of all squares.
    #[inline(always)]
    pub(super) const fn index(self) -> usize {
        self.0 % SQUARES
    }

    /// Where it is found in a table of all squares with a margin.
    #[inline(always)]
    pub(super) const fn index_with_margin(self) -> usize {
        self.0.wrapping_add(64) % WITH_MARGIN
    }

    /// The test that the design is named after. The bits above the byte, which a step below a1 sets, tell the same.
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

    /// The common form of a square of the board.
    pub(super) fn to_square(self) -> Square {
        Square::new(File::ALL[self.0 % 8], Rank::ALL[self.0 / 16 % 8])
    }
}

impl From<Square> for Square88 {
    #[inline(always)]
    fn from(square: Square) -> Square88 {
        // The rank moves up by a bit: 8 rank + file becomes 16 rank + file.
        let index = square.index();
        Square88(index + (index & 56))
    }
}

/// What stands on a square: a bit for each colour and the number of the kind above nothing at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Man(u8);

impl Man {
    /// Nothing. Squares off the board are empty for good.
    pub(super) const NONE: Man = Man(0);

    /// The numbers that [`Man::list`] can give.
    pub(super) const LISTS: usize = 16;

    #[inline(always)]
    pub(super) const fn new(color: Color, piece: Piece) -> Man {
        Man(Man::color_bit(color) | (piece as u8 + 1))
    }

    const fn color_bit(color: Color) -> u8 {
        8 << color as u8
    }

    #[inline(always)]
    pub(super) const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// True if a man of this colour stands here.
    #[inline(always)]
    pub(super) const fn is_of(self, color: Color) -> bool {
        self.0 & Man::color_bit(color) != 0
    }

    /// The men of the eight squares of a rank side by side, in one number.
    #[inline(always)]
    pub(super) fn of_rank(men: [Man; 8]) -> u64 {
        u64::from_le_bytes(men.map(|man| man.0))
    }

    /// Where the list of men like this is found. The bit of Black is beyond it: that of White tells them apart.
    #[inline(always)]
    pub(super) const fn list(self) -> usize {
        self.0 as usize % Man::LISTS
    }

    /// The kind, of a man that is there.
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

/// Some of the eight steps of a king or leaps of a knight, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StepSet(u8);

impl StepSet {
    pub(super) const NONE: StepSet = StepSet(0);

    /// A knight's leaps that do not lead over the edge.
    #[inline(always)]
    pub(super) fn of_knight(from: Square88) -> StepSet {
        static LEAPS: [StepSet; SQUARES] = on_board_table(&KNIGHT_STEPS);
        LEAPS[from.index()]
    }

    /// A king's steps that do not lead over the edge.
    #[inline(always)]
    pub(super) fn of_king(from: Square88) -> StepSet {
        static STEPS: [StepSet; SQUARES] = on_board_table(&KING_STEPS);
        STEPS[from.index()]
    }

    #[inline(always)]
    pub(super) const fn with_if(self, number: usize, condition: bool) -> StepSet {
        StepSet(self.0 | (condition as u8) << number)
    }

    #[inline(always)]
    pub(super) const fn without(self, other: StepSet) -> StepSet {
        StepSet(self.0 & !other.0)
    }

    #[inline(always)]
    pub(super) const fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// The numbers of the steps.
impl Iterator for StepSet {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let number = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(number)
    }
}

/// Squares around a king, a bit each: [`ZONE_STEPS`] tells which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Zone(u32);

/// From the king to the squares of his zone: where he steps, himself, and where he castles.
///
/// ```text
///     .  .  .  .  .
///     .  7  0  4  .
///    10  3  8  1  9
///     .  6  2  5  .
///     .  .  .  .  .
/// ```
const ZONE_STEPS: [Step; 11] = [
    NORTH,
    EAST,
    -NORTH,
    -EAST,
    NORTH + EAST,
    EAST - NORTH,
    -NORTH - EAST,
    NORTH - EAST,
    0,
    2 * EAST,
    -2 * EAST,
];

impl Zone {
    pub(super) const EMPTY: Zone = Zone(0);

    /// The king's own square.
    pub(super) const KING: Zone = Zone(1 << 8);

    /// The king's steps with these numbers in [`KING_STEPS`].
    #[inline(always)]
    pub(super) const fn of_steps(steps: StepSet) -> Zone {
        Zone(steps.0 as u32)
    }

    /// A square, if it is in the zone of a king.
    pub(super) fn of_square(king: Square88, square: Square88) -> Option<Zone> {
        let number = ZONE_STEPS.iter().position(|&step| king.step(step) == square)?;
        Some(Zone(1 << number))
    }

    #[inline(always)]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The king's steps in it.
    #[inline(always)]
    pub(super) const fn steps(self) -> StepSet {
        StepSet(self.0 as u8)
    }

    #[inline(always)]
    pub(super) const fn or(self, other: Zone) -> Zone {
        Zone(self.0 | other.0)
    }

    #[inline(always)]
    pub(super) const fn and(self, other: Zone) -> Zone {
        Zone(self.0 & other.0)
    }

    #[inline(always)]
    pub(super) const fn without(self, other: Zone) -> Zone {
        Zone(self.0 & !other.0)
    }

    /// The step to the first square, that square, and the others.
    #[inline(always)]
    pub(super) const fn split_first(self) -> (Step, Zone, Zone) {
        let number = self.0.trailing_zeros() as usize % ZONE_STEPS.len();
        let others = Zone(self.0 & self.0.wrapping_sub(1));
        (ZONE_STEPS[number], self.without(others), others)
    }
}

/// The squares of a king's zone that a man attacks from a square, if nothing is in the way.
#[inline(always)]
pub(super) fn zone_attacks(man: Man, from: Square88, king: Square88) -> Zone {
    static ATTACKS: [[u16; 256]; Man::LISTS] = zone_table();
    Zone(ATTACKS[man.list()][difference(from, king)] as u32)
}

/// True if a man attacks a square from another, if nothing is in the way.
#[inline(always)]
pub(super) fn attacks(man: Man, from: Square88, to: Square88) -> bool {
    !zone_attacks(man, from, to).and(Zone::KING).is_empty()
}

/// The step that leads from one square to another, again and again; 0 if they share no line.
#[inline(always)]
pub(super) fn step_towards(from: Square88, to: Square88) -> Step {
    static STEPS: [i8; 256] = steps_table();
    STEPS[difference(from, to)] as Step
}

/// What tells how two squares stand to each other. It is usually written `to - from + 119`; in a byte the 239
/// differences stay apart without the 119 too.
#[inline(always)]
const fn difference(from: Square88, to: Square88) -> usize {
    to.byte().wrapping_sub(from.byte()) as usize
}

/// For every square, the steps that do not lead over the edge.
const fn on_board_table(steps: &[Step; 8]) -> [StepSet; SQUARES] {
    let mut table = [StepSet::NONE; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut number = 0;
        while number < 8 {
            let is_on_board = !Square88(square).step(steps[number]).is_off_board();
            table[square] = table[square].with_if(number, is_on_board);
            number += 1;
        }
        square += 1;
    }
    table
}

/// For every man, and every difference between him and a king.
const fn zone_table() -> [[u16; 256]; Man::LISTS] {
    let mut table = [[0; 256]; Man::LISTS];
    let mut piece = 0;
    while piece < 6 {
        let mut number = 0;
        while number < ZONE_STEPS.len() {
            let bit = 1 << number;
            let white = Man::new(Color::White, Piece::ALL[piece]);
            let black = Man::new(Color::Black, Piece::ALL[piece]);
            add_attacks(&mut table[white.list()], white, ZONE_STEPS[number], bit);
            add_attacks(&mut table[black.list()], black, ZONE_STEPS[number], bit);
            number += 1;
        }
        piece += 1;
    }
    table
}

/// Sets a bit for all differences to the king from which a man attacks the square that is one step from the king.
const fn add_attacks(table: &mut [u16; 256], man: Man, step: Step, bit: u16) {
    let (steps, reach): (&[Step], Step) = match (man.piece(), man.is_of(Color::White)) {
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
            // Beyond, the man would be off the board, and the byte would say something else.
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

#[cfg(test)]
mod tests {
    use super::*;
    use perft_core::Bitboard;
    use perft_core::internals::Direction;
    use perft_core::internals::attacks::{diagonal_rays, king, knight, orthogonal_rays, pawn};

    #[test]
    fn steps_over_the_edge_are_seen() {
        for square in Square::ALL {
            let here = Square88::from(square);
            assert_eq!(Square88::from_byte(here.byte()).to_square(), square);
            for direction in Direction::ORTHOGONAL.into_iter().chain(Direction::DIAGONAL) {
                let (files, ranks) = direction.delta();
                let there = here.step(NORTH * ranks as Step + EAST * files as Step);
                let on_board = (!there.is_off_board()).then(|| there.to_square());
                assert_eq!(on_board, direction.step(square));
            }
            let leaps = KNIGHT_STEPS.map(|leap| here.step(leap)).into_iter();
            let reached = leaps.filter(|to| !to.is_off_board()).map(Square88::to_square).collect();
            assert_eq!(knight(square), reached);
        }
    }

    #[test]
    fn differences_know_the_lines() {
        for from in Square::ALL {
            for to in Square::ALL {
                let step = step_towards(from.into(), to.into());
                let is_line = (orthogonal_rays(from) | diagonal_rays(from)).contains(to);
                assert_eq!(step != 0, is_line, "{from} {to}");
                let mut walker = Square88::from(from);
                while step != 0 && walker != to.into() {
                    walker = walker.step(step);
                    assert!(!walker.is_off_board());
                }
            }
        }
    }

    #[test]
    fn differences_know_the_attacks() {
        for color in Color::ALL {
            for piece in Piece::ALL {
                for from in Square::ALL {
                    let man = Man::new(color, piece);
                    let reached = on_empty_board(color, piece, from);
                    for king in Square::ALL.map(Square88::from) {
                        let found = zone_attacks(man, from.into(), king);
                        for (number, step) in ZONE_STEPS.into_iter().enumerate() {
                            let to = king.step(step);
                            let attacked = !to.is_off_board() && reached.contains(to.to_square());
                            assert!(to.is_off_board() || found.0 >> number & 1 == u32::from(attacked));
                        }
                    }
                }
            }
        }
    }

    fn on_empty_board(color: Color, piece: Piece, from: Square) -> Bitboard {
        match piece {
            Piece::Pawn => pawn(color, from),
            Piece::Knight => knight(from),
            Piece::Bishop => diagonal_rays(from),
            Piece::Rook => orthogonal_rays(from),
            Piece::Queen => diagonal_rays(from) | orthogonal_rays(from),
            Piece::King => king(from),
        }
    }

    #[test]
    fn men_have_lists_of_their_own() {
        let mut seen = [false; Man::LISTS];
        for color in Color::ALL {
            for piece in Piece::ALL {
                let man = Man::new(color, piece);
                assert_eq!((man.piece(), man.is_of(color), man.is_of(!color)), (piece, true, false));
                assert!(!std::mem::replace(&mut seen[man.list()], true) && man.list() != Man::NONE.list());
            }
        }
    }
}

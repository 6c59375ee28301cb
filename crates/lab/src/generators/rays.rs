//! `rays`: ray attacks by bit scans, the classical approach.
//!
//! The attacks of a slider are four rays on an empty board, each cut off behind its first blocker. On a ray towards h8,
//! the first blocker is the lowest occupied square, which a forward bit scan finds. On a ray towards a1, it is the
//! highest one, which a reverse bit scan finds. The squares behind the blocker are the blocker's own ray in the same
//! direction. An exclusive or removes them:
//!
//! ```text
//!   the ray of d4      the first blocker   the ray of the     the attacks of d4
//!   to the north-east  on it               blocker            to the north-east
//!   . . . . . . . 1    . . . . . . . b     . . . . . . . 1    . . . . . . . .
//!   . . . . . . 1 .    . . . . . . . .     . . . . . . 1 .    . . . . . . . .
//!   . . . . . 1 . .    . . . . . B . .     . . . . . . . .    . . . . . 1 . .
//!   . . . . 1 . . .    . . . . . . . .     . . . . . . . .    . . . . 1 . . .
//!   . . . d . . . .    . . . . . . . .     . . . . . . . .    . . . d . . . .
//! ```
//!
//! This needs no multiplication and no large table: the rays of all squares take a few KiB. A ray without a blocker
//! needs no branch, because the scan then finds the last entry of the table, which is empty.
//!
//! **Legality.** Checks and pins are found before the moves. If an enemy slider would attack the king on an empty
//! board, it checks if no piece is between, and pins if one piece of the king's side is between. The results are pin
//! lines, and a check mask, on which all moves except those of the king must end. The king may step to squares that are
//! not attacked if it is removed. An en passant capture removes two pawns at once, which may open a rank, and the
//! captured pawn alone may open a diagonal. So the attackers of the king are looked up on the board after the capture.
//!
//! **Cost.** A ray takes four instructions: a mask, a scan and two loads. A lookup takes about 20, where magic
//! multiplication takes about 8. Without BMI2, bit scans that are defined for zero are missing too.
//!
//! Sources: Chess Programming Wiki, "Classical Approach", "Checks and Pinned Pieces (Bitboards)".

use perft_core::internals::attacks::{between, diagonal_rays, knight, orthogonal_rays, pawn};
use perft_core::internals::sliders::{Sliders, ray};
use perft_core::internals::{
    Armies, ChecksAndPins, Direction, Side, Sink, const_table, en_passant, king_moves, pawn_moves,
    piece_moves,
};
use perft_core::{Bitboard, Position, Square};

use super::board::{Design, PositionBoard};

/// A position whose moves are found with rays.
pub type RaysBoard = PositionBoard<Rays>;

impl Design for Rays {
    #[inline(always)]
    fn generate<S: Side>(position: &Position, sink: &mut impl Sink) {
        let armies = &position.armies_of::<S>();
        let found = &checks_and_pins::<S>(armies);
        king_moves::<S>(armies, position.castling(), found, Rays, sink);
        if found.check_mask.is_empty() {
            return;
        }
        piece_moves(armies, found, Rays, sink);
        pawn_moves::<S>(armies, found, sink);
        en_passant::<S>(armies, position.en_passant(), Rays, sink);
    }
}

/// Finds the checks and pins of side `S`, whose pieces are `us`, without a lookup of sliders.
#[inline(always)]
fn checks_and_pins<S: Side>(armies: &Armies) -> ChecksAndPins {
    let Armies { us, them, king, .. } = *armies;
    let leapers = (knight(king) & them.knights) | (pawn(S::COLOR, king) & them.pawns);
    let mut checkers = leapers;
    let mut evasions = leapers;
    let mut line_to = |slider: Square| {
        let line = between(king, slider).with(slider);
        let pieces = line & (us.all | them.all);
        if pieces == Bitboard::from(slider) {
            checkers |= pieces;
            evasions |= line;
        }
        let pins = (pieces & them.all) == Bitboard::from(slider) && !(pieces & us.all).has_many();
        if pins && pieces.has_many() { line } else { Bitboard::EMPTY }
    };
    let mut diagonal_pins = Bitboard::EMPTY;
    for slider in diagonal_rays(king) & them.diagonals {
        diagonal_pins |= line_to(slider);
    }
    let mut orthogonal_pins = Bitboard::EMPTY;
    for slider in orthogonal_rays(king) & them.orthogonals {
        orthogonal_pins |= line_to(slider);
    }
    let check_mask = match (checkers.any(), checkers.has_many()) {
        (false, _) => Bitboard::FULL,
        (true, false) => evasions,
        (true, true) => Bitboard::EMPTY,
    };
    ChecksAndPins { checkers, check_mask, diagonal_pins, orthogonal_pins }
}

/// The design `rays`, and its slider lookup by rays and bit scans.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rays;

impl Sliders for Rays {
    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        diagonal_rays(square)
            ^ behind(Direction::NorthEast, square, occupied)
            ^ behind(Direction::NorthWest, square, occupied)
            ^ behind(Direction::SouthEast, square, occupied)
            ^ behind(Direction::SouthWest, square, occupied)
    }

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        orthogonal_rays(square)
            ^ behind(Direction::North, square, occupied)
            ^ behind(Direction::East, square, occupied)
            ^ behind(Direction::South, square, occupied)
            ^ behind(Direction::West, square, occupied)
    }
}

/// Returns the squares behind the first blocker on a ray. On a ray towards h8, it is the lowest blocker, and on a ray
/// towards a1 the highest one.
#[inline(always)]
fn behind(direction: Direction, square: Square, occupied: Bitboard) -> Bitboard {
    let rays = &RAYS[direction as usize];
    let blockers = (rays.from[square.index()] & occupied).bits();
    let zeros = if direction.offset() > 0 { blockers.trailing_zeros() } else { blockers.leading_zeros() };
    rays.behind[zeros as usize]
}

/// The rays of all squares, by direction. One register points to all tables.
static RAYS: [RayTable; 8] = {
    const NONE: RayTable = RayTable { from: [Bitboard::EMPTY; 64], behind: [Bitboard::EMPTY; 65] };
    const_table!([NONE; 8], index => {
        let direction = Direction::ALL[index];
        let from = const_table!([Bitboard::EMPTY; 64], square => {
            ray(Square::ALL[square], direction, Bitboard::EMPTY)
        });
        let is_up = direction.offset() > 0;
        let behind = const_table!([Bitboard::EMPTY; 65], zeros => match zeros {
            64 => Bitboard::EMPTY,
            _ => from[if is_up { zeros } else { 63 - zeros }],
        });
        RayTable { from, behind }
    })
};

/// The rays of one direction.
#[derive(Clone, Copy)]
struct RayTable {
    /// The ray of each square.
    from: [Bitboard; 64],
    /// The squares behind the first blocker, by the number of zeros that the bit scan counts. Without a blocker, it
    /// counts 64, and the set is empty.
    behind: [Bitboard; 65],
}

#[cfg(test)]
mod tests {
    use perft_core::internals::sliders::{BISHOP_LINES, ROOK_LINES, Walk, relevant};

    use super::*;

    /// Compares the lookup with the walk for every square and every subset of the relevant squares, once with all other
    /// squares empty and once with all of them occupied.
    #[test]
    fn agrees_with_the_walk() {
        for square in Square::ALL {
            for (lines, rook) in [(ROOK_LINES, true), (BISHOP_LINES, false)] {
                let mask = relevant(square, &lines);
                let mut subset = 0;
                loop {
                    for occupied in [subset, subset | !mask].map(Bitboard::from_bits) {
                        if rook {
                            assert_eq!(Rays.rook(square, occupied), Walk.rook(square, occupied));
                        } else {
                            assert_eq!(Rays.bishop(square, occupied), Walk.bishop(square, occupied));
                        }
                    }
                    subset = subset.wrapping_sub(mask) & mask;
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }
}

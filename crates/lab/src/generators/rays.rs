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
use perft_core::internals::{
    Armies, ChecksAndPins, Side, Sink, en_passant, king_moves, pawn_moves, piece_moves,
};
use perft_core::{Bitboard, Position, Square};

use super::board::{Design, PositionBoard};
use crate::sliders::Rays;

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

//! Line moves: plain moves along a line on which a slider of the replier attacks the piece that moves.
//!
//! The reply changes of both squares depend on each other here. So each of these moves has a correction, and scalar
//! code computes it.
//!
//! ```text
//!   r . . R . . .       The rook R hides three squares from the rook r.
//!   r . R . . . .       It moves towards r: it still hides them, but lost(from) gives them back.
//!   r . . . . R .       It moves away: it hides one square, but lost(to) is 0 behind R.
//! ```
//!
//! See the section "Plain moves with a correction" of `docs/src/three-plies.md`.

use perft_core::{Bitboard, Square};

use super::analysis::Analysis;
use super::lanes::{DIRECTIONS, Lanes, RAYS};
use super::list::ClosedList;
use super::nodes::Nodes;
use super::packed_move::BatchMove;

/// Subtracts the replies that plain moves along a line of attack hide in addition to their reply changes. The moves are
/// made in nodes of the group that begins with node `start`.
#[inline(always)]
pub fn subtract_hidden_replies<V: Lanes>(
    analysis: &Analysis<V>,
    moves: ClosedList,
    start: usize,
    nodes: &mut impl Nodes<V>,
) {
    if moves.len() == 0 {
        return;
    }
    let replier = analysis.boards.replier.all.to_array();
    let occupied = analysis.boards.occupied().to_array();
    let mut slides = [replier; 8];
    for (direction, slide) in slides.iter_mut().enumerate() {
        *slide = analysis.replier_slides[direction].to_array();
    }
    for packed in moves.all() {
        let packed = BatchMove::from_bits(*packed);
        let ((from, to), lane) = (packed.squares(), packed.lane());
        let board = Board { occupied: occupied[lane], replier: replier[lane] };
        let mut hidden = 0u64;
        let direction = usize::from(DIRECTION_OF_MOVE[from.index()][to.index()]);
        // The slider is before the piece, and the piece moves towards it.
        if slides[direction ^ 1][lane].contains(from) {
            hidden = hidden.wrapping_add(board.reach(from, direction ^ 1));
        }
        // The slider is behind the piece, and the piece moves away from it.
        if slides[direction][lane].contains(from) {
            if board.replier.contains(to) {
                // The slider may recapture through the square that the piece has left.
                hidden = hidden.wrapping_sub(1);
            } else {
                hidden = hidden.wrapping_add(board.reach(to, direction));
            }
        }
        nodes.add(start + lane, hidden.wrapping_neg());
    }
}

/// The occupied squares of a node, and those of the replier.
struct Board {
    occupied: Bitboard,
    replier: Bitboard,
}

impl Board {
    /// Returns the number of squares to which a slider of the replier could move from `square` in a direction.
    #[inline(always)]
    fn reach(&self, square: Square, direction: usize) -> u64 {
        let ray = RAYS[square.index()][direction];
        let blockers = (ray & self.occupied).bits();
        let is_up = DIRECTIONS[direction].offset() > 0;
        // The squares up to the first blocker.
        let before = if is_up {
            blockers ^ blockers.wrapping_sub(1)
        } else {
            !0 << (63 - (blockers | 1).leading_zeros())
        };
        ((ray & Bitboard::from_bits(before)) & !self.replier).count().into()
    }
}

/// The direction of a move along a line, by its `from` and `to` squares. It is 0 for pairs of squares that share no
/// line.
static DIRECTION_OF_MOVE: [[u8; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut index = 0;
    while index < 64 * 8 {
        let (from, direction) = (index / 8, index % 8);
        let mut targets = RAYS[from][direction].bits();
        while targets != 0 {
            table[from][targets.trailing_zeros() as usize] = direction as u8;
            targets &= targets - 1;
        }
        index += 1;
    }
    table
};

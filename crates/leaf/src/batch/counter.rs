//! Perft to depth 2 of many nodes: the loop over groups of nodes and groups of exceptions, and en passant captures.
//!
//! A group has one node per lane. For each group, the replies to the plain moves are summed, and the exceptions of all
//! nodes go into one list. Then the exceptions are made in groups, too.
//!
//! The code of all steps together is larger than the first-level instruction cache. With one group at a time, the CPU
//! would wait for instructions. So on most CPUs, several groups take each step in a row. But then the analysis of these
//! groups has to be in memory between the steps, and some CPUs write wide vectors slowly: see
//! [`Width::PIPELINED_GROUPS`].
//!
//! *Line moves* are plain moves along a line on which a slider of the replier attacks the piece that moves. The reply
//! changes of both squares depend on each other here. So each of these moves has a correction, and scalar code computes
//! it. See the section "Plain moves with a correction" of `crates/leaf/README.md`.
//!
//! ```text
//!   r . . R . . .       The rook R hides three squares from the rook r.
//!   r . R . . . .       It moves towards r: it still hides them, but lost(from) gives them back.
//!   r . . . . R .       It moves away: it hides one square, but lost(to) is 0 behind R.
//! ```

use std::mem::ManuallyDrop;
use std::ops::Range;

use arrayvec::ArrayVec;
use perft_core::internals::sliders::Sliders;
use perft_core::internals::{Direction, Side};
use perft_core::{Bitboard, MoveKind, Position, Square};

use super::analysis::{Analysis, replies};
use super::boards::{Boards, ClosedList, Mover, Moves, Replier};
use super::lanes::{BatchMove, DIRECTIONS, Lanes, RAYS, Width};
use super::moves::{ExceptionMoves, GROUPS, LineMoves, Lists, MoveSorter};
use super::nodes::{Children, FirstMoves, Listed, Nodes};

/// Whether a pawn of the mover may be promoted two plies below a position with White to move.
#[inline(always)]
pub fn may_promote(position: &Position) -> bool {
    !(position.army(Mover::COLOR).pawns & Mover::SEVENTH_RANK).is_empty()
}

/// Returns perft to depth 3 of a position with White to move. `PROMOTES` must be true if [`may_promote`] is.
#[inline(always)]
pub fn three_plies<W: Width, const PROMOTES: bool>(
    width: W,
    position: &Position,
    sliders: impl Sliders,
) -> u64 {
    let mut list = FirstMoves::new();
    let mut children = Children::of(width, position, &mut list, sliders);
    count_nodes::<W, PROMOTES>(position, &mut children, sliders);
    children.replies()
}

/// Writes perft to depth 2 of each node into `counts`. `family` is the family of the nodes: see
/// [`LeafCounter::two_plies_each`](perft_core::LeafCounter::two_plies_each).
#[inline(always)]
pub fn two_plies_each<W: Width>(
    width: W,
    family: &Position,
    nodes: &[Position],
    counts: &mut [u64],
    sliders: impl Sliders,
) {
    counts.fill(0);
    let must_flip = nodes.first().is_some_and(|node| node.turn() == Replier::COLOR);
    let family = if must_flip { family.flipped() } else { *family };
    count_nodes::<W, true>(&family, &mut Listed { width, nodes, must_flip, counts }, sliders);
}

/// Counts the replies to all moves of the mover in all nodes. `PROMOTES` says whether a pawn of the mover may be on its
/// seventh rank. The code for plain promotions would slow down positions without promotions, so there are two copies of
/// the counter. A width without plain promotions uses only the copy with `PROMOTES`.
///
/// `family` is a position whose mover has at least the pieces of the nodes, on the same squares, and the same castling
/// rights. The replier has a castling right of `family` in a node if king and rook are on their squares.
#[inline(always)]
pub fn count_nodes<W: Width, const PROMOTES: bool>(
    family: &Position,
    nodes: &mut impl Nodes<W::Lanes>,
    sliders: impl Sliders,
) {
    if W::PIPELINED_GROUPS {
        count_with_steps_in_a_row::<W, PROMOTES>(family, nodes, sliders);
    } else {
        count_group_by_group::<W, PROMOTES>(family, nodes, sliders);
    }
}

/// Does the work of [`count_nodes`]. Each group takes all steps before the next group begins.
#[inline(always)]
fn count_group_by_group<W: Width, const PROMOTES: bool>(
    family: &Position,
    nodes: &mut impl Nodes<W::Lanes>,
    sliders: impl Sliders,
) {
    let (mut exceptions, mut line_moves) = (ExceptionMoves::new(), LineMoves::new());
    for start in (0..nodes.len()).step_by(W::LANES) {
        let analysis = Analysis::of::<PROMOTES>(nodes.boards(start), family);
        let mut sorter = MoveSorter::<W::Lanes, PROMOTES>::new(&analysis);
        exceptions.clear();
        let lists = Lists { exceptions: &mut exceptions, line_moves: &mut line_moves };
        add_replies_to_plain_moves::<_, PROMOTES>(&analysis, &mut sorter, lists, start, nodes, sliders);
        let range = 0..exceptions.len();
        add_replies_to_exceptions(&analysis, exceptions.close(), range, start, nodes, sliders);
    }
}

/// Does the work of [`count_nodes`]. Each step is done for several groups before the next step begins.
#[inline(always)]
fn count_with_steps_in_a_row<W: Width, const PROMOTES: bool>(
    family: &Position,
    nodes: &mut impl Nodes<W::Lanes>,
    sliders: impl Sliders,
) {
    let (mut exceptions, mut line_moves) = (ExceptionMoves::new(), LineMoves::new());
    for first_of_groups in (0..nodes.len()).step_by(GROUPS * W::LANES) {
        let starts = (first_of_groups..nodes.len()).step_by(W::LANES).take(GROUPS);
        let mut analyses = list_of_groups();
        for start in starts.clone() {
            analyses.push(Analysis::of::<PROMOTES>(nodes.boards(start), family));
        }
        let mut sorters = list_of_groups();
        for analysis in analyses.iter() {
            sorters.push(MoveSorter::<W::Lanes, PROMOTES>::new(analysis));
        }

        exceptions.clear();
        let mut ends = list_of_groups();
        for ((start, analysis), sorter) in starts.clone().zip(analyses.iter()).zip(sorters.iter_mut()) {
            let lists = Lists { exceptions: &mut exceptions, line_moves: &mut line_moves };
            add_replies_to_plain_moves::<_, PROMOTES>(analysis, sorter, lists, start, nodes, sliders);
            ends.push(exceptions.len());
        }

        let exceptions = exceptions.close();
        let mut listed = 0;
        for ((start, analysis), &end) in starts.zip(analyses.iter()).zip(ends.iter()) {
            add_replies_to_exceptions(analysis, exceptions, listed..end, start, nodes, sliders);
            listed = end;
        }
    }
}

/// Returns an empty list with room for one item of each group. The items do not need to be dropped. Without code to
/// drop them, the counter compiles in 60 % of the time in builds where panics unwind, such as tests.
#[inline(always)]
fn list_of_groups<T>() -> ManuallyDrop<ArrayVec<T, GROUPS>> {
    const { assert!(!std::mem::needs_drop::<T>()) }
    ManuallyDrop::new(ArrayVec::new())
}

/// Adds the number of replies to the plain moves in the nodes of the group that begins with node `start`, and lists the
/// exceptions.
#[inline(always)]
fn add_replies_to_plain_moves<V: Lanes, const PROMOTES: bool>(
    analysis: &Analysis<V>,
    sorter: &mut MoveSorter<V, PROMOTES>,
    mut lists: Lists,
    start: usize,
    nodes: &mut impl Nodes<V>,
    sliders: impl Sliders,
) {
    let lanes = (nodes.len() - start).min(V::Width::LANES);
    lists.line_moves.clear();
    let in_use = analysis.boards.mover.all.width().first_lanes(lanes);
    nodes.add_lanes(start, sorter.sort(in_use, &mut lists));
    subtract_hidden_replies(analysis, lists.line_moves.close(), start, nodes);
    nodes.list_en_passant(start..start + lanes, lists.exceptions, sliders);
}

/// Adds the number of replies to some of the listed exceptions, which are moves in the nodes of the group that begins
/// with node `start`.
#[inline(always)]
fn add_replies_to_exceptions<V: Lanes>(
    analysis: &Analysis<V>,
    exceptions: ClosedList,
    range: Range<usize>,
    start: usize,
    nodes: &mut impl Nodes<V>,
    sliders: impl Sliders,
) {
    let width = analysis.boards.mover.all.width();
    for first in range.clone().step_by(V::Width::LANES) {
        let packed_moves = exceptions.group(first);
        let moves = Moves::load(width, packed_moves);
        let leaf_parents = analysis.boards.leaf_parents(analysis.family, &moves);
        let lanes = width.first_lanes((range.end - first).min(V::Width::LANES));
        let plain = replies(&leaf_parents, analysis.family).only_where(lanes);
        nodes.add_by_move(start, packed_moves, plain);
        let add = |lane, captures| nodes.add(start + BatchMove(packed_moves[lane]).lane(), captures);
        replies_en_passant(&leaf_parents, &moves, lanes, sliders, add);
    }
}

/// Calls `add` with the lane and the number of legal en passant captures, for each leaf parent in which the replier can
/// answer a double push of the mover with such a capture.
///
/// `moves` are the moves that led to the leaf parents. Only the lanes of the mask are counted.
#[inline(always)]
fn replies_en_passant<V: Lanes>(
    leaf_parents: &Boards<V>,
    moves: &Moves<V>,
    lanes: V::Mask,
    sliders: impl Sliders,
    mut add: impl FnMut(usize, u64),
) {
    let pushed_twice = moves.are(MoveKind::DoublePush) & lanes;
    if !V::any(pushed_twice) {
        return;
    }
    let pawns = leaf_parents.replier.pawns;
    let beside = pawns.step(Direction::West) | pawns.step(Direction::East);
    let mut lanes_to_test = V::bits(pushed_twice & beside.meets(moves.to));
    if lanes_to_test == 0 {
        return;
    }
    let (to, pawns, king) = (moves.to.to_array(), pawns.to_array(), leaf_parents.replier.king.to_array());
    let occupied = leaf_parents.occupied().to_array();
    let (diagonals, orthogonals) =
        (leaf_parents.mover.diagonals.to_array(), leaf_parents.mover.orthogonals.to_array());
    while lanes_to_test != 0 {
        let lane = lanes_to_test.trailing_zeros() as usize;
        lanes_to_test &= lanes_to_test - 1;
        let Some(king) = king[lane].first() else { continue };
        let captors = (to[lane].step(Direction::West) | to[lane].step(Direction::East)) & pawns[lane];
        for captor in captors {
            // Both pawns leave their squares, and the capturing pawn stands on the passed square.
            let occupied = occupied[lane] ^ to[lane] ^ captor.into() ^ to[lane].step(Replier::FORWARD);
            let attackers = (sliders.bishop(king, occupied) & diagonals[lane])
                | (sliders.rook(king, occupied) & orthogonals[lane]);
            add(lane, u64::from(attackers.is_empty()));
        }
    }
}

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
        let packed = BatchMove(*packed);
        let ((from, to), lane) = (packed.squares(), packed.lane());
        let board = Board { occupied: occupied[lane], replier: replier[lane] };
        let mut hidden = 0u64;
        let direction = usize::from(DIRECTION_OF_MOVE[from.index()][to.index()]);
        // The slider is in front of the piece, and the piece moves towards it.
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

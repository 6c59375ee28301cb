//! Perft to depth 2 of many nodes: the loop over sections and groups of nodes, and en passant captures.
//!
//! A group has one node per lane. For each group, the replies to the plain moves are summed, and the exceptions go into
//! the list of a section, which has up to 256 nodes. Then the exceptions of the section are made, also one per lane. So
//! nearly all lanes are used, and the code for exceptions, which does not fit into the first-level instruction cache
//! beside the other, is loaded once for a section.
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

use perft_core::internals::sliders::Sliders;
use perft_core::internals::{Direction, Side};
use perft_core::{Bitboard, MoveKind, Position, Square};

use super::analysis::{Analysis, replies};
use super::boards::{Boards, ClosedList, Mover, Moves, Replier};
use super::lanes::{BatchMove, DIRECTIONS, Lanes, MAX_LANES, RAYS, SECTION, Width};
use super::moves::{ExceptionMoves, LineMoves, Lists, MAX_LISTED, MoveSorter};
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
    let (mut exceptions, mut line_moves) = (ExceptionMoves::new(), LineMoves::new());
    let mut first = 0;
    while first < nodes.len() {
        exceptions.clear();
        let end = nodes.len().min(first + SECTION);
        let mut start = first;
        while start < end && exceptions.len() <= MAX_LISTED {
            exceptions.set_node(start - first);
            let lists = Lists { exceptions: &mut exceptions, line_moves: &mut line_moves };
            add_replies_to_plain_moves::<_, PROMOTES>(family, lists, start, nodes, sliders);
            start += W::LANES;
        }
        add_replies_to_exceptions(family, exceptions.close(), first, nodes, sliders);
        first = start;
    }
}

/// Adds the number of replies to the plain moves in the nodes of the group that begins with node `start`, and lists the
/// exceptions.
#[inline(always)]
fn add_replies_to_plain_moves<V: Lanes, const PROMOTES: bool>(
    family: &Position,
    mut lists: Lists,
    start: usize,
    nodes: &mut impl Nodes<V>,
    sliders: impl Sliders,
) {
    let analysis = Analysis::of::<PROMOTES>(nodes.boards(start), family);
    let lanes = (nodes.len() - start).min(V::Width::LANES);
    let in_use = nodes.width().first_lanes(lanes);
    lists.line_moves.clear();
    let plain = MoveSorter::<V, PROMOTES>::new(&analysis).sort(in_use, &mut lists);
    nodes.add_lanes(start, plain);
    subtract_hidden_replies(&analysis, lists.line_moves.close(), start, nodes);
    nodes.list_en_passant(start..start + lanes, lists.exceptions, sliders);
}

/// `first` is the first node of the section.
#[inline(always)]
fn add_replies_to_exceptions<V: Lanes>(
    family: &Position,
    exceptions: ClosedList,
    first: usize,
    nodes: &mut impl Nodes<V>,
    sliders: impl Sliders,
) {
    let width = nodes.width();
    for start in (0..exceptions.len()).step_by(V::Width::LANES) {
        let packed_moves = exceptions.group(start);
        let moves = Moves::load(width, packed_moves);
        let numbers = packed_moves.map(|packed| first + BatchMove(packed).node());
        let leaf_parents = nodes.boards_of(&numbers).leaf_parents(family, &moves);
        let lanes = width.first_lanes((exceptions.len() - start).min(V::Width::LANES));
        let plain = replies(&leaf_parents, family).only_where(lanes);
        nodes.add_each(&numbers, plain);
        let add = |lane: usize, captures| nodes.add(numbers[lane], captures);
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
        let ((from, to), lane) = (packed.squares(), packed.node() & (MAX_LANES - 1));
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

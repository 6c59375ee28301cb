//! Perft to depth 3: the loop over groups of nodes and groups of exceptions, and captures en passant.
//!
//! The moves of the parent are made in groups, one move per lane. For each group of nodes, the replies to the plain
//! moves are summed, and the exceptions of all nodes go into one list. Then the exceptions are made in groups, too.
//!
//! Several groups take each of these steps in a row, because the code of all steps together is larger than the
//! first-level instruction cache. With one group at a time, the CPU would wait for instructions.

use std::ops::Range;

use super::PLAIN_PROMOTIONS;
use super::analysis::Analysis;
use super::boards::Boards;
use super::lanes::{Lanes, Width};
use super::line_moves::replies_hidden;
use super::list::{ClosedList, List, Moves};
use super::moves::{ExceptionMoves, LineMoves, Lists, MoveSorter};
use super::packed_move::{Origin, PackedMove, ROOM};
use super::replies::replies;
use crate::attacks::sliders::Sliders;
use crate::movegen::{Sink, generate, origin};
use crate::position::Position;
use crate::types::{Bitboard, Direction, MAX_MOVES, MoveKind, Side, Square};

/// Returns perft to depth 3 of a position in which side `R` is to move.
///
/// Code for plain promotions would make positions without promotions slower. So there are two copies of the counter. Without plain
/// promotions, one copy is enough.
#[inline(always)]
pub fn three_plies<R: Side, W: Width>(width: W, position: &Position, sliders: impl Sliders) -> u64 {
    let may_promote = !(position.army(R::Other::COLOR).pawns & <R::Other as Side>::SEVENTH_RANK).is_empty();
    if may_promote || !PLAIN_PROMOTIONS {
        three_plies_of::<R, W, true>(width, position, sliders)
    } else {
        three_plies_of::<R, W, false>(width, position, sliders)
    }
}

/// Returns the same as [`three_plies`]. `PROMOTES` says whether a pawn of the mover is on its seventh rank in the parent.
#[inline(always)]
fn three_plies_of<R: Side, W: Width, const PROMOTES: bool>(
    width: W,
    position: &Position,
    sliders: impl Sliders,
) -> u64 {
    let mut first = FirstMoves::new(width, position.army(R::Other::COLOR).pawns);
    generate::<R>(position, sliders, &mut first);
    let first_moves = first.list.close();

    let (mut exceptions, mut line_moves) = (ExceptionMoves::new(), LineMoves::new());
    let mut sum = width.empty();
    let (mut en_passant, mut hidden) = (0, 0u64);
    for first_of_groups in (0..first_moves.len()).step_by(GROUPS * W::LANES) {
        let mut analyses: [_; GROUPS] = [None, None, None, None];
        let mut groups = 0;
        for analysis in &mut analyses {
            let start = first_of_groups + groups * W::LANES;
            if start >= first_moves.len() {
                break;
            }
            let moves = Moves::load(width, first_moves.group(start));
            let nodes = Boards::nodes::<R>(position, &moves);
            *analysis = Some(Analysis::of::<R, PROMOTES>(nodes, position));
            groups += 1;
        }

        let mut sorters: [_; GROUPS] = [None, None, None, None];
        for (sorter, analysis) in sorters.iter_mut().zip(&analyses) {
            let Some(analysis) = analysis else { break };
            *sorter = Some(MoveSorter::<W::Lanes, PROMOTES>::new::<R>(analysis));
        }

        exceptions.clear();
        let mut ends = [0; GROUPS];
        for group in 0..groups {
            let (Some(analysis), Some(sorter)) = (&analyses[group], &mut sorters[group]) else { break };
            let start = first_of_groups + group * W::LANES;
            let lanes = (first_moves.len() - start).min(W::LANES);
            line_moves.clear();
            let lanes_in_use = width.first_lanes(lanes);
            let lists = Lists { exceptions: &mut exceptions, line_moves: &mut line_moves };
            sum = sum.plus(sorter.sort::<R>(lanes_in_use, lists));
            hidden = hidden.wrapping_add(replies_hidden(analysis, line_moves.close()));
            if first.pushed_beside_pawns.any() {
                let packed_moves = &first_moves.group(start)[..lanes];
                list_en_passant::<R>(position, packed_moves, &mut exceptions, sliders);
            }
            ends[group] = exceptions.len();
        }

        let exceptions = exceptions.close();
        let mut start = 0;
        for group in 0..groups {
            let Some(analysis) = &analyses[group] else { break };
            let (plain_replies, replies_en_passant) =
                replies_to_exceptions::<R, W::Lanes>(analysis, exceptions, start..ends[group], sliders);
            sum = sum.plus(plain_replies);
            en_passant += replies_en_passant;
            start = ends[group];
        }
    }
    (sum.sum() + en_passant).wrapping_sub(hidden)
}

/// Returns the number of replies to some of the listed exceptions, which are moves in the nodes of one group: those that are no
/// captures en passant, in each lane, and the captures en passant.
#[inline(always)]
fn replies_to_exceptions<R: Side, V: Lanes>(
    analysis: &Analysis<V>,
    exceptions: ClosedList,
    range: Range<usize>,
    sliders: impl Sliders,
) -> (V, u64) {
    let width = analysis.boards.mover.all.width();
    let (mut sum, mut en_passant) = (width.empty(), 0);
    for start in range.clone().step_by(V::Width::LANES) {
        let moves = Moves::load(width, exceptions.group(start));
        let leaf_parents = analysis.boards.leaf_parents::<R>(analysis.parent, &moves);
        let lanes = width.first_lanes((range.end - start).min(V::Width::LANES));
        sum = sum.plus(replies::<R, V>(&leaf_parents, analysis.parent).only_where(lanes));
        en_passant += replies_en_passant::<R, V>(&leaf_parents, &moves, lanes, sliders);
    }
    (sum, en_passant)
}

/// The number of groups that take each step in a row.
pub const GROUPS: usize = 4;

/// Collects the moves of the parent, which lead to the nodes.
struct FirstMoves<W> {
    width: W,
    list: List<{ MAX_MOVES + ROOM }>,
    /// The squares to the west and east of the mover's pawns.
    beside_enemy_pawns: Bitboard,
    /// The targets of double pushes that end on one of these squares. Only they allow a capture en passant.
    pushed_beside_pawns: Bitboard,
}

impl<W: Width> FirstMoves<W> {
    /// Returns an empty collection. `enemy_pawns` are the mover's.
    #[inline(always)]
    fn new(width: W, enemy_pawns: Bitboard) -> Self {
        FirstMoves {
            width,
            list: List::new(),
            beside_enemy_pawns: enemy_pawns.step(Direction::West) | enemy_pawns.step(Direction::East),
            pushed_beside_pawns: Bitboard::EMPTY,
        }
    }

    /// Appends a move to each target. All moves have lane 0, because the parent is in all lanes.
    #[inline(always)]
    fn append(&mut self, kind: MoveKind, origin: Origin, targets: Bitboard) {
        self.list.append(self.width, kind, origin, 0, targets);
    }
}

impl<W: Width> Sink for FirstMoves<W> {
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: Bitboard) {
        self.append(kind, Origin::Square(from), targets);
    }

    #[inline(always)]
    fn pawns(&mut self, kind: MoveKind, offset: i8, targets: Bitboard) {
        if kind == MoveKind::DoublePush {
            self.pushed_beside_pawns = targets & self.beside_enemy_pawns;
        }
        self.append(kind, Origin::Offset(offset), targets);
    }

    #[inline(always)]
    fn promotions(&mut self, offset: i8, targets: Bitboard) {
        for kind in MoveKind::PROMOTIONS {
            self.append(kind, Origin::Offset(offset), targets);
        }
    }
}

/// Lists the mover's legal captures en passant in the nodes. `packed_moves` are the moves that led to the nodes.
#[inline(always)]
fn list_en_passant<R: Side>(
    parent: &Position,
    packed_moves: &[u32],
    list: &mut ExceptionMoves,
    sliders: impl Sliders,
) {
    for (lane, packed) in packed_moves.iter().enumerate() {
        let Some(to) = PackedMove::double_push_target(*packed) else { continue };
        let node = parent.play_as::<R>(MoveKind::DoublePush, origin(to, 2 * R::FORWARD.offset()), to);
        let Some(passed) = node.en_passant() else { continue };
        for from in node.en_passant_captors(passed) {
            if node.en_passant_is_legal::<R::Other>(from, passed, sliders) {
                list.push(PackedMove::new(MoveKind::EnPassant, from, passed).in_lane(lane));
            }
        }
    }
}

/// Returns the number of legal captures en passant, in all leaf parents together, that answer a double push of the
/// mover.
///
/// `moves` are the moves that led to the leaf parents. Only the lanes of the mask are counted.
#[inline(always)]
fn replies_en_passant<R: Side, V: Lanes>(
    leaf_parents: &Boards<V>,
    moves: &Moves<V>,
    lanes: V::Mask,
    sliders: impl Sliders,
) -> u64 {
    let pushed_twice = moves.are(MoveKind::DoublePush) & lanes;
    if !V::any(pushed_twice) {
        return 0;
    }
    let pawns = leaf_parents.replier.pawns;
    let beside = pawns.step(Direction::West) | pawns.step(Direction::East);
    let mut lanes_to_test = V::bits(pushed_twice & beside.meets(moves.to));
    if lanes_to_test == 0 {
        return 0;
    }
    let (to, pawns, king) = (moves.to.to_array(), pawns.to_array(), leaf_parents.replier.king.to_array());
    let occupied = leaf_parents.occupied().to_array();
    let (diagonals, orthogonals) =
        (leaf_parents.mover.diagonals.to_array(), leaf_parents.mover.orthogonals.to_array());
    let mut count = 0;
    while lanes_to_test != 0 {
        let lane = lanes_to_test.trailing_zeros() as usize;
        lanes_to_test &= lanes_to_test - 1;
        let Some(king) = king[lane].first() else { continue };
        let captors = (to[lane].step(Direction::West) | to[lane].step(Direction::East)) & pawns[lane];
        for captor in captors {
            // Both pawns leave their squares, and the capturing pawn stands on the passed square.
            let occupied = occupied[lane] ^ to[lane] ^ captor.into() ^ to[lane].step(R::FORWARD);
            let attackers = (sliders.bishop(king, occupied) & diagonals[lane])
                | (sliders.rook(king, occupied) & orthogonals[lane]);
            count += u64::from(attackers.is_empty());
        }
    }
    count
}

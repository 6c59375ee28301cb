//! The counter: a node's moves into lanes, the moves from there into a sum and a list, the list into lanes.

use super::analysis::Analysis;
use super::boards::Boards;
use super::lanes::{Lanes, Width};
use super::list::{List, Moves};
use super::moves::{ExceptionMoves, sort_moves};
use super::packed_move::{Origin, PackedMove, ROOM};
use super::replies::replies;
use crate::attacks::sliders::Sliders;
use crate::movegen::{Sink, generate, origin};
use crate::position::Position;
use crate::types::{Bitboard, Direction, MAX_MOVES, MoveKind, Side, Square};

/// Perft to depth 3 of a position in which side `R` is to move.
#[inline(always)]
pub fn three_plies<R: Side, W: Width>(width: W, position: &Position, sliders: impl Sliders) -> u64 {
    let mut first = FirstMoves::new(width, position.army(R::Other::COLOR).pawns);
    generate::<R>(position, sliders, &mut first);
    let first_moves = first.list.close();

    let mut exceptions = ExceptionMoves::new();
    let mut sum = width.empty();
    let mut en_passant = 0;
    for start in (0..first_moves.len()).step_by(W::LANES) {
        let packed_moves = first_moves.group(start);
        let lanes = (first_moves.len() - start).min(W::LANES);
        let moves = Moves::load(width, packed_moves);
        let nodes = Boards::nodes::<R>(position, &moves);
        let analysis = Analysis::of::<R>(nodes, position);
        exceptions.clear();
        sum = sum.plus(sort_moves::<R, W::Lanes>(&analysis, width.first(lanes), &mut exceptions));
        if first.pushed_beside_pawns.any() {
            list_en_passant::<R>(position, &packed_moves[..lanes], &mut exceptions, sliders);
        }
        let exceptions = exceptions.close();
        for start in (0..exceptions.len()).step_by(W::LANES) {
            let lanes = (exceptions.len() - start).min(W::LANES);
            let moves = Moves::load(width, exceptions.group(start));
            let leaves = analysis.boards.after::<R>(position, &moves);
            let lanes = width.first(lanes);
            sum = sum.plus(replies::<R, W::Lanes>(&leaves, position).only_where(lanes));
            en_passant += replies_en_passant::<R, W::Lanes>(&leaves, &moves, lanes, sliders);
        }
    }
    sum.sum() + en_passant
}

/// The moves that lead to the nodes.
struct FirstMoves<W> {
    width: W,
    list: List<{ MAX_MOVES + ROOM }>,
    beside_enemy_pawns: Bitboard,
    pushed_beside_pawns: Bitboard,
}

impl<W: Width> FirstMoves<W> {
    #[inline(always)]
    fn new(width: W, enemy_pawns: Bitboard) -> Self {
        FirstMoves {
            width,
            list: List::new(),
            beside_enemy_pawns: enemy_pawns.step(Direction::West) | enemy_pawns.step(Direction::East),
            pushed_beside_pawns: Bitboard::EMPTY,
        }
    }

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

/// Lists the mover's captures en passant in the nodes that double pushes have led to.
#[inline(always)]
fn list_en_passant<R: Side>(
    parent: &Position,
    packed_moves: &[u32],
    list: &mut ExceptionMoves,
    sliders: impl Sliders,
) {
    for (lane, packed) in packed_moves.iter().enumerate() {
        let Some(to) = PackedMove::double_push(*packed) else { continue };
        let node = parent.play_as::<R>(MoveKind::DoublePush, origin(to, 2 * R::FORWARD.offset()), to);
        let Some(passed) = node.en_passant() else { continue };
        for from in node.en_passant_captors(passed) {
            if node.en_passant_is_legal::<R::Other>(from, passed, sliders) {
                list.push(PackedMove::new(MoveKind::EnPassant, from, passed).in_lane(lane));
            }
        }
    }
}

/// The captures en passant that answer double pushes among these moves.
#[inline(always)]
fn replies_en_passant<R: Side, V: Lanes>(
    leaves: &Boards<V>,
    moves: &Moves<V>,
    lanes: V::Mask,
    sliders: impl Sliders,
) -> u64 {
    let pushed_twice = moves.are(MoveKind::DoublePush) & lanes;
    if V::bits(pushed_twice) == 0 {
        return 0;
    }
    let pawns = leaves.replier.pawns;
    let beside = pawns.step(Direction::West) | pawns.step(Direction::East);
    let mut answered = V::bits(pushed_twice & beside.meets(moves.to));
    if answered == 0 {
        return 0;
    }
    let (to, pawns, king) = (moves.to.to_array(), pawns.to_array(), leaves.replier.king.to_array());
    let occupied = leaves.occupied().to_array();
    let (diagonals, orthogonals) = (leaves.mover.diagonals.to_array(), leaves.mover.orthogonals.to_array());
    let mut count = 0;
    while answered != 0 {
        let lane = answered.trailing_zeros() as usize;
        answered &= answered - 1;
        let Some(king) = king[lane].first() else { continue };
        let captors = (to[lane].step(Direction::West) | to[lane].step(Direction::East)) & pawns[lane];
        for captor in captors {
            let occupied = occupied[lane] ^ to[lane] ^ captor.into() ^ to[lane].step(R::FORWARD);
            let attackers = (sliders.bishop(king, occupied) & diagonals[lane])
                | (sliders.rook(king, occupied) & orthogonals[lane]);
            count += u64::from(attackers.is_empty());
        }
    }
    count
}

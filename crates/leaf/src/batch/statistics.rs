//! The statistics of leaf nodes: the kinds of the mover's moves in all nodes.
//!
//! Here, the moves of the mover are the last ply. Most of them are only counted, as sets of targets. A move is *listed*
//! if it may give check, or if it may stalemate the replier. The listed moves are made, one per lane, and the replies
//! say whether they mate. The scalar code in `crates/core/src/movegen/leaf_kinds.rs` explains which moves are listed.

use perft_core::internals::attacks::{diagonal_rays, orthogonal_rays};
use perft_core::internals::sliders::Sliders;
use perft_core::internals::{CheckCounts, Direction, LeafStatistics, Side};
use perft_core::{Bitboard, CastlingSide, MAX_MOVES, MoveKind, Position, Square};

use super::bit_sliced::BitSlicedCounts;
use super::boards::{Armies, Boards, Mover, Replier};
use super::counter::replies_en_passant;
use super::lanes::{DIRECTIONS, Lanes, MAX_LANES, RAYS, Width, count_all};
use super::list::{List, Moves};
use super::nodes::{Children, FirstMoves, Nodes};
use super::packed_move::{BatchMove, Origin, ROOM};
use super::rays::{
    Checks, Kinds, Pins, Rays, each_direction, king_attacks, knight_attacks, knight_ways, rays_from,
    rays_from_kings, slides_of, union, view_from,
};
use super::replies::{CastlingConditions, count, pawn_moves};

/// Adds the statistics two plies below a position with White to move.
#[inline(always)]
pub fn add_two_plies<W: Width>(
    width: W,
    parent: &Position,
    sliders: impl Sliders,
    statistics: &mut LeafStatistics,
) {
    let mut first_moves = FirstMoves::new();
    let children = Children::<W::Lanes>::of(width, parent, &mut first_moves, sliders);
    let mut lines = Lines { first: CheckList::new(), last: CheckList::new() };
    let mut sums = Sums::zero(width);
    for start in (0..children.len()).step_by(W::LANES) {
        let lanes = (children.len() - start).min(W::LANES);
        let nodes = LastPly::of(children.boards(start), parent, width.first_lanes(lanes));
        let listed = lines.last.len();
        children.list_en_passant(start..start + lanes, &mut lines.last, sliders);
        sums.en_passant += lines.last.len() - listed;
        let moves = nodes.moves(&nodes.boards.mover, &nodes.slides);
        sums.add(&moves, &nodes.boards);
        nodes.list_moves(&moves, &mut lines.last);
        nodes.castle(&mut sums, &mut lines.last);
        lines.add_first_moves(|lane| children.move_to(start + lane));
        if lines.last.len() >= FULL_LIST {
            lines.examine::<W>(width, parent, sliders, statistics);
        }
    }
    lines.examine::<W>(width, parent, sliders, statistics);
    sums.add_to(statistics);
}

/// The number of listed moves that are examined before others are added. They may be more by those of one group.
const FULL_LIST: usize = 8 * MAX_LANES;

/// A list of moves until it is full, and of those of one more group.
type CheckList = List<{ FULL_LIST + MAX_LANES * MAX_MOVES + ROOM }>;

/// The listed moves. They are made from the parent, so moves of several groups can be examined together.
struct Lines {
    /// The moves of the replier that lead to the nodes.
    first: CheckList,
    /// The moves of the mover in these nodes.
    last: CheckList,
}

impl Lines {
    /// Adds the first moves of the lines that have only a last move. `first` returns the move that leads to the node of
    /// a lane.
    #[inline(always)]
    fn add_first_moves(&mut self, first: impl Fn(usize) -> BatchMove) {
        let listed = self.first.len();
        for packed in &self.last.close().all()[listed..] {
            self.first.push(first(BatchMove::from_bits(*packed).lane()));
        }
    }

    /// Makes the moves, adds them to the checks, checkmates and stalemates, and removes them.
    #[inline(always)]
    fn examine<W: Width>(
        &mut self,
        width: W,
        parent: &Position,
        sliders: impl Sliders,
        statistics: &mut LeafStatistics,
    ) {
        let (first, last) = (self.first.close(), self.last.close());
        for start in (0..last.len()).step_by(W::LANES) {
            let lanes = width.first_lanes((last.len() - start).min(W::LANES));
            let nodes = Boards::nodes(parent, &Moves::load(width, first.group(start)));
            let moves = Moves::load(width, last.group(start));
            let leaves = nodes.after(parent, &moves);
            let (checks, dead) = checks_and_mates::<W::Lanes>(&leaves, parent, &moves, lanes, sliders);
            let in_check = <W::Lanes as Lanes>::bits(checks.any & lanes);
            let moved = moved_pieces::<W::Lanes>(&moves, parent);
            let direct = <W::Lanes as Lanes>::bits(checks.checkers.meets(moved));
            let double = <W::Lanes as Lanes>::bits(has_many(checks.checkers));
            add_checks(&mut statistics.checks, in_check, direct, double);
            if dead != 0 {
                add_checks(&mut statistics.checkmates, in_check & dead, direct, double);
                statistics.stalemates += u128::from((dead & !in_check).count_ones());
            }
        }
        self.first.clear();
        self.last.clear();
    }
}

/// Numbers of moves in all nodes. Those in lanes are summed at the end.
struct Sums<V> {
    nodes: V,
    captures: V,
    castles: V,
    promotions: V,
    en_passant: usize,
}

impl<V: Lanes> Sums<V> {
    #[inline(always)]
    fn zero(width: V::Width) -> Sums<V> {
        let zero = width.empty();
        Sums { nodes: zero, captures: zero, castles: zero, promotions: zero, en_passant: 0 }
    }

    /// Adds the mover's moves in a group of nodes, without castling and captures en passant.
    #[inline(always)]
    fn add(&mut self, moves: &MoveSets<V>, boards: &Boards<V>) {
        let (width, enemies) = (boards.replier.all.width(), boards.replier.all);
        // No square is the target of more than 20 moves: 8 slides, 8 knight moves, 3 pawn moves and a step of the king.
        let mut arrivals = BitSlicedCounts::<V, 5>::zero(width);
        let [single, double, west, east] = moves.pawns;
        for ([a, b, c, d, e, f, g, h], i) in [(moves.slides, moves.king), (moves.knights, single | double)] {
            arrivals.add_three_sets(a, b, c);
            arrivals.add_three_sets(d, e, f);
            arrivals.add_three_sets(g, h, i);
        }
        arrivals.add_three_sets(west, east, width.empty());
        self.nodes = self.nodes.plus(arrivals.count_in(!width.empty()));
        self.captures = self.captures.plus(arrivals.count_in(enemies));
        let seventh_rank = width.splat(Mover::SEVENTH_RANK);
        if V::any(boards.mover.pawns.meets(seventh_rank)) {
            // A promotion is four moves. The arrivals have one of them.
            let last_rank = width.splat(Mover::LAST_RANK);
            let captured = count_all([west & last_rank, east & last_rank]);
            let promoted = captured.plus((single & last_rank).popcount());
            let three_times = |number: V| number.plus(number).plus(number);
            self.nodes = self.nodes.plus(three_times(promoted));
            self.captures = self.captures.plus(three_times(captured));
            self.promotions = self.promotions.plus(three_times(promoted)).plus(promoted);
        }
    }

    #[inline(always)]
    fn add_to(&self, statistics: &mut LeafStatistics) {
        let en_passant = self.en_passant as u128;
        statistics.nodes += u128::from(self.nodes.sum()) + en_passant;
        statistics.captures += u128::from(self.captures.sum()) + en_passant;
        statistics.en_passant += en_passant;
        statistics.castles += u128::from(self.castles.sum());
        statistics.promotions += u128::from(self.promotions.sum());
    }
}

/// Moves of the mover, as sets of targets.
#[derive(Clone, Copy)]
struct MoveSets<V> {
    /// Those of sliders, by direction.
    slides: Rays<V>,
    /// Those of knights, by the way in which they move.
    knights: [V; 8],
    /// Those of pawns: single pushes, double pushes, and captures towards the west and the east.
    pawns: [V; 4],
    /// The steps of the king.
    king: V,
}

impl<V: Lanes> MoveSets<V> {
    /// Adds other moves.
    #[inline(always)]
    fn add(&mut self, other: &MoveSets<V>) {
        for index in 0..8 {
            self.slides[index] = self.slides[index] | other.slides[index];
            self.knights[index] = self.knights[index] | other.knights[index];
        }
        for index in 0..4 {
            self.pawns[index] = self.pawns[index] | other.pawns[index];
        }
        self.king = self.king | other.king;
    }

    /// Returns the moves to some targets.
    #[inline(always)]
    fn to(&self, targets: V) -> MoveSets<V> {
        let [single, double, west, east] = self.pawns;
        MoveSets {
            slides: intersections(&self.slides, targets),
            knights: intersections(&self.knights, targets),
            pawns: [single & targets, double & targets, west & targets, east & targets],
            king: self.king & targets,
        }
    }
}

/// Returns the intersection of each set with `squares`. It is a loop because closures of `map` are not always inlined.
#[inline(always)]
fn intersections<V: Lanes>(sets: &[V; 8], squares: V) -> [V; 8] {
    let mut intersections = *sets;
    for set in &mut intersections {
        *set = *set & squares;
    }
    intersections
}

/// The offsets of the ways in which a knight moves, in the order of [`knight_ways`].
const KNIGHT_OFFSETS: [i8; 8] = [15, -17, 17, -15, 6, -10, 10, -6];

/// A group of nodes in which the mover makes the last ply.
struct LastPly<'a, V: Lanes> {
    family: &'a Position,
    boards: Boards<V>,
    /// The lanes that have a node.
    lanes: V::Mask,
    blockers: V::Blockers,
    /// The kinds of pieces that the mover has.
    kinds: Kinds,
    /// The checks that the mover's king is in.
    checks: Checks<V>,
    /// The pinned pieces of the mover.
    pins: Pins<V>,
    /// The squares that the replier attacks.
    attacked: V,
    /// The legal slides of the mover, by direction, also onto its own pieces.
    slides: Rays<V>,
    /// The squares from which a rook attacks the replier's king.
    orthogonal_view: V,
    /// The squares from which a bishop attacks the replier's king.
    diagonal_view: V,
    /// The pieces that stand alone between a slider of the mover and the replier's king. All their moves are listed.
    departures: V,
    /// All moves to these squares are listed, because they may stalemate the replier.
    stalemate_targets: V,
}

impl<'a, V: Lanes> LastPly<'a, V> {
    #[inline(always)]
    fn of(boards: Boards<V>, family: &'a Position, lanes: V::Mask) -> Self {
        let (mover, replier) = (&boards.mover, &boards.replier);
        let width = mover.all.width();
        let blockers = boards.occupied().blockers();
        let (kinds, enemies) = (Kinds::of(mover), Kinds::of(replier));
        let enemy_slides = slides_of(&blockers, replier, enemies);
        let rays = rays_from(width, family.king(Mover::COLOR));
        let view = view_from(&blockers, mover.king, &rays, enemies);
        let checks = Checks::of::<Mover>(mover, replier, enemies, &view);
        let pins = Pins::of(mover, enemies, &view, &enemy_slides);
        let attacked = checks.attacked::<Replier>(replier, enemies, &enemy_slides);

        let all_slides = slides_of(&blockers, mover, kinds);
        let sliders = mover.orthogonals | mover.diagonals;
        let slides =
            if V::any(sliders.meets(pins.all())) { pins.slides(&blockers, mover, kinds) } else { all_slides };
        // A pawn that promotes may become any piece.
        let rays = rays_from_kings(replier.king, family.king(Replier::COLOR));
        let view = view_from(&blockers, replier.king, &rays, Kinds::ALL);
        let mut departures = width.empty();
        each_direction!(kinds, D => departures = departures | (view[D] & all_slides[D ^ 1]));
        LastPly {
            family,
            lanes,
            blockers,
            kinds,
            checks,
            pins,
            attacked,
            slides,
            orthogonal_view: union(&view[..4]),
            diagonal_view: union(&view[4..]),
            departures: (departures & mover.all).only_where(lanes),
            stalemate_targets: stalemate_targets(&boards, family),
            boards,
        }
    }

    /// Returns the moves of some pieces of the mover, whose legal slides are given.
    #[inline(always)]
    fn moves(&self, army: &Armies<V>, slides: &Rays<V>) -> MoveSets<V> {
        let (mover, replier) = (&self.boards.mover, &self.boards.replier);
        let targets = self.checks.mask.without(mover.all).only_where(self.lanes);
        let occupied = self.boards.occupied();
        let capturable = replier.all & targets;
        let [single, double, west, east] =
            pawn_moves::<Mover, V>(army.pawns, occupied, capturable, &self.pins);
        MoveSets {
            slides: intersections(slides, targets),
            knights: intersections(&knight_ways(army.knights.without(self.pins.all())), targets),
            pawns: [single & targets, double & targets, west, east],
            king: king_attacks(army.king).without(mover.all | self.attacked).only_where(self.lanes),
        }
    }

    /// Lists the moves, except castling, that may give check or stalemate. `moves` are all moves of the mover.
    #[inline(always)]
    fn list_moves(&self, moves: &MoveSets<V>, list: &mut CheckList) {
        let mut listed = self.arriving(moves);
        if V::any(self.stalemate_targets.non_empty()) {
            listed.add(&moves.to(self.stalemate_targets));
        }
        if V::any(self.departures.non_empty()) {
            let army = self.boards.mover.only(self.departures);
            let slides = self.pins.slides(&self.blockers, &army, self.kinds);
            listed.add(&self.moves(&army, &slides));
        }
        self.append(&listed, list);
    }

    /// Returns the moves after which the piece that moved attacks the replier's king, and promotions that may do so.
    #[inline(always)]
    fn arriving(&self, moves: &MoveSets<V>) -> MoveSets<V> {
        let king = self.boards.replier.king;
        let (width, knight_view) = (king.width(), knight_attacks(king));
        let [west, east] = Replier::CAPTURES;
        let (pawn_view, view) =
            (king.step(west) | king.step(east), self.orthogonal_view | self.diagonal_view);
        let last_rank = width.splat(Mover::LAST_RANK);
        let mut arriving = *moves;
        arriving.king = width.empty();
        arriving.knights = intersections(&moves.knights, knight_view);
        let forward = Mover::FORWARD;
        let [west, east] = Mover::CAPTURES;
        for (set, direction) in arriving.pawns.iter_mut().zip([forward, forward, west, east]) {
            let promoting = *set & last_rank & (view | knight_view | view.step(direction));
            *set = (set.without(last_rank) & pawn_view) | promoting;
        }
        let mover = &self.boards.mover;
        let queens = mover.orthogonals & mover.diagonals;
        each_direction!(self.kinds, D => {
            let views = [self.orthogonal_view, self.diagonal_view];
            let by_queens = moves.slides[D] & views[1 - D / 4];
            arriving.slides[D] = moves.slides[D] & views[D / 4];
            if V::any(by_queens.non_empty()) {
                let slides = queens.slide::<D>(&self.blockers);
                arriving.slides[D] = arriving.slides[D] | (by_queens & slides);
            }
        });
        arriving
    }

    /// Appends moves to the list.
    #[inline(always)]
    fn append(&self, moves: &MoveSets<V>, list: &mut CheckList) {
        if V::any(union(&moves.slides).non_empty()) {
            each_direction!(self.kinds, D => self.append_slides::<D>(moves.slides[D], list));
        }
        if V::any(union(&moves.knights).non_empty()) {
            for (set, offset) in moves.knights.into_iter().zip(KNIGHT_OFFSETS) {
                list.append_lanes(MoveKind::Knight, Origin::Offset(offset), set);
            }
        }
        let king = Origin::Square(self.family.king(Mover::COLOR));
        list.append_lanes(MoveKind::King, king, moves.king);
        if !V::any(union(&moves.pawns).non_empty()) {
            return;
        }
        let forward = Mover::FORWARD;
        let [west, east] = Mover::CAPTURES;
        let [single, double, captures @ ..] = moves.pawns;
        list.append_lanes(MoveKind::DoublePush, Origin::Offset(2 * forward.offset()), double);
        let last_rank = single.width().splat(Mover::LAST_RANK);
        for (set, direction) in [single, captures[0], captures[1]].into_iter().zip([forward, west, east]) {
            let origin = Origin::Offset(direction.offset());
            list.append_lanes(MoveKind::Pawn, origin, set.without(last_rank));
            for kind in MoveKind::PROMOTIONS {
                list.append_lanes(kind, origin, set & last_rank);
            }
        }
    }

    /// Appends the moves of sliders in direction `D`. Each slider is the first piece that its target sees in the
    /// opposite direction.
    #[inline(always)]
    fn append_slides<const D: usize>(&self, targets: V, list: &mut CheckList) {
        let mut lanes = V::bits(targets.non_empty());
        if lanes == 0 {
            return;
        }
        let kind = if D < 4 { MoveKind::Orthogonal } else { MoveKind::Diagonal };
        let (targets, occupied) = (targets.to_array(), self.boards.occupied().to_array());
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize & (MAX_LANES - 1);
            lanes &= lanes - 1;
            for to in targets[lane] {
                let from = first_on_ray::<D>(RAYS[to.index()][D ^ 1] & occupied[lane]);
                list.push(BatchMove::new(kind, from, to).in_lane(lane));
            }
        }
    }

    /// Counts castling, and lists it if it may give check or stalemate.
    #[inline(always)]
    fn castle(&self, sums: &mut Sums<V>, list: &mut CheckList) {
        let (mover, replier) = (self.boards.mover, self.boards.replier);
        let (width, king) = (mover.all.width(), self.family.king(Mover::COLOR));
        let boards = Boards { mover: replier, replier: mover };
        for rook in self.family.castling().rooks(Mover::COLOR) {
            let conditions = CastlingConditions::of::<Mover>(&boards, self.family, rook);
            let legal =
                conditions.is_legal(&boards, &self.pins, self.attacked) & !self.checks.any & self.lanes;
            sums.nodes = sums.nodes.plus_where(legal, width.number(1));
            sums.castles = sums.castles.plus_where(legal, width.number(1));
            let target = width.square(CastlingSide::of(king, rook).rook_target(Mover::COLOR));
            // The rook's own square is one of these targets only if all squares are.
            let must_list = target.meets(self.orthogonal_view)
                | replier.king.meets(width.splat(Mover::BACK_RANK))
                | self.departures.meets(mover.king | conditions.rook)
                | self.stalemate_targets.meets(conditions.rook);
            let targets = conditions.rook.only_where(legal & must_list);
            list.append_lanes(MoveKind::Castling, Origin::Square(king), targets);
        }
    }
}

/// Returns the square that is nearest to the start of a ray in the direction opposite to `D`.
#[inline(always)]
fn first_on_ray<const D: usize>(squares: Bitboard) -> Square {
    let bits = squares.bits();
    let leads_up = DIRECTIONS[D ^ 1].offset() > 0;
    let index = if leads_up { bits.trailing_zeros() } else { bits.leading_zeros() ^ 63 };
    Square::ALL[index as usize & 63]
}

/// Returns the squares that are one step in one of these directions away from `squares`.
#[inline(always)]
fn beside<V: Lanes>(squares: V, [a, b, c, d]: [Direction; 4]) -> V {
    squares.step(a) | squares.step(b) | squares.step(c) | squares.step(d)
}

/// Returns the targets of the mover's moves that may stalemate the replier, besides captures en passant. The scalar
/// code explains the conditions.
#[inline(always)]
fn stalemate_targets<V: Lanes>(boards: &Boards<V>, family: &Position) -> V {
    let replier = &boards.replier;
    let width = replier.all.width();
    let usual = family.king(Replier::COLOR);
    let (mut rank, mut orthogonal, mut diagonal) = (
        width.splat(Bitboard::rank(usual.rank())),
        width.splat(orthogonal_rays(usual)),
        width.splat(diagonal_rays(usual)),
    );
    if V::any(!replier.king.equals(width.square(usual))) {
        let kings = replier.king.to_array().map(|king| king.first().unwrap_or(usual));
        rank = width.load_sets(&kings.map(|king| Bitboard::rank(king.rank())));
        orthogonal = width.load_sets(&kings.map(orthogonal_rays));
        diagonal = width.load_sets(&kings.map(diagonal_rays));
    }
    let pawns = replier.pawns.without(diagonal | rank | width.splat(Replier::SEVENTH_RANK));
    let pushes = pawns.step(Replier::FORWARD).without(boards.occupied());
    if !V::any(!has_many(pushes)) {
        return width.empty();
    }
    let open = !replier.all;
    let orthogonals = replier.orthogonals.without(diagonal) & beside(open, Direction::ORTHOGONAL);
    let diagonals = replier.diagonals.without(orthogonal) & beside(open, Direction::DIAGONAL);
    let knights = replier.knights.without(orthogonal | diagonal) & knight_attacks(open);
    let movable = pushes.step(Mover::FORWARD) | orthogonals | diagonals | knights;
    let targets = (movable | pushes).replaced_where(has_many(movable), width.empty());
    targets.or_where(!movable.non_empty(), !width.empty())
}

/// Returns the lanes whose set has two or more squares.
#[inline(always)]
fn has_many<V: Lanes>(set: V) -> V::Mask {
    set.meets(set.minus(set.width().number(1)))
}

/// Returns the checks that the replier is in, and the lanes in which it has no move, as bits.
#[inline(always)]
fn checks_and_mates<V: Lanes>(
    leaves: &Boards<V>,
    family: &Position,
    moves: &Moves<V>,
    lanes: V::Mask,
    sliders: impl Sliders,
) -> (Checks<V>, u8) {
    let (mover, replier) = (&leaves.mover, &leaves.replier);
    let blockers = leaves.occupied().blockers();
    let (enemies, own) = (Kinds::of(mover), Kinds::of(replier));
    let mover_slides = slides_of(&blockers, mover, enemies);
    let rays = rays_from_kings(replier.king, family.king(Replier::COLOR));
    let view = view_from(&blockers, replier.king, &rays, enemies);
    let checks = Checks::of::<Replier>(replier, mover, enemies, &view);
    let attacked = checks.attacked::<Mover>(mover, enemies, &mover_slides);
    let steps = king_attacks(replier.king).without(replier.all | attacked);
    let doubtful = !steps.non_empty() & lanes;
    if !V::any(doubtful) {
        return (checks, 0);
    }
    let pins = Pins::of(replier, enemies, &view, &mover_slides);
    let slides = pins.slides(&blockers, replier, own);
    let replies = count(leaves, &checks, &pins, &slides, own, attacked, family);
    let mut dead = V::bits(!replies.non_empty() & doubtful);
    let add = |lane: usize, captures: u64| dead &= !(u8::from(captures > 0) << lane);
    replies_en_passant(leaves, moves, doubtful, sliders, add);
    (checks, dead)
}

/// Returns the square of the piece that moved and can give a direct check. When castling, that piece is the rook.
#[inline(always)]
fn moved_pieces<V: Lanes>(moves: &Moves<V>, family: &Position) -> V {
    if !moves.any_special() {
        return moves.to;
    }
    let width = moves.to.width();
    let is_castling = moves.are(MoveKind::Castling);
    let mut moved = moves.to;
    for rook in family.castling().rooks(Mover::COLOR) {
        let side = CastlingSide::of(family.king(Mover::COLOR), rook);
        let target = width.square(side.rook_target(Mover::COLOR));
        moved = moved.replaced_where(is_castling & moves.to.meets(width.square(rook)), target);
    }
    moved
}

/// Adds the checks in some lanes, by kind. All arguments are lanes as bits.
#[inline(always)]
fn add_checks(counts: &mut CheckCounts, checks: u8, direct: u8, double: u8) {
    counts.direct += u128::from((checks & direct & !double).count_ones());
    let others = checks & !(direct & !double);
    if others != 0 {
        counts.discovered += u128::from((checks & !direct & !double).count_ones());
        counts.direct_and_discovered += u128::from((checks & direct & double).count_ones());
        counts.double_discovered += u128::from((checks & !direct & double).count_ones());
    }
}

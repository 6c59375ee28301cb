//! The mover's legal moves in every lane, sorted: plain ones are added up at once, exceptions ones listed.

use super::analysis::Analysis;
use super::bit_sliced::BitSlicedCounts;
use super::exceptions::Exceptions;
use super::lanes::{DIRECTIONS, Lanes, MAX_LANES, Width};
use super::list::List;
use super::packed_move::{Origin, ROOM};
use super::pin_release::PinRelease;
use super::rays::union;
use super::reply_changes::ReplyChanges;
use crate::attacks::sliders::ray;
use crate::attacks::{king, knight};
use crate::movegen::CastlingPaths;
use crate::position::Position;
use crate::types::{Bitboard, Direction, MAX_MOVES, MoveKind, Side, Square};

/// Room for all moves of all nodes.
pub const EXCEPTION_CAPACITY: usize = MAX_LANES * MAX_MOVES + ROOM;

/// Moves that are made one by one.
pub type ExceptionMoves = List<EXCEPTION_CAPACITY>;

/// Sorts the moves of the nodes of a analysis.
pub struct MoveSorter<'a, V: Lanes> {
    analysis: &'a Analysis<'a, V>,
    reply_changes: ReplyChanges<V>,
    exceptions: Exceptions<V>,
    pin_release: PinRelease<V>,
    /// Where a move of any man but the king may end.
    targets: V,
    /// Ranks and files on which pinned rooks and queens stay.
    orthogonal_pin_lines: V,
    /// Diagonals on which pinned bishops and queens stay.
    diagonal_pin_lines: V,
    pinned: V,
    list: &'a mut ExceptionMoves,
    /// How many plain moves there are.
    moves: V,
    /// How many of them arrive on each square.
    arrivals: BitSlicedCounts<V, 5>,
    /// How many pawns' moves leave each square.
    pawn_departures: BitSlicedCounts<V, 3>,
    /// What the other men give back by leaving, for all their moves.
    left: V,
}

/// The rays from each square, by direction.
static RAYS: [[Bitboard; 8]; 64] = {
    let mut table = [[Bitboard::EMPTY; 8]; 64];
    let mut index = 0;
    while index < 64 * 8 {
        table[index / 8][index % 8] = ray(Square::ALL[index / 8], DIRECTIONS[index % 8], Bitboard::EMPTY);
        index += 1;
    }
    table
};

/// The number of replies to all plain moves of the mover in all of these lanes; the other moves go to the list.
#[inline(always)]
pub fn sort_moves<R: Side, V: Lanes>(analysis: &Analysis<V>, lanes: V::Mask, list: &mut ExceptionMoves) -> V {
    let mover = &analysis.boards.mover;
    let width = mover.all.width();
    let pinned = analysis.mover_pins.all();
    let king = analysis.parent.king(R::Other::COLOR);
    let rays = &RAYS[king.index()];
    let mut exceptions = Exceptions::of::<R>(analysis);
    let pin_release = PinRelease::of::<R>(analysis, exceptions.pinners);
    exceptions.departures = exceptions.departures | exceptions.pinners.without(pin_release.pinners);
    let mut reply_changes = ReplyChanges::of::<R>(analysis);
    reply_changes.add_holding_pawns::<R>(analysis, exceptions.held_once);
    let mut sorter = MoveSorter {
        analysis,
        reply_changes,
        exceptions,
        pin_release,
        targets: analysis.mover_checks.mask.without(mover.all).only_where(lanes),
        orthogonal_pin_lines: pin_lines(pinned, &rays[..4]),
        diagonal_pin_lines: pin_lines(pinned, &rays[4..]),
        pinned,
        list,
        moves: width.empty(),
        arrivals: BitSlicedCounts::zero(width),
        pawn_departures: BitSlicedCounts::zero(width),
        left: width.empty(),
    };
    sorter.pieces::<R>(analysis.parent);
    sorter.king::<R>(king, lanes);
    sorter.pawns::<R>();
    sorter.total()
}

/// Those of these rays from a king that a pinned man stands on.
#[inline(always)]
fn pin_lines<V: Lanes>(pinned: V, rays: &[Bitboard]) -> V {
    let mut lines = pinned.width().empty();
    for ray in rays {
        let ray = pinned.width().splat(*ray);
        lines = lines.or_where(pinned.meets(ray), ray);
    }
    lines
}

/// The way back from a capture by a pawn.
#[inline(always)]
fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::NorthEast => Direction::SouthWest,
        Direction::SouthWest => Direction::NorthEast,
        Direction::NorthWest => Direction::SouthEast,
        _ => Direction::NorthWest,
    }
}

/// Where a slider still holds what it holds, though it cannot be seen from there because the slider itself stands in the
/// way: on the rays opposite to those on which it holds something.
#[inline(always)]
fn rays_behind<V: Lanes>(slides: &[V; 4], rays: &[Bitboard], held: V) -> V {
    let mut behind = held.width().empty();
    for (index, slide) in slides.iter().enumerate() {
        behind = behind.or_where(slide.meets(held), held.width().splat(rays[index ^ 1]));
    }
    behind
}

/// The lines of a slider along which it attacks one of these.
#[inline(always)]
fn lines_to<V: Lanes>(slides: &[V; 4], rays: &[Bitboard], attacked: V) -> V {
    let width = attacked.width();
    let first = width.splat(rays[0] | rays[1]).only_where((slides[0] | slides[1]).meets(attacked));
    first.or_where((slides[2] | slides[3]).meets(attacked), width.splat(rays[2] | rays[3]))
}

/// Where reply_changes do not hold for a slider on a square that is hit by its like: on the attacker's line, which it does not
/// open. These are two lines of the slider, by the rays along them.
#[inline(always)]
fn lines_of_attack<V: Lanes>(hit: &[V], rays: &[Bitboard], square: V) -> V {
    let width = square.width();
    let first = width.splat(rays[0] | rays[1]).only_where(hit[0].meets(square));
    first.or_where(hit[1].meets(square), width.splat(rays[2] | rays[3]))
}

impl<V: Lanes> MoveSorter<'_, V> {
    /// Knights and sliders. They stand where they stood in the parent, unless captured.
    #[inline(always)]
    fn pieces<R: Side>(&mut self, parent: &Position) {
        let army = parent.army(R::Other::COLOR);
        let width = self.targets.width();
        let mover = self.analysis.boards.mover;
        for from in army.knights {
            let square = width.square(from);
            let is_free = mover.knights.meets(square) & self.pinned.misses(square);
            let attacks = width.splat(knight(from));
            let targets = (attacks & self.targets).only_where(is_free);
            let holding = attacks & self.exceptions.held_once;
            let arrivals = self.exceptions.knight_arrivals(holding.occupied());
            self.piece(MoveKind::Knight, from, targets, arrivals, holding.popcount());
        }
        for from in army.diagonals | army.orthogonals {
            self.slider(from, army.diagonals.contains(from), army.orthogonals.contains(from));
        }
    }

    /// A bishop, rook or queen, as a bishop and as a rook.
    #[inline(always)]
    fn slider(&mut self, from: Square, diagonally: bool, orthogonal: bool) {
        let (mover, blockers) = (&self.analysis.boards.mover, &self.analysis.blockers);
        let square = mover.all.width().square(from);
        let rays = &RAYS[from.index()];
        let nothing = square.width().empty();
        let (held, pinned) = (self.exceptions.held_once, self.analysis.replier_pins.all());
        let pins = self.pin_release.pinners.meets(square);
        let (mut diagonals, mut orthogonals, mut behind, mut pin_line) = (nothing, nothing, nothing, nothing);
        if diagonally {
            let slides = [
                square.slide::<4>(blockers),
                square.slide::<5>(blockers),
                square.slide::<6>(blockers),
                square.slide::<7>(blockers),
            ];
            diagonals = union(&slides);
            behind = behind | rays_behind(&slides, &rays[4..], held);
            pin_line = pin_line | lines_to(&slides, &rays[4..], pinned.only_where(pins));
        }
        if orthogonal {
            let slides = [
                square.slide::<0>(blockers),
                square.slide::<1>(blockers),
                square.slide::<2>(blockers),
                square.slide::<3>(blockers),
            ];
            orthogonals = union(&slides);
            behind = behind | rays_behind(&slides, &rays[..4], held);
            pin_line = pin_line | lines_to(&slides, &rays[..4], pinned.only_where(pins));
        }
        let holding = (diagonals | orthogonals) & held;
        let arrivals = behind | self.exceptions.slider_arrivals(diagonally, orthogonal, holding.occupied());
        let stuck = (diagonals | orthogonals).meets(self.exceptions.castling_held);
        let replier = &self.analysis.boards.replier;
        // A man that this one pins is free when it leaves the line, on any way that it does not enter, if it does not
        // capture.
        let unpinning = (self.pin_release.ways | replier.all).without(pin_line) | pinned;
        let arrivals = arrivals
            .or_where(stuck, !nothing)
            .or_where(!pins, self.exceptions.pin_lines)
            .or_where(pins, unpinning);
        let (all, off_line) = (holding.popcount(), self.pin_release.moves.only_where(pins));
        if diagonally {
            let targets = self.allowed(square, diagonals, self.diagonal_pin_lines);
            let targets = targets.only_where(mover.diagonals.meets(square));
            // A pawn that attacks this piece would be counted twice if it were captured.
            let pawns = replier.pawns.only_where(self.reply_changes.attacked_by_pawns.meets(square));
            let attacked = lines_of_attack(&self.reply_changes.hit[2..], &rays[4..], square);
            let plain = self.piece(MoveKind::Diagonal, from, targets, arrivals | attacked | pawns, all);
            self.left = self.left.plus(plain.without(pin_line).popcount().times(off_line));
        }
        if orthogonal {
            let targets = self.allowed(square, orthogonals, self.orthogonal_pin_lines);
            let targets = targets.only_where(mover.orthogonals.meets(square));
            let file = square
                .width()
                .splat(rays[0] | rays[1])
                .only_where(self.reply_changes.before_pawn.meets(square));
            let attacked = lines_of_attack(&self.reply_changes.hit[..2], &rays[..4], square);
            let plain = self.piece(MoveKind::Orthogonal, from, targets, arrivals | attacked | file, all);
            self.left = self.left.plus(plain.without(pin_line).popcount().times(off_line));
        }
    }

    /// The targets of a slider on this square. A pinned one stays on a pin line of its own way of moving, if it stands on
    /// one. (All such lines at once: from one of them no slider reaches another, since both pass through the king.)
    #[inline(always)]
    fn allowed(&self, square: V, attacks: V, pin_lines: V) -> V {
        let targets = attacks & self.targets;
        let on_line = (targets & pin_lines).only_where(pin_lines.meets(square));
        targets.replaced_where(self.pinned.meets(square), on_line)
    }

    /// The moves of one piece, of which those to some squares are exceptions, and of which the plain ones are returned.
    /// Leaving gives back so many replies that it has `held`.
    #[inline(always)]
    fn piece(&mut self, kind: MoveKind, from: Square, targets: V, delicate_arrivals: V, held: V) -> V {
        let square = targets.width().square(from);
        let stuck = self.exceptions.departures.meets(square);
        let exceptions = (targets & delicate_arrivals).replaced_where(stuck, targets);
        self.list.append_lanes(kind, Origin::Square(from), exceptions);
        let plain = targets ^ exceptions;
        let count = plain.popcount();
        self.moves = self.moves.plus(count);
        self.left =
            self.left.plus(count.times(self.reply_changes.at(square, self.analysis.may_promote).plus(held)));
        self.arrivals.add(plain);
        plain
    }

    /// The king's steps, and castling.
    #[inline(always)]
    fn king<R: Side>(&mut self, from: Square, lanes: V::Mask) {
        let analysis = self.analysis;
        let mover = &analysis.boards.mover;
        let width = mover.all.width();
        let steps =
            width.splat(king(from)).without(mover.all | analysis.attacked_by_replier).only_where(lanes);
        let square = width.square(from);
        let holding = width.splat(king(from)) & self.exceptions.held_once;
        // What gives check attacks the king's square, and would be counted twice if the king captured it.
        let checkers = analysis.boards.replier.all.only_where(analysis.mover_checks.any);
        let rays = &RAYS[from.index()];
        let before_pawn =
            width.splat(rays[0] | rays[1]).only_where(self.reply_changes.before_pawn.meets(square));
        let arrivals = self.exceptions.king_arrivals(holding.occupied()) | checkers | before_pawn;
        self.piece(MoveKind::King, from, steps, arrivals, holding.popcount());

        for rook in analysis.parent.castling().rooks(R::Other::COLOR) {
            let paths = CastlingPaths::of::<R::Other>(from, rook);
            let square = width.square(rook);
            let can_castle = (mover.orthogonals & square.without(self.pinned)).occupied()
                & analysis.boards.occupied().misses(width.splat(paths.must_be_empty))
                & analysis.attacked_by_replier.misses(width.splat(paths.must_be_safe))
                & !analysis.mover_checks.any
                & lanes;
            let target = square.only_where(can_castle);
            self.list.append_lanes(MoveKind::Castling, Origin::Square(from), target);
        }
    }

    /// Pawns, all at once in each direction, but for captures en passant.
    #[inline(always)]
    fn pawns<R: Side>(&mut self) {
        let boards = &self.analysis.boards;
        let (pawns, occupied) = (boards.mover.pawns, boards.occupied());
        let pins = &self.analysis.mover_pins;
        let width = pawns.width();
        let [forward, back] = [<R::Other as Side>::FORWARD, R::FORWARD];

        let held = self.exceptions.departures | self.reply_changes.hit[0] | self.reply_changes.before_pawn;
        let exceptions = self.exceptions.pawn_arrivals();
        let pushed = pawns.without(pins.across(forward)).step(forward).without(occupied);
        let single = pushed & self.targets;
        let double = (pushed & width.splat(<R::Other as Side>::THIRD_RANK)).step(forward).without(occupied)
            & self.targets;

        let last = width.splat(<R::Other as Side>::LAST_RANK);
        let hard = single & (exceptions | held.step(forward) | last);
        self.one_step::<R>(forward, hard);
        let plain_single = single ^ hard;

        let hard = double & (exceptions | held.step(forward).step(forward));
        self.list.append_lanes(MoveKind::DoublePush, Origin::Offset(2 * forward.offset()), hard);
        let plain_double = double ^ hard;
        self.answered_en_passant::<R>(plain_double);

        let [west, east] = <R::Other as Side>::CAPTURES;
        let taken = [self.pawn_captures::<R>(west), self.pawn_captures::<R>(east)];
        // Single and double pushes never arrive on the same square.
        let pushes = plain_single | plain_double;
        self.moves = self.moves.plus(pushes.popcount()).plus(taken[0].popcount()).plus(taken[1].popcount());
        self.arrivals.add_sets(pushes, taken[0], taken[1]);
        let pushed = [plain_single.step(back), plain_double.step(back).step(back)];
        self.pawn_departures.add_sets(pushed[0], pushed[1], taken[0].step(opposite(west)));
        self.pawn_departures.add(taken[1].step(opposite(east)));
    }

    /// Captures by pawns in one direction; the plain ones are returned.
    #[inline(always)]
    fn pawn_captures<R: Side>(&mut self, direction: Direction) -> V {
        let boards = &self.analysis.boards;
        let width = boards.mover.pawns.width();
        let able = boards.mover.pawns.without(self.analysis.mover_pins.across(direction));
        let taken = able.step(direction) & boards.replier.all & self.targets;
        let back = opposite(direction);
        let hit = match direction {
            Direction::NorthEast | Direction::SouthWest => self.reply_changes.hit[2],
            _ => self.reply_changes.hit[3],
        };
        let held = self.exceptions.departures | hit;
        let last = width.splat(<R::Other as Side>::LAST_RANK);
        let hard = taken & (self.exceptions.pawn_arrivals() | held.step(direction) | last);
        let plain = taken ^ hard;
        // A pawn that is captured by a pawn attacks that one too: this reply is counted twice among the missing.
        let mutual = plain & boards.replier.pawns.without(self.analysis.replier_pins.across(back));
        self.left = self.left.plus(mutual.popcount());
        self.one_step::<R>(direction, hard);
        plain
    }

    /// Captures en passant that answer plain double pushes. Seen from the node, where the pawn has not been pushed, only
    /// the capturing pawn leaves a line: so it may capture if its pin lets it.
    #[inline(always)]
    fn answered_en_passant<R: Side>(&mut self, double: V) {
        let (pawns, pins) = (self.analysis.boards.replier.pawns, &self.analysis.replier_pins);
        let [west, east] = R::CAPTURES;
        let from_east = pawns.without(pins.across(west)).step(Direction::West);
        let from_west = pawns.without(pins.across(east)).step(Direction::East);
        self.left = self.left.plus((double & from_east).popcount()).plus((double & from_west).popcount());
    }

    /// Exceptions steps of pawns; on the last rank they promote.
    #[inline(always)]
    fn one_step<R: Side>(&mut self, direction: Direction, targets: V) {
        let last = targets.width().splat(<R::Other as Side>::LAST_RANK);
        let origin = Origin::Offset(direction.offset());
        self.list.append_lanes(MoveKind::Pawn, origin, targets.without(last));
        let promoting = targets & last;
        if V::bits(promoting.occupied()) != 0 {
            for kind in MoveKind::PROMOTIONS {
                self.list.append_lanes(kind, origin, promoting);
            }
        }
    }

    /// The replies to all plain moves: to each as many as if the mover had passed, and what its two squares change.
    #[inline(always)]
    fn total(&self) -> V {
        let reply_changes = &self.reply_changes;
        // High bits are rare, and looking at them is not free.
        let (moved_in, pawns_out) = (&self.arrivals, &self.pawn_departures);
        let balance_of_lost = if reply_changes.lost.exceeds_bits(4) {
            pawns_out.dot(&reply_changes.lost).minus(moved_in.dot(&reply_changes.lost))
        } else {
            let taken = reply_changes.lost.low::<4>();
            pawns_out.dot(&taken).minus(moved_in.dot(&taken))
        };
        let gained = if self.analysis.captures_are_plain || self.analysis.may_promote {
            moved_in.dot(&reply_changes.gained)
        } else {
            // By two pawns at most.
            moved_in.dot(&reply_changes.gained.low::<2>())
        };
        let balance_of_gained = gained.minus(pawns_out.dot(&reply_changes.gained.low::<2>()));
        let unchanged = self.moves.times(self.analysis.replies_to_pass);
        unchanged.plus(self.left).plus(balance_of_lost).plus(balance_of_gained)
    }
}

//! The mover's legal moves in all nodes, sorted into plain moves and exceptions.
//!
//! The exceptions go into a list. The plain moves are only counted: by the squares on which they arrive and by the
//! squares that pawns leave. Plain moves along a line of attack are also listed, for their correction. The sum at the
//! end gives the replies to all plain moves. See the sections "Plain moves with a correction", "Sorting the moves of
//! one piece" and "The sum" of `crates/leaf/README.md`.

use perft_core::internals::attacks::{king, knight};
use perft_core::internals::{CastlingPaths, Direction, Side};
use perft_core::{Bitboard, MAX_MOVES, MoveKind, Position, Square};

use super::analysis::Analysis;
use super::boards::{List, Mover, Replier};
use super::exceptions::Exceptions;
use super::lanes::{DIRECTIONS, Lanes, MAX_LANES, Origin, RAYS, ROOM, Width, count_all};
use super::rays::{Slider, union};
use super::reply_changes::{BitSlicedCounts, PinRelease, ReplyChanges, StepsTally};

/// The list of the exceptions in the nodes of a section.
pub type ExceptionMoves = List<{ MAX_LISTED + MAX_LANES * MAX_MOVES + ROOM }>;

/// A section ends when it has more exceptions than this.
pub const MAX_LISTED: usize = 2048;

/// The list of the moves of a group along lines of attack.
pub type LineMoves = List<{ MAX_LANES * MAX_MOVES + ROOM }>;

/// The lists of moves that are not only counted.
pub struct Lists<'a> {
    pub exceptions: &'a mut ExceptionMoves,
    /// The plain moves along a line on which a slider of the replier attacks the piece.
    pub line_moves: &'a mut LineMoves,
}

/// Divides the mover's moves into plain moves and exceptions. It lists the exceptions, and counts what is needed to
/// compute the number of replies to the plain moves.
pub struct MoveSorter<'a, V: Lanes, const PROMOTES: bool> {
    analysis: &'a Analysis<'a, V>,
    reply_changes: ReplyChanges<V>,
    exceptions: Exceptions<V>,
    pin_release: PinRelease<V>,
    /// The check mask: the squares on which a move of any piece except the king may end.
    targets: V,
    /// The ranks and files on which pinned rooks and queens may move.
    orthogonal_pin_lines: V,
    /// The diagonals on which pinned bishops and queens may move.
    diagonal_pin_lines: V,
    /// The pinned pieces of the mover.
    pinned: V,
    /// The number of plain moves.
    moves: V,
    /// The number of plain moves that arrive on each square.
    arrivals: BitSlicedCounts<V, 5>,
    /// The number of plain moves of pawns that leave each square.
    pawn_departures: BitSlicedCounts<V, 4>,
    /// The replies to plain moves beyond those to a pass, except the part that `arrivals` and `pawn_departures`
    /// represent. These are the reply changes of the squares that other pieces leave, and all corrections.
    extra_replies: V,
    /// The steps of the replier's king that plain moves take away.
    steps_taken: StepsTally<V>,
}

/// Returns the union of those rays from a king that have a pinned piece.
#[inline(always)]
fn pin_lines<V: Lanes>(pinned: V, rays: &[Bitboard]) -> V {
    let mut lines = pinned.width().empty();
    for ray in rays {
        let ray = pinned.width().splat(*ray);
        lines = lines.or_where(pinned.meets(ray), ray);
    }
    lines
}

#[inline(always)]
fn opposite(direction: Direction) -> Direction {
    DIRECTIONS[direction as usize ^ 1]
}

/// The squares that a slider attacks, and the lines that matter for sorting its moves.
struct SliderLines<V> {
    /// The squares that it attacks along ranks and files.
    orthogonals: V,
    /// The squares that it attacks along diagonals.
    diagonals: V,
    /// The rays opposite to those on which it attacks a square of `held_once`. If it moves there, it still holds the
    /// square.
    opposite_rays: V,
    /// The line of the pin, in the lanes in which it pins a piece and the pin release is simple.
    pin_line: V,
}

impl<V: Lanes> SliderLines<V> {
    /// Adds the sets for the four directions of bishops or of rooks. `held` is `held_once`, and `pinned` are the pieces
    /// that this slider may pin.
    #[inline(always)]
    fn add(&mut self, slides: &[V; 4], rays: &[Bitboard], held: V, pinned: V) {
        self.opposite_rays = self.opposite_rays | rays_opposite(slides, rays, held);
        self.pin_line = self.pin_line | lines_to(slides, rays, pinned);
    }
}

/// Returns the rays opposite to those on which the slider attacks one of `squares`.
#[inline(always)]
fn rays_opposite<V: Lanes>(slides: &[V; 4], rays: &[Bitboard], squares: V) -> V {
    let mut opposite = squares.width().empty();
    for (index, slide) in slides.iter().enumerate() {
        opposite = opposite.or_where(slide.meets(squares), squares.width().splat(rays[index ^ 1]));
    }
    opposite
}

/// Returns the lines of a slider on which it attacks one of `squares`.
#[inline(always)]
fn lines_to<V: Lanes>(slides: &[V; 4], rays: &[Bitboard], squares: V) -> V {
    let width = squares.width();
    let first = width.splat(rays[0] | rays[1]).only_where((slides[0] | slides[1]).meets(squares));
    first.or_where((slides[2] | slides[3]).meets(squares), width.splat(rays[2] | rays[3]))
}

/// Returns those of two lines through a square on which a slider of the replier attacks the square.
///
/// `attacked_along` has a set of attacked squares for each of the two lines, and `rays` has the four rays along them. A
/// plain move along such a line needs a correction, because the reply changes of its two squares depend on each other.
#[inline(always)]
fn lines_of_attack<V: Lanes>(attacked_along: &[V], rays: &[Bitboard], square: V) -> V {
    let width = square.width();
    let first = width.splat(rays[0] | rays[1]).only_where(attacked_along[0].meets(square));
    first.or_where(attacked_along[1].meets(square), width.splat(rays[2] | rays[3]))
}

impl<'a, V: Lanes, const PROMOTES: bool> MoveSorter<'a, V, PROMOTES> {
    #[inline(always)]
    pub fn new(analysis: &'a Analysis<'a, V>) -> Self {
        let mover = &analysis.boards.mover;
        let width = mover.all.width();
        let pinned = analysis.mover_pins.all();
        let rays = &RAYS[analysis.family.king(Mover::COLOR).index()];
        let mut exceptions = Exceptions::of(analysis);
        let pin_release = PinRelease::of(analysis, exceptions.pinners);
        exceptions.departures = exceptions.departures | exceptions.pinners.without(pin_release.pinners);
        let mut reply_changes = ReplyChanges::of(analysis);
        reply_changes.add_holding_pawns(analysis, exceptions.held_once);
        MoveSorter {
            analysis,
            reply_changes,
            exceptions,
            pin_release,
            targets: analysis.mover_checks.mask.without(mover.all),
            orthogonal_pin_lines: pin_lines(pinned, &rays[..4]),
            diagonal_pin_lines: pin_lines(pinned, &rays[4..]),
            pinned,
            moves: width.empty(),
            arrivals: BitSlicedCounts::zero(width),
            pawn_departures: BitSlicedCounts::zero(width),
            extra_replies: width.empty(),
            steps_taken: StepsTally::zero(width),
        }
    }

    /// Returns the number of replies to all plain moves in each of these lanes, and adds moves to the lists.
    ///
    /// En passant captures by the mover are not included. They are exceptions, and the caller lists them.
    #[inline(always)]
    pub fn sort(&mut self, lanes: V::Mask, lists: &mut Lists) -> V {
        self.targets = self.targets.only_where(lanes);
        self.sort_pieces(lists, self.analysis.family);
        self.sort_king(lists, self.analysis.family.king(Mover::COLOR), lanes);
        self.sort_pawns(lists);
        self.sum()
    }

    /// Sorts the moves of knights and sliders. These pieces are on the squares of the family, unless they were
    /// captured.
    #[inline(always)]
    fn sort_pieces(&mut self, lists: &mut Lists, family: &Position) {
        let army = family.army(Mover::COLOR);
        let width = self.targets.width();
        let mover = self.analysis.boards.mover;
        for from in army.knights {
            let square = width.square(from);
            let can_move = mover.knights.meets(square) & self.pinned.misses(square);
            let attacks = width.splat(knight(from));
            let targets = (attacks & self.targets).only_where(can_move);
            let held = attacks & self.exceptions.held_once;
            let arrivals = self
                .exceptions
                .knight_arrivals(held.non_empty())
                .or_where(self.exceptions.prevents_castling(attacks), !width.empty());
            let plain = self.sort_piece(lists, MoveKind::Knight, from, targets, arrivals, held.popcount());
            let taken = &self.exceptions.steps_taken;
            self.steps_taken.add(&taken.knights, taken.planes, plain);
        }
        for from in army.diagonals | army.orthogonals {
            let (is_diagonal, is_orthogonal) =
                (army.diagonals.contains(from), army.orthogonals.contains(from));
            self.sort_slider(lists, from, Slider { is_diagonal, is_orthogonal });
        }
    }

    #[inline(always)]
    fn sort_slider(&mut self, lists: &mut Lists, from: Square, slider: Slider) {
        let square = self.targets.width().square(from);
        let nothing = square.width().empty();
        let (pinned, pins) = (self.analysis.replier_pins.all(), self.pin_release.pinners.meets(square));
        let lines = self.slider_lines(from, slider, pinned.only_where(pins));
        let attacks = lines.diagonals | lines.orthogonals;
        // The nodes have the mover's pieces in common, so many sliders are shut in in all of them.
        if !V::any(attacks.meets(self.targets)) {
            return;
        }
        let held = attacks & self.exceptions.held_once;
        let arrivals = lines.opposite_rays | self.exceptions.slider_arrivals(slider, held.non_empty());
        let prevents_castling = self.exceptions.prevents_castling(attacks);
        // A plain move of a pinning slider off the pin line captures nothing, and does not block the released piece. On
        // the line, it does not capture the pinned piece.
        let replier = &self.analysis.boards.replier;
        let arrivals_of_pinner = (self.pin_release.ways | replier.all).without(lines.pin_line) | pinned;
        let arrivals = arrivals
            .or_where(prevents_castling, !nothing)
            .or_where(!pins, self.exceptions.pin_lines)
            .or_where(pins, arrivals_of_pinner);
        let (held, released) = (held.popcount(), self.pin_release.released.only_where(pins));
        let planes = self.exceptions.steps_taken.planes;
        let steps_taken = *self.exceptions.steps_taken.of_slider(slider);
        if slider.is_diagonal {
            let plain = self.sort_slides(lists, MoveKind::Diagonal, from, lines.diagonals, arrivals, held);
            self.steps_taken.add(&steps_taken, planes, plain);
            self.add_released(plain.without(lines.pin_line), released);
        }
        if slider.is_orthogonal {
            let plain =
                self.sort_slides(lists, MoveKind::Orthogonal, from, lines.orthogonals, arrivals, held);
            self.steps_taken.add(&steps_taken, planes, plain);
            self.add_released(plain.without(lines.pin_line), released);
        }
    }

    /// `pinned` are the pieces that the slider may pin.
    #[inline(always)]
    fn slider_lines(&self, from: Square, slider: Slider, pinned: V) -> SliderLines<V> {
        let blockers = &self.analysis.blockers;
        let square = pinned.width().square(from);
        let nothing = square.width().empty();
        let (rays, held) = (&RAYS[from.index()], self.exceptions.held_once);
        /// Returns the squares that the slider attacks in these directions.
        macro_rules! slides {
            ($($direction:literal)*) => {
                [$(square.slide_on::<$direction>(square.width().splat(V::ray::<$direction>(from)), blockers)),*]
            };
        }
        let mut lines = SliderLines {
            orthogonals: nothing,
            diagonals: nothing,
            opposite_rays: nothing,
            pin_line: nothing,
        };
        if slider.is_diagonal {
            let slides = slides!(4 5 6 7);
            lines.diagonals = union(&slides);
            lines.add(&slides, &rays[4..], held, pinned);
        }
        if slider.is_orthogonal {
            let slides = slides!(0 1 2 3);
            lines.orthogonals = union(&slides);
            lines.add(&slides, &rays[..4], held, pinned);
        }
        lines
    }

    /// Sorts the diagonal or orthogonal moves of a slider, and returns the targets of the plain ones.
    #[inline(always)]
    fn sort_slides(
        &mut self,
        lists: &mut Lists,
        kind: MoveKind,
        from: Square,
        attacks: V,
        arrivals: V,
        held: V,
    ) -> V {
        let (changes, mover) = (&self.reply_changes, &self.analysis.boards.mover);
        let (square, rays) = (attacks.width().square(from), &RAYS[from.index()]);
        let (sliders, pin_lines, arrivals, lines) = if kind == MoveKind::Diagonal {
            // If a pawn attacks this piece, the piece also attacks that pawn. If it captures the pawn, one reply would
            // be subtracted twice.
            let is_attacked_by_pawn = changes.attacked_by_pawns.meets(square);
            let pawns = self.analysis.boards.replier.pawns.only_where(is_attacked_by_pawn);
            let lines = lines_of_attack(&changes.attacked_along[2..], &rays[4..], square);
            (mover.diagonals, self.diagonal_pin_lines, arrivals | pawns, lines)
        } else {
            let lines = lines_of_attack(&changes.attacked_along[..2], &rays[..4], square);
            (mover.orthogonals, self.orthogonal_pin_lines, arrivals | self.pushes_on_file(from), lines)
        };
        let targets = self.legal_targets(square, attacks, pin_lines).only_where(sliders.meets(square));
        let plain = self.sort_piece(lists, kind, from, targets, arrivals, held);
        lists.line_moves.append_lanes(kind, Origin::Square(from), plain & lines);
        plain
    }

    /// Returns the pawns of the replier on the file of a square and the squares of their pushes, in the lanes in which
    /// the piece on the square blocks a push. A move of this piece to one of them is an exception, because the reply
    /// changes of its two squares depend on each other.
    #[inline(always)]
    fn pushes_on_file(&self, from: Square) -> V {
        let width = self.targets.width();
        let rays = &RAYS[from.index()];
        let blocks = self.reply_changes.push_blockers.meets(width.square(from));
        (width.splat(rays[0] | rays[1]) & self.reply_changes.push_squares).only_where(blocks)
    }

    /// Returns the legal targets of the slider on this square.
    ///
    /// A pinned slider keeps the targets on `pin_lines`, the pin lines along which it slides. One set for all of these
    /// lines is enough. They meet only in the king, so a slider on one line cannot reach another.
    #[inline(always)]
    fn legal_targets(&self, square: V, attacks: V, pin_lines: V) -> V {
        let targets = attacks & self.targets;
        let on_line = (targets & pin_lines).only_where(pin_lines.meets(square));
        targets.replaced_where(self.pinned.meets(square), on_line)
    }

    /// Adds the correction for pin release, for each plain move that leaves the pin line.
    #[inline(always)]
    fn add_released(&mut self, targets: V, released: V) {
        self.extra_replies = self.extra_replies.plus(targets.popcount().times(released));
    }

    /// Sorts the moves of one piece to `targets`, and returns the targets of the plain ones.
    ///
    /// A move to one of `arrivals` is an exception. `held` is the number of squares of `held_once` that the piece
    /// attacks. Each plain move has that many additional replies.
    #[inline(always)]
    fn sort_piece(
        &mut self,
        lists: &mut Lists,
        kind: MoveKind,
        from: Square,
        targets: V,
        arrivals: V,
        held: V,
    ) -> V {
        let square = targets.width().square(from);
        let is_departure = self.exceptions.departures.meets(square);
        let exceptions = (targets & arrivals).replaced_where(is_departure, targets);
        lists.exceptions.append_lanes(kind, Origin::Square(from), exceptions);
        let plain = targets ^ exceptions;
        let count = plain.popcount();
        self.moves = self.moves.plus(count);
        let change = self.reply_changes.at(square, self.analysis.may_promote).plus(held);
        self.extra_replies = self.extra_replies.plus(count.times(change));
        self.arrivals.add(plain);
        plain
    }

    /// Sorts the king's steps, and lists castling.
    #[inline(always)]
    fn sort_king(&mut self, lists: &mut Lists, from: Square, lanes: V::Mask) {
        let analysis = self.analysis;
        let mover = &analysis.boards.mover;
        let width = mover.all.width();
        let steps =
            width.splat(king(from)).without(mover.all | analysis.attacked_by_replier).only_where(lanes);
        let held = width.splat(king(from)) & self.exceptions.held_once;
        // A checker attacks the king's square. If the king captures it, this reply would be subtracted twice.
        let captures_in_check = analysis.boards.replier.all.only_where(analysis.mover_checks.any);
        let arrivals =
            self.exceptions.king_arrivals(held.non_empty()) | captures_in_check | self.pushes_on_file(from);
        self.sort_piece(lists, MoveKind::King, from, steps, arrivals, held.popcount());

        for rook in analysis.family.castling().rooks(Mover::COLOR) {
            let paths = CastlingPaths::of::<Mover>(from, rook);
            let square = width.square(rook);
            let can_castle = (mover.orthogonals & square.without(self.pinned)).non_empty()
                & analysis.boards.occupied().misses(width.splat(paths.must_be_empty))
                & analysis.attacked_by_replier.misses(width.splat(paths.must_be_safe))
                & !analysis.mover_checks.any
                & lanes;
            let target = square.only_where(can_castle);
            lists.exceptions.append_lanes(MoveKind::Castling, Origin::Square(from), target);
        }
    }

    /// Sorts the moves of all pawns, one direction at a time. En passant captures are exceptions and are listed
    /// elsewhere.
    #[inline(always)]
    fn sort_pawns(&mut self, lists: &mut Lists) {
        let [single, double] = self.sort_pushes(lists);
        let [west, east] = Mover::CAPTURES;
        let captures = [self.sort_pawn_captures(lists, west), self.sort_pawn_captures(lists, east)];
        // A single push and a double push never arrive on the same square.
        let pushes = single | double;
        self.moves = self.moves.plus(count_all([pushes, captures[0], captures[1]]));
        let taken = &self.exceptions.steps_taken;
        self.steps_taken.add(&taken.pawns, taken.planes, pushes | captures[0]);
        self.steps_taken.add(&taken.pawns, taken.planes, captures[1]);
        self.arrivals.add_three_sets(pushes, captures[0], captures[1]);
        let back = Replier::FORWARD;
        let [single, double] = [single.step(back), double.step(back).step(back)];
        self.pawn_departures.add_three_sets(single, double, captures[0].step(opposite(west)));
        self.pawn_departures.add(captures[1].step(opposite(east)));
    }

    /// Sorts the pushes of pawns, and returns the targets of the plain single and of the plain double pushes, without
    /// promotions.
    #[inline(always)]
    fn sort_pushes(&mut self, lists: &mut Lists) -> [V; 2] {
        let boards = &self.analysis.boards;
        let (pawns, occupied) = (boards.mover.pawns, boards.occupied());
        let width = pawns.width();
        let forward = Mover::FORWARD;

        // A pawn that blocks a push moves along the file of that push.
        let departures = self.exceptions.departures | self.reply_changes.push_blockers;
        let attacked = self.reply_changes.attacked_along[0].step(forward);
        let arrivals = self.exceptions.pawn_arrivals();
        let pushed = pawns.without(self.analysis.mover_pins.across(forward)).step(forward).without(occupied);
        let single = pushed & self.targets;
        let double = (pushed & width.splat(Mover::THIRD_RANK)).step(forward).without(occupied) & self.targets;

        let single = self.sort_promotions(lists, forward, single, departures.step(forward), attacked);
        let exceptions = single & (arrivals | departures.step(forward));
        let plain_single = single ^ exceptions;
        let origin = Origin::Offset(forward.offset());
        lists.exceptions.append_lanes(MoveKind::Pawn, origin, exceptions);
        lists.line_moves.append_lanes(MoveKind::Pawn, origin, plain_single & attacked);

        let exceptions = double & (arrivals | departures.step(forward).step(forward));
        let plain_double = double ^ exceptions;
        let origin = Origin::Offset(2 * forward.offset());
        lists.exceptions.append_lanes(MoveKind::DoublePush, origin, exceptions);
        lists.line_moves.append_lanes(MoveKind::DoublePush, origin, plain_double & attacked.step(forward));
        self.add_en_passant_replies(plain_double);
        [plain_single, plain_double]
    }

    /// Sorts the captures by pawns in one direction, and returns the targets of the plain ones, without promotions.
    #[inline(always)]
    fn sort_pawn_captures(&mut self, lists: &mut Lists, direction: Direction) -> V {
        let boards = &self.analysis.boards;
        let can_move = boards.mover.pawns.without(self.analysis.mover_pins.across(direction));
        let captures = can_move.step(direction) & boards.replier.all & self.targets;
        let back = opposite(direction);
        let attacked_along = match direction {
            Direction::NorthEast | Direction::SouthWest => self.reply_changes.attacked_along[2],
            _ => self.reply_changes.attacked_along[3],
        };
        let departures = self.exceptions.departures.step(direction);
        let attacked = attacked_along.step(direction);
        let captures = self.sort_promotions(lists, direction, captures, departures, attacked);
        let exceptions = captures & (self.exceptions.pawn_arrivals() | departures);
        let plain = captures ^ exceptions;
        // A captured pawn could have captured the capturing pawn. This one reply is subtracted twice: by `gained` of
        // the `from` square and by `lost` of the `to` square.
        let pawns_captured = plain & boards.replier.pawns.without(self.analysis.replier_pins.across(back));
        self.extra_replies = self.extra_replies.plus(pawns_captured.popcount());
        let origin = Origin::Offset(direction.offset());
        lists.exceptions.append_lanes(MoveKind::Pawn, origin, exceptions);
        lists.line_moves.append_lanes(MoveKind::Pawn, origin, plain & attacked);
        plain
    }

    /// Sorts the promotions among the moves of pawns in one direction to `targets`, and returns the other targets.
    ///
    /// A promoted pawn arrives as a knight, bishop, rook or queen, so the arrival sets of these pieces apply.
    /// `departures` are the targets of pawns whose moves are all exceptions. `attacked` are the targets of pawns that a
    /// slider attacks along the line of the move.
    #[inline(always)]
    fn sort_promotions(
        &mut self,
        lists: &mut Lists,
        direction: Direction,
        targets: V,
        departures: V,
        attacked: V,
    ) -> V {
        if !PROMOTES {
            return targets;
        }
        let width = targets.width();
        let promoting = targets & width.splat(Mover::LAST_RANK);
        if !V::any(promoting.non_empty()) {
            return targets;
        }
        if !V::Width::PLAIN_PROMOTIONS {
            for kind in MoveKind::PROMOTIONS {
                lists.exceptions.append_lanes(kind, Origin::Offset(direction.offset()), promoting);
            }
            return targets ^ promoting;
        }
        let nowhere = width.first_lanes(0);
        let steps_taken = &self.exceptions.steps_taken;
        let (back, seen, sees_back) = match direction {
            Direction::North | Direction::South => {
                let seen = self.exceptions.slider_arrivals(Slider::ROOK, nowhere);
                (Replier::FORWARD, seen | steps_taken.orthogonals.any(), MoveKind::PromoteRook)
            }
            _ => {
                let seen = self.exceptions.slider_arrivals(Slider::BISHOP, nowhere);
                (opposite(direction), seen | steps_taken.diagonals.any(), MoveKind::PromoteBishop)
            }
        };
        // The new piece may hold a square that only the pawn held. It may also attack through the square that the pawn
        // leaves.
        let [west, east] = Replier::CAPTURES;
        let held = self.exceptions.held_once;
        let departures = departures | (held.step(west) | held.step(east)).step(direction);
        let through = (seen & self.analysis.boards.mover.pawns).step(direction);
        for kind in MoveKind::PROMOTIONS {
            let exceptions = &self.exceptions;
            let slider = match kind {
                MoveKind::PromoteBishop => Slider::BISHOP,
                MoveKind::PromoteRook => Slider::ROOK,
                _ => Slider::QUEEN,
            };
            let (arrivals, steps_taken) = match kind {
                MoveKind::PromoteKnight => {
                    (exceptions.knight_arrivals(nowhere), &exceptions.steps_taken.knights)
                }
                _ => (exceptions.slider_arrivals(slider, nowhere), exceptions.steps_taken.of_slider(slider)),
            };
            let mut listed = promoting & (arrivals | exceptions.pin_lines | departures);
            if kind == sees_back || kind == MoveKind::PromoteQueen {
                listed = listed | (promoting & through);
            }
            let plain = promoting ^ listed;
            self.steps_taken.add(steps_taken, self.exceptions.steps_taken.planes, plain);
            let origin = Origin::Offset(direction.offset());
            lists.exceptions.append_lanes(kind, origin, listed);
            lists.line_moves.append_lanes(kind, origin, plain & attacked);
            self.moves = self.moves.plus(plain.popcount());
            self.arrivals.add(plain);
            self.pawn_departures.add(plain.step(back));
        }
        targets ^ promoting
    }

    /// Adds the en passant captures that answer plain double pushes.
    ///
    /// The capture is legal if and only if the capturing pawn is not pinned across it. The pushed pawn opens no line to
    /// the king by leaving its starting square, because otherwise the push would be an exception.
    #[inline(always)]
    fn add_en_passant_replies(&mut self, double: V) {
        let (pawns, pins) = (self.analysis.boards.replier.pawns, &self.analysis.replier_pins);
        let [west, east] = Replier::CAPTURES;
        // A pawn that captures towards the west is one file east of the pushed pawn, and vice versa.
        let from_east = pawns.without(pins.across(west)).step(Direction::West);
        let from_west = pawns.without(pins.across(east)).step(Direction::East);
        self.extra_replies = self.extra_replies.plus(count_all([double & from_east, double & from_west]));
    }

    /// Returns the number of replies to all plain moves, in each lane.
    ///
    /// Each plain move has as many replies as a pass, plus the changes of its two squares, plus the corrections. Bit
    /// planes that are known to be empty are left out. The high planes of `lost` are used only if a lane needs them.
    #[inline(always)]
    fn sum(&self) -> V {
        let ReplyChanges { lost, gained, .. } = &self.reply_changes;
        let (arrivals, pawn_departures) = (&self.arrivals, &self.pawn_departures);
        let change_by_lost = if lost.exceeds_bits(4) {
            pawn_departures.dot(lost).minus(arrivals.dot(lost))
        } else {
            let lost = lost.low::<4>();
            pawn_departures.dot(&lost).minus(arrivals.dot(&lost))
        };
        let gained_by_arrivals = if self.analysis.captures_are_plain || self.analysis.may_promote {
            arrivals.dot(gained)
        } else {
            // At most two pawns gain a capture on an empty square, so two planes of `gained` are enough.
            arrivals.dot(&gained.low::<2>())
        };
        let change_by_gained = gained_by_arrivals.minus(pawn_departures.dot(&gained.low::<2>()));
        let replies_to_passes = self.moves.times(self.analysis.replies_to_pass);
        let replies = replies_to_passes.plus(self.extra_replies).plus(change_by_lost).plus(change_by_gained);
        replies.minus(self.steps_taken.total())
    }
}

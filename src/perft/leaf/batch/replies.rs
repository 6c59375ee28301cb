//! Counting the replies in every lane: checks and pins, attacked squares, targets, and the count by kind of piece.

use super::boards::{Armies, Boards};
use super::lanes::{DIRECTIONS, Lanes, Width, entered_by};
use crate::chess::attacks::{self, sliders::ray};
use crate::chess::position::Position;
use crate::chess::types::{Bitboard, Color, Direction, File, Side, Square, Wing};
use crate::movegen::CastlingPaths;

/// What is alike in all lanes, since the replying side has not moved, and what can be left out for all of them.
pub struct Common {
    /// The king of the replying side.
    king: Square,
    /// The rooks of the replying side that have the right to castle, unless they are captured.
    castling_rooks: Bitboard,
    /// The directions from the king in which a slider of the mover may stand; a bit each.
    checking: u8,
    /// The directions in which a slider of the mover may attack a square that matters; a bit each.
    attacking: u8,
    mover_has_knights: bool,
    kings_may_meet: bool,
    replier_has_pawns: bool,
    replier_pawn_may_promote: bool,
    replier_knights: Bitboard,
    replier_has_diagonals: bool,
    replier_has_straights: bool,
}

/// Where the sliders of the mover, and its king, may stand in any of the children.
pub struct Reach {
    /// Bishops and queens.
    pub diagonals: Bitboard,
    /// Rooks and queens.
    pub straights: Bitboard,
    /// The king.
    pub king: Bitboard,
    /// Where anything may have been captured.
    pub targets: Bitboard,
    /// True if there may be a knight.
    pub has_knights: bool,
}

impl Common {
    /// Of the children of a node, in which `S` is the side that will reply.
    #[inline(always)]
    pub fn new<S: Side>(width: impl Width, parent: &Position, reach: &Reach) -> Common {
        let replier = parent.army(S::COLOR);
        let king = parent.king(S::COLOR);
        let near_king = around(reach.king | around(reach.king));
        let mut attacking = width.meeting(&CONES[king.index()], reach.straights, reach.diagonals);
        // Castling is out of the question where a man of the replier that no move captures stands in the way.
        let staying = replier.all & !reach.targets;
        let mut castling_rooks = Bitboard::EMPTY;
        for rook in parent.castling().rooks(S::COLOR) {
            if (CastlingPaths::of::<S>(king, rook).must_be_empty & staying).is_empty() {
                let cones = &CASTLING_CONES[S::COLOR.index()][king.file().index()][rook.file().index()];
                attacking |= width.meeting(cones, reach.straights, reach.diagonals);
                castling_rooks |= rook.into();
            }
        }
        Common {
            king,
            castling_rooks,
            checking: width.meeting(&RAYS[king.index()], reach.straights, reach.diagonals),
            attacking,
            mover_has_knights: reach.has_knights,
            kings_may_meet: (near_king & attacks::king(king)).any() || castling_rooks.any(),
            replier_has_pawns: replier.pawns.any(),
            replier_pawn_may_promote: (replier.pawns & S::SEVENTH_RANK).any(),
            replier_knights: replier.knights,
            replier_has_diagonals: replier.diagonals.any(),
            replier_has_straights: replier.straights.any(),
        }
    }

    /// True if a slider of the mover may attack a square that matters in one of these directions.
    #[inline(always)]
    fn attacks_along(&self, directions: u8) -> bool {
        self.attacking & directions != 0
    }
}

/// North and south.
const VERTICAL: u8 = 0b0000_0011;

/// East and west.
const HORIZONTAL: u8 = 0b0000_1100;

/// A set and the squares around it.
#[inline(always)]
fn around(set: Bitboard) -> Bitboard {
    let row = set | set.step(Direction::West) | set.step(Direction::East);
    row | row.step(Direction::North) | row.step(Direction::South)
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

/// By the king's square and a direction: from where a slider that moves in this direction attacks a square beside the
/// king.
static CONES: [[Bitboard; 8]; 64] = {
    let mut table = [[Bitboard::EMPTY; 8]; 64];
    let mut index = 0;
    while index < 64 {
        let king = Square::ALL[index];
        let mut step = 0;
        while step < 8 {
            if let Some(square) = DIRECTIONS[step].step(king) {
                add_cones(&mut table[index], square);
            }
            step += 1;
        }
        index += 1;
    }
    table
};

/// By the colour and the files of king and rook: from where a slider attacks a square that castling must have safe.
static CASTLING_CONES: [[[[Bitboard; 8]; 8]; 8]; 2] = {
    let mut table = [[[[Bitboard::EMPTY; 8]; 8]; 8]; 2];
    let mut index = 0;
    while index < 2 * 64 {
        let (color, king, rook) = (index / 64, index / 8 % 8, index % 8);
        let paths = CastlingPaths::between(Color::ALL[color], File::ALL[king], File::ALL[rook]);
        let mut square = 0;
        while square < 64 {
            if paths.must_be_safe.contains(Square::ALL[square]) {
                add_cones(&mut table[color][king][rook], Square::ALL[square]);
            }
            square += 1;
        }
        index += 1;
    }
    table
};

/// Adds, for each direction, the squares from which a slider that moves in it reaches this square.
const fn add_cones(cones: &mut [Bitboard; 8], square: Square) {
    let mut direction = 0;
    while direction < 8 {
        let back = ray(square, DIRECTIONS[direction ^ 1], Bitboard::EMPTY);
        cones[direction] = Bitboard::from_bits(cones[direction].bits() | back.bits());
        direction += 1;
    }
}

/// What checks and pins leave the replying side, in every lane.
struct ChecksAndPins<V: Lanes> {
    checkers: V,
    in_check: V::Mask,
    check_mask: V,
    vertical: V,
    horizontal: V,
    /// Pinned on a diagonal that rises to the right.
    rising: V,
    /// Pinned on a diagonal that falls to the right.
    falling: V,
    /// Squares that a checking slider attacks behind the king.
    behind_king: V,
}

/// The number of replies in every lane, but for captures en passant.
#[inline(always)]
pub fn replies<S: Side, V: Lanes>(boards: &Boards<V>, common: &Common) -> V {
    let occupied = boards.mover.all | boards.replier.all;
    let found = checks_and_pins::<S, V>(boards, common, occupied);
    let targets = found.check_mask.without(boards.replier.all);

    let mut attacked = leaper_attacks::<S, V>(boards, common) | found.behind_king;
    let mut count = knight_moves(&boards.replier, common, &found, targets);
    slide_straight(boards, common, &found, targets, &mut attacked, &mut count);
    let diagonals = Diagonals::new(boards, &found, targets);
    diagonals.slide::<4>(common, &mut attacked, &mut count);
    diagonals.slide::<5>(common, &mut attacked, &mut count);
    diagonals.slide::<6>(common, &mut attacked, &mut count);
    diagonals.slide::<7>(common, &mut attacked, &mut count);
    if common.replier_has_pawns {
        count = count.plus(pawn_moves::<S, V>(boards, common, &found, occupied));
    }
    count = count.plus(king_steps(boards, common, attacked));
    castling::<S, V>(boards, common, &found, occupied, attacked, count)
}

/// Looks outward from the king: leapers that attack it, and on each ray the first and the second piece.
#[inline(always)]
fn checks_and_pins<S: Side, V: Lanes>(boards: &Boards<V>, common: &Common, occupied: V) -> ChecksAndPins<V> {
    let width = occupied.width();
    let (king, mover) = (common.king, &boards.mover);
    let leapers = (mover.knights & width.splat(attacks::knight(king)))
        | (mover.pawns & width.splat(attacks::pawn(S::COLOR, king)));
    let mut found = ChecksAndPins {
        checkers: leapers,
        in_check: width.first(0),
        check_mask: leapers,
        vertical: width.empty(),
        horizontal: width.empty(),
        rising: width.empty(),
        falling: width.empty(),
        behind_king: width.empty(),
    };
    found.look_along::<0>(boards, common, occupied);
    found.look_along::<1>(boards, common, occupied);
    found.look_along::<2>(boards, common, occupied);
    found.look_along::<3>(boards, common, occupied);
    found.look_along::<4>(boards, common, occupied);
    found.look_along::<5>(boards, common, occupied);
    found.look_along::<6>(boards, common, occupied);
    found.look_along::<7>(boards, common, occupied);
    let checkers = found.checkers;
    found.in_check = checkers.meets(checkers);
    let one = width.splat(Bitboard::from_bits(1));
    let in_double_check = checkers.meets(checkers.minus(one));
    found.check_mask = found
        .check_mask
        .replaced_where(in_double_check, width.empty())
        .replaced_where(!found.in_check, width.splat(Bitboard::FULL));
    found
}

impl<V: Lanes> ChecksAndPins<V> {
    /// Looks from the king in one direction, if a slider can stand there: the first piece on the ray may give check;
    /// if it is one of ours, the second may pin it.
    #[inline(always)]
    fn look_along<const DIRECTION: usize>(&mut self, boards: &Boards<V>, common: &Common, occupied: V) {
        if common.checking & 1 << DIRECTION == 0 {
            return;
        }
        let width = occupied.width();
        let sliders = if DIRECTION < 4 { boards.mover.straights } else { boards.mover.diagonals };
        let line = width.splat(RAYS[common.king.index()][DIRECTION]);
        let on_ray = occupied & line;
        let first = nearest::<DIRECTION, V>(on_ray);
        let second = nearest::<DIRECTION, V>(on_ray ^ first);

        self.checkers = self.checkers | (first & sliders);
        let checks = first.meets(sliders);
        self.check_mask = self.check_mask.or_where(checks, up_to::<DIRECTION, V>(first) & line);
        let behind = Bitboard::from(common.king).step(DIRECTIONS[DIRECTION ^ 1]);
        self.behind_king = self.behind_king.or_where(checks, width.splat(behind));

        let pins = second.meets(sliders) & first.meets(boards.replier.all);
        let pinned = match DIRECTION {
            0 | 1 => &mut self.vertical,
            2 | 3 => &mut self.horizontal,
            4 | 5 => &mut self.rising,
            _ => &mut self.falling,
        };
        *pinned = pinned.or_where(pins, first);
    }
}

/// The square of a set on a ray that is nearest to where the ray begins.
#[inline(always)]
fn nearest<const DIRECTION: usize, V: Lanes>(on_ray: V) -> V {
    if DIRECTIONS[DIRECTION].offset() > 0 { on_ray.lowest() } else { on_ray.highest() }
}

/// All squares from the beginning of a ray's half of the board up to this one.
#[inline(always)]
fn up_to<const DIRECTION: usize, V: Lanes>(square: V) -> V {
    let width = square.width();
    if DIRECTIONS[DIRECTION].offset() > 0 {
        square | square.minus(width.splat(Bitboard::from_bits(1)))
    } else {
        width.empty().minus(square)
    }
}

/// The squares that pawns, knights and king of the mover attack, as far as they matter.
#[inline(always)]
fn leaper_attacks<S: Side, V: Lanes>(boards: &Boards<V>, common: &Common) -> V {
    let mover = &boards.mover;
    let [west, east] = <S::Other as Side>::CAPTURES;
    let mut attacked = mover.pawns.step(west) | mover.pawns.step(east);
    if common.mover_has_knights {
        attacked = attacked | knight_attacks(mover.knights);
    }
    if common.kings_may_meet {
        let king = boards.mover_king;
        let row = king | king.step(Direction::West) | king.step(Direction::East);
        attacked = attacked | row | row.step(Direction::North) | row.step(Direction::South);
    }
    attacked
}

/// All knights at once: two files aside and one rank, one file aside and two ranks.
#[inline(always)]
fn knight_attacks<V: Lanes>(knights: V) -> V {
    let (west, east) = (knights.step(Direction::West), knights.step(Direction::East));
    let one_aside = west | east;
    let two_aside = west.step(Direction::West) | east.step(Direction::East);
    (one_aside.shifted(16) | one_aside.shifted(-16)) | (two_aside.shifted(8) | two_aside.shifted(-8))
}

/// Ranks and files, of both sides: what the mover attacks as far as it matters, and the replier's moves.
#[inline(always)]
fn slide_straight<V: Lanes>(
    boards: &Boards<V>,
    common: &Common,
    found: &ChecksAndPins<V>,
    targets: V,
    attacked: &mut V,
    count: &mut V,
) {
    let (vertical, horizontal) = (common.attacks_along(VERTICAL), common.attacks_along(HORIZONTAL));
    if !(vertical || horizontal || common.replier_has_straights) {
        return;
    }
    let blockers = (boards.mover.all | boards.replier.all).blockers();
    if vertical || horizontal {
        *attacked = *attacked | boards.mover.straights.straight_attacks(blockers, vertical, horizontal);
    }
    if common.replier_has_straights {
        let rooks = boards.replier.straights.without(found.rising | found.falling);
        let (on_files, on_ranks) = (rooks.without(found.horizontal), rooks.without(found.vertical));
        *count = count.plus(V::straight_moves(on_files, on_ranks, blockers, targets));
    }
}

/// Diagonal sliders of both sides. One of the replier that is pinned on a diagonal still moves along it.
struct Diagonals<V> {
    empty: V,
    targets: V,
    mover: V,
    on_rising: V,
    on_falling: V,
}

impl<V: Lanes> Diagonals<V> {
    #[inline(always)]
    fn new(boards: &Boards<V>, found: &ChecksAndPins<V>, targets: V) -> Diagonals<V> {
        let free = boards.replier.diagonals.without(found.vertical | found.horizontal);
        Diagonals {
            empty: !(boards.mover.all | boards.replier.all),
            targets,
            mover: boards.mover.diagonals,
            on_rising: free.without(found.falling),
            on_falling: free.without(found.rising),
        }
    }

    /// One direction: what the mover attacks if it matters, and the replier's moves.
    #[inline(always)]
    fn slide<const DIRECTION: usize>(&self, common: &Common, attacked: &mut V, count: &mut V) {
        let attacks = common.attacks_along(1 << DIRECTION);
        if !(attacks || common.replier_has_diagonals) {
            return;
        }
        let fill = Fill::new(self.empty, DIRECTIONS[DIRECTION]);
        if attacks {
            *attacked = *attacked | fill.attacks(self.mover);
        }
        if common.replier_has_diagonals {
            let sliders = if DIRECTION < 6 { self.on_rising } else { self.on_falling };
            *count = count.plus((fill.attacks(sliders) & self.targets).popcount());
        }
    }
}

/// Sliding in one direction over empty squares, by doubling steps. (Chess Programming Wiki, "Kogge-Stone Algorithm".)
struct Fill<V> {
    direction: Direction,
    one: V,
    two: V,
    four: V,
}

impl<V: Lanes> Fill<V> {
    /// Which squares can be passed in one, two and four steps.
    #[inline(always)]
    fn new(empty: V, direction: Direction) -> Fill<V> {
        let places = direction.offset();
        let one = empty & empty.width().splat(entered_by(direction));
        let two = one & one.shifted(places);
        let four = two & two.shifted(2 * places);
        Fill { direction, one, two, four }
    }

    /// The squares that these sliders attack, the first occupied one included.
    #[inline(always)]
    fn attacks(&self, sliders: V) -> V {
        let places = self.direction.offset();
        let filled = sliders | (self.one & sliders.shifted(places));
        let filled = filled | (self.two & filled.shifted(2 * places));
        let filled = filled | (self.four & filled.shifted(4 * places));
        filled.step(self.direction)
    }
}

#[inline(always)]
fn king_steps<V: Lanes>(boards: &Boards<V>, common: &Common, attacked: V) -> V {
    let steps = attacked.width().splat(attacks::king(common.king));
    steps.without(boards.replier.all | attacked).popcount()
}

/// The knights stand on the same squares in all lanes, unless captured; pinned ones cannot move.
#[inline(always)]
fn knight_moves<V: Lanes>(replier: &Armies<V>, common: &Common, found: &ChecksAndPins<V>, targets: V) -> V {
    let width = targets.width();
    let pinned = found.vertical | found.horizontal | found.rising | found.falling;
    let free = replier.knights.without(pinned);
    let mut count = width.empty();
    for square in common.replier_knights {
        let moves = (width.splat(attacks::knight(square)) & targets).popcount();
        count = count.plus_where(free.meets(width.square(square)), moves);
    }
    count
}

/// A pawn that is pinned still moves along the pin line: it pushes on a file, and captures on its diagonal.
#[inline(always)]
fn pawn_moves<S: Side, V: Lanes>(
    boards: &Boards<V>,
    common: &Common,
    found: &ChecksAndPins<V>,
    occupied: V,
) -> V {
    let width = occupied.width();
    let pawns = boards.replier.pawns;
    let pushers = pawns.without(found.horizontal | found.rising | found.falling);
    let pushed = pushers.step(S::FORWARD).without(occupied);
    let double = (pushed & width.splat(S::THIRD_RANK)).step(S::FORWARD).without(occupied);
    let pushes = (pushed | double) & found.check_mask;

    let takers = pawns.without(found.vertical | found.horizontal);
    let prey = boards.mover.all & found.check_mask;
    let [west, east] = S::CAPTURES;
    let west = takers.without(found.pinned_across(west)).step(west) & prey;
    let east = takers.without(found.pinned_across(east)).step(east) & prey;

    let mut count = pushes.popcount().plus(west.popcount()).plus(east.popcount());
    if common.replier_pawn_may_promote {
        let last = width.splat(S::LAST_RANK);
        let promotions =
            (pushes & last).popcount().plus((west & last).popcount()).plus((east & last).popcount());
        count = count.plus(promotions).plus(promotions).plus(promotions);
    }
    count
}

impl<V: Lanes> ChecksAndPins<V> {
    /// What is pinned on the diagonals that cross this diagonal direction.
    #[inline(always)]
    fn pinned_across(&self, direction: Direction) -> V {
        match direction {
            Direction::NorthEast | Direction::SouthWest => self.falling,
            _ => self.rising,
        }
    }
}

/// Adds the castling moves to a count.
#[inline(always)]
fn castling<S: Side, V: Lanes>(
    boards: &Boards<V>,
    common: &Common,
    found: &ChecksAndPins<V>,
    occupied: V,
    attacked: V,
    mut count: V,
) -> V {
    let width = occupied.width();
    for rook in common.castling_rooks {
        let paths = CastlingPaths::of::<S>(common.king, rook);
        let is_there = boards.replier.straights.without(found.horizontal).meets(width.square(rook));
        let is_free = occupied.misses(width.splat(paths.must_be_empty));
        let is_safe = attacked.misses(width.splat(paths.must_be_safe)) & !found.in_check;
        let one = width.splat(Bitboard::from_bits(1));
        count = count.plus_where(is_there & is_free & is_safe, one);
    }
    count
}

/// Both rook squares of castling, where a rook may appear that no regular move brings there.
pub fn castled_rooks<S: Side>() -> Bitboard {
    [Wing::King, Wing::Queen].into_iter().map(|wing| wing.rook_target(S::COLOR)).collect()
}

/// Both king squares of castling.
pub fn castled_kings<S: Side>() -> Bitboard {
    [Wing::King, Wing::Queen].into_iter().map(|wing| wing.king_target(S::COLOR)).collect()
}

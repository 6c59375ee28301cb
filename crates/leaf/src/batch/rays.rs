//! Slider attacks by direction, and the checks, pins and attacked squares that follow from them.

use perft_core::internals::{Direction, Side};
use perft_core::{Bitboard, Square};

use super::boards::Armies;
use super::lanes::{DIRECTIONS, Lanes, MAX_LANES, Width};

/// A set of squares for each of the [`DIRECTIONS`].
pub type Rays<V> = [V; 8];

/// The kinds of pieces that a side has in at least one lane. The work for missing kinds is skipped.
#[derive(Clone, Copy)]
pub struct Kinds {
    pub knights: bool,
    /// Whether there is a rook or queen.
    pub orthogonals: bool,
    /// Whether there is a bishop or queen.
    pub diagonals: bool,
}

impl Kinds {
    pub const ALL: Kinds = Kinds { knights: true, orthogonals: true, diagonals: true };

    #[inline(always)]
    pub fn of<V: Lanes>(army: &Armies<V>) -> Kinds {
        Kinds {
            knights: V::any(army.knights.non_empty()),
            orthogonals: V::any(army.orthogonals.non_empty()),
            diagonals: V::any(army.diagonals.non_empty()),
        }
    }
}

/// The lines along which a slider moves.
#[derive(Clone, Copy, Debug)]
pub struct Slider {
    pub is_diagonal: bool,
    pub is_orthogonal: bool,
}

impl Slider {
    pub const BISHOP: Slider = Slider { is_diagonal: true, is_orthogonal: false };
    pub const ROOK: Slider = Slider { is_diagonal: false, is_orthogonal: true };
    pub const QUEEN: Slider = Slider { is_diagonal: true, is_orthogonal: true };
}

/// Runs a statement once for each direction in which sliders of these kinds move, with the constant `$D` as the
/// direction.
///
/// It is a macro because the direction must be a constant in each of the eight copies.
macro_rules! each_direction {
    ($kinds:expr, $D:ident => $body:expr) => {
        if $kinds.orthogonals {
            each_direction!(0 1 2 3, $D => $body);
        }
        if $kinds.diagonals {
            each_direction!(4 5 6 7, $D => $body);
        }
    };
    ($($direction:literal)*, $D:ident => $body:expr) => {
        $({
            const $D: usize = $direction;
            $body;
        })*
    };
}
pub(super) use each_direction;

/// Returns the attacks of all sliders of a side, by direction. Those of kinds that are not in `kinds` are empty.
#[inline(always)]
pub fn slides_of<V: Lanes>(blockers: &V::Blockers, army: &Armies<V>, kinds: Kinds) -> Rays<V> {
    let mut slides = [army.all.width().empty(); 8];
    each_direction!(kinds, D => slides[D] = sliders(army, D).slide::<D>(blockers));
    slides
}

/// Returns the rays from a square, for [`Lanes::slide_on`].
#[inline(always)]
pub fn rays_from<V: Lanes>(width: V::Width, square: Square) -> Rays<V> {
    let mut rays = [width.empty(); 8];
    each_direction!(0 1 2 3 4 5 6 7, D => rays[D] = width.splat(V::ray::<D>(square)));
    rays
}

/// Returns the rays from the kings, for [`Lanes::slide_on`]. Most of the kings are on the square `usual`.
#[inline(always)]
pub fn rays_from_kings<V: Lanes>(kings: V, usual: Square) -> Rays<V> {
    let width = kings.width();
    let mut rays = rays_from(width, usual);
    if V::any(!kings.equals(width.square(usual))) {
        let squares = kings.to_array().map(|king| king.first().unwrap_or(usual));
        each_direction!(0 1 2 3 4 5 6 7, D => {
            let of_lanes: [Bitboard; MAX_LANES] = squares.map(V::ray::<D>);
            rays[D] = width.load_sets(&of_lanes);
        });
    }
    rays
}

/// Returns the squares that a king sees in each direction in which enemy sliders of these kinds could attack it.
#[inline(always)]
pub fn view_from<V: Lanes>(blockers: &V::Blockers, king: V, rays: &Rays<V>, enemies: Kinds) -> Rays<V> {
    let mut view = [king.width().empty(); 8];
    each_direction!(enemies, D => view[D] = king.slide_on::<D>(rays[D], blockers));
    view
}

#[inline(always)]
pub fn sliders<V: Lanes>(army: &Armies<V>, direction: usize) -> V {
    if direction < 4 { army.orthogonals } else { army.diagonals }
}

#[inline(always)]
pub fn union<V: Lanes>(rays: &[V]) -> V {
    let mut all = rays[0];
    for ray in &rays[1..] {
        all = all | *ray;
    }
    all
}

/// The pinned pieces of one side, by the line on which they may still move.
#[derive(Clone, Copy)]
pub struct Pins<V> {
    vertical: V,
    horizontal: V,
    rising: V,
    falling: V,
}

impl<V: Lanes> Pins<V> {
    /// Returns the pinned pieces of `us`. The enemy has sliders of these kinds.
    ///
    /// A piece is pinned if it is the first piece that its king sees in one direction and the first piece that an enemy
    /// slider sees in the opposite direction. Then no other piece is between them.
    #[inline(always)]
    pub fn of(us: &Armies<V>, kinds: Kinds, king_view: &Rays<V>, enemy_slides: &Rays<V>) -> Pins<V> {
        let nothing = us.all.width().empty();
        let mut pins = Pins { vertical: nothing, horizontal: nothing, rising: nothing, falling: nothing };
        let (view, slides) = (king_view, enemy_slides);
        if kinds.orthogonals {
            pins.vertical = pinned::<0, V>(us, view, slides) | pinned::<1, V>(us, view, slides);
            pins.horizontal = pinned::<2, V>(us, view, slides) | pinned::<3, V>(us, view, slides);
        }
        if kinds.diagonals {
            pins.rising = pinned::<4, V>(us, view, slides) | pinned::<5, V>(us, view, slides);
            pins.falling = pinned::<6, V>(us, view, slides) | pinned::<7, V>(us, view, slides);
        }
        pins
    }

    #[inline(always)]
    pub fn all(&self) -> V {
        self.vertical | self.horizontal | self.rising | self.falling
    }

    /// Returns the pieces that may not move in this direction, because they are pinned on another line.
    #[inline(always)]
    pub fn across(&self, direction: Direction) -> V {
        match direction {
            Direction::North | Direction::South => self.horizontal | self.rising | self.falling,
            Direction::East | Direction::West => self.vertical | self.rising | self.falling,
            Direction::NorthEast | Direction::SouthWest => self.vertical | self.horizontal | self.falling,
            Direction::NorthWest | Direction::SouthEast => self.vertical | self.horizontal | self.rising,
        }
    }

    /// Returns the sliders of a side that may move in direction `D`.
    #[inline(always)]
    pub fn sliders<const D: usize>(&self, army: &Armies<V>) -> V {
        sliders(army, D).without(self.across(DIRECTIONS[D]))
    }

    /// Returns the attacks of the sliders of a side, by direction. Pinned sliders have only those on their pin line.
    #[inline(always)]
    pub fn slides(&self, blockers: &V::Blockers, army: &Armies<V>, kinds: Kinds) -> Rays<V> {
        let mut rays = [army.all.width().empty(); 8];
        each_direction!(kinds, D => rays[D] = self.sliders::<D>(army).slide::<D>(blockers));
        rays
    }
}

/// Returns the pieces of `us` that the king sees in direction `D` and that an enemy slider attacks from there.
#[inline(always)]
fn pinned<const D: usize, V: Lanes>(us: &Armies<V>, king_view: &Rays<V>, enemy_slides: &Rays<V>) -> V {
    king_view[D] & enemy_slides[D ^ 1] & us.all
}

/// The checks that a king is in.
#[derive(Clone, Copy)]
pub struct Checks<V: Lanes> {
    /// The lanes in which the king is in check.
    pub any: V::Mask,
    /// The check mask: the squares on which a move of any piece except the king may end. Without a check, these are all
    /// squares. In check, they are the checker and the squares between it and the king. In double check, there are
    /// none.
    pub mask: V,
    /// The squares next to the king on the side away from a checking slider. The king cannot step there.
    behind_king: V,
}

impl<V: Lanes> Checks<V> {
    /// Returns the checks that the king of `us`, side `S`, is in. The enemy has pieces of these kinds.
    #[inline(always)]
    pub fn of<S: Side>(us: &Armies<V>, them: &Armies<V>, kinds: Kinds, king_view: &Rays<V>) -> Checks<V> {
        let width = us.king.width();
        let [west, east] = S::CAPTURES;
        let mut checkers = (us.king.step(west) | us.king.step(east)) & them.pawns;
        if kinds.knights {
            checkers = checkers | (knight_attacks(us.king) & them.knights);
        }
        let mut found = Checks { any: checkers.non_empty(), mask: checkers, behind_king: width.empty() };
        if kinds.orthogonals {
            checkers = checkers | found.add_sliders(us.king, them.orthogonals, king_view, 0);
        }
        if kinds.diagonals {
            checkers = checkers | found.add_sliders(us.king, them.diagonals, king_view, 4);
        }
        found.any = checkers.non_empty();
        let in_double_check = checkers.meets(checkers.minus(width.number(1)));
        let mask = found.mask.replaced_where(in_double_check, width.empty());
        found.mask = mask.or_where(!found.any, !width.empty());
        found
    }

    /// Adds the checks by sliders of one kind, and returns the checkers. `first` is the first of the four directions of
    /// this kind.
    #[inline(always)]
    fn add_sliders(&mut self, king: V, sliders: V, king_view: &Rays<V>, first: usize) -> V {
        let mut checkers = king.width().empty();
        for direction in first..first + 4 {
            let checker = king_view[direction] & sliders;
            let checks = checker.non_empty();
            checkers = checkers | checker;
            self.mask = self.mask.or_where(checks, king_view[direction]);
            let behind = king.step(DIRECTIONS[direction ^ 1]);
            self.behind_king = self.behind_king.or_where(checks, behind);
        }
        checkers
    }

    #[inline(always)]
    pub fn none(width: V::Width) -> Checks<V> {
        Checks { any: width.first_lanes(0), mask: !width.empty(), behind_king: width.empty() }
    }

    /// Returns the squares that the enemy, side `E`, attacks. The king does not block the enemy's sliders.
    #[inline(always)]
    pub fn attacked<E: Side>(&self, enemy: &Armies<V>, kinds: Kinds, enemy_slides: &Rays<V>) -> V {
        let [west, east] = E::CAPTURES;
        let pawns = enemy.pawns.step(west) | enemy.pawns.step(east);
        let mut attacked = king_attacks(enemy.king) | pawns | self.behind_king;
        if kinds.knights {
            attacked = attacked | knight_attacks(enemy.knights);
        }
        if kinds.orthogonals {
            attacked = attacked | union(&enemy_slides[..4]);
        }
        if kinds.diagonals {
            attacked = attacked | union(&enemy_slides[4..]);
        }
        attacked
    }
}

/// Returns the squares that knights on these squares attack.
///
/// A knight moves one file to the side and two ranks up or down, or two files to the side and one rank up or down.
#[inline(always)]
pub fn knight_attacks<V: Lanes>(knights: V) -> V {
    let (west, east) = (knights.step(Direction::West), knights.step(Direction::East));
    let one_aside = west | east;
    let two_aside = west.step(Direction::West) | east.step(Direction::East);
    (one_aside.shifted(16) | one_aside.shifted(-16)) | (two_aside.shifted(8) | two_aside.shifted(-8))
}

/// Returns the squares that knights on these squares attack, one set for each of the eight ways in which a knight
/// moves. Two knights never attack the same square in the same way.
#[inline(always)]
pub fn knight_ways<V: Lanes>(knights: V) -> [V; 8] {
    let (west, east) = (knights.step(Direction::West), knights.step(Direction::East));
    let (west_twice, east_twice) = (west.step(Direction::West), east.step(Direction::East));
    [
        west.shifted(16),
        west.shifted(-16),
        east.shifted(16),
        east.shifted(-16),
        west_twice.shifted(8),
        west_twice.shifted(-8),
        east_twice.shifted(8),
        east_twice.shifted(-8),
    ]
}

#[inline(always)]
pub fn king_attacks<V: Lanes>(kings: V) -> V {
    let beside = kings.step(Direction::West) | kings.step(Direction::East);
    let row = kings | beside;
    beside | row.step(Direction::North) | row.step(Direction::South)
}

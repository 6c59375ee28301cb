//! Rays in lanes: what sliders attack, and what they leave a king and its men to do.

use super::boards::Armies;
use super::lanes::{DIRECTIONS, Lanes, Width};
use crate::types::{Direction, Side};

/// A set for each of the [`DIRECTIONS`].
pub type Rays<V> = [V; 8];

/// Which kinds of piece an army has in some lane. Sparse positions have few, and most of the work is theirs.
#[derive(Clone, Copy)]
pub struct Kinds {
    pub knights: bool,
    pub orthogonals: bool,
    pub diagonals: bool,
}

impl Kinds {
    /// Of this army.
    #[inline(always)]
    pub fn of<V: Lanes>(army: &Armies<V>) -> Kinds {
        Kinds {
            knights: V::bits(army.knights.occupied()) != 0,
            orthogonals: V::bits(army.orthogonals.occupied()) != 0,
            diagonals: V::bits(army.diagonals.occupied()) != 0,
        }
    }
}

/// What sliders attack, by direction; nothing in the directions in which none of these kinds slides.
#[inline(always)]
fn slides<V: Lanes>(blockers: &V::Blockers, orthogonals: V, diagonals: V, kinds: Kinds) -> Rays<V> {
    let mut rays = [orthogonals.width().empty(); 8];
    if kinds.orthogonals {
        rays[0] = orthogonals.slide::<0>(blockers);
        rays[1] = orthogonals.slide::<1>(blockers);
        rays[2] = orthogonals.slide::<2>(blockers);
        rays[3] = orthogonals.slide::<3>(blockers);
    }
    if kinds.diagonals {
        rays[4] = diagonals.slide::<4>(blockers);
        rays[5] = diagonals.slide::<5>(blockers);
        rays[6] = diagonals.slide::<6>(blockers);
        rays[7] = diagonals.slide::<7>(blockers);
    }
    rays
}

/// All of an army's sliders, which are of these kinds.
#[inline(always)]
pub fn slides_of<V: Lanes>(blockers: &V::Blockers, army: &Armies<V>, kinds: Kinds) -> Rays<V> {
    slides(blockers, army.orthogonals, army.diagonals, kinds)
}

/// What one can see from a king, where sliders of these kinds may look at it.
#[inline(always)]
pub fn views_from<V: Lanes>(blockers: &V::Blockers, king: V, enemies: Kinds) -> Rays<V> {
    slides(blockers, king, king, enemies)
}

/// What of an army slides in a direction.
#[inline(always)]
pub fn sliders<V: Lanes>(army: &Armies<V>, direction: usize) -> V {
    if direction < 4 { army.orthogonals } else { army.diagonals }
}

/// The union of some directions.
#[inline(always)]
pub fn union<V: Lanes>(rays: &[V]) -> V {
    let mut all = rays[0];
    for ray in &rays[1..] {
        all = all | *ray;
    }
    all
}

/// Men that are pinned, by the line that they may still move on.
#[derive(Clone, Copy)]
pub struct Pins<V> {
    vertical: V,
    horizontal: V,
    rising: V,
    falling: V,
}

impl<V: Lanes> Pins<V> {
    /// What stands first in the king's view, and first in an enemy slider's that looks the other way, is pinned: it is
    /// all that stands between. The enemies are of these kinds.
    #[inline(always)]
    pub fn of(us: &Armies<V>, kinds: Kinds, king_views: &Rays<V>, enemy_slides: &Rays<V>) -> Pins<V> {
        let nothing = us.all.width().empty();
        let mut pins = Pins { vertical: nothing, horizontal: nothing, rising: nothing, falling: nothing };
        let (views, slides) = (king_views, enemy_slides);
        if kinds.orthogonals {
            pins.vertical = pinned::<0, V>(us, views, slides) | pinned::<1, V>(us, views, slides);
            pins.horizontal = pinned::<2, V>(us, views, slides) | pinned::<3, V>(us, views, slides);
        }
        if kinds.diagonals {
            pins.rising = pinned::<4, V>(us, views, slides) | pinned::<5, V>(us, views, slides);
            pins.falling = pinned::<6, V>(us, views, slides) | pinned::<7, V>(us, views, slides);
        }
        pins
    }

    /// All of them.
    #[inline(always)]
    pub fn all(&self) -> V {
        self.vertical | self.horizontal | self.rising | self.falling
    }

    /// Those that cannot move in this direction, since they are pinned on another line.
    #[inline(always)]
    pub fn across(&self, direction: Direction) -> V {
        match direction {
            Direction::North | Direction::South => self.horizontal | self.rising | self.falling,
            Direction::East | Direction::West => self.vertical | self.rising | self.falling,
            Direction::NorthEast | Direction::SouthWest => self.vertical | self.horizontal | self.falling,
            Direction::NorthWest | Direction::SouthEast => self.vertical | self.horizontal | self.rising,
        }
    }

    /// Those of an army's sliders that may slide in one direction.
    #[inline(always)]
    pub fn sliders<const D: usize>(&self, army: &Armies<V>) -> V {
        sliders(army, D).without(self.across(DIRECTIONS[D]))
    }

    /// What they attack, by direction.
    #[inline(always)]
    pub fn slides(&self, blockers: &V::Blockers, army: &Armies<V>, kinds: Kinds) -> Rays<V> {
        let mut rays = [army.all.width().empty(); 8];
        if kinds.orthogonals {
            rays[0] = self.sliders::<0>(army).slide::<0>(blockers);
            rays[1] = self.sliders::<1>(army).slide::<1>(blockers);
            rays[2] = self.sliders::<2>(army).slide::<2>(blockers);
            rays[3] = self.sliders::<3>(army).slide::<3>(blockers);
        }
        if kinds.diagonals {
            rays[4] = self.sliders::<4>(army).slide::<4>(blockers);
            rays[5] = self.sliders::<5>(army).slide::<5>(blockers);
            rays[6] = self.sliders::<6>(army).slide::<6>(blockers);
            rays[7] = self.sliders::<7>(army).slide::<7>(blockers);
        }
        rays
    }
}

#[inline(always)]
fn pinned<const D: usize, V: Lanes>(us: &Armies<V>, king_views: &Rays<V>, enemy_slides: &Rays<V>) -> V {
    king_views[D] & enemy_slides[D ^ 1] & us.all
}

/// What checks leave a side.
#[derive(Clone, Copy)]
pub struct Checks<V: Lanes> {
    /// The lanes in which the king is attacked.
    pub any: V::Mask,
    /// Where a move of any man but the king must end: everywhere without a check, on the checker or between it and
    /// the king in a check, nowhere in a double check.
    pub mask: V,
    /// Squares that a checking slider attacks behind the king.
    behind_king: V,
}

impl<V: Lanes> Checks<V> {
    /// Looks outward from the king of side `S`, whose enemies are of these kinds.
    #[inline(always)]
    pub fn of<S: Side>(us: &Armies<V>, them: &Armies<V>, kinds: Kinds, king_views: &Rays<V>) -> Checks<V> {
        let width = us.king.width();
        let [west, east] = S::CAPTURES;
        let mut checkers = (us.king.step(west) | us.king.step(east)) & them.pawns;
        if kinds.knights {
            checkers = checkers | (knight_attacks(us.king) & them.knights);
        }
        let mut found = Checks { any: checkers.occupied(), mask: checkers, behind_king: width.empty() };
        if kinds.orthogonals {
            checkers = checkers | found.look(us.king, them.orthogonals, king_views, 0);
        }
        if kinds.diagonals {
            checkers = checkers | found.look(us.king, them.diagonals, king_views, 4);
        }
        found.any = checkers.occupied();
        let in_double_check = checkers.meets(checkers.minus(width.number(1)));
        let mask = found.mask.replaced_where(in_double_check, width.empty());
        found.mask = mask.or_where(!found.any, !width.empty());
        found
    }

    /// The sliders of one kind that give check, from the first of their four directions on.
    #[inline(always)]
    fn look(&mut self, king: V, sliders: V, king_views: &Rays<V>, first: usize) -> V {
        let mut checkers = king.width().empty();
        for direction in first..first + 4 {
            let checker = king_views[direction] & sliders;
            let checks = checker.occupied();
            checkers = checkers | checker;
            self.mask = self.mask.or_where(checks, king_views[direction]);
            let behind = king.step(DIRECTIONS[direction ^ 1]);
            self.behind_king = self.behind_king.or_where(checks, behind);
        }
        checkers
    }

    /// No check anywhere.
    #[inline(always)]
    pub fn none(width: V::Width) -> Checks<V> {
        Checks { any: width.first(0), mask: !width.empty(), behind_king: width.empty() }
    }

    /// The squares that an enemy of these kinds and with these slides attacks, the king not being in their way.
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

/// All knights at once: two files aside and one rank, one file aside and two ranks.
#[inline(always)]
pub fn knight_attacks<V: Lanes>(knights: V) -> V {
    let (west, east) = (knights.step(Direction::West), knights.step(Direction::East));
    let one_aside = west | east;
    let two_aside = west.step(Direction::West) | east.step(Direction::East);
    (one_aside.shifted(16) | one_aside.shifted(-16)) | (two_aside.shifted(8) | two_aside.shifted(-8))
}

/// The same, each of the eight ways that a knight goes by itself: no two knights reach a square in one way.
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

/// The squares around these.
#[inline(always)]
pub fn king_attacks<V: Lanes>(kings: V) -> V {
    let beside = kings.step(Direction::West) | kings.step(Direction::East);
    let row = kings | beside;
    beside | row.step(Direction::North) | row.step(Direction::South)
}

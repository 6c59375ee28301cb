//! The positions that a hunt asks about: those of a suite, random ones, and a few that need clocks, moves or depth.
//! [`counts_to`] returns the right counts of a position.

use perft_core::suite::{Case, Limits};
use perft_core::{Bitboard, Move, MoveKind, Position, StopSignal};

use crate::generated::list;
use crate::random::kinds::PositionKind;
use crate::random::{Random, choose};
use crate::source::{Abilities, MovePath};

/// Random games are shorter than this number of plies.
const MAX_PLIES: usize = 40;

/// A position to ask about, and the depths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HuntTarget {
    /// The position, with the moves that lead to it.
    pub path: MovePath,
    /// The depths in plies. They are asked in this order until an answer is wrong.
    pub depths: Vec<u32>,
}

impl HuntTarget {
    /// Returns a case of a suite with the depths of its known counts within the limits. If there are none, the depth is
    /// 1.
    ///
    /// # Examples
    /// ```
    /// use perft_core::suite::{self, Limits};
    /// use perft_diagnosis::HuntTarget;
    ///
    /// let start = &suite::named().cases[0];
    /// assert_eq!(HuntTarget::of_case(start, &Limits::max_nodes(400)).depths, [1, 2]);
    /// ```
    pub fn of_case(case: &Case, limits: &Limits) -> HuntTarget {
        let known = case.expected.iter().filter(|known| limits.allows(known));
        let mut depths: Vec<u32> = known.map(|known| known.depth).collect();
        if depths.is_empty() {
            depths.push(1);
        }
        HuntTarget { path: MovePath::of_fen(&case.fen, case.position), depths }
    }

    pub(crate) fn for_source(mut self, abilities: &Abilities) -> HuntTarget {
        if !abilities.plays_moves {
            self.path = self.path.without_moves();
        }
        let max = abilities.max_depth.unwrap_or(u32::MAX);
        self.depths.iter_mut().for_each(|depth| *depth = (*depth).min(max));
        self.depths.dedup();
        self
    }
}

/// Returns the random target with a number, in the sequence that belongs to a seed. It is asked about at the depths 1
/// to `depth`.
///
/// The positions take turns among all [kinds](crate::random::kinds::PositionKind), including Chess960. None of them is
/// [impossible](perft_core::impossibilities). Random moves are played from each position. The source has to play them
/// too, so its code for making moves is tested.
///
/// # Examples
/// ```
/// use perft_core::impossibilities;
/// use perft_diagnosis::random_target;
///
/// let target = random_target(1, 7, 2);
/// assert_eq!(target, random_target(1, 7, 2));
/// assert_ne!(target, random_target(2, 7, 2));
/// assert!(impossibilities(&target.path.root).is_empty());
/// ```
pub fn random_target(seed: u64, number: u64, depth: u32) -> HuntTarget {
    target_of(seed, number, depth, PositionKind::possible_position)
}

/// Returns a random target like [`random_target`], but its position may be [impossible](perft_core::impossibilities): a
/// crowded board, or checks that no move can give.
///
/// # Examples
/// ```
/// use perft_core::impossibilities;
/// use perft_diagnosis::unrestricted_target;
///
/// let mut targets = (0..100).map(|number| unrestricted_target(1, number, 2));
/// assert!(targets.any(|target| !impossibilities(&target.path.root).is_empty()));
/// ```
pub fn unrestricted_target(seed: u64, number: u64, depth: u32) -> HuntTarget {
    target_of(seed, number, depth, PositionKind::position)
}

fn target_of(
    seed: u64,
    number: u64,
    depth: u32,
    root: fn(PositionKind, &mut Random) -> Position,
) -> HuntTarget {
    // The first random number starts a separate sequence, so that the sequences of neighbouring numbers are unrelated.
    let mut random = Random::new(Random::new(seed).number() ^ Random::new(number).number());
    let mut path = MovePath::new(root(PositionKind::of_number(number), &mut random));
    let homes = if random.one_in(2) { path.root.castling().all_rooks() } else { Bitboard::EMPTY };
    let plies = random.below(MAX_PLIES);
    while path.moves.len() < plies
        && let Some(played) = choose_about(homes, &path.end.legal_moves(), &mut random)
    {
        path = path.played(played);
    }
    HuntTarget { path, depths: (1..=depth).collect() }
}

/// Returns a random move, or `None` if there are no moves. `homes` are the home squares of the rooks that can castle, in a
/// game about castling rights.
///
/// In such a game, the kings stay on their home squares if they can, and a third of the moves go to or from a home square
/// of a rook. A castling right that should be gone shows only if a rook comes back to its home square and the king has
/// never moved.
fn choose_about(homes: Bitboard, moves: &[Move], random: &mut Random) -> Option<Move> {
    let stays = |played: &Move| !matches!(played.kind(), MoveKind::King | MoveKind::Castling);
    let touches = |played: &Move| homes.contains(played.from()) || homes.contains(played.to());
    let staying: Vec<Move> = moves.iter().copied().filter(|played| homes.any() && stays(played)).collect();
    let touching: Vec<Move> = staying.iter().copied().filter(touches).collect();
    if !touching.is_empty() && random.one_in(3) {
        return Some(random.pick(&touching));
    }
    choose(if staying.is_empty() { moves } else { &staying }, random.number())
}

/// Returns targets for bugs that suites cannot find: ending drawn games, and confusing positions in the transposition
/// table.
///
/// # Examples
/// ```
/// use perft_diagnosis::special_targets;
///
/// assert!(special_targets().iter().any(|target| target.path.clocks.halfmove == 100));
/// ```
pub fn special_targets() -> Vec<HuntTarget> {
    let target = |(fen, more): (&str, &str)| {
        let (depth, moves) = more.split_once(' ').unwrap_or((more, ""));
        let depth = depth.parse().expect("a depth is first");
        HuntTarget { path: MovePath::of_known(fen, moves), depths: (1..=depth).collect() }
    };
    list("target").map(target).collect()
}

/// Returns the numbers of leaf nodes at the depths from 1 on, up to `depth`.
///
/// It stops before a count that is probably above `max_nodes`. The estimate uses the growth of the counts so far. It
/// also stops when the stop signal is raised. The count of depth 1 is always returned.
///
/// # Examples
/// ```
/// use perft_core::{Position, StopSignal};
/// use perft_diagnosis::counts_to;
///
/// let counts = counts_to(&Position::start(), 10, 1e6, &StopSignal::default());
/// assert_eq!(counts, [20, 400, 8_902, 197_281]);
/// ```
pub fn counts_to(position: &Position, depth: u32, max_nodes: f64, stop: &StopSignal) -> Vec<u128> {
    let mut counts = vec![position.perft(1)];
    let mut last = 1.0;
    for depth in 2..=depth {
        let nodes = counts[counts.len() - 1] as f64;
        if nodes * (nodes / last).max(1.0) > max_nodes {
            break;
        }
        let Ok(next) = position.perft_until(depth, stop) else { break };
        counts.push(next);
        last = nodes.max(1.0);
    }
    counts
}

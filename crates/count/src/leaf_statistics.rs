//! Leaf statistics: captures, checks, mates and other kinds of leaf nodes, counted separately.
//!
//! A leaf node is the last move of a line and the position after it. Here, every such move is made and examined, so
//! this is some tens of times slower than plain counting. The trunk is the same as in plain counting. A
//! [`StatisticsTable`] stores the statistics of subtrees, as the transposition table stores their counts.

use std::collections::TryReserveError;
use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};

use perft_core::internals::attacks::{diagonal_rays, orthogonal_rays};
use perft_core::internals::{LeafCounter, Side, White};
use perft_core::{Bitboard, CastlingSide, Color, Interrupted, Move, MoveKind, Position};

use super::driver::Perft;
use super::progress::{Progress, Share};
use super::trunk::{self, Total, Tree, Trunk};
use crate::keys::{Key, KeyMaker};

/// The number of leaf nodes of each kind.
///
/// The four kinds of check exclude each other, and their sum is [`LeafStatistics::checks`]. The definitions are those
/// of François Labelle, "Statistics on chess games". Other programs count differently: many count direct and discovered
/// checks together as "double checks", and some do not count checkmates as checks.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_count::{Perft, Progress};
///
/// let statistics = Perft::new().statistics(&Position::start(), 4, None, &Progress::default())?;
/// assert_eq!((statistics.nodes, statistics.captures), (197_281, 1576));
/// assert_eq!((statistics.checks(), statistics.checkmates), (469, 8));
/// # Ok::<(), perft_core::Interrupted>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeafStatistics {
    /// All leaf nodes.
    pub nodes: u128,
    /// The last move is a capture, en passant included.
    pub captures: u128,
    /// The last move is an en passant capture.
    pub en_passant: u128,
    /// The last move is castling.
    pub castles: u128,
    /// The last move is a promotion. Each of the four pieces counts as a separate move.
    pub promotions: u128,
    /// Direct checks: the piece that moved gives check, and no other piece does. When castling, that piece is the rook.
    pub direct_checks: u128,
    /// Discovered checks: one piece gives check, and it is not the piece that moved.
    pub discovered_checks: u128,
    /// Double checks by the piece that moved and another piece.
    pub direct_and_discovered_checks: u128,
    /// Double checks by pieces that did not move. An en passant capture can discover two checks at once.
    pub double_discovered_checks: u128,
    /// Checkmates: check, and no legal move. They count as checks too.
    pub checkmates: u128,
    /// Stalemates: no check, and no legal move.
    pub stalemates: u128,
}

impl LeafStatistics {
    /// Returns the number of checks of all kinds, checkmates included.
    pub const fn checks(&self) -> u128 {
        self.direct_checks
            + self.discovered_checks
            + self.direct_and_discovered_checks
            + self.double_discovered_checks
    }

    /// Adds one leaf node: the move `played` in `before`, which leads to `after`.
    fn add_leaf(&mut self, counter: &dyn LeafCounter, before: &Position, played: Move, after: &Position) {
        self.nodes += 1;
        let kind = played.kind();
        let is_en_passant = kind == MoveKind::EnPassant;
        let is_capture = is_en_passant || before.army(after.turn()).all.contains(played.to());
        self.captures += u128::from(is_capture);
        self.en_passant += u128::from(is_en_passant);
        self.castles += u128::from(kind == MoveKind::Castling);
        self.promotions += u128::from(kind.promotion().is_some());
        let checkers = after.checkers();
        if checkers.any() {
            self.add_check(checkers, moved_piece(played, before.turn()));
            self.checkmates += u128::from(counter.count(after, 1) == 0);
        } else if !has_unpinnable_push(after) {
            self.stalemates += u128::from(counter.count(after, 1) == 0);
        }
    }

    /// Adds one check by `checkers`, where `moved` is the square of the piece that moved.
    fn add_check(&mut self, checkers: Bitboard, moved: Bitboard) {
        let is_direct = (checkers & moved).any();
        let is_double = checkers.has_many();
        let kind = match (is_direct, is_double) {
            (true, false) => &mut self.direct_checks,
            (false, false) => &mut self.discovered_checks,
            (true, true) => &mut self.direct_and_discovered_checks,
            (false, true) => &mut self.double_discovered_checks,
        };
        *kind += 1;
    }

    /// Returns the statistics at depth 0: the root is the only leaf node, and no move led to it.
    fn of_root() -> LeafStatistics {
        LeafStatistics { nodes: 1, ..LeafStatistics::default() }
    }
}

/// Returns the square of the piece that moved and can give a direct check. When castling, that piece is the rook.
fn moved_piece(played: Move, mover: Color) -> Bitboard {
    match played.kind() {
        MoveKind::Castling => CastlingSide::of(played.from(), played.to()).rook_target(mover).into(),
        _ => played.to().into(),
    }
}

/// Whether the side to move has a pawn that can step forward and is on no line with its king. Such a pawn cannot be
/// pinned, so the position is not stalemate if there is no check.
///
/// Most positions have such a pawn, so the search for stalemates is fast.
fn has_unpinnable_push(position: &Position) -> bool {
    fn has<S: Side>(position: &Position) -> bool {
        let king = position.king(S::COLOR);
        let pawns = position.army(S::COLOR).pawns & !orthogonal_rays(king) & !diagonal_rays(king);
        (pawns.step(S::FORWARD) & !position.occupied()).any()
    }
    match position.turn() {
        Color::White => has::<White>(position),
        Color::Black => has::<<White as Side>::Other>(position),
    }
}

impl Total for LeafStatistics {
    const ZERO: LeafStatistics = LeafStatistics {
        nodes: 0,
        captures: 0,
        en_passant: 0,
        castles: 0,
        promotions: 0,
        direct_checks: 0,
        discovered_checks: 0,
        direct_and_discovered_checks: 0,
        double_discovered_checks: 0,
        checkmates: 0,
        stalemates: 0,
    };

    fn plus(self, other: LeafStatistics) -> LeafStatistics {
        LeafStatistics {
            nodes: self.nodes + other.nodes,
            captures: self.captures + other.captures,
            en_passant: self.en_passant + other.en_passant,
            castles: self.castles + other.castles,
            promotions: self.promotions + other.promotions,
            direct_checks: self.direct_checks + other.direct_checks,
            discovered_checks: self.discovered_checks + other.discovered_checks,
            direct_and_discovered_checks: self.direct_and_discovered_checks
                + other.direct_and_discovered_checks,
            double_discovered_checks: self.double_discovered_checks + other.double_discovered_checks,
            checkmates: self.checkmates + other.checkmates,
            stalemates: self.stalemates + other.stalemates,
        }
    }

    fn nodes(self) -> u128 {
        self.nodes
    }
}

impl Perft {
    /// Returns the number of leaf nodes `depth` plies below a position, in total and by kind: captures, checks, mates
    /// and others.
    ///
    /// The moves are always those of this crate's generator. A table stores the statistics of subtrees, and keeps them
    /// between calls.
    ///
    /// # Examples
    /// See [`LeafStatistics`].
    ///
    /// # Errors
    /// Returns [`Interrupted`] if the stop signal of `progress` was raised.
    ///
    /// # Panics
    /// Panics if the depth is above [`MAX_DEPTH`](perft_core::MAX_DEPTH).
    pub fn statistics(
        &self,
        position: &Position,
        depth: u32,
        table: Option<&StatisticsTable>,
        progress: &Progress,
    ) -> Result<LeafStatistics, Interrupted> {
        progress.restart();
        self.on_trunk(depth, progress, |trunk| {
            let tree = StatisticsTree { counter: trunk.tree.counter, table };
            let trunk = Trunk { tree, parallel: trunk.parallel, progress };
            trunk.count(position, depth, Share::WHOLE)
        })
    }
}

/// The tree of positions whose leaf nodes are examined one by one.
struct StatisticsTree<'a> {
    counter: &'a dyn LeafCounter,
    table: Option<&'a StatisticsTable>,
}

impl Tree for StatisticsTree<'_> {
    type Node = Position;

    type Total = LeafStatistics;

    fn children(&self, position: &Position) -> Vec<(Move, Position)> {
        trunk::children(self.counter, position)
    }

    fn subtree(&self, position: &Position, depth: u32) -> LeafStatistics {
        match depth {
            0 => LeafStatistics::of_root(),
            1 => self.leaf_parent(position),
            _ => {
                let below = |played: Move| self.subtree(&position.play_unchecked(played), depth - 1);
                let sum = || {
                    let moves = self.counter.moves(position).into_iter();
                    Ok::<_, Infallible>(moves.map(below).fold(LeafStatistics::ZERO, Total::plus))
                };
                let Ok(total) = self.look_up_or(position, depth, sum);
                total
            }
        }
    }

    fn get_or_count(
        &self,
        position: &Position,
        depth: u32,
        count: impl FnOnce() -> Result<LeafStatistics, Interrupted>,
    ) -> Result<LeafStatistics, Interrupted> {
        self.look_up_or(position, depth, count)
    }
}

impl StatisticsTree<'_> {
    fn leaf_parent(&self, position: &Position) -> LeafStatistics {
        let mut statistics = LeafStatistics::default();
        for played in self.counter.moves(position) {
            let after = position.play_unchecked(played);
            statistics.add_leaf(self.counter, position, played, &after);
        }
        statistics
    }

    /// Returns the statistics from the table, or calls `count` and stores its result in the table.
    fn look_up_or<E>(
        &self,
        position: &Position,
        depth: u32,
        count: impl FnOnce() -> Result<LeafStatistics, E>,
    ) -> Result<LeafStatistics, E> {
        let Some(table) = self.table else { return count() };
        let key = table.keys.key(position, depth);
        if let Some(known) = table.get(key) {
            return Ok(known);
        }
        let total = count()?;
        table.put(key, total);
        Ok(total)
    }
}

/// Stores the statistics of subtrees by position and depth.
///
/// Each slot has a key of 128 bits, and new statistics always replace those in their slot. Each slot has its own lock.
/// Threads hardly ever wait for a lock, because examining a subtree takes much longer than writing a slot.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_count::{Perft, Progress, StatisticsTable};
///
/// let table = StatisticsTable::new(1 << 20, 0)?;
/// let statistics = Perft::new().statistics(&Position::start(), 4, Some(&table), &Progress::default());
/// assert_eq!(statistics.unwrap().checkmates, 8);
/// # Ok::<(), std::collections::TryReserveError>(())
/// ```
#[derive(Debug)]
pub struct StatisticsTable {
    slots: Vec<Slot>,
    keys: KeyMaker,
}

type Slot = Mutex<Option<(Key, LeafStatistics)>>;

impl StatisticsTable {
    /// Returns an empty table of at most `bytes` bytes, but at least one slot. Different seeds give independent keys.
    ///
    /// # Errors
    /// Returns an error if the system does not provide the memory.
    pub fn new(bytes: usize, seed: u64) -> Result<StatisticsTable, TryReserveError> {
        let count = (bytes / size_of::<Slot>()).max(1);
        let mut slots = Vec::new();
        slots.try_reserve_exact(count)?;
        slots.resize_with(count, Mutex::default);
        Ok(StatisticsTable { slots, keys: KeyMaker::new(seed) })
    }

    /// Returns the size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot>()
    }

    fn get(&self, key: Key) -> Option<LeafStatistics> {
        let slot = self.slot(key).lock().unwrap_or_else(PoisonError::into_inner);
        slot.filter(|(found, _)| *found == key).map(|(_, statistics)| statistics)
    }

    fn put(&self, key: Key, statistics: LeafStatistics) {
        *self.slot(key).lock().unwrap_or_else(PoisonError::into_inner) = Some((key, statistics));
    }

    /// Returns the slot of a key. Its index is the first word of the key, as a fraction of 2^64, times the number of
    /// slots.
    fn slot(&self, key: Key) -> &Slot {
        let index = (u128::from(key.slot) * self.slots.len() as u128) >> 64;
        &self.slots[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use perft_core::find_move;

    use super::*;

    fn statistics(fen: &str, depth: u32) -> LeafStatistics {
        let position = Position::from_fen(fen).unwrap();
        Perft::new().statistics(&position, depth, None, &Progress::default()).unwrap()
    }

    /// Returns the statistics of a single leaf node.
    fn of_leaf(fen: &str, played: &str) -> LeafStatistics {
        let before = Position::from_fen(fen).unwrap();
        let played = find_move(&before, played).unwrap();
        let after = before.play_unchecked(played);
        let mut statistics = LeafStatistics::default();
        statistics.add_leaf(&perft_leaf::Portable::new(), &before, played, &after);
        statistics
    }

    /// Returns the statistics of one leaf node that has only the given kinds.
    fn only(set: impl Fn(&mut LeafStatistics)) -> LeafStatistics {
        let mut statistics = LeafStatistics::of_root();
        set(&mut statistics);
        statistics
    }

    #[test]
    fn all_four_kinds_of_check() {
        let direct = of_leaf("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8");
        assert_eq!(direct, only(|s| s.direct_checks = 1));
        let discovered = of_leaf("4k3/8/8/8/4N3/8/8/3KR3 w - - 0 1", "e4c3");
        assert_eq!(discovered, only(|s| s.discovered_checks = 1));
        let both = of_leaf("4k3/8/8/8/4N3/8/8/3KR3 w - - 0 1", "e4d6");
        assert_eq!(both, only(|s| s.direct_and_discovered_checks = 1));
        // The capturing pawn opens the file of the rook, and the captured pawn opens the diagonal of the bishop.
        let double = of_leaf("8/8/4k3/3pP3/8/8/B7/K3R3 w - d6 0 1", "e5d6");
        assert_eq!(double, only(|s| (s.captures, s.en_passant, s.double_discovered_checks) = (1, 1, 1)));
    }

    #[test]
    fn castling_gives_direct_check_by_the_rook() {
        let castling = of_leaf("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1");
        assert_eq!(castling, only(|s| (s.castles, s.direct_checks) = (1, 1)));
    }

    #[test]
    fn each_promotion_piece_is_counted() {
        let all = statistics("8/P6k/8/8/8/8/8/K7 w - - 0 1", 1);
        assert_eq!((all.nodes, all.promotions, all.captures), (3 + 4, 4, 0));
    }

    #[test]
    fn mate_and_stalemate() {
        let mate = of_leaf("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7h7");
        assert_eq!(mate, only(|s| (s.direct_checks, s.checkmates) = (1, 1)));
        let stalemate = of_leaf("7k/4Q3/6K1/8/8/8/8/8 w - - 0 1", "e7f7");
        assert_eq!(stalemate, only(|s| s.stalemates = 1));
    }

    #[test]
    fn threads_and_tables_do_not_change_the_statistics() {
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let expected = statistics(kiwipete, 4);
        assert_eq!((expected.nodes, expected.captures, expected.checkmates), (4_085_603, 757_163, 43));
        let position = Position::from_fen(kiwipete).unwrap();
        for (threads, bytes) in [(2, None), (1, Some(0)), (2, Some(10_000)), (2, Some(1 << 24))] {
            let perft = Perft::new().threads(threads).unwrap();
            let table = bytes.map(|bytes| StatisticsTable::new(bytes, 1).unwrap());
            for _ in 0..2 {
                let found = perft.statistics(&position, 4, table.as_ref(), &Progress::default());
                assert_eq!(found, Ok(expected), "{threads} threads, {bytes:?} bytes");
            }
        }
    }
}

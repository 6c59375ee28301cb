//! What the leaf nodes are: captures, checks, mates and so on, counted apart.
//!
//! A leaf node is the last move of a line, and the position after it. Every one is made and looked at, so this is slower
//! than counting by some tens of times. The trunk is that of a plain count; a [`StatisticsTable`] remembers subtrees as
//! the table of a count does, with all their numbers.

use std::sync::{Mutex, PoisonError};

use super::driver::Perft;
use super::leaf::LeafCounter;
use super::progress::{Interrupted, Progress, Share};
use super::trunk::{Total, Tree, Trunk};
use crate::attacks::{diagonal_rays, orthogonal_rays};
use crate::position::{Key, KeyMaker, Position};
use crate::types::{Bitboard, CastlingSide, Color, Move, MoveKind, Side, White};

/// How many leaf nodes of a tree are of which kind.
///
/// ```text
///   nodes        all
///   captures     the last move captures, en passant too
///   en passant   ... en passant
///   castles      the last move is a castling
///   promotions   the last move promotes, one for each piece that it may become
///   checks       the king of the side to move is attacked, mates included; each is one of
///     direct                   by the piece that moved (when castling, by the rook), and by no other
///     discovered               by one piece that did not move
///     direct and discovered    by the piece that moved and by another
///     double discovered        by two pieces or more, none of which moved
///   checkmates   a check without a legal reply
///   stalemates   no check, and no legal move
/// ```
///
/// Tables of other programs differ: many count as "discovery checks" and "double checks" what is here discovered and
/// direct and discovered, some leave mates out of checks. (The kinds of check are those of François Labelle, "Statistics
/// on chess games".)
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_core::{Perft, Progress};
/// let statistics = Perft::new().statistics(&Position::start(), 4, None, &Progress::default())?;
/// assert_eq!((statistics.nodes, statistics.captures), (197_281, 1576));
/// assert_eq!((statistics.checks(), statistics.checkmates), (469, 8));
/// # Ok::<(), crate::count::Interrupted>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct LeafStatistics {
    pub nodes: u128,
    pub captures: u128,
    pub en_passant: u128,
    pub castles: u128,
    pub promotions: u128,
    pub direct_checks: u128,
    pub discovered_checks: u128,
    pub direct_and_discovered_checks: u128,
    pub double_discovered_checks: u128,
    pub checkmates: u128,
    pub stalemates: u128,
}

impl LeafStatistics {
    /// Checks of all kinds, mates included.
    pub const fn checks(&self) -> u128 {
        self.direct_checks
            + self.discovered_checks
            + self.direct_and_discovered_checks
            + self.double_discovered_checks
    }

    /// Notes one leaf node: the move, made in `before`, and the position after it.
    fn note(&mut self, counter: &dyn LeafCounter, before: &Position, played: Move, after: &Position) {
        self.nodes += 1;
        let kind = played.kind();
        let takes_en_passant = kind == MoveKind::EnPassant;
        let captures = takes_en_passant || before.army(after.turn()).all.contains(played.to());
        self.captures += u128::from(captures);
        self.en_passant += u128::from(takes_en_passant);
        self.castles += u128::from(kind == MoveKind::Castling);
        self.promotions += u128::from(kind.promotion().is_some());
        let checkers = after.checkers();
        if checkers.any() {
            self.note_check(checkers, moved_piece(played, before.turn()));
            self.checkmates += u128::from(counter.one_ply(after) == 0);
        } else if !can_surely_push(after) {
            self.stalemates += u128::from(counter.one_ply(after) == 0);
        }
    }

    fn note_check(&mut self, checkers: Bitboard, moved: Bitboard) {
        let is_direct = (checkers & moved).any();
        let kind = match (is_direct, checkers.has_many()) {
            (true, false) => &mut self.direct_checks,
            (false, false) => &mut self.discovered_checks,
            (true, true) => &mut self.direct_and_discovered_checks,
            (false, true) => &mut self.double_discovered_checks,
        };
        *kind += 1;
    }

    /// A position that is its own leaf: nothing has moved.
    fn of_root() -> LeafStatistics {
        LeafStatistics { nodes: 1, ..LeafStatistics::default() }
    }
}

/// Where the piece that moved stands and may give check from; when castling, the rook.
fn moved_piece(played: Move, mover: Color) -> Bitboard {
    match played.kind() {
        MoveKind::Castling => CastlingSide::of(played.from(), played.to()).rook_target(mover).into(),
        _ => played.to().into(),
    }
}

/// True if the side to move, not in check, has a pawn that may step forward whatever else there is: one that is on no
/// line with its king, so that it cannot be pinned. Most positions have one, which saves looking for stalemate.
fn can_surely_push(position: &Position) -> bool {
    fn can<S: Side>(position: &Position) -> bool {
        let king = position.king(S::COLOR);
        let pawns = position.army(S::COLOR).pawns & !orthogonal_rays(king) & !diagonal_rays(king);
        (pawns.step(S::FORWARD) & !position.occupied()).any()
    }
    match position.turn() {
        Color::White => can::<White>(position),
        Color::Black => can::<<White as Side>::Other>(position),
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
    /// What the leaf nodes are at a depth in plies below a position, found by our own generator. A table, if there is one,
    /// remembers subtrees from one call to the next.
    ///
    /// # Errors
    /// The stop signal of `progress` was raised.
    ///
    /// # Panics
    /// The depth is above [`MAX_DEPTH`](super::MAX_DEPTH).
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

/// Positions whose leaf nodes are looked at.
struct StatisticsTree<'a> {
    counter: &'a dyn LeafCounter,
    table: Option<&'a StatisticsTable>,
}

impl Tree for StatisticsTree<'_> {
    type Node = Position;

    type Total = LeafStatistics;

    fn children(&self, position: &Position) -> Vec<(Move, Position)> {
        let moves = self.counter.moves(position);
        moves.iter().map(|&played| (played, position.play_unchecked(played))).collect()
    }

    fn subtree(&self, position: &Position, depth: u32) -> LeafStatistics {
        match depth {
            0 => LeafStatistics::of_root(),
            1 => self.leaf_parent(position),
            _ => {
                let table = self.table.map(|table| (table, table.keys.key(position, depth)));
                if let Some(known) = table.and_then(|(table, key)| table.get(key)) {
                    return known;
                }
                let moves = self.counter.moves(position);
                let below = |played: &Move| self.subtree(&position.play_unchecked(*played), depth - 1);
                let total = moves.iter().map(below).fold(LeafStatistics::ZERO, Total::plus);
                if let Some((table, key)) = table {
                    table.put(key, total);
                }
                total
            }
        }
    }

    fn recall(
        &self,
        position: &Position,
        depth: u32,
        count: impl FnOnce() -> Result<LeafStatistics, Interrupted>,
    ) -> Result<LeafStatistics, Interrupted> {
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

impl StatisticsTree<'_> {
    fn leaf_parent(&self, position: &Position) -> LeafStatistics {
        let mut statistics = LeafStatistics::default();
        for played in self.counter.moves(position) {
            let after = position.play_unchecked(played);
            statistics.note(self.counter, position, played, &after);
        }
        statistics
    }
}

/// The statistics of subtrees, found again by a key of 128 bits; of two that want one place the later stays.
///
/// An entry is large, and making one takes long, so entries are locked one by one: threads hardly ever meet.
#[derive(Debug)]
pub struct StatisticsTable {
    entries: Vec<Mutex<Option<(Key, LeafStatistics)>>>,
    keys: KeyMaker,
}

impl StatisticsTable {
    /// A table of so many bytes at most, but with one entry at least. Two seeds give independent keys.
    ///
    /// # Errors
    /// The system does not give the memory.
    pub fn new(bytes: usize, seed: u64) -> Result<StatisticsTable, std::collections::TryReserveError> {
        let count = (bytes / size_of::<Mutex<Option<(Key, LeafStatistics)>>>()).max(1);
        let mut entries = Vec::new();
        entries.try_reserve_exact(count)?;
        entries.resize_with(count, Mutex::default);
        Ok(StatisticsTable { entries, keys: KeyMaker::new(seed) })
    }

    /// The size of the table in bytes.
    pub fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Mutex<Option<(Key, LeafStatistics)>>>()
    }

    fn get(&self, key: Key) -> Option<LeafStatistics> {
        let entry = self.entry(key).lock().unwrap_or_else(PoisonError::into_inner);
        entry.filter(|(found, _)| *found == key).map(|(_, statistics)| statistics)
    }

    fn put(&self, key: Key, statistics: LeafStatistics) {
        *self.entry(key).lock().unwrap_or_else(PoisonError::into_inner) = Some((key, statistics));
    }

    /// The place of a key: its first word, as a fraction of the whole.
    fn entry(&self, key: Key) -> &Mutex<Option<(Key, LeafStatistics)>> {
        let place = (u128::from(key.slot) * self.entries.len() as u128) >> 64;
        &self.entries[place as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::find_move;

    fn statistics(fen: &str, depth: u32) -> LeafStatistics {
        let position = Position::from_fen(fen).unwrap();
        Perft::new().statistics(&position, depth, None, &Progress::default()).unwrap()
    }

    /// The statistics of a single last move.
    fn of_move(fen: &str, played: &str) -> LeafStatistics {
        let before = Position::from_fen(fen).unwrap();
        let played = find_move(&before, played).unwrap();
        let after = before.play_unchecked(played);
        let mut statistics = LeafStatistics::default();
        statistics.note(&crate::count::leaf::Portable::new(), &before, played, &after);
        statistics
    }

    fn only(set: impl Fn(&mut LeafStatistics)) -> LeafStatistics {
        let mut statistics = LeafStatistics::of_root();
        set(&mut statistics);
        statistics
    }

    #[test]
    fn each_kind_of_check() {
        let direct = of_move("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8");
        assert_eq!(direct, only(|s| s.direct_checks = 1));
        let discovered = of_move("4k3/8/8/8/4N3/8/8/3KR3 w - - 0 1", "e4c3");
        assert_eq!(discovered, only(|s| s.discovered_checks = 1));
        let both = of_move("4k3/8/8/8/4N3/8/8/3KR3 w - - 0 1", "e4d6");
        assert_eq!(both, only(|s| s.direct_and_discovered_checks = 1));
        // The pawn that takes opens the file of the rook, the one that is taken the diagonal of the bishop.
        let double = of_move("8/8/4k3/3pP3/8/8/B7/K3R3 w - d6 0 1", "e5d6");
        assert_eq!(double, only(|s| (s.captures, s.en_passant, s.double_discovered_checks) = (1, 1, 1)));
    }

    #[test]
    fn castling_checks_with_the_rook() {
        let castling = of_move("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1");
        assert_eq!(castling, only(|s| (s.castles, s.direct_checks) = (1, 1)));
    }

    #[test]
    fn a_promotion_counts_for_every_piece() {
        let all = statistics("8/P6k/8/8/8/8/8/K7 w - - 0 1", 1);
        assert_eq!((all.nodes, all.promotions, all.captures), (3 + 4, 4, 0));
    }

    #[test]
    fn mate_and_stalemate() {
        let mate = of_move("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7h7");
        assert_eq!(mate, only(|s| (s.direct_checks, s.checkmates) = (1, 1)));
        let stalemate = of_move("7k/4Q3/6K1/8/8/8/8/8 w - - 0 1", "e7f7");
        assert_eq!(stalemate, only(|s| s.stalemates = 1));
    }

    /// Whatever the number of threads, and with a table of any size.
    #[test]
    fn every_driver_finds_the_same() {
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

//! Makes the positions of the next ply, in groups that fit into the cache.
//!
//! The positions of a frontier are in lists by a hash of the *waiting army*: the pieces and castling rights of the side
//! that is not to move. A move changes this army only if it captures. So after other moves, two children can be equal
//! only if their parents have the same waiting army:
//!
//! ```text
//!   waiting army     A             B            C
//!   positions        P1  P2  P3    P4  P5       P6  P7
//!                    | \/| \/|     | \/ |       | \/ |
//!   quiet moves      children      children     children     merged in a small hash table, army by army
//!                         \_________________/ _____/
//!   captures                stored first, and added to the children with the same army
//! ```
//!
//! First, all captures are made, merged army by army, and stored in lists by the army that is then to move. Few moves
//! are captures, so this takes little memory. Then all other moves are made, army by army. Together with the stored
//! positions, that gives all children with this army to move, each of them once. They are passed to [`Take`], which
//! stores them, counts them, or counts below them. So a ply that is not stored takes hardly any memory.
//!
//! If there is no memory for all captures, the ply is made in several *rounds*, each with some of the lists. If a hash
//! table becomes too large, the positions with this army are merged in several *passes*, each with a part of the
//! hashes.

use std::ops::Range;
use std::sync::Mutex;

use perft_core::internals::PackedPosition;
use perft_core::{Bitboard, Interrupted, LeafCounter, Move, MoveKind};

use super::lists::{
    Budget, CountedPosition, Counts, Frontier, FrontierError, GrowingLists, Lists, Outbox, bytes_of_lists,
};
use crate::merged::PositionSet;
use crate::progress::Share;
use crate::trunk::{PositionTree, Trunk};

/// The memory of a growing hash table for each position, in bytes.
const BYTES_PER_POSITION: usize = 80;

/// The smallest and the largest number of positions for which a hash table has room.
const TABLE_POSITIONS: [usize; 2] = [1 << 10, 1 << 30];

/// The number of distinct children for which a hash table has room at first, for each parent.
const EXPECTED_PER_PARENT: usize = 8;

/// Distinct positions of the next ply, and their multiplicities. The same army is to move in all of them. The memory is
/// reused for the next army.
#[derive(Default)]
pub(super) struct Merged {
    set: PositionSet,
    /// The multiplicity of each position of the set.
    pub(super) multiplicities: Vec<u64>,
}

impl Merged {
    pub(super) fn positions(&self) -> &[PackedPosition] {
        self.set.positions()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = CountedPosition> {
        let pairs = self.positions().iter().zip(&self.multiplicities);
        pairs.map(|(&position, &multiplicity)| CountedPosition { position, multiplicity })
    }

    pub(super) fn counts(&self) -> Counts {
        Counts::of(self.multiplicities.iter().copied())
    }

    fn clear_for(&mut self, positions: usize) {
        self.set.clear_for(positions);
        self.multiplicities.clear();
    }

    /// Adds the children of a position after captures, or after all other moves.
    #[inline(always)]
    fn add_children_of(
        &mut self,
        parent: &CountedPosition,
        counter: &dyn LeafCounter,
        captures: bool,
        is_wanted: impl Fn(&PackedPosition, u64) -> bool,
    ) {
        let (position, multiplicity) = parent.unpack();
        let targets = position.army(!position.turn()).all;
        let is_capture = |played: Move| targets.contains(played.to()) || played.kind() == MoveKind::EnPassant;
        let has_kind = |played| is_capture(played) == captures;
        let multiplicities = &mut self.multiplicities;
        let found = |index| add(multiplicities, index, multiplicity);
        self.set.add_children_of(&position, counter, has_kind, is_wanted, found);
    }
}

impl Outbox<'_> {
    pub(super) fn send_all(&mut self, merged: &Merged) -> Result<(), FrontierError> {
        merged.iter().try_for_each(|position| self.send(position))
    }
}

/// Takes some positions of the next ply. Each thread has its own `T`. No position is passed twice, on any thread.
type Take<'a, T> = &'a (dyn Fn(&mut T, &Merged) -> Result<(), FrontierError> + Sync);

/// The settings for making the next ply.
pub(super) struct Making<'a> {
    pub(super) trunk: &'a Trunk<'a, PositionTree<'a>>,
    /// The memory for captures and hash tables, and for what is stored.
    pub(super) budget: &'a Budget,
    /// If only a part of the ply is made: the lists that keep its positions.
    pub(super) part: Option<&'a GrowingLists<'a>>,
    /// The share of the work in the whole count.
    pub(super) share: Share,
}

impl Frontier {
    /// Passes all positions of the next ply to `take`, and returns what each thread has taken. `new` begins it.
    pub(super) fn take_next<T: Send>(
        &self,
        making: &Making,
        new: &(dyn Fn() -> T + Sync),
        take: Take<T>,
    ) -> Result<Vec<T>, FrontierError> {
        let workers = Workers { idle: Mutex::default(), new, take };
        let (mut begin, mut width) = (0, self.lists.len());
        while begin < self.lists.len() {
            let lists = begin..self.lists.len().min(begin + width);
            // The captures of several lists may take half of the memory, those of a single list as much as they need.
            let limit = if width > 1 { making.budget.room() / 2 } else { usize::MAX };
            let captures = match self.find_captures(making, lists.clone(), limit) {
                Err(FrontierError::NoRoom { .. }) if width > 1 => {
                    width /= 2;
                    continue;
                }
                captures => captures?,
            };
            begin = lists.end;
            let bytes = bytes_of_lists(&captures);
            making.budget.take_anyway(bytes);
            Step::new(making, self, Some(&captures)).run(lists, &workers)?;
            making.budget.give_back(bytes);
        }
        Ok(workers.into_taken())
    }

    /// Returns the positions after captures in which an army of one of the lists is to move.
    fn find_captures(
        &self,
        making: &Making,
        lists: Range<usize>,
        limit: usize,
    ) -> Result<Lists, FrontierError> {
        let count = self.lists.len();
        let budget = Budget::new(limit, making.budget.no_room);
        let found = GrowingLists::new(count, PackedPosition::mover_hash, lists, &budget);
        let workers =
            Workers { idle: Mutex::default(), new: &|| Outbox::new(&found), take: &Outbox::send_all };
        Step::new(making, self, None).run(0..count, &workers)?;
        workers.into_taken().into_iter().try_for_each(Outbox::finish)?;
        Ok(found.into_lists())
    }
}

/// One of the two steps in which the next ply is made: captures, then all other moves.
struct Step<'a> {
    making: &'a Making<'a>,
    frontier: &'a Frontier,
    /// The positions after captures, or `None` in the step that makes them.
    captures: Option<&'a Lists>,
    /// The number of positions above which a hash table is too large.
    table_positions: usize,
}

impl<'a> Step<'a> {
    fn new(making: &'a Making, frontier: &'a Frontier, captures: Option<&'a Lists>) -> Step<'a> {
        // The tables take an eighth of the memory.
        let room = making.budget.room() / (8 * making.trunk.threads.count() * BYTES_PER_POSITION);
        let [least, most] = TABLE_POSITIONS;
        Step { making, frontier, captures, table_positions: room.clamp(least, most) }
    }

    fn run<T: Send>(&self, lists: Range<usize>, workers: &Workers<T>) -> Result<(), FrontierError> {
        let make = |list| workers.with(|worker| self.make_list(list, worker));
        self.making.trunk.threads.map(lists, make).map(drop)
    }

    fn make_list<T>(&self, list: usize, worker: &mut Worker<T>) -> Result<(), FrontierError> {
        let parents = self.frontier.lists[list].iter().flatten();
        let captures = self.captures.map_or(&[][..], |captures| &captures[list]).iter().flatten();
        let mut entries: Vec<Entry> = parents.map(Entry::parent).chain(captures.map(Entry::child)).collect();
        entries.sort_unstable_by_key(|entry| (entry.army_hash, entry.is_child, entry.pawns));
        for same_hash in entries.chunk_by_mut(|a, b| a.army_hash == b.army_hash) {
            self.merge_armies(same_hash, worker)?;
        }
        if self.captures.is_some() {
            self.making.trunk.progress.add(0, self.making.share.split(self.frontier.lists.len()));
        }
        Ok(())
    }

    /// Merges the children of all positions whose waiting armies have the same hash. Nearly always, it is one army.
    fn merge_armies<T>(&self, same_hash: &mut [Entry], worker: &mut Worker<T>) -> Result<(), FrontierError> {
        let army = same_hash[0].army();
        if same_hash.iter().all(|entry| entry.army() == army) {
            return self.merge_army(same_hash, worker);
        }
        same_hash.sort_by_key(|entry| entry.army().map(Bitboard::bits));
        let mut armies = same_hash.chunk_by(|a, b| a.army() == b.army());
        armies.try_for_each(|army| self.merge_army(army, worker))
    }

    /// Merges the children of all positions with one waiting army.
    fn merge_army<T>(&self, army: &[Entry], worker: &mut Worker<T>) -> Result<(), FrontierError> {
        let (mut pass, mut passes) = (0, 1);
        while pass < passes {
            let is_in_pass = |hash: u64| passes == 1 || (hash >> 32) % passes == pass;
            let most = if pass == 0 { self.table_positions } else { usize::MAX };
            if !self.fill(&mut worker.merged, army, most, is_in_pass)? {
                passes *= 2;
                continue;
            }
            pass += 1;
            let merged = &worker.merged;
            (worker.take)(&mut worker.taken, merged)?;
            if self.captures.is_some() {
                self.making.trunk.progress.add_positions(merged.positions().len() as u64);
            }
        }
        Ok(())
    }

    /// Fills a table with the children whose hash is in a pass. Returns `false` if there are more than `most`.
    fn fill(
        &self,
        merged: &mut Merged,
        army: &[Entry],
        most: usize,
        is_in_pass: impl Fn(u64) -> bool,
    ) -> Result<bool, FrontierError> {
        let Making { trunk, part, .. } = self.making;
        let (parents, captures) = army.split_at(army.partition_point(|entry| !entry.is_child));
        let is_kept = |child: &PackedPosition| part.is_none_or(|lists| lists.keeps(child));
        merged.clear_for((parents.len() * EXPECTED_PER_PARENT + captures.len()).min(most));
        for parent in parents {
            if trunk.progress.is_stopped() {
                return Err(Interrupted.into());
            }
            merged.add_children_of(
                parent.counted,
                trunk.tree.counter,
                self.captures.is_none(),
                |child, hash| is_in_pass(hash) && is_kept(child),
            );
            if merged.set.positions().len() > most {
                return Ok(false);
            }
        }
        let captures = captures.iter().map(|entry| (entry.counted, entry.counted.position.hash()));
        for (counted, hash) in captures.filter(|(_, hash)| is_in_pass(*hash)) {
            let index = merged.set.add(&counted.position, hash);
            add(&mut merged.multiplicities, index, counted.multiplicity);
        }
        Ok(true)
    }
}

/// A position of a list.
struct Entry<'a> {
    /// The hash of [`Entry::army`].
    army_hash: u64,
    /// Whether the position is a child after a capture.
    is_child: bool,
    /// The pawns of a parent. Parents with the same pawns are merged one after the other. Most moves do not change the
    /// pawns, so equal children are found while they are in the nearest cache.
    pawns: u64,
    counted: &'a CountedPosition,
}

impl Entry<'_> {
    fn parent(counted: &CountedPosition) -> Entry<'_> {
        let pawns = counted.position.pawns().bits();
        Entry { army_hash: counted.position.waiting_hash(), is_child: false, pawns, counted }
    }

    fn child(counted: &CountedPosition) -> Entry<'_> {
        Entry { army_hash: counted.position.mover_hash(), is_child: true, pawns: 0, counted }
    }

    #[inline(always)]
    fn army(&self) -> [Bitboard; 4] {
        let position = &self.counted.position;
        if self.is_child { position.mover_army() } else { position.waiting_army() }
    }
}

/// Adds to the multiplicity with this index, which may be that of a new position.
#[inline(always)]
fn add(multiplicities: &mut Vec<u64>, index: usize, multiplicity: u64) {
    match multiplicities.get_mut(index) {
        Some(sum) => *sum += multiplicity,
        None => multiplicities.push(multiplicity),
    }
}

/// The data that a thread needs to merge positions.
struct Worker<'a, T> {
    merged: Merged,
    taken: T,
    take: Take<'a, T>,
}

/// The workers that no thread uses at the moment. A thread takes one for each list, or makes one if there is none. So
/// there are no more workers than threads.
struct Workers<'a, T> {
    idle: Mutex<Vec<Worker<'a, T>>>,
    new: &'a (dyn Fn() -> T + Sync),
    take: Take<'a, T>,
}

impl<'a, T> Workers<'a, T> {
    /// Does some work with a worker. If the work fails, the worker is dropped, because the whole step then fails.
    fn with<E>(&self, work: impl FnOnce(&mut Worker<'a, T>) -> Result<(), E>) -> Result<(), E> {
        let idle = || self.idle.lock().expect("no thread panicked while it held the lock");
        let last = idle().pop();
        let new = || Worker { merged: Merged::default(), taken: (self.new)(), take: self.take };
        let mut worker = last.unwrap_or_else(new);
        work(&mut worker)?;
        idle().push(worker);
        Ok(())
    }

    fn into_taken(self) -> Vec<T> {
        let idle = self.idle.into_inner().expect("no thread panicked while it held the lock");
        idle.into_iter().map(|worker| worker.taken).collect()
    }
}

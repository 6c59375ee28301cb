//! The counts below a position, with all mutations at once.
//!
//! In each position, most mutations change nothing, and many of the others make the same change. The generator records
//! which mutations could change something, so it runs once for each different change. Equal positions of the same depth
//! are counted once. What a mutation changes in one position leads to positions that are known, or to few others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use perft_core::{Interrupted, MoveList, StopSignal};

use super::MutatedBoard;
use super::board::{Board, PACKED_WORDS, Rules};
use super::catalogue::{COUNT, Mutation, MutationSet, UNMAKING};
use super::try_map;

/// A packed board and a depth.
type Key = ([u64; PACKED_WORDS], u32);

/// The largest number of positions whose counts are kept. They need about 1 GiB.
const MAX_POSITIONS: usize = 2_000_000;

/// The number of parts of the known counts. Threads seldom wait for the same part.
const PARTS: usize = 64;

/// Changes of a count, by mutations in the order of the catalogue.
type Changes = Arc<[(Mutation, i64)]>;

/// The counts below a board, and how mutations change them.
#[derive(Default)]
pub(super) struct Counts {
    /// The number of leaf nodes without a mutation.
    pub nodes: u64,
    /// The mutations whose changes are known: those that were wanted, and those that could change nothing.
    known: MutationSet,
    /// The changes by mutations of all plies, except those of taking back moves.
    everywhere: Changes,
    /// The changes by mutations of the last ply.
    last_ply: Changes,
    /// The mutations of taking back moves that could change something.
    unmaking: MutationSet,
}

impl Counts {
    /// Returns the count with a mutation of all plies, which is not one of taking back moves.
    pub fn everywhere(&self, mutation: Mutation) -> u64 {
        self.changed(&self.everywhere, mutation)
    }

    /// Returns the count if only the last ply is counted with a mutation.
    pub fn last_ply(&self, mutation: Mutation) -> u64 {
        self.changed(&self.last_ply, mutation)
    }

    fn changed(&self, changes: &Changes, mutation: Mutation) -> u64 {
        let place = changes.binary_search_by_key(&mutation, |(changing, _)| *changing);
        self.nodes.wrapping_add_signed(place.map_or(0, |place| changes[place].1))
    }

    /// Returns the same counts with the changes of others.
    fn with_more(&self, more: &Counts) -> Counts {
        let joined = |one: &Changes, other: &Changes| {
            let mut all = [&one[..], &other[..]].concat();
            all.sort_unstable();
            all.dedup();
            all.into()
        };
        Counts {
            known: self.known.union(more.known),
            everywhere: joined(&self.everywhere, &more.everywhere),
            last_ply: joined(&self.last_ply, &more.last_ply),
            ..*more
        }
    }

    /// Returns the mutations that change the count, or could do so.
    pub fn changing(&self) -> MutationSet {
        let changes = self.everywhere.iter().chain(self.last_ply.iter());
        changes.map(|(mutation, _)| *mutation).collect::<MutationSet>().union(self.unmaking)
    }
}

/// The counts that are known, by position and depth.
pub(super) struct Counter<'a> {
    known: [Mutex<HashMap<Key, Arc<Counts>>>; PARTS],
    stop: &'a StopSignal,
}

impl<'a> Counter<'a> {
    /// Counts below the positions of a tree with the `wanted` mutations, those with the smallest depth first.
    pub fn new(
        root: Board,
        depth: u32,
        wanted: MutationSet,
        stop: &'a StopSignal,
    ) -> Result<Counter<'a>, Interrupted> {
        let (mut plies, mut positions) = (vec![vec![root]], 1);
        for ply in 1..depth as usize {
            let mut next = HashMap::new();
            for board in &plies[ply - 1] {
                next.extend(children(*board, None).0.into_iter().map(|child| (child.packed(), child)));
                if stop.is_raised() {
                    return Err(Interrupted);
                }
            }
            positions += next.len();
            plies.push(next.into_values().collect());
            if positions > MAX_POSITIONS {
                break;
            }
        }
        let counter = Counter { known: std::array::from_fn(|_| Mutex::default()), stop };
        while let Some(boards) = plies.pop() {
            let depth = depth - plies.len() as u32;
            try_map(boards, |board| counter.count(&board, depth, wanted).map(drop))?;
        }
        Ok(counter)
    }

    /// Returns the counts below a board, with the changes by the `wanted` mutations.
    pub fn count(&self, board: &Board, depth: u32, wanted: MutationSet) -> Result<Arc<Counts>, Interrupted> {
        let key = (board.packed(), depth);
        let hash = key.0.iter().fold(0_u64, |hash, word| (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let part = &self.known[(hash >> 58) as usize % PARTS];
        let part = || part.lock().unwrap_or_else(PoisonError::into_inner);
        let known = part().get(&key).cloned();
        let wanted = known.as_ref().map_or(wanted, |counts| wanted.without(counts.known));
        if let Some(counts) = known.as_ref().filter(|_| wanted.is_empty()) {
            return Ok(counts.clone());
        }
        if self.stop.is_raised() {
            return Err(Interrupted);
        }
        let counts = match depth {
            0 => Counts { nodes: 1, known: wanted, ..Counts::default() },
            1 => leaf_parent(*board, wanted),
            _ => self.inner(*board, depth, wanted)?,
        };
        let counts = Arc::new(match known {
            Some(known) => known.with_more(&counts),
            None => counts,
        });
        let mut part = part();
        if part.len() < MAX_POSITIONS / PARTS {
            part.insert(key, counts.clone());
        }
        Ok(counts)
    }

    /// Counts below a board that is not a leaf parent.
    fn inner(&self, board: Board, depth: u32, wanted: MutationSet) -> Result<Counts, Interrupted> {
        let (right, _, relevant) = children(board, None);
        let (known, unmaking) = (wanted.union(relevant.complement()), relevant.intersection(*UNMAKING));
        let mut counts = Counts { known, unmaking, ..Counts::default() };
        let (mut everywhere, mut last_ply) = ([0; COUNT], [0; COUNT]);
        for child in &right {
            let below = self.count(child, depth - 1, wanted)?;
            counts.nodes += below.nodes;
            counts.known = counts.known.intersection(below.known);
            counts.unmaking = counts.unmaking.union(below.unmaking);
            below.everywhere.iter().for_each(|(mutation, nodes)| everywhere[mutation.index()] += nodes);
            below.last_ply.iter().for_each(|(mutation, nodes)| last_ply[mutation.index()] += nodes);
        }
        let mut rest = relevant.intersection(wanted).without(*UNMAKING);
        while let Some(mutation) = rest.first() {
            let (wrong, counts_end, others) = children(board, Some(mutation));
            // These mutations make the same change here.
            let same = rest.without(others);
            let mut nodes = i64::from(counts_end);
            for (child, sign) in differing(&right, &wrong) {
                let below = self.count(child, depth - 1, same)?;
                nodes += sign * below.nodes as i64;
                let changes = below.everywhere.iter().filter(|(mutation, _)| same.contains(*mutation));
                changes.for_each(|(mutation, nodes)| everywhere[mutation.index()] += sign * nodes);
            }
            same.iter().for_each(|mutation| everywhere[mutation.index()] += nodes);
            rest = rest.intersection(others);
        }
        let known = counts.known;
        Ok(Counts { everywhere: changes(&everywhere, known), last_ply: changes(&last_ply, known), ..counts })
    }

    /// Counts below a board of a generator with a mutation.
    pub fn below(
        &self,
        board: &mut MutatedBoard,
        depth: u32,
        mutation: Mutation,
    ) -> Result<u64, Interrupted> {
        let counts = self.count(&board.board, depth, [mutation].into_iter().collect())?;
        if !counts.unmaking.contains(mutation) {
            return Ok(counts.everywhere(mutation));
        }
        // The count below a move changes the board for the moves after it.
        let mut nodes = 0;
        board.try_each_child(|_, child| {
            nodes += self.below(child, depth - 1, mutation)?;
            Ok(())
        })?;
        Ok(nodes)
    }
}

/// Returns the boards that only one of two lists has: those that the second one lacks with -1, and its own with 1.
fn differing<'a>(right: &'a [Board], mut wrong: &'a [Board]) -> Vec<(&'a Board, i64)> {
    let mut differing = Vec::new();
    for board in right {
        match wrong.iter().position(|other| other == board) {
            Some(place) => {
                differing.extend(wrong[..place].iter().map(|added| (added, 1)));
                wrong = &wrong[place + 1..];
            }
            None => differing.push((board, -1)),
        }
    }
    differing.extend(wrong.iter().map(|added| (added, 1)));
    differing
}

fn changes(sums: &[i64; COUNT], known: MutationSet) -> Changes {
    let mut changes = Vec::new();
    // A loop: as a chain of iterators, which are not inlined, this takes a quarter of the time of all counts.
    for (&mutation, &nodes) in Mutation::ALL.iter().zip(sums) {
        if nodes != 0 && known.contains(mutation) {
            changes.push((mutation, nodes));
        }
    }
    changes.into()
}

/// Plays each move of a board. Returns the boards after them, whether the end of a game counts as a leaf node here, and
/// the mutations that could have changed this.
fn children(board: Board, mutation: Option<Mutation>) -> (Vec<Board>, bool, MutationSet) {
    let mut board = MutatedBoard { board, rules: Rules::recorded(mutation) };
    let mut children = Vec::new();
    board.each_child(|_, child| children.push(child.board));
    let counts_end = children.is_empty() && board.counts_end();
    (children, counts_end, board.rules.relevant)
}

/// Most mutations change the moves of one piece only, so each piece is examined on its own.
fn leaf_parent(board: Board, wanted: MutationSet) -> Counts {
    let recorded = |mutation| MutatedBoard { board, rules: Rules::recorded(mutation) };
    let (mut nodes, mut changes) = (0, Vec::new());
    // Adds the changes of a part of the moves. `right` is their number without a mutation.
    let mut add = |mut rest: MutationSet, right: u64, count: &dyn Fn(&mut MutatedBoard) -> u64| {
        while let Some(mutation) = rest.first() {
            let mut wrong = recorded(Some(mutation));
            let change = count(&mut wrong) as i64 - right as i64;
            if change != 0 {
                let same = rest.without(wrong.rules.relevant);
                changes.extend(same.iter().map(|mutation| (mutation, change)));
            }
            rest = rest.intersection(wrong.rules.relevant);
        }
    };
    let mut right = recorded(None);
    let situation = right.situation();
    let mut relevant = right.rules.relevant;
    let of_all_pieces = relevant.intersection(wanted);
    let mut add_part = |moves: &dyn Fn(&mut MutatedBoard, &mut MoveList)| {
        let count = |generator: &mut MutatedBoard| {
            let mut list = MoveList::new();
            moves(generator, &mut list);
            list.len() as u64
        };
        let mut right = recorded(None);
        let part = count(&mut right);
        nodes += part;
        relevant = relevant.union(right.rules.relevant);
        add(right.rules.relevant.intersection(wanted).without(of_all_pieces), part, &count);
    };
    if let Some(situation) = situation {
        for from in board.of_color(board.turn) {
            add_part(&|generator, list| generator.moves_from(from, &situation, list));
        }
    }
    add_part(&|generator, list| generator.castlings(list));
    add(of_all_pieces, nodes, &|generator| generator.legal_moves().len() as u64);
    if nodes == 0 {
        relevant.insert(Mutation::EndIsLeaf);
        changes.push((Mutation::EndIsLeaf, 1));
    }
    let known = wanted.union(relevant.complement());
    // There are few changes, so this is faster than sums for all mutations.
    changes.sort_unstable();
    changes.dedup_by(|(mutation, nodes), (kept, sum)| {
        let is_same = mutation == kept;
        *sum += if is_same { *nodes } else { 0 };
        is_same
    });
    changes.retain(|&(mutation, nodes)| nodes != 0 && known.contains(mutation));
    let everywhere: Changes = changes.into();
    Counts { nodes, known, last_ply: everywhere.clone(), everywhere, ..Counts::default() }
}

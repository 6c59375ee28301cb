//! The plan: the distinct positions at a ply, written down in units.
//!
//! Below each root move a [`Frontier`] finds the distinct positions and the ways to each. They are then sorted by
//! position, and what several root moves lead to becomes one line with the ways of each. The order is that of the packed
//! positions, so the files are the same whatever the number of threads or the memory; neighbours are alike, which a table
//! likes.

use std::fs;
use std::path::Path;

use super::arrivals::{Arrival, Sorted, Sorter};
use super::error::CampaignError;
use super::files::{keep_entries, make_folder};
use super::manifest::{self, Manifest, RootMoveInfo, Tree, UnitInfo};
use super::unfinished::Unfinished;
use super::unit::{self, RootPaths, UnitPosition};
use perft_core::Move;
use perft_core::Position;
use perft_core::internals::PackedPosition;
use perft_core::internals::Share;
use perft_core::legal_moves;
use perft_core::{Frontier, FrontierError, Perft, Progress, WrongSum};

/// Positions a unit, unless told otherwise.
const UNIT_POSITIONS: u32 = 1000;

/// The memory for merging, unless told otherwise.
const MEMORY_BYTES: usize = 1 << 30;

/// How to plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanOptions {
    /// The depth of the count in plies.
    pub depth: u32,
    /// The ply of the positions that are counted below, from 1 to the depth less 1.
    pub split: u32,
    /// Positions a unit.
    pub unit_positions: u32,
    /// The memory that positions may take while they are merged: half for the frontiers, half for sorting.
    pub memory_bytes: usize,
}

impl PlanOptions {
    /// Units of 1,000 positions, made in a gibibyte.
    pub const fn new(depth: u32, split: u32) -> PlanOptions {
        PlanOptions { depth, split, unit_positions: UNIT_POSITIONS, memory_bytes: MEMORY_BYTES }
    }
}

/// Writes a plan into a folder, which must be empty or not exist. The manifest comes last: without it there is no plan.
/// What a planner that was killed has left there is removed.
///
/// Below each root move the positions of the last ply but one must fit into half of the memory. What does not fit of the
/// last is sorted in parts, in a file in the folder, which is gone at the end. The plan is the same with any memory.
///
/// The multiplicities of every ply are checked as those of a [`Frontier`] are, and their sum is compared with a plain
/// count of the tree to that ply.
///
/// # Errors
/// The folder is not empty or cannot be written; the tree cannot be split there; the positions do not fit into the
/// memory; they failed their check; or the stop signal of `progress` was raised. What was written is removed.
pub fn plan(
    root: &Position,
    options: PlanOptions,
    perft: &Perft,
    folder: &Path,
    progress: &Progress,
) -> Result<Manifest, CampaignError> {
    let PlanOptions { depth, split, unit_positions, memory_bytes } = options;
    if split == 0 || depth <= split {
        return Err(CampaignError::BadSplit { depth, split });
    }
    if unit_positions == 0 {
        return Err(CampaignError::EmptyUnits);
    }
    let unfinished = Unfinished::begin(folder)?;
    progress.restart();
    let moves = sorted_moves(root);
    let (file, path) = unfinished.file();
    let mut sorter = Sorter::new(perft, memory_bytes / 2, file, path)?;
    let nodes = arrivals(root, &moves, options, perft, &mut sorter, progress)?;
    check_sum(root, split, &nodes, perft, progress)?;

    let moves: Vec<String> = moves.into_iter().map(|(text, _)| text).collect();
    let units = write_units(folder, sorter.sorted()?, &moves, unit_positions, progress)?;
    let positions = units.iter().map(|unit| u64::from(unit.positions)).sum();
    let with_nodes = |(played, nodes_at_split)| RootMoveInfo { played, nodes_at_split };
    let moves = moves.into_iter().zip(nodes).map(with_nodes).collect();
    let tree = Tree { fen: root.to_string(), depth, split, positions, unit_positions, moves };
    let manifest = Manifest::new(tree, units);
    manifest.write(&folder.join(manifest::FILE_NAME))?;
    unfinished.finish();
    Ok(manifest)
}

/// The root moves with their texts, sorted by these.
fn sorted_moves(root: &Position) -> Vec<(String, Move)> {
    let notation = root.castling_notation();
    let mut moves: Vec<(String, Move)> =
        legal_moves(root).iter().map(|&played| (played.to_uci(notation), played)).collect();
    moves.sort_by(|a, b| a.0.cmp(&b.0));
    moves
}

/// Finds the positions below each root move; returns the nodes below each.
fn arrivals(
    root: &Position,
    moves: &[(String, Move)],
    options: PlanOptions,
    perft: &Perft,
    sorter: &mut Sorter,
    progress: &Progress,
) -> Result<Vec<u128>, CampaignError> {
    let mut nodes = Vec::new();
    for (index, (_, played)) in moves.iter().enumerate() {
        let take = |found: &Frontier| take(found, index as u16, sorter);
        let found = arrivals_below(&root.play_unchecked(*played), options, perft, take, progress)?;
        nodes.push(found);
        progress.add(found, Share::WHOLE.split(moves.len()));
    }
    Ok(nodes)
}

/// Finds the positions below one root move; returns the nodes. Only the ply before theirs must fit into the memory.
fn arrivals_below(
    child: &Position,
    options: PlanOptions,
    perft: &Perft,
    mut take: impl FnMut(&Frontier) -> Result<(), CampaignError> + Send,
    progress: &Progress,
) -> Result<u128, CampaignError> {
    let memory_bytes = options.memory_bytes / 2;
    let mut frontier = Frontier::new(child);
    if options.split == 1 {
        take(&frontier)?;
        return Ok(frontier.nodes());
    }
    let of_root = |error| match error {
        FrontierError::NoRoom { ply, .. } => {
            FrontierError::NoRoom { ply: ply + 1, memory_bytes: options.memory_bytes }
        }
        other => other,
    };
    while frontier.ply() + 2 < options.split {
        frontier = frontier.next(perft, memory_bytes, &progress.unseen()).map_err(of_root)?;
    }
    let last = frontier.next_in_slices(perft, memory_bytes, &progress.unseen(), take);
    let last = last.map_err(|error| match error {
        CampaignError::Frontier(error) => of_root(error).into(),
        other => other,
    })?;
    Ok(last.nodes)
}

/// Hands positions below a root move on to be sorted.
fn take(found: &Frontier, root: u16, sorter: &mut Sorter) -> Result<(), CampaignError> {
    found.iter().try_for_each(|(position, ways)| {
        sorter.push(Arrival { position: PackedPosition::from(&position).to_words(), root, ways })
    })
}

/// Compares the sum of all multiplicities with a plain count.
fn check_sum(
    root: &Position,
    split: u32,
    nodes: &[u128],
    perft: &Perft,
    progress: &Progress,
) -> Result<(), CampaignError> {
    let found = nodes.iter().sum();
    let expected = perft.count(root, split, &progress.unseen())?;
    if found == expected { Ok(()) } else { Err(WrongSum { ply: split, expected, found }.into()) }
}

/// Writes the units one after the other.
fn write_units(
    folder: &Path,
    arrivals: Sorted,
    moves: &[String],
    unit_positions: u32,
    progress: &Progress,
) -> Result<Vec<UnitInfo>, CampaignError> {
    let units_folder = unit::folder(folder);
    make_folder(&units_folder)?;
    let mut merging = Merging::new(arrivals)?;
    let mut units = Vec::new();
    loop {
        if progress.is_stopped() {
            return Err(perft_core::Interrupted.into());
        }
        let positions = merging.take(unit_positions)?;
        if positions.is_empty() {
            break;
        }
        let number = u32::try_from(units.len() + 1).map_err(|_| CampaignError::TooManyUnits)?;
        let (text, info) = unit::to_text(number, &positions, moves);
        let path = unit::path(folder, number);
        fs::write(&path, text).map_err(CampaignError::file("write", &path))?;
        units.push(info);
    }
    keep_entries(&units_folder)?;
    Ok(units)
}

/// Makes one position of all that arrive at it.
struct Merging<'a> {
    arrivals: Sorted<'a>,
    /// The first arrival that was not taken.
    next: Option<Arrival>,
}

impl Merging<'_> {
    fn new(mut arrivals: Sorted) -> Result<Merging, CampaignError> {
        let next = arrivals.next()?;
        Ok(Merging { arrivals, next })
    }

    /// So many positions, fewer at the end.
    fn take(&mut self, count: u32) -> Result<Vec<UnitPosition>, CampaignError> {
        let mut taken = Vec::new();
        while taken.len() < count as usize
            && let Some(first) = self.next
        {
            let mut ways = Vec::new();
            while let Some(arrival) = self.next.filter(|arrival| arrival.position == first.position) {
                ways.push(RootPaths { root: usize::from(arrival.root), ways: arrival.ways });
                self.next = self.arrivals.next()?;
            }
            let position = PackedPosition::from_words(first.position).unpack();
            taken.push(UnitPosition { position, ways });
        }
        Ok(taken)
    }
}

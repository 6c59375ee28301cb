//! Planning: the distinct positions at a ply, written to work units.
//!
//! Below each root move, a [`Frontier`] finds the distinct positions and the number of paths to each. The positions are
//! then sorted, and a position that several root moves lead to becomes one line of a unit, with the paths of each root
//! move. The order is a fixed one, so the files do not depend on the number of threads or the memory. Positions of one
//! family are next to each other: they differ only in the pieces of the side to move, so they have most children in
//! common, and each is counted once.

use std::fs;
use std::path::Path;

use perft_core::internals::PackedPosition;
use perft_core::{Interrupted, Move, Position};
use perft_count::internals::{ExternalSorter, Share, SortRecord, SortedRecords};
use perft_count::{Frontier, FrontierError, Perft, Progress, WrongSum};

use super::error::CampaignError;
use super::files::{create_subfolder, sync_folder};
use super::format::{MANIFEST, MAX_UNIT_POSITIONS, MAX_UNITS, unit_path, units_folder};
use super::manifest::{Manifest, RootMoveInfo, UnitInfo, root_moves};
use super::unfinished_plan::UnfinishedPlan;
use super::unit;
use super::unit::{RootPaths, UnitPosition};

/// The options of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanOptions {
    /// The depth of the count in plies.
    pub depth: u32,
    /// The ply of the positions in the units, from 1 to the depth less 1.
    pub split: u32,
    /// The number of positions in each unit.
    pub unit_positions: u32,
    /// Whether the kinds of the leaf nodes are counted too.
    pub statistics: bool,
    /// The memory for merging positions, in bytes: half for the frontiers and half for sorting.
    pub memory_bytes: usize,
}

/// Writes a plan into a folder, which must be empty or not exist. The manifest is written last: without it, there is no
/// plan. Files that a killed planner has left are removed.
///
/// Below each root move, the positions of the ply before the split must fit into half of the memory. If the positions
/// at the split do not fit, they are sorted in a temporary file in the folder. The plan does not depend on the memory.
///
/// The multiplicities of each ply are checked in the same way as in a [`Frontier`]. Their sum at the split is
/// compared with a plain count of the tree.
///
/// # Errors
/// The folder is not empty or cannot be written; the tree cannot be split at this ply; the positions do not fit into
/// the memory; a check failed; or the stop signal of `progress` was raised. All files that were written are removed.
pub fn plan(
    root: &Position,
    options: PlanOptions,
    perft: &Perft,
    folder: &Path,
    progress: &Progress,
) -> Result<Manifest, CampaignError> {
    let PlanOptions { depth, split, unit_positions, .. } = options;
    if split == 0 || depth <= split {
        return Err(CampaignError::BadSplit { depth, split });
    }
    if !(1..=MAX_UNIT_POSITIONS).contains(&unit_positions) {
        return Err(CampaignError::UnitSize);
    }
    let unfinished = UnfinishedPlan::begin(folder)?;
    let manifest = write_plan(root, options, perft, &unfinished, progress);
    let manifest = manifest.map_err(|error| error.of_sorting_in(&unfinished.path))?;
    unfinished.finish();
    Ok(manifest)
}

/// Writes the units and then the manifest.
fn write_plan(
    root: &Position,
    options: PlanOptions,
    perft: &Perft,
    unfinished: &UnfinishedPlan,
    progress: &Progress,
) -> Result<Manifest, CampaignError> {
    let PlanOptions { split, unit_positions, memory_bytes, .. } = options;
    let folder = unfinished.folder;
    progress.restart();
    let moves = root_moves(root);
    let mut sorter = ExternalSorter::new(perft, memory_bytes / 2, &unfinished.file)?;
    let nodes = sort_positions(root, &moves, options, perft, &mut sorter, progress)?;
    check_sum(root, split, &nodes, perft, progress)?;

    let moves: Vec<String> = moves.into_iter().map(|(text, _)| text).collect();
    let units = write_units(folder, sorter.sorted()?, &moves, unit_positions, progress)?;
    let with_nodes = |(played, nodes_at_split)| RootMoveInfo { played, nodes_at_split };
    let moves = moves.into_iter().zip(nodes).map(with_nodes).collect();
    let manifest = Manifest::new(root, options, moves, units);
    manifest.write(&folder.join(MANIFEST))?;
    Ok(manifest)
}

/// Some positions, each with the number of paths to it.
type Found<'a> = &'a mut dyn Iterator<Item = (Position, u64)>;

/// Passes the positions below each root move to the sorter. Returns the number of nodes below each root move.
fn sort_positions(
    root: &Position,
    moves: &[(String, Move)],
    options: PlanOptions,
    perft: &Perft,
    sorter: &mut ExternalSorter,
    progress: &Progress,
) -> Result<Vec<u128>, CampaignError> {
    let mut nodes = Vec::new();
    for (index, (_, played)) in moves.iter().enumerate() {
        let take = |found: Found| take(found, index as u16, sorter, progress);
        let found = positions_below(&root.play_unchecked(*played), options, perft, take, progress);
        let found = found.map_err(|error| seen_from_root(error, options))?;
        nodes.push(found);
        progress.add(found, Share::WHOLE.split(moves.len()));
    }
    Ok(nodes)
}

/// Passes the positions below one root move to `take`. Returns the number of nodes. Only the ply before the split
/// must fit into the memory.
fn positions_below(
    child: &Position,
    options: PlanOptions,
    perft: &Perft,
    mut take: impl FnMut(Found) -> Result<(), CampaignError> + Send,
    progress: &Progress,
) -> Result<u128, CampaignError> {
    let memory_bytes = options.memory_bytes / 2;
    let mut frontier = Frontier::new(child);
    if options.split == 1 {
        take(&mut frontier.iter())?;
        return Ok(frontier.nodes());
    }
    while frontier.ply() + 2 < options.split {
        frontier = frontier.next(perft, memory_bytes, &progress.detached())?;
    }
    Ok(frontier.each_next(perft, memory_bytes, &progress.detached(), take)?.nodes)
}

/// Returns an error below a root move with the ply and the memory of the whole plan.
fn seen_from_root(error: CampaignError, options: PlanOptions) -> CampaignError {
    match error {
        CampaignError::Frontier(FrontierError::NoRoom { ply, .. }) => {
            FrontierError::NoRoom { ply: ply + 1, memory_bytes: options.memory_bytes }.into()
        }
        other => other,
    }
}

/// Passes positions below a root move to the sorter.
fn take(
    found: Found,
    root: u16,
    sorter: &mut ExternalSorter,
    progress: &Progress,
) -> Result<(), CampaignError> {
    for (position, paths) in found {
        unless_stopped(progress)?;
        let position = PackedPosition::from(&position).to_words();
        sorter.push(SortRecord { position, root, paths })?;
    }
    Ok(())
}

/// Returns an error if the stop signal was raised.
fn unless_stopped(progress: &Progress) -> Result<(), Interrupted> {
    if progress.is_stopped() { Err(Interrupted) } else { Ok(()) }
}

/// Checks the sum of all multiplicities against a plain count.
fn check_sum(
    root: &Position,
    split: u32,
    nodes: &[u128],
    perft: &Perft,
    progress: &Progress,
) -> Result<(), CampaignError> {
    let found = nodes.iter().sum();
    let expected = perft.count_with_progress(root, split, &progress.detached())?;
    if found == expected { Ok(()) } else { Err(WrongSum { ply: split, expected, found }.into()) }
}

/// Groups the sorted records into positions and writes the units.
fn write_units(
    folder: &Path,
    records: SortedRecords,
    moves: &[String],
    unit_positions: u32,
    progress: &Progress,
) -> Result<Vec<UnitInfo>, CampaignError> {
    let units_folder = units_folder(folder);
    create_subfolder(&units_folder)?;
    let mut groups = PositionGroups::new(records)?;
    let mut units = Vec::new();
    loop {
        let positions = groups.take(unit_positions, progress)?;
        if positions.is_empty() {
            break;
        }
        if units.len() == MAX_UNITS {
            return Err(CampaignError::TooManyUnits);
        }
        let number = units.len() as u32 + 1;
        let (text, info) = unit::to_text(number, &positions, moves);
        let path = unit_path(folder, number);
        fs::write(&path, text).map_err(CampaignError::file("write", &path))?;
        units.push(info);
    }
    sync_folder(&units_folder)?;
    Ok(units)
}

/// Groups the records of equal positions.
struct PositionGroups<'a> {
    records: SortedRecords<'a>,
    /// The first record that is in no group yet.
    next: Option<SortRecord>,
}

impl PositionGroups<'_> {
    fn new(mut records: SortedRecords) -> Result<PositionGroups, CampaignError> {
        let next = records.next().transpose()?;
        Ok(PositionGroups { records, next })
    }

    /// Returns the next `count` positions, or fewer at the end.
    fn take(&mut self, count: u32, progress: &Progress) -> Result<Vec<UnitPosition>, CampaignError> {
        let mut taken = Vec::new();
        while taken.len() < count as usize
            && let Some(first) = self.next
        {
            unless_stopped(progress)?;
            let mut paths = Vec::new();
            while let Some(record) = self.next.filter(|record| record.position == first.position) {
                paths.push(RootPaths { root: usize::from(record.root), paths: record.paths });
                self.next = self.records.next().transpose()?;
            }
            let position = PackedPosition::from_words(first.position).unpack();
            taken.push(UnitPosition { position, paths });
        }
        Ok(taken)
    }
}

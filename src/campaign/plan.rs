//! Planning: the distinct positions at a ply, written to work units.
//!
//! Below each root move, a [`Frontier`] finds the distinct positions and the number of paths to each. The positions are
//! then sorted, and a position that several root moves lead to becomes one line of a unit, with the paths of each root
//! move. The order is a fixed one, so the files do not depend on the number of threads or the memory. Positions of one
//! family are next to each other: they differ only in the pieces of the side to move, so they have most children in
//! common, and each is counted once.

use std::fs;
use std::iter::Peekable;
use std::path::Path;

use perft_core::internals::PackedPosition;
use perft_core::{Interrupted, Move, Position};
use perft_count::internals::{ExternalSorter, Share, SortError, SortRecord, SortedRecords};
use perft_count::{Frontier, FrontierError, Perft, Progress, WrongSum};

use super::error::CampaignError;
use super::files::{MANIFEST, create_folder, is_empty_or_absent, sync_folder, unit_path, units_folder};
use super::manifest::{Manifest, PlanOptions, RootMoveInfo, UnitInfo, root_moves};
use super::unit::{self, RootPaths, UnitPosition};

/// Writes a plan into a folder, which must be empty or not exist. The manifest is written last: without it, there is no
/// plan.
///
/// Below each root move, the positions of the ply before the split must fit into half of the memory. If the positions
/// at the split do not fit, they are sorted in a temporary file in the folder. The plan does not depend on the memory.
///
/// The multiplicities of each ply are checked in the same way as in a [`Frontier`]. Their sum at the split is compared
/// with a plain count of the tree.
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
    let PlanOptions { depth, split, .. } = options;
    if split == 0 || depth <= split {
        return Err(CampaignError::BadSplit { depth, split });
    }
    if !is_empty_or_absent(folder)? {
        return Err(CampaignError::NotEmpty(folder.to_owned()));
    }
    create_folder(folder)?;
    let units = units_folder(folder);
    // This fails if another planner has just begun in the same folder.
    fs::create_dir(&units).map_err(CampaignError::file("create", &units))?;
    let manifest = Planner { root, options, perft, progress }.write(folder);
    manifest.inspect_err(|_| {
        let _ = fs::remove_file(folder.join(MANIFEST));
        let _ = fs::remove_dir_all(&units);
    })
}

/// Some positions, each with the number of paths to it.
type Found<'a> = &'a mut dyn Iterator<Item = (Position, u64)>;

/// Makes a plan.
struct Planner<'a> {
    root: &'a Position,
    options: PlanOptions,
    perft: &'a Perft,
    progress: &'a Progress,
}

impl Planner<'_> {
    /// Writes the units and then the manifest.
    fn write(&self, folder: &Path) -> Result<Manifest, CampaignError> {
        self.progress.restart();
        let moves = root_moves(self.root);
        let file = tempfile::tempfile_in(folder).map_err(CampaignError::file("write to", folder))?;
        let mut sorter = ExternalSorter::new(self.perft, self.options.memory_bytes / 2, &file)?;
        let nodes = self.sort_positions(&moves, &mut sorter)?;
        self.check_sum(&nodes)?;

        let moves: Vec<String> = moves.into_iter().map(|(text, _)| text).collect();
        let units = self.write_units(folder, sorter.sorted()?, &moves)?;
        let with_nodes = |(played, nodes_at_split)| RootMoveInfo { played, nodes_at_split };
        let moves = moves.into_iter().zip(nodes).map(with_nodes).collect();
        let manifest = Manifest::new(self.root, self.options, moves, units);
        manifest.write(&folder.join(MANIFEST))?;
        Ok(manifest)
    }

    /// Passes the positions below each root move to the sorter. Returns the number of nodes below each root move.
    fn sort_positions(
        &self,
        moves: &[(String, Move)],
        sorter: &mut ExternalSorter,
    ) -> Result<Vec<u128>, CampaignError> {
        let mut nodes = Vec::new();
        for (root, (_, played)) in (0..).zip(moves) {
            let take = |found: Found| {
                for (position, paths) in found {
                    unless_stopped(self.progress)?;
                    let position = PackedPosition::from(&position).to_words();
                    sorter.push(SortRecord { position, root, paths })?;
                }
                Ok(())
            };
            let found = self.positions_below(&self.root.play_legal(*played), take);
            let found = found.map_err(|error| self.seen_from_root(error))?;
            nodes.push(found);
            self.progress.add(found, Share::WHOLE.split(moves.len()));
        }
        Ok(nodes)
    }

    /// Passes the positions below one root move to `take`. Returns the number of nodes. Only the ply before the split
    /// must fit into the memory.
    fn positions_below(
        &self,
        child: &Position,
        mut take: impl FnMut(Found) -> Result<(), CampaignError> + Send,
    ) -> Result<u128, CampaignError> {
        let PlanOptions { split, memory_bytes, .. } = self.options;
        let mut frontier = Frontier::new(child);
        if split == 1 {
            take(&mut frontier.iter())?;
            return Ok(frontier.nodes());
        }
        let progress = self.progress.detached();
        while frontier.ply() + 2 < split {
            frontier = frontier.next(self.perft, memory_bytes / 2, &progress)?;
        }
        Ok(frontier.each_next(self.perft, memory_bytes / 2, &progress, take)?.nodes)
    }

    /// Converts an error below a root move: plies are counted from the root, and the memory is that of the whole plan.
    fn seen_from_root(&self, error: CampaignError) -> CampaignError {
        match error {
            CampaignError::Frontier(FrontierError::NoRoom { ply, .. }) => {
                FrontierError::NoRoom { ply: ply + 1, memory_bytes: self.options.memory_bytes }.into()
            }
            other => other,
        }
    }

    /// Checks the sum of all multiplicities against a plain count.
    fn check_sum(&self, nodes: &[u128]) -> Result<(), CampaignError> {
        let (found, ply) = (nodes.iter().sum(), self.options.split);
        let expected = self.perft.count_with_progress(self.root, ply, &self.progress.detached())?;
        if found == expected { Ok(()) } else { Err(WrongSum { ply, expected, found }.into()) }
    }

    /// Groups the sorted records into positions and writes the units.
    fn write_units(
        &self,
        folder: &Path,
        records: SortedRecords,
        moves: &[String],
    ) -> Result<Vec<UnitInfo>, CampaignError> {
        let mut records = records.peekable();
        let mut units = Vec::new();
        while records.peek().is_some() {
            let positions = self.take_unit(&mut records)?;
            let number = units.len() as u32 + 1;
            let (text, info) = unit::to_text(number, &positions, moves);
            let path = unit_path(folder, number);
            fs::write(&path, text).map_err(CampaignError::file("write", &path))?;
            units.push(info);
        }
        sync_folder(&units_folder(folder))?;
        Ok(units)
    }

    /// Returns the positions of the next unit. The records of equal positions are next to each other.
    fn take_unit(&self, records: &mut Peekable<SortedRecords>) -> Result<Vec<UnitPosition>, CampaignError> {
        let of_record = |SortRecord { root, paths, .. }| RootPaths { root: usize::from(root), paths };
        let mut taken = Vec::new();
        while taken.len() < self.options.unit_positions as usize
            && let Some(first) = records.next().transpose()?
        {
            unless_stopped(self.progress)?;
            let mut paths = vec![of_record(first)];
            let is_equal = |next: &Result<SortRecord, SortError>| {
                next.as_ref().is_ok_and(|next| next.position == first.position)
            };
            while let Some(next) = records.next_if(is_equal).transpose()? {
                paths.push(of_record(next));
            }
            taken.push(UnitPosition { position: PackedPosition::from_words(first.position).unpack(), paths });
        }
        Ok(taken)
    }
}

fn unless_stopped(progress: &Progress) -> Result<(), Interrupted> {
    if progress.is_stopped() { Err(Interrupted) } else { Ok(()) }
}

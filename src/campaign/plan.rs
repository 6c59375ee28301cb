//! The plan: the distinct positions at a ply, written down in units.
//!
//! Below each root move a [`Frontier`] finds the distinct positions and the ways to each. They are then sorted by
//! position, and what several root moves lead to becomes one line with the ways of each. The order is that of the packed
//! positions, so the files are the same whatever the number of threads; neighbours are alike, which a table likes.

use std::fs;
use std::path::Path;

use rayon::slice::ParallelSliceMut;

use super::error::CampaignError;
use super::files::{is_empty_or_absent, keep_entries, make_folder};
use super::manifest::{self, Manifest, RootWays, Tree, UnitInfo};
use super::unit::{self, UnitPosition, Ways};
use crate::chess::position::{PackedPosition, Position};
use crate::chess::types::Move;
use crate::movegen::legal_moves;
use crate::perft::{Frontier, FrontierError, Perft, Progress, Share, WrongSum};

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
    /// The memory that positions may take while they are merged.
    pub memory_bytes: usize,
}

impl PlanOptions {
    /// Units of 1,000 positions, made in a gibibyte.
    pub const fn new(depth: u32, split: u32) -> PlanOptions {
        PlanOptions { depth, split, unit_positions: UNIT_POSITIONS, memory_bytes: MEMORY_BYTES }
    }
}

/// Some ways from a root move to a position. The order is that of the units: by position, then by root move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Arrival {
    position: [u64; 4],
    root: u16,
    ways: u64,
}

/// Writes a plan into a folder, which must be empty or not exist. The manifest comes last: without it there is no plan.
///
/// The multiplicities of every ply are checked as those of a [`Frontier`] are, and their sum is compared with a plain
/// count of the tree to that ply.
///
/// # Errors
/// The folder is not empty or cannot be written; the tree cannot be split there; the positions do not fit into the
/// memory; they failed their check; or the stop signal of `progress` was raised.
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
    if unit_positions == 0 {
        return Err(CampaignError::EmptyUnits);
    }
    if !is_empty_or_absent(folder)? {
        return Err(CampaignError::NotEmpty(folder.to_owned()));
    }
    progress.restart();
    let moves = sorted_moves(root);
    let (mut arrivals, nodes) = arrivals(root, &moves, options, perft, progress)?;
    check_sum(root, split, &nodes, perft, progress)?;
    perft.in_pool(|parallel| if parallel { arrivals.par_sort_unstable() } else { arrivals.sort_unstable() });

    let moves: Vec<String> = moves.into_iter().map(|(text, _)| text).collect();
    let units = write_units(folder, &arrivals, &moves, unit_positions, progress)?;
    let positions = units.iter().map(|unit| u64::from(unit.positions)).sum();
    let with_nodes = |(played, nodes_at_split)| RootWays { played, nodes_at_split };
    let moves = moves.into_iter().zip(nodes).map(with_nodes).collect();
    let tree = Tree { fen: root.to_string(), depth, split, positions, unit_positions, moves };
    let manifest = Manifest::new(tree, units);
    manifest.write(&folder.join(manifest::FILE_NAME))?;
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

/// The positions below each root move, and the nodes below each.
fn arrivals(
    root: &Position,
    moves: &[(String, Move)],
    options: PlanOptions,
    perft: &Perft,
    progress: &Progress,
) -> Result<(Vec<Arrival>, Vec<u128>), CampaignError> {
    let mut arrivals = Vec::new();
    let mut nodes = Vec::new();
    for (index, (_, played)) in moves.iter().enumerate() {
        let frontier = frontier_below(&root.play_unchecked(*played), options, &arrivals, perft, progress)?;
        arrivals.reserve_exact(frontier.positions() as usize);
        arrivals.extend(frontier.iter().map(|(position, ways)| Arrival {
            position: PackedPosition::from(&position).to_words(),
            root: index as u16,
            ways,
        }));
        nodes.push(frontier.nodes());
        progress.add(frontier.nodes(), Share::WHOLE.split(moves.len()));
    }
    Ok((arrivals, nodes))
}

/// The distinct positions below one root move, made in the memory that the others left.
fn frontier_below(
    child: &Position,
    options: PlanOptions,
    arrivals: &[Arrival],
    perft: &Perft,
    progress: &Progress,
) -> Result<Frontier, FrontierError> {
    let ply = options.split - 1;
    let memory_bytes = options.memory_bytes;
    let no_room = || FrontierError::NoRoom { ply: options.split, memory_bytes };
    let room = memory_bytes.checked_sub(size_of_val(arrivals)).ok_or_else(no_room)?;
    let mut frontier = Frontier::new(child);
    while frontier.ply() < ply {
        frontier = frontier.next(perft, room, &progress.unseen()).map_err(|error| match error {
            FrontierError::NoRoom { .. } => no_room(),
            other => other,
        })?;
    }
    // The frontier is copied, so for a while its positions are there twice.
    let copies = frontier.positions() as usize * size_of::<Arrival>();
    if copies > room.saturating_sub(frontier.bytes()) { Err(no_room()) } else { Ok(frontier) }
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
    arrivals: &[Arrival],
    moves: &[String],
    unit_positions: u32,
    progress: &Progress,
) -> Result<Vec<UnitInfo>, CampaignError> {
    let units_folder = folder.join("units");
    make_folder(&units_folder)?;
    let mut of_equals = arrivals.chunk_by(|a, b| a.position == b.position).map(merged).peekable();
    let mut units = Vec::new();
    while of_equals.peek().is_some() {
        if progress.is_stopped() {
            return Err(crate::perft::Interrupted.into());
        }
        let number = u32::try_from(units.len() + 1).ok();
        let number = number.ok_or(CampaignError::TooManyUnits(arrivals.len() as u64))?;
        let positions: Vec<UnitPosition> = of_equals.by_ref().take(unit_positions as usize).collect();
        let (text, info) = unit::to_text(number, &positions, moves);
        let path = unit::path(folder, number);
        fs::write(&path, text).map_err(CampaignError::file("write", &path))?;
        units.push(info);
    }
    keep_entries(&units_folder)?;
    Ok(units)
}

/// One position with all ways to it.
fn merged(arrivals: &[Arrival]) -> UnitPosition {
    let position = PackedPosition::from_words(arrivals[0].position).unpack();
    let ways = arrivals.iter().map(|arrival| Ways { root: usize::from(arrival.root), ways: arrival.ways });
    UnitPosition { position, ways: ways.collect() }
}

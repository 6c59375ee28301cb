//! `perft campaign plan`: finds the distinct positions at a ply, and writes them to work units.
//!
//! Below each root move, a [`Frontier`] finds the distinct positions and the number of paths to each. The positions are
//! then sorted, and a position that several root moves lead to becomes one line of a unit, with the paths of each root
//! move. The order is a fixed one, so the files do not depend on the number of threads or the memory. Positions of one
//! family are next to each other: they differ only in the pieces of the side to move, so they have most children in
//! common, and each is counted once.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::iter::Peekable;
use std::path::{Path, PathBuf};

use clap::Args;
use perft_core::internals::PackedPosition;
use perft_core::{Interrupted, Move, Position};
use perft_count::internals::{ExternalSorter, Share, SortRecord, SortedRecords};
use perft_count::{Frontier, FrontierError, Perft, Progress, WrongSum};

use super::manifest::{Manifest, PlanOptions, RootMoveInfo, UnitInfo, sync_folder};
use super::unit::{UnitPosition, units_folder, write_unit};
use crate::input::{MachineArgs, PositionArgs, merging_memory, parse_depth, parse_size};
use crate::output::{CliError, Context, number_of, watch};
use crate::report::exact_time::upper_plies;

#[derive(Debug, Args)]
#[command(override_usage = "perft campaign plan [OPTIONS] -o <DIR> [POSITION] [DEPTH]...")]
pub struct PlanArgs {
    /// Ply at which the tree is split; each distinct position at this ply is counted once [default: the last
    /// ply whose positions fit into 64 MiB]
    #[arg(short, long, value_name = "K", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Campaign")]
    split: Option<u32>,
    /// Number of positions in a work unit, at most 1000000
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "Campaign")]
    unit_positions: u32,
    /// Also count captures, castling moves, promotions, checks and mates, as perft stats does
    #[arg(long, help_heading = "Campaign")]
    stats: bool,
    /// Folder of the campaign; it must be new or empty
    #[arg(short, long, value_name = "DIR", help_heading = "Campaign")]
    output: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    /// The resources for finding the distinct positions. They do not change the plan.
    #[command(flatten, next_help_heading = "Planning")]
    machine: MachineArgs,
    /// Memory for merging and sorting positions: 4G, 512M, or a number of MiB; if it is too small, positions are sorted
    /// on disk, in the folder [default: three quarters of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true, help_heading = "Planning")]
    memory: Option<u64>,
}

pub fn run(args: PlanArgs, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    let game = args.position.game(None, context)?;
    let memory_bytes = merging_memory(args.memory)?;
    let perft = args.machine.build()?.perft;
    let PlanArgs { split, unit_positions, stats: statistics, .. } = args;
    let split = match split {
        Some(split) => split,
        None => {
            let plies = upper_plies(game.position(), game.depth, &perft, &context.stop)?;
            plies.last().map_or(1, |last| last.ply.max(1))
        }
    };
    let options = PlanOptions { depth: game.depth, split, unit_positions, statistics, memory_bytes };
    let Manifest { depth, split, positions, nodes_at_split, units, .. } =
        watch(context, "plan", |progress| plan(game.position(), options, &perft, &args.output, progress))?;
    let (positions, nodes) = (number_of(positions, "position"), number_of(nodes_at_split, "node"));
    let units = number_of(units.len(), "unit");
    writeln!(out, "planned perft({depth}): {positions} of {nodes} at ply {split}, in {units}")?;
    Ok(())
}

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
) -> Result<Manifest, CliError> {
    let PlanOptions { depth, split, .. } = options;
    if split == 0 || depth <= split {
        return Err(CliError::usage(format!("a tree of depth {depth} cannot be split at ply {split}"))
            .help("use a --split of at least 1 and less than --depth"));
    }
    match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => {}
        Ok(false) => {
            return Err(CliError::usage(format!("{} is not empty", folder.display()))
                .help("give a new or an empty folder to --output"));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(CliError::file("read", folder)(error)),
    }
    fs::create_dir_all(folder).map_err(CliError::file("create", folder))?;
    let units = units_folder(folder);
    // This fails if another planner has just begun in the same folder.
    fs::create_dir(&units).map_err(CliError::file("create", &units))?;
    let manifest = Planner { root, options, perft, folder, progress }.write();
    manifest.inspect_err(|_| {
        let _ = fs::remove_file(Manifest::path(folder));
        let _ = fs::remove_dir_all(&units);
    })
}

/// Some positions, each with the number of paths to it.
type Found<'a> = &'a mut dyn Iterator<Item = (Position, u64)>;

struct Planner<'a> {
    root: &'a Position,
    options: PlanOptions,
    perft: &'a Perft,
    folder: &'a Path,
    progress: &'a Progress,
}

impl Planner<'_> {
    /// Writes the units and then the manifest.
    fn write(&self) -> Result<Manifest, CliError> {
        self.progress.restart();
        let notation = self.root.castling_notation();
        let mut moves: Vec<(String, Move)> =
            self.root.legal_moves().iter().map(|&played| (played.to_uci(notation), played)).collect();
        moves.sort_by(|a, b| a.0.cmp(&b.0));
        let file = tempfile::tempfile_in(self.folder).map_err(CliError::file("write to", self.folder))?;
        let memory_bytes = self.options.memory_bytes / 2;
        let mut sorter = ExternalSorter::new(self.perft, memory_bytes, &file).map_err(|_| {
            CliError::usage(format!("the system does not provide {memory_bytes} bytes of memory"))
                .help("use a smaller --memory SIZE")
        })?;
        let nodes = self.sort_positions(&moves, &mut sorter)?;
        let (found, ply) = (nodes.iter().sum(), self.options.split);
        let expected = self.perft.count_with_progress(self.root, ply, &self.progress.detached())?;
        if found != expected {
            return Err(CliError::wrong(WrongSum { ply, expected, found }));
        }
        let moves: Vec<String> = moves.into_iter().map(|(text, _)| text).collect();
        let units = self.write_units(sorter.sorted().map_err(self.sort_error())?, &moves)?;
        let with_nodes = |(played, nodes_at_split)| RootMoveInfo { played, nodes_at_split };
        let moves = moves.into_iter().zip(nodes).map(with_nodes).collect();
        let manifest = Manifest::new(self.root, self.options, moves, units);
        manifest.write(self.folder)?;
        Ok(manifest)
    }

    fn sort_error(&self) -> impl FnOnce(io::Error) -> CliError {
        CliError::file("write or read sorted positions in", self.folder)
    }

    /// Passes the positions below each root move to the sorter. Returns the number of nodes below each root move.
    fn sort_positions(
        &self,
        moves: &[(String, Move)],
        sorter: &mut ExternalSorter,
    ) -> Result<Vec<u128>, CliError> {
        let mut nodes = Vec::new();
        for (root, (_, played)) in (0..).zip(moves) {
            let mut failed = None;
            let take = |found: Found| {
                for (position, paths) in found {
                    unless_stopped(self.progress)?;
                    let position = PackedPosition::from(&position).to_words();
                    if let Err(error) = sorter.push(SortRecord { position, root, paths }) {
                        failed = Some(error);
                        return Err(Interrupted);
                    }
                }
                Ok(())
            };
            let found = self.positions_below(&self.root.play_legal(*played), take);
            if let Some(error) = failed {
                return Err(self.sort_error()(error));
            }
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
        mut take: impl FnMut(Found) -> Result<(), Interrupted> + Send,
    ) -> Result<u128, FrontierError> {
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
    fn seen_from_root(&self, error: FrontierError) -> CliError {
        let error = match error {
            FrontierError::NoRoom { ply, .. } => {
                FrontierError::NoRoom { ply: ply + 1, memory_bytes: self.options.memory_bytes }
            }
            other => other,
        };
        CliError::from(error).help("use a larger --memory SIZE, or --split at an earlier ply")
    }

    /// Groups the sorted records into positions and writes the units.
    fn write_units(&self, records: SortedRecords, moves: &[String]) -> Result<Vec<UnitInfo>, CliError> {
        let mut records = records.peekable();
        let mut units = Vec::new();
        while records.peek().is_some() {
            let positions = self.take_unit(&mut records).map_err(self.sort_error())?;
            unless_stopped(self.progress)?;
            units.push(write_unit(self.folder, units.len() as u32 + 1, &positions, moves)?);
        }
        sync_folder(&units_folder(self.folder))?;
        Ok(units)
    }

    /// Returns the positions of the next unit. The records of equal positions are next to each other.
    fn take_unit(&self, records: &mut Peekable<SortedRecords>) -> io::Result<Vec<UnitPosition>> {
        let mut taken = Vec::new();
        while taken.len() < self.options.unit_positions as usize
            && let Some(first) = records.next().transpose()?
        {
            let is_equal = |next: &io::Result<SortRecord>| {
                next.as_ref().is_ok_and(|next| next.position == first.position)
            };
            let mut paths = vec![(first.root as usize, first.paths)];
            while let Some(next) = records.next_if(is_equal).transpose()? {
                paths.push((next.root as usize, next.paths));
            }
            taken.push(UnitPosition { position: PackedPosition::from_words(first.position).unpack(), paths });
        }
        Ok(taken)
    }
}

fn unless_stopped(progress: &Progress) -> Result<(), Interrupted> {
    if progress.is_stopped() { Err(Interrupted) } else { Ok(()) }
}

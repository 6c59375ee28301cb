//! `perft campaign plan`: divides a count into work units.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::campaign::{Manifest, PlanOptions, plan};
use crate::input::games::one_position;
use crate::input::{MachineArgs, MemorySize, PositionArgs, merging_memory, parse_depth};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::number_of;
use crate::output::progress::watch;

const EXAMPLES: &str = "\
Examples:
  perft campaign plan 9 --split 4 -o nine    write 73 work units to the folder
  perft campaign work nine --threads all     count them; Ctrl-C is safe
  perft campaign merge nine                  add up the counts
  perft campaign plan 10 --split 6 -o ten --stats
                                             kinds of moves, too";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    override_usage = "perft campaign plan [OPTIONS] --split <K> -o <DIR> [POSITION] [DEPTH]..."
)]
pub struct PlanArgs {
    /// Ply at which the tree is split; each distinct position at this ply is counted once
    #[arg(short, long, value_name = "K", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Campaign")]
    split: u32,
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
    #[command(flatten)]
    merging: MergingArgs,
}

/// The resources for finding the distinct positions. They do not change the plan.
#[derive(Debug, Args)]
#[command(next_help_heading = "Planning")]
struct MergingArgs {
    #[command(flatten)]
    machine: MachineArgs,
    /// Memory for merging and sorting positions: 4G, 512M, or a number of MiB; if it is too small, positions are sorted
    /// on disk, in the folder [default: three quarters of the free memory]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    memory: Option<MemorySize>,
}

pub fn run(args: PlanArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let wanted = args.position.root("perft campaign plan", None)?;
    let root = one_position(&wanted, context)?;
    let memory_bytes = merging_memory(args.merging.memory)?;
    let perft = args.merging.machine.build(context)?.perft;
    let PlanArgs { split, unit_positions, .. } = args;
    let options =
        PlanOptions { depth: wanted.depth, split, unit_positions, statistics: args.stats, memory_bytes };
    let manifest = watch(context, "plan", |progress| plan(&root, options, &perft, &args.output, progress))?;
    print_summary(&manifest, out)?;
    Ok(ExitCode::SUCCESS)
}

fn print_summary(manifest: &Manifest, out: &mut impl Write) -> io::Result<()> {
    let Manifest { depth, split, positions, nodes_at_split, units, .. } = manifest;
    let (positions, nodes) = (number_of(*positions, "position"), number_of(*nodes_at_split, "node"));
    let units = number_of(units.len(), "unit");
    writeln!(out, "planned perft({depth}): {positions} of {nodes} at ply {split}, in {units}")
}

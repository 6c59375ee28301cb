//! `perft plan`: cutting a count into units.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::campaign::{Manifest, PlanOptions, plan};
use crate::report::grouped;
use clap::Args;
use perft_core::Progress;

use super::args::{MachineArgs, MemorySize, PositionArgs, merging_memory, parse_depth};
use super::context::Context;
use super::error::CliError;
use super::input::one_position;
use super::progress::watch;

const EXAMPLES: &str = "\
Examples:
  perft plan --depth 9 --split 4 -o nine     72,078 positions in 73 units
  perft work nine --threads all              count them; Ctrl-C, and again, any number of times
  perft merge nine                           the sum";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct PlanArgs {
    /// Depth in plies
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Campaign")]
    depth: u32,
    /// The ply whose distinct positions are counted below, each once
    #[arg(short, long, value_name = "K", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Campaign")]
    split: u32,
    /// Positions a unit
    #[arg(long, value_name = "N", default_value = "1000", help_heading = "Campaign")]
    unit_positions: u32,
    /// The folder to write to: empty, or one that is not there
    #[arg(short, long, value_name = "DIR", help_heading = "Campaign")]
    output: PathBuf,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    merging: MergingArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Merging")]
struct MergingArgs {
    #[command(flatten)]
    machine: MachineArgs,
    /// The memory for merging and sorting positions: 4G, 512M, or a number of MiB; what does not fit is sorted in the
    /// folder [default: 1G, or half of what is free if that is less]
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    memory: Option<MemorySize>,
}

/// Runs the verb.
pub fn run(args: PlanArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let root = one_position(&args.position, context)?;
    let memory_bytes = merging_memory(args.merging.memory)?;
    let perft = args.merging.machine.build(context)?.perft;
    let PlanArgs { depth, split, unit_positions, .. } = args;
    let options = PlanOptions { depth, split, unit_positions, memory_bytes };
    let progress = Progress::new(context.stop.clone());
    let manifest =
        watch(context, "plan", &progress, || plan(&root, options, &perft, &args.output, &progress))?;
    say_plan(&manifest, out)?;
    Ok(ExitCode::SUCCESS)
}

fn say_plan(manifest: &Manifest, out: &mut impl Write) -> std::io::Result<()> {
    let Manifest { depth, split, positions, nodes_at_split, units, .. } = manifest;
    let (positions, nodes) = (grouped((*positions).into()), grouped(*nodes_at_split));
    let units = grouped(units.len() as u128);
    writeln!(
        out,
        "planned perft({depth}): {positions} positions of {nodes} nodes at ply {split}, in {units} units"
    )
}

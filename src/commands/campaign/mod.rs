//! `perft campaign`: a large count, split into work units that can be counted one after the other or on many machines.

pub mod common;
pub mod merge;
pub mod plan;
pub mod report;
pub mod verify;
pub mod work;

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::output::context::Context;
use crate::output::error::CliError;

const EXAMPLES: &str = "\
Examples:
  perft campaign plan 9 --split 4 -o nine    write 73 work units to the folder
  perft campaign work nine --threads all     count them; Ctrl-C is safe
  perft campaign merge nine                  add up the counts";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, arg_required_else_help = true, disable_help_subcommand = true)]
pub struct CampaignArgs {
    #[command(subcommand)]
    command: CampaignCommand,
}

#[derive(Debug, Subcommand)]
enum CampaignCommand {
    /// Split a large count into work units
    Plan(plan::PlanArgs),
    /// Count the work units of a plan that are not counted yet
    Work(work::WorkArgs),
    /// Add up the counts of a plan, or report what is missing
    Merge(merge::MergeArgs),
    /// Count some work units again and compare
    Verify(verify::VerifyArgs),
}

pub fn run(args: CampaignArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    match args.command {
        CampaignCommand::Plan(args) => plan::run(args, context, out),
        CampaignCommand::Work(args) => work::run(args, context, out),
        CampaignCommand::Merge(args) => merge::run(args, context, out),
        CampaignCommand::Verify(args) => verify::run(args, context, out),
    }
}

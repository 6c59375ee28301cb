//! `perft merge`: the sum of a campaign, or what is missing.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::campaign::{Campaign, Contradiction, Merged, Shard, merge};
use crate::report::campaign::MergeReport;
use crate::report::{grouped, write_json};
use clap::Args;

use super::campaign::{ON_CONTRADICTION, delivery_line};
use super::context::Context;
use super::error::{CliError, warn};
use super::export::Export;

const EXAMPLES: &str = "\
Examples:
  perft merge nine
  perft merge nine --shards 8                        which of eight shards are not done
  perft merge nine --json --certificate nine.json    the sum, and a record of how it came about";

/// Contradictions that are shown; the JSON has them all.
const SHOWN: usize = 10;

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct MergeArgs {
    /// The folder of the campaign, from perft plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// If units are missing, say in which of N shards
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Campaign")]
    shards: Option<u32>,
    /// One JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Write the JSON of a campaign that is complete to a file as well
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    certificate: Option<PathBuf>,
}

/// Runs the verb.
pub fn run(args: MergeArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let campaign = Campaign::open(&args.folder)?;
    let certificate = args.certificate.as_deref().map(Export::prepare).transpose()?;
    let merged = merge(&campaign)?;
    if !context.global.quiet {
        merged.damage.iter().for_each(|damage| warn(format!("ignored: {damage}")));
    }
    let report = MergeReport::new(&campaign, &merged);
    if args.json {
        write_json(&report, false, out)?;
    }
    if !merged.contradictions.is_empty() {
        out.flush()?;
        return Err(contradictory(&merged.contradictions));
    }
    let Some(nodes) = merged.nodes else {
        out.flush()?;
        return Err(incomplete(&merged, &args));
    };
    if !args.json {
        write_divide(&campaign, &merged, nodes, out)?;
    }
    if let Some(certificate) = certificate {
        certificate.write(|mut out| write_json(&report, false, &mut out))?;
    }
    if context.global.verbose {
        say_origin(&merged);
    }
    Ok(ExitCode::SUCCESS)
}

/// The divide as `perft divide` prints it, so that the two can be compared.
fn write_divide(
    campaign: &Campaign,
    merged: &Merged,
    nodes: u128,
    out: &mut impl Write,
) -> std::io::Result<()> {
    for (root, nodes) in campaign.manifest().moves.iter().zip(merged.divide.iter().flatten()) {
        writeln!(out, "{}: {nodes}", root.played)?;
    }
    writeln!(out, "\nNodes searched: {nodes}\n")
}

/// Says on standard error how the sum came about.
fn say_origin(merged: &Merged) {
    let Merged { units, journals, hosts, confirmed, repeated, seconds, .. } = merged;
    anstream::eprintln!(
        "{units} units from {} journals of {} machines, {seconds:.1} s of counting; {} confirmed by a second count, \
         {repeated} lines repeat others",
        journals.len(),
        hosts.len(),
        confirmed.len()
    );
}

fn contradictory(contradictions: &[Contradiction]) -> CliError {
    let count = grouped(contradictions.len() as u128);
    let mut lines = vec![format!("{count} counts contradict others, so there is no total")];
    for Contradiction { first, other } in contradictions.iter().take(SHOWN) {
        lines.push(format!("unit {}:", first.entry.unit));
        lines.extend([delivery_line(first), delivery_line(other)]);
    }
    CliError::Contradiction { message: lines.join("\n"), help: ON_CONTRADICTION.to_owned() }
}

fn incomplete(merged: &Merged, args: &MergeArgs) -> CliError {
    let Merged { missing, units, .. } = merged;
    let mut message =
        format!("{} of {units} units are missing, so there is no total: {missing}", missing.len());
    if let Some(of) = args.shards {
        let has_missing = |shard: &Shard| missing.iter().any(|unit| shard.has(unit));
        let shards: Vec<String> = Shard::all(of).filter(has_missing).map(|shard| shard.to_string()).collect();
        message += &format!("\nthey are in the shards {}", shards.join(" "));
    }
    CliError::usage(message).help(format!("perft work {} counts them", args.folder.display()))
}

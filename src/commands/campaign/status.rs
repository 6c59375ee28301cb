//! `perft campaign status`: how many work units are counted, claimed by workers, and left.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::journal::Ledger;
use super::manifest::Campaign;
use super::unit::Ranges;
use super::work::Claims;
use crate::output::terminal::format_duration;
use crate::output::{CliError, number_of, warn};
use crate::system::files::{self, Kind};

/// The largest size of a claim, in bytes.
const MAX_CLAIM_BYTES: u64 = 1024;

#[derive(Debug, Args)]
pub struct StatusArgs {
    /// Folder of the campaign, created by perft campaign plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub fn run(args: StatusArgs, out: &mut impl Write) -> Result<(), CliError> {
    let campaign = Campaign::open(&args.folder)?;
    let ledger = Ledger::read(&campaign)?;
    ledger.ignored_lines.iter().for_each(|damage| warn(format!("ignored: {damage}")));
    let claims = Claims::of(&campaign, String::new());
    let (claimed, left): (Vec<u32>, Vec<u32>) =
        ledger.missing_units.iter().partition(|&unit| claims.claimed_at(unit).is_some());
    let counted: Ranges = campaign.all_units().iter().filter(|&unit| !ledger.is_missing(unit)).collect();
    let units = number_of(campaign.units(), "unit");
    writeln!(out, "{units}: {} counted, {} claimed, {} left", counted.len(), claimed.len(), left.len())?;
    let left: Ranges = left.into_iter().collect();
    for (what, units) in
        [("counted", &counted), ("left", &left)].into_iter().filter(|(_, units)| units.len() > 0)
    {
        writeln!(out, "{what}: {units}")?;
    }
    for unit in claimed {
        let worker = files::read_text(&claims.path(unit), Kind::Regular, MAX_CLAIM_BYTES).unwrap_or_default();
        let since = claims.claimed_at(unit).and_then(|at| at.elapsed().ok()).unwrap_or_default();
        writeln!(out, "claimed: {unit}, {} ago by {}", format_duration(since), worker.trim())?;
    }
    if !ledger.contradictions.is_empty() {
        writeln!(out, "contradictions: {}; perft campaign merge lists them", ledger.contradictions.len())?;
    }
    Ok(())
}

//! `perft campaign work`: counts the work units of a campaign that have not been counted yet.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;

use super::common::worker;
use crate::campaign::{Campaign, Ranges, UnitCounter, WorkReport};
use crate::input::BasicCountingArgs;
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::progress::watch;
use crate::output::{agreeing, number_of};

const EXAMPLES: &str = "\
Examples:
  perft campaign work nine --threads all --hash 4G
  perft campaign work nine --units 17,20-25    only these work units, on a machine that
                                               does not share the folder";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct WorkArgs {
    /// Folder of the campaign, created by perft campaign plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Count these work units only, such as 17,20-25
    #[arg(long, value_name = "UNITS", help_heading = "Campaign")]
    units: Option<Ranges>,
    #[command(flatten)]
    counting: BasicCountingArgs,
}

pub fn run(args: WorkArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let campaign = Campaign::open(&args.folder)?;
    if let Some(absent) = args.units.as_ref().and_then(Ranges::last).filter(|&last| last > campaign.units()) {
        let units = campaign.units();
        return Err(CliError::usage(format!("--units: there is no unit {absent}; the campaign has {units}")));
    }
    let counting = args.counting.build(None, context)?;
    let start = Instant::now();
    let mut counter = UnitCounter {
        worker: worker(&counting),
        clock: &|| start.elapsed(),
        ..UnitCounter::new(&campaign, &counting.perft)
    };
    let asked = args.units.unwrap_or_else(|| campaign.all_units());
    let report = watch(context, "work", |progress| counter.work(&asked, progress))?;
    counting.print_table_statistics(context);
    if let Some(unit) = report.abandoned {
        return Err(interrupted(&report, unit));
    }
    let WorkReport { asked, found_done, counted, .. } = report;
    let by_others = asked - found_done - counted;
    writeln!(
        out,
        "{}: {found_done} already counted, {counted} counted now, {by_others} counted by other workers \
         meanwhile",
        number_of(asked, "unit")
    )?;
    Ok(ExitCode::SUCCESS)
}

fn interrupted(report: &WorkReport, unit: u32) -> CliError {
    let WorkReport { counted, left, .. } = report;
    CliError::Interrupted(format!(
        "unit {unit} was not finished; {} {} counted and saved, {} left; run the same command to continue",
        number_of(*counted, "unit"),
        agreeing(*counted, "was", "were"),
        left.len()
    ))
}

//! `perft campaign merge`: adds up the counts of a campaign, or reports what is missing.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::common::{ON_CONTRADICTION, contradiction, count_line};
use super::report::MergeReport;
use crate::campaign::{Campaign, Contradiction, merge};
use crate::output::context::Context;
use crate::output::error::{CliError, say};
use crate::output::export::Export;
use crate::output::{JsonArgs, agreeing, emit, environment, number_of, write_json};
use crate::system::command_line;

const EXAMPLES: &str = "\
Examples:
  perft campaign merge nine                print the divide and the total
  perft campaign merge nine --certificate nine.json
                                           also write a record of who counted what";

/// The largest number of contradictions that a message lists. The JSON output lists all of them.
const MAX_CONTRADICTIONS: usize = 10;

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct MergeArgs {
    /// Folder of the campaign, created by perft campaign plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten, next_help_heading = "Output")]
    output: JsonArgs,
    /// Also write the JSON to FILE if the campaign is complete
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    certificate: Option<PathBuf>,
}

pub fn run(args: MergeArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let campaign = Campaign::open(&args.folder)?;
    let certificate = args.certificate.as_deref().map(Export::prepare).transpose()?;
    let merged = merge(&campaign)?;
    merged.ledger.ignored_lines.iter().for_each(|damage| context.warn(format!("ignored: {damage}")));
    let report = MergeReport::new(environment::header(), &campaign, &merged);
    emit(&report, args.output.format(), out)?;
    if !merged.ledger.contradictions.is_empty() {
        return Err(contradictory(&merged.ledger.contradictions));
    }
    if merged.nodes.is_none() {
        let (units, missing) = (campaign.units(), merged.ledger.missing());
        let message = format!("there is no total: missing units {missing} ({} of {units})", missing.len());
        let folder = command_line::quoted(&args.folder.to_string_lossy());
        let help = format!("count them with perft campaign work {folder}");
        return Err(CliError::usage(message).help(help));
    }
    if let Some(certificate) = certificate {
        certificate.write(|mut out| write_json(&report, false, &mut out))?;
    }
    if context.global.verbose {
        print_origin(&report);
    }
    Ok(ExitCode::SUCCESS)
}

fn print_origin(report: &MergeReport) {
    let MergeReport { campaign, journals, hosts, confirmed_units, repeated_lines, seconds, .. } = report;
    say(format_args!(
        "{} from {} of {}, counted in {seconds:.1} s; confirmed by a second count: {}; repeated: {}",
        number_of(campaign.units, "unit"),
        number_of(journals.len(), "journal"),
        number_of(hosts.len(), "machine"),
        number_of(confirmed_units.units, "unit"),
        number_of(*repeated_lines, "journal line")
    ));
}

fn contradictory(contradictions: &[Contradiction]) -> CliError {
    let count = contradictions.len();
    let verb = agreeing(count, "contradicts another", "contradict others");
    let mut lines = vec![format!("{} {verb}, so there is no total", number_of(count, "count"))];
    for Contradiction { first, other } in contradictions.iter().take(MAX_CONTRADICTIONS) {
        lines.push(format!("unit {}:", first.counted.unit));
        lines.extend([count_line(first), count_line(other)]);
    }
    contradiction(lines.join("\n"), ON_CONTRADICTION)
}

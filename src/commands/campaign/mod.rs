//! `perft campaign`: a large count, split into work units that can be counted one after the other or on many machines.

pub mod report;
pub mod verify;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Subcommand};
use perft_count::FrontierError;
use perft_count::internals::SortError;
use perft_diagnosis::lines::visible;
use report::MergeReport;

use crate::campaign::{
    Campaign, CampaignError, Contradiction, JournalLine, Manifest, PlanOptions, Ranges, UnitCounter,
    WorkReport, Worker, merge, plan,
};
use crate::input::{
    BasicCountingArgs, Counting, MachineArgs, MemorySize, PositionArgs, merging_memory, parse_depth,
};
use crate::output::context::Context;
use crate::output::environment::host_name;
use crate::output::error::{CliError, WRONG, say};
use crate::output::export::Export;
use crate::output::terminal::watch;
use crate::output::{JsonArgs, agreeing, emit, environment, grouped, number_of, write_json};
use crate::system::command_line;

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
    Plan(PlanArgs),
    /// Count the work units of a plan that are not counted yet
    Work(WorkArgs),
    /// Add up the counts of a plan, or report what is missing
    Merge(MergeArgs),
    /// Count some work units again and compare
    Verify(Box<verify::VerifyArgs>),
}

pub fn run(args: CampaignArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    match args.command {
        CampaignCommand::Plan(args) => run_plan(args, context, out),
        CampaignCommand::Work(args) => run_work(args, context, out),
        CampaignCommand::Merge(args) => run_merge(args, context, out),
        CampaignCommand::Verify(args) => verify::run(*args, context, out),
    }
}

/// The advice if a work unit has two different counts.
pub const ON_CONTRADICTION: &str = "delete the wrong line from its journal and run perft campaign work again; perft campaign verify counts \
    the unit once more, which shows which line is wrong";

/// Describes the worker on this machine.
pub fn worker(counting: &Counting) -> Worker {
    Worker {
        host: host_name(),
        seed: counting.table_seed,
        cpu_path: counting.head.cpu_path.to_owned(),
        ..Worker::default()
    }
}

/// Returns a line with the count of a work unit, and the journal line that it comes from.
pub fn count_line(line: &JournalLine) -> String {
    let JournalLine { path, line, counted } = line;
    let seed = counted.seed.map_or("no table".to_owned(), |seed| format!("seed {seed}"));
    let file = visible(&path.display().to_string());
    format!("  {file}:{line}: {} ({}, {seed})", grouped(counted.nodes), counted.host)
}

/// Returns the error for counts of the same work unit that differ. The message has the counts, one per line.
pub fn contradiction(message: String, help: &str) -> CliError {
    CliError::Ended { message, help: help.to_owned(), code: WRONG }
}

impl From<CampaignError> for CliError {
    fn from(error: CampaignError) -> CliError {
        let help = match error {
            CampaignError::Interrupted(interrupted) => return interrupted.into(),
            CampaignError::WrongSum(wrong) => return CliError::Wrong(wrong.to_string()),
            CampaignError::Frontier(error @ (FrontierError::WrongSum(_) | FrontierError::Interrupted(_))) => {
                return error.into();
            }
            CampaignError::NotEmpty(_) => "give a new or an empty folder to --output",
            CampaignError::Sort(SortError::NoMemory(_)) => "use a smaller --memory SIZE",
            CampaignError::BadSplit { .. } => "use a --split of at least 1 and less than --depth",
            CampaignError::Frontier(_) => "use a larger --memory SIZE, or --split at an earlier ply",
            CampaignError::NoManifest(_) => {
                "create a campaign with perft campaign plan --depth N --split K -o DIR"
            }
            CampaignError::OtherVersion { .. } => "use the version of perft that planned it",
            CampaignError::Damaged { .. } => {
                "run perft campaign plan with the same arguments in another folder: it writes the same files, so copy the file \
                 from there"
            }
            CampaignError::NoRecount { .. } => return CliError::Engine(error.to_string()),
            CampaignError::Sort(_) | CampaignError::TooManyNodes | CampaignError::File { .. } => {
                return CliError::usage(error);
            }
        };
        CliError::usage(error).help(help)
    }
}

const PLAN_EXAMPLES: &str = "\
Examples:
  perft campaign plan 9 --split 4 -o nine    write 73 work units to the folder
  perft campaign work nine --threads all     count them; Ctrl-C is safe
  perft campaign merge nine                  add up the counts
  perft campaign plan 10 --split 6 -o ten --stats
                                             kinds of moves, too";

#[derive(Debug, Args)]
#[command(
    before_help = PLAN_EXAMPLES,
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

pub fn run_plan(args: PlanArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let game = args.position.game(None, context)?;
    let memory_bytes = merging_memory(args.merging.memory)?;
    let perft = args.merging.machine.build(context)?.perft;
    let PlanArgs { split, unit_positions, .. } = args;
    let options =
        PlanOptions { depth: game.depth, split, unit_positions, statistics: args.stats, memory_bytes };
    let manifest =
        watch(context, "plan", |progress| plan(game.position(), options, &perft, &args.output, progress))?;
    print_summary(&manifest, out)?;
    Ok(ExitCode::SUCCESS)
}

fn print_summary(manifest: &Manifest, out: &mut impl Write) -> io::Result<()> {
    let Manifest { depth, split, positions, nodes_at_split, units, .. } = manifest;
    let (positions, nodes) = (number_of(*positions, "position"), number_of(*nodes_at_split, "node"));
    let units = number_of(units.len(), "unit");
    writeln!(out, "planned perft({depth}): {positions} of {nodes} at ply {split}, in {units}")
}

const WORK_EXAMPLES: &str = "\
Examples:
  perft campaign work nine --threads all --hash 4G
  perft campaign work nine --units 17,20-25    only these work units, on a machine that
                                               does not share the folder";

#[derive(Debug, Args)]
#[command(before_help = WORK_EXAMPLES)]
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

pub fn run_work(args: WorkArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
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

const MERGE_EXAMPLES: &str = "\
Examples:
  perft campaign merge nine                print the divide and the total
  perft campaign merge nine --certificate nine.json
                                           also write a record of who counted what";

/// The largest number of contradictions that a message lists. The JSON output lists all of them.
const MAX_CONTRADICTIONS: usize = 10;

#[derive(Debug, Args)]
#[command(before_help = MERGE_EXAMPLES)]
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

pub fn run_merge(args: MergeArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
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

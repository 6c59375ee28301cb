//! `perft campaign merge`: the total of all work units, or the reasons why there is none. The report of a complete
//! campaign is its certificate.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use perft_count::LeafStatistics;
use serde::Serialize;

use super::journal::{IgnoredLine, JournalInfo, JournalLine, Ledger, Worker, file_name};
use super::manifest::{Campaign, RootMoveInfo};
use super::unit::Ranges;
use super::work::checked_sum;
use super::{ON_CONTRADICTION, contradiction, too_many_nodes};
use crate::commands::count::DepthResult;
use crate::commands::divide::kinds::LeafKinds;
use crate::commands::divide::report::MoveCount;
use crate::commands::stats::{DepthStatistics, text_table};
use crate::output::context::Context;
use crate::output::error::{CliError, say};
use crate::output::export::Export;
use crate::output::{
    Digits, Header, JsonArgs, Nodes, PositionInfo, Report, agreeing, emit, environment, number_of, write_json,
};
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
    let report = MergeReport::new(&campaign, &merged);
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
        let MergeReport { campaign, journals, hosts, confirmed_units, repeated_lines, seconds, .. } = &report;
        say(format_args!(
            "{} from {} of {}, counted in {seconds:.1} s; confirmed by a second count: {}; repeated: {}",
            number_of(campaign.units, "unit"),
            number_of(journals.len(), "journal"),
            number_of(hosts.len(), "machine"),
            number_of(confirmed_units.len(), "unit"),
            number_of(*repeated_lines, "journal line")
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn contradictory(contradictions: &[[JournalLine; 2]]) -> CliError {
    let count = contradictions.len();
    let verb = agreeing(count, "contradicts another", "contradict others");
    let mut lines = vec![format!("{} {verb}, so there is no total", number_of(count, "count"))];
    for [first, other] in contradictions.iter().take(MAX_CONTRADICTIONS) {
        lines.push(format!("unit {}:", first.counted.unit));
        lines.extend([first, other].map(JournalLine::line_of_text));
    }
    contradiction(lines.join("\n"), ON_CONTRADICTION)
}

/// The result of merging the journals of a campaign.
#[derive(Debug)]
pub struct Merged {
    /// The leaf nodes, if all units have been counted and no two counts of a unit differ.
    pub nodes: Option<u128>,
    /// The leaf nodes below each root move, in the order of the manifest, under the same conditions.
    pub divide: Vec<u128>,
    /// The kinds of the leaf nodes, under the same conditions, if the campaign counts them.
    pub statistics: Option<LeafStatistics>,
    /// The content of the journals.
    pub ledger: Ledger,
}

/// Reads all journals and adds the counts. Unit files are not read, because they were checked when they were counted.
///
/// # Errors
/// A journal cannot be read, or the sum does not fit into 128 bits.
pub fn merge(campaign: &Campaign) -> Result<Merged, CliError> {
    let ledger = Ledger::read(campaign)?;
    let firsts: Option<Vec<&JournalLine>> = ledger.first_counts.iter().map(Option::as_ref).collect();
    let Some(firsts) = firsts.filter(|_| ledger.contradictions.is_empty()) else {
        return Ok(Merged { nodes: None, divide: Vec::new(), statistics: None, ledger });
    };
    let mut divide = vec![0_u128; campaign.manifest.moves.len()];
    for line in &firsts {
        for (sum, nodes) in divide.iter_mut().zip(&line.counted.divide) {
            *sum = sum.checked_add(*nodes).ok_or_else(too_many_nodes)?;
        }
    }
    let kinds = firsts.iter().filter_map(|line| line.counted.statistics);
    // There are not more leaf nodes of a kind than there are leaf nodes, so these sums fit into 128 bits too.
    let statistics = campaign.manifest.statistics.then(|| kinds.sum());
    Ok(Merged { nodes: Some(checked_sum(&divide)?), divide, statistics, ledger })
}

/// The result of a campaign.
#[derive(Clone, Debug, Serialize)]
pub struct MergeReport {
    /// The program that merged, and the time.
    #[serde(flatten)]
    pub header: Header,
    /// The plan of the campaign.
    pub campaign: CampaignInfo,
    /// Whether all units were counted and no two counts of a unit differ.
    pub complete: bool,
    /// The leaf nodes, if the campaign is complete.
    #[serde(flatten)]
    pub nodes: Option<Nodes>,
    /// The leaf nodes below each root move, sorted as text, if the campaign is complete.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<MoveCount>,
    /// The leaf nodes by kind, if the campaign counts them and is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<LeafKinds>,
    /// The units that have not been counted.
    pub missing_units: Ranges,
    /// The units with a second, equal count that was made with other hash keys or without a table.
    pub confirmed_units: Ranges,
    /// The number of lines that repeat the first count of their unit.
    pub repeated_lines: u64,
    /// Counts of the same unit that differ.
    pub contradictions: Vec<ContradictionInfo>,
    /// The lines that were ignored.
    pub damage: Vec<IgnoredLine>,
    /// The total time of all counts in seconds, including repeated ones.
    pub seconds: f64,
    /// The machines that counted.
    pub hosts: Vec<String>,
    /// The versions of the program that counted.
    pub versions: Vec<String>,
    /// The CPU paths that counted.
    pub cpu_paths: Vec<String>,
    /// The seeds of the hash keys; `null` stands for a count without a table.
    pub seeds: Vec<Option<u64>>,
    /// The journals.
    pub journals: Vec<JournalInfo>,
}

/// The plan of a campaign.
#[derive(Clone, Debug, Serialize)]
pub struct CampaignInfo {
    /// The identity of the campaign, which each line of a journal states.
    pub identity: String,
    /// The SHA-256 of `manifest.json`.
    pub manifest_sha256: String,
    /// The version of the program that planned the campaign.
    pub planned_by: String,
    /// The root position.
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The ply of the positions in the units: the split.
    pub split_ply: u32,
    /// The number of distinct positions at the split.
    pub positions: u64,
    /// The number of nodes at the split: the sum of all multiplicities. It was compared with a plain count.
    pub nodes_at_split: u128,
    /// The number of units.
    pub units: u32,
}

/// Two counts of the same unit that differ.
#[derive(Clone, Debug, Serialize)]
pub struct ContradictionInfo {
    /// The number of the unit.
    pub unit_number: u32,
    /// Both counts.
    pub counts: [UnitCount; 2],
}

/// A count of a unit.
#[derive(Clone, Debug, Serialize)]
pub struct UnitCount {
    /// The file name of the journal.
    pub journal: String,
    /// The number of the line.
    pub line: u64,
    /// The name of the machine.
    pub host: String,
    /// The seed of the hash keys; `null` without a table.
    pub seed: Option<u64>,
    /// The leaf nodes.
    #[serde(flatten)]
    pub nodes: Nodes,
}

impl Report for MergeReport {
    const NAME: &'static str = "merge";

    /// Writes the divide in the default format of `perft divide`, so that the two can be compared. Below are the depth,
    /// the total and the time of all counts, in a line or with the kinds of the leaf nodes. An incomplete campaign has
    /// no divide.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(Nodes(nodes)) = self.nodes else { return Ok(()) };
        for MoveCount { played, nodes } in &self.moves {
            writeln!(out, "{played}: {}", nodes.0)?;
        }
        writeln!(out, "\nNodes searched: {nodes}\n")?;
        let elapsed = Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::MAX);
        if let Some(total) = &self.total {
            let column = DepthStatistics::new(self.campaign.depth, &total.leaves, elapsed);
            return writeln!(out, "{}", text_table(&[column]).text());
        }
        let total = DepthResult::new(self.campaign.depth, nodes, elapsed);
        writeln!(out, "{}", total.qperft_line(Digits::of_output()))
    }
}

impl MergeReport {
    fn new(campaign: &Campaign, merged: &Merged) -> MergeReport {
        let manifest = &campaign.manifest;
        let (root, ledger) = (manifest.root(), &merged.ledger);
        let counts = manifest.moves.iter().zip(&merged.divide);
        let move_count = |(root, &nodes): (&RootMoveInfo, _)| MoveCount {
            played: root.played.clone(),
            nodes: Nodes(nodes),
        };
        let contradiction = |counts: &[JournalLine; 2]| ContradictionInfo {
            unit_number: counts[0].counted.unit,
            counts: counts.each_ref().map(unit_count),
        };
        MergeReport {
            header: environment::header(),
            campaign: CampaignInfo {
                identity: manifest.identity().to_owned(),
                manifest_sha256: manifest.sha256(),
                planned_by: manifest.version.clone(),
                position: PositionInfo::new(&root, root.castling_notation()),
                depth: manifest.depth,
                split_ply: manifest.split,
                positions: manifest.positions,
                nodes_at_split: manifest.nodes_at_split,
                units: campaign.units(),
            },
            complete: merged.nodes.is_some(),
            nodes: merged.nodes.map(Nodes),
            moves: counts.map(move_count).collect(),
            total: merged.statistics.map(LeafKinds::new),
            missing_units: ledger.missing(),
            confirmed_units: ledger.confirmed(),
            repeated_lines: ledger.repeated,
            contradictions: ledger.contradictions.iter().map(contradiction).collect(),
            damage: ledger.ignored_lines.clone(),
            seconds: ledger.journals.iter().map(|journal| journal.seconds).sum(),
            hosts: distinct(&ledger.workers, |worker| worker.host.clone()),
            versions: distinct(&ledger.workers, |worker| worker.version.clone()),
            cpu_paths: distinct(&ledger.workers, |worker| worker.cpu_path.clone()),
            seeds: distinct(&ledger.workers, |worker| worker.seed),
            journals: ledger.journals.clone(),
        }
    }
}

fn unit_count(JournalLine { path, line, counted }: &JournalLine) -> UnitCount {
    let Worker { host, seed, .. } = counted.worker.clone();
    UnitCount { journal: file_name(path), line: *line, host, seed, nodes: Nodes(counted.nodes) }
}

fn distinct<T: Ord>(workers: &BTreeSet<Worker>, field: impl Fn(&Worker) -> T) -> Vec<T> {
    workers.iter().map(field).collect::<BTreeSet<T>>().into_iter().collect()
}

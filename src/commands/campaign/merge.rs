//! `perft campaign merge`: the total of all work units, or the reasons why there is none. The report of a complete
//! campaign is its certificate.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use perft_count::LeafStatistics;
use serde::Serialize;

use super::journal::{Contradiction, CountedUnit, JournalLine, Ledger};
use super::manifest::{Campaign, RootMoveInfo};
use super::work::checked_sum;
use super::{ON_CONTRADICTION, contradiction, too_many_nodes, work_in};
use crate::output::{
    CliError, Context, Digits, Header, JsonArgs, Leaves, Nodes, OutputFile, PositionInfo, Report, agreeing,
    emit, environment, number_of, ranges, say, warn, write_json,
};
use crate::report::counts::{DepthResult, MoveCount, text_table, write_stockfish};

/// The largest number of contradictions that a message lists. The JSON output lists all of them.
const MAX_CONTRADICTIONS: usize = 10;

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Folder of the campaign, created by perft campaign plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten, next_help_heading = "Output")]
    output: JsonArgs,
    /// Also write the JSON to FILE if the campaign is complete
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    certificate: Option<OutputFile>,
}

pub fn run(args: MergeArgs, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    let campaign = Campaign::open(&args.folder)?;
    args.certificate.as_ref().map_or(Ok(()), OutputFile::check)?;
    let report = merge(&campaign)?;
    report.ledger.ignored_lines.iter().for_each(|damage| warn(format!("ignored: {damage}")));
    emit(&report, args.output.format(), out)?;
    if !report.ledger.contradictions.is_empty() {
        return Err(contradictory(&report.ledger.contradictions));
    }
    if !report.complete {
        let (units, missing) = (campaign.units(), &report.ledger.missing_units);
        let message = format!(
            "there is no total: missing units {} ({} of {units})",
            ranges(missing.iter().copied(), ","),
            missing.len()
        );
        return Err(CliError::usage(message).suggest("count them with", &work_in(&args.folder)));
    }
    if let Some(certificate) = args.certificate {
        certificate.write(|mut out| write_json(&report, false, &mut out))?;
    }
    if context.global.verbose {
        let MergeReport { campaign, ledger, .. } = &report;
        say(format_args!(
            "{} from {} of {}, counted in {:.1} s; confirmed by a second count: {}; repeated: {}",
            number_of(campaign.units, "unit"),
            number_of(ledger.journals.len(), "journal"),
            number_of(ledger.hosts.len(), "machine"),
            ledger.seconds,
            number_of(ledger.confirmed_units.len(), "unit"),
            number_of(ledger.repeated_lines, "journal line")
        ));
    }
    Ok(())
}

fn contradictory(contradictions: &[Contradiction]) -> CliError {
    let count = contradictions.len();
    let verb = agreeing(count, "contradicts another", "contradict others");
    let mut lines = vec![format!("{} {verb}, so there is no total", number_of(count, "count"))];
    for Contradiction { unit_number, counts } in contradictions.iter().take(MAX_CONTRADICTIONS) {
        lines.push(format!("unit {unit_number}:"));
        lines.extend(counts.each_ref().map(JournalLine::line_of_text));
    }
    contradiction(lines.join("\n"), ON_CONTRADICTION)
}

/// The result of a campaign.
#[derive(Debug, Serialize)]
pub struct MergeReport {
    /// The program that merged, and the time.
    #[serde(flatten)]
    pub header: Header,
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
    pub total: Option<Leaves>,
    /// The content of the journals.
    #[serde(flatten)]
    pub ledger: Ledger,
}

/// The plan of a campaign.
#[derive(Clone, Debug, Serialize)]
pub struct CampaignInfo {
    /// The identity of the campaign, which each line of a journal states.
    pub identity: String,
    pub manifest_sha256: String,
    /// The version of the program that planned the campaign.
    pub planned_by: String,
    pub position: PositionInfo,
    /// The depth in plies.
    pub depth: u32,
    /// The ply of the positions in the units: the split.
    pub split_ply: u32,
    /// The number of distinct positions at the split.
    pub positions: u64,
    /// The number of nodes at the split: the sum of all multiplicities. It was compared with a plain count.
    pub nodes_at_split: u128,
    pub units: u32,
}

impl Report for MergeReport {
    const NAME: &'static str = "merge";

    /// Writes the divide in the default format of `perft divide`, so that the two can be compared. Below are the depth,
    /// the total and the time of all counts, in a line or with the kinds of the leaf nodes. An incomplete campaign has
    /// no divide.
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let Some(nodes) = self.nodes else { return Ok(()) };
        write_stockfish(&self.moves, nodes, out)?;
        let seconds = self.ledger.seconds;
        let total = DepthResult::new(self.campaign.depth, self.total.unwrap_or(nodes.0.into()), seconds);
        match self.total {
            Some(_) => writeln!(out, "{}", text_table(&[total]).text()),
            None => writeln!(out, "{}", total.line(Digits::of_output())),
        }
    }
}

/// Reads all journals and adds the counts. Unit files are not read, because they were checked when they were counted.
///
/// # Errors
/// A journal cannot be read, or the sum does not fit into 128 bits.
pub fn merge(campaign: &Campaign) -> Result<MergeReport, CliError> {
    let (manifest, ledger) = (&campaign.manifest, Ledger::read(campaign)?);
    let complete = ledger.missing_units.is_empty() && ledger.contradictions.is_empty();
    let counted: Vec<&CountedUnit> =
        ledger.first_counts.values().map(|line| &line.counted).filter(|_| complete).collect();
    let mut divide = vec![0_u128; manifest.moves.len()];
    for unit in &counted {
        for (sum, nodes) in divide.iter_mut().zip(&unit.divide) {
            *sum = sum.checked_add(*nodes).ok_or_else(too_many_nodes)?;
        }
    }
    let move_count = |(root, &nodes): (&RootMoveInfo, &u128)| MoveCount {
        played: root.played.clone(),
        leaves: nodes.into(),
    };
    let moves = manifest.moves.iter().zip(&divide).filter(|_| complete).map(move_count).collect();
    // No kind has more leaf nodes than there are in total, so these sums fit into 128 bits too.
    let kinds = || counted.iter().filter_map(|unit| unit.statistics).sum::<LeafStatistics>().into();
    let root = manifest.root;
    Ok(MergeReport {
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
        complete,
        nodes: if complete { Some(Nodes(checked_sum(&divide)?)) } else { None },
        moves,
        total: (complete && manifest.statistics).then(kinds),
        ledger,
    })
}

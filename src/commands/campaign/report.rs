//! The report of `perft campaign merge`: the result of a campaign. The report of a complete campaign is its
//! certificate.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use perft_diagnosis::lines::visible;
use serde::Serialize;

use crate::campaign::{
    Campaign, Contradiction, IgnoredLine, JournalInfo, JournalLine, Merged, Ranges, Worker,
};
use crate::commands::count::DepthResult;
use crate::commands::divide::kinds::LeafKinds;
use crate::commands::divide::report::MoveCount;
use crate::commands::stats::{DepthStatistics, text_table};
use crate::output::Digits;
use crate::output::{Header, Nodes, PositionInfo, Report};

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
    pub missing_units: Units,
    /// The units with a second, equal count that was made with other hash keys or without a table.
    pub confirmed_units: Units,
    /// The number of lines that repeat the first count of their unit.
    pub repeated_lines: u64,
    /// Counts of the same unit that differ.
    pub contradictions: Vec<ContradictionInfo>,
    /// The lines that were ignored.
    pub damage: Vec<IgnoredLineInfo>,
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

/// A set of units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Units {
    /// The number of units.
    pub units: u32,
    /// The numbers of the units: `1-17,20`.
    pub ranges: String,
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

/// A line that was ignored.
#[derive(Clone, Debug, Serialize)]
pub struct IgnoredLineInfo {
    /// The file name of the journal.
    pub journal: String,
    /// The number of the line.
    pub line: u64,
    /// The fault in the line.
    pub fault: String,
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
    pub fn new(header: Header, campaign: &Campaign, merged: &Merged) -> MergeReport {
        let manifest = campaign.manifest();
        let root = manifest.root();
        let ledger = &merged.ledger;
        let counts = manifest.moves.iter().zip(merged.divide.iter().flatten());
        MergeReport {
            header,
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
            moves: counts
                .map(|(root, &nodes)| MoveCount { played: root.played.clone(), nodes: Nodes(nodes) })
                .collect(),
            total: merged.statistics.map(LeafKinds::new),
            missing_units: ledger.missing().into(),
            confirmed_units: ledger.confirmed().into(),
            repeated_lines: ledger.repeated,
            contradictions: ledger.contradictions.iter().map(ContradictionInfo::from).collect(),
            damage: ledger.ignored_lines.iter().map(IgnoredLineInfo::from).collect(),
            seconds: ledger.journals.iter().map(|journal| journal.seconds).sum(),
            hosts: distinct(&ledger.workers, |worker| worker.host.clone()),
            versions: distinct(&ledger.workers, |worker| worker.version.clone()),
            cpu_paths: distinct(&ledger.workers, |worker| worker.cpu_path.clone()),
            seeds: distinct(&ledger.workers, |worker| worker.seed),
            journals: ledger.journals.clone(),
        }
    }
}

impl From<Ranges> for Units {
    fn from(ranges: Ranges) -> Units {
        Units { units: ranges.len(), ranges: ranges.to_string() }
    }
}

impl From<&Contradiction> for ContradictionInfo {
    fn from(contradiction: &Contradiction) -> ContradictionInfo {
        let Contradiction { first, other } = contradiction;
        ContradictionInfo { unit_number: first.counted.unit, counts: [first.into(), other.into()] }
    }
}

impl From<&JournalLine> for UnitCount {
    fn from(counted_line: &JournalLine) -> UnitCount {
        let JournalLine { path, line, counted } = counted_line;
        UnitCount {
            journal: file_name(path),
            line: *line,
            host: counted.host.clone(),
            seed: counted.seed,
            nodes: Nodes(counted.nodes),
        }
    }
}

impl From<&IgnoredLine> for IgnoredLineInfo {
    fn from(ignored: &IgnoredLine) -> IgnoredLineInfo {
        let IgnoredLine { path, line, fault } = ignored;
        IgnoredLineInfo { journal: file_name(path), line: *line, fault: fault.to_string() }
    }
}

fn distinct<T: Ord>(workers: &BTreeSet<Worker>, field: impl Fn(&Worker) -> T) -> Vec<T> {
    workers.iter().map(field).collect::<BTreeSet<T>>().into_iter().collect()
}

fn file_name(path: &Path) -> String {
    visible(&path.file_name().unwrap_or_default().to_string_lossy())
}

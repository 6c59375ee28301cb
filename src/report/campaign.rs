//! Campaigns: what the journals of one come to, as JSON. Of a campaign that is complete it is its certificate.

use std::path::Path;

use serde::Serialize;

use super::divide::MoveCount;
use super::{Nodes, SCHEMA_VERSION};
use crate::campaign::{Campaign, Contradiction, Damage, Delivery, JournalSummary, Merged, Ranges};

/// What a campaign comes to.
#[derive(Clone, Debug, Serialize)]
pub struct MergeReport {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// `perft`.
    pub program: &'static str,
    /// The version of the program that merged.
    pub version: &'static str,
    /// What was to be counted.
    pub campaign: CampaignInfo,
    /// True if every unit was counted and no two counts of one differ.
    pub complete: bool,
    /// The leaf nodes, if it is complete.
    #[serde(flatten)]
    pub nodes: Option<Nodes>,
    /// The count below each root move, sorted as text, if it is complete.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<MoveCount>,
    /// The units that nobody has counted.
    pub missing: Units,
    /// The units that were counted again and gave the same: with other keys of the table, or without one.
    pub confirmed: Units,
    /// Lines that say again what another says.
    pub repeated_lines: u64,
    /// Counts of one unit that differ.
    pub contradictions: Vec<ContradictionInfo>,
    /// Lines that were ignored.
    pub damage: Vec<DamageInfo>,
    /// The time that all lines took together.
    pub seconds: f64,
    /// The machines that counted.
    pub hosts: Vec<String>,
    /// The versions of the program that counted.
    pub versions: Vec<String>,
    /// The CPU paths that counted.
    pub cpu_paths: Vec<String>,
    /// The seeds of the tables; `null` stands for no table.
    pub seeds: Vec<Option<u64>>,
    /// The journals.
    pub journals: Vec<JournalInfo>,
}

/// What was planned.
#[derive(Clone, Debug, Serialize)]
pub struct CampaignInfo {
    /// By which journals know it.
    pub identity: String,
    /// The SHA-256 of `manifest.json`.
    pub manifest_sha256: String,
    /// The version of the program that planned.
    pub planned_by: String,
    /// The root.
    pub fen: String,
    /// The depth in plies.
    pub depth: u32,
    /// The ply of the positions in the units.
    pub split: u32,
    /// The distinct positions there.
    pub positions: u64,
    /// The nodes there: the sum of the multiplicities, compared with a plain count when it was planned.
    pub nodes_at_split: u128,
    /// The units.
    pub units: u32,
}

/// Some units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Units {
    /// How many.
    pub count: u32,
    /// Which: `1-17,20`.
    pub units: String,
}

/// Two counts of one unit that differ.
#[derive(Clone, Debug, Serialize)]
pub struct ContradictionInfo {
    /// The unit.
    pub unit: u32,
    /// Both counts.
    pub counts: [UnitCount; 2],
}

/// A count of a unit.
#[derive(Clone, Debug, Serialize)]
pub struct UnitCount {
    /// The journal.
    pub journal: String,
    /// The line.
    pub line: u64,
    /// The machine.
    pub host: String,
    /// The seed of the table; `null` without one.
    pub seed: Option<u64>,
    /// What it found.
    #[serde(flatten)]
    pub nodes: Nodes,
}

/// A line that was ignored.
#[derive(Clone, Debug, Serialize)]
pub struct DamageInfo {
    /// The journal.
    pub journal: String,
    /// The line.
    pub line: u64,
    /// What is wrong with it.
    pub fault: String,
}

/// A journal.
#[derive(Clone, Debug, Serialize)]
pub struct JournalInfo {
    /// The name of the file.
    pub journal: String,
    /// Its SHA-256.
    pub sha256: String,
    /// The lines that count.
    pub lines: u64,
    /// The time that they took.
    pub seconds: f64,
}

impl MergeReport {
    /// A report of what was merged.
    pub fn new(campaign: &Campaign, merged: &Merged) -> MergeReport {
        let manifest = campaign.manifest();
        let counts = manifest.moves.iter().zip(merged.divide.iter().flatten());
        MergeReport {
            schema_version: SCHEMA_VERSION,
            program: crate::NAME,
            version: env!("CARGO_PKG_VERSION"),
            campaign: CampaignInfo {
                identity: manifest.identity().to_owned(),
                manifest_sha256: manifest.sha256(),
                planned_by: manifest.version.clone(),
                fen: manifest.fen.clone(),
                depth: manifest.depth,
                split: manifest.split,
                positions: manifest.positions,
                nodes_at_split: manifest.nodes_at_split,
                units: campaign.units(),
            },
            complete: merged.nodes.is_some(),
            nodes: merged.nodes.map(Nodes::from),
            moves: counts.map(|(root, &nodes)| MoveCount::new(root.played.clone(), nodes)).collect(),
            missing: (&merged.missing).into(),
            confirmed: (&merged.confirmed).into(),
            repeated_lines: merged.repeated,
            contradictions: merged.contradictions.iter().map(ContradictionInfo::from).collect(),
            damage: merged.damage.iter().map(DamageInfo::from).collect(),
            seconds: merged.seconds,
            hosts: merged.hosts.iter().cloned().collect(),
            versions: merged.versions.iter().cloned().collect(),
            cpu_paths: merged.cpu_paths.iter().cloned().collect(),
            seeds: merged.seeds.iter().copied().collect(),
            journals: merged.journals.iter().map(JournalInfo::from).collect(),
        }
    }
}

impl From<&Ranges> for Units {
    fn from(ranges: &Ranges) -> Units {
        Units { count: ranges.len(), units: ranges.to_string() }
    }
}

impl From<&Contradiction> for ContradictionInfo {
    fn from(contradiction: &Contradiction) -> ContradictionInfo {
        let Contradiction { first, other } = contradiction;
        ContradictionInfo { unit: first.entry.unit, counts: [first.into(), other.into()] }
    }
}

impl From<&Delivery> for UnitCount {
    fn from(delivery: &Delivery) -> UnitCount {
        let Delivery { path, line, entry } = delivery;
        UnitCount {
            journal: file_name(path),
            line: *line,
            host: entry.host.clone(),
            seed: entry.seed,
            nodes: entry.nodes.into(),
        }
    }
}

impl From<&Damage> for DamageInfo {
    fn from(damage: &Damage) -> DamageInfo {
        let Damage { path, line, fault } = damage;
        DamageInfo { journal: file_name(path), line: *line, fault: fault.to_string() }
    }
}

impl From<&JournalSummary> for JournalInfo {
    fn from(journal: &JournalSummary) -> JournalInfo {
        let JournalSummary { path, sha256, entries, seconds } = journal;
        JournalInfo { journal: file_name(path), sha256: sha256.clone(), lines: *entries, seconds: *seconds }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

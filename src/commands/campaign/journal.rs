//! Journals: the work units that one worker has counted, one per line.
//!
//! A line is a JSON object. Its last field is the checksum of the text before it:
//!
//! ```text
//!   {"format":1,"campaign":"9f0c…","unit":7,"nodes":8902,"divide":[380,420,…],…,"check":"c1d2e3f405060708"}
//! ```
//!
//! A line is appended with one write and stored on disk before the next unit is counted. If the write is cut short, the
//! checksum shows it.
//!
//! A checksum says that a line is whole. Whether it can be true is compared with the manifest: the unit, the moves, and
//! the sums.
//!
//! The *ledger* is the content of all journals. A line counts only if it is complete, belongs to the campaign and can be
//! true; all other lines are reported. A unit that was counted several times counts once, if all its counts agree.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use perft_count::LeafStatistics;
use serde::{Deserialize, Serialize, Serializer};
use sysinfo::System;

use super::manifest::{Campaign, Manifest, sha256, short_sha256, sync_folder};
use super::unit::serialize_units;
use super::{FORMAT_VERSION, MAX_BYTES};
use crate::input::Counting;
use crate::output::{CliError, grouped};
use crate::system::files::{self, Kind};

/// The file extension of a journal.
const EXTENSION: &str = "jsonl";

/// The text around the checksum of a line.
const BEFORE_CHECK: &str = ",\"check\":\"";
const AFTER_CHECK: &str = "\"}";

/// The fault of a line whose checksum is right, and which is something else.
const NO_COUNT: &str = "impossible: it is not the count of a unit";

/// The largest time of a unit in seconds: 30,000 years. So the sum of all times is a number.
const MAX_SECONDS: f64 = 1e12;

/// The largest number of lines of a journal that are ignored. A file with more is no journal.
const MAX_IGNORED: usize = 10_000;

/// The count of one work unit: one line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CountedUnit {
    /// The version of the format of campaigns.
    pub format: u32,
    pub campaign: String,
    /// The number of the unit, from 1.
    pub unit: u32,
    /// The leaf nodes: the sum of multiplicity times count over the positions of the unit.
    pub nodes: u128,
    /// The leaf nodes below each root move, in the order of [`Manifest::moves`].
    pub divide: Vec<u128>,
    /// The kinds of the leaf nodes, if the campaign counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistics: Option<LeafStatistics>,
    /// The elapsed time of the count in seconds.
    pub seconds: f64,
    #[serde(flatten)]
    pub worker: Worker,
}

/// The information about a worker that its journal stores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worker {
    /// The seed of the hash keys; `None` without a transposition table.
    pub seed: Option<u64>,
    pub version: String,
    /// The CPU path, or the name of the engine that counts.
    pub cpu_path: String,
    /// The name of the machine.
    pub host: String,
}

impl Worker {
    /// Describes this machine, which counts with these settings.
    pub fn new(counting: &Counting) -> Worker {
        Worker {
            seed: counting.table_seed,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            cpu_path: counting.head.settings.cpu_path.clone(),
            host: System::host_name().unwrap_or_else(|_| "unknown".to_owned()),
        }
    }
}

impl CountedUnit {
    pub fn has_counts_of(&self, other: &CountedUnit) -> bool {
        (&self.divide, &self.statistics) == (&other.divide, &other.statistics)
    }

    /// Returns the line, without its line break.
    fn to_line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("numbers and texts can be written");
        line.pop();
        let check = short_sha256(line.as_bytes());
        format!("{line}{BEFORE_CHECK}{check}{AFTER_CHECK}")
    }

    /// Reads a line, without its line break.
    ///
    /// # Errors
    /// The fault of the line.
    fn parse(line: &[u8], manifest: &Manifest) -> Result<CountedUnit, &'static str> {
        let body = checked_body(line).ok_or("damaged: its checksum is wrong")?;
        let counted: CountedUnit = serde_json::from_slice(&[body, b"}"].concat()).map_err(|_| NO_COUNT)?;
        let CountedUnit { unit, nodes, ref divide, ref statistics, .. } = counted;
        let sum = divide.iter().copied().try_fold(0_u128, u128::checked_add);
        let has_kinds = statistics.map(|kinds| kinds.nodes == nodes && kinds.is_possible());
        let checks = [
            (counted.campaign == manifest.identity(), "foreign: it belongs to another campaign"),
            (counted.format == FORMAT_VERSION, "foreign: it has another format"),
            ((0.0..=MAX_SECONDS).contains(&counted.seconds), NO_COUNT),
            (
                (1..=manifest.units.len()).contains(&(unit as usize)),
                "impossible: the campaign has no such unit",
            ),
            (
                divide.len() == manifest.moves.len(),
                "impossible: its counts are not those of the moves of the campaign",
            ),
            (sum == Some(nodes), "impossible: its nodes are not the sum of its counts"),
            (
                has_kinds == manifest.statistics.then_some(true),
                "impossible: its kinds of nodes are not those of its nodes",
            ),
        ];
        match checks.into_iter().find(|(is_right, _)| !is_right) {
            Some((_, fault)) => Err(fault),
            None => Ok(counted),
        }
    }
}

/// Returns the text before the checksum of a line, if the checksum is right.
fn checked_body(line: &[u8]) -> Option<&[u8]> {
    let length = BEFORE_CHECK.len() + short_sha256(b"").len() + AFTER_CHECK.len();
    let (body, tail) = line.split_at_checked(line.len().checked_sub(length)?)?;
    let expected = format!("{BEFORE_CHECK}{}{AFTER_CHECK}", short_sha256(body));
    (tail == expected.as_bytes()).then_some(body)
}

/// Returns a new path for the journal of one worker. The name has the machine, the process and a random number.
pub fn journal_path(campaign: &Campaign, host: &str) -> PathBuf {
    let host: String = host.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let name = format!("{host}-{}-{:08x}.{EXTENSION}", std::process::id(), random_number() as u32);
    folder_of(campaign).join(name)
}

/// Appends a line to a journal, which is created with its first line. The line is stored on disk when this returns.
pub fn append(journal: &Path, counted: &CountedUnit) -> Result<(), CliError> {
    let folder = files::folder_of(journal);
    fs::create_dir_all(folder).map_err(CliError::file("create", folder))?;
    let is_new = !journal.exists();
    let file = OpenOptions::new().append(true).create(true).open(journal);
    let mut file = file.map_err(CliError::file("create", journal))?;
    if is_new {
        sync_folder(folder)?;
    }
    let line = counted.to_line() + "\n";
    let written = file.write_all(line.as_bytes()).and_then(|()| file.sync_all());
    written.map_err(CliError::file("write", journal))
}

fn folder_of(campaign: &Campaign) -> PathBuf {
    campaign.folder.join("journals")
}

/// Returns a number that differs in each process and in each call.
pub fn random_number() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A line of a journal that is ignored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{}:{line}: {fault}", .path.display())]
pub struct IgnoredLine {
    /// The journal. JSON has the name of the file.
    #[serde(rename = "journal", serialize_with = "serialize_file_name")]
    pub path: PathBuf,
    pub line: u64,
    pub fault: &'static str,
}

fn serialize_file_name<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&file_name(path))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A line of a journal with the count of a work unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JournalLine {
    /// The journal. JSON has the name of the file.
    #[serde(rename = "journal", serialize_with = "serialize_file_name")]
    pub path: PathBuf,
    pub line: u64,
    #[serde(flatten)]
    pub counted: CountedUnit,
}

impl JournalLine {
    /// Returns a line of text with the count and its place.
    pub fn line_of_text(&self) -> String {
        let JournalLine { path, line, counted } = self;
        let Worker { seed, host, .. } = &counted.worker;
        let seed = seed.map_or("no table".to_owned(), |seed| format!("seed {seed}"));
        format!("  {}:{line}: {} ({host}, {seed})", path.display(), grouped(counted.nodes))
    }
}

/// A journal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JournalInfo {
    /// The file name of the journal.
    pub journal: String,
    pub sha256: String,
    /// The number of lines with a valid count.
    pub lines: u64,
    /// The time of these counts in seconds.
    pub seconds: f64,
}

/// Two counts of the same unit that differ. At least one of them is wrong.
#[derive(Clone, Debug, Serialize)]
pub struct Contradiction {
    pub unit_number: u32,
    /// The first count, and another one.
    pub counts: [JournalLine; 2],
}

/// The content of all journals of a campaign.
#[derive(Debug, Default, Serialize)]
pub struct Ledger {
    /// The units that have not been counted.
    #[serde(serialize_with = "serialize_units")]
    pub missing_units: BTreeSet<u32>,
    /// The units with an equal second count that was made with other hash keys or without a table. So the two counts
    /// cannot have the same false hit of a table.
    #[serde(serialize_with = "serialize_units")]
    pub confirmed_units: BTreeSet<u32>,
    /// The number of lines that repeat the first count of their unit.
    pub repeated_lines: u64,
    /// Counts of the same unit that differ.
    pub contradictions: Vec<Contradiction>,
    #[serde(rename = "damage")]
    pub ignored_lines: Vec<IgnoredLine>,
    /// The journals, sorted by name.
    pub journals: Vec<JournalInfo>,
    /// The time of all counts in seconds, including repeated ones. A copy of a line counts once.
    pub seconds: f64,
    /// The machines that counted.
    pub hosts: BTreeSet<String>,
    /// The versions of the program that counted.
    pub versions: BTreeSet<String>,
    pub cpu_paths: BTreeSet<String>,
    /// The seeds of the hash keys; `null` stands for a count without a table.
    pub seeds: BTreeSet<Option<u64>>,
    /// The first count of each unit that has been counted.
    #[serde(skip)]
    pub first_counts: BTreeMap<u32, JournalLine>,
    /// The checksums of the lines of all counts.
    #[serde(skip)]
    lines: HashSet<String>,
}

impl Ledger {
    /// Reads all journals.
    ///
    /// # Errors
    /// A journal cannot be read.
    pub fn read(campaign: &Campaign) -> Result<Ledger, CliError> {
        let mut ledger = Ledger::default();
        for path in journals_in(&folder_of(campaign))? {
            let text = files::read(&path, Kind::Regular, MAX_BYTES).map_err(CliError::file("read", &path))?;
            ledger.add_journal(&path, &text, &campaign.manifest)?;
        }
        ledger.missing_units =
            (1..=campaign.units()).filter(|unit| !ledger.first_counts.contains_key(unit)).collect();
        Ok(ledger)
    }

    /// Adds a journal. The text after its last line break is a line too: a complete one that only lacks its line break,
    /// or an incomplete one.
    ///
    /// # Errors
    /// Most lines are not counts.
    fn add_journal(&mut self, path: &Path, text: &[u8], manifest: &Manifest) -> Result<(), CliError> {
        let ignored_before = self.ignored_lines.len();
        let mut info = JournalInfo { journal: file_name(path), sha256: sha256(text), lines: 0, seconds: 0.0 };
        for (line, bytes) in (1..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
            let path = path.to_owned();
            // The line ends with CR LF if a program on Windows has converted the file.
            let text = bytes.trim_ascii_end();
            match CountedUnit::parse(text, manifest) {
                Ok(counted) => {
                    info.lines += 1;
                    info.seconds += counted.seconds;
                    let is_copy = !self.lines.insert(short_sha256(text));
                    self.seconds += if is_copy { 0.0 } else { counted.seconds };
                    let Worker { seed, version, cpu_path, host } = counted.worker.clone();
                    self.hosts.insert(host);
                    self.versions.insert(version);
                    self.cpu_paths.insert(cpu_path);
                    self.seeds.insert(seed);
                    self.compare_with_first(JournalLine { path, line, counted }, is_copy);
                }
                Err(fault) => {
                    let is_torn = bytes.last() != Some(&b'\n') && checked_body(bytes).is_none();
                    // Only the last line of a journal can be torn.
                    let fault = if is_torn { "torn: the line is incomplete" } else { fault };
                    if self.ignored_lines.len() - ignored_before == MAX_IGNORED {
                        let path = path.display();
                        return Err(CliError::usage(format!(
                            "{path} is no journal: {MAX_IGNORED} lines are no counts"
                        )));
                    }
                    self.ignored_lines.push(IgnoredLine { path, line, fault });
                }
            }
        }
        self.journals.push(info);
        Ok(())
    }

    /// Stores the first count of a unit, or compares a later count with the first.
    fn compare_with_first(&mut self, line: JournalLine, is_copy: bool) {
        let unit_number = line.counted.unit;
        let Some(first) = self.first_counts.get(&unit_number) else {
            self.first_counts.insert(unit_number, line);
            return;
        };
        if !first.counted.has_counts_of(&line.counted) {
            self.contradictions.push(Contradiction { unit_number, counts: [first.clone(), line] });
            return;
        }
        self.repeated_lines += 1;
        let (first, second) = (first.counted.worker.seed, line.counted.worker.seed);
        if !is_copy && (first != second || second.is_none()) {
            self.confirmed_units.insert(unit_number);
        }
    }
}

/// Returns the journals in a folder, sorted by name. If the folder does not exist, there are none.
fn journals_in(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(CliError::file("read", folder))?,
    };
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut journals = paths.map_err(CliError::file("read", folder))?;
    journals.retain(|path| path.extension().is_some_and(|extension| extension == EXTENSION));
    journals.sort();
    Ok(journals)
}

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
//! The *ledger* is the content of all journals. A line counts only if it is complete and belongs to the campaign; all
//! other lines are reported. A unit that was counted several times counts once, if all its counts agree.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use perft_count::LeafStatistics;
use perft_diagnosis::lines::visible;
use serde::{Deserialize, Serialize};

use super::error::CampaignError;
use super::files::{JOURNAL_EXTENSION, create_folder, sha256, short, sync_folder};
use super::manifest::{Manifest, Ranges};
use super::opened::Campaign;

/// The text around the checksum of a line.
const BEFORE_CHECK: &str = ",\"check\":\"";
const AFTER_CHECK: &str = "\"}";

/// The count of one work unit: one line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CountedUnit {
    /// The version of the format of campaigns.
    pub(super) format: u32,
    /// The identity of the campaign.
    pub(super) campaign: String,
    /// The number of the unit, from 1.
    pub unit: u32,
    /// The leaf nodes: the sum over the positions of the unit of multiplicity times count.
    pub nodes: u128,
    /// The leaf nodes below each root move, in the order of [`Manifest::moves`].
    pub divide: Vec<u128>,
    /// The kinds of the leaf nodes, if the campaign counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statistics: Option<LeafStatistics>,
    /// The elapsed time of the count in seconds.
    pub seconds: f64,
    /// The seed of the hash keys; `None` without a transposition table.
    pub seed: Option<u64>,
    /// The version of the program that counted.
    pub version: String,
    /// The CPU path, or the name of the engine that counted.
    pub cpu_path: String,
    /// The name of the machine that counted.
    pub host: String,
}

/// The information about a worker that its journal stores.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Worker {
    /// The name of the machine.
    pub host: String,
    /// The version of the program.
    pub version: String,
    /// The CPU path, or the name of the engine that counts.
    pub cpu_path: String,
    /// The seed of the hash keys; `None` without a transposition table.
    pub seed: Option<u64>,
}

/// A fault in a line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JournalFault {
    /// It is the last line and incomplete.
    #[error("torn: the line is incomplete")]
    Torn,
    /// Its checksum is wrong.
    #[error("damaged: its checksum is wrong")]
    Damaged,
    /// Its checksum is right, but it belongs to another campaign.
    #[error("foreign: it belongs to another campaign")]
    Foreign,
}

impl Default for Worker {
    /// Returns an unknown machine with this version of the program and without a table.
    fn default() -> Worker {
        Worker {
            host: "unknown".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            cpu_path: "unknown".to_owned(),
            seed: None,
        }
    }
}

impl CountedUnit {
    pub(super) fn worker(&self) -> Worker {
        let CountedUnit { host, version, cpu_path, seed, .. } = self.clone();
        Worker { host, version, cpu_path, seed }
    }

    pub(super) fn has_counts_of(&self, other: &CountedUnit) -> bool {
        (&self.divide, &self.statistics) == (&other.divide, &other.statistics)
    }

    /// Returns the line, without its line break.
    pub(super) fn to_line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("numbers and texts can be written");
        line.pop();
        let check = short(line.as_bytes());
        format!("{line}{BEFORE_CHECK}{check}{AFTER_CHECK}")
    }

    /// Reads a line, without its line break, and checks that it belongs to this campaign.
    pub(super) fn parse(line: &[u8], manifest: &Manifest) -> Result<CountedUnit, JournalFault> {
        let body = checked_body(line)?;
        match serde_json::from_slice::<CountedUnit>(&[body, b"}"].concat()) {
            Ok(counted) if counted.campaign == manifest.identity() => Ok(counted),
            _ => Err(JournalFault::Foreign),
        }
    }
}

/// Returns the text before the checksum of a line, if the checksum is right.
fn checked_body(line: &[u8]) -> Result<&[u8], JournalFault> {
    let digits = short(b"").len();
    let at = line.len().checked_sub(BEFORE_CHECK.len() + digits + AFTER_CHECK.len());
    let (body, tail) = at.and_then(|at| line.split_at_checked(at)).ok_or(JournalFault::Damaged)?;
    let expected = format!("{BEFORE_CHECK}{}{AFTER_CHECK}", short(body));
    if tail == expected.as_bytes() { Ok(body) } else { Err(JournalFault::Damaged) }
}

/// The journal of one worker. The file is created with the first line.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: Option<File>,
}

impl Journal {
    /// Makes a journal with a unique name: machine, process and a random number.
    pub(super) fn new(campaign: &Campaign, host: &str) -> Journal {
        let host: String = host.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let name =
            format!("{host}-{}-{:08x}.{JOURNAL_EXTENSION}", std::process::id(), random_number() as u32);
        Journal { path: campaign.journals().join(name), file: None }
    }

    /// Appends a line. It is stored on disk when this returns.
    pub(super) fn append(&mut self, counted: &CountedUnit) -> Result<(), CampaignError> {
        let line = counted.to_line() + "\n";
        let path = self.path.clone();
        let file = self.open()?;
        let mut write = || -> std::io::Result<()> {
            file.write_all(line.as_bytes())?;
            file.sync_all()
        };
        write().map_err(CampaignError::file("write", &path))
    }

    fn open(&mut self) -> Result<&mut File, CampaignError> {
        if self.file.is_none() {
            let folder = self.path.parent().expect("a journal is in a folder");
            create_folder(folder)?;
            let made = OpenOptions::new().append(true).create_new(true).open(&self.path);
            self.file = Some(made.map_err(CampaignError::file("create", &self.path))?);
            sync_folder(folder)?;
        }
        Ok(self.file.as_mut().expect("it has just been opened"))
    }
}

/// Returns a number that differs in each process and in each call.
pub(super) fn random_number() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A damaged line of a journal, which is ignored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{line}: {fault}", .path.display())]
pub struct IgnoredLine {
    /// The journal.
    pub path: PathBuf,
    /// The number of the line.
    pub line: u64,
    /// The fault in the line.
    pub fault: JournalFault,
}

/// A line of a journal with the count of a work unit.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalLine {
    /// The journal.
    pub path: PathBuf,
    /// The number of the line.
    pub line: u64,
    /// The count.
    pub counted: CountedUnit,
}

/// Two different counts of one unit. At least one of them is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// The count that came first.
    pub first: JournalLine,
    /// The other count.
    pub other: JournalLine,
}

/// A journal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JournalInfo {
    /// The file name of the journal.
    pub journal: String,
    /// The SHA-256 of the file.
    pub sha256: String,
    /// The number of lines with a valid count.
    pub lines: u64,
    /// The time of these counts in seconds.
    pub seconds: f64,
}

/// The content of all journals of a campaign.
#[derive(Debug)]
pub struct Ledger<'a> {
    campaign: &'a Campaign,
    /// The journals, sorted by name.
    pub journals: Vec<JournalInfo>,
    /// The first count of each unit.
    first_counts: Vec<Option<JournalLine>>,
    /// For each unit: whether a second count agrees with the first one and cannot share a false hit of a table with it.
    confirmed: Vec<bool>,
    /// The number of lines that repeat the first count of their unit.
    pub repeated: u64,
    /// The counts that differ from the first count of their unit.
    pub contradictions: Vec<Contradiction>,
    /// The lines that are ignored.
    pub ignored_lines: Vec<IgnoredLine>,
    /// The workers of all counts.
    pub workers: BTreeSet<Worker>,
}

impl<'a> Ledger<'a> {
    /// Reads all journals.
    ///
    /// # Errors
    /// A journal cannot be read.
    pub fn read(campaign: &'a Campaign) -> Result<Ledger<'a>, CampaignError> {
        let units = campaign.units() as usize;
        let mut ledger = Ledger {
            campaign,
            journals: Vec::new(),
            first_counts: vec![None; units],
            confirmed: vec![false; units],
            repeated: 0,
            contradictions: Vec::new(),
            ignored_lines: Vec::new(),
            workers: BTreeSet::new(),
        };
        for path in journals_in(&campaign.journals())? {
            let text = fs::read(&path).map_err(CampaignError::file("read", &path))?;
            ledger.add_journal(&path, &text);
        }
        Ok(ledger)
    }

    /// Adds a journal. The text after its last line break is a line too: a complete one that only lacks its line break,
    /// or an incomplete one.
    fn add_journal(&mut self, path: &Path, text: &[u8]) {
        let journal = visible(&path.file_name().unwrap_or_default().to_string_lossy());
        let mut info = JournalInfo { journal, sha256: sha256(text), lines: 0, seconds: 0.0 };
        for (number, line) in (1..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
            // The line ends with CR LF if a program on Windows has converted the file.
            match CountedUnit::parse(line.trim_ascii_end(), self.campaign.manifest()) {
                Ok(counted) => {
                    info.lines += 1;
                    info.seconds += counted.seconds;
                    self.workers.insert(counted.worker());
                    self.compare_with_first(JournalLine { path: path.to_owned(), line: number, counted });
                }
                Err(fault) => {
                    let is_torn = line.last() != Some(&b'\n') && fault == JournalFault::Damaged;
                    let fault = if is_torn { JournalFault::Torn } else { fault };
                    self.ignored_lines.push(IgnoredLine { path: path.to_owned(), line: number, fault });
                }
            }
        }
        self.journals.push(info);
    }

    /// Stores the first count of a unit, or compares a later count with the first.
    fn compare_with_first(&mut self, line: JournalLine) {
        let index = line.counted.unit as usize - 1;
        let Some(first) = &self.first_counts[index] else {
            self.first_counts[index] = Some(line);
            return;
        };
        if !first.counted.has_counts_of(&line.counted) {
            self.contradictions.push(Contradiction { first: first.clone(), other: line });
            return;
        }
        self.repeated += 1;
        let (first, second) = (&first.counted, &line.counted);
        let is_copy = first == second;
        let shares_no_keys = first.seed != second.seed || second.seed.is_none();
        self.confirmed[index] |= !is_copy && shares_no_keys;
    }

    /// Returns the first count of a unit, if it has been counted.
    ///
    /// # Panics
    /// There is no unit with this number.
    pub fn first_count(&self, unit: u32) -> Option<&JournalLine> {
        self.first_counts[unit as usize - 1].as_ref()
    }

    /// Whether a unit has not been counted.
    ///
    /// # Panics
    /// There is no unit with this number.
    pub fn is_missing(&self, unit: u32) -> bool {
        self.first_count(unit).is_none()
    }

    /// Returns the units that have been counted.
    pub fn done(&self) -> Ranges {
        self.units_where(|unit| !self.is_missing(unit))
    }

    /// Returns the units that have not been counted.
    pub fn missing(&self) -> Ranges {
        self.units_where(|unit| self.is_missing(unit))
    }

    /// Returns the units with a second, equal count that was made with other hash keys or without a table.
    pub fn confirmed(&self) -> Ranges {
        self.units_where(|unit| self.confirmed[unit as usize - 1])
    }

    fn units_where(&self, is_wanted: impl Fn(u32) -> bool) -> Ranges {
        (1..=self.campaign.units()).filter(|&unit| is_wanted(unit)).collect()
    }

    /// Returns the first count of each unit that has been counted.
    pub fn first_counts(&self) -> impl Iterator<Item = &JournalLine> {
        self.first_counts.iter().flatten()
    }

    /// Whether a worker has used this seed of the hash keys.
    pub fn has_seed(&self, seed: u64) -> bool {
        self.workers.iter().any(|worker| worker.seed == Some(seed))
    }
}

/// Returns the journals in a folder, sorted by name. If the folder does not exist, there are none.
fn journals_in(folder: &Path) -> Result<Vec<PathBuf>, CampaignError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(CampaignError::file("read", folder))?,
    };
    let mut journals = Vec::new();
    for entry in entries {
        let path = entry.map_err(CampaignError::file("read", folder))?.path();
        if path.extension().is_some_and(|extension| extension == JOURNAL_EXTENSION) {
            journals.push(path);
        }
    }
    journals.sort();
    Ok(journals)
}

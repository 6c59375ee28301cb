//! The ledger: the content of all journals of a campaign.
//!
//! A line counts only if it is complete and belongs to the campaign; all other lines are reported. A unit that was
//! counted several times counts once, if all its counts agree.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use perft_diagnosis::lines::visible;
use serde::Serialize;

use super::digest::sha256;
use super::error::CampaignError;
use super::format::JOURNAL_EXTENSION;
use super::journal::{CountedUnit, JournalFault, Worker};
use super::opened::Campaign;
use super::ranges::Ranges;

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

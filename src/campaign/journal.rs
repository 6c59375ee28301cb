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

use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::digest::short;
use super::error::CampaignError;
use super::files::{create_folder, sync_folder};
use super::format::JOURNAL_EXTENSION;
use super::manifest::Manifest;
use super::opened::Campaign;
use super::stored_statistics::StoredStatistics;

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
    pub statistics: Option<StoredStatistics>,
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

//! Journals: what one worker has counted, a line a unit.
//!
//! A line is a JSON object whose last field is the checksum of what stands before it:
//!
//! ```text
//!   {"format":1,"campaign":"9f0c…","unit":7,"nodes":8902,"divide":[380,420,…],…,"check":"c1d2e3f405060708"}
//! ```
//!
//! It is appended in one piece and handed to the disk before the next unit begins. Whatever cuts the writing short
//! leaves a line that is not whole, and says so itself.

use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Campaign;
use super::digest::short;
use super::error::CampaignError;
use super::files::{keep_entries, make_folder};
use super::ledger::LineFault;
use super::manifest::{FORMAT_VERSION, Manifest};

/// What the name of a journal ends in.
pub(super) const EXTENSION: &str = "jsonl";

/// What stands before the checksum of a line, and after it.
const BEFORE_CHECK: &str = ",\"check\":\"";
const AFTER_CHECK: &str = "\"}";

/// A unit that was counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountedUnit {
    format: u32,
    campaign: String,
    /// The unit, from 1.
    pub unit: u32,
    /// The sum over its positions: multiplicity times the leaf nodes below.
    pub nodes: u128,
    /// The same by root move, in the order of [`Manifest::moves`].
    pub divide: Vec<u128>,
    /// The time that it took.
    pub seconds: f64,
    /// The seed of the table's keys; `None` without a table.
    pub seed: Option<u64>,
    /// The version of the program that counted.
    pub version: String,
    /// The CPU path that counted, or the other program that did.
    pub cpu_path: String,
    /// The machine that counted.
    pub host: String,
}

/// Who counts, for the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worker {
    /// The name of the machine.
    pub host: String,
    /// The seed of the table's keys; `None` without a table.
    pub seed: Option<u64>,
    /// The CPU path, or the other program that counted.
    pub cpu_path: String,
}

impl Default for Worker {
    fn default() -> Worker {
        Worker { host: "unknown".to_owned(), seed: None, cpu_path: "unknown".to_owned() }
    }
}

impl CountedUnit {
    /// What a worker found below a unit.
    ///
    /// # Errors
    /// The sum does not fit into 128 bits.
    pub(super) fn new(
        manifest: &Manifest,
        unit: u32,
        divide: Vec<u128>,
        seconds: f64,
        worker: &Worker,
    ) -> Result<CountedUnit, CampaignError> {
        Ok(CountedUnit {
            format: FORMAT_VERSION,
            campaign: manifest.identity().to_owned(),
            unit,
            nodes: checked_sum(&divide).ok_or(CampaignError::TooManyNodes)?,
            divide,
            seconds,
            seed: worker.seed,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            cpu_path: worker.cpu_path.clone(),
            host: worker.host.clone(),
        })
    }

    /// The line without its end.
    pub(super) fn to_line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("numbers and texts can be written");
        line.pop();
        let check = short(line.as_bytes());
        format!("{line}{BEFORE_CHECK}{check}{AFTER_CHECK}")
    }

    /// Reads a line without its end, and judges whether it is one of this campaign.
    pub(super) fn parse(line: &[u8], manifest: &Manifest) -> Result<CountedUnit, LineFault> {
        let body = checked_body(line)?;
        let entry: CountedUnit =
            serde_json::from_slice(&[body, b"}"].concat()).map_err(|_| LineFault::OtherFormat)?;
        if entry.format != FORMAT_VERSION {
            return Err(LineFault::OtherFormat);
        }
        if entry.campaign != manifest.identity() {
            return Err(LineFault::OtherCampaign(entry.campaign));
        }
        let has_unit = (1..=manifest.units.len()).contains(&(entry.unit as usize));
        let adds_up = checked_sum(&entry.divide) == Some(entry.nodes);
        if !has_unit || !adds_up || entry.divide.len() != manifest.moves.len() {
            return Err(LineFault::Impossible);
        }
        Ok(entry)
    }
}

/// What a line says, without its checksum, which must be right.
fn checked_body(line: &[u8]) -> Result<&[u8], LineFault> {
    let digits = short(b"").len();
    let at = line.len().checked_sub(BEFORE_CHECK.len() + digits + AFTER_CHECK.len());
    let (body, tail) = at.and_then(|at| line.split_at_checked(at)).ok_or(LineFault::Damaged)?;
    let expected = format!("{BEFORE_CHECK}{}{AFTER_CHECK}", short(body));
    if tail == expected.as_bytes() { Ok(body) } else { Err(LineFault::Damaged) }
}

/// The sum, unless it is beyond 128 bits.
pub(super) fn checked_sum<'a>(numbers: impl IntoIterator<Item = &'a u128>) -> Option<u128> {
    numbers.into_iter().try_fold(0_u128, |sum, &number| sum.checked_add(number))
}

/// The journal of one worker. The file is made with the first line.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: Option<File>,
}

impl Journal {
    /// A journal under a name that nobody else has: the machine, the process and a random number.
    pub(super) fn new(campaign: &Campaign, host: &str) -> Journal {
        let host: String = host.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let random = RandomState::new().build_hasher().finish() as u32;
        let name = format!("{host}-{}-{random:08x}.{EXTENSION}", std::process::id());
        Journal { path: campaign.journals().join(name), file: None }
    }

    /// Appends a line, which has reached the disk when this returns.
    pub(super) fn append(&mut self, entry: &CountedUnit) -> Result<(), CampaignError> {
        let line = entry.to_line() + "\n";
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
            let folder = self.path.parent().expect("a journal lies in a folder");
            make_folder(folder)?;
            let made = OpenOptions::new().append(true).create_new(true).open(&self.path);
            self.file = Some(made.map_err(CampaignError::file("make", &self.path))?);
            keep_entries(folder)?;
        }
        Ok(self.file.as_mut().expect("it was opened just now"))
    }
}

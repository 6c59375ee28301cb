//! The ledger: what all journals say together.
//!
//! It reads each journal from where it stopped the last time, so it can be brought up to date before every unit. A line
//! is believed only if it is whole and belongs to the campaign; every other one is named. A unit that was counted more
//! than once counts once, if all agree.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::Campaign;
use super::digest::sha256;
use super::error::CampaignError;
use super::journal::{CountedUnit, EXTENSION};
use super::ranges::Ranges;

/// What is wrong with a line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// It is the last one and has no end.
    #[error("torn: the writing was cut short")]
    Torn,
    /// It is not what was written.
    #[error("damaged: its checksum is wrong")]
    Damaged,
    /// It is whole, but not of a kind that this version knows.
    #[error("foreign: it is of another format")]
    OtherFormat,
    /// It is whole, and belongs elsewhere.
    #[error("foreign: it belongs to campaign {0}")]
    OtherCampaign(String),
    /// It is whole, and cannot be true.
    #[error("impossible: there is no such unit, or its numbers do not add up")]
    Impossible,
}

/// A line that is ignored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{line}: {fault}", .path.display())]
pub struct IgnoredLine {
    /// The journal.
    pub path: PathBuf,
    /// The number of the line.
    pub line: u64,
    /// What is wrong with it.
    pub fault: LineFault,
}

/// A line that counts a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalLine {
    /// The journal.
    pub path: PathBuf,
    /// The number of the line.
    pub line: u64,
    /// What it says.
    pub counted: CountedUnit,
}

/// Two counts of one unit that differ: at least one is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// The count that came first.
    pub first: JournalLine,
    /// A count that differs from it.
    pub other: JournalLine,
}

/// What a journal has delivered.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalSummary {
    /// Its path.
    pub path: PathBuf,
    /// The SHA-256 of the file.
    pub sha256: String,
    /// Lines that count.
    pub entries: u64,
    /// The time that they took together.
    pub seconds: f64,
}

/// What all journals of a campaign say.
#[derive(Debug)]
pub struct Ledger<'a> {
    campaign: &'a Campaign,
    readers: BTreeMap<OsString, Reader>,
    /// The first count of each unit.
    deliveries: Vec<Option<JournalLine>>,
    /// Units of which a second count agrees with the first, and shares no false hit of a table with it.
    confirmed: Vec<bool>,
    repeated: u64,
    contradictions: Vec<Contradiction>,
    ignored_lines: Vec<IgnoredLine>,
    origins: BTreeSet<Origin>,
}

/// How lines came about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Origin {
    pub(super) host: String,
    pub(super) version: String,
    pub(super) cpu_path: String,
    pub(super) seed: Option<u64>,
}

/// How far a journal was read.
#[derive(Clone, Debug, Default)]
struct Reader {
    offset: u64,
    lines: u64,
    /// What stands behind the last line that has an end.
    tail: Vec<u8>,
    entries: u64,
    seconds: f64,
}

impl<'a> Ledger<'a> {
    /// Reads all journals.
    ///
    /// # Errors
    /// The system refused to read one.
    pub fn read(campaign: &'a Campaign) -> Result<Ledger<'a>, CampaignError> {
        let units = campaign.units() as usize;
        let mut ledger = Ledger {
            campaign,
            readers: BTreeMap::new(),
            deliveries: vec![None; units],
            confirmed: vec![false; units],
            repeated: 0,
            contradictions: Vec::new(),
            ignored_lines: Vec::new(),
            origins: BTreeSet::new(),
        };
        ledger.refresh()?;
        Ok(ledger)
    }

    /// Reads all journals, and takes it that nobody is writing any more: what has no end will not get one.
    ///
    /// # Errors
    /// The system refused to read one.
    pub fn read_to_the_end(campaign: &'a Campaign) -> Result<Ledger<'a>, CampaignError> {
        let mut ledger = Ledger::read(campaign)?;
        let mut readers = std::mem::take(&mut ledger.readers);
        for (name, reader) in &mut readers {
            ledger.read_tail(&campaign.journals().join(name), reader);
        }
        Ok(Ledger { readers, ..ledger })
    }

    /// Reads what was appended since.
    ///
    /// # Errors
    /// The system refused to read a journal.
    pub fn refresh(&mut self) -> Result<(), CampaignError> {
        let folder = self.campaign.journals();
        for name in journals_in(&folder)? {
            let path = folder.join(&name);
            let mut reader = self.readers.remove(&name).unwrap_or_default();
            let read = self.read_on(&path, &mut reader);
            self.readers.insert(name, reader);
            read.map_err(CampaignError::file("read", &path))?;
        }
        Ok(())
    }

    fn read_on(&mut self, path: &Path, reader: &mut Reader) -> std::io::Result<()> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(reader.offset))?;
        let mut file = BufReader::new(file);
        loop {
            let mut line = Vec::new();
            let length = file.read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                reader.tail = line;
                return Ok(());
            }
            line.pop();
            reader.offset += length as u64;
            reader.lines += 1;
            match CountedUnit::parse(&line, &self.campaign.manifest) {
                Ok(entry) => self.take(path, reader, entry),
                Err(fault) => self.name(path, reader, fault),
            }
        }
    }

    /// Takes what stands behind the last line that has an end: a whole line that lacks nothing else, or a torn one.
    fn read_tail(&mut self, path: &Path, reader: &mut Reader) {
        let tail = std::mem::take(&mut reader.tail);
        if tail.is_empty() {
            return;
        }
        reader.lines += 1;
        match CountedUnit::parse(&tail, &self.campaign.manifest) {
            Ok(entry) => self.take(path, reader, entry),
            Err(LineFault::Damaged) => self.name(path, reader, LineFault::Torn),
            Err(fault) => self.name(path, reader, fault),
        }
    }

    fn take(&mut self, path: &Path, reader: &mut Reader, counted: CountedUnit) {
        reader.entries += 1;
        reader.seconds += counted.seconds;
        let CountedUnit { host, version, cpu_path, seed, .. } = counted.clone();
        self.origins.insert(Origin { host, version, cpu_path, seed });
        self.deliver(JournalLine { path: path.to_owned(), line: reader.lines, counted });
    }

    fn name(&mut self, path: &Path, reader: &Reader, fault: LineFault) {
        self.ignored_lines.push(IgnoredLine { path: path.to_owned(), line: reader.lines, fault });
    }

    fn deliver(&mut self, delivery: JournalLine) {
        let index = delivery.counted.unit as usize - 1;
        let Some(first) = &self.deliveries[index] else {
            self.deliveries[index] = Some(delivery);
            return;
        };
        if first.counted.divide != delivery.counted.divide {
            self.contradictions.push(Contradiction { first: first.clone(), other: delivery });
            return;
        }
        self.repeated += 1;
        let (first, second) = (&first.counted, &delivery.counted);
        let is_copy = first == second;
        let shares_no_keys = first.seed != second.seed || second.seed.is_none();
        self.confirmed[index] |= !is_copy && shares_no_keys;
    }

    /// What was counted of a unit.
    ///
    /// # Panics
    /// There is no unit of this number.
    pub fn delivery(&self, unit: u32) -> Option<&JournalLine> {
        self.deliveries[unit as usize - 1].as_ref()
    }

    /// The units that were counted.
    pub fn done(&self) -> Ranges {
        self.units_where(|index| self.deliveries[index].is_some())
    }

    /// The units that nobody has counted.
    pub fn missing(&self) -> Ranges {
        self.units_where(|index| self.deliveries[index].is_none())
    }

    /// The units that were counted again, with other keys of the table or without one, and gave the same.
    pub fn confirmed(&self) -> Ranges {
        self.units_where(|index| self.confirmed[index])
    }

    fn units_where(&self, is_wanted: impl Fn(usize) -> bool) -> Ranges {
        (1..=self.campaign.units()).filter(|&unit| is_wanted(unit as usize - 1)).collect()
    }

    /// The first count of every unit that was counted.
    pub fn deliveries(&self) -> impl Iterator<Item = &JournalLine> {
        self.deliveries.iter().flatten()
    }

    /// Lines that say again what another says.
    pub const fn repeated(&self) -> u64 {
        self.repeated
    }

    /// Counts that differ.
    pub fn contradictions(&self) -> &[Contradiction] {
        &self.contradictions
    }

    /// Lines that are ignored.
    pub fn ignored_lines(&self) -> &[IgnoredLine] {
        &self.ignored_lines
    }

    /// How all lines came about that count.
    pub(super) fn origins(&self) -> &BTreeSet<Origin> {
        &self.origins
    }

    /// The journals, sorted by name.
    ///
    /// # Errors
    /// One cannot be read.
    pub fn journals(&self) -> Result<Vec<JournalSummary>, CampaignError> {
        let folder = self.campaign.journals();
        let summary = |(name, reader): (&OsString, &Reader)| {
            let path = folder.join(name);
            let bytes = fs::read(&path).map_err(CampaignError::file("read", &path))?;
            Ok(JournalSummary {
                path,
                sha256: sha256(&bytes),
                entries: reader.entries,
                seconds: reader.seconds,
            })
        };
        self.readers.iter().map(summary).collect()
    }
}

/// The names of the journals in a folder, sorted; none if there is no such folder.
fn journals_in(folder: &Path) -> Result<Vec<OsString>, CampaignError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(CampaignError::file("read", folder))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(CampaignError::file("read", folder))?.file_name();
        if Path::new(&name).extension().is_some_and(|extension| extension == EXTENSION) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

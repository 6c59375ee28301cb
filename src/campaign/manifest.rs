//! The manifest: what a campaign counts, and the checksum of each work unit.
//!
//! It is JSON with one unit per line. The same plan always gives the same bytes. The last line is the checksum of
//! everything above it. The first digits of that checksum are the *identity* of the campaign, which each line of a
//! journal states.

use std::io::ErrorKind;
use std::path::Path;
use std::str::FromStr;
use std::{fmt, fs};

use perft_core::{Move, Position};
use serde::{Deserialize, Serialize};

use super::FORMAT_VERSION;
use super::error::CampaignError;
use super::files::{sha256, sync_folder};
use crate::system::files::{AtomicFile, folder_of};

/// The options of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanOptions {
    /// The depth of the count in plies.
    pub depth: u32,
    /// The ply of the positions in the units, from 1 to the depth less 1.
    pub split: u32,
    /// The number of positions in each unit, at least 1.
    pub unit_positions: u32,
    /// Whether the kinds of the leaf nodes are counted too.
    pub statistics: bool,
    /// The memory for merging positions, in bytes: half for the frontiers and half for sorting.
    pub memory_bytes: usize,
}

/// The plan of a campaign: the tree to count, and its work units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    format: String,
    format_version: u32,
    /// The name of the program that planned the campaign.
    pub program: String,
    /// The version of that program.
    pub version: String,
    /// The root position.
    pub fen: String,
    /// The depth of the count in plies.
    pub depth: u32,
    /// The ply of the positions in the units: the split.
    pub split: u32,
    /// The number of distinct positions at the split.
    pub positions: u64,
    /// The number of nodes at the split: the sum of all multiplicities.
    pub nodes_at_split: u128,
    /// The number of positions in each unit. The last unit may have fewer.
    pub unit_positions: u32,
    /// Whether the kinds of the leaf nodes are counted too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub statistics: bool,
    /// The root moves, sorted as text.
    pub moves: Vec<RootMoveInfo>,
    /// The units. The first one has the number 1.
    #[serde(skip)]
    pub units: Vec<UnitInfo>,
    #[serde(skip)]
    checksum: String,
}

/// The entry of a root move in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootMoveInfo {
    /// The move in UCI notation. Castling is written as for the root position: `e1g1`, or `e1h1` in Chess960.
    #[serde(rename = "move")]
    pub played: String,
    /// The number of nodes at the split below it.
    pub nodes_at_split: u128,
}

/// The entry of a unit in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitInfo {
    /// The number of its positions.
    pub positions: u32,
    /// The sum of their multiplicities.
    pub nodes_at_split: u128,
    /// The SHA-256 of its file.
    pub sha256: String,
}

/// The content of a manifest file. Its last field is the checksum.
#[derive(Deserialize)]
struct Document {
    campaign: Manifest,
    units: Vec<UnitInfo>,
}

/// The part of the file that says whether the rest can be read.
#[derive(Deserialize)]
struct VersionedDocument {
    campaign: VersionedManifest,
}

#[derive(Deserialize)]
struct VersionedManifest {
    format_version: u64,
}

impl Manifest {
    pub(super) fn new(
        root: &Position,
        options: PlanOptions,
        moves: Vec<RootMoveInfo>,
        units: Vec<UnitInfo>,
    ) -> Manifest {
        let PlanOptions { depth, split, unit_positions, statistics, memory_bytes: _ } = options;
        let manifest = Manifest {
            format: "perft campaign".to_owned(),
            format_version: FORMAT_VERSION,
            program: crate::system::NAME.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            fen: root.to_string(),
            depth,
            split,
            positions: units.iter().map(|unit| u64::from(unit.positions)).sum(),
            nodes_at_split: moves.iter().map(|root| root.nodes_at_split).sum(),
            unit_positions,
            statistics,
            moves,
            units,
            checksum: String::new(),
        };
        manifest.signed()
    }

    /// Returns the manifest with its checksum.
    fn signed(self) -> Manifest {
        Manifest { checksum: sha256(self.body().as_bytes()), ..self }
    }

    /// Returns the identity of the campaign: the first digits of the checksum.
    pub fn identity(&self) -> &str {
        &self.checksum[..16]
    }

    /// Returns the SHA-256 of the whole file, as `sha256sum` prints it.
    pub fn sha256(&self) -> String {
        sha256(self.to_text().as_bytes())
    }

    pub fn root(&self) -> Position {
        Position::from_fen(&self.fen).expect("this program wrote the FEN")
    }

    /// Returns the number of plies that are counted below each position.
    pub const fn remaining_depth(&self) -> u32 {
        self.depth - self.split
    }

    /// Writes the manifest. When this returns, it is stored on disk.
    pub(super) fn write(&self, path: &Path) -> Result<(), CampaignError> {
        let text = self.to_text();
        AtomicFile::prepare(path)
            .and_then(|file| file.write(|out| out.write_all(text.as_bytes())))
            .map_err(CampaignError::file("write", path))?;
        sync_folder(folder_of(path))
    }

    /// Returns everything above the checksum.
    fn body(&self) -> String {
        let json = |value: serde_json::Result<String>| value.expect("numbers and texts can be written");
        let campaign = json(serde_json::to_string_pretty(self)).replace('\n', "\n  ");
        let units: Vec<String> =
            self.units.iter().map(|unit| format!("\n    {}", json(serde_json::to_string(unit)))).collect();
        format!("{{\n  \"campaign\": {campaign},\n  \"units\": [{}\n  ],\n", units.join(","))
    }

    fn to_text(&self) -> String {
        format!("{}  \"checksum\": \"{}\"\n}}\n", self.body(), self.checksum)
    }

    pub(super) fn read(path: &Path) -> Result<Manifest, CampaignError> {
        let bytes = fs::read(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => CampaignError::NoManifest(folder_of(path).to_owned()),
            _ => CampaignError::file("read", path)(error),
        })?;
        let found = serde_json::from_slice::<VersionedDocument>(&bytes)
            .map(|document| document.campaign.format_version);
        if let Some(found) = found.ok().filter(|&found| found != u64::from(FORMAT_VERSION)) {
            return Err(CampaignError::OtherVersion { path: path.to_owned(), found });
        }
        Manifest::parse(&bytes).map_err(|why| CampaignError::damaged(path, why))
    }

    /// Reads a manifest. The text must be exactly the one that [`Manifest::write`] would write.
    fn parse(bytes: &[u8]) -> Result<Manifest, String> {
        let document: Document = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let manifest = Manifest { units: document.units, ..document.campaign }.signed();
        if manifest.to_text().as_bytes() == bytes {
            Ok(manifest)
        } else {
            Err("its checksum is wrong".to_owned())
        }
    }
}

/// Returns the root moves, sorted by their texts.
pub(super) fn root_moves(root: &Position) -> Vec<(String, Move)> {
    let notation = root.castling_notation();
    let mut moves: Vec<(String, Move)> =
        root.legal_moves().iter().map(|&played| (played.to_uci(notation), played)).collect();
    moves.sort_by(|a, b| a.0.cmp(&b.0));
    moves
}

/// A set of work units. Its text form is a list of ascending numbers and ranges: `1-17,20,25-400`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<(u32, u32)>);

impl Ranges {
    pub fn len(&self) -> u32 {
        self.0.iter().map(|(first, last)| last - first + 1).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the unit with the greatest number.
    pub fn last(&self) -> Option<u32> {
        self.0.last().map(|&(_, last)| last)
    }

    /// Returns the units in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(|&(first, last)| first..=last)
    }
}

/// Collects ascending numbers.
impl FromIterator<u32> for Ranges {
    fn from_iter<I: IntoIterator<Item = u32>>(units: I) -> Ranges {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for unit in units {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == unit => *last = unit,
                _ => ranges.push((unit, unit)),
            }
        }
        Ranges(ranges)
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (first, last)) in self.0.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            match first == last {
                true => write!(f, "{comma}{first}")?,
                false => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Ranges {
    type Err = String;

    fn from_str(text: &str) -> Result<Ranges, String> {
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let range = (first.parse().ok()?, last.parse().ok()?);
            (0 < range.0 && range.0 <= range.1).then_some(range)
        };
        let ranges: Option<Vec<(u32, u32)>> = text.split(',').map(range).collect();
        let ranges = ranges.filter(|ranges| ranges.is_sorted_by(|a, b| a.1 < b.0));
        ranges.map(Ranges).ok_or_else(|| {
            format!(
                "'{text}' is not a list of units; use ascending numbers and ranges such as 1-17,20,25-400"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let moves = vec![RootMoveInfo { played: "a1a2".to_owned(), nodes_at_split: 7 }];
        // The only legal move.
        let root = Position::from_fen("8/8/8/8/8/8/8/K1k5 w - - 0 1").unwrap();
        let options =
            PlanOptions { depth: 4, split: 2, unit_positions: 3, statistics: false, memory_bytes: 0 };
        let unit = |positions, nodes_at_split| UnitInfo {
            positions,
            nodes_at_split,
            sha256: sha256(&[positions as u8]),
        };
        Manifest::new(&root, options, moves, vec![unit(3, 4), unit(2, 3)])
    }

    #[test]
    fn every_changed_bit_is_detected() {
        let text = manifest().to_text().into_bytes();
        for index in 0..text.len() {
            for bit in 0..8 {
                let mut damaged = text.clone();
                damaged[index] ^= 1 << bit;
                assert!(Manifest::parse(&damaged).is_err(), "byte {index}, bit {bit}");
            }
            assert!(Manifest::parse(&text[..index]).is_err(), "cut at {index}");
        }
    }
}

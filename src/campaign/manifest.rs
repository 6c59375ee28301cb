//! The manifest: what a campaign counts, and the checksum of every unit.
//!
//! It is JSON, one unit a line, and the same for the same input, byte by byte. Its last line is the checksum of
//! everything above; by the first digits of that checksum, the *identity*, journals say to which campaign they belong.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::digest::sha256;
use super::error::CampaignError;
use super::files::{self, write_whole};
use perft_core::Position;

/// The version of everything in the folder of a campaign.
pub const FORMAT_VERSION: u32 = 1;

pub(super) const FILE_NAME: &str = "manifest.json";

/// Where the manifest is written before it takes its place.
pub(super) fn unfinished(campaign: &Path) -> PathBuf {
    files::unfinished(&campaign.join(FILE_NAME))
}

const FORMAT: &str = "perft campaign";

/// What begins the last line.
const CHECKSUM_LINE: &str = "  \"checksum\": \"";

/// What a campaign counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: String,
    format_version: u32,
    /// The program that planned.
    pub program: String,
    /// Its version.
    pub version: String,
    /// The root.
    pub fen: String,
    /// The depth of the count in plies.
    pub depth: u32,
    /// The ply of the positions in the units.
    pub split: u32,
    /// The distinct positions at that ply.
    pub positions: u64,
    /// The nodes at that ply, which is the sum of all multiplicities.
    pub nodes_at_split: u128,
    /// Positions a unit; the last may have fewer.
    pub unit_positions: u32,
    /// The root moves, sorted as text.
    pub moves: Vec<RootWays>,
    /// The units, of which the first has the number 1.
    #[serde(skip)]
    pub units: Vec<UnitInfo>,
    #[serde(skip)]
    checksum: String,
}

/// A root move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RootWays {
    /// The move in UCI, castling as the root needs it.
    #[serde(rename = "move")]
    pub played: String,
    /// The nodes at the ply of the split that are below it.
    pub nodes_at_split: u128,
}

/// A unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitInfo {
    /// Its positions.
    pub positions: u32,
    /// The sum of their multiplicities.
    pub nodes_at_split: u128,
    /// The SHA-256 of its file.
    pub sha256: String,
}

/// The file as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    campaign: Manifest,
    units: Vec<UnitInfo>,
    checksum: String,
}

/// As much of the file as says whether the rest can be read.
#[derive(Deserialize)]
struct Probe {
    campaign: ProbedVersion,
}

#[derive(Deserialize)]
struct ProbedVersion {
    format_version: u64,
}

/// What a new manifest says of the tree.
pub(super) struct Tree {
    pub(super) fen: String,
    pub(super) depth: u32,
    pub(super) split: u32,
    pub(super) positions: u64,
    pub(super) unit_positions: u32,
    pub(super) moves: Vec<RootWays>,
}

impl Manifest {
    pub(super) fn new(tree: Tree, units: Vec<UnitInfo>) -> Manifest {
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION,
            program: crate::NAME.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            fen: tree.fen,
            depth: tree.depth,
            split: tree.split,
            positions: tree.positions,
            nodes_at_split: tree.moves.iter().map(|root| root.nodes_at_split).sum(),
            unit_positions: tree.unit_positions,
            moves: tree.moves,
            units,
            checksum: String::new(),
        };
        Manifest { checksum: sha256(manifest.body().as_bytes()), ..manifest }
    }

    /// The first digits of the checksum, by which journals know their campaign.
    pub fn identity(&self) -> &str {
        &self.checksum[..16]
    }

    /// The SHA-256 of the whole file, as `sha256sum` prints it.
    pub fn sha256(&self) -> String {
        sha256(self.to_text().as_bytes())
    }

    /// The plies that are counted below each position.
    pub const fn rest(&self) -> u32 {
        self.depth - self.split
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), CampaignError> {
        write_whole(path, self.to_text().as_bytes())
    }

    /// Everything above the checksum.
    fn body(&self) -> String {
        let json = |value: serde_json::Result<String>| value.expect("numbers and texts can be written");
        let campaign = json(serde_json::to_string_pretty(self)).replace('\n', "\n  ");
        let units: Vec<String> =
            self.units.iter().map(|unit| format!("\n    {}", json(serde_json::to_string(unit)))).collect();
        format!("{{\n  \"campaign\": {campaign},\n  \"units\": [{}\n  ],\n", units.join(","))
    }

    fn to_text(&self) -> String {
        format!("{}{CHECKSUM_LINE}{}\"\n}}\n", self.body(), self.checksum)
    }

    pub(super) fn read(path: &Path) -> Result<Manifest, CampaignError> {
        let bytes = fs::read(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => CampaignError::NoManifest(path.parent().unwrap_or(path).to_owned()),
            _ => CampaignError::file("read", path)(error),
        })?;
        let found = serde_json::from_slice::<Probe>(&bytes).map(|probe| probe.campaign.format_version);
        if let Some(found) = found.ok().filter(|&found| found != u64::from(FORMAT_VERSION)) {
            return Err(CampaignError::OtherVersion { path: path.to_owned(), found });
        }
        Manifest::parse(&bytes).map_err(|why| CampaignError::damaged(path, why))
    }

    /// Reads the text back; it must be what would be written, byte by byte.
    fn parse(bytes: &[u8]) -> Result<Manifest, String> {
        let document: Document = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let Document { campaign, units, checksum } = document;
        let manifest = Manifest { units, checksum, ..campaign };
        if sha256(manifest.body().as_bytes()) != manifest.checksum || manifest.to_text().as_bytes() != bytes {
            return Err("its checksum is wrong".to_owned());
        }
        manifest.check()?;
        Ok(manifest)
    }

    /// What a manifest must say that was written as planned.
    fn check(&self) -> Result<(), String> {
        let positions: u64 = self.units.iter().map(|unit| u64::from(unit.positions)).sum();
        let of_units: u128 = self.units.iter().map(|unit| unit.nodes_at_split).sum();
        let of_moves: u128 = self.moves.iter().map(|root| root.nodes_at_split).sum();
        let adds_up =
            positions == self.positions && [of_units, of_moves].iter().all(|&sum| sum == self.nodes_at_split);
        let is_split = 1 <= self.split && self.split < self.depth && self.format == FORMAT;
        let is_position = Position::from_fen(&self.fen).is_ok();
        if adds_up && is_split && is_position { Ok(()) } else { Err("it does not add up".to_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let moves = vec![RootWays { played: "a1a2".to_owned(), nodes_at_split: 7 }];
        let fen = "8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned();
        let tree = Tree { fen, depth: 4, split: 2, positions: 5, unit_positions: 3, moves };
        let unit = |positions, nodes_at_split| UnitInfo {
            positions,
            nodes_at_split,
            sha256: sha256(&[positions as u8]),
        };
        Manifest::new(tree, vec![unit(3, 4), unit(2, 3)])
    }

    #[test]
    fn what_is_written_is_read_back() {
        assert_eq!(Manifest::parse(manifest().to_text().as_bytes()), Ok(manifest()));
    }

    #[test]
    fn no_byte_can_change_unnoticed() {
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

    #[test]
    fn another_version_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        fs::write(&path, manifest().to_text().replace("\"format_version\": 1", "\"format_version\": 2"))
            .unwrap();
        assert_eq!(Manifest::read(&path), Err(CampaignError::OtherVersion { path, found: 2 }));
    }
}

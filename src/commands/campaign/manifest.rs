//! A planned campaign: its folder, and its manifest, which says what is counted and has the checksum of each work unit.
//!
//! The manifest is JSON with one unit per line. The same plan always gives the same bytes. The last line has the
//! checksum of the lines above it. The first digits of that checksum are the *identity* of the campaign, which each
//! line of a journal states. Checksums are SHA-256, so that `sha256sum` can check the same files.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use perft_core::{MAX_DEPTH, Position};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{FORMAT_VERSION, MAX_BYTES, damaged};
use crate::output::CliError;
use crate::system::files::{self, Kind, folder_of};

/// The name of the format in a manifest.
const FORMAT: &str = "perft campaign";

/// A planned campaign: its folder and its manifest.
#[derive(Clone, Debug)]
pub struct Campaign {
    pub folder: PathBuf,
    pub manifest: Manifest,
}

#[derive(Clone, Copy, Debug)]
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

/// The plan of a campaign: the tree to count, and its work units. A manifest that was read has the moves of its root
/// position, and its numbers add up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    format: String,
    format_version: u32,
    /// The name of the program that planned the campaign.
    pub program: String,
    pub version: String,
    #[serde(rename = "fen", serialize_with = "write_fen", deserialize_with = "read_fen")]
    pub root: Position,
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
    pub positions: u32,
    /// The sum of the multiplicities of its positions.
    pub nodes_at_split: u128,
    pub sha256: String,
}

impl Campaign {
    /// Opens the campaign in a folder by reading its manifest.
    ///
    /// # Errors
    /// There is no manifest, it has another format version, or it is damaged.
    pub fn open(folder: &Path) -> Result<Campaign, CliError> {
        Ok(Campaign { folder: folder.to_owned(), manifest: Manifest::read(folder)? })
    }

    /// Returns the number of work units.
    pub fn units(&self) -> u32 {
        self.manifest.units.len() as u32
    }
}

impl Manifest {
    pub fn new(
        root: &Position,
        options: PlanOptions,
        moves: Vec<RootMoveInfo>,
        units: Vec<UnitInfo>,
    ) -> Manifest {
        let PlanOptions { depth, split, unit_positions, statistics, memory_bytes: _ } = options;
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION,
            program: crate::system::NAME.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            root: *root,
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

    fn signed(self) -> Manifest {
        Manifest { checksum: sha256(self.body().as_bytes()), ..self }
    }

    /// Returns the identity of the campaign: the first digits of the checksum.
    pub fn identity(&self) -> &str {
        &self.checksum[..SHORT_LENGTH]
    }

    /// Returns the SHA-256 of the whole file, as `sha256sum` prints it.
    pub fn sha256(&self) -> String {
        sha256(self.to_text().as_bytes())
    }

    /// Returns the number of plies that are counted below each position.
    pub const fn remaining_depth(&self) -> u32 {
        self.depth - self.split
    }

    pub fn path(campaign: &Path) -> PathBuf {
        campaign.join("manifest.json")
    }

    /// Writes the manifest. When this returns, it is stored on disk.
    pub fn write(&self, campaign: &Path) -> Result<(), CliError> {
        let (path, text) = (Manifest::path(campaign), self.to_text());
        files::write(&path, |out| out.write_all(text.as_bytes())).map_err(CliError::file("write", &path))?;
        sync_folder(folder_of(&path))
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

    fn read(campaign: &Path) -> Result<Manifest, CliError> {
        let path = Manifest::path(campaign);
        let bytes = files::read(&path, Kind::Regular, MAX_BYTES).map_err(|error| match error.kind() {
            ErrorKind::NotFound => CliError::usage(format!(
                "{} has no manifest.json: no campaign was planned there, or its plan was not finished",
                campaign.display()
            ))
            .suggest("plan one, as in", &["campaign", "plan", "9", "-o", &campaign.to_string_lossy()]),
            ErrorKind::NotADirectory => {
                CliError::usage(format!("{} is a file, not the folder of a campaign", campaign.display()))
            }
            _ => CliError::file("read", &path)(error),
        })?;
        let document: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let version = document["campaign"]["format_version"].as_u64();
        if let Some(found) = version.filter(|found| *found != u64::from(FORMAT_VERSION)) {
            return Err(CliError::usage(format!(
                "{}: a campaign of format {found}; this program reads format {FORMAT_VERSION}",
                path.display()
            ))
            .help("use the version of perft that planned it"));
        }
        Manifest::parse(&bytes).map_err(|why| damaged(&path, why))
    }

    /// Reads a manifest. The text must be exactly the one that [`Manifest::write`] would write.
    fn parse(bytes: &[u8]) -> Result<Manifest, String> {
        #[derive(Deserialize)]
        struct Document {
            campaign: Manifest,
            units: Vec<UnitInfo>,
        }
        let Document { campaign, units } =
            serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let manifest = Manifest { units, ..campaign }.signed();
        if manifest.to_text().as_bytes() != bytes {
            return Err("its checksum is wrong".to_owned());
        }
        manifest.fault().map_or(Ok(manifest.clone()), |fault| Err(fault.to_owned()))
    }

    /// Returns what no plan has, if the manifest has it.
    fn fault(&self) -> Option<&'static str> {
        let Manifest { depth, split, ref moves, ref units, .. } = *self;
        let notation = self.root.castling_notation();
        let mut legal: Vec<String> =
            self.root.legal_moves().iter().map(|played| played.to_uci(notation)).collect();
        legal.sort();
        let adds_up =
            |all: Vec<u128>| all.into_iter().try_fold(0_u128, u128::checked_add) == Some(self.nodes_at_split);
        let positions: u64 = units.iter().map(|unit| u64::from(unit.positions)).sum();
        let is_sized = |unit: &UnitInfo| (1..=self.unit_positions).contains(&unit.positions);
        let checks = [
            (self.format == FORMAT, "it is not the plan of a campaign"),
            ((1..depth).contains(&split) && depth <= MAX_DEPTH, "its depth and its split are impossible"),
            (moves.iter().map(|root| &root.played).eq(&legal), "its moves are not those of its position"),
            (adds_up(moves.iter().map(|root| root.nodes_at_split).collect()), "its moves do not add up"),
            (adds_up(units.iter().map(|unit| unit.nodes_at_split).collect()), "its units do not add up"),
            (positions == self.positions && units.iter().all(is_sized), "its positions do not add up"),
            (u32::try_from(units.len()).is_ok(), "it has too many units"),
        ];
        checks.into_iter().find(|(is_right, _)| !is_right).map(|(_, fault)| fault)
    }
}

fn write_fen<S: Serializer>(root: &Position, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(root)
}

fn read_fen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
    let fen = String::deserialize(deserializer)?;
    Position::from_fen(&fen).map_err(|_| serde::de::Error::custom("its FEN is not a position"))
}

/// Waits until the system has stored the list of files in a folder.
pub fn sync_folder(folder: &Path) -> Result<(), CliError> {
    // Only Unix can open and synchronise a folder. On other systems, the file system does it.
    if cfg!(unix) {
        let sync = || File::open(folder)?.sync_all();
        sync().map_err(CliError::file("write", folder))?;
    }
    Ok(())
}

/// The number of digits of a short checksum. These 64 bits detect accidental changes.
const SHORT_LENGTH: usize = 16;

/// Returns the SHA-256 of bytes in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn short_sha256(bytes: &[u8]) -> String {
    sha256(bytes)[..SHORT_LENGTH].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let moves = vec![RootMoveInfo { played: "a1a2".to_owned(), nodes_at_split: 7 }];
        // a1a2 is the only legal move.
        let root = Position::from_fen("8/8/8/8/8/8/8/K1k5 w - - 0 1").unwrap();
        let unit = |positions, nodes_at_split| UnitInfo {
            positions,
            nodes_at_split,
            sha256: sha256(&[positions as u8]),
        };
        let options =
            PlanOptions { depth: 4, split: 2, unit_positions: 3, statistics: false, memory_bytes: 0 };
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

    #[test]
    fn checksums_are_those_of_sha256sum() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(short_sha256(b"abc"), "ba7816bf8f01cfea");
    }
}

//! Work units: their files, and how a set of them is written in JSON.
//!
//! ```text
//!   # perft campaign, format 1, unit 7
//!   rnbqkbnr/pppp1ppp/4p3/8/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - ;e2e3 1
//!   rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq d3 ;d2d4 1 ;e2e4 1
//! ```
//!
//! A line contains a FEN without the halfmove clock and the move number. For each root move that leads to the position,
//! the number of paths follows. Equal positions below different root moves share one line, so each position is counted
//! once. The paths of each root move are needed for the divide.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use perft_core::Position;
use perft_count::Perft;
use serde::{Serialize, Serializer};

use super::manifest::{Campaign, Manifest, UnitInfo, sha256};
use super::{FORMAT_VERSION, MAX_BYTES, damaged};
use crate::output::{CliError, ranges};
use crate::system::files::{self, Kind};

/// A position of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitPosition {
    pub position: Position,
    /// For each root move that leads there: its index in [`Manifest::moves`], and the number of paths.
    pub paths: Vec<(usize, u64)>,
}

impl UnitPosition {
    /// Returns the number of paths from the root.
    pub fn multiplicity(&self) -> u128 {
        self.paths.iter().map(|(_, paths)| u128::from(*paths)).sum()
    }
}

pub fn units_folder(campaign: &Path) -> PathBuf {
    campaign.join("units")
}

fn unit_path(campaign: &Path, unit: u32) -> PathBuf {
    units_folder(campaign).join(format!("{unit:06}.epd"))
}

/// Writes a unit file and returns its entry in the manifest. `moves` are the texts of the root moves.
pub fn write_unit(
    campaign: &Path,
    unit: u32,
    positions: &[UnitPosition],
    moves: &[String],
) -> Result<UnitInfo, CliError> {
    let mut text = format!("# perft campaign, format {FORMAT_VERSION}, unit {unit}\n");
    for UnitPosition { position, paths } in positions {
        let fen = position.to_string();
        text.push_str(fen.strip_suffix(" 0 1").unwrap_or(&fen));
        for (root, paths) in paths {
            write!(text, " ;{} {paths}", moves[*root]).expect("writing to a string never fails");
        }
        text.push('\n');
    }
    let path = unit_path(campaign, unit);
    fs::write(&path, &text).map_err(CliError::file("write", &path))?;
    Ok(UnitInfo {
        positions: positions.len() as u32,
        nodes_at_split: positions.iter().map(UnitPosition::multiplicity).sum(),
        sha256: sha256(text.as_bytes()),
    })
}

impl Campaign {
    /// Reads a unit of the campaign on the threads of a driver. The file must not have changed since it was planned.
    ///
    /// # Errors
    /// The file cannot be read or is damaged.
    pub fn read_unit(&self, unit: u32, perft: &Perft) -> Result<Vec<UnitPosition>, CliError> {
        let path = unit_path(&self.folder, unit);
        let info = &self.manifest.units[unit as usize - 1];
        let bytes = files::read(&path, Kind::Regular, MAX_BYTES).map_err(CliError::file("read", &path))?;
        if sha256(&bytes) != info.sha256 {
            return Err(damaged(&path, "its checksum is not that of the manifest"));
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        let parse = |line: &&str| parse_line(line, &self.manifest).ok_or("a line is not a position");
        let found = perft.map(&lines, parse).map_err(|why| damaged(&path, why))?;
        let nodes: u128 = found.iter().map(UnitPosition::multiplicity).sum();
        if (found.len(), nodes) != (info.positions as usize, info.nodes_at_split) {
            return Err(damaged(&path, "its positions are not those of the manifest"));
        }
        Ok(found)
    }
}

fn parse_line(line: &str, manifest: &Manifest) -> Option<UnitPosition> {
    let mut parts = line.split(';').map(str::trim_end);
    let position = Position::from_fen(parts.next()?).ok()?;
    let paths = parts.map(|part| {
        let (played, paths) = part.split_once(' ')?;
        let root = manifest.moves.binary_search_by(|root| root.played.as_str().cmp(played)).ok()?;
        Some((root, paths.parse().ok()?))
    });
    Some(UnitPosition { position, paths: paths.collect::<Option<_>>()? })
}

/// Writes a set of work units as the number of its units and its ranges.
pub fn serialize_units<S: Serializer>(units: &BTreeSet<u32>, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Units {
        units: usize,
        ranges: String,
    }
    Units { units: units.len(), ranges: ranges(units.iter().copied(), ",") }.serialize(serializer)
}

//! Unit files: positions, each with the number of paths that lead to it.
//!
//! ```text
//!   # perft campaign, format 1, unit 7
//!   rnbqkbnr/pppp1ppp/4p3/8/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - ;e2e3 1
//!   rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq d3 ;d2d4 1 ;e2e4 1
//! ```
//!
//! A line contains a FEN without counters. For each root move that leads to the position, the number of paths follows.
//! Equal positions below different root moves share one line, so each position is counted once. The paths of each root
//! move are needed for the divide.

use std::fmt::Write;
use std::fs;

use perft_core::Position;
use perft_count::Perft;

use super::FORMAT_VERSION;
use super::error::CampaignError;
use super::files::{sha256, unit_path};
use super::manifest::{Manifest, UnitInfo};
use super::opened::Campaign;

/// The number of paths from a root move to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootPaths {
    /// The index of the move in [`Manifest::moves`].
    pub root: usize,
    /// The number of paths.
    pub paths: u64,
}

/// A position of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitPosition {
    /// The position.
    pub position: Position,
    /// The paths to the position, for each root move that leads there.
    pub paths: Vec<RootPaths>,
}

impl UnitPosition {
    /// Returns the number of paths from the root.
    pub fn multiplicity(&self) -> u128 {
        self.paths.iter().map(|root| u128::from(root.paths)).sum()
    }
}

/// Returns the text of a unit file and its entry in the manifest. `moves` are the texts of the root moves.
pub(super) fn to_text(unit: u32, positions: &[UnitPosition], moves: &[String]) -> (String, UnitInfo) {
    let mut text = format!("# perft campaign, format {FORMAT_VERSION}, unit {unit}\n");
    for UnitPosition { position, paths } in positions {
        let fen = position.to_string();
        text.push_str(fen.strip_suffix(" 0 1").unwrap_or(&fen));
        for RootPaths { root, paths } in paths {
            write!(text, " ;{} {paths}", moves[*root]).expect("writing to a string never fails");
        }
        text.push('\n');
    }
    let info = UnitInfo {
        positions: positions.len() as u32,
        nodes_at_split: positions.iter().map(UnitPosition::multiplicity).sum(),
        sha256: sha256(text.as_bytes()),
    };
    (text, info)
}

impl Campaign {
    /// Reads a unit on the threads of a driver. The file must not have changed since it was planned.
    ///
    /// # Errors
    /// The file cannot be read, or it is damaged.
    ///
    /// # Panics
    /// There is no unit with this number.
    pub fn read_unit(&self, unit: u32, perft: &Perft) -> Result<Vec<UnitPosition>, CampaignError> {
        let path = unit_path(&self.folder, unit);
        let bytes = fs::read(&path).map_err(CampaignError::file("read", &path))?;
        if sha256(&bytes) != self.manifest().units[unit as usize - 1].sha256 {
            return Err(CampaignError::damaged(&path, "its checksum is not that of the manifest"));
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        let parse = |line: &&str| parse_line(line, self.manifest()).ok_or("a line is not a position");
        perft.map(&lines, parse).map_err(|why| CampaignError::damaged(&path, why))
    }
}

fn parse_line(line: &str, manifest: &Manifest) -> Option<UnitPosition> {
    let mut parts = line.split(';').map(str::trim_end);
    let position = Position::from_fen(parts.next()?).ok()?;
    let paths = parts.map(|part| {
        let (played, paths) = part.split_once(' ')?;
        let root = manifest.moves.binary_search_by(|root| root.played.as_str().cmp(played)).ok()?;
        Some(RootPaths { root, paths: paths.parse().ok()? })
    });
    Some(UnitPosition { position, paths: paths.collect::<Option<_>>()? })
}

//! Unit files: some positions, each with the ways that lead to it.
//!
//! ```text
//!   # perft campaign, format 1, unit 7
//!   rnbqkbnr/pppp1ppp/4p3/8/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - ;e2e3 1
//!   rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq d3 ;d2d4 1 ;e2e4 1
//! ```
//!
//! A line is a FEN without counters, and for every root move that leads to the position the number of ways to do so.
//! Equal positions are merged below all root moves at once, so that each is counted once; the ways by root move are what
//! the divide is made of.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::Campaign;
use super::digest::sha256;
use super::error::CampaignError;
use super::manifest::{FORMAT_VERSION, Manifest, UnitInfo};
use perft_core::Perft;
use perft_core::Position;

/// In how many ways a root move leads to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootPaths {
    /// The index of the move in [`Manifest::moves`].
    pub root: usize,
    /// The number of ways.
    pub ways: u64,
}

/// A position of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitPosition {
    /// The position.
    pub position: Position,
    /// The ways to it, by root move.
    pub ways: Vec<RootPaths>,
}

impl UnitPosition {
    fn nodes(&self) -> u128 {
        self.ways.iter().map(|way| u128::from(way.ways)).sum()
    }
}

/// The folder of the units below that of their campaign.
pub(super) fn folder(campaign: &Path) -> PathBuf {
    campaign.join("units")
}

/// The file of a unit below the folder of its campaign.
pub(super) fn path(campaign: &Path, unit: u32) -> PathBuf {
    folder(campaign).join(format!("{unit:06}.epd"))
}

/// The text of a unit, and what the manifest says of it. Root moves are given by their texts.
pub(super) fn to_text(unit: u32, positions: &[UnitPosition], moves: &[String]) -> (String, UnitInfo) {
    let mut text = format!("# perft campaign, format {FORMAT_VERSION}, unit {unit}\n");
    for UnitPosition { position, ways } in positions {
        let fen = position.to_string();
        text.push_str(fen.strip_suffix(" 0 1").unwrap_or(&fen));
        for RootPaths { root, ways } in ways {
            write!(text, " ;{} {ways}", moves[*root]).expect("a text takes everything");
        }
        text.push('\n');
    }
    let info = UnitInfo {
        positions: positions.len() as u32,
        nodes_at_split: positions.iter().map(UnitPosition::nodes).sum(),
        sha256: sha256(text.as_bytes()),
    };
    (text, info)
}

impl Campaign {
    /// Reads a unit, which must be what was planned.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    ///
    /// # Panics
    /// There is no unit of this number.
    pub fn read_unit(&self, unit: u32) -> Result<Vec<UnitPosition>, CampaignError> {
        self.read_unit_on(&Perft::new(), unit)
    }

    /// The same on the threads of a driver, of which none shall wait for another to read.
    pub(super) fn read_unit_on(&self, perft: &Perft, unit: u32) -> Result<Vec<UnitPosition>, CampaignError> {
        let info = &self.manifest.units[unit as usize - 1];
        let path = path(&self.folder, unit);
        let bytes = fs::read(&path).map_err(CampaignError::file("read", &path))?;
        let damaged = |why: String| CampaignError::damaged(&path, why);
        if sha256(&bytes) != info.sha256 {
            return Err(damaged("its checksum is not that of the manifest".to_owned()));
        }
        let text = String::from_utf8(bytes).map_err(|error| damaged(error.to_string()))?;
        let positions = parse(&text, &self.manifest, perft).map_err(damaged)?;
        let nodes: u128 = positions.iter().map(UnitPosition::nodes).sum();
        if positions.len() != info.positions as usize || nodes != info.nodes_at_split {
            return Err(damaged("it does not add up to what the manifest says".to_owned()));
        }
        Ok(positions)
    }
}

fn parse(text: &str, manifest: &Manifest, perft: &Perft) -> Result<Vec<UnitPosition>, String> {
    let lines: Vec<&str> = text.lines().collect();
    let parse = |index: usize| {
        parse_line(lines[index], manifest).ok_or_else(|| format!("line {} is not a position", index + 1))
    };
    perft.in_pool(|parallel| {
        if parallel {
            (1..lines.len()).into_par_iter().map(parse).collect()
        } else {
            (1..lines.len()).map(parse).collect()
        }
    })
}

fn parse_line(line: &str, manifest: &Manifest) -> Option<UnitPosition> {
    let mut parts = line.split(" ;");
    let position = Position::from_fen(parts.next()?).ok()?;
    let ways = parts.map(|part| {
        let (played, ways) = part.split_once(' ')?;
        let root = manifest.moves.binary_search_by(|root| root.played.as_str().cmp(played)).ok()?;
        Some(RootPaths { root, ways: ways.parse().ok()? })
    });
    Some(UnitPosition { position, ways: ways.collect::<Option<_>>()? })
}

//! Reports: the results of the commands as text, JSON, CSV, Markdown, SVG and HTML.
//!
//! A report is a plain struct that can be serialized. Some reports also write the formats of other programs: see [`divide`],
//! [`hyperfine`] and [`suite`]. This module only formats. It counts nothing, and the caller provides the writer.
//!
//! Programs rely on the JSON. Fields may be added, but they are never renamed, and `schema_version` says which ones exist.
//! Node counts are exact integers. Many JSON readers round integers beyond 2^53, so those counts are also given as text.

pub mod agree;
pub mod baseline;
pub mod bench;
mod bench_result;
pub mod campaign;
pub mod compare;
pub mod contender;
pub mod count;
pub mod diagnose;
pub mod differences;
pub mod divide;
pub mod engines;
pub mod environment;
pub mod estimate;
mod fold;
pub mod generators;
mod hash_table;
pub mod hunt;
pub mod hyperfine;
mod numbers;
mod page;
mod plot;
mod provenance;
pub mod reference_comparison;
pub mod states;
pub mod statistics;
pub mod suite;
mod table;
mod trackers;
pub mod unique;

pub use fold::{folded, folded_to};
pub use hash_table::HashTableReport;
pub use numbers::{Nodes, mega_per_second};
pub use perft_diagnosis::grouped;
pub use provenance::{CountMode, Machine, Provenance, SCHEMA_VERSION};

use std::io::{self, Write};

use perft_core::{CastlingNotation, Position};
use serde::Serialize;

/// What a report says, in every format with room for it, if the command was interrupted. JSON has `"complete": false`.
pub const INCOMPLETE: &str = "incomplete: interrupted before the end";

/// A position that was counted.
#[derive(Clone, Debug, Serialize)]
pub struct PositionInfo {
    /// The FEN.
    pub fen: String,
    /// Whether castling moves are written as in Chess960.
    pub chess960: bool,
}

impl PositionInfo {
    /// Describes a position.
    pub fn new(position: &Position, notation: CastlingNotation) -> PositionInfo {
        PositionInfo { fen: position.to_string(), chess960: notation == CastlingNotation::Chess960 }
    }
}

/// Writes a report as JSON, either indented or on one line.
///
/// # Errors
/// The writer failed.
pub fn write_json(report: &impl Serialize, on_one_line: bool, out: &mut impl Write) -> io::Result<()> {
    if on_one_line {
        serde_json::to_writer(&mut *out, report)?;
    } else {
        serde_json::to_writer_pretty(&mut *out, report)?;
    }
    writeln!(out)
}

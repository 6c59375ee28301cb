//! Results as text: for people, for other programs, and for JSON.
//!
//! A report is a plain struct that can be serialised; [`count`], [`divide`], [`unique`] and [`suite`] also write the formats of the
//! field. Nothing here counts, and nothing here prints: writers are given by the caller.
//!
//! The JSON is a contract: fields are added, never renamed, and `schema_version` says which fields are there. Node
//! counts are exact integers; those beyond 2^53, which many readers round, are also given as a string.

pub mod agree;
pub mod baseline;
pub mod bench;
pub mod campaign;
pub mod compare;
pub mod comparison;
pub mod count;
pub mod divide;
pub mod estimate;
pub mod generators;
pub mod hunt;
pub mod hyperfine;
mod nodes;
mod page;
mod plot;
pub mod statistics;
pub mod suite;
mod table;
mod trackers;
pub mod unique;

pub use nodes::{Nodes, grouped, mega_per_second};
pub use table::TableReport;

use serde::Serialize;

use perft_core::CastlingNotation;
use perft_core::Position;

/// The version of the JSON that this build writes. The first one was 2: benchmarks have the fields of hyperfine 2, which
/// gives this number under the same name.
pub const SCHEMA_VERSION: u32 = 2;

/// How a result came about: the head of every report.
#[derive(Clone, Debug, Serialize)]
pub struct Context {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// `perft`.
    pub program: &'static str,
    /// The version of the program.
    pub version: &'static str,
    /// The machine that counted.
    pub machine: Machine,
    /// Which generator counted.
    pub generator: &'static str,
    /// For which CPU features it was compiled.
    pub cpu_path: &'static str,
    /// How sliders were looked up; `None` where nothing is looked up, or the generator has its own way.
    pub sliders: Option<&'static str>,
    /// On how many threads.
    pub threads: usize,
    /// The size of the transposition table in bytes; 0 without one.
    pub table_bytes: usize,
    /// What came of the table, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableReport>,
    /// True if the moves of the last ply were counted, not made.
    pub bulk: bool,
    /// `plain`, `hashed` (with a transposition table), `exact` or `unique` (merging equal positions), `statistics`, `agree`,
    /// `estimate`.
    pub mode: &'static str,
    /// The memory that merged positions may take in bytes; 0 where none are.
    pub memory_bytes: usize,
}

/// A machine, as far as it matters for speed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// The model of the CPU, if the system says it.
    pub cpu: Option<String>,
    /// Logical cores that this process may use.
    pub cores: usize,
    /// The architecture that the program was compiled for.
    pub arch: &'static str,
    /// The operating system that the program was compiled for.
    pub os: &'static str,
}

/// The position that was counted.
#[derive(Clone, Debug, Serialize)]
pub struct PositionInfo {
    /// Its FEN.
    pub fen: String,
    /// True if castling is written as Chess960 has it.
    pub chess960: bool,
}

impl PositionInfo {
    /// What a report says of a position.
    pub fn new(position: &Position, notation: CastlingNotation) -> PositionInfo {
        PositionInfo { fen: position.to_string(), chess960: notation == CastlingNotation::Chess960 }
    }
}

/// A report as JSON, over several lines for people or on one line for line-wise readers.
///
/// # Errors
/// The writer failed.
pub fn write_json(
    report: &impl Serialize,
    on_one_line: bool,
    out: &mut impl std::io::Write,
) -> std::io::Result<()> {
    if on_one_line {
        serde_json::to_writer(&mut *out, report)?;
    } else {
        serde_json::to_writer_pretty(&mut *out, report)?;
    }
    writeln!(out)
}

/// A Markdown table: one row a record, numbers to the right.
fn markdown_table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(header.to_vec()).add_rows(rows);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

//! Reports: the results of the commands as text, JSON, CSV, Markdown, SVG and HTML.
//!
//! A report is a plain struct that can be serialized. Some reports also write the formats of other programs: see
//! [`divide`], [`hyperfine`] and [`suite`]. This module only formats. It counts nothing, and the caller provides the
//! writer.
//!
//! Programs rely on the JSON. [`schema`] describes it, and is made from the types here. Fields may be added. If one is
//! renamed, [`SCHEMA_VERSION`] rises. Each name has one meaning in all reports. Node counts are exact integers. Many
//! JSON readers round integers beyond 2^53, so those counts are also given as text.

pub mod context;
pub mod environment;
pub mod error;
pub mod export;
pub mod fold;
mod format;
pub mod hyperfine;
pub mod interrupt;
pub mod numbers;
mod position;
pub mod printer;
pub mod progress;
mod provenance;
pub mod standard_output;
pub mod table;
pub mod terminal;
pub mod wait_note;

pub use fold::folded;
pub use format::FormatArgs;
pub use numbers::{Nodes, mega, mega_per_second};
pub use perft_diagnosis::grouped;
pub use position::PositionInfo;
pub use provenance::{CountMode, HashTableReport, Header, Machine, Provenance, SCHEMA_VERSION};
pub use table::Table;

use std::io::{self, Write};

use serde::Serialize;

/// The text for an interrupted command, in every format that has room for it. JSON has `"complete": false`.
pub const INCOMPLETE: &str = "incomplete: interrupted before the end";

/// A report that a command prints as JSON: one object.
pub trait Report: Serialize {
    /// The value of the field `report`, and the name of the definition in the schema.
    const NAME: &'static str;
}

/// A report that is a table. `FormatArgs::emit` prints it in the format asked for.
pub trait TableReport: Report {
    /// Returns the exact numbers, for comma-separated values.
    fn exact_table(&self) -> Table;

    /// Returns the numbers for people, for Markdown.
    fn table(&self) -> Table;

    /// Returns the text; `None` if each row was printed as soon as it was known. With `is_grouped`, digits are grouped
    /// by three for people.
    fn text(&self, is_grouped: bool) -> Option<String> {
        let _ = is_grouped;
        None
    }
}

/// Writes a report as JSON, either indented or on one line. Its first field, `report`, says which report it is.
///
/// # Errors
/// The writer failed.
pub fn write_json<R: Report>(report: &R, on_one_line: bool, out: &mut impl Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Document<'a, R> {
        report: &'static str,
        #[serde(flatten)]
        content: &'a R,
    }
    write_value(&Document { report: R::NAME, content: report }, on_one_line, out)
}

/// Writes a value as JSON, either indented or on one line.
pub fn write_value(value: &impl Serialize, on_one_line: bool, out: &mut impl Write) -> io::Result<()> {
    if on_one_line {
        serde_json::to_writer(&mut *out, value)?;
    } else {
        serde_json::to_writer_pretty(&mut *out, value)?;
    }
    writeln!(out)
}

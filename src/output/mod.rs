//! Reports: the results of commands, and how they are printed.
//!
//! A command returns a [`Report`]: a plain struct that can be serialized. [`emit`] prints it in the format asked for.
//! The formats of other programs are made by the command that offers them.
//!
//! Programs rely on the JSON. The chapter "File formats" of the book lists its fields, and a test compares them. Fields
//! may be added. If one is renamed, [`SCHEMA_VERSION`] rises. Each name has one meaning in all reports. Node counts are
//! exact integers. Many JSON readers round integers beyond 2^53, so those counts are also given as text.

pub mod context;
pub mod environment;
pub mod error;
pub mod export;
pub mod format;
pub mod interrupt;
pub mod numbers;
pub mod progress;
mod provenance;
pub mod standard_output;
pub mod table;
pub mod terminal;

pub use format::{Format, FormatArgs, JsonArgs, emit, tabular};
pub use numbers::{Digits, Nodes, agreeing, mega, mega_per_second, number_of, with_sign};
pub use perft_diagnosis::{PositionInfo, grouped};
pub use provenance::{CountMode, ExactSplit, HashTableReport, Header, Machine, Provenance, SCHEMA_VERSION};
pub use table::{Table, folded};

use std::io::{self, Write};

use serde::Serialize;

/// The text for an interrupted command, in every format that has room for it. JSON has `"complete": false`.
pub const INCOMPLETE: &str = "incomplete: stopped before the end";

/// The result of a command.
pub trait Report: Serialize {
    /// The value of the field `report`.
    const NAME: &'static str;

    /// Writes the text for people. This is nothing if all of it was printed while the command ran.
    fn write_text(&self, _out: &mut impl Write) -> io::Result<()> {
        Ok(())
    }

    /// Returns the table for comma-separated values, which have plain digits, or for Markdown; `None` if the report is no
    /// table.
    fn table(&self, _digits: Digits) -> Option<Table> {
        None
    }

    /// Writes Markdown: the table.
    ///
    /// # Panics
    /// The report is no table.
    fn write_markdown(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", tabular(self.table(Digits::Grouped)).markdown())
    }
}

/// Writes a report as JSON, either indented or on one line. Its first field, `report`, says which report it is.
pub fn write_json<R: Report>(report: &R, on_one_line: bool, out: &mut impl Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Document<'a, R> {
        report: &'static str,
        #[serde(flatten)]
        content: &'a R,
    }
    let document = Document { report: R::NAME, content: report };
    if on_one_line {
        serde_json::to_writer(&mut *out, &document)?;
    } else {
        serde_json::to_writer_pretty(&mut *out, &document)?;
    }
    writeln!(out)
}

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
pub mod interrupt;
pub mod marks;
pub mod numbers;
pub mod safe;
pub mod standard_output;
pub mod table;
pub mod terminal;

use std::io::{self, Write};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use serde::Serialize;

pub use context::{Context, OutputFile};
pub use environment::{
    CountMode, ExactSplit, HashTableReport, Header, Machine, Provenance, SCHEMA_VERSION, Settings,
};
pub use error::{CliError, CliErrorKind, detail, exit_code, note, say, warn};
pub use numbers::{
    Digits, Leaves, Nodes, agreeing, join_names, kind_names, mega, mega_per_second, number_of, per_second,
    ranges,
};
pub use perft_core::internals::grouped;
pub use perft_diagnosis::PositionInfo;
pub use safe::{bold, styled};
pub use table::{Table, folded};
pub use terminal::{WaitNote, incomplete_line, progress_bar, progress_line, watch};

/// The text for an interrupted command, in every format that has room for it. JSON has `"complete": false`.
pub const INCOMPLETE: &str = "incomplete: stopped before the end";

/// The result of a command.
pub trait Report: Serialize {
    /// The value of the field `report`.
    const NAME: &'static str;

    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Writes the text for people. Writes nothing if the command printed all of it while it ran.
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
    let document = Document { report: report.name(), content: report };
    let to_text = if on_one_line { serde_json::to_string } else { serde_json::to_string_pretty };
    writeln!(out, "{}", safe::escape_json(&to_text(&document)?))
}

/// The format of a report that is text or JSON.
#[derive(Clone, Copy, Debug, Args)]
pub struct JsonArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The format of a report that is a table.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct FormatArgs {
    /// Format of the result [default: text]
    #[arg(long, value_name = "FORMAT", value_parser = formats([Format::Text]))]
    format: Option<Format>,
    /// Print JSON; the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people
    Text,
    /// e2e4: 600, like go perft of Stockfish
    Stockfish,
    /// 2. e2e4 moves = 600, like qperft, but without the times of single moves and without promotion letters
    Qperft,
    /// One JSON object; one per line if positions come from standard input
    Json,
    /// Comma-separated values
    Csv,
    /// A Markdown table
    Markdown,
}

impl JsonArgs {
    pub fn format(self) -> Format {
        if self.json { Format::Json } else { Format::Text }
    }
}

impl FormatArgs {
    pub fn chosen(self) -> Option<Format> {
        if self.json { Some(Format::Json) } else { self.format }
    }

    pub fn format(self) -> Format {
        self.chosen().unwrap_or(Format::Text)
    }
}

/// Parses one of these formats, or a format that every table has.
pub fn formats(own: impl IntoIterator<Item = Format>) -> impl TypedValueParser<Value = Format> {
    let all = own.into_iter().chain([Format::Json, Format::Csv, Format::Markdown]);
    let names = PossibleValuesParser::new(all.filter_map(|format| format.to_possible_value()));
    names.map(|name| Format::from_str(&name, false).expect("only these names are possible"))
}

/// Prints a report in a format.
///
/// # Panics
/// Panics if the report is no table, and the format is one for tables.
pub fn emit(report: &impl Report, format: Format, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Text | Format::Stockfish | Format::Qperft => report.write_text(out)?,
        Format::Json => write_json(report, false, out)?,
        Format::Csv => tabular(report.table(Digits::Plain)).write_csv(out)?,
        Format::Markdown => report.write_markdown(out)?,
    }
    out.flush()
}

/// Returns the table of a report in a format for tables.
///
/// # Panics
/// Panics if the report is no table.
pub fn tabular(table: Option<Table>) -> Table {
    table.expect("only reports with a table offer its formats")
}

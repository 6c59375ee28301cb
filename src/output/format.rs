//! The formats of reports: the arguments that choose one, and printing a report in it.

use std::io::{self, Write};

use clap::{Args, ValueEnum};

use super::{Digits, Report, Table, write_json};

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
    /// Format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Print JSON; the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people
    Text,
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
    pub fn format(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    pub fn is_text(self) -> bool {
        self.format() == Format::Text
    }
}

/// Prints a report in a format.
///
/// # Panics
/// Panics if the report is no table, and the format is one for tables.
pub fn emit(report: &impl Report, format: Format, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Text => report.write_text(out)?,
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

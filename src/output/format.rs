//! The formats of reports: the arguments that choose one, and printing a report in it.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use perft_core::Position;

use super::{Report, Table, write_json};

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

/// A format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people
    Text,
    /// One JSON object; one per line if positions come from standard input
    Json,
    /// One JSON object on one line
    Jsonl,
    /// Comma-separated values
    Csv,
    /// A Markdown table
    Markdown,
}

impl JsonArgs {
    /// Returns the format that `--json` selects.
    pub fn format(self) -> Format {
        if self.json { Format::Json } else { Format::Text }
    }
}

impl FormatArgs {
    /// Returns the format that `--format` or `--json` selects.
    pub fn format(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// Whether the result is text for people.
    pub fn is_text(self) -> bool {
        self.format() == Format::Text
    }
}

/// Prints the report of one position, or one report for each of several positions.
///
/// Of several reports, each says which position it belongs to. Their JSON has one line per report, and their
/// comma-separated values are one table.
#[derive(Debug)]
pub struct Emitter {
    format: Format,
    are_several: bool,
    is_first: bool,
}

impl Emitter {
    /// Returns an emitter for reports in a format.
    pub fn new(format: Format, are_several: bool) -> Emitter {
        Emitter { format, are_several, is_first: true }
    }

    /// Writes the heading of a report, before anything else is written about its position.
    ///
    /// # Errors
    /// The writer failed.
    pub fn begin(&self, position: &Position, out: &mut impl Write) -> io::Result<()> {
        match self.format {
            Format::Text if self.are_several => writeln!(out, "{position}"),
            Format::Markdown if self.are_several => writeln!(out, "{position}\n"),
            _ => Ok(()),
        }
    }

    /// Prints the report of a position.
    ///
    /// # Errors
    /// The writer failed.
    pub fn emit(
        &mut self,
        report: &impl Report,
        position: &Position,
        out: &mut impl Write,
    ) -> io::Result<()> {
        match self.format {
            Format::Json if self.are_several => emit(report, Format::Jsonl, out),
            Format::Csv if self.are_several => {
                let table = tabular(report.exact_table()).of_position(position);
                if self.is_first { table.write_csv(out) } else { table.write_csv_rows(out) }
            }
            Format::Markdown if self.are_several => {
                emit(report, Format::Markdown, out)?;
                writeln!(out)
            }
            format => emit(report, format, out),
        }?;
        self.is_first = false;
        out.flush()
    }
}

/// Prints a report in a format.
///
/// # Errors
/// The writer failed.
///
/// # Panics
/// Panics if the report is no table, and the format is one for tables.
pub fn emit(report: &impl Report, format: Format, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Text => report.write_text(out)?,
        Format::Json => write_json(report, false, out)?,
        Format::Jsonl => write_json(report, true, out)?,
        Format::Csv => tabular(report.exact_table()).write_csv(out)?,
        Format::Markdown => writeln!(out, "{}", tabular(report.table()).markdown())?,
    }
    out.flush()
}

fn tabular(table: Option<Table>) -> Table {
    table.expect("only reports with a table offer its formats")
}

//! The arguments that choose the output format of a count.

use std::io::{self, IsTerminal, Write, stdout};

use clap::{Args, ValueEnum};

use super::{TableReport, write_json};

/// How to print the result.
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

/// How a count is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
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

impl FormatArgs {
    /// Prints a report in this format. JSON of several positions is on one line each.
    ///
    /// # Errors
    /// The writer failed.
    pub fn emit(
        self,
        report: &impl TableReport,
        is_one_of_several: bool,
        out: &mut impl Write,
    ) -> io::Result<()> {
        match self.format() {
            Format::Text => {
                report.text(stdout().is_terminal()).map_or(Ok(()), |text| writeln!(out, "{text}"))?;
            }
            Format::Json => write_json(report, is_one_of_several, out)?,
            Format::Jsonl => write_json(report, true, out)?,
            Format::Csv => report.exact_table().write_csv(out)?,
            Format::Markdown => writeln!(out, "{}", report.table().markdown())?,
        }
        out.flush()
    }

    /// Whether the result is text for people.
    pub fn is_text(self) -> bool {
        self.format() == Format::Text
    }

    /// Returns the format that `--format` or `--json` selects.
    fn format(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

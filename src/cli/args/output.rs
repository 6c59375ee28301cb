//! The arguments that choose the output format of a count.

use clap::{Args, ValueEnum};

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

impl FormatArgs {
    /// Returns the format that `--format` or `--json` selects.
    pub fn format(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

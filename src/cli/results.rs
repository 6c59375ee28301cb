//! How results of timing are written, for the verbs that time: to standard output, and to files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use perft::report::bench::BenchReport;
use perft::report::compare::CompareReport;
use perft::report::write_json;

use super::export::Export;
use super::failure::Failure;

/// Where a result goes, and in which formats.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// The format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write the result to a file too: JSON, which hyperfine's scripts read
    #[arg(long, value_name = "FILE")]
    export_json: Option<PathBuf>,
    /// The same as comma-separated values
    #[arg(long, value_name = "FILE")]
    export_csv: Option<PathBuf>,
    /// The same as Markdown
    #[arg(long, value_name = "FILE")]
    export_markdown: Option<PathBuf>,
}

/// How a result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A row a position
    Text,
    /// One JSON object
    Json,
    /// Comma-separated values
    Csv,
    /// Markdown tables
    Markdown,
}

impl OutputArgs {
    /// The format on standard output.
    pub fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// What can be written in all the formats.
pub trait Timing {
    /// Writes it.
    fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()>;
}

impl Timing for BenchReport {
    fn write(&self, format: Format, mut out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Text => self.write_text(&mut out),
            Format::Json => write_json(self, false, &mut out),
            Format::Csv => self.write_csv(&mut out),
            Format::Markdown => self.write_markdown(&mut out),
        }
    }
}

impl Timing for CompareReport {
    fn write(&self, format: Format, mut out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Text => self.write_text(&mut out),
            Format::Json => write_json(self, false, &mut out),
            Format::Csv => self.write_csv(&mut out),
            Format::Markdown => self.write_markdown(&mut out),
        }
    }
}

/// The files that will be written.
pub struct Exports(Vec<(Format, Export)>);

impl Exports {
    /// Makes sure that the files can be written; `baseline` is one more of JSON.
    pub fn prepare(output: &OutputArgs, baseline: Option<&Path>) -> Result<Exports, Failure> {
        let asked = [
            (Format::Json, output.export_json.as_deref()),
            (Format::Csv, output.export_csv.as_deref()),
            (Format::Markdown, output.export_markdown.as_deref()),
            (Format::Json, baseline),
        ];
        let paths = asked.into_iter().filter_map(|(format, path)| Some((format, path?)));
        let exports = paths.map(|(format, path)| Ok((format, Export::prepare(path)?)));
        exports.collect::<Result<_, Failure>>().map(Exports)
    }

    /// Writes a result to the files and to standard output: neither a closed pipe nor a full disk costs the other half.
    pub fn write(self, timing: &impl Timing, format: Format, out: &mut impl Write) -> Result<(), Failure> {
        let exported =
            self.0.into_iter().try_for_each(|(format, export)| export.write(|out| timing.write(format, out)));
        timing.write(format, out)?;
        out.flush()?;
        exported
    }
}

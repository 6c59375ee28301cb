//! How results of timing are written, for the verbs that time: to standard output, and to files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::report::bench::BenchReport;
use crate::report::compare::CompareReport;
use crate::report::write_json;
use clap::{Args, ValueEnum};

use super::error::CliError;
use super::export::Export;

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
    /// The same as a plot, SVG: bars with intervals, and every run
    #[arg(long, value_name = "FILE")]
    export_svg: Option<PathBuf>,
    /// The same as one page of HTML: the plot, the tables, the environment
    #[arg(long, value_name = "FILE")]
    export_html: Option<PathBuf>,
    /// The speeds for github-action-benchmark, tool customBiggerIsBetter
    #[arg(long, value_name = "FILE")]
    export_github: Option<PathBuf>,
    /// The speeds for Bencher, in its metric format
    #[arg(long, value_name = "FILE")]
    export_bmf: Option<PathBuf>,
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

/// The formats of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// One of those that standard output has too.
    Plain(Format),
    /// A plot.
    Svg,
    /// A page.
    Html,
    /// For github-action-benchmark.
    Github,
    /// For Bencher.
    Bmf,
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
    fn write(&self, format: FileFormat, out: &mut dyn Write) -> io::Result<()>;
}

macro_rules! timing {
    ($($report:ty),*) => {$(
        impl Timing for $report {
            fn write(&self, format: FileFormat, mut out: &mut dyn Write) -> io::Result<()> {
                match format {
                    FileFormat::Plain(Format::Text) => self.write_text(&mut out),
                    FileFormat::Plain(Format::Json) => write_json(self, false, &mut out),
                    FileFormat::Plain(Format::Csv) => self.write_csv(&mut out),
                    FileFormat::Plain(Format::Markdown) => self.write_markdown(&mut out),
                    FileFormat::Svg => self.write_svg(&mut out),
                    FileFormat::Html => self.write_html(&mut out),
                    FileFormat::Github => self.write_github(&mut out),
                    FileFormat::Bmf => self.write_bmf(&mut out),
                }
            }
        }
    )*};
}

timing!(BenchReport, CompareReport);

/// The files that will be written.
pub struct Exports(Vec<(FileFormat, Export)>);

impl Exports {
    /// Makes sure that the files can be written; `baseline` is one more of JSON.
    pub fn prepare(output: &OutputArgs, baseline: Option<&Path>) -> Result<Exports, CliError> {
        let asked = [
            (FileFormat::Plain(Format::Json), output.export_json.as_deref()),
            (FileFormat::Plain(Format::Csv), output.export_csv.as_deref()),
            (FileFormat::Plain(Format::Markdown), output.export_markdown.as_deref()),
            (FileFormat::Svg, output.export_svg.as_deref()),
            (FileFormat::Html, output.export_html.as_deref()),
            (FileFormat::Github, output.export_github.as_deref()),
            (FileFormat::Bmf, output.export_bmf.as_deref()),
            (FileFormat::Plain(Format::Json), baseline),
        ];
        let paths = asked.into_iter().filter_map(|(format, path)| Some((format, path?)));
        let exports = paths.map(|(format, path)| Ok((format, Export::prepare(path)?)));
        exports.collect::<Result<_, CliError>>().map(Exports)
    }

    /// Writes a result to the files and to standard output: neither a closed pipe nor a full disk costs the other half.
    pub fn write(self, timing: &impl Timing, format: Format, out: &mut impl Write) -> Result<(), CliError> {
        let exported =
            self.0.into_iter().try_for_each(|(format, export)| export.write(|out| timing.write(format, out)));
        timing.write(FileFormat::Plain(format), out)?;
        out.flush()?;
        exported
    }
}

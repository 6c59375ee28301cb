//! The output of `perft bench`: formats, standard output and files.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::report::BenchReport;
use crate::output::error::CliError;
use crate::output::export::Export;

/// Where the result goes, and in which formats.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct MeasurementOutput {
    /// Format of the result on standard output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: ReportFormat,
    /// Print JSON; the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Also write the result to FILE as JSON, which the scripts of hyperfine can read
    #[arg(long, value_name = "FILE")]
    export_json: Option<PathBuf>,
    /// Also write the result to FILE as comma-separated values
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    export_csv: Option<PathBuf>,
    /// Also write the result to FILE as Markdown tables
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    export_markdown: Option<PathBuf>,
    /// Also write a plot to FILE as SVG: bars with confidence intervals, ratios, and a point for every run
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    export_svg: Option<PathBuf>,
    /// Also write an HTML page to FILE: plot, tables, warnings, environment
    #[arg(long, value_name = "FILE")]
    export_html: Option<PathBuf>,
}

/// A format of a report. `--format` accepts the first four; the others are for files only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Text tables
    Text,
    /// One JSON object
    Json,
    /// Comma-separated values
    Csv,
    /// Markdown tables
    Markdown,
    /// An SVG plot
    #[value(skip)]
    Svg,
    /// An HTML page
    #[value(skip)]
    Html,
}

impl MeasurementOutput {
    /// Returns the format of standard output.
    pub fn format(&self) -> ReportFormat {
        if self.json { ReportFormat::Json } else { self.format }
    }
}

/// The files to write.
pub struct Exports {
    /// The files that were asked for, with their formats.
    files: Vec<(ReportFormat, Export)>,
    /// The baseline.
    baseline: Option<Export>,
}

impl Exports {
    /// Makes sure that all files that were asked for can be written, before anything is measured. The report is also
    /// written as JSON to `baseline`.
    ///
    /// # Errors
    /// A usage error if one of them cannot be written.
    pub fn prepare(output: &MeasurementOutput, baseline: Option<&Path>) -> Result<Exports, CliError> {
        let files = [
            (ReportFormat::Json, output.export_json.as_deref()),
            (ReportFormat::Csv, output.export_csv.as_deref()),
            (ReportFormat::Markdown, output.export_markdown.as_deref()),
            (ReportFormat::Svg, output.export_svg.as_deref()),
            (ReportFormat::Html, output.export_html.as_deref()),
        ];
        let wanted = files.into_iter().filter_map(|(format, path)| Some((format, path?)));
        let files = wanted.map(|(format, path)| Ok((format, Export::prepare(path)?)));
        Ok(Exports {
            files: files.collect::<Result<_, CliError>>()?,
            baseline: baseline.map(Export::prepare).transpose()?,
        })
    }

    /// Returns the names of the files that were asked for.
    pub fn names(&self) -> Vec<String> {
        self.files.iter().map(|(_, export)| export.path().display().to_string()).collect()
    }

    /// Writes a report to all files and to standard output. If runs are missing or a count is wrong, it is not saved as
    /// a baseline.
    ///
    /// If a file fails, standard output is still written, and the other way round.
    ///
    /// # Errors
    /// Returns the first error.
    pub fn write(
        self,
        report: &BenchReport,
        format: ReportFormat,
        out: &mut impl Write,
    ) -> Result<(), CliError> {
        let baseline = self.baseline.filter(|_| report.is_sound());
        let files = self.files.into_iter().chain(baseline.map(|export| (ReportFormat::Json, export)));
        let exported = files
            .map(|(format, export)| export.write(|out| report.write(format, out)))
            .fold(Ok(()), Result::and);
        report.write(format, out)?;
        out.flush()?;
        exported
    }
}

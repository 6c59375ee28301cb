//! The output of `perft bench`: formats, standard output and files.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::report::BenchReport;
use crate::output::error::CliError;
use crate::output::export::Export;
use crate::output::{Format, FormatArgs, emit};

/// Where the result goes, and in which formats.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct MeasurementOutput {
    /// The format of standard output.
    #[command(flatten)]
    pub format: FormatArgs,
    /// Also write the result to FILE as JSON, which the scripts of hyperfine can read
    #[arg(long, value_name = "FILE")]
    export_json: Option<PathBuf>,
    /// Also write an HTML page to FILE: plot, tables, warnings, environment
    #[arg(long, value_name = "FILE")]
    export_html: Option<PathBuf>,
}

type WriteReport = fn(&BenchReport, &mut dyn Write) -> io::Result<()>;

/// The files to write, with their formats.
pub struct Exports(Vec<(WriteReport, Export)>);

impl Exports {
    /// Makes sure that all files that were asked for can be written, before anything is measured.
    ///
    /// # Errors
    /// A usage error if one of them cannot be written.
    pub fn prepare(output: &MeasurementOutput) -> Result<Exports, CliError> {
        let files: [(WriteReport, &Option<PathBuf>); 2] = [
            (|report, mut out| emit(report, Format::Json, &mut out), &output.export_json),
            (|report, mut out| report.write_page(&mut out), &output.export_html),
        ];
        let wanted = files.into_iter().filter_map(|(write, path)| Some((write, path.as_deref()?)));
        wanted.map(|(write, path)| Ok((write, Export::prepare(path)?))).collect::<Result<_, _>>().map(Exports)
    }

    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|(_, export)| export.path().display().to_string()).collect()
    }

    /// Writes a report to all files and to standard output.
    ///
    /// If a file fails, standard output is still written, and the other way round.
    ///
    /// # Errors
    /// Returns the first error.
    pub fn write(self, report: &BenchReport, format: Format, out: &mut impl Write) -> Result<(), CliError> {
        let files = self.0.into_iter();
        let exported =
            files.map(|(write, export)| export.write(|out| write(report, out))).fold(Ok(()), Result::and);
        emit(report, format, out)?;
        exported
    }
}

//! `perft hunt --reference`: find where two engines disagree. They may play a variant of
//! chess.

pub use super::reference_targets::{Positions, targets};

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use perft_diagnosis::source::CountSource;
use perft_diagnosis::{
    Disagreement, ReferenceSummary, ReferenceTarget, SearchOptions, compare_with_reference,
};

use super::difference_report::{DifferenceReport, DifferencesReport};
use super::difference_text;
use super::search::{Searched, check_finished, exit_code, provenance, search_bar, searched};
use crate::commands::suite::report::EngineInfo;
use crate::engine::{Engine, EngineSpec};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::{Format, emit};

/// A comparison of two engines.
pub struct Comparison<'a> {
    /// The names of the engine and its reference on the command line.
    pub names: [&'a str; 2],
    /// The specs of the engine and its reference.
    pub specs: [EngineSpec; 2],
    pub options: SearchOptions,
    /// The number of positions to ask about.
    pub positions: usize,
    /// The seed of the positions, if they are random.
    pub seed: Option<u64>,
    /// The number of positions that are left out because no game reaches them.
    pub left_out: usize,
    /// The format of the result.
    pub format: Format,
}

impl Comparison<'_> {
    /// Asks both engines about all targets and prints where they disagree.
    pub fn run(
        self,
        target: &(dyn Fn(usize) -> Option<ReferenceTarget> + Sync),
        context: &Context,
        out: &mut (impl Write + Send),
    ) -> Result<ExitCode, CliError> {
        let engine =
            |index: usize| -> Box<dyn CountSource> { Box::new(Engine::new(self.specs[index].clone())) };
        let threads = self.options.threads.clamp(1, self.positions.max(1));
        let options = SearchOptions { threads, ..self.options };
        let bar = search_bar(context, "compare", self.positions);
        let describe = |number, found: &Disagreement, out: &mut Vec<u8>| {
            let report = DifferenceReport::new(found, self.plays_chess(), &context.stop);
            if self.format == Format::Text && number <= difference_text::SHOWN_DIFFERENCES {
                difference_text::write_difference(number, &report, self.short_names(), out)?;
            }
            Ok(report)
        };
        let engines = || [engine(0), engine(1)];
        let searched = searched(bar, &context.stop, out, describe, |on_event| {
            compare_with_reference(target, engines, options, &context.stop, on_event)
        })?;
        let Searched { summary, findings, seconds } = searched;
        let report = self.report(&summary, threads, findings, seconds);
        emit(&report, self.format, out)?;
        check_finished(report.complete, report.positions, out)?;
        let is_all_unanswered = summary.positions > 0 && summary.unanswered == summary.positions;
        let has_difference = summary.findings.iter().any(|found| found.kind.is_understood());
        Ok(exit_code(has_difference, !summary.findings.is_empty() || is_all_unanswered))
    }

    /// Returns short names of both engines: those of `perft.toml` or of the programs, if the two names differ.
    fn short_names(&self) -> [&str; 2] {
        let names = [0, 1].map(|index| {
            let path = self.specs[index].command.first().map(Path::new);
            let of_program = path.and_then(Path::file_name).and_then(OsStr::to_str);
            Some(self.names[index])
                .filter(|name| !name.contains([' ', '/', '\\']))
                .or(of_program)
                .unwrap_or_default()
        });
        if names[0] == names[1] { ["the engine", "the reference"] } else { names }
    }

    /// Whether neither engine is told to play a variant.
    fn plays_chess(&self) -> bool {
        let names_variant = |(name, value): &(String, String)| {
            let is_chess = ["chess", "standard", "normal"].contains(&value.as_str());
            name.eq_ignore_ascii_case("UCI_Variant") && !is_chess
        };
        !self.specs.iter().flat_map(|spec| &spec.options).any(names_variant)
    }

    fn report(
        &self,
        summary: &ReferenceSummary,
        threads: usize,
        differences: Vec<DifferenceReport>,
        seconds: f64,
    ) -> DifferencesReport {
        let head = provenance(threads);
        let info = |index: usize| EngineInfo::new(&self.specs[index], summary.source[index].clone());
        let report = DifferencesReport::new(head, [info(0), info(1)], summary, self.left_out, differences);
        DifferencesReport { seed: self.seed, seconds, names: self.short_names().map(str::to_owned), ..report }
    }
}

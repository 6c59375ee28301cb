//! `perft hunt --reference`: find where two engines disagree. They may play a variant of
//! chess.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use perft_diagnosis::source::CountSource;
use perft_diagnosis::{Disagreement, ReferenceSummary, ReferenceTarget, compare_with_reference};

use super::difference_report::{DifferenceReport, DifferencesReport, difference_notes};
use super::difference_text;
use super::search::{Scope, Searched, check_finished, provenance, search_bar, searched};
use crate::commands::suite::engine_info::{EngineInfo, check_asked};
use crate::engine::{Engine, EngineSpec};
use crate::output::context::Context;
use crate::output::error::{CliError, exit_code};
use crate::output::{Format, emit};

/// A comparison of two engines.
pub struct Comparison<'a> {
    /// The names of the engine and its reference on the command line.
    pub names: [&'a str; 2],
    /// The specs of the engine and its reference.
    pub specs: [EngineSpec; 2],
    /// The format of the result.
    pub format: Format,
}

impl Comparison<'_> {
    /// Asks both engines about all targets and prints where they disagree.
    pub fn run(
        self,
        scope: Scope,
        target: &(dyn Fn(usize) -> Option<ReferenceTarget> + Sync),
        context: &Context,
        out: &mut (impl Write + Send),
    ) -> Result<ExitCode, CliError> {
        let engine =
            |index: usize| -> Box<dyn CountSource> { Box::new(Engine::new(self.specs[index].clone())) };
        let bar = search_bar(context, "compare", scope.positions);
        let describe = |number, found: &Disagreement, out: &mut Vec<u8>| {
            let report = DifferenceReport::new(found, self.plays_chess(), &context.stop);
            if self.format == Format::Text && number <= difference_text::SHOWN_DIFFERENCES {
                difference_text::write_difference(number, &report, self.short_names(), out)?;
            }
            Ok(report)
        };
        let engines = || [engine(0), engine(1)];
        let searched = searched(bar, &context.stop, out, describe, |on_event| {
            compare_with_reference(target, engines, scope.options, &context.stop, on_event)
        })?;
        let Searched { summary, findings, seconds } = searched;
        check_asked(summary.positions, summary.left_out_chess960)?;
        let report = self.report(scope, &summary, findings, seconds);
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
        scope: Scope,
        summary: &ReferenceSummary,
        differences: Vec<DifferenceReport>,
        seconds: f64,
    ) -> DifferencesReport {
        let info = |index: usize| EngineInfo::new(&self.specs[index], summary.source[index].clone());
        DifferencesReport {
            provenance: provenance(scope.options.threads),
            engine: info(0),
            reference: info(1),
            seed: scope.seed,
            complete: !summary.is_interrupted,
            positions: summary.positions,
            questions: summary.questions,
            unanswered_positions: summary.unanswered,
            notes: difference_notes(summary, scope.left_out),
            seconds,
            differences,
            names: self.short_names().map(str::to_owned),
        }
    }
}

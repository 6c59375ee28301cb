//! `perft hunt --reference` and `perft fuzz --reference`: where two engines disagree. They may play a variant of chess.

mod targets;
mod text;

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use perft_diagnosis::source::CountSource;
use perft_diagnosis::{
    HuntOptions, ReferenceEvent, ReferenceSummary, ReferenceTarget, compare_with_reference,
};

pub use targets::{Positions, targets};

use super::context::Context;
use super::error::CliError;
use super::job::{Searched, check_finished, exit_code, provenance, searched};
use crate::engine::{Engine, EngineSpec};
use crate::report::differences::{DifferenceReport, DifferencesReport};
use crate::report::suite::EngineInfo;
use crate::report::write_json;

/// The number of differences that the text shows. All are in the JSON.
const SHOWN: usize = 10;

/// A comparison of two engines.
pub struct Comparison<'a> {
    /// The engine and its reference, as they were named.
    pub names: [&'a str; 2],
    /// How they are run and asked.
    pub specs: [EngineSpec; 2],
    pub options: HuntOptions,
    /// The number of positions to ask about.
    pub positions: usize,
    /// The seed of the positions, if they are random.
    pub seed: Option<u64>,
    /// The number of positions that are left out because no game reaches them.
    pub left_out: usize,
    /// Whether one JSON object is printed.
    pub as_json: bool,
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
        let options = HuntOptions { threads, ..self.options };
        let shown = AtomicUsize::new(0);
        let Searched { summary, findings, seconds } =
            searched("compare", self.positions, context, &mut *out, |printer, bar| {
                let on_event = |event: ReferenceEvent| match event {
                    ReferenceEvent::TargetDone => bar.inc(1),
                    ReferenceEvent::Found(found) => {
                        let report = DifferenceReport::new(found, self.plays_chess(), &context.stop);
                        let index = shown.fetch_add(1, Relaxed);
                        printer.found(index, report, |report, out| self.write_difference(index, report, out));
                    }
                };
                let engines = || [engine(0), engine(1)];
                compare_with_reference(target, engines, options, &context.stop, on_event)
            })?;
        let report = self.report(&summary, threads, findings, seconds);
        if self.as_json {
            write_json(&report, false, out)?;
        } else {
            text::write_summary(&report, self.short_names(), out)?;
        }
        check_finished(summary.is_interrupted, summary.positions, out)?;
        let is_all_unanswered = summary.positions > 0 && summary.unanswered == summary.positions;
        let has_difference = summary.differences.iter().any(|found| found.kind.is_understood());
        Ok(exit_code(has_difference, !summary.differences.is_empty() || is_all_unanswered))
    }

    /// Writes a difference as text, unless there are too many.
    fn write_difference(
        &self,
        index: usize,
        report: &DifferenceReport,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if self.as_json || index >= SHOWN {
            return Ok(());
        }
        text::write_difference(index + 1, report, self.short_names(), out)
    }

    /// Returns short names of the two: those of `perft.toml` or of the programs, if they tell them apart.
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
        let head = provenance(self.seed, threads);
        let info = |index: usize| EngineInfo::new(&self.specs[index], summary.names[index].clone());
        let report = DifferencesReport::new(head, [info(0), info(1)], summary, self.left_out, differences);
        DifferencesReport { seed: self.seed, seconds, ..report }
    }
}

//! `perft hunt --reference`: find where two engines disagree. They may play a variant of
//! chess.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use perft_core::suite::builtin;
use perft_core::{CastlingNotation, Position, START_FEN, StopSignal};
use perft_diagnosis::source::{CountSource, Question};
use perft_diagnosis::{Disagreement, ReferenceSummary, ReferenceTarget, compare_with_reference};

use super::differences::{self, DifferenceReport, DifferencesReport, difference_notes};
use super::search::{Scope, Searched, check_finished, provenance, search_bar, searched};
use crate::commands::suite::asked::{EngineInfo, check_asked};
use crate::engine::{Engine, EngineSpec};
use crate::input::suite_reader::read_lines;
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
            if self.format == Format::Text && number <= differences::SHOWN_DIFFERENCES {
                differences::write_difference(number, &report, self.short_names(), out)?;
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

/// Returns the position of a FEN or a name, after these moves. It is asked about at all depths up to this one.
pub fn single(text: &str, moves: Vec<String>, depth: u32) -> ReferenceTarget {
    let fen = builtin::position(text).map_or(text.trim(), |case| &case.fen);
    ReferenceTarget { question: Question { moves, ..question(fen) }, depths: (1..=depth).collect() }
}

/// Returns the positions of a file. They can belong to any variant. Known counts above `max_nodes` are not asked for.
/// `depth` is the last depth for positions without known counts.
///
/// # Errors
/// The file cannot be read, or has no positions.
pub fn of_file(
    file: &str,
    depth: u32,
    max_nodes: u128,
    stop: &StopSignal,
) -> Result<Vec<ReferenceTarget>, CliError> {
    let lines = epd_lines(&read_lines(file, stop)?);
    if lines.is_empty() {
        return Err(CliError::usage(format!("the file '{file}' has no positions")));
    }
    Ok(lines.iter().map(|line| of_line(line, depth, max_nodes)).collect())
}

/// Returns a line of EPD for each position. In `.perft` files, the position and each known count are on separate lines.
fn epd_lines(lines: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for line in lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        match (line.split_once([' ', '\t']), joined.last_mut()) {
            (Some(("id", _)), _) => {}
            (Some(("perft", known)), Some(last)) => last.push_str(&format!(" ;D{known}")),
            (Some(("epd", position)), _) => joined.push(position.trim().to_owned()),
            _ => joined.push(line.to_owned()),
        }
    }
    joined
}

/// Returns the position of a line, with the depths of its known counts.
fn of_line(line: &str, depth: u32, max_nodes: u128) -> ReferenceTarget {
    let known: Vec<u32> = line.split(';').filter_map(|operation| known_depth(operation, max_nodes)).collect();
    let depths = if known.is_empty() { (1..=depth).collect() } else { known };
    ReferenceTarget { question: question(fen_of_line(line)), depths }
}

/// Returns the FEN of a line. It ends at the first semicolon, or at the first operation after four fields.
fn fen_of_line(line: &str) -> &str {
    let head = line.split(';').next().unwrap_or(line);
    let mut words = head.split_ascii_whitespace().skip(4);
    let operation = words.find(|word| word.starts_with(|letter: char| letter.is_alphabetic()));
    let end = operation.map_or(head.len(), |word| word.as_ptr() as usize - head.as_ptr() as usize);
    head[..end].trim()
}

/// Returns the depth of an operation such as `D3 8902`.
fn known_depth(operation: &str, max_nodes: u128) -> Option<u32> {
    let (depth, nodes) = operation.trim().strip_prefix('D')?.split_once(' ')?;
    let nodes: u128 = nodes.trim().parse().ok()?;
    depth.parse().ok().filter(|_| nodes <= max_nodes)
}

fn question(fen: &str) -> Question {
    let fen = if matches!(fen, "startpos" | "start") { START_FEN } else { fen };
    let is_chess960 = Position::from_fen(fen)
        .is_ok_and(|position| position.castling_notation() == CastlingNotation::Chess960);
    Question { fen: fen.to_owned(), moves: Vec::new(), depth: 1, is_chess960 }
}

#[cfg(test)]
mod reference_targets_tests {
    use super::*;

    const CRAZYHOUSE: &str = "r1bk3r/pppp2pp/8/3q4/8/8/PPP2PPP/RNBQ1RK1[NPbn] w - - 0 1";

    #[test]
    fn positions_may_be_of_any_variant() {
        let of_line = |line: &str| of_line(line, 2, 1000);
        let target = of_line(&format!("{CRAZYHOUSE} ;D1 75 ;D2 999 ;D3 100000"));
        assert_eq!((target.question.fen.as_str(), &target.depths[..]), (CRAZYHOUSE, &[1, 2][..]));
        assert_eq!(of_line(CRAZYHOUSE).depths, [1, 2]);
        assert_eq!(of_line("startpos").question.fen, START_FEN);
    }

    #[test]
    fn known_counts_may_have_lines_of_their_own() {
        let text = format!("# a\n{CRAZYHOUSE} ;D1 75\nid b\nepd  {CRAZYHOUSE}\nperft 1 75\n\nperft 2 999\n");
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert_eq!(
            epd_lines(&lines),
            [format!("{CRAZYHOUSE} ;D1 75"), format!("{CRAZYHOUSE} ;D1 75 ;D2 999")]
        );
    }

    #[test]
    fn one_position_has_moves_and_all_depths() {
        let moves = ["P@e6", "e8d8"].map(str::to_owned);
        let found = single(CRAZYHOUSE, moves.to_vec(), 3);
        assert_eq!((&found.question.moves[..], &found.depths[..]), (&moves[..], &[1, 2, 3][..]));
        assert!(single("kiwipete", Vec::new(), 3).question.fen.starts_with("r3k2r/"));
    }
}

//! The generator or the engine that a suite checks.

use perft_core::suite::{Case, Limits, Suite};
use perft_core::{CastlingNotation, Position, StopSignal};
use perft_count::{Perft, check_suite};
use perft_diagnosis::Chess960Source;
use perft_diagnosis::source::{Abilities, CountSource};
use serde::Serialize;

use super::args::SuiteArgs;
use super::report::Check;
use crate::engine;
use crate::engine::{Engine, EngineSpec};
use crate::input::engine::command;
use crate::input::suite_reader::is_built_in;
use crate::input::{Counting, UnreachableArgs};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::terminal::WaitNote;
use crate::output::{Provenance, agreeing, number_of};
use crate::system::command_line;

/// The generator or the engine that a suite checks, and what is checked.
pub struct SuiteTarget {
    /// The checked parts of the suites. For an engine, they have no positions that [`Part::for_engine`] leaves out.
    pub parts: Vec<Part>,
    /// The limits of the known counts. For an engine, they have no greater depth than its greatest one.
    pub limits: Limits,
    /// The generator, and the settings of the report.
    counting: Counting,
    /// The engine that is checked instead of the generator.
    engine: Option<CheckedEngine>,
}

/// An engine with its abilities.
struct CheckedEngine {
    spec: EngineSpec,
    info: EngineInfo,
    abilities: Abilities,
    /// A note on how the engine misreads Chess960 positions; `None` if no such fault was found.
    chess960: Option<String>,
}

impl SuiteTarget {
    /// Prepares the generator or the engine. An engine must understand the way to ask it.
    pub fn new(args: &SuiteArgs, suites: Vec<Suite>, context: &Context) -> Result<SuiteTarget, CliError> {
        if args.engine.is_given() {
            args.counting.refuse_with_engine()?;
        } else if args.reach.unreachable {
            return Err(CliError::usage(
                "--unreachable needs an engine: without one, no position is left out",
            ));
        }
        let spec = args.engine.build(context)?;
        let counting = args.counting.build(context)?;
        let parts = suites.into_iter().map(Part::whole).collect();
        let whole = SuiteTarget { parts, limits: args.limits(), counting, engine: None };
        Ok(match spec {
            Some(spec) => whole.for_engine(spec, args, &context.stop),
            None => whole,
        })
    }

    /// Checks an engine instead of the generator.
    fn for_engine(mut self, spec: EngineSpec, args: &SuiteArgs, stop: &StopSignal) -> SuiteTarget {
        // The engine counts, so the threads of the generator are not needed.
        self.counting.perft = Perft::new();
        self.counting.head.generator = "engine";
        let _patience = WaitNote::at_work(format!("waiting for {} to start", spec.command[0]));
        let mut source = Chess960Source::new(Box::new(Engine::new(spec.clone())));
        // If the engine does not start, its answers will contain the error.
        let _ = source.prepare(stop);
        let has_chess960 = self.parts.iter().any(Part::has_chess960);
        let fault = if has_chess960 { source.examine(stop) } else { None };
        let chess960 = fault.map(|fault| fault.reading.about().to_owned());
        let abilities = source.abilities();
        let part = |part: Part| part.for_engine(|position| source.can_read(position), args.reach);
        let parts = self.parts.into_iter().map(part).collect();
        let max_depth = self.limits.max_depth.min(abilities.max_depth.unwrap_or(u32::MAX));
        let limits = Limits { max_depth, ..self.limits };
        let info = EngineInfo::new(&spec, source.name().map(str::to_owned));
        SuiteTarget { parts, limits, engine: Some(CheckedEngine { spec, info, abilities, chess960 }), ..self }
    }

    /// Whether the deeper counts of a position are left out after a problem.
    pub fn skips_deeper(&self) -> bool {
        self.engine.is_some()
    }

    /// Returns sentences about the questions of a part that the engine was not asked.
    pub fn notes(&self, part: &Part) -> Vec<String> {
        let Some(CheckedEngine { abilities, chess960, .. }) = &self.engine else { return Vec::new() };
        let mut notes = ability_notes(abilities, part.left_out_chess960);
        notes.extend(chess960.clone());
        notes.extend(impossible_note(part.left_out_impossible));
        notes
    }

    /// Checks all parts until the stop signal is raised. Calls `done` after every count with the index of its part. The
    /// generator checks one part after another, and an engine all of them together.
    pub fn check<'p>(&'p self, stop: &StopSignal, done: impl Fn(usize, Check<'p>) + Sync) {
        let Some(CheckedEngine { spec, .. }) = &self.engine else {
            for (index, part) in self.parts.iter().enumerate() {
                let report = |outcome: &_| done(index, Check::of_outcome(outcome, part.is_built_in()));
                // The error of an interrupted check is ignored, because its outcomes were passed on already.
                let _ = check_suite(&part.suite, &self.limits, &self.counting.perft, stop, report);
            }
            return;
        };
        let suites: Vec<&Suite> = self.parts.iter().map(|part| &part.suite).collect();
        let engine = |_| -> Box<dyn CountSource + Send> { Box::new(Engine::new(spec.clone())) };
        let engines = (0..self.counting.head.threads).map(engine).collect();
        engine::check_suites(&suites, &self.limits, engines, stop, |answer| {
            done(answer.suite, Check::from(&answer));
        });
    }

    /// Returns what a user types to ask the engine a question by hand.
    pub fn by_hand(&self, check: &Check) -> Vec<String> {
        self.engine
            .as_ref()
            .and_then(|engine| engine.spec.by_hand(&check.question()).ok())
            .unwrap_or_default()
    }

    /// Returns the command that compares the counts below each move with the right ones, or shows the right ones.
    pub fn compare(&self, check: &Check, args: &SuiteArgs, context: &Context) -> String {
        let (fen, depth) = (check.fen(), check.expected().depth.to_string());
        let verb = if depth == "0" { "count" } else { "divide" };
        let mut words = vec![verb, "--fen", fen, "--depth", &depth];
        words.retain(|word| *word != "count");
        words.extend(args.engine.text().into_iter().flat_map(|engine| ["--against", engine]));
        command(words, context)
    }

    /// Returns the fields that every report begins with, and the description of the engine.
    pub fn finish(&self, context: &Context) -> (Provenance, Option<EngineInfo>) {
        self.counting.print_table_statistics(context);
        (self.counting.report_head(), self.engine.as_ref().map(|engine| engine.info.clone()))
    }
}

/// An engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngineInfo {
    /// The command that starts it.
    pub command: String,
    /// The dialect of its questions and answers.
    pub dialect: &'static str,
    /// The name that it gives itself, if it gives one.
    pub own_name: Option<String>,
}

impl EngineInfo {
    /// Describes an engine with the name that it gives itself.
    pub fn new(spec: &EngineSpec, own_name: Option<String>) -> EngineInfo {
        EngineInfo { command: command_line::join(&spec.command), dialect: spec.dialect, own_name }
    }
}

/// Returns sentences, without a full stop, about the questions that an engine is not asked because of its abilities.
pub fn ability_notes(abilities: &Abilities, left_out_chess960: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if left_out_chess960 > 0 {
        let positions = number_of(left_out_chess960, "Chess960 position");
        let verb = agreeing(left_out_chess960, "was", "were");
        notes.push(format!(
            "{positions} {verb} not asked: the engine does not announce UCI_Chess960, or does not read them"
        ));
    }
    match abilities.max_depth {
        Some(1) => notes
            .push("the engine is asked at depth 1 only: moves are checked, playing them is not".to_owned()),
        Some(depth) => notes.push(format!("the engine is asked up to depth {depth} only")),
        None => {}
    }
    notes
}

/// Checks that an engine was asked about at least one position.
///
/// # Errors
/// All positions are of Chess960, and an engine does not announce Chess960 or does not read their castling rights.
pub fn check_asked(positions: usize, left_out_chess960: usize) -> Result<(), CliError> {
    if positions > 0 || left_out_chess960 == 0 {
        return Ok(());
    }
    let message =
        "nothing was asked: an engine does not announce Chess960, or does not read these castling rights";
    let help = "add --engine-chess960 if the engine knows Chess960 all the same; for a reference, write chess960 = true in perft.toml";
    Err(CliError::usage(message).help(help))
}

/// Returns a note about positions that were left out because no game reaches them.
pub fn impossible_note(left_out: usize) -> Option<String> {
    let (positions, verb) = (number_of(left_out, "position"), agreeing(left_out, "was", "were"));
    let note = format!("{positions} that no game reaches {verb} left out: --unreachable asks about them too");
    (left_out > 0).then_some(note)
}

/// The part of a suite that is checked.
pub struct Part {
    /// The positions.
    pub suite: Suite,
    /// The number of Chess960 positions that are left out.
    pub left_out_chess960: usize,
    /// The number of positions that are left out because no game reaches them.
    pub left_out_impossible: usize,
}

impl Part {
    pub fn whole(suite: Suite) -> Part {
        Part { suite, left_out_chess960: 0, left_out_impossible: 0 }
    }

    /// Whether the suite is built in, so that its known counts are right.
    pub fn is_built_in(&self) -> bool {
        is_built_in(&self.suite.name)
    }

    /// Whether it has a position of Chess960.
    pub fn has_chess960(&self) -> bool {
        let is_chess960 = |case: &Case| case.position.castling_notation() == CastlingNotation::Chess960;
        self.suite.cases.iter().any(is_chess960)
    }

    /// Returns the part that an engine is asked about: the positions that it can read, without those that no game
    /// reaches, unless the user wants them.
    pub fn for_engine(self, can_read: impl Fn(&Position) -> bool, impossible: UnreachableArgs) -> Part {
        let mut part = self;
        part.left_out_chess960 = part.keep(|case| can_read(&case.position));
        part.left_out_impossible = part.keep(|case| impossible.allow(&case.position));
        part
    }

    /// Keeps the positions for which this is true. Returns the number of the others.
    fn keep(&mut self, is_kept: impl Fn(&Case) -> bool) -> usize {
        let positions = self.suite.cases.len();
        self.suite.cases.retain(is_kept);
        positions - self.suite.cases.len()
    }
}

#[cfg(test)]
mod part_tests {
    use perft_core::suite::builtin;

    use super::*;

    #[test]
    fn an_engine_is_asked_only_what_it_can_be_asked() {
        let part = |name, is_chess960, unreachable| {
            let suite = builtin::suite(name).unwrap().suite();
            let is_standard =
                |position: &Position| position.castling_notation() == CastlingNotation::Standard;
            let can_read = |position: &Position| is_chess960 || is_standard(position);
            let part = Part::whole(suite.clone()).for_engine(can_read, UnreachableArgs { unreachable });
            let left_out = [part.left_out_chess960, part.left_out_impossible];
            assert_eq!(part.suite.cases.len(), suite.cases.len() - left_out[0] - left_out[1]);
            left_out
        };
        assert_eq!(part("chess960", true, false), [0, 0]);
        assert!(part("chess960", false, false)[0] > 100);
        assert_eq!(part("standard", false, true), [0, 0]);
        assert!(part("standard", false, false)[1] > 10);
    }
}

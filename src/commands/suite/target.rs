//! The generator or the engine that a suite checks.

use perft_core::StopSignal;
use perft_core::suite::{Limits, Suite};
use perft_count::{Perft, check_suite};
use perft_diagnosis::Chess960Source;
use perft_diagnosis::source::{Abilities, CountSource};

use super::args::SuiteArgs;
use super::asked::{EngineInfo, Part, ability_notes, impossible_note};
use super::report::Check;
use crate::engine::{self, Engine, EngineSpec};
use crate::input::engine::{NO_EFFECT, command};
use crate::input::{Counting, CountingArgs};
use crate::output::Provenance;
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::terminal::WaitNote;

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
        if args.engine.text().is_some() {
            context.given.refuse::<CountingArgs>(&["threads"], NO_EFFECT)?;
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
        let misread = if has_chess960 { source.examine(stop) } else { None };
        let chess960 = misread.map(|(_, reading)| reading.about().to_owned());
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
            done(answer.suite, Check::of_answer(&answer));
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
        let (fen, depth) = (&check.position.fen, check.depth.to_string());
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

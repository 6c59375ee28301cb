//! The generator or the engine that a suite checks.

use std::time::Duration;

use perft_core::StopSignal;
use perft_core::suite::{Limits, Suite};
use perft_count::{Perft, check_suite};
use perft_diagnosis::Chess960Source;
use perft_diagnosis::source::{Abilities, CountSource};

use super::args::SuiteArgs;
use super::engine_info::{EngineInfo, ability_notes, impossible_note};
use super::part::{Part, Round};
use super::report::{Check, SuiteReport};
use crate::engine::{self, Engine, EngineSpec, SuiteAnswer};
use crate::input::{Counting, ImpossibleArgs};
use crate::output::Provenance;
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::output::wait_note::WaitNote;

/// The generator or the engine that a suite checks.
pub struct Checked {
    /// The generator, and the settings of the report.
    counting: Counting,
    /// The engine that is checked instead of the generator.
    engine: Option<CheckedEngine>,
}

/// An engine that is checked.
struct CheckedEngine {
    spec: EngineSpec,
    reach: ImpossibleArgs,
    /// The name that it gives itself.
    name: Option<String>,
    /// Its abilities, once it has been started.
    asked: Option<Asked>,
}

/// An engine that was started, with its abilities.
struct Asked {
    abilities: Abilities,
    /// The engine. It knows which castling rights of Chess960 the program reads.
    engine: Chess960Source<Engine>,
    /// A note on how the engine misreads Chess960 positions; `None` if no such fault was found.
    chess960: Option<String>,
}

impl Asked {
    /// Starts the engine. If it does not start, its answers will contain the error.
    fn of(spec: &EngineSpec, parts: &[Part], stop: &StopSignal) -> Asked {
        let _patience = WaitNote::at_work(format!("waiting for {} to start", spec.command[0]));
        let mut engine = Chess960Source::new(Box::new(Engine::new(spec.clone())));
        let _ = engine.prepare(stop);
        let has_chess960 = parts.iter().any(Part::has_chess960);
        let fault = if has_chess960 { engine.examine(stop) } else { None };
        let chess960 = fault.map(|fault| format!("the engine counts as if {}", fault.hypothesis));
        Asked { abilities: engine.abilities(), engine, chess960 }
    }
}

impl Checked {
    /// Prepares the generator or the engine. An engine must understand the way to ask it.
    pub fn new(args: &SuiteArgs, context: &Context) -> Result<Checked, CliError> {
        if args.engine.is_given() {
            args.counting.refuse_with_engine()?;
        } else if args.reach.impossible {
            return Err(CliError::usage("--impossible needs --engine: without it, no position is left out"));
        }
        let spec = args.engine.build(&context.stop)?;
        let mut counting = args.counting.build(context)?;
        if spec.is_some() {
            // The engine counts, so the threads of the generator are not needed.
            counting.perft = Perft::new();
            counting.head.generator = "engine";
        }
        let engine = spec.map(|spec| CheckedEngine { spec, reach: args.reach, name: None, asked: None });
        Ok(Checked { counting, engine })
    }

    /// Returns the parts of these blocks of suites that are checked. For an engine, they have no positions that
    /// [`Part::for_engine`] leaves out, and the limits have no greater depth than its greatest one.
    pub fn round(&mut self, whole: Vec<Part>, limits: &Limits, stop: &StopSignal) -> Round {
        let Some(CheckedEngine { spec, asked, reach, .. }) = &mut self.engine else {
            return Round { parts: whole, limits: *limits, skips_deeper: false };
        };
        let asked = asked.get_or_insert_with(|| Asked::of(spec, &whole, stop));
        let max_depth = limits.max_depth.min(asked.abilities.max_depth.unwrap_or(u32::MAX));
        let parts =
            whole.into_iter().map(|part| part.for_engine(|position| asked.engine.can_read(position), *reach));
        Round { parts: parts.collect(), limits: Limits { max_depth, ..*limits }, skips_deeper: true }
    }

    /// Returns sentences about the questions that the engine was not asked.
    pub fn notes(&self, report: &SuiteReport) -> Vec<String> {
        let Some(CheckedEngine { asked: Some(asked), .. }) = &self.engine else { return Vec::new() };
        let mut notes = ability_notes(&asked.abilities, report.left_out_chess960);
        notes.extend(asked.chess960.clone());
        notes.extend(impossible_note(report.left_out_impossible));
        notes
    }

    /// Whether this is an engine. The suites of an engine are checked together.
    pub fn is_engine(&self) -> bool {
        self.engine.is_some()
    }

    /// Checks a round until the stop signal is raised. Calls `done` after every count with the index of its suite and,
    /// for an engine, the time of its answer.
    pub fn check<'r>(
        &mut self,
        round: &'r Round,
        stop: &StopSignal,
        done: impl Fn(usize, Check<'r>, Option<Duration>) + Sync,
    ) {
        let Round { parts, limits, .. } = round;
        let Some(CheckedEngine { spec, name, .. }) = &mut self.engine else {
            for (index, part) in parts.iter().enumerate() {
                let report = |outcome: &_| done(index, Check::of_outcome(outcome, part.is_built_in), None);
                // The error of an interrupted check is ignored, because its outcomes were passed on already.
                let _ = check_suite(&part.suite, limits, &self.counting.perft, stop, report);
            }
            return;
        };
        let suites: Vec<&Suite> = parts.iter().map(|part| &part.suite).collect();
        let engine = |_| -> Box<dyn CountSource + Send> { Box::new(Engine::new(spec.clone())) };
        let engines = (0..self.counting.head.threads).map(engine).collect();
        let report = |answer: SuiteAnswer<'r>| done(answer.suite, Check::from(&answer), Some(answer.elapsed));
        let found = engine::check_suites(&suites, limits, engines, stop, report);
        *name = found.or(name.take());
    }

    /// Returns the fields that every report begins with, and the description of the engine.
    pub fn finish(self, context: &Context) -> (Provenance, Option<EngineInfo>) {
        self.counting.print_table_statistics(context);
        let engine = self.engine.map(|engine| EngineInfo::new(&engine.spec, engine.name));
        (self.counting.report_head(), engine)
    }
}

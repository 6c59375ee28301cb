//! What a suite checks: a built-in generator, or an engine.

use perft_core::StopSignal;
use perft_core::suite::{Limits, Suite};
use perft_diagnosis::source::{Abilities, CountSource};

use super::SuiteArgs;
use super::part::Part;
use crate::cli::args::Counting;
use crate::cli::context::Context;
use crate::cli::error::CliError;
use crate::cli::patience::Patience;
use crate::engine::{self, Engine, EngineSpec, SuiteAnswer};
use crate::report;
use crate::report::suite::{Check, EngineInfo, ability_notes};

/// What the suite checks: a built-in generator, or an engine.
pub enum Checked {
    Generator(Box<Counting>),
    Engine {
        spec: Box<EngineSpec>,
        processes: usize,
        head: Box<report::Provenance>,
        /// The name that the engine gives itself.
        name: Option<String>,
        /// What the engine can be asked, once it has been started.
        abilities: Option<Abilities>,
    },
}

impl Checked {
    /// Prepares what is checked. An engine must understand how it is asked.
    pub fn new(args: &SuiteArgs, context: &Context) -> Result<Checked, CliError> {
        if args.engine.is_given() {
            args.counting.refuse_with_engine()?;
        }
        let Some(spec) = args.engine.build(&context.stop)? else {
            return Ok(Checked::Generator(Box::new(args.counting.build(context)?)));
        };
        let processes = args.counting.machine.threads.count();
        let head = Box::new(report::Provenance { generator: "engine", ..args.counting.build(context)?.head });
        Ok(Checked::Engine { spec: Box::new(spec), processes, head, name: None, abilities: None })
    }

    /// Leaves out what an engine cannot be asked: Chess960 positions, and depths.
    pub fn leave_out<'a>(&mut self, suite: &'a Suite, limits: &Limits, stop: &StopSignal) -> Part<'a> {
        let Checked::Engine { spec, abilities, .. } = self else {
            return Part::whole(suite, limits);
        };
        let abilities = *abilities.get_or_insert_with(|| {
            let mut engine = Engine::new(spec.as_ref().clone());
            let _patience = Patience::at_work(format!("waiting for {} to start", spec.command[0]));
            // If the engine does not start, the answers say so.
            let _ = engine.prepare(stop);
            engine.abilities()
        });
        Part::within(&abilities, suite, limits)
    }

    /// Returns what the engine was not asked, in sentences.
    pub fn notes(&self, not_chess960: usize) -> Vec<String> {
        match self {
            Checked::Engine { abilities: Some(abilities), .. } => ability_notes(abilities, not_chess960),
            _ => Vec::new(),
        }
    }

    /// Whether the deeper counts of a position are left out after a problem.
    pub fn skips_deeper(&self) -> bool {
        matches!(self, Checked::Engine { .. })
    }

    /// Checks a suite until the stop signal is raised, and calls `done` after every count. Returns how many counts were
    /// left out after a problem.
    pub fn check<'a>(
        &mut self,
        suite: &'a Suite,
        limits: &Limits,
        stop: &StopSignal,
        done: impl Fn(Check<'a>) + Sync,
    ) -> usize {
        match self {
            Checked::Generator(counting) => {
                // The outcomes of an interrupted check were also passed on.
                let _ = suite.check(limits, &counting.perft, stop, |outcome| done(Check::from(outcome)));
                0
            }
            Checked::Engine { spec, processes, name, .. } => {
                let new_engine = || -> Box<dyn CountSource> { Box::new(Engine::new(spec.as_ref().clone())) };
                let report = |answer: SuiteAnswer<'a>| done(Check::from(&answer));
                let found = engine::check_suite(suite, limits, &new_engine, *processes, stop, report);
                *name = found.source_name.or(name.take());
                found.not_asked
            }
        }
    }

    /// Returns the fields that every report begins with, and the description of the engine.
    pub fn finish(self, context: &Context) -> (report::Provenance, Option<EngineInfo>) {
        match self {
            Checked::Generator(counting) => {
                counting.print_table_statistics(context);
                (counting.report_head(), None)
            }
            Checked::Engine { spec, head, name, .. } => (*head, Some(EngineInfo::new(&spec, name))),
        }
    }
}

//! The arguments of `perft suite`, the generator or the engine that it checks, and the part of each suite that is checked.

use clap::Args;
use perft_core::suite::{Case, Limits, Suite};
use perft_core::{CastlingNotation, StopSignal};
use perft_count::{Perft, check_suite};
use serde::Serialize;

use super::check::{Check, check_suites};
use crate::engine::EngineSpec;
use crate::input::{
    Counting, CountingArgs, ENGINE_MAX_NODES, EngineArgs, NO_EFFECT, UnreachableArgs, is_built_in,
    parse_depth, parse_nodes,
};
use crate::output::{CliError, Context, JsonArgs, WaitNote};
use crate::report::engine::{EngineInfo, ability_notes, impossible_note};

/// The largest known count that perft itself checks, if no limit is given.
const MAX_NODES: u128 = 1_000_000_000;

#[derive(Debug, Args)]
#[command(mut_arg("json", |json| json.help_heading("Output")))]
pub struct SuiteArgs {
    /// Suites to check: built-in names ("perft list positions" lists them), files, or "-" for standard input [default:
    /// all built-in suites]. A program or a name from perft.toml among them is the engine to check
    #[arg(value_name = "ENGINE|NAME|FILE|-")]
    pub suites: Vec<String>,
    /// Skip known counts above this number: 1000000, 10M, 1G [default: 1G, or 3M for an engine]
    #[arg(long, value_name = "N", value_parser = parse_nodes, help_heading = "Counting")]
    max_nodes: Option<u128>,
    /// Skip known counts deeper than this [default: no limit]
    #[arg(long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Counting")]
    max_depth: Option<u32>,
    /// Check only the positions with this text in their name or comment, such as castling
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Stop at the first wrong or missing count
    #[arg(long)]
    pub fail_fast: bool,
    #[command(flatten)]
    pub counting: CountingArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub reach: UnreachableArgs,
    /// Print all wrong counts, and not only the first ones
    #[arg(long, help_heading = "Output")]
    pub all: bool,
    #[command(flatten)]
    pub output: JsonArgs,
}

impl SuiteArgs {
    /// Returns the limits of the known counts that are checked.
    pub fn limits(&self) -> Limits {
        let default = if self.engine.text().is_some() { ENGINE_MAX_NODES } else { MAX_NODES };
        Limits {
            max_nodes: self.max_nodes.unwrap_or(default),
            max_depth: self.max_depth.unwrap_or(u32::MAX),
            ..Limits::NONE
        }
    }

    /// Whether a position is checked: its name or its comment has the text of `--only`.
    pub fn is_wanted(&self, case: &Case) -> bool {
        let has = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
        let comment = case.comment.as_deref().unwrap_or_default();
        self.only.as_ref().is_none_or(|part| has(case.name(), part) || has(comment, part))
    }
}

/// The generator or the engine that a suite checks, and what is checked.
pub struct SuiteTarget {
    /// The checked parts of the suites.
    pub parts: Vec<Part>,
    /// The limits of the known counts. For an engine, they end at the greatest depth that it can count.
    pub limits: Limits,
    /// The generator, and the settings of the report.
    pub counting: Counting,
    /// The engine that is checked instead of the generator. After a problem, it is not asked for the deeper counts of
    /// the position.
    pub engine: Option<(EngineSpec, EngineInfo)>,
}

/// The part of a suite that is checked. An engine is not asked about positions that it cannot read and, unless the user
/// wants them, about those that no game reaches.
#[derive(Debug, Default, Serialize)]
pub struct Part {
    #[serde(skip)]
    pub suite: Suite,
    /// The number of Chess960 positions that are left out, because the engine does not play Chess960.
    pub left_out_chess960: usize,
    /// The number of positions that are left out because no game reaches them.
    pub left_out_impossible: usize,
    /// Sentences about the questions that the engine is not asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Part {
    fn has_chess960(&self) -> bool {
        let is_chess960 = |case: &Case| case.position.castling_notation() == CastlingNotation::Chess960;
        self.suite.cases.iter().any(is_chess960)
    }

    /// Keeps the positions for which `is_kept` is true. Returns the number of the others.
    fn keep(&mut self, is_kept: impl Fn(&Case) -> bool) -> usize {
        let positions = self.suite.cases.len();
        self.suite.cases.retain(is_kept);
        positions - self.suite.cases.len()
    }
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
        let parts = suites.into_iter().map(|suite| Part { suite, ..Part::default() }).collect();
        let mut target = SuiteTarget { parts, limits: args.limits(), counting, engine: None };
        if let Some(spec) = spec {
            target.check_engine(spec, args, &context.stop);
        }
        Ok(target)
    }

    /// Checks an engine instead of the generator.
    fn check_engine(&mut self, spec: EngineSpec, args: &SuiteArgs, stop: &StopSignal) {
        // The engine counts, so the threads of the generator are not needed.
        self.counting.perft = Perft::new();
        self.counting.head.generator = "engine";
        let _patience = WaitNote::at_work(format!("waiting for {} to start", spec.command[0]));
        let mut program = spec.program(stop);
        // If the engine does not start, its answers will contain the error.
        let _ = program.prepare();
        let has_chess960 = self.parts.iter().any(Part::has_chess960);
        let misread = if has_chess960 { program.examine() } else { None };
        let abilities = program.abilities();
        for part in &mut self.parts {
            part.left_out_chess960 = part.keep(|case| program.can_read(&case.position));
            part.left_out_impossible = part.keep(|case| args.reach.allow(&case.position));
            part.notes = ability_notes(&abilities, part.left_out_chess960);
            part.notes.extend(misread.as_ref().map(|(_, reading)| reading.about().to_owned()));
            part.notes.extend(impossible_note(part.left_out_impossible));
        }
        self.limits.max_depth = self.limits.max_depth.min(abilities.max_depth.unwrap_or(u32::MAX));
        let info = EngineInfo::new(&spec, program.name());
        self.engine = Some((spec, info));
    }

    /// Checks all parts until the stop signal is raised. Calls `done` after every count with the index of its part. The
    /// generator checks one part after another, and an engine all of them together.
    pub fn check<'p>(&'p self, stop: &StopSignal, done: impl Fn(usize, Check<'p>) + Sync) {
        let Some((spec, _)) = &self.engine else {
            for (index, Part { suite, .. }) in self.parts.iter().enumerate() {
                let is_built_in = is_built_in(&suite.name);
                let report = |outcome: &_| done(index, Check::of_outcome(outcome, is_built_in));
                // The error of an interrupted check is ignored, because its outcomes were passed on already.
                let _ = check_suite(suite, &self.limits, &self.counting.perft, stop, report);
            }
            return;
        };
        let suites = self.parts.iter().map(|part| &part.suite);
        let threads = self.counting.head.threads;
        check_suites(suites, &self.limits, threads, || spec.program(stop), done);
    }
}

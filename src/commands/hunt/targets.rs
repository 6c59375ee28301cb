//! The positions that an engine is asked about.

use perft_core::suite::{Limits, Suite};
use perft_core::{Interrupted, StopSignal};
use perft_count::{Outcome, Perft, check_suite};
use perft_diagnosis::{HuntTarget, ReferenceTarget, special_targets};

use super::args::HuntArgs;
use super::reference::{of_file, single};
use crate::input::game::path;
use crate::input::suite_reader::{is_built_in, read_suites};
use crate::output::context::Context;
use crate::output::error::{CliError, warn};
use crate::output::grouped;
use crate::output::terminal::WaitNote;

/// The depth in plies, if none is given.
const DEPTH: u32 = 4;

/// Returns the positions to ask about: the one of `--fen`, or those of the suites. Also returns how many positions of
/// the suites are left out because no game reaches them.
pub fn of_chess(
    args: &HuntArgs,
    suites: &[String],
    context: &Context,
) -> Result<(Vec<HuntTarget>, usize), CliError> {
    if let Some(fen) = &args.fen {
        if let Some(suite) = suites.first() {
            return Err(CliError::usage(format!(
                "'{suite}' is a suite, and --fen a position: give one of them"
            )));
        }
        let path = path(fen, &args.moves(), context)?;
        return Ok((vec![HuntTarget { path, depths: (1..=args.depth.unwrap_or(DEPTH)).collect() }], 0));
    }
    let limits = Limits { max_nodes: args.max_nodes(), ..Limits::NONE };
    let _patience = WaitNote::at_work("reading the positions and checking their known counts".to_owned());
    let mut all: Vec<HuntTarget> = Vec::new();
    for suite in read_suites(suites, context)? {
        all.extend(of_suite(suite, &limits, &context.stop)?);
    }
    if suites.is_empty() && !args.asking.state {
        all.extend(special_targets().into_iter().filter_map(|target| within(target, &limits)));
    }
    let number = all.len();
    let is_asked = |target: &HuntTarget| args.asking.reach.allow(&target.path.root);
    let asked: Vec<HuntTarget> = all.into_iter().filter(is_asked).collect();
    let left_out = number - asked.len();
    Ok((asked, left_out))
}

/// Returns a target with the depths whose counts are within the limits, if there are any.
fn within(mut target: HuntTarget, limits: &Limits) -> Option<HuntTarget> {
    target.depths.retain(|&depth| target.path.end.perft(depth) <= limits.max_nodes);
    (!target.depths.is_empty()).then_some(target)
}

/// Returns the positions for a comparison with a reference, and how many are left out because no game reaches them.
/// Only the built-in positions are known to be positions of chess.
pub fn of_any_variant(
    args: &HuntArgs,
    suites: &[String],
    context: &Context,
) -> Result<(Vec<ReferenceTarget>, usize), CliError> {
    let depth = args.depth.unwrap_or(DEPTH);
    if let Some(text) = &args.fen {
        return Ok((vec![single(text, args.moves(), depth)], 0));
    }
    let (named, files): (Vec<String>, Vec<String>) =
        suites.iter().cloned().partition(|name| is_built_in(name));
    let mut found = Vec::new();
    for file in &files {
        found.extend(of_file(file, depth, args.max_nodes(), &context.stop)?);
    }
    if named.is_empty() && !files.is_empty() {
        return Ok((found, 0));
    }
    let (of_suites, left_out) = of_chess(args, &named, context)?;
    found.extend(of_suites.into_iter().map(ReferenceTarget::from));
    Ok((found, left_out))
}

/// Returns the positions of a suite, each with the depths of its known counts.
///
/// Warns of a known count that is wrong, because the engine would be blamed for it. A depth whose right count is above
/// the limit is left out.
fn of_suite(mut suite: Suite, limits: &Limits, stop: &StopSignal) -> Result<Vec<HuntTarget>, CliError> {
    let outcomes = check_suite(&suite, limits, &Perft::new(), stop, |_| {});
    let outcomes = outcomes.map_err(|Interrupted| CliError::Interrupted("nothing was asked".to_owned()))?;
    let wrong: Vec<&Outcome> = outcomes.iter().filter(|outcome| !outcome.is_right()).collect();
    wrong.iter().for_each(|outcome| warn_of_wrong_count(&suite.name, outcome));
    let too_large = wrong.iter().filter(|outcome| outcome.is_lower_bound);
    let too_large: Vec<(usize, u32)> =
        too_large.map(|outcome| (outcome.case.line, outcome.expected.depth)).collect();
    for case in &mut suite.cases {
        case.expected.retain(|known| !too_large.contains(&(case.line, known.depth)));
    }
    Ok(suite.cases.iter().map(|case| HuntTarget::of_case(case, limits)).collect())
}

fn warn_of_wrong_count(suite: &str, outcome: &Outcome) {
    let Outcome { case, expected, nodes, is_lower_bound } = *outcome;
    let (line, name, depth) = (case.line, case.name(), expected.depth);
    let (bound, nodes) = (if is_lower_bound { "at least " } else { "" }, grouped(nodes));
    warn(format!(
        "{suite}:{line}: the count of {name} at depth {depth} is {bound}{nodes}, not {}",
        grouped(expected.nodes)
    ));
}

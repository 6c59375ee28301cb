//! `perft suite`: checks positions with known counts.
//!
//! - `check`: the generator or the engine that is checked, and each known count, compared with its count
//! - `report`: the result, and its text

pub mod check;
pub mod report;

use std::io::Write;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use check::{Check, SuiteTarget};
use clap::Args;
use perft_core::StopSignal;
use perft_core::suite::{Case, Suite};
use perft_diagnosis::source::Question;
use perft_diagnosis::{Told, diagnose, shared_facts};
use report::{EXAMPLES, Reasons, SuiteReport, SuitesReport, next, write_problem};

use crate::input::texts::read_legal;
use crate::input::{
    CountingArgs, EngineArgs, UnreachableArgs, UnreadInput, command, comparison, parse_depth, parse_nodes,
};
use crate::output::standard_output::print_above;
use crate::output::{
    CliError, Context, Format, JsonArgs, emit, exit_code, grouped, number_of, progress_bar, progress_line,
};
use crate::system::command_line::to_type;

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

/// If the right count of a wrong answer is above this, causes are not searched for.
const MAX_WRONG_NODES: u128 = 200_000;

/// The largest right answer that causes must give, too.
const MAX_RIGHT_NODES: u128 = 10_000;

/// The largest number of wrong answers for which causes are searched.
const MAX_WRONG: usize = 500;

/// More mistakes than this say nothing about the cause.
const MAX_CAUSES: usize = 12;

pub fn run(
    mut args: SuiteArgs,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    args.engine.take_from(&mut args.suites, context)?;
    let _unread = args.suites.is_empty().then(|| UnreadInput::watch(to_type(&["suite", "-"])));
    let (mut suites, illegal) = read_legal(&args.suites, context)?;
    keep_wanted(&mut suites, &args)?;
    let checked = SuiteTarget::new(&args, suites, context)?;
    let start = Instant::now();
    let checks = check_all(&checked, &args, context, out)?;
    let seconds = start.elapsed().as_secs_f64();
    let is_cut_short = args.fail_fast && checks.iter().flatten().any(|check| !check.is_right());
    let reasons = Reasons::find(checks.iter().flatten(), context);
    let parts = checked.parts.iter().zip(checks);
    let suites: Vec<SuiteReport> =
        parts.map(|(part, checks)| SuiteReport::new(part, &checked, checks)).collect();
    let complete = suites.iter().all(|report| report.complete);
    if !complete && !is_cut_short && suites.iter().all(|report| report.checked == 0) {
        return Err(CliError::Interrupted("nothing was finished".to_owned()));
    }
    let has_checked = suites.iter().any(|suite| suite.checked > 0);
    let passed = complete && has_checked && suites.iter().all(|suite| suite.problems().next().is_none());
    checked.counting.print_table_statistics();
    let provenance = checked.counting.report_head();
    let engine = checked.engine.as_ref().map(|(_, info)| info.clone());
    let next = next(&args, &suites, context);
    let report =
        SuitesReport { provenance, engine, complete, passed, seconds, suites, reasons, next, is_cut_short };
    emit(&report, args.output.format(), out)?;
    if !complete && !is_cut_short {
        let counts = |suite: &SuiteReport| format!("{}: {}", suite.name, grouped(suite.checked as u128));
        let counts = report.suites.iter().map(counts).collect::<Vec<_>>().join(", ");
        return Err(CliError::Interrupted(format!("the counts so far are reported ({counts})")));
    }
    // The positions that could not be checked are told last.
    if !illegal.is_empty() {
        return Err(CliError::of_suites(illegal));
    }
    if !has_checked {
        return Err(CliError::usage("no known count was checked, so nothing is known")
            .help("use a larger --max-nodes or --max-depth"));
    }
    let has = |number: fn(&SuiteReport) -> usize| report.suites.iter().any(|suite| number(suite) > 0);
    Ok(exit_code(has(|suite| suite.wrong_counts.len()), has(|suite| suite.unanswered.len())))
}

/// Keeps the positions with the text of `--only` in their name or their comment.
///
/// # Errors
/// No position is wanted.
fn keep_wanted(suites: &mut Vec<Suite>, args: &SuiteArgs) -> Result<(), CliError> {
    let Some(only) = &args.only else { return Ok(()) };
    let has = |text: &str| text.to_lowercase().contains(&only.to_lowercase());
    let is_wanted = |case: &Case| has(case.name()) || case.comment.as_deref().is_some_and(has);
    suites.iter_mut().for_each(|suite| suite.cases.retain(is_wanted));
    suites.retain(|suite| !suite.cases.is_empty());
    match suites.is_empty() {
        true => Err(CliError::usage(format!("no position has '{only}' in its name or its comment"))
            .help("'perft list positions NAME' prints the names and comments of a built-in suite")),
        false => Ok(()),
    }
}

/// Checks all parts and returns the checks of each. Shows the progress and, as text, the first problems at once.
fn check_all<'a>(
    checked: &'a SuiteTarget,
    args: &SuiteArgs,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<Vec<Vec<Check<'a>>>, CliError> {
    let parts = &checked.parts;
    let counts: Vec<_> = parts.iter().flat_map(|part| part.suite.known_counts(&checked.limits)).collect();
    let nodes = counts.iter().fold(0, |sum: u64, (_, known)| sum.saturating_add(nodes_of(known.nodes)));
    let label = if let [part] = parts.as_slice() { &part.suite.name } else { "suite" };
    let bar = progress_bar(context, label, "{percent:>3}%  {msg}", nodes);
    let is_text = args.output.format() == Format::Text;
    let so_far = Mutex::new((vec![Vec::new(); parts.len()], 0, out, Ok(())));
    // A signal of its own, so that a check that was cut short is not taken for one that the user interrupted.
    let stop = if args.fail_fast { StopSignal::default() } else { context.stop.clone() };
    checked.check(&stop, |index, mut check| {
        let mut so_far = so_far.lock().unwrap_or_else(PoisonError::into_inner);
        let (checks, problems, out, printed) = &mut *so_far;
        bar.inc(nodes_of(check.expected));
        if !check.is_right() {
            *problems += 1;
            let question = Question { fen: check.position.fen.clone(), ..check.asked.clone() };
            check.command = command(comparison(&question, args.engine.text()), context).unwrap_or_default();
            if is_text && printed.is_ok() && (args.all || *problems <= EXAMPLES) {
                let by_hand = checked.engine.as_ref().and_then(|(spec, _)| spec.by_hand(&check.asked).ok());
                let suite = &parts[index].suite.name;
                let by_hand = by_hand.unwrap_or_default();
                *printed =
                    print_above(&bar, &context.stop, out, |out| write_problem(suite, &check, &by_hand, out));
                check.is_printed = true;
            }
            if checked.engine.is_some() {
                check.deeper(&checked.limits).for_each(|known| bar.inc(nodes_of(known.nodes)));
            }
        }
        if args.fail_fast && (*problems > 0 || context.stop.is_raised()) {
            stop.raise();
        }
        checks[index].push(check);
        let done: usize = checks.iter().map(Vec::len).sum();
        let wrong = if *problems == 0 { String::new() } else { format!(", {problems} wrong") };
        bar.set_message(format!("{done} of {}{wrong}", number_of(counts.len(), "count")));
    });
    bar.finish_and_clear();
    let (checks, _, _, printed) = so_far.into_inner().unwrap_or_else(PoisonError::into_inner);
    printed?;
    Ok(checks)
}

impl Reasons {
    /// Finds out why answers of an engine are wrong. Causes are not searched for if a position is too large to be counted
    /// with mistakes, and not told if there are too many. Then the answers are looked at for what the wrong ones have in
    /// common.
    fn find<'a>(checks: impl Iterator<Item = &'a Check<'a>>, context: &Context) -> Reasons {
        let (mut right, wrong): (Vec<&Check>, Vec<&Check>) = checks.partition(|check| check.is_right());
        if wrong.is_empty() {
            return Reasons::default();
        }
        right.retain(|check| check.expected <= MAX_RIGHT_NODES);
        let line = progress_line(context, "suite");
        line.set_message("looking for the cause");
        let small = wrong.iter().filter(|check| check.expected <= MAX_WRONG_NODES);
        let mut told: Vec<Told> = small.filter_map(|check| check.told()).collect();
        let are_all_told = told.len() == wrong.len() && told.len() <= MAX_WRONG;
        told.extend(right.iter().filter_map(|check| check.told()));
        let mut reasons = Reasons { compared: told.len(), ..Reasons::default() };
        if are_all_told {
            let found = diagnose(told.clone(), &context.stop, &|_| {}).causes;
            reasons.causes = if found.len() > MAX_CAUSES { Vec::new() } else { found };
        }
        if reasons.causes.is_empty() {
            reasons.in_common = shared_facts(&told);
        }
        line.finish_and_clear();
        reasons
    }
}

fn nodes_of(nodes: u128) -> u64 {
    u64::try_from(nodes).unwrap_or(u64::MAX)
}

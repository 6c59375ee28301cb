//! `perft hunt` and `perft fuzz`: find the bugs of an engine, from a wrong count down to the position and the move.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use anstyle::AnsiColor;
use clap::Args;
use perft_core::suite::{Case, Limits, Suite};
use perft_core::{CpuPath, Setup, find_move, perft};
use perft_diagnosis::source::CountSource;
use perft_diagnosis::{HuntOptions, HuntTarget, MovePath, hunt, random_target};

use super::args::{PositionArgs, Threads, parse_depth, parse_nodes};
use super::context::Context;
use super::engine::EngineArgs;
use super::environment;
use super::error::{CliError, ENGINE_FAILED, WRONG, warn};
use super::input::{one_position, read_suites};
use super::terminal::{progress_bar, styled};
use crate::engine::{Engine, EngineSpec};
use crate::report::hunt::{FindingReport, HuntReport, OriginReport, WrongMoveReport};
use crate::report::suite::EngineInfo;
use crate::report::{self, grouped, write_json};

const HUNT_EXAMPLES: &str = "\
Examples:
  perft hunt --engine ./my-engine                        all built-in positions
  perft hunt --engine ./my-engine my.epd -t all          a file, on all cores
  perft hunt --engine ./my-engine --fen kiwipete -d 5    only one position
  perft hunt --engine ./my-perft.sh --dialect perftree   a script as the engine";

const BAR: &str = "hunt {wide_bar:.cyan/dim} {pos}/{len} positions  {eta} left";

#[derive(Debug, Args)]
#[command(before_help = HUNT_EXAMPLES)]
pub struct HuntArgs {
    /// Suites to try: built-in names ("perft positions" lists them), EPD files, or "-" for standard input [default: all
    /// built-in suites]
    #[arg(value_name = "NAME|FILE|-", conflicts_with_all = ["fen", "depth"])]
    suites: Vec<String>,
    /// Try only this position: a FEN (X-FEN and Shredder-FEN too), or a name such as kiwipete
    #[arg(short, long, value_name = "FEN|NAME")]
    fen: Option<String>,
    /// Moves to play from there first, in UCI notation: e2e4,e7e5; the engine plays them too
    #[arg(short, long, value_name = "MOVES", value_delimiter = ',', requires = "fen")]
    moves: Vec<String>,
    /// Depth in plies to ask for, with --fen
    #[arg(
        short,
        long,
        value_name = "N",
        default_value = "4",
        value_parser = parse_depth,
        allow_negative_numbers = true,
        requires = "fen"
    )]
    depth: u32,
    /// Skip known counts above this number; 10k is enough for most bugs if the engine is slow
    #[arg(long, value_name = "N", default_value = "3M", value_parser = parse_nodes)]
    max_nodes: u128,
    #[command(flatten)]
    asking: AskingArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// The arguments that `hunt` and `fuzz` have in common.
#[derive(Debug, Args)]
struct AskingArgs {
    /// Number of engine processes to ask at the same time, or "all" for one per core
    #[arg(short, long, value_name = "N|all", default_value = "1", allow_negative_numbers = true)]
    threads: Threads,
    /// Maximum number of questions about one position, including those that narrow a bug down
    #[arg(long, value_name = "N", default_value = "20000")]
    questions: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print only EPD lines, for a test suite
    #[arg(long, conflicts_with = "json")]
    epd: bool,
}

const FUZZ_EXAMPLES: &str = "\
Examples:
  perft fuzz --engine ./my-engine                         until the first bug
  perft fuzz --engine ./my-engine --positions 1M -t all   long, on all cores
  perft fuzz --engine ./my-engine --seed 2 --findings 5   until the fifth bug";

#[derive(Debug, Args)]
#[command(before_help = FUZZ_EXAMPLES)]
pub struct FuzzArgs {
    /// Maximum number of random positions: 20000, 100k, 1M
    #[arg(long, value_name = "N", default_value = "10k", value_parser = parse_nodes)]
    positions: u128,
    /// Seed of the random positions; another seed gives other positions
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Depth in plies to ask for
    #[arg(short, long, value_name = "N", default_value = "2", value_parser = parse_depth, allow_negative_numbers = true)]
    depth: u32,
    /// Stop after this number of bugs
    #[arg(long, value_name = "N", default_value = "1")]
    findings: usize,
    #[command(flatten)]
    asking: AskingArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs `perft hunt`.
pub fn run(args: HuntArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let spec = required_engine(&args.engine, context)?;
    let targets = targets(&args, context)?;
    let options = HuntOptions { questions: args.asking.questions, ..HuntOptions::default() };
    let job = Job { spec, options, positions: targets.len(), seed: None };
    job.run(&|number| targets.get(number).cloned(), &args.asking, context, out)
}

/// Runs `perft fuzz`.
pub fn run_fuzz(args: FuzzArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let spec = required_engine(&args.engine, context)?;
    let positions = usize::try_from(args.positions).unwrap_or(usize::MAX);
    let FuzzArgs { seed, depth, findings, .. } = args;
    let options = HuntOptions { questions: args.asking.questions, findings, ..HuntOptions::default() };
    let job = Job { spec, options, positions, seed: Some(seed) };
    let target = |number| (number < positions).then(|| random_target(seed, number as u64, depth));
    job.run(&target, &args.asking, context, out)
}

fn required_engine(args: &EngineArgs, context: &Context) -> Result<EngineSpec, CliError> {
    args.build(&context.stop)?.ok_or_else(|| {
        CliError::usage("no engine was given").help("name the engine to test, as in --engine ./my-engine")
    })
}

/// Returns the positions to ask about: the one of `--fen`, or those of the suites.
fn targets(args: &HuntArgs, context: &Context) -> Result<Vec<HuntTarget>, CliError> {
    if let Some(fen) = &args.fen {
        let line = line(fen, &args.moves, context)?;
        return Ok(vec![HuntTarget { path: line, depths: (1..=args.depth).collect() }]);
    }
    let suites = read_suites(&args.suites)?;
    let limits = Limits { max_nodes: args.max_nodes, max_depth: u32::MAX };
    Ok(suites.iter().flat_map(|suite| of_suite(suite, &limits)).collect())
}

/// Returns the position with the moves that lead to it, so that the engine plays them too.
fn line(fen: &str, moves: &[String], context: &Context) -> Result<MovePath, CliError> {
    let position = |moves: &[String]| {
        let args = PositionArgs { fen: fen.to_owned(), moves: moves.to_vec(), chess960: false };
        one_position(&args, context)
    };
    position(moves)?;
    let mut line = MovePath::new(position(&[])?);
    for text in moves.iter().map(|text| text.trim()).filter(|text| !text.is_empty()) {
        let played = find_move(&line.end, text).expect("the moves have just been played");
        line = line.played(played);
    }
    Ok(line)
}

/// Returns the positions of a suite, each with the depths of its known counts.
///
/// Warns of a known count that is wrong, because the engine would be blamed for it.
fn of_suite(suite: &Suite, limits: &Limits) -> Vec<HuntTarget> {
    let target = |case: &Case| {
        let known: Vec<_> = case.expected.iter().filter(|known| limits.allows(known)).collect();
        for known in &known {
            let ours = perft(&case.position, known.depth);
            if ours != known.nodes {
                warn(format!(
                    "{}:{}: the count of {} at depth {} is {}, not {}",
                    suite.name,
                    case.line,
                    case.name(),
                    known.depth,
                    grouped(ours),
                    grouped(known.nodes)
                ));
            }
        }
        HuntTarget {
            path: MovePath::new(case.position),
            depths: if known.is_empty() { vec![1] } else { known.iter().map(|known| known.depth).collect() },
        }
    };
    suite.cases.iter().map(target).collect()
}

/// A search for bugs of an engine.
struct Job {
    spec: EngineSpec,
    options: HuntOptions,
    /// Number of positions to ask about.
    positions: usize,
    /// Seed of the random positions; `None` if the positions were given.
    seed: Option<u64>,
}

impl Job {
    fn run(
        self,
        target: &(dyn Fn(usize) -> Option<HuntTarget> + Sync),
        asking: &AskingArgs,
        context: &Context,
        out: &mut impl Write,
    ) -> Result<ExitCode, CliError> {
        let engine = || -> Box<dyn CountSource> { Box::new(Engine::new(self.spec.clone())) };
        let threads = asking.threads.count().clamp(1, self.positions.max(1));
        let bar = progress_bar(context, BAR, Some(self.positions as u64));
        let start = Instant::now();
        let options = HuntOptions { threads, ..self.options };
        let hunted = hunt(target, engine, options, &context.stop, || bar.inc(1));
        bar.finish_and_clear();
        let seconds = start.elapsed().as_secs_f64();
        let head = report::Provenance {
            mode: if self.seed.is_some() { report::CountMode::Fuzz } else { report::CountMode::Hunt },
            ..environment::context(CpuPath::best(), threads, 0, true)
        };
        let info = EngineInfo {
            command: shell_words::join(&self.spec.command),
            dialect: self.spec.dialect,
            name: hunted.source_name.clone(),
        };
        let report = HuntReport::new(head, info, self.seed, &hunted, seconds);
        if asking.json {
            write_json(&report, false, out)?;
        } else if asking.epd {
            report.findings.iter().try_for_each(|finding| writeln!(out, "{}", finding.epd))?;
        } else {
            write_text(&report, out)?;
        }
        if hunted.is_interrupted {
            out.flush()?;
            let asked = grouped(hunted.positions as u128);
            return Err(CliError::Interrupted(format!("{asked} positions are done")));
        }
        Ok(exit_code(&report))
    }
}

/// Returns the exit code: a wrong answer takes precedence over a missing one.
fn exit_code(report: &HuntReport) -> ExitCode {
    if report.findings.iter().any(|finding| finding.error.is_none()) {
        ExitCode::from(WRONG)
    } else if !report.findings.is_empty() {
        ExitCode::from(ENGINE_FAILED)
    } else {
        ExitCode::SUCCESS
    }
}

fn write_text(report: &HuntReport, out: &mut impl Write) -> std::io::Result<()> {
    for (index, finding) in report.findings.iter().enumerate() {
        let title = format!("bug {} of {}", index + 1, report.findings.len());
        writeln!(out, "{}: {}", styled(&title, AnsiColor::Red), name(finding))?;
        write_finding(finding, out)?;
    }
    if report.cut_short > 0 {
        let positions = grouped(report.cut_short as u128);
        writeln!(out, "{positions} positions reached the limit of --questions")?;
    }
    let verdict = match report.findings.len() {
        0 => styled("no bug found", AnsiColor::Green),
        1 => styled("1 bug", AnsiColor::Red),
        bugs => styled(&format!("{bugs} bugs"), AnsiColor::Red),
    };
    let name = report.engine.name.as_deref().unwrap_or(&report.engine.command);
    writeln!(
        out,
        "{name}: {verdict}: {} of {} positions answered wrongly; {} questions in {:.1} s",
        grouped(report.faulty as u128),
        grouped(report.positions as u128),
        grouped(report.questions.into()),
        report.seconds,
    )
}

/// Returns the name of a bug: its kind and the chess rules that it is about.
fn name(finding: &FindingReport) -> String {
    let themes =
        if finding.themes.is_empty() { String::new() } else { format!(", {}", finding.themes.join(", ")) };
    let times = if finding.times == 1 {
        "once".to_owned()
    } else {
        format!("{} times", grouped(finding.times.into()))
    };
    format!("{}{themes}; seen {times}", finding.verdict)
}

fn write_finding(finding: &FindingReport, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "\n{}", board(&finding.fen))?;
    if finding.path.is_empty() {
        writeln!(out, "position  {}", finding.root)?;
    } else {
        writeln!(out, "position  {}", finding.fen)?;
        writeln!(out, "reached   {} moves {}", finding.root, finding.path.join(" "))?;
    }
    write_counts(finding, out)?;
    finding.extra.iter().try_for_each(|extra| write_disputed("extra", extra, out))?;
    finding.missing.iter().try_for_each(|missing| write_disputed("missing", missing, out))?;
    let meaning = &finding.meaning;
    writeln!(out, "verdict   {}: {meaning}", finding.verdict)?;
    for sentence in &finding.history {
        writeln!(out, "          {sentence}")?;
    }
    if let Some(belief) = &finding.as_if {
        writeln!(out, "as if     {belief}")?;
    }
    let OriginReport { root, path } = &finding.origin;
    match path.is_empty() {
        true if *root == finding.root => {}
        true => writeln!(out, "met in    {root}")?,
        false => writeln!(out, "met in    {root} moves {}", path.join(" "))?,
    }
    writeln!(out, "suite     {}\n", finding.epd)
}

fn write_counts(finding: &FindingReport, out: &mut impl Write) -> std::io::Result<()> {
    let expected = grouped(finding.expected);
    match (&finding.error, finding.found) {
        (Some(error), _) => writeln!(out, "depth {:<4}{expected}, but {error}", finding.depth)?,
        (None, Some(found)) => {
            writeln!(out, "depth {:<4}{expected}, but the engine counts {}", finding.depth, grouped(found))?;
        }
        (None, None) => {}
    }
    if let Some(taken_back) = &finding.taken_back {
        writeln!(out, "          the counts are right until {taken_back} is taken back")?;
    }
    for wrong in finding.wrong.iter().take(SHOWN) {
        let (expected, found) = (grouped(wrong.expected), grouped(wrong.found));
        writeln!(out, "wrong     {}: {expected}, but the engine counts {found}", wrong.played)?;
    }
    if finding.wrong.len() > SHOWN {
        writeln!(out, "          ... and {} more moves", finding.wrong.len() - SHOWN)?;
    }
    Ok(())
}

/// How many moves with a wrong count the text shows.
const SHOWN: usize = 5;

fn write_disputed(what: &str, disputed: &WrongMoveReport, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{what:<9} {}", disputed.why)
}

fn board(fen: &str) -> String {
    Setup::from_fen(fen).map(|setup| setup.diagram()).unwrap_or_default()
}

//! `perft hunt` and `perft fuzz`: from "the count is wrong" to the position, the move and the reason.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use crate::engine::{Engine, EngineSpec};
use crate::report::hunt::{DisputedReport, FindingReport, HuntReport, OriginReport};
use crate::report::suite::EngineInfo;
use crate::report::{grouped, write_json};
use anstyle::{AnsiColor, Style};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use perft_core::Setup;
use perft_core::find_move;
use perft_core::suite::{Limits, Suite};
use perft_core::{CpuPath, perft};
use perft_diagnosis::source::CountSource;
use perft_diagnosis::{Bounds, Line, Quarry, hunt, random_quarry};

use super::args::{PositionArgs, parse_depth, parse_nodes, parse_threads};
use super::context::{Context, When};
use super::engine::EngineArgs;
use super::error::{CliError, ENGINE_FAILED, WRONG, warn};
use super::terminal::draw_target;
use super::{environment, input, suite};

const HUNT_EXAMPLES: &str = "\
Examples:
  perft hunt --engine ./my-engine                          through all built-in positions
  perft hunt --engine ./my-engine my.epd -t all            through a file, on as many processes as there are cores
  perft hunt --engine ./my-engine --fen kiwipete -d 5      down from one position
  perft hunt --engine './my-perft.sh' --dialect perftree   a script that is run for each question";

#[derive(Debug, Args)]
#[command(
    before_help = HUNT_EXAMPLES,
    help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}"
)]
pub struct HuntArgs {
    /// Built-in suites (perft positions lists them), EPD files, or - for standard input; all built-in ones if neither
    /// these nor --fen is given
    #[arg(value_name = "NAME|FILE|-", conflicts_with_all = ["fen", "depth"])]
    suites: Vec<String>,
    /// One position: a FEN (X-FEN and Shredder-FEN too), or a name such as kiwipete
    #[arg(short, long, value_name = "FEN|NAME")]
    fen: Option<String>,
    /// Moves to play from there first, which the program is told as moves: e2e4,e7e5
    #[arg(short, long, value_name = "MOVES", value_delimiter = ',', requires = "fen")]
    moves: Vec<String>,
    /// How deep to ask about it
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
    /// Of the known counts of suites, ask for those up to this; 10k is enough for most bugs, if the program is slow
    #[arg(long, value_name = "N", default_value = "3M", value_parser = parse_nodes)]
    max_nodes: u128,
    /// Processes that are asked at the same time, or all for one a core
    #[arg(short, long, value_name = "N|all", default_value = "1", allow_negative_numbers = true)]
    threads: String,
    #[command(flatten)]
    asking: AskingArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// What a hunt and a fuzz have in common.
#[derive(Debug, Args)]
struct AskingArgs {
    /// Questions about one position, and all that follows from it, at most
    #[arg(long, value_name = "N", default_value = "20000")]
    questions: u64,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// Print nothing but lines of EPD for a test suite
    #[arg(long, conflicts_with = "json")]
    epd: bool,
}

const FUZZ_EXAMPLES: &str = "\
Examples:
  perft fuzz --engine ./my-engine                           until a bug is found, or 10000 positions are right
  perft fuzz --engine ./my-engine --positions 1M -t all     a long run, on as many processes as there are cores
  perft fuzz --engine ./my-engine --seed 2 --findings 5     other positions, up to five bugs";

#[derive(Debug, Args)]
#[command(
    before_help = FUZZ_EXAMPLES,
    help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}"
)]
pub struct FuzzArgs {
    /// Random positions, at most: 20000, 100k, 1M
    #[arg(long, value_name = "N", default_value = "10k", value_parser = parse_nodes)]
    positions: u128,
    /// The seed of the positions: another one gives others
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// How deep to ask about each
    #[arg(short, long, value_name = "N", default_value = "2", value_parser = parse_depth, allow_negative_numbers = true)]
    depth: u32,
    /// End after so many bugs
    #[arg(long, value_name = "N", default_value = "1")]
    findings: usize,
    /// Processes that are asked at the same time, or all for one a core
    #[arg(short, long, value_name = "N|all", default_value = "1", allow_negative_numbers = true)]
    threads: String,
    #[command(flatten)]
    asking: AskingArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs `perft hunt`.
pub fn run(args: HuntArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let spec = wanted_engine(&args.engine, context)?;
    let quarries = quarries(&args, context)?;
    let bounds = Bounds { questions: args.asking.questions, ..Bounds::default() };
    let job =
        Job { spec, threads: parse_threads(&args.threads)?, bounds, positions: quarries.len(), seed: None };
    job.run(&|number| quarries.get(number).cloned(), &args.asking, context, out)
}

/// Runs `perft fuzz`.
pub fn run_fuzz(args: FuzzArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let spec = wanted_engine(&args.engine, context)?;
    let positions = usize::try_from(args.positions).unwrap_or(usize::MAX);
    let FuzzArgs { seed, depth, findings, .. } = args;
    let bounds = Bounds { questions: args.asking.questions, findings, ..Bounds::default() };
    let job = Job { spec, threads: parse_threads(&args.threads)?, bounds, positions, seed: Some(seed) };
    let quarry = |number| (number < positions).then(|| random_quarry(seed, number as u64, depth));
    job.run(&quarry, &args.asking, context, out)
}

fn wanted_engine(args: &EngineArgs, context: &Context) -> Result<EngineSpec, CliError> {
    args.build(&context.stop)?.ok_or_else(|| {
        CliError::usage("no program to hunt in")
            .help("--engine CMD says what to run, as in --engine ./my-engine")
    })
}

/// What is to be asked about: a position, or those of suites.
fn quarries(args: &HuntArgs, context: &Context) -> Result<Vec<Quarry>, CliError> {
    if let Some(fen) = &args.fen {
        let line = line(fen, &args.moves, context)?;
        return Ok(vec![Quarry { line, depths: (1..=args.depth).collect() }]);
    }
    let suites = suite::read_all(&args.suites)?;
    let limits = Limits { max_nodes: args.max_nodes, max_depth: u32::MAX };
    Ok(suites.iter().flat_map(|suite| of_suite(suite, &limits)).collect())
}

/// A position with the moves as moves, so that the program plays them too.
fn line(fen: &str, moves: &[String], context: &Context) -> Result<Line, CliError> {
    let position = |moves: &[String]| {
        let args = PositionArgs { fen: fen.to_owned(), moves: moves.to_vec(), chess960: false };
        input::one_position(&args, context)
    };
    position(moves)?;
    let mut line = Line::from(position(&[])?);
    for text in moves.iter().map(|text| text.trim()).filter(|text| !text.is_empty()) {
        let played = find_move(&line.end, text).expect("the moves have just been played");
        line = line.played(played);
    }
    Ok(line)
}

/// The positions of a suite, to the depths whose counts are known; a wrong known count is warned of, for it would be blamed
/// on the program.
fn of_suite(suite: &Suite, limits: &Limits) -> Vec<Quarry> {
    let quarry = |case: &perft_core::suite::Case| {
        let known: Vec<_> = case.expected.iter().filter(|known| limits.admit(known)).collect();
        for known in &known {
            let ours = perft(&case.position, known.depth);
            if ours != known.nodes {
                warn(format!(
                    "{}:{}: {} at depth {} is {}, not {}",
                    suite.name,
                    case.line,
                    case.name(),
                    known.depth,
                    grouped(ours),
                    grouped(known.nodes)
                ));
            }
        }
        Quarry {
            line: Line::from(case.position),
            depths: if known.is_empty() { vec![1] } else { known.iter().map(|known| known.depth).collect() },
        }
    };
    suite.cases.iter().map(quarry).collect()
}

/// A hunt through so many positions.
struct Job {
    spec: EngineSpec,
    threads: usize,
    bounds: Bounds,
    positions: usize,
    seed: Option<u64>,
}

impl Job {
    fn run(
        self,
        quarry: &(dyn Fn(usize) -> Option<Quarry> + Sync),
        output: &AskingArgs,
        context: &Context,
        out: &mut impl Write,
    ) -> Result<ExitCode, CliError> {
        let suspect = || -> Box<dyn CountSource> { Box::new(Engine::new(self.spec.clone())) };
        let threads = self.threads.clamp(1, self.positions.max(1));
        let bar = bar(self.positions, context);
        let start = Instant::now();
        let hunted = hunt(quarry, threads, &suspect, self.bounds, &context.stop, || bar.inc(1));
        bar.finish_and_clear();
        let seconds = start.elapsed().as_secs_f64();
        let head = crate::report::Context {
            mode: if self.seed.is_some() { "fuzz" } else { "hunt" },
            ..environment::context(CpuPath::best(), threads, 0, true)
        };
        let engine = EngineInfo {
            command: shell_words::join(&self.spec.command),
            dialect: self.spec.dialect.name(),
            name: hunted.suspect.clone(),
        };
        let report = HuntReport::new(head, engine, self.seed, &hunted, seconds);
        if output.json {
            write_json(&report, false, out)?;
        } else if output.epd {
            report.findings.iter().try_for_each(|finding| writeln!(out, "{}", finding.epd))?;
        } else {
            write_text(&report, out)?;
        }
        if hunted.is_interrupted {
            out.flush()?;
            let asked = grouped(hunted.positions as u128);
            return Err(CliError::Interrupted(format!("{asked} positions were asked about")));
        }
        Ok(exit_code(&report))
    }
}

/// A wrong move weighs more than a question without an answer.
fn exit_code(report: &HuntReport) -> ExitCode {
    if report.findings.iter().any(|finding| finding.error.is_none()) {
        ExitCode::from(WRONG)
    } else if !report.findings.is_empty() {
        ExitCode::from(ENGINE_FAILED)
    } else {
        ExitCode::SUCCESS
    }
}

fn bar(positions: usize, context: &Context) -> ProgressBar {
    let template = "hunt {wide_bar:.cyan/dim} {pos}/{len} positions  {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is right");
    let is_hidden = context.global.quiet || context.global.progress == When::Never;
    let target = if is_hidden { ProgressDrawTarget::hidden() } else { draw_target() };
    ProgressBar::with_draw_target(Some(positions as u64), target).with_style(style)
}

fn write_text(report: &HuntReport, out: &mut impl Write) -> std::io::Result<()> {
    for (index, finding) in report.findings.iter().enumerate() {
        let title = format!("bug {} of {}", index + 1, report.findings.len());
        writeln!(out, "{}: {}", styled(&title, AnsiColor::Red), name(finding))?;
        write_finding(finding, out)?;
    }
    if report.cut_short > 0 {
        let positions = grouped(report.cut_short as u128);
        writeln!(out, "{positions} positions led to more questions than --questions allows")?;
    }
    let verdict = match report.findings.len() {
        0 => styled("no bug found", AnsiColor::Green),
        1 => styled("1 bug", AnsiColor::Red),
        bugs => styled(&format!("{bugs} bugs"), AnsiColor::Red),
    };
    let name = report.engine.name.as_deref().unwrap_or(&report.engine.command);
    writeln!(
        out,
        "{name}: {verdict}: {} of {} positions are answered wrongly; {} questions in {:.1} s",
        grouped(report.faulty as u128),
        grouped(report.positions as u128),
        grouped(report.questions.into()),
        report.seconds,
    )
}

/// What a bug is called: the rules at stake, or the kind of bug.
fn name(finding: &FindingReport) -> String {
    let themes =
        if finding.themes.is_empty() { String::new() } else { format!(", {}", finding.themes.join(", ")) };
    let times = if finding.times == 1 {
        "once".to_owned()
    } else {
        format!("{} times", grouped(finding.times.into()))
    };
    format!("{}{themes}; met {times}", finding.verdict)
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
            writeln!(out, "depth {:<4}{expected}, but the program counts {}", finding.depth, grouped(found))?;
        }
        (None, None) => {}
    }
    if let Some(taken_back) = &finding.taken_back {
        writeln!(out, "          counts are right until {taken_back} is taken back")?;
    }
    for wrong in finding.wrong.iter().take(SHOWN) {
        let (expected, found) = (grouped(wrong.expected), grouped(wrong.found));
        writeln!(out, "wrong     {}: {expected}, but the program counts {found}", wrong.played)?;
    }
    if finding.wrong.len() > SHOWN {
        writeln!(out, "          ... and {} more moves", finding.wrong.len() - SHOWN)?;
    }
    Ok(())
}

/// So many moves that are counted wrong are shown as text.
const SHOWN: usize = 5;

fn write_disputed(what: &str, disputed: &DisputedReport, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{what:<9} {}", disputed.why)
}

fn board(fen: &str) -> String {
    Setup::from_fen(fen).map(|setup| setup.diagram()).unwrap_or_default()
}

fn styled(text: &str, color: AnsiColor) -> String {
    let style = Style::new().bold().fg_color(Some(color.into()));
    format!("{style}{text}{style:#}")
}

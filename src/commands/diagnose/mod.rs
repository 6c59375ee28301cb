//! `perft diagnose`: finds the bugs that give exactly a wrong count. No engine is needed.

pub mod numbers;
pub mod report;
pub mod text;

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use indicatif::ProgressBar;
use perft_core::Position;
use perft_count::{CpuPath, Perft, Progress};
use perft_diagnosis::{Claim, DiagnosisEvent, Mistake, diagnose};
use report::{CatalogueReport, DiagnoseReport, MistakeReport};

use crate::input::{Threads, parse_depth};
use crate::output::context::Context;
use crate::output::error::{CliError, WRONG};
use crate::output::terminal::progress_bar;
use crate::output::{self, JsonArgs, emit, environment};

const EXAMPLES: &str = "\
Examples:
  perft diagnose 5:4865351                           of the start position
  perft diagnose kiwipete 4085000 --depth 4          one wrong number
  perft diagnose kiwipete 3:97000 4:4085000          two depths
  perft diagnose start 5:4865609 kiwipete 3:97000    two positions
  perft diagnose wrong.epd                           ;D4 with your numbers
  perft diagnose --list                              the bugs it knows";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct DiagnoseArgs {
    /// Numbers that your program gives, as DEPTH:COUNT, or as COUNT with --depth. Put a position (a FEN or a name)
    /// before its numbers. EPD lines, EPD files and "-" (standard input) have both
    #[arg(value_name = "[POSITION] DEPTH:COUNT|FILE|-")]
    numbers: Vec<String>,
    /// Position of the numbers that come before any other position
    #[arg(short, long, value_name = "FEN|NAME", default_value = "start")]
    fen: String,
    /// Moves to play from there first, in UCI notation, separated by commas: e2e4,e7e5
    #[arg(short, long, value_name = "MOVES", value_delimiter = ',')]
    moves: Vec<String>,
    /// Depth in plies of numbers that are given without one
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true)]
    depth: Option<u32>,
    /// Number of threads, or "all" for one per core
    #[arg(short, long, value_name = "N|all", default_value = "all", allow_negative_numbers = true)]
    threads: Threads,
    /// List the mistakes that are tried
    #[arg(long, conflicts_with = "numbers")]
    list: bool,
    #[command(flatten)]
    output: JsonArgs,
}

/// Runs the command.
pub fn run(args: DiagnoseArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    if args.list {
        let mistakes = Mistake::all().map(MistakeReport::from).collect();
        let report = CatalogueReport { header: environment::header(), mistakes };
        emit(&report, args.output.format(), out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let numbers = numbers::read(&args, context)?;
    let claims: Vec<Claim> = numbers.iter().map(|number| number.claim).collect();
    let perft = Perft::new().threads(args.threads.count()).map_err(CliError::usage)?;
    let pool = args.threads.pool()?;

    let start = Instant::now();
    let bar = progress_bar(context, "diagnose", "{pos}/{len} {msg}", Mistake::KNOWN as u64);
    let on_event = |event| show(event, &bar);
    let progress = Progress::new(context.stop.clone());
    let count = |position: &Position, depth| perft.count_with_progress(position, depth, &progress);
    let found = pool.install(|| diagnose(&claims, &count, &context.stop, &on_event));
    bar.finish_and_clear();
    let found = found?;
    let names: Vec<String> = numbers.into_iter().map(|number| number.name).collect();
    let head = output::Provenance {
        mode: output::CountMode::Diagnose,
        ..environment::provenance(CpuPath::best(), args.threads.count(), 0, true)
    };
    let report = DiagnoseReport::new(head, &names, &found, start.elapsed().as_secs_f64());
    emit(&report, args.output.format(), out)?;
    if !found.is_complete {
        out.flush()?;
        return Err(CliError::Interrupted(format!("{} were tried", text::tried(&report))));
    }
    Ok(if report.is_right() { ExitCode::SUCCESS } else { ExitCode::from(WRONG) })
}

fn show(event: DiagnosisEvent, bar: &ProgressBar) {
    match event {
        DiagnosisEvent::Begins(length) => {
            bar.reset();
            bar.set_length(length as u64);
            bar.set_message("mistakes");
        }
        DiagnosisEvent::Tried => bar.inc(1),
    }
}

//! `perft divide`: the count below each root move.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use crate::report::divide::{DivideFormat, DivideReport};
use crate::report::{PositionInfo, write_json};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use perft_core::Position;
use perft_core::{ExactError, Progress};

use super::args::{Counting, CountingArgs, ExactArgs, PositionArgs, parse_depth};
use super::context::Context;
use super::count::warn_of_a_lifetime;
use super::error::CliError;
use super::input::{for_each_position, is_stream};
use super::progress::watch;

const EXAMPLES: &str = "\
Examples:
  perft divide --depth 5
  perft divide --fen kiwipete --depth 4 --moves e1g1 --threads all
  diff <(perft divide -d 5 | grep : | sort) \\
       <(echo 'go perft 5' | stockfish | grep -E ': [0-9]+$' | sort)";

#[derive(Debug, Args)]
#[command(
    before_help = EXAMPLES,
    help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}"
)]
pub struct DivideArgs {
    /// Depth in plies, the root move included
    #[arg(short, long, value_name = "N", value_parser = parse_divide_depth, allow_negative_numbers = true, help_heading = "Counting")]
    depth: u32,
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    counting: CountingArgs,
    #[command(flatten)]
    exact: ExactArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// The format of the result; moves are sorted as text in all of them
    #[arg(long, value_name = "FORMAT", default_value = "stockfish", value_parser = formats())]
    format: DivideFormat,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// Turns the name of a format into the format; the help lists them all.
fn formats() -> impl TypedValueParser<Value = DivideFormat> {
    let names = DivideFormat::ALL.map(|format| PossibleValue::new(format.name()).help(format.about()));
    PossibleValuesParser::new(names).map(|name| {
        let found = DivideFormat::ALL.into_iter().find(|format| format.name() == name);
        found.expect("only these names are possible")
    })
}

/// A depth of a divide.
pub fn parse_divide_depth(text: &str) -> Result<u32, String> {
    match parse_depth(text)? {
        0 => Err("a divide has a root move, so its depth is 1 or more".to_owned()),
        depth => Ok(depth),
    }
}

/// Runs the verb.
pub fn run(args: DivideArgs, context: &Context, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let mut counting = args.counting.build(context)?;
    args.exact.apply(&mut counting, context.global.verbose)?;
    for_each_position(&args.position, context, |position| one(position, &args, &counting, context, out))?;
    counting.say_what_the_table_did(context);
    Ok(ExitCode::SUCCESS)
}

fn one(
    position: &Position,
    args: &DivideArgs,
    counting: &Counting,
    context: &Context,
    out: &mut impl Write,
) -> Result<(), CliError> {
    warn_of_a_lifetime(position, args.depth, counting, context);
    let progress = Progress::new(context.stop.clone());
    let label = format!("divide({})", args.depth);
    let start = Instant::now();
    let Counting { perft, head, .. } = counting;
    let moves = watch(context, &label, &progress, || match head.mode {
        "exact" => perft.divide_exact(position, args.depth, head.memory_bytes, &progress),
        _ => perft.divide(position, args.depth, &progress).map_err(ExactError::from),
    })?;
    let elapsed = start.elapsed();

    let info = PositionInfo::new(position, args.position.notation(position));
    let report = DivideReport::new(counting.report_head(), info, args.depth, &moves, elapsed);
    let format = if args.output.json { DivideFormat::Json } else { args.output.format };
    if format == DivideFormat::Json && is_stream(&args.position) {
        write_json(&report, true, out)?;
    } else {
        report.write(format, out)?;
    }
    out.flush()?;
    Ok(())
}

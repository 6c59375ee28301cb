//! The command line: one file per command, and what the commands share.
//!
//! A command turns its arguments into library values, runs the library and writes to the standard output that it is given.
//! Errors come back as a [`CliError`], which alone knows the exit codes. A file uses only the files above it in this list:
//!
//! - `context`, `error`: what every command receives, and how it fails
//! - `environment`, `terminal`, `progress`, `export`, `baselines`: the machine, progress bars, files
//! - `args`, `input`, `config`, `engine`, `runs`, `results`, `forecast`, `campaign`: shared arguments, and what they mean
//! - the commands
//! - `help`, and this file, which chooses the command

mod agree;
mod args;
mod baselines;
mod bench;
mod campaign;
mod compare;
mod config;
mod context;
mod count;
mod diagnose;
mod divide;
mod engine;
mod engines;
mod environment;
mod error;
mod estimate;
#[cfg(feature = "explore")]
mod explore;
mod export;
mod findings;
mod forecast;
mod generators;
mod help;
mod hunt;
mod input;
mod merge;
mod plan;
mod positions;
mod printer;
mod probe;
mod progress;
mod results;
mod runs;
mod shell;
mod states;
mod stats;
mod submit;
mod suite;
mod terminal;
mod uci;
mod unique;
mod verify;
mod work;

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use perft_core::StopSignal;

use context::{Context, GlobalArgs};
use error::CliError;

const EXAMPLES: &str = "\
Examples:
  perft --depth 6                              count the start position
  perft --fen kiwipete --depth 6 -t all        a named position, on all cores
  perft --depth 8 --exact --threads all        merge equal positions: faster
  perft divide --fen 'FEN' --depth 3           count below each move
  perft divide -d 3 --moves e2e4,e7e5          the same after two moves
  perft suite my.epd --max-nodes 10M           check your own positions
  perft suite --engine ./my-engine             check an engine
  perft hunt --engine ./my-engine              find the bugs of an engine
  perft diagnose kiwipete 4:4079596            name the bug behind a number
  perft bench --save-baseline main             measure the speed";

/// Count the leaf nodes of the tree of legal chess moves, to check and compare move generators.
#[derive(Debug, Parser)]
#[command(
    name = "perft",
    version,
    before_help = EXAMPLES,
    after_help = "Exit codes: 0 success, 1 wrong count, 2 bad usage or input, 3 too slow, 4 engine failure, 130 interrupted.",
    subcommand_value_name = "COMMAND",
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Subcommands>,
    #[command(flatten)]
    global: GlobalArgs,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// Count the leaf nodes below each root move
    Divide(divide::DivideArgs),
    /// Count captures, checks, mates and other kinds of moves separately
    Stats(stats::StatsArgs),
    /// Count the distinct positions at each ply
    Unique(unique::UniqueArgs),
    /// Estimate a count that would take too long
    Estimate(estimate::EstimateArgs),
    /// Browse the move tree in the terminal, with or without an engine
    #[cfg(feature = "explore")]
    Explore(explore::ExploreArgs),
    /// Check positions with known counts
    Suite(suite::SuiteArgs),
    /// Find the bugs of an engine: the position, the move and the cause
    Hunt(hunt::HuntArgs),
    /// Find the bugs of an engine with random positions
    Fuzz(hunt::FuzzArgs),
    /// Name the bugs that give exactly a wrong count, without an engine
    Diagnose(diagnose::DiagnoseArgs),
    /// Find out how an engine can be asked for a perft
    Probe(probe::ProbeArgs),
    /// Compare the built-in generators with each other, move by move
    Agree(agree::AgreeArgs),
    /// Measure the speed, and compare it with earlier measurements
    Bench(bench::BenchArgs),
    /// Compare the speed of generators, slider lookups and engines
    Compare(compare::CompareArgs),
    /// Split a large count into work units
    Plan(plan::PlanArgs),
    /// Count the work units of a plan that are not counted yet
    Work(work::WorkArgs),
    /// Add up the counts of a plan, or report what is missing
    Merge(merge::MergeArgs),
    /// Count some work units again and compare
    Verify(verify::VerifyArgs),
    /// Submit a plan as jobs to Slurm, GNU parallel or this machine
    Submit(submit::SubmitArgs),
    /// List the built-in positions and suites, or show one
    Positions(positions::PositionsArgs),
    /// List the ways to ask an engine, and the engines of perft.toml
    Engines(engines::EnginesArgs),
    /// Describe the built-in move generators
    Generators(generators::GeneratorsArgs),
    /// Serve a built-in generator as a UCI engine
    Uci(uci::UciArgs),
    /// Print the completion script for a shell
    Completions(shell::CompletionsArgs),
    /// Print the manual page
    Man,
}

/// Runs the program.
pub fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => error.report(),
    }
}

fn run() -> Result<ExitCode, CliError> {
    let matches = help::with_grouped_commands(command()).get_matches();
    let Cli { command: subcommand, global } = parsed(&matches);
    refuse_misplaced_arguments(&matches);
    global.color.write_global();
    let context = Context { global, stop: StopSignal::default() };
    // A UCI session has nothing to save: Ctrl-C ends it at once, like any program that waits for input.
    if !matches!(subcommand, Some(Subcommands::Uci(_))) {
        raise_on_interrupt(&context.stop)?;
    }
    let mut out = BufWriter::new(anstream::stdout());
    let code = match subcommand {
        None => count::run(parsed(&matches), &context, &mut out)?,
        Some(subcommand) => dispatch(subcommand, &context, &mut out)?,
    };
    out.flush()?;
    Ok(code)
}

fn dispatch(
    subcommand: Subcommands,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    match subcommand {
        Subcommands::Divide(args) => divide::run(args, context, out),
        Subcommands::Stats(args) => stats::run(args, context, out),
        Subcommands::Unique(args) => unique::run(args, context, out),
        Subcommands::Estimate(args) => estimate::run(args, context, out),
        #[cfg(feature = "explore")]
        Subcommands::Explore(args) => explore::run(args, context, out),
        Subcommands::Suite(args) => suite::run(args, context, out),
        Subcommands::Hunt(args) => hunt::run(args, context, out),
        Subcommands::Fuzz(args) => hunt::run_fuzz(args, context, out),
        Subcommands::Diagnose(args) => diagnose::run(args, context, out),
        Subcommands::Probe(args) => probe::run(args, context, out),
        Subcommands::Agree(args) => agree::run(args, context, out),
        Subcommands::Bench(args) => bench::run(args, context, out),
        Subcommands::Compare(args) => compare::run(args, context, out),
        Subcommands::Plan(args) => plan::run(args, context, out),
        Subcommands::Work(args) => work::run(args, context, out),
        Subcommands::Merge(args) => merge::run(args, context, out),
        Subcommands::Verify(args) => verify::run(args, context, out),
        Subcommands::Submit(args) => submit::run(args, out),
        Subcommands::Positions(args) => positions::run(args, out),
        Subcommands::Engines(args) => engines::run(args, out),
        Subcommands::Generators(args) => generators::run(args, out),
        Subcommands::Uci(args) => uci::run(args, out),
        Subcommands::Completions(args) => shell::completions(args, &mut command(), out),
        Subcommands::Man => shell::man(command(), out),
    }
}

/// Returns the whole command line.
///
/// A plain count has no subcommand: its arguments stand beside the subcommands and are required only without one.
fn command() -> Command {
    let about = Cli::command().get_about().cloned().unwrap_or_default();
    let command = count::CountArgs::augment_args(Cli::command()).about(about).subcommand_negates_reqs(true);
    help::with_examples_first(command)
}

/// Ends the program if arguments of the plain count stand before a subcommand, where they would have no effect.
fn refuse_misplaced_arguments(matches: &ArgMatches) {
    let Some(subcommand) = matches.subcommand_name() else { return };
    let arguments = count::CountArgs::augment_args(Command::new("count"));
    for argument in arguments.get_arguments() {
        if matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine) {
            let flag = argument.get_long().unwrap_or_default();
            let message = format!("put --{flag} after the command: perft {subcommand} --{flag} ...");
            help::with_grouped_commands(command()).error(ErrorKind::ArgumentConflict, message).exit();
        }
    }
}

fn parsed<T: FromArgMatches>(matches: &ArgMatches) -> T {
    T::from_arg_matches(matches).unwrap_or_else(|error| error.exit())
}

/// Makes the first Ctrl-C raise the stop signal, and a second one end the program at once.
fn raise_on_interrupt(stop: &StopSignal) -> Result<(), CliError> {
    let stop = stop.clone();
    let on_signal = move || {
        if stop.is_raised() {
            std::process::exit(error::INTERRUPTED);
        }
        stop.raise();
    };
    ctrlc::set_handler(on_signal)
        .map_err(|error| CliError::usage(format!("cannot install the handler for Ctrl-C: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
        help::with_grouped_commands(command()).debug_assert();
    }

    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let mut grouped: Vec<&str> = help::GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let command = command();
        let mut all: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        if !cfg!(feature = "explore") {
            all.push("explore");
        }
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }
}

//! The command line: one file a verb, and what they share.
//!
//! A verb turns its arguments into library values, runs the library, and writes to the standard output that it is
//! handed. Whatever goes wrong comes back as a [`CliError`], which alone knows the exit codes.

mod agree;
mod args;
mod baselines;
mod bench;
mod campaign;
mod compare;
mod config;
mod context;
mod count;
mod divide;
mod engine;
mod environment;
mod error;
mod estimate;
#[cfg(feature = "explore")]
mod explore;
mod export;
mod generators;
mod hunt;
mod input;
mod merge;
mod plan;
mod positions;
mod progress;
mod results;
mod runs;
mod shell;
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
  perft --depth 6                                  count the start position, depth by depth
  perft --fen kiwipete --depth 6 --threads all     a known position, on all cores
  perft divide --fen 'FEN' --depth 3               the count below each move, like Stockfish
  perft divide --fen 'FEN' -d 3 --moves e2e4,e7e5  the same after two moves
  perft --depth 8 --exact --threads all            merging equal positions: several times faster
  perft unique --depth 6                           how many distinct positions a ply has
  perft explore --fen kiwipete                     walk the tree on the terminal
  perft suite                                      check this generator: all built-in suites
  perft suite my.epd --max-nodes 10M               check it on your own positions
  perft suite --engine ./my-engine                 check another program
  perft hunt --engine ./my-engine                  find its bugs, and why they are bugs
  perft bench --save-baseline main                 how fast it is, to compare with later
  perft plan --depth 9 --split 4 -o nine           cut a big count into units, for perft work
  perft compare --engine ./my-engine               how fast others are beside it
  perft positions                                  what is built in";

/// Count the leaf nodes of the tree of legal chess moves, to check and compare move generators.
#[derive(Debug, Parser)]
#[command(
    name = "perft",
    version,
    before_help = EXAMPLES,
    help_template = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}",
    after_help = "Exit codes: 0 all is well, 1 a count is wrong, 2 bad usage or input, 3 slower than allowed, \
                  4 another program failed, 130 interrupted.",
    subcommand_value_name = "COMMAND",
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    global: GlobalArgs,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Count the nodes below each root move
    Divide(divide::DivideArgs),
    /// Count captures, checks, mates and so on apart
    Stats(stats::StatsArgs),
    /// Count the distinct positions a ply
    Unique(unique::UniqueArgs),
    /// Walk the tree of moves on the terminal, beside another program if wanted
    #[cfg(feature = "explore")]
    Explore(explore::ExploreArgs),
    /// Run positions with known counts
    Suite(suite::SuiteArgs),
    /// Find the bugs of another program: the position, the move and the reason
    Hunt(hunt::HuntArgs),
    /// Ask another program about random positions until it is wrong; then hunt
    Fuzz(hunt::FuzzArgs),
    /// Compare all built-in generators, move by move
    Agree(agree::AgreeArgs),
    /// Time counts again and again: how fast, how sure, and faster or slower than before
    Bench(bench::BenchArgs),
    /// Cut a count that is too big for one sitting into units, as files
    Plan(plan::PlanArgs),
    /// Count the units of a plan that nobody has counted yet
    Work(work::WorkArgs),
    /// Add up what was counted of a plan, or say what is missing
    Merge(merge::MergeArgs),
    /// Count some units of a plan again, and compare
    Verify(verify::VerifyArgs),
    /// Hand a plan in as jobs: to Slurm, to GNU parallel, or to this machine
    Submit(submit::SubmitArgs),
    /// Estimate a count that is beyond reach
    Estimate(estimate::EstimateArgs),
    /// Time generators, slider look-ups and other programs side by side, in turns
    Compare(compare::CompareArgs),
    /// List what is built in, or show one position
    Positions(positions::PositionsArgs),
    /// List the built-in generators, and how they work
    Generators(generators::GeneratorsArgs),
    /// Answer UCI (position, go perft N, d), so that other tools can use this generator as a reference
    Uci(uci::UciArgs),
    /// Write the completion script for a shell
    Completions(shell::CompletionsArgs),
    /// Write the manual page
    Man,
}

/// Runs the program.
pub fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

fn run() -> Result<ExitCode, CliError> {
    let matches = command().get_matches();
    let cli = parsed::<Cli>(&matches);
    refuse_misplaced_arguments(&matches);
    cli.global.color.write_global();
    let context = Context { global: cli.global, stop: StopSignal::default() };
    // A session has nothing to save: Ctrl-C ends it at once, as it ends any program that reads a line.
    if !matches!(cli.verb, Some(Verb::Uci(_))) {
        raise_on_interrupt(&context.stop)?;
    }

    let mut out = BufWriter::new(anstream::stdout());
    let code = match cli.verb {
        None => count::run(parsed(&matches), &context, &mut out),
        Some(Verb::Divide(args)) => divide::run(args, &context, &mut out),
        Some(Verb::Stats(args)) => stats::run(args, &context, &mut out),
        Some(Verb::Unique(args)) => unique::run(args, &context, &mut out),
        #[cfg(feature = "explore")]
        Some(Verb::Explore(args)) => explore::run(args, &context, &mut out),
        Some(Verb::Suite(args)) => suite::run(args, &context, &mut out),
        Some(Verb::Hunt(args)) => hunt::run(args, &context, &mut out),
        Some(Verb::Fuzz(args)) => hunt::run_fuzz(args, &context, &mut out),
        Some(Verb::Agree(args)) => agree::run(args, &context, &mut out),
        Some(Verb::Bench(args)) => bench::run(args, &context, &mut out),
        Some(Verb::Plan(args)) => plan::run(args, &context, &mut out),
        Some(Verb::Work(args)) => work::run(args, &context, &mut out),
        Some(Verb::Merge(args)) => merge::run(args, &context, &mut out),
        Some(Verb::Verify(args)) => verify::run(args, &context, &mut out),
        Some(Verb::Submit(args)) => submit::run(args, &mut out),
        Some(Verb::Estimate(args)) => estimate::run(args, &context, &mut out),
        Some(Verb::Compare(args)) => compare::run(args, &context, &mut out),
        Some(Verb::Generators(args)) => generators::run(args, &mut out),
        Some(Verb::Positions(args)) => positions::run(args, &mut out),
        Some(Verb::Uci(args)) => uci::run(args, &mut out),
        Some(Verb::Completions(args)) => shell::completions(args, &mut command(), &mut out),
        Some(Verb::Man) => shell::man(command(), &mut out),
    }?;
    out.flush()?;
    Ok(code)
}

/// The whole command line. The count has no verb: its arguments stand beside the verbs, and are needed without one.
fn command() -> Command {
    let about = Cli::command().get_about().cloned().unwrap_or_default();
    count::CountArgs::augment_args(Cli::command()).about(about).subcommand_negates_reqs(true)
}

/// A verb has its own arguments; those of the count, standing before it, would silently do nothing.
fn refuse_misplaced_arguments(matches: &ArgMatches) {
    let Some(verb) = matches.subcommand_name() else { return };
    let arguments = count::CountArgs::augment_args(Command::new("count"));
    for argument in arguments.get_arguments() {
        if matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine) {
            let flag = argument.get_long().unwrap_or_default();
            let message = format!("--{flag} belongs behind the command: perft {verb} --{flag} ...");
            command().error(ErrorKind::ArgumentConflict, message).exit();
        }
    }
}

fn parsed<T: FromArgMatches>(matches: &ArgMatches) -> T {
    T::from_arg_matches(matches).unwrap_or_else(|error| error.exit())
}

/// The first interrupt asks the counts to end; a second one does not wait for them.
fn raise_on_interrupt(stop: &StopSignal) -> Result<(), CliError> {
    let stop = stop.clone();
    let on_signal = move || {
        if stop.is_raised() {
            std::process::exit(error::INTERRUPTED);
        }
        stop.raise();
    };
    ctrlc::set_handler(on_signal).map_err(|error| CliError::usage(format!("cannot wait for Ctrl-C: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }
}

//! The commands: a folder for each, with its arguments, its run and its report.
//!
//! A command turns its arguments into library values, runs the library, and writes to the standard output that it is
//! given. Errors come back as a `CliError`, which alone knows the exit codes. `campaign`, `list` and `generate` are
//! groups of commands.

mod bench;
mod campaign;
mod count;
mod diagnose;
mod divide;
mod estimate;
mod explain;
#[cfg(feature = "explore")]
mod explore;
#[cfg(any(test, feature = "fuzz"))]
pub mod fuzz_tests;
mod help;
mod hunt;
mod instead;
mod list;
mod outputs;
mod probe;
mod suite;
mod uci;

use std::ffi::OsString;
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::sync::LazyLock;
use std::thread::Builder;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use help::Page;
use perft_core::StopSignal;
use perft_diagnosis::lines::visible;
use perft_lab::generators::Generator;

use crate::engine::Transcript;
use crate::input::generators;
use crate::output::context::{Given, GlobalArgs, is_typed};
use crate::output::interrupt::{is_hang_up, keep_ignored_signals, raise_on_interrupt};
use crate::output::safe::SafeWriter;
use crate::output::{CliError, Context, environment};
use crate::system::command_line::{IS_ACCEPTED, again};

/// The size of the stack of the thread that does the work.
const STACK_BYTES: usize = 8 << 20;

/// Count the leaf nodes of the tree of legal chess moves.
#[derive(Debug, Parser)]
#[command(
    name = "perft",
    version,
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
    /// Count captures, checks, mates and other kinds of moves
    Stats(count::StatsArgs),
    /// Count the distinct positions at each ply
    Unique(count::UniqueArgs),
    /// Estimate a count that would take too long
    Estimate(estimate::EstimateArgs),
    /// Browse the move tree in the terminal
    #[cfg(feature = "explore")]
    Explore(explore::ExploreArgs),
    /// Check positions with known counts
    Suite(suite::SuiteArgs),
    /// Find the bugs of an engine: position, move and cause
    Hunt(hunt::HuntArgs),
    /// Name the mistakes that give exactly this wrong count
    Diagnose(diagnose::DiagnoseArgs),
    /// Say why a move is legal or not
    Explain(explain::ExplainArgs),
    /// Find out how an engine can be asked for a perft
    Probe(probe::ProbeArgs),
    /// Measure the speed of builds, engines and generators
    Bench(bench::BenchArgs),
    /// Count in work units, on one machine or on many
    #[command(subcommand, disable_help_subcommand = true)]
    Campaign(campaign::CampaignCommand),
    /// List positions, ways to ask an engine, and generators
    #[command(subcommand, disable_help_subcommand = true)]
    List(list::ListCommand),
    /// Serve a built-in generator as a UCI engine
    Uci {
        /// Generator to serve; "perft list generators" lists them
        #[arg(long, value_name = "NAME", default_value = "bitboard", value_parser = generators(), hide_possible_values = true)]
        generator: Generator,
    },
    /// Print shell completions or manual pages
    #[command(subcommand, disable_help_subcommand = true)]
    Generate(help::GenerateCommand),
    /// Describe a command
    #[command(hide = true)]
    Help {
        /// Command to describe [default: the whole program]
        #[arg(value_name = "COMMAND")]
        command: Vec<String>,
    },
}

/// Runs the program on a thread whose stack does not depend on the limits of the shell.
pub fn main() -> ExitCode {
    keep_ignored_signals();
    let report = || run().unwrap_or_else(CliError::report);
    match Builder::new().stack_size(STACK_BYTES).spawn(report) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(_) => report(),
    }
}

fn run() -> Result<ExitCode, CliError> {
    LazyLock::force(&environment::STARTED);
    environment::refuse_too_little_memory(1)?;
    IS_ACCEPTED.get_or_init(|| instead::is_accepted);
    let arguments = checked_arguments()?;
    let command = undescribed_command();
    if let Some(line) = instead::with_two_dashes(&arguments, &command) {
        return Err(CliError::usage("the name of an option needs two dashes").suggest("type", &line));
    }
    let Ok(matches) = command.clone().try_get_matches() else { return without_matches(&arguments) };
    let Cli { command: subcommand, global } = parsed(&matches);
    refuse_misplaced_command(&matches, &command, &arguments)?;
    global.apply();
    let given = Given::new(&command, &matches);
    outputs::refuse_overwriting(&given)?;
    let context = Context { global, given, stop: StopSignal::default(), reporting: StopSignal::default() };
    raise_on_interrupt(&context, matches!(subcommand, Some(Subcommands::Uci { .. })))?;
    let mut out = SafeWriter::new(BufWriter::new(anstream::stdout()));
    let ended = match subcommand {
        None => count::run(parsed(&matches), &context, &mut out).map(|()| ExitCode::SUCCESS),
        Some(subcommand) => dispatch(subcommand, &context, &mut out),
    };
    let ended = ended.and_then(|code| Ok(out.flush().map(|()| code)?));
    let ended = ended.and_then(|code| match Transcript::failure() {
        Some(error) => Err(CliError::usage("the log of the engine is not complete").because(error.as_str())),
        None => Ok(code),
    });
    ended.map_err(|error| match error {
        CliError::Output(error) if is_hang_up(&error, &context.stop) => {
            CliError::Interrupted("the terminal was closed".to_owned())
        }
        error => error,
    })
}

/// Shows the help or the version that was asked for.
///
/// # Errors
/// The arguments are not understood.
fn without_matches(arguments: &[String]) -> Result<ExitCode, CliError> {
    let command = command();
    let page = if arguments.iter().any(|argument| argument == "--help") { Page::Long } else { Page::Short };
    let Err(error) = help::with_page(command.clone(), page).try_get_matches() else {
        unreachable!("the help pages change nothing that is parsed");
    };
    if !error.use_stderr() {
        let mut out = anstream::stdout();
        write!(out, "{}", error.render().ansi())?;
        out.flush()?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some((why, line)) = instead::of_flags(arguments, &command) {
        return Err(refused(&error).suggest(&why, &line));
    }
    match error.kind() {
        ErrorKind::MissingRequiredArgument => Err(instead::missing(&error, arguments, &command)),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => error.exit(),
        _ => Err(refused(&error)),
    }
}

/// Returns the arguments of the command line. Messages and reports repeat them.
///
/// # Errors
/// An argument is not UTF-8, or has characters that control a terminal or hide text.
fn checked_arguments() -> Result<Vec<String>, CliError> {
    let to_text = |argument: OsString| {
        let (shown, fault, help) = match argument.into_string() {
            Err(argument) => (
                argument.as_encoded_bytes().escape_ascii().to_string(),
                "is not UTF-8",
                "a file that has such a name needs another name",
            ),
            Ok(text) if visible(&text) != text => (
                text,
                "has control characters",
                "type it without them; a file that has them in its name needs another name",
            ),
            Ok(text) => return Ok(text),
        };
        Err(CliError::usage(format!("the argument '{shown}' {fault}")).help(help))
    };
    std::env::args_os().skip(1).map(to_text).collect()
}

/// Returns the error for arguments that clap refuses: its first paragraph, and a similar name if there is one.
fn refused(error: &clap::Error) -> CliError {
    let text = error.to_string();
    let message: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let message = CliError::usage(message.join(" ").trim_start_matches("error: "));
    let tip = text.lines().filter_map(|line| line.trim().strip_prefix("tip: "));
    match tip.into_iter().find(|tip| tip.contains("similar")) {
        Some(tip) => message.help(tip),
        None => message.help("--help has all options, with examples"),
    }
}

fn dispatch(
    subcommand: Subcommands,
    context: &Context,
    out: &mut (impl Write + Send),
) -> Result<ExitCode, CliError> {
    match subcommand {
        // These judge counts or speeds.
        Subcommands::Divide(args) => return divide::run(args, context, out),
        Subcommands::Suite(args) => return suite::run(args, context, out),
        Subcommands::Hunt(args) => return hunt::run(args, context, out),
        Subcommands::Diagnose(args) => return diagnose::run(args, context, out),
        Subcommands::Probe(args) => return probe::run(args, context, out),
        Subcommands::Bench(args) => return bench::run(args, context, out),
        Subcommands::Stats(args) => count::run_stats(args, context, out)?,
        Subcommands::Unique(args) => count::run_unique(args, context, out)?,
        Subcommands::Estimate(args) => estimate::run(args, context, out)?,
        #[cfg(feature = "explore")]
        Subcommands::Explore(args) => explore::run(args, context, out)?,
        Subcommands::Explain(args) => explain::run(args, context, out)?,
        Subcommands::Campaign(command) => campaign::run(command, context, out)?,
        Subcommands::List(command) => list::run(command, out)?,
        Subcommands::Uci { generator } => uci::run(generator, out)?,
        Subcommands::Generate(generated) => help::generate(generated, command(), out)?,
        Subcommands::Help { command: path } => help::run(&path, command(), out)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn command() -> Command {
    help::with_examples_first(undescribed_command(), "perft")
}

/// Returns the command line without examples and the layout of its help pages. They would delay the start of each count.
///
/// A plain count has no subcommand. Its arguments are defined next to the subcommands and are required only without a
/// subcommand.
fn undescribed_command() -> Command {
    let command = Cli::command();
    let about = command.get_about().cloned().unwrap_or_default();
    count::CountArgs::augment_args(command).about(about).subcommand_negates_reqs(true)
}

/// Returns an error if arguments of the plain count come before a command, or if the first word is a command of another
/// program.
fn refuse_misplaced_command(
    matches: &ArgMatches,
    command: &Command,
    arguments: &[String],
) -> Result<(), CliError> {
    let plain = count::CountArgs::augment_args(Command::new("count"));
    let misplaced = match matches.subcommand() {
        Some((name, below)) if plain.get_arguments().any(|argument| is_typed(argument, matches)) => {
            Some([&[name][..], below.subcommand_name().as_slice()].concat().join(" "))
        }
        None if !matches.contains_id("fen") => {
            let mut words = matches.get_many::<String>("words").into_iter().flatten();
            words.find(|word| command.find_subcommand(word).is_some()).cloned()
        }
        _ => return Ok(()),
    };
    if let Some(name) = misplaced {
        let edits: Vec<(&str, &[&str])> = name.split(' ').map(|word| (word, &[][..])).collect();
        return Err(CliError::usage(format!("the command '{name}' comes after its arguments"))
            .suggest("put it first", &[instead::words(&name), again(&edits)].concat()));
    }
    match instead::renamed(arguments).and_then(|other| instead::of_flags(&other, command)) {
        Some((why, line)) => Err(help::unknown_command(&arguments[0], command).suggest(&why, &line)),
        None => Ok(()),
    }
}

fn parsed<T: FromArgMatches>(matches: &ArgMatches) -> T {
    T::from_arg_matches(matches).unwrap_or_else(|error| error.exit())
}

#[cfg(test)]
mod tests {
    use perft_core::suite::builtin;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
        help::with_page(command(), Page::Short).debug_assert();
    }

    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let mut grouped: Vec<&str> = help::GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let command = command();
        let mut all: Vec<&str> = command
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(Command::get_name)
            .collect();
        if !cfg!(feature = "explore") {
            all.push("explore");
        }
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
        for name in all {
            assert!(builtin::position(name).is_none(), "'{name}' is a command and a position");
        }
    }
}

//! `perft generate completions`: the words that a shell offers when Tab is pressed.
//!
//! The script for a shell runs `perft` with an environment variable that says which word to complete. So the shell
//! always offers the current positions, suites, engines of `perft.toml` and saved baselines.

use std::ffi::OsStr;
use std::io::Write;
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::{Arg, Args, Command};
use clap_complete::engine::{ArgValueCompleter, PathCompleter, ValueCompleter};
use clap_complete::env::Shells;
use clap_complete::{CompleteEnv, CompletionCandidate, Shell};
use perft_core::suite::{builtin, named};

use crate::commands::bench::baseline_files;
use crate::commands::help::GROUPS;
use crate::input::config::Engines;
use crate::output::error::CliError;

/// The environment variable with which the script of a shell asks for completions.
const VARIABLE: &str = "PERFT_COMPLETE";

const EXAMPLES: &str = "\
Examples:
  perft generate completions bash > ~/.local/share/bash-completion/completions/perft
  perft generate completions zsh > ~/.zfunc/_perft
  perft generate completions fish > ~/.config/fish/completions/perft.fish
  perft generate completions powershell >> $PROFILE";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub struct CompletionsArgs {
    /// Shell to print the script for
    shell: Shell,
}

/// Runs the command.
pub fn run(args: CompletionsArgs, out: &mut impl Write) -> Result<ExitCode, CliError> {
    let shells = Shells::builtins();
    let shell = shells.completer(&args.shell.to_string()).expect("every shell has a completer");
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, "perft", "perft", "perft", &mut script)?;
    out.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Answers the script of a shell, if that script has started the program. Returns whether it has.
pub fn answer_shell(command: impl Fn() -> Command) -> bool {
    let words = std::env::args_os();
    let folder = std::env::current_dir().ok();
    let environment = CompleteEnv::with_factory(|| with_values(command())).var(VARIABLE);
    environment.try_complete(words, folder.as_deref()).unwrap_or_else(|error| error.exit())
}

/// A kind of value that an argument can have.
#[derive(Clone, Copy, Debug)]
enum ValueKind {
    Position,
    Suite,
    Engine,
    Baseline,
    Command,
    Path,
}

/// The kinds of values by the value name of an argument. Arguments that take only files are completed without this
/// table.
const VALUE_KINDS: [(&str, &[ValueKind]); 9] = [
    ("POSITION", &[ValueKind::Position]),
    ("FEN|NAME", &[ValueKind::Position]),
    ("FEN|NAME|-", &[ValueKind::Position]),
    ("NAME|FILE|-", &[ValueKind::Suite, ValueKind::Position, ValueKind::Path]),
    ("ENGINE|NAME|FILE|-", &[ValueKind::Engine, ValueKind::Suite, ValueKind::Position, ValueKind::Path]),
    ("NAME|CMD", &[ValueKind::Engine, ValueKind::Path]),
    ("NAME|[DIALECT:]CMD", &[ValueKind::Engine, ValueKind::Path]),
    ("NAME|FILE", &[ValueKind::Baseline, ValueKind::Path]),
    ("COMMAND", &[ValueKind::Command]),
];

/// Adds the completion of values to the arguments of all commands.
fn with_values(command: Command) -> Command {
    command.mut_args(with_argument_values).mut_subcommands(with_values)
}

fn with_argument_values(argument: Arg) -> Arg {
    let name = argument.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    let is_baseline = argument.get_long() == Some("save-baseline");
    let known = VALUE_KINDS.iter().find(|(value, _)| name.as_deref() == Some(value)).map(|(_, kinds)| *kinds);
    match known.or(is_baseline.then_some(&[ValueKind::Baseline])) {
        Some(kinds) => argument.add(ArgValueCompleter::new(move |typed: &OsStr| values(kinds, typed))),
        None => argument,
    }
}

/// Returns the values of some kinds that begin with what was typed.
fn values(kinds: &[ValueKind], typed: &OsStr) -> Vec<CompletionCandidate> {
    let start = typed.to_string_lossy();
    let all = kinds.iter().flat_map(|kind| kind.values(typed));
    all.filter(|value| value.get_value().to_string_lossy().starts_with(&*start)).collect()
}

impl ValueKind {
    fn values(self, typed: &OsStr) -> Vec<CompletionCandidate> {
        match self {
            ValueKind::Position => {
                named().cases.iter().map(|case| described(case.name(), case.comment.as_deref())).collect()
            }
            ValueKind::Suite => {
                builtin::suites().iter().map(|suite| described(suite.name, Some(suite.about))).collect()
            }
            ValueKind::Engine => Engines::load(None)
                .unwrap_or_default()
                .specs()
                .map(|(name, spec)| described(name, Some(&spec.command.join(" "))))
                .collect(),
            ValueKind::Baseline => {
                baseline_files::names().into_iter().map(CompletionCandidate::new).collect()
            }
            ValueKind::Command => {
                GROUPS.iter().flat_map(|(_, names)| *names).map(CompletionCandidate::new).collect()
            }
            ValueKind::Path => PathCompleter::any().complete(typed),
        }
    }
}

fn described(name: &str, about: Option<&str>) -> CompletionCandidate {
    CompletionCandidate::new(name).help(about.map(|about| StyledStr::from(about.to_owned())))
}

//! What every command is handed besides its own arguments.

use clap::{Args, ValueEnum};
use perft_core::StopSignal;

/// What every command is handed besides its own arguments.
pub struct Context {
    /// The flags that every command has.
    pub global: GlobalArgs,
    /// Raised by Ctrl-C.
    pub stop: StopSignal,
}

/// Flags that every verb has.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Display")]
pub struct GlobalArgs {
    /// No progress, no warnings
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say on standard error how the count is made
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Colours; the variable NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Progress on standard error; by itself on a terminal only
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub progress: When,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// When to show progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// A bar on a terminal
    Auto,
    /// Elsewhere too, as lines
    Always,
    /// Never
    Never,
}

impl Color {
    /// Makes this the choice of everything that writes through `anstream`.
    pub fn write_global(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

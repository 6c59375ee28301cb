//! The values that every command receives in addition to its own arguments.

use clap::{Args, ValueEnum};
use perft_core::StopSignal;

use super::error::warn;
use super::given::Given;

/// The values that every command receives in addition to its own arguments.
pub struct Context {
    /// The flags that every command accepts.
    pub global: GlobalArgs,
    /// The flags that were typed.
    pub given: Given,
    /// The signal that Ctrl-C raises.
    pub stop: StopSignal,
    /// A signal that a command raises while it computes a report that takes time. Then the program gives it time to
    /// finish.
    pub reporting: StopSignal,
}

/// Flags that every command accepts.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Display")]
pub struct GlobalArgs {
    /// Print neither progress nor warnings
    #[arg(short, long, global = true, hide_short_help = true)]
    pub quiet: bool,
    /// Print to standard error how the count is made
    #[arg(short, long, global = true, conflicts_with = "quiet", hide_short_help = true)]
    pub verbose: bool,
    /// Use colors; NO_COLOR is honored
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_short_help = true)]
    pub color: Color,
    /// Show progress on standard error
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_short_help = true)]
    pub progress: When,
}

/// When to use colors.
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
    /// As a bar on a terminal
    Auto,
    /// Elsewhere too, as lines of text
    Always,
    /// Never
    Never,
}

impl Context {
    /// Prints a warning, unless the user has turned warnings off.
    pub fn warn(&self, message: impl ToString) {
        if !self.global.quiet {
            warn(message);
        }
    }
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

impl GlobalArgs {
    pub fn hides_progress(&self) -> bool {
        self.quiet || self.progress == When::Never
    }
}

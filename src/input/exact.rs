//! The arguments of exact counting, which merges equal positions instead of using a table.

use clap::Args;
use perft_core::{Position, impossibilities};
use perft_lab::generators::Generator;

use super::{Counting, MemorySize};
use crate::output::error::{CliError, say};
use crate::output::{CountMode, environment, grouped};

/// The memory for merged positions without `--memory`, in bytes, if the system does not say how much is free.
const DEFAULT_MEMORY_BYTES: u64 = 1 << 30;

/// Whether to count exactly, and with how much memory.
#[derive(Debug, Args)]
#[command(next_help_heading = "Counting")]
pub struct ExactArgs {
    /// Merge equal positions; faster than plain counting
    ///
    /// Positions are equal only after a full comparison, so no hash collision can make a count wrong, as it can with
    /// --hash.
    #[arg(long)]
    pub exact: bool,
    /// Memory for merged positions, with --exact: 4G, 512M, or a number of MiB [default: three quarters of the free
    /// memory]
    #[arg(
        long,
        value_name = "SIZE",
        requires = "exact",
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    memory: Option<MemorySize>,
}

impl ExactArgs {
    /// Makes the counts exact if `--exact` was given.
    ///
    /// # Errors
    /// A usage error if the generator or a table does not allow exact counting, or if there is not enough memory.
    pub fn apply(&self, counting: &mut Counting, verbose: bool) -> Result<(), CliError> {
        if !self.exact {
            return Ok(());
        }
        if counting.head.generator != Generator::Bitboard.name() {
            let message = format!("the generator '{}' cannot merge equal positions", counting.head.generator);
            return Err(
                CliError::usage(message).help("leave out --exact, or count with --generator bitboard")
            );
        }
        if counting.head.table_bytes > 0 {
            let refusal = CliError::usage("--exact cannot be used with --hash: it counts without a table");
            return Err(refusal.help("leave out --hash; --memory SIZE limits the memory of --exact"));
        }
        let memory_bytes = merging_memory(self.memory)?;
        counting.exact_memory_bytes = Some(memory_bytes);
        counting.head.mode = CountMode::Exact;
        counting.head.memory_bytes = memory_bytes;
        if verbose {
            say(format_args!("exact: merged positions use at most {} bytes", grouped(memory_bytes as u128)));
        }
        Ok(())
    }
}

/// Returns the memory for merged positions in bytes: the size given to `--memory`, or the default.
///
/// This is a limit. A count takes only as much as its positions need.
pub fn merging_memory(size: Option<MemorySize>) -> Result<usize, CliError> {
    match size {
        Some(size) => size.available_bytes("--memory"),
        None => {
            let most = environment::available_memory().map_or(DEFAULT_MEMORY_BYTES, |free| free / 4 * 3);
            Ok(usize::try_from(most).unwrap_or(usize::MAX))
        }
    }
}

/// Which positions an engine is asked about.
#[derive(Clone, Copy, Debug, Args)]
pub struct UnreachableArgs {
    /// Also ask about positions that no game reaches, such as a check by three pieces
    #[arg(long, hide_short_help = true)]
    pub unreachable: bool,
}

impl UnreachableArgs {
    /// Whether an engine is asked about a position. By default, some game must be able to reach it.
    pub fn allow(self, position: &Position) -> bool {
        self.unreachable || impossibilities(position).is_empty()
    }
}

//! The arguments of `perft suite`.

use clap::Args;
use perft_core::suite::{Case, Limits};

use crate::input::{CountingArgs, ENGINE_MAX_NODES, EngineArgs, UnreachableArgs, parse_depth, parse_nodes};
use crate::output::JsonArgs;

/// The largest known count that perft itself checks, if no limit is given.
const MAX_NODES: u128 = 1_000_000_000;

#[derive(Debug, Args)]
#[command(mut_arg("json", |json| json.help_heading("Output")))]
pub struct SuiteArgs {
    /// Suites to check: built-in names ("perft list positions" lists them), files, or "-" for standard input [default:
    /// all built-in suites]. A program or a name from perft.toml among them is the engine to check
    #[arg(value_name = "ENGINE|NAME|FILE|-")]
    pub suites: Vec<String>,
    /// Skip known counts above this number: 1000000, 10M, 1G [default: 1G, or 3M for an engine]
    #[arg(long, value_name = "N", value_parser = parse_nodes, help_heading = "Counting")]
    max_nodes: Option<u128>,
    /// Skip known counts deeper than this [default: no limit]
    #[arg(long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Counting")]
    max_depth: Option<u32>,
    /// Check only the positions with this text in their name or comment, such as castling
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Stop at the first wrong or missing count
    #[arg(long)]
    pub fail_fast: bool,
    #[command(flatten)]
    pub counting: CountingArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub reach: UnreachableArgs,
    /// Print all wrong counts, and not only the first ones
    #[arg(long, help_heading = "Output")]
    pub all: bool,
    #[command(flatten)]
    pub output: JsonArgs,
}

impl SuiteArgs {
    /// Returns the limits of the known counts that are checked.
    pub fn limits(&self) -> Limits {
        let default = if self.engine.text().is_some() { ENGINE_MAX_NODES } else { MAX_NODES };
        Limits {
            max_nodes: self.max_nodes.unwrap_or(default),
            max_depth: self.max_depth.unwrap_or(u32::MAX),
            ..Limits::NONE
        }
    }

    /// Whether a position is checked: its name or its comment has the text of `--only`.
    pub fn is_wanted(&self, case: &Case) -> bool {
        let has = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
        let comment = case.comment.as_deref().unwrap_or_default();
        self.only.as_ref().is_none_or(|part| has(case.name(), part) || has(comment, part))
    }
}

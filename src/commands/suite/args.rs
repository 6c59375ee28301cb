//! The arguments of `perft suite`.

use clap::Args;
use clap::builder::ArgPredicate;
use perft_core::suite::Limits;

use crate::input::engine::EngineArgs;
use crate::input::{CountingArgs, ENGINE_MAX_NODES, ImpossibleArgs, Threads, parse_depth, parse_nodes};
use crate::output::JsonArgs;
use crate::system::command_line;

const EXAMPLES: &str = "\
Examples:
  perft suite                            check every built-in suite
  perft suite standard chess960 -t all   check two of them, on all cores
  perft suite my.epd --max-nodes 10M     check a file, without the slow counts
  cat my.epd | perft suite - --json      read from standard input
  perft suite --engine stockfish         check an engine";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, mut_arg("json", |json| json.help_heading("Output")))]
pub struct SuiteArgs {
    /// Suites to check: built-in names ("perft list positions" lists them), EPD or .perft files, or "-" for standard
    /// input [default: all built-in suites]
    #[arg(value_name = "NAME|FILE|-")]
    pub suites: Vec<String>,
    /// Skip known counts above this number: 1000000, 10M, 1G [default: 1G, or 3M with --engine]
    #[arg(
        long,
        value_name = "N",
        default_value = "1G",
        default_value_if("engine", ArgPredicate::IsPresent, ENGINE_MAX_NODES),
        hide_default_value = true,
        value_parser = parse_nodes,
        help_heading = "Counting"
    )]
    max_nodes: u128,
    /// Skip known counts deeper than this [default: no limit]
    #[arg(long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true, help_heading = "Counting")]
    max_depth: Option<u32>,
    #[command(flatten)]
    pub counting: CountingArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub reach: ImpossibleArgs,
    #[command(flatten)]
    pub output: JsonArgs,
}

impl SuiteArgs {
    /// Returns the limits of the known counts that are checked.
    pub fn limits(&self) -> Limits {
        Limits { max_nodes: self.max_nodes, max_depth: self.max_depth.unwrap_or(u32::MAX), ..Limits::NONE }
    }

    /// Returns the command that finds the bugs of the engine in the same suites; `None` without an engine.
    pub fn next_command(&self) -> Option<String> {
        let mut words = vec!["perft".to_owned(), "hunt".to_owned(), self.engine.text()?.to_owned()];
        words.extend_from_slice(&self.suites);
        words.extend(self.engine.flags());
        if parse_nodes(ENGINE_MAX_NODES) != Ok(self.max_nodes) {
            words.extend(["--max-nodes".to_owned(), self.max_nodes.to_string()]);
        }
        if self.reach.impossible {
            words.push("--impossible".to_owned());
        }
        let threads = self.counting.machine.threads;
        if threads != Threads::Count(1) {
            words.extend(["--threads".to_owned(), threads.to_string()]);
        }
        Some(command_line::join(words))
    }
}

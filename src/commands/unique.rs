//! `perft unique`: counts the distinct positions at each ply.

use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;
use perft_count::{Frontier, FrontierError, PlyCount, Progress};
use serde::Serialize;

use crate::input::{MachineArgs, PositionArgs, merging_memory, parse_size};
use crate::output::{
    CliError, Context, CountMode, Digits, Format, FormatArgs, Nodes, PositionInfo, Provenance, Report, Table,
    agreeing, number_of,
};
use crate::report::counts::{count_depths, report_each};

#[derive(Debug, Args)]
#[command(mut_arg("depth", |depth| depth.help("Last ply to count")))]
pub struct UniqueArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten, next_help_heading = "Counting")]
    machine: MachineArgs,
    /// Memory for the positions: 4G, 512M, or a number of MiB [default: three quarters of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true, help_heading = "Counting")]
    memory: Option<u64>,
    #[command(flatten)]
    output: FormatArgs,
}

pub fn run(args: UniqueArgs, context: &Context, out: &mut impl Write) -> Result<(), CliError> {
    let games = args.position.games(None, context)?;
    let memory_bytes = merging_memory(args.memory)?;
    let mut counting = args.machine.build(context)?;
    (counting.head.mode, counting.head.memory_bytes) = (CountMode::Unique, memory_bytes);
    report_each(games, args.output.format(), context, out, |game, out| {
        let (perft, mut frontier) = (&counting.perft, Frontier::new(game.position()));
        // The positions of the last ply are not stored.
        let count = |ply, progress: &Progress| {
            let start = Instant::now();
            let count = match ply {
                0 => Ok(frontier.count()),
                _ if ply == game.depth => frontier.count_next(perft, memory_bytes, progress),
                _ => frontier.next(perft, memory_bytes, progress).map(|next| {
                    frontier = next;
                    frontier.count()
                }),
            };
            Ok(PlyResult::new(count.map_err(|error| frontier_error(error, &frontier))?, start.elapsed()))
        };
        let (results, ended) =
            count_depths("unique", 0..=game.depth, context, count, |result: &PlyResult| {
                if args.output.format() == Format::Text {
                    writeln!(out, "{}", result.line(Digits::of_output()))?;
                    out.flush()?;
                }
                Ok(())
            })?;
        let &PlyResult { depth, positions, .. } = results.last().expect("there is depth 0");
        let (provenance, complete) = (counting.head.clone(), ended.is_ok());
        let position = game.info();
        Ok((UniqueReport { provenance, complete, position, depth, positions, results }, ended))
    })
}

/// Returns the error for a ply that could not be counted; `frontier` holds the positions of the ply before.
fn frontier_error(error: FrontierError, frontier: &Frontier) -> CliError {
    match error {
        FrontierError::NoRoom { .. } => {
            let positions = number_of(frontier.positions(), "position");
            let bytes = number_of(frontier.bytes(), "byte");
            let stored = format!(
                "at ply {}, {positions} {} {bytes}",
                frontier.ply(),
                agreeing(frontier.positions(), "takes", "take")
            );
            let help = "give more with --memory SIZE, or a smaller --depth: the last ply needs less memory \
                        because it is not stored";
            CliError::usage(format!("{error}; {stored}")).help(help)
        }
        other => other.into(),
    }
}

/// The number of distinct positions below one position, by depth.
#[derive(Clone, Debug, Serialize)]
pub struct UniqueReport {
    /// How the positions were counted.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Whether all depths were counted. Otherwise the last ones are missing.
    pub complete: bool,
    pub position: PositionInfo,
    /// The last depth that was counted, in plies.
    pub depth: u32,
    /// The number of distinct positions at that depth.
    pub positions: u64,
    /// All depths from 0.
    pub results: Vec<PlyResult>,
}

/// The number of distinct positions at one depth.
#[derive(Clone, Debug, Serialize)]
pub struct PlyResult {
    /// The depth in plies.
    pub depth: u32,
    /// The number of distinct positions.
    pub positions: u64,
    /// The number of nodes of the tree.
    #[serde(flatten)]
    pub nodes: Nodes,
    /// The time of the depth in seconds.
    pub seconds: f64,
}

impl PlyResult {
    pub fn new(count: PlyCount, elapsed: Duration) -> PlyResult {
        let PlyCount { ply, positions, nodes } = count;
        PlyResult { depth: ply, positions, nodes: Nodes(nodes), seconds: elapsed.as_secs_f64() }
    }

    pub fn line(&self, digits: Digits) -> String {
        let &PlyResult { depth, positions, nodes: Nodes(nodes), seconds } = self;
        let (positions, nodes) = (digits.in_column(positions), digits.in_column(nodes));
        format!("unique({depth:2})= {positions} of {nodes} nodes ({seconds:6.3} sec)")
    }
}

impl Report for UniqueReport {
    const NAME: &'static str = "unique";

    fn table(&self, digits: Digits) -> Option<Table> {
        let rows = self.results.iter().map(|result| {
            let (positions, nodes) = (digits.count(result.positions), digits.count(result.nodes.0));
            vec![result.depth.to_string(), positions, nodes, digits.seconds(result.seconds)]
        });
        Some(Table::new(["depth", "positions", "nodes", "seconds"], rows))
    }
}

#[cfg(test)]
mod report_tests {
    use super::*;

    #[test]
    fn the_line_has_positions_nodes_and_time() {
        let count = PlyCount { ply: 4, positions: 72_078, nodes: 197_281 };
        let result = PlyResult::new(count, Duration::from_millis(13));
        assert_eq!(result.line(Digits::Plain), "unique( 4)=        72078 of       197281 nodes ( 0.013 sec)");
        assert_eq!(
            result.line(Digits::Grouped),
            "unique( 4)=           72,078 of          197,281 nodes ( 0.013 sec)"
        );
    }
}

//! The arguments of `perft hunt`.

use clap::{Args, ValueHint};
use perft_core::suite::builtin;
use perft_diagnosis::{SearchOptions, survey_for};

use crate::input::{
    ENGINE_MAX_NODES, EngineArgs, TypedPosition, UnreachableArgs, Word, mistake, names_and_depth, one_depth,
    parse_depth, parse_nodes, parse_threads, split_moves,
};
use crate::output::{CliError, Context, JsonArgs};

#[derive(Debug, Args)]
pub struct HuntArgs {
    /// Engine to test, and a position with a depth (kiwipete 5), or suites to try: built-in names ("perft list positions"
    /// lists them), files, or "-" for standard input [default: all built-in suites]
    #[arg(value_name = "ENGINE|NAME|FILE|-")]
    pub names: Vec<String>,
    /// Try only this position: a FEN (X-FEN and Shredder-FEN too), or a name such as kiwipete
    #[arg(short, long, value_name = "FEN|NAME")]
    pub fen: Option<String>,
    /// Moves to play from there first, in UCI notation, separated by commas or spaces: e2e4,e7e5; the engine plays them
    /// too
    #[arg(short, long, value_name = "MOVES", value_delimiter = ',', requires = "fen")]
    pub moves: Vec<String>,
    /// Depth in plies to ask for, with --fen, and with --reference for positions without known counts [default: 4]
    #[arg(short, long, value_name = "N", value_parser = parse_depth, allow_negative_numbers = true)]
    pub depth: Option<u32>,
    /// Skip known counts above this number [default: 3M, or what a slow engine counts in half a second]
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    pub max_nodes: Option<u128>,
    /// Ask about this number of random positions (20000, 100k, 1M), to depth 2 or to --depth
    #[arg(long, value_name = "N", value_parser = parse_nodes, conflicts_with_all = ["fen", "max_nodes"])]
    pub random: Option<u128>,
    /// Seed of the random positions; another seed gives other positions
    #[arg(long, value_name = "N", default_value = "1", requires = "random", hide_short_help = true)]
    pub seed: u64,
    /// Stop after this number of bugs [default: 100; with --random: 1]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub max_bugs: Option<usize>,
    /// Number of engine processes to ask at the same time, or "all" for one per core
    #[arg(short, long, value_name = "N|all", default_value = "1", value_parser = parse_threads, allow_negative_numbers = true)]
    pub threads: usize,
    /// Maximum number of questions about one position, including those that narrow a bug down
    #[arg(long, value_name = "N", default_value = "20000", hide_short_help = true)]
    pub max_questions: u64,
    #[command(flatten)]
    pub reach: UnreachableArgs,
    /// Compare the engine with this one (a name from perft.toml, or a command) and not with perft's own counts. Both
    /// may play a variant of chess: --reference fairy-stockfish --option UCI_Variant=atomic
    #[arg(long, value_name = "NAME|CMD", value_hint = ValueHint::FilePath)]
    pub reference: Option<String>,
    /// Instead of counts, compare the FENs and the keys that the engine prints: after moves, after a FEN alone, and
    /// after a count
    #[arg(long, conflicts_with = "reference")]
    pub state: bool,
    #[command(flatten)]
    pub output: JsonArgs,
    /// Print only EPD lines, for a test suite; with --state, the position and the moves as a UCI command
    #[arg(long, conflicts_with_all = ["json", "reference"])]
    pub epd: bool,
    /// Show pieces on boards as figures instead of letters, on a terminal with UTF-8
    #[arg(long, hide_short_help = true)]
    pub figures: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
}

impl HuntArgs {
    /// Moves a position and a depth from the names to `--fen` and `--depth`. Returns the arguments with the other
    /// names.
    pub fn with_position(
        mut self,
        names: &[String],
        context: &Context,
    ) -> Result<(HuntArgs, Vec<String>), CliError> {
        let typed = TypedPosition::of_words(names);
        let is_position = if self.fen.is_some() {
            typed.position.is_empty()
        } else {
            matches!(Word::of_ours(&typed.position), Some(Word::Position | Word::Fen))
        };
        if !is_position {
            let is_meant =
                typed.depth.is_some() && names.iter().any(|name| builtin::position(name).is_some());
            if let Some(error) = mistake(&typed, &self.moves, context).filter(|_| is_meant) {
                return Err(error);
            }
            let (names, depth) = names_and_depth(names, self.depth)?;
            return Ok((HuntArgs { depth, ..self }, names));
        }
        self.depth = one_depth(typed.depth, self.depth)?;
        self.fen = self.fen.or(Some(typed.position));
        self.moves.extend(typed.moves);
        Ok((self, Vec::new()))
    }

    /// Returns the largest known count that is asked for.
    pub fn max_nodes(&self) -> u128 {
        self.max_nodes.unwrap_or(ENGINE_MAX_NODES)
    }

    /// Returns the moves to play before a question.
    pub fn moves(&self) -> Vec<String> {
        split_moves(&self.moves)
    }

    /// Returns the options of a hunt in `positions` positions. There are no more threads than positions.
    pub fn options(&self, positions: usize) -> SearchOptions {
        let default = SearchOptions::default();
        // A position that is named is asked about alone, and random positions follow right suites.
        let is_of_suites = self.fen.is_none() && self.random.is_none();
        SearchOptions {
            threads: self.threads.clamp(1, positions.max(1)),
            questions: self.max_questions,
            findings: self.max_bugs.or(self.random.map(|_| 1)).unwrap_or(default.findings),
            survey: if is_of_suites { survey_for(self.max_nodes() * positions as u128) } else { 0 },
            ..default
        }
    }
}

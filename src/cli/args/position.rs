//! The arguments that name a position.

use clap::Args;
use perft_core::{CastlingNotation, Position};

/// Which position to use.
#[derive(Debug, Args)]
#[command(next_help_heading = "Position")]
pub struct PositionArgs {
    /// Position as a FEN (X-FEN and Shredder-FEN too), as a name such as kiwipete, or "-" to read one per line from
    /// standard input
    #[arg(short, long, value_name = "FEN|NAME|-", default_value = "start")]
    pub fen: String,
    /// Moves to play from there first, in UCI notation, separated by commas or spaces: e2e4,e7e5
    #[arg(short, long, value_name = "MOVES", value_delimiter = ',')]
    pub moves: Vec<String>,
    /// Print castling moves in Chess960 notation (king takes rook); both notations are always accepted as input
    #[arg(long)]
    pub chess960: bool,
}

impl PositionArgs {
    /// Whether positions are read from standard input, one per line.
    pub fn is_stream(&self) -> bool {
        self.fen == "-"
    }

    /// Returns the moves one by one.
    pub fn each_move(&self) -> impl Iterator<Item = &str> {
        self.moves.iter().flat_map(|text| text.split_whitespace())
    }

    /// Returns the castling notation to print for a position.
    pub fn notation(&self, position: &Position) -> CastlingNotation {
        if self.chess960 { CastlingNotation::Chess960 } else { position.castling_notation() }
    }

    /// Returns the position and the moves as they were given, as a name for people.
    pub fn name(&self) -> String {
        match self.moves.as_slice() {
            [] => self.fen.clone(),
            moves => format!("{} {}", self.fen, moves.join(" ")),
        }
    }

    /// Returns the flags that select the same position in another run of this program.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = vec!["--fen".to_owned(), self.fen.clone()];
        if !self.moves.is_empty() {
            flags.extend(["--moves".to_owned(), self.moves.join(",")]);
        }
        flags
    }
}

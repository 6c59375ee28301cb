//! `perft uci`: serves a built-in generator over UCI, as a reference for other tools.

use std::fmt::Write as _;
use std::io::{BufReader, ErrorKind, Write};
use std::sync::Arc;

use perft_core::{CastlingNotation, File, Position, Rank, START_FEN, Setup, Square};
use perft_count::internals::KeyMaker;
use perft_count::{CpuPath, MAX_THREADS, Perft, Progress, Table};
use perft_diagnosis::MovePath;
use perft_diagnosis::serve::{DivideTask, UciEngine, serve};
use perft_lab::generators::Generator;

use crate::input::driver;
use crate::output::CliError;
use crate::output::standard_output::is_output_closed;

pub fn run(generator: Generator, out: &mut (impl Write + Send)) -> Result<(), CliError> {
    let input = BufReader::new(std::io::stdin());
    let served = serve(&mut ServedGenerator::new(generator), input, out);
    served.map_err(|error| match error.kind() {
        ErrorKind::InvalidData => CliError::usage("cannot read standard input").because(error),
        // The system reports this kind of error when it cannot start more threads.
        ErrorKind::WouldBlock => CliError::usage("cannot start a thread").because(error),
        _ => error.into(),
    })
}

/// A built-in generator, and the options and the position that the client has set.
pub struct ServedGenerator {
    generator: Generator,
    threads: usize,
    hash_mib: usize,
    is_chess960: bool,
    path: MovePath,
    /// The driver, which the running count shares.
    perft: Arc<Perft>,
}

impl ServedGenerator {
    pub fn new(generator: Generator) -> ServedGenerator {
        ServedGenerator {
            generator,
            threads: 1,
            hash_mib: 0,
            is_chess960: false,
            path: MovePath::new(Position::start()),
            perft: Arc::new(fastest(generator)),
        }
    }

    /// The old driver stays in use if that fails.
    fn rebuild(&mut self, threads: usize, hash_mib: usize) -> Result<(), String> {
        let mut perft = fastest(self.generator).threads(threads).map_err(|error| error.to_string())?;
        if hash_mib > 0 {
            let bytes = hash_mib
                .checked_mul(1 << 20)
                .ok_or_else(|| format!("{hash_mib} MiB is more than this machine can address"))?;
            perft = perft.table(Table::new(bytes, 0).map_err(|error| error.to_string())?);
        }
        (self.threads, self.hash_mib, self.perft) = (threads, hash_mib, Arc::new(perft));
        Ok(())
    }
}

fn fastest(generator: Generator) -> Perft {
    driver(generator, CpuPath::best()).expect("the best path is available")
}

impl UciEngine for ServedGenerator {
    fn name(&self) -> String {
        let is_default = self.generator == Generator::Bitboard;
        let generator = if is_default { String::new() } else { format!(" ({})", self.generator) };
        format!("{} {}{generator}", crate::system::NAME, env!("CARGO_PKG_VERSION"))
    }

    fn author(&self) -> String {
        "the perft authors".to_owned()
    }

    fn options(&self) -> Vec<String> {
        vec![
            format!("Threads type spin default 1 min 1 max {MAX_THREADS}"),
            "Hash type spin default 0 min 0 max 33554432".to_owned(),
            "UCI_Chess960 type check default false".to_owned(),
        ]
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = || value.parse::<usize>().map_err(|_| format!("{name}: '{value}' is not a number"));
        match name.to_ascii_lowercase().as_str() {
            "threads" => self.rebuild(number()?, self.hash_mib),
            "hash" => self.rebuild(self.threads, number()?),
            "uci_chess960" => {
                self.is_chess960 =
                    value.parse().map_err(|_| format!("{name}: '{value}' is neither true nor false"))?;
                Ok(())
            }
            _ => Err(format!("there is no option '{name}'")),
        }
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), String> {
        self.path = MovePath::parse(fen.unwrap_or(START_FEN), moves).map_err(|error| error.to_string())?;
        Ok(())
    }

    fn divide(&self, depth: u32) -> DivideTask {
        let (perft, position) = (self.perft.clone(), self.path.end);
        let own = position.castling_notation();
        let notation = if self.is_chess960 { CastlingNotation::Chess960 } else { own };
        Box::new(move |stop| {
            let moves = perft.divide_with_progress(&position, depth, &Progress::new(stop.clone()))?;
            let mut moves: Vec<(String, u128)> =
                moves.into_iter().map(|below| (below.played.to_uci(notation), below.nodes)).collect();
            moves.sort();
            Ok(moves)
        })
    }

    fn is_client_gone(&self) -> bool {
        is_output_closed()
    }

    fn diagram(&self) -> String {
        let mut text = format!("\n{EDGE}\n");
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let piece = self.path.end.piece_at(Square::new(file, rank));
                let _ = write!(text, " | {}", piece.map_or(' ', |piece| piece.letter()));
            }
            let _ = write!(text, " | {}\n{EDGE}\n", rank.digit());
        }
        let checkers: Vec<String> =
            self.path.end.checkers().into_iter().map(|square| square.to_string()).collect();
        let key = KeyMaker::new(0).key(&self.path.end, 0).slot;
        // The square is only shown if a capture on it is legal.
        let en_passant = Setup::from(&self.path.end).en_passant;
        let setup = Setup { en_passant, ..self.path.end_setup() };
        text + &format!(
            "   a   b   c   d   e   f   g   h\n\nFen: {}\nKey: {key:016X}\nCheckers: {}",
            setup.to_fen(),
            checkers.join(" ")
        )
    }
}

/// The line between two ranks of the board.
const EDGE: &str = " +---+---+---+---+---+---+---+---+";

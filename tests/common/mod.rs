//! What the integration tests share: where walks begin, how they go on, and seeded chance.
//!
//! [`oracle`] has the rules once more, in their plainest form; [`placement`] throws pieces on a board; [`kinds`] builds
//! positions of which something is known to be rare.

// Every test file compiles this folder for itself, and none of them uses all of it.
#![allow(dead_code)]

pub mod kinds;
pub mod oracle;
pub mod placement;

use std::process::Command;

use perft::chess::position::{Position, Setup};
use perft::chess::types::{Color, Move, MoveKind};
use perft::perft::{CpuPath, Perft};

/// Positions to walk from, each for what it has within a few moves.
pub const ROOTS: [&str; 10] = [
    // Everything that a game has.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    // Castling on all four wings, pins, en passant.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    // Two pawns leave the king's rank at once.
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    // Castling against promotions that take rooks.
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    // Promotions of all kinds, for both sides.
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // Nothing but kings and rooks that may castle.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    // Nothing but pawns: a double push beside an enemy pawn is never far.
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    // Few moves, so that counts go deep.
    "8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1",
    // Rooks that castle stand right beside the king, or one file from where they go.
    "1rk3r1/pp4pp/8/3pp3/3PP3/8/PP4PP/1RK3R1 w GBgb - 0 1",
    // The queens' rays fill the board: checks and pins on every move.
    "3q2k1/2q5/8/8/8/8/3Q4/1K2Q3 w - - 0 1",
];

/// A start array of Chess960 by its number, below 960, for each side.
pub fn chess960_start(white: u32, black: u32) -> String {
    format!("{:#}", cozy_chess::Board::double_chess960_startpos(white, black))
}

/// The move that a number stands for. One number in four picks a rarer kind, if there is one: plain chance castles,
/// promotes and takes en passant too seldom.
pub fn choose(moves: &[Move], choice: u64) -> Option<Move> {
    let is_rare = |played: &&Move| {
        use MoveKind::*;
        !matches!(played.kind(), Pawn | DoublePush | Knight | Diagonal | Straight | King)
    };
    let rare: Vec<&Move> = moves.iter().filter(is_rare).collect();
    let index = (choice / 4) as usize;
    match rare.len() {
        0 => moves.get(index % moves.len().max(1)).copied(),
        count if choice.is_multiple_of(4) => Some(*rare[index % count]),
        _ => Some(moves[index % moves.len()]),
    }
}

/// One driver for each CPU path of this machine, with its name.
pub fn counters() -> Vec<(CpuPath, Perft)> {
    let available = CpuPath::ALL.into_iter().filter(|path| path.is_available());
    available.map(|path| (path, Perft::new().cpu_path(path).unwrap())).collect()
}

/// What the position says of itself, with an en passant square even where no capture on it is legal.
pub fn setup_of(position: &Position) -> Setup {
    Setup { en_passant: position.en_passant(), ..Setup::from(position) }
}

/// A FEN with the castling rooks given by their files, which every reader of Chess960 understands alike.
pub fn shredder_fen(setup: &Setup) -> String {
    let mut rights = String::new();
    for color in Color::ALL {
        let files = setup.castling.rooks(color).into_iter().map(|rook| rook.file().letter());
        let mut letters: Vec<char> = files.collect();
        letters.reverse();
        for letter in letters {
            rights.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
        }
    }
    if rights.is_empty() {
        rights.push('-');
    }
    let fen = setup.to_fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[2] = &rights;
    fields.join(" ")
}

/// Seeded chance: Sebastiano Vigna's SplitMix64.
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below a bound, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Where Stockfish is: on the PATH, or where Debian has it. `None` if it is not installed, which is a failure where the
/// variable PERFT_NEEDS_STOCKFISH says so.
pub fn stockfish() -> Option<&'static str> {
    let is_there = |name: &&str| Command::new(name).arg("quit").output().is_ok();
    let found = ["stockfish", "/usr/games/stockfish"].into_iter().find(is_there);
    let is_needed = std::env::var_os("PERFT_NEEDS_STOCKFISH").is_some();
    assert!(found.is_some() || !is_needed, "stockfish is not installed");
    found
}

//! What the tests of the workspace share: drivers, text, the real Stockfish.
//!
//! [`oracle`] has the rules of chess once more, in their plainest form. [`faulty`] has generators with one rule broken each.
//! [`suites`] runs what is built in.

pub mod faulty;
pub mod oracle;
pub mod planted;
pub mod suites;

use std::process::Command;

use perft_core::{Color, CpuPath, Perft, Setup};

/// One driver for each CPU path of this machine, with its name.
pub fn drivers() -> Vec<(CpuPath, Perft)> {
    let available = CpuPath::ALL.into_iter().filter(|path| path.is_available());
    available.map(|path| (path, Perft::new().cpu_path(path).unwrap())).collect()
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

/// Where Stockfish is: on the PATH, or where Debian has it. `None` if it is not installed, which is a failure where the
/// variable PERFT_NEEDS_STOCKFISH says so.
pub fn stockfish() -> Option<&'static str> {
    let is_there = |name: &&str| Command::new(name).arg("quit").output().is_ok();
    let found = ["stockfish", "/usr/games/stockfish"].into_iter().find(is_there);
    let is_needed = std::env::var_os("PERFT_NEEDS_STOCKFISH").is_some();
    assert!(found.is_some() || !is_needed, "stockfish is not installed");
    found
}

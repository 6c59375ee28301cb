//! Compares `perft divide` and `perft uci` with Stockfish, byte for byte after sorting.
//!
//! The tests need `stockfish` on the PATH or in /usr/games, where Debian installs it. Without it they pass with a
//! message, unless PERFT_NEEDS_STOCKFISH is set, as it is in CI.

use std::io::Write;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin_cmd;

use crate::support::{KIWIPETE, START, out, run};

fn stockfish() -> Option<Command> {
    perft_testing::stockfish().map(Command::new)
}

fn stockfish_session(mut command: Command, input: &str) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the counts and the total that Stockfish prints, sorted.
fn stockfish_divide(command: Command, fen: &str, chess960: bool, depth: u32) -> Vec<String> {
    let option = format!("setoption name UCI_Chess960 value {chess960}");
    counts(&stockfish_session(command, &format!("{option}\nposition fen {fen}\ngo perft {depth}\nquit\n")))
}

fn counts(output: &str) -> Vec<String> {
    let is_count = |line: &&str| {
        line.rsplit_once(": ").is_some_and(|(_, count)| count.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut lines: Vec<String> = output.lines().filter(is_count).map(str::to_owned).collect();
    lines.sort();
    lines
}

fn assert_same_divide(fen: &str, chess960: bool, depth: u32) {
    let Some(stockfish) = stockfish() else {
        println!("skipped: stockfish is not installed");
        return;
    };
    let notation = if chess960 { &["--chess960"][..] } else { &[] };
    let ours = out(&run(&[&["divide", "--fen", fen, "--depth", &depth.to_string()], notation].concat()));
    let theirs = stockfish_divide(stockfish, fen, chess960, depth);
    assert!(theirs.len() > 1, "stockfish counted nothing");
    assert_eq!(counts(&ours), theirs, "{fen}");
}

#[test]
fn positions_with_promotions_and_castling_have_the_same_divides() {
    for (fen, chess960, depth) in [
        (START, false, 5),
        (KIWIPETE, false, 4),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", false, 4),
        ("nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/1PP1PPPP/qRK1BR1B w KQkq - 2 10", true, 4),
        ("rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1", true, 5),
    ] {
        assert_same_divide(fen, chess960, depth);
    }
}

/// Both programs get the same session: boards, FENs, checkers, moves, counts and totals must be equal.
#[test]
fn perft_uci_answers_as_stockfish_does() {
    let Some(stockfish) = stockfish() else { return };
    let input = "uci\nisready\nucinewgame\n\
        position startpos\ngo perft 4\n\
        position startpos moves e2e4 d7d5 e4e5 f7f5\nd\ngo perft 3\n\
        position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 e8c8\ngo perft 3\n\
        position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1\nd\ngo perft 2\n\
        setoption name UCI_Chess960 value true\n\
        position fen 1k5r/8/8/8/8/8/8/RK3R2 w FA - 0 1 moves b1f1 b8c8\ngo perft 3\nquit\n";
    let ours = cargo_bin_cmd!("perft").arg("uci").write_stdin(input).output().unwrap();
    let ours = String::from_utf8(ours.stdout).unwrap();
    let theirs = stockfish_session(stockfish, input);
    assert_eq!(counts(&ours), counts(&theirs));
    assert_eq!(drawings(&ours), drawings(&theirs));
}

/// Returns the lines of boards, FENs and checkers. The halfmove clock and the move number are removed from FENs.
fn drawings(output: &str) -> Vec<String> {
    let drawn = output.lines().filter(|line| line.starts_with([' ', 'F', 'C']));
    let without_clocks = |line: &str| line.split_whitespace().take(5).collect::<Vec<&str>>().join(" ");
    drawn
        .map(|line| if line.starts_with("Fen") { without_clocks(line) } else { line.trim_end().to_owned() })
        .collect()
}

/// Some versions miscount a position that no game reaches.
#[test]
fn stockfish_passes_the_suites() {
    let Some(stockfish) = perft_testing::stockfish() else {
        println!("skipped: stockfish is not installed");
        return;
    };
    let output = run(&["suite", "--max-nodes", "100k", "--engine", stockfish]);
    let text = out(&output);
    assert!(output.status.success() && text.matches("all right").count() == 3, "{text}");
}

/// Stockfish prints an en passant square only if a capture is legal, and its keys depend on a halfmove clock above 13.
#[test]
fn the_states_of_stockfish_are_right() {
    let Some(stockfish) = perft_testing::stockfish() else {
        println!("skipped: stockfish is not installed");
        return;
    };
    for arguments in [&["hunt", "named", "--threads", "2"][..], &["hunt", "--random", "50", "--threads", "2"]]
    {
        let output = run(&[arguments, &["--state", "--engine", stockfish]].concat());
        let text = out(&output);
        assert!(output.status.success() && text.contains(": no bug found: "), "{text}");
        assert!(!text.contains("prints no"), "{text}");
    }
}

//! Tests that users of the libraries would write: the examples of the documents, and counting on a small stack.

use std::thread;

use cozy_chess::{Board, Move, Piece};
use perft_core::Position;
use perft_core::suite::{self, Limits};
use perft_count::{CpuPath, Perft, Progress, Table};
use perft_diagnosis::check;

// The examples that are tests: see `build.rs`.
include!(concat!(env!("OUT_DIR"), "/tests.rs"));

/// The largest stack that a count may need, in bytes. A test thread has 2 MiB, and threads of servers may have less.
const STACK: usize = 512 << 10;

/// The counts of a generator of another crate: the total, or the count below each move.
trait OfCozyChess {
    fn of(fen: &str, depth: u32) -> Self;
}

impl OfCozyChess for u128 {
    fn of(fen: &str, depth: u32) -> u128 {
        count(&board(fen), depth, |_| true).into()
    }
}

impl OfCozyChess for Vec<(String, u128)> {
    fn of(fen: &str, depth: u32) -> Vec<(String, u128)> {
        let counts = divide(&board(fen), depth, |_| true);
        counts.into_iter().map(|(played, nodes)| (played, nodes.into())).collect()
    }
}

fn board(fen: &str) -> Board {
    let board = Board::from_fen(fen, false).or_else(|_| Board::from_fen(fen, true));
    board.expect("a right generator reads every position of a game")
}

/// Counts leaf nodes, but only below moves for which `is_known` is true.
fn count(board: &Board, depth: u32, is_known: fn(Move) -> bool) -> u64 {
    match depth {
        0 => 1,
        _ => divide(board, depth, is_known).iter().map(|(_, nodes)| nodes).sum(),
    }
}

fn divide(board: &Board, depth: u32, is_known: fn(Move) -> bool) -> Vec<(String, u64)> {
    let mut counts = Vec::new();
    board.generate_moves(|moves| {
        for played in moves.into_iter().filter(|played| is_known(*played)) {
            let mut next = board.clone();
            next.play_unchecked(played);
            counts.push((played.to_string(), count(&next, depth - 1, is_known)));
        }
        false
    });
    counts
}

fn on_a_small_stack(count: impl FnOnce() + Send) {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK);
        thread.spawn_scoped(scope, count).unwrap().join().unwrap();
    });
}

#[test]
fn the_first_line_of_a_user_works() {
    on_a_small_stack(|| assert_eq!(Position::start().perft(4), 197_281));
}

#[test]
fn every_path_counts_on_a_small_stack() {
    for path in CpuPath::ALL.into_iter().filter(|path| path.is_available()) {
        on_a_small_stack(move || {
            let driver = || Perft::new().cpu_path(path).unwrap();
            let progress = Progress::default();
            for case in &suite::named().cases {
                for known in case.expected.iter().filter(|known| known.nodes < 200_000) {
                    let (position, depth) = (&case.position, known.depth);
                    assert_eq!(driver().count_with_progress(position, depth, &progress).unwrap(), known.nodes);
                    let table = driver().table(Table::new(1 << 20, 0).unwrap());
                    assert_eq!(table.count_with_progress(position, depth, &progress).unwrap(), known.nodes);
                    let exact = driver().count_exact(position, depth, 1 << 20, &progress).unwrap();
                    assert_eq!(exact.total, known.nodes);
                }
            }
        });
    }
}

#[test]
fn a_right_generator_passes_all_suites() {
    let limits = Limits::max_nodes(2_000);
    for suite in [suite::named(), suite::standard()] {
        assert_eq!(suite.first_difference(&limits, <u128>::of), None);
        check(suite, &limits, <u128>::of).unwrap();
    }
}

#[test]
fn a_wrong_generator_is_found_and_explained() {
    let without_underpromotion = |fen: &str, depth| {
        divide(&board(fen), depth, |played| played.promotion.is_none_or(|piece| piece == Piece::Queen))
    };
    let bugs = check(suite::standard(), &Limits::max_nodes(500), without_underpromotion).unwrap_err();
    let text = bugs.to_string();
    assert!(text.contains("promotion-to-queen-only") && text.contains("may become a knight"), "{text}");
}

//! Tests that users of the libraries would write: the examples of the documents, and counting on a small stack.

use std::thread;

use cozy_chess::{Board, Move, Piece};
use perft_core::suite::{self, Limits};
use perft_core::Position;
use perft_count::{CpuPath, Perft, Progress, Table};
use perft_diagnosis::check;

// The examples that are tests: see `build.rs`.
include!(concat!(env!("OUT_DIR"), "/tests.rs"));

/// The largest stack that a count may need, in bytes. A test thread has 2 MiB, and threads of servers may have less.
const STACK: usize = 512 << 10;

/// Counts leaf nodes with a generator of another crate.
fn count_of_cozy_chess(fen: &str, depth: u32) -> u64 {
    let board = Board::from_fen(fen, false).or_else(|_| Board::from_fen(fen, true));
    count(&board.expect("a right generator reads every position of a game"), depth, |_| true)
}

/// Counts leaf nodes, but only below moves for which `is_known` is true.
fn count(board: &Board, depth: u32, is_known: fn(Move) -> bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for played in moves.into_iter().filter(|played| is_known(*played)) {
            let mut next = board.clone();
            next.play_unchecked(played);
            nodes += count(&next, depth - 1, is_known);
        }
        false
    });
    nodes
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
        assert_eq!(suite.first_difference(&limits, count_of_cozy_chess), None);
        check(suite, &limits, count_of_cozy_chess).unwrap();
    }
}

#[test]
fn a_wrong_generator_is_found_and_explained() {
    let without_underpromotion = |fen: &str, depth| {
        let board: Board = fen.parse().unwrap();
        count(&board, depth, |played| played.promotion.is_none_or(|piece| piece == Piece::Queen))
    };
    let bugs = check(suite::standard(), &Limits::max_nodes(2_000), without_underpromotion).unwrap_err();
    assert!(bugs.to_string().contains("expected 12, found 9"), "{bugs}");
}

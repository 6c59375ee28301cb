//! Code that the benchmark files share: the positions, the time limits, and `cozy-chess` for comparison.

// Each benchmark file compiles this module separately and uses only a part of it.
#![allow(dead_code)]

use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};
use perft_core::suite::{Case, builtin};

/// The standard positions, with the depths at which the slowest CPU path takes some tens of milliseconds.
pub const SIX: [(&str, u32); 6] =
    [("start", 5), ("kiwipete", 4), ("endgame", 6), ("mirrored", 5), ("talkchess", 4), ("alternative", 4)];

/// Returns the standard positions.
pub fn six() -> Vec<&'static Case> {
    SIX.iter().map(|(name, _)| case(name)).collect()
}

/// Returns a built-in position.
pub fn case(name: &str) -> &'static Case {
    builtin::position(name).expect("a named position")
}

/// Returns the known count of a case at a depth.
pub fn known(case: &Case, depth: u32) -> u64 {
    let known = case.expected.iter().find(|known| known.depth == depth).expect("the count is known");
    u64::try_from(known.nodes).expect("the tree is small")
}

/// Returns a configuration with about one second per benchmark, so that all benchmarks take a few minutes.
pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(20)
        .configure_from_args()
}

/// Checks a count, then measures it in elements per second.
pub fn bench_count(
    group: &mut BenchmarkGroup<WallTime>,
    name: &str,
    expected: u64,
    mut count: impl FnMut() -> u64,
) {
    assert_eq!(count(), expected, "{name} counts wrongly");
    group.throughput(Throughput::Elements(expected)).sampling_mode(SamplingMode::Flat);
    group.bench_function(name, |bencher| bencher.iter(&mut count));
}

/// Bulk counting with the crate `cozy-chess`, a well-known fast generator, for comparison.
pub mod cozy {
    use cozy_chess::Board;

    /// Returns the board of a FEN.
    pub fn board(fen: &str) -> Board {
        Board::from_fen(fen, false).expect("cozy-chess accepts all standard positions")
    }

    /// Returns the legal moves as a list.
    pub fn moves(board: &Board) -> Vec<cozy_chess::Move> {
        let mut moves = Vec::with_capacity(64);
        board.generate_moves(|piece_moves| {
            moves.extend(piece_moves);
            false
        });
        moves
    }

    /// Returns the perft count. The moves of the last ply are counted, not made.
    pub fn perft(board: &Board, depth: u32) -> u64 {
        let mut nodes = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                nodes += moves.len() as u64;
            } else {
                for played in moves {
                    let mut child = board.clone();
                    child.play_unchecked(played);
                    nodes += perft(&child, depth - 1);
                }
            }
            false
        });
        nodes
    }
}

//! What both benchmark files share: the positions, the times, and a peer.

// Each file compiles this folder for itself, and uses a part of it.
#![allow(dead_code)]

use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};
use perft_core::suite::Case;
use perft_core::suite::builtin;

/// The standard positions, and the depths at which the slowest generator here takes some tens of milliseconds.
pub const SIX: [(&str, u32); 6] =
    [("start", 5), ("kiwipete", 4), ("endgame", 6), ("mirrored", 5), ("talkchess", 4), ("alternative", 4)];

/// The standard positions.
pub fn six() -> Vec<&'static Case> {
    SIX.iter().map(|(name, _)| case(name)).collect()
}

/// A built-in position.
pub fn case(name: &str) -> &'static Case {
    builtin::position(name).expect("a named position")
}

/// The count that is known.
pub fn known(case: &Case, depth: u32) -> u64 {
    let known = case.expected.iter().find(|known| known.depth == depth).expect("the count is known");
    u64::try_from(known.nodes).expect("a small tree")
}

/// Benchmarks of about a second each: so many that all of them take a few minutes.
pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(20)
        .configure_from_args()
}

/// Times a count, which is asserted first, in elements a second.
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

/// The crate `cozy-chess`, which any machine can fetch, counting as we do.
pub mod cozy {
    use cozy_chess::Board;

    /// The same position.
    pub fn board(fen: &str) -> Board {
        Board::from_fen(fen, false).expect("cozy-chess takes all standard positions")
    }

    /// The legal moves, as a list.
    pub fn moves(board: &Board) -> Vec<cozy_chess::Move> {
        let mut moves = Vec::with_capacity(64);
        board.generate_moves(|of_a_piece| {
            moves.extend(of_a_piece);
            false
        });
        moves
    }

    /// Perft, the moves of the last ply being counted, not made.
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

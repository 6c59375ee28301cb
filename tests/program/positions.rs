//! Checks that the descriptions of the built-in positions are true, as far as statistics can show it.
//!
//! A description that names a kind of move or position promises that the tree contains it: in the position itself, or
//! within some plies. Some descriptions of castling and en passant say that there is no such move.

use perft_core::Position;
use perft_core::suite::{Case, builtin};
use perft_count::{LeafStatistics, Perft, Progress};

/// A column of the statistics.
type Column = fn(&LeafStatistics) -> u128;

/// Words of descriptions, each with the column that must not be zero. A blank is put before the first word of a
/// description.
const PROMISES: [(&str, Column); 12] = [
    (" castling: ", |found| found.castles),
    (" castling move", |found| found.castles),
    (" castling is ", |found| found.castles),
    (" en passant: ", |found| found.en_passant),
    (" en passant capture", |found| found.en_passant),
    (" promot", |found| found.promotions),
    (" check", |found| found.checks.total()),
    (" discovered check", discovered),
    (" uncover", discovered),
    (" double check", doubled),
    (" mate", |found| found.checkmates.total()),
    (" stalemate", |found| found.stalemates),
];

/// Words that limit a promise to a number of plies.
const LIMITS: [(&str, u32); 3] =
    [("possible at once", 1), ("promotes at once", 1), ("within three plies", 3)];

/// The number of plies within which other promises hold.
const PLIES: u32 = 4;

/// Words of descriptions of moves that are not legal.
const DENIALS: [&str; 9] =
    ["not ", "cannot", "would", "forbid", "neither", "no answer", "no pawn", "loses both rights", "c4 stays"];

/// Returns the number of checks by a piece that has not moved.
fn discovered(found: &LeafStatistics) -> u128 {
    found.checks.discovered + doubled(found)
}

fn doubled(found: &LeafStatistics) -> u128 {
    found.checks.direct_and_discovered + found.checks.double_discovered
}

#[test]
fn descriptions_promise_what_the_tree_has() {
    let cases = builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases);
    let (mut kept, mut broken) = (0, Vec::new());
    for case in cases {
        for (word, column) in PROMISES {
            match is_kept(case, word, column) {
                None => {}
                Some(true) => kept += 1,
                Some(false) => broken.push(format!("{}:{word}", case.name())),
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(kept > 380, "only {kept} promises were found");
}

/// Whether the tree of a case contains what a word of its description promises. `None` if it promises nothing of this
/// kind.
fn is_kept(case: &Case, word: &str, column: Column) -> Option<bool> {
    let text = format!(" {}", case.comment.as_deref()?);
    let is_family = word.ends_with(": ");
    let is_denied = is_family && DENIALS.iter().any(|denial| text.contains(denial));
    if !text.contains(word) || is_denied || text.contains(&format!(" no{word}")) {
        return None;
    }
    let limit = LIMITS.iter().find(|(words, _)| text.contains(words));
    let plies = limit.map_or(PLIES, |&(_, plies)| plies);
    let has_it = |ply| column(&statistics(&case.position, ply)) > 0;
    Some(column(&of_root(&case.position)) > 0 || (1..=plies).any(has_it))
}

fn statistics(position: &Position, depth: u32) -> LeafStatistics {
    Perft::new().statistics(position, depth, None, &Progress::default()).expect("nothing stops the count")
}

/// Returns the statistics of a position as if a move had led to it. A check by one piece counts as direct.
fn of_root(position: &Position) -> LeafStatistics {
    let checkers = position.checkers().count();
    let is_over = position.legal_moves().is_empty();
    let mut statistics = LeafStatistics {
        nodes: 1,
        stalemates: u128::from(is_over && checkers == 0),
        ..LeafStatistics::default()
    };
    if checkers > 0 {
        statistics.checks.count(true, checkers > 1);
    }
    if is_over && checkers > 0 {
        statistics.checkmates.count(true, checkers > 1);
    }
    statistics
}

//! Counts on the only thread that WebAssembly has. Workers share a count by its first moves.

use perft_core::{Interrupted, Position, legal_moves};
use perft_count::{LeafStatistics, Perft, Progress};
use serde::Serialize;

use crate::answers::Nodes;
use crate::place::Place;

/// The number of leaf nodes.
#[derive(Debug, Serialize)]
pub struct Count {
    nodes: Nodes,
}

/// The leaf nodes by the kind of the last move.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    nodes: Nodes,
    captures: Nodes,
    en_passant: Nodes,
    castles: Nodes,
    promotions: Nodes,
    checks: Nodes,
    direct_checks: Nodes,
    discovered_checks: Nodes,
    direct_and_discovered_checks: Nodes,
    double_discovered_checks: Nodes,
    checkmates: Nodes,
    direct_checkmates: Nodes,
    discovered_checkmates: Nodes,
    direct_and_discovered_checkmates: Nodes,
    double_discovered_checkmates: Nodes,
    stalemates: Nodes,
}

/// The positions that workers count to get the count of a position.
#[derive(Debug, Serialize)]
pub struct Split {
    /// The root moves.
    moves: Vec<String>,
    parts: Vec<Part>,
}

/// A position some moves below the root.
#[derive(Debug, Serialize)]
struct Part {
    /// The index of the root move that leads there.
    root: usize,
    fen: String,
}

impl Count {
    /// Counts the leaf nodes.
    pub fn of(place: &Place, depth: u32) -> Count {
        Count { nodes: Nodes(Perft::new().count(place.position(), depth)) }
    }
}

impl Statistics {
    /// Counts the leaf nodes by the kind of the last move.
    pub fn of(place: &Place, depth: u32) -> Statistics {
        let found: LeafStatistics =
            uninterrupted(Perft::new().statistics(place.position(), depth, None, &Progress::default()));
        let (checks, checkmates) = (found.checks, found.checkmates);
        Statistics {
            nodes: Nodes(found.nodes),
            captures: Nodes(found.captures),
            en_passant: Nodes(found.en_passant),
            castles: Nodes(found.castles),
            promotions: Nodes(found.promotions),
            checks: Nodes(checks.total()),
            direct_checks: Nodes(checks.direct),
            discovered_checks: Nodes(checks.discovered),
            direct_and_discovered_checks: Nodes(checks.direct_and_discovered),
            double_discovered_checks: Nodes(checks.double_discovered),
            checkmates: Nodes(checkmates.total()),
            direct_checkmates: Nodes(checkmates.direct),
            discovered_checkmates: Nodes(checkmates.discovered),
            direct_and_discovered_checkmates: Nodes(checkmates.direct_and_discovered),
            double_discovered_checkmates: Nodes(checkmates.double_discovered),
            stalemates: Nodes(found.stalemates),
        }
    }
}

impl Split {
    /// Returns the positions after `plies` moves: 0, 1, or 2. With 0, this is the position itself.
    pub fn of(place: &Place, plies: u32) -> Split {
        let position = place.position();
        let legal = legal_moves(position);
        let mut parts = Vec::new();
        let mut add = |root: usize, position: &Position| parts.push(Part { root, fen: position.to_string() });
        if plies == 0 {
            add(0, position);
        }
        for (root, &played) in legal.iter().enumerate().filter(|_| plies > 0) {
            let child = position.play_unchecked(played);
            if plies == 1 {
                add(root, &child);
            } else {
                legal_moves(&child).into_iter().for_each(|reply| add(root, &child.play_unchecked(reply)));
            }
        }
        Split { moves: legal.iter().map(|played| played.to_uci(place.notation)).collect(), parts }
    }
}

/// Unwraps a count. Nothing raises the stop signal here: the page ends the worker instead.
pub fn uninterrupted<T>(counted: Result<T, Interrupted>) -> T {
    counted.expect("nothing interrupts a count")
}

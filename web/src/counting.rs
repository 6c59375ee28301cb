//! Counts positions on one thread. Several workers of the page share a count by its first moves.

use perft_core::Position;
use perft_count::{LeafKind, Perft, Progress};
use serde_json::{Value, json};

use crate::place::Place;

/// Returns the number of leaf nodes.
pub fn count(place: &Place, depth: u32) -> Value {
    json!({ "nodes": Perft::new().count(place.position(), depth).to_string() })
}

/// Returns the leaf nodes by the kind of the last move.
pub fn statistics(place: &Place, depth: u32) -> Value {
    let counted = Perft::new().statistics(place.position(), depth, None, &Progress::default());
    // The page ends the worker instead.
    let found = counted.expect("nothing interrupts a count");
    let kinds = LeafKind::ALL.iter().map(|kind| (kind.name, (kind.count)(&found)));
    kinds.chain([("nodes", found.nodes)]).map(|(name, nodes)| (name, nodes.to_string())).collect()
}

/// Returns the names and the labels of the kinds of leaf nodes, in the order in which they are shown.
pub fn kinds() -> Value {
    let kinds = LeafKind::ALL.iter().map(|kind| [kind.name, kind.label]);
    json!({ "kinds": Vec::from_iter([["nodes", "nodes"]].into_iter().chain(kinds)) })
}

/// Returns the root moves, and the positions that workers count to get the count of the position.
///
/// These are the positions after `plies` moves: 0, 1, or 2. With 0, this is the position itself. Each has the index of
/// the root move that leads there.
pub fn split(place: &Place, plies: u32) -> Value {
    let position = place.position();
    let legal = position.legal_moves();
    let mut parts = Vec::new();
    let mut add =
        |root: usize, position: &Position| parts.push(json!({ "root": root, "fen": position.to_string() }));
    if plies == 0 {
        add(0, position);
    }
    for (root, &played) in legal.iter().enumerate().filter(|_| plies > 0) {
        let child = position.play_legal(played);
        if plies == 1 {
            add(root, &child);
        } else {
            child.legal_moves().into_iter().for_each(|reply| add(root, &child.play_legal(reply)));
        }
    }
    let moves: Vec<String> = legal.iter().map(|played| played.to_uci(place.notation)).collect();
    json!({ "moves": moves, "parts": parts })
}

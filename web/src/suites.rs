//! The built-in suites.

use perft_core::suite::Case;
use perft_core::suite::builtin::suites;
use serde_json::{Value, json};

/// Returns all suites with their positions and the known counts.
pub fn all() -> Value {
    let all = suites().iter().map(|suite| {
        let positions: Vec<Value> = suite.suite().cases.iter().map(position).collect();
        json!({ "name": suite.name, "about": suite.about, "positions": positions })
    });
    json!({ "suites": all.collect::<Vec<_>>() })
}

/// Returns a position. The comment says which kind of bug it catches.
fn position(case: &Case) -> Value {
    let counts =
        case.expected.iter().map(|known| json!({ "depth": known.depth, "nodes": known.nodes.to_string() }));
    json!({
        "name": case.name(),
        "fen": case.fen,
        "comment": case.comment,
        "counts": counts.collect::<Vec<_>>(),
    })
}

//! The built-in suites.

use perft_core::suite::builtin::{BuiltIn, suites};
use perft_core::suite::{Case, KnownCount};
use serde::Serialize;

use crate::answers::Nodes;

/// All suites.
#[derive(Debug, Serialize)]
pub struct Suites {
    suites: Vec<Suite>,
}

#[derive(Debug, Serialize)]
struct Suite {
    name: &'static str,
    /// The purpose of the suite.
    about: &'static str,
    positions: Vec<NamedPosition>,
}

#[derive(Debug, Serialize)]
struct NamedPosition {
    name: &'static str,
    fen: &'static str,
    /// The kind of bug that the position catches.
    comment: Option<&'static str>,
    counts: Vec<DepthCount>,
}

#[derive(Debug, Serialize)]
struct DepthCount {
    depth: u32,
    nodes: Nodes,
}

impl Suites {
    /// Returns all suites.
    pub fn all() -> Suites {
        Suites { suites: suites().iter().map(|&suite| Suite::from(suite)).collect() }
    }
}

impl From<&'static BuiltIn> for Suite {
    fn from(suite: &'static BuiltIn) -> Suite {
        let positions = suite.suite().cases.iter().map(NamedPosition::from).collect();
        Suite { name: suite.name, about: suite.about, positions }
    }
}

impl From<&'static Case> for NamedPosition {
    fn from(case: &'static Case) -> NamedPosition {
        NamedPosition {
            name: case.name(),
            fen: &case.fen,
            comment: case.comment.as_deref(),
            counts: case.expected.iter().map(DepthCount::from).collect(),
        }
    }
}

impl From<&KnownCount> for DepthCount {
    fn from(known: &KnownCount) -> DepthCount {
        DepthCount { depth: known.depth, nodes: Nodes(known.nodes) }
    }
}

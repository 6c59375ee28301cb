//! The report of `perft list positions`: built-in positions and suites.

use perft_core::suite::builtin::BuiltIn;
use perft_core::suite::{Case, KnownCount};
use serde::Serialize;

use super::{Header, Nodes, PositionInfo, Report};

/// Some or all of the built-in positions and suites.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PositionsReport {
    /// Who wrote the report.
    #[serde(flatten)]
    pub header: Header,
    /// The positions.
    pub cases: Vec<CaseReport>,
    /// The suites.
    pub suites: Vec<BuiltInReport>,
}

/// A position with its known counts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CaseReport {
    /// The position.
    pub position: PositionInfo,
    /// The kind of bug that the position catches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The known counts, by depth.
    pub counts: Vec<KnownCountReport>,
}

/// A known count.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct KnownCountReport {
    /// The depth in plies.
    pub depth: u32,
    /// The leaf nodes.
    #[serde(flatten)]
    pub nodes: Nodes,
}

/// A built-in suite.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BuiltInReport {
    /// The name.
    pub name: &'static str,
    /// The purpose of the suite.
    pub about: &'static str,
    /// The number of its positions.
    pub positions: usize,
}

impl Report for PositionsReport {
    const NAME: &'static str = "positions";
}

impl CaseReport {
    /// Describes a case.
    pub fn new(case: &Case) -> CaseReport {
        let count = |known: &KnownCount| KnownCountReport { depth: known.depth, nodes: Nodes(known.nodes) };
        CaseReport {
            position: PositionInfo::named(case.name(), &case.position),
            comment: case.comment.clone(),
            counts: case.expected.iter().map(count).collect(),
        }
    }
}

impl BuiltInReport {
    /// Describes a suite.
    pub fn new(built_in: &BuiltIn) -> BuiltInReport {
        let &BuiltIn { name, about, .. } = built_in;
        BuiltInReport { name, about, positions: built_in.suite().cases.len() }
    }
}

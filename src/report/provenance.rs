//! How a result was made. The reports of counts begin with these fields.

use serde::Serialize;

use super::{HashTableReport, Header};

/// How a result was made: the program, the machine and the settings of the count.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Provenance {
    /// Who wrote the report, and when.
    #[serde(flatten)]
    pub header: Header,
    /// The machine.
    pub machine: Machine,
    /// The generator that counted: the name of a built-in one, `engine` or `several`.
    pub generator: &'static str,
    /// The CPU path: the CPU features that the generator was compiled for.
    pub cpu_path: &'static str,
    /// The slider lookup; `None` if the generator has no choice of lookups.
    pub sliders: Option<&'static str>,
    /// The number of threads.
    pub threads: usize,
    /// The size of the transposition table in bytes; 0 without a table.
    pub table_bytes: usize,
    /// The use of the transposition table, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<HashTableReport>,
    /// Whether bulk counting was used: the moves of the last ply are counted and not made.
    pub bulk: bool,
    /// The kind of count.
    pub mode: CountMode,
    /// The memory for merging equal positions in bytes; 0 if positions are not merged.
    pub memory_bytes: usize,
}

/// A kind of count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CountMode {
    /// A plain count, without a transposition table.
    Plain,
    /// A count with a transposition table.
    Hashed,
    /// An exact count that merges equal positions.
    Exact,
    /// A count of distinct positions.
    Unique,
    /// A count of captures, checks, mates and other kinds of moves.
    Statistics,
    /// A comparison of the built-in generators.
    Agree,
    /// An estimate from random walks.
    Estimate,
    /// A search for bugs of an engine in known positions.
    Hunt,
    /// A search for bugs of an engine in random positions.
    Fuzz,
    /// A search for the mistakes that explain a wrong number.
    Diagnose,
}

impl CountMode {
    /// Returns the name that JSON uses.
    pub(super) const fn name(self) -> &'static str {
        match self {
            CountMode::Plain => "plain",
            CountMode::Hashed => "hashed",
            CountMode::Exact => "exact",
            CountMode::Unique => "unique",
            CountMode::Statistics => "statistics",
            CountMode::Agree => "agree",
            CountMode::Estimate => "estimate",
            CountMode::Hunt => "hunt",
            CountMode::Fuzz => "fuzz",
            CountMode::Diagnose => "diagnose",
        }
    }
}

/// The properties of a machine that affect the speed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Machine {
    /// The model of the CPU; `None` if the system does not say.
    pub cpu: Option<String>,
    /// The number of logical cores that this process may use.
    pub cores: usize,
    /// The architecture that the program was compiled for.
    pub arch: &'static str,
    /// The operating system that the program was compiled for.
    pub os: &'static str,
}

//! The report of `perft list generators`.

use perft_lab::generators::{Design, Generator};
use serde::Serialize;

use super::{Header, Report};

/// Some or all of the built-in generators.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GeneratorsReport {
    /// Who wrote the report.
    #[serde(flatten)]
    pub header: Header,
    /// The generators.
    pub generators: Vec<GeneratorReport>,
}

/// A generator, with the fields of its [`Design`].
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct GeneratorReport {
    pub name: &'static str,
    pub about: &'static str,
    pub board: &'static str,
    pub sliders: &'static str,
    pub legality: &'static str,
    pub playing: &'static str,
    pub move_format: &'static str,
    pub counting: &'static str,
    pub source: &'static str,
}

impl Report for GeneratorsReport {
    const NAME: &'static str = "generators";
}

impl GeneratorReport {
    /// Describes a generator.
    pub fn new(generator: Generator) -> GeneratorReport {
        let Design { about, board, sliders, legality, playing, moves: move_format, counting, source } =
            generator.design();
        let name = generator.name();
        GeneratorReport { name, about, board, sliders, legality, playing, move_format, counting, source }
    }
}

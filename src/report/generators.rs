//! The report of `perft generators`.

use perft_lab::generators::{Design, Generator};
use serde::Serialize;

/// Some or all of the built-in generators.
#[derive(Clone, Debug, Serialize)]
pub struct GeneratorsReport {
    /// The generators.
    pub generators: Vec<GeneratorReport>,
}

/// A generator, with the fields of its [`Design`].
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct GeneratorReport {
    pub name: &'static str,
    pub about: &'static str,
    pub board: &'static str,
    pub sliders: &'static str,
    pub legality: &'static str,
    pub playing: &'static str,
    pub moves: &'static str,
    pub counting: &'static str,
    pub source: &'static str,
}

impl GeneratorReport {
    /// Describes a generator.
    pub fn new(generator: Generator) -> GeneratorReport {
        let Design { about, board, sliders, legality, playing, moves, counting, source } = generator.design();
        let name = generator.name();
        GeneratorReport { name, about, board, sliders, legality, playing, moves, counting, source }
    }
}

//! Properties that hold for any `perft.toml` and any client of `perft uci`. Fuzz targets check them for random texts,
//! and a test checks them for the texts in `fuzz/corpus`.

use std::io::Cursor;
use std::path::Path;

use perft_diagnosis::serve::{DivideTask, UciEngine, serve};
use perft_lab::generators::Generator;

use super::uci::ServedGenerator;
use crate::input::config::{Engines, entry};
use crate::output::error::CliError;

/// The largest depth. Counting to it takes no noticeable time.
const MAX_DEPTH: u32 = 2;

/// Checks that a text is read as a `perft.toml` or is refused with a message that can be printed. Also checks that an
/// entry that `perft probe --save` writes for an engine of the file reads the same.
pub fn perft_toml(text: &str) {
    let path = Path::new("/folder/perft.toml");
    let engines = match Engines::read(text, path) {
        Ok(engines) => engines,
        Err(CliError::Text(faults)) => {
            assert!(!faults.is_empty());
            return faults.iter().for_each(|faults| assert!(!faults.to_string().is_empty()));
        }
        Err(other) => panic!("{other:?}"),
    };
    for (name, spec) in engines.specs() {
        let written = entry(name, spec, None, spec.ask_state.as_deref());
        let read = Engines::read(&written, path).unwrap_or_else(|error| panic!("{written}: {error:?}"));
        let found: Vec<_> = read.specs().collect();
        assert_eq!(found.len(), 1, "{written}");
        assert_eq!((found[0].0, &found[0].1.command), (name, &spec.command), "{written}");
        assert_eq!((found[0].1.dialect, &found[0].1.ask_state), (spec.dialect, &spec.ask_state), "{written}");
        assert_eq!(found[0].1.asking.lines, spec.asking.lines, "{written}");
    }
}

/// Checks that the next correct question is answered correctly, no matter what a client has sent before. Long counts
/// and large tables are left out.
pub fn uci(bytes: &[u8]) {
    let is_end = |word: &[u8]| word == b"quit";
    if bytes.windows(4).any(is_end) || bytes.len() > perft_diagnosis::lines::MAX_LINE {
        return;
    }
    let mut input = bytes.to_vec();
    input.extend(b"\nstop\nposition startpos\ngo perft 2\nisready\nd\n");
    let mut output = Vec::new();
    serve(&mut Limited(ServedGenerator::new(Generator::Bitboard)), Cursor::new(input), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert!(output.contains("\nNodes searched: 400\n") && output.contains("readyok\n"), "{output}");
    assert!(output.ends_with("\nCheckers: \n"), "{output}");
}

/// A generator that counts to a small depth only.
struct Limited(ServedGenerator);

impl UciEngine for Limited {
    fn name(&self) -> String {
        self.0.name()
    }

    fn author(&self) -> String {
        self.0.author()
    }

    fn options(&self) -> Vec<String> {
        self.0.options()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let is_large = value.parse().is_ok_and(|value: usize| value > 2);
        if is_large { Err("too large".to_owned()) } else { self.0.set_option(name, value) }
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[&str]) -> Result<(), String> {
        self.0.set_position(fen, moves)
    }

    fn divide(&self, depth: u32) -> DivideTask {
        self.0.divide(depth.min(MAX_DEPTH))
    }

    fn diagram(&self) -> String {
        self.0.diagram()
    }
}

#[cfg(test)]
mod tests {
    use perft_testing::properties::check_corpus;

    use super::*;

    #[test]
    fn the_corpus_has_the_properties() {
        check_corpus("config", |bytes| perft_toml(&String::from_utf8_lossy(bytes)));
        check_corpus("uci", uci);
    }
}

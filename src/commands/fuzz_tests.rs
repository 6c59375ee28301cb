//! Properties that hold for any `perft.toml` and any client of `perft uci`. Fuzz targets check them for random texts,
//! and a test checks them for the texts in `fuzz/corpus`.

use std::io::Cursor;
use std::path::Path;

use perft_diagnosis::serve::serve;
use perft_lab::generators::Generator;

use super::uci::ServedGenerator;
use crate::input::Engines;
use crate::input::config::entry;
use crate::output::CliError;

/// The largest number that a client may send, as a digit. Counting to this depth takes no noticeable time.
const MAX_DIGIT: u8 = b'2';

/// Checks that a text is read as a `perft.toml` or is refused with a message that can be printed. Also checks that an
/// entry that `perft probe --save` writes for an engine of the file reads back the same.
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
        let written = entry(name, spec, spec.ask_state.as_deref());
        let read = Engines::read(&written, path).unwrap_or_else(|error| panic!("{written}: {error:?}"));
        let found: Vec<_> = read.specs().collect();
        assert_eq!(found.len(), 1, "{written}");
        assert_eq!((found[0].0, &found[0].1.command), (name, &spec.command), "{written}");
        assert_eq!((found[0].1.dialect, &found[0].1.ask_state), (spec.dialect, &spec.ask_state), "{written}");
        assert_eq!(found[0].1.asking.lines, spec.asking.lines, "{written}");
    }
}

/// Checks that the next correct question is answered correctly, no matter what a client has sent before. Lines with a
/// large number, which could ask for a long count or a large table, are left out.
pub fn uci(bytes: &[u8]) {
    let is_end = |word: &[u8]| word == b"quit";
    if bytes.windows(4).any(is_end) || bytes.len() > perft_diagnosis::lines::MAX_LINE {
        return;
    }
    let is_small = |number: &[u8]| number.is_empty() || number.len() == 1 && number[0] <= MAX_DIGIT;
    let is_taken = |line: &&[u8]| {
        line.starts_with(b"position") || line.split(|byte| !byte.is_ascii_digit()).all(is_small)
    };
    let mut input = bytes.split(|byte| *byte == b'\n').filter(is_taken).collect::<Vec<_>>().join(&b'\n');
    input.extend(b"\nstop\nposition startpos\ngo perft 2\nisready\nd\n");
    let mut output = Vec::new();
    serve(&mut ServedGenerator::new(Generator::Bitboard), Cursor::new(input), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert!(output.contains("\nNodes searched: 400\n") && output.contains("readyok\n"), "{output}");
    assert!(output.ends_with("\nCheckers: \n"), "{output}");
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

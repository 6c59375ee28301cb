//! Properties that hold for any output of an engine. A fuzz target checks them for random bytes, and a test checks them
//! for the files in `fuzz/corpus`.

use std::io::{BufRead, BufReader};
use std::sync::Mutex;

use perft_diagnosis::source::{Answer, Profile, State};

use super::process::next_line;
use super::session::UciOptions;

/// Reads the output of an engine. `check` gets the output and each answer. The first byte is the size of the pieces in
/// which the rest arrives; the lines must not depend on it.
pub fn engine_output(bytes: &[u8], check: impl Fn(&str, &Answer)) {
    let Some((&size, output)) = bytes.split_first() else { return };
    let lines = lines(output);
    let in_pieces = BufReader::with_capacity(usize::from(size).max(1), output);
    assert_eq!(self::lines(in_pieces), lines);
    let text = lines.join("\n");
    check(&text, &Answer::parse(&text));
    let profile = Profile::of_stockfish();
    let mut reader = profile.reader(2, 20);
    let mut options = UciOptions::default();
    for line in &lines {
        reader.read(line);
        options.read(line);
    }
    check(&text, &reader.finish());
    State::parse(&text);
}

fn lines(mut output: impl BufRead) -> Vec<String> {
    let unfinished = Mutex::default();
    std::iter::from_fn(|| next_line(&mut output, &unfinished).ok().flatten()).collect()
}

#[cfg(test)]
mod tests {
    use perft_testing::properties::{check_corpus, check_counts};

    use super::*;

    #[test]
    fn the_corpus_has_the_properties() {
        check_corpus("engine", |bytes| engine_output(bytes, check_counts));
    }
}

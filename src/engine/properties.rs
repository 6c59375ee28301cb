//! Properties that hold for any output of an engine. A fuzz target checks them for random bytes, and a test
//! checks them for the files in `fuzz/corpus`.

use std::io::{self, BufReader, Read};

use perft_diagnosis::source::Answer;
use perft_diagnosis::state::StateReader;

use super::answer_progress::{AnswerProgress, Ready, Step};
use super::process::next_line;
use super::session::UciOption;

/// Reads the output of an engine in every way in which an engine can say that it is ready. `check` gets the
/// output and each answer. The first byte is the size of the pieces in which the rest arrives; the lines must not
/// depend on it.
pub fn engine_output(bytes: &[u8], check: impl Fn(&str, &Answer)) {
    let Some((&size, output)) = bytes.split_first() else { return };
    let lines = lines(output);
    assert_eq!(self::lines(Pieces { rest: output, size: usize::from(size).max(1) }), lines);
    for ready in [Ready::Asked, Ready::Ping(7), Ready::Never] {
        for ends_with_total in [false, true] {
            let answer = heard(&lines, ready, ends_with_total);
            check(&lines.join("\n"), &answer);
        }
    }
    let mut state = StateReader::default();
    for line in &lines {
        state.read(line);
        UciOption::of_line(line);
    }
}

/// Bytes that arrive in pieces.
struct Pieces<'a> {
    rest: &'a [u8],
    size: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.size.min(buffer.len());
        self.rest.by_ref().take(length as u64).read(buffer)
    }
}

/// Returns the lines of an output, up to its end or to a line that cannot be read.
fn lines(output: impl Read) -> Vec<String> {
    let mut output = BufReader::new(output);
    std::iter::from_fn(|| next_line(&mut output).ok().flatten()).collect()
}

/// Returns the answer that these lines give, without any pauses.
fn heard(lines: &[String], ready: Ready, ends_with_total: bool) -> Answer {
    let mut answer_progress = AnswerProgress::new(2, ready, ends_with_total, String::new());
    for line in lines {
        let step = answer_progress.read(line.trim(), ready);
        let _ = answer_progress.patience();
        if !matches!(step, Step::More | Step::AskAgain) {
            break;
        }
    }
    answer_progress.reader.finish()
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

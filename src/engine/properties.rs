//! Properties that hold for any output of an engine. A fuzz target checks them for random bytes, and a test checks them
//! for the files in `fuzz/corpus`.

use std::io::{BufRead, BufReader};

use perft_diagnosis::source::{Answer, StateReader};

use super::conversation::{Action, Conversation, Sign};
use super::dialect::Dialect;
use super::options::UciOptions;
use super::process::{OutputEvent, next_line};
use super::spec::EngineSpec;

/// Reads the output of an engine in every way in which an engine can say that it is ready. `check` gets the output and
/// each answer. The first byte is the size of the pieces in which the rest arrives; the lines must not depend on it.
pub fn engine_output(bytes: &[u8], check: impl Fn(&str, &Answer)) {
    let Some((&size, output)) = bytes.split_first() else { return };
    let lines = lines(output);
    let in_pieces = BufReader::with_capacity(usize::from(size).max(1), output);
    assert_eq!(self::lines(in_pieces), lines);
    let text = lines.join("\n");
    for sign in [Sign::Readyok, Sign::Pong(7), Sign::Silence] {
        for dialect in ["uci", "lines"] {
            let dialect = dialect.parse::<Dialect>().expect("there is such a dialect");
            if let Some(answer) = heard(&lines, sign, dialect) {
                check(&text, &answer);
            }
        }
    }
    let (mut state, mut options) = (StateReader::default(), UciOptions::default());
    for line in &lines {
        state.read(line);
        options.read(line);
    }
}

/// Returns the lines of an output, up to its end or to a line that cannot be read.
fn lines(mut output: impl BufRead) -> Vec<String> {
    std::iter::from_fn(|| next_line(&mut output).ok().flatten()).collect()
}

/// Returns the answer that these lines give, without any pauses, or `None` if they give none.
fn heard(lines: &[String], sign: Sign, dialect: Dialect) -> Option<Answer> {
    let spec = EngineSpec::of_words(vec!["engine".to_owned()], dialect).expect("there is a program");
    let mut conversation = Conversation::new(sign, &spec);
    conversation.begin(conversation.counting(&spec, 2, String::new(), false));
    let lines = lines.iter().map(|line| OutputEvent::Line(line.clone()));
    for event in lines.chain([OutputEvent::End { has_failed: false }]) {
        let _ = conversation.patience();
        match conversation.next(event) {
            Action::Finish(reply) => return Some(reply.answer),
            Action::Fail(_) => return None,
            _ => {}
        }
    }
    None
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

//! Reads the counts of another program from a text: the output of any perft, or the JSON of `perft divide`.

use perft_diagnosis::source::{Answer, Lesson};
use serde::Deserialize;

use crate::output::error::CliError;

/// A divide in the JSON of this program.
#[derive(Deserialize)]
struct JsonDivide {
    moves: Vec<JsonMove>,
    nodes: u128,
}

#[derive(Deserialize)]
struct JsonMove {
    #[serde(rename = "move")]
    played: String,
    nodes: u128,
}

/// Reads the counts of a text. `name` is the name of its file, or `-` for standard input.
///
/// # Errors
/// The text has no counts, or it is not clear which of its numbers are counts.
pub fn read_answer(name: &str, lesson: &Lesson) -> Result<Answer, CliError> {
    let answer = of_json(&lesson.lines.join("\n")).unwrap_or_else(|| Answer::of_lesson(lesson));
    if answer.is_empty() {
        let message = format!(
            "there are no counts in {}, or it is not clear which of its numbers they are",
            shown(name)
        );
        return Err(CliError::usage(message).help(
            "give the output of a perft: a line such as 'e2e4: 20' for each move, or the total alone",
        ));
    }
    Ok(answer)
}

fn of_json(text: &str) -> Option<Answer> {
    let JsonDivide { moves, nodes } = serde_json::from_str(text).ok()?;
    let moves = moves.into_iter().map(|JsonMove { played, nodes }| (played, nodes)).collect();
    Some(Answer { moves, stated_total: Some(nodes), ..Answer::default() })
}

/// Returns the name of a text in a message.
pub fn shown(name: &str) -> String {
    if name == "-" { "standard input".to_owned() } else { format!("'{name}'") }
}

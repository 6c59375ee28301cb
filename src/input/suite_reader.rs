//! Reads suites: built-in ones, built-in positions, files, and standard input.

use std::fs::File;
use std::io;
use std::io::{Read, stdin};

use perft_core::suite::{Case, Suite, builtin};
use perft_core::{Interrupted, StopSignal};
use perft_diagnosis::lines::visible;
use perft_diagnosis::source::{Answer, Lesson};
use serde::Deserialize;

use super::mistakes::unknown_name;
use super::{first_word, is_board, is_number};
use crate::output::context::Context;
use crate::output::error::{CliError, note};
use crate::system::command_line::quoted;

/// A larger text is refused.
const MAX_BYTES: usize = 1 << 30;

/// So much text without a single slash has no FEN.
const MAX_BYTES_WITHOUT_FEN: usize = 1 << 20;

/// Reads the suites of these names, or all built-in suites if there are no names.
///
/// # Errors
/// A suite cannot be read, has faults, or has no positions; or the stop signal was raised.
pub fn read_suites(names: &[String], context: &Context) -> Result<Vec<Suite>, CliError> {
    if names.is_empty() {
        return Ok(builtin::suites().iter().map(|built_in| built_in.suite().clone()).collect());
    }
    names.iter().map(|name| read_suite(name, context)).collect()
}

/// Reads a suite: a built-in one, a built-in position, standard input for `-`, or a file. Notes say how a file was read.
///
/// # Errors
/// It cannot be read, has faults, or has no positions; or the stop signal was raised.
pub fn read_suite(name: &str, context: &Context) -> Result<Suite, CliError> {
    if let Some(suite) = built_in(name) {
        return Ok(suite);
    }
    let (name, text) = read_text(name, &context.stop)?;
    if text.starts_with("#!") {
        let program = if name.contains('/') { name } else { format!("./{name}") };
        return Err(CliError::usage(format!("'{program}' is a script, not a suite")).help(format!(
            "if it is an engine, make it executable and name it: chmod +x {0} && perft suite --engine {0}",
            quoted(&program)
        )));
    }
    let read = Suite::from_text(&name, &text);
    let notes = match &read {
        Ok(suite) => &suite.notes,
        Err(error) => &error.notes,
    };
    if !context.global.quiet {
        notes.iter().for_each(|text| note(format!("{name}: {text}")));
    }
    let suite = read?;
    if suite.cases.is_empty() {
        return Err(CliError::usage(format!("the suite '{name}' has no positions")));
    }
    Ok(suite)
}

/// Reads a whole file, or standard input for `-`. Returns its name for messages, and its text.
fn read_text(name: &str, stop: &StopSignal) -> Result<(String, String), CliError> {
    let (name, mut input): (&str, Box<dyn Read>) = match name {
        "-" => ("standard input", Box::new(stdin().lock())),
        _ => (name, Box::new(File::open(name).map_err(|error| unopened(name, &error))?)),
    };
    let mut bytes = Vec::new();
    while input.by_ref().take(1 << 16).read_to_end(&mut bytes).map_err(|error| unreadable(name, &error))? > 0
    {
        if stop.is_raised() {
            return Err(Interrupted.into());
        }
        if bytes.len() > MAX_BYTES {
            return Err(unreadable(name, &format!("it has more than {} MiB", MAX_BYTES >> 20)));
        }
        if bytes.len() > MAX_BYTES_WITHOUT_FEN && !bytes.contains(&b'/') {
            return Err(unreadable(name, &"there is no FEN in the first 1 MiB"));
        }
    }
    refuse_utf16(name, &bytes)?;
    let text = String::from_utf8_lossy(&bytes).replace('\0', "").replace("\r\n", "\n").replace('\r', "\n");
    Ok((name.to_owned(), visible(text.trim_start_matches('\u{feff}'))))
}

pub fn is_built_in(name: &str) -> bool {
    builtin::suite(name).is_some() || builtin::position(name).is_some()
}

/// Reads the lines of a file, or of standard input for `-`. The lines are not parsed.
///
/// # Errors
/// The file cannot be read, or the stop signal was raised.
pub fn read_lines(name: &str, stop: &StopSignal) -> Result<Vec<String>, CliError> {
    Ok(read_text(name, stop)?.1.lines().map(str::to_owned).collect())
}

/// Returns the built-in suite with this name, or the built-in position as a suite.
fn built_in(name: &str) -> Option<Suite> {
    let of_case =
        |case: &Case| Suite { name: case.name().to_owned(), cases: vec![case.clone()], ..Suite::default() };
    let suite = builtin::suite(name).map(|built_in| built_in.suite().clone());
    suite.or_else(|| builtin::position(name).map(of_case))
}

/// Returns the error for a file that cannot be opened. It says so if the name is that of something else.
fn unopened(name: &str, error: &io::Error) -> CliError {
    let refusal = |what: &str| CliError::usage(format!("'{name}' is {what}, not a suite"));
    if error.kind() != io::ErrorKind::NotFound {
        unreadable(name, error)
    } else if is_board(first_word(name)) {
        refusal("a position").help(format!("count it with: perft {} 5", quoted(name)))
    } else if is_number(name) {
        let help =
            format!("a suite has the depths of its known counts; --max-depth {name} leaves out deeper ones");
        refusal("a number").help(help)
    } else if which::which(name).is_ok() {
        refusal("a program").help(format!("to name an engine, type: --engine {}", quoted(name)))
    } else if !name.contains('/') {
        unknown_name(name, &["the name of a position", "a suite", "a file"])
    } else {
        CliError::usage(format!("there is no file '{name}'"))
            .help("give the path of an engine, or of a file with positions and their counts")
    }
}

fn unreadable(name: &str, why: &dyn std::fmt::Display) -> CliError {
    let names: Vec<&str> = builtin::suites().iter().map(|built_in| built_in.name).collect();
    CliError::usage(format!("cannot read the suite '{name}': {why}"))
        .help(format!("give a file, '-' for standard input, or a built-in suite: {}", names.join(", ")))
}

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

/// Checks that a text does not begin with the byte order mark of UTF-16, in which Windows PowerShell writes files.
/// `name` is the name of the file.
///
/// # Errors
/// It does.
pub fn refuse_utf16(name: &str, bytes: &[u8]) -> Result<(), CliError> {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(CliError::usage(format!(
            "'{name}' is in UTF-16, not UTF-8"
        ))
        .help("save it as UTF-8; in PowerShell, write '| Out-File -Encoding utf8 FILE' instead of '> FILE'")),
        _ => Ok(()),
    }
}

/// Prints a note if there is data on standard input, when this value is made or when it is dropped.
pub struct UnreadInput {
    /// The command that reads the data, until the note is printed.
    reader: Option<String>,
}

impl UnreadInput {
    /// Call this at the start of a command that was not told to read standard input. `reader` is the command that would
    /// read it.
    pub fn watch(reader: String, context: &Context) -> UnreadInput {
        let mut unread = UnreadInput { reader: Some(reader).filter(|_| !context.global.quiet) };
        unread.look();
        unread
    }

    fn look(&mut self) {
        if let Some(reader) = self.reader.take_if(|_| is_waiting()) {
            note(format!("the data on standard input was not read; to read it: {reader}"));
        }
    }
}

impl Drop for UnreadInput {
    /// Checks again, because the other end of a pipe may have been slow to start.
    fn drop(&mut self) {
        self.look();
    }
}

/// Whether a file or a pipe on standard input has data. A terminal and `/dev/null` have none. Always `false` on
/// Windows, where each kind of input needs a different check.
fn is_waiting() -> bool {
    #[cfg(unix)]
    return {
        use std::io::{IsTerminal, stdin};
        !stdin().is_terminal() && crate::system::unix::waiting_bytes(stdin()) > 0
    };
    #[cfg(not(unix))]
    false
}

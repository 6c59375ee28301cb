//! Reads texts: suites and built-in positions, the counts of another program, files and standard input.
//!
//! Standard input is read only if an argument is `-`. Without it, `perft 4 < my.epd` counts the start position, and the
//! user should know. So a note says that data was not read. The check neither reads nor waits: the data may belong to
//! the script that runs the program.

use std::io::{self, ErrorKind, Read, stdin};
use std::path::Path;

use perft_core::suite::{Case, Suite, SuiteError, builtin};
use perft_core::{Interrupted, Position, RootMove};
use perft_diagnosis::lines::visible;
use perft_diagnosis::source::Answer;

use super::words::Word;
use crate::output::{CliError, Context, grouped, note};
use crate::system::command_line::quoted;
use crate::system::files::{self, Kind};

/// The largest size of a suite, and of the output of a program, in bytes.
const MAX_BYTES: u64 = 1 << 30;
const MAX_OUTPUT_BYTES: u64 = 1 << 26;

/// The number of bytes after which a text without a slash is refused: it has no FEN.
const MAX_BYTES_WITHOUT_FEN: usize = 1 << 20;

/// Reads the suites of these names, or all built-in suites if there are no names: built-in suites and positions,
/// standard input for `-`, and files. Notes say how a file is read.
///
/// # Errors
/// A suite cannot be read, has faults, or has no positions; or the stop signal was raised.
pub fn read_suites(names: &[String], context: &Context) -> Result<Vec<Suite>, CliError> {
    let (suites, errors) = read_legal(names, context)?;
    if errors.is_empty() { Ok(suites) } else { Err(CliError::of_suites(errors)) }
}

/// Like [`read_suites`], but positions with faults do not stop the others. Also returns their errors.
///
/// # Errors
/// A suite cannot be read, or no position of it can; or the stop signal was raised.
pub fn read_legal(names: &[String], context: &Context) -> Result<(Vec<Suite>, Vec<SuiteError>), CliError> {
    if names.is_empty() {
        return Ok((builtin::suites().iter().map(|built_in| built_in.suite().clone()).collect(), Vec::new()));
    }
    let (mut suites, mut errors) = (Vec::new(), Vec::new());
    for name in names {
        match read(name, context)? {
            Ok(suite) => suites.push(suite),
            Err(error) if error.rest.cases.is_empty() => return Err(error.into()),
            Err(error) => {
                suites.push(error.rest.clone());
                errors.push(error);
            }
        }
    }
    Ok((suites, errors))
}

/// Reads a suite. The inner error has its faults.
fn read(name: &str, context: &Context) -> Result<Result<Suite, SuiteError>, CliError> {
    match Word::of_ours(name) {
        None if Path::new(name).is_dir() => return Err(Word::Folder.refusal(name, "a suite", context)),
        None | Some(Word::Input) => {}
        Some(Word::Position | Word::Suite) => return Ok(Ok(built_in(name).unwrap_or_default())),
        Some(word) => return Err(word.refusal(name, "a suite", context)),
    }
    let (source, text) = read_text(name, MAX_BYTES, has_fen, context)?;
    if text.starts_with("#!") && name != "-" {
        let program = quoted(&if name.contains('/') { name.to_owned() } else { format!("./{name}") });
        return Err(CliError::usage(format!("'{name}' is a script, not a suite")).help(format!(
            "if it is an engine, make it executable: chmod +x {program}; if it is a list of positions, give it to \
             standard input"
        )));
    }
    let read = Suite::from_text(&source, &text);
    let (Ok(suite) | Err(SuiteError { rest: suite, .. })) = &read;
    suite.notes.iter().for_each(|text| note(format!("{source}: {text}")));
    match read {
        Ok(suite) if suite.cases.is_empty() => {
            Err(CliError::usage(format!("the suite '{source}' has no positions")))
        }
        read => Ok(read),
    }
}

/// Reads a whole file, or standard input for `-`. Returns its name for messages, and its text. `check` can end the
/// reading.
fn read_text(
    name: &str,
    limit: u64,
    check: fn(&[u8]) -> io::Result<()>,
    context: &Context,
) -> Result<(String, String), CliError> {
    let (name, input): (&str, Box<dyn Read>) = match name {
        "-" => ("standard input", Box::new(stdin().lock())),
        _ => {
            let opened = files::open(Path::new(name), Kind::Any);
            // The name may be that of something else.
            let unopened = |error: io::Error| match Word::of(name, None) {
                Ok(word) if error.kind() == ErrorKind::NotFound => word.refusal(name, "a suite", context),
                _ => unreadable(name, &error),
            };
            (name, Box::new(opened.map_err(unopened)?))
        }
    };
    let unless_stopped = |bytes: &[u8]| {
        if context.stop.is_raised() { Err(ErrorKind::Interrupted.into()) } else { check(bytes) }
    };
    let bytes = files::read_from(input, limit, unless_stopped).map_err(|error| match error.kind() {
        ErrorKind::Interrupted => Interrupted.into(),
        _ => unreadable(name, &error),
    })?;
    refuse_utf16(name, &bytes)?;
    let text = String::from_utf8_lossy(&bytes).replace('\0', "").replace("\r\n", "\n").replace('\r', "\n");
    Ok((name.to_owned(), visible(text.trim_start_matches('\u{feff}'))))
}

/// Ends the reading of a text that is no list of positions.
fn has_fen(bytes: &[u8]) -> io::Result<()> {
    match bytes.len() > MAX_BYTES_WITHOUT_FEN && !bytes.contains(&b'/') {
        true => Err(io::Error::new(ErrorKind::InvalidData, "there is no FEN in the first 1 MiB")),
        false => Ok(()),
    }
}

pub fn is_built_in(name: &str) -> bool {
    matches!(Word::of_ours(name), Some(Word::Position | Word::Suite))
}

/// Reads the lines of a file, or of standard input for `-`. The lines are not parsed.
///
/// # Errors
/// The file cannot be read, or the stop signal was raised.
pub fn read_lines(name: &str, context: &Context) -> Result<Vec<String>, CliError> {
    let (_, text) = read_text(name, MAX_OUTPUT_BYTES, |_| Ok(()), context)?;
    Ok(text.lines().map(str::to_owned).collect())
}

fn built_in(name: &str) -> Option<Suite> {
    let of_case =
        |case: &Case| Suite { name: case.name().to_owned(), cases: vec![case.clone()], ..Suite::default() };
    let suite = builtin::suite(name).map(|built_in| built_in.suite().clone());
    suite.or_else(|| builtin::position(name).map(of_case))
}

fn unreadable(name: &str, why: &dyn std::fmt::Display) -> CliError {
    let names: Vec<&str> = builtin::suites().iter().map(|built_in| built_in.name).collect();
    CliError::usage(format!("cannot read '{name}': {why}"))
        .help(format!("give a file, '-' for standard input, or a built-in suite: {}", names.join(", ")))
}

/// Reads the counts of a text about a position. `ours` are the right counts at this depth, and `name` is the name of the
/// file, or `-` for standard input.
///
/// # Errors
/// The text has no counts, or it is not clear which of its numbers are counts.
pub fn read_answer(
    name: &str,
    lines: &[String],
    (position, depth): (&Position, u32),
    ours: &[RootMove],
) -> Result<Answer, CliError> {
    let answer = Answer::of_text(lines, position, depth, ours);
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

/// Refuses to call a total right if its text has another number that may be the total of the program. The position, as
/// it is typed, and the depth are those of the question.
pub fn refuse_rival(answer: &Answer, right: u128, (position, depth): (&str, u32)) -> Result<(), CliError> {
    let Some(rival) = answer.rival(right) else { return Ok(()) };
    let other = grouped(rival.unsigned_abs());
    let message = format!("{} is right, but the text also has {other}", grouped(right));
    let command = ["diagnose", position, &format!("{depth}:{rival}")];
    Err(CliError::usage(message).suggest("if that is the number of your program, type", &command))
}

/// Returns the name of a text in a message.
pub fn shown(name: &str) -> String {
    if name == "-" { "standard input".to_owned() } else { format!("'{name}'") }
}

/// Checks that a text does not begin with the byte order mark of UTF-16, in which Windows PowerShell writes files.
/// `name` is the name of the file.
///
/// # Errors
/// The text begins with this mark.
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
    pub fn watch(reader: Option<String>) -> UnreadInput {
        let mut unread = UnreadInput { reader };
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
        !stdin().is_terminal() && rustix::io::ioctl_fionread(stdin()).unwrap_or(0) > 0
    };
    #[cfg(not(unix))]
    false
}

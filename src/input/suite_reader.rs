//! Reads suites: built-in ones, built-in positions, files, and standard input.

use std::io::{self, ErrorKind, Read, stdin};
use std::path::Path;

use perft_core::Interrupted;
use perft_core::suite::{Case, Suite, SuiteError, builtin};
use perft_diagnosis::lines::visible;

use super::answers::refuse_utf16;
use super::word::Word;
use crate::output::{CliError, Context, note};
use crate::system::command_line::quoted;
use crate::system::files::{self, Kind};

/// The largest size of a suite, and of the output of a program, in bytes.
const MAX_BYTES: u64 = 1 << 30;
const MAX_OUTPUT_BYTES: u64 = 1 << 26;

/// The number of bytes after which a text without a slash is refused: it has no FEN.
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

/// Like [`read_suites`], but positions with faults do not stop the others. Also returns their errors.
///
/// # Errors
/// A suite cannot be read, or no position of it can; or the stop signal was raised.
pub fn read_legal(names: &[String], context: &Context) -> Result<(Vec<Suite>, Vec<SuiteError>), CliError> {
    if names.is_empty() {
        return Ok((read_suites(names, context)?, Vec::new()));
    }
    let mut errors = Vec::new();
    let suites = names.iter().map(|name| match read(name, context)? {
        Ok(suite) => Ok(suite),
        Err(error) if error.rest.cases.is_empty() => Err(error.into()),
        Err(error) => {
            errors.push(error);
            Ok(errors[errors.len() - 1].rest.clone())
        }
    });
    let suites = suites.collect::<Result<_, CliError>>()?;
    Ok((suites, errors))
}

/// Reads a suite: a built-in one, a built-in position, standard input for `-`, or a file. Notes say how a file is read.
///
/// # Errors
/// It cannot be read, has faults, or has no positions; or the stop signal was raised.
pub fn read_suite(name: &str, context: &Context) -> Result<Suite, CliError> {
    Ok(read(name, context)??)
}

/// Reads a suite. The inner error has its faults.
fn read(name: &str, context: &Context) -> Result<Result<Suite, SuiteError>, CliError> {
    match Word::of_ours(name) {
        None if Path::new(name).is_dir() => return Err(Word::Folder.refusal(name, "a suite", context)),
        None | Some(Word::Input) => {}
        Some(Word::Position | Word::Suite) => return Ok(Ok(built_in(name))),
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
    builtin::suite(name).is_some() || builtin::position(name).is_some()
}

/// Reads the lines of a file, or of standard input for `-`. The lines are not parsed.
///
/// # Errors
/// The file cannot be read, or the stop signal was raised.
pub fn read_lines(name: &str, context: &Context) -> Result<Vec<String>, CliError> {
    let (_, text) = read_text(name, MAX_OUTPUT_BYTES, |_| Ok(()), context)?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// Returns the built-in suite with this name, or the built-in position as a suite.
fn built_in(name: &str) -> Suite {
    let of_case =
        |case: &Case| Suite { name: case.name().to_owned(), cases: vec![case.clone()], ..Suite::default() };
    let suite = builtin::suite(name).map(|built_in| built_in.suite().clone());
    suite.or_else(|| builtin::position(name).map(of_case)).unwrap_or_default()
}

fn unreadable(name: &str, why: &dyn std::fmt::Display) -> CliError {
    let names: Vec<&str> = builtin::suites().iter().map(|built_in| built_in.name).collect();
    CliError::usage(format!("cannot read '{name}': {why}"))
        .help(format!("give a file, '-' for standard input, or a built-in suite: {}", names.join(", ")))
}

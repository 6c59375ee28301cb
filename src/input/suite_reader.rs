//! Reads suites: built-in ones, built-in positions, files, and standard input.
//!
//! A line of more than 64 KiB is an error, and after many faults the rest is not read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, stdin};

use perft_core::internals::SuiteLines;
use perft_core::suite::{Case, LineFault, Suite, SuiteError, builtin};
use perft_core::{Interrupted, StopSignal};
use perft_diagnosis::lines::{read_line, to_text};

use super::encoding::refuse_utf16;
use super::games::{looks_like_a_name, unknown_name};
use super::{first_word, is_board, is_number};
use crate::output::error::{CliError, note};
use crate::system::command_line::quoted;

/// After this many faults, the rest of the suite is not read.
const MAX_FAULTS: usize = 1000;

/// Reads the suites of these names, or all built-in suites if there are no names.
///
/// # Errors
/// A suite cannot be read, has faults, or has no positions; or the stop signal was raised.
pub fn read_suites(names: &[String], stop: &StopSignal) -> Result<Vec<Suite>, CliError> {
    if names.is_empty() {
        return Ok(builtin::suites().iter().map(|built_in| built_in.suite().clone()).collect());
    }
    names.iter().map(|name| read_suite(name, stop)).collect()
}

/// Reads a suite: a built-in one, a built-in position, standard input for `-`, or a file.
///
/// # Errors
/// It cannot be read, has faults, or has no positions; or the stop signal was raised.
pub fn read_suite(name: &str, stop: &StopSignal) -> Result<Suite, CliError> {
    if let Some(suite) = built_in(name) {
        return Ok(suite);
    }
    let mut reader = LineReader::open(name, stop)?;
    let mut suite = SuiteLines::default();
    while suite.faults.len() < MAX_FAULTS {
        let Some(line) = reader.next_line()? else {
            suite.end();
            break;
        };
        suite.read(&line, reader.lines);
    }
    if suite.faults.len() >= MAX_FAULTS {
        note(format!("{}: the lines after line {} were not read", reader.name, reader.lines));
    }
    let (name, SuiteLines { cases, faults, .. }) = (reader.name, suite);
    if !faults.is_empty() && cases.is_empty() && !faults.iter().any(is_of_suite) {
        Err(CliError::usage(format!("'{name}' is not a suite: no line begins with a FEN"))
            .help("give a file with a FEN and its counts on each line; an engine is named with --engine"))
    } else if !faults.is_empty() {
        Err(SuiteError { name, faults }.into())
    } else if cases.is_empty() {
        Err(CliError::usage(format!("the suite '{name}' has no positions")))
    } else {
        Ok(Suite { name, cases })
    }
}

pub fn is_built_in(name: &str) -> bool {
    builtin::suite(name).is_some() || builtin::position(name).is_some()
}

/// Reads the lines of a file, or of standard input for `-`. The lines are not parsed.
///
/// # Errors
/// The file cannot be read, or the stop signal was raised.
pub fn read_lines(name: &str, stop: &StopSignal) -> Result<Vec<String>, CliError> {
    let mut reader = LineReader::open(name, stop)?;
    let mut lines = Vec::new();
    while let Some(line) = reader.next_line()? {
        lines.push(line);
    }
    Ok(lines)
}

/// Reads a file line by line.
struct LineReader<'a> {
    name: String,
    input: Box<dyn BufRead>,
    /// The number of lines that were read.
    lines: usize,
    stop: &'a StopSignal,
}

impl<'a> LineReader<'a> {
    /// Opens a file, or standard input for `-`, without reading from it.
    fn open(name: &str, stop: &'a StopSignal) -> Result<LineReader<'a>, CliError> {
        let (name, input): (&str, Box<dyn BufRead>) = match name {
            "-" => ("standard input", Box::new(stdin().lock())),
            _ => (name, Box::new(BufReader::new(File::open(name).map_err(|error| unopened(name, &error))?))),
        };
        Ok(LineReader { name: name.to_owned(), input, lines: 0, stop })
    }

    fn next_line(&mut self) -> Result<Option<String>, CliError> {
        if self.stop.is_raised() {
            return Err(Interrupted.into());
        }
        self.lines += 1;
        let number = self.lines;
        let line = read_line(&mut self.input)
            .map_err(|error| unreadable(&self.name, &format!("line {number}: {error}")))?;
        if number == 1 {
            refuse_utf16(&self.name, line.as_deref().unwrap_or_default())?;
        }
        Ok(line.as_deref().map(to_text))
    }
}

/// Returns the built-in suite with this name, or the built-in position as a suite.
fn built_in(name: &str) -> Option<Suite> {
    let of_case = |case: &Case| Suite { name: case.name().to_owned(), cases: vec![case.clone()] };
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
    } else if looks_like_a_name(name) {
        unknown_name(name, &["the name of a position", "a suite", "a file"])
    } else {
        unreadable(name, error)
    }
}

/// Whether a line begins like a line of a suite: with a board, or with a word of a `.perft` file.
fn is_of_suite(fault: &LineFault) -> bool {
    let first = first_word(&fault.text);
    ["epd", "perft"].contains(&first) || first.matches('/').count() > 4
}

fn unreadable(name: &str, why: &dyn std::fmt::Display) -> CliError {
    let names: Vec<&str> = builtin::suites().iter().map(|built_in| built_in.name).collect();
    CliError::usage(format!("cannot read the suite '{name}': {why}"))
        .help(format!("give a file, '-' for standard input, or a built-in suite: {}", names.join(", ")))
}

//! Reads suites: built-in ones, built-in positions, files, and standard input.
//!
//! A suite is read in blocks, so that it may be larger than the memory. A line of more than 64 KiB is an error, and
//! after many faults the rest is not read.

use std::fs::File;
use std::io::{self, BufRead, BufReader, stdin};
use std::mem;

use perft_core::internals::SuiteLines;
use perft_core::suite::{Case, LineFault, Suite, SuiteError, builtin};
use perft_core::{Interrupted, StopSignal};
use perft_diagnosis::lines::{read_line, to_text};

use super::encoding::refuse_utf16;
use super::games::{looks_like_a_name, unknown_name};
use super::{first_word, is_board, is_number};
use crate::output::error::{CliError, note};
use crate::system::command_line::quoted;

/// The number of positions in a block.
const BLOCK: usize = 10_000;

/// After this many faults, the rest of the suite is not read.
const MAX_FAULTS: usize = 1000;

/// A suite that is read block by block.
pub struct SuiteReader<'a> {
    name: String,
    input: Box<dyn BufRead>,
    /// The number of lines that were read.
    lines: usize,
    /// The positions that were read and have not been taken.
    suite: SuiteLines,
    /// The first block, until it is taken.
    first: Option<Suite>,
    is_built_in: bool,
    /// Whether the last line was read.
    has_ended: bool,
    stop: &'a StopSignal,
}

/// Opens the suites of these names, or all built-in suites if there are no names. The first block of each is read at
/// once.
///
/// # Errors
/// A suite cannot be read, has faults in its first block, or has no positions; or the stop signal was raised.
pub fn open_suites<'a>(names: &[String], stop: &'a StopSignal) -> Result<Vec<SuiteReader<'a>>, CliError> {
    if names.is_empty() {
        let of = |suite: &Suite| SuiteReader::of_suite(suite.clone(), stop);
        return Ok(builtin::suites().iter().map(|built_in| of(built_in.suite())).collect());
    }
    names.iter().map(|name| SuiteReader::open(name, stop)).collect()
}

/// Reads a whole suite: a built-in one, a built-in position, standard input for `-`, or a file.
///
/// # Errors
/// It cannot be read, has faults, or has no positions; or the stop signal was raised.
pub fn read_suite(name: &str, stop: &StopSignal) -> Result<Suite, CliError> {
    let mut reader = SuiteReader::open(name, stop)?;
    let mut suite = reader.next_block()?;
    while !reader.is_at_end() {
        suite.cases.extend(reader.next_block()?.cases);
    }
    Ok(suite)
}

/// Reads the lines of a file, or of standard input for `-`. The lines are not parsed.
///
/// # Errors
/// The file cannot be read, or the stop signal was raised.
pub fn read_lines(name: &str, stop: &StopSignal) -> Result<Vec<String>, CliError> {
    let mut reader = SuiteReader::of_file(name, stop)?;
    let mut lines = Vec::new();
    while let Some(line) = reader.next_line()? {
        lines.push(line);
    }
    Ok(lines)
}

impl<'a> SuiteReader<'a> {
    fn of_suite(built_in: Suite, stop: &'a StopSignal) -> SuiteReader<'a> {
        let name = built_in.name.clone();
        let reader = SuiteReader::of_input(name, Box::new(std::io::empty()), stop);
        SuiteReader { first: Some(built_in), is_built_in: true, has_ended: true, ..reader }
    }

    /// Opens one suite and reads its first block.
    fn open(name: &str, stop: &'a StopSignal) -> Result<SuiteReader<'a>, CliError> {
        if let Some(suite) = built_in(name) {
            return Ok(SuiteReader::of_suite(suite, stop));
        }
        let mut reader = SuiteReader::of_file(name, stop)?;
        let first = reader.next_block()?;
        if first.cases.is_empty() {
            return Err(CliError::usage(format!("the suite '{}' has no positions", reader.name)));
        }
        Ok(SuiteReader { first: Some(first), ..reader })
    }

    /// Opens a file without reading from it.
    fn of_file(name: &str, stop: &'a StopSignal) -> Result<SuiteReader<'a>, CliError> {
        let (name, input): (&str, Box<dyn BufRead>) = match name {
            "-" => ("standard input", Box::new(stdin().lock())),
            _ => (name, Box::new(BufReader::new(File::open(name).map_err(|error| unopened(name, &error))?))),
        };
        Ok(SuiteReader::of_input(name.to_owned(), input, stop))
    }

    /// Returns a reader that has read nothing yet.
    fn of_input(name: String, input: Box<dyn BufRead>, stop: &'a StopSignal) -> SuiteReader<'a> {
        let suite = SuiteLines::default();
        SuiteReader { name, input, lines: 0, suite, first: None, is_built_in: false, has_ended: false, stop }
    }

    /// Returns the name of the suite.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the suite is built in.
    pub fn is_built_in(&self) -> bool {
        self.is_built_in
    }

    /// Whether all blocks have been read.
    pub fn is_at_end(&self) -> bool {
        self.has_ended && self.first.is_none()
    }

    /// Returns the next block. It is empty at the end.
    ///
    /// # Errors
    /// The block cannot be read, or has faults; or the stop signal was raised.
    pub fn next_block(&mut self) -> Result<Suite, CliError> {
        if let Some(first) = self.first.take() {
            return Ok(first);
        }
        let is_begin = self.lines == 0;
        while self.suite.cases.len() < BLOCK && self.suite.faults.len() < MAX_FAULTS && !self.has_ended {
            match self.next_line()? {
                Some(line) => self.suite.read(&line, self.lines),
                None => self.suite.end(),
            }
        }
        let (cases, faults) = (mem::take(&mut self.suite.cases), mem::take(&mut self.suite.faults));
        if is_begin && cases.is_empty() && !faults.is_empty() && !faults.iter().any(is_of_suite) {
            return Err(CliError::usage(format!(
                "'{}' is not a suite: no line begins with a FEN",
                self.name
            ))
            .help("give a file with a FEN and its counts on each line; an engine is named with --engine"));
        }
        if faults.len() >= MAX_FAULTS {
            note(format!("{}: the lines after line {} were not read", self.name, self.lines));
        }
        let name = self.name.clone();
        if faults.is_empty() { Ok(Suite { name, cases }) } else { Err(SuiteError { name, faults }.into()) }
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
        self.has_ended = line.is_none();
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

/// Returns the error for a suite that cannot be read.
fn unreadable(name: &str, why: &dyn std::fmt::Display) -> CliError {
    let names: Vec<&str> = builtin::suites().iter().map(|built_in| built_in.name).collect();
    CliError::usage(format!("cannot read the suite '{name}': {why}"))
        .help(format!("give a file, '-' for standard input, or a built-in suite: {}", names.join(", ")))
}

//! The errors that end a command: their messages and their exit codes.

use std::error::Error;
use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fmt, io};

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use perft_core::suite::{LineFault, SuiteError};
use perft_core::{FenError, FenFault, Interrupted};
use perft_count::FrontierError;
use perft_diagnosis::lines::visible;
use perft_diagnosis::source::SourceError;

use super::number_of;
use super::safe::{self, marked};
use super::table::folded_message;
use crate::system::command_line::{again, quoted, to_run, to_type};

/// Why a command fails. The number is its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CliErrorKind {
    /// A count is wrong, or two programs differ.
    Wrong = 1,
    /// Bad usage or input, or the environment lacks something.
    Usage = 2,
    /// Slower than the limit that was given.
    Slower = 3,
    /// An engine crashed, took too long or printed nonsense.
    Engine = 4,
    /// A comparison of speeds could not be decided.
    Undecided = 5,
}

impl From<CliErrorKind> for ExitCode {
    fn from(kind: CliErrorKind) -> ExitCode {
        ExitCode::from(kind as u8)
    }
}

/// Exit code: ended by Ctrl-C. It is 128 plus the number of the signal, as in shells.
pub const INTERRUPTED: i32 = 130;

/// The number of columns of the longest label before a message: ` = help: ` and `warning: `.
const LABEL: usize = 9;

/// The help for an engine that failed.
const ENGINE_LOG: &str = "--engine-log FILE records the whole conversation with the engine";

/// The largest number of faults of a line that a message shows.
const SHOWN_PLACES: usize = 8;

/// The largest number of faulty lines of a suite that are shown. Lines with the same faults count once.
const SHOWN_LINES: usize = 5;

/// Returns the exit code of a command that judges answers. A wrong answer takes precedence over one that is missing or
/// could not be read.
pub fn exit_code(has_wrong: bool, has_missing: bool) -> ExitCode {
    match (has_wrong, has_missing) {
        (true, _) => CliErrorKind::Wrong.into(),
        (false, true) => CliErrorKind::Engine.into(),
        (false, false) => ExitCode::SUCCESS,
    }
}

/// Why a command ended without its result.
#[derive(Debug)]
pub enum CliError {
    /// The arguments make no sense, the environment lacks something, a result failed its own check, or an engine
    /// failed.
    Failed {
        kind: CliErrorKind,
        message: String,
        /// The error behind it, which the message leaves out.
        source: Option<Box<dyn Error + Send + Sync>>,
        /// The text to type instead, or the advice to the user.
        help: Option<String>,
    },
    /// Lines of text are wrong.
    Text(Vec<LineFaults>),
    /// Ctrl-C was pressed. The text says what was done so far.
    Interrupted(String),
    /// Standard output was closed or cannot be written to.
    Output(io::Error),
}

#[derive(Debug)]
pub struct LineFaults {
    /// The fault of the line as a whole.
    pub title: String,
    /// The origin of the line; `None` for an argument.
    pub origin: Option<String>,
    /// The line number, from 1.
    pub line: usize,
    pub text: String,
    pub places: Vec<FaultPlace>,
    /// The numbers of the other lines with the same faults.
    pub same_in: Vec<usize>,
}

#[derive(Debug)]
pub struct FaultPlace {
    /// The faulty bytes; empty if something is missing there.
    pub span: Range<usize>,
    /// The fault at these bytes.
    pub message: String,
    /// The text that is accepted there.
    pub help: String,
}

impl FaultPlace {
    fn new(span: &Range<usize>, message: impl ToString, help: &str) -> FaultPlace {
        FaultPlace { span: span.clone(), message: message.to_string(), help: help.to_owned() }
    }
}

impl CliError {
    /// Returns an error about the arguments or the environment.
    pub fn usage(message: impl ToString) -> CliError {
        CliError::failed(CliErrorKind::Usage, message)
    }

    /// Returns the error for a result that failed its own check and is not printed.
    pub fn wrong(message: impl ToString) -> CliError {
        CliError::failed(CliErrorKind::Wrong, message)
            .help("faulty memory of this machine or a bug in this program; no result is printed")
    }

    /// Returns the error for an engine that failed, so that there is no result.
    pub fn engine(message: impl ToString) -> CliError {
        CliError::failed(CliErrorKind::Engine, message).help(ENGINE_LOG)
    }

    pub fn failed(kind: CliErrorKind, message: impl ToString) -> CliError {
        CliError::Failed { kind, message: message.to_string(), source: None, help: None }
    }

    /// Returns the error for a file that cannot be read, written or created, as `action` says.
    pub fn file(action: &str, path: &Path) -> impl FnOnce(io::Error) -> CliError {
        let error = CliError::usage(format!("cannot {action} '{}'", path.display()));
        |source| error.because(source)
    }

    /// Adds the error behind it.
    pub fn because(mut self, error: impl Into<Box<dyn Error + Send + Sync>>) -> CliError {
        if let CliError::Failed { source, .. } = &mut self {
            *source = Some(error.into());
        }
        self
    }

    /// Adds the text to type instead, or other advice.
    pub fn help(mut self, text: impl ToString) -> CliError {
        if let CliError::Failed { help, .. } = &mut self {
            *help = Some(text.to_string());
        }
        self
    }

    /// Adds the line to type instead, after these words. A line that the program would refuse is left out.
    pub fn suggest(self, before: &str, words: &[impl AsRef<str>]) -> CliError {
        match to_type(words) {
            Some(line) => self.help(format!("{before}: {line}")),
            None => self,
        }
    }

    /// Adds the line number to the message of an error. The message about a FEN shows its line itself.
    pub fn in_line(mut self, origin: &str, number: usize) -> CliError {
        if let CliError::Failed { message, .. } = &mut self {
            *message = format!("{origin}, line {number}: {message}");
        }
        self
    }

    /// Returns the error for a FEN from an argument (`origin` is `None`) or from a line of a file.
    pub fn fen(error: &FenError, origin: Option<&str>, line: usize) -> CliError {
        let place = |fault: &FenFault| FaultPlace::new(&fault.span, &fault.kind, fault.kind.help());
        CliError::Text(vec![LineFaults {
            title: "this is not a legal position".to_owned(),
            origin: origin.map(str::to_owned),
            line,
            text: error.fen.clone(),
            places: error.faults.iter().map(place).collect(),
            same_in: Vec::new(),
        }])
    }

    /// Returns the error for the faults of several suites.
    pub fn of_suites(errors: Vec<SuiteError>) -> CliError {
        CliError::Text(errors.into_iter().flat_map(suite_faults).collect())
    }

    /// Prints the error to standard error and returns the exit code.
    pub fn report(self) -> ExitCode {
        let (message, help, kind) = match self {
            CliError::Failed { message, source: Some(source), help, kind } => {
                (format!("{message}: {source}"), help, kind)
            }
            CliError::Failed { message, source: None, help, kind } => (message, help, kind),
            CliError::Text(lines) => {
                lines.iter().for_each(say);
                return CliErrorKind::Usage.into();
            }
            CliError::Interrupted(reached) => {
                say(folded_message(&format!("interrupted: {reached}"), 0));
                return ExitCode::from(INTERRUPTED as u8);
            }
            // The reader of the pipe does not want more.
            CliError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            CliError::Output(error) => {
                (format!("cannot write the output: {error}"), None, CliErrorKind::Usage)
            }
        };
        let help = help.map(|help| Level::HELP.message(shown(help)));
        print_group(Level::ERROR.primary_title(shown(message)).elements(help));
        kind.into()
    }
}

/// Prints a text to standard error. Errors are ignored, such as that of a closed terminal.
pub fn say(text: impl fmt::Display) {
    let _ = writeln!(anstream::stderr(), "{}", safe::shown(&text.to_string()));
}

/// Whether the user wants neither warnings nor notes, and whether details are wanted too.
static IS_QUIET: AtomicBool = AtomicBool::new(false);
static IS_VERBOSE: AtomicBool = AtomicBool::new(false);

pub fn set_verbosity(is_quiet: bool, is_verbose: bool) {
    IS_QUIET.store(is_quiet, Ordering::Relaxed);
    IS_VERBOSE.store(is_verbose, Ordering::Relaxed);
}

/// Prints how a result is made, with `--verbose`.
pub fn detail(message: impl ToString) {
    if IS_VERBOSE.load(Ordering::Relaxed) {
        say(folded_message(&message.to_string(), 0));
    }
}

pub fn warn(message: impl ToString) {
    print_unless_quiet(Level::WARNING, message);
}

pub fn note(message: impl ToString) {
    print_unless_quiet(Level::NOTE, message);
}

fn print_unless_quiet(level: Level, message: impl ToString) {
    if !IS_QUIET.load(Ordering::Relaxed) {
        print_group(Group::with_title(level.primary_title(shown(message))));
    }
}

fn shown(message: impl ToString) -> String {
    folded_message(&visible(&message.to_string()), LABEL)
}

fn print_group(group: Group) {
    say(marked(&Renderer::styled().render(&[group])));
}

impl fmt::Display for LineFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = self.origin.as_deref().map(visible);
        // Escapes of hidden characters are longer than the characters.
        let column = |place: usize| self.text.get(..place).map_or(place, |before| visible(before).len());
        let places = self.places.iter().take(SHOWN_PLACES).map(|FaultPlace { span, message, .. }| {
            AnnotationKind::Primary.span(column(span.start)..column(span.end)).label(visible(message))
        });
        let snippet = Snippet::source(visible(&self.text)).path(origin).line_start(self.line);
        let hidden = self.places.len().saturating_sub(SHOWN_PLACES);
        let hidden =
            (hidden > 0).then(|| format!("not shown: {} of this line", number_of(hidden, "more fault")));
        let mut helps: Vec<&str> = Vec::new();
        for FaultPlace { help, .. } in &self.places {
            helps.extend(Some(help.as_str()).filter(|help| !helps.contains(help)));
        }
        let same_in = (!self.same_in.is_empty()).then(|| the_same_in(&self.same_in));
        let group = Level::ERROR
            .primary_title(self.title.as_str())
            .element(snippet.annotations(places))
            .elements(hidden.map(|text| Level::NOTE.message(text)))
            .elements(helps.iter().map(|help| Level::HELP.message(folded_message(help, LABEL))))
            .elements(same_in.map(|text| Level::NOTE.message(text)));
        f.write_str(&marked(&Renderer::styled().render(&[group])))
    }
}

fn the_same_in(lines: &[usize]) -> String {
    let shown: Vec<String> = lines.iter().take(SHOWN_PLACES).map(usize::to_string).collect();
    let end = if shown.len() < lines.len() { ", ..." } else { "" };
    format!("the same in {}: {}{end}", number_of(lines.len(), "more line"), shown.join(", "))
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        CliError::Output(error)
    }
}

impl From<SuiteError> for CliError {
    fn from(error: SuiteError) -> CliError {
        CliError::Text(suite_faults(error))
    }
}

/// Returns the faults of a suite. Lines with the same faults are shown once.
fn suite_faults(error: SuiteError) -> Vec<LineFaults> {
    let is_alike = |one: &[LineFault], other: &[LineFault]| {
        one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.is_alike(b))
    };
    let mut groups: Vec<(&[LineFault], Vec<usize>)> = Vec::new();
    let mut others: usize = 0;
    for line in error.faults.chunk_by(|a, b| a.line == b.line && a.text == b.text) {
        match groups.iter().position(|(first, _)| is_alike(first, line)) {
            Some(group) => groups[group].1.push(line[0].line),
            None if groups.len() == SHOWN_LINES => others += 1,
            None => groups.push((line, Vec::new())),
        }
    }
    if others > 0 {
        note(format!("not shown: {} with other faults", number_of(others, "more line")));
    }
    let faults = groups.into_iter().map(|(faults, same_in)| LineFaults {
        title: "this line is not a position with known counts".to_owned(),
        origin: Some(error.rest.name.clone()),
        line: faults[0].line,
        text: faults[0].text.clone(),
        same_in,
        places: faults.iter().map(|fault| FaultPlace::new(&fault.span, &fault.kind, fault.help())).collect(),
    });
    faults.collect()
}

impl From<FrontierError> for CliError {
    fn from(error: FrontierError) -> CliError {
        match error {
            FrontierError::Interrupted(interrupted) => interrupted.into(),
            FrontierError::WrongSum(wrong) => CliError::wrong(wrong),
            _ => CliError::usage(error),
        }
    }
}

impl From<SourceError> for CliError {
    fn from(error: SourceError) -> CliError {
        match error {
            SourceError::Interrupted => Interrupted.into(),
            SourceError::NoCommand => CliError::usage(error).help("give --engine 'CMD ARGUMENT...'"),
            SourceError::NotStarted(ref program, kind, _) => {
                let help = how_to_start(program, kind);
                help.into_iter().fold(CliError::usage(error), CliError::help)
            }
            SourceError::NoOption(..) | SourceError::NoOptionValue(..) => CliError::usage(error),
            SourceError::TimedOut(..) => CliError::engine(error)
                .help(format!("if it needs more time: --engine-timeout SECONDS; {ENGINE_LOG}")),
            _ => CliError::engine(error),
        }
    }
}

/// Returns what to type instead of a program that cannot be started.
fn how_to_start(program: &str, kind: io::ErrorKind) -> Option<String> {
    if let Some(command) = to_run(program) {
        let line = to_type(&again(&[(program, &[&command])])).unwrap_or_else(|| quoted(&command));
        return Some(format!("to run this file, type: {line}"));
    }
    match kind {
        io::ErrorKind::PermissionDenied => {
            Some(format!("if it is a program, type: chmod +x {}", quoted(program)))
        }
        io::ErrorKind::NotFound => {
            Some("give a program on the PATH, or a path such as ./my-engine".to_owned())
        }
        _ => None,
    }
}

impl From<Interrupted> for CliError {
    fn from(_: Interrupted) -> CliError {
        CliError::Interrupted("nothing was finished".to_owned())
    }
}

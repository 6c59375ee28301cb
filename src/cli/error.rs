//! What can go wrong, how it is said, and the exit code that it means.

use std::io;
use std::ops::Range;
use std::process::ExitCode;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use perft_core::FenError;
use perft_core::suite::epd::SuiteError;
use perft_core::{ExactError, Interrupted};
use perft_diagnosis::source::EngineError;

/// A count is wrong.
pub const WRONG: u8 = 1;

/// Bad usage, bad input, or something the environment lacks.
const USAGE: u8 = 2;

/// Slower than the gate allows.
pub const SLOWER: u8 = 3;

/// A foreign program crashed, took too long or talked nonsense.
pub const ENGINE_FAILED: u8 = 4;

/// Ended by Ctrl-C: 128 and the number of the signal, as shells have it.
pub const INTERRUPTED: i32 = 130;

/// Why the program ends without doing what it was asked to.
#[derive(Debug)]
pub enum CliError {
    /// What was asked for makes no sense or cannot be had.
    Usage {
        /// What is wrong.
        message: String,
        /// What to type instead.
        help: Option<String>,
    },
    /// A result failed its own check, and is not shown.
    Wrong(String),
    /// Results that contradict each other, each on a line, and what to do.
    Contradiction {
        /// What contradicts what.
        message: String,
        /// What to do.
        help: String,
    },
    /// A foreign program failed, and there is nothing to show without it.
    Engine(String),
    /// What was found out makes everything else worthless.
    Ended {
        /// What was found out.
        message: String,
        /// What follows from it, or what to do.
        help: String,
        /// The exit code.
        code: u8,
    },
    /// A text is wrong, at these places.
    Text(Vec<Faults>),
    /// Ctrl-C, with what had been reached.
    Interrupted(String),
    /// Standard output was closed, or cannot be written to.
    Output(io::Error),
}

/// What is wrong with one line of text.
#[derive(Debug)]
pub struct Faults {
    /// What the text should have been.
    pub title: String,
    /// Where the text comes from, if it is not an argument.
    pub origin: Option<String>,
    /// The line number in its origin.
    pub line: usize,
    /// The text.
    pub text: String,
    /// The wrong places.
    pub places: Vec<Place>,
}

/// A wrong place in a text.
#[derive(Debug)]
pub struct Place {
    /// The bytes that are wrong; empty where something is missing.
    pub span: Range<usize>,
    /// What is wrong with them.
    pub message: String,
    /// What would be right.
    pub help: String,
}

impl CliError {
    /// Bad usage, said in one sentence.
    pub fn usage(message: impl ToString) -> CliError {
        CliError::Usage { message: message.to_string(), help: None }
    }

    /// Adds what to type instead.
    pub fn help(self, text: impl ToString) -> CliError {
        match self {
            CliError::Usage { message, .. } => CliError::Usage { message, help: Some(text.to_string()) },
            other => other,
        }
    }

    /// A FEN that came from an argument or a line of a file.
    pub fn fen(error: &FenError, origin: Option<&str>, line: usize) -> CliError {
        let place = |fault: &perft_core::FenFault| Place {
            span: fault.span.clone(),
            message: fault.kind.to_string(),
            help: fault.kind.help().to_owned(),
        };
        CliError::Text(vec![Faults {
            title: "this is not a position that can be counted".to_owned(),
            origin: origin.map(str::to_owned),
            line,
            text: error.fen.clone(),
            places: error.faults.iter().map(place).collect(),
        }])
    }

    /// Says what went wrong on standard error and gives the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            CliError::Usage { message, help } => {
                let mut group = Group::with_title(Level::ERROR.primary_title(message));
                if let Some(help) = &help {
                    group = group.element(Level::HELP.message(help));
                }
                print_group(group);
                ExitCode::from(USAGE)
            }
            CliError::Wrong(message) => {
                let help =
                    "the memory of this machine, or this program, is at fault: nothing counted is shown";
                let title = Level::ERROR.primary_title(message);
                print_group(Group::with_title(title).element(Level::HELP.message(help)));
                ExitCode::from(WRONG)
            }
            CliError::Contradiction { message, help } => {
                let title = Level::ERROR.primary_title(message);
                print_group(Group::with_title(title).element(Level::HELP.message(help)));
                ExitCode::from(WRONG)
            }
            CliError::Engine(message) => {
                let help = "--engine-log FILE writes down all that is said";
                let title = Level::ERROR.primary_title(message);
                print_group(Group::with_title(title).element(Level::HELP.message(help)));
                ExitCode::from(ENGINE_FAILED)
            }
            CliError::Ended { message, help, code } => {
                let title = Level::ERROR.primary_title(message);
                print_group(Group::with_title(title).element(Level::HELP.message(help)));
                ExitCode::from(code)
            }
            CliError::Text(lines) => {
                lines.iter().for_each(Faults::print);
                ExitCode::from(USAGE)
            }
            CliError::Interrupted(reached) => {
                anstream::eprintln!("interrupted: {reached}");
                ExitCode::from(INTERRUPTED as u8)
            }
            // Whoever reads our output has seen enough.
            CliError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            CliError::Output(error) => CliError::usage(format!("cannot write the output: {error}")).report(),
        }
    }
}

/// Says something on standard error that does not stop the program.
pub fn warn(message: impl ToString) {
    print_group(Group::with_title(Level::WARNING.primary_title(message.to_string())));
}

fn print_group(group: Group) {
    anstream::eprintln!("{}", Renderer::styled().render(&[group]));
}

impl Faults {
    /// Draws the line with a caret under each wrong place.
    fn print(&self) {
        let mut snippet =
            Snippet::source(self.text.as_str()).path(self.origin.as_deref()).line_start(self.line);
        for place in &self.places {
            let annotation = AnnotationKind::Primary.span(place.span.clone()).label(place.message.as_str());
            snippet = snippet.annotation(annotation);
        }
        let mut group = Level::ERROR.primary_title(self.title.as_str()).element(snippet);
        let mut helps: Vec<&str> = self.places.iter().map(|place| place.help.as_str()).collect();
        helps.dedup();
        for help in helps {
            group = group.element(Level::HELP.message(help));
        }
        print_group(group);
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        CliError::Output(error)
    }
}

impl From<SuiteError> for CliError {
    fn from(error: SuiteError) -> CliError {
        let lines = error.faults.chunk_by(|a, b| a.line == b.line);
        let faults = lines.map(|faults| Faults {
            title: "this line is not a position with known counts".to_owned(),
            origin: Some(error.name.clone()),
            line: faults[0].line,
            text: faults[0].text.clone(),
            places: faults
                .iter()
                .map(|fault| Place {
                    span: fault.span.clone(),
                    message: fault.kind.to_string(),
                    help: fault.help().to_owned(),
                })
                .collect(),
        });
        CliError::Text(faults.collect())
    }
}

impl From<ExactError> for CliError {
    fn from(error: ExactError) -> CliError {
        match error {
            ExactError::Interrupted(interrupted) => interrupted.into(),
            ExactError::WrongSum(wrong) => CliError::Wrong(wrong.to_string()),
        }
    }
}

impl From<EngineError> for CliError {
    fn from(error: EngineError) -> CliError {
        match error {
            EngineError::Interrupted => Interrupted.into(),
            EngineError::NoCommand => CliError::usage(error).help("--engine 'CMD ARGUMENT...'"),
            EngineError::NotStarted(..) => {
                CliError::usage(error).help("a program on the PATH, or a path: --engine ./my-engine")
            }
            EngineError::NoOption(..) => CliError::usage(error),
            _ => CliError::Engine(error.to_string()),
        }
    }
}

impl From<Interrupted> for CliError {
    fn from(_: Interrupted) -> CliError {
        CliError::Interrupted("nothing was finished".to_owned())
    }
}

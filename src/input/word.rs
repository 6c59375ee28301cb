//! What a word of the command line is, and what the user may have meant by a word that means nothing. Only this file
//! decides it, and it does so before anything is read or started.
//!
//! A name of this program comes before a name in `perft.toml`, and that before a file: `3` is a depth, and `./3` is a
//! file. A word is started as a program only if it has a path separator, is a name in `perft.toml`, or has arguments. A
//! bare name on the PATH may be a mistyped position, so it is started only behind a flag such as `--engine`.

use std::path::{Path, is_separator};

use perft_core::internals::{AlgebraicMove, find_fen, is_board};
use perft_core::suite::{Suite, builtin, named};

use super::config::Engines;
use crate::output::{CliError, Context};
use crate::system::command_line::{self, again, is_missing, is_program, is_text, to_run, to_type};
use crate::system::files::{self, Kind};

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// `-`: standard input.
    Input,
    /// A depth, or another whole number.
    Number,
    /// A word of UCI or of a command of another program, such as `go`.
    Keyword,
    /// The name of a position.
    Position,
    /// A FEN, perhaps with faults.
    Fen,
    /// The name of a built-in suite.
    Suite,
    /// A text in the form of a move.
    Move,
    /// A quoted text of several such words: `'kiwipete 3'`.
    Line,
    /// A name in `perft.toml`, the path of a program, or a command with arguments. Only this is started.
    Engine,
    /// A program that needs a flag or a path, or a script that needs its interpreter.
    Program,
    /// A file that is no program.
    File,
    /// A folder.
    Folder,
    /// A path at which there is nothing.
    Missing,
    /// Anything else.
    Unknown,
}

/// The words of UCI lines and of commands of other programs.
const KEYWORDS: [&str; 6] = ["go", "perft", "depth", "position", "fen", "moves"];

impl Word {
    /// Returns what a word is.
    ///
    /// # Errors
    /// `perft.toml` or the file of `--config` is wrong. It is not read for names of this program, and its faults do not
    /// matter for a file.
    pub fn of(text: &str, config: Option<&Path>) -> Result<Word, CliError> {
        if let Some(ours) = Word::of_ours(text) {
            return Ok(ours);
        }
        match Engines::load(config) {
            Ok(engines) if engines.contains(text) => Ok(Word::Engine),
            Err(error) if !Path::new(text).exists() => Err(error),
            _ => Ok(Word::of_system(text)),
        }
    }

    /// Returns what a word is if it has a meaning in this program.
    pub fn of_ours(text: &str) -> Option<Word> {
        let is_move =
            || !text.starts_with(|c: char| c.is_ascii_digit()) && AlgebraicMove::parse(text).is_some();
        Some(match text {
            "-" => Word::Input,
            _ if is_number(text) => Word::Number,
            _ if KEYWORDS.contains(&text) => Word::Keyword,
            _ if builtin::position(text).is_some() => Word::Position,
            _ if builtin::suite(text).is_some() => Word::Suite,
            _ if is_board(first_word(text)) || is_faulty_fen(text) => Word::Fen,
            _ if is_move() => Word::Move,
            _ if is_line(text) => Word::Line,
            _ => return None,
        })
    }

    /// Returns what the system has under a name.
    pub fn of_system(text: &str) -> Word {
        let (path, is_path) = (Path::new(text), text.contains(is_separator));
        let words = command_line::split(text).unwrap_or_default();
        let is_found = |program: &str| which::which(program).is_ok();
        if path.is_dir() {
            Word::Folder
        } else if path.exists() {
            match is_program(text) {
                true if is_path => Word::Engine,
                false if to_run(text).is_none() || is_list(path) => Word::File,
                _ => Word::Program,
            }
        } else if is_missing(text)
            || words.len() > 1 && (is_found(&words[0]) || Path::new(&words[0]).is_file())
        {
            // The error for a missing program comes when it is started.
            Word::Engine
        } else if is_path {
            Word::Missing
        } else if text.len() > 1 && is_found(text) {
            Word::Program
        } else {
            Word::Unknown
        }
    }

    /// Returns the error for a word in a place where it makes no sense. `wanted` is what could stand there.
    pub fn refusal(self, text: &str, wanted: &str, context: &Context) -> CliError {
        let is = |what: &str| CliError::usage(format!("'{text}' is {what}, not {wanted}"));
        match self {
            Word::Suite => is("a suite").suggest("check it with", &["suite", text]),
            Word::Position | Word::Fen => is("a position").suggest("count it with", &[text, "5"]),
            Word::Number => {
                let depth = again(&[(text, &["--max-depth", text])]);
                is("a number")
                    .suggest("a suite has the depths of its known counts; to leave out deeper ones", &depth)
            }
            Word::Engine if !is_missing(text) => {
                is("a program").suggest("find its bugs with", &["hunt", text])
            }
            Word::Engine | Word::Missing => CliError::usage(format!("there is no file '{text}'")).help(
                "give the path of a file that exists; 'perft list positions' lists the names of positions",
            ),
            Word::Program => program(text, context),
            Word::Folder => is("a folder").help(format!("give {wanted}")),
            Word::File if !is_text(Path::new(text)) => is("a file without text").help(format!(
                "if it is a program, make it executable: chmod +x {}",
                command_line::quoted(text)
            )),
            Word::File => is("a file").help(of_file(text)),
            Word::Move | Word::Keyword | Word::Line if Path::new(text).is_file() => {
                is("a word of this program")
                    .suggest("to name the file, type", &again(&[(text, &[&format!("./{text}")])]))
            }
            Word::Input | Word::Unknown | Word::Move | Word::Keyword | Word::Line => {
                unknown_name(text, &format!("neither {wanted} nor a file"), &context.given.commands)
            }
        }
    }
}

pub fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// Whether a text has the form of a depth. Negative numbers are included and refused later, with a better message.
pub fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is the address of a page with a FEN, or a FEN whose board has faults.
fn is_faulty_fen(text: &str) -> bool {
    let is_rank = |rank: &str| !rank.is_empty() && rank.chars().all(|c| "12345678pnbrqkPNBRQK".contains(c));
    let is_short = first_word(text).matches('/').count() > 1 && first_word(text).split('/').all(is_rank);
    let is_found = || find_fen(text).is_some_and(|found| found.span.start == 0 || text.starts_with("http"));
    is_short || text.contains('/') && is_found()
}

/// Whether a quoted text begins like a line that names a position. Commands may begin with `go` and `perft`.
fn is_line(text: &str) -> bool {
    let mut parts = text.split_whitespace();
    let is_ours = |part: &str| Word::of_ours(part).is_some();
    let begins = parts.next().is_some_and(|first| first != text && is_ours(first));
    begins && (!text.starts_with("go ") && !text.starts_with("perft ") || parts.all(is_ours))
}

/// Returns what can be done with a file that is no position.
fn of_file(text: &str) -> String {
    let suite = to_type(&["suite", text]).map(|line| format!("{line} checks its known counts"));
    let lines = to_type(&again(&[(text, &["-"])]));
    let lines =
        lines.map(|line| format!("{line} < {} reads a position from each line", command_line::quoted(text)));
    suite.into_iter().chain(lines).collect::<Vec<_>>().join("; ")
}

/// Returns the error for a program that is not started, because its name alone does not say that it is meant.
fn program(text: &str, context: &Context) -> CliError {
    if let Some(command) = to_run(text) {
        return CliError::usage(format!("the file '{text}' does not run under this name"))
            .suggest("to run this file, type", &again(&[(text, &[&command])]));
    }
    let flagged = ["--against", "--engine"].map(|flag| again(&[(text, &[flag, text])]));
    let hunt = ["hunt", "--engine", text].map(str::to_owned).to_vec();
    let line = flagged.into_iter().chain([hunt]).find_map(|line| to_type(&line)).unwrap_or_default();
    let meant = meant(text, &context.given.commands)
        .map(|meant| if meant.ends_with('?') { meant + " " } else { meant + "; " });
    CliError::usage(format!("'{text}' is a program on the PATH"))
        .help(format!("{}to run it, type: {line}", meant.unwrap_or_default()))
}

/// The largest size of a script that may be a list of positions, in bytes.
const MAX_SCRIPT_BYTES: u64 = 1 << 20;

/// Whether a file is a list of positions, and not a program that has some in its text.
fn is_list(path: &Path) -> bool {
    let text = files::read_text(path, Kind::Regular, MAX_SCRIPT_BYTES);
    text.is_ok_and(|text| !text.starts_with("#!") && Suite::from_text("", &text).is_ok())
}

/// Returns the error for a text that means nothing. `what` says what it is not. It suggests the most similar name: after
/// `perft` alone also that of one of these commands.
pub fn unknown_name(text: &str, what: &str, commands: &[String]) -> CliError {
    let is_typed = !again(&[(text, &[text])]).is_empty();
    let error = match commands.is_empty() || !is_typed {
        true => CliError::usage(format!("'{text}' is {what}")),
        false => CliError::usage(format!("no command or position called '{text}'")),
    };
    if text.starts_with("960:") {
        return error.help("the number of a Chess960 start position is 0 to 959, as in 960:518");
    }
    error.help(meant(text, commands).unwrap_or_else(|| {
        "'perft help' lists the commands, 'perft list positions' the positions; a FEN has '/' between its ranks"
            .to_owned()
    }))
}

/// Returns the question for a name that the user may have meant, with the line to type then.
fn meant(text: &str, commands: &[String]) -> Option<String> {
    let positions = named().cases.iter().map(|case| case.name());
    let suites = builtin::suites().iter().map(|suite| suite.name);
    let names = commands.iter().map(String::as_str).chain(positions).chain(suites);
    let name = *most_similar(text, names, 1).first()?;
    let line = to_type(&again(&[(text, &[name])])).map(|line| format!(" type: {line}"));
    Some(format!("did you mean '{name}'?{}", line.unwrap_or_default()))
}

/// Returns the names that the user may have meant by `text`, the most similar first.
///
/// A name is included if it begins with the text, or if a few letters are wrong, missing, superfluous or exchanged: one
/// in a word of up to five letters, three in a long word. A name with another number of digits is not included, unless
/// it begins with the text.
pub fn most_similar<'a>(text: &str, names: impl Iterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let text = text.to_lowercase();
    let digits = |word: &str| word.bytes().filter(u8::is_ascii_digit).count();
    let allowed = match text.len() {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    let distance = |name: &str| {
        let lower = name.to_lowercase();
        if text.len() > 2 && lower.starts_with(&text) {
            return Some(0);
        }
        let wrong = strsim::osa_distance(&text, &lower);
        (wrong <= allowed && digits(&text) == digits(&lower)).then_some(wrong)
    };
    let mut similar: Vec<(usize, &str)> = names.filter_map(|name| Some((distance(name)?, name))).collect();
    similar.sort_by_key(|(wrong, _)| *wrong);
    similar.into_iter().take(count).map(|(_, name)| name).collect()
}

//! Reads the positions that arguments name.

use perft_core::Position;
use perft_core::internals::find_fen;
use perft_core::suite::{builtin, named};
use perft_diagnosis::MovePath;
use perft_diagnosis::lines::{read_line, to_text};

use super::answers::{UnreadInput, refuse_utf16};
use super::illegal::illegal_move;
use super::position::{one_depth, without_depth};
use super::words::most_similar;
use super::{Root, TypedPosition, first_word, is_number};
use crate::output::context::Context;
use crate::output::error::CliError;
use crate::system::command_line::again_and;

/// The lines of UCI that say nothing about a position.
const UCI_LINES: [&str; 6] = ["uci", "isready", "ucinewgame", "setoption", "stop", "quit"];

/// Calls `each` with every position that the arguments name, and its root: one position, or one per line of standard
/// input. A line `go perft 3` there asks for another depth of the position before it.
pub fn for_each_position(
    root: &Root,
    context: &Context,
    mut each: impl FnMut(&Position, &Root) -> Result<(), CliError>,
) -> Result<(), CliError> {
    if !root.is_stream() {
        let _unread = root.reader.clone().map(|reader| UnreadInput::watch(reader, context));
        return each(&one_position(root, context)?, root);
    }
    let mut position = Position::start();
    let mut is_asked = root.has_depth;
    let mut input = std::io::stdin().lock();
    for number in 1.. {
        let line = read_line(&mut input).map_err(|error| {
            CliError::usage(format!("cannot read standard input: line {number}: {error}"))
        })?;
        let Some(line) = line else { break };
        refuse_utf16("standard input", &line)?;
        let line = to_text(&line);
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') || UCI_LINES.contains(&first_word(text)) {
            continue;
        }
        let in_line = |error: CliError| error.in_line("standard input", number);
        if let Some(depth) = depth_of_question(text) {
            is_asked = true;
            let depth = one_depth(Some(depth.to_owned()), None).map_err(in_line)?.unwrap_or(0);
            each(&position, &Root { depth, has_depth: true, ..root.clone() })?;
            continue;
        }
        position = read(fen_of_line(text), &root.moves, Some(number), context).map_err(in_line)?.end;
        if root.has_depth {
            each(&position, root)?;
        }
    }
    if is_asked { Ok(()) } else { Err(without_depth(&again_and("5"))) }
}

/// Returns the depth of a line such as `go perft 3`.
fn depth_of_question(line: &str) -> Option<&str> {
    let mut words =
        line.split_whitespace().skip_while(|word| ["go", "perft", "divide", "depth"].contains(word));
    let depth = words.next().filter(|word| is_number(word) && words.next().is_none())?;
    (depth != line).then_some(depth)
}

/// Returns the FEN of a line, without the text before and after it. A line of UCI, such as `position fen ... moves e2e4`,
/// stays as it is.
fn fen_of_line(line: &str) -> &str {
    let has_moves = line.contains(" moves ") && !line.contains(';');
    match find_fen(line) {
        Some(found) if !has_moves => found.text(line, 2),
        _ => line,
    }
}

/// Returns the one position that the arguments name.
///
/// # Errors
/// The text is not a position, a move is not legal, or positions would come from standard input.
pub fn one_position(root: &Root, context: &Context) -> Result<Position, CliError> {
    Ok(one_path(root, context)?.end)
}

/// Returns the one position that the arguments name, with the moves that lead to it, so that an engine plays them too.
///
/// # Errors
/// The same as for [`one_position`].
pub fn one_path(root: &Root, context: &Context) -> Result<MovePath, CliError> {
    refuse_stream(root)?;
    path(&root.position, &root.moves, context)
}

/// Refuses positions from standard input.
pub fn refuse_stream(root: &Root) -> Result<(), CliError> {
    if root.is_stream() {
        let refusal = CliError::usage("this command takes one position, but '-' reads many");
        return Err(refusal.help("give a FEN or a name; 'perft list positions' lists the names"));
    }
    Ok(())
}

/// Returns the path from the position that an argument names: first along the moves in the text of the argument, then
/// along `moves`.
///
/// # Errors
/// The text is not a position, or a move is not legal.
pub fn path(text: &str, moves: &[String], context: &Context) -> Result<MovePath, CliError> {
    // An argument may be a line that was copied from an EPD file.
    let is_line = text.contains(';') || text.contains("://");
    let text = if is_line { fen_of_line(text) } else { text };
    read(text, moves, None, context)
}

/// Returns the path from the position that a text names, along the moves in the text and then along `moves`. The text
/// is a line of standard input with this number, or an argument.
fn read(text: &str, moves: &[String], line: Option<usize>, context: &Context) -> Result<MovePath, CliError> {
    let typed = TypedPosition::of_text(text);
    let text = typed.position.as_str();
    let start = match builtin::position(text) {
        Some(case) => case.position,
        None if looks_like_a_name(text) => {
            return Err(unknown_name(text, &["a FEN", "the name of a position"]));
        }
        None => {
            let origin = line.map(|_| "standard input");
            let read = Position::from_fen_with_warnings(text);
            let (position, warnings) =
                read.map_err(|error| CliError::fen(&error, origin, line.unwrap_or(1)))?;
            warnings.into_iter().for_each(|warning| context.warn(warning));
            position
        }
    };
    typed.moves.iter().chain(moves).try_fold(MovePath::new(start), |path, text| {
        let found = path.end.find_move(text).map_err(|error| illegal_move(&error, &path.end))?;
        Ok(path.played(found))
    })
}

/// Whether a text is neither a FEN nor a path.
pub fn looks_like_a_name(text: &str) -> bool {
    !text.contains('/')
}

/// Returns the error for a name that is not one of the `accepted` things. It suggests the most similar name.
pub fn unknown_name(text: &str, accepted: &[&str]) -> CliError {
    let positions = named().cases.iter().map(|case| case.name());
    let names = positions.chain(builtin::suites().iter().map(|suite| suite.name));
    let help = match most_similar(text, names, 1).first() {
        Some(name) => format!("did you mean '{name}'? 'perft list positions' lists all names"),
        None => "'perft list positions' lists all names; put a FEN in quotes".to_owned(),
    };
    CliError::usage(format!("'{text}' is neither {}", accepted.join(" nor "))).help(help)
}

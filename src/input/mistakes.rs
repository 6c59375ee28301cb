//! The errors for words that name no position, no move and no depth. They say what to type instead.

use std::path::Path;

use perft_core::internals::AlgebraicMove;
use perft_core::suite::{builtin, named};
use perft_core::{IllegalMove, Move, Piece, Position, Square};
use perft_diagnosis::{Explanation, Theme, explain};

use super::words::{TypedPosition, first_word, is_move, is_number, most_similar};
use crate::output::error::CliError;
use crate::system::command_line::{is_command, quoted};

/// Returns the error for words that could not be read as a position with its moves, if the mistake is known: a part was
/// given twice, or a word is not a part. Examples in messages begin with `command`.
pub fn mistake(typed: &TypedPosition, command: &str) -> Option<CliError> {
    let first = first_word(&typed.position);
    let is_name = is_known(&typed.position);
    // A FEN is checked where it is read.
    if !first.contains('/') {
        let named = if is_name { "" } else { typed.position.as_str() };
        let mut words = named.split(' ').chain(typed.moves.iter().map(String::as_str));
        if let (Some(other), Some(depth)) = (words.find(|word| is_number(word)), &typed.depth) {
            return Some(given_twice("depth", other, depth));
        }
    }
    match is_name {
        true => None,
        false if is_known(first) => Some(leftover(typed, command)),
        false => misplaced(typed, command),
    }
}

pub fn given_twice(what: &str, one: &str, other: &str) -> CliError {
    CliError::usage(format!("the {what} was given twice: {one} and {other}")).help("leave out one of them")
}

/// Returns the error for a position without a depth. `line` is a command with one.
pub fn without_depth(line: &str) -> CliError {
    CliError::usage("no depth was given").help(format!("add a number of plies, as in: {line}"))
}

/// Returns the error for a text that is none of the `accepted` things. It suggests the most similar name.
pub fn unknown_name(text: &str, accepted: &[&str]) -> CliError {
    let positions = named().cases.iter().map(|case| case.name());
    let names = positions.chain(builtin::suites().iter().map(|suite| suite.name));
    let help = match most_similar(text, names, 1).first() {
        Some(name) => format!("did you mean '{name}'? 'perft list positions' lists all names"),
        None => "'perft list positions' lists all names; put a FEN in quotes".to_owned(),
    };
    CliError::usage(format!("'{text}' is neither {}", accepted.join(" nor "))).help(help)
}

/// Returns the error for the name of a command or of a position. It suggests the most similar name.
pub fn unknown_command<'a>(text: &str, commands: impl Iterator<Item = &'a str>) -> CliError {
    let names = commands.chain(named().cases.iter().map(|case| case.name()));
    let question = match most_similar(text, names, 1).first() {
        Some(name) => format!("; did you mean '{name}'?"),
        None => String::new(),
    };
    CliError::usage(format!("no command or position called '{text}'{question}")).help(
        "'perft help' lists the commands, 'perft list positions' the positions; a FEN has '/' between its ranks",
    )
}

/// Returns the error for words after the name of a position that are not a depth.
fn leftover(typed: &TypedPosition, command: &str) -> CliError {
    let (name, rest) = typed.position.split_once(' ').unwrap_or((&typed.position, ""));
    let first = first_word(rest);
    if is_known(first) || first.contains('/') {
        let message = format!("two positions were given: '{name}' and '{rest}'");
        return CliError::usage(message).help("leave out one of them");
    }
    if is_move(first) {
        return without_keyword(&format!("{name} "), rest, typed, command);
    }
    match &typed.depth {
        None => CliError::usage(format!("'{first}' is not a depth"))
            .help(format!("give a number of plies, as in: {command} {name} 5")),
        Some(depth) => CliError::usage(format!("'{rest}' is neither a move nor a depth"))
            .help(format!("leave it out: {command} {name} {depth}")),
    }
}

/// Returns the error for a text that this program reads elsewhere, but that is not a position.
fn misplaced(typed: &TypedPosition, command: &str) -> Option<CliError> {
    let text = typed.position.as_str();
    let first = first_word(text);
    let refusal = |what: &str| CliError::usage(format!("'{first}' is {what}, not a position"));
    if builtin::suite(first).is_some() {
        return Some(refusal("a suite").help(format!("check it with: perft suite {first}")));
    }
    if is_command(first) && first.len() > 2 {
        return Some(refusal("a program").help(format!("find its bugs with: perft hunt {}", quoted(first))));
    }
    if Path::new(first).is_file() {
        let (file, depth) = (quoted(first), typed.depth.as_deref().unwrap_or("5"));
        let help = format!(
            "perft suite {file} checks its known counts; {command} - {depth} < {file} reads a position from each line"
        );
        return Some(refusal("a file").help(help));
    }
    let name = first.trim_end_matches(|digit: char| digit.is_ascii_digit());
    if is_known(name) && typed.depth.is_none() {
        let depth = &first[name.len()..];
        let message = format!("there is no blank between '{name}' and '{depth}'");
        return Some(CliError::usage(message).help(format!("put it there: {command} {name} {depth}")));
    }
    is_move(first).then(|| without_keyword("", text, typed, command))
}

/// Returns the error for moves without the word `moves` before them. `position` ends with a blank, or is empty.
fn without_keyword(position: &str, moves: &str, typed: &TypedPosition, command: &str) -> CliError {
    let first = first_word(moves);
    let depth = typed.depth.as_deref().unwrap_or("5");
    CliError::usage(format!("the word 'moves' is missing before '{first}'"))
        .help(format!("put it there: {command} {position}moves {moves} {depth}"))
}

/// Whether a word names positions without being a FEN.
fn is_known(word: &str) -> bool {
    word == "-" || builtin::position(word).is_some()
}

/// Returns the error for a text that is not a legal move in a position.
pub fn illegal_move(error: &IllegalMove, position: &Position) -> CliError {
    let meant = meanings(position, &error.text);
    if meant.is_empty() {
        let Explanation { text, theme, .. } = explain(position, &error.text);
        let reason = if theme == Theme::Notation { String::new() } else { format!("{text}; ") };
        return CliError::usage(error).help(reason + &legal_instead(error, position));
    }
    let message = format!("'{}' can mean several moves in {}", error.text, error.fen);
    CliError::usage(message).help(format!("give one of them: {}", meant.join(", ")))
}

/// Returns the legal moves that a text in standard algebraic notation can mean.
fn meanings(position: &Position, text: &str) -> Vec<String> {
    let Some(written) = AlgebraicMove::parse(text) else { return Vec::new() };
    legal_in_uci(position, |played| written.can_mean(position, played))
}

/// Returns the legal moves that are wanted, in UCI notation.
fn legal_in_uci(position: &Position, is_wanted: impl Fn(Move) -> bool) -> Vec<String> {
    let moves = position.legal_moves().into_iter().filter(|played| is_wanted(*played));
    moves.map(|played| played.to_uci(position.castling_notation())).collect()
}

/// Returns the text to type instead: the legal moves from the same square or of the same kind of piece, otherwise those
/// with similar names, otherwise all.
fn legal_instead(error: &IllegalMove, position: &Position) -> String {
    let text = error.text.as_str();
    let from = text.get(2..4).and_then(|to| to.parse::<Square>().ok()).and_then(|_| text[..2].parse().ok());
    let piece = AlgebraicMove::parse(text).map(|written| match written {
        AlgebraicMove::Castling(_) => Piece::King,
        AlgebraicMove::Piece { piece, .. } => piece,
    });
    let is_of_kind = |played: Move| position.piece_at(played.from()).map(|standing| standing.piece) == piece;
    let near = legal_in_uci(position, |played| match from {
        Some(from) => played.from() == from,
        None => piece.is_some() && is_of_kind(played),
    });
    let similar = most_similar(text, error.legal.iter().map(String::as_str), 3);
    let similar = similar.into_iter().map(str::to_owned).collect();
    match [near, similar, error.legal.clone()].into_iter().find(|moves| !moves.is_empty()) {
        Some(moves) => format!("legal moves: {}", moves.join(", ")),
        None => "the position has no legal moves".to_owned(),
    }
}

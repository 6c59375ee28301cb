//! The errors for words that name no position, no move and no depth. They say what to type instead.

use perft_core::internals::AlgebraicMove;
use perft_core::suite::builtin;
use perft_core::{ColoredPiece, IllegalMove, Move, Piece, Position, Square};
use perft_diagnosis::{Explanation, Theme, explain};

use super::word::Word;
use super::words::{TypedPosition, first_word, is_number, most_similar, names_of_ours};
use crate::output::{CliError, Context};
use crate::system::command_line::{again, to_type};

/// Returns the error for words that could not be read as a position with its moves, if the mistake is known: a part was
/// given twice, or a word is not a part. `flagged` are the moves of a flag.
pub fn mistake(typed: &TypedPosition, flagged: &[String], context: &Context) -> Option<CliError> {
    let (first, rest) = typed.position.split_once(' ').unwrap_or((&typed.position, ""));
    let word = Word::of(first, None).unwrap_or(Word::Unknown);
    let is_name = word == Word::Position && rest.is_empty();
    // A FEN is checked where it is read.
    if word == Word::Fen {
        return None;
    }
    let named = if is_name { "" } else { typed.position.as_str() };
    let mut words = named.split(' ').chain(typed.moves.iter().map(String::as_str));
    if let (Some(other), Some(depth)) = (words.find(|word| is_number(word)), &typed.depth) {
        return Some(given_twice("depth", other, depth));
    }
    match word {
        Word::Position | Word::Input if rest.is_empty() => None,
        Word::Position | Word::Input => Some(leftover(first, rest, (typed, flagged))),
        Word::Move => Some(without_keyword("start", &typed.position, (typed, flagged))),
        word => Some(misplaced(word, first, typed, context)),
    }
}

pub fn given_twice(what: &str, one: &str, other: &str) -> CliError {
    CliError::usage(format!("the {what} was given twice: {one} and {other}")).help("leave out one of them")
}

/// Returns the error for a position without a depth.
pub fn without_depth(line: &[String]) -> CliError {
    CliError::usage("no depth was given").suggest("add a number of plies, as in", line)
}

/// Returns the error for a text that means nothing. `what` says what it is not. It suggests the most similar name: after
/// `perft` alone also that of one of these commands.
pub fn unknown_name(text: &str, what: &str, commands: &[String]) -> CliError {
    let is_typed = !again(&[(text, &[text])]).is_empty();
    let error = match commands.is_empty() || !is_typed {
        true => CliError::usage(format!("'{text}' is {what}")),
        false => CliError::usage(format!("no command or position called '{text}'")),
    };
    error.help(meant(text, commands).unwrap_or_else(|| {
        "'perft help' lists the commands, 'perft list positions' the positions; a FEN has '/' between its ranks"
            .to_owned()
    }))
}

/// Returns the question for a name that the user may have meant, with the line to type then.
pub fn meant(text: &str, commands: &[String]) -> Option<String> {
    let name = *most_similar(text, names_of_ours(commands), 1).first()?;
    let line = to_type(&again(&[(text, &[name])])).map(|line| format!(" type: {line}"));
    Some(format!("did you mean '{name}'?{}", line.unwrap_or_default()))
}

/// Returns the error for words after the name of a position that are not a depth.
fn leftover(name: &str, rest: &str, typed: (&TypedPosition, &[String])) -> CliError {
    let first = first_word(rest);
    match (Word::of_ours(first), &typed.0.depth) {
        (Some(Word::Position | Word::Fen | Word::Input), _) => {
            CliError::usage(format!("two positions were given: '{name}' and '{rest}'"))
                .help("leave out one of them")
        }
        (Some(Word::Move), _) => without_keyword(name, rest, typed),
        (_, None) => CliError::usage(format!("'{first}' is not a depth")).suggest(
            "give a number of plies, as in",
            &again(&[(first, &[depth_of_epd(first).unwrap_or("5")])]),
        ),
        (_, Some(_)) => CliError::usage(format!("'{rest}' is neither a move nor a depth")).suggest(
            "leave it out",
            &again(&rest.split(' ').map(|word| (word, &[][..])).collect::<Vec<_>>()),
        ),
    }
}

fn misplaced(word: Word, text: &str, typed: &TypedPosition, context: &Context) -> CliError {
    let name = text.trim_end_matches(|digit: char| digit.is_ascii_digit());
    if word == Word::Unknown && builtin::position(name).is_some() && typed.depth.is_none() {
        let depth = &text[name.len()..];
        return CliError::usage(format!("there is no blank between '{name}' and '{depth}'"))
            .suggest("put it there", &again(&[(text, &[name, depth])]));
    }
    word.refusal(text, "a position", context)
}

/// Returns the error for moves without the word `moves` before them, and for a depth that looks like a move.
fn without_keyword(name: &str, moves: &str, (typed, flagged): (&TypedPosition, &[String])) -> CliError {
    let (first, more) = (first_word(moves), if typed.depth.is_none() { &["5"][..] } else { &[] });
    let with_depth = |words: Vec<String>| match words.is_empty() {
        true => words,
        false => [words, more.iter().map(|word| (*word).to_owned()).collect()].concat(),
    };
    let keyword = with_depth(again(&[(first, &["moves", first])]));
    let all = format!("{},{}", flagged.join(","), moves.replace(' ', ","));
    let without: Vec<(&str, &[&str])> = moves.split(' ').map(|word| (word, &[][..])).collect();
    let flag = with_depth(again(&[&without[..], &[(&flagged.join(","), &[&all])]].concat()));
    let accepted = [keyword, flag].into_iter().find(|line| to_type(line).is_some());
    if let Some(line) = accepted {
        return CliError::usage(format!("the word 'moves' is missing before '{first}'"))
            .suggest("put it there", &line);
    }
    let position = builtin::position(name).map_or_else(Position::start, |case| case.position);
    match (position.find_move(first), depth_of_epd(first)) {
        (_, Some(depth)) if typed.depth.is_none() => CliError::usage(format!("'{first}' is not a depth"))
            .suggest("give a number of plies, as in", &again(&[(first, &[depth])])),
        (Err(error), _) => illegal_move(&error, &position),
        _ => CliError::usage(format!("the word 'moves' is missing before '{first}'")).suggest(
            "the moves follow the position and the word, as in",
            &["start", "moves", "e2e4", "e7e5", "4"],
        ),
    }
}

/// Returns the number of a depth that is written as in EPD: `D4`.
fn depth_of_epd(word: &str) -> Option<&str> {
    word.strip_prefix(['d', 'D']).filter(|depth| is_number(depth))
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

/// Returns why a move is legal or not. A move in algebraic notation that is not legal is explained for each piece that it
/// can mean.
pub fn explanations(position: &Position, text: &str) -> Vec<Explanation> {
    if let Ok(played) = position.find_move(text) {
        return vec![explain(position, &played.to_uci(position.castling_notation()))];
    }
    let is_square = |at| text.get(at..at + 2).is_some_and(|square| square.parse::<Square>().is_ok());
    let meant = match AlgebraicMove::parse(text) {
        Some(AlgebraicMove::Piece { piece, origin, to, promotion }) if !(is_square(0) && is_square(2)) => {
            let standing = ColoredPiece { color: position.turn(), piece };
            let is_meant = |from: &Square| {
                position.piece_at(*from) == Some(standing) && from.to_string().contains(&origin)
            };
            let letter = promotion.map(|piece| piece.letter().to_string()).unwrap_or_default();
            Square::ALL.into_iter().filter(is_meant).map(|from| format!("{from}{to}{letter}")).collect()
        }
        _ => Vec::new(),
    };
    let meant: Vec<String> = if meant.is_empty() { vec![text.to_owned()] } else { meant };
    meant.iter().map(|text| explain(position, text)).collect()
}

/// Returns the legal moves that a text in standard algebraic notation can mean.
fn meanings(position: &Position, text: &str) -> Vec<String> {
    let Some(written) = AlgebraicMove::parse(text) else { return Vec::new() };
    legal_in_uci(position, |played| written.can_mean(position, played))
}

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

//! The errors for words that name nothing, and for moves that are not legal. They say what to type instead.

use perft_core::internals::AlgebraicMove;
use perft_core::{ColoredPiece, IllegalMove, Move, Position, Square};
use perft_diagnosis::{Explanation, Theme, explain};

use super::words::{most_similar, names_of_ours};
use crate::output::CliError;
use crate::system::command_line::{again, to_type};

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
pub fn meant(text: &str, commands: &[String]) -> Option<String> {
    let name = *most_similar(text, names_of_ours(commands), 1).first()?;
    let line = to_type(&again(&[(text, &[name])])).map(|line| format!(" type: {line}"));
    Some(format!("did you mean '{name}'?{}", line.unwrap_or_default()))
}

/// Returns the error for a text that is not a legal move in a position.
pub fn illegal_move(error: &IllegalMove, position: &Position) -> CliError {
    let written = AlgebraicMove::parse(&error.text);
    let can_mean =
        |played: &Move| written.as_ref().is_some_and(|written| written.can_mean(position, *played));
    let meant = position.legal_moves().into_iter().filter(can_mean);
    let meant: Vec<String> = meant.map(|played| played.to_uci(position.castling_notation())).collect();
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
    let meant = match position.find_move(text) {
        Ok(played) => vec![played.to_uci(position.castling_notation())],
        Err(_) => pseudo_moves(position, text),
    };
    meant.iter().map(|text| explain(position, text)).collect()
}

/// Returns the moves of pieces, legal or not, that a text in algebraic notation can mean. Any other text means itself.
fn pseudo_moves(position: &Position, text: &str) -> Vec<String> {
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
    if meant.is_empty() { vec![text.to_owned()] } else { meant }
}

/// Returns the text to type instead: the legal moves from the squares that were meant, otherwise those with similar
/// names, otherwise all.
fn legal_instead(error: &IllegalMove, position: &Position) -> String {
    let legal = || error.legal.iter().map(String::as_str);
    let meant = pseudo_moves(position, &error.text);
    let is_whole = |text: &&String| text.get(2..4).is_some_and(|square| square.parse::<Square>().is_ok());
    let is_near = |played: &&str| meant.iter().filter(is_whole).any(|text| text[..2] == played[..2]);
    let near: Vec<&str> = legal().filter(is_near).collect();
    let similar = most_similar(&error.text, legal(), 3);
    match [near, similar, legal().collect()].into_iter().find(|moves| !moves.is_empty()) {
        Some(moves) => format!("legal moves: {}", moves.join(", ")),
        None => "the position has no legal moves".to_owned(),
    }
}

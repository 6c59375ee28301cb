//! The error for a move that is not legal. It names the moves that the user may have meant.

use perft_core::internals::AlgebraicMove;
use perft_core::{IllegalMove, Move, Piece, Position, Square};

use super::words::most_similar;
use crate::output::error::CliError;

/// Returns the error for a text that is not a legal move in a position.
pub fn illegal_move(error: &IllegalMove, position: &Position) -> CliError {
    let meant = meanings(position, &error.text);
    if meant.is_empty() {
        return CliError::usage(error).help(legal_instead(error, position));
    }
    let message = format!("'{}' can mean several moves in {}", error.text, error.fen);
    CliError::usage(message).help(format!("give one of them: {}", meant.join(", ")))
}

/// Returns the legal moves that a text in standard algebraic notation can mean.
fn meanings(position: &Position, text: &str) -> Vec<String> {
    let Some(written) = AlgebraicMove::parse(text) else { return Vec::new() };
    legal_in_uci(position, |played| written.can_mean(position, played))
}

/// Returns the legal moves for which this holds, in UCI notation.
fn legal_in_uci(position: &Position, is_wanted: impl Fn(Move) -> bool) -> Vec<String> {
    let moves = position.legal_moves().into_iter().filter(|played| is_wanted(*played));
    moves.map(|played| played.to_uci(position.castling_notation())).collect()
}

/// Returns the text to type instead: the legal moves from the same square, or those of the same kind of piece.
fn legal_instead(error: &IllegalMove, position: &Position) -> String {
    let text = error.text.as_str();
    if error.legal.is_empty() {
        return "the position has no legal moves".to_owned();
    }
    let similar = match most_similar(text, error.legal.iter().map(String::as_str), 3).as_slice() {
        [] => None,
        moves => Some(format!("similar legal moves: {}", moves.join(", "))),
    };
    if let Some(from) = first_square(text) {
        return legal_from(from, position).unwrap_or_else(|reason| {
            [Some(reason), similar].into_iter().flatten().collect::<Vec<String>>().join("; ")
        });
    }
    if let Some(written) = AlgebraicMove::parse(text) {
        return legal_of_kind(&written, position);
    }
    similar.unwrap_or_else(|| format!("the legal moves are: {}", error.legal.join(" ")))
}

fn first_square(text: &str) -> Option<Square> {
    let _to: Square = text.get(2..4)?.parse().ok()?;
    text[..2].parse().ok()
}

/// Returns the legal moves that begin on a square, or the reason why there are none.
fn legal_from(from: Square, position: &Position) -> Result<String, String> {
    let moves = legal_in_uci(position, |played| played.from() == from);
    if !moves.is_empty() {
        return Ok(format!("the legal moves from {from} are: {}", moves.join(", ")));
    }
    let turn = position.turn();
    Err(match position.piece_at(from) {
        None => format!("there is no piece on {from}"),
        Some(standing) if standing.color != turn => format!("{turn} is to move, not the piece on {from}"),
        Some(standing) => format!("the {} on {from} has no legal moves", standing.piece),
    })
}

/// Returns the legal moves of the kind of piece that moves.
fn legal_of_kind(written: &AlgebraicMove, position: &Position) -> String {
    let piece = match written {
        AlgebraicMove::Castling(_) => Piece::King,
        AlgebraicMove::Piece { piece, .. } => *piece,
    };
    let is_of_kind =
        |played: Move| position.piece_at(played.from()).is_some_and(|standing| standing.piece == piece);
    match legal_in_uci(position, is_of_kind).as_slice() {
        [] => format!("there is no legal {piece} move"),
        moves => format!("the legal {piece} moves are: {}", moves.join(", ")),
    }
}

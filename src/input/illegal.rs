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

#[cfg(test)]
mod tests {

    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn the_moves_that_can_be_meant_are_named() {
        let start = &Position::start().to_string();
        for (fen, text, instead) in [
            (start.as_str(), "Ng3", "the legal knight moves are: b1a3, b1c3, g1f3, g1h3"),
            (start, "O-O", "there is no legal king move"),
            (start, "exd5", "the legal pawn moves are: a2a3, "),
            (start, "e2e5", "the legal moves from e2 are: e2e3, e2e4"),
            (start, "e3e4", "there is no piece on e3; similar legal moves: e2e4"),
            (start, "e7e5", "white is to move, not the piece on e7"),
            (start, "b1d2", "the legal moves from b1 are: b1a3, b1c3"),
            (start, "a1a2", "the rook on a1 has no legal moves"),
            (start, "E2E4", "similar legal moves: e2e4"),
            (start, "e2-e4", "similar legal moves: e2e4"),
            (start, "e2e", "similar legal moves: e2e3, e2e4"),
            (KIWIPETE, "Kd2", "the legal king moves are: e1d1, e1f1, e1c1, e1g1"),
            (KIWIPETE, "d5d7", "the legal moves from d5 are: d5d6, d5e6"),
            ("4k3/P7/8/8/8/8/8/4K3 w - -", "a8", "the legal pawn moves are: a7a8"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - -", "Kg8", "the position has no legal moves"),
        ] {
            let position: Position = fen.parse().unwrap();
            let error = illegal_move(&position.find_move(text).unwrap_err(), &position);
            let CliError::Usage { help: Some(help), .. } = error else { panic!("{text}: {error:?}") };
            assert!(help.contains(instead), "{text}: {help}");
        }
    }
}

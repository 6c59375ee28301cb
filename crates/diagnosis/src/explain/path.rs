//! Explains the changes of a path of moves that a board does not show: castling rights and the en passant square.

use perft_core::{Bitboard, CastlingNotation, CastlingSide, Color, Move, MoveKind, Position};

use super::wording;

/// Explains which moves of a path removed castling rights, and whether the last move set an en passant square.
///
/// Returns one sentence for each change, without a full stop, in the order of the moves. Castling is written in the
/// notation that the first position needs. The path ends at the first move that is not legal.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_diagnosis::explain_path;
///
/// let start = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
/// let capture = start.find_move("h1h8").unwrap();
/// let sentences = [
///     "h1h8: the rook leaves h1, and White's king-side right is gone",
///     "h1h8: the rook on h8 is captured, and Black's king-side right is gone",
/// ];
/// assert_eq!(explain_path(&start, &[capture]), sentences);
/// ```
pub fn explain_path(start: &Position, moves: &[Move]) -> Vec<String> {
    let notation = start.castling_notation();
    let mut sentences = Vec::new();
    let mut position = *start;
    let mut passed = None;
    for &played in moves {
        if !position.legal_moves().contains(&played) {
            break;
        }
        let after = position.play_unchecked(played);
        sentences.extend(lost_rights(&position, &after, played, notation));
        passed = after.en_passant().map(|square| {
            format!("{} passes {square}, which is now the en passant square", played.to_uci(notation))
        });
        position = after;
    }
    sentences.extend(passed);
    sentences
}

/// Returns a sentence for each side that loses castling rights by a move.
fn lost_rights(before: &Position, after: &Position, played: Move, notation: CastlingNotation) -> Vec<String> {
    let us = before.turn();
    let lost = |color: Color| before.castling().rooks(color) & !after.castling().all_rooks();
    let ours = match played.kind() {
        MoveKind::Castling => "the king castles".to_owned(),
        MoveKind::King => "the king moves".to_owned(),
        _ => format!("the rook leaves {}", played.from()),
    };
    let theirs = format!("the rook on {} is captured", played.to());
    [(us, ours), (!us, theirs)]
        .into_iter()
        .filter(|&(color, _)| lost(color).any())
        .map(|(color, cause)| {
            let gone = rights_gone(before, color, lost(color));
            format!("{}: {cause}, and {gone}", played.to_uci(notation))
        })
        .collect()
}

/// Returns `White's king-side right is gone`.
fn rights_gone(before: &Position, color: Color, rooks: Bitboard) -> String {
    let king = before.king(color);
    let sides = rooks
        .into_iter()
        .map(|rook| wording::castling_side(CastlingSide::of(king, rook)).to_owned())
        .collect();
    let gone = if rooks.has_many() { "rights are gone" } else { "right is gone" };
    format!("{}'s {} {gone}", wording::side(color), wording::joined(sides))
}

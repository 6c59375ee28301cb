//! Explains why a move is legal, with the rule that a generator may have missed.

use perft_core::internals::attacks::between;
use perft_core::{Piece, Square};

use super::attempt::{Attempt, line, line_name};
use super::illegal::Castling;
use super::{Reason, Theme};

pub(super) fn reason(attempt: &Attempt) -> Reason {
    if let Some(Ok(castling)) = Castling::find(attempt) {
        let themes = [Theme::CastlingKingSide, Theme::CastlingQueenSide];
        return (themes[castling.side as usize], castling.why_legal());
    }
    if attempt.mover.piece == Piece::King {
        return king_move(attempt);
    }
    if let Some(captured) = attempt.captured_en_passant() {
        return en_passant(attempt, captured);
    }
    if let Some(piece) = attempt.promotion {
        return promotion(attempt, piece);
    }
    match (attempt.checkers.first(), attempt.pinner()) {
        (Some(checker), _) => check_answered(attempt, checker),
        (None, Some(pinner)) => (Theme::PinnedMoves, along_pin(attempt, pinner)),
        (None, None) => plain(attempt),
    }
}

fn king_move(attempt: &Attempt) -> Reason {
    let &Attempt { to, checkers, .. } = attempt;
    let captures = attempt.board.at(to).is_some();
    let theme = match (checkers.count(), captures) {
        (0, false) => Theme::KingStep,
        (0, true) => Theme::KingTakes,
        (1, _) => Theme::CheckKing,
        _ => Theme::DoubleCheck,
    };
    let (captured, by) = (attempt.piece_on(to), attempt.pieces_on(checkers));
    let because = match captures {
        true if checkers == to.into() => {
            format!("the king captures {captured}, which gives check and is not protected")
        }
        true if checkers.any() => {
            format!("the king leaves the check by {by} and captures {captured}, which is not protected")
        }
        true => format!("the king captures {captured}, which is not protected"),
        false if checkers.any() => format!("the king leaves the check by {by}, and {to} is not attacked"),
        false => format!("{to} is not attacked"),
    };
    (theme, because)
}

fn en_passant(attempt: &Attempt, captured: Square) -> Reason {
    let &Attempt { from, to, .. } = attempt;
    let passed = format!("the pawn on {captured} has just passed {to}, where the pawn on {from} captures it");
    if attempt.checkers.contains(captured) {
        let captures = format!("the pawn on {from} captures the pawn on {captured}");
        (Theme::EnPassantCheck, format!("{captures}, which has just passed {to} and gives check"))
    } else if let Some(checker) = attempt.checkers.first() {
        let by = attempt.piece_on(checker);
        (Theme::EnPassantCheck, format!("{passed}, and blocks the check by {by}"))
    } else if let Some(pinner) = attempt.pinner() {
        let line = line(attempt.king, pinner);
        (Theme::EnPassantPin, format!("{passed}; the capturing pawn is pinned, but stays on {line}"))
    } else {
        (Theme::EnPassant, passed)
    }
}

fn promotion(attempt: &Attempt, piece: Piece) -> Reason {
    let &Attempt { from, to, .. } = attempt;
    let mut theme = Theme::Promotion;
    let mut because = format!("a pawn that reaches the last rank may become a {piece}");
    if attempt.is_pawn_capture() {
        theme = Theme::PromotionCapture;
        because = format!("the pawn on {from} captures {}, and {because}", attempt.piece_on(to));
    }
    if let Some(checker) = attempt.checkers.first() {
        let verb = if checker == to { "that ends the check" } else { "it blocks the check" };
        because += &format!("; {verb} by {}", attempt.piece_on(checker));
    } else if let Some(pinner) = attempt.pinner() {
        because += &format!("; the pawn is pinned, but stays on {}", line(attempt.king, pinner));
    }
    (theme, because)
}

fn check_answered(attempt: &Attempt, checker: Square) -> Reason {
    let &Attempt { to, ref board, .. } = attempt;
    let (mover, by) = (attempt.mover(), attempt.piece_on(checker));
    if checker == to {
        return (Theme::CheckCapture, format!("{mover} captures {by}, which gives check"));
    }
    let captures = match board.at(to) {
        Some(_) => format!("captures {} and ", attempt.piece_on(to)),
        None => String::new(),
    };
    (Theme::CheckBlock, format!("{mover} {captures}blocks the check by {by}"))
}

fn along_pin(attempt: &Attempt, pinner: Square) -> String {
    let &Attempt { from, to, king, .. } = attempt;
    let name = attempt.mover.piece;
    let by = attempt.piece_on(pinner);
    if to == pinner {
        return format!("the pinned {name} on {from} may capture {by}, which pins it to its king on {king}");
    }
    let line = line_name(king, pinner);
    format!("the pinned {name} on {from} may move along {line}, between its king on {king} and {by}")
}

fn plain(attempt: &Attempt) -> Reason {
    let &Attempt { from, to, .. } = attempt;
    let mover = attempt.mover();
    let crossed = between(from, to);
    let theme = match attempt.mover.piece {
        Piece::Pawn if attempt.is_pawn_capture() => Theme::PawnCapture,
        Piece::Pawn if crossed.any() => Theme::DoubleStep,
        Piece::Pawn => Theme::PawnStep,
        Piece::Knight => Theme::KnightMove,
        Piece::Bishop => Theme::BishopMove,
        Piece::Rook => Theme::RookMove,
        Piece::Queen => Theme::QueenMove,
        Piece::King => Theme::KingStep,
    };
    let because = match crossed.first() {
        Some(passed) if theme == Theme::DoubleStep => {
            format!("{mover} has not moved, and {passed} and {to} are empty")
        }
        _ if attempt.board.at(to).is_some() => format!("{mover} captures {}", attempt.piece_on(to)),
        Some(_) => format!("{mover} moves to {to}, and nothing stands in the way"),
        None => format!("{mover} moves to {to}, which is empty"),
    };
    (theme, because)
}

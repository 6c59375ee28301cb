//! Explains why a move is legal, with the rule that a generator may have missed.

use perft_core::internals::attacks::between;
use perft_core::{CastlingSide, Piece, Square};

use super::attempt::{Attempt, Castling, CastlingAttempt};
use super::theme::{Reason, Theme};
use super::wording;

const LEGAL: &str = "is legal";

/// Explains why a legal move is legal.
pub(super) fn reason(attempt: &Attempt) -> Reason {
    if let Some(CastlingAttempt::With(rook)) = CastlingAttempt::from_attempt(attempt) {
        return castling(Castling::new(attempt, rook));
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
    if let Some(checker) = attempt.checkers.first() {
        return check_answered(attempt, checker);
    }
    match attempt.pinner() {
        Some(pinner) => along_pin(attempt, pinner),
        None => plain(attempt),
    }
}

fn castling(castling: Castling) -> Reason {
    let (theme, verdict) = match castling.side {
        CastlingSide::King => (Theme::CastlingKingSide, "is legal, castling king-side"),
        CastlingSide::Queen => (Theme::CastlingQueenSide, "is legal, castling queen-side"),
    };
    Reason::new(theme, verdict, castling.why_legal())
}

fn king_move(attempt: &Attempt) -> Reason {
    let to = attempt.to;
    let captured = attempt.board.at(to).map(|_| wording::piece_on(&attempt.board, to));
    let checkers = wording::pieces_on(&attempt.board, attempt.checkers);
    let theme = match (attempt.checkers.count(), &captured) {
        (0, None) => Theme::KingStep,
        (0, Some(_)) => Theme::KingTakes,
        (1, _) => Theme::CheckKing,
        _ => Theme::DoubleCheck,
    };
    let because = match captured {
        Some(captured) if attempt.checkers.contains(to) && !attempt.checkers.has_many() => {
            format!("the king captures {captured}, which gives check and is not protected")
        }
        Some(captured) if attempt.checkers.any() => {
            format!("the king leaves the check by {checkers} and captures {captured}, which is not protected")
        }
        Some(captured) => format!("the king captures {captured}, which is not protected"),
        None if attempt.checkers.any() => {
            format!("the king leaves the check by {checkers}, and {to} is not attacked")
        }
        None => format!("{to} is not attacked"),
    };
    Reason::new(theme, LEGAL, because)
}

fn en_passant(attempt: &Attempt, captured: Square) -> Reason {
    let &Attempt { from, to, .. } = attempt;
    let passed = format!("the pawn on {captured} has just passed {to}, where the pawn on {from} captures it");
    let (theme, because) = if attempt.checkers.contains(captured) {
        let because = format!(
            "the pawn on {from} captures the pawn on {captured}, which has just passed {to} and gives check"
        );
        (Theme::EnPassantCheck, because)
    } else if let Some(checker) = attempt.checkers.first() {
        let by = wording::piece_on(&attempt.board, checker);
        (Theme::EnPassantCheck, format!("{passed}, and blocks the check by {by}"))
    } else if let Some(pinner) = attempt.pinner() {
        let line = wording::line(attempt.king, pinner);
        (Theme::EnPassantPin, format!("{passed}; the capturing pawn is pinned, but stays on {line}"))
    } else {
        (Theme::EnPassant, passed)
    };
    Reason::new(theme, "en passant is legal", because)
}

fn promotion(attempt: &Attempt, piece: Piece) -> Reason {
    let &Attempt { from, to, .. } = attempt;
    let mut because = format!("a pawn that reaches the last rank may become a {piece}");
    let theme = if attempt.is_pawn_capture() {
        let captured = wording::piece_on(&attempt.board, to);
        because = format!("the pawn on {from} captures {captured}, and {because}");
        Theme::PromotionCapture
    } else {
        Theme::Promotion
    };
    if let Some(checker) = attempt.checkers.first() {
        let verb = if checker == to { "that ends the check" } else { "it blocks the check" };
        because += &format!("; {verb} by {}", wording::piece_on(&attempt.board, checker));
    } else if let Some(pinner) = attempt.pinner() {
        because += &format!("; the pawn is pinned, but stays on {}", wording::line(attempt.king, pinner));
    }
    Reason::new(theme, LEGAL, because)
}

fn check_answered(attempt: &Attempt, checker: Square) -> Reason {
    let &Attempt { from, to, ref board, .. } = attempt;
    let (mover, by) = (wording::piece_on(board, from), wording::piece_on(board, checker));
    if checker == to {
        return Reason::new(Theme::CheckCapture, LEGAL, format!("{mover} captures {by}, which gives check"));
    }
    let captures = match board.at(to) {
        Some(_) => format!("captures {} and ", wording::piece_on(board, to)),
        None => String::new(),
    };
    Reason::new(Theme::CheckBlock, LEGAL, format!("{mover} {captures}blocks the check by {by}"))
}

fn along_pin(attempt: &Attempt, pinner: Square) -> Reason {
    let &Attempt { from, to, king, .. } = attempt;
    let name = attempt.mover.piece;
    let by = wording::piece_on(&attempt.board, pinner);
    let because = if to == pinner {
        format!("the pinned {name} on {from} may capture {by}, which pins it to its king on {king}")
    } else {
        let line = wording::line_name(king, pinner);
        format!("the pinned {name} on {from} may move along {line}, between its king on {king} and {by}")
    };
    Reason::new(Theme::PinnedMoves, LEGAL, because)
}

fn plain(attempt: &Attempt) -> Reason {
    let &Attempt { from, to, ref board, .. } = attempt;
    let mover = wording::piece_on(board, from);
    let theme = plain_theme(attempt);
    let crossed = between(from, to);
    let because = if theme == Theme::DoubleStep {
        let passed = crossed.first().map(|square| square.to_string()).unwrap_or_default();
        format!("{mover} has not moved, and {passed} and {to} are empty")
    } else if board.at(to).is_some() {
        format!("{mover} captures {}", wording::piece_on(board, to))
    } else if crossed.any() {
        format!("{mover} moves to {to}, and nothing stands in the way")
    } else {
        format!("{mover} moves to {to}, which is empty")
    };
    Reason::new(theme, LEGAL, because)
}

fn plain_theme(attempt: &Attempt) -> Theme {
    match attempt.mover.piece {
        Piece::Pawn if attempt.is_pawn_capture() => Theme::PawnCapture,
        Piece::Pawn if between(attempt.from, attempt.to).any() => Theme::DoubleStep,
        Piece::Pawn => Theme::PawnStep,
        Piece::Knight => Theme::KnightMove,
        Piece::Bishop => Theme::BishopMove,
        Piece::Rook => Theme::RookMove,
        Piece::Queen => Theme::QueenMove,
        Piece::King => Theme::KingStep,
    }
}

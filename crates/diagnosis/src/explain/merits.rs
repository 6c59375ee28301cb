//! Why a move is legal, above all where a generator easily misses it.

use super::castling::{Attempt, Castling};
use super::scene::{Asked, Scene};
use super::{Reason, Theme, words};
use perft_core::internals::attacks::between;
use perft_core::{CastlingSide, Piece, Square};

const LEGAL: &str = "is legal";

/// What makes a legal move legal.
pub(super) fn merit(scene: &Scene) -> Reason {
    if let Some(Attempt::With(rook)) = Attempt::of(scene) {
        return castling(Castling::of(scene, rook));
    }
    if scene.man.piece == Piece::King {
        return king_step(scene);
    }
    if let Some(taken) = scene.taken_en_passant() {
        return en_passant(scene, taken);
    }
    if let Some(piece) = scene.asked.promotion {
        return promotion(scene, piece);
    }
    if let Some(checker) = scene.checkers.first() {
        return check_met(scene, checker);
    }
    match scene.pinner() {
        Some(pinner) => along_pin(scene, pinner),
        None => plain(scene),
    }
}

fn castling(castling: Castling) -> Reason {
    let (theme, verdict) = match castling.castling_side {
        CastlingSide::King => (Theme::CastlingKingSide, "is legal, castling king-side"),
        CastlingSide::Queen => (Theme::CastlingQueenSide, "is legal, castling queen-side"),
    };
    Reason::new(theme, verdict, castling.merit())
}

fn king_step(scene: &Scene) -> Reason {
    let to = scene.asked.to;
    let taken = scene.board.at(to).map(|_| words::man(&scene.board, to));
    let checkers = words::men(&scene.board, scene.checkers);
    let theme = match (scene.checkers.count(), &taken) {
        (0, None) => Theme::KingStep,
        (0, Some(_)) => Theme::KingTakes,
        (1, _) => Theme::CheckKing,
        _ => Theme::DoubleCheck,
    };
    let because = match taken {
        Some(taken) if scene.checkers.contains(to) && !scene.checkers.has_many() => {
            format!("the king captures {taken}, which gives check and which nothing protects")
        }
        Some(taken) if scene.checkers.any() => {
            format!("the king leaves the check by {checkers} and captures {taken}, which nothing protects")
        }
        Some(taken) => format!("the king captures {taken}, which nothing protects"),
        None if scene.checkers.any() => {
            format!("the king leaves the check by {checkers}, and nothing attacks {to}")
        }
        None => format!("nothing attacks {to}"),
    };
    Reason::new(theme, LEGAL, because)
}

fn en_passant(scene: &Scene, taken: Square) -> Reason {
    let Asked { from, to, .. } = scene.asked;
    let passed = format!("the pawn on {taken} has just passed {to}, where the pawn on {from} captures it");
    let (theme, because) = if scene.checkers.contains(taken) {
        let because = format!(
            "the pawn on {from} captures the pawn on {taken}, which has just passed {to} and gives check"
        );
        (Theme::EnPassantCheck, because)
    } else if let Some(checker) = scene.checkers.first() {
        let by = words::man(&scene.board, checker);
        (Theme::EnPassantCheck, format!("{passed}, and blocks the check by {by}"))
    } else if let Some(pinner) = scene.pinner() {
        let line = words::line(scene.king, pinner);
        (Theme::EnPassantPin, format!("{passed}; that pawn is pinned, but stays on {line}"))
    } else {
        (Theme::EnPassant, passed)
    };
    Reason::new(theme, "en passant is legal", because)
}

fn promotion(scene: &Scene, piece: Piece) -> Reason {
    let become_it = format!("a pawn that reaches the last rank may become a {}", words::piece(piece));
    let mut because = if scene.is_pawn_capture() {
        let taken = words::man(&scene.board, scene.asked.to);
        format!("the pawn on {} captures {taken}, and {become_it}", scene.asked.from)
    } else {
        become_it
    };
    if let Some(checker) = scene.checkers.first() {
        let verb = if checker == scene.asked.to { "that ends the check" } else { "it blocks the check" };
        because += &format!("; {verb} by {}", words::man(&scene.board, checker));
    } else if let Some(pinner) = scene.pinner() {
        because += &format!("; the pawn is pinned, but stays on {}", words::line(scene.king, pinner));
    }
    let theme = if scene.is_pawn_capture() { Theme::PromotionCapture } else { Theme::Promotion };
    Reason::new(theme, LEGAL, because)
}

fn check_met(scene: &Scene, checker: Square) -> Reason {
    let (mover, by) = (words::man(&scene.board, scene.asked.from), words::man(&scene.board, checker));
    if checker == scene.asked.to {
        let because = format!("{mover} captures {by}, which gives check");
        return Reason::new(Theme::CheckCapture, LEGAL, because);
    }
    let mut because = format!("{mover} blocks the check by {by}");
    if scene.board.at(scene.asked.to).is_some() {
        because = format!(
            "{mover} captures {} and blocks the check by {by}",
            words::man(&scene.board, scene.asked.to)
        );
    }
    Reason::new(Theme::CheckBlock, LEGAL, because)
}

fn along_pin(scene: &Scene, pinner: Square) -> Reason {
    let Asked { from, to, .. } = scene.asked;
    let man = words::piece(scene.man.piece);
    let by = words::man(&scene.board, pinner);
    let because = if to == pinner {
        format!("the pinned {man} on {from} may capture {by}, which pins it to its king on {}", scene.king)
    } else {
        let line = words::line_name(scene.king, pinner);
        format!(
            "the pinned {man} on {from} may move along {line}, between its king on {} and {by}",
            scene.king
        )
    };
    Reason::new(Theme::PinnedMoves, LEGAL, because)
}

fn plain(scene: &Scene) -> Reason {
    let Asked { from, to, .. } = scene.asked;
    let mover = words::man(&scene.board, from);
    let theme = plain_theme(scene);
    let way = between(from, to);
    let because = if theme == Theme::DoubleStep {
        let passed = way.first().map(|square| square.to_string()).unwrap_or_default();
        format!("{mover} has not moved, and {passed} and {to} are empty")
    } else if scene.board.at(to).is_some() {
        format!("{mover} captures {}", words::man(&scene.board, to))
    } else if way.any() {
        format!("{mover} goes to {to}, and nothing stands in the way")
    } else {
        format!("{mover} goes to {to}, which is empty")
    };
    Reason::new(theme, LEGAL, because)
}

fn plain_theme(scene: &Scene) -> Theme {
    let Asked { from, to, .. } = scene.asked;
    match scene.man.piece {
        Piece::Pawn if scene.is_pawn_capture() => Theme::PawnCapture,
        Piece::Pawn if between(from, to).any() => Theme::DoubleStep,
        Piece::Pawn => Theme::PawnStep,
        Piece::Knight => Theme::KnightMove,
        Piece::Bishop => Theme::BishopMove,
        Piece::Rook => Theme::RookMove,
        Piece::Queen => Theme::QueenMove,
        Piece::King => Theme::KingStep,
    }
}

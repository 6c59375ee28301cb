//! Explains why a move is illegal. Finds the first rule that it breaks, from the movement of the piece to the safety of
//! the king.

use perft_core::internals::attacks::between;
use perft_core::{Bitboard, File, Piece, Position, Square};

use super::attempt::{Attempt, CastlingAttempt, pawn_rank};
use super::theme::{Reason, Theme};
use super::wording::{self, ILLEGAL, attacks};

const INCOMPLETE: &str = "is not a complete move";
const EN_PASSANT: &str = "en passant is illegal";

/// Returns the rule that a move breaks, or `None` if it is legal.
pub(super) fn broken_rule(attempt: &Attempt) -> Option<Reason> {
    if let Some(castling) = CastlingAttempt::from_attempt(attempt) {
        return castling.broken_rule(attempt).or_else(|| promotion(attempt));
    }
    movement(attempt).or_else(|| promotion(attempt)).or_else(|| {
        if attempt.mover.piece == Piece::King {
            king_safety(attempt)
        } else if let Some(captured) = attempt.captured_en_passant() {
            en_passant_safety(attempt, captured)
        } else {
            safety(attempt)
        }
    })
}

/// Explains why no move starts on a square: the side to move has no piece there.
pub(super) fn wrong_start(position: &Position, from: Square) -> Reason {
    let us = position.turn();
    if let Some(piece) = position.piece_at(from) {
        let (name, owner) = (piece.piece, wording::side(piece.color));
        let because = format!("the {name} on {from} is {owner}'s, and it is {}'s turn", wording::side(us));
        return Reason::new(Theme::EnemyPiece, ILLEGAL, because);
    }
    let mut because = format!("there is no piece on {from}");
    // A generator may castle with a king that is on another square.
    if from.file() == File::E && from.rank() == us.back_rank() {
        because += &format!("; {}'s king stands on {}", wording::side(us), position.king(us));
    }
    Reason::new(Theme::NothingThere, ILLEGAL, because)
}

/// Tests the movement of the piece, the pieces in its way, and the piece on the target square.
fn movement(attempt: &Attempt) -> Option<Reason> {
    let &Attempt { from, to, .. } = attempt;
    if attempt.mover.piece == Piece::Pawn {
        return pawn_movement(attempt);
    }
    if !attacks(attempt.mover, from, Bitboard::EMPTY).contains(to) {
        return Some(wrong_movement(attempt));
    }
    let in_the_way = between(from, to) & attempt.board.occupied();
    if in_the_way.any() {
        let blocker = wording::piece_on(&attempt.board, nearest(in_the_way, from));
        return Some(Reason::new(Theme::Blocked, ILLEGAL, format!("{blocker} stands in the way")));
    }
    own_piece(attempt)
}

/// Returns the square of a set on one line that is nearest to `to`.
fn nearest(set: Bitboard, to: Square) -> Square {
    let nearest = set.into_iter().find(|&square| (between(to, square) & set).is_empty());
    nearest.expect("some square of a line is the nearest")
}

fn wrong_movement(attempt: &Attempt) -> Reason {
    let rule = match attempt.mover.piece {
        Piece::Pawn => "a pawn moves straight ahead and captures diagonally ahead",
        Piece::Knight => "a knight moves two squares straight and one to the side",
        Piece::Bishop => "a bishop moves along diagonals",
        Piece::Rook => "a rook moves along ranks and files",
        Piece::Queen => "a queen moves along ranks, files and diagonals",
        Piece::King => "a king moves to an adjacent square",
    };
    let because = format!("{rule}, so {} does not reach {}", mover(attempt), attempt.to);
    Reason::new(Theme::PieceMovement, ILLEGAL, because)
}

fn own_piece(attempt: &Attempt) -> Option<Reason> {
    let (us, to) = (attempt.us(), attempt.to);
    attempt.board.has_color(us, to).then(|| {
        let because =
            format!("{} is {}'s own piece", wording::piece_on(&attempt.board, to), wording::side(us));
        Reason::new(Theme::OwnPiece, ILLEGAL, because)
    })
}

fn pawn_movement(attempt: &Attempt) -> Option<Reason> {
    let &Attempt { from, to, .. } = attempt;
    let next = attempt.forward().step(from);
    if attacks(attempt.mover, from, Bitboard::EMPTY).contains(to) {
        pawn_capture(attempt)
    } else if next == Some(to) {
        pawn_blocked(attempt, to)
    } else if next.and_then(|next| attempt.forward().step(next)) == Some(to) {
        double_step(attempt, next?)
    } else {
        Some(wrong_movement(attempt))
    }
}

/// Tests that a pawn moves diagonally only to capture an enemy piece, or to the en passant square.
fn pawn_capture(attempt: &Attempt) -> Option<Reason> {
    let (them, to) = (!attempt.us(), attempt.to);
    if attempt.board.at(to).is_some() {
        return own_piece(attempt);
    }
    if attempt.captured_en_passant().is_some() {
        return None;
    }
    let is_passed = attempt.forward().step(to).is_some_and(|start| start.rank() == pawn_rank(them));
    let pawn = attempt.behind(to).filter(|&at| attempt.board.has_piece(them, Piece::Pawn, at));
    let Some(pawn) = pawn.filter(|_| is_passed) else {
        let because = format!("a pawn moves diagonally only to capture, and {to} is empty");
        return Some(Reason::new(Theme::PawnCapture, ILLEGAL, because));
    };
    let square = match attempt.position.en_passant() {
        Some(passed) => format!("the en passant square is {passed}"),
        None => "there is no en passant square".to_owned(),
    };
    let because = format!("the pawn on {pawn} did not pass {to} with the last move: {square}");
    Some(Reason::new(Theme::EnPassantSquare, EN_PASSANT, because))
}

fn pawn_blocked(attempt: &Attempt, at: Square) -> Option<Reason> {
    let blocker = attempt.board.at(at)?;
    let rule =
        if blocker.color == attempt.us() { "" } else { ", and a pawn does not capture straight ahead" };
    let because = format!("{} stands in the way{rule}", wording::piece_on(&attempt.board, at));
    Some(Reason::new(Theme::Blocked, ILLEGAL, because))
}

fn double_step(attempt: &Attempt, passed: Square) -> Option<Reason> {
    let start = pawn_rank(attempt.us());
    if attempt.from.rank() != start {
        let (side, rank) = (wording::side(attempt.us()), wording::rank(start));
        let because = format!("{side}'s pawns make a double step only from the {rank} rank");
        return Some(Reason::new(Theme::DoubleStep, ILLEGAL, because));
    }
    pawn_blocked(attempt, passed).or_else(|| pawn_blocked(attempt, attempt.to))
}

/// Tests that a pawn promotes if and only if it reaches the last rank, and only to a knight, bishop, rook or queen.
fn promotion(attempt: &Attempt) -> Option<Reason> {
    let (verdict, because) = match (attempt.reaches_last_rank(), attempt.promotion) {
        (true, None) => (INCOMPLETE, "a pawn that reaches the last rank must promote".to_owned()),
        (true, Some(piece @ (Piece::King | Piece::Pawn))) => {
            (ILLEGAL, format!("a pawn does not promote to a {piece}"))
        }
        (false, Some(_)) if attempt.mover.piece == Piece::Pawn => {
            (ILLEGAL, "a pawn promotes on the last rank only".to_owned())
        }
        (false, Some(_)) => (ILLEGAL, format!("a {} does not promote", attempt.mover.piece)),
        _ => return None,
    };
    Some(Reason::new(Theme::PromotionPiece, verdict, because))
}

/// Tests that a king does not move to an attacked square. The king does not block lines through the square that it
/// leaves.
fn king_safety(attempt: &Attempt) -> Option<Reason> {
    let &Attempt { from, to, .. } = attempt;
    let them = !attempt.us();
    let attackers = attempt.after().attackers(to, them);
    let pieces = wording::pieces_on(&attempt.board, attackers);
    let verb = wording::attack(attackers);
    let (theme, because) = if attackers.is_empty() {
        return None;
    } else if attackers == attempt.position.king(them).into() {
        (Theme::KingNextToKing, format!("the king would stand next to {pieces}"))
    } else if (attackers & attempt.board.attackers(to, them)).is_empty() {
        // Only the king itself blocked the line.
        let line = wording::line(from, to);
        let because = format!("the king steps back along {line}, and {pieces} {verb} {to} through {from}");
        (Theme::KingAlongLine, because)
    } else if attempt.board.at(to).is_some() {
        let verb = if attackers.has_many() { "protect" } else { "protects" };
        let captured = wording::piece_on(&attempt.board, to);
        (Theme::KingTakesProtected, format!("{pieces} {verb} {captured}"))
    } else {
        (Theme::KingIntoCheck, format!("{pieces} {verb} {to}"))
    };
    Some(Reason::new(theme, ILLEGAL, because))
}

/// Tests that a move of another piece answers a check and does not discover one.
fn safety(attempt: &Attempt) -> Option<Reason> {
    let attackers = attempt.after().attackers(attempt.king, !attempt.us());
    if attackers.is_empty() {
        return None;
    }
    let (theme, because) =
        check_not_answered(attempt, attackers).unwrap_or_else(|| pinned(attempt, attackers));
    Some(Reason::new(theme, ILLEGAL, because))
}

/// Explains why the move does not answer a check. Returns `None` if it answers the check, or if there is none.
fn check_not_answered(attempt: &Attempt, attackers: Bitboard) -> Option<(Theme, String)> {
    let checkers = wording::pieces_on(&attempt.board, attempt.checkers);
    let king = wording::piece_on(&attempt.board, attempt.king);
    if attempt.checkers.has_many() {
        let all = if attempt.checkers.count() > 2 { "all" } else { "both" };
        let because = format!("{checkers} {all} give check to {king}, and only the king may move");
        return Some((Theme::DoubleCheck, because));
    }
    let checker = (attackers & attempt.checkers).first()?;
    let failure = if between(attempt.king, checker).any() {
        format!("neither captures it nor blocks {}", wording::line(attempt.king, checker))
    } else {
        "does not capture it".to_owned()
    };
    Some((Theme::Check, format!("{king} is in check by {checkers}, and {} {failure}", mover(attempt))))
}

fn pinned(attempt: &Attempt, attackers: Bitboard) -> (Theme, String) {
    let theme = match attempt.mover.piece {
        Piece::Pawn => Theme::PinnedPawn,
        Piece::Knight => Theme::PinnedKnight,
        _ => Theme::PinnedPiece,
    };
    let pinners = wording::pieces_on(&attempt.board, attackers);
    let mut because = format!("{} is pinned to its king on {} by {pinners}", mover(attempt), attempt.king);
    if let Some(checker) = attempt.checkers.first() {
        let checker = wording::piece_on(&attempt.board, checker);
        because += &format!(", so it cannot answer the check by {checker}");
    }
    (theme, because)
}

/// Tests that en passant does not discover a check. Each of the two pawns that leave their squares, or both together,
/// may do so.
fn en_passant_safety(attempt: &Attempt, captured: Square) -> Option<Reason> {
    let them = !attempt.us();
    let &Attempt { from, king, ref board, .. } = attempt;
    let attackers = attempt.after().attackers(king, them);
    let attacker = attackers.first()?;
    if let Some((theme, because)) = check_not_answered(attempt, attackers) {
        let theme = if theme == Theme::Check { Theme::EnPassantCheck } else { theme };
        return Some(Reason::new(theme, EN_PASSANT, because));
    }
    let attacks_without = |pawn: Square| board.without(pawn).attackers(king, them).contains(attacker);
    let slider = wording::piece_on(board, attacker);
    let (theme, because) = if attacks_without(from) {
        (Theme::EnPassantPin, format!("the pawn on {from} is pinned to its king on {king} by {slider}"))
    } else if attacks_without(captured) {
        let line = wording::line(king, attacker);
        let because =
            format!("the pawn on {captured} leaves {line}, and {slider} then attacks the king on {king}");
        (Theme::EnPassantDiagonal, because)
    } else {
        let rank = wording::rank(from.rank());
        let because =
            format!("both pawns leave the {rank} rank, and {slider} then attacks the king on {king}");
        (Theme::EnPassantRank, because)
    };
    Some(Reason::new(theme, EN_PASSANT, because))
}

/// Returns the moving piece with its square.
fn mover(attempt: &Attempt) -> String {
    wording::piece_on(&attempt.board, attempt.from)
}

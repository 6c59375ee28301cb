//! Why a move is illegal: the first rule that it breaks, from the plainest to the king's safety.

use super::board::reach;
use super::castling::Attempt;
use super::scene::{Asked, Scene, pawn_rank};
use super::{Reason, Theme, words};
use perft_core::Position;
use perft_core::internals::attacks::between;
use perft_core::{Bitboard, File, Piece, Square};

const ILLEGAL: &str = "is illegal";
const NOT_WHOLE: &str = "is not a whole move";
const EN_PASSANT: &str = "en passant is illegal";

/// The rule that the move breaks; `None` if it is legal.
pub(super) fn fault(scene: &Scene) -> Option<Reason> {
    if let Some(attempt) = Attempt::of(scene) {
        return attempt.fault(scene).or_else(|| promotion(scene));
    }
    movement(scene).or_else(|| promotion(scene)).or_else(|| {
        if scene.man.piece == Piece::King {
            king_safety(scene)
        } else if let Some(taken) = scene.taken_en_passant() {
            en_passant_safety(scene, taken)
        } else {
            safety(scene)
        }
    })
}

/// Why a move without a man of the side to move is none.
pub(super) fn no_man(position: &Position, asked: Asked) -> Reason {
    let (from, us) = (asked.from, position.turn());
    match position.piece_at(from) {
        Some(man) => {
            let (man, them) = (words::piece(man.piece), words::side(man.color));
            let because = format!("the {man} on {from} is {them}'s, and it is {}'s move", words::side(us));
            Reason::new(Theme::EnemyMan, ILLEGAL, because)
        }
        None => {
            // An engine that castles with a king which is elsewhere.
            let is_castling = from.file() == File::E && from.rank() == us.back_rank();
            let king = format!("; {}'s king stands on {}", words::side(us), position.king(us));
            let king = if is_castling { king } else { String::new() };
            Reason::new(Theme::NothingThere, ILLEGAL, format!("nothing stands on {from}{king}"))
        }
    }
}

/// How the piece moves, what stands in its way, and what stands where it goes.
fn movement(scene: &Scene) -> Option<Reason> {
    let Asked { from, to, .. } = scene.asked;
    if scene.man.piece == Piece::Pawn {
        return pawn_movement(scene);
    }
    if !reach(scene.man, from, Bitboard::EMPTY).contains(to) {
        return Some(wrong_movement(scene));
    }
    let in_the_way = between(from, to) & scene.board.occupied();
    if in_the_way.any() {
        let because = format!("{} stands in the way", words::man(&scene.board, nearest(in_the_way, from)));
        return Some(Reason::new(Theme::Blocked, ILLEGAL, because));
    }
    own_man(scene)
}

/// The member of a set on one line that is nearest to a square.
fn nearest(set: Bitboard, to: Square) -> Square {
    let nearest = set.into_iter().find(|&square| (between(to, square) & set).is_empty());
    nearest.expect("some square of a line is the nearest")
}

fn wrong_movement(scene: &Scene) -> Reason {
    let way = match scene.man.piece {
        Piece::Pawn => "a pawn steps orthogonal ahead, and captures diagonally ahead",
        Piece::Knight => "a knight goes two squares orthogonal and one aside",
        Piece::Bishop => "a bishop moves along diagonals",
        Piece::Rook => "a rook moves along ranks and files",
        Piece::Queen => "a queen moves along ranks, files and diagonals",
        Piece::King => "a king steps to a neighbouring square",
    };
    let because = format!("{way}, and {} does not reach {}", mover(scene), scene.asked.to);
    Reason::new(Theme::PieceMovement, ILLEGAL, because)
}

fn own_man(scene: &Scene) -> Option<Reason> {
    let (us, to) = (scene.us(), scene.asked.to);
    scene.board.has(us, to).then(|| {
        let because = format!("{} is {}'s own", words::man(&scene.board, to), words::side(us));
        Reason::new(Theme::OwnMan, ILLEGAL, because)
    })
}

fn pawn_movement(scene: &Scene) -> Option<Reason> {
    let Asked { from, to, .. } = scene.asked;
    let next = scene.forward().step(from);
    if reach(scene.man, from, Bitboard::EMPTY).contains(to) {
        pawn_capture(scene)
    } else if next == Some(to) {
        pawn_blocked(scene, to)
    } else if next.and_then(|next| scene.forward().step(next)) == Some(to) {
        double_step(scene, next?)
    } else {
        Some(wrong_movement(scene))
    }
}

/// A pawn goes diagonally only to a man of the other side, or to a square that one has just passed.
fn pawn_capture(scene: &Scene) -> Option<Reason> {
    let to = scene.asked.to;
    if scene.board.at(to).is_some() {
        return own_man(scene);
    }
    if scene.taken_en_passant().is_some() {
        return None;
    }
    let is_passed = scene.forward().step(to).is_some_and(|start| start.rank() == pawn_rank(!scene.us()));
    let beside = scene.behind(to).filter(|&at| scene.board.has_piece(!scene.us(), Piece::Pawn, at));
    match beside.filter(|_| is_passed) {
        Some(pawn) => {
            let passed = match scene.position.en_passant() {
                Some(passed) => format!("the en passant square is {passed}"),
                None => "there is no en passant square".to_owned(),
            };
            let because = format!("the pawn on {pawn} has not passed {to} with the last move: {passed}");
            Some(Reason::new(Theme::EnPassantSquare, EN_PASSANT, because))
        }
        None => {
            let because = format!("a pawn goes diagonally only to capture, and {to} is empty");
            Some(Reason::new(Theme::PawnCapture, ILLEGAL, because))
        }
    }
}

fn pawn_blocked(scene: &Scene, at: Square) -> Option<Reason> {
    let man = scene.board.at(at)?;
    let aside = if man.color == scene.us() { "" } else { ", and a pawn does not capture orthogonal ahead" };
    let because = format!("{} stands in the way{aside}", words::man(&scene.board, at));
    Some(Reason::new(Theme::Blocked, ILLEGAL, because))
}

fn double_step(scene: &Scene, passed: Square) -> Option<Reason> {
    let Asked { from, to, .. } = scene.asked;
    if from.rank() != pawn_rank(scene.us()) {
        let rank = words::rank(pawn_rank(scene.us()));
        let because = format!("{}'s pawns step twice only from the {rank} rank", words::side(scene.us()));
        return Some(Reason::new(Theme::DoubleStep, ILLEGAL, because));
    }
    pawn_blocked(scene, passed).or_else(|| pawn_blocked(scene, to))
}

/// A pawn on the last rank, and nothing else, becomes another piece.
fn promotion(scene: &Scene) -> Option<Reason> {
    let (verdict, because) = match (scene.reaches_last_rank(), scene.asked.promotion) {
        (true, None) => (NOT_WHOLE, "a pawn that reaches the last rank promotes".to_owned()),
        (true, Some(piece @ (Piece::King | Piece::Pawn))) => {
            (ILLEGAL, format!("a pawn does not become a {}", words::piece(piece)))
        }
        (false, Some(_)) if scene.man.piece == Piece::Pawn => {
            (ILLEGAL, "a pawn promotes on the last rank only".to_owned())
        }
        (false, Some(_)) => (ILLEGAL, format!("a {} does not promote", words::piece(scene.man.piece))),
        _ => return None,
    };
    Some(Reason::new(Theme::PromotionPiece, verdict, because))
}

/// Steps of the king: what attacks it where it goes, itself taken away from where it stood.
fn king_safety(scene: &Scene) -> Option<Reason> {
    let Asked { from, to, .. } = scene.asked;
    let them = !scene.us();
    let attackers = scene.after().attackers(to, them);
    let (near, afar) = (scene.board.attackers(to, them), words::men(&scene.board, attackers));
    let (theme, because) = if attackers.is_empty() {
        return None;
    } else if attackers == scene.position.king(them).into() {
        (Theme::KingNextToKing, format!("the king would stand next to {afar}"))
    } else if (attackers & near).is_empty() {
        // Only the king itself was in the way.
        let line = words::line(from, to);
        let verb = words::attack(attackers);
        (
            Theme::KingAlongLine,
            format!("the king steps back along {line}, and {afar} {verb} {to} through {from}"),
        )
    } else {
        into_check(scene, attackers)
    };
    Some(Reason::new(theme, ILLEGAL, because))
}

fn into_check(scene: &Scene, attackers: Bitboard) -> (Theme, String) {
    let to = scene.asked.to;
    let (men, verb) = (words::men(&scene.board, attackers), words::attack(attackers));
    if scene.board.at(to).is_some() {
        let taken = words::man(&scene.board, to);
        let verb = if attackers.has_many() { "protect" } else { "protects" };
        return (Theme::KingTakesProtected, format!("{men} {verb} {taken}"));
    }
    (Theme::KingIntoCheck, format!("{men} {verb} {to}"))
}

/// Moves of other men: they meet a check, and do not uncover one.
fn safety(scene: &Scene) -> Option<Reason> {
    let attackers = scene.after().attackers(scene.king, !scene.us());
    if attackers.is_empty() {
        return None;
    }
    let reason = checks_not_met(scene, attackers).unwrap_or_else(|| pinned(scene, attackers));
    Some(Reason::new(reason.0, ILLEGAL, reason.1))
}

/// Why a move of a man other than the king does not help in check; `None` if it meets the check, or there is none.
fn checks_not_met(scene: &Scene, attackers: Bitboard) -> Option<(Theme, String)> {
    let checkers = words::men(&scene.board, scene.checkers);
    let king = words::man(&scene.board, scene.king);
    if scene.checkers.has_many() {
        let all = if scene.checkers.count() > 2 { "all" } else { "both" };
        let because = format!("{checkers} {all} give check to {king}, and only the king may move");
        return Some((Theme::DoubleCheck, because));
    }
    let checker = (attackers & scene.checkers).first()?;
    let way_out = if between(scene.king, checker).any() {
        format!("neither captures it nor blocks {}", words::line(scene.king, checker))
    } else {
        "does not capture it".to_owned()
    };
    Some((Theme::Check, format!("{king} is in check by {checkers}, and {} {way_out}", mover(scene))))
}

fn pinned(scene: &Scene, attackers: Bitboard) -> (Theme, String) {
    let theme = match scene.man.piece {
        Piece::Pawn => Theme::PinnedPawn,
        Piece::Knight => Theme::PinnedKnight,
        _ => Theme::PinnedPiece,
    };
    let because = format!(
        "{} is pinned to its king on {} by {}",
        mover(scene),
        scene.king,
        words::men(&scene.board, attackers)
    );
    match scene.checkers.first() {
        Some(checker) => {
            (theme, format!("{because}, and may not meet the check by {}", words::man(&scene.board, checker)))
        }
        None => (theme, because),
    }
}

/// En passant: two pawns leave their squares, and each of them, or both together, may uncover the king.
fn en_passant_safety(scene: &Scene, taken: Square) -> Option<Reason> {
    let attackers = scene.after().attackers(scene.king, !scene.us());
    let attacker = attackers.first()?;
    if let Some((theme, because)) = checks_not_met(scene, attackers) {
        let theme = if theme == Theme::Check { Theme::EnPassantCheck } else { theme };
        return Some(Reason::new(theme, EN_PASSANT, because));
    }
    let attacks_without =
        |pawn: Square| scene.board.without(pawn).attackers(scene.king, !scene.us()).contains(attacker);
    let from = scene.asked.from;
    let slider = words::man(&scene.board, attacker);
    let king = words::man(&scene.board, scene.king);
    let (theme, because) = if attacks_without(from) {
        (
            Theme::EnPassantPin,
            format!("the pawn on {from} is pinned to its king on {} by {slider}", scene.king),
        )
    } else if attacks_without(taken) {
        let because = format!(
            "the pawn on {taken} leaves {}, and {slider} then attacks {king}",
            words::line(scene.king, attacker)
        );
        (Theme::EnPassantDiagonal, because)
    } else {
        let rank = words::rank(from.rank());
        (Theme::EnPassantRank, format!("both pawns leave the {rank} rank, and {slider} then attacks {king}"))
    };
    Some(Reason::new(theme, EN_PASSANT, because))
}

/// The man that shall move, with its square.
fn mover(scene: &Scene) -> String {
    words::man(&scene.board, scene.asked.from)
}

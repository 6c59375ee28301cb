//! Explains why a move is illegal. Finds the first rule that it breaks, from the movement of the piece to the safety of
//! the king. Castling has conditions of its own.

use perft_core::internals::attacks::{between, diagonal_rays, king, knight, orthogonal_rays};
use perft_core::{Bitboard, CastlingSide, File, Piece, Position, Rank, Square};

use super::attempt::{Attempt, castling_side, joined, line, rank, side};
use super::{Reason, Theme};

/// Tests all rules.
///
/// # Errors
/// Returns the rule that the move breaks.
pub(super) fn check(attempt: &Attempt) -> Result<(), Reason> {
    if let Some(castling) = Castling::find(attempt) {
        castling?.check(attempt)?;
        return promotion(attempt);
    }
    movement(attempt)?;
    promotion(attempt)?;
    match attempt.captured_en_passant() {
        _ if attempt.mover.piece == Piece::King => king_safety(attempt),
        Some(captured) => en_passant_safety(attempt, captured),
        None => safety(attempt),
    }
}

/// Explains why no move starts on a square: the side to move has no piece there.
pub(super) fn wrong_start(position: &Position, from: Square) -> Reason {
    let us = position.turn();
    if let Some(piece) = position.piece_at(from) {
        let (name, owner) = (piece.piece, side(piece.color));
        let because = format!("the {name} on {from} is {owner}'s, and it is {}'s turn", side(us));
        return (Theme::EnemyPiece, because);
    }
    let mut because = format!("there is no piece on {from}");
    // A generator may castle with a king that is on another square.
    if from.file() == File::E && from.rank() == us.back_rank() {
        because += &format!("; {}'s king stands on {}", side(us), position.king(us));
    }
    (Theme::NothingThere, because)
}

/// Tests the movement of the piece, the pieces in its way, and the piece on the target square.
fn movement(attempt: &Attempt) -> Result<(), Reason> {
    let &Attempt { from, to, .. } = attempt;
    let (orthogonal, diagonal) = (orthogonal_rays(from), diagonal_rays(from));
    let (targets, rule) = match attempt.mover.piece {
        Piece::Pawn => return pawn_movement(attempt),
        Piece::Knight => (knight(from), "a knight moves two squares straight and one to the side"),
        Piece::Bishop => (diagonal, "a bishop moves along diagonals"),
        Piece::Rook => (orthogonal, "a rook moves along ranks and files"),
        Piece::Queen => (orthogonal | diagonal, "a queen moves along ranks, files and diagonals"),
        Piece::King => (king(from), "a king moves to an adjacent square"),
    };
    if !targets.contains(to) {
        return wrong_movement(attempt, rule);
    }
    let in_the_way = between(from, to) & attempt.board.occupied();
    let nearest = in_the_way.into_iter().find(|&square| (between(from, square) & in_the_way).is_empty());
    if let Some(nearest) = nearest {
        return Err((Theme::Blocked, format!("{} stands in the way", attempt.piece_on(nearest))));
    }
    own_piece(attempt)
}

fn wrong_movement(attempt: &Attempt, rule: &str) -> Result<(), Reason> {
    let because = format!("{rule}, so {} does not reach {}", attempt.mover(), attempt.to);
    Err((Theme::PieceMovement, because))
}

fn own_piece(attempt: &Attempt) -> Result<(), Reason> {
    match attempt.board.at(attempt.to) {
        Some(piece) if piece.color == attempt.us => {
            let because = format!("{} is {}'s own piece", attempt.piece_on(attempt.to), side(attempt.us));
            Err((Theme::OwnPiece, because))
        }
        _ => Ok(()),
    }
}

fn pawn_movement(attempt: &Attempt) -> Result<(), Reason> {
    let &Attempt { from, to, .. } = attempt;
    let next = attempt.us.forward().step(from);
    if attempt.is_pawn_capture() {
        return pawn_capture(attempt);
    }
    if next == Some(to) {
        return pawn_blocked(attempt, to);
    }
    match next.filter(|&next| attempt.us.forward().step(next) == Some(to)) {
        Some(passed) => double_step(attempt, passed),
        None => wrong_movement(attempt, "a pawn moves straight ahead and captures diagonally ahead"),
    }
}

/// Tests that a pawn moves diagonally only to capture an enemy piece, or to the en passant square.
fn pawn_capture(attempt: &Attempt) -> Result<(), Reason> {
    let (them, to) = (!attempt.us, attempt.to);
    if attempt.board.at(to).is_some() {
        return own_piece(attempt);
    }
    if attempt.captured_en_passant().is_some() {
        return Ok(());
    }
    let is_passed =
        attempt.us.forward().step(to).is_some_and(|start| start.rank() == them.rank(Rank::Second));
    let pawn = attempt.behind(to).filter(|&at| attempt.board.has(at, them, Piece::Pawn));
    let Some(pawn) = pawn.filter(|_| is_passed) else {
        let because = format!("a pawn moves diagonally only to capture, and {to} is empty");
        return Err((Theme::PawnCapture, because));
    };
    let square = match attempt.position.en_passant() {
        Some(passed) => format!("the en passant square is {passed}"),
        None => "there is no en passant square".to_owned(),
    };
    let because = format!("the pawn on {pawn} did not pass {to} with the last move: {square}");
    Err((Theme::EnPassantSquare, because))
}

fn pawn_blocked(attempt: &Attempt, at: Square) -> Result<(), Reason> {
    let Some(blocker) = attempt.board.at(at) else { return Ok(()) };
    let rule = if blocker.color == attempt.us { "" } else { ", and a pawn does not capture straight ahead" };
    Err((Theme::Blocked, format!("{} stands in the way{rule}", attempt.piece_on(at))))
}

fn double_step(attempt: &Attempt, passed: Square) -> Result<(), Reason> {
    let start = attempt.us.rank(Rank::Second);
    if attempt.from.rank() != start {
        let (side, rank) = (side(attempt.us), rank(start));
        let because = format!("{side}'s pawns make a double step only from the {rank} rank");
        return Err((Theme::DoubleStep, because));
    }
    pawn_blocked(attempt, passed)?;
    pawn_blocked(attempt, attempt.to)
}

/// Tests that a pawn promotes if and only if it reaches the last rank, and only to a knight, bishop, rook or queen.
fn promotion(attempt: &Attempt) -> Result<(), Reason> {
    let mover = attempt.mover.piece;
    let is_due = mover == Piece::Pawn && attempt.to.rank() == (!attempt.us).back_rank();
    let because = match (is_due, attempt.promotion) {
        (true, None) => "a pawn that reaches the last rank must promote".to_owned(),
        (true, Some(piece @ (Piece::King | Piece::Pawn))) => format!("a pawn does not promote to a {piece}"),
        (false, Some(_)) if mover == Piece::Pawn => "a pawn promotes on the last rank only".to_owned(),
        (false, Some(_)) => format!("a {mover} does not promote"),
        _ => return Ok(()),
    };
    Err((Theme::PromotionPiece, because))
}

/// Tests that a king does not move to an attacked square. The king does not block lines through the square that it
/// leaves.
fn king_safety(attempt: &Attempt) -> Result<(), Reason> {
    let &Attempt { from, to, .. } = attempt;
    let them = !attempt.us;
    let attackers = attempt.attackers_after(to);
    let pieces = attempt.pieces_on(attackers);
    let attack = attempt.attack(attackers);
    Err(if attackers.is_empty() {
        return Ok(());
    } else if attackers == attempt.position.king(them).into() {
        (Theme::KingNextToKing, format!("the king would stand next to {pieces}"))
    } else if (attackers & attempt.board.right_attackers(to, them)).is_empty() {
        // Only the king itself blocked the line.
        let line = line(from, to);
        (Theme::KingAlongLine, format!("the king steps back along {line}, and {attack} {to} through {from}"))
    } else if attempt.board.at(to).is_some() {
        let verb = if attackers.has_many() { "protect" } else { "protects" };
        (Theme::KingTakesProtected, format!("{pieces} {verb} {}", attempt.piece_on(to)))
    } else {
        (Theme::KingIntoCheck, format!("{attack} {to}"))
    })
}

/// Tests that a move of another piece answers a check and does not discover one.
fn safety(attempt: &Attempt) -> Result<(), Reason> {
    let attackers = attempt.attackers_after(attempt.king);
    if attackers.is_empty() {
        return Ok(());
    }
    check_answered(attempt, attackers)?;
    let theme = match attempt.mover.piece {
        Piece::Pawn => Theme::PinnedPawn,
        Piece::Knight => Theme::PinnedKnight,
        _ => Theme::PinnedPiece,
    };
    let pinners = attempt.pieces_on(attackers);
    let mut because = format!("{} is pinned to its king on {} by {pinners}", attempt.mover(), attempt.king);
    if let Some(checker) = attempt.checkers.first() {
        because += &format!(", so it cannot answer the check by {}", attempt.piece_on(checker));
    }
    Err((theme, because))
}

/// Tests that the move answers a check, if there is one. `attackers` attack the king after the move.
fn check_answered(attempt: &Attempt, attackers: Bitboard) -> Result<(), Reason> {
    let checkers = attempt.pieces_on(attempt.checkers);
    let king = attempt.piece_on(attempt.king);
    if attempt.checkers.has_many() {
        let all = if attempt.checkers.count() > 2 { "all" } else { "both" };
        let because = format!("{checkers} {all} give check to {king}, and only the king may move");
        return Err((Theme::DoubleCheck, because));
    }
    let Some(checker) = (attackers & attempt.checkers).first() else { return Ok(()) };
    let failure = if between(attempt.king, checker).any() {
        format!("neither captures it nor blocks {}", line(attempt.king, checker))
    } else {
        "does not capture it".to_owned()
    };
    let because = format!("{king} is in check by {checkers}, and {} {failure}", attempt.mover());
    Err((Theme::Check, because))
}

/// Tests that an en passant capture answers a check and does not discover one. Either of the two pawns that leave their
/// squares, or both together, can discover a check.
fn en_passant_safety(attempt: &Attempt, captured: Square) -> Result<(), Reason> {
    let &Attempt { from, king, ref board, .. } = attempt;
    let attackers = attempt.attackers_after(king);
    let Some(attacker) = attackers.first() else { return Ok(()) };
    check_answered(attempt, attackers).map_err(|(theme, because)| match theme {
        Theme::Check => (Theme::EnPassantCheck, because),
        _ => (theme, because),
    })?;
    let attacks_without =
        |pawn: Square| board.without(pawn).right_attackers(king, !attempt.us).contains(attacker);
    let slider = attempt.piece_on(attacker);
    Err(if attacks_without(from) {
        (Theme::EnPassantPin, format!("the pawn on {from} is pinned to its king on {king} by {slider}"))
    } else if attacks_without(captured) {
        let leaves = format!("the pawn on {captured} leaves {}", line(king, attacker));
        (Theme::EnPassantDiagonal, format!("{leaves}, and {slider} then attacks the king on {king}"))
    } else {
        let leave = format!("both pawns leave the {} rank", rank(from.rank()));
        (Theme::EnPassantRank, format!("{leave}, and {slider} then attacks the king on {king}"))
    })
}

/// Returns the squares of the king and of the rook that castles on a side.
///
/// # Errors
/// Returns the reason why there is no castling right on this side.
pub(super) fn castling_squares(position: &Position, wing: CastlingSide) -> Result<(Square, Square), Reason> {
    let us = position.turn();
    let king = position.king(us);
    let mut rooks = position.castling().rooks(us).into_iter();
    let rook = rooks.find(|&rook| CastlingSide::of(king, rook) == wing);
    rook.map(|rook| (king, rook)).ok_or_else(|| {
        let attempt = Attempt::new(position, (king, wing.king_target(us), None));
        missing_right(&attempt.expect("the king is there"), wing, None)
    })
}

/// A king and a rook that has a castling right, each with its start and target square.
pub(super) struct Castling {
    pub side: CastlingSide,
    king: [Square; 2],
    rook: [Square; 2],
}

impl Castling {
    /// Returns the castling move, written as "king takes rook" or as the king's own move. A king move to an adjacent
    /// square is castling only if it takes an own rook. Returns an error if the rook has no castling right.
    pub fn find(attempt: &Attempt) -> Option<Result<Castling, Reason>> {
        let &Attempt { from, to, us, king, .. } = attempt;
        let home = us.back_rank();
        if attempt.mover.piece != Piece::King || from.rank() != home || to.rank() != home {
            return None;
        }
        let with = |rook| {
            let side = CastlingSide::of(king, rook);
            Some(Ok(Castling {
                side,
                king: [king, side.king_target(us)],
                rook: [rook, side.rook_target(us)],
            }))
        };
        let rooks = attempt.position.castling().rooks(us);
        if rooks.contains(to) {
            return with(to);
        }
        let is_step = from.file().index().abs_diff(to.file().index()) == 1;
        let ends_on_target = |rook: &Square| CastlingSide::of(king, *rook).king_target(us) == to;
        if let Some(rook) = rooks.into_iter().find(ends_on_target).filter(|_| !is_step) {
            return with(rook);
        }
        if attempt.board.has(to, us, Piece::Rook) {
            return Some(Err(missing_right(attempt, CastlingSide::of(from, to), Some(to))));
        }
        let mut sides = [CastlingSide::King, CastlingSide::Queen].into_iter();
        let side = sides.find(|side| side.king_target(us) == to)?;
        (!is_step && from != to).then(|| Err(missing_right(attempt, side, None)))
    }

    fn check(&self, attempt: &Attempt) -> Result<(), Reason> {
        let them = !attempt.us;
        let board = &attempt.board;
        let without_king = board.without(attempt.king);
        let attackers = |square| without_king.right_attackers(square, them);
        let attacked = |theme, verb: &str, square: Square| {
            (theme, format!("the king {verb} {square}, which {}", attempt.attack(attackers(square))))
        };
        let [from, to] = self.king;
        if attempt.checkers.any() {
            let checkers = attempt.pieces_on(attempt.checkers);
            return Err((Theme::CastlingInCheck, format!("the king on {from} is in check by {checkers}")));
        }
        if let Some(blocker) = (self.crossed_squares() & board.occupied()).first() {
            let because = format!("{} stands {}", attempt.piece_on(blocker), self.place());
            return Err((Theme::CastlingBlocked, because));
        }
        if let Some(passed) = between(from, to).into_iter().find(|&square| attackers(square).any()) {
            return Err(attacked(Theme::CastlingThroughCheck, "passes", passed));
        }
        if attackers(to).any() {
            return Err(attacked(Theme::CastlingIntoCheck, "ends on", to));
        }
        let mut after = without_king.without(self.rook[0]);
        for [from, to] in [self.king, self.rook] {
            after.put(to, board.at(from));
        }
        let Some(slider) = after.right_attackers(to, them).first() else { return Ok(()) };
        let slider = attempt.piece_on(slider);
        let because =
            format!("the rook on {} leaves, and {slider} then attacks the king on {to}", self.rook[0]);
        Err((Theme::CastlingUncovers, because))
    }

    pub fn why_legal(&self) -> String {
        let [from, to] = self.king;
        let mut safe: Vec<String> =
            between(from, to).with(from).with(to).into_iter().map(|square| square.to_string()).collect();
        if to < from {
            safe.reverse();
        }
        let safe = match safe.as_slice() {
            [one] => format!("{one} is not attacked"),
            [one, other] => format!("neither {one} nor {other} is attacked"),
            all => format!("none of {} is attacked", joined(all.to_vec())),
        };
        format!("nothing stands {}, and {safe}", self.place())
    }

    /// Returns the squares that king and rook cross or enter, without their own squares.
    fn crossed_squares(&self) -> Bitboard {
        let path = |[from, to]: [Square; 2]| between(from, to).with(to);
        (path(self.king) | path(self.rook)) & !(Bitboard::from(self.king[0]).with(self.rook[0]))
    }

    /// Returns the phrase for the squares that must be empty. In standard chess they are between king and rook. In
    /// Chess960 they may also be elsewhere.
    fn place(&self) -> &'static str {
        let is_between = (self.crossed_squares() & !between(self.king[0], self.rook[0])).is_empty();
        if is_between { "between king and rook" } else { "in the way of king or rook" }
    }
}

/// Explains why there is no castling right on a side. The rook is known if the text is "king takes rook". The start
/// squares of king and rook are known only in standard chess.
fn missing_right(attempt: &Attempt, wing: CastlingSide, rook: Option<Square>) -> Reason {
    let us = attempt.us;
    let owner = side(us);
    let file = if wing == CastlingSide::King { File::H } else { File::A };
    let corner = Square::new(file, us.back_rank());
    let is_at_home = attempt.king.file() == File::E;
    let because = match rook {
        Some(rook) if !is_at_home || rook != corner => {
            format!("the rook on {rook} is {owner}'s own piece and has no castling right")
        }
        _ if !is_at_home => format!("{owner} has no right to castle {}", castling_side(wing)),
        _ if attempt.board.has(corner, us, Piece::Rook) => {
            format!("{owner}'s {} right is gone", castling_side(wing))
        }
        _ => format!("{owner} has no rook on {corner} to castle with"),
    };
    (Theme::CastlingRight, because)
}

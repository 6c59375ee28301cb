//! Explains by the rules of chess why a move is legal or not.
//!
//! An explanation is for authors whose generator lists an illegal move or misses a legal one. It names squares and
//! pieces of the position, and a [`Theme`]: the rule that decides. The move is a text from another program, and may
//! have no meaning.
//!
//! An explanation does not use the move generator. It makes the move on a plain board and tests for every enemy piece
//! whether it attacks the king. The tests compare explanations with the generator on random positions: a move is
//! explained as legal if and only if it is in the list of legal moves.

pub(crate) mod attempt;
mod illegal;
mod legal;

use perft_core::internals::AlgebraicMove;
use perft_core::{CastlingNotation, CastlingSide, Color, Move, MoveKind, Piece, Position, Square};

use attempt::{Attempt, castling_side, joined, side};

use crate::named_enum::named_enum;

/// The explanation why a move is legal or not.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// A sentence that starts with the move, without a full stop.
    pub text: String,
    /// The rule that decides.
    pub theme: Theme,
    /// Whether the move is legal.
    pub is_legal: bool,
}

/// Explains why a move in UCI notation is legal in a position, or why it is not.
///
/// Castling may be written as the king's own move, as "king takes rook", or as `O-O`.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_diagnosis::{Theme, explain};
///
/// let position = Position::from_fen("4k3/8/8/8/6b1/8/8/R3K2R w KQ - 0 1").unwrap();
/// let castling = explain(&position, "e1c1");
/// assert_eq!(castling.theme, Theme::CastlingThroughCheck);
/// assert_eq!(castling.text, "e1c1 is illegal: the king passes d1, which the bishop on g4 attacks");
/// assert!(explain(&position, "e1g1").is_legal);
/// ```
pub fn explain(position: &Position, text: &str) -> Explanation {
    let explanation = |is_legal, verdict: &str, (theme, because): Reason| Explanation {
        text: format!("{text} {verdict}: {because}"),
        theme,
        is_legal,
    };
    if let Some(AlgebraicMove::Castling(wing)) = AlgebraicMove::parse(text)
        && let Err(reason) = illegal::castling_squares(position, wing)
    {
        return explanation(false, "is illegal", reason);
    }
    let Some(parsed) = move_squares(position, text) else {
        return explanation(false, "is not a move", (Theme::Notation, not_a_move(text)));
    };
    let Some(attempt) = Attempt::new(position, parsed) else {
        return explanation(false, "is illegal", illegal::wrong_start(position, parsed.0));
    };
    let broken = illegal::check(&attempt);
    let is_legal = broken.is_ok();
    let reason = broken.err().unwrap_or_else(|| legal::reason(&attempt));
    let is_en_passant = attempt.captured_en_passant().is_some() || reason.0 == Theme::EnPassantSquare;
    let verdict = match (reason.0, is_legal) {
        (Theme::CastlingKingSide, _) => "is legal, castling king-side",
        (Theme::CastlingQueenSide, _) => "is legal, castling queen-side",
        (Theme::PromotionPiece, _) if attempt.promotion.is_none() => "is not a complete move",
        (Theme::PromotionPiece, _) => "is illegal",
        (_, true) if is_en_passant => "en passant is legal",
        (_, true) => "is legal",
        (_, false) if is_en_passant => "en passant is illegal",
        (_, false) => "is illegal",
    };
    explanation(is_legal, verdict, reason)
}

/// The rule that decides, and a sentence about it without the move and the verdict.
type Reason = (Theme, String);

/// Returns the squares of a move, legal or not, and the piece that a pawn promotes to. The squares of `O-O` are those of
/// king and rook, or those of the king's move if no rook may castle.
pub(crate) fn move_squares(position: &Position, text: &str) -> Option<(Square, Square, Option<Piece>)> {
    let Some(AlgebraicMove::Castling(wing)) = AlgebraicMove::parse(text) else { return parse(text) };
    let us = position.turn();
    let own_move = (position.king(us), wing.king_target(us));
    let (from, to) = illegal::castling_squares(position, wing).unwrap_or(own_move);
    Some((from, to, None))
}

/// Parses a move, legal or not: two squares, and the piece that a pawn promotes to. Returns `None` if the text is not a
/// move.
fn parse(text: &str) -> Option<(Square, Square, Option<Piece>)> {
    let from = text.get(..2)?.parse().ok()?;
    let to = text.get(2..4)?.parse().ok()?;
    let mut letters = text.get(4..)?.chars();
    let promotion = match letters.next() {
        None => None,
        Some(letter) => Some(Piece::from_letter(letter)?),
    };
    letters.next().is_none().then_some((from, to, promotion))
}

fn not_a_move(text: &str) -> String {
    let because = if text == "0000" {
        "a side may not pass"
    } else if parse(&text.to_ascii_lowercase()).is_some() {
        "squares and promotions are written in lower case"
    } else if let Some(square) = not_a_square(text) {
        return format!("{square} is not a square");
    } else {
        "write two squares, as in e2e4, and a letter for a promotion, as in e7e8q"
    };
    because.to_owned()
}

/// Returns the part of a move such as `h1i1` that should be a square.
fn not_a_square(text: &str) -> Option<&str> {
    let is_like_square = |part: &&str| {
        let [file, rank] = part.as_bytes() else { return false };
        file.is_ascii_alphabetic() && rank.is_ascii_digit()
    };
    let parts = [text.get(..2)?, text.get(2..4)?];
    let is_move = text.len() <= 5 && parts.iter().all(is_like_square);
    parts.into_iter().find(|part| is_move && part.parse::<Square>().is_err())
}

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
        let after = position.play_legal(played);
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
            let wing = |rook| castling_side(CastlingSide::of(before.king(color), rook)).to_owned();
            let wings = joined(lost(color).into_iter().map(wing).collect());
            let gone = if lost(color).has_many() { "rights are gone" } else { "right is gone" };
            format!("{}: {cause}, and {}'s {wings} {gone}", played.to_uci(notation), side(color))
        })
        .collect()
}

named_enum! {
    /// The rule that decides whether a move is legal.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::Theme;
    ///
    /// assert_eq!(Theme::EnPassantRank.name(), "en-passant-rank");
    /// assert_eq!(Theme::DoubleCheck.about(), "In a double check only the king may move");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Theme {
        // Not a move of the side to move.
        Notation: "A move is written as two squares, and a letter for a promotion",
        NothingThere: "A move starts where a piece stands",
        EnemyPiece: "A side moves its own pieces only",
        OwnPiece: "A piece does not capture a piece of its own colour",
        PieceMovement: "Each piece has its own way to move",
        Blocked: "Only a knight jumps over other pieces, and a pawn does not capture straight ahead",
        // Plain moves.
        PawnStep: "A pawn moves straight ahead to an empty square",
        PawnCapture: "A pawn captures one square diagonally ahead",
        DoubleStep: "A pawn that has not moved may move two squares if both are empty",
        KnightMove: "A knight moves, with its king safe",
        BishopMove: "A bishop moves, with its king safe",
        RookMove: "A rook moves, with its king safe",
        QueenMove: "A queen moves, with its king safe",
        KingStep: "A king moves to a square that is not attacked",
        KingTakes: "A king captures a piece that is not protected",
        // Promotion.
        PromotionPiece: "A pawn on the last rank becomes a knight, a bishop, a rook or a queen",
        Promotion: "A pawn moves to the last rank and promotes",
        PromotionCapture: "A pawn captures on the last rank and promotes",
        // En passant.
        EnPassant: "A pawn captures the pawn that has just passed it",
        EnPassantSquare: "A pawn is captured en passant only if the last move was its double step",
        EnPassantRank: "En passant removes two pawns from a rank, which may uncover a check",
        EnPassantDiagonal: "En passant removes a pawn from a diagonal, which may uncover a check",
        EnPassantPin: "A pinned pawn captures en passant along its pin line only",
        EnPassantCheck: "In check, en passant must capture the checking pawn or block the check",
        // Castling.
        CastlingKingSide: "The king castles to the g-file",
        CastlingQueenSide: "The king castles to the c-file",
        CastlingRight: "Castling needs a king and a rook that have not moved",
        CastlingBlocked: "Nothing may stand in the way of the castling king and rook",
        CastlingInCheck: "A king in check does not castle",
        CastlingThroughCheck: "A king does not castle through an attacked square",
        CastlingIntoCheck: "A king does not castle into check",
        CastlingUncovers: "In Chess960, the castling rook may uncover a check",
        // Checks.
        DoubleCheck: "In a double check only the king may move",
        Check: "A check must be answered",
        CheckCapture: "A check is answered by capturing the checking piece",
        CheckBlock: "A check by a slider is answered by blocking it",
        CheckKing: "A check is answered by moving the king",
        // Pins.
        PinnedPawn: "A pinned pawn may not leave its pin line",
        PinnedKnight: "A pinned knight may not move",
        PinnedPiece: "A pinned bishop, rook or queen may not leave its pin line",
        PinnedMoves: "A pinned piece may move along its pin line",
        // Kings.
        KingIntoCheck: "A king does not move to an attacked square",
        KingAlongLine: "A slider attacks the squares behind the king too",
        KingNextToKing: "The kings never stand next to each other",
        KingTakesProtected: "A king does not capture a piece that is protected",
    }
}

//! The rules that can make a move legal or illegal. Each has a name. Findings with the same theme probably have the
//! same cause.

use crate::named_enum::named_enum;

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

impl Theme {
    /// Returns the theme that stands for all themes that one mistake often concerns together.
    pub(crate) fn family(self) -> Theme {
        use Theme::*;
        match self {
            EnPassantPin | EnPassantCheck => EnPassant,
            EnPassantDiagonal => EnPassantRank,
            CastlingQueenSide => CastlingKingSide,
            PromotionCapture => Promotion,
            PinnedKnight | PinnedPawn => PinnedPiece,
            CastlingInCheck | CastlingThroughCheck | CastlingIntoCheck | DoubleCheck | KingIntoCheck
            | KingAlongLine | KingNextToKing | KingTakesProtected => Check,
            theme => theme,
        }
    }
}

/// An explanation without the text of the move.
#[derive(Debug)]
pub(super) struct Reason {
    pub theme: Theme,
    /// The predicate of the sentence, such as `is illegal`.
    pub verdict: &'static str,
    pub because: String,
}

impl Reason {
    pub fn new(theme: Theme, verdict: &'static str, because: String) -> Reason {
        Reason { theme, verdict, because }
    }
}

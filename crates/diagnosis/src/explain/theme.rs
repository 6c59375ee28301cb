//! The rules that can make a move legal or illegal. Each has a name. Findings with the same theme probably have the
//! same cause.

/// Creates the enum, the list of its variants and their texts from one table.
macro_rules! themes {
    ($($variant:ident, $name:literal, $about:literal;)*) => {
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
            $(#[doc = concat!($about, ".")] $variant,)*
        }

        impl Theme {
            /// All themes.
            pub const ALL: &[Theme] = &[$(Theme::$variant,)*];

            /// Returns the name in kebab case. It stays the same in every version.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Theme::$variant => $name,)*
                }
            }

            /// Returns the rule in one sentence, without a full stop.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Theme::$variant => $about,)*
                }
            }
        }
    };
}

themes! {
    // Not a move of the side to move.
    Notation, "notation", "A move is written as two squares, and a letter for a promotion";
    NothingThere, "nothing-there", "A move starts where a piece stands";
    EnemyPiece, "enemy-piece", "A side moves its own pieces only";
    OwnPiece, "own-piece", "A piece does not capture a piece of its own colour";
    PieceMovement, "piece-movement", "Each piece has its own way to move";
    Blocked, "blocked", "Only a knight jumps over other pieces, and a pawn does not capture straight ahead";
    // Plain moves.
    PawnStep, "pawn-step", "A pawn moves straight ahead to an empty square";
    PawnCapture, "pawn-capture", "A pawn captures one square diagonally ahead";
    DoubleStep, "double-step", "A pawn that has not moved may move two squares if both are empty";
    KnightMove, "knight-move", "A knight moves, with its king safe";
    BishopMove, "bishop-move", "A bishop moves, with its king safe";
    RookMove, "rook-move", "A rook moves, with its king safe";
    QueenMove, "queen-move", "A queen moves, with its king safe";
    KingStep, "king-step", "A king moves to a square that is not attacked";
    KingTakes, "king-takes", "A king captures a piece that is not protected";
    // Promotion.
    PromotionPiece, "promotion-piece", "A pawn on the last rank becomes a knight, a bishop, a rook or a queen";
    Promotion, "promotion", "A pawn moves to the last rank and promotes";
    PromotionCapture, "promotion-capture", "A pawn captures on the last rank and promotes";
    // En passant.
    EnPassant, "en-passant", "A pawn captures the pawn that has just passed it";
    EnPassantSquare, "en-passant-square", "A pawn is captured en passant only if the last move was its double step";
    EnPassantRank, "en-passant-rank", "En passant removes two pawns from a rank, which may uncover a check";
    EnPassantDiagonal, "en-passant-diagonal", "En passant removes a pawn from a diagonal, which may uncover a check";
    EnPassantPin, "en-passant-pin", "A pinned pawn captures en passant along its pin line only";
    EnPassantCheck, "en-passant-check", "In check, en passant must capture the checking pawn or block the check";
    // Castling.
    CastlingKingSide, "castling-king-side", "The king castles to the g-file";
    CastlingQueenSide, "castling-queen-side", "The king castles to the c-file";
    CastlingRight, "castling-right", "Castling needs a king and a rook that have not moved";
    CastlingBlocked, "castling-blocked", "Nothing may stand in the way of the castling king and rook";
    CastlingInCheck, "castling-in-check", "A king in check does not castle";
    CastlingThroughCheck, "castling-through-check", "A king does not castle through an attacked square";
    CastlingIntoCheck, "castling-into-check", "A king does not castle into check";
    CastlingUncovers, "castling-uncovers", "In Chess960, the castling rook may uncover a check";
    // Checks.
    DoubleCheck, "double-check", "In a double check only the king may move";
    Check, "check", "A check must be answered";
    CheckCapture, "check-capture", "A check is answered by capturing the checking piece";
    CheckBlock, "check-block", "A check by a slider is answered by blocking it";
    CheckKing, "check-king", "A check is answered by moving the king";
    // Pins.
    PinnedPawn, "pinned-pawn", "A pinned pawn may not leave its pin line";
    PinnedKnight, "pinned-knight", "A pinned knight may not move";
    PinnedPiece, "pinned-piece", "A pinned bishop, rook or queen may not leave its pin line";
    PinnedMoves, "pinned-moves", "A pinned piece may move along its pin line";
    // Kings.
    KingIntoCheck, "king-into-check", "A king does not move to an attacked square";
    KingAlongLine, "king-along-line", "A slider attacks the squares behind the king too";
    KingNextToKing, "king-next-to-king", "The kings never stand next to each other";
    KingTakesProtected, "king-takes-protected", "A king does not capture a piece that is protected";
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_different_and_in_kebab_case() {
        let names: HashSet<&str> = Theme::ALL.iter().map(|theme| theme.name()).collect();
        assert_eq!(names.len(), Theme::ALL.len());
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
        assert!(Theme::ALL.iter().all(|theme| !theme.about().ends_with('.')));
    }
}

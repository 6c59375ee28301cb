//! The rules that a move may turn on, one name each: findings with the same theme have, most likely, the same cause.

/// Makes the enum, the list of its variants, and what each is called, from one table.
macro_rules! themes {
    ($($variant:ident, $name:literal, $about:literal;)*) => {
        /// The rule at stake in an explanation.
        ///
        /// # Examples
        /// ```
        /// use perft_diagnosis::Theme;
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

            /// The name, in kebab case; it stays the same in every version.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Theme::$variant => $name,)*
                }
            }

            /// The rule in one sentence, without a full stop.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Theme::$variant => $about,)*
                }
            }
        }
    };
}

themes! {
    // What is no move on any account.
    Notation, "notation", "A move is written as two squares, and a letter for a promotion";
    NothingThere, "nothing-there", "A move starts where a man stands";
    EnemyMan, "enemy-man", "A side moves its own men";
    OwnMan, "own-man", "A man does not take one of its own colour";
    PieceMovement, "piece-movement", "Each piece has its own way to move";
    Blocked, "blocked", "Only a knight jumps over other men, and a pawn does not capture orthogonal ahead";
    // Plain moves.
    PawnStep, "pawn-step", "A pawn steps orthogonal ahead to an empty square";
    PawnCapture, "pawn-capture", "A pawn captures one square diagonally ahead";
    DoubleStep, "double-step", "A pawn that has not moved may step twice, if both squares are empty";
    KnightMove, "knight-move", "A knight moves, with its king safe";
    BishopMove, "bishop-move", "A bishop moves, with its king safe";
    RookMove, "rook-move", "A rook moves, with its king safe";
    QueenMove, "queen-move", "A queen moves, with her king safe";
    KingStep, "king-step", "A king steps to a square that is not attacked";
    KingTakes, "king-takes", "A king captures what is not protected";
    // Promotion.
    PromotionPiece, "promotion-piece", "A pawn on the last rank becomes a knight, a bishop, a rook or a queen";
    Promotion, "promotion", "A pawn steps to the last rank and promotes";
    PromotionCapture, "promotion-capture", "A pawn captures on the last rank and promotes";
    // En passant.
    EnPassant, "en-passant", "A pawn takes the pawn that has just passed it";
    EnPassantSquare, "en-passant-square", "Only a pawn that passed a square with the last move is taken there";
    EnPassantRank, "en-passant-rank", "En passant takes two pawns off one rank, which may uncover the king";
    EnPassantDiagonal, "en-passant-diagonal", "En passant takes a pawn off a diagonal, which may uncover the king";
    EnPassantPin, "en-passant-pin", "A pinned pawn takes en passant along its pin line only";
    EnPassantCheck, "en-passant-check", "In check, en passant must capture the checking pawn, or block";
    // Castling.
    CastlingKingSide, "castling-king-side", "The king castles to the g-file";
    CastlingQueenSide, "castling-queen-side", "The king castles to the c-file";
    CastlingRight, "castling-right", "Castling needs a king and a rook that have not moved";
    CastlingBlocked, "castling-blocked", "Nothing may stand in the way of a king and rook that castle";
    CastlingInCheck, "castling-in-check", "A king in check does not castle";
    CastlingThroughCheck, "castling-through-check", "A king does not castle through an attacked square";
    CastlingIntoCheck, "castling-into-check", "A king does not castle into check";
    CastlingUncovers, "castling-uncovers", "The rook that castles may have covered its king, in Chess960";
    // Checks.
    DoubleCheck, "double-check", "In a double check only the king may move";
    Check, "check", "A check must be met";
    CheckCapture, "check-capture", "A check is met by capturing the piece that gives it";
    CheckBlock, "check-block", "A check from afar is met by a man between";
    CheckKing, "check-king", "A check is met by a step of the king";
    // Pins.
    PinnedPawn, "pinned-pawn", "A pinned pawn may not leave its pin line";
    PinnedKnight, "pinned-knight", "A pinned knight may not move";
    PinnedPiece, "pinned-piece", "A pinned bishop, rook or queen may not leave its pin line";
    PinnedMoves, "pinned-moves", "A pinned man may move along its pin line";
    // Kings.
    KingIntoCheck, "king-into-check", "A king does not step to an attacked square";
    KingAlongLine, "king-along-line", "A king does not hide the squares behind it from a slider";
    KingNextToKing, "king-next-to-king", "The kings never stand side by side";
    KingTakesProtected, "king-takes-protected", "A king does not take a man that is protected";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_different_and_in_kebab_case() {
        let names: HashSet<&str> = Theme::ALL.iter().map(|theme| theme.name()).collect();
        assert_eq!(names.len(), Theme::ALL.len());
        assert!(names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
        assert!(Theme::ALL.iter().all(|theme| !theme.about().ends_with('.')));
    }
}

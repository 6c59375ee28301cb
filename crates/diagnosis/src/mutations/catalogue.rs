//! The catalogue: every mutation with its name, a description, and the rules that it breaks.
//!
//! A row that breaks the same rules as another row, but for fewer facts, is a variant of it: a mistake for one side,
//! one piece or one direction only. A variant is below its general form.

use std::str::FromStr;
use std::sync::LazyLock;

use super::facts::Facts;
use super::rules::{Break, Rule};

/// Defines [`Mutation`] and its tables. Each row has a variant, a name, a description, and the broken rules with the
/// facts for which they are broken. The rows are grouped by topic.
macro_rules! catalogue {
    ($($topic:literal {
        $($mutation:ident $name:literal $about:literal $($rule:ident [$($fact:ident)*])+;)*
    })*) => {
        /// A classic bug of move generators: one rule that is changed.
        ///
        /// # Examples
        /// ```
        /// use perft_diagnosis::mutations::Mutation;
        ///
        /// let mutation: Mutation = "en-passant-stays".parse().unwrap();
        /// assert_eq!(mutation, Mutation::EnPassantStays);
        /// println!("{} ({}): {}", mutation.name(), mutation.topic(), mutation.about());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Mutation {
            $($(#[doc = $about] $mutation,)*)*
        }

        impl Mutation {
            /// All mutations, in the order of the catalogue.
            pub const ALL: &'static [Mutation] = &[$($(Mutation::$mutation,)*)*];

            /// Returns the name, such as `en-passant-stays`.
            pub const fn name(self) -> &'static str {
                ROWS[self as usize].name
            }

            /// Returns a description of the bug: one sentence.
            pub const fn about(self) -> &'static str {
                ROWS[self as usize].about
            }

            /// Returns the part of a generator that the bug is in, such as `castling`.
            pub const fn topic(self) -> &'static str {
                ROWS[self as usize].topic
            }

            /// Returns the rules that are broken.
            pub(super) const fn breaks(self) -> &'static [Break] {
                ROWS[self as usize].breaks
            }
        }

        static ROWS: &[Row] = &[$($(Row {
            name: $name,
            about: $about,
            topic: $topic,
            breaks: const { &[$(Break::new(Rule::$rule, &[$(Facts::$fact),*])),+] },
        },)*)*];
    };
}

/// The entry of a mutation in the catalogue.
struct Row {
    name: &'static str,
    about: &'static str,
    topic: &'static str,
    breaks: &'static [Break],
}

catalogue! {
    "en passant" {
        NoEnPassant "no-en-passant" "En passant captures are missing." EnPassantMissing[];
        NoEnPassantByWhite "no-en-passant-by-white" "En passant captures by White are missing." EnPassantMissing[White];
        NoEnPassantByBlack "no-en-passant-by-black" "En passant captures by Black are missing." EnPassantMissing[Black];
        NoEnPassantTowardsA "no-en-passant-towards-a" "En passant captures towards the a-file are missing." EnPassantMissing[TowardsA];
        NoEnPassantTowardsH "no-en-passant-towards-h" "En passant captures towards the h-file are missing." EnPassantMissing[TowardsH];
        NoEnPassantByWhiteTowardsA "no-en-passant-by-white-towards-a" "En passant captures by White towards the a-file are missing." EnPassantMissing[White TowardsA];
        NoEnPassantByWhiteTowardsH "no-en-passant-by-white-towards-h" "En passant captures by White towards the h-file are missing." EnPassantMissing[White TowardsH];
        NoEnPassantByBlackTowardsA "no-en-passant-by-black-towards-a" "En passant captures by Black towards the a-file are missing." EnPassantMissing[Black TowardsA];
        NoEnPassantByBlackTowardsH "no-en-passant-by-black-towards-h" "En passant captures by Black towards the h-file are missing." EnPassantMissing[Black TowardsH];
        NoEnPassantOnEdge "no-en-passant-on-edge" "En passant captures on the a-file and on the h-file are missing." EnPassantMissing[OnFileA OnFileH];
        EnPassantUnread "en-passant-unread" "The en passant square of the FEN is not read." EnPassantUnread[];
        EnPassantPin "en-passant-pin" "An en passant capture is tested for check with the captured pawn still on the board." EnPassantOpensLine[];
        EnPassantPinByWhite "en-passant-pin-by-white" "An en passant capture by White is tested for check with the captured pawn still on the board." EnPassantOpensLine[White];
        EnPassantPinByBlack "en-passant-pin-by-black" "An en passant capture by Black is tested for check with the captured pawn still on the board." EnPassantOpensLine[Black];
        EnPassantRankPin "en-passant-rank-pin" "An en passant capture that opens the rank of the king to a rook or queen is allowed." EnPassantOpensLine[OnRank];
        EnPassantDiagonalPin "en-passant-diagonal-pin" "An en passant capture that opens a diagonal by removing the captured pawn is allowed." EnPassantOpensLine[OnDiagonal];
        EnPassantUnchecked "en-passant-unchecked" "En passant captures are not tested for check at all." EnPassantUnchecked[];
        EnPassantUncheckedByWhite "en-passant-unchecked-by-white" "En passant captures by White are not tested for check at all." EnPassantUnchecked[White];
        EnPassantUncheckedByBlack "en-passant-unchecked-by-black" "En passant captures by Black are not tested for check at all." EnPassantUnchecked[Black];
        EnPassantNotAnswer "en-passant-not-answer" "A pawn that gives check by its double step cannot be captured en passant." AnswerMissing[EnPassant TakesChecker];
        EnPassantNotAnswerByWhite "en-passant-not-answer-by-white" "White cannot capture a pawn en passant that gives check by its double step." AnswerMissing[White EnPassant TakesChecker];
        EnPassantNotAnswerByBlack "en-passant-not-answer-by-black" "Black cannot capture a pawn en passant that gives check by its double step." AnswerMissing[Black EnPassant TakesChecker];
        EnPassantStays "en-passant-stays" "The en passant square is not cleared by the next move." EnPassantStays[];
        EnPassantLeavesPawn "en-passant-leaves-pawn" "The captured pawn stays on the board after an en passant capture." EnPassantLeavesPawn[];
        EnPassantLeavesWhitePawn "en-passant-leaves-white-pawn" "A white pawn stays on the board after Black captures it en passant." EnPassantLeavesPawn[Black];
        EnPassantLeavesBlackPawn "en-passant-leaves-black-pawn" "A black pawn stays on the board after White captures it en passant." EnPassantLeavesPawn[White];
        EnPassantOnePawn "en-passant-one-pawn" "Only one of two pawns can capture en passant." SecondEnPassantMissing[];
        EnPassantWraps "en-passant-wraps" "A pawn on the edge can capture en passant on the other edge of the board." EnPassantWraps[];
    }
    "castling" {
        NoCastling "no-castling" "Castling is missing." CastlingMissing[];
        NoCastlingKingSide "no-castling-king-side" "Castling on the king side is missing." CastlingMissing[KingSide];
        NoCastlingQueenSide "no-castling-queen-side" "Castling on the queen side is missing." CastlingMissing[QueenSide];
        NoCastlingByWhite "no-castling-by-white" "Castling by White is missing." CastlingMissing[White];
        NoCastlingByBlack "no-castling-by-black" "Castling by Black is missing." CastlingMissing[Black];
        NoCastlingByWhiteKingSide "no-castling-by-white-king-side" "Castling by White on the king side is missing." CastlingMissing[White KingSide];
        NoCastlingByWhiteQueenSide "no-castling-by-white-queen-side" "Castling by White on the queen side is missing." CastlingMissing[White QueenSide];
        NoCastlingByBlackKingSide "no-castling-by-black-king-side" "Castling by Black on the king side is missing." CastlingMissing[Black KingSide];
        NoCastlingByBlackQueenSide "no-castling-by-black-queen-side" "Castling by Black on the queen side is missing." CastlingMissing[Black QueenSide];
        CastlingUnread "castling-unread" "The castling rights of the FEN are not read." CastlingUnread[];
        CastlingOutOfCheck "castling-out-of-check" "The king may castle while the king is in check." CastlingOutOfCheck[];
        CastlingOutOfCheckByWhite "castling-out-of-check-by-white" "White may castle while the king is in check." CastlingOutOfCheck[White];
        CastlingOutOfCheckByBlack "castling-out-of-check-by-black" "Black may castle while the king is in check." CastlingOutOfCheck[Black];
        CastlingOutOfCheckKingSide "castling-out-of-check-king-side" "The king may castle on the king side while the king is in check." CastlingOutOfCheck[KingSide];
        CastlingOutOfCheckQueenSide "castling-out-of-check-queen-side" "The king may castle on the queen side while the king is in check." CastlingOutOfCheck[QueenSide];
        CastlingOutOfCheckByWhiteKingSide "castling-out-of-check-by-white-king-side" "White may castle on the king side while the king is in check." CastlingOutOfCheck[White KingSide];
        CastlingOutOfCheckByWhiteQueenSide "castling-out-of-check-by-white-queen-side" "White may castle on the queen side while the king is in check." CastlingOutOfCheck[White QueenSide];
        CastlingOutOfCheckByBlackKingSide "castling-out-of-check-by-black-king-side" "Black may castle on the king side while the king is in check." CastlingOutOfCheck[Black KingSide];
        CastlingOutOfCheckByBlackQueenSide "castling-out-of-check-by-black-queen-side" "Black may castle on the queen side while the king is in check." CastlingOutOfCheck[Black QueenSide];
        CastlingThroughCheck "castling-through-check" "The king may castle across an attacked square." CastlingThroughCheck[];
        CastlingThroughCheckByWhite "castling-through-check-by-white" "White may castle across an attacked square." CastlingThroughCheck[White];
        CastlingThroughCheckByBlack "castling-through-check-by-black" "Black may castle across an attacked square." CastlingThroughCheck[Black];
        CastlingThroughCheckKingSide "castling-through-check-king-side" "The king may castle on the king side across an attacked square." CastlingThroughCheck[KingSide];
        CastlingThroughCheckQueenSide "castling-through-check-queen-side" "The king may castle on the queen side across an attacked square." CastlingThroughCheck[QueenSide];
        CastlingThroughCheckByWhiteKingSide "castling-through-check-by-white-king-side" "White may castle on the king side across an attacked square." CastlingThroughCheck[White KingSide];
        CastlingThroughCheckByWhiteQueenSide "castling-through-check-by-white-queen-side" "White may castle on the queen side across an attacked square." CastlingThroughCheck[White QueenSide];
        CastlingThroughCheckByBlackKingSide "castling-through-check-by-black-king-side" "Black may castle on the king side across an attacked square." CastlingThroughCheck[Black KingSide];
        CastlingThroughCheckByBlackQueenSide "castling-through-check-by-black-queen-side" "Black may castle on the queen side across an attacked square." CastlingThroughCheck[Black QueenSide];
        CastlingIntoCheck "castling-into-check" "The king may castle to an attacked square." CastlingIntoCheck[];
        CastlingIntoCheckByWhite "castling-into-check-by-white" "White may castle to an attacked square." CastlingIntoCheck[White];
        CastlingIntoCheckByBlack "castling-into-check-by-black" "Black may castle to an attacked square." CastlingIntoCheck[Black];
        CastlingIntoCheckKingSide "castling-into-check-king-side" "The king may castle on the king side to an attacked square." CastlingIntoCheck[KingSide];
        CastlingIntoCheckQueenSide "castling-into-check-queen-side" "The king may castle on the queen side to an attacked square." CastlingIntoCheck[QueenSide];
        CastlingIntoCheckByWhiteKingSide "castling-into-check-by-white-king-side" "White may castle on the king side to an attacked square." CastlingIntoCheck[White KingSide];
        CastlingIntoCheckByWhiteQueenSide "castling-into-check-by-white-queen-side" "White may castle on the queen side to an attacked square." CastlingIntoCheck[White QueenSide];
        CastlingIntoCheckByBlackKingSide "castling-into-check-by-black-king-side" "Black may castle on the king side to an attacked square." CastlingIntoCheck[Black KingSide];
        CastlingIntoCheckByBlackQueenSide "castling-into-check-by-black-queen-side" "Black may castle on the queen side to an attacked square." CastlingIntoCheck[Black QueenSide];
        CastlingUnchecked "castling-unchecked" "The king may castle out of check, through check and into check." CastlingOutOfCheck[] CastlingThroughCheck[] CastlingIntoCheck[];
        CastlingOverPieces "castling-over-pieces" "The squares between king and rook need not be empty for castling." CastlingBlocked[];
        CastlingThroughPieces "castling-through-pieces" "The squares that only the rook crosses (b1 and b8) need not be empty for castling." CastlingBlocked[RookPath];
        CastlingRookAttacked "castling-rook-attacked" "Castling is refused if the rook is attacked." CastlingRookAttacked[];
        CastlingRookPathAttacked "castling-rook-path-attacked" "Castling is refused if a square that only the rook crosses (b1 or b8) is attacked." CastlingRookPathAttacked[];
        CastlingRookPathAttackedByBlack "castling-rook-path-attacked-by-black" "Castling by White is refused if the square that only the rook crosses (b1) is attacked." CastlingRookPathAttacked[White];
        CastlingRookPathAttackedByWhite "castling-rook-path-attacked-by-white" "Castling by Black is refused if the square that only the rook crosses (b8) is attacked." CastlingRookPathAttacked[Black];
        CastlingIgnoresPawns "castling-ignores-pawns" "The squares of a castling king are not tested for attacks by pawns." CastlingOutOfCheck[ByPawn] CastlingThroughCheck[ByPawn] CastlingIntoCheck[ByPawn];
        CastlingIgnoresBlackPawns "castling-ignores-black-pawns" "The squares of a castling king are not tested for attacks by black pawns." CastlingOutOfCheck[White ByPawn] CastlingThroughCheck[White ByPawn] CastlingIntoCheck[White ByPawn];
        CastlingIgnoresWhitePawns "castling-ignores-white-pawns" "The squares of a castling king are not tested for attacks by white pawns." CastlingOutOfCheck[Black ByPawn] CastlingThroughCheck[Black ByPawn] CastlingIntoCheck[Black ByPawn];
        CastlingIgnoresKnights "castling-ignores-knights" "The squares of a castling king are not tested for attacks by knights." CastlingOutOfCheck[ByKnight] CastlingThroughCheck[ByKnight] CastlingIntoCheck[ByKnight];
        CastlingIgnoresBishops "castling-ignores-bishops" "The squares of a castling king are not tested for attacks by bishops." CastlingOutOfCheck[ByBishop] CastlingThroughCheck[ByBishop] CastlingIntoCheck[ByBishop];
        CastlingIgnoresRooks "castling-ignores-rooks" "The squares of a castling king are not tested for attacks by rooks." CastlingOutOfCheck[ByRook] CastlingThroughCheck[ByRook] CastlingIntoCheck[ByRook];
        CastlingIgnoresQueens "castling-ignores-queens" "The squares of a castling king are not tested for attacks by queens." CastlingOutOfCheck[ByQueen] CastlingThroughCheck[ByQueen] CastlingIntoCheck[ByQueen];
        CastlingIgnoresKing "castling-ignores-king" "The squares of a castling king are not tested for attacks by the other king." CastlingOutOfCheck[ByKing] CastlingThroughCheck[ByKing] CastlingIntoCheck[ByKing];
        CastlingLeavesRook "castling-leaves-rook" "Castling moves the king, but not the rook." CastlingLeavesRook[];
        CastlingLeavesRookOfWhite "castling-leaves-rook-of-white" "Castling by White moves the king, but not the rook." CastlingLeavesRook[White];
        CastlingLeavesRookOfBlack "castling-leaves-rook-of-black" "Castling by Black moves the king, but not the rook." CastlingLeavesRook[Black];
        CastlingLeavesRookOfWhiteKingSide "castling-leaves-rook-of-white-king-side" "Castling by White on the king side moves the king, but not the rook." CastlingLeavesRook[White KingSide];
        CastlingLeavesRookOfWhiteQueenSide "castling-leaves-rook-of-white-queen-side" "Castling by White on the queen side moves the king, but not the rook." CastlingLeavesRook[White QueenSide];
        CastlingLeavesRookOfBlackKingSide "castling-leaves-rook-of-black-king-side" "Castling by Black on the king side moves the king, but not the rook." CastlingLeavesRook[Black KingSide];
        CastlingLeavesRookOfBlackQueenSide "castling-leaves-rook-of-black-queen-side" "Castling by Black on the queen side moves the king, but not the rook." CastlingLeavesRook[Black QueenSide];
        CastlingTwice "castling-twice" "Castling is listed twice, once for the king and once for the rook." CastlingTwice[];
    }
    "castling rights" {
        RookCaptureKeepsRight "rook-capture-keeps-right" "The castling right of a captured rook remains; another rook on its square can castle." RookCaptureKeepsRight[];
        RookCaptureKeepsRightOfWhite "rook-capture-keeps-right-of-white" "The castling right of a captured white rook remains; another rook on its square can castle." RookCaptureKeepsRight[White];
        RookCaptureKeepsRightOfBlack "rook-capture-keeps-right-of-black" "The castling right of a captured black rook remains; another rook on its square can castle." RookCaptureKeepsRight[Black];
        RookCaptureKeepsRightKingSide "rook-capture-keeps-right-king-side" "The castling right of a captured rook on the king side remains; another rook on its square can castle." RookCaptureKeepsRight[KingSide];
        RookCaptureKeepsRightQueenSide "rook-capture-keeps-right-queen-side" "The castling right of a captured rook on the queen side remains; another rook on its square can castle." RookCaptureKeepsRight[QueenSide];
        RookCaptureKeepsRightOfWhiteKingSide "rook-capture-keeps-right-of-white-king-side" "The castling right of a captured white rook on the king side remains; another rook on its square can castle." RookCaptureKeepsRight[White KingSide];
        RookCaptureKeepsRightOfWhiteQueenSide "rook-capture-keeps-right-of-white-queen-side" "The castling right of a captured white rook on the queen side remains; another rook on its square can castle." RookCaptureKeepsRight[White QueenSide];
        RookCaptureKeepsRightOfBlackKingSide "rook-capture-keeps-right-of-black-king-side" "The castling right of a captured black rook on the king side remains; another rook on its square can castle." RookCaptureKeepsRight[Black KingSide];
        RookCaptureKeepsRightOfBlackQueenSide "rook-capture-keeps-right-of-black-queen-side" "The castling right of a captured black rook on the queen side remains; another rook on its square can castle." RookCaptureKeepsRight[Black QueenSide];
        PromotionCaptureKeepsRight "promotion-capture-keeps-right" "The castling right of a rook remains if a promoting pawn captures it." RookCaptureKeepsRight[Promotion];
        PhantomRook "phantom-rook" "The castling right of a captured rook remains, and castling without a rook creates one." RookCaptureKeepsRight[] CastlingWithoutRook[];
        RookMoveKeepsRight "rook-move-keeps-right" "A rook that moves keeps its castling right and can castle when it is back." RookMoveKeepsRight[];
        RookMoveKeepsRightOfWhite "rook-move-keeps-right-of-white" "A white rook that moves keeps its castling right and can castle when it is back." RookMoveKeepsRight[White];
        RookMoveKeepsRightOfBlack "rook-move-keeps-right-of-black" "A black rook that moves keeps its castling right and can castle when it is back." RookMoveKeepsRight[Black];
        RookMoveKeepsRightKingSide "rook-move-keeps-right-king-side" "A rook that moves from its square on the king side keeps its castling right and can castle when it is back." RookMoveKeepsRight[KingSide];
        RookMoveKeepsRightQueenSide "rook-move-keeps-right-queen-side" "A rook that moves from its square on the queen side keeps its castling right and can castle when it is back." RookMoveKeepsRight[QueenSide];
        RookMoveKeepsRightOfWhiteKingSide "rook-move-keeps-right-of-white-king-side" "A white rook that moves from its square on the king side keeps its castling right and can castle when it is back." RookMoveKeepsRight[White KingSide];
        RookMoveKeepsRightOfWhiteQueenSide "rook-move-keeps-right-of-white-queen-side" "A white rook that moves from its square on the queen side keeps its castling right and can castle when it is back." RookMoveKeepsRight[White QueenSide];
        RookMoveKeepsRightOfBlackKingSide "rook-move-keeps-right-of-black-king-side" "A black rook that moves from its square on the king side keeps its castling right and can castle when it is back." RookMoveKeepsRight[Black KingSide];
        RookMoveKeepsRightOfBlackQueenSide "rook-move-keeps-right-of-black-queen-side" "A black rook that moves from its square on the queen side keeps its castling right and can castle when it is back." RookMoveKeepsRight[Black QueenSide];
        KingMoveKeepsRights "king-move-keeps-rights" "A king that moves keeps its castling rights and can castle when it is back." KingMoveKeepsRight[];
        KingMoveKeepsRightsOfWhite "king-move-keeps-rights-of-white" "A white king that moves keeps its castling rights and can castle when it is back." KingMoveKeepsRight[White];
        KingMoveKeepsRightsOfBlack "king-move-keeps-rights-of-black" "A black king that moves keeps its castling rights and can castle when it is back." KingMoveKeepsRight[Black];
        KingMoveKeepsRightKingSide "king-move-keeps-right-king-side" "A king that moves keeps its castling right on the king side and can castle when it is back." KingMoveKeepsRight[KingSide];
        KingMoveKeepsRightQueenSide "king-move-keeps-right-queen-side" "A king that moves keeps its castling right on the queen side and can castle when it is back." KingMoveKeepsRight[QueenSide];
        KingMoveKeepsRightOfWhiteKingSide "king-move-keeps-right-of-white-king-side" "A white king that moves keeps its castling right on the king side and can castle when it is back." KingMoveKeepsRight[White KingSide];
        KingMoveKeepsRightOfWhiteQueenSide "king-move-keeps-right-of-white-queen-side" "A white king that moves keeps its castling right on the queen side and can castle when it is back." KingMoveKeepsRight[White QueenSide];
        KingMoveKeepsRightOfBlackKingSide "king-move-keeps-right-of-black-king-side" "A black king that moves keeps its castling right on the king side and can castle when it is back." KingMoveKeepsRight[Black KingSide];
        KingMoveKeepsRightOfBlackQueenSide "king-move-keeps-right-of-black-queen-side" "A black king that moves keeps its castling right on the queen side and can castle when it is back." KingMoveKeepsRight[Black QueenSide];
        CastlingKeepsRight "castling-keeps-right" "A king that castles keeps its right on the other side and can castle again when it is back." KingMoveKeepsRight[Castling];
        RightsAreKept "rights-are-kept" "No move takes castling rights away." RookCaptureKeepsRight[] RookMoveKeepsRight[] KingMoveKeepsRight[];
        RightsOfWhiteAreKept "rights-of-white-are-kept" "No move takes castling rights of White away." RookCaptureKeepsRight[White] RookMoveKeepsRight[White] KingMoveKeepsRight[White];
        RightsOfBlackAreKept "rights-of-black-are-kept" "No move takes castling rights of Black away." RookCaptureKeepsRight[Black] RookMoveKeepsRight[Black] KingMoveKeepsRight[Black];
        RookMoveLosesBoth "rook-move-loses-both" "A rook that moves takes the castling rights of both sides away." RookMoveTakesBothRights[];
        RookMoveLosesBothOfWhite "rook-move-loses-both-of-white" "A white rook that moves takes both castling rights of White away." RookMoveTakesBothRights[White];
        RookMoveLosesBothOfBlack "rook-move-loses-both-of-black" "A black rook that moves takes both castling rights of Black away." RookMoveTakesBothRights[Black];
        RookOnFileLosesRight "rook-on-file-loses-right" "A rook that moves from any square of the a-file or h-file takes the castling right on that side away." RookTakesRightOfFile[];
        RookCaptureLosesBoth "rook-capture-loses-both" "The capture of a rook takes the castling rights of both sides away." RookCaptureTakesBothRights[];
    }
    "pins" {
        PinsIgnored "pins-ignored" "Pinned pieces and pawns may leave their pin line." PinIgnored[];
        PinsIgnoredByWhite "pins-ignored-by-white" "Pinned pieces and pawns of White may leave their pin line." PinIgnored[White];
        PinsIgnoredByBlack "pins-ignored-by-black" "Pinned pieces and pawns of Black may leave their pin line." PinIgnored[Black];
        PinnedPieceMoves "pinned-piece-moves" "Pinned knights, bishops, rooks and queens may leave their pin line." PinIgnored[Knight Bishop Rook Queen];
        PinnedKnightMoves "pinned-knight-moves" "Pinned knights may leave their pin line." PinIgnored[Knight];
        PinnedBishopMoves "pinned-bishop-moves" "Pinned bishops may leave their pin line." PinIgnored[Bishop];
        PinnedRookMoves "pinned-rook-moves" "Pinned rooks may leave their pin line." PinIgnored[Rook];
        PinnedQueenMoves "pinned-queen-moves" "Pinned queens may leave their pin line." PinIgnored[Queen];
        PinnedPawnMoves "pinned-pawn-moves" "Pinned pawns may leave their pin line." PinIgnored[Pawn];
        PinnedPawnCaptures "pinned-pawn-captures" "Pinned pawns may capture off their pin line." PinIgnored[Pawn CAPTURE Step Promotion];
        PinnedWhitePawnCaptures "pinned-white-pawn-captures" "Pinned white pawns may capture off their pin line." PinIgnored[White Pawn CAPTURE Step Promotion];
        PinnedBlackPawnCaptures "pinned-black-pawn-captures" "Pinned black pawns may capture off their pin line." PinIgnored[Black Pawn CAPTURE Step Promotion];
        PinnedPawnPushes "pinned-pawn-pushes" "Pinned pawns may step forward off their pin line." PinIgnored[Pawn Quiet];
        PinnedWhitePawnPushes "pinned-white-pawn-pushes" "Pinned white pawns may step forward off their pin line." PinIgnored[White Pawn Quiet];
        PinnedBlackPawnPushes "pinned-black-pawn-pushes" "Pinned black pawns may step forward off their pin line." PinIgnored[Black Pawn Quiet];
        PinnedPawnDoubleSteps "pinned-pawn-double-steps" "Pinned pawns may make a double step off their pin line." PinIgnored[Pawn Quiet DoubleStep];
        PinnedPawnPromotes "pinned-pawn-promotes" "Pinned pawns may promote off their pin line." PinIgnored[Pawn Promotion];
        DiagonalPinsIgnored "diagonal-pins-ignored" "Pins by bishops, and by queens on diagonals, are not seen." PinIgnored[OnDiagonal];
        OrthogonalPinsIgnored "orthogonal-pins-ignored" "Pins by rooks, and by queens on ranks and files, are not seen." PinIgnored[OnRank OnFile];
        RankPinsIgnored "rank-pins-ignored" "Pins on ranks are not seen." PinIgnored[OnRank];
        FilePinsIgnored "file-pins-ignored" "Pins on files are not seen." PinIgnored[OnFile];
        PinsByBishopIgnored "pins-by-bishop-ignored" "Pins by bishops are not seen." PinIgnored[ByBishop];
        PinsByRookIgnored "pins-by-rook-ignored" "Pins by rooks are not seen." PinIgnored[ByRook];
        PinsByQueenIgnored "pins-by-queen-ignored" "Pins by queens are not seen." PinIgnored[ByQueen];
        PinnedPiecesFrozen "pinned-pieces-frozen" "Pinned pieces cannot move at all, not even along their pin line." PinnedFrozen[Knight Bishop Rook Queen];
        PinnedBishopFrozen "pinned-bishop-frozen" "Pinned bishops cannot move at all, not even along their pin line." PinnedFrozen[Bishop];
        PinnedRookFrozen "pinned-rook-frozen" "Pinned rooks cannot move at all, not even along their pin line." PinnedFrozen[Rook];
        PinnedQueenFrozen "pinned-queen-frozen" "Pinned queens cannot move at all, not even along their pin line." PinnedFrozen[Queen];
        PinnedPawnsFrozen "pinned-pawns-frozen" "Pinned pawns cannot move at all, not even along their pin line." PinnedFrozen[Pawn];
        PinnedPawnPushMissing "pinned-pawn-push-missing" "Pinned pawns cannot step forward along their pin line." PinnedFrozen[Pawn Quiet];
        PinnedPawnDoubleStepMissing "pinned-pawn-double-step-missing" "Pinned pawns cannot make a double step along their pin line." PinnedFrozen[Pawn Quiet DoubleStep];
        PinnedPawnCaptureMissing "pinned-pawn-capture-missing" "Pinned pawns cannot capture along their pin line." PinnedFrozen[Pawn CAPTURE];
    }
    "check" {
        PseudoLegal "pseudo-legal" "Moves are not tested for check, and the king can be captured." PinIgnored[] CheckIgnored[] KingIntoAttack[];
        PseudoLegalByWhite "pseudo-legal-by-white" "Moves of White are not tested for check." PinIgnored[White] CheckIgnored[White] KingIntoAttack[White];
        PseudoLegalByBlack "pseudo-legal-by-black" "Moves of Black are not tested for check." PinIgnored[Black] CheckIgnored[Black] KingIntoAttack[Black];
        CheckIgnored "check-ignored" "In check, pieces other than the king may make any move." CheckIgnored[];
        CheckIgnoredByWhite "check-ignored-by-white" "In check, white pieces other than the king may make any move." CheckIgnored[White];
        CheckIgnoredByBlack "check-ignored-by-black" "In check, black pieces other than the king may make any move." CheckIgnored[Black];
        CheckOfPawnIgnored "check-of-pawn-ignored" "In check by a pawn, pieces other than the king may make any move." CheckIgnored[ByPawn];
        CheckOfKnightIgnored "check-of-knight-ignored" "In check by a knight, pieces other than the king may make any move." CheckIgnored[ByKnight];
        CheckOfBishopIgnored "check-of-bishop-ignored" "In check by a bishop, pieces other than the king may make any move." CheckIgnored[ByBishop];
        CheckOfRookIgnored "check-of-rook-ignored" "In check by a rook, pieces other than the king may make any move." CheckIgnored[ByRook];
        CheckOfQueenIgnored "check-of-queen-ignored" "In check by a queen, pieces other than the king may make any move." CheckIgnored[ByQueen];
        PawnIgnoresCheck "pawn-ignores-check" "In check, pawns may make any move." CheckIgnored[Pawn];
        KnightIgnoresCheck "knight-ignores-check" "In check, knights may make any move." CheckIgnored[Knight];
        BishopIgnoresCheck "bishop-ignores-check" "In check, bishops may make any move." CheckIgnored[Bishop];
        RookIgnoresCheck "rook-ignores-check" "In check, rooks may make any move." CheckIgnored[Rook];
        QueenIgnoresCheck "queen-ignores-check" "In check, queens may make any move." CheckIgnored[Queen];
        OnlyKingMovesInCheck "only-king-moves-in-check" "In check, only the king can move." AnswerMissing[];
        DoubleCheck "double-check" "In double check, a move that answers one of the two checks is allowed." CheckIgnored[AnswersOne];
        NoInterposition "no-interposition" "A check cannot be answered by moving a piece between." AnswerMissing[Interposes];
        NoInterpositionByPawn "no-interposition-by-pawn" "A check cannot be answered by moving a pawn between." AnswerMissing[Interposes Pawn];
        NoInterpositionByDoubleStep "no-interposition-by-double-step" "A check cannot be answered by the double step of a pawn." AnswerMissing[Interposes Pawn DoubleStep];
        NoCaptureOfChecker "no-capture-of-checker" "A piece that gives check can be captured by the king only." AnswerMissing[TakesChecker];
        NoCaptureOfCheckerByPawn "no-capture-of-checker-by-pawn" "A piece that gives check cannot be captured by a pawn." AnswerMissing[TakesChecker Pawn];
        NoCaptureOfCheckerByKnight "no-capture-of-checker-by-knight" "A piece that gives check cannot be captured by a knight." AnswerMissing[TakesChecker Knight];
        NoPromotionInCheck "no-promotion-in-check" "A check cannot be answered by a promotion." AnswerMissing[Promotion];
        KingIntoCheck "king-into-check" "The king may move to any attacked square." KingIntoAttack[];
        KingStepsBack "king-steps-back" "The king may step back along the line of a slider that checks it." KingIntoAttack[StepsBack];
        KingStepsBackFromBishop "king-steps-back-from-bishop" "The king may step back along the line of a bishop that checks it." KingIntoAttack[StepsBack ByBishop];
        KingStepsBackFromRook "king-steps-back-from-rook" "The king may step back along the line of a rook that checks it." KingIntoAttack[StepsBack ByRook];
        KingStepsBackFromQueen "king-steps-back-from-queen" "The king may step back along the line of a queen that checks it." KingIntoAttack[StepsBack ByQueen];
        WhiteKingIntoCheck "white-king-into-check" "The white king may move to any attacked square." KingIntoAttack[White];
        BlackKingIntoCheck "black-king-into-check" "The black king may move to any attacked square." KingIntoAttack[Black];
        KingIntoCheckOfPawn "king-into-check-of-pawn" "The king may move to a square that a pawn attacks." KingIntoAttack[ByPawn];
        KingIntoCheckOfKnight "king-into-check-of-knight" "The king may move to a square that a knight attacks." KingIntoAttack[ByKnight];
        KingIntoCheckOfBishop "king-into-check-of-bishop" "The king may move to a square that a bishop attacks." KingIntoAttack[ByBishop];
        KingIntoCheckOfRook "king-into-check-of-rook" "The king may move to a square that a rook attacks." KingIntoAttack[ByRook];
        KingIntoCheckOfQueen "king-into-check-of-queen" "The king may move to a square that a queen attacks." KingIntoAttack[ByQueen];
        KingsAdjacent "kings-adjacent" "The king may step next to the other king." KingIntoAttack[ByKing];
        KingCapturesDefended "king-captures-defended" "The king may capture a defended piece." KingIntoAttack[CAPTURE];
        KingCapturesDefendedPawn "king-captures-defended-pawn" "The king may capture a defended pawn." KingIntoAttack[TakesPawn];
        KingCapturesDefendedKnight "king-captures-defended-knight" "The king may capture a defended knight." KingIntoAttack[TakesKnight];
        KingCapturesDefendedBishop "king-captures-defended-bishop" "The king may capture a defended bishop." KingIntoAttack[TakesBishop];
        KingCapturesDefendedRook "king-captures-defended-rook" "The king may capture a defended rook." KingIntoAttack[TakesRook];
        KingCapturesDefendedQueen "king-captures-defended-queen" "The king may capture a defended queen." KingIntoAttack[TakesQueen];
        KingCapturesDefendedByPawn "king-captures-defended-by-pawn" "The king may capture a piece that a pawn defends." KingIntoAttack[CAPTURE ByPawn];
        KingCapturesDefendedByKnight "king-captures-defended-by-knight" "The king may capture a piece that a knight defends." KingIntoAttack[CAPTURE ByKnight];
        KingCapturesDefendedByBishop "king-captures-defended-by-bishop" "The king may capture a piece that a bishop defends." KingIntoAttack[CAPTURE ByBishop];
        KingCapturesDefendedByRook "king-captures-defended-by-rook" "The king may capture a piece that a rook defends." KingIntoAttack[CAPTURE ByRook];
        KingCapturesDefendedByQueen "king-captures-defended-by-queen" "The king may capture a piece that a queen defends." KingIntoAttack[CAPTURE ByQueen];
        PawnAttacksIgnored "pawn-attacks-ignored" "Attacks by pawns are not seen: no check by a pawn, and the king steps beside it." AttackUnseen[ByPawn];
        WhitePawnAttacksIgnored "white-pawn-attacks-ignored" "Attacks by white pawns are not seen." AttackUnseen[White ByPawn];
        BlackPawnAttacksIgnored "black-pawn-attacks-ignored" "Attacks by black pawns are not seen." AttackUnseen[Black ByPawn];
        KnightAttacksIgnored "knight-attacks-ignored" "Attacks by knights are not seen when the king is tested for check." AttackUnseen[ByKnight];
        BishopAttacksIgnored "bishop-attacks-ignored" "Attacks by bishops are not seen when the king is tested for check." AttackUnseen[ByBishop];
        RookAttacksIgnored "rook-attacks-ignored" "Attacks by rooks are not seen when the king is tested for check." AttackUnseen[ByRook];
        QueenAttacksIgnored "queen-attacks-ignored" "Attacks by queens are not seen when the king is tested for check." AttackUnseen[ByQueen];
        QueenAttacksOnDiagonalsIgnored "queen-attacks-on-diagonals-ignored" "Attacks by queens on diagonals are not seen when the king is tested for check." AttackUnseen[ByQueen OnDiagonal];
        QueenAttacksOnLinesIgnored "queen-attacks-on-lines-ignored" "Attacks by queens on ranks and files are not seen when the king is tested for check." AttackUnseen[ByQueen OnRank OnFile];
        PawnAttacksReversed "pawn-attacks-reversed" "Pawns are taken to attack backwards when the king is tested for check." PawnAttackReversed[];
        WhitePawnAttacksReversed "white-pawn-attacks-reversed" "White pawns are taken to attack backwards when the king is tested for check." PawnAttackReversed[White];
        BlackPawnAttacksReversed "black-pawn-attacks-reversed" "Black pawns are taken to attack backwards when the king is tested for check." PawnAttackReversed[Black];
    }
    "promotion" {
        NoPromotion "no-promotion" "A pawn on the last rank stays a pawn, so a promotion is one move." PromotionStaysPawn[];
        NoWhitePromotion "no-white-promotion" "A white pawn on the last rank stays a pawn, so a promotion is one move." PromotionStaysPawn[White];
        NoBlackPromotion "no-black-promotion" "A black pawn on the last rank stays a pawn, so a promotion is one move." PromotionStaysPawn[Black];
        PromotionToQueenOnly "promotion-to-queen-only" "Pawns promote to queens only." PromotionMissing[ToKnight ToBishop ToRook];
        WhitePromotionToQueenOnly "white-promotion-to-queen-only" "White pawns promote to queens only." PromotionMissing[White ToKnight ToBishop ToRook];
        BlackPromotionToQueenOnly "black-promotion-to-queen-only" "Black pawns promote to queens only." PromotionMissing[Black ToKnight ToBishop ToRook];
        PromotionToQueenOrRook "promotion-to-queen-or-rook" "Pawns promote to queens and rooks only." PromotionMissing[ToKnight ToBishop];
        PromotionToQueenOrBishop "promotion-to-queen-or-bishop" "Pawns promote to queens and bishops only." PromotionMissing[ToKnight ToRook];
        PromotionToRookOrBishop "promotion-to-rook-or-bishop" "Pawns promote to rooks and bishops only." PromotionMissing[ToKnight ToQueen];
        PromotionToQueenOrKnight "promotion-to-queen-or-knight" "Pawns promote to queens and knights only." PromotionMissing[ToBishop ToRook];
        PromotionToRookOrKnight "promotion-to-rook-or-knight" "Pawns promote to rooks and knights only." PromotionMissing[ToBishop ToQueen];
        PromotionToBishopOrKnight "promotion-to-bishop-or-knight" "Pawns promote to bishops and knights only." PromotionMissing[ToRook ToQueen];
        NoKnightPromotion "no-knight-promotion" "Pawns do not promote to knights." PromotionMissing[ToKnight];
        NoWhiteKnightPromotion "no-white-knight-promotion" "White pawns do not promote to knights." PromotionMissing[White ToKnight];
        NoBlackKnightPromotion "no-black-knight-promotion" "Black pawns do not promote to knights." PromotionMissing[Black ToKnight];
        NoBishopPromotion "no-bishop-promotion" "Pawns do not promote to bishops." PromotionMissing[ToBishop];
        NoRookPromotion "no-rook-promotion" "Pawns do not promote to rooks." PromotionMissing[ToRook];
        NoQueenPromotion "no-queen-promotion" "Pawns do not promote to queens." PromotionMissing[ToQueen];
        CapturePromotesToQueen "capture-promotes-to-queen" "A capture on the last rank promotes to a queen only." PromotionMissing[CAPTURE ToKnight ToBishop ToRook];
        PushPromotesToQueen "push-promotes-to-queen" "A step to the last rank without a capture promotes to a queen only." PromotionMissing[Quiet ToKnight ToBishop ToRook];
        CaptureNoPromotion "capture-no-promotion" "A pawn that captures on the last rank stays a pawn." PromotionStaysPawn[CAPTURE];
        PromotionPushMissing "promotion-push-missing" "Promotions without a capture are missing." PromotionMissing[Quiet];
        WhitePromotionPushMissing "white-promotion-push-missing" "Promotions of white pawns without a capture are missing." PromotionMissing[White Quiet];
        BlackPromotionPushMissing "black-promotion-push-missing" "Promotions of black pawns without a capture are missing." PromotionMissing[Black Quiet];
        PromotionCaptureMissing "promotion-capture-missing" "Promotions with a capture are missing." PromotionMissing[CAPTURE];
        WhitePromotionCaptureMissing "white-promotion-capture-missing" "Promotions of white pawns with a capture are missing." PromotionMissing[White CAPTURE];
        BlackPromotionCaptureMissing "black-promotion-capture-missing" "Promotions of black pawns with a capture are missing." PromotionMissing[Black CAPTURE];
        PromotionCaptureTowardsAMissing "promotion-capture-towards-a-missing" "Promotions with a capture towards the a-file are missing." PromotionMissing[CAPTURE TowardsA];
        PromotionCaptureTowardsHMissing "promotion-capture-towards-h-missing" "Promotions with a capture towards the h-file are missing." PromotionMissing[CAPTURE TowardsH];
        WhitePromotionCaptureTowardsAMissing "white-promotion-capture-towards-a-missing" "Promotions of white pawns with a capture towards the a-file are missing." PromotionMissing[White CAPTURE TowardsA];
        WhitePromotionCaptureTowardsHMissing "white-promotion-capture-towards-h-missing" "Promotions of white pawns with a capture towards the h-file are missing." PromotionMissing[White CAPTURE TowardsH];
        BlackPromotionCaptureTowardsAMissing "black-promotion-capture-towards-a-missing" "Promotions of black pawns with a capture towards the a-file are missing." PromotionMissing[Black CAPTURE TowardsA];
        BlackPromotionCaptureTowardsHMissing "black-promotion-capture-towards-h-missing" "Promotions of black pawns with a capture towards the h-file are missing." PromotionMissing[Black CAPTURE TowardsH];
        PromotionCaptureOnAMissing "promotion-capture-on-a-missing" "Promotions with a capture on the a-file are missing." PromotionMissing[CAPTURE OnFileA];
        PromotionCaptureOnHMissing "promotion-capture-on-h-missing" "Promotions with a capture on the h-file are missing." PromotionMissing[CAPTURE OnFileH];
        PromotionIsWhite "promotion-is-white" "A black pawn promotes to a white piece." PromotionChangesSide[Black];
        PromotionIsBlack "promotion-is-black" "A white pawn promotes to a black piece." PromotionChangesSide[White];
    }
    "pawns and edges" {
        NoDoubleStep "no-double-step" "Double steps of pawns are missing." DoubleStepMissing[];
        NoWhiteDoubleStep "no-white-double-step" "Double steps of white pawns are missing." DoubleStepMissing[White];
        NoBlackDoubleStep "no-black-double-step" "Double steps of black pawns are missing." DoubleStepMissing[Black];
        DoubleStepJumps "double-step-jumps" "A pawn can jump over a piece with its double step." DoubleStepJumps[];
        WhiteDoubleStepJumps "white-double-step-jumps" "A white pawn can jump over a piece with its double step." DoubleStepJumps[White];
        BlackDoubleStepJumps "black-double-step-jumps" "A black pawn can jump over a piece with its double step." DoubleStepJumps[Black];
        DoubleStepCaptures "double-step-captures" "A pawn can capture with its double step." DoubleStepCaptures[];
        DoubleStepFromAnyRank "double-step-from-any-rank" "A pawn can make a double step from every rank." DoubleStepFromRank[];
        DoubleStepFromThirdRank "double-step-from-third-rank" "A pawn can also make a double step from its third rank." DoubleStepFromRank[ThirdRank];
        WhiteDoubleStepFromThirdRank "white-double-step-from-third-rank" "A white pawn can also make a double step from its third rank." DoubleStepFromRank[White ThirdRank];
        BlackDoubleStepFromThirdRank "black-double-step-from-third-rank" "A black pawn can also make a double step from its third rank." DoubleStepFromRank[Black ThirdRank];
        PawnPushCaptures "pawn-push-captures" "A pawn can capture a piece straight ahead." PawnPushCaptures[];
        PawnStepsAside "pawn-steps-aside" "A pawn can step diagonally to an empty square." PawnStepsAside[];
        NoPawnCaptureTowardsA "no-pawn-capture-towards-a" "Captures of pawns towards the a-file are missing." PawnCaptureMissing[TowardsA];
        NoWhitePawnCaptureTowardsA "no-white-pawn-capture-towards-a" "Captures of white pawns towards the a-file are missing." PawnCaptureMissing[White TowardsA];
        NoBlackPawnCaptureTowardsA "no-black-pawn-capture-towards-a" "Captures of black pawns towards the a-file are missing." PawnCaptureMissing[Black TowardsA];
        NoPawnCaptureTowardsH "no-pawn-capture-towards-h" "Captures of pawns towards the h-file are missing." PawnCaptureMissing[TowardsH];
        NoWhitePawnCaptureTowardsH "no-white-pawn-capture-towards-h" "Captures of white pawns towards the h-file are missing." PawnCaptureMissing[White TowardsH];
        NoBlackPawnCaptureTowardsH "no-black-pawn-capture-towards-h" "Captures of black pawns towards the h-file are missing." PawnCaptureMissing[Black TowardsH];
        NoPawnCaptureOnA "no-pawn-capture-on-a" "Captures of pawns on the a-file are missing." PawnCaptureMissing[OnFileA];
        NoPawnCaptureOnH "no-pawn-capture-on-h" "Captures of pawns on the h-file are missing." PawnCaptureMissing[OnFileH];
        PawnWraps "pawn-wraps" "A pawn on the edge captures around it, on the other edge of the board." PawnWraps[];
        PawnWrapsTowardsA "pawn-wraps-towards-a" "A pawn on the a-file captures around the edge, on the other edge of the board." PawnWraps[TowardsA];
        PawnWrapsTowardsH "pawn-wraps-towards-h" "A pawn on the h-file captures around the edge, on the other edge of the board." PawnWraps[TowardsH];
        KnightWraps "knight-wraps" "A knight jumps around the edge, to the other edge of the board." KnightWraps[];
        KingWraps "king-wraps" "A king steps around the edge, to the other edge of the board." KingWraps[];
    }
    "sliders" {
        SlideNeverToEdge "slide-never-to-edge" "Bishops, rooks and queens neither move to nor attack the edge of the board at the end of a line." EdgeMissing[];
        SlideNeverSeven "slide-never-seven" "Bishops, rooks and queens move and attack at most six squares far." LongestSlideMissing[];
        SlideStopsShort "slide-stops-short" "Bishops, rooks and queens stop one square before the end of each line." LastSquareMissing[Moves];
        BishopStopsShort "bishop-stops-short" "Bishops stop one square before the end of each line." LastSquareMissing[Bishop Moves];
        RookStopsShort "rook-stops-short" "Rooks stop one square before the end of each line." LastSquareMissing[Rook Moves];
        QueenStopsShort "queen-stops-short" "Queens stop one square before the end of each line." LastSquareMissing[Queen Moves];
        SlideNotToEdge "slide-not-to-edge" "Bishops, rooks and queens cannot move to the edge of the board at the end of a line." EdgeMissing[Moves];
        BishopNotToEdge "bishop-not-to-edge" "Bishops cannot move to the edge of the board at the end of a line." EdgeMissing[Bishop Moves];
        RookNotToEdge "rook-not-to-edge" "Rooks cannot move to the edge of the board at the end of a line." EdgeMissing[Rook Moves];
        QueenNotToEdge "queen-not-to-edge" "Queens cannot move to the edge of the board at the end of a line." EdgeMissing[Queen Moves];
        SlideNotSeven "slide-not-seven" "Bishops, rooks and queens move at most six squares far." LongestSlideMissing[Moves];
    }
    "unmaking moves" {
        UnmakeLosesRights "unmake-loses-rights" "Taking back a capture does not restore castling rights." UnmakeLosesRightsOfCapture[];
        UnmakeLosesMovedRights "unmake-loses-moved-rights" "Taking back a move of a king or rook does not restore castling rights." UnmakeLosesRightsOfMover[];
        UnmakeLosesKingRights "unmake-loses-king-rights" "Taking back a move of a king does not restore castling rights." UnmakeLosesRightsOfMover[King];
        UnmakeLosesRookRights "unmake-loses-rook-rights" "Taking back a move of a rook does not restore castling rights." UnmakeLosesRightsOfMover[Rook];
        UnmakeLosesCastlingRights "unmake-loses-castling-rights" "Taking back castling does not restore castling rights." UnmakeLosesRightsOfMover[Castling];
        UnmakeLosesEnPassant "unmake-loses-en-passant" "Taking back a move does not restore the en passant square." UnmakeLosesEnPassant[];
        UnmakeKeepsPromotion "unmake-keeps-promotion" "Taking back a promotion does not restore the pawn." UnmakeKeepsPromotion[];
        UnmakeLosesPawn "unmake-loses-pawn" "Taking back an en passant capture does not restore the captured pawn." UnmakeLosesPawn[];
        UnmakeLeavesRook "unmake-leaves-rook" "Taking back castling does not return the rook." UnmakeLeavesRook[];
    }
    "leaf nodes" {
        LeafPromotionOnce "leaf-promotion-once" "A promotion at the last ply is counted as one move instead of four." LeafPromotionOnce[];
        LeafCastlingMissing "leaf-castling-missing" "Castling is not counted at the last ply." LeafCastlingMissing[];
        LeafEnPassantMissing "leaf-en-passant-missing" "En passant captures are not counted at the last ply." LeafEnPassantMissing[];
        LeafPseudoLegal "leaf-pseudo-legal" "Moves at the last ply are not tested for check." LeafUnchecked[];
        EndIsLeaf "end-is-leaf" "Checkmates and stalemates above the last ply are counted as leaf nodes." EndIsLeaf[];
        InsufficientMaterialEnds "insufficient-material-ends" "A position with too few pieces for a checkmate has no moves." InsufficientMaterialEnds[];
    }
}

impl Mutation {
    /// Whether this mutation is a variant of another one, for one side, one piece or one direction only.
    ///
    /// # Examples
    /// ```
    /// use perft_diagnosis::mutations::Mutation;
    ///
    /// assert!(Mutation::NoEnPassantByWhite.is_variant_of(Mutation::NoEnPassant));
    /// assert!(!Mutation::NoEnPassantByWhite.is_variant_of(Mutation::NoEnPassantByBlack));
    /// ```
    pub fn is_variant_of(self, other: Mutation) -> bool {
        let is_each_within = |part: Mutation, whole: Mutation| {
            part.breaks().iter().all(|a| whole.breaks().iter().any(|b| a.is_within(*b)))
        };
        let breaks_as_many = self.breaks().len() == other.breaks().len();
        breaks_as_many && is_each_within(self, other) && !is_each_within(other, self)
    }

    /// Whether taking back a move does not restore the board.
    pub(super) fn changes_taking_back(self) -> bool {
        self.topic() == "unmaking moves"
    }

    /// Returns the mutation of which this one is a variant. If there are several, returns the most similar one.
    pub(crate) fn general(self) -> Option<Mutation> {
        GENERAL[self as usize]
    }
}

/// For each mutation, the one of which it is a variant.
static GENERAL: LazyLock<Vec<Option<Mutation>>> = LazyLock::new(|| {
    let general = |&variant: &Mutation| {
        let generals = || Mutation::ALL.iter().copied().filter(move |&other| variant.is_variant_of(other));
        generals().find(|&near| !generals().any(|nearer| nearer.is_variant_of(near)))
    };
    Mutation::ALL.iter().map(general).collect()
});

impl FromStr for Mutation {
    type Err = UnknownMutation;

    fn from_str(text: &str) -> Result<Mutation, UnknownMutation> {
        let mut all = Mutation::ALL.iter().copied();
        all.find(|mutation| mutation.name() == text).ok_or_else(|| UnknownMutation(text.to_owned()))
    }
}

/// The error of parsing a text that is not the name of a [`Mutation`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not the name of a mutation")]
pub struct UnknownMutation(pub String);

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_descriptions_are_sentences() {
        let names: HashSet<&str> = Mutation::ALL.iter().map(|mutation| mutation.name()).collect();
        let sentences: HashSet<&str> = Mutation::ALL.iter().map(|mutation| mutation.about()).collect();
        assert_eq!((names.len(), sentences.len()), (Mutation::ALL.len(), Mutation::ALL.len()));
        for (index, &mutation) in Mutation::ALL.iter().enumerate() {
            assert_eq!((mutation as usize, mutation.name().parse()), (index, Ok(mutation)));
            assert!(mutation.about().ends_with('.'), "{mutation:?}");
        }
        assert!("nothing".parse::<Mutation>().is_err());
    }

    #[test]
    fn no_two_mutations_break_the_same_rules() {
        for (index, a) in Mutation::ALL.iter().enumerate() {
            for b in &Mutation::ALL[..index] {
                assert_ne!(a.breaks(), b.breaks(), "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn a_variant_belongs_to_the_nearest_general_form() {
        let general = |mutation: Mutation| mutation.general();
        assert_eq!(general(Mutation::NoEnPassantByWhite), Some(Mutation::NoEnPassant));
        assert_eq!(general(Mutation::PinnedKnightMoves), Some(Mutation::PinnedPieceMoves));
        assert_eq!(general(Mutation::NoEnPassant), None);
        // It breaks fewer rules than the bug of which it is a part.
        assert_eq!(general(Mutation::RookCaptureKeepsRight), None);
        let pairs = Mutation::ALL.iter().filter_map(|&mutation| Some((general(mutation)?, mutation)));
        for (general, variant) in pairs.filter(|(general, variant)| general.topic() == variant.topic()) {
            assert!(general < variant, "{general:?} stands below {variant:?}");
        }
    }
}

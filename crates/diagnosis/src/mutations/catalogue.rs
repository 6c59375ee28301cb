//! The catalogue: every mutation with a description and the rules that it breaks.
//!
//! A row that breaks the same rules as another row, but for fewer facts, is a variant of it: a mistake for one side,
//! one piece or one direction only. A variant is below its general form.

use std::str::FromStr;
use std::sync::LazyLock;

use super::facts::Facts;
use super::rules::{Break, Rule};
use crate::named_enum::kebab_case;

/// Defines [`Mutation`] and its tables. Each row has a variant, a description, and the broken rules with the facts for
/// which they are broken. The rows are grouped by topic. The name of a mutation is that of its variant in kebab case.
macro_rules! catalogue {
    ($($topic:literal {
        $($mutation:ident $about:literal $($rule:ident [$($fact:ident)*])+;)*
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
            name: kebab_case!($mutation),
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
        NoEnPassant "En passant captures are missing." EnPassantMissing[];
        NoEnPassantByWhite "En passant captures by White are missing." EnPassantMissing[White];
        NoEnPassantByBlack "En passant captures by Black are missing." EnPassantMissing[Black];
        NoEnPassantTowardsA "En passant captures towards the a-file are missing." EnPassantMissing[TowardsA];
        NoEnPassantTowardsH "En passant captures towards the h-file are missing." EnPassantMissing[TowardsH];
        NoEnPassantByWhiteTowardsA "En passant captures by White towards the a-file are missing." EnPassantMissing[White TowardsA];
        NoEnPassantByWhiteTowardsH "En passant captures by White towards the h-file are missing." EnPassantMissing[White TowardsH];
        NoEnPassantByBlackTowardsA "En passant captures by Black towards the a-file are missing." EnPassantMissing[Black TowardsA];
        NoEnPassantByBlackTowardsH "En passant captures by Black towards the h-file are missing." EnPassantMissing[Black TowardsH];
        NoEnPassantOnEdge "En passant captures on the a-file and on the h-file are missing." EnPassantMissing[OnFileA OnFileH];
        EnPassantUnread "The en passant square of the FEN is not read." EnPassantUnread[];
        EnPassantPin "An en passant capture is tested for check with the captured pawn still on the board." EnPassantOpensLine[];
        EnPassantPinByWhite "An en passant capture by White is tested for check with the captured pawn still on the board." EnPassantOpensLine[White];
        EnPassantPinByBlack "An en passant capture by Black is tested for check with the captured pawn still on the board." EnPassantOpensLine[Black];
        EnPassantRankPin "An en passant capture that opens the rank of the king to a rook or queen is allowed." EnPassantOpensLine[OnRank];
        EnPassantDiagonalPin "An en passant capture that opens a diagonal by removing the captured pawn is allowed." EnPassantOpensLine[OnDiagonal];
        EnPassantUnchecked "En passant captures are not tested for check at all." EnPassantUnchecked[];
        EnPassantUncheckedByWhite "En passant captures by White are not tested for check at all." EnPassantUnchecked[White];
        EnPassantUncheckedByBlack "En passant captures by Black are not tested for check at all." EnPassantUnchecked[Black];
        EnPassantNotAnswer "A pawn that gives check by its double step cannot be captured en passant." AnswerMissing[EnPassant TakesChecker];
        EnPassantNotAnswerByWhite "White cannot capture a pawn en passant that gives check by its double step." AnswerMissing[White EnPassant TakesChecker];
        EnPassantNotAnswerByBlack "Black cannot capture a pawn en passant that gives check by its double step." AnswerMissing[Black EnPassant TakesChecker];
        EnPassantStays "The en passant square is not cleared by the next move." EnPassantStays[];
        EnPassantLeavesPawn "The captured pawn stays on the board after an en passant capture." EnPassantLeavesPawn[];
        EnPassantLeavesWhitePawn "A white pawn stays on the board after Black captures it en passant." EnPassantLeavesPawn[Black];
        EnPassantLeavesBlackPawn "A black pawn stays on the board after White captures it en passant." EnPassantLeavesPawn[White];
        EnPassantOnePawn "Only one of two pawns can capture en passant." SecondEnPassantMissing[];
        EnPassantWraps "A pawn on the edge can capture en passant on the other edge of the board." EnPassantWraps[];
    }
    "castling" {
        NoCastling "Castling is missing." CastlingMissing[];
        NoCastlingKingSide "Castling on the king side is missing." CastlingMissing[KingSide];
        NoCastlingQueenSide "Castling on the queen side is missing." CastlingMissing[QueenSide];
        NoCastlingByWhite "Castling by White is missing." CastlingMissing[White];
        NoCastlingByBlack "Castling by Black is missing." CastlingMissing[Black];
        NoCastlingByWhiteKingSide "Castling by White on the king side is missing." CastlingMissing[White KingSide];
        NoCastlingByWhiteQueenSide "Castling by White on the queen side is missing." CastlingMissing[White QueenSide];
        NoCastlingByBlackKingSide "Castling by Black on the king side is missing." CastlingMissing[Black KingSide];
        NoCastlingByBlackQueenSide "Castling by Black on the queen side is missing." CastlingMissing[Black QueenSide];
        CastlingUnread "The castling rights of the FEN are not read." CastlingUnread[];
        CastlingOutOfCheck "The king may castle while the king is in check." CastlingOutOfCheck[];
        CastlingOutOfCheckByWhite "White may castle while the king is in check." CastlingOutOfCheck[White];
        CastlingOutOfCheckByBlack "Black may castle while the king is in check." CastlingOutOfCheck[Black];
        CastlingOutOfCheckKingSide "The king may castle on the king side while the king is in check." CastlingOutOfCheck[KingSide];
        CastlingOutOfCheckQueenSide "The king may castle on the queen side while the king is in check." CastlingOutOfCheck[QueenSide];
        CastlingOutOfCheckByWhiteKingSide "White may castle on the king side while the king is in check." CastlingOutOfCheck[White KingSide];
        CastlingOutOfCheckByWhiteQueenSide "White may castle on the queen side while the king is in check." CastlingOutOfCheck[White QueenSide];
        CastlingOutOfCheckByBlackKingSide "Black may castle on the king side while the king is in check." CastlingOutOfCheck[Black KingSide];
        CastlingOutOfCheckByBlackQueenSide "Black may castle on the queen side while the king is in check." CastlingOutOfCheck[Black QueenSide];
        CastlingThroughCheck "The king may castle across an attacked square." CastlingThroughCheck[];
        CastlingThroughCheckByWhite "White may castle across an attacked square." CastlingThroughCheck[White];
        CastlingThroughCheckByBlack "Black may castle across an attacked square." CastlingThroughCheck[Black];
        CastlingThroughCheckKingSide "The king may castle on the king side across an attacked square." CastlingThroughCheck[KingSide];
        CastlingThroughCheckQueenSide "The king may castle on the queen side across an attacked square." CastlingThroughCheck[QueenSide];
        CastlingThroughCheckByWhiteKingSide "White may castle on the king side across an attacked square." CastlingThroughCheck[White KingSide];
        CastlingThroughCheckByWhiteQueenSide "White may castle on the queen side across an attacked square." CastlingThroughCheck[White QueenSide];
        CastlingThroughCheckByBlackKingSide "Black may castle on the king side across an attacked square." CastlingThroughCheck[Black KingSide];
        CastlingThroughCheckByBlackQueenSide "Black may castle on the queen side across an attacked square." CastlingThroughCheck[Black QueenSide];
        CastlingIntoCheck "The king may castle to an attacked square." CastlingIntoCheck[];
        CastlingIntoCheckByWhite "White may castle to an attacked square." CastlingIntoCheck[White];
        CastlingIntoCheckByBlack "Black may castle to an attacked square." CastlingIntoCheck[Black];
        CastlingIntoCheckKingSide "The king may castle on the king side to an attacked square." CastlingIntoCheck[KingSide];
        CastlingIntoCheckQueenSide "The king may castle on the queen side to an attacked square." CastlingIntoCheck[QueenSide];
        CastlingIntoCheckByWhiteKingSide "White may castle on the king side to an attacked square." CastlingIntoCheck[White KingSide];
        CastlingIntoCheckByWhiteQueenSide "White may castle on the queen side to an attacked square." CastlingIntoCheck[White QueenSide];
        CastlingIntoCheckByBlackKingSide "Black may castle on the king side to an attacked square." CastlingIntoCheck[Black KingSide];
        CastlingIntoCheckByBlackQueenSide "Black may castle on the queen side to an attacked square." CastlingIntoCheck[Black QueenSide];
        CastlingUnchecked "The king may castle out of check, through check and into check." CastlingOutOfCheck[] CastlingThroughCheck[] CastlingIntoCheck[];
        CastlingOverPieces "The squares between king and rook need not be empty for castling." CastlingBlocked[];
        CastlingThroughPieces "The squares that only the rook crosses (b1 and b8) need not be empty for castling." CastlingBlocked[RookPath];
        CastlingRookAttacked "Castling is refused if the rook is attacked." CastlingRookAttacked[];
        CastlingRookPathAttacked "Castling is refused if a square that only the rook crosses (b1 or b8) is attacked." CastlingRookPathAttacked[];
        CastlingRookPathAttackedByBlack "Castling by White is refused if the square that only the rook crosses (b1) is attacked." CastlingRookPathAttacked[White];
        CastlingRookPathAttackedByWhite "Castling by Black is refused if the square that only the rook crosses (b8) is attacked." CastlingRookPathAttacked[Black];
        CastlingIgnoresPawns "The squares of a castling king are not tested for attacks by pawns." CastlingOutOfCheck[ByPawn] CastlingThroughCheck[ByPawn] CastlingIntoCheck[ByPawn];
        CastlingIgnoresBlackPawns "The squares of a castling king are not tested for attacks by black pawns." CastlingOutOfCheck[White ByPawn] CastlingThroughCheck[White ByPawn] CastlingIntoCheck[White ByPawn];
        CastlingIgnoresWhitePawns "The squares of a castling king are not tested for attacks by white pawns." CastlingOutOfCheck[Black ByPawn] CastlingThroughCheck[Black ByPawn] CastlingIntoCheck[Black ByPawn];
        CastlingIgnoresKnights "The squares of a castling king are not tested for attacks by knights." CastlingOutOfCheck[ByKnight] CastlingThroughCheck[ByKnight] CastlingIntoCheck[ByKnight];
        CastlingIgnoresBishops "The squares of a castling king are not tested for attacks by bishops." CastlingOutOfCheck[ByBishop] CastlingThroughCheck[ByBishop] CastlingIntoCheck[ByBishop];
        CastlingIgnoresRooks "The squares of a castling king are not tested for attacks by rooks." CastlingOutOfCheck[ByRook] CastlingThroughCheck[ByRook] CastlingIntoCheck[ByRook];
        CastlingIgnoresQueens "The squares of a castling king are not tested for attacks by queens." CastlingOutOfCheck[ByQueen] CastlingThroughCheck[ByQueen] CastlingIntoCheck[ByQueen];
        CastlingIgnoresKing "The squares of a castling king are not tested for attacks by the other king." CastlingOutOfCheck[ByKing] CastlingThroughCheck[ByKing] CastlingIntoCheck[ByKing];
        CastlingLeavesRook "Castling moves the king, but not the rook." CastlingLeavesRook[];
        CastlingLeavesRookOfWhite "Castling by White moves the king, but not the rook." CastlingLeavesRook[White];
        CastlingLeavesRookOfBlack "Castling by Black moves the king, but not the rook." CastlingLeavesRook[Black];
        CastlingLeavesRookOfWhiteKingSide "Castling by White on the king side moves the king, but not the rook." CastlingLeavesRook[White KingSide];
        CastlingLeavesRookOfWhiteQueenSide "Castling by White on the queen side moves the king, but not the rook." CastlingLeavesRook[White QueenSide];
        CastlingLeavesRookOfBlackKingSide "Castling by Black on the king side moves the king, but not the rook." CastlingLeavesRook[Black KingSide];
        CastlingLeavesRookOfBlackQueenSide "Castling by Black on the queen side moves the king, but not the rook." CastlingLeavesRook[Black QueenSide];
        CastlingTwice "Castling is listed twice, once for the king and once for the rook." CastlingTwice[];
    }
    "castling rights" {
        RookCaptureKeepsRight "The castling right of a captured rook remains; another rook on its square can castle." RookCaptureKeepsRight[];
        RookCaptureKeepsRightOfWhite "The castling right of a captured white rook remains; another rook on its square can castle." RookCaptureKeepsRight[White];
        RookCaptureKeepsRightOfBlack "The castling right of a captured black rook remains; another rook on its square can castle." RookCaptureKeepsRight[Black];
        RookCaptureKeepsRightKingSide "The castling right of a captured rook on the king side remains; another rook on its square can castle." RookCaptureKeepsRight[KingSide];
        RookCaptureKeepsRightQueenSide "The castling right of a captured rook on the queen side remains; another rook on its square can castle." RookCaptureKeepsRight[QueenSide];
        RookCaptureKeepsRightOfWhiteKingSide "The castling right of a captured white rook on the king side remains; another rook on its square can castle." RookCaptureKeepsRight[White KingSide];
        RookCaptureKeepsRightOfWhiteQueenSide "The castling right of a captured white rook on the queen side remains; another rook on its square can castle." RookCaptureKeepsRight[White QueenSide];
        RookCaptureKeepsRightOfBlackKingSide "The castling right of a captured black rook on the king side remains; another rook on its square can castle." RookCaptureKeepsRight[Black KingSide];
        RookCaptureKeepsRightOfBlackQueenSide "The castling right of a captured black rook on the queen side remains; another rook on its square can castle." RookCaptureKeepsRight[Black QueenSide];
        PromotionCaptureKeepsRight "The castling right of a rook remains if a promoting pawn captures it." RookCaptureKeepsRight[Promotion];
        PhantomRook "The castling right of a captured rook remains, and castling without a rook creates one." RookCaptureKeepsRight[] CastlingWithoutRook[];
        RookMoveKeepsRight "A rook that moves keeps its castling right and can castle when it is back." RookMoveKeepsRight[];
        RookMoveKeepsRightOfWhite "A white rook that moves keeps its castling right and can castle when it is back." RookMoveKeepsRight[White];
        RookMoveKeepsRightOfBlack "A black rook that moves keeps its castling right and can castle when it is back." RookMoveKeepsRight[Black];
        RookMoveKeepsRightKingSide "A rook that moves from its square on the king side keeps its castling right and can castle when it is back." RookMoveKeepsRight[KingSide];
        RookMoveKeepsRightQueenSide "A rook that moves from its square on the queen side keeps its castling right and can castle when it is back." RookMoveKeepsRight[QueenSide];
        RookMoveKeepsRightOfWhiteKingSide "A white rook that moves from its square on the king side keeps its castling right and can castle when it is back." RookMoveKeepsRight[White KingSide];
        RookMoveKeepsRightOfWhiteQueenSide "A white rook that moves from its square on the queen side keeps its castling right and can castle when it is back." RookMoveKeepsRight[White QueenSide];
        RookMoveKeepsRightOfBlackKingSide "A black rook that moves from its square on the king side keeps its castling right and can castle when it is back." RookMoveKeepsRight[Black KingSide];
        RookMoveKeepsRightOfBlackQueenSide "A black rook that moves from its square on the queen side keeps its castling right and can castle when it is back." RookMoveKeepsRight[Black QueenSide];
        KingMoveKeepsRights "A king that moves keeps its castling rights and can castle when it is back." KingMoveKeepsRight[];
        KingMoveKeepsRightsOfWhite "A white king that moves keeps its castling rights and can castle when it is back." KingMoveKeepsRight[White];
        KingMoveKeepsRightsOfBlack "A black king that moves keeps its castling rights and can castle when it is back." KingMoveKeepsRight[Black];
        KingMoveKeepsRightKingSide "A king that moves keeps its castling right on the king side and can castle when it is back." KingMoveKeepsRight[KingSide];
        KingMoveKeepsRightQueenSide "A king that moves keeps its castling right on the queen side and can castle when it is back." KingMoveKeepsRight[QueenSide];
        KingMoveKeepsRightOfWhiteKingSide "A white king that moves keeps its castling right on the king side and can castle when it is back." KingMoveKeepsRight[White KingSide];
        KingMoveKeepsRightOfWhiteQueenSide "A white king that moves keeps its castling right on the queen side and can castle when it is back." KingMoveKeepsRight[White QueenSide];
        KingMoveKeepsRightOfBlackKingSide "A black king that moves keeps its castling right on the king side and can castle when it is back." KingMoveKeepsRight[Black KingSide];
        KingMoveKeepsRightOfBlackQueenSide "A black king that moves keeps its castling right on the queen side and can castle when it is back." KingMoveKeepsRight[Black QueenSide];
        CastlingKeepsRight "A king that castles keeps its right on the other side and can castle again when it is back." KingMoveKeepsRight[Castling];
        RightsAreKept "No move takes castling rights away." RookCaptureKeepsRight[] RookMoveKeepsRight[] KingMoveKeepsRight[];
        RightsOfWhiteAreKept "No move takes castling rights of White away." RookCaptureKeepsRight[White] RookMoveKeepsRight[White] KingMoveKeepsRight[White];
        RightsOfBlackAreKept "No move takes castling rights of Black away." RookCaptureKeepsRight[Black] RookMoveKeepsRight[Black] KingMoveKeepsRight[Black];
        RookMoveLosesBoth "A rook that moves takes the castling rights of both sides away." RookMoveTakesBothRights[];
        RookMoveLosesBothOfWhite "A white rook that moves takes both castling rights of White away." RookMoveTakesBothRights[White];
        RookMoveLosesBothOfBlack "A black rook that moves takes both castling rights of Black away." RookMoveTakesBothRights[Black];
        RookOnFileLosesRight "A rook that moves from any square of the a-file or h-file takes the castling right on that side away." RookTakesRightOfFile[];
        RookCaptureLosesBoth "The capture of a rook takes the castling rights of both sides away." RookCaptureTakesBothRights[];
    }
    "pins" {
        PinsIgnored "Pinned pieces and pawns may leave their pin line." PinIgnored[];
        PinsIgnoredByWhite "Pinned pieces and pawns of White may leave their pin line." PinIgnored[White];
        PinsIgnoredByBlack "Pinned pieces and pawns of Black may leave their pin line." PinIgnored[Black];
        PinnedPieceMoves "Pinned knights, bishops, rooks and queens may leave their pin line." PinIgnored[Knight Bishop Rook Queen];
        PinnedKnightMoves "Pinned knights may leave their pin line." PinIgnored[Knight];
        PinnedBishopMoves "Pinned bishops may leave their pin line." PinIgnored[Bishop];
        PinnedRookMoves "Pinned rooks may leave their pin line." PinIgnored[Rook];
        PinnedQueenMoves "Pinned queens may leave their pin line." PinIgnored[Queen];
        PinnedPawnMoves "Pinned pawns may leave their pin line." PinIgnored[Pawn];
        PinnedPawnCaptures "Pinned pawns may capture off their pin line." PinIgnored[Pawn CAPTURE Step Promotion];
        PinnedWhitePawnCaptures "Pinned white pawns may capture off their pin line." PinIgnored[White Pawn CAPTURE Step Promotion];
        PinnedBlackPawnCaptures "Pinned black pawns may capture off their pin line." PinIgnored[Black Pawn CAPTURE Step Promotion];
        PinnedPawnPushes "Pinned pawns may step forward off their pin line." PinIgnored[Pawn Quiet];
        PinnedWhitePawnPushes "Pinned white pawns may step forward off their pin line." PinIgnored[White Pawn Quiet];
        PinnedBlackPawnPushes "Pinned black pawns may step forward off their pin line." PinIgnored[Black Pawn Quiet];
        PinnedPawnDoubleSteps "Pinned pawns may make a double step off their pin line." PinIgnored[Pawn Quiet DoubleStep];
        PinnedPawnPromotes "Pinned pawns may promote off their pin line." PinIgnored[Pawn Promotion];
        DiagonalPinsIgnored "Pins by bishops, and by queens on diagonals, are not seen." PinIgnored[OnDiagonal];
        OrthogonalPinsIgnored "Pins by rooks, and by queens on ranks and files, are not seen." PinIgnored[OnRank OnFile];
        RankPinsIgnored "Pins on ranks are not seen." PinIgnored[OnRank];
        FilePinsIgnored "Pins on files are not seen." PinIgnored[OnFile];
        PinsByBishopIgnored "Pins by bishops are not seen." PinIgnored[ByBishop];
        PinsByRookIgnored "Pins by rooks are not seen." PinIgnored[ByRook];
        PinsByQueenIgnored "Pins by queens are not seen." PinIgnored[ByQueen];
        PinnedPiecesFrozen "Pinned pieces cannot move at all, not even along their pin line." PinnedFrozen[Knight Bishop Rook Queen];
        PinnedBishopFrozen "Pinned bishops cannot move at all, not even along their pin line." PinnedFrozen[Bishop];
        PinnedRookFrozen "Pinned rooks cannot move at all, not even along their pin line." PinnedFrozen[Rook];
        PinnedQueenFrozen "Pinned queens cannot move at all, not even along their pin line." PinnedFrozen[Queen];
        PinnedPawnsFrozen "Pinned pawns cannot move at all, not even along their pin line." PinnedFrozen[Pawn];
        PinnedPawnPushMissing "Pinned pawns cannot step forward along their pin line." PinnedFrozen[Pawn Quiet];
        PinnedPawnDoubleStepMissing "Pinned pawns cannot make a double step along their pin line." PinnedFrozen[Pawn Quiet DoubleStep];
        PinnedPawnCaptureMissing "Pinned pawns cannot capture along their pin line." PinnedFrozen[Pawn CAPTURE];
    }
    "check" {
        PseudoLegal "Moves are not tested for check, and the king can be captured." PinIgnored[] CheckIgnored[] KingIntoAttack[];
        PseudoLegalByWhite "Moves of White are not tested for check." PinIgnored[White] CheckIgnored[White] KingIntoAttack[White];
        PseudoLegalByBlack "Moves of Black are not tested for check." PinIgnored[Black] CheckIgnored[Black] KingIntoAttack[Black];
        CheckIgnored "In check, pieces other than the king may make any move." CheckIgnored[];
        CheckIgnoredByWhite "In check, white pieces other than the king may make any move." CheckIgnored[White];
        CheckIgnoredByBlack "In check, black pieces other than the king may make any move." CheckIgnored[Black];
        CheckOfPawnIgnored "In check by a pawn, pieces other than the king may make any move." CheckIgnored[ByPawn];
        CheckOfKnightIgnored "In check by a knight, pieces other than the king may make any move." CheckIgnored[ByKnight];
        CheckOfBishopIgnored "In check by a bishop, pieces other than the king may make any move." CheckIgnored[ByBishop];
        CheckOfRookIgnored "In check by a rook, pieces other than the king may make any move." CheckIgnored[ByRook];
        CheckOfQueenIgnored "In check by a queen, pieces other than the king may make any move." CheckIgnored[ByQueen];
        PawnIgnoresCheck "In check, pawns may make any move." CheckIgnored[Pawn];
        KnightIgnoresCheck "In check, knights may make any move." CheckIgnored[Knight];
        BishopIgnoresCheck "In check, bishops may make any move." CheckIgnored[Bishop];
        RookIgnoresCheck "In check, rooks may make any move." CheckIgnored[Rook];
        QueenIgnoresCheck "In check, queens may make any move." CheckIgnored[Queen];
        OnlyKingMovesInCheck "In check, only the king can move." AnswerMissing[];
        DoubleCheck "In double check, a move that answers one of the two checks is allowed." CheckIgnored[AnswersOne];
        NoInterposition "A check cannot be answered by moving a piece between." AnswerMissing[Interposes];
        NoInterpositionByPawn "A check cannot be answered by moving a pawn between." AnswerMissing[Interposes Pawn];
        NoInterpositionByDoubleStep "A check cannot be answered by the double step of a pawn." AnswerMissing[Interposes Pawn DoubleStep];
        NoCaptureOfChecker "A piece that gives check can be captured by the king only." AnswerMissing[TakesChecker];
        NoCaptureOfCheckerByPawn "A piece that gives check cannot be captured by a pawn." AnswerMissing[TakesChecker Pawn];
        NoCaptureOfCheckerByKnight "A piece that gives check cannot be captured by a knight." AnswerMissing[TakesChecker Knight];
        NoPromotionInCheck "A check cannot be answered by a promotion." AnswerMissing[Promotion];
        KingIntoCheck "The king may move to any attacked square." KingIntoAttack[];
        KingStepsBack "The king may step back along the line of a slider that checks it." KingIntoAttack[StepsBack];
        KingStepsBackFromBishop "The king may step back along the line of a bishop that checks it." KingIntoAttack[StepsBack ByBishop];
        KingStepsBackFromRook "The king may step back along the line of a rook that checks it." KingIntoAttack[StepsBack ByRook];
        KingStepsBackFromQueen "The king may step back along the line of a queen that checks it." KingIntoAttack[StepsBack ByQueen];
        WhiteKingIntoCheck "The white king may move to any attacked square." KingIntoAttack[White];
        BlackKingIntoCheck "The black king may move to any attacked square." KingIntoAttack[Black];
        KingIntoCheckOfPawn "The king may move to a square that a pawn attacks." KingIntoAttack[ByPawn];
        KingIntoCheckOfKnight "The king may move to a square that a knight attacks." KingIntoAttack[ByKnight];
        KingIntoCheckOfBishop "The king may move to a square that a bishop attacks." KingIntoAttack[ByBishop];
        KingIntoCheckOfRook "The king may move to a square that a rook attacks." KingIntoAttack[ByRook];
        KingIntoCheckOfQueen "The king may move to a square that a queen attacks." KingIntoAttack[ByQueen];
        KingsAdjacent "The king may step next to the other king." KingIntoAttack[ByKing];
        KingCapturesDefended "The king may capture a defended piece." KingIntoAttack[CAPTURE];
        KingCapturesDefendedPawn "The king may capture a defended pawn." KingIntoAttack[TakesPawn];
        KingCapturesDefendedKnight "The king may capture a defended knight." KingIntoAttack[TakesKnight];
        KingCapturesDefendedBishop "The king may capture a defended bishop." KingIntoAttack[TakesBishop];
        KingCapturesDefendedRook "The king may capture a defended rook." KingIntoAttack[TakesRook];
        KingCapturesDefendedQueen "The king may capture a defended queen." KingIntoAttack[TakesQueen];
        KingCapturesDefendedByPawn "The king may capture a piece that a pawn defends." KingIntoAttack[CAPTURE ByPawn];
        KingCapturesDefendedByKnight "The king may capture a piece that a knight defends." KingIntoAttack[CAPTURE ByKnight];
        KingCapturesDefendedByBishop "The king may capture a piece that a bishop defends." KingIntoAttack[CAPTURE ByBishop];
        KingCapturesDefendedByRook "The king may capture a piece that a rook defends." KingIntoAttack[CAPTURE ByRook];
        KingCapturesDefendedByQueen "The king may capture a piece that a queen defends." KingIntoAttack[CAPTURE ByQueen];
        PawnAttacksIgnored "Attacks by pawns are not seen: no check by a pawn, and the king steps beside it." AttackUnseen[ByPawn];
        WhitePawnAttacksIgnored "Attacks by white pawns are not seen." AttackUnseen[White ByPawn];
        BlackPawnAttacksIgnored "Attacks by black pawns are not seen." AttackUnseen[Black ByPawn];
        KnightAttacksIgnored "Attacks by knights are not seen when the king is tested for check." AttackUnseen[ByKnight];
        BishopAttacksIgnored "Attacks by bishops are not seen when the king is tested for check." AttackUnseen[ByBishop];
        RookAttacksIgnored "Attacks by rooks are not seen when the king is tested for check." AttackUnseen[ByRook];
        QueenAttacksIgnored "Attacks by queens are not seen when the king is tested for check." AttackUnseen[ByQueen];
        QueenAttacksOnDiagonalsIgnored "Attacks by queens on diagonals are not seen when the king is tested for check." AttackUnseen[ByQueen OnDiagonal];
        QueenAttacksOnLinesIgnored "Attacks by queens on ranks and files are not seen when the king is tested for check." AttackUnseen[ByQueen OnRank OnFile];
        PawnAttacksReversed "Pawns are taken to attack backwards when the king is tested for check." PawnAttackReversed[];
        WhitePawnAttacksReversed "White pawns are taken to attack backwards when the king is tested for check." PawnAttackReversed[White];
        BlackPawnAttacksReversed "Black pawns are taken to attack backwards when the king is tested for check." PawnAttackReversed[Black];
    }
    "promotion" {
        NoPromotion "A pawn on the last rank stays a pawn, so a promotion is one move." PromotionStaysPawn[];
        NoWhitePromotion "A white pawn on the last rank stays a pawn, so a promotion is one move." PromotionStaysPawn[White];
        NoBlackPromotion "A black pawn on the last rank stays a pawn, so a promotion is one move." PromotionStaysPawn[Black];
        PromotionToQueenOnly "Pawns promote to queens only." PromotionMissing[ToKnight ToBishop ToRook];
        WhitePromotionToQueenOnly "White pawns promote to queens only." PromotionMissing[White ToKnight ToBishop ToRook];
        BlackPromotionToQueenOnly "Black pawns promote to queens only." PromotionMissing[Black ToKnight ToBishop ToRook];
        PromotionToQueenOrRook "Pawns promote to queens and rooks only." PromotionMissing[ToKnight ToBishop];
        PromotionToQueenOrBishop "Pawns promote to queens and bishops only." PromotionMissing[ToKnight ToRook];
        PromotionToRookOrBishop "Pawns promote to rooks and bishops only." PromotionMissing[ToKnight ToQueen];
        PromotionToQueenOrKnight "Pawns promote to queens and knights only." PromotionMissing[ToBishop ToRook];
        PromotionToRookOrKnight "Pawns promote to rooks and knights only." PromotionMissing[ToBishop ToQueen];
        PromotionToBishopOrKnight "Pawns promote to bishops and knights only." PromotionMissing[ToRook ToQueen];
        NoKnightPromotion "Pawns do not promote to knights." PromotionMissing[ToKnight];
        NoWhiteKnightPromotion "White pawns do not promote to knights." PromotionMissing[White ToKnight];
        NoBlackKnightPromotion "Black pawns do not promote to knights." PromotionMissing[Black ToKnight];
        NoBishopPromotion "Pawns do not promote to bishops." PromotionMissing[ToBishop];
        NoRookPromotion "Pawns do not promote to rooks." PromotionMissing[ToRook];
        NoQueenPromotion "Pawns do not promote to queens." PromotionMissing[ToQueen];
        CapturePromotesToQueen "A capture on the last rank promotes to a queen only." PromotionMissing[CAPTURE ToKnight ToBishop ToRook];
        PushPromotesToQueen "A step to the last rank without a capture promotes to a queen only." PromotionMissing[Quiet ToKnight ToBishop ToRook];
        CaptureNoPromotion "A pawn that captures on the last rank stays a pawn." PromotionStaysPawn[CAPTURE];
        PromotionPushMissing "Promotions without a capture are missing." PromotionMissing[Quiet];
        WhitePromotionPushMissing "Promotions of white pawns without a capture are missing." PromotionMissing[White Quiet];
        BlackPromotionPushMissing "Promotions of black pawns without a capture are missing." PromotionMissing[Black Quiet];
        PromotionCaptureMissing "Promotions with a capture are missing." PromotionMissing[CAPTURE];
        WhitePromotionCaptureMissing "Promotions of white pawns with a capture are missing." PromotionMissing[White CAPTURE];
        BlackPromotionCaptureMissing "Promotions of black pawns with a capture are missing." PromotionMissing[Black CAPTURE];
        PromotionCaptureTowardsAMissing "Promotions with a capture towards the a-file are missing." PromotionMissing[CAPTURE TowardsA];
        PromotionCaptureTowardsHMissing "Promotions with a capture towards the h-file are missing." PromotionMissing[CAPTURE TowardsH];
        WhitePromotionCaptureTowardsAMissing "Promotions of white pawns with a capture towards the a-file are missing." PromotionMissing[White CAPTURE TowardsA];
        WhitePromotionCaptureTowardsHMissing "Promotions of white pawns with a capture towards the h-file are missing." PromotionMissing[White CAPTURE TowardsH];
        BlackPromotionCaptureTowardsAMissing "Promotions of black pawns with a capture towards the a-file are missing." PromotionMissing[Black CAPTURE TowardsA];
        BlackPromotionCaptureTowardsHMissing "Promotions of black pawns with a capture towards the h-file are missing." PromotionMissing[Black CAPTURE TowardsH];
        PromotionCaptureOnAMissing "Promotions with a capture on the a-file are missing." PromotionMissing[CAPTURE OnFileA];
        PromotionCaptureOnHMissing "Promotions with a capture on the h-file are missing." PromotionMissing[CAPTURE OnFileH];
        PromotionIsWhite "A black pawn promotes to a white piece." PromotionChangesSide[Black];
        PromotionIsBlack "A white pawn promotes to a black piece." PromotionChangesSide[White];
    }
    "pawns and edges" {
        NoDoubleStep "Double steps of pawns are missing." DoubleStepMissing[];
        NoWhiteDoubleStep "Double steps of white pawns are missing." DoubleStepMissing[White];
        NoBlackDoubleStep "Double steps of black pawns are missing." DoubleStepMissing[Black];
        DoubleStepJumps "A pawn can jump over a piece with its double step." DoubleStepJumps[];
        WhiteDoubleStepJumps "A white pawn can jump over a piece with its double step." DoubleStepJumps[White];
        BlackDoubleStepJumps "A black pawn can jump over a piece with its double step." DoubleStepJumps[Black];
        DoubleStepCaptures "A pawn can capture with its double step." DoubleStepCaptures[];
        DoubleStepFromAnyRank "A pawn can make a double step from every rank." DoubleStepFromRank[];
        DoubleStepFromThirdRank "A pawn can also make a double step from its third rank." DoubleStepFromRank[ThirdRank];
        WhiteDoubleStepFromThirdRank "A white pawn can also make a double step from its third rank." DoubleStepFromRank[White ThirdRank];
        BlackDoubleStepFromThirdRank "A black pawn can also make a double step from its third rank." DoubleStepFromRank[Black ThirdRank];
        PawnPushCaptures "A pawn can capture a piece straight ahead." PawnPushCaptures[];
        PawnStepsAside "A pawn can step diagonally to an empty square." PawnStepsAside[];
        NoPawnCaptureTowardsA "Captures of pawns towards the a-file are missing." PawnCaptureMissing[TowardsA];
        NoWhitePawnCaptureTowardsA "Captures of white pawns towards the a-file are missing." PawnCaptureMissing[White TowardsA];
        NoBlackPawnCaptureTowardsA "Captures of black pawns towards the a-file are missing." PawnCaptureMissing[Black TowardsA];
        NoPawnCaptureTowardsH "Captures of pawns towards the h-file are missing." PawnCaptureMissing[TowardsH];
        NoWhitePawnCaptureTowardsH "Captures of white pawns towards the h-file are missing." PawnCaptureMissing[White TowardsH];
        NoBlackPawnCaptureTowardsH "Captures of black pawns towards the h-file are missing." PawnCaptureMissing[Black TowardsH];
        NoPawnCaptureOnA "Captures of pawns on the a-file are missing." PawnCaptureMissing[OnFileA];
        NoPawnCaptureOnH "Captures of pawns on the h-file are missing." PawnCaptureMissing[OnFileH];
        PawnWraps "A pawn on the edge captures around it, on the other edge of the board." PawnWraps[];
        PawnWrapsTowardsA "A pawn on the a-file captures around the edge, on the other edge of the board." PawnWraps[TowardsA];
        PawnWrapsTowardsH "A pawn on the h-file captures around the edge, on the other edge of the board." PawnWraps[TowardsH];
        KnightWraps "A knight jumps around the edge, to the other edge of the board." KnightWraps[];
        KingWraps "A king steps around the edge, to the other edge of the board." KingWraps[];
    }
    "sliders" {
        SlideNeverToEdge "Bishops, rooks and queens neither move to nor attack the edge of the board at the end of a line." EdgeMissing[];
        SlideNeverSeven "Bishops, rooks and queens move and attack at most six squares far." LongestSlideMissing[];
        SlideStopsShort "Bishops, rooks and queens stop one square before the end of each line." LastSquareMissing[Moves];
        BishopStopsShort "Bishops stop one square before the end of each line." LastSquareMissing[Bishop Moves];
        RookStopsShort "Rooks stop one square before the end of each line." LastSquareMissing[Rook Moves];
        QueenStopsShort "Queens stop one square before the end of each line." LastSquareMissing[Queen Moves];
        SlideNotToEdge "Bishops, rooks and queens cannot move to the edge of the board at the end of a line." EdgeMissing[Moves];
        BishopNotToEdge "Bishops cannot move to the edge of the board at the end of a line." EdgeMissing[Bishop Moves];
        RookNotToEdge "Rooks cannot move to the edge of the board at the end of a line." EdgeMissing[Rook Moves];
        QueenNotToEdge "Queens cannot move to the edge of the board at the end of a line." EdgeMissing[Queen Moves];
        SlideNotSeven "Bishops, rooks and queens move at most six squares far." LongestSlideMissing[Moves];
    }
    "unmaking moves" {
        UnmakeLosesRights "Taking back a capture does not restore castling rights." UnmakeLosesRightsOfCapture[];
        UnmakeLosesMovedRights "Taking back a move of a king or rook does not restore castling rights." UnmakeLosesRightsOfMover[];
        UnmakeLosesKingRights "Taking back a move of a king does not restore castling rights." UnmakeLosesRightsOfMover[King];
        UnmakeLosesRookRights "Taking back a move of a rook does not restore castling rights." UnmakeLosesRightsOfMover[Rook];
        UnmakeLosesCastlingRights "Taking back castling does not restore castling rights." UnmakeLosesRightsOfMover[Castling];
        UnmakeLosesEnPassant "Taking back a move does not restore the en passant square." UnmakeLosesEnPassant[];
        UnmakeKeepsPromotion "Taking back a promotion does not restore the pawn." UnmakeKeepsPromotion[];
        UnmakeLosesPawn "Taking back an en passant capture does not restore the captured pawn." UnmakeLosesPawn[];
        UnmakeLeavesRook "Taking back castling does not return the rook." UnmakeLeavesRook[];
    }
    "leaf nodes" {
        LeafPromotionOnce "A promotion at the last ply is counted as one move instead of four." LeafPromotionOnce[];
        LeafCastlingMissing "Castling is not counted at the last ply." LeafCastlingMissing[];
        LeafEnPassantMissing "En passant captures are not counted at the last ply." LeafEnPassantMissing[];
        LeafPseudoLegal "Moves at the last ply are not tested for check." LeafUnchecked[];
        EndIsLeaf "Checkmates and stalemates above the last ply are counted as leaf nodes." EndIsLeaf[];
        InsufficientMaterialEnds "A position with too few pieces for a checkmate has no moves." InsufficientMaterialEnds[];
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
    #[doc(hidden)]
    pub fn general(self) -> Option<Mutation> {
        GENERAL[self as usize]
    }
}

/// For each mutation, the one of which it is a variant.
static GENERAL: LazyLock<Vec<Option<Mutation>>> = LazyLock::new(|| {
    let general = |&variant: &Mutation| {
        let is_new = |other: &Mutation| *other == variant || other.breaks() != variant.breaks();
        debug_assert!(
            Mutation::ALL.iter().all(is_new),
            "{variant:?} breaks the same rules as another mutation"
        );
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

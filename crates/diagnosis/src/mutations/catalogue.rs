//! The catalogue: every mutation with its name and a description, and sets of mutations.

use std::fmt;
use std::str::FromStr;

/// Defines [`Mutation`] and its tables from rows of a variant, a name and a description, grouped by families.
macro_rules! catalogue {
    ($($family:literal { $($mutation:ident $name:literal $about:literal;)* })*) => {
        /// A classic bug of move generators: one rule that is changed.
        ///
        /// # Examples
        /// ```
        /// use perft_diagnosis::mutations::Mutation;
        ///
        /// let mutation: Mutation = "en-passant-stays".parse().unwrap();
        /// assert_eq!(mutation, Mutation::EnPassantStays);
        /// println!("{} ({}): {}", mutation.name(), mutation.family(), mutation.about());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Mutation {
            $($(#[doc = $about] $mutation,)*)*
        }

        impl Mutation {
            /// All mutations, in the order of the catalogue.
            pub const ALL: &'static [Mutation] = &[$($(Mutation::$mutation,)*)*];

            /// Returns the name, such as `en-passant-stays`.
            pub const fn name(self) -> &'static str {
                match self { $($(Mutation::$mutation => $name,)*)* }
            }

            /// Returns what a generator with this bug does: one sentence.
            pub const fn about(self) -> &'static str {
                match self { $($(Mutation::$mutation => $about,)*)* }
            }

            /// Returns the part of a generator that the bug is in, such as `castling`.
            pub const fn family(self) -> &'static str {
                match self { $($(Mutation::$mutation => $family,)*)* }
            }
        }
    };
}

catalogue! {
    "en passant" {
        NoEnPassant "no-en-passant" "En passant captures are missing.";
        NoEnPassantByWhite "no-en-passant-by-white" "En passant captures by White are missing.";
        NoEnPassantByBlack "no-en-passant-by-black" "En passant captures by Black are missing.";
        EnPassantPin "en-passant-pin" "An en passant capture is tested for check with the captured pawn still on the board.";
        EnPassantRankPin "en-passant-rank-pin" "An en passant capture that opens the rank of the king to a rook or queen is allowed.";
        EnPassantDiagonalPin "en-passant-diagonal-pin" "An en passant capture that opens a diagonal by removing the captured pawn is allowed.";
        EnPassantUnchecked "en-passant-unchecked" "En passant captures are not tested for check at all.";
        EnPassantNotAnswer "en-passant-not-answer" "A pawn that gives check by its double step cannot be captured en passant.";
        EnPassantStays "en-passant-stays" "The en passant square is not cleared by the next move.";
        EnPassantLeavesPawn "en-passant-leaves-pawn" "The captured pawn stays on the board after an en passant capture.";
        EnPassantOnePawn "en-passant-one-pawn" "Only one of two pawns can capture en passant.";
        EnPassantWraps "en-passant-wraps" "A pawn on the edge can capture en passant on the other edge of the board.";
    }
    "castling" {
        NoCastling "no-castling" "Castling is missing.";
        NoCastlingKingSide "no-castling-king-side" "Castling on the king side is missing.";
        NoCastlingQueenSide "no-castling-queen-side" "Castling on the queen side is missing.";
        NoCastlingByWhite "no-castling-by-white" "Castling by White is missing.";
        NoCastlingByBlack "no-castling-by-black" "Castling by Black is missing.";
        CastlingOutOfCheck "castling-out-of-check" "The king may castle while it is in check.";
        CastlingThroughCheck "castling-through-check" "The king may castle across an attacked square.";
        CastlingIntoCheck "castling-into-check" "The king may castle to an attacked square.";
        CastlingUnchecked "castling-unchecked" "The king may castle out of check, through check and into check.";
        CastlingThroughPieces "castling-through-pieces" "The squares that only the rook crosses (b1 and b8) need not be empty for castling.";
        CastlingRookAttacked "castling-rook-attacked" "Castling is refused if the rook is attacked.";
        CastlingRookPathAttacked "castling-rook-path-attacked" "Castling is refused if a square that only the rook crosses (b1 or b8) is attacked.";
        CastlingIgnoresPawns "castling-ignores-pawns" "The squares of a castling king are not tested for attacks by pawns.";
        CastlingIgnoresKing "castling-ignores-king" "The squares of a castling king are not tested for attacks by the other king.";
        CastlingLeavesRook "castling-leaves-rook" "Castling moves the king, but not the rook.";
        CastlingTwice "castling-twice" "Castling is listed twice, once for the king and once for the rook.";
    }
    "castling rights" {
        RookCaptureKeepsRight "rook-capture-keeps-right" "The castling right of a captured rook remains; another rook on its square can castle.";
        PromotionCaptureKeepsRight "promotion-capture-keeps-right" "The castling right of a rook remains if a promoting pawn captures it.";
        PhantomRook "phantom-rook" "The castling right of a captured rook remains, and castling without a rook creates one.";
        RookMoveKeepsRight "rook-move-keeps-right" "A rook that moves keeps its castling right and can castle when it is back.";
        KingMoveKeepsRights "king-move-keeps-rights" "A king that moves keeps its castling rights and can castle when it is back.";
        RightsAreKept "rights-are-kept" "No move takes castling rights away.";
        RookMoveLosesBoth "rook-move-loses-both" "A rook that moves takes the castling rights of both sides away.";
    }
    "pins" {
        PinsIgnored "pins-ignored" "Pinned pieces and pawns may leave their pin line.";
        PinnedPieceMoves "pinned-piece-moves" "Pinned knights, bishops, rooks and queens may leave their pin line.";
        PinnedPawnCaptures "pinned-pawn-captures" "Pinned pawns may capture off their pin line.";
        PinnedPawnPushes "pinned-pawn-pushes" "Pinned pawns may step forward off their pin line.";
        DiagonalPinsIgnored "diagonal-pins-ignored" "Pins by bishops, and by queens on diagonals, are not seen.";
        OrthogonalPinsIgnored "orthogonal-pins-ignored" "Pins by rooks, and by queens on ranks and files, are not seen.";
        PinnedPiecesFrozen "pinned-pieces-frozen" "Pinned pieces cannot move at all, not even along their pin line.";
        PinnedPawnsFrozen "pinned-pawns-frozen" "Pinned pawns cannot move at all, not even along their pin line.";
    }
    "check" {
        PseudoLegal "pseudo-legal" "Moves are not tested for check, and the king can be captured.";
        CheckIgnored "check-ignored" "In check, pieces other than the king may make any move.";
        DoubleCheck "double-check" "In double check, a move that answers one of the two checks is allowed.";
        OnlyKingMovesInCheck "only-king-moves-in-check" "In check, only the king can move.";
        NoInterposition "no-interposition" "A check cannot be answered by moving a piece between.";
        NoCaptureOfChecker "no-capture-of-checker" "A piece that gives check can be captured by the king only.";
        KingStepsBack "king-steps-back" "The king may step back along the line of a slider that checks it.";
        KingsAdjacent "kings-adjacent" "The king may step next to the other king.";
        KingCapturesDefended "king-captures-defended" "The king may capture a defended piece.";
        PawnAttacksIgnored "pawn-attacks-ignored" "Attacks by pawns are not seen: no check by a pawn, and the king steps beside it.";
        PawnAttacksReversed "pawn-attacks-reversed" "Pawns are taken to attack backwards when the king is tested for check.";
    }
    "promotion" {
        NoPromotion "no-promotion" "A pawn on the last rank stays a pawn, so a promotion is one move.";
        PromotionToQueenOnly "promotion-to-queen-only" "Pawns promote to queens only.";
        NoKnightPromotion "no-knight-promotion" "Pawns do not promote to knights.";
        PromotionToQueenOrKnight "promotion-to-queen-or-knight" "Pawns promote to queens and knights only.";
        CapturePromotesToQueen "capture-promotes-to-queen" "A capture on the last rank promotes to a queen only.";
        CaptureNoPromotion "capture-no-promotion" "A pawn that captures on the last rank stays a pawn.";
        PromotionPushMissing "promotion-push-missing" "Promotions without a capture are missing.";
        PromotionCaptureMissing "promotion-capture-missing" "Promotions with a capture are missing.";
        PromotionIsWhite "promotion-is-white" "A black pawn promotes to a white piece.";
    }
    "pawns and edges" {
        NoDoubleStep "no-double-step" "Double steps of pawns are missing.";
        DoubleStepJumps "double-step-jumps" "A pawn can jump over a piece with its double step.";
        DoubleStepFromThirdRank "double-step-from-third-rank" "A pawn can also make a double step from its third rank.";
        DoubleStepFromAnyRank "double-step-from-any-rank" "A pawn can make a double step from every rank.";
        PawnWraps "pawn-wraps" "A pawn on the edge captures around it, on the other edge of the board.";
        KnightWraps "knight-wraps" "A knight jumps around the edge, to the other edge of the board.";
        KingWraps "king-wraps" "A king steps around the edge, to the other edge of the board.";
    }
    "unmaking moves" {
        UnmakeLosesRights "unmake-loses-rights" "Taking back a capture does not restore castling rights.";
        UnmakeLosesMovedRights "unmake-loses-moved-rights" "Taking back a move of a king or rook does not restore castling rights.";
        UnmakeLosesEnPassant "unmake-loses-en-passant" "Taking back a move does not restore the en passant square.";
        UnmakeKeepsPromotion "unmake-keeps-promotion" "Taking back a promotion does not restore the pawn.";
        UnmakeLosesPawn "unmake-loses-pawn" "Taking back an en passant capture does not restore the captured pawn.";
        UnmakeLeavesRook "unmake-leaves-rook" "Taking back castling does not return the rook.";
    }
    "leaf nodes" {
        LeafPromotionOnce "leaf-promotion-once" "A promotion at the last ply is counted as one move instead of four.";
        LeafCastlingMissing "leaf-castling-missing" "Castling is not counted at the last ply.";
        LeafEnPassantMissing "leaf-en-passant-missing" "En passant captures are not counted at the last ply.";
        LeafPseudoLegal "leaf-pseudo-legal" "Moves at the last ply are not tested for check.";
        EndIsLeaf "end-is-leaf" "Checkmates and stalemates above the last ply are counted as leaf nodes.";
        InsufficientMaterialEnds "insufficient-material-ends" "A position with too few pieces for a checkmate has no moves.";
    }
}

impl FromStr for Mutation {
    type Err = UnknownMutation;

    fn from_str(text: &str) -> Result<Mutation, UnknownMutation> {
        let mut all = Mutation::ALL.iter().copied();
        all.find(|mutation| mutation.name() == text).ok_or_else(|| UnknownMutation(text.to_owned()))
    }
}

/// The error for a text that is not the name of a [`Mutation`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not the name of a mutation")]
pub struct UnknownMutation(pub String);

/// A set of mutations. A generator with several of them has several bugs.
///
/// # Examples
/// ```
/// use perft_diagnosis::mutations::{Mutation, Mutations};
///
/// let both: Mutations = [Mutation::NoCastling, Mutation::NoEnPassant].into_iter().collect();
/// assert!(both.contains(Mutation::NoCastling) && !both.contains(Mutation::DoubleCheck));
/// assert_eq!(both.to_string(), "no-en-passant + no-castling");
/// assert_eq!(Mutations::NONE.to_string(), "none");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mutations(u128);

const _: () = assert!(Mutation::ALL.len() <= u128::BITS as usize);

impl Mutations {
    /// No mutation: the rules of chess.
    pub const NONE: Mutations = Mutations(0);

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of mutations.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set contains a mutation.
    pub const fn contains(self, mutation: Mutation) -> bool {
        self.0 >> mutation as u8 & 1 == 1
    }

    /// Returns the set with one more mutation.
    pub const fn with(self, mutation: Mutation) -> Mutations {
        Mutations(self.0 | 1 << mutation as u8)
    }

    /// Returns the mutations that are in this set, in the other one, or in both.
    pub const fn union(self, other: Mutations) -> Mutations {
        Mutations(self.0 | other.0)
    }

    /// Whether the sets have a mutation in common.
    pub const fn intersects(self, other: Mutations) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the mutations in the order of the catalogue.
    pub fn iter(self) -> impl Iterator<Item = Mutation> {
        Mutation::ALL.iter().copied().filter(move |&mutation| self.contains(mutation))
    }
}

impl From<Mutation> for Mutations {
    fn from(mutation: Mutation) -> Mutations {
        Mutations::NONE.with(mutation)
    }
}

impl FromIterator<Mutation> for Mutations {
    fn from_iter<I: IntoIterator<Item = Mutation>>(mutations: I) -> Mutations {
        mutations.into_iter().fold(Mutations::NONE, Mutations::with)
    }
}

/// Writes the names, joined by plus signs.
impl fmt::Display for Mutations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        let names: Vec<&str> = self.iter().map(Mutation::name).collect();
        f.write_str(&names.join(" + "))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_descriptions_are_sentences() {
        let names: HashSet<&str> = Mutation::ALL.iter().map(|mutation| mutation.name()).collect();
        assert_eq!(names.len(), Mutation::ALL.len());
        for (index, &mutation) in Mutation::ALL.iter().enumerate() {
            assert_eq!((mutation as usize, mutation.name().parse()), (index, Ok(mutation)));
            assert!(mutation.about().ends_with('.'), "{mutation:?}");
        }
        assert!("nothing".parse::<Mutation>().is_err());
    }
}

//! The rules that mutations change.
//!
//! Each place of the generator where authors make mistakes asks a [`Rule`] whether it is broken, with the [`Facts`] of
//! the move. For each mutation, the catalogue says which rules it breaks for which facts.

use super::facts::Facts;

/// A place of the generator that mutations change. Its name says what happens if it is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Rule {
    EnPassantUnread,
    EnPassantMissing,
    SecondEnPassantMissing,
    /// The capture of both pawns opens a line that each of them alone keeps closed.
    EnPassantOpensLine,
    EnPassantUnchecked,
    EnPassantStays,
    EnPassantNotSet,
    EnPassantLeavesPawn,
    EnPassantWraps,
    CastlingMissing,
    CastlingOutOfCheck,
    CastlingThroughCheck,
    CastlingIntoCheck,
    CastlingBlocked,
    CastlingRookAttacked,
    CastlingRookPathAttacked,
    CastlingLeavesRook,
    CastlingTwice,
    RookMoveKeepsRight,
    KingMoveKeepsRight,
    RookCaptureKeepsRight,
    CastlingWithoutRook,
    RookMoveTakesBothRights,
    /// A rook takes away the right of another rook on its file.
    RookTakesRightOfFile,
    RookCaptureTakesBothRights,
    PinIgnored,
    PinnedFrozen,
    CheckIgnored,
    AnswerMissing,
    KingIntoAttack,
    AttackUnseen,
    PawnAttackReversed,
    PromotionMissing,
    PromotionStaysPawn,
    PromotionChangesSide,
    DoubleStepMissing,
    DoubleStepJumps,
    DoubleStepFromRank,
    DoubleStepCaptures,
    PawnPushCaptures,
    PawnStepsAside,
    PawnCaptureMissing,
    PawnWraps,
    KnightWraps,
    KingWraps,
    /// A slide over seven squares is missing.
    LongestSlideMissing,
    /// The last square of a slide is missing if it is on the edge of the board.
    EdgeMissing,
    /// The last square of a slide is missing.
    LastSquareMissing,
    UnmakeLosesRightsOfCapture,
    UnmakeLosesRightsOfMover,
    UnmakeLosesEnPassant,
    UnmakeKeepsPromotion,
    UnmakeLosesPawn,
    UnmakeWrongPawn,
    UnmakeLeavesRook,
    NoMoves,
    MovesNotMade,
    PawnsCaptureBackwards,
    EndIsLeaf,
}

impl Rule {
    /// Whether the rule is about reading a FEN.
    pub const fn is_of_reading(self) -> bool {
        matches!(self, Rule::EnPassantUnread)
    }

    /// Whether the rule is about making or taking back moves.
    const fn is_of_play(self) -> bool {
        use Rule::*;
        matches!(
            self,
            EnPassantStays
                | EnPassantNotSet
                | MovesNotMade
                | EnPassantLeavesPawn
                | CastlingLeavesRook
                | RookMoveKeepsRight
                | KingMoveKeepsRight
                | RookCaptureKeepsRight
                | RookMoveTakesBothRights
                | RookTakesRightOfFile
                | RookCaptureTakesBothRights
                | PromotionChangesSide
        ) || self.is_of_unmaking()
    }

    /// Whether the rule is about taking back moves.
    pub const fn is_of_unmaking(self) -> bool {
        use Rule::*;
        matches!(
            self,
            UnmakeLosesRightsOfCapture
                | UnmakeLosesRightsOfMover
                | UnmakeLosesEnPassant
                | UnmakeKeepsPromotion
                | UnmakeLosesPawn
                | UnmakeWrongPawn
                | UnmakeLeavesRook
        )
    }

    /// Whether the rule is about the moves of a position.
    pub const fn is_of_lists(self) -> bool {
        !self.is_of_reading() && !self.is_of_play() && !matches!(self, Rule::EndIsLeaf)
    }
}

/// A rule that a mutation breaks, for some facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Break {
    pub rule: Rule,
    pub accepted: Facts,
}

impl Break {
    /// Returns the break of a rule. In each group that occurs in `only`, only these attributes are accepted.
    pub const fn new(rule: Rule, only: &[Facts]) -> Break {
        Break { rule, accepted: Facts::all(only).accepted() }
    }

    /// Returns the break of the same rule for fewer facts: only for this attribute of its group.
    pub fn only(self, attribute: Facts) -> Break {
        Break { accepted: self.accepted.only(attribute), ..self }
    }

    /// Whether another break has all the effects of this one.
    pub fn is_within(self, other: Break) -> bool {
        self.rule == other.rule && self.accepted.is_within(other.accepted)
    }
}

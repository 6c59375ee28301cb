//! The rules that mutations change, and the facts that decide whether a rule is broken.
//!
//! Each place of the generator where authors make mistakes asks a [`Rule`] whether it is broken, with the [`Facts`] of
//! the move. For each mutation, the catalogue says which rules it breaks for which facts.
//!
//! [`Facts`] are a set of attributes: the side, the piece that moves, the pieces that attack, and so on. Some mutations
//! break a rule only for some pieces, for one side or in one direction. They accept only some of the attributes of a
//! group. Facts outside these groups do not matter to them.

use std::ops::BitOr;

use perft_core::{Bitboard, CastlingSide, Color, File, Piece, Square};

/// A place of the generator that mutations change. Its name says what happens if it is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
#[repr(u8)]
pub(super) enum Rule {
    // Reading a FEN.
    EnPassantUnread,
    // Making moves.
    EnPassantStays,
    EnPassantNotSet,
    MovesNotMade,
    EnPassantLeavesPawn,
    CastlingLeavesRook,
    RookMoveKeepsRight,
    KingMoveKeepsRight,
    RookCaptureKeepsRight,
    RookMoveTakesBothRights,
    /// A rook takes away the right of another rook on its file.
    RookTakesRightOfFile,
    RookCaptureTakesBothRights,
    PromotionChangesSide,
    // Taking back moves.
    UnmakeLosesRightsOfCapture,
    UnmakeLosesRightsOfMover,
    UnmakeLosesEnPassant,
    UnmakeKeepsPromotion,
    UnmakeLosesPawn,
    UnmakeWrongPawn,
    UnmakeLeavesRook,
    // Counting.
    EndIsLeaf,
    // The moves of a position.
    EnPassantMissing,
    SecondEnPassantMissing,
    /// The removal of the captured pawn opens a line to the king.
    EnPassantOpensLine,
    EnPassantUnchecked,
    EnPassantWraps,
    CastlingMissing,
    CastlingOutOfCheck,
    CastlingThroughCheck,
    CastlingIntoCheck,
    CastlingBlocked,
    CastlingRookAttacked,
    CastlingRookPathAttacked,
    CastlingTwice,
    CastlingWithoutRook,
    /// A right of one side stands for both sides.
    CastlingSharesRight,
    /// The squares that the king crosses are tested with the steps of pawns instead of their captures.
    CastlingTestedWithSteps,
    PinIgnored,
    PinnedFrozen,
    CheckIgnored,
    AnswerMissing,
    KingIntoAttack,
    KingShunsShielded,
    AttackUnseen,
    /// A slider attacks through a pawn of its side that stands beside its target.
    AttackThroughPawn,
    PawnAttackReversed,
    PromotionMissing,
    PromotionStaysPawn,
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
    NoMoves,
    PawnsCaptureBackwards,
}

impl Rule {
    pub fn is_of_unmaking(self) -> bool {
        (Rule::UnmakeLosesRightsOfCapture..=Rule::UnmakeLeavesRook).contains(&self)
    }

    /// Whether the rule is about the moves of a position.
    pub fn is_of_lists(self) -> bool {
        self > Rule::EndIsLeaf
    }
}

/// A rule that a mutation breaks, for some facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Break {
    pub rule: Rule,
    pub accepted: Facts,
}

impl Break {
    /// Whether another break has all the effects of this one.
    pub fn is_within(self, other: Break) -> bool {
        self.rule == other.rule && self.accepted.is_within(other.accepted)
    }
}

/// A set of attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Facts(pub u64);

/// Defines the attributes, by groups.
macro_rules! attributes {
    ($($group:ident: $($attribute:ident)*;)*) => {
        #[repr(u8)]
        enum Attribute { $($($attribute,)*)* }

        #[expect(non_upper_case_globals, reason = "the rows of the catalogue read like text")]
        impl Facts {
            $($(pub const $attribute: Facts = Facts(1 << Attribute::$attribute as u8);)*)*
            $(const $group: u64 = 0 $(| Facts::$attribute.0)*;)*
            /// The groups. No attribute is in two of them.
            const GROUPS: &[u64] = &[$(Facts::$group,)*];
        }
    };
}

attributes! {
    // The side that moves or castles, or whose pieces attack.
    SIDES: White Black;
    // The piece that moves or slides.
    MOVERS: Pawn Knight Bishop Rook Queen King;
    KINDS: Step DoubleStep EnPassant Promotion Castling;
    // Whether a move captures, and which piece.
    CAPTURES: Quiet TakesPawn TakesKnight TakesBishop TakesRook TakesQueen TakesKing;
    // The pieces that attack the king or another square.
    ATTACKERS: ByPawn ByKnight ByBishop ByRook ByQueen ByKing;
    // The line between the king and the sliders that attack it.
    LINES: OnRank OnFile OnDiagonal;
    // The side of castling.
    WINGS: KingSide QueenSide;
    // The direction of a pawn: straight on, or to the file nearer to the a-file or to the h-file.
    DIRECTIONS: Straight TowardsA TowardsH;
    // The file on which a pawn arrives.
    FILES: OnA OnInnerFile OnH;
    PROMOTIONS: ToKnight ToBishop ToRook ToQueen;
    // The way in which a move answers a check.
    ANSWERS: Interposes TakesChecker AnswersNone AnswersOne;
    // Whether the king, in check or in double check, moves away along the line of a slider, and nothing else attacks its
    // new square.
    FLIGHTS: StepsBackFromOne StepsBackFromTwo StepsElsewhere;
    // The squares that castling needs empty and that are occupied.
    BLOCKS: KingPath RookPath;
    RANKS: SecondRank ThirdRank LaterRank;
    // Whether a slider moves to a square or attacks it.
    USES: Moves Attacks;
}

impl Facts {
    pub const NONE: Facts = Facts(0);

    /// The attributes of a move or an attack that captures any piece.
    pub const CAPTURE: Facts = Facts(Facts::CAPTURES & !Facts::Quiet.0);

    /// Returns the accepted facts: in each group that occurs in `only`, the attributes of `only`, and all attributes of
    /// the other groups.
    pub fn accepted(only: &[Facts]) -> Facts {
        let only = only.iter().fold(0, |all, attribute| all | attribute.0);
        let of_group = |&group: &u64| if only & group == 0 { group } else { only & group };
        Facts(Facts::GROUPS.iter().map(of_group).sum())
    }

    /// Returns all attributes of the groups of which only some attributes are accepted.
    pub fn restricted(self) -> Facts {
        Facts(Facts::GROUPS.iter().filter(|&&group| self.0 & group != group).sum())
    }

    pub fn is_within(self, other: Facts) -> bool {
        self.0 & !other.0 == 0
    }

    pub fn side(color: Color) -> Facts {
        Facts::White.after(color.index())
    }

    pub fn wing(side: CastlingSide) -> Facts {
        Facts::KingSide.after(side as usize)
    }

    pub fn mover(piece: Piece) -> Facts {
        Facts::Pawn.after(piece as usize)
    }

    pub fn captured(piece: Option<Piece>) -> Facts {
        piece.map_or(Facts::Quiet, |piece| Facts::TakesPawn.after(piece as usize))
    }

    pub fn promoted(piece: Piece) -> Facts {
        Facts::ToKnight.after(piece as usize - Piece::Knight as usize)
    }

    /// Returns the attribute that is declared this number of places after this one. The attributes of a group are in
    /// the order of the pieces, colours or sides.
    pub fn after(self, places: usize) -> Facts {
        Facts(self.0 << places)
    }

    /// Returns the direction of a pawn and the file on which it arrives.
    pub fn pawn_step(from: Square, to: Square) -> Facts {
        let file = match to.file() {
            File::A => Facts::OnA,
            File::H => Facts::OnH,
            _ => Facts::OnInnerFile,
        };
        let direction = match to.file().index() as i8 - from.file().index() as i8 {
            0 => Facts::Straight,
            // A capture around the edge of the board crosses seven files.
            -1 | 7 => Facts::TowardsA,
            _ => Facts::TowardsH,
        };
        file | direction
    }

    /// Returns the kind of line through two squares.
    pub fn line(a: Square, b: Square) -> Facts {
        match (a.rank() == b.rank(), a.file() == b.file()) {
            (true, _) => Facts::OnRank,
            (_, true) => Facts::OnFile,
            _ => Facts::OnDiagonal,
        }
    }

    /// Returns the union of the facts of some squares.
    pub fn of_each(squares: Bitboard, facts: impl Fn(Square) -> Facts) -> Facts {
        squares.into_iter().fold(Facts::NONE, |all, square| all | facts(square))
    }
}

impl BitOr for Facts {
    type Output = Facts;

    fn bitor(self, other: Facts) -> Facts {
        Facts(self.0 | other.0)
    }
}

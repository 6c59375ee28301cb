//! The attributes to which a mutation can be restricted, with the words for them.

use super::facts::Facts;
use crate::named_enum::kebab_case;

/// An attribute to which a mutation can be restricted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Restriction {
    pub facts: Facts,
    /// The part of the name of a variant.
    pub slug: &'static str,
    /// The part of the description of a variant.
    pub words: &'static str,
}

/// Defines groups of attributes.
macro_rules! groups {
    ($($(#[$doc:meta])* $group:ident: $($attribute:ident $words:literal),*;)*) => {
        $($(#[$doc])* pub(super) const $group: &[Restriction] = &[$(Restriction {
            facts: Facts::$attribute,
            slug: kebab_case!($attribute),
            words: $words,
        },)*];)*
    };
}

groups! {
    SIDES: White "White", Black "Black";
    WINGS: KingSide "king side", QueenSide "queen side";
    /// The pieces other than the king.
    PIECES: Pawn "pawns", Knight "knights", Bishop "bishops", Rook "rooks", Queen "queens";
    SLIDERS: Bishop "bishops", Rook "rooks", Queen "queens";
    KING_OR_ROOK: King "king", Rook "rook";
    CAPTURED: TakesPawn "of pawns", TakesKnight "of knights", TakesBishop "of bishops", TakesRook "of rooks",
        TakesQueen "of queens";
    /// The pieces that can give check.
    CHECKERS: ByPawn "by pawns", ByKnight "by knights", ByBishop "by bishops", ByRook "by rooks", ByQueen "by queens";
    SLIDING_CHECKERS: ByBishop "by bishops", ByRook "by rooks", ByQueen "by queens";
    ATTACKERS: ByPawn "by pawns", ByKnight "by knights", ByBishop "by bishops", ByRook "by rooks",
        ByQueen "by queens", ByKing "by the king";
    LINES: OnRank "on ranks", OnFile "on files", OnDiagonal "on diagonals";
    /// The lines that the capture of two pawns on one rank can open.
    EN_PASSANT_LINES: OnRank "on ranks", OnDiagonal "on diagonals";
    DIRECTIONS: TowardsA "towards the a-file", TowardsH "towards the h-file";
    EDGES: OnA "on the a-file", OnH "on the h-file";
}

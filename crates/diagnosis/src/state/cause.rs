//! Kinds of moves after which a state may be wrong.

use perft_core::{Bitboard, Move, MoveKind, Piece, Position};

use super::StateField;
use crate::named_enum::kebab_name;
use crate::path::{is_capture, is_pawn_move};

/// The cause of a wrong state: the kind of move after which it is wrong, or the part of a position that a key ignores.
///
/// A move can be of several kinds. The variants for moves are ordered from special to general.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StateCause {
    /// Castling.
    Castling,
    /// A capture en passant.
    EnPassantCapture,
    /// A promotion.
    Promotion,
    /// The capture of a rook that could still castle.
    RookCaptured,
    /// A move of a king or a rook that loses a castling right.
    RightLost,
    /// A move after which a capture en passant is no longer possible.
    EnPassantEnds,
    /// A double push of a pawn.
    DoublePush,
    /// Any capture.
    Capture,
    /// Any pawn move.
    PawnMove,
    /// Any move.
    Move,
    /// The side to move.
    SideToMove,
    /// A castling right.
    CastlingRight,
    /// An en passant square on which a capture is legal.
    EnPassantSquare,
}

use StateCause::*;

impl StateCause {
    /// Returns the name in reports.
    pub const fn name(self) -> &'static str {
        kebab_name!(
            self,
            StateCause: Castling EnPassantCapture Promotion RookCaptured RightLost EnPassantEnds DoublePush Capture
                PawnMove Move SideToMove CastlingRight EnPassantSquare
        )
    }

    /// Returns the name in a sentence, with its article, or `None` for a move of no special kind.
    pub(super) const fn words(self) -> Option<&'static str> {
        Some(match self {
            Castling => "castling",
            EnPassantCapture => "a capture en passant",
            Promotion => "a promotion",
            RookCaptured => "the capture of a castling rook",
            RightLost => "a move that loses a castling right",
            EnPassantEnds => "the move after a double push",
            DoublePush => "a double push",
            Capture => "a capture",
            PawnMove => "a pawn move",
            Move | SideToMove | CastlingRight | EnPassantSquare => return None,
        })
    }
}

/// Returns the kinds of moves that can be the reason for a wrong field, from special to general.
fn relevant(field: StateField) -> &'static [StateCause] {
    match field {
        StateField::Key => &[
            Castling,
            EnPassantCapture,
            Promotion,
            RookCaptured,
            RightLost,
            EnPassantEnds,
            DoublePush,
            Capture,
            PawnMove,
            Move,
        ],
        StateField::Board => &[Castling, EnPassantCapture, Promotion, DoublePush, Capture, PawnMove, Move],
        StateField::Castling => &[RookCaptured, Castling, RightLost, Move],
        StateField::EnPassant => &[DoublePush, EnPassantEnds, Move],
        StateField::HalfmoveClock => &[Capture, PawnMove, Move],
        StateField::Turn | StateField::MoveNumber => &[Move],
    }
}

/// Returns the kinds of a move that can be the reason for a wrong field, from special to general.
pub(super) fn causes(position: &Position, played: Move, field: StateField) -> Vec<StateCause> {
    relevant(field).iter().copied().filter(|&cause| is_of_kind(position, played, cause)).collect()
}

fn is_of_kind(position: &Position, played: Move, cause: StateCause) -> bool {
    let kind = played.kind();
    let rights = position.castling().all_rooks();
    let loses_rights = position.play_unchecked(played).castling() != position.castling();
    match cause {
        Castling => kind == MoveKind::Castling,
        EnPassantCapture => kind == MoveKind::EnPassant,
        Promotion => kind.promotion().is_some(),
        RookCaptured => is_capture(position, played) && (rights & Bitboard::from(played.to())).any(),
        RightLost => loses_rights && is_king_or_rook(position, played),
        EnPassantEnds => position.en_passant().is_some(),
        DoublePush => kind == MoveKind::DoublePush,
        Capture => is_capture(position, played),
        PawnMove => is_pawn_move(position, played),
        Move => true,
        SideToMove | CastlingRight | EnPassantSquare => false,
    }
}

fn is_king_or_rook(position: &Position, played: Move) -> bool {
    let mover = position.piece_at(played.from());
    mover.is_some_and(|mover| matches!(mover.piece, Piece::King | Piece::Rook))
}

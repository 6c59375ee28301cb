//! The parts of a state that a program prints, those that are wrong, and the kinds of moves that can be the reason.
//!
//! Programs follow several conventions, and all of them are right. The en passant square may be printed after each
//! double push, only if an opposing pawn is next to the pushed pawn, or only if a capture on it is legal. Castling
//! rights may be written as letters of sides or of files.

use std::collections::BTreeSet;

use StateCause::*;
use perft_core::{
    Bitboard, CastlingSide, Color, ColoredPiece, Move, MoveKind, Piece, Position, Setup, Square,
};

use crate::named_enum::named_enum;
use crate::source::{MovePath, State, is_capture, is_pawn_move};

/// The parts of its position that a program prints.
///
/// A value that is the same in all positions does not count as a clock. A value that is the same in all positions, or
/// different each time, does not count as a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateAbilities {
    /// Whether it prints a FEN.
    pub fen: bool,
    /// Whether it prints a key.
    pub key: bool,
    /// Whether its FEN has a halfmove clock.
    pub halfmove_clock: bool,
    /// Whether its FEN has a move number.
    pub move_number: bool,
}

named_enum! {
    /// A part of a state. The fields of a FEN come first, in their order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum StateField {
        Board: "the board",
        SideToMove: "the side to move",
        CastlingRights: "the field of the castling rights",
        EnPassantSquare: "the en passant square",
        HalfMoveClock: "the halfmove clock",
        MoveNumber: "the move number",
        Key: "the key",
    }
}

/// A field that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongField {
    pub field: StateField,
    pub expected: String,
    pub found: String,
}

/// Returns the fields of a printed FEN that are wrong for the end of a path. If the board is wrong, no other field is
/// compared.
pub fn wrong_fields(state: &State, at: &MovePath, prints: StateAbilities) -> Vec<WrongField> {
    let Some(fen) = &state.fen else { return Vec::new() };
    let printed: Vec<&str> = fen.split(' ').collect();
    let right = Setup { en_passant: at.end.legal_en_passant(), ..at.end_setup() };
    let right_fen = right.to_fen();
    let expected: Vec<&str> = right_fen.split(' ').collect();
    let wrong = |field: StateField| {
        let [expected, found] = [&expected, &printed].map(|fields| fields[field as usize].to_owned());
        WrongField { field, expected, found }
    };
    // The fields are read one by one, so that a field that cannot be read is not confused with another one.
    let read = |castling: &str| Setup::from_fen(&format!("{} w {castling} -", printed[0])).ok();
    if read("-").is_none_or(|found| found.board != right.board) {
        return vec![wrong(StateField::Board)];
    }
    let castling = read(printed[2]);
    let is_castling_right = castling.is_some_and(|found| has_right_castling(&found, &right, at, printed[2]));
    let is_number_wrong = |field: StateField| {
        printed.get(field as usize).is_some_and(|number| *number != expected[field as usize])
    };
    [
        (StateField::SideToMove, printed[1] != expected[1]),
        (StateField::CastlingRights, !is_castling_right),
        (StateField::EnPassantSquare, !is_right_en_passant(printed[3], at)),
        (StateField::HalfMoveClock, prints.halfmove_clock && is_number_wrong(StateField::HalfMoveClock)),
        (StateField::MoveNumber, prints.move_number && is_number_wrong(StateField::MoveNumber)),
    ]
    .into_iter()
    .filter(|(_, is_wrong)| *is_wrong)
    .map(|(field, _)| wrong(field))
    .collect()
}

fn is_right_en_passant(text: &str, at: &MovePath) -> bool {
    match text {
        "-" => at.end.legal_en_passant().is_none(),
        square => at.passed_square().is_some_and(|passed| passed.to_string() == square),
    }
}

/// Whether the castling rights are right. Some programs also write K or Q for an inner rook.
fn has_right_castling(found: &Setup, right: &Setup, at: &MovePath, text: &str) -> bool {
    let letters: BTreeSet<char> = text.chars().filter(|&letter| letter != '-').collect();
    let letter = |rook: Square| {
        let color =
            if right.castling.rooks(Color::White).contains(rook) { Color::White } else { Color::Black };
        let is_king_side = CastlingSide::of(at.end.king(color), rook) == CastlingSide::King;
        ColoredPiece { color, piece: if is_king_side { Piece::King } else { Piece::Queen } }.letter()
    };
    found.castling == right.castling
        || letters == right.castling.all_rooks().into_iter().map(letter).collect()
}

named_enum! {
    /// The cause of a wrong state: the kind of move that causes it, or the part of a position that a key ignores.
    ///
    /// A move can be of several kinds. The variants for moves are ordered from special to general.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum StateCause {
        Castling: "castling",
        EnPassantCapture: "an en passant capture",
        Promotion: "a promotion",
        RookCaptured: "the capture of a castling rook",
        RightLost: "a move that loses a castling right",
        EnPassantEnds: "the move after a double push",
        DoublePush: "a double push",
        Capture: "a capture",
        PawnMove: "a pawn move",
        Move: "any move",
        SideToMove: "the side to move",
        CastlingRight: "a castling right",
        EnPassantSquare: "an en passant square on which a capture is legal",
    }
}

/// Returns the kinds of moves that can be the reason for a wrong field, from special to general.
fn relevant(field: StateField) -> &'static [StateCause] {
    match field {
        StateField::Key => &StateCause::ALL[..=Move as usize],
        StateField::Board => &[Castling, EnPassantCapture, Promotion, DoublePush, Capture, PawnMove, Move],
        StateField::CastlingRights => &[RookCaptured, Castling, RightLost, Move],
        StateField::EnPassantSquare => &[DoublePush, EnPassantEnds, Move],
        StateField::HalfMoveClock => &[Capture, PawnMove, Move],
        StateField::SideToMove | StateField::MoveNumber => &[Move],
    }
}

pub(super) fn causes(position: &Position, played: Move, field: StateField) -> Vec<StateCause> {
    relevant(field).iter().copied().filter(|&cause| is_of_kind(position, played, cause)).collect()
}

fn is_of_kind(position: &Position, played: Move, cause: StateCause) -> bool {
    let kind = played.kind();
    let mover = position.piece_at(played.from()).map(|mover| mover.piece);
    let rights = position.castling().all_rooks();
    let loses_rights = position.play_legal(played).castling() != position.castling();
    match cause {
        Castling => kind == MoveKind::Castling,
        EnPassantCapture => kind == MoveKind::EnPassant,
        Promotion => kind.promotion().is_some(),
        RookCaptured => is_capture(position, played) && (rights & Bitboard::from(played.to())).any(),
        RightLost => loses_rights && matches!(mover, Some(Piece::King | Piece::Rook)),
        EnPassantEnds => position.en_passant().is_some(),
        DoublePush => kind == MoveKind::DoublePush,
        Capture => is_capture(position, played),
        PawnMove => is_pawn_move(position, played),
        Move => true,
        SideToMove | CastlingRight | EnPassantSquare => false,
    }
}

//! Compares a printed FEN with the right one, field by field.
//!
//! Programs follow several conventions, and all of them are right. The en passant square may be printed after each
//! double push, only if an opposing pawn is next to the pushed pawn, or only if a capture on it is legal. Castling
//! rights may be written as letters of sides or of files.

use perft_core::{CastlingSide, Color, ColoredPiece, Piece, Position, Setup};

use super::{StateAbilities, StateField};
use crate::path::MovePath;
use crate::source::State;

/// A field that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        let [expected, found] = [&expected, &printed].map(|fields| fields[field.index()].to_owned());
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
        printed.get(field.index()).is_some_and(|number| *number != expected[field.index()])
    };
    [
        (StateField::Turn, printed[1] != expected[1]),
        (StateField::Castling, !is_castling_right),
        (StateField::EnPassant, !is_right_en_passant(printed[3], at)),
        (StateField::HalfmoveClock, prints.halfmove_clock && is_number_wrong(StateField::HalfmoveClock)),
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

/// Whether the castling rights are right. Some programs also use a plain letter for an inner rook.
fn has_right_castling(found: &Setup, right: &Setup, at: &MovePath, text: &str) -> bool {
    let mut letters: Vec<char> = text.chars().filter(|&letter| letter != '-').collect();
    letters.sort_unstable();
    let sides = castling_sides(right, &at.end);
    let mut sides: Vec<char> = sides.into_iter().map(|(color, side)| letter(color, side)).collect();
    sides.sort_unstable();
    found.castling == right.castling || letters == sides
}

fn letter(color: Color, side: CastlingSide) -> char {
    let piece = match side {
        CastlingSide::King => Piece::King,
        CastlingSide::Queen => Piece::Queen,
    };
    ColoredPiece { color, piece }.letter()
}

/// Returns the castling rights of a setup as sides of the kings. The squares of the kings are those of `position`.
pub(super) fn castling_sides(setup: &Setup, position: &Position) -> Vec<(Color, CastlingSide)> {
    let of = |color: Color| {
        let rooks = setup.castling.rooks(color).into_iter();
        rooks.map(move |rook| (color, CastlingSide::of(position.king(color), rook)))
    };
    Color::ALL.into_iter().flat_map(of).collect()
}

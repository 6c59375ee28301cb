//! The generator itself, from the mover's view, a function for each kind of piece.

use super::Sink;
use crate::attacks::sliders::Sliders;
use crate::attacks::{king, knight};
use crate::position::{ChecksAndPins, Position};
use crate::types::{Bitboard, CastlingSide, Color, Direction, File, MoveKind, Side, Square};

/// Hands all legal moves of side `S`, the side to move, to a sink.
///
/// Inlined into its callers, so that each is compiled for the CPU features of the caller.
#[inline(always)]
pub fn generate<S: Side>(position: &Position, sliders: impl Sliders, sink: &mut impl Sink) {
    debug_assert_eq!(position.turn(), S::COLOR);
    let found = ChecksAndPins::of::<S>(position, sliders);
    king_moves::<S>(position, &found, sliders, sink);
    if found.check_mask.is_empty() {
        return;
    }
    piece_moves::<S>(position, &found, sliders, sink);
    pawn_moves::<S>(position, &found, sink);
    en_passant::<S>(position, sliders, sink);
}

/// Steps of the king, and castling. The enemy's attacks matter for nothing else, and are found only if the king has
/// somewhere to go.
#[inline(always)]
fn king_moves<S: Side>(
    position: &Position,
    found: &ChecksAndPins,
    sliders: impl Sliders,
    sink: &mut impl Sink,
) {
    let from = position.king(S::COLOR);
    let steps = king(from) & !position.army(S::COLOR).all;
    if steps.is_empty() && !has_free_castling_path::<S>(position) {
        return;
    }
    let without_king = position.occupied() ^ from.into();
    let attacked = position.attacked_by::<S::Other>(without_king, sliders);
    sink.piece(MoveKind::King, from, steps & !attacked);
    castling::<S>(position, found, attacked, sink);
}

/// True if nothing stands in the way of castling on some side.
#[inline(always)]
fn has_free_castling_path<S: Side>(position: &Position) -> bool {
    let (king, occupied) = (position.king(S::COLOR), position.occupied());
    let mut rooks = position.castling().rooks(S::COLOR).into_iter();
    rooks.any(|rook| (CastlingPaths::of::<S>(king, rook).must_be_empty & occupied).is_empty())
}

/// Castling, by the king's path and the rook's. A rook that is pinned, along the back rank, is all that covers the
/// king on its new square from behind; that happens in Chess960 only.
#[inline(always)]
fn castling<S: Side>(position: &Position, found: &ChecksAndPins, attacked: Bitboard, sink: &mut impl Sink) {
    let rooks = position.castling().rooks(S::COLOR);
    if rooks.is_empty() || found.in_check() {
        return;
    }
    let king = position.king(S::COLOR);
    for rook in rooks & !found.orthogonal_pins {
        let paths = CastlingPaths::of::<S>(king, rook);
        if (paths.must_be_empty & position.occupied()).is_empty()
            && (paths.must_be_safe & attacked).is_empty()
        {
            sink.piece(MoveKind::Castling, king, rook.into());
        }
    }
}

/// The squares that castling of one king with one rook asks about.
#[derive(Clone, Copy)]
pub struct CastlingPaths {
    /// Crossed or entered by king or rook, and not their own.
    pub must_be_empty: Bitboard,
    /// Crossed or entered by the king.
    pub must_be_safe: Bitboard,
}

impl CastlingPaths {
    /// Of side `S`, by the squares of its king and the rook.
    #[inline(always)]
    pub fn of<S: Side>(king: Square, rook: Square) -> CastlingPaths {
        static PATHS: [[[CastlingPaths; 8]; 8]; 2] =
            [CastlingPaths::table(Color::White), CastlingPaths::table(Color::Black)];
        PATHS[S::COLOR.index()][king.file().index()][rook.file().index()]
    }

    /// By the files of king and rook.
    const fn table(color: Color) -> [[CastlingPaths; 8]; 8] {
        let nothing = CastlingPaths { must_be_empty: Bitboard::EMPTY, must_be_safe: Bitboard::EMPTY };
        let mut table = [[nothing; 8]; 8];
        let mut index = 0;
        while index < 64 {
            table[index / 8][index % 8] =
                CastlingPaths::between(color, File::ALL[index / 8], File::ALL[index % 8]);
            index += 1;
        }
        table
    }

    /// Of a king and a rook of this colour on these files of its back rank.
    pub const fn between(color: Color, king_file: File, rook_file: File) -> CastlingPaths {
        let king = Square::new(king_file, color.back_rank());
        let rook = Square::new(rook_file, color.back_rank());
        let side = if rook_file as u8 > king_file as u8 { CastlingSide::King } else { CastlingSide::Queen };
        let king_path = path(king, side.king_target(color));
        let rook_path = path(rook, side.rook_target(color));
        let own = Bitboard::from_square(king).with(rook).bits();
        CastlingPaths {
            must_be_empty: Bitboard::from_bits((king_path | rook_path) & !own),
            must_be_safe: Bitboard::from_bits(king_path),
        }
    }
}

/// The squares of a rank from `from`, left out, to `to`, included; empty if they are the same.
const fn path(from: Square, to: Square) -> u64 {
    let mut set = 0;
    let mut here = from;
    while here as u8 != to as u8 {
        let direction = if (to as u8) > here as u8 { Direction::East } else { Direction::West };
        match direction.step(here) {
            Some(next) => here = next,
            None => break,
        }
        set |= Bitboard::from_square(here).bits();
    }
    set
}

/// Knights and sliders. A pinned knight cannot move; a pinned slider moves along its pin line, if that is its way of
/// moving at all.
#[inline(always)]
fn piece_moves<S: Side>(
    position: &Position,
    found: &ChecksAndPins,
    sliders: impl Sliders,
    sink: &mut impl Sink,
) {
    let us = position.army(S::COLOR);
    let occupied = position.occupied();
    let targets = found.check_mask & !us.all;
    let free = !found.pins();
    for from in us.knights & free {
        sink.piece(MoveKind::Knight, from, knight(from) & targets);
    }
    for from in us.diagonals & free {
        sink.piece(MoveKind::Diagonal, from, sliders.bishop(from, occupied) & targets);
    }
    for from in us.orthogonals & free {
        sink.piece(MoveKind::Orthogonal, from, sliders.rook(from, occupied) & targets);
    }
    // All pin lines of a kind at once: from one of them no slider reaches another, since both pass through the king.
    for from in us.diagonals & found.diagonal_pins {
        let on_line = sliders.bishop(from, occupied) & found.diagonal_pins;
        sink.piece(MoveKind::Diagonal, from, on_line & targets);
    }
    for from in us.orthogonals & found.orthogonal_pins {
        let on_line = sliders.rook(from, occupied) & found.orthogonal_pins;
        sink.piece(MoveKind::Orthogonal, from, on_line & targets);
    }
}

/// Pawns, all at once in each direction, but for en passant.
#[inline(always)]
fn pawn_moves<S: Side>(position: &Position, found: &ChecksAndPins, sink: &mut impl Sink) {
    let (us, them) = position.armies_of::<S>();
    let (diagonal_pins, orthogonal_pins) = (found.diagonal_pins, found.orthogonal_pins);

    // A push leaves every diagonal; along a orthogonal pin line it must stay on it, which only one up the file does.
    let empty = !position.occupied();
    let pushers = us.pawns & !diagonal_pins;
    let pushed = (pushers & !orthogonal_pins).step(S::FORWARD)
        | ((pushers & orthogonal_pins).step(S::FORWARD) & orthogonal_pins);
    let single = pushed & empty;
    let double = (single & S::THIRD_RANK).step(S::FORWARD) & empty & found.check_mask;
    one_step::<S>(sink, S::FORWARD, single & found.check_mask);
    sink.pawns(MoveKind::DoublePush, 2 * S::FORWARD.offset(), double);

    // A capture leaves every rank and file; on a diagonal pin line it must stay on it.
    let takers = us.pawns & !orthogonal_pins;
    for direction in S::CAPTURES {
        let taken = (takers & !diagonal_pins).step(direction)
            | ((takers & diagonal_pins).step(direction) & diagonal_pins);
        one_step::<S>(sink, direction, taken & them.all & found.check_mask);
    }
}

/// Pawns that step or capture in one direction; on the last rank they promote.
#[inline(always)]
fn one_step<S: Side>(sink: &mut impl Sink, direction: Direction, targets: Bitboard) {
    let offset = direction.offset();
    let promoting = targets & S::LAST_RANK;
    sink.pawns(MoveKind::Pawn, offset, targets & !S::LAST_RANK);
    if promoting.any() {
        sink.promotions(offset, promoting);
    }
}

/// En passant, played out: see [`Position::en_passant_is_legal`].
#[inline(always)]
fn en_passant<S: Side>(position: &Position, sliders: impl Sliders, sink: &mut impl Sink) {
    let Some(passed) = position.en_passant() else { return };
    for from in position.en_passant_captors(passed) {
        if position.en_passant_is_legal::<S>(from, passed, sliders) {
            sink.piece(MoveKind::EnPassant, from, passed.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Black, White};

    fn squares(text: &str) -> Bitboard {
        text.split_whitespace().map(|square| square.parse::<Square>().unwrap()).collect()
    }

    #[test]
    fn castling_paths() {
        let short = CastlingPaths::of::<White>(Square::E1, Square::H1);
        assert_eq!(short.must_be_empty, squares("f1 g1"));
        assert_eq!(short.must_be_safe, squares("f1 g1"));
        let long = CastlingPaths::of::<Black>(Square::E8, Square::A8);
        assert_eq!(long.must_be_empty, squares("b8 c8 d8"));
        assert_eq!(long.must_be_safe, squares("c8 d8"));
        let swap = CastlingPaths::of::<White>(Square::F1, Square::G1);
        assert_eq!(swap.must_be_empty, squares(""));
        assert_eq!(swap.must_be_safe, squares("g1"));
        let far = CastlingPaths::of::<White>(Square::B1, Square::A1);
        assert_eq!(far.must_be_empty, squares("c1 d1"));
        assert_eq!(far.must_be_safe, squares("c1"));
    }
}

//! `rank-lookup`: a table of one rank for all sliders, and a test of the king's square for doubtful moves.
//!
//! # Sliders
//! One table of 8 squares by 256 occupancies, two kilobytes, has the attacks of a slider on a rank. A rank is a byte of
//! the board, so a shift moves it to the index of the table and back. Files and diagonals are turned onto a rank and
//! back by a multiplication, which adds up shifted copies of a set. The file `lines.rs` has drawings of this.
//!
//! ```text
//!   . . . 8 . . . .                       . . . . . . . h
//!   . . . 7 . . . .                       . . . . . . g .     the diagonal a1-h8, turned onto a rank:
//!   . . . 6 . . . .   the d-file,         . . . . . f . .
//!   . . . 5 . . . .   turned onto         . . . . e . . .     a b c d e f g h
//!   . . . 4 . . . .   a rank:             . . . d . . . .
//!   . . . 3 . . . .                       . . c . . . . .
//!   . . . 2 . . . .   8 7 6 5 4 3 2 1     . b . . . . . .
//!   . . . 1 . . . .                       a . . . . . . .
//! ```
//!
//! # Legality
//! Moves are pseudo-legal: they may leave the king in check. The test looks up the attacks of a knight, a pawn, a king,
//! a rook and a bishop from the king's square. The king is in check if one of them attacks an enemy piece of its kind.
//! The test needs only two sets of squares after the move: the occupied squares and the captured piece.
//!
//! One pass before the moves makes most of these tests unnecessary. The table shows the gain of each step, in
//! instructions for each leaf node (the geometric mean of the six positions of `scripts/count-instructions`, with
//! BMI2):
//!
//! | tested moves | instructions |
//! |---|---|
//! | every move, made on a copy of the board | 65.1 |
//! | the same without a copy, on two sets of squares | 56.2 |
//! | without a check: only moves of pieces on a line with the king | 42.7 |
//! | of these, only pieces that are the first on a line with an enemy slider | 22.9 |
//! | of these, only pieces with no other piece between them and the slider | 21.1 |
//! | in a check: only moves that capture the one checker or block its line | 19.9 |
//!
//! Steps of the king, castling, en passant and the moves of pinned pieces are always tested one by one.
//!
//! # Cost
//! A rook takes two loads and two multiplications, a bishop four loads and four multiplications. The fastest lookups
//! take one load from a table that is 50 to 400 times as large.
//!
//! # Sources
//! Chess Programming Wiki: "First Rank Attacks"; "Kindergarten Bitboards", named by Gerd Isenberg (2006), for the
//! multiplications; "Square Attacked By" for the test of the king's square; "Pseudo-Legal Move" and "Copy-Make".

pub(super) mod lines;

use perft_core::internals::attacks::{between, diagonal_rays, king, knight, orthogonal_rays, pawn};
use perft_core::internals::{Armies, CastlingPaths, Side, Sink, one_step, origin};
use perft_core::{Bitboard, CastlingSide, MoveKind, Position, Square};

use super::board::{Design, PositionBoard};
use lines::{bishop, rook};

/// A position whose moves are found with one table for all lines.
pub type RankLookupBoard = PositionBoard<RankLookup>;

/// The design `rank-lookup`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankLookup;

impl Design for RankLookup {
    /// In double check, only the king can move.
    #[inline(always)]
    fn generate<S: Side>(position: &Position, sink: &mut impl Sink) {
        let armies = &position.armies_of::<S>();
        let found = restrictions::<S>(armies);
        let safe_steps = king_steps::<S>(armies, sink);
        if !found.in_check {
            for rook in position.castling().rooks(S::COLOR) {
                if can_castle::<S>(armies, rook, safe_steps) {
                    sink.piece(MoveKind::Castling, armies.king, rook.into());
                }
            }
        }
        if found.targets.is_empty() {
            return;
        }
        piece_moves::<S>(armies, &found, sink);
        pawn_moves::<S>(armies, &found, sink);
        if let Some(passed) = position.en_passant() {
            en_passant_moves::<S>(armies, passed, sink);
        }
    }
}

/// Whether the opponent of `S` attacks a square if the squares `occupied` are occupied and the pieces on `captured` are
/// captured.
///
/// A line is looked up only if a slider of its kind is on it. This is rare, and a lookup costs as much as testing all
/// leapers.
#[inline(always)]
fn is_attacked<S: Side>(armies: &Armies, square: Square, occupied: Bitboard, captured: Bitboard) -> bool {
    let them = armies.them;
    let leapers = (knight(square) & them.knights)
        | (pawn(S::COLOR, square) & them.pawns)
        | (king(square) & Bitboard::from(armies.their_king));
    if (leapers & !captured).any() {
        return true;
    }
    let orthogonals = them.orthogonals & !captured;
    if (orthogonal_rays(square) & orthogonals).any() && (rook(square, occupied) & orthogonals).any() {
        return true;
    }
    let diagonals = them.diagonals & !captured;
    (diagonal_rays(square) & diagonals).any() && (bishop(square, occupied) & diagonals).any()
}

/// Whether the king of side `S` is safe after a move of another piece. The move must not be en passant, because that
/// removes two pawns.
#[inline(always)]
fn is_safe_after<S: Side>(armies: &Armies, from: Square, to: Square) -> bool {
    let occupied = (armies.occupied() ^ from.into()) | to.into();
    !is_attacked::<S>(armies, armies.king, occupied, to.into())
}

struct Restrictions {
    in_check: bool,
    /// The squares on which a move of any piece except the king may end. Without a check, these are all squares without
    /// a piece of its side. In check, they are the checker and the squares between it and the king. In double check,
    /// there are none.
    targets: Bitboard,
    /// The squares between the king and the pinners. A piece of the king's side on one of them is pinned.
    pinned: Bitboard,
}

#[inline(always)]
fn restrictions<S: Side>(armies: &Armies) -> Restrictions {
    let Armies { us, them, king, .. } = *armies;
    let mut checkers = (knight(king) & them.knights) | (pawn(S::COLOR, king) & them.pawns);
    let mut pinned = Bitboard::EMPTY;
    if (orthogonal_rays(king) & them.orthogonals).any() {
        let (seen, pin_lines) = checkers_and_pins(armies, rook, them.orthogonals);
        checkers |= seen;
        pinned |= pin_lines;
    }
    if (diagonal_rays(king) & them.diagonals).any() {
        let (seen, pin_lines) = checkers_and_pins(armies, bishop, them.diagonals);
        checkers |= seen;
        pinned |= pin_lines;
    }
    let evasions = match checkers.first() {
        None => Bitboard::FULL,
        Some(_) if checkers.has_many() => Bitboard::EMPTY,
        Some(checker) => between(king, checker).with(checker),
    };
    Restrictions { in_check: checkers.any(), targets: evasions & !us.all, pinned }
}

/// Returns the sliders among these enemy sliders that check the king, and the squares between the king and the sliders
/// that pin.
///
/// A first lookup from the king's square finds the checkers. For the pinners, the pieces of the king's side that the
/// first lookup met are removed, and a second lookup follows.
#[inline(always)]
fn checkers_and_pins(
    armies: &Armies,
    attacks: impl Fn(Square, Bitboard) -> Bitboard,
    sliders: Bitboard,
) -> (Bitboard, Bitboard) {
    let (king, occupied) = (armies.king, armies.occupied());
    let seen = attacks(king, occupied);
    let pinners = attacks(king, occupied ^ (seen & armies.us.all)) & sliders & !seen;
    let mut pin_lines = Bitboard::EMPTY;
    for slider in pinners {
        pin_lines |= between(king, slider);
    }
    (seen & sliders, pin_lines)
}

/// Adds the legal steps of the king, and returns them. The king is removed for the test, so that sliders attack the
/// squares behind it.
#[inline(always)]
fn king_steps<S: Side>(armies: &Armies, sink: &mut impl Sink) -> Bitboard {
    let occupied = armies.occupied() ^ armies.king.into();
    let steps = king(armies.king) & !armies.us.all;
    let mut safe = steps;
    for to in steps {
        if is_attacked::<S>(armies, to, occupied, to.into()) {
            safe ^= to.into();
        }
    }
    sink.piece(MoveKind::King, armies.king, safe);
    safe
}

/// Whether the path is empty, no square of the king's path is attacked, and the king is safe after castling. It must
/// not be in check.
///
/// In Chess960, the rook may be the only piece between the king's target square and a slider. The squares next to the
/// king were already tested as its steps, except the square of the rook.
#[inline(always)]
fn can_castle<S: Side>(armies: &Armies, rook: Square, safe_steps: Bitboard) -> bool {
    let from = armies.king;
    let paths = CastlingPaths::of::<S>(from, rook);
    if (paths.must_be_empty & armies.occupied()).any() {
        return false;
    }
    let side = CastlingSide::of(from, rook);
    let target = side.king_target(S::COLOR);
    let doubtful = paths.must_be_safe & !safe_steps & !Bitboard::from(target);
    if (doubtful & king(from) & !Bitboard::from(rook)).any() {
        return false;
    }
    let without_king = armies.occupied() ^ from.into();
    for square in doubtful {
        if is_attacked::<S>(armies, square, without_king, Bitboard::EMPTY) {
            return false;
        }
    }
    let castled = (without_king ^ rook.into()) | side.rook_target(S::COLOR).into();
    !is_attacked::<S>(armies, target, castled, Bitboard::EMPTY)
}

/// Adds the moves of knights and sliders: first the pieces that are not pinned, then the pinned ones.
///
/// They have separate loops, because the test needs many registers. A loop that contains the test takes a quarter more
/// instructions, even if the test is never made.
#[inline(always)]
fn piece_moves<S: Side>(armies: &Armies, found: &Restrictions, sink: &mut impl Sink) {
    let (us, occupied, targets) = (armies.us, armies.occupied(), found.targets);
    let free = !found.pinned;
    for from in us.knights & free {
        sink.piece(MoveKind::Knight, from, knight(from) & targets);
    }
    for from in us.diagonals & free {
        sink.piece(MoveKind::Diagonal, from, bishop(from, occupied) & targets);
    }
    for from in us.orthogonals & free {
        sink.piece(MoveKind::Orthogonal, from, rook(from, occupied) & targets);
    }
    let pinned = us.all & found.pinned;
    if pinned.is_empty() {
        return;
    }
    for from in us.knights & pinned {
        sink.piece(MoveKind::Knight, from, tested::<S>(armies, from, knight(from) & targets));
    }
    for from in us.diagonals & pinned {
        sink.piece(MoveKind::Diagonal, from, tested::<S>(armies, from, bishop(from, occupied) & targets));
    }
    for from in us.orthogonals & pinned {
        sink.piece(MoveKind::Orthogonal, from, tested::<S>(armies, from, rook(from, occupied) & targets));
    }
}

/// Returns the targets to which the piece on `from` can move without leaving its king in check.
#[inline(always)]
fn tested<S: Side>(armies: &Armies, from: Square, targets: Bitboard) -> Bitboard {
    let mut safe = targets;
    for to in targets {
        if !is_safe_after::<S>(armies, from, to) {
            safe ^= to.into();
        }
    }
    safe
}

/// Adds the moves of pawns except en passant. Each direction is one step of all pawns at once.
#[inline(always)]
fn pawn_moves<S: Side>(armies: &Armies, found: &Restrictions, sink: &mut impl Sink) {
    let (pawns, empty) = (armies.us.pawns, !armies.occupied());
    let (forward, [west, east]) = (S::FORWARD, S::CAPTURES);
    let pushed = pawns.step(forward) & empty;
    let taken = armies.them.all & found.targets;
    let mut single = pushed & found.targets;
    let mut double = (pushed & S::THIRD_RANK).step(forward) & empty & found.targets;
    let mut to_west = pawns.step(west) & taken;
    let mut to_east = pawns.step(east) & taken;
    let pinned = pawns & found.pinned;
    if pinned.any() {
        single = tested_pawns::<S>(armies, pinned, forward.offset(), single);
        double = tested_pawns::<S>(armies, pinned, 2 * forward.offset(), double);
        to_west = tested_pawns::<S>(armies, pinned, west.offset(), to_west);
        to_east = tested_pawns::<S>(armies, pinned, east.offset(), to_east);
    }
    sink.pawns(MoveKind::DoublePush, 2 * forward.offset(), double);
    one_step::<S>(sink, forward, single);
    one_step::<S>(sink, west, to_west);
    one_step::<S>(sink, east, to_east);
}

/// Returns the targets without those to which a pinned pawn must not move.
#[inline(always)]
fn tested_pawns<S: Side>(armies: &Armies, pinned: Bitboard, offset: i8, targets: Bitboard) -> Bitboard {
    let mut safe = targets;
    for to in targets {
        let from = origin(to, offset);
        if pinned.contains(from) && !is_safe_after::<S>(armies, from, to) {
            safe ^= to.into();
        }
    }
    safe
}

/// Each capture is tested, because two pawns leave a rank at once, and the captured pawn may open a diagonal.
#[inline(always)]
fn en_passant_moves<S: Side>(armies: &Armies, passed: Square, sink: &mut impl Sink) {
    let captured = Bitboard::from(passed).step(S::Other::FORWARD);
    for from in pawn(S::Other::COLOR, passed) & armies.us.pawns {
        let occupied = (armies.occupied() ^ captured ^ from.into()) | passed.into();
        if !is_attacked::<S>(armies, armies.king, occupied, captured) {
            sink.piece(MoveKind::EnPassant, from, passed.into());
        }
    }
}

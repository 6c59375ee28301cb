//! Values of properties that are read off squares, each as a bit: kinds of pieces, wings, lines and ways.

use perft_core::internals::attacks::between;
use perft_core::{Bitboard, CastlingSide, Move, MoveKind, Piece, Position, Square};

pub(super) fn pieces(piece: Option<Piece>) -> u64 {
    piece.map_or(0, |piece| 1 << (piece as u32))
}

/// Returns the values of some squares.
pub(super) fn of_each(squares: Bitboard, value: impl Fn(Square) -> u64) -> u64 {
    squares.into_iter().fold(0, |all, at| all | value(at))
}

pub(super) fn kinds(position: &Position, squares: Bitboard) -> u64 {
    of_each(squares, |at| pieces(position.piece_at(at).map(|found| found.piece)))
}

/// Returns pairs of values: each of some first values, of which there are at most eight, with a second one.
pub(super) fn with(firsts: u64, second: usize) -> u64 {
    (0..8).filter(|first| firsts >> first & 1 == 1).map(|first| 1 << (8 * first + second)).sum()
}

pub(super) fn wing(king: Square, rook: Square) -> u64 {
    1 << (CastlingSide::of(king, rook) as u32)
}

pub(super) fn wings(king: Square, rooks: Bitboard) -> u64 {
    of_each(rooks, |rook| wing(king, rook))
}

/// Returns the line through two squares, as a value.
pub(super) fn line(from: Square, to: Square) -> Option<usize> {
    let (files, ranks) = steps(from, to);
    match (files, ranks) {
        (0, _) => Some(0),
        (_, 0) => Some(1),
        _ if files == ranks => Some(2),
        _ if files == -ranks => Some(3),
        _ => None,
    }
}

pub(super) fn lines(king: Square, others: Bitboard) -> u64 {
    of_each(others, |at| line(king, at).map_or(0, |line| 1 << line))
}

fn steps(from: Square, to: Square) -> (i32, i32) {
    let way = |of: fn(Square) -> usize| of(to) as i32 - of(from) as i32;
    (way(|at| at.file().index()), way(|at| at.rank().index()))
}

pub(super) fn way(from: Square, to: Square) -> usize {
    match steps(from, to) {
        (0, ranks) => usize::from(ranks < 0),
        (files, 0) => 2 + usize::from(files < 0),
        (files, ranks) => 4 + 2 * usize::from(ranks < 0) + usize::from(files < 0),
    }
}

pub(super) fn ways(king: Square, others: Bitboard) -> u64 {
    of_each(others, |at| 1 << way(king, at))
}

pub(super) fn is_between(at: Square, one: Square, other: Square) -> bool {
    between(one, other).contains(at)
}

pub(super) fn captured_on(played: Move) -> Square {
    match played.kind() {
        MoveKind::EnPassant => Square::new(played.to().file(), played.from().rank()),
        _ => played.to(),
    }
}

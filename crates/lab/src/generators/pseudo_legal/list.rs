//! Lists moves: evasions in check, and otherwise all pseudo-legal moves.
//!
//! The king may step to any square without a piece of its side. All other pieces share one set of targets:
//!
//! ```text
//!   8  . . . . . . . .      The bishop on b5 checks the king on f1. All other pieces must move to a square marked 1,
//!   7  . . . . . . . .      where they capture the bishop or block its line. In a double check, they cannot move.
//!   6  . . . . . . . .      Without a check, the targets are all squares without a piece of their side.
//!   5  . 1 . . . . . .
//!   4  . . 1 . . . . .
//!   3  . . . 1 . . . .
//!   2  . . . . 1 . . .
//!   1  . . . . . K . .
//! ```
//!
//! Pins and attacked squares are not considered here.

use perft_core::internals::attacks::{between, king, knight, pawn};
use perft_core::internals::sliders::{Magic, Sliders};
use perft_core::internals::{CastlingPaths, Direction, Side, origin};
use perft_core::{Bitboard, Piece, Square};

use super::moves::{PackedMoves, PseudoLegalMove};
use super::{EMPTY, PseudoLegalBoard};
use crate::generators::flag::Flag;

impl PseudoLegalBoard {
    /// Lists evasions or pseudo-legal moves of side `S`, the side to move. The moves of the king come last. All of them
    /// need a test, so they should be in few groups of eight.
    #[inline(always)]
    pub(super) fn list<S: Side>(&self, moves: &mut PackedMoves) {
        let free = !self.by_color[S::COLOR.index()];
        let square = self.king_of::<S>();
        let checkers = self.state.checkers;
        if !checkers.has_many() {
            let targets = match checkers.first() {
                None => free,
                Some(checker) => between(square, checker) | checkers,
            };
            self.add_pawns::<S>(moves, targets);
            self.add_pieces::<S>(moves, targets);
            if checkers.is_empty() {
                self.add_castling::<S>(moves);
            }
        }
        add_piece(moves, square, king(square) & free);
    }

    #[inline(always)]
    fn add_pieces<S: Side>(&self, moves: &mut PackedMoves, targets: Bitboard) {
        let occupied = self.occupied();
        for from in self.of(S::COLOR, Piece::Knight) {
            add_piece(moves, from, knight(from) & targets);
        }
        for from in self.of(S::COLOR, Piece::Bishop) {
            add_piece(moves, from, Magic.bishop(from, occupied) & targets);
        }
        for from in self.of(S::COLOR, Piece::Rook) {
            add_piece(moves, from, Magic.rook(from, occupied) & targets);
        }
        for from in self.of(S::COLOR, Piece::Queen) {
            let attacks = Magic.bishop(from, occupied) | Magic.rook(from, occupied);
            add_piece(moves, from, attacks & targets);
        }
    }

    #[inline(always)]
    fn add_pawns<S: Side>(&self, moves: &mut PackedMoves, targets: Bitboard) {
        let pawns = self.of(S::COLOR, Piece::Pawn);
        let empty = self.by_kind[EMPTY];
        let enemies = self.by_color[S::Other::COLOR.index()] & targets;

        let not_promoting = pawns & !S::SEVENTH_RANK;
        let single = not_promoting.step(S::FORWARD) & empty;
        let double = (single & S::THIRD_RANK).step(S::FORWARD) & empty;
        add_steps(moves, Flag::Plain, S::FORWARD.offset(), single & targets);
        add_steps(moves, Flag::DoublePush, 2 * S::FORWARD.offset(), double & targets);
        for direction in S::CAPTURES {
            add_steps(moves, Flag::Plain, direction.offset(), not_promoting.step(direction) & enemies);
        }

        let promoting = pawns & S::SEVENTH_RANK;
        if promoting.any() {
            add_promotions(moves, S::FORWARD, promoting.step(S::FORWARD) & empty & targets);
            for direction in S::CAPTURES {
                add_promotions(moves, direction, promoting.step(direction) & enemies);
            }
        }
        self.add_en_passant::<S>(moves, pawns);
    }

    /// Adds en passant captures, in check too. The test of legality finds out whether they resolve the check.
    #[inline(always)]
    fn add_en_passant<S: Side>(&self, moves: &mut PackedMoves, pawns: Bitboard) {
        let Some(passed) = self.state.en_passant else { return };
        for from in pawn(S::Other::COLOR, passed) & pawns {
            moves.push(PseudoLegalMove::new(Flag::EnPassant, from, passed));
        }
    }

    /// Adds castling over empty squares. The test of legality finds out whether the king's path is attacked.
    #[inline(always)]
    fn add_castling<S: Side>(&self, moves: &mut PackedMoves) {
        let king = self.king_of::<S>();
        for rook in self.state.castling.rooks(S::COLOR) {
            let path = CastlingPaths::of::<S>(king, rook).must_be_empty;
            if (path & self.occupied()).is_empty() {
                moves.push(PseudoLegalMove::new(Flag::Castling, king, rook));
            }
        }
    }
}

#[inline(always)]
fn add_piece(moves: &mut PackedMoves, from: Square, targets: Bitboard) {
    moves.extend(targets.into_iter().map(|to| PseudoLegalMove::new(Flag::Plain, from, to)));
}

/// Adds the moves of pawns to these squares. A move adds this offset to the index of the pawn's square.
#[inline(always)]
fn add_steps(moves: &mut PackedMoves, flag: Flag, offset: i8, targets: Bitboard) {
    moves.extend(targets.into_iter().map(|to| PseudoLegalMove::new(flag, origin(to, offset), to)));
}

/// Adds the promotions of pawns on these squares. The pawns move in this direction.
#[inline(always)]
fn add_promotions(moves: &mut PackedMoves, direction: Direction, targets: Bitboard) {
    for to in targets {
        for flag in Flag::PROMOTIONS {
            moves.push(PseudoLegalMove::new(flag, origin(to, direction.offset()), to));
        }
    }
}

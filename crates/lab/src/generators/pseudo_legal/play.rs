//! Making a move and taking it back, on one board.
//!
//! A move is a handful of bits that change in the sets, so that making and unmaking it toggle the same bits: a man leaves
//! one square for another, and what stood there, a piece or nothing, goes or comes. Empty squares are a set like any
//! other, which saves the question whether a move captures. The piece array says what moves and what is captured. The
//! state is not unmade: [`super`] copies it before a move and back after it.

use super::moves::{PackedMove, origin};
use super::{EMPTY, PseudoLegalBoard, set_of};
use crate::generators::flag::Flag;
use perft_core::internals::{Direction, Side};
use perft_core::{Bitboard, CastlingSide, Piece, Square};

impl PseudoLegalBoard {
    /// Makes a legal move of side `S` and returns what it captures on its target.
    #[inline(always)]
    pub(super) fn make<S: Side>(&mut self, packed: PackedMove) -> Option<Piece> {
        let (from, to, flag) = (packed.from(), packed.to(), packed.flag());
        self.turn = S::Other::COLOR;
        self.state.en_passant = None;
        let mut captured = None;
        if flag == Flag::Castling {
            self.castle::<S>(from, to);
        } else {
            captured = self.men[to.index()];
            let man = self.men[from.index()];
            self.toggle::<S>(man, captured, from, to);
            self.men[from.index()] = None;
            self.men[to.index()] = man;
            self.state.castling.remove(Bitboard::from(from).with(to));
            self.make_special::<S>(flag, from, to);
        }
        self.find_checkers_and_blockers::<S::Other>();
        captured
    }

    /// What a move does besides going from here to there.
    #[inline(always)]
    fn make_special<S: Side>(&mut self, flag: Flag, from: Square, to: Square) {
        match flag {
            Flag::Plain => {
                if from == self.king_of::<S>() {
                    self.state.kings[S::COLOR.index()] = to;
                    self.state.castling.remove(S::BACK_RANK);
                }
            }
            Flag::DoublePush => {
                let stop = Bitboard::from(to);
                let beside = stop.step(Direction::West) | stop.step(Direction::East);
                if (beside & self.of(S::Other::COLOR, Piece::Pawn)).any() {
                    self.state.en_passant = Some(origin(to, S::FORWARD));
                }
            }
            Flag::EnPassant => {
                let stop = origin(to, S::FORWARD);
                self.toggle_passed_pawn::<S>(stop);
                self.men[stop.index()] = None;
            }
            _ => {
                self.toggle_promotion(flag, to);
                self.men[to.index()] = flag.promotion();
            }
        }
    }

    /// Takes back a move of side `S`, but for the state.
    #[inline(always)]
    pub(super) fn unmake<S: Side>(&mut self, packed: PackedMove, captured: Option<Piece>) {
        let (from, to, flag) = (packed.from(), packed.to(), packed.flag());
        self.turn = S::COLOR;
        match flag {
            Flag::Plain | Flag::DoublePush => {}
            Flag::Castling => return self.uncastle::<S>(from, to),
            Flag::EnPassant => {
                let stop = origin(to, S::FORWARD);
                self.toggle_passed_pawn::<S>(stop);
                self.men[stop.index()] = Some(Piece::Pawn);
            }
            _ => {
                self.toggle_promotion(flag, to);
                self.men[to.index()] = Some(Piece::Pawn);
            }
        }
        let man = self.men[to.index()];
        self.toggle::<S>(man, captured, from, to);
        self.men[from.index()] = man;
        self.men[to.index()] = captured;
    }

    /// Moves a man in the sets, there or back; what it captures, a piece or an empty square, goes or comes.
    #[inline(always)]
    fn toggle<S: Side>(&mut self, man: Option<Piece>, captured: Option<Piece>, from: Square, to: Square) {
        let (start, end) = (Bitboard::from(from), Bitboard::from(to));
        self.by_kind[set_of(man)] ^= start | end;
        self.by_kind[set_of(captured)] ^= end;
        self.by_kind[EMPTY] ^= start;
        self.by_color[S::COLOR.index()] ^= start | end;
        self.by_color[S::Other::COLOR.index()] ^= if captured.is_some() { end } else { Bitboard::EMPTY };
    }

    /// Takes the pawn that is captured en passant out of the sets, or puts it back.
    #[inline(always)]
    fn toggle_passed_pawn<S: Side>(&mut self, square: Square) {
        self.by_kind[Piece::Pawn as usize] ^= square.into();
        self.by_kind[EMPTY] ^= square.into();
        self.by_color[S::Other::COLOR.index()] ^= square.into();
    }

    /// Makes the pawn on a square what it promotes to, or that a pawn.
    #[inline(always)]
    fn toggle_promotion(&mut self, flag: Flag, square: Square) {
        self.by_kind[Piece::Pawn as usize] ^= square.into();
        self.by_kind[set_of(flag.promotion())] ^= square.into();
    }

    /// Castles. King and rook may stand on each other's targets, so both leave before both arrive.
    #[inline(always)]
    fn castle<S: Side>(&mut self, king: Square, rook: Square) {
        let side = CastlingSide::of(king, rook);
        let (king_target, rook_target) = (side.king_target(S::COLOR), side.rook_target(S::COLOR));
        self.toggle_castling::<S>(king, rook);
        self.men[king.index()] = None;
        self.men[rook.index()] = None;
        self.men[king_target.index()] = Some(Piece::King);
        self.men[rook_target.index()] = Some(Piece::Rook);
        self.state.kings[S::COLOR.index()] = king_target;
        self.state.castling.remove(S::BACK_RANK);
    }

    #[inline(always)]
    fn uncastle<S: Side>(&mut self, king: Square, rook: Square) {
        let side = CastlingSide::of(king, rook);
        self.toggle_castling::<S>(king, rook);
        self.men[side.king_target(S::COLOR).index()] = None;
        self.men[side.rook_target(S::COLOR).index()] = None;
        self.men[king.index()] = Some(Piece::King);
        self.men[rook.index()] = Some(Piece::Rook);
    }

    #[inline(always)]
    fn toggle_castling<S: Side>(&mut self, king: Square, rook: Square) {
        let side = CastlingSide::of(king, rook);
        let kings = Bitboard::from(king) ^ side.king_target(S::COLOR).into();
        let rooks = Bitboard::from(rook) ^ side.rook_target(S::COLOR).into();
        self.by_kind[Piece::King as usize] ^= kings;
        self.by_kind[Piece::Rook as usize] ^= rooks;
        self.by_kind[EMPTY] ^= kings ^ rooks;
        self.by_color[S::COLOR.index()] ^= kings ^ rooks;
    }
}

//! Makes moves and takes them back, on the board and in the lists.

use perft_core::internals::Side;
use perft_core::{CastlingSide, Piece, Square};

use super::castling::castling_targets;
use super::moves::Move88;
use super::squares::{EAST, PieceCode, Square88};
use super::{Mailbox0x88Board, State, forward};
use crate::generators::flag::Flag;

/// A piece that was removed from the board, and its index in its list.
#[derive(Clone, Copy)]
struct RemovedPiece {
    code: PieceCode,
    index: u8,
}

/// The data that taking back a move needs.
#[derive(Clone, Copy)]
pub(super) struct Undo {
    captured: Option<RemovedPiece>,
    /// The pawn that promoted.
    promoted: Option<RemovedPiece>,
    state: State,
}

impl Mailbox0x88Board {
    /// Makes a move of side `S` and returns the data that taking it back needs.
    #[inline(always)]
    pub(super) fn make<S: Side>(&mut self, played: Move88) -> Undo {
        let (from, to, flag) = (played.from(), played.to(), played.flag());
        let mut undo = Undo { captured: None, promoted: None, state: self.state };
        self.turn = S::Other::COLOR;
        self.state.en_passant = None;
        self.state.rights &= self.castling.kept_rights[from.index()] & self.castling.kept_rights[to.index()];
        if flag == Flag::Castling {
            let side = CastlingSide::of(from.to_square(), to.to_square());
            self.move_both([from, to], castling_targets::<S>(side));
            return undo;
        }
        if flag == Flag::EnPassant {
            undo.captured = Some(self.take(to.step(-forward::<S>())));
        } else if !self.piece_on(to).is_none() {
            undo.captured = Some(self.take(to));
        }
        if let Some(piece) = flag.promotion() {
            undo.promoted = Some(self.take(from));
            self.add(to, PieceCode::new(S::COLOR, piece));
        } else {
            self.move_piece(from, to);
            if flag == Flag::DoublePush {
                self.state.en_passant = self.passed::<S>(to);
            }
        }
        undo
    }

    /// Takes back the last move, which side `S` made.
    #[inline(always)]
    pub(super) fn unmake<S: Side>(&mut self, played: Move88, undo: Undo) {
        let (from, to, flag) = (played.from(), played.to(), played.flag());
        self.turn = S::COLOR;
        self.state = undo.state;
        if flag == Flag::Castling {
            let side = CastlingSide::of(from.to_square(), to.to_square());
            self.move_both(castling_targets::<S>(side), [from, to]);
            return;
        }
        if let Some(pawn) = undo.promoted {
            self.take(to);
            self.restore(from, pawn);
        } else {
            self.move_piece(to, from);
        }
        if let Some(captured) = undo.captured {
            let square = if flag == Flag::EnPassant { to.step(-forward::<S>()) } else { to };
            self.restore(square, captured);
        }
    }

    /// Returns the square that a double push of side `S` has passed, or `None` if no enemy pawn is next to `to`.
    #[inline(always)]
    fn passed<S: Side>(&self, to: Square88) -> Option<Square> {
        let pawn = PieceCode::new(S::Other::COLOR, Piece::Pawn);
        let is_beside = self.piece_on(to.step(-EAST)) == pawn || self.piece_on(to.step(EAST)) == pawn;
        is_beside.then(|| to.step(-forward::<S>()).to_square())
    }

    /// Puts a piece on a square. The piece already has an index in its list.
    #[inline(always)]
    fn set(&mut self, square: Square88, RemovedPiece { code, index }: RemovedPiece) {
        self.squares[square.index_with_margin()] = code;
        self.list_indices[square.index()] = index;
        *self.piece_lists[code.list()].at(index) = square.byte();
    }

    /// Removes a piece from its square. Its index in the list stays free.
    #[inline(always)]
    fn lift(&mut self, square: Square88) -> RemovedPiece {
        let code = std::mem::replace(&mut self.squares[square.index_with_margin()], PieceCode::NONE);
        RemovedPiece { code, index: self.list_indices[square.index()] }
    }

    #[inline(always)]
    fn move_piece(&mut self, from: Square88, to: Square88) {
        let piece = self.lift(from);
        self.set(to, piece);
    }

    /// Moves two pieces. They may move to each other's squares, or stay.
    #[inline(always)]
    fn move_both(&mut self, from: [Square88; 2], to: [Square88; 2]) {
        let pieces = from.map(|square| self.lift(square));
        self.set(to[0], pieces[0]);
        self.set(to[1], pieces[1]);
    }

    /// Adds a piece to the board and to the end of its list.
    #[inline(always)]
    pub(super) fn add(&mut self, square: Square88, code: PieceCode) {
        let list = &mut self.piece_lists[code.list()];
        let index = list.len;
        list.len += 1;
        self.set(square, RemovedPiece { code, index });
    }

    /// Removes a piece from the board and from its list. The last piece of the list moves to the free index.
    #[inline(always)]
    fn take(&mut self, square: Square88) -> RemovedPiece {
        let taken = self.lift(square);
        let list = &mut self.piece_lists[taken.code.list()];
        list.len -= 1;
        let last = *list.at(list.len);
        *list.at(taken.index) = last;
        self.list_indices[Square88::from_byte(last).index()] = taken.index;
        taken
    }

    /// Reverses [`Mailbox0x88Board::take`]. The piece at the old index moves back to the end of the list.
    #[inline(always)]
    fn restore(&mut self, square: Square88, taken: RemovedPiece) {
        let list = &mut self.piece_lists[taken.code.list()];
        let end = list.len;
        list.len += 1;
        // If the old index is the end, there is no piece to move. Writing the restored piece to the end first avoids a
        // branch.
        *list.at(end) = square.byte();
        let last = *list.at(taken.index);
        *list.at(end) = last;
        self.list_indices[Square88::from_byte(last).index()] = end;
        self.set(square, taken);
    }
}

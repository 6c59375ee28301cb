//! Generates the pseudo-legal moves, piece by piece. Makes moves and takes them back, on the board and in the lists.

use perft_core::internals::Side;
use perft_core::{Bitboard, CastlingSide, Move, MoveKind, Piece, Rank, Square};

use super::squares::{
    DIAGONAL_STEPS, EAST, KING_STEPS, KNIGHT_STEPS, ORTHOGONAL_STEPS, PieceCode, Square88, Step, StepSet,
    knight_steps,
};
use super::{Mailbox0x88Board, Restrictions, Sink, State, castling_targets, forward, move_of};

impl Mailbox0x88Board {
    /// Adds all moves of side `S` except those of the king and en passant.
    #[inline(always)]
    pub(super) fn non_king_moves<S: Side>(&self, sink: &mut impl Sink) {
        self.moves_of_all::<S>(Piece::Pawn, sink);
        self.moves_of_all::<S>(Piece::Knight, sink);
        self.moves_of_all::<S>(Piece::Bishop, sink);
        self.moves_of_all::<S>(Piece::Rook, sink);
        self.moves_of_all::<S>(Piece::Queen, sink);
    }

    #[inline(always)]
    fn moves_of_all<S: Side>(&self, piece: Piece, sink: &mut impl Sink) {
        for from in self.list::<S>(piece) {
            self.moves_of::<S>(piece, from, sink);
        }
    }

    /// Adds the moves of one piece, except those of the king and en passant.
    #[inline(always)]
    pub(super) fn moves_of<S: Side>(&self, piece: Piece, from: Square88, sink: &mut impl Sink) {
        match piece {
            Piece::Pawn => self.pawn_moves::<S>(from, sink),
            Piece::Knight => self.knight_moves::<S>(from, sink),
            Piece::Bishop => self.slider_moves::<S>(MoveKind::Diagonal, from, DIAGONAL_STEPS, sink),
            Piece::Rook => self.slider_moves::<S>(MoveKind::Orthogonal, from, ORTHOGONAL_STEPS, sink),
            Piece::Queen => {
                self.slider_moves::<S>(MoveKind::Orthogonal, from, ORTHOGONAL_STEPS, sink);
                self.slider_moves::<S>(MoveKind::Diagonal, from, DIAGONAL_STEPS, sink);
            }
            Piece::King => {}
        }
    }

    #[inline(always)]
    fn pawn_moves<S: Side>(&self, from: Square88, sink: &mut impl Sink) {
        let ahead = from.step(forward::<S>());
        let is_free = self.piece_on(ahead).is_none();
        // Squares off the board are empty, so no capture goes over the edge.
        let captures = [ahead.step(-EAST), ahead.step(EAST)];
        if from.is_on_rank(S::COLOR.rank(Rank::Seventh)) {
            for kind in MoveKind::PROMOTIONS {
                sink.add_if(is_free, move_of(kind, from, ahead));
                for to in captures {
                    sink.add_if(self.piece_on(to).is_of(S::Other::COLOR), move_of(kind, from, to));
                }
            }
            return;
        }
        let two_ahead = ahead.step(forward::<S>());
        let may_double_push = is_free & from.is_on_rank(S::COLOR.rank(Rank::Second));
        sink.add_if(is_free, move_of(MoveKind::Pawn, from, ahead));
        sink.add_if(
            may_double_push & self.piece_on(two_ahead).is_none(),
            move_of(MoveKind::DoublePush, from, two_ahead),
        );
        for to in captures {
            sink.add_if(self.piece_on(to).is_of(S::Other::COLOR), move_of(MoveKind::Pawn, from, to));
        }
    }

    #[inline(always)]
    fn knight_moves<S: Side>(&self, from: Square88, sink: &mut impl Sink) {
        let own = self.steps_to_own_pieces::<S>(from, &KNIGHT_STEPS);
        sink.add_steps(MoveKind::Knight, from, &KNIGHT_STEPS, knight_steps(from) & !own);
    }

    /// Returns the numbers of the steps that lead to a piece of side `S`. Squares off the board are empty.
    #[inline(always)]
    pub(super) fn steps_to_own_pieces<S: Side>(&self, from: Square88, steps: &[Step; 8]) -> StepSet {
        let mut own = 0;
        for (number, &step) in steps.iter().enumerate() {
            own |= StepSet::from(self.piece_on(from.step(step)).is_of(S::COLOR)) << number;
        }
        own
    }

    /// Adds the moves of a slider. In each direction, it moves to the edge, to the first enemy piece, or to the square
    /// before a piece of its own side.
    #[inline(always)]
    fn slider_moves<S: Side>(&self, kind: MoveKind, from: Square88, steps: [Step; 4], sink: &mut impl Sink) {
        for step in steps {
            let mut to = from.step(step);
            while !to.is_off_board() {
                let code = self.piece_on(to);
                if !code.is_none() {
                    sink.add_if(code.is_of(S::Other::COLOR), move_of(kind, from, to));
                    break;
                }
                sink.add_if(true, move_of(kind, from, to));
                to = to.step(step);
            }
        }
    }

    /// Adds the steps of the king and castling. All of them are legal.
    #[inline(always)]
    pub(super) fn king_moves(&self, restrictions: &Restrictions, sink: &mut impl Sink) {
        sink.add_steps(MoveKind::King, restrictions.king, &KING_STEPS, restrictions.steps);
        for rook in restrictions.castlings {
            sink.add_if(true, move_of(MoveKind::Castling, restrictions.king, rook.into()));
        }
    }

    #[inline(always)]
    pub(super) fn en_passant<S: Side>(&self, sink: &mut impl Sink) {
        let Some(passed) = self.state.en_passant.map(Square88::from) else { return };
        for side in [-EAST, EAST] {
            let from = passed.step(-forward::<S>()).step(side);
            let is_pawn = self.piece_on(from) == PieceCode::new(S::COLOR, Piece::Pawn);
            sink.add_if(is_pawn, move_of(MoveKind::EnPassant, from, passed));
        }
    }
}

/// A piece that was removed from the board, and its index in its list.
#[derive(Clone, Copy)]
pub(super) struct RemovedPiece {
    code: PieceCode,
    index: u8,
}

#[derive(Clone, Copy)]
pub(super) struct Undo {
    captured: Option<RemovedPiece>,
    /// The pawn that promoted.
    promoted: Option<RemovedPiece>,
    state: State,
}

impl Mailbox0x88Board {
    #[inline(always)]
    pub(super) fn make<S: Side>(&mut self, played: Move) -> Undo {
        let (from, to, kind) = (Square88::from(played.from()), Square88::from(played.to()), played.kind());
        let mut undo = Undo { captured: None, promoted: None, state: self.state };
        self.turn = S::Other::COLOR;
        self.state.en_passant = None;
        let of_king = match kind {
            MoveKind::King | MoveKind::Castling => S::BACK_RANK,
            _ => Bitboard::EMPTY,
        };
        self.state.castling.remove(of_king.with(played.from()).with(played.to()));
        if kind == MoveKind::Castling {
            let side = CastlingSide::of(played.from(), played.to());
            self.move_both([from, to], castling_targets::<S>(side));
            return undo;
        }
        if kind == MoveKind::EnPassant {
            undo.captured = Some(self.take(to.step(-forward::<S>())));
        } else if !self.piece_on(to).is_none() {
            undo.captured = Some(self.take(to));
        }
        if let Some(piece) = kind.promotion() {
            undo.promoted = Some(self.take(from));
            self.add(to, PieceCode::new(S::COLOR, piece));
        } else {
            self.move_piece(from, to);
            if kind == MoveKind::DoublePush {
                self.state.en_passant = self.passed::<S>(to);
            }
        }
        undo
    }

    #[inline(always)]
    pub(super) fn unmake<S: Side>(&mut self, played: Move, undo: Undo) {
        let (from, to, kind) = (Square88::from(played.from()), Square88::from(played.to()), played.kind());
        self.turn = S::COLOR;
        self.state = undo.state;
        if kind == MoveKind::Castling {
            let side = CastlingSide::of(played.from(), played.to());
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
            let square = if kind == MoveKind::EnPassant { to.step(-forward::<S>()) } else { to };
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

    /// The piece already has an index in its list.
    #[inline(always)]
    pub(super) fn set(&mut self, square: Square88, RemovedPiece { code, index }: RemovedPiece) {
        self.squares[square.index_with_margin()] = code;
        self.list_indices[square.index()] = index;
        *self.piece_lists[code.list()].at(index) = square.byte();
    }

    /// The list of the piece stays unchanged.
    #[inline(always)]
    pub(super) fn lift(&mut self, square: Square88) -> RemovedPiece {
        let code = std::mem::replace(&mut self.squares[square.index_with_margin()], PieceCode::NONE);
        RemovedPiece { code, index: self.list_indices[square.index()] }
    }

    #[inline(always)]
    fn move_piece(&mut self, from: Square88, to: Square88) {
        let piece = self.lift(from);
        self.set(to, piece);
    }

    /// The pieces may move to each other's squares, or stay.
    #[inline(always)]
    fn move_both(&mut self, from: [Square88; 2], to: [Square88; 2]) {
        let pieces = from.map(|square| self.lift(square));
        self.set(to[0], pieces[0]);
        self.set(to[1], pieces[1]);
    }

    #[inline(always)]
    pub(super) fn add(&mut self, square: Square88, code: PieceCode) {
        let list = &mut self.piece_lists[code.list()];
        let index = list.len;
        list.len += 1;
        self.set(square, RemovedPiece { code, index });
    }

    /// The last piece of the list moves to the free index.
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

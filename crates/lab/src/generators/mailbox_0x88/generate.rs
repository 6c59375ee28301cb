//! Generates the pseudo-legal moves, piece by piece.

use perft_core::internals::Side;
use perft_core::{Color, Piece, Rank};

use super::castling::rights_of;
use super::moves::Move88;
use super::restrictions::Restrictions;
use super::sinks::Sink;
use super::squares::{
    DIAGONAL_STEPS, EAST, KING_STEPS, KNIGHT_STEPS, ORTHOGONAL_STEPS, PieceCode, Square88, Step, StepSet,
};
use super::{Mailbox0x88Board, forward};
use crate::generators::flag::Flag;

impl Mailbox0x88Board {
    /// Adds all moves of side `S` except those of the king and en passant.
    #[inline(always)]
    pub(super) fn non_king_moves<S: Side>(&self, sink: &mut impl Sink) {
        for from in self.list::<S>(Piece::Pawn) {
            self.pawn_moves::<S>(from, sink);
        }
        for from in self.list::<S>(Piece::Knight) {
            self.knight_moves::<S>(from, sink);
        }
        for from in self.list::<S>(Piece::Bishop) {
            self.slider_moves::<S>(from, DIAGONAL_STEPS, sink);
        }
        for from in self.list::<S>(Piece::Rook) {
            self.slider_moves::<S>(from, ORTHOGONAL_STEPS, sink);
        }
        for from in self.list::<S>(Piece::Queen) {
            self.slider_moves::<S>(from, KING_STEPS, sink);
        }
    }

    /// Adds the moves of one piece, except those of the king and en passant.
    #[inline(always)]
    pub(super) fn moves_from<S: Side>(&self, from: Square88, sink: &mut impl Sink) {
        match self.piece_on(from).piece() {
            Piece::Pawn => self.pawn_moves::<S>(from, sink),
            Piece::Knight => self.knight_moves::<S>(from, sink),
            Piece::Bishop => self.slider_moves::<S>(from, DIAGONAL_STEPS, sink),
            Piece::Rook => self.slider_moves::<S>(from, ORTHOGONAL_STEPS, sink),
            Piece::Queen => self.slider_moves::<S>(from, KING_STEPS, sink),
            Piece::King => {}
        }
    }

    #[inline(always)]
    fn pawn_moves<S: Side>(&self, from: Square88, sink: &mut impl Sink) {
        let ahead = from.step(forward::<S>());
        let is_free = self.piece_on(ahead).is_none();
        // Squares off the board are empty, so no capture goes over the edge.
        let captures = [ahead.step(-EAST), ahead.step(EAST)];
        if from.is_on_rank(rank_seen_by::<S>(Rank::Seventh)) {
            for flag in Flag::PROMOTIONS {
                sink.add_if(is_free, Move88::new(flag, from, ahead));
                for to in captures {
                    sink.add_if(self.piece_on(to).is_of(S::Other::COLOR), Move88::new(flag, from, to));
                }
            }
            return;
        }
        let two_ahead = ahead.step(forward::<S>());
        let may_double_push = is_free & from.is_on_rank(rank_seen_by::<S>(Rank::Second));
        sink.add_if(is_free, Move88::new(Flag::Plain, from, ahead));
        sink.add_if(
            may_double_push & self.piece_on(two_ahead).is_none(),
            Move88::new(Flag::DoublePush, from, two_ahead),
        );
        for to in captures {
            sink.add_if(self.piece_on(to).is_of(S::Other::COLOR), Move88::new(Flag::Plain, from, to));
        }
    }

    #[inline(always)]
    fn knight_moves<S: Side>(&self, from: Square88, sink: &mut impl Sink) {
        let own = self.steps_to_own_pieces::<S>(from, &KNIGHT_STEPS);
        sink.add_steps(from, &KNIGHT_STEPS, StepSet::of_knight(from).without(own));
    }

    /// Returns the numbers of the steps that lead to a piece of side `S`. Squares off the board are empty.
    #[inline(always)]
    pub(super) fn steps_to_own_pieces<S: Side>(&self, from: Square88, steps: &[Step; 8]) -> StepSet {
        let mut own = StepSet::NONE;
        for (number, &step) in steps.iter().enumerate() {
            own = own.with_if(number, self.piece_on(from.step(step)).is_of(S::COLOR));
        }
        own
    }

    /// Adds the moves of a slider. In each direction, it moves to the edge, to the first enemy piece, or to the square
    /// before a piece of its own side.
    #[inline(always)]
    fn slider_moves<S: Side>(
        &self,
        from: Square88,
        steps: impl IntoIterator<Item = Step>,
        sink: &mut impl Sink,
    ) {
        for step in steps {
            let mut to = from.step(step);
            while !to.is_off_board() {
                let code = self.piece_on(to);
                if !code.is_none() {
                    sink.add_if(code.is_of(S::Other::COLOR), Move88::new(Flag::Plain, from, to));
                    break;
                }
                sink.add_if(true, Move88::new(Flag::Plain, from, to));
                to = to.step(step);
            }
        }
    }

    /// Adds the steps of the king and castling. All of them are legal.
    #[inline(always)]
    pub(super) fn king_moves<S: Side>(&self, restrictions: &Restrictions, sink: &mut impl Sink) {
        sink.add_steps(restrictions.king, &KING_STEPS, restrictions.steps);
        if restrictions.castlings != 0 {
            for right in rights_of::<S>() {
                let rook = Square88::from_byte(self.castling.conditions[right].rook);
                let may_castle = restrictions.castlings >> right & 1 != 0;
                sink.add_if(may_castle, Move88::new(Flag::Castling, restrictions.king, rook));
            }
        }
    }

    /// Adds the en passant captures of side `S`.
    #[inline(always)]
    pub(super) fn en_passant<S: Side>(&self, sink: &mut impl Sink) {
        let Some(passed) = self.state.en_passant.map(Square88::from) else { return };
        for side in [-EAST, EAST] {
            let from = passed.step(-forward::<S>()).step(side);
            let is_pawn = self.piece_on(from) == PieceCode::new(S::COLOR, Piece::Pawn);
            sink.add_if(is_pawn, Move88::new(Flag::EnPassant, from, passed));
        }
    }
}

/// Returns the rank with this number from the view of side `S`.
const fn rank_seen_by<S: Side>(rank: Rank) -> Rank {
    match S::COLOR {
        Color::White => rank,
        Color::Black => Rank::ALL[7 - rank as usize],
    }
}

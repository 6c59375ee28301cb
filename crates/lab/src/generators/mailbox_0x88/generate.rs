//! The pseudo-legal moves, man by man.

use super::castling::rights_of;
use super::moves::{Move88, Sink};
use super::outlook::Outlook;
use super::squares::{
    DIAGONAL_STEPS, EAST, KING_STEPS, KNIGHT_STEPS, Man, ORTHOGONAL_STEPS, Square88, Step, StepSet,
};
use super::{Mailbox0x88Board, forward};
use crate::generators::flag::Flag;
use perft_core::internals::Side;
use perft_core::{Color, Piece, Rank};

impl Mailbox0x88Board {
    /// All moves but those of the king, and en passant.
    #[inline(always)]
    pub(super) fn men_moves<S: Side>(&self, sink: &mut impl Sink) {
        for from in self.list::<S>(Piece::Pawn) {
            self.pawn_moves::<S>(from, sink);
        }
        for from in self.list::<S>(Piece::Knight) {
            self.knight_moves::<S>(from, sink);
        }
        for from in self.list::<S>(Piece::Bishop) {
            self.walks::<S>(from, DIAGONAL_STEPS, sink);
        }
        for from in self.list::<S>(Piece::Rook) {
            self.walks::<S>(from, ORTHOGONAL_STEPS, sink);
        }
        for from in self.list::<S>(Piece::Queen) {
            self.walks::<S>(from, KING_STEPS, sink);
        }
    }

    /// The moves of one man.
    #[inline(always)]
    pub(super) fn moves_from<S: Side>(&self, from: Square88, sink: &mut impl Sink) {
        match self.man(from).piece() {
            Piece::Pawn => self.pawn_moves::<S>(from, sink),
            Piece::Knight => self.knight_moves::<S>(from, sink),
            Piece::Bishop => self.walks::<S>(from, DIAGONAL_STEPS, sink),
            Piece::Rook => self.walks::<S>(from, ORTHOGONAL_STEPS, sink),
            Piece::Queen => self.walks::<S>(from, KING_STEPS, sink),
            Piece::King => {}
        }
    }

    #[inline(always)]
    fn pawn_moves<S: Side>(&self, from: Square88, sink: &mut impl Sink) {
        let ahead = from.step(forward::<S>());
        let is_free = self.man(ahead).is_none();
        // Squares off the board are empty, so that there is nothing to take beyond the a-file and the h-file.
        let captures = [ahead.step(-EAST), ahead.step(EAST)];
        if from.is_on_rank(rank_seen_by::<S>(Rank::Seventh)) {
            for flag in Flag::PROMOTIONS {
                sink.add_if(is_free, Move88::new(flag, from, ahead));
                for to in captures {
                    sink.add_if(self.man(to).is_of(S::Other::COLOR), Move88::new(flag, from, to));
                }
            }
            return;
        }
        let two_ahead = ahead.step(forward::<S>());
        let may_leap = is_free & from.is_on_rank(rank_seen_by::<S>(Rank::Second));
        sink.add_if(is_free, Move88::new(Flag::Plain, from, ahead));
        sink.add_if(may_leap & self.man(two_ahead).is_none(), Move88::new(Flag::DoublePush, from, two_ahead));
        for to in captures {
            sink.add_if(self.man(to).is_of(S::Other::COLOR), Move88::new(Flag::Plain, from, to));
        }
    }

    #[inline(always)]
    fn knight_moves<S: Side>(&self, from: Square88, sink: &mut impl Sink) {
        let own = self.own_men_on::<S>(from, &KNIGHT_STEPS);
        sink.add_steps(from, &KNIGHT_STEPS, StepSet::of_knight(from).without(own));
    }

    /// The steps that lead to a man of side `S`. Squares off the board are empty.
    #[inline(always)]
    pub(super) fn own_men_on<S: Side>(&self, from: Square88, steps: &[Step; 8]) -> StepSet {
        let mut own = StepSet::NONE;
        for (number, &step) in steps.iter().enumerate() {
            own = own.with_if(number, self.man(from.step(step)).is_of(S::COLOR));
        }
        own
    }

    /// A slider's moves: in each direction up to the edge, to the first of the enemy's men, or before one of its own.
    #[inline(always)]
    fn walks<S: Side>(&self, from: Square88, steps: impl IntoIterator<Item = Step>, sink: &mut impl Sink) {
        for step in steps {
            let mut to = from.step(step);
            while !to.is_off_board() {
                let man = self.man(to);
                if !man.is_none() {
                    sink.add_if(man.is_of(S::Other::COLOR), Move88::new(Flag::Plain, from, to));
                    break;
                }
                sink.add_if(true, Move88::new(Flag::Plain, from, to));
                to = to.step(step);
            }
        }
    }

    /// The king's steps, and castling: what is seen from him has told which.
    #[inline(always)]
    pub(super) fn king_moves<S: Side>(&self, outlook: &Outlook, sink: &mut impl Sink) {
        sink.add_steps(outlook.king, &KING_STEPS, outlook.steps);
        if outlook.castlings != 0 {
            for right in rights_of::<S>() {
                let rook = Square88::from_byte(self.castling.ways[right].rook);
                let may_castle = outlook.castlings >> right & 1 != 0;
                sink.add_if(may_castle, Move88::new(Flag::Castling, outlook.king, rook));
            }
        }
    }

    #[inline(always)]
    pub(super) fn en_passant<S: Side>(&self, sink: &mut impl Sink) {
        let Some(passed) = self.state.en_passant.map(Square88::from) else { return };
        for side in [-EAST, EAST] {
            let from = passed.step(-forward::<S>()).step(side);
            let is_pawn = self.man(from) == Man::new(S::COLOR, Piece::Pawn);
            sink.add_if(is_pawn, Move88::new(Flag::EnPassant, from, passed));
        }
    }
}

const fn rank_seen_by<S: Side>(rank: Rank) -> Rank {
    match S::COLOR {
        Color::White => rank,
        Color::Black => Rank::ALL[7 - rank as usize],
    }
}

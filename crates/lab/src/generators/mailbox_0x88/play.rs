//! Making a move and taking it back, on the board and in the lists.

use super::castling::castled;
use super::moves::Move88;
use super::squares::{EAST, Man, Square88};
use super::{Mailbox0x88Board, State, forward};
use crate::generators::flag::Flag;
use perft_core::internals::Side;
use perft_core::{CastlingSide, Piece, Square};

/// A man who has left the board, and where he stood in his list.
#[derive(Clone, Copy)]
struct Lifted {
    man: Man,
    place: u8,
}

/// What it takes to take a move back.
#[derive(Clone, Copy)]
pub(super) struct Undo {
    captured: Option<Lifted>,
    /// The pawn that has promoted.
    promoted: Option<Lifted>,
    state: State,
}

impl Mailbox0x88Board {
    #[inline(always)]
    pub(super) fn make<S: Side>(&mut self, played: Move88) -> Undo {
        let (from, to, flag) = (played.from(), played.to(), played.flag());
        let mut undo = Undo { captured: None, promoted: None, state: self.state };
        self.turn = S::Other::COLOR;
        self.state.en_passant = None;
        self.state.rights &= self.castling.kept[from.index()] & self.castling.kept[to.index()];
        if flag == Flag::Castling {
            let side = CastlingSide::of(from.to_square(), to.to_square());
            self.relocate_both([from, to], castled::<S>(side));
            return undo;
        }
        if flag == Flag::EnPassant {
            undo.captured = Some(self.take(to.step(-forward::<S>())));
        } else if !self.man(to).is_none() {
            undo.captured = Some(self.take(to));
        }
        if let Some(piece) = flag.promotion() {
            undo.promoted = Some(self.take(from));
            self.put(to, Man::new(S::COLOR, piece));
        } else {
            self.relocate(from, to);
            if flag == Flag::DoublePush {
                self.state.en_passant = self.passed::<S>(to);
            }
        }
        undo
    }

    #[inline(always)]
    pub(super) fn unmake<S: Side>(&mut self, played: Move88, undo: Undo) {
        let (from, to, flag) = (played.from(), played.to(), played.flag());
        self.turn = S::COLOR;
        self.state = undo.state;
        if flag == Flag::Castling {
            let side = CastlingSide::of(from.to_square(), to.to_square());
            self.relocate_both(castled::<S>(side), [from, to]);
            return;
        }
        if let Some(pawn) = undo.promoted {
            self.take(to);
            self.put_back(from, pawn);
        } else {
            self.relocate(to, from);
        }
        if let Some(captured) = undo.captured {
            let square = if flag == Flag::EnPassant { to.step(-forward::<S>()) } else { to };
            self.put_back(square, captured);
        }
    }

    /// The square that a double push of side `S` has passed, if an enemy pawn stands beside.
    #[inline(always)]
    fn passed<S: Side>(&self, to: Square88) -> Option<Square> {
        let pawn = Man::new(S::Other::COLOR, Piece::Pawn);
        let is_beside = self.man(to.step(-EAST)) == pawn || self.man(to.step(EAST)) == pawn;
        is_beside.then(|| to.step(-forward::<S>()).to_square())
    }

    /// A man who has a place in his list stands on this square from now on.
    #[inline(always)]
    fn set(&mut self, square: Square88, Lifted { man, place }: Lifted) {
        self.men[square.index_with_margin()] = man;
        self.places[square.index()] = place;
        *self.lists[man.list()].at(place) = square.byte();
    }

    /// Takes a man off his square; his place in the list is kept.
    #[inline(always)]
    fn lift(&mut self, square: Square88) -> Lifted {
        let man = std::mem::replace(&mut self.men[square.index_with_margin()], Man::NONE);
        Lifted { man, place: self.places[square.index()] }
    }

    #[inline(always)]
    fn relocate(&mut self, from: Square88, to: Square88) {
        let man = self.lift(from);
        self.set(to, man);
    }

    /// Two men, who may go to each other's squares, or stay.
    #[inline(always)]
    fn relocate_both(&mut self, from: [Square88; 2], to: [Square88; 2]) {
        let men = from.map(|square| self.lift(square));
        self.set(to[0], men[0]);
        self.set(to[1], men[1]);
    }

    /// A new man, at the end of his list.
    #[inline(always)]
    pub(super) fn put(&mut self, square: Square88, man: Man) {
        let list = &mut self.lists[man.list()];
        let place = list.len;
        list.len += 1;
        self.set(square, Lifted { man, place });
    }

    /// Takes a man off; the last of his list takes his place.
    #[inline(always)]
    fn take(&mut self, square: Square88) -> Lifted {
        let taken = self.lift(square);
        let list = &mut self.lists[taken.man.list()];
        list.len -= 1;
        let last = *list.at(list.len);
        *list.at(taken.place) = last;
        self.places[Square88::from_byte(last).index()] = taken.place;
        taken
    }

    /// Undoes [`Mailbox0x88Board::take`]: whoever has the place goes back to the end of the list.
    #[inline(always)]
    fn put_back(&mut self, square: Square88, taken: Lifted) {
        let list = &mut self.lists[taken.man.list()];
        let end = list.len;
        list.len += 1;
        // If the place is the end, nobody has it: that he goes there himself first saves a branch.
        *list.at(end) = square.byte();
        let last = *list.at(taken.place);
        *list.at(end) = last;
        self.places[Square88::from_byte(last).index()] = end;
        self.set(square, taken);
    }
}

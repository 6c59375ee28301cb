//! Makes and unmakes moves on one board.
//!
//! Making and unmaking a move toggle the same bits of the sets: the bits of the moving piece on both squares, and the
//! bit of the captured piece. Empty squares are a set like the others, so captures need no branch. The array of pieces
//! says which piece moves and which piece is captured. The state is not unmade here: [`super`] copies it before the
//! moves and restores it after each.

use perft_core::internals::{Direction, Side, origin};
use perft_core::{Bitboard, CastlingSide, Move, MoveKind, Piece, Square};

use super::{EMPTY, PseudoLegalBoard, set_of};

impl PseudoLegalBoard {
    /// Makes a legal move of side `S` and returns the captured piece on its target.
    #[inline(always)]
    pub(super) fn make<S: Side>(&mut self, packed: Move) -> Option<Piece> {
        let (from, to, kind) = (packed.from(), packed.to(), packed.kind());
        self.turn = S::Other::COLOR;
        self.state.en_passant = None;
        let mut captured = None;
        if kind == MoveKind::Castling {
            self.castle::<S>(from, to);
        } else {
            captured = self.squares[to.index()];
            let piece = self.squares[from.index()];
            self.toggle::<S>(piece, captured, from, to);
            self.squares[from.index()] = None;
            self.squares[to.index()] = piece;
            self.state.castling.remove(Bitboard::from(from).with(to));
            self.make_special::<S>(kind, to);
        }
        self.find_checkers_and_pinned::<S::Other>();
        captured
    }

    /// Makes the changes of a special move that are not the move of one piece or a capture on the target square.
    #[inline(always)]
    fn make_special<S: Side>(&mut self, kind: MoveKind, to: Square) {
        match kind {
            MoveKind::King => {
                self.state.kings[S::COLOR.index()] = to;
                self.state.castling.remove(S::BACK_RANK);
            }
            MoveKind::DoublePush => {
                let stop = Bitboard::from(to);
                let beside = stop.step(Direction::West) | stop.step(Direction::East);
                if (beside & self.pieces_of(S::Other::COLOR, Piece::Pawn)).any() {
                    self.state.en_passant = Some(origin(to, S::FORWARD.offset()));
                }
            }
            MoveKind::EnPassant => {
                let stop = origin(to, S::FORWARD.offset());
                self.toggle_passed_pawn::<S>(stop);
                self.squares[stop.index()] = None;
            }
            _ => {
                if let Some(piece) = kind.promotion() {
                    self.toggle_promotion(piece, to);
                    self.squares[to.index()] = Some(piece);
                }
            }
        }
    }

    /// Unmakes a move of side `S`, except for the state.
    #[inline(always)]
    pub(super) fn unmake<S: Side>(&mut self, packed: Move, captured: Option<Piece>) {
        let (from, to, kind) = (packed.from(), packed.to(), packed.kind());
        self.turn = S::COLOR;
        match kind {
            MoveKind::Castling => return self.uncastle::<S>(from, to),
            MoveKind::EnPassant => {
                let stop = origin(to, S::FORWARD.offset());
                self.toggle_passed_pawn::<S>(stop);
                self.squares[stop.index()] = Some(Piece::Pawn);
            }
            _ => {
                if let Some(piece) = kind.promotion() {
                    self.toggle_promotion(piece, to);
                    self.squares[to.index()] = Some(Piece::Pawn);
                }
            }
        }
        let piece = self.squares[to.index()];
        self.toggle::<S>(piece, captured, from, to);
        self.squares[from.index()] = piece;
        self.squares[to.index()] = captured;
    }

    /// Makes or takes back the move of a piece in the sets, with the captured piece or the empty square on its target.
    #[inline(always)]
    fn toggle<S: Side>(&mut self, piece: Option<Piece>, captured: Option<Piece>, from: Square, to: Square) {
        let (start, end) = (Bitboard::from(from), Bitboard::from(to));
        self.by_kind[set_of(piece)] ^= start | end;
        self.by_kind[set_of(captured)] ^= end;
        self.by_kind[EMPTY] ^= start;
        self.by_color[S::COLOR.index()] ^= start | end;
        self.by_color[S::Other::COLOR.index()] ^= if captured.is_some() { end } else { Bitboard::EMPTY };
    }

    /// Removes the pawn that is captured en passant from the sets, or restores it.
    #[inline(always)]
    fn toggle_passed_pawn<S: Side>(&mut self, square: Square) {
        self.by_kind[Piece::Pawn as usize] ^= square.into();
        self.by_kind[EMPTY] ^= square.into();
        self.by_color[S::Other::COLOR.index()] ^= square.into();
    }

    /// Replaces the pawn on a square by the piece to which it promotes, or this piece by the pawn.
    #[inline(always)]
    fn toggle_promotion(&mut self, piece: Piece, square: Square) {
        self.by_kind[Piece::Pawn as usize] ^= square.into();
        self.by_kind[piece as usize] ^= square.into();
    }

    /// Castles. King and rook may move to each other's squares, so both are removed first.
    #[inline(always)]
    fn castle<S: Side>(&mut self, king: Square, rook: Square) {
        let side = CastlingSide::of(king, rook);
        let (king_target, rook_target) = (side.king_target(S::COLOR), side.rook_target(S::COLOR));
        self.toggle_castling::<S>(king, rook);
        self.squares[king.index()] = None;
        self.squares[rook.index()] = None;
        self.squares[king_target.index()] = Some(Piece::King);
        self.squares[rook_target.index()] = Some(Piece::Rook);
        self.state.kings[S::COLOR.index()] = king_target;
        self.state.castling.remove(S::BACK_RANK);
    }

    /// Takes back [`PseudoLegalBoard::castle`].
    #[inline(always)]
    fn uncastle<S: Side>(&mut self, king: Square, rook: Square) {
        let side = CastlingSide::of(king, rook);
        self.toggle_castling::<S>(king, rook);
        self.squares[side.king_target(S::COLOR).index()] = None;
        self.squares[side.rook_target(S::COLOR).index()] = None;
        self.squares[king.index()] = Some(Piece::King);
        self.squares[rook.index()] = Some(Piece::Rook);
    }

    /// Moves the king and the rook in the sets from their squares to their castling targets, or back.
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

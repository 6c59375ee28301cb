//! `magic`: legal moves in a list, with magic bitboards.
//!
//! This is the design of the small libraries that generate legal moves only. One pass finds the checks, the pins and
//! the squares that the enemy attacks. After that, every generated move is legal. No move is made to test its legality.
//! Only en passant is tested, on the set of occupied squares after the capture.
//!
//! ```text
//!   8  . . . . r . . .      The bishop checks. All pieces except the king must move to the check mask: the square of
//!   7  . . . . | . . .      the bishop, or one marked c.
//!   6  b . . . | . . .      The rook pins the knight. A pinned piece must stay on its pin line, marked |, which
//!   5  . c . . | . . .      includes the square of the rook. A pinned knight cannot move.
//!   4  . . c . N . . .      The king must move to a square that is not attacked. Attacks are looked up without the
//!   3  . . . c | . . .      king: otherwise x would seem safe, because the king stands between x and the bishop.
//!   2  . . . . K . . .
//!   1  . . . . . x . .
//! ```
//!
//! **Board.** The board has bitboards, and an array with the piece on each square. The array says which piece moves and
//! which piece is captured. Moves are made and unmade on one board. An undo record keeps the captured piece, the en
//! passant square and the castling rights.
//!
//! **Moves.** Checks, pins, attacked squares and moves are found by the functions of the generator of `perft-core`.
//! Sliders are looked up by magic multiplication. Moves have 16 bits ([`Move`]) and go to a list on the stack. The side
//! to move is a type parameter. So all code is compiled once for each colour, with directions and ranks as constants.
//!
//! **Counting.** The generator writes to a list or to a number (the trait `Sink` of `perft-core`). At the last ply it
//! adds up the sizes of the sets of targets. If it writes a list there and takes its length, the speed falls to 57 %
//! (40 % with BMI2). Faster code for the list does not help, because the CPU cannot predict when a set is empty.
//!
//! **Cost and gain.** Each piece is stored twice, in bitboards and in the array. All enemy sliders are looked up
//! whenever the king has a free square next to it. In return, no illegal move is ever made, and the moves of the last
//! ply are never made.
//!
//! Sources: Chess Programming Wiki, "Magic Bitboards", "Encoding Moves", "8x8 Board" and "Checks and Pinned Pieces
//! (Bitboards)".

use perft_core::internals::sliders::Magic;
use perft_core::internals::{
    Armies, Army, ChecksAndPins, Direction, Side, Sink, en_passant, king_moves, origin, pawn_moves,
    piece_moves, with_side,
};
use perft_core::{
    Bitboard, CastlingRights, CastlingSide, Color, ColoredPiece, Move, MoveKind, MoveList, Piece, Position,
    Square,
};

use super::board::Board;

/// A board of bitboards by colour and kind of piece, and an array of pieces by square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MagicBoard {
    /// The sets by colour and kind of piece. The seventh set belongs to empty squares and is always empty. One set for
    /// each kind with the pieces of both colours was 5 % slower with BMI2, and no faster without BMI2.
    sets: [[Bitboard; 7]; 2],
    by_color: [Bitboard; 2],
    squares: [Content; 64],
    castling: CastlingRights,
    /// The square that a pawn has just passed, if an enemy pawn attacks it.
    en_passant: Option<Square>,
    turn: Color,
}

/// The piece on a square, or `None`. The code that reads it knows its colour.
type Content = Option<Piece>;

/// Returns the index of a piece, or of an empty square, in the sets of a colour.
#[inline(always)]
fn set_of(content: Content) -> usize {
    content.map_or(6, |piece| piece as usize)
}

impl Board for MagicBoard {
    fn new(position: &Position) -> MagicBoard {
        let mut board = MagicBoard {
            sets: [[Bitboard::EMPTY; 7]; 2],
            by_color: [Bitboard::EMPTY; 2],
            squares: [None; 64],
            castling: position.castling(),
            en_passant: position.en_passant(),
            turn: position.turn(),
        };
        for square in Square::ALL {
            if let Some(ColoredPiece { color, piece }) = position.piece_at(square) {
                board.put(color, Some(piece), square);
            }
        }
        board
    }

    #[inline(always)]
    fn each_child(&mut self, mut visit: impl FnMut(Move, &mut MagicBoard)) {
        with_side!(self.turn, S => self.play_each::<S>(&mut visit))
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        let mut total = 0;
        with_side!(self.turn, S => self.generate::<S>(&mut total));
        total
    }
}

impl MagicBoard {
    #[inline(always)]
    fn play_each<S: Side>(&mut self, visit: &mut impl FnMut(Move, &mut MagicBoard)) {
        let mut list = MoveList::new();
        self.generate::<S>(&mut list);
        for &played in &list {
            let undo = self.make::<S>(played);
            visit(played, self);
            self.unmake::<S>(played, undo);
        }
    }

    #[inline(always)]
    fn set<S: Side>(&self, piece: Piece) -> Bitboard {
        self.sets[S::COLOR.index()][piece as usize]
    }

    #[inline(always)]
    fn king<S: Side>(&self) -> Square {
        Square::from_low_bits(self.set::<S>(Piece::King).bits().trailing_zeros())
    }
}

#[inline(always)]
fn behind<S: Side>(square: Square) -> Square {
    origin(square, S::FORWARD.offset())
}

impl MagicBoard {
    /// Adds all legal moves of side `S`, the side to move.
    #[inline(always)]
    fn generate<S: Side>(&self, sink: &mut impl Sink) {
        let (us, them) = (&self.army::<S>(), &self.army::<S::Other>());
        let (king, their_king) = (self.king::<S>(), self.king::<S::Other>());
        let armies = &Armies { us, them, king, their_king };
        let found = &ChecksAndPins::find::<S>(armies, Magic);
        king_moves::<S>(armies, self.castling, found, Magic, sink);
        if found.check_mask.is_empty() {
            return;
        }
        piece_moves(armies, found, Magic, sink);
        pawn_moves::<S>(armies, found, sink);
        en_passant::<S>(armies, self.en_passant, Magic, sink);
    }

    #[inline(always)]
    fn army<S: Side>(&self) -> Army {
        let queens = self.set::<S>(Piece::Queen);
        Army {
            pawns: self.set::<S>(Piece::Pawn),
            knights: self.set::<S>(Piece::Knight),
            diagonals: self.set::<S>(Piece::Bishop) | queens,
            orthogonals: self.set::<S>(Piece::Rook) | queens,
            all: self.by_color[S::COLOR.index()],
        }
    }
}

/// The data that a move overwrites and [`MagicBoard::unmake`] restores.
#[derive(Clone, Copy)]
struct Undo {
    captured: Content,
    en_passant: Option<Square>,
    castling: CastlingRights,
}

impl MagicBoard {
    /// Makes a move of side `S` and returns the data that unmaking it needs.
    ///
    /// Quiet moves and captures could share code without a branch, because capturing nothing changes nothing. Separate
    /// code is 3 % faster. Moves of one kind come in groups, so the branch is predicted well.
    #[inline(always)]
    fn make<S: Side>(&mut self, played: Move) -> Undo {
        let (from, to) = (played.from(), played.to());
        let undo =
            Undo { captured: self.squares[to.index()], en_passant: self.en_passant, castling: self.castling };
        self.turn = S::Other::COLOR;
        self.en_passant = None;
        self.lose_rights::<S>(from, to);
        match (played.kind(), played.kind().promotion()) {
            (MoveKind::Castling, _) => self.move_king_and_rook::<S>([from, to], castled::<S>(from, to)),
            (MoveKind::EnPassant, _) => {
                self.lift(S::Other::COLOR, Some(Piece::Pawn), behind::<S>(to));
                self.shift::<S>(from, to);
            }
            (MoveKind::DoublePush, _) => {
                self.shift::<S>(from, to);
                self.en_passant = self.passed_by_double_push::<S>(to);
            }
            (_, None) => {
                if undo.captured.is_some() {
                    self.lift(S::Other::COLOR, undo.captured, to);
                }
                self.shift::<S>(from, to);
            }
            (_, Some(piece)) => {
                self.lift(S::Other::COLOR, undo.captured, to);
                self.lift(S::COLOR, Some(Piece::Pawn), from);
                self.put(S::COLOR, Some(piece), to);
            }
        }
        undo
    }

    #[inline(always)]
    fn unmake<S: Side>(&mut self, played: Move, undo: Undo) {
        let (from, to) = (played.from(), played.to());
        self.turn = S::COLOR;
        self.en_passant = undo.en_passant;
        self.castling = undo.castling;
        match (played.kind(), played.kind().promotion()) {
            (MoveKind::Castling, _) => self.move_king_and_rook::<S>(castled::<S>(from, to), [from, to]),
            (MoveKind::EnPassant, _) => {
                self.shift::<S>(to, from);
                self.put(S::Other::COLOR, Some(Piece::Pawn), behind::<S>(to));
            }
            (_, None) => {
                self.shift::<S>(to, from);
                if undo.captured.is_some() {
                    self.put(S::Other::COLOR, undo.captured, to);
                }
            }
            (_, Some(piece)) => {
                self.lift(S::COLOR, Some(piece), to);
                self.put(S::COLOR, Some(Piece::Pawn), from);
                self.put(S::Other::COLOR, undo.captured, to);
            }
        }
    }

    /// Removes the castling rights of a king or rook that moves and of a rook that is captured.
    #[inline(always)]
    fn lose_rights<S: Side>(&mut self, from: Square, to: Square) {
        let is_king = self.squares[from.index()] == Some(Piece::King);
        let of_king = if is_king { S::BACK_RANK } else { Bitboard::EMPTY };
        self.castling.remove(of_king | from.into() | to.into());
    }

    /// Returns the square that a double push to `to` has passed, or `None` if no enemy pawn is next to `to`.
    #[inline(always)]
    fn passed_by_double_push<S: Side>(&self, to: Square) -> Option<Square> {
        let stop = Bitboard::from(to);
        let beside = stop.step(Direction::West) | stop.step(Direction::East);
        let can_be_captured = (beside & self.set::<S::Other>(Piece::Pawn)).any();
        can_be_captured.then(|| behind::<S>(to))
    }

    /// Moves a piece of side `S` to an empty square.
    #[inline(always)]
    fn shift<S: Side>(&mut self, from: Square, to: Square) {
        let content = self.squares[from.index()];
        let both = Bitboard::from(from) | to.into();
        self.sets[S::COLOR.index()][set_of(content)] ^= both;
        self.by_color[S::COLOR.index()] ^= both;
        self.squares[from.index()] = None;
        self.squares[to.index()] = content;
    }

    /// The square must be empty. Does nothing for `None`.
    #[inline(always)]
    fn put(&mut self, color: Color, content: Content, square: Square) {
        self.toggle(color, content, square);
        self.squares[square.index()] = content;
    }

    /// If the piece is `None`, the bitboards stay unchanged.
    #[inline(always)]
    fn lift(&mut self, color: Color, content: Content, square: Square) {
        self.toggle(color, content, square);
        self.squares[square.index()] = None;
    }

    /// Adds a piece to the bitboards or removes it. Does nothing for `None`, which a promotion without a capture
    /// passes.
    #[inline(always)]
    fn toggle(&mut self, color: Color, content: Content, square: Square) {
        let bit = if content.is_some() { Bitboard::from(square) } else { Bitboard::EMPTY };
        self.sets[color.index()][set_of(content)] ^= bit;
        self.by_color[color.index()] ^= bit;
    }

    /// In Chess960, king and rook may move to each other's squares, so both are removed first.
    #[inline(always)]
    fn move_king_and_rook<S: Side>(&mut self, from: [Square; 2], to: [Square; 2]) {
        self.lift(S::COLOR, Some(Piece::King), from[0]);
        self.lift(S::COLOR, Some(Piece::Rook), from[1]);
        self.put(S::COLOR, Some(Piece::King), to[0]);
        self.put(S::COLOR, Some(Piece::Rook), to[1]);
    }
}

#[inline(always)]
fn castled<S: Side>(king: Square, rook: Square) -> [Square; 2] {
    let side = CastlingSide::of(king, rook);
    [side.king_target(S::COLOR), side.rook_target(S::COLOR)]
}

//! `pseudo-legal`: the design of the big engines.
//!
//! An engine plays few of the moves that it lists: often the first refutes a position, and the others are not looked at.
//! So it lists moves without asking whether they leave the king in check, and tests a move when its turn comes. In a
//! check, where hardly a move is legal, it lists evasions: steps of the king and, if there is one checker, what captures
//! it or stands between. The test is cheap because checkers and blockers, the pinned men, are found once a position:
//!
//! ```text
//!   8  . . . . r . . .      The blockers: White's knight, which hides its king from the rook, and its bishop, which
//!   7  . . . . . . . .      hides it from the queen. The bishop may go to d2 or take on b4, which is moving along the
//!   6  . . . . . . . .      line through its king; the knight may go nowhere. For each step of the king one looks from
//!   5  . . . . . . . .      the target, with the king off the board, whether an enemy attacks it. All other moves
//!   4  . q . . N . . .      are legal as they stand.
//!   3  . . B . . . . .
//!   2  . . . . . . . .
//!   1  . . . . K . . .
//! ```
//!
//! Two kinds of move are tested by playing them out on the set of occupied squares: en passant, which takes two pawns off
//! a rank at once, and castling, whose path may not be attacked. In Chess960 the castling rook may be what hides the
//! king from an enemy on the back rank; then it is a blocker.
//!
//! Moves are made and unmade on one board of bitboards and an array of pieces. What a move destroys and does not tell
//! (rights, en passant square, checkers, blockers, and the kings' squares, for which there is room) is a record of 32
//! bytes, copied before the moves of a position and back after each. Copying the whole board of 176 bytes instead, and
//! unmaking nothing, takes 1.4 per cent less time here. Engines do not, since accumulators and keys make their boards
//! several times as large; this one does as they do.
//!
//! At the last ply all moves are listed and tested and none is made. That is the price of the design in a perft, where
//! every move has its turn: of the instructions spent on a leaf parent of "kiwipete" almost half list, more than a third
//! test, and the rest make, unmake and find checks and pins. A generator that tests nothing because it lists nothing
//! illegal can count sets instead. What an engine's own perft costs above this is what its board carries for searching:
//! hash keys, accumulators of the evaluation, squares from which a move gives check, a history of repetitions.
//!
//! Sources: Chess Programming Wiki, "Pseudo-Legal Move", "Legal Move", "Checks and Pinned Pieces (Bitboards)", "Magic
//! Bitboards", "Encoding Moves", "Unmake Move", "Copy-Make".

mod list;
mod moves;
mod play;

pub use self::moves::PackedMove;
use self::moves::PackedMoves;
use super::flag::Flag;
use super::{Board, Design};
use perft_core::Position;
use perft_core::internals::CastlingPaths;
use perft_core::internals::attacks::{between, diagonal_rays, king, knight, orthogonal_rays, pawn};
use perft_core::internals::sliders::{Magic, Sliders};
use perft_core::internals::{Black, Side, White};
use perft_core::{Bitboard, CastlingRights, Color, Move, Piece, Square};

/// Bitboards by kind and by colour, a piece array beside them, and the state of the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PseudoLegalBoard {
    /// By kind of piece, both colours together; the last set is that of the empty squares.
    by_kind: [Bitboard; 7],
    by_color: [Bitboard; 2],
    /// What kind of piece stands on each square.
    men: [Option<Piece>; 64],
    turn: Color,
    state: State,
}

/// What cannot be found again from a move that is taken back, and what is found once a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    castling: CastlingRights,
    /// What gives check to the side to move.
    checkers: Bitboard,
    /// The men of the side to move that alone stand between their king and an enemy slider.
    blockers: Bitboard,
    kings: [Square; 2],
    /// The square that a pawn has just passed, if an enemy pawn stands ready to take there.
    en_passant: Option<Square>,
}

const _: () = assert!(size_of::<State>() == 32);

/// Where [`PseudoLegalBoard`] keeps the set of empty squares.
const EMPTY: usize = 6;

/// Where it keeps the set of what stands on a square.
#[inline(always)]
const fn set_of(man: Option<Piece>) -> usize {
    match man {
        Some(piece) => piece as usize,
        None => EMPTY,
    }
}

impl Board for PseudoLegalBoard {
    type Move = PackedMove;

    const DESIGN: Design = Design {
        about: "the big engines' way: pseudo-legal moves, or evasions in a check, and a test of each for legality",
        board: "bitboards by kind and by colour, and an array of pieces",
        sliders: "magic multiplication",
        legality: "each move is tested before it is made, by checkers and pinned men found once a position",
        playing: "made and unmade on one board, with a record of 32 bytes to restore",
        moves: "from, to and flag in 16 bits",
        counting: "all moves are listed and tested, eight at a time if nothing is suspect; none is made",
        source: "Chess Programming Wiki, \"Pseudo-Legal Move\", \"Checks and Pinned Pieces (Bitboards)\"",
    };

    fn new(position: &Position) -> PseudoLegalBoard {
        let mut board = PseudoLegalBoard {
            by_kind: [Bitboard::EMPTY; 7],
            by_color: Color::ALL.map(|color| position.army(color).all),
            men: Square::ALL.map(|square| position.piece_at(square).map(|man| man.piece)),
            turn: position.turn(),
            state: State {
                castling: position.castling(),
                en_passant: position.en_passant(),
                checkers: Bitboard::EMPTY,
                blockers: Bitboard::EMPTY,
                kings: Color::ALL.map(|color| position.king(color)),
            },
        };
        for square in Square::ALL {
            board.by_kind[set_of(board.men[square.index()])] |= square.into();
        }
        match board.turn {
            Color::White => board.find_checkers_and_blockers::<White>(),
            Color::Black => board.find_checkers_and_blockers::<Black>(),
        }
        board
    }

    #[inline(always)]
    fn each_child(&mut self, visit: impl FnMut(PackedMove, &mut PseudoLegalBoard)) {
        match self.turn {
            Color::White => self.each_child_of::<White>(visit),
            Color::Black => self.each_child_of::<Black>(visit),
        }
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        match self.turn {
            Color::White => self.count_moves_of::<White>(),
            Color::Black => self.count_moves_of::<Black>(),
        }
    }

    fn to_move(&self, packed: PackedMove) -> Move {
        let (from, to) = (packed.from(), packed.to());
        let piece = self.men[from.index()].unwrap_or(Piece::Pawn);
        let kind = packed.flag().kind(piece, from, to);
        Move::new(kind, from, to)
    }
}

impl PseudoLegalBoard {
    #[inline(always)]
    fn each_child_of<S: Side>(&mut self, mut visit: impl FnMut(PackedMove, &mut PseudoLegalBoard)) {
        let mut moves = PackedMoves::new();
        self.list::<S>(&mut moves);
        let suspects = self.suspects::<S>();
        let state = self.state;
        for &packed in moves.as_slice() {
            if suspects.contains(packed.from()) && !self.is_legal::<S>(packed) {
                continue;
            }
            let captured = self.make::<S>(packed);
            visit(packed, self);
            self.unmake::<S>(packed, captured);
            self.state = state;
        }
    }

    /// Eight moves that come from no suspect square pass the test together: that is 5 per cent faster than one by one
    /// (CPU time, geometric mean of six positions, least of 12 runs), for where there are vectors of 256 bits the compiler
    /// shifts four masks with one instruction.
    #[inline(always)]
    fn count_moves_of<S: Side>(&self) -> u64 {
        let mut moves = PackedMoves::new();
        self.list::<S>(&mut moves);
        let moves = moves.as_slice();
        let suspects = self.suspects::<S>();
        let (chunks, rest) = moves.as_chunks::<8>();
        let mut illegal = self.count_illegal::<S>(suspects, rest);
        for chunk in chunks {
            let lowest_bits = chunk.iter().map(|packed| suspects.bits() >> packed.from() as u8);
            if lowest_bits.fold(0, |any, bits| any | bits) & 1 != 0 {
                illegal += self.count_illegal::<S>(suspects, chunk);
            }
        }
        moves.len() as u64 - illegal
    }

    /// How many of these moves fail the test, added up without a branch, which could not be predicted.
    #[inline(always)]
    fn count_illegal<S: Side>(&self, suspects: Bitboard, moves: &[PackedMove]) -> u64 {
        let mut illegal = 0;
        for &packed in moves {
            if suspects.contains(packed.from()) {
                illegal += u64::from(!self.is_legal::<S>(packed));
            }
        }
        illegal
    }

    #[inline(always)]
    fn king_of<S: Side>(&self) -> Square {
        self.state.kings[S::COLOR.index()]
    }

    #[inline(always)]
    fn of(&self, color: Color, piece: Piece) -> Bitboard {
        self.by_kind[piece as usize] & self.by_color[color.index()]
    }

    /// Bishops and queens of both colours.
    #[inline(always)]
    fn diagonals(&self) -> Bitboard {
        self.by_kind[Piece::Bishop as usize] | self.by_kind[Piece::Queen as usize]
    }

    /// Rooks and queens of both colours.
    #[inline(always)]
    fn orthogonals(&self) -> Bitboard {
        self.by_kind[Piece::Rook as usize] | self.by_kind[Piece::Queen as usize]
    }

    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        !self.by_kind[EMPTY]
    }
}

/// Checks and pins.
impl PseudoLegalBoard {
    /// Finds who gives check to side `S`, the side to move, and which of its men are pinned. Every enemy slider that
    /// would reach the king on an empty board is one or the other's cause, or neither, by how many men stand between.
    #[inline(always)]
    fn find_checkers_and_blockers<S: Side>(&mut self) {
        let square = self.king_of::<S>();
        let them = self.by_color[S::Other::COLOR.index()];
        let occupied = self.occupied();
        let leapers = (knight(square) & self.by_kind[Piece::Knight as usize])
            | (pawn(S::COLOR, square) & self.by_kind[Piece::Pawn as usize]);
        let snipers =
            (orthogonal_rays(square) & self.orthogonals()) | (diagonal_rays(square) & self.diagonals());
        let mut checkers = leapers & them;
        let mut blockers = Bitboard::EMPTY;
        for sniper in snipers & them {
            let hiding = between(square, sniper) & occupied;
            if hiding.is_empty() {
                checkers |= sniper.into();
            } else if !hiding.has_many() {
                blockers |= hiding;
            }
        }
        self.state.checkers = checkers;
        self.state.blockers = blockers & self.by_color[S::COLOR.index()];
    }

    /// True if side `S` attacks a square when the board is occupied like this. All is looked up, though a leaper may
    /// decide it: branches that go either way cost more.
    #[inline(always)]
    fn is_attacked_by<S: Side>(&self, square: Square, occupied: Bitboard) -> bool {
        let leapers = (knight(square) & self.by_kind[Piece::Knight as usize])
            | (pawn(S::Other::COLOR, square) & self.by_kind[Piece::Pawn as usize])
            | (king(square) & self.by_kind[Piece::King as usize]);
        let them = self.by_color[S::COLOR.index()];
        ((leapers & them) | self.sliders_of::<S>(square, occupied)).any()
    }

    /// The sliders of side `S` that attack a square when the board is occupied like this.
    #[inline(always)]
    fn sliders_of<S: Side>(&self, square: Square, occupied: Bitboard) -> Bitboard {
        ((Magic.bishop(square, occupied) & self.diagonals())
            | (Magic.rook(square, occupied) & self.orthogonals()))
            & self.by_color[S::COLOR.index()]
    }
}

/// Legality.
impl PseudoLegalBoard {
    /// The squares from which a move may be illegal: of the king, of the blockers, of pawns that may take en passant.
    #[inline(always)]
    fn suspects<S: Side>(&self) -> Bitboard {
        let mut suspects = self.state.blockers.with(self.king_of::<S>());
        if let Some(passed) = self.state.en_passant {
            suspects |= pawn(S::Other::COLOR, passed);
        }
        suspects
    }

    /// True if a move does not leave the king of side `S` in check.
    #[inline(always)]
    fn is_legal<S: Side>(&self, packed: PackedMove) -> bool {
        let (from, to) = (packed.from(), packed.to());
        let king = self.king_of::<S>();
        match packed.flag() {
            Flag::EnPassant => self.en_passant_is_legal::<S>(from, to),
            Flag::Castling => self.castling_is_legal::<S>(from, to),
            _ if from == king => !self.is_attacked_by::<S::Other>(to, self.occupied() ^ king.into()),
            // A man moves along the line through its king towards it or away from it.
            _ => {
                let line = between(king, from).contains(to) | between(king, to).contains(from);
                line | !self.state.blockers.contains(from)
            }
        }
    }

    /// En passant, played out: sliders are looked for on the board after it, and a check by a leaper stays unless the
    /// captured pawn gives it.
    #[inline(always)]
    fn en_passant_is_legal<S: Side>(&self, from: Square, passed: Square) -> bool {
        let captured = Bitboard::from(passed).step(S::Other::FORWARD);
        let occupied = (self.occupied() ^ from.into() ^ captured) | passed.into();
        let leapers = self.by_kind[Piece::Knight as usize] | self.by_kind[Piece::Pawn as usize];
        (self.state.checkers & leapers & !captured).is_empty()
            && self.sliders_of::<S::Other>(self.king_of::<S>(), occupied).is_empty()
    }

    /// Castling, by the king's path. A rook that is pinned, along the back rank, is all that covers the king on its new
    /// square from behind; that happens in Chess960 only.
    #[inline(always)]
    fn castling_is_legal<S: Side>(&self, king: Square, rook: Square) -> bool {
        let occupied = self.occupied() ^ king.into();
        let path = CastlingPaths::of::<S>(king, rook).must_be_safe;
        !self.state.blockers.contains(rook)
            && path.into_iter().all(|square| !self.is_attacked_by::<S::Other>(square, occupied))
    }
}

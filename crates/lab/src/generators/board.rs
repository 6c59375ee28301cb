//! The trait of all generators, the leaf counter on their boards, and what several designs share.
//!
//! The `bitboard` generator is that of `perft-core`, as a [`Board`]. It generates legal moves only, as sets of squares,
//! from the check mask, the pin lines and the attacked squares. Here, the moves are listed, played on a copy and counted
//! as sets. The other generators are compared with it move by move. Its [`counter`](Board::counter) makes and counts the
//! moves without a list. The program itself counts with the faster leaf counters of `perft-leaf`, which use the same
//! generator.

use std::fmt::Debug;
use std::hint::black_box;
use std::marker::PhantomData;

use perft_core::internals::sliders::Magic;
use perft_core::internals::{Bmi2Features, LeafCounter, generate, legal_moves_by, with_side};
use perft_core::{Move, MoveKind, MoveList, Piece, Position, Square};

use crate::counter::{LastPly, LookupCounter};

/// A position in the representation of one design, which plays and counts its legal moves.
///
/// A generator is compiled twice: for every CPU and for CPUs with BMI2. It is inlined into two entry points of the tree
/// walk. So every function that a count calls is `#[inline(always)]`. A function that is not inlined is compiled only
/// for every CPU.
///
/// Two boards are equal if they have the same legal moves, now and after any further moves.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_lab::generators::Board;
///
/// let mut board: Position = Board::new(&Position::start());
/// let mut replies = 0;
/// board.each_child(|_, child| replies += child.count_moves());
/// assert_eq!((board.count_moves(), replies), (20, 400));
/// ```
pub trait Board: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// A move in the representation of the design.
    type Move: Copy;

    /// Returns the board of a position of standard chess or Chess960.
    fn new(position: &Position) -> Self;

    /// Plays each legal move and calls `visit` with it and the board after it. Leaves the board unchanged.
    fn each_child(&mut self, visit: impl FnMut(Self::Move, &mut Self));

    /// Returns the number of legal moves, computed in the fastest way of the design. Bulk counting uses this at the
    /// last ply.
    fn count_moves(&mut self) -> u64;

    /// Returns a move of this board in the common form. The move has not been played yet.
    fn to_move(&self, packed: Self::Move) -> Move;

    /// Returns each legal move with the board after it, in the order of the design.
    fn children(&mut self) -> Vec<(Move, Self)> {
        let mut children = Vec::new();
        let before = self.clone();
        self.each_child(|packed, child| children.push((before.to_move(packed), child.clone())));
        children
    }

    /// Returns the legal moves, in the order of the design.
    fn legal_moves(&mut self) -> MoveList {
        self.children().into_iter().map(|(played, _)| played).collect()
    }

    /// Returns a counter on boards of this design.
    ///
    /// If there is a proof that the CPU has BMI2, the counter uses the code that is compiled for BMI2. The
    /// documentation of the [crate](crate#add-a-design-of-your-own) has an example.
    fn counter(features: Option<Bmi2Features>) -> Box<dyn LeafCounter> {
        Box::new(BoardCounter::<Self>::new(features))
    }
}

/// Counts below a position on the boards of one generator.
struct BoardCounter<B> {
    features: Option<Bmi2Features>,
    board: PhantomData<B>,
}

impl<B> BoardCounter<B> {
    /// Returns a counter. It uses the CPU features if there is a proof of them.
    fn new(features: Option<Bmi2Features>) -> BoardCounter<B> {
        BoardCounter { features, board: PhantomData }
    }
}

impl<B: Board> LeafCounter for BoardCounter<B> {
    fn moves(&self, position: &Position) -> MoveList {
        B::new(position).legal_moves()
    }

    fn count(&self, position: &Position, depth: u32) -> u64 {
        self.count_to(&mut B::new(position), depth, LastPly::Counted)
    }

    fn count_played(&self, position: &Position, depth: u32) -> u64 {
        self.count_to(&mut B::new(position), depth, LastPly::Played)
    }
}

impl<B: Board> BoardCounter<B> {
    fn count_to(&self, board: &mut B, depth: u32, last_ply: LastPly) -> u64 {
        match self.features {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the value `Bmi2Features` exists only if the CPU has the features that this entry point needs.
            Some(_) => unsafe { count_boards_with_bmi2(board, depth, last_ply) },
            _ => count_boards(board, depth, last_ply),
        }
    }
}

/// Returns the number of legal moves, with the code for every CPU.
pub(crate) fn count_moves_of<B: Board>(board: &mut B) -> u64 {
    count_boards(board, 1, LastPly::Counted)
}

#[inline(never)]
fn count_boards<B: Board>(board: &mut B, depth: u32, last_ply: LastPly) -> u64 {
    count_boards_by(board, depth, last_ply, |child, depth| count_boards(child, depth, last_ply))
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn count_boards_with_bmi2<B: Board>(board: &mut B, depth: u32, last_ply: LastPly) -> u64 {
    count_boards_by(board, depth, last_ply, |child, depth| count_boards_with_bmi2(child, depth, last_ply))
}

/// Counts the leaf nodes below a board. `below` counts below each child, so each entry point calls itself.
#[inline(always)]
fn count_boards_by<B: Board>(
    board: &mut B,
    depth: u32,
    last_ply: LastPly,
    below: impl Fn(&mut B, u32) -> u64,
) -> u64 {
    let mut nodes = 0;
    match (depth, last_ply) {
        (0, _) => nodes = 1,
        (1, LastPly::Counted) => nodes = board.count_moves(),
        (1, LastPly::Played) => board.each_child(|_, child| nodes += made(child)),
        _ => board.each_child(|_, child| nodes += below(child, depth - 1)),
    }
    nodes
}

/// Counts a leaf node. Without this use of the board, the compiler would remove the code that makes the move.
#[inline(always)]
fn made<T>(leaf: &T) -> u64 {
    black_box(leaf);
    1
}

/// Returns the kind of a move that is not a promotion, an en passant capture or castling.
pub(super) fn plain_kind(piece: Piece, from: Square, to: Square) -> MoveKind {
    let is_orthogonal = from.file() == to.file() || from.rank() == to.rank();
    match piece {
        Piece::Pawn if from.index().abs_diff(to.index()) == 16 => MoveKind::DoublePush,
        Piece::Pawn => MoveKind::Pawn,
        Piece::Knight => MoveKind::Knight,
        Piece::Rook => MoveKind::Orthogonal,
        Piece::Queen if is_orthogonal => MoveKind::Orthogonal,
        Piece::Bishop | Piece::Queen => MoveKind::Diagonal,
        Piece::King => MoveKind::King,
    }
}

impl Board for Position {
    type Move = Move;

    fn new(position: &Position) -> Position {
        *position
    }

    #[inline(always)]
    fn each_child(&mut self, mut visit: impl FnMut(Move, &mut Position)) {
        for played in legal_moves_by(self, Magic) {
            visit(played, &mut self.play_legal(played));
        }
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        let mut total = 0;
        with_side!(self.turn(), S => generate::<S>(self, Magic, &mut total));
        total
    }

    fn to_move(&self, played: Move) -> Move {
        played
    }

    fn counter(features: Option<Bmi2Features>) -> Box<dyn LeafCounter> {
        Box::new(LookupCounter { sliders: Magic, features })
    }
}

/// The effect of a move, apart from moving one piece from `from` to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Flag {
    Plain,
    DoublePush,
    EnPassant,
    /// The king on `from` castles with the rook on `to`.
    Castling,
    PromoteKnight,
    PromoteBishop,
    PromoteRook,
    PromoteQueen,
}

impl Flag {
    pub const PROMOTIONS: [Flag; 4] =
        [Flag::PromoteQueen, Flag::PromoteRook, Flag::PromoteBishop, Flag::PromoteKnight];

    /// Returns the flag whose number is in the low three bits. The other bits are ignored.
    #[inline(always)]
    pub const fn from_low_bits(bits: u32) -> Flag {
        match bits & 7 {
            0 => Flag::Plain,
            1 => Flag::DoublePush,
            2 => Flag::EnPassant,
            3 => Flag::Castling,
            4 => Flag::PromoteKnight,
            5 => Flag::PromoteBishop,
            6 => Flag::PromoteRook,
            _ => Flag::PromoteQueen,
        }
    }

    /// Returns the piece to which the pawn promotes, or `None` if the move is not a promotion.
    #[inline(always)]
    pub const fn promotion(self) -> Option<Piece> {
        match self {
            Flag::PromoteKnight => Some(Piece::Knight),
            Flag::PromoteBishop => Some(Piece::Bishop),
            Flag::PromoteRook => Some(Piece::Rook),
            Flag::PromoteQueen => Some(Piece::Queen),
            _ => None,
        }
    }

    /// Returns the kind of a move of this piece in the common form.
    pub fn kind(self, piece: Piece, from: Square, to: Square) -> MoveKind {
        match self {
            Flag::Plain | Flag::DoublePush => plain_kind(piece, from, to),
            Flag::EnPassant => MoveKind::EnPassant,
            Flag::Castling => MoveKind::Castling,
            Flag::PromoteKnight => MoveKind::PromoteKnight,
            Flag::PromoteBishop => MoveKind::PromoteBishop,
            Flag::PromoteRook => MoveKind::PromoteRook,
            Flag::PromoteQueen => MoveKind::PromoteQueen,
        }
    }
}

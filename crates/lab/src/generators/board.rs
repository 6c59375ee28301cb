//! The trait of all generators, the leaf counter on their boards, and what several designs share.
//!
//! The `bitboard` generator is that of `perft-core`, as a [`Board`]. It generates legal moves only, as sets of squares,
//! from the check mask, the pin lines and the attacked squares. Here, the moves are listed, played on a copy and counted
//! as sets. The other generators are compared with it move by move. Its [`counter`](Board::counter) makes and counts the
//! moves without a list: it is the scalar leaf counter of `perft-leaf`, which also counts with the other slider lookups.

use std::fmt::Debug;
use std::hint::black_box;
use std::marker::PhantomData;

use perft_core::internals::attacks::king;
use perft_core::internals::sliders::{Magic, Sliders};
use perft_core::internals::{
    Armies, Army, Bmi2Features, CastlingPaths, ChecksAndPins, LeafCounter, Side, Sink, generate,
    legal_moves_by, with_side,
};
use perft_core::{Bitboard, CastlingRights, Move, MoveKind, MoveList, Position, Square};

use perft_leaf::counter_with;

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
    /// Returns the board of a position of standard chess or Chess960.
    fn new(position: &Position) -> Self;

    /// Plays each legal move and calls `visit` with it and the board after it. Leaves the board unchanged.
    fn each_child(&mut self, visit: impl FnMut(Move, &mut Self));

    /// Returns the number of legal moves, computed in the fastest way of the design. Bulk counting uses this at the
    /// last ply.
    fn count_moves(&mut self) -> u64;

    /// Returns each legal move with the board after it, in the order of the design.
    fn children(&mut self) -> Vec<(Move, Self)> {
        let mut children = Vec::new();
        self.each_child(|played, child| children.push((played, child.clone())));
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

/// Whether the moves of the last ply are made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastPly {
    /// They are only counted.
    Counted,
    /// They are made.
    Played,
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

/// Returns the move of a queen with the kind of its direction. Designs that list all moves of a queen together give all
/// of them the kind `Diagonal`.
#[inline(always)]
pub(super) fn with_direction(played: Move) -> Move {
    let (from, to) = (played.from(), played.to());
    let is_straight = from.file() == to.file() || from.rank() == to.rank();
    match played.kind() {
        MoveKind::Diagonal if is_straight => Move::new(MoveKind::Orthogonal, from, to),
        _ => played,
    }
}

/// Adds the steps of the king and castling.
///
/// The attacked squares are looked up only if the king has a target. The king is removed for this. Otherwise it could
/// step away from a slider along the line of the check. `near` may leave out enemy pieces that attack no square next to
/// the king.
#[inline(always)]
pub(super) fn king_moves<S: Side>(
    armies: &Armies,
    castling: CastlingRights,
    found: &ChecksAndPins,
    near: impl Fn(&Army, Square) -> Army,
    sliders: impl Sliders,
    sink: &mut impl Sink,
) {
    let steps = king(armies.king) & !armies.us.all;
    let rooks = castling_rooks::<S>(armies, castling, found);
    if (steps | rooks).is_empty() {
        return;
    }
    // Castling moves the king more than one square, so the pieces near the king are not enough.
    let enemies = if rooks.is_empty() { near(armies.them, armies.king) } else { *armies.them };
    let without_king = armies.occupied() ^ armies.king.into();
    let attacked = enemies.attacked::<S::Other>(armies.their_king, without_king, sliders);
    sink.piece(MoveKind::King, armies.king, steps & !attacked);
    for rook in rooks {
        if (CastlingPaths::of::<S>(armies.king, rook).must_be_safe & attacked).is_empty() {
            sink.piece(MoveKind::Castling, armies.king, rook.into());
        }
    }
}

/// Returns the rooks with which the king can castle if no square on its path is attacked.
///
/// A rook that is pinned on the back rank cannot castle, because the pinner would attack the king on its target square.
/// This happens only in Chess960.
#[inline(always)]
fn castling_rooks<S: Side>(armies: &Armies, castling: CastlingRights, found: &ChecksAndPins) -> Bitboard {
    if found.in_check() {
        return Bitboard::EMPTY;
    }
    let mut rooks = castling.rooks(S::COLOR) & !found.orthogonal_pins;
    for rook in rooks {
        if (CastlingPaths::of::<S>(armies.king, rook).must_be_empty & armies.occupied()).any() {
            rooks ^= rook.into();
        }
    }
    rooks
}

impl Board for Position {
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

    fn counter(features: Option<Bmi2Features>) -> Box<dyn LeafCounter> {
        counter_with(Magic, features)
    }
}

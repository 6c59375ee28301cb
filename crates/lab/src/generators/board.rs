//! The trait of all generators, the leaf counter on their boards, and the board that several designs share.
//!
//! The `bitboard` generator is that of `perft-core`, as a [`Design`]. It generates legal moves only, as sets of
//! squares, from the check mask, the pin lines and the attacked squares. Here, the moves are played on a copy and
//! counted as sets. The tests compare the other generators with it move by move. Its [`counter`](Board::counter) is the
//! scalar leaf counter of `perft-leaf`.

use std::fmt::Debug;
use std::hint::black_box;
use std::marker::PhantomData;

use perft_core::internals::sliders::Magic;
use perft_core::internals::{MoveSink, Side, Sink, generate, with_side};
use perft_core::{Bmi2Features, LeafCounter, Move, MoveKind, MoveList, Position, Square};

use perft_leaf::CpuPath;

/// A position in the representation of one design, which plays and counts its legal moves.
///
/// A generator is compiled twice: for every CPU and for CPUs with BMI2. It is inlined into two entry points of the tree
/// walk. So the functions that a count calls often are `#[inline(always)]`. A function that is not inlined does not use
/// BMI2.
///
/// Two boards are equal if they have the same legal moves, now and after any further moves.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_lab::generators::Board;
/// use perft_lab::generators::rays::RaysBoard;
///
/// let mut board = RaysBoard::new(&Position::start());
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
        Box::new(BoardCounter::<Self> { features, board: PhantomData })
    }
}

/// Counts below a position on the boards of one generator. It uses the CPU features if there is a proof of them.
struct BoardCounter<B> {
    features: Option<Bmi2Features>,
    board: PhantomData<B>,
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
    Counted,
    Played,
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

/// A design that finds the legal moves of a [`Position`]. A [`PositionBoard`] plays them.
pub trait Design: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// Passes all legal moves of side `S`, the side to move, to a sink.
    fn generate<S: Side>(position: &Position, sink: &mut impl Sink);

    /// Returns a counter on boards of this design. See [`Board::counter`].
    fn counter(features: Option<Bmi2Features>) -> Box<dyn LeafCounter> {
        Box::new(BoardCounter::<PositionBoard<Self>> { features, board: PhantomData })
    }
}

/// A position whose legal moves a design finds. Each move is played on a copy of the position as soon as it is found.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionBoard<D> {
    position: Position,
    design: PhantomData<D>,
}

impl<D: Design> Board for PositionBoard<D> {
    #[inline(always)]
    fn new(position: &Position) -> PositionBoard<D> {
        PositionBoard { position: *position, design: PhantomData }
    }

    #[inline(always)]
    fn each_child(&mut self, visit: impl FnMut(Move, &mut PositionBoard<D>)) {
        let position = &self.position;
        with_side!(position.turn(), S => {
            D::generate::<S>(position, &mut Player::<S, D, _> { position, visit, types: PhantomData });
        });
    }

    #[inline(always)]
    fn count_moves(&mut self) -> u64 {
        let mut total = 0;
        with_side!(self.position.turn(), S => D::generate::<S>(&self.position, &mut total));
        total
    }

    fn counter(features: Option<Bmi2Features>) -> Box<dyn LeafCounter> {
        D::counter(features)
    }
}

/// Plays each move of side `S` on a copy of the position.
struct Player<'a, S, D, F> {
    position: &'a Position,
    visit: F,
    types: PhantomData<(S, D)>,
}

impl<S: Side, D: Design, F: FnMut(Move, &mut PositionBoard<D>)> MoveSink for Player<'_, S, D, F> {
    #[inline(always)]
    fn receive(&mut self, kind: MoveKind, from: Square, to: Square) {
        let child = self.position.play_as::<S>(kind, from, to);
        (self.visit)(Move::new(kind, from, to), &mut PositionBoard::new(&child));
    }
}

/// The design `bitboard`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bitboards;

impl Design for Bitboards {
    #[inline(always)]
    fn generate<S: Side>(position: &Position, sink: &mut impl Sink) {
        generate::<S>(position, Magic, sink);
    }

    fn counter(features: Option<Bmi2Features>) -> Box<dyn LeafCounter> {
        let path = if features.is_some() { CpuPath::Bmi2 } else { CpuPath::Portable };
        path.counter().expect("the features are those of the path")
    }
}

//! A path of moves with the two clocks of a FEN.

use perft_core::{Color, Move, MoveKind, Position, Setup, Square};

use crate::path::MovePath;
use crate::random::setup_of;
use crate::source::Question;

/// The two clocks of a FEN.
///
/// # Examples
/// ```
/// use perft_core::{Position, find_move};
/// use perft_diagnosis::state::Clocks;
///
/// let start = Position::start();
/// let clocks = Clocks { halfmove: 3, number: 7 };
/// let knight = find_move(&start, "g1f3").unwrap();
/// let pawn = find_move(&start, "e2e4").unwrap();
/// assert_eq!(clocks.after(&start, knight), Clocks { halfmove: 4, number: 7 });
/// assert_eq!(clocks.after(&start, pawn), Clocks { halfmove: 0, number: 7 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// The number of plies since the last capture or pawn move.
    pub halfmove: u32,
    /// The number of the move, which starts at 1 and grows after each move of Black.
    pub number: u32,
}

impl Clocks {
    /// The clocks of the start position.
    pub const START: Clocks = Clocks { halfmove: 0, number: 1 };

    /// Clocks that differ from those of the start position, so that a program that ignores them shows it.
    const LATER: Clocks = Clocks { halfmove: 3, number: 7 };

    /// Returns the clocks after a move.
    #[must_use]
    pub fn after(self, position: &Position, played: Move) -> Clocks {
        Clocks {
            halfmove: if is_reset(position, played) { 0 } else { self.halfmove + 1 },
            number: self.number + u32::from(position.turn() == Color::Black),
        }
    }

    /// Returns clocks for a FEN of this position. After a double push the half-move clock is 0.
    fn of_root(root: &Position) -> Clocks {
        let halfmove = if root.en_passant().is_some() { 0 } else { Clocks::LATER.halfmove };
        Clocks { halfmove, ..Clocks::LATER }
    }
}

/// Whether a move resets the half-move clock.
fn is_reset(position: &Position, played: Move) -> bool {
    is_capture(position, played) || is_pawn_move(position, played)
}

pub(super) fn is_capture(position: &Position, played: Move) -> bool {
    let takes = played.kind() != MoveKind::Castling && position.piece_at(played.to()).is_some();
    takes || played.kind() == MoveKind::EnPassant
}

pub(super) fn is_pawn_move(position: &Position, played: Move) -> bool {
    let mover = position.piece_at(played.from());
    mover.is_some_and(|mover| mover.piece == perft_core::Piece::Pawn)
}

/// A path of moves, with the clocks of its root.
///
/// # Examples
/// ```
/// use perft_core::{Position, find_move};
/// use perft_diagnosis::MovePath;
/// use perft_diagnosis::state::{ClockedPath, Clocks};
///
/// let root = MovePath::new(Position::start());
/// let path = root.played(find_move(&root.end, "g1f3").unwrap());
/// let at = ClockedPath { path, clocks: Clocks::START };
/// assert_eq!(at.end_setup().to_fen(), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockedPath {
    /// The root position and the moves.
    pub path: MovePath,
    /// The clocks of the root.
    pub clocks: Clocks,
}

impl ClockedPath {
    /// Returns a path with clocks that differ from those of the start position.
    pub(super) fn of(path: MovePath) -> ClockedPath {
        let clocks = Clocks::of_root(&path.root);
        ClockedPath { path, clocks }
    }

    /// Returns a path without moves.
    pub(super) fn of_setup(setup: &Setup) -> Option<ClockedPath> {
        let clocks = Clocks { halfmove: setup.halfmove_clock, number: setup.fullmove_number };
        Some(ClockedPath { path: MovePath::new(Position::try_from(setup).ok()?), clocks })
    }

    /// Returns the path with one more move, which must be legal.
    pub(super) fn played(&self, played: Move) -> ClockedPath {
        ClockedPath { path: self.path.played(played), clocks: self.clocks }
    }

    /// Returns the path to the same end that starts `count` moves later.
    pub(super) fn without_first(&self, count: usize) -> ClockedPath {
        ClockedPath { path: self.path.without_first(count), clocks: self.clocks_after(count) }
    }

    /// Returns the path without moves to the same end.
    pub(super) fn without_moves(&self) -> ClockedPath {
        self.without_first(self.path.moves.len())
    }

    /// Returns the path without moves to its root.
    pub(super) fn at_root(&self) -> ClockedPath {
        ClockedPath { path: MovePath::new(self.path.root), clocks: self.clocks }
    }

    /// Returns the same moves from another root, or `None` if they are not legal there.
    pub(super) fn replayed_from(&self, root: &Position) -> Option<ClockedPath> {
        let halfmove = Clocks::of_root(root).halfmove.min(self.clocks.halfmove);
        let clocks = Clocks { halfmove, ..self.clocks };
        Some(ClockedPath { path: self.path.replayed_from(root)?, clocks })
    }

    fn clocks_after(&self, count: usize) -> Clocks {
        let after = |(position, clocks): (Position, Clocks), &played: &Move| {
            (position.play_unchecked(played), clocks.after(&position, played))
        };
        self.path.moves[..count].iter().fold((self.path.root, self.clocks), after).1
    }

    /// Returns the clocks of the end.
    pub fn end_clocks(&self) -> Clocks {
        self.clocks_after(self.path.moves.len())
    }

    /// Returns the last move and the position before it.
    pub(super) fn last_move(&self) -> Option<(Position, Move)> {
        let played = *self.path.moves.last()?;
        Some((self.path.without_first(self.path.moves.len() - 1).root, played))
    }

    /// Returns the square that a FEN of the end may name as the en passant square: the one that the last move has
    /// passed, or that of the root if there is no move.
    pub(super) fn passed_square(&self) -> Option<Square> {
        let Some((_, played)) = self.last_move() else { return self.path.root.en_passant() };
        let middle = (played.from().index() + played.to().index()) / 2;
        Square::from_index(middle).filter(|_| played.kind() == MoveKind::DoublePush)
    }

    /// Returns the setup of the root.
    pub fn root_setup(&self) -> Setup {
        with_clocks(setup_of(&self.path.root), self.clocks)
    }

    /// Returns the setup of the end. Its en passant square is there if an opposing pawn stands beside it.
    pub fn end_setup(&self) -> Setup {
        with_clocks(self.path.end_setup(), self.end_clocks())
    }

    /// Returns the question about the end. `depth` is the depth of the count before the state is printed.
    pub(super) fn question(&self, depth: u32) -> Question {
        Question { fen: self.root_setup().to_fen(), ..self.path.question(depth) }
    }
}

fn with_clocks(setup: Setup, clocks: Clocks) -> Setup {
    Setup { halfmove_clock: clocks.halfmove, fullmove_number: clocks.number, ..setup }
}

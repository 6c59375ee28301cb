//! A position together with the moves that lead to it.

use perft_core::internals::attacks::between;
use perft_core::{CastlingNotation, Color, Move, MoveKind, Piece, Position, Setup, Square};

use crate::random::setup_of;
use crate::source::Question;

/// A root position with its clocks, the moves played from it, and the position at their end.
///
/// When a source is asked about the end, it gets the root and the moves, so that a bug in making moves shows.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_diagnosis::MovePath;
///
/// let root = MovePath::new(Position::start());
/// let path = root.played(root.end.find_move("g1f3").unwrap());
/// assert_eq!(path.uci_moves(), ["g1f3"]);
/// assert_eq!(path.end_setup().to_fen(), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovePath {
    /// The position before the first move.
    pub root: Position,
    /// The moves.
    pub moves: Vec<Move>,
    /// The position after the last move.
    pub end: Position,
    /// The clocks of the root. They have no effect on perft, but a source may use them.
    pub clocks: Clocks,
}

impl MovePath {
    /// Returns a path without moves.
    pub fn new(root: Position) -> MovePath {
        MovePath { root, moves: Vec::new(), end: root, clocks: Clocks::START }
    }

    /// Returns a path without moves, with the clocks of a FEN, or `None` if the setup is not legal.
    pub fn of_setup(setup: &Setup) -> Option<MovePath> {
        let clocks = Clocks { halfmove: setup.halfmove_clock, number: setup.fullmove_number };
        Some(MovePath { clocks, ..MovePath::new(Position::try_from(setup).ok()?) })
    }

    /// Returns the path with one more move, which must be legal.
    pub fn played(&self, played: Move) -> MovePath {
        let mut path = self.clone();
        path.moves.push(played);
        path.end = path.end.play_unchecked(played);
        path
    }

    /// Returns a path without moves whose root is the end of this path.
    pub fn without_moves(&self) -> MovePath {
        self.without_first(self.moves.len())
    }

    /// Returns the path to the same end that starts `count` moves later.
    ///
    /// # Panics
    /// Panics if the path has fewer moves.
    pub fn without_first(&self, count: usize) -> MovePath {
        let (skipped, moves) = self.moves.split_at(count);
        let after = |(position, clocks): (Position, Clocks), &played: &Move| {
            (position.play_unchecked(played), clocks.after(&position, played))
        };
        let (root, clocks) = skipped.iter().fold((self.root, self.clocks), after);
        MovePath { root, moves: moves.to_vec(), end: self.end, clocks }
    }

    /// Returns the path without moves whose root is the root of this path.
    pub(crate) fn at_root(&self) -> MovePath {
        MovePath { clocks: self.clocks, ..MovePath::new(self.root) }
    }

    /// Returns the last move and the position before it.
    pub(crate) fn last_move(&self) -> Option<(Position, Move)> {
        let played = *self.moves.last()?;
        Some((self.without_first(self.moves.len() - 1).root, played))
    }

    /// Returns the square that a FEN of the end may name as the en passant square: the square that the last move has
    /// passed, or that of the root if there is no move.
    pub(crate) fn passed_square(&self) -> Option<Square> {
        match self.moves.last() {
            Some(&played) => passed_by(played),
            None => self.root.en_passant(),
        }
    }

    /// Returns the same moves played from another root, or `None` if they are not legal there. The clocks are the same,
    /// but after a double push the halfmove clock is 0.
    pub(crate) fn replayed_from(&self, root: &Position) -> Option<MovePath> {
        let halfmove = if root.en_passant().is_some() { 0 } else { self.clocks.halfmove };
        let mut path = MovePath { clocks: Clocks { halfmove, ..self.clocks }, ..MovePath::new(*root) };
        for &played in &self.moves {
            if !path.end.legal_moves().contains(&played) {
                return None;
            }
            path = path.played(played);
        }
        Some(path)
    }

    /// Returns the castling notation that the root needs. All moves of the path are written in it.
    pub fn notation(&self) -> CastlingNotation {
        self.root.castling_notation()
    }

    /// Returns the moves in UCI notation.
    pub fn uci_moves(&self) -> Vec<String> {
        self.moves.iter().map(|played| played.to_uci(self.notation())).collect()
    }

    /// Returns the setup of the root, with its en passant square even if no capture on it is legal.
    pub fn root_setup(&self) -> Setup {
        let Clocks { halfmove, number } = self.clocks;
        Setup { halfmove_clock: halfmove, fullmove_number: number, ..setup_of(&self.root) }
    }

    /// Returns the setup of the end, with its en passant square even if no capture on it is legal.
    pub fn end_setup(&self) -> Setup {
        self.without_moves().root_setup()
    }

    /// Returns the question about the end. It gives the root as a FEN, and then the moves.
    pub fn question(&self, depth: u32) -> Question {
        let fen = self.root_setup().to_fen();
        Question { fen, moves: self.uci_moves(), ..Question::new(&self.root, depth) }
    }
}

/// The two clocks of a FEN.
///
/// # Examples
/// ```
/// use perft_core::Position;
/// use perft_diagnosis::Clocks;
///
/// let start = Position::start();
/// let clocks = Clocks { halfmove: 3, number: 7 };
/// let knight = start.find_move("g1f3").unwrap();
/// let pawn = start.find_move("e2e4").unwrap();
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

    /// Returns the clocks after a move.
    #[must_use]
    pub fn after(self, position: &Position, played: Move) -> Clocks {
        let is_reset = is_capture(position, played) || is_pawn_move(position, played);
        Clocks {
            halfmove: if is_reset { 0 } else { self.halfmove + 1 },
            number: self.number + u32::from(position.turn() == Color::Black),
        }
    }
}

pub(crate) fn is_capture(position: &Position, played: Move) -> bool {
    let takes = played.kind() != MoveKind::Castling && position.piece_at(played.to()).is_some();
    takes || played.kind() == MoveKind::EnPassant
}

/// Returns the square that a double push passes, or `None` for any other move.
pub(crate) fn passed_by(played: Move) -> Option<Square> {
    let is_double_push = played.kind() == MoveKind::DoublePush;
    between(played.from(), played.to()).first().filter(|_| is_double_push)
}

pub(crate) fn is_pawn_move(position: &Position, played: Move) -> bool {
    position.piece_at(played.from()).is_some_and(|mover| mover.piece == Piece::Pawn)
}

//! A question to a source: a position, the moves that lead to it, and a depth.

use std::fmt::{self, Display, Formatter};

use perft_core::internals::attacks::between;
use perft_core::{
    CastlingNotation, Color, FenError, Move, MoveKind, Piece, Position, Setup, SetupError, SetupWarning,
    Square,
};

use super::error::SourceError;
use crate::random::setup_of;

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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MovePath {
    /// The position before the first move.
    pub root: Position,
    /// The moves.
    pub moves: Vec<Move>,
    /// The position after the last move.
    pub end: Position,
    /// The clocks of the root. They have no effect on perft, but a source may use them.
    pub clocks: Clocks,
    /// The en passant square in the FEN of the root, if no pawn attacks it. The root itself leaves it out.
    pub unusable: Option<Square>,
}

impl MovePath {
    /// Returns a path without moves.
    pub fn new(root: Position) -> MovePath {
        MovePath { root, moves: Vec::new(), end: root, clocks: Clocks::START, unusable: None }
    }

    /// Returns a path without moves, with the clocks and the en passant square of a FEN.
    ///
    /// # Errors
    /// Returns an error if the setup is not legal.
    pub fn of_setup(setup: &Setup) -> Result<MovePath, SetupError> {
        let clocks = Clocks { halfmove: setup.halfmove_clock, number: setup.fullmove_number };
        let path = MovePath::new(Position::try_from(setup)?);
        Ok(MovePath { clocks, unusable: unusable(setup, &path.root), ..path })
    }

    /// Returns a path without moves from the position of a FEN, with the clocks and the en passant square of the FEN if they
    /// can be read.
    pub fn of_fen(fen: &str, position: Position) -> MovePath {
        let path = Setup::from_fen(fen).ok().and_then(|setup| MovePath::of_setup(&setup).ok());
        path.filter(|path| path.root == position).unwrap_or_else(|| MovePath::new(position))
    }

    /// Returns the path of the given moves from the position of a FEN. Both are constants of the program.
    ///
    /// # Panics
    /// Panics if the FEN or a move is wrong.
    pub(crate) fn of_known(fen: &str, moves: &str) -> MovePath {
        MovePath::parse(fen, moves.split_whitespace()).expect("the FEN and the moves are legal")
    }

    /// Returns the path of moves in UCI notation from the position of a FEN.
    ///
    /// # Errors
    /// Returns an error if the FEN or a move is not legal.
    pub fn parse(fen: &str, moves: impl IntoIterator<Item: AsRef<str>>) -> Result<MovePath, SourceError> {
        let cannot_count = |reason: &dyn Display| SourceError::CannotCount(reason.to_string());
        let setup: Setup = fen.parse().map_err(|error: FenError| cannot_count(&error))?;
        let root = MovePath::of_setup(&setup).map_err(|error| cannot_count(&error))?;
        moves.into_iter().try_fold(root, |path, text| {
            Ok(path.played(path.end.find_move(text.as_ref()).map_err(|error| cannot_count(&error))?))
        })
    }

    /// Returns the path with one more move, which must be legal.
    pub fn played(&self, played: Move) -> MovePath {
        let mut path = self.clone();
        path.moves.push(played);
        path.end = path.end.play_legal(played);
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
            (position.play_legal(played), clocks.after(&position, played))
        };
        let (root, clocks) = skipped.iter().fold((self.root, self.clocks), after);
        let unusable = self.unusable.filter(|_| count == 0);
        MovePath { root, moves: moves.to_vec(), end: self.end, clocks, unusable }
    }

    pub(crate) fn at_root(&self) -> MovePath {
        MovePath { moves: Vec::new(), end: self.root, ..self.clone() }
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
        path.unusable = unusable(&Setup { en_passant: self.unusable, ..setup_of(root) }, root);
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
        let setup = setup_of(&self.root);
        let en_passant = setup.en_passant.or(self.unusable);
        Setup { en_passant, halfmove_clock: halfmove, fullmove_number: number, ..setup }
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

/// Returns the en passant square of a setup if a pawn has passed it and the position leaves it out.
fn unusable(setup: &Setup, position: &Position) -> Option<Square> {
    let is_passed = |at: &Square| !setup.warnings().contains(&SetupWarning::EnPassantWithoutPawn(*at));
    setup.en_passant.filter(|_| position.en_passant().is_none()).filter(is_passed)
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

pub(crate) fn passed_by(played: Move) -> Option<Square> {
    let is_double_push = played.kind() == MoveKind::DoublePush;
    between(played.from(), played.to()).first().filter(|_| is_double_push)
}

pub(crate) fn is_capture(position: &Position, played: Move) -> bool {
    let takes = played.kind() != MoveKind::Castling && position.piece_at(played.to()).is_some();
    takes || played.kind() == MoveKind::EnPassant
}

pub(crate) fn is_pawn_move(position: &Position, played: Move) -> bool {
    position.piece_at(played.from()).is_some_and(|mover| mover.piece == Piece::Pawn)
}

/// A question for the leaf nodes below each move of a position, at a depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position from which the moves are played.
    pub fen: String,
    /// The moves to play first, in UCI notation.
    pub moves: Vec<String>,
    /// The depth in plies, counted from the position after the moves.
    pub depth: u32,
    /// Whether castling is written as in Chess960: the king takes its own rook.
    pub is_chess960: bool,
}

impl Display for Question {
    /// Writes the position and the moves: `FEN moves e2e4 e7e5`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.moves.is_empty() {
            true => f.write_str(&self.fen),
            false => write!(f, "{} moves {}", self.fen, self.moves.join(" ")),
        }
    }
}

impl Question {
    /// Returns a question about a position, with the castling notation that the position needs.
    ///
    /// The FEN has an en passant square even if no capture on it is legal. Handling this is a part of the test.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::source::Question;
    ///
    /// let question = Question::new(&Position::start(), 5);
    /// assert!(question.fen.starts_with("rnbqkbnr/") && !question.is_chess960);
    /// let pinned = Position::from_fen("8/8/8/K2Pp2r/8/8/8/6k1 w - e6 0 1").unwrap();
    /// assert!(Question::new(&pinned, 1).fen.contains(" e6 "));
    /// ```
    pub fn new(position: &Position, depth: u32) -> Question {
        Question {
            fen: setup_of(position).to_fen(),
            moves: Vec::new(),
            depth,
            is_chess960: position.castling_notation() == CastlingNotation::Chess960,
        }
    }

    /// Returns a question that keeps the given text of a FEN, so that the FEN parser of the source is tested too.
    ///
    /// A FEN of four fields gets the clocks that some engines need. Castling rights of standard chess are written as K
    /// and Q, because a program that does not know Chess960 does not know other letters.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::source::Question;
    ///
    /// let fen = "4k3/8/8/8/4P3/8/8/4K3 b - e3";
    /// let question = Question::with_fen(fen, &Position::from_fen(fen).unwrap(), 5);
    /// assert_eq!(question.fen, "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
    ///
    /// let fen = "r3k2r/8/8/8/8/8/8/4K3 b ha - 0 1";
    /// let question = Question::with_fen(fen, &Position::from_fen(fen).unwrap(), 1);
    /// assert_eq!(question.fen, "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1");
    /// ```
    pub fn with_fen(fen: &str, position: &Position, depth: u32) -> Question {
        let mut fields: Vec<&str> = fen.split_whitespace().collect();
        if fields.len() == 4 {
            fields.extend(["0", "1"]);
        }
        let question = Question::new(position, depth);
        if let (Some(rights), false) = (fields.get_mut(2), question.is_chess960) {
            *rights = question.fen.split(' ').nth(2).unwrap_or("-");
        }
        Question { fen: fields.join(" "), ..question }
    }

    /// Returns the question with the castling rights of Chess960 as letters of files.
    #[must_use]
    pub fn with_file_letters(&self) -> Question {
        let setup = Setup::from_fen(&self.fen).ok().filter(|_| self.is_chess960);
        let fen = setup.map_or_else(|| self.fen.clone(), |setup| setup.to_shredder_fen());
        Question { fen, ..self.clone() }
    }

    /// Returns the position after the moves, as this library plays them. A source that tests your code plays them
    /// itself.
    ///
    /// # Errors
    /// Returns an error if the FEN or a move is not legal. It may be that of a chess variant.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::source::Question;
    ///
    /// let moves = vec!["e2e4".to_owned(), "c7c5".to_owned()];
    /// let question = Question { moves, ..Question::new(&Position::start(), 1) };
    /// let end = question.end().unwrap().to_string();
    /// assert_eq!(end, "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    /// ```
    pub fn end(&self) -> Result<Position, SourceError> {
        Ok(MovePath::parse(&self.fen, &self.moves)?.end)
    }

    /// Returns the FEN of the position after the moves, with its clocks.
    ///
    /// # Errors
    /// Returns an error if the FEN or a move is not legal.
    ///
    /// # Examples
    /// ```
    /// use perft_core::Position;
    /// use perft_diagnosis::source::Question;
    ///
    /// let moves = vec!["g1f3".to_owned()];
    /// let question = Question { moves, ..Question::new(&Position::start(), 1) };
    /// assert_eq!(question.end_fen().unwrap(), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
    /// ```
    pub fn end_fen(&self) -> Result<String, SourceError> {
        if self.moves.is_empty() {
            return Ok(self.fen.clone());
        }
        Ok(MovePath::parse(&self.fen, &self.moves)?.end_setup().to_fen())
    }

    /// Returns the question about the position after one more move, one ply less deep. The move is a text, so it may be
    /// a move of a chess variant.
    pub(crate) fn after(&self, played: &str) -> Question {
        let mut question = Question { depth: self.depth - 1, ..self.clone() };
        question.moves.push(played.to_owned());
        question
    }
}

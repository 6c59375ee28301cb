//! Finds out how a source reads the castling rights of Chess960.
//!
//! A FEN can name a castling right in two ways: with K and Q for the outermost rooks (X-FEN), or with the letter of the
//! rook's file (Shredder-FEN). This program writes K and Q where that is enough. A source that reads only one of the
//! two notations is not wrong about castling. So before the first question about Chess960, a source is asked about a
//! few positions in which the side to move can castle. After that, it gets the castling rights in the notation that it
//! reads.

use perft_core::{CastlingNotation, Color, Position, StopSignal};

use crate::difference::Told;
use crate::models::Misreading;
use crate::source::{Abilities, Answer, Cost, CountSource, MovePath, Question, SourceError, State};

/// Positions that need the castling rights of Chess960. In all but the last one, the side to move can castle on both
/// sides. In the last one, the right belongs to the outer rook, and the inner rook is in its way.
const ROOTS: [&str; 4] = [
    "4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1",
    "4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1",
    "r1k4r/8/8/8/8/8/8/4K3 b kq - 0 1",
    "5k2/8/8/8/8/8/8/R1RK4 w Q - 0 1",
];

/// The number of these positions in which the side to move can castle. A source that does not castle is wrong about
/// them.
const WITH_CASTLING: usize = ROOTS.len() - 1;

/// A position in which a right belongs to an inner rook. Only the letter of the rook's file can name it.
const INNER: &str = "4k3/8/8/8/8/8/8/R2R1K1R w KD - 0 1";

/// A position of double Chess960: the two sides have started with different arrays. Some programs keep one file for the
/// rooks of both sides. They are right in Chess960, because no game of Chess960 reaches this position.
const DOUBLE: &str = "1r3k2/8/8/8/8/8/8/R1K5 w Qq - 0 1";

/// White can castle on both sides, in standard chess. A source that is wrong here too has another bug.
const STANDARD: &str = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";

/// The notation in which a source reads castling rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Letters {
    /// The source has not been asked yet.
    Unknown,
    /// It reads them as they are written by default.
    Sides,
    /// It reads only K and Q, so it cannot be asked about rights of inner rooks.
    OnlySides,
    /// It reads only the letters of files.
    Files,
    /// It does not castle in Chess960.
    Nothing,
}

/// A source that gets the castling rights of Chess960 in the notation that it reads.
pub struct Chess960Source<S: CountSource + ?Sized> {
    letters: Letters,
    /// Whether the source reads positions of double Chess960.
    knows_double: bool,
    source: Box<S>,
}

impl<S: CountSource + ?Sized> Chess960Source<S> {
    /// Wraps a source. [`Chess960Source::examine`] also says how it misreads castling rights.
    pub fn new(source: Box<S>) -> Chess960Source<S> {
        Chess960Source { letters: Letters::Unknown, knows_double: true, source }
    }

    /// Returns the source itself. It gets castling rights as they are written by default.
    pub(crate) fn inner(&mut self) -> &mut S {
        &mut self.source
    }

    /// Finds out how the source reads castling rights, unless that is known or the source does not play Chess960.
    /// If the source misreads them, returns a wrong answer and the way in which it misreads them.
    pub fn examine(&mut self, stop: &StopSignal) -> Option<(Told, Misreading)> {
        if self.letters != Letters::Unknown || !self.source.abilities().is_chess960 {
            return None;
        }
        let (letters, misread) = self.examine_letters(stop);
        self.knows_double = self.wrong(letters, &[DOUBLE], stop).is_empty();
        misread
    }

    fn examine_letters(&mut self, stop: &StopSignal) -> (Letters, Option<(Told, Misreading)>) {
        let by_sides = self.wrong(Letters::Sides, &ROOTS, stop);
        let inner = if by_sides.is_empty() { self.wrong(Letters::Sides, &[INNER], stop).pop() } else { None };
        let Some(first) = by_sides.first().cloned().or(inner) else { return (Letters::Sides, None) };
        let by_files = self.wrong(Letters::Files, &ROOTS, stop).len();
        let (letters, reading) = match by_sides.len() {
            0 if by_files >= WITH_CASTLING => (Letters::OnlySides, Misreading::OnlySides),
            1.. if by_files == 0 => (Letters::Files, Misreading::OnlyFileLetters),
            WITH_CASTLING..
                if by_files >= WITH_CASTLING && self.wrong(Letters::Files, &[STANDARD], stop).is_empty() =>
            {
                (Letters::Nothing, Misreading::NoChess960Castling)
            }
            _ => return (Letters::Sides, None),
        };
        (letters, Some((first, reading)))
    }

    /// Finds out from the printed FENs whether the source reads only the letters of files. If so, it gets them from
    /// then on, and the result is a path to a position in which it does not read K and Q.
    ///
    /// Does nothing if this is known or if the source does not play Chess960.
    pub(crate) fn examine_states(&mut self, stop: &StopSignal) -> Option<MovePath> {
        if self.letters != Letters::Unknown || !self.source.abilities().is_chess960 {
            return None;
        }
        let paths: Vec<MovePath> =
            ROOTS[..WITH_CASTLING].iter().map(|fen| MovePath::of_known(fen, "")).collect();
        let mut prints = |letters| {
            self.letters = letters;
            paths.iter().filter(|path| self.prints_rights(path, stop)).count()
        };
        let reads_files = prints(Letters::Sides) == 0 && prints(Letters::Files) == paths.len();
        self.letters = if reads_files { Letters::Files } else { Letters::Sides };
        reads_files.then(|| paths[0].clone())
    }

    fn prints_rights(&mut self, path: &MovePath, stop: &StopSignal) -> bool {
        let printed = self.state(&path.question(0), stop).ok().and_then(|state| state.fen);
        printed.is_some_and(|fen| castling_field(&fen) != "-")
    }

    /// Whether the source can be asked about a position. It can if the position is of standard chess, or if the source
    /// plays Chess960 and reads the castling rights of the position.
    pub fn can_read(&self, root: &Position) -> bool {
        let is_of_sides = |letter| "KQkq-".contains(letter);
        root.castling_notation() == CastlingNotation::Standard
            || (self.abilities().is_chess960
                && (self.knows_double || !is_double(root))
                && (self.letters != Letters::OnlySides
                    || castling_field(&Question::new(root, 1).fen).chars().all(is_of_sides)))
    }

    /// Returns the faults about positions whose castling rights are written with some letters, if a new start of the source
    /// shows them too. A source that does not answer is not wrong, because a missing answer says nothing about the letters.
    fn wrong(&mut self, letters: Letters, roots: &[&str], stop: &StopSignal) -> Vec<Told> {
        self.letters = letters;
        let wrong_at = |fen: &&str| {
            let path = MovePath::of_known(fen, "");
            let wrong_answer = |source: &mut Self| {
                let answer = source.ask(&path.question(1), stop).ok()?;
                let told = Told::new(path.clone(), 1, path.end.divide(1), answer);
                Some(told).filter(|told| told.difference.is_wrong())
            };
            let first = wrong_answer(self)?;
            self.restart();
            let again = wrong_answer(self)?;
            again.difference.is_same_as(&first.difference).then_some(first)
        };
        roots.iter().filter_map(wrong_at).collect()
    }

    /// Whether the source gets castling rights as letters of files.
    pub fn gets_file_letters(&self) -> bool {
        self.letters == Letters::Files
    }

    /// Returns a question as the source gets it.
    pub fn written(&self, question: &Question) -> Question {
        if self.gets_file_letters() { question.with_file_letters() } else { question.clone() }
    }
}

impl<S: CountSource + ?Sized> CountSource for Chess960Source<S> {
    /// Asks the source. Before the first question about Chess960, finds out how it reads castling rights.
    fn ask(&mut self, question: &Question, stop: &StopSignal) -> Result<Answer, SourceError> {
        if question.is_chess960 && self.letters == Letters::Unknown {
            self.prepare(stop)?;
            self.examine(stop);
            if stop.is_raised() {
                self.letters = Letters::Unknown;
                return Err(SourceError::Interrupted);
            }
        }
        self.source.ask(&self.written(question), stop)
    }

    fn state(&mut self, question: &Question, stop: &StopSignal) -> Result<State, SourceError> {
        self.source.state(&self.written(question), stop)
    }

    fn prepare(&mut self, stop: &StopSignal) -> Result<(), SourceError> {
        self.source.prepare(stop)
    }

    fn restart(&mut self) {
        self.source.restart();
    }

    fn abilities(&self) -> Abilities {
        let abilities = self.source.abilities();
        Abilities { is_chess960: abilities.is_chess960 && self.letters != Letters::Nothing, ..abilities }
    }

    fn name(&self) -> Option<&str> {
        self.source.name()
    }

    fn cost(&self) -> Cost {
        self.source.cost()
    }
}

/// Whether the castling rights of the two sides belong to different start arrays.
fn is_double(position: &Position) -> bool {
    let rooks = |color: Color| {
        let king = position.king(color).file();
        let files = position.castling().rooks(color).into_iter().map(|rook| rook.file());
        (king, files.map(|rook| (rook > king, rook)).collect::<Vec<_>>())
    };
    let ((white_king, white), (black_king, black)) = (rooks(Color::White), rooks(Color::Black));
    let differs = |(is_right, file)| black.iter().any(|&(other, rook)| other == is_right && rook != file);
    !white.is_empty() && !black.is_empty() && (white_king != black_king || white.into_iter().any(differs))
}

fn castling_field(fen: &str) -> &str {
    fen.split_whitespace().nth(2).unwrap_or("-")
}

//! How a source reads the castling rights of Chess960.
//!
//! A FEN can name a castling right in two ways: with K and Q for the outermost rooks (X-FEN), or with the letter of the
//! rook's file (Shredder-FEN). This program writes K and Q where that is enough. A source that reads only one of the
//! two notations is not wrong about castling. So before the first question about Chess960, a source is asked about a
//! few positions in which the side to move can castle. After that, it gets the castling rights in the notation that it
//! reads.

use perft_core::{Color, Position};

use crate::difference::Told;
use crate::models::Misreading;
use crate::source::{MovePath, Question, State};

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
pub(crate) const DOUBLE: &str = "1r3k2/8/8/8/8/8/8/R1K5 w Qq - 0 1";

/// White can castle on both sides, in standard chess. A source that is wrong here too has another bug.
const STANDARD: &str = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";

/// The letters in which a source reads castling rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letters {
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

/// Asks about the position of a FEN with these letters. Returns the answer if it is wrong.
type WrongAt<'a> = &'a mut dyn FnMut(Letters, &str) -> Option<Told>;

impl Letters {
    /// Finds out what a source reads. If it misreads castling rights, also returns a wrong answer and the way in which it
    /// misreads them.
    pub fn learn(wrong_at: WrongAt) -> (Letters, Option<(Told, Misreading)>) {
        let by_sides = wrong_at_roots(Letters::Sides, wrong_at);
        let inner = || wrong_at(Letters::Sides, INNER);
        let Some(first) = by_sides.first().cloned().or_else(inner) else { return (Letters::Sides, None) };
        let by_files = wrong_at_roots(Letters::Files, wrong_at).len();
        let (letters, reading) = match by_sides.len() {
            0 if by_files >= WITH_CASTLING => (Letters::OnlySides, Misreading::OnlySides),
            1.. if by_files == 0 => (Letters::Files, Misreading::OnlyFileLetters),
            WITH_CASTLING.. if by_files >= WITH_CASTLING && wrong_at(Letters::Files, STANDARD).is_none() => {
                (Letters::Nothing, Misreading::NoChess960Castling)
            }
            _ => return (Letters::Sides, None),
        };
        (letters, Some((first, reading)))
    }

    /// Finds out from printed FENs whether a source reads only the letters of files. If so, also returns a path to a
    /// position in which it does not read K and Q.
    pub fn learn_from_states(
        state: &mut dyn FnMut(Letters, &MovePath) -> Option<State>,
    ) -> (Letters, Option<MovePath>) {
        let paths: Vec<MovePath> =
            ROOTS[..WITH_CASTLING].iter().map(|fen| MovePath::of_known(fen, "")).collect();
        let mut prints = |letters| {
            let printed = paths.iter().filter_map(|path| state(letters, path)?.fen);
            printed.filter(|fen| castling_field(fen) != "-").count()
        };
        match prints(Letters::Sides) == 0 && prints(Letters::Files) == paths.len() {
            true => (Letters::Files, paths.into_iter().next()),
            false => (Letters::Sides, None),
        }
    }

    /// Whether the castling rights of a position can be written in these letters.
    pub fn can_write(self, root: &Position) -> bool {
        let is_of_sides = |letter| "KQkq-".contains(letter);
        self != Letters::OnlySides || castling_field(&Question::new(root, 1).fen).chars().all(is_of_sides)
    }
}

fn wrong_at_roots(letters: Letters, wrong_at: WrongAt) -> Vec<Told> {
    ROOTS.iter().filter_map(|fen| wrong_at(letters, fen)).collect()
}

/// Whether a position is of double Chess960: the castling rights of the two sides belong to different start arrays.
pub(crate) fn is_double(position: &Position) -> bool {
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

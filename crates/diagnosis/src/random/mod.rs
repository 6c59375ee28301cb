//! Random positions, games and moves, with more checks, pins, promotions and castling than in real games.
//!
//! All of them depend only on the numbers of a [`Random`], which never change. A seed that once found a bug finds it
//! again in every version and on every machine. [`kinds`] lists the kinds of positions.
//!
//! # Examples
//! ```
//! use perft_diagnosis::random::Random;
//! use perft_diagnosis::random::kinds::PositionKind;
//!
//! let mut random = Random::new(1);
//! for kind in PositionKind::ALL {
//!     let position = kind.position(&mut random);
//!     println!("{kind:?}: {position}, {} moves", position.legal_moves().len());
//! }
//! ```

pub mod kinds;

use perft_core::internals::{Direction, checkers, split_mix_64};
use perft_core::suite::builtin;
use perft_core::{Color, ColoredPiece, File, Move, MoveKind, Piece, Position, Rank, Setup, Square};

/// Positions in which random games start. The features of each position show within a few moves.
pub const ROOTS: [&str; 10] = [
    // The start position.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    // Castling on both sides for both colours, pins, en passant.
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    // En passant removes two pawns from the rank of a king.
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    // Castling, and promotions that capture castling rooks.
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    // Promotions to every piece, for both sides.
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // Only kings and castling rooks.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    // Only kings and pawns: en passant captures are frequent.
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    // Few moves, so deep counts are fast.
    "8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1",
    // Chess960: castling rooks next to the king, or one file from their target.
    "1rk3r1/pp4pp/8/3pp3/3PP3/8/PP4PP/1RK3R1 w GBgb - 0 1",
    // Queens: checks and pins on every move.
    "3q2k1/2q5/8/8/8/8/3Q4/1K2Q3 w - - 0 1",
];

/// Returns the Chess960 start position with the given arrays of the two sides, as a Shredder-FEN.
///
/// An array is given by its number from 0 to 959 in the scheme of Reinhard Scharnagl.
///
/// # Examples
/// ```
/// use perft_diagnosis::random::chess960_start;
///
/// assert_eq!(chess960_start(518, 518), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
/// ```
///
/// # Panics
/// Panics if a number is above 959.
pub fn chess960_start(white: u32, black: u32) -> String {
    let [white, black] = [white, black].map(chess960_array);
    let rights = |array: &str| -> String {
        let rooks = array.char_indices().filter(|(_, piece)| *piece == 'R');
        rooks.map(|(file, _)| (b'A' + file as u8) as char).rev().collect()
    };
    let (upper, lower) = (rights(&white), rights(&black).to_lowercase());
    format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {upper}{lower} - 0 1", black.to_lowercase())
}

fn chess960_array(number: u32) -> String {
    let start = builtin::position(&format!("960:{number}")).expect("there are 960 start arrays");
    start.fen[..8].to_uppercase()
}

/// Returns the setup of a position, with its en passant square even if no capture on it is legal.
pub fn setup_of(position: &Position) -> Setup {
    Setup { en_passant: position.en_passant(), ..Setup::from(position) }
}

/// Returns the move for a random number, or `None` if there are no moves.
///
/// One number in four chooses castling, a promotion or an en passant capture, if there is one. Otherwise these moves
/// would be too rare.
pub fn choose(moves: &[Move], choice: u64) -> Option<Move> {
    let is_rare = |played: &&Move| {
        use MoveKind::*;
        !matches!(played.kind(), Pawn | DoublePush | Knight | Diagonal | Orthogonal | King)
    };
    let rare: Vec<&Move> = moves.iter().filter(is_rare).collect();
    let index = (choice / 4) as usize;
    match rare.len() {
        0 => moves.get(index % moves.len().max(1)).copied(),
        count if choice.is_multiple_of(4) => Some(*rare[index % count]),
        _ => Some(moves[index % moves.len()]),
    }
}

/// Returns random moves from a position, as many as `plies` unless the game ends earlier.
pub(crate) fn random_moves(position: &Position, random: &mut Random, plies: usize) -> Vec<Move> {
    let (mut position, mut moves) = (*position, Vec::new());
    while moves.len() < plies
        && let Some(played) = choose(&position.legal_moves(), random.number())
    {
        moves.push(played);
        position = position.play_legal(played);
    }
    moves
}

/// A generator of random numbers from a seed: SplitMix64 by Sebastiano Vigna.
///
/// Its numbers must never change, so it is not taken from a library of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns a generator with this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns the next number.
    pub fn number(&mut self) -> u64 {
        split_mix_64(&mut self.0)
    }

    /// Returns a number below `bound`.
    ///
    /// # Panics
    /// Panics if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u64) as usize
    }

    /// Returns `true` with a probability of one in `times`.
    ///
    /// # Panics
    /// Panics if `times` is 0.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Returns one item of a slice.
    ///
    /// # Panics
    /// Panics if the slice is empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Returns a legal setup with the kings and `pieces` other pieces. Castling rooks and a passing pawn may be added.
pub fn random_setup(random: &mut Random, pieces: usize) -> Setup {
    let mut setup = two_kings(random);
    put_pieces(&mut setup, random, pieces);
    if random.one_in(2) {
        put_castling_rooks(&mut setup, random);
    }
    if random.one_in(2) {
        put_passing_pawn(&mut setup, random);
    }
    recolor_checkers(&mut setup);
    setup
}

/// Returns a setup with two kings that are not adjacent, half of the time on their back ranks, where they can castle.
fn two_kings(random: &mut Random) -> Setup {
    let mut setup = Setup { turn: random.pick(&Color::ALL), ..Setup::EMPTY };
    for color in Color::ALL {
        loop {
            let file = random.pick(&File::ALL);
            let rank = if random.one_in(2) { color.back_rank() } else { random.pick(&Rank::ALL) };
            let king = Square::new(file, rank);
            let other = setup.squares_of(!color, Piece::King).first();
            if other.is_none_or(|other| distance(king, other) > 1) {
                put(&mut setup, king, color, Piece::King);
                break;
            }
        }
    }
    setup
}

pub(crate) fn distance(a: Square, b: Square) -> i8 {
    let files = a.file() as i8 - b.file() as i8;
    let ranks = a.rank() as i8 - b.rank() as i8;
    files.abs().max(ranks.abs())
}

/// Puts pieces of both colours on empty squares. The kinds of all pieces come from one random selection.
fn put_pieces(setup: &mut Setup, random: &mut Random, pieces: usize) {
    use Piece::*;
    let kinds: &[Piece] = random.pick(&[
        &[Pawn, Pawn, Pawn, Knight, Bishop, Rook, Queen][..],
        &[Pawn, Knight, Bishop, Rook],
        &[Pawn],
        &[Pawn, Queen],
        &[Bishop, Rook],
        &[Knight, Queen],
        &[Queen],
    ]);
    for _ in 0..pieces {
        let empty: Vec<Square> =
            Square::ALL.into_iter().filter(|&at| setup.board[at.index()].is_none()).collect();
        if empty.is_empty() {
            return;
        }
        let at = random.pick(&empty);
        let mut piece = random.pick(kinds);
        if piece == Pawn && matches!(at.rank(), Rank::First | Rank::Eighth) {
            piece = random.pick(&[Knight, Bishop, Rook, Queen]);
        }
        put(setup, at, random.pick(&Color::ALL), piece);
    }
}

/// Puts rooks with castling rights on one side or both sides of each king on its back rank.
fn put_castling_rooks(setup: &mut Setup, random: &mut Random) {
    for color in Color::ALL {
        let Some(king) = setup.squares_of(color, Piece::King).first() else { continue };
        if king.rank() != color.back_rank() {
            continue;
        }
        let (left, right) = File::ALL.split_at(king.file().index());
        let sides: [Vec<File>; 2] = [left.iter().rev().copied().collect(), right[1..].to_vec()];
        for outward in sides {
            if !outward.is_empty() && !random.one_in(4) {
                put_castling_rook(setup, random, king, color, &outward);
            }
        }
    }
}

/// Puts a castling rook on one of the files `outward`, which go from the king to the edge. Sometimes the squares
/// between king and rook are cleared, and sometimes an enemy slider behind the rook pins it.
fn put_castling_rook(setup: &mut Setup, random: &mut Random, king: Square, color: Color, outward: &[File]) {
    let at = random.below(outward.len());
    let rook = Square::new(outward[at], color.back_rank());
    if is_king(setup, rook) {
        return;
    }
    put(setup, rook, color, Piece::Rook);
    setup.castling.add(rook);
    if random.one_in(2) {
        clear_between(setup, king, rook);
    }
    let behind = &outward[at + 1..];
    if !behind.is_empty() && random.one_in(2) {
        let pinner = Square::new(random.pick(behind), color.back_rank());
        if !is_king(setup, pinner) {
            put(setup, pinner, !color, random.pick(&[Piece::Rook, Piece::Queen]));
            clear_between(setup, rook, pinner);
        }
    }
}

/// Removes all pieces except kings between two squares of a rank.
fn clear_between(setup: &mut Setup, a: Square, b: Square) {
    for index in a.index().min(b.index()) + 1..a.index().max(b.index()) {
        if !is_king(setup, Square::ALL[index]) {
            setup.board[index] = None;
        }
    }
}

/// Puts an enemy pawn that has just made a double step next to a pawn of the side to move, unless a king is in the way.
fn put_passing_pawn(setup: &mut Setup, random: &mut Random) {
    let us = setup.turn;
    let stop = Square::new(random.pick(&File::ALL), us.rank(Rank::Fifth));
    let beside = [Direction::West, Direction::East].into_iter().filter_map(|side| side.step(stop));
    let captor = random.pick(&beside.collect::<Vec<Square>>());
    let passed = us.forward().step(stop).expect("two ranks from the edge");
    let start = us.forward().step(passed).expect("one rank from the edge");
    if [stop, captor, passed, start].into_iter().any(|at| is_king(setup, at)) {
        return;
    }
    put(setup, stop, !us, Piece::Pawn);
    put(setup, captor, us, Piece::Pawn);
    setup.board[passed.index()] = None;
    setup.board[start.index()] = None;
    setup.en_passant = Some(passed);
}

/// Makes sure that the side to move does not give check. Its checking pieces change their colour. They stay on their
/// squares, so that no other check is discovered.
fn recolor_checkers(setup: &mut Setup) {
    let (us, them) = (setup.turn, !setup.turn);
    for checker in checkers(setup, us, them) {
        setup.castling.remove(checker.into());
        if let Some(piece) = &mut setup.board[checker.index()] {
            piece.color = them;
        }
    }
}

fn is_king(setup: &Setup, at: Square) -> bool {
    setup.board[at.index()].is_some_and(|found| found.piece == Piece::King)
}

fn put(setup: &mut Setup, at: Square, color: Color, piece: Piece) {
    setup.board[at.index()] = Some(ColoredPiece { color, piece });
}

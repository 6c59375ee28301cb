//! Random legal positions with pieces on random squares. Games need not reach them.
//!
//! The board has from 2 to 64 pieces, sometimes more than nine queens, and sometimes several of them give check. An
//! illegal setup is corrected rather than discarded, so full boards are as frequent as empty ones. Half of the
//! positions get castling rights, and half an en passant square, because random squares would rarely allow them.

use perft_core::internals::{Direction, checkers};
use perft_core::{Color, ColoredPiece, File, Piece, Rank, Setup, Square};

use super::Random;

/// Returns a legal setup with up to `pieces` pieces and the kings.
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
pub fn two_kings(random: &mut Random) -> Setup {
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

/// Returns the number of king moves between two squares.
pub fn distance(a: Square, b: Square) -> i8 {
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
pub fn put_castling_rooks(setup: &mut Setup, random: &mut Random) {
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
pub fn put_passing_pawn(setup: &mut Setup, random: &mut Random) {
    let us = setup.turn;
    let stop_rank = if us == Color::White { Rank::Fifth } else { Rank::Fourth };
    let stop = Square::new(random.pick(&File::ALL), stop_rank);
    let beside = [Direction::West, Direction::East].into_iter().filter_map(|side| side.step(stop));
    let beside: Vec<Square> = beside.collect();
    let captor = random.pick(&beside);
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
pub fn recolor_checkers(setup: &mut Setup) {
    let (us, them) = (setup.turn, !setup.turn);
    for checker in checkers(setup, us, them) {
        setup.castling.remove(checker.into());
        if let Some(piece) = &mut setup.board[checker.index()] {
            piece.color = them;
        }
    }
}

/// Whether a king is on a square.
pub fn is_king(setup: &Setup, at: Square) -> bool {
    setup.board[at.index()].is_some_and(|found| found.piece == Piece::King)
}

/// Puts a piece on a square and replaces any other piece there.
pub fn put(setup: &mut Setup, at: Square, color: Color, piece: Piece) {
    setup.board[at.index()] = Some(ColoredPiece { color, piece });
}

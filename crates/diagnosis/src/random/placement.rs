//! Random legal positions that need not come from any game: the men are thrown on the board.
//!
//! Two kings and a bare board up to all 64 squares full, nine queens and more, several pieces giving check at once. What
//! makes a position unplayable is mended, not thrown again, so that crowded boards are as frequent as sparse ones;
//! castling rights and en passant squares, which chance would seldom allow, are built in half of the time.

use super::Random;
use perft_core::Setup;
use perft_core::internals::Direction;
use perft_core::internals::attacks::{king, knight, pawn};
use perft_core::internals::sliders::{Magic, Sliders};
use perft_core::{Bitboard, Color, ColoredPiece, File, Piece, Rank, Square};

/// A setup without a fault, with up to so many men beside the kings.
pub fn random_setup(random: &mut Random, men: usize) -> Setup {
    let mut setup = Setup { turn: random.pick(&Color::ALL), ..Setup::EMPTY };
    put_kings(&mut setup, random);
    put_men(&mut setup, random, men);
    if random.one_in(2) {
        put_castling_rooks(&mut setup, random);
    }
    if random.one_in(2) {
        put_passing_pawn(&mut setup, random);
    }
    turn_coats_of_checkers(&mut setup);
    setup
}

/// Two kings that do not touch; half of them where they might castle.
pub fn put_kings(setup: &mut Setup, random: &mut Random) {
    for color in Color::ALL {
        loop {
            let file = random.pick(&File::ALL);
            let rank = if random.one_in(2) { color.back_rank() } else { random.pick(&Rank::ALL) };
            let king = Square::new(file, rank);
            let other = setup.squares_of(!color, Piece::King).first();
            if other.is_none_or(|other| distance(king, other) > 1) {
                put(setup, king, color, Piece::King);
                break;
            }
        }
    }
}

/// Steps that a king needs from one square to another.
pub fn distance(a: Square, b: Square) -> i8 {
    let files = a.file() as i8 - b.file() as i8;
    let ranks = a.rank() as i8 - b.rank() as i8;
    files.abs().max(ranks.abs())
}

/// Men of both colours from a random choice of kinds, on squares that are still empty.
fn put_men(setup: &mut Setup, random: &mut Random, men: usize) {
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
    for _ in 0..men {
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

/// A rook with the right to castle on one side or both of every king on its back rank.
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

/// A rook on one of these files, which lead from the king to the edge. Sometimes nothing stands between the two, and
/// sometimes an enemy behind the rook pins it.
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

/// Takes everything but kings off the squares between two on a rank.
fn clear_between(setup: &mut Setup, a: Square, b: Square) {
    for index in a.index().min(b.index()) + 1..a.index().max(b.index()) {
        if !is_king(setup, Square::ALL[index]) {
            setup.board[index] = None;
        }
    }
}

/// An enemy pawn that has just made its double step, with a pawn of the mover beside it, if no king is in the way.
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

/// The side not to move may not stand in check. Men of the mover that check it go over to it: that blocks what they
/// blocked before, so no other check is uncovered.
pub fn turn_coats_of_checkers(setup: &mut Setup) {
    let (us, them) = (setup.turn, !setup.turn);
    for checker in checkers(setup, us, them) {
        setup.castling.remove(checker.into());
        if let Some(man) = &mut setup.board[checker.index()] {
            man.color = them;
        }
    }
}

/// The men of one colour that attack the king of the other.
fn checkers(setup: &Setup, by: Color, of: Color) -> Bitboard {
    let Some(at) = setup.squares_of(of, Piece::King).first() else { return Bitboard::EMPTY };
    let occupied: Bitboard =
        Square::ALL.into_iter().filter(|&square| setup.board[square.index()].is_some()).collect();
    let men = |piece| setup.squares_of(by, piece);
    (pawn(of, at) & men(Piece::Pawn))
        | (knight(at) & men(Piece::Knight))
        | (king(at) & men(Piece::King))
        | (Magic.bishop(at, occupied) & (men(Piece::Bishop) | men(Piece::Queen)))
        | (Magic.rook(at, occupied) & (men(Piece::Rook) | men(Piece::Queen)))
}

/// True if a king stands there.
pub fn is_king(setup: &Setup, at: Square) -> bool {
    setup.board[at.index()].is_some_and(|man| man.piece == Piece::King)
}

/// Puts a man on a square, whatever stood there.
pub fn put(setup: &mut Setup, at: Square, color: Color, piece: Piece) {
    setup.board[at.index()] = Some(ColoredPiece { color, piece });
}

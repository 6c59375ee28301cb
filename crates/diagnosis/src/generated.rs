//! Generated questions: they show at once what suites meet by chance.
//!
//! A wrong entry of a table, or a move that leaves the board on one side and comes back on the other, shows when each
//! piece stands alone on each square. A table of counts whose key lacks something shows when two positions that differ
//! only there are asked about one after the other in one process.

use perft_core::{Color, ColoredPiece, Piece, Position, Setup, Square};

use crate::source::MovePath;

/// The squares of the kings beside a piece that is alone.
const KINGS: [Square; 8] =
    [Square::A1, Square::H1, Square::A8, Square::H8, Square::D2, Square::E7, Square::G3, Square::B6];

/// Returns positions with a piece of each kind on each square, and nothing else than kings: with the most moves, and with
/// the piece of the other side with the fewest moves and in check.
pub(crate) fn alone() -> Vec<Position> {
    let mut positions = Vec::new();
    for piece in Piece::ALL {
        for (number, at) in Square::ALL.into_iter().enumerate() {
            let color = if number % 2 == 0 { Color::White } else { Color::Black };
            let colors = if piece == Piece::Pawn { vec![color, !color] } else { vec![color] };
            for color in colors {
                let piece = ColoredPiece { color, piece };
                positions.extend(beside_kings(piece, at, color).max_by_key(number_of_moves));
                positions.extend(beside_kings(piece, at, !color).min_by_key(number_of_moves));
                positions.extend(beside_kings(piece, at, !color).find(|position| position.checkers().any()));
            }
        }
    }
    positions
}

fn beside_kings(piece: ColoredPiece, at: Square, turn: Color) -> impl Iterator<Item = Position> {
    let kings = KINGS.into_iter().flat_map(|white| KINGS.map(|black| (white, black)));
    let is_king = piece.piece == Piece::King;
    kings.filter_map(move |(white, black)| {
        let mut setup = Setup { turn, ..Setup::EMPTY };
        for (color, king) in [(Color::White, white), (Color::Black, black)] {
            let is_alone = is_king && color == piece.color;
            let king = if is_alone { at } else { king };
            setup.board[king.index()] = Some(ColoredPiece { color, piece: Piece::King });
        }
        let is_free = is_king || setup.board[at.index()].is_none();
        setup.board[at.index()] = Some(piece);
        is_free.then(|| Position::try_from(&setup).ok()).flatten()
    })
}

fn number_of_moves(position: &Position) -> usize {
    position.legal_moves().len()
}

/// The lists of positions, each position with what follows it.
const POSITIONS: &str = include_str!("generated.txt");

/// Returns the positions of a list, each with what is behind a bar in its line.
pub(crate) fn list(name: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_list = move |line: &'static str| line.strip_prefix(name).filter(|rest| rest.starts_with(' '));
    POSITIONS.lines().filter_map(of_list).map(|line| {
        let (fen, more) = line.split_once('|').unwrap_or((line, ""));
        (fen.trim(), more.trim())
    })
}

/// The depth of the questions in pairs. Many tables have no entries for fewer plies.
const DEPTH: u32 = 3;

/// Returns pairs of questions: about positions that differ in one part of a key, and about one position.
pub(crate) fn pairs() -> Vec<[(MovePath, u32); 2]> {
    let known = |fen: &str| MovePath::of_known(fen, "");
    let pair = |(first, second): (&str, &str)| {
        let board = first.split(' ').next().filter(|_| !second.contains('/'));
        let second: Vec<&str> = board.into_iter().chain([second]).collect();
        [(known(first), DEPTH), (known(&second.join(" ")), DEPTH)]
    };
    let twice = |(fen, depths): (&str, &str)| {
        let (first, second) = depths.split_once(' ').expect("two depths");
        [first, second].map(|depth| (known(fen), depth.parse().expect("a depth")))
    };
    list("pair").map(pair).chain(list("twice").map(twice)).collect()
}

/// Returns paths with moves that a program may play otherwise than it searches them.
pub(crate) fn paths() -> Vec<MovePath> {
    list("path").map(|(fen, moves)| MovePath::of_known(fen, moves)).collect()
}

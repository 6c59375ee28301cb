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

/// Returns positions with a piece of each kind on each square, and nothing else than kings: once with the most moves, and
/// once with the piece of the other side and the fewest.
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
            }
        }
    }
    positions
}

/// Returns the legal positions with a piece on a square and kings on other ones.
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

/// Positions that differ in one part of a key. The last fields are those of the second position.
const PAIRS: [(&str, &str); 24] = [
    ("r3k2r/8/8/8/8/8/8/4K3 w kq -", "w k -"),
    ("r3k2r/8/8/8/8/8/8/4K3 b k -", "b kq -"),
    ("r3k2r/8/8/8/8/8/8/4K3 b - -", "b q -"),
    ("r3k3/8/8/8/8/8/7P/4K3 w - -", "w q -"),
    ("4k2r/8/8/8/8/8/P7/4K3 w k -", "w - -"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ -", "w Q -"),
    ("4k3/8/8/8/8/8/8/R3K2R w - -", "w KQ -"),
    ("4k3/7p/8/8/8/8/8/R3K3 b Q -", "b - -"),
    ("4k3/p7/8/8/8/8/8/4K2R b - -", "b K -"),
    ("4k3/8/8/8/pP6/8/8/4K3 b - b3", "b - -"),
    ("4k3/8/8/8/3pP3/8/8/4K3 b - e3", "b - -"),
    ("4k3/8/8/8/5pPp/8/8/4K3 b - -", "b - g3"),
    ("4k3/8/8/pP6/8/8/8/4K3 w - a6", "w - -"),
    ("4k3/8/8/3Pp3/8/8/8/4K3 w - -", "w - e6"),
    ("4k3/8/8/3pPp2/8/8/8/4K3 w - d6", "w - f6"),
    ("4k3/8/8/6Pp/8/8/8/4K3 w - h6", "w - -"),
    ("4k3/8/8/8/8/8/4P3/4K3 w - -", "b - -"),
    ("4k3/p7/8/8/8/8/7P/4K3 b - -", "w - -"),
    ("4k3/8/2n5/8/8/8/4P3/4K3 w - -", "b - -"),
    ("4k3/8/8/2q5/8/8/8/4K3 w - -", "b - -"),
    ("4k3/8/8/8/2n5/8/8/4K3 w - -", "4k3/8/8/8/2b5/8/8/4K3 w - -"),
    ("4k3/8/8/8/2Q5/8/8/4K3 b - -", "4k3/8/8/8/2R5/8/8/4K3 b - -"),
    ("4k3/8/8/8/B7/8/8/4K3 w - -", "4k3/8/8/8/Q7/8/8/4K3 w - -"),
    ("4k3/8/8/1N6/8/8/8/4K3 w - -", "4k3/8/8/1n6/8/8/8/4K3 w - -"),
];

/// Returns pairs of positions that differ in one part of a key.
pub(crate) fn pairs() -> Vec<[MovePath; 2]> {
    let pair = |(first, second): (&str, &str)| {
        let board = first.split(' ').next().filter(|_| !second.contains('/'));
        let second: Vec<&str> = board.into_iter().chain([second]).collect();
        [first, &second.join(" ")].map(|fen| MovePath::of_known(&format!("{fen} 0 1"), ""))
    };
    PAIRS.map(pair).to_vec()
}

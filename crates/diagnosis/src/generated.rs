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

/// Positions that differ in one part of a key, or whose moves lead to such positions. The last fields are those of the
/// second position.
const PAIRS: [(&str, &str); 27] = [
    ("4k2r/8/8/8/8/8/P7/4K3 w k -", "w - -"),
    ("4k2r/8/8/8/8/8/8/4K3 b - -", "b k -"),
    ("r3k2r/8/8/8/8/8/8/4K3 b q -", "b kq -"),
    ("r3k3/8/8/8/8/8/7P/4K3 w - -", "w q -"),
    ("r3k3/8/8/8/8/8/8/4K3 b q -", "b - -"),
    ("r3k2r/8/8/8/8/8/8/4K3 w kq -", "w k -"),
    ("4k3/8/8/8/8/8/8/4K2R w K -", "w - -"),
    ("4k3/p7/8/8/8/8/8/4K2R b - -", "b K -"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ -", "w Q -"),
    ("4k3/8/8/8/8/8/8/R3K3 w - -", "w Q -"),
    ("4k3/7p/8/8/8/8/8/R3K3 b Q -", "b - -"),
    ("4k3/8/8/8/8/8/8/R3K2R b KQ -", "b K -"),
    ("4k3/8/8/8/3p4/8/4P3/4K3 w - -", "4k3/8/8/8/3p4/4P3/8/4K3 w - -"),
    ("4k3/8/8/8/1p6/P7/8/4K3 w - -", "4k3/8/8/8/1p6/8/P7/4K3 w - -"),
    ("4k3/6p1/8/7P/8/8/8/4K3 b - -", "4k3/8/6p1/7P/8/8/8/4K3 b - -"),
    ("4k3/8/8/8/2Pp4/8/4P3/4K3 w - -", "4k3/8/8/8/3pP3/8/2P5/4K3 w - -"),
    ("4k3/8/8/8/5Pp1/8/7P/4K3 w - -", "4k3/8/8/8/6pP/8/5P2/4K3 w - -"),
    ("4k3/4p3/8/2pP4/8/8/8/4K3 b - -", "4k3/2p5/8/3Pp3/8/8/8/4K3 b - -"),
    ("4k3/8/8/8/8/8/8/N3K3 w - -", "3k4/8/8/8/8/1N6/8/4K3 b - -"),
    ("4k3/8/8/8/8/8/p7/3K4 b - -", "4k2b/8/8/8/8/8/p7/4K3 w - -"),
    ("4k2b/8/8/8/8/8/P7/3K4 w - -", "4k3/8/8/4b3/8/8/P7/4K3 b - -"),
    ("4k3/8/8/2q5/8/8/8/4K3 w - -", "4k3/8/8/8/8/2q5/8/5K2 b - -"),
    ("4k3/8/8/8/2n5/8/8/4K3 w - -", "4k3/8/8/8/2b5/8/8/4K3 w - -"),
    ("4k3/8/8/8/2Q5/8/8/4K3 b - -", "4k3/8/8/8/2R5/8/8/4K3 b - -"),
    ("4k3/8/8/8/8/B7/8/4K3 w - -", "4k3/8/8/8/8/Q7/8/4K3 w - -"),
    ("4k3/8/8/1N6/8/8/8/4K3 w - -", "4k3/8/8/1n6/8/8/8/4K3 w - -"),
    ("4k3/8/8/8/8/8/r7/4K3 b - -", "4k3/8/8/8/8/8/R7/4K3 b - -"),
];

/// Positions that are asked about twice, at a smaller depth the second time.
const TWICE: [&str; 4] = [
    "4k3/8/8/8/8/8/4P3/4K3 w - -",
    "4k3/p7/8/8/8/8/8/4K3 b - -",
    "k7/8/8/8/8/8/8/N6K w - -",
    "k7/8/8/8/3p4/8/4P3/K7 w - -",
];

/// The depth of the questions in pairs. Many tables have no entries for fewer plies.
const DEPTH: u32 = 3;

/// Returns pairs of questions: about positions that differ in one part of a key, and about one position.
pub(crate) fn pairs() -> Vec<[(MovePath, u32); 2]> {
    let known = |fen: &str| MovePath::of_known(&format!("{fen} 0 1"), "");
    let pair = |(first, second): (&str, &str)| {
        let board = first.split(' ').next().filter(|_| !second.contains('/'));
        let second: Vec<&str> = board.into_iter().chain([second]).collect();
        [(known(first), DEPTH), (known(&second.join(" ")), DEPTH)]
    };
    let twice = |fen: &str| [(known(fen), DEPTH + 1), (known(fen), DEPTH)];
    PAIRS.map(pair).into_iter().chain(TWICE.map(twice)).collect()
}

/// Positions with moves that are played first. Many programs have code of their own for playing moves, apart from that of
/// their search, and the position afterwards shows its bugs. The FENs without moves have an en passant square that no pawn
/// attacks.
const PATHS: [(&str, &str); 25] = [
    ("4k3/P7/8/8/8/8/8/4K3 w - -", "a7a8q e8e7"),
    ("4k3/P7/8/8/8/8/8/4K3 w - -", "a7a8r e8e7"),
    ("4k3/P7/8/8/8/8/8/4K3 w - -", "a7a8b e8e7"),
    ("4k3/P7/8/8/8/8/8/4K3 w - -", "a7a8n e8e7"),
    ("4k3/8/8/8/8/8/7p/4K3 b - -", "h2h1n e1e2"),
    ("4k3/8/8/8/8/8/7p/4K3 b - -", "h2h1b e1e2"),
    ("4k3/8/8/8/8/8/7p/4K3 b - -", "h2h1r e1e2"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1g1 e8c8"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1c1 e8g8"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ -", "e1g1 e8d8 g1g2 d8e8 f1h1 e8d8 g2f2 d8e8 f2e1 e8d8"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ -", "a1b1 e8d8 b1a1 d8e8"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ -", "e1d1 e8d8 d1e1 d8e8"),
    ("r3k2r/8/8/8/8/8/8/4K3 b kq -", "e8f8 e1f1 f8e8 f1e1"),
    ("r3k2r/8/8/8/8/8/8/4K3 b kq -", "h8g8 e1f1 g8h8 f1e1"),
    ("rr2k3/8/8/8/8/8/6B1/4K3 w q -", "g2a8 b8a8 e1e2"),
    ("4k2r/7r/8/8/8/2B5/8/4K3 w k -", "c3h8 h7h8 e1e2"),
    ("4k3/6b1/8/8/8/8/R7/R3K3 b Q -", "g7a1 a2a1 e8e7"),
    ("4k3/1b6/8/8/8/8/7R/4K2R b K -", "b7h1 h2h1 e8e7"),
    ("rr2k3/1P6/8/8/8/8/8/4K3 w q -", "b7a8q b8a8 e1e2"),
    ("4k3/8/8/8/8/8/6p1/4K1RR b K -", "g2h1q g1h1 e8e7"),
    ("4k3/8/8/3Pp3/8/8/8/4K3 w - e6", "d5e6 e8e7"),
    ("4k3/8/8/8/3p4/8/4P3/4K3 w - -", "e2e4 d4e3"),
    ("4k3/8/8/8/3p4/8/4P3/4K3 w - -", "e2e4"),
    ("4k3/8/8/8/4P3/8/8/4K3 b - e3", ""),
    ("4k3/8/8/2p5/8/8/8/4K3 w - c6", ""),
];

/// Returns paths with moves that a program may play otherwise than it searches them.
pub(crate) fn paths() -> Vec<MovePath> {
    PATHS.map(|(fen, moves)| MovePath::of_known(&format!("{fen} 0 1"), moves)).to_vec()
}

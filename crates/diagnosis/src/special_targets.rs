//! Targets of a hunt that are in no suite, because they need clocks, moves or depth: drawn positions and
//! transpositions.

use perft_core::{START_FEN, Setup, find_move};

use crate::hunt::HuntTarget;
use crate::path::MovePath;

/// FENs, moves and depths.
///
/// A program that ends drawn games is wrong about the first three. Draws by insufficient material are in the suites.
///
/// The others are for transposition tables. Their trees have positions that differ only in castling rights (after
/// Ra1-b1-a1 and after Rh1-g1-h1), or only in the en passant square (after e3, Kb1, e4 and after Ka2, Kb1, e4). If the
/// key of a table lacks this part, one of the positions gets the count of the other. Two plies are left below these
/// positions, because many tables have no entries for fewer.
const TARGETS: [(&str, &str, u32); 5] = [
    ("4k3/8/8/8/8/8/3R4/4K3 b - - 98 120", "", 3),
    ("4k3/8/8/8/8/8/3R4/4K3 w - - 100 121", "", 2),
    (START_FEN, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", 2),
    ("k7/p7/P7/8/8/7p/P6P/R3K2R w KQ - 0 1", "", 6),
    ("k7/8/8/8/3p4/8/4P3/K7 w - - 0 1", "", 7),
];

/// Returns targets for bugs that suites cannot find: ending drawn games, and confusing positions in the transposition
/// table.
///
/// # Examples
/// ```
/// use perft_diagnosis::special_targets;
///
/// assert!(special_targets().iter().any(|target| target.path.clocks.halfmove == 100));
/// ```
pub fn special_targets() -> Vec<HuntTarget> {
    let target = |(fen, moves, depth): (&str, &str, u32)| {
        let setup = Setup::from_fen(fen).expect("the FEN is right");
        let root = MovePath::of_setup(&setup).expect("the position is legal");
        let path = moves
            .split_whitespace()
            .fold(root, |path, text| path.played(find_move(&path.end, text).expect("the move is legal")));
        HuntTarget { path, depths: (1..=depth).collect() }
    };
    TARGETS.map(target).to_vec()
}

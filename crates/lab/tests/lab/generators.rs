//! Tests every generator of the registry: the built-in suites, and the properties of a board on random positions.
//!
//! A macro expands the tests for each generator of the registry. The moves are compared with those of `perft-core`,
//! which has separate tests.

use perft_core::suite::builtin;
use perft_core::{Move, Position};
use perft_count::{CpuPath, LeafMode, Perft};
use perft_diagnosis::random::kinds::PositionKind;
use perft_diagnosis::random::{Random, choose, setup_of};
use perft_lab::generators::{Board, Generator};
use perft_testing::suites;

/// The number of random positions for each property. Two plies of 2,500 positions revealed each of 308 planted bugs
/// that two plies can reveal. The moves are compared over twelve plies.
const POSITIONS: u64 = 2_000;

/// The number of plies that are played from each random position.
const PLIES: usize = 12;

/// The tests of each generator.
macro_rules! tests {
    ($($name:literal $variant:ident $board:ty, $about:literal, $source:literal;)*) => {
        $(
            #[allow(non_snake_case)]
            mod $variant {
                use super::*;

                #[test]
                fn suites_are_right_in_bulk() {
                    suites_are_right(Generator::$variant, LeafMode::Bulk, 300_000);
                }

                #[test]
                fn suites_are_right_with_every_leaf_made() {
                    suites_are_right(Generator::$variant, LeafMode::EveryLeaf, 30_000);
                }

                #[test]
                fn a_divide_adds_up_on_any_number_of_threads() {
                    divides_add_up(Generator::$variant);
                }

                #[test]
                fn moves_are_right_on_random_positions() {
                    for_random_positions(moves_are_right::<$board>);
                }

                #[test]
                fn each_child_leaves_the_board_unchanged() {
                    for_random_positions(board_is_restored::<$board>);
                }

                #[test]
                fn moves_are_right_on_a_board_that_is_played_along() {
                    for_random_positions(playing_along_is_right::<$board>);
                }
            }
        )*
    };
}

perft_lab::each_generator!(tests);

/// Returns the CPU paths of this machine for which generators are compiled.
fn paths() -> impl Iterator<Item = CpuPath> {
    [CpuPath::Bmi2, CpuPath::Portable].into_iter().filter(|path| path.is_available())
}

fn driver(generator: Generator, path: CpuPath) -> Perft {
    let perft = Perft::new().cpu_path(path).unwrap();
    perft.leaf_counter(generator.counter(path.bmi2_features()))
}

fn suites_are_right(generator: Generator, leaf_mode: LeafMode, max_nodes: u128) {
    for path in paths() {
        let perft = driver(generator, path).leaf_mode(leaf_mode);
        suites::assert_right(&format!("{generator} on {path}"), &perft, max_nodes);
    }
}

fn divides_add_up(generator: Generator) {
    let kiwipete = &builtin::position("kiwipete").unwrap().position;
    for threads in [1, 3] {
        let perft = driver(generator, CpuPath::best()).threads(threads).unwrap();
        for (depth, nodes) in [(0, 0), (1, 48), (2, 2039), (4, 4_085_603)] {
            let divide = perft.divide(kiwipete, depth);
            let sum: u128 = divide.iter().map(|below| below.nodes).sum();
            assert_eq!(sum, nodes, "{generator} at depth {depth} on {threads} threads");
        }
        assert_eq!(perft.count(kiwipete, 0), 1);
    }
}

fn for_random_positions(check: impl Fn(&Position, &mut Random)) {
    for number in 0..POSITIONS {
        let mut random = Random::new(number);
        let kind = PositionKind::of_number(number);
        check(&kind.position(&mut random), &mut random);
    }
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort();
    moves
}

fn moves_are_right<B: Board>(position: &Position, _: &mut Random) {
    let mut board = B::new(position);
    let expected = sorted(position.legal_moves());
    let fen = setup_of(position).to_fen();
    assert_eq!(sorted(board.legal_moves()), expected, "{fen}");
    assert_eq!(board.count_moves(), expected.len() as u64, "{fen}");
}

fn board_is_restored<B: Board>(position: &Position, _: &mut Random) {
    let mut board = B::new(position);
    let before = board.clone();
    board.each_child(|_, child| child.each_child(|_, _| {}));
    assert_eq!(board, before, "{}", setup_of(position).to_fen());
    board.count_moves();
    assert_eq!(board, before, "{} after counting", setup_of(position).to_fen());
}

fn playing_along_is_right<B: Board>(position: &Position, random: &mut Random) {
    let mut position = *position;
    let mut board = B::new(&position);
    for _ in 0..PLIES {
        let Some(played) = choose(&position.legal_moves(), random.number()) else { break };
        let from = setup_of(&position).to_fen();
        let child = board.children().into_iter().find(|(found, _)| *found == played);
        board = child.unwrap_or_else(|| panic!("{played:?} is missing in {from}")).1;
        position = position.play_legal(played);
        assert_eq!(sorted(board.legal_moves()), sorted(position.legal_moves()), "{from} and then {played:?}");
    }
}

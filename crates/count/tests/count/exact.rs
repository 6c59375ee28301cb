//! Exact mode, distinct positions per ply, and the packed positions that both use.

use std::collections::{HashMap, HashSet};

use perft_core::internals::{ChildPacker, PackedPosition};
use perft_core::suite::builtin;
use perft_core::{Interrupted, Position, StopSignal};
use perft_count::{CpuPath, Frontier, LeafMode, Perft, PlyCount, Progress};
use perft_diagnosis::random::{ROOTS, Random};
use perft_testing::{children, random_position};

use crate::paths::from_environment;

/// Memory limits in bytes. They are enough for almost nothing, for some plies, and for all plies.
const MEMORY_BYTES: [usize; 5] = [0, 1_000, 20_000, 1 << 20, 64 << 20];

fn exact(perft: &Perft, position: &Position, depth: u32, memory_bytes: usize) -> u128 {
    perft.count_exact(position, depth, memory_bytes, &Progress::default()).unwrap().total
}

/// Returns drivers that count in different ways.
fn drivers() -> Vec<Perft> {
    let paths = CpuPath::ALL.into_iter().filter_map(|path| Perft::new().cpu_path(path).ok());
    paths.chain([Perft::new().threads(3).unwrap(), Perft::new().leaf_mode(LeafMode::EveryLeaf)]).collect()
}

fn suite_positions() -> impl Iterator<Item = Position> {
    builtin::suites().iter().flat_map(|built_in| built_in.suite().cases.iter().map(|case| case.position))
}

#[test]
fn packed_positions_are_equal_if_and_only_if_their_fens_are() {
    let mut packed_of = HashMap::<String, PackedPosition>::new();
    let mut fen_of = HashMap::<PackedPosition, String>::new();
    for root in suite_positions().chain((0..1_000).map(random_position)) {
        for position in [root].into_iter().chain(children(&root)) {
            let (fen, packed) = (position.to_string(), PackedPosition::from(&position));
            assert_eq!(*packed_of.entry(fen.clone()).or_insert(packed), packed, "two packed forms of {fen}");
            assert_eq!(*fen_of.entry(packed).or_insert(fen.clone()), fen, "one packed form of two positions");
        }
    }
}

#[test]
fn children_are_packed_like_positions_after_a_move() {
    for root in suite_positions().chain((0..1_000).map(random_position)) {
        let packer = ChildPacker::new(&root);
        for played in root.legal_moves() {
            let child = PackedPosition::from(&root.play_legal(played));
            assert_eq!(packer.child(played), child, "{root} {played:?}");
        }
    }
}

#[test]
fn only_captures_change_the_waiting_army() {
    for root in suite_positions().chain((0..1_000).map(random_position)) {
        for played in root.legal_moves() {
            let child = root.play_legal(played);
            let (before, after) = (PackedPosition::from(&root), PackedPosition::from(&child));
            let is_capture = root.occupied().count() > child.occupied().count();
            let is_same = before.waiting_hash() == after.mover_hash();
            assert_eq!(is_same, !is_capture, "{root} {played:?}");
            let turned = before.mover_hash() == after.waiting_hash();
            assert!(!turned, "the army that moved is the same: {root} {played:?}");
        }
    }
}

#[test]
fn unpacking_restores_everything_except_an_unusable_en_passant_square() {
    for root in suite_positions().chain((0..1_000).map(random_position)) {
        for position in [root].into_iter().chain(children(&root)) {
            let unpacked = PackedPosition::from(&position).unpack();
            assert_eq!(unpacked.to_string(), position.to_string());
            assert_eq!(unpacked.legal_moves(), position.legal_moves(), "{position}");
            if position.en_passant() == position.legal_en_passant() {
                assert_eq!(unpacked, position);
            }
        }
    }
}

#[test]
fn exact_counts_of_the_suites_are_right() {
    let mut random = Random::new(1);
    for path in CpuPath::ALL.into_iter().filter(|path| path.is_available()) {
        let perft = Perft::new().cpu_path(path).unwrap().threads(2).unwrap();
        for case in builtin::suites().iter().flat_map(|built_in| &built_in.suite().cases) {
            for known in case.expected.iter().filter(|known| known.nodes <= 2_000_000) {
                let memory_bytes = random.pick(&MEMORY_BYTES);
                let nodes = exact(&perft, &case.position, known.depth, memory_bytes);
                assert_eq!(nodes, known.nodes, "{} depth {}, {memory_bytes} bytes", case.name(), known.depth);
            }
        }
    }
}

#[test]
fn exact_counts_of_random_positions_equal_plain_counts() {
    let (drivers, mut random) = (drivers(), Random::new(2));
    for position in (0..from_environment("PERFT_POSITIONS", 200)).map(random_position) {
        let depth = (1..=6).take_while(|&depth| position.perft(depth) < 300_000).last().unwrap_or(0);
        let (perft_of, memory_bytes) = (&drivers[random.below(drivers.len())], random.pick(&MEMORY_BYTES));
        let nodes = exact(perft_of, &position, depth, memory_bytes);
        assert_eq!(nodes, position.perft(depth), "{position} depth {depth}, {memory_bytes} bytes");
    }
}

/// White's bishops are on the bits of a constant in the hash of an army. So the hash is the same wherever the white
/// rooks are, and the vector paths must not count positions with these armies together.
#[test]
fn armies_with_the_same_hash_are_counted_separately() {
    let fen = "1BBBB2B/BBB1BBp1/BppBBBBk/B2BBBpB/BBBBBBB1/1B1B2BR/R1BBBBB1/B1B1B1K1 w - - 0 1";
    let position = Position::from_fen(fen).unwrap();
    let armies: HashSet<_> =
        children(&position).iter().map(|child| PackedPosition::from(child).waiting_army()).collect();
    let hashes: HashSet<u64> =
        children(&position).iter().map(|child| PackedPosition::from(child).waiting_hash()).collect();
    assert!(hashes.len() < armies.len(), "{} hashes of {} armies", hashes.len(), armies.len());
    for path in CpuPath::ALL.into_iter().filter(|path| path.is_available()) {
        let driver = Perft::new().cpu_path(path).unwrap();
        assert_eq!(exact(&driver, &position, 4, 1 << 20), position.perft(4), "{path}");
    }
}

#[test]
fn counts_below_many_positions_equal_the_count_below_each() {
    let random = (0..30).map(random_position).filter(|position| position.perft(4) < 300_000);
    let of_roots = ROOTS.iter().flat_map(|root| {
        let root = Position::from_fen(root).unwrap();
        let nodes: Vec<Position> = children(&root).iter().flat_map(children).collect();
        nodes.into_iter().step_by(80)
    });
    let positions: Vec<Position> = random.chain(of_roots).collect();
    for (depth, positions) in [(0, &positions[..]), (3, &positions), (4, &positions), (5, &positions[..8])] {
        let expected: Vec<u128> = positions.iter().map(|position| position.perft(depth)).collect();
        for perft in &drivers() {
            let progress = Progress::default();
            assert_eq!(perft.count_each(positions, depth, &progress), Ok(expected.clone()), "depth {depth}");
            assert_eq!(u128::from(progress.nodes()), expected.iter().sum::<u128>());
            assert!(progress.fraction() > 0.99, "{}", progress.fraction());
        }
    }
    let stop = StopSignal::default();
    stop.raise();
    assert_eq!(Perft::new().count_each(&positions, 4, &Progress::new(stop)), Err(Interrupted));
}

/// The children of at most 65,536 positions are merged together. In the first case, there are more positions one ply
/// below those of the frontier, and in the second one, in the frontier itself. The known total was counted with a
/// table.
#[test]
fn counts_below_more_positions_than_are_merged_together_are_right() {
    let root = Position::from_fen("8/8/8/4k3/8/8/8/R3K3 w - - 0 1").unwrap();
    let (perft, progress) = (Perft::new(), Progress::default());
    let next = |frontier: Frontier, _| frontier.next(&perft, 1 << 28, &progress).unwrap();
    for (plies, depth, found) in [(8, 5, 49_657), (9, 4, 105_018)] {
        let frontier = (0..plies).fold(Frontier::new(&root), next);
        let (positions, ways): (Vec<Position>, Vec<u64>) = frontier.iter().unzip();
        assert_eq!(positions.len(), found);
        let counts = perft.count_each(&positions, depth, &progress).unwrap();
        let total: u128 = counts.iter().zip(ways).map(|(count, ways)| count * u128::from(ways)).sum();
        assert_eq!(total, 47_807_910_245_404);
    }
}

#[test]
fn an_exact_divide_equals_a_plain_divide() {
    for root in ROOTS {
        let position = Position::from_fen(root).unwrap();
        let (perft, progress) = (Perft::new().threads(2).unwrap(), Progress::default());
        for depth in 0..=4 {
            let plain = perft.divide_with_progress(&position, depth, &progress).unwrap();
            let exact = perft.divide_exact(&position, depth, 1 << 20, &progress).unwrap();
            assert_eq!(exact, plain, "{root} depth {depth}");
        }
    }
}

#[test]
fn exact_statistics_equal_plain_statistics() {
    for (root, threads) in ROOTS.into_iter().zip([1, 2].into_iter().cycle()) {
        let position = Position::from_fen(root).unwrap();
        let (perft, progress) = (Perft::new().threads(threads).unwrap(), Progress::default());
        for depth in 0..=4 {
            let plain = perft.statistics(&position, depth, None, &progress).unwrap();
            for memory_bytes in [0, 200 << 10, 1 << 24] {
                let exact = perft.statistics_exact(&position, depth, memory_bytes, &progress).unwrap();
                assert_eq!(exact.total, plain, "{root} depth {depth}, {memory_bytes} bytes");
                assert_eq!(u128::from(progress.nodes()), plain.nodes);
            }
            let plain = perft.divide_statistics(&position, depth, None, &progress).unwrap();
            let exact = perft.divide_statistics_exact(&position, depth, 1 << 20, &progress).unwrap();
            assert_eq!(exact, plain, "{root} depth {depth}");
        }
    }
}

/// Returns the number of distinct positions of each ply from 0 up. Each ply is also counted without being stored.
fn unique(root: &Position, plies: u32, threads: usize, memory_bytes: usize) -> Vec<u64> {
    let (perft, progress) = (Perft::new().threads(threads).unwrap(), Progress::default());
    let mut frontier = Frontier::new(root);
    let mut counts = vec![1];
    while frontier.ply() < plies {
        let counted = frontier.count_next(&perft, memory_bytes, &progress).unwrap();
        if counted.ply < plies {
            frontier = frontier.next(&perft, memory_bytes, &progress).unwrap();
            assert_eq!(frontier.count(), counted);
            assert_eq!(frontier.iter().count() as u64, counted.positions);
        }
        let PlyCount { ply, positions, nodes } = counted;
        assert_eq!(nodes, root.perft(ply));
        counts.push(positions);
        if ply == plies {
            break;
        }
    }
    counts
}

#[test]
fn distinct_positions_are_as_many_as_distinct_fens() {
    for root in ROOTS {
        let position = Position::from_fen(root).unwrap();
        let mut reached = HashMap::from([(position.to_string(), position)]);
        let mut counts = vec![1];
        for _ in 0..3 {
            reached = reached.values().flat_map(children).map(|child| (child.to_string(), child)).collect();
            counts.push(reached.len() as u64);
        }
        assert_eq!(unique(&position, 3, 2, 1 << 24), counts, "{root}");
        let progress = Progress::default();
        let two_plies = (0..2)
            .fold(Frontier::new(&position), |last, _| last.next(&Perft::new(), 1 << 24, &progress).unwrap());
        for memory_bytes in [0, two_plies.bytes() + 5_000, two_plies.bytes() + 50_000] {
            let counted = two_plies.count_next(&Perft::new(), memory_bytes, &progress).unwrap();
            assert_eq!(counted.positions, counts[3], "{root}, {memory_bytes} bytes");
        }
    }
}

//! Frontiers and exact counts: the memory that they use, their checks and their progress.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use perft_core::{Color, ColoredPiece, LeafCounter, MoveList, Piece, Position, Setup};
use perft_count::{Frontier, FrontierError, Perft, Phase, PlyCount, Progress, WrongSum};

const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const QUEEN: &str = "8/8/8/4k3/8/3Q4/1PP1K3/8 w - - 0 1";

fn frontier(root: &Position, ply: u32) -> Frontier {
    (0..ply).fold(Frontier::new(root), |frontier, _| {
        frontier.next(&Perft::new(), 1 << 28, &Progress::default()).unwrap()
    })
}

/// A counter with a bug.
#[derive(Clone, Copy)]
enum Faulty {
    /// Misses a move of the start position, but counts correctly from depth 2 on.
    MissesAMove,
    /// Counts one move too many at depth 1, but not at the start position.
    CountsAMoveTooMany,
}

impl LeafCounter for Faulty {
    fn moves(&self, position: &Position) -> MoveList {
        let is_missing = matches!(self, Faulty::MissesAMove) && *position == Position::start();
        position.legal_moves().into_iter().skip(usize::from(is_missing)).collect()
    }

    fn count(&self, position: &Position, depth: u32) -> u64 {
        match (self, depth) {
            (Faulty::MissesAMove, 1) => self.moves(position).len() as u64,
            (Faulty::MissesAMove, _) => position.perft(depth) as u64,
            (Faulty::CountsAMoveTooMany, _) => {
                position.perft(depth) as u64 + u64::from(depth == 1 && *position != Position::start())
            }
        }
    }
}

#[test]
fn a_wrong_multiplicity_is_found() {
    for (faulty, wrong) in [
        (Faulty::MissesAMove, WrongSum { ply: 2, expected: 400, found: 380 }),
        (Faulty::CountsAMoveTooMany, WrongSum { ply: 2, expected: 420, found: 400 }),
    ] {
        let (perft, progress) = (Perft::new().leaf_counter(Box::new(faulty)), Progress::default());
        let before = Frontier::new(&Position::start()).next(&perft, 1 << 20, &progress).unwrap();
        let error = FrontierError::WrongSum(wrong);
        assert_eq!(before.next(&perft, 1 << 20, &progress).unwrap_err(), error);
        assert_eq!(before.count_next(&perft, 1 << 20, &progress), Err(error));
        let exact = perft.count_exact(&Position::start(), 6, 1 << 20, &progress);
        assert_eq!(exact, Err(FrontierError::WrongSum(wrong)));
    }
}

/// A counter that notes the phases of the count, and how many positions are counted two plies above the leaves.
#[derive(Default)]
struct Watching {
    progress: Progress,
    phases: Mutex<Vec<Phase>>,
    counted_below: AtomicU64,
}

impl Watching {
    fn note_phase(&self) {
        let (mut phases, phase) = (self.phases.lock().unwrap(), self.progress.phase());
        if phases.last() != Some(&phase) {
            phases.push(phase);
        }
    }
}

struct Watcher(Arc<Watching>);

impl LeafCounter for Watcher {
    fn moves(&self, position: &Position) -> MoveList {
        self.0.note_phase();
        position.legal_moves()
    }

    fn count(&self, position: &Position, depth: u32) -> u64 {
        self.0.note_phase();
        let is_counted_below = depth == 2 && self.0.progress.phase() == Phase::Counting;
        self.0.counted_below.fetch_add(is_counted_below.into(), Relaxed);
        position.perft(depth) as u64
    }
}

#[test]
fn an_exact_count_tells_its_phase_and_counts_each_child_once() {
    let watching = Arc::new(Watching::default());
    let perft = Perft::new().leaf_counter(Box::new(Watcher(watching.clone())));
    let queen = Position::from_fen(QUEEN).unwrap();
    let exact = perft.count_exact(&queen, 7, 1 << 24, &watching.progress).unwrap();
    assert_eq!(exact.total, 67_779_951);
    let phases = watching.phases.lock().unwrap();
    let steps: Vec<Phase> = phases.iter().copied().filter(|phase| !is_later_part(phase)).collect();
    let step = |ply| [Phase::Merging { ply, positions: 0 }, Phase::Checking { ply }];
    assert_eq!(steps, [step(1), step(2), step(3), step(4), [Phase::Counting; 2]].concat()[..9]);
    let last = phases.iter().rev().find(|phase| is_later_part(phase)).unwrap();
    assert!(matches!(last, Phase::Merging { ply: 4, positions: 4_000..=4_127 }), "{last:?}");

    // The positions of the last merged ply have 118,445 children. Each is counted once.
    let counted = frontier(&queen, 4).count_next(&Perft::new(), 1 << 24, &Progress::default());
    assert_eq!(counted.unwrap().positions, watching.counted_below.load(Relaxed));
}

/// Whether some positions of the ply that is being merged were already found.
fn is_later_part(phase: &Phase) -> bool {
    matches!(phase, Phase::Merging { positions: 1.., .. })
}

/// The black king has one move. After it, all positions are of one family, which is too large to be counted at once.
#[test]
fn many_positions_of_one_family_are_counted() {
    let lone = Setup::from_fen("k1K5/8/8/8/8/8/8/8 b - - 0 1").unwrap();
    let knight = ColoredPiece { color: Color::White, piece: Piece::Knight };
    let with_knights = |squares: u32| {
        let mut setup = lone.clone();
        (0..32).filter(|index| squares >> index & 1 == 1).for_each(|index| setup.board[index] = Some(knight));
        Position::try_from(&setup).unwrap()
    };
    let sets = (0_u32..1 << 23).filter(|squares| squares.count_ones() == 5).take(17_000);
    let positions: Vec<Position> = sets.map(with_knights).collect();
    assert_eq!(positions.len(), 17_000);
    let counts = Perft::new().count_each(&positions, 4, &Progress::default()).unwrap();
    for (position, count) in positions.iter().zip(counts) {
        assert_eq!(count, position.perft(4), "{position}");
    }
}

#[test]
fn the_memory_limit_is_respected() {
    let root = frontier(&Position::start(), 3);
    for memory_bytes in [0, 1_000, root.bytes(), 1 << 20, 3 << 20, 8 << 20] {
        match root.next(&Perft::new(), memory_bytes, &Progress::default()) {
            Ok(next) => assert!(root.bytes() + next.bytes() <= memory_bytes),
            Err(error) => assert_eq!(error, FrontierError::NoRoom { ply: 4, memory_bytes }),
        }
    }
    assert!(root.next(&Perft::new(), 8 << 20, &Progress::default()).is_ok());
}

#[test]
fn a_ply_larger_than_the_memory_is_counted() {
    let (root, progress) = (frontier(&Position::start(), 4), Progress::default());
    for threads in [1, 3] {
        let perft = Perft::new().threads(threads).unwrap();
        let memory_bytes = 8 << 20;
        assert!(matches!(root.next(&perft, memory_bytes, &progress), Err(FrontierError::NoRoom { .. })));
        let count = PlyCount { ply: 5, positions: 822_518, nodes: 4_865_609 };
        assert_eq!(root.count_next(&perft, memory_bytes, &progress), Ok(count));
        assert_eq!(progress.nodes(), 0);
        assert!((0.95..=1.0).contains(&progress.fraction()), "{}", progress.fraction());
    }
}

#[test]
fn nodes_beyond_64_bits_are_refused() {
    // Two lone kings reach few positions, but in very many ways.
    let mut frontier = Frontier::new(&Position::from_fen("8/8/8/8/8/8/8/k1K5 w - - 0 1").unwrap());
    let error = loop {
        match frontier.next(&Perft::new(), 1 << 22, &Progress::default()) {
            Ok(next) => frontier = next,
            Err(error) => break error,
        }
    };
    assert_eq!(error, FrontierError::TooManyNodes { ply: frontier.ply() + 1 });
    assert!(frontier.checked_ply() >= 4 && frontier.checked_ply() < frontier.ply());
}

#[test]
fn with_little_memory_merging_ends_early() {
    let position = Position::from_fen(ENDGAME).unwrap();
    for (memory_bytes, merged) in [(0, 0), (3_000, 1), (1 << 20, 3)] {
        let count = Perft::new().count_exact(&position, 6, memory_bytes, &Progress::default()).unwrap();
        assert_eq!(count.total, 11_030_083);
        assert_eq!((count.split().ply, count.checked_ply), (merged, merged));
    }
}

#[test]
fn below_a_ply_larger_than_the_memory_is_counted_in_parts() {
    // In the last two cases, the black king waits alone at ply 4. So there are few waiting armies, and the parts differ
    // much in size. In the last case, one part is too large, and the ply is not merged.
    let queen = Position::from_fen(QUEEN).unwrap();
    let cases = [
        (Position::start(), 6, 100 << 10, 119_060_324, (3, 5_362)),
        (Position::start(), 7, 2 << 20, 3_195_901_860, (4, 72_078)),
        (queen, 7, 220 << 10, 67_779_951, (4, 4_127)),
        (queen, 7, 170 << 10, 67_779_951, (3, 1_908)),
    ];
    for (threads, (position, depth, memory_bytes, total, expected)) in cases.into_iter().enumerate() {
        let (perft, progress) = (Perft::new().threads(threads + 1).unwrap(), Progress::default());
        let count = perft.count_exact(&position, depth, memory_bytes, &progress).unwrap();
        assert_eq!(count.total, total);
        assert_eq!(u128::from(progress.nodes()), count.total);
        assert!((0.95..=1.0).contains(&progress.fraction()), "{}", progress.fraction());
        let split = count.split();
        assert_eq!((split.ply, split.positions), expected);
        assert_eq!(count.checked_ply, split.ply);

        let before = (0..depth - 4).fold(Frontier::new(&position), |frontier, _| {
            frontier.next(&perft, memory_bytes, &Progress::default()).unwrap()
        });
        let next = before.next(&perft, memory_bytes, &Progress::default());
        assert_eq!(next.unwrap_err(), FrontierError::NoRoom { ply: depth - 3, memory_bytes });
    }
}

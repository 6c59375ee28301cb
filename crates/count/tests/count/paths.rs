//! Compares every CPU path with the portable one, on random positions of many kinds.
//!
//! On each position, all paths must agree at depths 1, 2 and 3. The portable path is the reference, because it counts
//! one position at a time. Some of the positions are also counted by making every leaf. The seed and the number of a
//! position determine it, so the number of threads has no effect. The ordinary run is short. For a long run:
//!
//! ```text
//! PERFT_POSITIONS=1000000 cargo test --release -p perft-count --test count all_paths_agree -- --nocapture
//! ```
//!
//! `PERFT_SEED` selects other positions. If a path differs, the test shows the position, and a smaller position with
//! the same difference, from which all irrelevant pieces are removed.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use perft_core::internals::sliders::Magic;
use perft_core::internals::{Black, ChecksAndPins, White};
use perft_core::{Color, Move, MoveKind, Position};
use perft_count::{CpuPath, LeafMode, Perft, Progress};
use perft_diagnosis::random::kinds::PositionKind;
use perft_diagnosis::random::{Random, setup_of};
use perft_diagnosis::shrink;
use perft_testing::drivers;
use rayon::prelude::*;

/// The number of positions of an ordinary run.
const POSITIONS: u64 = 10_000;

/// One in this many positions is also counted by making every leaf.
const EVERY_LEAF_SAMPLE: usize = 32;

/// Leaves are not made in positions with more leaf nodes than this.
const MAX_LEAVES_MADE: u128 = 300_000;

#[test]
fn all_paths_agree() {
    let positions = from_environment("PERFT_POSITIONS", POSITIONS);
    let seed = from_environment("PERFT_SEED", 1);
    let drivers = Drivers::new();
    let start = Instant::now();
    let seen = (0..positions)
        .into_par_iter()
        .fold(Seen::default, |seen, number| seen.and(Seen::of(&drivers, seed, number)))
        .reduce(Seen::default, Seen::and);
    println!("seed {seed}, {:.1} s, paths: {}\n{seen}", start.elapsed().as_secs_f64(), drivers.names());
    if positions >= POSITIONS {
        seen.assert_rare_cases_occur();
    }
}

/// A table stores the count of each node, so a correct sum is not enough.
#[test]
fn nodes_that_are_counted_together_have_counts_of_their_own() {
    let counters = CpuPath::ALL.into_iter().filter_map(|path| Some((path, path.counter()?)));
    let counters: Vec<_> = counters.collect();
    let reference = CpuPath::Portable.counter().expect("every CPU has it");
    let positions = from_environment("PERFT_POSITIONS", POSITIONS) / 4;
    let nodes_seen: usize = (0..positions)
        .into_par_iter()
        .map(|number| {
            let mut random = Random::new(!number);
            let kind = PositionKind::of_number(number);
            let parent = kind.position(&mut random);
            let leave_out = random.below(3);
            let children = parent.legal_moves().into_iter().map(|played| parent.play_legal(played));
            let nodes: Vec<Position> = children.filter(|_| random.below(3) >= leave_out).collect();
            let expected: Vec<u64> = nodes.iter().map(|node| reference.count(node, 2)).collect();
            for (path, counter) in &counters {
                let mut counts = vec![0; nodes.len()];
                counter.two_plies_each(&parent, &nodes, &mut counts);
                for (node, (found, expected)) in nodes.iter().zip(counts.iter().zip(&expected)) {
                    assert_eq!(
                        found, expected,
                        "{path}, position {number}: {node} among the children of {parent}"
                    );
                }
            }
            nodes.len()
        })
        .sum();
    assert!(nodes_seen as u64 > positions, "few nodes: {nodes_seen}");
}

/// Exact mode counts the parents of a family together.
#[test]
fn families_have_the_sum_of_their_parents() {
    let counters: Vec<_> =
        CpuPath::ALL.into_iter().filter_map(|path| Some((path, path.counter()?))).collect();
    let reference = CpuPath::Portable.counter().expect("every CPU has it");
    let families = from_environment("PERFT_POSITIONS", POSITIONS) / 8;
    let with_different_rights: usize = (0..families)
        .into_par_iter()
        .map(|number| {
            let mut random = Random::new(!number);
            let kind = PositionKind::of_number(number);
            let parents = random_family(&kind.position(&mut random), &mut random);
            let expected: u64 = parents.iter().map(|(parent, ways)| ways * reference.count(parent, 3)).sum();
            for (path, counter) in &counters {
                if let Some(found) = counter.three_plies_of_family(&parents) {
                    assert_eq!(found, expected, "{path}, family {number}: {}", parents[0].0);
                }
            }
            usize::from(parents.iter().any(|(parent, _)| parent.castling() != parents[0].0.castling()))
        })
        .sum();
    assert!(with_different_rights as u64 > families / 64, "{with_different_rights} have different rights");
}

/// Returns positions of one family, each with a random number of ways: those after any move of White and the same reply
/// of Black. The first position represents the family.
fn random_family(position: &Position, random: &mut Random) -> Vec<(Position, u64)> {
    let root = if position.turn() == Color::White { *position } else { position.flipped() };
    let nodes: Vec<Position> = root.legal_moves().into_iter().map(|played| root.play_legal(played)).collect();
    let replies: Vec<Move> = nodes.iter().flat_map(Position::legal_moves).collect();
    if replies.is_empty() {
        return Vec::new();
    }
    let reply = random.pick(&replies);
    let nodes = nodes.iter().filter(|node| node.legal_moves().contains(&reply));
    let mut parents: Vec<Position> = nodes.map(|node| node.play_legal(reply)).collect();
    let rights = |parent: &Position, color| parent.castling().rooks(color);
    parents.sort_by_key(|parent| std::cmp::Reverse(rights(parent, Color::White).count()));
    let first = parents[0];
    parents.retain(|parent| {
        let rooks = rights(parent, Color::White);
        parent.army(Color::Black) == first.army(Color::Black)
            && rights(parent, Color::Black) == rights(&first, Color::Black)
            && (rooks & !rights(&first, Color::White)).is_empty()
            && (rooks.is_empty() || parent.king(Color::White) == first.king(Color::White))
    });
    parents.into_iter().map(|parent| (parent, 1 + random.below(1 << 20) as u64)).collect()
}

/// Checks that a disagreement would be noticed.
#[test]
fn a_position_that_is_counted_wrongly_is_shrunk() {
    let position = "r3k2r/Pppp1ppp/1b3nbN/nPP5/BB2P3/q4N2/Pp1P2PP/R2Q1RK1 b kq - 0 1";
    let position = Position::from_fen(position).unwrap();
    let moves = |position: &Position| position.legal_moves().len();
    let forgets_promotions = |position: &Position| {
        position.legal_moves().iter().filter(|played| played.kind().promotion().is_none()).count()
    };
    assert_ne!(moves(&position), forgets_promotions(&position));
    let small = shrink(&position, |position| moves(position) != forgets_promotions(position));
    assert_eq!(small.occupied().count(), 3, "two kings, and a pawn that may promote: {small}");
    assert_eq!(moves(&small), forgets_promotions(&small) + 4, "{small}");
}

/// Returns the number in an environment variable, or the default if the variable is not set.
pub fn from_environment(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.replace('_', "").parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
        Err(_) => default,
    }
}

/// The drivers that are compared.
struct Drivers {
    /// The reference: the portable path.
    reference: Perft,
    /// The other paths, and all paths with every leaf made.
    others: Vec<Driver>,
}

/// A driver that is compared with the reference.
struct Driver {
    path: CpuPath,
    leaf_mode: LeafMode,
    perft: Perft,
}

impl Drivers {
    fn new() -> Drivers {
        let bulk = drivers().into_iter().filter(|(path, _)| *path != CpuPath::Portable);
        let bulk = bulk.map(|(path, perft)| Driver { path, leaf_mode: LeafMode::Bulk, perft });
        let every_leaf = drivers().into_iter().map(|(path, perft)| {
            let leaf_mode = LeafMode::EveryLeaf;
            Driver { path, leaf_mode, perft: perft.leaf_mode(leaf_mode) }
        });
        Drivers {
            reference: Perft::new().cpu_path(CpuPath::Portable).expect("every CPU has it"),
            others: bulk.chain(every_leaf).collect(),
        }
    }

    fn names(&self) -> String {
        let paths = self.others.iter().filter(|driver| driver.leaf_mode == LeafMode::EveryLeaf);
        paths.map(|driver| driver.path.name()).collect::<Vec<_>>().join(", ")
    }
}

fn count(perft: &Perft, position: &Position, depth: u32) -> u128 {
    perft.count_with_progress(position, depth, &Progress::default()).expect("nothing raises this stop signal")
}

/// Describes how a driver differs from the reference in a position, and in a smaller one.
fn difference(driver: &Driver, reference: &Perft, number: u64, depth: u32, position: &Position) -> String {
    let Driver { path, leaf_mode, perft } = driver;
    let counts = |position: &Position| [perft, reference].map(|perft| count(perft, position, depth));
    let small = shrink(position, |position| {
        let [found, expected] = counts(position);
        found != expected
    });
    let [small, whole] = [&small, position].map(|position| {
        let [found, expected] = counts(position);
        format!("{found} instead of {expected} in {}", setup_of(position).to_shredder_fen())
    });
    format!("{path}, {leaf_mode:?}, depth {depth}: {small}\n  position {number}: {whole}")
}

/// The positions that were compared.
#[derive(Default)]
struct Seen {
    /// The number of positions by their kind and features.
    positions: BTreeMap<String, u64>,
    most_moves: usize,
    leaves: u128,
}

impl Seen {
    /// Compares the drivers on the position with this number.
    fn of(drivers: &Drivers, seed: u64, number: u64) -> Seen {
        let mut random = Random::new(Random::new(seed).number() ^ Random::new(!number).number());
        let kind = PositionKind::of_number(number);
        let position = kind.position(&mut random);
        let mut seen = Seen::default();
        seen.note(&format!("kind {kind:?}"));
        seen.note_features(&position);
        seen.compare(drivers, &position, number, random.one_in(EVERY_LEAF_SAMPLE));
        seen
    }

    fn compare(&mut self, drivers: &Drivers, position: &Position, number: u64, is_sample: bool) {
        let expected = [1, 2, 3].map(|depth| count(&drivers.reference, position, depth));
        self.leaves += expected[2];
        let make_leaves = is_sample && expected[2] <= MAX_LEAVES_MADE;
        if make_leaves {
            self.note("counted by making every leaf");
        }
        for driver in &drivers.others {
            if driver.leaf_mode == LeafMode::EveryLeaf && !make_leaves {
                continue;
            }
            let differs = |(depth, expected)| count(&driver.perft, position, depth) != expected;
            if let Some((depth, _)) = (1..).zip(expected).find(|counts| differs(*counts)) {
                panic!("{}", difference(driver, &drivers.reference, number, depth, position));
            }
        }
    }

    /// Notes the rare features that the position has.
    fn note_features(&mut self, position: &Position) {
        let moves = position.legal_moves();
        self.most_moves = moves.len();
        let checks_and_pins = match position.turn() {
            Color::White => ChecksAndPins::find::<White>(&position.armies_of::<White>(), Magic),
            Color::Black => ChecksAndPins::find::<Black>(&position.armies_of::<Black>(), Magic),
        };
        let allows_en_passant = |played: &Move| {
            played.kind() == MoveKind::DoublePush && position.play_legal(*played).legal_en_passant().is_some()
        };
        let has_kind = |kind| moves.iter().any(|played| played.kind() == kind);
        let features = [
            ("no move", moves.is_empty()),
            ("check", checks_and_pins.in_check()),
            ("double check", checks_and_pins.checkers.has_many()),
            ("pin", checks_and_pins.pins().any()),
            ("en passant", has_kind(MoveKind::EnPassant)),
            ("double push that allows en passant", moves.iter().any(allows_en_passant)),
            ("castling right", position.castling().all_rooks().any()),
            ("castling", has_kind(MoveKind::Castling)),
            ("promotion", moves.iter().any(|played| played.kind().promotion().is_some())),
            ("more than 100 moves", moves.len() > 100),
            ("more than 200 moves", moves.len() > 200),
        ];
        for (feature, _) in features.into_iter().filter(|(_, has_feature)| *has_feature) {
            self.note(&format!("with {feature}"));
        }
    }

    fn note(&mut self, what: &str) {
        *self.positions.entry(what.to_owned()).or_default() += 1;
    }

    fn and(mut self, other: Seen) -> Seen {
        for (what, positions) in other.positions {
            *self.positions.entry(what).or_default() += positions;
        }
        self.most_moves = self.most_moves.max(other.most_moves);
        self.leaves += other.leaves;
        self
    }

    /// Checks that the random positions include enough of every rare case.
    fn assert_rare_cases_occur(&self) {
        let rare = ["no move", "check", "double check", "pin", "en passant", "castling", "promotion"];
        for what in rare.map(|feature| format!("with {feature}")) {
            let is_common = self.positions.get(&what).is_some_and(|positions| *positions >= 100);
            assert!(is_common, "fewer than 100 positions {what}");
        }
        assert!(self.most_moves >= 218, "no position has more than {} moves", self.most_moves);
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, positions) in &self.positions {
            writeln!(f, "{positions:>9} {what}")?;
        }
        write!(f, "{:>9} moves at most, {} leaf nodes", self.most_moves, self.leaves)
    }
}

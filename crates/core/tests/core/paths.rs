//! Every CPU path against the plainest one, on random positions of many kinds.
//!
//! On each position all paths must agree one, two and three plies deep, for a part of them with every leaf made as
//! well; the judge is the portable path, which counts one position at a time. Each position follows from a seed and its
//! number, whatever the number of threads. An ordinary run is short; the long one is
//!
//! ```text
//! PERFT_POSITIONS=1000000 cargo test --release --test paths -- --nocapture
//! ```
//!
//! and `PERFT_SEED` gives other positions. Where a path differs, the position is shown, and what is left of it when all
//! men are taken off that do not matter.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use perft_core::Position;
use perft_core::internals::ChecksAndPins;
use perft_core::internals::sliders::Magic;
use perft_core::internals::{Black, White};
use perft_core::legal_moves;
use perft_core::{Color, MoveKind};
use perft_core::{CpuPath, LeafMode, Perft, Progress};
use perft_diagnosis::random::kinds::{MOST_MOVES, PositionKind};
use perft_diagnosis::random::{Random, setup_of};
use perft_diagnosis::shrink;
use perft_testing::{drivers, shredder_fen};
use rayon::prelude::*;

/// Positions of an ordinary run.
const POSITIONS: u64 = 10_000;

/// One position in so many is counted with every leaf made too.
const EVERY_LEAF_SAMPLE: usize = 32;

/// Above so many leaf nodes, they are not made.
const MAX_LEAVES_MADE: u128 = 300_000;

/// So many disagreements are shown.
const SHOWN: usize = 20;

#[test]
fn all_paths_agree() {
    let positions = from_environment("PERFT_POSITIONS", POSITIONS);
    let seed = from_environment("PERFT_SEED", 1);
    let judges = Judges::new();
    let start = Instant::now();
    let seen = (0..positions)
        .into_par_iter()
        .fold(Seen::default, |seen, number| seen.and(Seen::look(&judges, seed, number)))
        .reduce(Seen::default, Seen::and);
    println!("seed {seed}, {:.1} s, paths: {}\n{seen}", start.elapsed().as_secs_f64(), judges.names());
    assert!(seen.differences.is_empty(), "the paths differ:\n{}", seen.first_differences(&judges));
    if positions >= POSITIONS {
        seen.nothing_is_missing();
    }
}

/// A comparison that cannot fail says nothing.
#[test]
fn a_path_that_miscounts_is_found_and_the_position_shrunk() {
    let position = "r3k2r/Pppp1ppp/1b3nbN/nPP5/BB2P3/q4N2/Pp1P2PP/R2Q1RK1 b kq - 0 1";
    let position = Position::from_fen(position).unwrap();
    let moves = |position: &Position| legal_moves(position).len();
    let forgets_promotions = |position: &Position| {
        legal_moves(position).iter().filter(|played| played.kind().promotion().is_none()).count()
    };
    assert_ne!(moves(&position), forgets_promotions(&position));
    let small = shrink(&position, |position| moves(position) != forgets_promotions(position));
    assert_eq!(small.occupied().count(), 3, "two kings, and a pawn that may promote: {small}");
    assert_eq!(moves(&small), forgets_promotions(&small) + 4, "{small}");
}

#[test]
fn the_position_with_the_most_moves_has_218() {
    assert_eq!(legal_moves(&Position::from_fen(MOST_MOVES).unwrap()).len(), 218);
}

/// A number that the environment may give.
fn from_environment(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.replace('_', "").parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
        Err(_) => default,
    }
}

/// The drivers that count.
struct Judges {
    /// The portable path, which is believed.
    plainest: Perft,
    /// The other paths, and all once more with every leaf made.
    others: Vec<Judged>,
}

/// A driver that is compared.
struct Judged {
    path: CpuPath,
    leaf_mode: LeafMode,
    perft: Perft,
}

impl Judges {
    fn new() -> Judges {
        let bulk = drivers().into_iter().filter(|(path, _)| *path != CpuPath::Portable);
        let bulk = bulk.map(|(path, perft)| Judged { path, leaf_mode: LeafMode::Bulk, perft });
        let every_leaf = drivers().into_iter().map(|(path, perft)| {
            let leaf_mode = LeafMode::EveryLeaf;
            Judged { path, leaf_mode, perft: perft.leaf_mode(leaf_mode) }
        });
        Judges {
            plainest: Perft::new().cpu_path(CpuPath::Portable).expect("every CPU has it"),
            others: bulk.chain(every_leaf).collect(),
        }
    }

    fn names(&self) -> String {
        let paths = self.others.iter().filter(|judged| judged.leaf_mode == LeafMode::EveryLeaf);
        paths.map(|judged| judged.path.name()).collect::<Vec<_>>().join(", ")
    }
}

fn count(perft: &Perft, position: &Position, depth: u32) -> u128 {
    perft.count(position, depth, &Progress::default()).expect("nobody stops it")
}

/// A position on which a driver differs.
struct Difference {
    /// The number of the position.
    number: u64,
    /// The number of the driver.
    judged: usize,
    depth: u32,
    position: Position,
}

impl Difference {
    /// The difference, and what is left of the position when all men are taken off that do not matter.
    fn describe(&self, judges: &Judges) -> String {
        let Difference { number, depth, .. } = *self;
        let Judged { path, leaf_mode, perft } = &judges.others[self.judged];
        let counts =
            |position: &Position| [perft, &judges.plainest].map(|perft| count(perft, position, depth));
        let small = shrink(&self.position, |position| {
            let [found, expected] = counts(position);
            found != expected
        });
        let shown = [&small, &self.position].map(|position| {
            let [found, expected] = counts(position);
            format!("{found} instead of {expected} in {}", shredder_fen(&setup_of(position)))
        });
        format!("{path}, {leaf_mode:?}, depth {depth}: {}\n  position {number}: {}", shown[0], shown[1])
    }
}

/// What was compared, and how it came out.
#[derive(Default)]
struct Seen {
    /// How many positions have it; the kinds among them.
    having: BTreeMap<String, u64>,
    most_moves: usize,
    leaves: u128,
    differences: Vec<Difference>,
}

impl Seen {
    /// Compares the position of a number.
    fn look(judges: &Judges, seed: u64, number: u64) -> Seen {
        let mut random = Random::new(Random::new(seed).number() ^ Random::new(!number).number());
        let kind = PositionKind::ALL[number as usize % PositionKind::ALL.len()];
        let position = kind.position(&mut random);
        let mut seen = Seen::default();
        seen.note(&format!("kind {kind:?}"));
        seen.cover(&position);
        seen.compare(judges, &position, number, random.one_in(EVERY_LEAF_SAMPLE));
        seen
    }

    fn compare(&mut self, judges: &Judges, position: &Position, number: u64, is_sample: bool) {
        let expected = [1, 2, 3].map(|depth| count(&judges.plainest, position, depth));
        self.leaves += expected[2];
        let make_leaves = is_sample && expected[2] <= MAX_LEAVES_MADE;
        if make_leaves {
            self.note("every leaf made too");
        }
        for (judged, driver) in judges.others.iter().enumerate() {
            if driver.leaf_mode == LeafMode::EveryLeaf && !make_leaves {
                continue;
            }
            let differs = |(depth, expected)| count(&driver.perft, position, depth) != expected;
            if let Some((depth, _)) = (1..).zip(expected).find(|counts| differs(*counts)) {
                self.differences.push(Difference { number, judged, depth, position: *position });
            }
        }
    }

    /// What is rare, and the position has.
    fn cover(&mut self, position: &Position) {
        let moves = legal_moves(position);
        self.most_moves = moves.len();
        let checks_and_pins = match position.turn() {
            Color::White => ChecksAndPins::of::<White>(position, Magic),
            Color::Black => ChecksAndPins::of::<Black>(position, Magic),
        };
        let is_answered = |played: &perft_core::Move| {
            played.kind() == MoveKind::DoublePush
                && position.play_unchecked(*played).legal_en_passant().is_some()
        };
        let has_kind = |kind| moves.iter().any(|played| played.kind() == kind);
        let facts = [
            ("no move", moves.is_empty()),
            ("check", checks_and_pins.in_check()),
            ("double check", checks_and_pins.checkers.has_many()),
            ("pin", checks_and_pins.pins().any()),
            ("en passant", has_kind(MoveKind::EnPassant)),
            ("double push that can be answered en passant", moves.iter().any(is_answered)),
            ("castling right", position.castling().all_rooks().any()),
            ("castling", has_kind(MoveKind::Castling)),
            ("promotion", moves.iter().any(|played| played.kind().promotion().is_some())),
            ("more than 100 moves", moves.len() > 100),
            ("more than 200 moves", moves.len() > 200),
        ];
        facts
            .into_iter()
            .filter(|(_, is_so)| *is_so)
            .for_each(|(fact, _)| self.note(&format!("with {fact}")));
    }

    fn note(&mut self, what: &str) {
        *self.having.entry(what.to_owned()).or_default() += 1;
    }

    fn and(mut self, other: Seen) -> Seen {
        for (what, positions) in other.having {
            *self.having.entry(what).or_default() += positions;
        }
        self.most_moves = self.most_moves.max(other.most_moves);
        self.leaves += other.leaves;
        self.differences.extend(other.differences);
        self
    }

    /// The first few differences, in the order of the positions.
    fn first_differences(&self, judges: &Judges) -> String {
        let mut differences: Vec<&Difference> = self.differences.iter().collect();
        differences.sort_by_key(|difference| (difference.number, difference.judged));
        let shown = differences.iter().take(SHOWN).map(|difference| difference.describe(judges));
        shown.collect::<Vec<_>>().join("\n")
    }

    /// Chance has not left anything out.
    fn nothing_is_missing(&self) {
        let rare = ["no move", "check", "double check", "pin", "en passant", "castling", "promotion"];
        for fact in rare.map(|fact| format!("with {fact}")) {
            assert!(self.having.get(&fact).is_some_and(|positions| *positions >= 100), "hardly any {fact}");
        }
        assert!(self.most_moves >= 218, "no position has more than {} moves", self.most_moves);
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, positions) in &self.having {
            writeln!(f, "{positions:>9} {what}")?;
        }
        writeln!(f, "{:>9} moves at most, {} leaf nodes", self.most_moves, self.leaves)?;
        write!(f, "{:>9} disagreements", self.differences.len())
    }
}

//! Every CPU path against the plainest one, on random positions of many kinds.
//!
//! On each position all paths must agree one, two and three plies deep, for a part of them with every leaf made as well;
//! the judge is the portable path, which counts one position at a time. Position by position everything follows from a seed
//! and a number, whatever the number of threads. An ordinary run is short; the long one is
//!
//! ```text
//! PERFT_POSITIONS=1000000 cargo test --release --test paths -- --nocapture
//! ```
//!
//! `PERFT_SEED` gives other positions. A path that differs is shown with the position and with what is left of it when all men
//! that do not matter are taken off.

mod common;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

use common::kinds::{Kind, MOST_MOVES, shrunk};
use common::{Random, counters, setup_of, shredder_fen};
use perft::chess::attacks::sliders::Magic;
use perft::chess::position::{ChecksAndPins, Position};
use perft::chess::types::{Black, Color, MoveKind, White};
use perft::movegen::legal_moves;
use perft::perft::{CpuPath, LeafMode, Perft, Progress};
use rayon::prelude::*;

/// Positions of an ordinary run.
const POSITIONS: u64 = 10_000;

/// One position in so many is counted with every leaf made too.
const EVERY_LEAF_SAMPLE: u64 = 32;

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
    assert!(seen.differences.is_empty(), "the paths differ: see above");
    if positions >= POSITIONS {
        seen.nothing_is_missing();
    }
}

/// A comparison that cannot fail says nothing.
#[test]
fn a_path_that_miscounts_is_found_and_the_position_shrunk() {
    let plainest = Perft::new().cpu_path(CpuPath::Portable).unwrap();
    let count =
        move |position: &Position, depth| plainest.count(position, depth, &Progress::default()).unwrap();
    let forgets_promotions = |position: &Position, depth| {
        let promotions =
            legal_moves(position).iter().filter(|played| played.kind().promotion().is_some()).count();
        count(position, depth) - u128::from(depth == 3 && promotions > 0)
    };
    let judged =
        Position::from_fen("r3k2r/Pppp1ppp/1b3nbN/nPP5/BB2P3/q4N2/Pp1P2PP/R2Q1RK1 b kq - 0 1").unwrap();
    let found = Difference::find("forgetful", &judged, 3, &count, &forgets_promotions).expect("it differs");
    assert!(found.expected == found.counted + 1, "{found}");
    // Two kings, and the pawn that may promote.
    assert_eq!(found.position.occupied().count(), 3, "{found}");
    assert!(Difference::find("forgetful", &judged, 2, &count, &forgets_promotions).is_none());
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
    /// The portable one, which is believed.
    plainest: Perft,
    others: Vec<(CpuPath, Perft)>,
    every_leaf: Vec<(CpuPath, Perft)>,
}

impl Judges {
    fn new() -> Judges {
        let mut others = counters();
        others.retain(|(path, _)| *path != CpuPath::Portable);
        let every_leaf = |(path, perft): (CpuPath, Perft)| (path, perft.leaf_mode(LeafMode::EveryLeaf));
        Judges {
            plainest: Perft::new().cpu_path(CpuPath::Portable).unwrap(),
            others,
            every_leaf: counters().into_iter().map(every_leaf).collect(),
        }
    }

    fn names(&self) -> String {
        self.every_leaf.iter().map(|(path, _)| path.name()).collect::<Vec<_>>().join(", ")
    }
}

fn count(perft: &Perft, position: &Position, depth: u32) -> u128 {
    perft.count(position, depth, &Progress::default()).expect("nobody stops it")
}

/// A position on which a path differs, made small.
struct Difference {
    who: String,
    depth: u32,
    original: Position,
    position: Position,
    expected: u128,
    counted: u128,
}

impl Difference {
    fn find(
        who: &str,
        position: &Position,
        depth: u32,
        expected: &dyn Fn(&Position, u32) -> u128,
        counted: &dyn Fn(&Position, u32) -> u128,
    ) -> Option<Difference> {
        let differs = |position: &Position| expected(position, depth) != counted(position, depth);
        if !differs(position) {
            return None;
        }
        let small = shrunk(position, differs);
        Some(Difference {
            who: who.to_owned(),
            depth,
            original: *position,
            position: small,
            expected: expected(&small, depth),
            counted: counted(&small, depth),
        })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { who, depth, expected, counted, .. } = self;
        writeln!(f, "{who}, depth {depth}: {counted} instead of {expected}")?;
        writeln!(f, "  {}", shredder_fen(&setup_of(&self.position)))?;
        writeln!(f, "  found in {}", shredder_fen(&setup_of(&self.original)))
    }
}

/// What was compared, and how it came out.
#[derive(Default)]
struct Seen {
    /// How many positions have it; the kinds among them.
    having: BTreeMap<String, u64>,
    most_moves: usize,
    leaves: u128,
    /// By number of the position.
    differences: Vec<(u64, Difference)>,
}

impl Seen {
    /// Compares the position of a number.
    fn look(judges: &Judges, seed: u64, number: u64) -> Seen {
        let mut seeds = Random::new(seed);
        let mut random = Random::new(seeds.number() ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        let kind = Kind::ALL[number as usize % Kind::ALL.len()];
        let position = kind.position(&mut random);
        let mut seen = Seen::default();
        seen.note(&format!("kind {kind:?}"));
        seen.compare(judges, &position, number, &mut random);
        seen.cover(&position);
        seen
    }

    fn compare(&mut self, judges: &Judges, position: &Position, number: u64, random: &mut Random) {
        let expected = [1, 2, 3].map(|depth| count(&judges.plainest, position, depth));
        self.leaves += expected[2];
        self.disagreements("", &judges.others, judges, position, number, &expected);
        if random.one_in(EVERY_LEAF_SAMPLE as usize) && expected[2] <= MAX_LEAVES_MADE {
            self.note("every leaf made too");
            self.disagreements(", every leaf made", &judges.every_leaf, judges, position, number, &expected);
        }
    }

    fn disagreements(
        &mut self,
        how: &str,
        others: &[(CpuPath, Perft)],
        judges: &Judges,
        position: &Position,
        number: u64,
        expected: &[u128],
    ) {
        for (path, perft) in others {
            for (depth, expected) in (1..).zip(expected) {
                if count(perft, position, depth) != *expected && self.differences.len() < SHOWN {
                    let who = format!("{path}{how}");
                    let plain = |position: &Position, depth| count(&judges.plainest, position, depth);
                    let other = |position: &Position, depth| count(perft, position, depth);
                    let found = Difference::find(&who, position, depth, &plain, &other);
                    self.differences.extend(found.map(|found| (number, found)));
                }
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
        let is_answered = |played: &perft::chess::types::Move| {
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
        writeln!(f, "{:>9} disagreements", self.differences.len())?;
        let mut differences: Vec<&(u64, Difference)> = self.differences.iter().collect();
        differences.sort_by_key(|(number, _)| *number);
        differences.iter().take(SHOWN).try_for_each(|(number, found)| write!(f, "position {number}: {found}"))
    }
}

//! Measures the parts of the program: slider lookups, listing moves, and counting the last plies.
//!
//! The elements of the throughput are lookups, moves and leaf nodes. Every result is checked before it is timed.
//! `cargo bench -p perft-benches -- --test` does little more than these checks. Unlike in a count, the lookup tables
//! have the whole CPU cache here.

mod common;

use common::{bench_count, case, cozy, criterion, known, six};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
use perft_core::internals::sliders::Pext;
use perft_core::internals::sliders::{Magic, Sliders, Walk};
use perft_core::internals::split_mix_64;
use perft_core::{Bitboard, LeafCounter, Position, Square};
use perft_count::CpuPath;
use perft_lab::generators::rays::Rays;

/// The number of pairs of a square and a board in a round.
const QUESTIONS: u64 = 4096;

/// Returns the leaf counters of all CPU paths that this machine has.
fn counters() -> Vec<(CpuPath, Box<dyn LeafCounter>)> {
    CpuPath::ALL.into_iter().filter_map(|path| Some((path, path.counter()?))).collect()
}

/// Measures every lookup method, compiled for the baseline CPU and for a CPU with BMI2.
fn sliders(criterion: &mut Criterion) {
    let questions = questions();
    let expected = checksum(Walk, &questions);
    let mut rounds = Rounds { criterion, questions: &questions, expected };
    rounds.bench("walk/portable", || checksum(Walk, &questions));
    rounds.bench_method("magic", Magic);
    rounds.bench_method("rays", Rays);
    #[cfg(all(target_arch = "x86_64", not(perft_portable)))]
    if let Some(pext) = Pext::detect() {
        rounds.bench_bmi2("pext", pext);
    }
}

/// The lookups to measure, and the checksum of their results.
struct Rounds<'a> {
    criterion: &'a mut Criterion,
    questions: &'a [(Square, Bitboard)],
    expected: u64,
}

impl Rounds<'_> {
    fn bench(&mut self, name: &str, mut round: impl FnMut() -> u64) {
        assert_eq!(round(), self.expected, "{name} gives wrong attacks");
        let mut group = self.criterion.benchmark_group("sliders");
        group.throughput(Throughput::Elements(2 * QUESTIONS));
        group.bench_function(name, |bencher| bencher.iter(&mut round));
        group.finish();
    }

    /// Measures a lookup method that every CPU has.
    fn bench_method(&mut self, name: &str, sliders: impl Sliders) {
        let questions = self.questions;
        self.bench(&format!("{name}/portable"), || checksum(sliders, questions));
        #[cfg(target_arch = "x86_64")]
        self.bench_bmi2(name, sliders);
    }

    /// Measures a lookup method on the BMI2 path.
    #[cfg(target_arch = "x86_64")]
    fn bench_bmi2(&mut self, name: &str, sliders: impl Sliders) {
        let questions = self.questions;
        if CpuPath::Bmi2.is_available() {
            // SAFETY: the path is available only if the CPU has all features that the function is compiled for.
            self.bench(&format!("{name}/bmi2"), || unsafe { checksum_bmi2(sliders, questions) });
        }
    }
}

/// Returns random squares, each with a board of which a quarter is occupied.
fn questions() -> Vec<(Square, Bitboard)> {
    let mut state = 0u64;
    let mut random = || split_mix_64(&mut state);
    let question = |_| (Square::ALL[(random() % 64) as usize], Bitboard::from_bits(random() & random()));
    (0..QUESTIONS).map(question).collect()
}

/// Looks up a rook and a bishop for each question, and returns a checksum of all results.
#[inline(always)]
fn checksum(sliders: impl Sliders, questions: &[(Square, Bitboard)]) -> u64 {
    questions.iter().fold(0, |sum: u64, &(square, occupied)| {
        let [rook, bishop] = [sliders.rook(square, occupied), sliders.bishop(square, occupied)];
        sum.rotate_left(1) ^ rook.bits() ^ bishop.bits().rotate_left(32)
    })
}

/// The same as [`checksum`], compiled for the features of the BMI2 path.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn checksum_bmi2(sliders: impl Sliders, questions: &[(Square, Bitboard)]) -> u64 {
    checksum(sliders, questions)
}

/// Measures listing the moves of every position that is one move away from the standard positions.
fn moves(criterion: &mut Criterion) {
    let expected = six().iter().map(|case| known(case, 2)).sum();
    let mut group = criterion.benchmark_group("moves listed");
    let positions = children();
    bench_count(&mut group, "legal_moves", expected, || {
        positions.iter().map(|position| position.legal_moves().len() as u64).sum()
    });
    let boards: Vec<cozy_chess::Board> = cozy_children();
    bench_count(&mut group, "cozy-chess", expected, || {
        boards.iter().map(|board| cozy::moves(board).len() as u64).sum()
    });
    for (path, counter) in counters() {
        bench_count(&mut group, path.name(), expected, || {
            positions.iter().map(|position| counter.moves(position).len() as u64).sum()
        });
    }
    group.finish();
}

fn children() -> Vec<Position> {
    let of = |parent: &Position| {
        let moves = parent.legal_moves();
        moves.iter().map(|played| parent.play_legal(*played)).collect::<Vec<_>>()
    };
    six().iter().flat_map(|case| of(&case.position)).collect()
}

fn cozy_children() -> Vec<cozy_chess::Board> {
    let of = |parent: cozy_chess::Board| {
        cozy::moves(&parent).into_iter().map(move |played| {
            let mut child = parent.clone();
            child.play_unchecked(played);
            child
        })
    };
    six().iter().flat_map(|case| of(cozy::board(&case.fen))).collect()
}

/// Measures counting the last one, two and three plies: of all standard positions, and of two very different ones.
fn leaves(criterion: &mut Criterion) {
    let sets = [("six", six()), ("kiwipete", vec![case("kiwipete")]), ("endgame", vec![case("endgame")])];
    for (path, counter) in counters() {
        for (name, cases) in &sets {
            for (depth, plies) in [(1, "one ply"), (2, "two plies"), (3, "three plies")] {
                let mut group = criterion.benchmark_group(format!("{plies} to the leaves"));
                let expected = cases.iter().map(|case| known(case, depth)).sum();
                let id = format!("{path}/{name}");
                let all = || cases.iter().map(|case| counter.count(&case.position, depth)).sum();
                bench_count(&mut group, &id, expected, all);
                group.finish();
            }
        }
    }
}

criterion_group! { name = parts; config = criterion(); targets = sliders, moves, leaves }
criterion_main!(parts);

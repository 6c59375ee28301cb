//! How fast the parts are: slider look-ups, listing moves, counting the last plies.
//!
//! Elements are look-ups, moves and leaf nodes. Every count is asserted before it is timed, and
//! `cargo bench --bench parts -- --test` does little else. Look-ups have the cache for themselves here: what a method is
//! worth in a tree, `trees` shows.

mod common;

use common::{bench_count, case, cozy, criterion, known, six};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use perft_core::Position;
#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
use perft_core::internals::leaf::{Avx2, Avx512, Bmi2};
use perft_core::internals::leaf::{LeafCounter, Portable};
use perft_core::internals::sliders::{Sliders, Walk};
use perft_core::legal_moves;
use perft_core::{Bitboard, Square};
use perft_lab::sliders::{SliderMethod, SlidersVisitor};

/// Look-ups in a round.
const LOOK_UPS: u64 = 4096;

/// Runs a benchmark with the leaf counter of every path of this build: a new path is a line here.
macro_rules! on_all_paths {
    ($bench:ident, $criterion:expr) => {
        $bench($criterion, "portable", Some(Portable::new()));
        #[cfg(all(target_arch = "x86_64", not(perft_portable)))]
        $bench($criterion, "bmi2", Bmi2::detect());
        #[cfg(all(target_arch = "x86_64", not(perft_portable)))]
        $bench($criterion, "avx2", Avx2::detect());
        #[cfg(all(target_arch = "x86_64", not(perft_portable)))]
        $bench($criterion, "avx512", Avx512::detect());
    };
}

/// Every look-up method, compiled for every CPU and for one with BMI2.
fn sliders(criterion: &mut Criterion) {
    let questions = questions();
    let expected = sum_of_look_ups(Walk, &questions);
    let mut rounds = Rounds { criterion, questions: &questions, expected };
    rounds.bench("walk/portable", || sum_of_look_ups(Walk, &questions));
    for &method in SliderMethod::ALL {
        method.visit(OfMethod { method, rounds: &mut rounds });
    }
}

/// Rounds of look-ups whose sum is known.
struct Rounds<'a> {
    criterion: &'a mut Criterion,
    questions: &'a [(Square, Bitboard)],
    expected: u64,
}

impl Rounds<'_> {
    fn bench(&mut self, name: &str, mut look_up: impl FnMut() -> u64) {
        assert_eq!(look_up(), self.expected, "{name} looks up wrongly");
        let mut group = self.criterion.benchmark_group("sliders");
        group.throughput(Throughput::Elements(2 * LOOK_UPS));
        group.bench_function(name, |bencher| bencher.iter(&mut look_up));
        group.finish();
    }
}

struct OfMethod<'a, 'b> {
    method: SliderMethod,
    rounds: &'a mut Rounds<'b>,
}

impl SlidersVisitor for OfMethod<'_, '_> {
    type Output = ();

    fn visit<L: Sliders>(self, sliders: L) {
        let OfMethod { method, rounds } = self;
        let questions = rounds.questions;
        if !L::NEEDS_BMI2 {
            rounds.bench(&format!("{method}/portable"), || sum_of_look_ups(sliders, questions));
        }
        #[cfg(all(target_arch = "x86_64", not(perft_portable)))]
        if Bmi2::detect().is_some() {
            // SAFETY: the path exists, so the CPU has its features.
            rounds.bench(&format!("{method}/bmi2"), || unsafe { sum_of_bmi2_look_ups(sliders, questions) });
        }
    }
}

/// Squares, and boards of which a quarter is occupied, by Sebastiano Vigna's SplitMix64.
fn questions() -> Vec<(Square, Bitboard)> {
    let mut state = 0u64;
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let question = |_| (Square::ALL[(random() % 64) as usize], Bitboard::from_bits(random() & random()));
    (0..LOOK_UPS).map(question).collect()
}

/// A rook's and a bishop's look-up for each question; the sum needs every one of them.
#[inline(always)]
fn sum_of_look_ups(sliders: impl Sliders, questions: &[(Square, Bitboard)]) -> u64 {
    questions.iter().fold(0, |sum: u64, &(square, occupied)| {
        let [rook, bishop] = [sliders.rook(square, occupied), sliders.bishop(square, occupied)];
        sum.rotate_left(1) ^ rook.bits() ^ bishop.bits().rotate_left(32)
    })
}

/// The same, compiled for the CPU features of the BMI2 path.
#[cfg(all(target_arch = "x86_64", not(perft_portable)))]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn sum_of_bmi2_look_ups(sliders: impl Sliders, questions: &[(Square, Bitboard)]) -> u64 {
    sum_of_look_ups(sliders, questions)
}

/// Lists of moves, of every position that is one move from the standard positions.
fn moves(criterion: &mut Criterion) {
    let expected = six().iter().map(|case| known(case, 2)).sum();
    let mut group = criterion.benchmark_group("moves listed");
    let positions = children();
    bench_count(&mut group, "legal_moves", expected, || {
        positions.iter().map(|position| legal_moves(position).len() as u64).sum()
    });
    let boards: Vec<cozy_chess::Board> = cozy_children();
    bench_count(&mut group, "cozy-chess", expected, || {
        boards.iter().map(|board| cozy::moves(board).len() as u64).sum()
    });
    group.finish();
    on_all_paths!(moves_of_path, criterion);
}

fn moves_of_path(criterion: &mut Criterion, path: &str, counter: Option<impl LeafCounter>) {
    let Some(counter) = counter else { return };
    let expected = six().iter().map(|case| known(case, 2)).sum();
    let positions = children();
    let mut group = criterion.benchmark_group("moves listed");
    bench_count(&mut group, path, expected, || {
        positions.iter().map(|position| counter.moves(position).len() as u64).sum()
    });
    group.finish();
}

fn children() -> Vec<Position> {
    let of = |parent: &Position| {
        let moves = legal_moves(parent);
        moves.iter().map(|played| parent.play_unchecked(*played)).collect::<Vec<_>>()
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

/// The last plies, of all standard positions together and of two that are unlike.
fn leaves(criterion: &mut Criterion) {
    on_all_paths!(leaves_of_path, criterion);
}

fn leaves_of_path(criterion: &mut Criterion, path: &str, counter: Option<impl LeafCounter>) {
    let Some(counter) = counter else { return };
    let sets = [("six", six()), ("kiwipete", vec![case("kiwipete")]), ("endgame", vec![case("endgame")])];
    for (name, cases) in sets {
        let mut bench = |depth, plies: &str, count: &dyn Fn(&Position) -> u64| {
            let mut group = criterion.benchmark_group(format!("{plies} to the leaves"));
            let expected = cases.iter().map(|case| known(case, depth)).sum();
            let id = format!("{path}/{name}");
            let all = || cases.iter().map(|case| count(&case.position)).sum();
            bench_count(&mut group, &id, expected, all);
            group.finish();
        };
        bench(1, "one ply", &|position| counter.one_ply(position));
        bench(2, "two plies", &|position| counter.two_plies(position));
        bench(3, "three plies", &|position| counter.three_plies(position));
    }
}

criterion_group! { name = parts; config = criterion(); targets = sliders, moves, leaves }
criterion_main!(parts);

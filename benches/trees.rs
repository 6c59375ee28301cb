//! Measures whole counts: the six standard positions on every CPU path, with a table, and on several threads.
//!
//! The elements of the throughput are leaf nodes, so criterion prints nodes per second. All groups use bulk counting,
//! as `cozy-chess` does, except "every leaf made". Every count is checked before it is timed. The trees are small,
//! and these benchmarks do not detect a busy machine. Published speeds are measured as the methodology chapter of the
//! book describes.

mod common;

use common::{SIX, bench_count, case, cozy, criterion, known};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use perft_core::Position;
use perft_count::{CpuPath, LeafMode, Perft, Progress, Table};

/// Trees that are large enough for a table or a second thread to help.
const LARGER: [(&str, u32); 2] = [("start", 6), ("kiwipete", 5)];

/// The size of the table in bytes. It is too small for a whole tree.
const TABLE_BYTES: usize = 16 << 20;

fn count(perft: &Perft, position: &Position, depth: u32) -> u64 {
    perft.count_with_progress(position, depth, &Progress::default()).expect("no stop signal is raised") as u64
}

/// Measures all CPU paths of this machine, and `cozy-chess`.
fn paths(criterion: &mut Criterion) {
    for (name, depth) in SIX {
        let (case, mut group) = (case(name), criterion.benchmark_group(format!("{name} {depth}")));
        let expected = known(case, depth);
        for path in CpuPath::ALL.into_iter().filter(|path| path.is_available()) {
            let perft = Perft::new().cpu_path(path).expect("the path is available");
            bench_count(&mut group, path.name(), expected, || count(&perft, &case.position, depth));
        }
        let board = cozy::board(&case.fen);
        bench_count(&mut group, "cozy-chess", expected, || cozy::perft(&board, depth));
        group.finish();
    }
}

/// Measures counts that make every leaf, without bulk counting.
fn every_leaf(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("every leaf made");
    let perft = Perft::new().leaf_mode(LeafMode::EveryLeaf);
    for (name, depth) in [("start", 4), ("kiwipete", 3)] {
        let case = case(name);
        let id = format!("{name}/{depth}");
        bench_count(&mut group, &id, known(case, depth), || count(&perft, &case.position, depth));
    }
    group.finish();
}

/// Measures counts without a table, and with a table that is empty at first.
fn table(criterion: &mut Criterion) {
    for (name, depth) in LARGER {
        let (case, mut group) = (case(name), criterion.benchmark_group(format!("table, {name} {depth}")));
        let expected = known(case, depth);
        let without = Perft::new();
        bench_count(&mut group, "none", expected, || count(&without, &case.position, depth));
        let with = || Perft::new().table(Table::new(TABLE_BYTES, 0).expect("there is enough memory"));
        assert_eq!(count(&with(), &case.position, depth), expected, "the count with a table is wrong");
        group.throughput(Throughput::Elements(expected));
        group.bench_function("16 MiB", |bencher| {
            bencher.iter_batched_ref(
                with,
                |perft| count(perft, &case.position, depth),
                BatchSize::PerIteration,
            );
        });
        group.finish();
    }
}

/// Measures counts on one thread, and on one thread per core.
fn threads(criterion: &mut Criterion) {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    for (name, depth) in LARGER {
        let (case, mut group) = (case(name), criterion.benchmark_group(format!("threads, {name} {depth}")));
        for threads in if all == 1 { vec![1] } else { vec![1, all] } {
            let perft = Perft::new().threads(threads).expect("one thread per core is allowed");
            let count = || count(&perft, &case.position, depth);
            bench_count(&mut group, &threads.to_string(), known(case, depth), count);
        }
        group.finish();
    }
}

criterion_group! { name = trees; config = criterion(); targets = paths, every_leaf, table, threads }
criterion_main!(trees);

//! How fast whole trees are counted: the six standard positions on every CPU path, with a table, on many threads.
//!
//! Elements are leaf nodes, so that criterion prints nodes a second; bulk counting throughout, by `cozy-chess` too. What
//! is counted in another way has a group of its own. Every count is asserted before it is timed. The trees are small,
//! and a busy machine is not noticed here: claims about speed are measured as `METHODOLOGY.md` says.

mod common;

use common::{SIX, bench_count, case, cozy, criterion, known};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use perft_core::Position;
use perft_core::{CpuPath, LeafMode, Perft, Progress, Table};

/// Trees in which a table pays, or a second thread.
const LARGER: [(&str, u32); 2] = [("start", 6), ("kiwipete", 5)];

/// Bytes of the table: it holds a part of such a tree.
const TABLE_BYTES: usize = 16 << 20;

fn count(perft: &Perft, position: &Position, depth: u32) -> u64 {
    perft.count(position, depth, &Progress::default()).expect("nobody stops it") as u64
}

fn on_path(path: CpuPath) -> Perft {
    Perft::new().cpu_path(path).expect("it is available")
}

/// All paths of this machine, and the peer.
fn paths(criterion: &mut Criterion) {
    for (name, depth) in SIX {
        let (case, mut group) = (case(name), criterion.benchmark_group(format!("{name} {depth}")));
        let expected = known(case, depth);
        for path in CpuPath::ALL.into_iter().filter(|path| path.is_available()) {
            let perft = on_path(path);
            bench_count(&mut group, path.name(), expected, || count(&perft, &case.position, depth));
        }
        let board = cozy::board(&case.fen);
        bench_count(&mut group, "cozy-chess", expected, || cozy::perft(&board, depth));
        group.finish();
    }
}

/// Every leaf made.
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

/// With a table that is empty at first, and without.
fn table(criterion: &mut Criterion) {
    for (name, depth) in LARGER {
        let (case, mut group) = (case(name), criterion.benchmark_group(format!("table, {name} {depth}")));
        let expected = known(case, depth);
        let without = Perft::new();
        bench_count(&mut group, "none", expected, || count(&without, &case.position, depth));
        let with = || Perft::new().table(Table::new(TABLE_BYTES, 0).expect("there is memory"));
        assert_eq!(count(&with(), &case.position, depth), expected, "the table counts wrongly");
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

/// One thread and as many as the machine has.
fn threads(criterion: &mut Criterion) {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    for (name, depth) in LARGER {
        let (case, mut group) = (case(name), criterion.benchmark_group(format!("threads, {name} {depth}")));
        for threads in if all == 1 { vec![1] } else { vec![1, all] } {
            let perft = Perft::new().threads(threads).expect("a thread a core");
            let count = || count(&perft, &case.position, depth);
            bench_count(&mut group, &threads.to_string(), known(case, depth), count);
        }
        group.finish();
    }
}

criterion_group! { name = trees; config = criterion(); targets = paths, every_leaf, table, threads }
criterion_main!(trees);

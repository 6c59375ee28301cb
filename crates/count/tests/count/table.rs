//! The transposition table: its keys, its size, and what it stores.

use std::collections::HashSet;
use std::mem::transmute;

use perft_core::{LeafCounter, MoveList, Position};
use perft_count::internals::{Bucket, Key, KeyMaker};
use perft_count::{CpuPath, MIN_TABLE_BYTES, Perft, Table, TableError, TableStatistics};
use perft_testing::children;

/// The number of distinct positions in the first four plies.
const DISTINCT: u64 = 1 + 20 + 400 + 5_362 + 72_078;

fn portable(table_bytes: usize) -> Perft {
    let perft = Perft::new().cpu_path(CpuPath::Portable).unwrap();
    perft.table(Table::new(table_bytes, 0).unwrap())
}

fn statistics(perft: &Perft) -> TableStatistics {
    perft.table_statistics().unwrap()
}

#[test]
fn sizes_are_rounded_down_or_refused() {
    for (bytes, rounded) in [(64, 64), (1000, 960), (1 << 20, 1 << 20), ((1 << 21) + 4096, (1 << 21) + 4096)]
    {
        let table = Table::new(bytes, 0).unwrap();
        assert_eq!((table.bytes(), table.statistics().fill), (rounded, 0.0));
    }
    assert_eq!(Table::new(63, 0).unwrap_err(), TableError::TooSmall(63));
    for absurd in [usize::MAX / 2, usize::MAX] {
        assert_eq!(Table::new(absurd, 0).unwrap_err(), TableError::NoMemory(absurd));
    }
}

#[test]
fn nodes_are_probed_down_to_the_smallest_table_depth() {
    let perft = portable(1 << 20);
    let probes_and_hits = |depth| {
        perft.count(&Position::start(), depth);
        (statistics(&perft).probes, statistics(&perft).hits)
    };
    let min_depth = CpuPath::Portable.counter().unwrap().min_table_depth();
    assert_eq!(probes_and_hits(min_depth - 1), (0, 0));
    assert_eq!(probes_and_hits(min_depth), (1, 0));
    assert_eq!(probes_and_hits(min_depth), (2, 1));
    assert_eq!(probes_and_hits(min_depth + 1), (2 + 1 + 20, 1));
    assert_eq!(probes_and_hits(min_depth + 1), (2 + 1 + 20 + 1, 2));
}

#[test]
fn every_slot_is_used() {
    let perft = portable(7 * MIN_TABLE_BYTES);
    perft.count(&Position::start(), 5);
    assert_eq!(statistics(&perft).fill, 1.0);
}

/// The keys of a few positions are in the first MiB of a large table. If they were anywhere in it, none would be in the
/// sample from which the fill is estimated.
#[test]
fn a_short_count_uses_a_small_part_of_a_large_table() {
    let perft = portable(64 << 20);
    perft.count(&Position::start(), 3);
    let fill = statistics(&perft).fill;
    assert!(0.0 < fill && fill < 1e-4, "{fill}");
}

#[test]
fn a_long_count_uses_as_much_of_the_table_as_it_needs() {
    let perft = portable(64 << 20);
    let depth = 4 + CpuPath::Portable.counter().unwrap().min_table_depth();
    perft.count(&Position::start(), depth);
    let TableStatistics { probes, hits, fill, .. } = statistics(&perft);
    // Without an estimate, the table would use 1 MiB at first, and lose the counts in it when it grows.
    assert!(probes - hits < DISTINCT * 21 / 20, "{probes} probes, {hits} hits");
    let slots = (64 << 20) / MIN_TABLE_BYTES * 4;
    assert!((0.9..1.1).contains(&(fill * slots as f64 / DISTINCT as f64)), "{fill}");
}

#[test]
fn more_of_the_table_is_used_if_there_are_more_counts_than_expected() {
    let perft = portable(2 << 20);
    let root = Position::from_fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1").unwrap();
    let mut nodes = vec![root];
    while statistics(&perft).probes < 150_000 {
        nodes = nodes.iter().flat_map(children).collect();
        nodes.iter().for_each(|node| {
            perft.count(node, 3);
        });
    }
    // At first, the table uses half of its memory.
    assert!(statistics(&perft).fill > 0.5, "{:?}", statistics(&perft));
}

/// A counter that finds 2^52 nodes two plies below every position.
struct Huge;

impl LeafCounter for Huge {
    fn moves(&self, position: &Position) -> MoveList {
        position.legal_moves()
    }

    fn count(&self, _: &Position, _: u32) -> u64 {
        1 << 52
    }
}

#[test]
fn counts_above_64_bits_are_not_stored() {
    let perft = Perft::new().leaf_counter(Box::new(Huge)).table(Table::new(1 << 20, 0).unwrap());
    for _ in 0..2 {
        assert_eq!(perft.count(&Position::start(), 5), 8_902 << 52);
    }
}

#[test]
fn a_full_bucket_drops_its_smallest_count() {
    let bucket = Bucket::default();
    for (check, nodes) in [30, 10, 20, 40, 50].into_iter().enumerate() {
        bucket.put(check as u64, nodes);
    }
    let kept = [0, 1, 2, 3, 4].map(|check| bucket.get(check));
    assert_eq!(kept, [Some(30), None, Some(20), Some(40), Some(50)]);
    assert_eq!(bucket.used(), Bucket::SLOTS);
}

#[test]
fn a_torn_slot_is_ignored() {
    let bucket = Bucket::default();
    bucket.put(7, 1000);
    // SAFETY: a bucket consists of eight atomics of this size, and every value of each is valid.
    let words: [u64; 8] = unsafe { transmute(bucket) };
    let torn = words.map(|word| if word == 1000 { 1001 } else { word });
    assert_ne!(torn, words);
    for (words, found) in [(words, Some(1000)), (torn, None)] {
        // SAFETY: as above.
        let bucket: Bucket = unsafe { transmute(words) };
        assert_eq!(bucket.get(7), found);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn huge_pages_are_requested() {
    if !std::path::Path::new("/sys/kernel/mm/transparent_hugepage/enabled").exists() {
        return println!("skipped: this kernel has no transparent huge pages");
    }
    let other = memmap2::MmapMut::map_anon(1 << 21).unwrap();
    other.advise(memmap2::Advice::DontFork).unwrap();
    let table = Table::new(8 << 20, 0).unwrap();
    // Only tables ask for huge pages in this process.
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    drop((other, table));
    let flags: HashSet<&str> = maps
        .lines()
        .filter_map(|line| line.strip_prefix("VmFlags:"))
        .flat_map(str::split_whitespace)
        .collect();
    if !flags.contains("dc") {
        return println!("skipped: this system, such as qemu, does not tell what was asked of it");
    }
    assert!(flags.contains("hg"), "{flags:?}");
}

#[test]
fn every_depth_has_its_own_key() {
    let keys = KeyMaker::new(0);
    let depths = [0, 1, 2, 3, 255, 256, 1 << 31, u32::MAX];
    let distinct: HashSet<Key> = depths.iter().map(|&depth| keys.key(&Position::start(), depth)).collect();
    assert_eq!(distinct.len(), depths.len());
}

/// Both words of a key are spread evenly and are independent. Among the keys of 5362 positions, all 256 combinations of
/// the first four bits of both words occur about equally often.
#[test]
fn slot_and_check_are_independent() {
    let keys = KeyMaker::new(0);
    let positions =
        (0..3).fold(vec![Position::start()], |positions, _| positions.iter().flat_map(children).collect());
    let distinct: HashSet<Key> = positions.iter().map(|position| keys.key(position, 3)).collect();
    assert_eq!(distinct.len(), 5362);
    let words: HashSet<u64> = distinct.iter().flat_map(|key| [key.slot, key.check]).collect();
    assert_eq!(words.len(), 2 * distinct.len());
    let mut combinations = [0u32; 256];
    for key in &distinct {
        combinations[(key.slot >> 60 << 4 | key.check >> 60) as usize] += 1;
    }
    // The mean is 5362 / 256 = 21 and the standard deviation is below 5. The limit is six standard deviations away.
    assert!(combinations.iter().all(|&count| count < 50), "{combinations:?}");
}

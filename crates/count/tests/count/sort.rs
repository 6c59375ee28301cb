//! External sorting, and estimates of deep counts.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};

use perft_count::Perft;
use perft_count::internals::{ExternalSorter, SortRecord, forecast};
use perft_diagnosis::random::Random;

/// Returns unordered records with many equal positions.
fn records(count: usize) -> Vec<SortRecord> {
    let mut random = Random::new(7);
    let mut word = || [0, 1, 0x8000_0000_0000_0000, u64::MAX, 0x0123_4567_89ab_cdef][random.below(5)];
    let mut records: Vec<SortRecord> = (0..count)
        .map(|index| SortRecord {
            position: [word(), word(), word(), word()],
            root: index as u64,
            paths: word() >> (index % 64),
        })
        .collect();
    records.sort_by_key(|record| (record.root as u16).wrapping_mul(40_503));
    records
}

fn sorter<'a>(
    perft: &'a Perft,
    memory_bytes: usize,
    file: &'a File,
    records: &[SortRecord],
) -> ExternalSorter<'a> {
    let mut sorter = ExternalSorter::new(perft, memory_bytes, file).unwrap();
    records.iter().for_each(|record| sorter.push(*record).unwrap());
    sorter
}

fn bytes_of(file: &File) -> u64 {
    file.metadata().unwrap().len()
}

fn all(sorter: ExternalSorter) -> io::Result<Vec<SortRecord>> {
    sorter.sorted()?.collect()
}

#[test]
fn the_order_does_not_depend_on_the_memory() {
    let records = records(5_000);
    let mut expected = records.clone();
    expected.sort();
    for (memory_bytes, is_on_disk) in [(1 << 20, false), (200_000, true), (10_000, true), (48, true)] {
        for threads in [1, 2] {
            let file = tempfile::tempfile().unwrap();
            let perft = Perft::new().threads(threads).unwrap();
            let sorter = sorter(&perft, memory_bytes, &file, &records);
            assert_eq!(bytes_of(&file) > 0, is_on_disk, "{memory_bytes} bytes");
            assert!(all(sorter).unwrap() == expected, "{memory_bytes} bytes");
        }
    }
}

#[test]
fn a_changed_byte_on_disk_is_detected() {
    let (perft, records) = (Perft::new(), records(30));
    let mut bytes = 1;
    let mut at = 0;
    while at < bytes {
        let mut file = tempfile::tempfile().unwrap();
        let other = file.try_clone().unwrap();
        let sorter = sorter(&perft, 10 * 48, &other, &records);
        // The last run is written by `sorted`. The runs before it can be damaged now.
        bytes = bytes_of(&file);
        let mut byte = [0];
        file.seek(SeekFrom::Start(at)).unwrap();
        file.read_exact(&mut byte).unwrap();
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(&[byte[0] ^ 4]).unwrap();
        file.seek(SeekFrom::End(0)).unwrap();
        let error = all(sorter).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData, "{at}: {error}");
        at += 1;
    }
}

#[test]
fn edge_cases_of_a_forecast() {
    assert_eq!(forecast(&[], 3), 0.0);
    assert_eq!(forecast(&[1], 3), 1.0);
    assert_eq!(forecast(&[1, 3, 0], 9), 0.0);
    assert_eq!(forecast(&[1, 4, 16], 4), 256.0);
    assert_eq!(forecast(&[1, 4, 16], 2), 16.0);
}

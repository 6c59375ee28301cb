//! External sorting of the positions of a campaign: in memory as far as they fit, otherwise on disk.
//!
//! A record says how many paths lead from a root move to a position. When the buffer is full, it is sorted and appended
//! to a file as a *run*. At the end, the runs are read side by side and merged (Knuth, "The Art of Computer
//! Programming" 3, section 5.4):
//!
//! ```text
//!   push -> [ buffer ] -> sort -> run 1 | run 2 | run 3      one file
//!                                   \       |      /
//!                                    k-way merge: the smallest of the first records
//! ```
//!
//! Records are ordered by the family of the position, then by packed position, then by root move. So the order does not
//! depend on the size of the buffer.

use std::cmp::{Ordering, Reverse};
use std::collections::binary_heap::PeekMut;
use std::collections::{BinaryHeap, TryReserveError};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};

use bytemuck::{Pod, Zeroable};
use perft_core::internals::PackedPosition;
use rayon::slice::ParallelSliceMut;

use crate::driver::Perft;
use crate::trunk::Threads;

/// The largest number of bytes that are read from a run at a time. Reading more is not faster.
const MAX_READ: usize = 1 << 20;

/// The smallest number of bytes that are read from a run at a time. File systems hardly read less.
const MIN_READ: usize = 1 << 12;

/// The number of paths from a root move to a position. Records are ordered by the family of the position, then by
/// position, then by root move. Positions of one family have most children in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(C)]
pub struct SortRecord {
    /// The packed position.
    pub position: [u64; 4],
    /// The index of the root move.
    pub root: u64,
    /// The number of paths.
    pub paths: u64,
}

const RECORD_BYTES: usize = size_of::<SortRecord>();

impl SortRecord {
    #[inline(always)]
    fn family(&self) -> [u64; 4] {
        let [one, two, four, eight] = PackedPosition::from_words(self.position).family();
        [one.bits(), two.bits(), four.bits(), eight.bits()]
    }
}

impl Ord for SortRecord {
    fn cmp(&self, other: &SortRecord) -> Ordering {
        let rest = |record: &SortRecord| (record.position, record.root, record.paths);
        self.family().cmp(&other.family()).then_with(|| rest(self).cmp(&rest(other)))
    }
}

impl PartialOrd for SortRecord {
    fn partial_cmp(&self, other: &SortRecord) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Collects records in any order and sorts them. No two records may have the same position and root move.
#[derive(Debug)]
pub struct ExternalSorter<'a> {
    perft: &'a Perft,
    memory_bytes: usize,
    buffer: Vec<SortRecord>,
    /// A file of sorted runs, one after the other. Because it is one file, the number of runs is not limited by the
    /// number of open files.
    file: &'a File,
    /// The end of each run in the file.
    ends: Vec<u64>,
    /// The sum of the hashes of all records. It does not depend on the order, so it is the same after sorting.
    fingerprint: u64,
}

impl<'a> ExternalSorter<'a> {
    /// Makes a sorter that uses `memory_bytes` of memory, and an empty file for the rest.
    ///
    /// # Errors
    /// Returns an error if the system does not provide the memory.
    pub fn new(
        perft: &'a Perft,
        memory_bytes: usize,
        file: &'a File,
    ) -> Result<ExternalSorter<'a>, TryReserveError> {
        let mut buffer = Vec::new();
        buffer.try_reserve_exact((memory_bytes / RECORD_BYTES).max(1))?;
        Ok(ExternalSorter { perft, memory_bytes, buffer, file, ends: Vec::new(), fingerprint: 0 })
    }

    /// Adds a record.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn push(&mut self, record: SortRecord) -> io::Result<()> {
        if self.buffer.len() == self.buffer.capacity() {
            self.spill()?;
        }
        self.fingerprint = self.fingerprint.wrapping_add(hash(&record));
        self.buffer.push(record);
        Ok(())
    }

    /// Returns all records in order.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written or read.
    pub fn sorted(mut self) -> io::Result<SortedRecords<'a>> {
        let mut runs = Vec::new();
        if self.ends.is_empty() {
            self.sort();
            runs.push(Run { file: self.file, at: 0, end: 0, read: self.buffer, next: 0 });
        } else {
            self.spill()?;
            drop(self.buffer);
            let bytes = (self.memory_bytes / self.ends.len()).clamp(MIN_READ, MAX_READ);
            let mut at = 0;
            for end in self.ends {
                let read = Vec::with_capacity(bytes / RECORD_BYTES);
                runs.push(Run { file: self.file, at, end, read, next: 0 });
                at = end;
            }
        }
        let mut heap = BinaryHeap::new();
        for (index, run) in runs.iter_mut().enumerate() {
            heap.extend(run.next()?.map(|first| Reverse((first, index))));
        }
        Ok(SortedRecords { runs, heap, fingerprint: self.fingerprint })
    }

    fn sort(&mut self) {
        let buffer = &mut self.buffer;
        self.perft.in_pool(|threads| match threads {
            Threads::Caller => buffer.sort_unstable(),
            Threads::Pool => buffer.par_sort_unstable(),
        });
    }

    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        self.file.write_all(bytemuck::cast_slice(&self.buffer))?;
        self.ends.push(self.file.stream_position()?);
        self.buffer.clear();
        Ok(())
    }
}

/// The records in order, merged from sorted runs.
#[derive(Debug)]
pub struct SortedRecords<'a> {
    runs: Vec<Run<'a>>,
    /// The next record of each run, and the number of the run.
    heap: BinaryHeap<Reverse<(SortRecord, usize)>>,
    /// The sum of the hashes of the records that are still to come.
    fingerprint: u64,
}

/// An error says that the file cannot be read, or that it has changed. Some changes are only detected at the end.
impl Iterator for SortedRecords<'_> {
    type Item = io::Result<SortRecord>;

    fn next(&mut self) -> Option<io::Result<SortRecord>> {
        let Some(mut head) = self.heap.peek_mut() else {
            let changed = "the file for sorting does not contain what was written to it";
            let has_changed = self.fingerprint != 0;
            return has_changed.then(|| Err(io::Error::new(ErrorKind::InvalidData, changed)));
        };
        let Reverse((least, run)) = *head;
        match self.runs[run].next() {
            Ok(Some(next)) => *head = Reverse((next, run)),
            Ok(None) => {
                PeekMut::pop(head);
            }
            Err(error) => return Some(Err(error)),
        }
        self.fingerprint = self.fingerprint.wrapping_sub(hash(&least));
        Some(Ok(least))
    }
}

fn hash(record: &SortRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    record.hash(&mut hasher);
    hasher.finish()
}

/// A sorted run, which is in the memory or read from a range of a file.
#[derive(Debug)]
struct Run<'a> {
    file: &'a File,
    /// The range that has not been read.
    at: u64,
    end: u64,
    /// The records that were read last.
    read: Vec<SortRecord>,
    /// The index of the next of these records.
    next: usize,
}

impl Run<'_> {
    fn next(&mut self) -> io::Result<Option<SortRecord>> {
        if self.next == self.read.len() {
            let left = ((self.end - self.at) / RECORD_BYTES as u64) as usize;
            self.read.resize(left.min(self.read.capacity()), SortRecord::zeroed());
            self.file.seek(SeekFrom::Start(self.at))?;
            self.file.read_exact(bytemuck::cast_slice_mut(&mut self.read))?;
            self.at += (self.read.len() * RECORD_BYTES) as u64;
            self.next = 0;
        }
        let record = self.read.get(self.next).copied();
        self.next += 1;
        Ok(record)
    }
}

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
//! depend on the size of the buffer. In a run, a record states how many bytes its position shares with the position
//! before it.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};

use perft_core::internals::PackedPosition;
use rayon::slice::ParallelSliceMut;

use crate::driver::Perft;
use crate::threads::Threads;

/// The largest number of bytes that are read from a run at a time. Reading more is not faster.
const MAX_READ: usize = 1 << 20;

/// The smallest number of bytes that are read from a run at a time. File systems hardly read less.
const MIN_READ: usize = 1 << 12;

/// The number of bytes of a packed position.
const POSITION_BYTES: usize = 32;

/// Why records cannot be sorted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SortError {
    /// The system does not provide this number of bytes of memory.
    #[error("the system does not provide {0} bytes of memory")]
    NoMemory(usize),
    /// The system refuses to write the file.
    #[error("cannot write the file for sorting: {0}")]
    Write(String),
    /// The system refuses to read the file.
    #[error("cannot read the file for sorting: {0}")]
    Read(String),
    /// The file has changed since it was written.
    #[error("the file for sorting does not contain what was written to it")]
    Changed,
}

/// The number of paths from a root move to a position. Records are ordered by the family of the position, then by
/// position, then by root move. Positions of one family have most children in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SortRecord {
    /// The packed position.
    pub position: [u64; 4],
    /// The index of the root move.
    pub root: u16,
    /// The number of paths.
    pub paths: u64,
}

impl SortRecord {
    /// Returns the family of the position, as four sets.
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

/// Collects records in any order and sorts them. No two may have the same position and root move.
#[derive(Debug)]
pub struct ExternalSorter<'a> {
    perft: &'a Perft,
    memory_bytes: usize,
    buffer: Vec<SortRecord>,
    runs: RunFile<'a>,
    /// The sum of the hashes of all records. It does not depend on the order, so it is the same after sorting.
    fingerprint: u64,
}

impl<'a> ExternalSorter<'a> {
    /// Makes a sorter that uses `memory_bytes` of memory, and an empty file for the rest.
    ///
    /// # Errors
    /// The system does not provide the memory.
    pub fn new(
        perft: &'a Perft,
        memory_bytes: usize,
        file: &'a File,
    ) -> Result<ExternalSorter<'a>, SortError> {
        let mut buffer = Vec::new();
        let room = (memory_bytes / size_of::<SortRecord>()).max(1);
        buffer.try_reserve_exact(room).map_err(|_| SortError::NoMemory(memory_bytes))?;
        let runs = RunFile { file, end: 0, runs: Vec::new() };
        Ok(ExternalSorter { perft, memory_bytes, buffer, runs, fingerprint: 0 })
    }

    /// Adds a record.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn push(&mut self, record: SortRecord) -> Result<(), SortError> {
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
    /// The file cannot be written or read.
    pub fn sorted(mut self) -> Result<SortedRecords<'a>, SortError> {
        let ExternalSorter { memory_bytes, fingerprint, .. } = self;
        if self.runs.runs.is_empty() {
            self.sort();
            return Ok(SortedRecords {
                source: RecordSource::InMemory(self.buffer.into_iter()),
                fingerprint,
            });
        }
        self.spill()?;
        drop(self.buffer);
        let merge =
            KWayMerge::new(&self.runs, memory_bytes).map_err(|error| SortError::Read(error.to_string()))?;
        Ok(SortedRecords { source: RecordSource::OnDisk(merge), fingerprint })
    }

    fn sort(&mut self) {
        let buffer = &mut self.buffer;
        self.perft.in_pool(|threads| match threads {
            Threads::Caller => buffer.sort_unstable(),
            Threads::Pool => buffer.par_sort_unstable(),
        });
    }

    /// Appends the buffer to the file as a run.
    fn spill(&mut self) -> Result<(), SortError> {
        self.sort();
        self.runs.append(&self.buffer).map_err(|error| SortError::Write(error.to_string()))?;
        self.buffer.clear();
        Ok(())
    }
}

/// The records in order.
#[derive(Debug)]
pub struct SortedRecords<'a> {
    source: RecordSource<'a>,
    /// The sum of the hashes of the records that are still to come.
    fingerprint: u64,
}

#[derive(Debug)]
enum RecordSource<'a> {
    InMemory(std::vec::IntoIter<SortRecord>),
    OnDisk(KWayMerge<'a>),
}

/// An error says that the file cannot be read, or that it has changed. Some changes are only detected at the end.
impl Iterator for SortedRecords<'_> {
    type Item = Result<SortRecord, SortError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = match &mut self.source {
            RecordSource::InMemory(records) => Ok(records.next()),
            RecordSource::OnDisk(merge) => merge.next().map_err(|error| SortError::Read(error.to_string())),
        };
        match next {
            Ok(Some(record)) => self.fingerprint = self.fingerprint.wrapping_sub(hash(&record)),
            Ok(None) if self.fingerprint != 0 => return Some(Err(SortError::Changed)),
            _ => {}
        }
        next.transpose()
    }
}

fn hash(record: &SortRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    record.hash(&mut hasher);
    hasher.finish()
}

/// A file of sorted runs, one after the other. Because it is one file, the number of runs is not limited by the number
/// of open files.
#[derive(Debug)]
struct RunFile<'a> {
    file: &'a File,
    end: u64,
    /// The start and the end of each run.
    runs: Vec<(u64, u64)>,
}

impl RunFile<'_> {
    fn append(&mut self, records: &[SortRecord]) -> io::Result<()> {
        let mut file = BufWriter::with_capacity(MAX_READ, self.file);
        let mut previous = [0; POSITION_BYTES];
        let mut written = 0;
        for record in records {
            written += write_record(&mut file, record, &mut previous)?;
        }
        file.flush()?;
        self.runs.push((self.end, self.end + written));
        self.end += written;
        Ok(())
    }
}

/// Writes a record and returns the number of bytes. `previous` is the position of the record before it.
fn write_record(
    out: &mut impl Write,
    record: &SortRecord,
    previous: &mut [u8; POSITION_BYTES],
) -> io::Result<u64> {
    let position = to_bytes(record.position);
    let shared = position.iter().zip(previous.iter()).take_while(|(a, b)| a == b).count();
    let paths = record.paths.to_le_bytes();
    let paths_length = paths.len() - record.paths.leading_zeros() as usize / 8;
    let root = record.root.to_le_bytes();
    out.write_all(&[shared as u8, paths_length as u8, root[0], root[1]])?;
    out.write_all(&paths[..paths_length])?;
    out.write_all(&position[shared..])?;
    *previous = position;
    Ok((4 + paths_length + POSITION_BYTES - shared) as u64)
}

/// Reads a record, or returns `None` at the end. `previous` is the position of the record before it.
fn read_record(input: &mut impl Read, previous: &mut [u8; POSITION_BYTES]) -> io::Result<Option<SortRecord>> {
    let mut head = [0; 4];
    if input.read(&mut head[..1])? == 0 {
        return Ok(None);
    }
    input.read_exact(&mut head[1..])?;
    let [shared, paths_length, root @ ..] = head;
    let mut paths = [0; 8];
    let paths_bytes = paths.get_mut(..usize::from(paths_length)).ok_or(ErrorKind::InvalidData)?;
    input.read_exact(paths_bytes)?;
    let position_bytes = previous.get_mut(usize::from(shared)..).ok_or(ErrorKind::InvalidData)?;
    input.read_exact(position_bytes)?;
    let (root, paths) = (u16::from_le_bytes(root), u64::from_le_bytes(paths));
    Ok(Some(SortRecord { position: from_bytes(previous), root, paths }))
}

/// Returns words as bytes with the same order.
fn to_bytes(words: [u64; 4]) -> [u8; POSITION_BYTES] {
    let mut bytes = [0; POSITION_BYTES];
    bytes.chunks_exact_mut(8).zip(words).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_be_bytes()));
    bytes
}

fn from_bytes(bytes: &[u8; POSITION_BYTES]) -> [u64; 4] {
    let mut words = [0; 4];
    let word = |bytes: &[u8]| u64::from_be_bytes(bytes.try_into().expect("eight bytes"));
    words.iter_mut().zip(bytes.chunks_exact(8)).for_each(|(to, bytes)| *to = word(bytes));
    words
}

/// Merges sorted runs.
#[derive(Debug)]
struct KWayMerge<'a> {
    readers: Vec<RunReader<'a>>,
    /// The next record of each run, and the number of the run.
    heap: BinaryHeap<Reverse<(SortRecord, usize)>>,
}

impl<'a> KWayMerge<'a> {
    fn new(runs: &RunFile<'a>, memory_bytes: usize) -> io::Result<KWayMerge<'a>> {
        let read_size = (memory_bytes / runs.runs.len()).clamp(MIN_READ, MAX_READ);
        let mut merge = KWayMerge { readers: Vec::new(), heap: BinaryHeap::new() };
        for (index, &(begin, end)) in runs.runs.iter().enumerate() {
            let part = FileRange { file: runs.file, at: begin, end };
            let bytes = BufReader::with_capacity(read_size, part);
            let mut reader = RunReader { bytes, previous: [0; POSITION_BYTES] };
            let first = reader.next()?;
            merge.heap.extend(first.map(|first| Reverse((first, index))));
            merge.readers.push(reader);
        }
        Ok(merge)
    }

    fn next(&mut self) -> io::Result<Option<SortRecord>> {
        let Some(mut head) = self.heap.peek_mut() else { return Ok(None) };
        let Reverse((least, index)) = *head;
        match self.readers[index].next()? {
            Some(next) => *head = Reverse((next, index)),
            None => {
                PeekMut::pop(head);
            }
        }
        Ok(Some(least))
    }
}

/// Reads one run.
#[derive(Debug)]
struct RunReader<'a> {
    bytes: BufReader<FileRange<'a>>,
    previous: [u8; POSITION_BYTES],
}

impl RunReader<'_> {
    fn next(&mut self) -> io::Result<Option<SortRecord>> {
        read_record(&mut self.bytes, &mut self.previous)
    }
}

/// A range of a file that several readers share.
#[derive(Debug)]
struct FileRange<'a> {
    file: &'a File,
    at: u64,
    end: u64,
}

impl Read for FileRange<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file;
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.take(self.end - self.at).read(buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}

//! Arrivals: which root move leads to which position in how many ways, sorted, in memory or on disk.
//!
//! What does not fit into the memory is sorted in parts. A part that is full becomes a *run* in a file, and at the end the
//! runs are read side by side and merged (Knuth, "The Art of Computer Programming" 3, section 5.4):
//!
//! ```text
//!   push -> [ buffer ] -> sort -> run 1 | run 2 | run 3      one file
//!                                   \       |      /
//!                                    merge: the least of the first of each
//! ```
//!
//! The order is that of the packed positions, then of the root moves. It does not depend on how the parts fell, nor does
//! anything that comes out. In a run a position begins with the number of bytes that it shares with the one before:
//! neighbours are alike, so that an arrival takes about a third of its place in memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use rayon::slice::ParallelSliceMut;

use super::error::CampaignError;
use perft_core::Perft;

/// What is read of a run at a time: larger pieces are not faster, and smaller ones hardly smaller than what a file
/// system reads.
const LARGEST_PIECE: usize = 1 << 20;
const SMALLEST_PIECE: usize = 1 << 12;

/// The bytes of a packed position.
const POSITION_BYTES: usize = 32;

/// Some ways from a root move to a position. The order is that of the units: by position, then by root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Arrival {
    pub(super) position: [u64; 4],
    pub(super) root: u16,
    pub(super) ways: u64,
}

/// Takes arrivals in any order, no two with the same position and root move.
pub(super) struct Sorter<'a> {
    perft: &'a Perft,
    path: &'a Path,
    memory_bytes: usize,
    buffer: Vec<Arrival>,
    runs: Runs<'a>,
    /// The sum of the hashes of all arrivals, whatever their order: what goes in must come out.
    fingerprint: u64,
}

impl<'a> Sorter<'a> {
    /// A sorter that takes so many bytes of memory, and what more it needs in a file, which is empty. The path is said
    /// when the file fails.
    ///
    /// # Errors
    /// The system has not so much memory.
    pub(super) fn new(
        perft: &'a Perft,
        memory_bytes: usize,
        file: &'a File,
        path: &'a Path,
    ) -> Result<Sorter<'a>, CampaignError> {
        let mut buffer = Vec::new();
        let room = (memory_bytes / size_of::<Arrival>()).max(1);
        buffer.try_reserve_exact(room).map_err(|_| CampaignError::NoMemory(memory_bytes))?;
        let runs = Runs { file, end: 0, runs: Vec::new() };
        Ok(Sorter { perft, path, memory_bytes, buffer, runs, fingerprint: 0 })
    }

    /// Takes an arrival.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn push(&mut self, arrival: Arrival) -> Result<(), CampaignError> {
        if self.buffer.len() == self.buffer.capacity() {
            self.spill()?;
        }
        self.fingerprint = self.fingerprint.wrapping_add(hash(&arrival));
        self.buffer.push(arrival);
        Ok(())
    }

    /// All arrivals in their order.
    ///
    /// # Errors
    /// The file cannot be written or read.
    pub(super) fn sorted(mut self) -> Result<Sorted<'a>, CampaignError> {
        let Sorter { path, memory_bytes, fingerprint, .. } = self;
        if self.runs.runs.is_empty() {
            self.sort();
            return Ok(Sorted { source: Source::Memory(self.buffer.into_iter()), path, fingerprint });
        }
        self.spill()?;
        drop(self.buffer);
        let merge = Merge::new(&self.runs, memory_bytes).map_err(CampaignError::file("read", path))?;
        Ok(Sorted { source: Source::Runs(merge), path, fingerprint })
    }

    fn sort(&mut self) {
        let buffer = &mut self.buffer;
        self.perft.in_pool(
            |parallel| {
                if parallel { buffer.par_sort_unstable() } else { buffer.sort_unstable() }
            },
        );
    }

    fn spill(&mut self) -> Result<(), CampaignError> {
        self.sort();
        self.runs.append(&self.buffer).map_err(CampaignError::file("write", self.path))?;
        self.buffer.clear();
        Ok(())
    }
}

/// Arrivals in their order.
pub(super) struct Sorted<'a> {
    source: Source<'a>,
    path: &'a Path,
    /// What is left of the sum of the hashes.
    fingerprint: u64,
}

enum Source<'a> {
    Memory(std::vec::IntoIter<Arrival>),
    Runs(Merge<'a>),
}

impl Sorted<'_> {
    /// The next arrival.
    ///
    /// # Errors
    /// The file cannot be read, or what was read is not what was written, which shows at the end at the latest.
    pub(super) fn next(&mut self) -> Result<Option<Arrival>, CampaignError> {
        let next = match &mut self.source {
            Source::Memory(arrivals) => arrivals.next(),
            Source::Runs(merge) => merge.next().map_err(CampaignError::file("read", self.path))?,
        };
        match next {
            Some(arrival) => self.fingerprint = self.fingerprint.wrapping_sub(hash(&arrival)),
            None if self.fingerprint == 0 => {}
            None => return Err(CampaignError::damaged(self.path, "what is read is not what was written")),
        }
        Ok(next)
    }
}

fn hash(arrival: &Arrival) -> u64 {
    let mut hasher = DefaultHasher::new();
    arrival.hash(&mut hasher);
    hasher.finish()
}

/// Sorted runs, one behind the other in a file. One file, so that any number can be read at once.
struct Runs<'a> {
    file: &'a File,
    end: u64,
    /// Where each begins and ends.
    runs: Vec<(u64, u64)>,
}

impl Runs<'_> {
    fn append(&mut self, arrivals: &[Arrival]) -> io::Result<()> {
        let mut file = BufWriter::with_capacity(LARGEST_PIECE, self.file);
        let mut before = [0; POSITION_BYTES];
        let mut written = 0;
        for arrival in arrivals {
            written += write_arrival(&mut file, arrival, &mut before)?;
        }
        file.flush()?;
        self.runs.push((self.end, self.end + written));
        self.end += written;
        Ok(())
    }
}

/// Writes an arrival behind another; returns the number of bytes.
fn write_arrival(
    out: &mut impl Write,
    arrival: &Arrival,
    before: &mut [u8; POSITION_BYTES],
) -> io::Result<u64> {
    let position = to_bytes(arrival.position);
    let shared = position.iter().zip(before.iter()).take_while(|(a, b)| a == b).count();
    let ways = arrival.ways.to_le_bytes();
    let ways_length = ways.len() - arrival.ways.leading_zeros() as usize / 8;
    let root = arrival.root.to_le_bytes();
    out.write_all(&[shared as u8, ways_length as u8, root[0], root[1]])?;
    out.write_all(&ways[..ways_length])?;
    out.write_all(&position[shared..])?;
    *before = position;
    Ok((4 + ways_length + POSITION_BYTES - shared) as u64)
}

/// Reads the arrival behind another; `None` at the end.
fn read_arrival(input: &mut impl Read, before: &mut [u8; POSITION_BYTES]) -> io::Result<Option<Arrival>> {
    let mut head = [0; 4];
    if input.read(&mut head[..1])? == 0 {
        return Ok(None);
    }
    input.read_exact(&mut head[1..])?;
    let [shared, ways_length, root @ ..] = head;
    let mut ways = [0; 8];
    let of_ways = ways.get_mut(..usize::from(ways_length)).ok_or(ErrorKind::InvalidData)?;
    input.read_exact(of_ways)?;
    let of_position = before.get_mut(usize::from(shared)..).ok_or(ErrorKind::InvalidData)?;
    input.read_exact(of_position)?;
    let (root, ways) = (u16::from_le_bytes(root), u64::from_le_bytes(ways));
    Ok(Some(Arrival { position: from_bytes(before), root, ways }))
}

/// The words as bytes that are in the same order.
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

/// Some runs, read side by side.
struct Merge<'a> {
    readers: Vec<RunReader<'a>>,
    /// The next arrival of each run that has one, and the number of the run.
    heads: BinaryHeap<Reverse<(Arrival, usize)>>,
}

impl<'a> Merge<'a> {
    fn new(runs: &Runs<'a>, memory_bytes: usize) -> io::Result<Merge<'a>> {
        let piece = (memory_bytes / runs.runs.len()).clamp(SMALLEST_PIECE, LARGEST_PIECE);
        let mut merge = Merge { readers: Vec::new(), heads: BinaryHeap::new() };
        for (index, &(begin, end)) in runs.runs.iter().enumerate() {
            let part = Part { file: runs.file, at: begin, end };
            let bytes = BufReader::with_capacity(piece, part);
            let mut reader = RunReader { bytes, before: [0; POSITION_BYTES] };
            let first = reader.next()?;
            merge.heads.extend(first.map(|first| Reverse((first, index))));
            merge.readers.push(reader);
        }
        Ok(merge)
    }

    fn next(&mut self) -> io::Result<Option<Arrival>> {
        let Some(mut head) = self.heads.peek_mut() else { return Ok(None) };
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

struct RunReader<'a> {
    bytes: BufReader<Part<'a>>,
    before: [u8; POSITION_BYTES],
}

impl RunReader<'_> {
    fn next(&mut self) -> io::Result<Option<Arrival>> {
        read_arrival(&mut self.bytes, &mut self.before)
    }
}

/// A part of a file that others read too.
struct Part<'a> {
    file: &'a File,
    at: u64,
    end: u64,
}

impl Read for Part<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file;
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.take(self.end - self.at).read(buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use perft_diagnosis::random::Random;

    /// Arrivals in no order, many of them alike.
    fn arrivals(count: usize) -> Vec<Arrival> {
        let mut random = Random::new(7);
        let mut word = || [0, 1, 0x8000_0000_0000_0000, u64::MAX, 0x0123_4567_89ab_cdef][random.below(5)];
        let mut arrivals: Vec<Arrival> = (0..count)
            .map(|index| Arrival {
                position: [word(), word(), word(), word()],
                root: index as u16,
                ways: word() >> (index % 64),
            })
            .collect();
        arrivals.sort_by_key(|arrival| arrival.root.wrapping_mul(40_503));
        arrivals
    }

    fn all(sorter: Sorter) -> Result<Vec<Arrival>, CampaignError> {
        let mut sorted = sorter.sorted()?;
        let mut arrivals = Vec::new();
        while let Some(arrival) = sorted.next()? {
            arrivals.push(arrival);
        }
        Ok(arrivals)
    }

    #[test]
    fn what_is_spilled_comes_back_in_the_order_of_memory() {
        let arrivals = arrivals(5_000);
        let mut expected = arrivals.clone();
        expected.sort();
        for (memory_bytes, runs) in [(1 << 20, 0), (200_000, 2), (10_000, 25), (48, 5_000)] {
            for threads in [1, 2] {
                let file = tempfile::tempfile().unwrap();
                let perft = Perft::new().threads(threads).unwrap();
                let mut sorter = Sorter::new(&perft, memory_bytes, &file, Path::new("runs")).unwrap();
                arrivals.iter().for_each(|arrival| sorter.push(*arrival).unwrap());
                let spilled = sorter.runs.runs.len() + usize::from(runs > 0);
                assert_eq!(spilled, runs, "{memory_bytes} bytes");
                assert!(all(sorter).unwrap() == expected, "{memory_bytes} bytes");
            }
        }
    }

    #[test]
    fn a_byte_that_changes_on_disk_is_noticed() {
        let (perft, path, arrivals) = (Perft::new(), Path::new("runs"), arrivals(30));
        let mut bytes = 1;
        let mut at = 0;
        while at < bytes {
            let mut file = tempfile::tempfile().unwrap();
            let other = file.try_clone().unwrap();
            let mut sorter = Sorter::new(&perft, 10 * 48, &other, path).unwrap();
            arrivals.iter().for_each(|arrival| sorter.push(*arrival).unwrap());
            // The last run is written when all is asked for; those before it can be damaged now.
            bytes = sorter.runs.end;
            let mut byte = [0];
            file.seek(SeekFrom::Start(at)).unwrap();
            file.read_exact(&mut byte).unwrap();
            file.seek(SeekFrom::Start(at)).unwrap();
            file.write_all(&[byte[0] ^ 4]).unwrap();
            file.seek(SeekFrom::End(0)).unwrap();
            let error = all(sorter).unwrap_err();
            assert!(
                matches!(error, CampaignError::Damaged { .. } | CampaignError::File { .. }),
                "{at}: {error}"
            );
            at += 1;
        }
    }
}

//! The memory of a table: empty buckets, as many as were asked for, in huge pages where the system gives them.
//!
//! The pages come from the system as they are first written to, all zero, so a large table costs nothing until it is
//! used. A probe goes to any of them: with pages of 4 KiB, finding out where a page lies (a miss in the translation
//! look-aside buffer) costs as much as reading from it, and every page has to be asked for; pages of 2 MiB are few.
//!
//! This file and its neighbour [`super::prefetch()`] are the only ones of the driver that handle addresses.

use std::ops::Deref;

use memmap2::{MmapMut, MmapRaw};

use super::bucket::Bucket;

/// A slice of buckets in memory of their own.
#[derive(Debug)]
pub struct Buckets {
    map: MmapRaw,
    count: usize,
}

impl Buckets {
    /// So many empty buckets, at least one; `None` if the system does not give the memory.
    pub fn new(count: usize) -> Option<Buckets> {
        let map = MmapMut::map_anon(count.checked_mul(size_of::<Bucket>())?).ok()?;
        advise_huge_pages(&map);
        Some(Buckets { map: MmapRaw::from(map), count })
    }
}

/// Asks for huge pages. A system that has none may refuse; the table is then as good, only slower.
#[cfg(target_os = "linux")]
fn advise_huge_pages(map: &MmapMut) {
    let _ = map.advise(memmap2::Advice::HugePage);
}

/// Other systems decide for themselves.
#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: &MmapMut) {}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline(always)]
    fn deref(&self) -> &[Bucket] {
        let start = self.map.as_ptr().cast::<Bucket>();
        debug_assert!(start.is_aligned() && self.map.len() == self.count * size_of::<Bucket>());
        // SAFETY: the map begins at a page, so it is aligned to the 64 bytes of a bucket, and has `count` times 64
        // bytes, which is at most `isize::MAX` or there would be no map. It lives as long as `self`. All its bytes
        // were 0 at first, and a bucket of zeros is an empty one; it is atomics all through, so threads may write to
        // it through shared references, and nobody else knows the map.
        unsafe { std::slice::from_raw_parts(start, self.count) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_buckets_are_empty_and_as_many_as_were_asked_for() {
        for count in [1, 2, 63, 64, 65, 1 << 15, (1 << 15) + 1] {
            let buckets = Buckets::new(count).unwrap();
            assert_eq!(buckets.len(), count);
            assert!(buckets.iter().all(|bucket| bucket.used() == 0));
            buckets[count - 1].put(1, 1);
            assert_eq!(buckets.iter().map(Bucket::used).sum::<usize>(), 1);
        }
    }

    #[test]
    fn too_many_buckets_are_refused() {
        assert!(Buckets::new(usize::MAX / size_of::<Bucket>()).is_none());
        assert!(Buckets::new(usize::MAX).is_none());
    }

    /// The flags of the mapping that an address lies in, as Linux tells them.
    #[cfg(target_os = "linux")]
    fn flags_of_mapping(address: usize) -> String {
        let text = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let mut is_here = false;
        for line in text.lines() {
            let bounds = line.split_whitespace().next().and_then(|word| word.split_once('-'));
            let hex = |text| usize::from_str_radix(text, 16).ok();
            if let Some((Some(start), Some(end))) = bounds.map(|(start, end)| (hex(start), hex(end))) {
                is_here = (start..end).contains(&address);
            } else if let Some(flags) = line.strip_prefix("VmFlags:").filter(|_| is_here) {
                return flags.to_owned();
            }
        }
        panic!("no mapping holds {address:x}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn huge_pages_are_asked_for() {
        if !std::path::Path::new("/sys/kernel/mm/transparent_hugepage/enabled").exists() {
            return eprintln!("skipped: this kernel has no huge pages");
        }
        let buckets = Buckets::new(1 << 17).unwrap();
        let flags = flags_of_mapping(buckets.as_ptr().addr());
        assert!(flags.split_whitespace().any(|flag| flag == "hg"), "{flags}");
    }
}

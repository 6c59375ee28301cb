//! The memory of a table: a slice of empty buckets, in huge pages where the system provides them.
//!
//! The system provides a page, filled with zeros, when the page is first written. So a large table costs nothing until
//! it is used. A probe can access any page. With pages of 4 KiB, nearly every probe misses the translation lookaside
//! buffer, and finding the page takes as long as reading from it. Pages of 2 MiB are few enough to avoid most of these
//! misses.
//!
//! `allocated.rs` is the version for systems without memory mappings. The unsafe code of the table is in this file and
//! in [`super::prefetch()`].

use std::ops::Deref;

use memmap2::{MmapMut, MmapRaw};

use super::bucket::Bucket;

/// A slice of buckets in its own memory mapping.
#[derive(Debug)]
pub struct Buckets {
    map: MmapRaw,
    count: usize,
}

impl Buckets {
    /// Returns `count` empty buckets, or `None` if the system does not provide the memory. `count` must be at least 1.
    pub fn new(count: usize) -> Option<Buckets> {
        let map = MmapMut::map_anon(count.checked_mul(size_of::<Bucket>())?).ok()?;
        advise_huge_pages(&map);
        Some(Buckets { map: MmapRaw::from(map), count })
    }
}

/// Asks for huge pages. If the system refuses, the table is only slower.
#[cfg(target_os = "linux")]
fn advise_huge_pages(map: &MmapMut) {
    let _ = map.advise(memmap2::Advice::HugePage);
}

/// Does nothing: other systems choose the page size themselves.
#[cfg(not(target_os = "linux"))]
fn advise_huge_pages(_: &MmapMut) {}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline(always)]
    fn deref(&self) -> &[Bucket] {
        let start = self.map.as_ptr().cast::<Bucket>();
        debug_assert!(start.is_aligned() && self.map.len() == self.count * size_of::<Bucket>());
        // SAFETY: the map begins at a page boundary, so it is aligned to the 64 bytes of a bucket. It has `count` * 64
        // bytes, which is at most `isize::MAX`, because a larger map cannot be created. It lives as long as `self`. All
        // its bytes start as 0, which is a valid empty bucket. A bucket consists of atomics only, so threads may write
        // to it through shared references, and nothing else has access to the map.
        unsafe { std::slice::from_raw_parts(start, self.count) }
    }
}

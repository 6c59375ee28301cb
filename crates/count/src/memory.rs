//! The memory of a table, and prefetching. The memory is a slice of empty buckets, in huge pages where the system provides them.
//!
//! The system provides a page, filled with zeros, when the page is first written. So a large table costs nothing until
//! it is used. A probe can access any page. With pages of 4 KiB, nearly every probe misses the translation lookaside
//! buffer, and finding the page takes as long as reading from it. Pages of 2 MiB are few enough to avoid most of these
//! misses.
//!
//! Systems without memory mappings, which is WebAssembly, take a slice from the allocator.

use std::ops::Deref;

#[cfg(not(target_family = "wasm"))]
use memmap2::{MmapMut, MmapRaw};

use crate::table::Bucket;

/// A slice of buckets in its own memory mapping.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug)]
pub struct Buckets {
    map: MmapRaw,
    count: usize,
}

#[cfg(not(target_family = "wasm"))]
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
#[cfg(not(any(target_os = "linux", target_family = "wasm")))]
fn advise_huge_pages(_: &MmapMut) {}

#[cfg(not(target_family = "wasm"))]
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

/// A slice of buckets from the allocator.
#[cfg(target_family = "wasm")]
#[derive(Debug)]
pub struct Buckets(Vec<Bucket>);

#[cfg(target_family = "wasm")]
impl Buckets {
    /// Returns `count` empty buckets, or `None` if there is not enough memory. `count` must be at least 1.
    pub fn new(count: usize) -> Option<Buckets> {
        bytemuck::allocation::try_zeroed_vec(count).ok().map(Buckets)
    }
}

#[cfg(target_family = "wasm")]
impl Deref for Buckets {
    type Target = [Bucket];

    #[inline(always)]
    fn deref(&self) -> &[Bucket] {
        &self.0
    }
}

/// Tells the CPU to load the cache line in which a value begins, without waiting for it. This affects only the time of
/// a later access.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: the instruction belongs to SSE, which every x86-64 CPU has. It never faults and has no visible effect,
    // and the address comes from a reference.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
}

/// Does nothing in other builds. There, memory is loaded when it is read.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn prefetch<T>(_: &T) {}

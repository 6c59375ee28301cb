//! Fetching memory into the caches before it is needed.

/// Asks the CPU to fetch the cache line that a value begins in, without waiting for it. Changes nothing but the time
/// that a later access takes.
#[cfg(vector_paths)]
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: SSE, which has the instruction, is part of every x86-64. It reads no memory as far as the program can
    // tell and never faults; the address is that of a reference all the same.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
}

/// Elsewhere the memory is fetched when it is read.
#[cfg(not(vector_paths))]
#[inline(always)]
pub fn prefetch<T>(_: &T) {}

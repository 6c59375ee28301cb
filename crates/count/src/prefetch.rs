//! Loads memory into the CPU caches before it is needed.

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

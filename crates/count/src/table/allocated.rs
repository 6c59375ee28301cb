//! The memory of a table on systems without memory mappings, which is WebAssembly: a slice from the allocator.
//!
//! `memory.rs` is the version for all other systems.

use std::ops::Deref;

use bytemuck::allocation::try_zeroed_vec;

use super::bucket::Bucket;

/// A slice of buckets.
#[derive(Debug)]
pub struct Buckets(Vec<Bucket>);

impl Buckets {
    /// Returns `count` empty buckets, or `None` if there is not enough memory. `count` must be at least 1.
    pub fn new(count: usize) -> Option<Buckets> {
        try_zeroed_vec(count).ok().map(Buckets)
    }
}

impl Deref for Buckets {
    type Target = [Bucket];

    #[inline(always)]
    fn deref(&self) -> &[Bucket] {
        &self.0
    }
}

//! The loops that several threads may share.

use std::ops::Add;

use rayon::prelude::*;

/// The threads that share a loop. Each item of the loop is a separate task. With larger tasks, a thread without work
/// would have to wait until another thread has finished its whole task.
#[derive(Clone, Copy, Debug)]
pub(super) enum Threads {
    /// The thread of the caller.
    Caller,
    /// The threads of the current rayon pool.
    Pool,
}

impl Threads {
    /// Returns the number of threads.
    pub(super) fn count(self) -> usize {
        match self {
            Threads::Caller => 1,
            Threads::Pool => rayon::current_num_threads(),
        }
    }

    /// Returns the results for all items, in the order of the items, or an error if there is one.
    pub(super) fn map<I, T, R, E>(
        self,
        items: I,
        of: impl Fn(T) -> Result<R, E> + Sync + Send,
    ) -> Result<Vec<R>, E>
    where
        I: IntoIterator<Item = T> + IntoParallelIterator<Item = T, Iter: IndexedParallelIterator>,
        T: Send,
        R: Send,
        E: Send,
    {
        match self {
            Threads::Caller => items.into_iter().map(of).collect(),
            Threads::Pool => items.into_par_iter().with_max_len(1).map(of).collect(),
        }
    }

    /// Returns the sum of the results for all items, or an error if there is one.
    pub(super) fn sum<I, T, R, E>(
        self,
        items: I,
        of: impl Fn(T) -> Result<R, E> + Sync + Send,
    ) -> Result<R, E>
    where
        I: IntoIterator<Item = T> + IntoParallelIterator<Item = T, Iter: IndexedParallelIterator>,
        T: Send,
        R: Add<Output = R> + Default + Send,
        E: Send,
    {
        match self {
            Threads::Caller => items.into_iter().try_fold(R::default(), |sum, item| Ok(sum + of(item)?)),
            Threads::Pool => {
                let results = items.into_par_iter().with_max_len(1).map(of);
                results.try_reduce(R::default, |a, b| Ok(a + b))
            }
        }
    }
}

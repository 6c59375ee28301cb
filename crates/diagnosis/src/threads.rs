//! Work on several threads.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, scope};

/// Runs `work` on several threads. The first of them is the calling thread. `work` takes one task after the other from
/// a queue. If the system does not start a thread, the others do its part of the work.
///
/// # Examples
/// ```
/// use std::sync::Mutex;
///
/// use perft_diagnosis::threads::share_work;
///
/// let (tasks, sum) = (Mutex::new(1..=10), Mutex::new(0));
/// let next = || tasks.lock().unwrap().next();
/// share_work(4, || {
///     while let Some(task) = next() {
///         *sum.lock().unwrap() += task;
///     }
/// });
/// assert_eq!(sum.into_inner().unwrap(), 55);
/// ```
pub fn share_work(threads: usize, work: impl Fn() + Sync) {
    scope(|scope| {
        for _ in 1..threads {
            if Builder::new().spawn_scoped(scope, &work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Locks data that several threads change, even if one of them has panicked.
pub(crate) fn lock<T>(data: &Mutex<T>) -> MutexGuard<'_, T> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}

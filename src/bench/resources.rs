//! What the system knows of processes: processor time, memory, and the cores that they may run on.

use std::time::Duration;

/// What a process has used since it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The time that processors spent in the program, on all threads.
    pub user: Duration,
    /// The time that processors spent in the system on its behalf.
    pub system: Duration,
    /// The most memory that it occupied at a time in bytes.
    pub peak_memory_bytes: u64,
}

/// The threads cannot be kept to these cores.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PinError {
    /// There is no such core, or this process may not use it.
    #[error("core {0} is not there, or not for this process: {1}")]
    NoSuchCore(usize, String),
    /// This system has no way, or none that is known here.
    #[error("this system does not keep programs to a core")]
    Unsupported,
}

/// What this process has used until now; `None` where the system does not say.
///
/// # Examples
/// ```
/// use crate::bench::usage;
/// if let Some(usage) = usage() {
///     assert!(usage.peak_memory_bytes > 0);
/// }
/// ```
#[cfg(unix)]
pub fn usage() -> Option<Usage> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeVal;
    // Apple counts bytes, the others units of 1024.
    const MEMORY_UNIT: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    let duration = |time: TimeVal| Duration::new(time.tv_sec().unsigned_abs(), time.tv_usec() as u32 * 1000);
    let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    Some(Usage {
        user: duration(usage.user_time()),
        system: duration(usage.system_time()),
        peak_memory_bytes: usage.max_rss().unsigned_abs() * MEMORY_UNIT,
    })
}

/// What this process has used: this system does not say.
#[cfg(not(unix))]
pub fn usage() -> Option<Usage> {
    None
}

/// Keeps this thread, and the threads and processes that it starts from now on, to these cores, counted from 0.
///
/// # Errors
/// A core does not exist or is not for this process, or the system has no way.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn pin(cores: &[usize]) -> Result<(), PinError> {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;
    const THIS_THREAD: i32 = 0;
    let this = Pid::from_raw(THIS_THREAD);
    let allowed = sched_getaffinity(this).map_err(|_| PinError::Unsupported)?;
    let available: Vec<String> = (0..CpuSet::count())
        .filter(|&core| allowed.is_set(core).unwrap_or(false))
        .map(|core| core.to_string())
        .collect();
    let mut set = CpuSet::new();
    for &core in cores {
        let refused = || PinError::NoSuchCore(core, format!("it may use {}", available.join(", ")));
        if !allowed.is_set(core).unwrap_or(false) || set.set(core).is_err() {
            return Err(refused());
        }
    }
    sched_setaffinity(this, &set).map_err(|_| PinError::Unsupported)
}

/// Keeps this thread to these cores: this system has no way that is known here.
///
/// # Errors
/// Always.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub fn pin(_: &[usize]) -> Result<(), PinError> {
    Err(PinError::Unsupported)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_core_that_is_not_there_is_refused() {
        assert!(matches!(pin(&[1_000_000]), Err(PinError::NoSuchCore(1_000_000, _))));
    }

    #[test]
    fn work_shows_in_the_usage() {
        let before = usage().unwrap();
        let mut sum = 0_u64;
        while usage().unwrap().user < before.user + Duration::from_millis(5) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0);
    }
}

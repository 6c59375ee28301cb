//! Restricting the program to some cores.

/// The program cannot be restricted to the given cores.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PinError {
    /// The core does not exist, or this process may not use it.
    #[error("core {0} does not exist or is not available to this process; the available cores are {1}")]
    #[cfg_attr(
        not(any(target_os = "linux", target_os = "android", windows)),
        expect(dead_code, reason = "nothing can be pinned there")
    )]
    NoSuchCore(usize, String),
    /// Pinning is not supported on this system.
    #[error("this system does not support pinning to cores")]
    Unsupported,
}

/// Restricts this thread to the given cores, counted from 0. Threads and processes that it starts later inherit this. On Windows,
/// the whole process is restricted, and only the 64 cores of its processor group can be given.
///
/// # Errors
/// A core does not exist or is not available, or the system does not support pinning.
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
        if !allowed.is_set(core).unwrap_or(false) || set.set(core).is_err() {
            return Err(PinError::NoSuchCore(core, available.join(", ")));
        }
    }
    sched_setaffinity(this, &set).map_err(|_| PinError::Unsupported)
}

/// Restricts this process to the given cores.
///
/// # Errors
/// A core does not exist or is not available.
#[cfg(windows)]
pub fn pin(cores: &[usize]) -> Result<(), PinError> {
    use crate::windows::{available_cores, restrict_to_cores};
    let allowed = available_cores().map_err(|_| PinError::Unsupported)?;
    let is_allowed = |core: usize| core < usize::BITS as usize && allowed >> core & 1 == 1;
    if let Some(&core) = cores.iter().find(|&&core| !is_allowed(core)) {
        let available: Vec<String> =
            (0..usize::BITS as usize).filter(|&core| is_allowed(core)).map(|core| core.to_string()).collect();
        return Err(PinError::NoSuchCore(core, available.join(", ")));
    }
    restrict_to_cores(cores.iter().fold(0, |set, core| set | 1 << core)).map_err(|_| PinError::Unsupported)
}

/// Returns an error: pinning is not supported on this system.
///
/// # Errors
/// Always.
#[cfg(not(any(target_os = "linux", target_os = "android", windows)))]
pub fn pin(_: &[usize]) -> Result<(), PinError> {
    Err(PinError::Unsupported)
}

#[cfg(all(test, any(target_os = "linux", windows)))]
mod tests {
    use super::*;

    #[test]
    fn a_core_that_does_not_exist_is_refused() {
        assert!(matches!(pin(&[1_000_000]), Err(PinError::NoSuchCore(1_000_000, _))));
    }

    /// On Windows this restricts the other tests too, so all available cores are given.
    #[test]
    #[cfg(windows)]
    fn the_available_cores_are_accepted() {
        let available = crate::windows::available_cores().unwrap();
        let cores: Vec<usize> = (0..64).filter(|core| available >> core & 1 == 1).collect();
        pin(&cores).unwrap();
        assert_eq!(crate::windows::available_cores().unwrap(), available);
    }
}

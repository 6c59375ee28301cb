//! Restricts the program to some cores.

/// The reason why the program cannot be restricted to the given cores.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PinError {
    /// The core does not exist, or this process may not use it.
    #[error("core {0} does not exist or is not available to this process; the available cores are {1}")]
    NoSuchCore(usize, String),
    /// Pinning is not supported on this system.
    #[error("this system does not support pinning to cores")]
    Unsupported,
}

/// Restricts this thread to the given cores, counted from 0. Threads and processes that it starts later inherit this.
/// On Windows, the whole process is restricted, and only the 64 cores of its processor group can be given.
///
/// # Errors
/// A core does not exist or is not available, or the system does not support pinning.
pub fn pin(cores: &[usize]) -> Result<(), PinError> {
    let available = system::available_cores().ok_or(PinError::Unsupported)?;
    if let Some(core) = cores.iter().find(|core| !available.contains(core)) {
        let available: Vec<String> = available.iter().map(usize::to_string).collect();
        return Err(PinError::NoSuchCore(*core, available.join(", ")));
    }
    system::restrict_to(cores).ok_or(PinError::Unsupported)
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;

    const THIS_THREAD: Pid = Pid::from_raw(0);

    pub fn available_cores() -> Option<Vec<usize>> {
        let allowed = sched_getaffinity(THIS_THREAD).ok()?;
        Some((0..CpuSet::count()).filter(|&core| allowed.is_set(core).unwrap_or(false)).collect())
    }

    pub fn restrict_to(cores: &[usize]) -> Option<()> {
        let mut set = CpuSet::new();
        cores.iter().try_for_each(|&core| set.set(core)).ok()?;
        sched_setaffinity(THIS_THREAD, &set).ok()
    }
}

#[cfg(windows)]
mod system {
    use crate::system::windows;

    pub fn available_cores() -> Option<Vec<usize>> {
        let allowed = windows::available_cores().ok()?;
        Some((0..usize::BITS as usize).filter(|core| allowed >> core & 1 == 1).collect())
    }

    pub fn restrict_to(cores: &[usize]) -> Option<()> {
        windows::restrict_to_cores(cores.iter().fold(0, |set, core| set | 1 << core)).ok()
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", windows)))]
mod system {
    /// Returns `None`: this system does not report its cores.
    pub fn available_cores() -> Option<Vec<usize>> {
        None
    }

    /// Returns `None`: this system does not support pinning.
    pub fn restrict_to(_: &[usize]) -> Option<()> {
        None
    }
}

#[cfg(all(test, any(target_os = "linux", windows)))]
mod tests {
    use super::*;

    #[test]
    fn a_core_that_does_not_exist_is_refused() {
        assert!(matches!(pin(&[1_000_000]), Err(PinError::NoSuchCore(1_000_000, _))));
    }

    /// On Windows, pinning affects the other tests too, so this test gives all available cores.
    #[test]
    fn the_available_cores_are_accepted() {
        let available = system::available_cores().unwrap();
        pin(&available).unwrap();
        assert_eq!(system::available_cores(), Some(available));
    }
}

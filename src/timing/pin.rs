//! The cores that this program may use, and restricting it to some of them.

#[cfg(any(target_os = "linux", target_os = "android", windows))]
pub use system::{available_cores, restrict_to};

/// Returns the cores that this thread may use, counted from 0; `None` if the system does not say.
#[cfg(not(any(target_os = "linux", target_os = "android", windows)))]
pub fn available_cores() -> Option<Vec<usize>> {
    None
}

/// Returns `None`: this system cannot restrict a thread to cores.
#[cfg(not(any(target_os = "linux", target_os = "android", windows)))]
pub fn restrict_to(_: &[usize]) -> Option<()> {
    None
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

    /// Restricts this thread, and the threads and processes that it starts later, to some cores.
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

    /// Restricts the whole process. Only the 64 cores of its processor group can be given.
    pub fn restrict_to(cores: &[usize]) -> Option<()> {
        windows::restrict_to_cores(cores.iter().fold(0, |set, core| set | 1 << core)).ok()
    }
}

#[cfg(all(test, any(target_os = "linux", windows)))]
mod tests {
    use super::*;

    /// On Windows, this affects the other tests too, so this test gives all available cores.
    #[test]
    fn the_available_cores_are_accepted() {
        let available = available_cores().unwrap();
        restrict_to(&available).unwrap();
        assert_eq!(available_cores(), Some(available));
    }
}

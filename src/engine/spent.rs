//! What a foreign program has used: processor time and memory.
//!
//! Of a process that has ended the system says it all when it is waited for. Of one that runs only Linux does, in `/proc`, and
//! counts its time there in hundredths of a second. In neither case is more known than of the process that was started and
//! of those that it has waited for. A process begins as a part of ours, and its account of memory begins there too: when it
//! has ended, a peak that is not above our own says nothing.

use std::time::Duration;

use wait4::ResourceUsage;

/// What a process has used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    /// The time that processors spent in the program, on all threads.
    pub user: Duration,
    /// The time that processors spent in the system on its behalf.
    pub system: Duration,
    /// The most memory that it occupied at a time in bytes; `None` if that is not known.
    pub peak_memory_bytes: Option<u64>,
}

impl Spent {
    /// What was used since an earlier look; memory is that of the whole life.
    pub(super) fn since(self, earlier: Spent) -> Spent {
        Spent {
            user: self.user.saturating_sub(earlier.user),
            system: self.system.saturating_sub(earlier.system),
            ..self
        }
    }

    /// What a running process has used until now; `None` where the system does not say.
    #[cfg(target_os = "linux")]
    pub(super) fn by_running(process: u32) -> Option<Spent> {
        use nix::unistd::{SysconfVar, sysconf};
        let read = |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).ok();
        let ticks_per_second = u64::try_from(sysconf(SysconfVar::CLK_TCK).ok()??).ok()?;
        let (user, system) = ticks(&read("stat")?)?;
        let time = |ticks: u64| Duration::from_millis(1000 * ticks / ticks_per_second);
        let peak_memory_bytes = peak_memory_bytes(&read("status")?);
        Some(Spent { user: time(user), system: time(system), peak_memory_bytes })
    }

    /// What a running process has used: this system does not say.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn by_running(_: u32) -> Option<Spent> {
        None
    }
}

impl From<ResourceUsage> for Spent {
    fn from(usage: ResourceUsage) -> Spent {
        let is_its_own = usage.maxrss > own_peak_bytes();
        Spent {
            user: usage.utime,
            system: usage.stime,
            peak_memory_bytes: is_its_own.then_some(usage.maxrss),
        }
    }
}

/// Our own peak; 0 where nothing of it is found in what we start.
fn own_peak_bytes() -> u64 {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        // Apple counts bytes, the others units of 1024.
        let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
        getrusage(UsageWho::RUSAGE_SELF).map_or(0, |usage| unit * usage.max_rss().unsigned_abs())
    }
    #[cfg(not(unix))]
    0
}

/// The user and the system time of `/proc/PID/stat`: its fields 14 and 15, of which the second, a name in parentheses, may
/// hold anything; and those of the processes that it has waited for, 16 and 17.
#[cfg(target_os = "linux")]
fn ticks(stat: &str) -> Option<(u64, u64)> {
    let (_, behind_the_name) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = behind_the_name.split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    Some((field(14)? + field(16)?, field(15)? + field(17)?))
}

/// The peak of `/proc/PID/status`, which is in units of 1024 bytes.
#[cfg(target_os = "linux")]
fn peak_memory_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_the_system_are_read() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 900 80 0 0 150 20 3 4 20 0 1 0 99 1 2 3";
        assert_eq!(ticks(stat), Some((153, 24)));
        assert_eq!(ticks("7 (a) S 1"), None);
        assert_eq!(peak_memory_bytes("Name:\tsh\nVmHWM:\t    1540 kB\n"), Some(1540 * 1024));
        assert_eq!(peak_memory_bytes("Name:\tkthreadd\n"), None);
        let own = Spent::by_running(std::process::id()).unwrap();
        assert!(own.peak_memory_bytes.unwrap() > 100_000);
    }

    #[test]
    fn what_was_used_since_is_the_difference() {
        let at = |user, memory| Spent {
            user: Duration::from_millis(user),
            system: Duration::ZERO,
            peak_memory_bytes: Some(memory),
        };
        assert_eq!(at(50, 9).since(at(20, 7)), at(30, 9));
        assert_eq!(at(50, 9).since(at(60, 7)), at(0, 9));
    }
}

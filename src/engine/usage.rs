//! How much processor time and memory processes have used.
//!
//! - This process: `getrusage` on Unix, `GetProcessTimes` on Windows.
//! - A process that has ended: `wait4`, when it is waited for.
//! - A process that is running: `/proc`, in hundredths of a second. Other systems than Linux do not have these files.
//!
//! The numbers of another process include those of its own children, but only of children that it has waited for. On
//! Windows, the group of a process has the numbers of other processes.

#[cfg(unix)]
use std::{fs::DirEntry, path::PathBuf, time::Duration};

use perft_diagnosis::source::Usage;
#[cfg(unix)]
use wait4::ResourceUsage;

/// Returns what this process has used so far, or `None` where the system does not say.
#[cfg(unix)]
pub fn process_usage() -> Option<Usage> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeVal;
    // These numbers have 32 bits on 32-bit systems.
    fn unsigned(number: impl TryInto<u64>) -> u64 {
        number.try_into().unwrap_or(0)
    }
    // Apple counts bytes, the other systems units of 1024 bytes.
    const MEMORY_UNIT: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
    let duration = |time: TimeVal| Duration::new(unsigned(time.tv_sec()), time.tv_usec() as u32 * 1000);
    let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    Some(Usage {
        user: duration(usage.user_time()),
        system: duration(usage.system_time()),
        peak_memory_bytes: Some(unsigned(usage.max_rss()) * MEMORY_UNIT),
    })
}

/// Returns what this process has used so far, or `None` if the system does not say.
#[cfg(windows)]
pub fn process_usage() -> Option<Usage> {
    crate::system::windows::usage_of(crate::system::windows::this_process())
}

/// Returns what an ended process has used.
///
/// A new process starts as a copy of ours, and the system counts the memory of that copy as its own. So a peak that is
/// not above our own peak says nothing, and is `None`.
#[cfg(unix)]
pub(super) fn of_ended(usage: ResourceUsage) -> Usage {
    let own_peak = process_usage().and_then(|own| own.peak_memory_bytes).unwrap_or(0);
    Usage {
        user: usage.utime,
        system: usage.stime,
        peak_memory_bytes: Some(usage.maxrss).filter(|&peak| peak > own_peak),
    }
}

/// Returns what a running process has used so far, or `None` if it cannot be read.
#[cfg(unix)]
pub(super) fn of_running(process: u32) -> Option<Usage> {
    let read = |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).ok();
    let (user, system) = ticks(&read("stat")?)?;
    let peak_memory_bytes = peak_memory_bytes(&read("status")?);
    Some(Usage { user: time_of(user)?, system: time_of(system)?, peak_memory_bytes })
}

/// Returns the processor time that the running processes of a process group have used so far, and whether one of their
/// threads runs, or waits for a processor or a disk now. Returns `None` if there are no such processes.
#[cfg(unix)]
pub(super) fn of_group(group: u32) -> Option<(Duration, bool)> {
    let processes = processes_of_group(group);
    let times = processes.iter().filter_map(|(_, stat)| ticks(stat));
    let sum: u64 = times.map(|(user, system)| user + system).sum();
    let threads = processes.iter().flat_map(|(process, _)| std::fs::read_dir(process.join("task"))).flatten();
    let mut stats =
        threads.flatten().filter_map(|thread| std::fs::read_to_string(thread.path().join("stat")).ok());
    let is_running =
        |stat: String| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['R', 'D']));
    let is_running = stats.any(is_running);
    time_of(sum).filter(|_| !processes.is_empty()).map(|time| (time, is_running))
}

/// Returns the folder in `/proc` and the file `stat` of each process of a process group.
#[cfg(unix)]
fn processes_of_group(group: u32) -> Vec<(PathBuf, String)> {
    let of_entry = |entry: DirEntry| {
        entry.file_name().to_str()?.parse::<u32>().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        let (_, after_name) = stat.rsplit_once(')')?;
        let is_member = after_name.split_whitespace().nth(2)?.parse() == Ok(group);
        is_member.then(|| (entry.path(), stat))
    };
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(of_entry).collect()
}

/// Reads the user and system time from `/proc/PID/stat`, in ticks: fields 14 and 15, and for the children that the
/// process has waited for, fields 16 and 17. Field 2 is a name in parentheses that can contain anything, so the fields
/// are counted from the last parenthesis.
#[cfg(unix)]
fn ticks(stat: &str) -> Option<(u64, u64)> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    Some((field(14)? + field(16)?, field(15)? + field(17)?))
}

/// Returns the time of this number of ticks, or `None` if the system does not say how long a tick is.
#[cfg(unix)]
fn time_of(ticks: u64) -> Option<Duration> {
    use nix::unistd::{SysconfVar, sysconf};
    let ticks_per_second = u64::try_from(sysconf(SysconfVar::CLK_TCK).ok()??).ok()?;
    Some(Duration::from_millis(1000 * ticks / ticks_per_second))
}

/// Reads the peak memory from `/proc/PID/status`, which states it in units of 1024 bytes.
#[cfg(unix)]
fn peak_memory_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn reads_the_files_of_the_system() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 900 80 0 0 150 20 3 4 20 0 1 0 99 1 2 3";
        assert_eq!(ticks(stat), Some((153, 24)));
        assert_eq!(ticks("7 (a) S 1"), None);
        assert_eq!(peak_memory_bytes("Name:\tsh\nVmHWM:\t    1540 kB\n"), Some(1540 * 1024));
        assert_eq!(peak_memory_bytes("Name:\tkthreadd\n"), None);
        let own = of_running(std::process::id()).unwrap();
        assert!(own.peak_memory_bytes.unwrap() > 100_000);
    }

    #[test]
    fn work_increases_the_usage() {
        let before = process_usage().unwrap();
        assert!(before.peak_memory_bytes.unwrap() > 100_000);
        let mut sum = 0_u64;
        while process_usage().unwrap().user < before.user + Duration::from_millis(5) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0);
    }

    #[test]
    fn usage_never_decreases() {
        let at = |user| Usage {
            user: Duration::from_millis(user),
            system: Duration::ZERO,
            peak_memory_bytes: None,
        };
        assert_eq!(at(50).since(at(60)), at(0));
    }
}

/// Returns how many times as long a program may take as on an idle machine, from 1 to 8: the load of each core.
pub(super) fn busy() -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = sysinfo::System::load_average().map_or(0.0, |load| load.one);
    (load / cores as f64).ceil().clamp(1.0, 8.0) as u32
}

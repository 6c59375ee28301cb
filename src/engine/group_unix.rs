//! The processes of an engine on Unix: a process group. What they use is read from `getrusage` for this process, from
//! `wait4` for a process that has ended, and from `/proc` for one that is running, in hundredths of a second. Other
//! systems than Linux do not have these files. The numbers of another process include those of its own children, but
//! only of children that it has waited for.
//!
//! The number of a group is that of its first process, the engine itself. The system can use it again as soon as that
//! process has been waited for. So the group is killed before that, also if the engine has ended by itself.
//!
//! A shell, the *guard*, kills the groups that are left when this program ends without killing them: after SIGKILL, an
//! abort, or any other sudden end. It waits at the other end of a pipe and is told each group. The system closes the
//! pipe when this program ends. Engines that leave their process group (`setsid`) are not found.

use std::fs::DirEntry;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use nix::unistd::getpgid;
use perft_diagnosis::source::Usage;
use rustix::param::clock_ticks_per_second;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use wait4::ResourceUsage;

/// The script of the guard. It reads the lines `+ GROUP` and `- GROUP`.
const SCRIPT: &str = r#"
trap '' HUP INT TERM
groups=' '
while read -r sign group; do
    case $sign$groups in
        +*) groups="$groups$group " ;;
        -*" $group "*) groups="${groups%%" $group "*} ${groups#*" $group "}" ;;
    esac
done
for group in $groups; do kill -KILL "-$group"; done
"#;

/// The input of the guard, which is started with the first engine; `None` where there is no shell.
static GUARD: OnceLock<Option<Mutex<ChildStdin>>> = OnceLock::new();

/// A program and the processes that it has started, unless they have left its process group.
#[derive(Debug)]
pub(super) struct Group {
    /// The number of the program and of its process group.
    id: Pid,
}

impl Group {
    /// Makes a program begin a process group of its own when it is started. So Ctrl-C does not reach it.
    pub fn prepare(command: &mut Command) {
        command.process_group(0);
    }

    /// Returns the group of a program that was started after [`Group::prepare`].
    pub fn of(child: &Child) -> Group {
        let id = Pid::from_child(child);
        tell_guard('+', id);
        Group { id }
    }

    /// Whether the program has ended. It is not waited for, so that it keeps its number.
    pub fn has_ended(&self, child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(child)), options).is_ok_and(|end| end.is_some())
    }

    /// Kills all processes of the group. Must not be called after the program has been waited for.
    pub fn kill(&self) {
        let _ = kill_process_group(self.id, Signal::KILL);
        tell_guard('-', self.id);
    }

    /// Returns the processor time of the running processes so far, and whether one of them runs or waits for a processor
    /// now. Returns `None` where the system does not say.
    pub fn activity(&self, _: &Child) -> Option<(Duration, bool)> {
        usage_of_group(self.id)
    }

    /// Whether each thread of the program reads from a pipe or waits for a child. Then it prints nothing before it gets more
    /// input. `false` where the system does not say.
    pub fn only_reads(&self) -> bool {
        let tasks =
            |process: &(PathBuf, String)| std::fs::read_dir(process.0.join("task")).into_iter().flatten();
        let processes = processes_of_group(self.id);
        let tasks = processes.iter().flat_map(tasks);
        let mut waits = tasks.map(|task| std::fs::read_to_string(task?.path().join("wchan")));
        let is_waiting =
            |wait: io::Result<String>| wait.is_ok_and(|wait| wait.contains("pipe_read") || wait == "do_wait");
        !processes.is_empty() && waits.all(is_waiting)
    }

    /// Returns what the program has used, or `None` where the system does not say. `end` is the usage that the
    /// system reported when the program ended.
    pub fn usage(&self, _: &Child, end: Option<ResourceUsage>) -> Option<Usage> {
        match end {
            Some(end) => Some(usage_of_ended(end)),
            None => usage_of_running(self.id),
        }
    }
}

/// Makes the guard kill a process group when this program ends, or forget one that was killed.
fn tell_guard(sign: char, group: Pid) {
    if let Some(guard) = GUARD.get_or_init(start_guard) {
        let mut guard = guard.lock().unwrap_or_else(PoisonError::into_inner);
        // If the guard is gone, nobody kills the engines. Most of them end when their input is closed.
        let _ = writeln!(guard, "{sign} {group}");
    }
}

fn start_guard() -> Option<Mutex<ChildStdin>> {
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // In a process group of its own, Ctrl-C does not reach it.
    command.process_group(0);
    command.spawn().ok()?.stdin.map(Mutex::new)
}

/// Returns what this process has used so far, or `None` where the system does not say.
pub fn process_usage() -> Option<Usage> {
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

/// Returns what an ended process has used.
///
/// A new process starts as a copy of ours, and the system counts the memory of that copy as its own. So a peak that is
/// not above our own peak says nothing, and is `None`.
fn usage_of_ended(usage: ResourceUsage) -> Usage {
    let own_peak = process_usage().and_then(|own| own.peak_memory_bytes).unwrap_or(0);
    Usage {
        user: usage.utime,
        system: usage.stime,
        peak_memory_bytes: Some(usage.maxrss).filter(|&peak| peak > own_peak),
    }
}

/// Returns what a running process has used so far, or `None` if it cannot be read.
fn usage_of_running(process: Pid) -> Option<Usage> {
    let read = |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).ok();
    let (user, system) = ticks(&read("stat")?)?;
    let peak_memory_bytes = peak_memory_bytes(&read("status")?);
    Some(Usage { user: time_of(user), system: time_of(system), peak_memory_bytes })
}

/// Returns the processor time that the running processes of a process group have used so far, and whether one of their
/// threads runs, or waits for a processor or a disk now. Returns `None` if there are no such processes.
fn usage_of_group(group: Pid) -> Option<(Duration, bool)> {
    let processes = processes_of_group(group);
    let times = processes.iter().filter_map(|(_, stat)| ticks(stat));
    let sum: u64 = times.map(|(user, system)| user + system).sum();
    let threads = processes.iter().flat_map(|(process, _)| std::fs::read_dir(process.join("task"))).flatten();
    let mut stats =
        threads.flatten().filter_map(|thread| std::fs::read_to_string(thread.path().join("stat")).ok());
    let is_running =
        |stat: String| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['R', 'D']));
    let is_running = stats.any(is_running);
    (!processes.is_empty()).then(|| (time_of(sum), is_running))
}

/// Returns the folder in `/proc` and the file `stat` of each process of a process group.
fn processes_of_group(group: Pid) -> Vec<(PathBuf, String)> {
    let of_entry = |entry: DirEntry| {
        let process = entry.file_name().to_str()?.parse().ok()?;
        // In a container, a group from outside has the number 0. `rustix` would make an invalid `Pid` from it.
        let is_member = getpgid(Some(nix::unistd::Pid::from_raw(process)))
            .is_ok_and(|id| id.as_raw() == group.as_raw_pid());
        let stat = is_member.then(|| std::fs::read_to_string(entry.path().join("stat")));
        Some((entry.path(), stat?.ok()?))
    };
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(of_entry).collect()
}

/// Reads the user and system time from `/proc/PID/stat`, in ticks: fields 14 and 15, and for the children that the
/// process has waited for, fields 16 and 17. Field 2 is a name in parentheses that can contain anything, so the fields
/// are counted from the last parenthesis.
fn ticks(stat: &str) -> Option<(u64, u64)> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    Some((field(14)? + field(16)?, field(15)? + field(17)?))
}

fn time_of(ticks: u64) -> Duration {
    Duration::from_millis(1000 * ticks / clock_ticks_per_second())
}

/// Reads the peak memory from `/proc/PID/status`, which states it in units of 1024 bytes.
fn peak_memory_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn reads_the_files_of_the_system() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 900 80 0 0 150 20 3 4 20 0 1 0 99 1 2 3";
        assert_eq!(ticks(stat), Some((153, 24)));
        assert_eq!(ticks("7 (a) S 1"), None);
        assert_eq!(peak_memory_bytes("Name:\tsh\nVmHWM:\t    1540 kB\n"), Some(1540 * 1024));
        assert_eq!(peak_memory_bytes("Name:\tkthreadd\n"), None);
        let own = usage_of_running(rustix::process::getpid()).unwrap();
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

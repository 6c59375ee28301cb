//! Kills the engines that this program leaves behind after SIGKILL, an abort, or any other sudden end.
//!
//! A shell, the *guard*, waits at the other end of a pipe. It is told the process group of each engine. When this
//! program ends in any way, the system closes the pipe, and the guard kills the groups that are left. Engines that
//! leave their process group (`setsid`) are not found.

use std::io::Write;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

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

/// Makes the guard kill a process group when this program ends.
pub(super) fn protect(group: u32) {
    tell('+', group);
}

/// Makes the guard forget a process group that was killed.
pub(super) fn release(group: u32) {
    tell('-', group);
}

fn tell(sign: char, group: u32) {
    if let Some(guard) = GUARD.get_or_init(start) {
        let mut guard = guard.lock().unwrap_or_else(PoisonError::into_inner);
        // If the guard is gone, nobody kills the engines. Most of them end when their input is closed.
        let _ = writeln!(guard, "{sign} {group}");
    }
}

fn start() -> Option<Mutex<ChildStdin>> {
    let mut command = Command::new("sh");
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // In a process group of its own, Ctrl-C does not reach it.
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().ok()?.stdin.map(Mutex::new)
}

//! Unix calls that `nix` does not offer in a safe form on every system.

use std::os::fd::{AsFd, AsRawFd};
use std::process::Child;

use nix::libc;
use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};

/// Whether a process has ended. It is not waited for, so it keeps its number.
pub fn has_ended(child: &Child) -> bool {
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: All bytes of this structure may be 0. `waitid` fills it in, and leaves the number of the process 0 if the
    // process has not ended.
    unsafe {
        let mut end: libc::siginfo_t = std::mem::zeroed();
        libc::waitid(libc::P_PID, child.id(), &mut end, options) == 0 && end.si_pid() != 0
    }
}

/// Returns the number of bytes that wait in a file or a pipe, or 0 where the system does not say.
pub fn waiting_bytes(file: impl AsFd) -> u64 {
    nix::ioctl_read_bad!(fionread, libc::FIONREAD, libc::c_int);
    let mut bytes = 0;
    // SAFETY: The file is open, and this call stores a `c_int`.
    let is_known = unsafe { fionread(file.as_fd().as_raw_fd(), &mut bytes) }.is_ok();
    if is_known { u64::try_from(bytes).unwrap_or(0) } else { 0 }
}

/// Returns the largest number of bytes that the memory of this process may have (`ulimit -v`), if it is limited.
pub fn address_space_limit() -> Option<u64> {
    let (soft, _) = getrlimit(Resource::RLIMIT_AS).ok()?;
    (soft != RLIM_INFINITY).then_some(soft)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test starts a process")]
mod tests {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn an_ended_process_can_still_be_waited_for() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        assert!(!has_ended(&child));
        drop(child.stdin.take());
        while !has_ended(&child) {
            std::thread::yield_now();
        }
        assert!(child.wait().unwrap().success());
    }

    #[test]
    fn bytes_wait_until_they_are_read() {
        let (mut reader, mut writer) = std::io::pipe().unwrap();
        assert_eq!(waiting_bytes(&reader), 0);
        writer.write_all(b"go perft 3\n").unwrap();
        assert_eq!(waiting_bytes(&reader), 11);
        reader.read_exact(&mut [0; 3]).unwrap();
        assert_eq!(waiting_bytes(&reader), 8);
    }
}

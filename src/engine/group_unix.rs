//! The processes of an engine on Unix: a process group. The guard kills it if this program does not.
//!
//! The number of a group is that of its first process, the engine itself. The system can use it again as soon as that
//! process has been waited for. So the group is killed before that, also if the engine has ended by itself.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use perft_diagnosis::source::Usage;
use wait4::ResourceUsage;

use super::{guard, usage};
use crate::system::unix;

/// A program and the processes that it has started, unless they have left its process group.
#[derive(Debug)]
pub(super) struct Group {
    /// The number of the program and of its process group.
    id: u32,
}

impl Group {
    /// Makes a program begin a process group of its own when it is started. So Ctrl-C does not reach it.
    pub fn prepare(command: &mut Command) {
        command.process_group(0);
    }

    /// Returns the group of a program that was started after [`Group::prepare`].
    pub fn of(child: &Child) -> Group {
        guard::protect(child.id());
        Group { id: child.id() }
    }

    /// Whether the program has ended. It is not waited for, so that it keeps its number.
    pub fn has_ended(&self, child: &mut Child) -> bool {
        unix::has_ended(child)
    }

    /// Kills all processes of the group. Must not be called after the program has been waited for.
    pub fn kill(&self) {
        if let Ok(group) = i32::try_from(self.id) {
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
        guard::release(self.id);
    }

    /// Returns the processor time of the running processes so far, and whether one of them runs or waits for a processor
    /// now. Returns `None` where the system does not say.
    pub fn activity(&self, _: &Child) -> Option<(Duration, bool)> {
        usage::of_group(self.id)
    }

    /// Returns what the program has used, or `None` where the system does not say. `end` is the usage that the
    /// system reported when the program ended.
    pub fn usage(&self, _: &Child, end: Option<ResourceUsage>) -> Option<Usage> {
        match end {
            Some(end) => Some(usage::of_ended(end)),
            None => usage::of_running(self.id),
        }
    }
}
